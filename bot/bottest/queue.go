package bottest

import (
	"context"
	"sync"
	"time"

	"hermes/bot"
)

// queue is what Inbox and Outbox have in common: each key once, and of each Place
// one thing of Talk at a time, the oldest first.
type queue[T any] struct {
	mu      sync.Mutex
	entries []*entry[T] // in the order in which they came
	changed chan struct{}
}

type entry[T any] struct {
	key     string
	place   bot.Place
	lane    bot.Lane
	first   bool
	attempt int
	fence   int64
	lent    bool
	ended   bool
	due     time.Time
	reason  string
	of      string    // whose lines may yet be joined to it
	until   time.Time // and until when at most
	held    string    // key of the entry that has its words, if not its own
	thing   T
}

func newQueue[T any]() *queue[T] { return &queue[T]{changed: make(chan struct{})} }

// find returns nil for a key that is not known.
func (q *queue[T]) find(key string) *entry[T] {
	for _, e := range q.entries {
		if e.key == key {
			return e
		}
	}
	return nil
}

// next waits for the next entry of a lane that takes part, and lends it out.
func (q *queue[T]) next(ctx context.Context, l bot.Lane, ready func(*entry[T]) bool) (entry[T], error) {
	for {
		e, changed, ok := q.lend(l, ready)
		if ok {
			return e, nil
		}
		select {
		case <-ctx.Done():
			return e, ctx.Err()
		case <-changed:
		}
	}
}

// lend takes the first entry of a lane that nothing forbids to lend. If there is
// none, it returns what will tell of a change.
func (q *queue[T]) lend(l bot.Lane, ready func(*entry[T]) bool) (entry[T], <-chan struct{}, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	for _, first := range []bool{true, false} {
		for _, e := range q.entries {
			if e.first != first || e.lane != l || e.ended || e.lent || e.due.After(now) || !ready(e) || l == bot.Talk && !q.heads(e, ready) {
				continue
			}
			e.attempt++
			e.fence++
			e.lent = true
			return *e, nil, true
		}
	}
	return entry[T]{}, q.changed, false
}

// heads reports whether nothing of the place of e is under way or before it.
func (q *queue[T]) heads(e *entry[T], ready func(*entry[T]) bool) bool {
	before := true
	for _, o := range q.entries {
		if o == e {
			before = false
			continue
		}
		if o.ended || o.lane != e.lane || o.place != e.place {
			continue
		}
		if o.lent || ready(o) && (o.first && !e.first || o.first == e.first && before) {
			return false
		}
	}
	return true
}

// end does f to the entry of a key that was lent under a fence, and takes it back.
// To one that has ended under this fence it does nothing.
func (q *queue[T]) end(key string, fence int64, f func(*entry[T])) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.find(key)
	switch {
	case e == nil || e.fence != fence:
		return bot.ErrLost
	case e.ended:
		return nil
	}
	e.lent = false
	f(e)
	q.change()
	return nil
}

// retry is an end after which the entry is due from a time on.
func (q *queue[T]) retry(key string, fence int64, reason string, at time.Time) error {
	err := q.end(key, fence, func(e *entry[T]) { e.due, e.reason = at, reason })
	if err == nil {
		q.changeAt(at)
	}
	return err
}

// changeAt has all that wait look again at a time.
func (q *queue[T]) changeAt(at time.Time) {
	wait := time.Until(at)
	if wait <= 0 {
		return
	}
	time.AfterFunc(wait, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.change()
	})
}

// restart gives back all that is lent, as if its borrowers had died.
func (q *queue[T]) restart() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, e := range q.entries {
		e.lent = false
	}
	q.change()
}

// change tells all that wait to look again. The lock is held.
func (q *queue[T]) change() {
	close(q.changed)
	q.changed = make(chan struct{})
}
