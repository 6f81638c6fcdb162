package bot

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"hermes/agent/run"
)

// asksStatus is how people ask what goes on, as a command or as a word alone.
var asksStatus = regexp.MustCompile(`(?i)^\W*/?(?:status|状态|狀態)(?:\s+(?:now|please))?[\s.!?。！？]*$`)

// isStatus reports whether a Message asks for the status. It waits for nobody, least of
// all for what it asks about.
func (b *Bot) isStatus(m Message) bool {
	return m.Edits == "" && m.Standing != Machine && len(m.Files) == 0 && m.About == nil && asksStatus.MatchString(m.Text)
}

// command answers what is for the program itself.
func (b *Bot) command(ctx context.Context, it Item, m Message, lang string) error {
	if asksStatus.MatchString(m.Text) {
		return b.status(ctx, it, m, lang)
	}
	if b.isBudget(m) {
		return b.budget(ctx, it, m, lang)
	}
	if b.isGrants(m) {
		return b.grants(ctx, it, m, lang)
	}
	return b.Outbox.Add(ctx, there(m, Post{Key: m.Key + "/help", Place: it.Place, Lang: lang, Text: words(lang).help, By: m.From}))
}

// there has who looks something up by a command read it where they gave that.
func there(m Message, p Post) Post {
	if m.Given.Channel != "" {
		p.Place, p.Only = m.Given, m.From
	}
	return p
}

// AnsweredThere reports whether what comes of the words of a command is said where it was
// given: it is about that place, or only looks something up.
func AnsweredThere(text string) bool {
	return asksStatus.MatchString(text) || asksHelp.MatchString(text) || isStop(text)
}

var asksHelp = regexp.MustCompile(`(?i)^[\s/.!?。！？]*(?:help|帮助|幫助)?[\s.!?。！？]*$`)

// Bounds of a status: it is read in passing.
const (
	mostRunsSeen = 100 // among which what is under way is looked for
	mostStatus   = 3   // of each kind
	statusWords  = 60  // characters of what was asked for
)

// status tells who asks what is under way where they ask and for them, what waits for
// a decision, what is queued here, and which schedules of theirs come next. Some of it
// is of other places, so nobody else sees it.
func (b *Bot) status(ctx context.Context, it Item, m Message, lang string) error {
	w := words(lang)
	zone := b.zoneOf(m)
	here := it.Place
	if m.Given.Channel != "" {
		here = m.Given
	}
	runs, err := b.runsNow(ctx, here, m.From)
	if err != nil {
		return err
	}
	queue, err := b.queueFor(ctx, m.From, here)
	if err != nil {
		return err
	}
	var questions []OpenQuestion
	var jobs []JobView
	if b.Desk != nil {
		if questions, err = b.Desk.Questions(ctx, m.From); err != nil {
			return fmt.Errorf("what waits for %s: %w", m.From, err)
		}
		if jobs, err = b.Desk.Jobs(ctx, m.From); err != nil {
			return fmt.Errorf("schedules of %s: %w", m.From, err)
		}
	}
	var lines []string
	lines = append(lines, listed(w, w.nowRuns, w.nothingToStop, runs, func(v RunView) string {
		return w.runLine(v, w.nowState[run.State(v.State)], since(v.Created.In(zone), m.At.In(zone)), b.placeOf(ctx, w, v.Home, here))
	})...)
	lines = append(lines, listed(w, w.nowAsks, w.nothingAsked, questions, func(q OpenQuestion) string {
		return briefly(asked(q.Text), statusWords)
	})...)
	lines = append(lines, listed(w, w.nowQueue, w.nothingQueued, queue, func(q Item) string {
		text, link := q.wants()
		return w.errand(briefly(text, statusWords), link, b.channelOf(ctx, q.Place, here))
	})...)
	lines = append(lines, listed(w, w.nowJobs, w.noJobs, nextOf(jobs, m.From), func(j JobView) string {
		return w.jobLine(j.Name, j.Next[0].In(zone).Format("2006-01-02 15:04"), j.To)
	})...)
	if b.Budgets != nil {
		purses, err := b.Budgets.Purses(ctx, m.From, it.Place.String())
		if err != nil {
			return fmt.Errorf("budgets for %s: %w", m.From, err)
		}
		for _, v := range purses[:min(mostStatus, len(purses))] {
			lines = append(lines, w.budget1+b.purseOf(ctx, w, v, m.From)+w.colon+w.amounts(v))
		}
	}
	p := Post{Key: m.Key + "/status", Place: it.Place, Lang: lang, Text: strings.Join(lines, "\n"), By: m.From}
	if !m.Direct {
		p.Only = m.From
	}
	return b.Outbox.Add(ctx, there(m, p))
}

