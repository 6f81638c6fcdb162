package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/agent/run"
)

// Budgets say what may be spent, and what was.
type Budgets interface {
	// Near returns the budgets that a Request draws on and of which so much is spent
	// that people are to be told, again and again.
	Near(ctx context.Context, r run.Request) ([]run.Purse, error)
	// Purses returns the budgets as they stand that a person may look at.
	Purses(ctx context.Context, viewer, home string) ([]run.Purse, error)
	// RaiseBudget gives one another limit until its period is over. It returns
	// run.ErrNotAllowed, run.ErrNoPurse, run.ErrNotMore or run.ErrNoNumber.
	RaiseBudget(ctx context.Context, r run.Raise) (run.Purse, error)
}

// A PurseView is a budget as it stands for one of those that it is about.
type PurseView = run.Purse

// A Treasurer is a Desk that knows what was spent.
type Treasurer interface {
	Purses(ctx context.Context, viewer, home string) ([]PurseView, error)
}

// A Caller is a platform that knows how people call somebody in plain words.
type Caller interface {
	// Called is empty for whom it does not know.
	Called(person string) string
}

// How people ask for the budgets, and how they raise one. What it is called and how
// much it shall be is read further on.
var (
	asksBudgets = regexp.MustCompile(`(?i)^[\s/]*(?:budgets?(?:\s+list)?|list\s+(?:the\s+)?budgets?|(?:show\s+)?(?:me\s+)?(?:my|the|our)\s+budgets?|预算(?:列表|情况)?|(?:查看|列出|看看|我的)预算)[\s.!?。！？]*$`)
	raisesEn    = regexp.MustCompile(`(?i)^[\s/]*(?:budgets?\s+raise|(?:please\s+)?raise\s+(?:the\s+)?budgets?(?:\s+(?:of|for))?)(?:\s+(.*?))?(?:\s+to)?\s+(\S+(?:\s+(?:usd|dollars?|tokens?|k tokens?|m tokens?))?)[\s.!。！]*$`)
	raisesZh    = regexp.MustCompile(`(?i)^\s*(?:(?:请)?把\s*)?(.*?)\s*的?\s*预算\s*(?:提高|提升|增加|调高|调)\s*(?:到|至)\s*(.+?)[\s.!。！]*$|^\s*预算\s*(?:提高|提升|调高)\s*(.*?)\s*(?:到|至)\s*(.+?)[\s.!。！]*$`)
	raisesAll   = regexp.MustCompile(`(?i)^[\s/]*budgets?\s+raise\b`)
)

// isBudget reports whether a Message is about the budgets of the program.
func (b *Bot) isBudget(m Message) bool {
	if b.Budgets == nil || m.Edits != "" || m.Standing == Machine || len(m.Files) > 0 || m.About != nil {
		return false
	}
	if asksBudgets.MatchString(m.Text) || raisesAll.MatchString(m.Text) {
		return true
	}
	// Other words may speak of any budget in the world: what is raised to no amount of
	// ours is none of the program's.
	_, much := readRaise(m.Text)
	_, ok := ReadAmount(much)
	return ok
}

// budget answers what is asked of the budgets. Who may raise one the Agent knows.
func (b *Bot) budget(ctx context.Context, it Item, m Message, lang string) error {
	purses, err := b.Budgets.Purses(ctx, m.From, it.Place.String())
	if err != nil {
		return fmt.Errorf("budgets for %s: %w", m.From, err)
	}
	p := Post{Key: m.Key + "/budget", Place: it.Place, Lang: lang, By: m.From}
	if asksBudgets.MatchString(m.Text) {
		p.Text = b.listPurses(ctx, words(lang), purses, m.From)
		if !m.Direct {
			p.Only = m.From // some of it is of other people and places
		}
		return b.Outbox.Add(ctx, p)
	}
	said, err := b.raise(ctx, it, m, words(lang), purses)
	if err != nil {
		return err
	}
	p.Text, p.Names = said.text, said.names
	return b.Outbox.Add(ctx, p)
}

// mostPurses is how many a person is told of; an admin may have many.
const mostPurses = 15

