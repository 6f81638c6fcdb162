package bot

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hermes/router"
)

// queuedAfter is for how long something must have been under way, or a Message have
// waited, before it is said that what comes then waits: less is no wait.
const queuedAfter = 2 * time.Second

// A wait is whether a Message comes behind something that is under way.
type wait int

const (
	noWait    wait = iota // it is no work, or is for what is under way
	mayWait               // nothing is under way yet, but something may be about to begin
	shortWait             // behind what has just begun
	longWait
)

// waits tells who said something that it waits its turn: at once, if that will take a
// while, else as soon as it has.
func (b *Bot) waits(ctx context.Context, m Message, how wait) error {
	told, err := b.sayQueued(ctx, m, how)
	if err == nil && !told {
		b.later.after(ctx, queuedAfter, func(ctx context.Context) { b.stillWaits(ctx, m) })
	}
	return err
}

// stillWaits tells of a Message that has waited for a while, if it still does.
func (b *Bot) stillWaits(ctx context.Context, m Message) {
	how := mayWait
	_, works, err := b.Agent.AtWork(ctx, m.Place.String())
	if works {
		how = longWait
	}
	if err == nil {
		err = b.waits(ctx, m, how)
	}
	if err != nil {
		b.Log.Warn("a message may wait without a word", "message", m.Key, "err", err)
	}
}

// sayQueued says of a Message that it waits its turn behind what is under way, and
// where it stands, and reports whether that is settled: it has been said, or the Message
// waits no more. Lines that are one turn are told once. Behind what has just begun only
// what stands behind others too is told.
func (b *Bot) sayQueued(ctx context.Context, m Message, how wait) (bool, error) {
	held, found, err := b.Inbox.Holding(ctx, m.Key)
	if err != nil || !found {
		return true, err
	}
	all, err := b.Inbox.Queued(ctx, held.Place)
	if err != nil {
		return false, fmt.Errorf("queue of %s: %w", m.Key, err)
	}
	switch at := slices.IndexFunc(all, func(it Item) bool { return it.Key == held.Key }); {
	case at < 0:
		return true, nil // it has begun
	case how == mayWait, at == 0 && how == shortWait:
		return false, nil // it will soon
	default:
		lang := router.Lang(m.Text)
		p := Post{Key: held.Key + "/queued", Place: held.Place, Lang: lang, Kind: Notice, Text: words(lang).queued(at + 1), By: m.From}
		return true, b.Outbox.Add(ctx, p)
	}
}

// queueFor is what waits its turn for who asks at a place: what they have said, wherever
// that is, and what others have said to the bot in the channel of the place.
func (b *Bot) queueFor(ctx context.Context, person string, here Place) ([]Item, error) {
	all, err := b.Inbox.QueuedAll(ctx)
	if err != nil {
		return nil, fmt.Errorf("queue for %s: %w", person, err)
	}
	var queue []Item
	for _, it := range all {
		mine := it.Message != nil && it.Message.From == person
		if !mine && !inChannel(it.Place, here) {
			continue
		}
		if it.Message != nil {
			m := it.heard()
			meant, err := b.meant(ctx, m, b.guess(m))
			if err != nil {
				return nil, err
			}
			if !meant {
				continue // people who talk to each other
			}
		}
		queue = append(queue, it)
	}
	return queue, nil
}

// wants is what an Item asks for, and where that is seen.
func (it Item) wants() (text, link string) {
	if it.Request != nil {
		return it.Request.Text, it.Request.Source
	}
	if it.Message == nil {
		return "", ""
	}
	return it.heard().Text, it.Message.Link
}
