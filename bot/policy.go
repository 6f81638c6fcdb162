package bot

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"hermes/agent/run"
	"hermes/router"
)

// An Access is how far the bot works for somebody.
type Access string

// The accesses.
const (
	Nothing    Access = "none"
	Chat       Access = "chat"     // words alone: no tools, no approvals, nothing the team has told
	Mentions   Access = "mentions" // of other bots: what calls the bot by name
	Everything Access = "all"
)

// A Policy says for whom the bot works, and where. Members may have everything.
type Policy struct {
	Guests   Access   // empty: Chat
	External Access   // people of other organisations; empty: Nothing
	Bots     Access   // empty: Nothing
	BotTurns int      // answers in a thread to other bots in a row, until a person writes; 0: 3
	Users    []string // Persons; none: all
	Channels []string // platform:workspace:channel; none: all. Direct messages are no channel.
}

// botTurns is what people bear of two bots that talk to each other: a question, an
// answer to it, and thanks.
const botTurns = 3

func (p Policy) filled() Policy {
	if p.Guests == "" {
		p.Guests = Chat
	}
	if p.External == "" {
		p.External = Nothing
	}
	if p.Bots == "" {
		p.Bots = Nothing
	}
	if p.BotTurns == 0 {
		p.BotTurns = botTurns
	}
	return p
}

// A denial is why the bot does not work for somebody.
type denial string

const (
	outsider   denial = "external"
	visitor    denial = "guest"
	onlyTalk   denial = "guest, chat alone"
	onlyChat   denial = "external, chat alone"
	unlisted   denial = "not on the list of users"
	wrongPlace denial = "not on the list of channels"
)

// of is what a Policy has for a person, and why it is not everything.
func (p Policy) of(person string, s Standing) (Access, denial) {
	switch {
	case s == Left:
		return Nothing, outsider
	case len(p.Users) > 0 && !slices.Contains(p.Users, person):
		return Nothing, unlisted
	case s == Member:
		return Everything, ""
	case s == Machine:
		return p.Bots, outsider
	case s == Guest && p.Guests == Chat:
		return Chat, onlyTalk
	case s == Guest:
		return p.Guests, visitor
	case p.External == Chat:
		return Chat, onlyChat
	default:
		return p.External, outsider
	}
}

// errStanding is why an Item is tried again: nobody could say what a person is.
var errStanding = errors.New("standing is not known")

// standing is what a person is to their workspace. A platform that cannot tell has
// no members.
func (b *Bot) standing(ctx context.Context, person string, said Standing) (Standing, error) {
	if said != Unsaid {
		return said, nil
	}
	platform, _, _ := strings.Cut(person, ":")
	k, ok := b.Chats[platform].(Knower)
	if !ok {
		return External, nil
	}
	s, err := k.Standing(ctx, person)
	switch {
	case err != nil:
		return Unsaid, fmt.Errorf("%w of %s: %w", errStanding, person, err)
	case s == Unsaid:
		return External, nil
	}
	return s, nil
}

// accessOf is how far the bot works for who said a Message, there.
func (b *Bot) accessOf(ctx context.Context, m Message) (Access, denial, error) {
	s, err := b.standing(ctx, m.From, m.Standing)
	if err != nil {
		return Nothing, "", err
	}
	access, why := b.cfg.Policy.of(m.From, s)
	if list := b.cfg.Policy.Channels; access != Nothing && len(list) > 0 && !m.Direct && !slices.Contains(list, Person(m.Place.Platform, m.Place.Workspace, m.Place.Channel)) {
		return Nothing, wrongPlace, nil
	}
	return access, why, nil
}

// mayPress reports whether a press counts: one that only chats has nothing to decide,
// though anybody may stop what is theirs, and say what an answer was worth to them.
func (b *Bot) mayPress(ctx context.Context, c Click) (bool, denial, error) {
	s, err := b.standing(ctx, c.From, Unsaid)
	if err != nil {
		return false, "", err
	}
	access, why := b.cfg.Policy.of(c.From, s)
	decides := c.Stop == "" && !c.Halt && c.Why == "" && c.Rates == ""
	return access == Everything || access == Chat && !decides, why, nil
}

// A notice about what somebody may not do comes once an hour, so that nobody can have
// the bot fill a channel.
const noticeEvery = time.Hour

