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
)

// asksGrants is how people ask what may be done without asking them.
var asksGrants = regexp.MustCompile(`(?i)^\W*/?(?:(?:show |list )?(?:my |the |all )?(?:standing )?grants|what (?:may|can|are) you (?:allowed to )?do without asking(?: me)?|授权|查看授权|有哪些授权|(?:我|你)?(?:的)?授权(?:列表|有哪些)|(?:你)?(?:不用问|不问我?|不用批准)(?:就)?(?:可以|能)做(?:什么|哪些)|(?:有)?(?:什么|哪些)(?:是)?(?:你)?(?:可以|能)?不用问就(?:可以|能)?做(?:的)?)[\s.!?。！？]*$`)

// revokes is how they end one of these.
var revokes = regexp.MustCompile(`(?i)^\W*/?(?:revoke(?: (?:the )?grant)?|grants? revoke|收回授权|撤销授权|收回)\s*[:：]?\s*(g[0-9a-f]{8})[\s.!?。！？]*$`)

// isGrants reports whether a Message is about what may be done without asking. Like a
// status it waits for nobody.
func (b *Bot) isGrants(m Message) bool {
	return m.Edits == "" && m.Standing != Machine && len(m.Files) == 0 && m.About == nil &&
		(asksGrants.MatchString(m.Text) || revokes.MatchString(m.Text))
}

// grants lists to who asks what may be done without asking, or ends one of them. It is
// not for others to read.
func (b *Bot) grants(ctx context.Context, it Item, m Message, lang string) error {
	w := words(lang)
	p := Post{Key: m.Key + "/grants", Place: it.Place, Lang: lang, By: m.From}
	if !m.Direct {
		p.Only = m.From
	}
	if id := revokes.FindStringSubmatch(m.Text); id != nil {
		id := strings.ToLower(id[1])
		g, err := b.Agent.Revoke(ctx, id, m.From)
		if err := b.refused(ctx, it, m.From, "revoke", id, err); err != nil {
			return err
		}
		switch {
		case errors.Is(err, run.ErrNoGrant):
			p.Text = w.grantNone
		case errors.Is(err, run.ErrNotAllowed):
			p.Text = w.grantNotYours
		case err != nil:
			return err
		default:
			p.Text = w.grantGone(w.grantSays(g, b.zoneOf(m)))
		}
		return b.Outbox.Add(ctx, p)
	}
	all, err := b.Agent.Allowed(ctx, m.From)
	if err != nil {
		return err
	}
	lines := []string{w.grantsNone}
	if len(all) > 0 {
		lines = []string{w.grantsHead}
		for _, g := range all[:min(len(all), mostGrants)] {
			line := "- " + w.grantLine(w.grantSays(g, b.zoneOf(m)), g.ID, g.Uses, g.Max)
			line += broken(g, lang)
			if g.Owner != m.From {
				line += " · " + b.nameOf(g.Owner)
			}
			if g.By == m.From {
				line += w.grantBy(w.you)
			} else if g.By != "" {
				line += w.grantBy(b.nameOf(g.By))
			}
			lines = append(lines, line)
		}
		if more := len(all) - mostGrants; more > 0 {
			lines = append(lines, "- …"+w.andMore(more))
		}
		lines = append(lines, "", w.grantsTail)
	}
	p.Text = strings.Join(lines, "\n")
	return b.Outbox.Add(ctx, p)
}

// broken is what stands behind a grant that counts no more, since what is kept of it is not
// what was given. It is listed so that it can be ended.
func broken(g run.Grant, lang string) string {
	switch {
	case g.Broken == "":
		return ""
	case lang == "zh":
		return " · 已损坏：与授予时不符，不再使用"
	}
	return " · broken: it is not what was given, and is not used"
}

// mostGrants is how many are listed in chat.
const mostGrants = 20

// Grants implements Decider.
func (b *Bot) Grants(ctx context.Context, person, lang string) ([]Allowance, error) {
	all, err := b.Agent.Allowed(ctx, person)
	if err != nil {
		return nil, err
	}
	out := make([]Allowance, len(all))
	for i, g := range all {
		out[i] = Allowance{ID: g.ID, Says: words(lang).grantSays(g, b.zone()) + broken(g, lang), Used: g.Uses, Max: g.Max, Owner: g.Owner, By: g.By}
	}
	return out, nil
}

// Revoke implements Decider.
func (b *Bot) Revoke(ctx context.Context, person, grant, lang string) error {
	_, err := b.Agent.Revoke(ctx, grant, person)
	if b.Audit != nil && errors.Is(err, run.ErrNotAllowed) {
		key := fmt.Sprintf("%s/%s/revoke/%d", person, grant, b.Now().UnixNano())
		if err := b.keepRefusal(ctx, Refusal{Key: key, Who: person, Try: "revoke", About: grant}); err != nil {
			return err
		}
	}
	switch {
	case errors.Is(err, run.ErrNoGrant):
		return &Invalid{Text: words(lang).grantNone}
	case errors.Is(err, run.ErrNotAllowed):
		return &Invalid{Text: words(lang).grantNotYours}
	}
	return err
}

// zone is the clock of the program.
func (b *Bot) zone() *time.Location { return b.zoneOf(Message{}) }

// tellEnding tells the owner of a grant, and who gave it, that it ends soon: each once.
func (b *Bot) tellEnding(ctx context.Context) error {
	ending, err := b.Agent.Ending(ctx)
	for _, g := range ending {
		people := []string{g.Owner}
		if g.By != "" && !slices.Contains(people, g.By) {
			people = append(people, g.By)
		}
		for _, who := range people {
			err = errors.Join(err, b.tellEnd(ctx, g, who))
		}
	}
	return err
}

// forever is longer than any grant lives.
const forever = 10 * 366 * 24 * time.Hour

func (b *Bot) tellEnd(ctx context.Context, g run.Grant, who string) error {
	at, ok := b.Alone(who)
	if !ok {
		return nil // there is no place where only they read it
	}
	key := "grant/" + g.ID + "/ends/" + who
	if b.Ledger != nil {
		first, err := b.Ledger.Once(ctx, key, key, b.Now(), forever)
		if err != nil || !first {
			return err
		}
	}
	lang := b.langOfGrant(ctx, g)
	w := words(lang)
	err := b.Outbox.Add(ctx, Post{Key: key, Place: at, Lang: lang, Text: w.grantEnds(w.grantSays(g, b.zone()), g.ID), By: who})
	if err != nil {
		return fmt.Errorf("end of grant %s for %s: %w", g.ID, who, err)
	}
	return nil
}

// langOfGrant is the language of the run in which a grant was given.
func (b *Bot) langOfGrant(ctx context.Context, g run.Grant) string {
	i := strings.LastIndex(g.Question, "/")
	if i < 0 {
		return "en"
	}
	if r, ok, err := b.Agent.Look(ctx, g.Question[:i]); err == nil && ok && r.Lang != "" {
		return r.Lang
	}
	return "en"
}
