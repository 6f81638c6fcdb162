package bot

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"hermes/agent/run"
	"hermes/router"
)

// gatherings is how many times Config.Gather lines may come one after the other.
const gatherings = 3

// arrange says how a Message is worked on: into what is under way, together with
// other lines, or by itself: then it may have to wait.
func (b *Bot) arrange(ctx context.Context, it *Item) (wait, error) {
	m := *it.Message
	if m.Standing == Machine {
		return noWait, nil
	}
	d := b.guess(m) // who has said it waits to hear that it was taken
	switch {
	case d.Kind == router.Chitchat || d.Kind == router.Command:
		return noWait, nil
	case b.stale(m):
		it.Gather = &Gathering{Of: "missed " + m.From + " " + spot(m), Wait: missedWait, Most: missedMost, Only: d.Kind == router.Ignore}
		return noWait, nil
	}
	waits := noWait
	if d.Kind != router.Ignore {
		var err error
		if waits, err = b.besides(ctx, it, d); err != nil || it.Steers {
			return waits, err
		}
	}
	if b.cfg.Gather > 0 && m.Via == ByPost && !toAnother(m) && !it.Steers {
		it.Gather = &Gathering{Of: gatherOf(m), Wait: b.cfg.Gather, Most: gatherings * b.cfg.Gather, Span: gatherings * b.cfg.Gather, Only: d.Kind == router.Ignore}
		if whole(m.Text) {
			it.Gather.Wait, it.Gather.Only = 0, true
		}
	}
	return waits, nil
}

// whole reports whether a text looks like all of what somebody wants to say: then
// nobody waits. What is a few words without a full stop, or stops where people go on,
// is a line of several.
func whole(text string) bool {
	text = strings.TrimSpace(text)
	switch {
	case openEnd.MatchString(text):
		return false
	case fullStop.MatchString(text):
		return true
	default:
		return length(text) >= wholeWords || han(text) >= wholeHan
	}
}

// A line of that many words, or Chinese characters, is a request; less may be a part.
const (
	wholeWords = 5
	wholeHan   = 8
)

var (
	openEnd  = regexp.MustCompile(`(?i)(?:[,:;，：；、…&+-]|\.\.\.|\b(?:and|or|by|for|of|the|to|with|then|also)|[和及与或并的再]|然后|还有|以及)$`)
	fullStop = regexp.MustCompile(`[.?!。？！]$`)
)

// gatherOf names the lines of one person in one place.
func gatherOf(m Message) string { return m.From + " " + spot(m) }

// gathering returns what waits for more lines of a person where they now want it to
// stop: it has yet to begin.
func (b *Bot) gathering(ctx context.Context, it Item, by string) (Item, bool, error) {
	channel := it.Place
	channel.Thread = ""
	for _, where := range []Place{it.Place, channel} {
		held, waits, err := b.Inbox.Gathering(ctx, by+" "+where.String())
		if err != nil {
			return Item{}, false, err
		}
		// Of a channel it is the stop in the channel itself, or in the thread that
		// was begun there.
		if waits && (held.Place == it.Place || it.Message != nil && begins(*it.Message)) {
			return held, true, nil
		}
	}
	return Item{}, false, nil
}

// toAnother reports whether a text calls somebody else, as platforms write it or by
// name.
func toAnother(m Message) bool {
	text := strings.TrimSpace(m.Text)
	return !m.Addressed && !m.Direct && (strings.HasPrefix(text, "<@") || strings.HasPrefix(text, "@") || callsSomebody(text))
}

// route is what the router takes a Message for. What was given as a command or on a
// message calls the bot by itself.
// It may ask a model.
func (b *Bot) route(ctx context.Context, m Message) router.Decision {
	return b.decided(m, b.Router.Route(ctx, routable(m)))
}

// guess is route without a model.
func (b *Bot) guess(m Message) router.Decision { return b.decided(m, b.Router.Guess(routable(m))) }

func routable(m Message) router.Message {
	return router.Message{Text: m.Text, Addressed: m.Addressed || m.Via != ByPost, InThread: m.InThread, Direct: m.Direct}
}

// decided adds to what the router says what only the bot knows.
func (b *Bot) decided(m Message, d router.Decision) router.Decision {
	if (d.Kind == router.Question || d.Kind == router.Chitchat) && corrects(m.Text) && !inquires(m.Text) {
		d.Kind, d.Reason = router.Task, d.Reason+"; corrects"
	}
	if d.Kind != router.Ignore && asksStatus.MatchString(m.Text) {
		d.Kind, d.Reason, d.Confidence = router.Command, "status", 1
	}
	if d.Kind != router.Ignore && b.isBudget(m) {
		d.Kind, d.Reason, d.Confidence = router.Command, "budget", 1
	}
	return d
}

// heard is the Message of an Item with all of its lines.
func (it Item) heard() Message {
	m := *it.Message
	if len(it.Lines) == 0 {
		return m
	}
	var texts []string
	m.Files = nil
	for _, l := range it.Lines {
		if l.Text != "" {
			texts = append(texts, l.Text)
		}
		m.Files = append(m.Files, l.Files...)
		m.Addressed = m.Addressed || l.Addressed
		m.InThread = m.InThread || l.InThread
		if m.About == nil {
			m.About = l.About
		}
	}
	m.Text = strings.Join(texts, "\n")
	return m
}

// others is how many Messages more than one are answered as one Item.
func (it Item) others() int { return max(0, len(it.Lines)-1) }

// besides looks at what is under way where a Message is said. Words that correct it
// or add to it are for it, if they are of whom it works for.
func (b *Bot) besides(ctx context.Context, it *Item, d router.Decision) (wait, error) {
	m := *it.Message
	r, works, err := b.Agent.AtWork(ctx, m.Place.String())
	if err != nil {
		return noWait, fmt.Errorf("what is under way at %s: %w", m.Place, err)
	}
	if works && m.Via == ByPost && r.Asker == m.From && r.Job == "" && !r.Light && (steers(m.Text) || d.Kind == router.Task && b.quick(m, r)) {
		it.Lane, it.Steers = Control, true
		return noWait, nil
	}
	if meant, err := b.meant(ctx, m, d); err != nil || !meant {
		return noWait, err
	}
	switch {
	case !works:
		return mayWait, nil
	case b.Now().Sub(r.Created) <= queuedAfter:
		return shortWait, nil
	}
	return longWait, nil
}

// quick reports whether a Message is one more line of what is under way: it was written
// right after it, and did not find it waiting.
func (b *Bot) quick(m Message, r run.Run) bool {
	return b.cfg.Gather > 0 && !m.At.Before(r.Now) && m.At.Sub(r.Now) <= b.cfg.Gather
}