// deny says once in a while why there is no work for somebody, and whom to ask.
func (b *Bot) deny(ctx context.Context, it Item, m Message, why denial) error {
	first, err := b.once(ctx, "denied/"+spot(m)+"/"+m.From, it.Key, noticeEvery)
	if err != nil {
		return err
	}
	if !first {
		return b.ignore(ctx, m, toldBefore)
	}
	b.Log.Info("person is denied", "person", m.From, "place", m.Place, "reason", string(why))
	if err := b.unwelcome(ctx, it, m.From, "message"); err != nil {
		return err
	}
	lang := langOf(it)
	said := b.denial(m.Place.Platform, lang, why)
	return b.Outbox.Add(ctx, Post{Key: it.Key + "/denied", Place: it.Place, Lang: lang, Text: said.text, Names: said.names})
}

// talksOnly is for whom words are all there is, who wants more than small talk. Where a
// language model has words for them the notice stands under these, once in a while;
// the built-in rules have none but of what they do for others, so it stands alone.
func (b *Bot) talksOnly(ctx context.Context, it Item, m Message, d router.Decision, access Access, why denial) (note func(*Post, run.Outcome), alone bool, err error) {
	if access != Chat || d.Kind == router.Chitchat && (b.cfg.HasModel || !abilities.MatchString(m.Text)) {
		return nil, false, nil
	}
	b.Log.Info("person gets words alone", "person", m.From, "place", m.Place, "reason", string(why))
	if err := b.unwelcome(ctx, it, m.From, "message"); err != nil {
		return nil, false, err
	}
	said := b.denial(m.Place.Platform, langOf(it), why)
	if !b.cfg.HasModel || d.Kind == router.Command {
		p := Post{Key: it.Key + "/denied", Place: it.Place, Lang: langOf(it), Text: said.text, Names: said.names}
		return nil, true, b.Outbox.Add(ctx, p)
	}
	first, err := b.once(ctx, "denied/"+spot(m)+"/"+m.From, it.Key, noticeEvery)
	return func(p *Post, out run.Outcome) {
		switch {
		case out.Model == rulesModel:
			p.Text, p.Names = said.text, said.names
		case first:
			p.after(phrase{text: "\n\n"}.then(said))
		}
	}, false, err
}

// abilities is how people ask what the bot can do. The built-in rules tell of all of it.
var abilities = regexp.MustCompile(`(?i)\b(?:what (?:can|could|do) you do|how (?:can|could) you help)\b|你(?:都|还)?(?:能|会|可以|有)(?:帮我)?(?:做|干|帮)?(?:点|些|哪些)?(?:什么|啥|功能)`)

func (b *Bot) denial(platform, lang string, why denial) phrase {
	w := words(lang)
	names := b.adminNames(platform)
	if len(names) == 0 {
		return phrase{text: w.denied[why](w.operator)}
	}
	return naming(w.denied[why](strings.Join(names, w.comma)), names...)
}

// once is Ledger.Once at this time; without a Ledger everything is the first time.
func (b *Bot) once(ctx context.Context, name, key string, every time.Duration) (bool, error) {
	if b.Ledger == nil {
		return true, nil
	}
	return b.Ledger.Once(ctx, name, key, b.Now(), every)
}

// spot is where something is said as people see it: of what begins a thread of its
// own that is the channel.
func spot(m Message) string {
	p := m.Place
	if begins(m) {
		p.Thread = ""
	}
	return p.String()
}

// begins reports whether a Message is what its thread begins with. A platform names a
// thread by that, so the message's Key ends with the name.
func begins(m Message) bool {
	return m.Place.Thread != "" && strings.HasSuffix(m.Key, "/"+m.Place.Thread)
}

// converse reports whether another bot is to be answered. In a row it is answered so
// often and no more, which is said once; a person who writes in between begins a new
// row.
func (b *Bot) converse(ctx context.Context, it Item, m Message) (bool, error) {
	p := b.cfg.Policy
	heard := func(m Message) bool { return p.Bots == Everything || p.Bots == Mentions && m.Addressed }
	if !heard(m) {
		return false, b.ignore(ctx, m, fromBot)
	}
	said, err := b.Inbox.Before(ctx, it, 4*p.BotTurns+20)
	if err != nil {
		return false, err
	}
	row := 0
	for _, x := range said {
		if x.Standing != Machine {
			break
		}
		if heard(x) {
			row++
		}
	}
	switch {
	case strings.Contains(m.Text, english.stopsHere), strings.Contains(m.Text, chinese.stopsHere):
		return false, b.ignore(ctx, m, turnsUsed) // another of us has said so
	case row <= p.BotTurns:
		return true, nil
	case row > p.BotTurns+1:
		return false, b.ignore(ctx, m, turnsUsed)
	}
	lang := langOf(it)
	return false, b.Outbox.Add(ctx, Post{Key: it.Key + "/turns", Place: it.Place, Lang: lang, Text: words(lang).turnsOver(p.BotTurns)})
}
