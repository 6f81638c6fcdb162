package bottest

import (
	"context"
	"strings"
	"time"

	"hermes/bot"
)

// Inbox is a bot.Inbox in memory. While its process lives it lends a thing for as
// long as that takes; Restart is how its process dies.
type Inbox struct{ q *queue[bot.Item] }

// Outbox is a bot.Outbox in memory, and as mortal.
type Outbox struct{ q *queue[post] }

var (
	_ bot.Inbox  = Inbox{}
	_ bot.Outbox = Outbox{}
)

// NewInbox returns an empty Inbox.
func NewInbox() Inbox { return Inbox{newQueue[bot.Item]()} }

// NewOutbox returns an empty Outbox.
func NewOutbox() Outbox { return Outbox{newQueue[post]()} }

// Restart gives out again what was lent and has not ended.
func (in Inbox) Restart() { in.q.restart() }

// Restart gives out again what was lent and has not ended.
func (out Outbox) Restart() { out.q.restart() }

// Add implements bot.Inbox.
func (in Inbox) Add(_ context.Context, it bot.Item) error {
	in.q.mu.Lock()
	defer in.q.mu.Unlock()
	if in.q.find(it.Key) != nil {
		return nil
	}
	g := it.Gather
	it.Attempt, it.Fence, it.Gather = 0, 0, nil
	e := &entry[bot.Item]{key: it.Key, place: it.Place, lane: it.Lane, first: it.First, thing: it}
	if g != nil {
		in.gather(e, *g)
	}
	in.q.entries = append(in.q.entries, e)
	for _, l := range it.Lines {
		for _, key := range []string{l.Key, l.Edits} {
			if o := in.q.find(key); o != nil {
				o.held = it.Key
			}
		}
	}
	in.q.change()
	return nil
}

// Next implements bot.Inbox.
func (in Inbox) Next(ctx context.Context, l bot.Lane) (bot.Item, error) {
	e, err := in.q.next(ctx, l, func(*entry[bot.Item]) bool { return true })
	e.thing.Attempt, e.thing.Fence = e.attempt, e.fence
	return e.thing, err
}

// Done implements bot.Inbox.
func (in Inbox) Done(_ context.Context, it bot.Item) error {
	return in.q.end(it.Key, it.Fence, func(e *entry[bot.Item]) { e.ended = true })
}

// Fail implements bot.Inbox.
func (in Inbox) Fail(_ context.Context, it bot.Item, reason string) error {
	return in.q.end(it.Key, it.Fence, func(e *entry[bot.Item]) { e.ended, e.reason = true, reason })
}

// Moved implements bot.Inbox.
func (in Inbox) Moved(_ context.Context, it bot.Item) error {
	in.q.mu.Lock()
	defer in.q.mu.Unlock()
	e := in.q.find(it.Key)
	if e == nil || e.fence != it.Fence || e.ended {
		return bot.ErrLost
	}
	e.attempt = 1
	return nil
}

// Retry implements bot.Inbox.
func (in Inbox) Retry(_ context.Context, it bot.Item, reason string, at time.Time) error {
	return in.q.retry(it.Key, it.Fence, reason, at)
}

// Waiting returns the keys of what has not ended, in the order in which it came.
func (in Inbox) Waiting() []string { return waiting(in.q) }

// Waiting returns the keys of what has not ended, in the order in which it came.
func (out Outbox) Waiting() []string { return waiting(out.q) }

func waiting[T any](q *queue[T]) []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	var keys []string
	for _, e := range q.entries {
		if !e.ended {
			keys = append(keys, e.key)
		}
	}
	return keys
}

// A post is a bot.Post with what is there of it.
type post struct {
	bot.Post
	receipt *bot.Receipt
	of      int      // the Rev of the receipt
	ref     *bot.Ref // of the last Rev that arrived
	failed  bool
}