func (b *Bot) listPurses(ctx context.Context, w *wording, purses []run.Purse, viewer string) string {
	if len(purses) == 0 {
		return w.noBudgets
	}
	var lines []string
	for _, p := range purses[:min(mostPurses, len(purses))] {
		line := "- **" + b.purseOf(ctx, w, p, viewer) + "**" + w.colon + w.amounts(p)
		if p.Raised != "" {
			line += w.raisedBy
		}
		lines = append(lines, line+" "+code(p.Name()))
	}
	if more := len(purses) - mostPurses; more > 0 {
		lines = append(lines, "- …"+w.andMore(more))
	}
	return w.budgets + "\n" + strings.Join(lines, "\n")
}

// raise reads which budget is to be raised to what, does it, and says what has come of it.
func (b *Bot) raise(ctx context.Context, it Item, m Message, w *wording, purses []run.Purse) (phrase, error) {
	which, much := readRaise(m.Text)
	limit, ok := ReadAmount(much)
	if !ok {
		if limit, ok = b.bareAmount(ctx, m, it.Place, which, much, purses); !ok {
			return phrase{text: w.howToRaise}, nil
		}
	}
	found := slices.DeleteFunc(slices.Clone(purses), func(p run.Purse) bool {
		return p.Name() != which && (limit.Nanos > 0 && p.Limit.Nanos == 0 || limit.Tokens > 0 && p.Limit.Tokens == 0)
	})
	found = slices.DeleteFunc(found, func(p run.Purse) bool { return !b.isCalled(ctx, p, which, m.From, it.Place) })
	name := which
	switch {
	case len(found) > 1:
		var names []string
		for _, p := range found {
			names = append(names, code(p.Name()))
		}
		return phrase{text: w.whichBudget + strings.Join(names, w.comma)}, nil
	case len(found) == 1:
		name = found[0].Name()
	}
	p, err := b.Budgets.RaiseBudget(ctx, run.Raise{Key: m.Key, Purse: name, Limit: limit, By: m.From, At: m.At})
	if err := b.refused(ctx, it, m.From, "budget", name, err); err != nil {
		return phrase{}, err
	}
	switch {
	case errors.Is(err, run.ErrNotAllowed):
		return phrase{text: w.notYours + " "}.then(b.whoRaises(w, it.Place.Platform)), nil
	case errors.Is(err, run.ErrNoPurse):
		return phrase{text: w.noBudget + " " + w.howToRaise}, nil
	case errors.Is(err, run.ErrNotMore), errors.Is(err, run.ErrNoNumber):
		return phrase{text: w.notRaised(b.purseOf(ctx, w, p, m.From), w.amounts(p))}, nil
	case err != nil:
		return phrase{}, fmt.Errorf("raise budget %s: %w", name, err)
	}
	return phrase{text: w.isRaised(b.purseOf(ctx, w, p, m.From), w.amounts(p), b.untilOf(w, p))}, nil
}

// bareAmount reads a number without its kind: dollars, where each budget that is meant has
// a limit in dollars and none in tokens. Anywhere else it could be either.
func (b *Bot) bareAmount(ctx context.Context, m Message, at Place, which, much string, purses []run.Purse) (run.Amount, bool) {
	limit, ok := ReadAmount("$" + much)
	if !ok {
		return run.Amount{}, false
	}
	meant := 0
	for _, p := range purses {
		if !b.isCalled(ctx, p, which, m.From, at) {
			continue
		}
		if meant++; p.Limit.Nanos == 0 || p.Limit.Tokens > 0 {
			return run.Amount{}, false
		}
	}
	return limit, meant > 0
}

// readRaise takes from words that raise a budget which it is, and to how much.
func readRaise(text string) (which, much string) {
	if m := raisesEn.FindStringSubmatch(text); m != nil {
		return strings.Trim(m[1], " `"), m[2]
	}
	if m := raisesZh.FindStringSubmatch(text); m != nil {
		return strings.Trim(m[1]+m[3], " `"), strings.TrimSpace(m[2] + m[4])
	}
	return "", ""
}

var amount = regexp.MustCompile(`(?i)^(\$|US\$|USD\s*)?\s*([0-9][0-9,_]*(?:\.[0-9]+)?)\s*(k|m|千|万|百万)?\s*(usd|dollars?|美元|美金|刀|tokens?|个\s*tokens?|词元)?$`)

