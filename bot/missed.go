package bot

import (
	"context"
	"strconv"
	"strings"
	"time"

	"hermes/router"
)

// Of what was missed, that which is no older is worked on as if it came now; the rest
// is asked about, since whoever wrote it may have found another way. Several of one
// place are asked about together: they come with one look into its history, which
// takes no longer.
const (
	stillFresh = 15 * time.Minute
	missedWait = 2 * time.Second
	missedMost = 10 * time.Second
	missedKept = 24 * time.Hour // how long the question stands
)

const (
	choiceYes = "yes"
	choiceNo  = "no"
)

// missedPrefix begins the name of a question about what was missed. Then come when
// its time is over, in seconds, and the Key of the Item.
const missedPrefix = "missed:"

// stale reports whether a Message was missed, and too long ago to be worked on
// unasked.
func (b *Bot) stale(m Message) bool { return m.Missed && b.Now().Sub(m.At) > stillFresh }

// offer asks who wrote what was missed whether it shall be done now.
func (b *Bot) offer(ctx context.Context, it Item, m Message, zone *time.Location) error {
	lines := it.Lines
	if len(lines) == 0 {
		lines = []Message{*it.Message}
	}
	var times []time.Time
	for _, l := range lines {
		times = append(times, l.At.In(zone))
	}
	until := b.Now().Add(missedKept).Unix()
	lang := router.Lang(m.Text)
	p := missedPost(it, lang, missedPrefix+strconv.FormatInt(until, 10)+":"+it.Key, words(lang).away(times))
	return b.Outbox.Add(ctx, p)
}

func missedPost(it Item, lang, question, text string) Post {
	w := words(lang)
	return Post{
		Key: it.Key + "/missed", Place: it.Place, Lang: lang, Question: question, Text: text, By: it.Message.From,
		Choices: []Choice{{ID: choiceYes, Label: w.yes, Style: Primary}, {ID: choiceNo, Label: w.no}},
	}
}

// takeUp does, or leaves, what was missed, as who wrote it says.
func (b *Bot) takeUp(ctx context.Context, it Item) error {
	c := *it.Click
	seconds, key, _ := strings.Cut(strings.TrimPrefix(c.Question, missedPrefix), ":")
	until, err := strconv.ParseInt(seconds, 10, 64)
	held, found, heldErr := b.Inbox.Holding(ctx, key)
	if heldErr != nil {
		return heldErr
	}
	if err != nil || !found || held.Message == nil {
		return b.whisper(ctx, it, c.From, words(langOf(it)).noQuestion, langOf(it))
	}
	lang := langOf(held)
	w := words(lang)
	settle, known := w.awayDone[c.Choice]
	switch {
	case c.From != held.Message.From:
		owner := b.nameOf(held.Message.From)
		return b.tellOne(ctx, it, c.From, naming(w.notYours+w.onlyThey(owner), owner), lang)
	case !known:
		return b.whisper(ctx, it, c.From, w.noQuestion, lang)
	case c.At.Unix() > until:
		return b.whisper(ctx, it, c.From, w.awayLate, lang)
	}
	first, err := b.once(ctx, missedPrefix+held.Key, c.Key+" "+c.Choice, 100*365*24*time.Hour)
	if err != nil {
		return err
	}
	if !first {
		return b.whisper(ctx, it, c.From, w.alreadyGoing, lang)
	}
	name := c.Name
	if name == "" {
		name = b.nameOf(c.From)
	}
	said := naming("**"+settle(name)+"**", name)
	p := missedPost(held, lang, c.Question, said.text)
	p.Rev, p.Choices, p.Names = 1, nil, said.names
	if err := b.Outbox.Add(ctx, p); err != nil {
		return err
	}
	if c.Choice != choiceYes {
		return nil
	}
	lines := held.Lines
	if len(lines) == 0 {
		lines = []Message{*held.Message}
	}
	for _, l := range lines {
		l.Missed = false
		if err := b.Inbox.Add(ctx, Item{Key: l.Key + "/now", Place: held.Place, Lane: Talk, Message: &l, Lines: []Message{l}}); err != nil {
			return err
		}
	}
	return nil
}