// Add implements bot.Outbox.
func (out Outbox) Add(_ context.Context, p bot.Post) error {
	out.q.mu.Lock()
	defer out.q.mu.Unlock()
	p.Attempt, p.Fence, p.Delivered, p.Receipt, p.Thread = 0, 0, nil, nil, bot.Ref{}
	e := out.q.find(p.Key)
	switch {
	case e == nil:
		e = &entry[post]{key: p.Key, place: p.Place, lane: bot.Talk}
		out.q.entries = append(out.q.entries, e)
	case e.thing.Rev >= p.Rev, e.thing.Gone && !p.Gone:
		return nil
	}
	if e.attempt > 0 && e.thing.ref == nil && !e.thing.failed {
		e.attempt = 1 // it may be there
	} else {
		e.attempt = 0
	}
	e.place, e.thing.Post, e.thing.failed = p.Place, p, false
	e.ended, e.due = out.orphan(p), time.Time{}
	out.q.change()
	return nil
}

// orphan reports whether what p belongs to has failed.
func (out Outbox) orphan(p bot.Post) bool {
	parent := out.q.find(p.After)
	return p.After != "" && parent != nil && parent.ended && parent.thing.failed && parent.thing.ref == nil
}

// Next implements bot.Outbox.
func (out Outbox) Next(ctx context.Context) (bot.Post, error) {
	e, err := out.q.next(ctx, bot.Talk, func(e *entry[post]) bool {
		if e.thing.After == "" {
			return true
		}
		parent := out.q.find(e.thing.After)
		return parent != nil && parent.thing.ref != nil && !e.due.After(time.Now())
	})
	if err != nil {
		return bot.Post{}, err
	}
	p := e.thing.Post
	p.Attempt, p.Fence = e.attempt, e.fence
	if e.thing.receipt != nil && e.thing.of == p.Rev {
		p.Receipt = e.thing.receipt
	} else {
		p.Delivered = e.thing.ref
	}
	if p.After != "" {
		out.q.mu.Lock()
		defer out.q.mu.Unlock()
		p.Thread = *out.q.find(p.After).thing.ref
	}
	return p, nil
}

// Note implements bot.Outbox.
func (out Outbox) Note(_ context.Context, p bot.Post, r bot.Receipt) error {
	out.q.mu.Lock()
	defer out.q.mu.Unlock()
	e := out.q.find(p.Key)
	if e == nil || e.fence != p.Fence {
		return bot.ErrLost
	}
	e.thing.receipt, e.thing.of, e.thing.failed = &r, p.Rev, r.Failed != ""
	if r.Failed == "" {
		e.thing.ref = &r.Ref
	}
	if e.thing.failed && e.thing.ref == nil {
		for _, o := range out.q.entries {
			if o.thing.After == p.Key {
				o.ended, o.thing.failed = true, true
			}
		}
	}
	out.q.change()
	return nil
}

// Done implements bot.Outbox.
func (out Outbox) Done(_ context.Context, p bot.Post) error {
	return out.q.end(p.Key, p.Fence, func(e *entry[post]) { e.ended = e.thing.Rev <= p.Rev })
}

// Retry implements bot.Outbox.
func (out Outbox) Retry(_ context.Context, p bot.Post, reason string, at time.Time) error {
	return out.q.retry(p.Key, p.Fence, reason, at)
}

// Wake implements bot.Outbox.
func (out Outbox) Wake(_ context.Context, workspace bot.Place, reason string) error {
	out.q.mu.Lock()
	defer out.q.mu.Unlock()
	for _, e := range out.q.entries {
		if !e.ended && !e.lent && e.place.Platform == workspace.Platform && e.place.Workspace == workspace.Workspace && strings.HasPrefix(e.reason, reason) {
			e.due = time.Time{}
		}
	}
	out.q.change()
	return nil
}

// Asking implements bot.Outbox.
func (out Outbox) Asking(_ context.Context, question string) ([]bot.Post, error) {
	out.q.mu.Lock()
	defer out.q.mu.Unlock()
	var posts []bot.Post
	for _, e := range out.q.entries {
		if question != "" && e.thing.Question == question {
			posts = append(posts, e.thing.Post)
		}
	}
	return posts, nil
}

// Following implements bot.Outbox.
func (out Outbox) Following(_ context.Context, after string) ([]bot.Post, error) {
	out.q.mu.Lock()
	defer out.q.mu.Unlock()
	var posts []bot.Post
	for _, e := range out.q.entries {
		if after == "" || e.thing.After != after {
			continue
		}
		p := e.thing.Post
		if e.thing.receipt != nil && e.thing.of == p.Rev {
			p.Receipt = e.thing.receipt
		}
		posts = append(posts, p)
	}
	return posts, nil
}