// ReadAmount reads "$10", "10 USD", "200k tokens", "20万 tokens". Of which kind a number
// is must be said.
func ReadAmount(text string) (run.Amount, bool) {
	m := amount.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return run.Amount{}, false
	}
	n, err := strconv.ParseFloat(strings.NewReplacer(",", "", "_", "").Replace(m[2]), 64)
	if err != nil || n <= 0 {
		return run.Amount{}, false
	}
	n *= map[string]float64{"": 1, "k": 1e3, "千": 1e3, "万": 1e4, "m": 1e6, "百万": 1e6}[strings.ToLower(m[3])]
	unit := strings.ToLower(m[4])
	tokens := strings.Contains(unit, "token") || unit == "词元"
	const most = 1e12 // more of either nobody means
	switch {
	case n > most || tokens && m[1] != "", m[1] == "" && unit == "":
		return run.Amount{}, false
	case tokens:
		return run.Amount{Tokens: int64(n)}, int64(n) > 0
	case n > 1e9:
		return run.Amount{}, false
	}
	return run.Amount{Nanos: int64(n*1e9 + 0.5)}, true
}

// isCalled reports whether words mean a budget: by its name, by whose it is, or by where
// and when they are said.
func (b *Bot) isCalled(ctx context.Context, p run.Purse, which, viewer string, at Place) bool {
	same := func(s string) bool {
		return s != "" && strings.EqualFold(strings.TrimLeft(s, "@#"), strings.TrimLeft(which, "@#"))
	}
	if same(p.Name()) || same(p.Of) && p.Of != "" {
		return true
	}
	per, every, _ := strings.Cut(p.Budget, "/")
	word := strings.ToLower(which)
	now := map[string][]string{
		"day": {"today", "day", "the day", "今天", "今日", "当天"}, "month": {"month", "this month", "the month", "本月", "这个月", "当月"},
	}
	switch per {
	case "day", "month":
		return slices.Contains(now[per], word)
	case "user":
		return p.Of == viewer && slices.Contains([]string{"me", "mine", "myself", "我", "我的"}, word) || same(UserOf(p.Of)) || same(b.called(p.Of)) || word == "user "+every && p.Of == viewer
	case "channel":
		here := Person(at.Platform, at.Workspace, at.Channel)
		return p.Of == here && slices.Contains([]string{"here", "this channel", "channel", "这里", "本频道", "这个频道"}, word) || same(UserOf(p.Of)) || same(b.channelName(ctx, p.Of))
	case "workspace":
		return slices.Contains([]string{"workspace", "this workspace", "工作区", "本工作区"}, word)
	case "run":
		return same(run.TraceOf(p.Of)) || word == "run "+run.TraceOf(p.Of)
	}
	return false
}

// called is how people call a person in plain words.
func (b *Bot) called(person string) string {
	platform, _, _ := strings.Cut(person, ":")
	if c, ok := b.Chats[platform].(Caller); ok {
		return c.Called(person)
	}
	return b.nameOf(person)
}

// channelName is how people call a channel (platform:workspace:channel); empty if it has
// no name.
func (b *Bot) channelName(ctx context.Context, channel string) string {
	f := strings.SplitN(channel, ":", 3)
	if len(f) < 3 {
		return ""
	}
	if g, ok := b.Chats[f[0]].(Guide); ok {
		return g.PlaceName(ctx, Place{Platform: f[0], Workspace: f[1], Channel: f[2]})
	}
	return "#" + f[2]
}

// purseOf says whose a budget is, and for when.
func (b *Bot) purseOf(ctx context.Context, w *wording, p run.Purse, viewer string) string {
	per, every, _ := strings.Cut(p.Budget, "/")
	of := ""
	switch per {
	case "day", "month":
		return w.everybody(w.spans[per])
	case "run":
		return w.oneRun(run.TraceOf(p.Of))
	case "user":
		if of = w.you; p.Of != viewer {
			of = oneLine.Replace(cmp.Or(b.called(p.Of), UserOf(p.Of)))
		}
	case "channel":
		of = cmp.Or(b.channelName(ctx, p.Of), UserOf(p.Of))
	case "job":
		of = w.oneJob(p.Of)
	case "workspace":
		of = w.workspace
	}
	return w.during(of, w.spans[every])
}

