package bot

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hermes/agent/run"
	"hermes/router"
)

// queuedAfter is for how long something must have been under way before it is said
// that what comes then waits: less is no wait.
const queuedAfter = 2 * time.Second

// A wait is whether a Message comes behind something that is under way.
type wait int

const (
	noWait    wait = iota
	shortWait      // behind what has just begun
	longWait
)

// sayQueued says of a Message that it waits its turn behind what is under way, and
// where it stands. Lines that are one turn are told once. Behind what has just begun only
// what stands behind others too is told.
func (b *Bot) sayQueued(ctx context.Context, m Message, how wait) error {
	held, found, err := b.Inbox.Holding(ctx, m.Key)
	if err != nil || !found {
		return err
	}
	all, err := b.Inbox.Queued(ctx, held.Place)
	if err != nil {
		return fmt.Errorf("queue of %s: %w", m.Key, err)
	}
	at := slices.IndexFunc(all, func(it Item) bool { return it.Key == held.Key })
	if at < 0 || at == 0 && how == shortWait {
		return nil // it has begun, or will soon
	}
	lang := router.Lang(m.Text)
	return b.Outbox.Add(ctx, Post{Key: held.Key + "/queued", Place: held.Place, Lang: lang, Kind: Notice, Text: words(lang).queued(at + 1)})
}

// drop ends what a person has waiting where they say stop in words, and says how much
// that is; what others wait for goes on. It reports false if there was nothing.
func (b *Bot) drop(ctx context.Context, it Item, by string) (bool, error) {
	mine, err := b.waiting(ctx, it, by)
	if err != nil || len(mine) == 0 {
		return false, err
	}
	// It is said before it is done: cut off in between, it is done again, and then there
	// may be nothing left that could be counted.
	p := Post{Key: it.Key + "/dropped", Place: it.Place, Lang: langOf(it)}
	w := words(p.Lang)
	p.Text = w.dropped(len(mine))
	if len(mine) == 1 {
		behind, err := b.underWay(ctx, it.Place)
		if err != nil {
			return false, err
		}
		if !behind {
			p.Text = w.ended[run.Stopped] // it was about to begin, and is all there is
		}
	}
	if err := b.Outbox.Add(ctx, p); err != nil {
		return false, err
	}
	gone := 0
	for _, q := range mine {
		ok, err := b.Inbox.Withdraw(ctx, q.Key)
		if err != nil {
			return false, err
		}
		if ok {
			gone++
		}
	}
	if gone == len(mine) {
		return true, nil
	}
	// Some have begun meanwhile, and are stopped as what is under way.
	p.Rev, p.Gone, p.Text = 1, gone == 0, w.dropped(gone)
	return gone > 0, b.Outbox.Add(ctx, p)
}

// waiting are the requests of a person that have yet to begin where an Item is. To a
// place belongs what was begun in its channel, if the Item stands there itself.
func (b *Bot) waiting(ctx context.Context, it Item, by string) ([]Item, error) {
	all, err := b.Inbox.Queued(ctx, it.Place)
	if err != nil {
		return nil, fmt.Errorf("queue of %s: %w", it.Place, err)
	}
	mine := slices.DeleteFunc(all, func(q Item) bool { return q.Message == nil || q.Message.From != by })
	held, found, err := b.gathering(ctx, it, by)
	if err != nil {
		return nil, err
	}
	if found && !slices.ContainsFunc(mine, func(q Item) bool { return q.Key == held.Key }) {
		mine = append(mine, held)
	}
	return mine, nil
}

// underWay reports whether some Run at a place has begun and not ended.
func (b *Bot) underWay(ctx context.Context, p Place) (bool, error) {
	_, works, err := b.Agent.AtWork(ctx, p.String())
	if err != nil || works {
		return works, err
	}
	runs, err := b.Agent.Lately(ctx, p.String(), 20)
	if err != nil {
		return false, err
	}
	for _, r := range runs {
		if !r.Ended() {
			return true, nil
		}
	}
	return false, nil
}