// runsNow are the Runs that have begun and not ended: those where somebody asks, in
// their channel, and theirs elsewhere.
func (b *Bot) runsNow(ctx context.Context, p Place, by string) ([]RunView, error) {
	if b.Desk == nil {
		r, works, err := b.Agent.AtWork(ctx, p.String())
		if err != nil || !works {
			return nil, err
		}
		return []RunView{{Text: r.Text, State: string(r.State), Steps: len(r.Steps), Created: r.Created, Home: p}}, nil
	}
	all, err := b.Desk.Runs(ctx, by, mostRunsSeen)
	if err != nil {
		return nil, fmt.Errorf("runs of %s: %w", by, err)
	}
	return slices.DeleteFunc(all, func(v RunView) bool {
		here := inChannel(v.Home, p)
		ended := run.Run{State: run.State(v.State)}.Ended()
		return ended || !here && v.Asker != by
	}), nil
}

// placeOf says where a Run is, if that is not where somebody asks.
func (b *Bot) placeOf(ctx context.Context, w *wording, home, here Place) string {
	if inChannel(home, here) {
		return ""
	}
	return w.inPlace(b.channelOf(ctx, home, here))
}

// channelOf is how people call the channel of a place; nothing if that is here, or has no
// name.
func (b *Bot) channelOf(ctx context.Context, p, here Place) string {
	guide, ok := b.Chats[p.Platform].(Guide)
	if !ok || inChannel(p, here) {
		return ""
	}
	return guide.PlaceName(ctx, p)
}

// inChannel reports whether two places are of one channel.
func inChannel(a, b Place) bool {
	return a.Platform == b.Platform && a.Workspace == b.Workspace && a.Channel == b.Channel
}

// nextOf are the schedules of somebody that come again, the next first.
func nextOf(jobs []JobView, owner string) []JobView {
	jobs = slices.DeleteFunc(jobs, func(j JobView) bool { return j.Owner != owner || len(j.Next) == 0 })
	slices.SortStableFunc(jobs, func(a, b JobView) int { return a.Next[0].Compare(b.Next[0]) })
	return jobs
}

// listed is a head with the first of some things below it, or that there are none.
func listed[T any](w *wording, head func(n int) string, none string, all []T, line func(T) string) []string {
	if len(all) == 0 {
		return []string{none}
	}
	lines := []string{head(len(all))}
	for _, x := range all[:min(len(all), mostStatus)] {
		lines = append(lines, "- "+line(x))
	}
	if more := len(all) - mostStatus; more > 0 {
		lines = append(lines, "- …"+w.andMore(more))
	}
	return lines
}

// since is a time as it is told: by the clock on the same day.
func since(t, now time.Time) string {
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}

var bracket = regexp.MustCompile(`\s*[(（][^()（）]*[)）]$`)

// asked is what a card asks for, without its head and what stands in brackets after it.
func asked(card string) string {
	for line := range strings.Lines(card) {
		if what, ok := strings.CutPrefix(line, "- "); ok {
			return bracket.ReplaceAllString(strings.TrimSpace(what), "")
		}
	}
	first, _, _ := strings.Cut(card, "\n")
	return first
}

var heading = regexp.MustCompile(`(?m)^\s*#+\s`)

// briefly is the beginning of a text in one line, without signs of Markdown.
func briefly(text string, most int) string {
	text = heading.ReplaceAllString(text, "") // the name of a channel keeps its mark
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune("*_`|<>[]", r) {
			return -1
		}
		return r
	}, text)
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > most {
		r = append(r[:most-1], '…')
	}
	return string(r)
}

// zoneOf is where somebody is, or the zone of the program.
func (b *Bot) zoneOf(m Message) *time.Location {
	loc, err := time.LoadLocation(cmp.Or(m.Zone, b.cfg.Zone))
	if err != nil {
		return time.UTC
	}
	return loc
}