// PurseLine is a budget in few words for who looks at it, in a language: "today $0.42 of
// $5.00". It names nobody but "you".
func PurseLine(lang string, p PurseView) string {
	w := words(lang)
	per, every, _ := strings.Cut(p.Budget, "/")
	switch per {
	case "day", "month":
		return w.everybody(w.spans[per]) + w.colon + w.amounts(p)
	case "user":
		return w.spans[every] + " " + w.amounts(p)
	case "channel":
		return w.during(UserOf(p.Of), w.spans[every]) + w.colon + w.amounts(p)
	case "workspace":
		return w.during(w.workspace, w.spans[every]) + w.colon + w.amounts(p)
	case "job":
		return w.during(w.oneJob(p.Of), w.spans[every]) + w.colon + w.amounts(p)
	}
	return w.oneRun(run.TraceOf(p.Of)) + w.colon + w.amounts(p)
}

// Amounts are what is spent of a budget, of what may be, in a language.
func Amounts(lang string, p PurseView) string { return words(lang).amounts(p) }

// amounts are what is spent of what may be.
func (w *wording) amounts(p run.Purse) string {
	var parts []string
	if p.Limit.Nanos > 0 {
		parts = append(parts, w.outOf(dollars(p.Spent.Nanos), dollars(p.Limit.Nanos)))
	}
	if p.Limit.Tokens > 0 {
		parts = append(parts, w.outOf(grouped(p.Spent.Tokens), grouped(p.Limit.Tokens))+" tokens")
	}
	return strings.Join(parts, w.listed)
}

// dollars are in cents; what is less than one is told exactly enough to be seen.
func dollars(nanos int64) string {
	if nanos > 0 && nanos < 1e7 {
		return fmt.Sprintf("$%.4f", float64(nanos)/1e9)
	}
	return fmt.Sprintf("$%.2f", float64(nanos)/1e9)
}

func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// untilOf is when the period of a budget is over; empty for one of a run.
func (b *Bot) untilOf(w *wording, p run.Purse) string {
	if p.Until.IsZero() {
		return ""
	}
	loc, err := time.LoadLocation(b.cfg.Zone)
	if err != nil {
		loc = time.UTC
	}
	return p.Until.In(loc).Format(w.moment)
}

// whoRaises names who may raise a budget on a platform.
func (b *Bot) whoRaises(w *wording, platform string) phrase {
	names := b.adminNames(platform)
	if len(names) == 0 {
		return phrase{text: w.raises(w.operator)}
	}
	return naming(w.raises(strings.Join(names, w.comma)), names...)
}

// left is what of a budget is not spent; zero of a kind for which it has no limit.
func left(p run.Purse) run.Amount {
	return run.Amount{Nanos: max(0, p.Limit.Nanos-p.Spent.Nanos), Tokens: max(0, p.Limit.Tokens-p.Spent.Tokens)}
}

// tooLittle says what is left of a budget that one more call would pass; empty if nothing
// is left of one of its limits.
func (w *wording) tooLittle(p run.Purse) string {
	l := left(p)
	var parts []string
	switch {
	case p.Limit.Nanos > 0 && l.Nanos == 0, p.Limit.Tokens > 0 && l.Tokens == 0:
		return ""
	case p.Limit.Nanos > 0:
		parts = append(parts, dollars(l.Nanos))
	}
	if p.Limit.Tokens > 0 {
		parts = append(parts, grouped(l.Tokens)+" tokens")
	}
	if len(parts) == 0 {
		return ""
	}
	return w.nextCall(strings.Join(parts, w.listed))
}

// spent says of a Run that ends at a budget which it is, until when, and who can raise it.
func (b *Bot) spent(ctx context.Context, w *wording, home Place, viewer string, p run.Purse) phrase {
	text := upper(b.purseOf(ctx, w, p, viewer)) + w.colon + w.amounts(p) + w.stop1
	if short := w.tooLittle(p); short != "" {
		text += short + w.stop1
	}
	if until := b.untilOf(w, p); until != "" {
		text += w.anew(until) + w.stop1
	}
	return phrase{text: text}.then(b.whoRaises(w, home.Platform)).then(phrase{text: w.stop1 + code("budget raise "+p.Name()+" to "+suggested(p))})
}

// saySpent tells of the budget at which a Run has ended, after the words that say so.
func (b *Bot) saySpent(ctx context.Context, p *Post, out run.Outcome) {
	w := words(p.Lang)
	over := w.ended[run.Spent]
	at := strings.Index(p.Text, over)
	if out.Purse == nil || at < 0 {
		return
	}
	if w.tooLittle(*out.Purse) != "" { // it is not used up
		p.Text = p.Text[:at] + w.nearEnd + p.Text[at+len(over):]
		for i, n := range p.Names {
			if n.From >= at {
				p.Names[i] = Span{n.From + len(w.nearEnd) - len(over), n.To + len(w.nearEnd) - len(over)}
			}
		}
		over = w.nearEnd
	}
	at += len(over)
	first := slices.IndexFunc(append(slices.Clone(p.Names), Span{From: at}), func(s Span) bool { return s.From >= at })
	rest := phrase{p.Text[at:], shifted(p.Names[first:], -at)}
	p.Text, p.Names = p.Text[:at], p.Names[:first]
	p.after(phrase{text: "\n"}.then(b.spent(ctx, w, p.Place, out.Asker, *out.Purse)).then(rest))
}

// suggested is a limit twice as large, to be written so.
func suggested(p run.Purse) string {
	if p.Limit.Nanos > 0 {
		return dollars(2 * p.Limit.Nanos)
	}
	return strconv.FormatInt(2*p.Limit.Tokens, 10) + " tokens"
}

// warnSpent tells who asked for a Run, and admins, of budgets that are nearly used up:
// each of them once in a period, and once more when it was raised.
func (b *Bot) warnSpent(ctx context.Context, home Place, r run.Run) error {
	if b.Budgets == nil || r.Usage() == (run.Run{}).Usage() {
		return nil
	}
	near, err := b.Budgets.Near(ctx, r.Request)
	if err != nil {
		return fmt.Errorf("budgets of run %s: %w", r.Key, err)
	}
	for _, p := range near {
		key := fmt.Sprintf("budget/%s/%s/%d-%d", p.Name(), p.From.Format(time.RFC3339), p.Limit.Nanos, p.Limit.Tokens)
		if _, told := b.warned.LoadOrStore(key, true); told {
			continue // since the start; before that the outbox knows
		}
		b.Log.Warn("a budget is nearly used up", "budget", p.Name(), "run", r.Key)
		if err := b.warnOf(ctx, home, r, p, key); err != nil {
			b.warned.Delete(key)
			return fmt.Errorf("warning of budget %s: %w", p.Name(), err)
		}
	}
	return nil
}

func (b *Bot) warnOf(ctx context.Context, home Place, r run.Run, p run.Purse, key string) error {
	tell := func(person string, at Place, only bool) error {
		lang := r.Lang
		if person != r.Asker { // nobody else asked in that language
			lang = cmp.Or(b.speaks(person), lang)
		}
		w := words(lang)
		said := phrase{text: w.nearly(int(100*p.Share()), b.purseOf(ctx, w, p, person), w.amounts(p), b.untilOf(w, p))}.then(b.whoRaises(w, at.Platform))
		said = said.then(phrase{text: w.stop1 + code("budget raise "+p.Name()+" to "+suggested(p))})
		post := Post{Key: key + "/" + person, Place: at, Lang: lang, Text: said.text, Names: said.names, Trace: r.Trace(), By: person}
		if only {
			post.Only = person
		}
		return b.Outbox.Add(ctx, post)
	}
	alone := func(person string) (Place, bool) {
		platform, _, _ := strings.Cut(person, ":")
		g, ok := b.Chats[platform].(Guide)
		if !ok {
			return Place{}, false
		}
		return g.Alone(person), true
	}
	at, ok := home, true
	if r.Job != "" { // nobody is there
		if mine, knows := alone(r.Asker); knows {
			at, ok = mine, true
		}
	}
	if ok {
		direct, err := b.inPrivate(ctx, r.Key)
		if err != nil {
			return err
		}
		if err := tell(r.Asker, at, at == home && !direct); err != nil {
			return err
		}
	}
	for _, admin := range b.cfg.Approvers {
		if admin == r.Asker {
			continue
		}
		if at, ok := alone(admin); ok {
			if err := tell(admin, at, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// inPrivate reports whether what began a Run was said where nobody else sees it.
func (b *Bot) inPrivate(ctx context.Context, key string) (bool, error) {
	held, found, err := b.Inbox.Holding(ctx, key)
	if err != nil {
		return false, fmt.Errorf("what began %s: %w", key, err)
	}
	return found && held.Message != nil && held.Message.Direct, nil
}
