package bottest

import (
	"context"
	"sync"
	"time"

	"hermes/bot"
)

// gather joins an entry to the one that waits for lines of its name, or lets it wait
// for others. The lock is held.
func (in Inbox) gather(e *entry[bot.Item], g bot.Gathering) {
	now := time.Now()
	head := in.gathering(g.Of)
	near := func() bool { return g.Span == 0 || e.thing.Message.At.Sub(head.thing.Message.At) <= g.Span }
	switch {
	case head != nil && now.Before(head.due) && near():
		if len(head.thing.Lines) == 0 {
			head.thing.Lines = []bot.Message{*head.thing.Message}
		}
		head.thing.Lines = append(head.thing.Lines[:len(head.thing.Lines):len(head.thing.Lines)], *e.thing.Message)
		if head.due = now.Add(g.Wait); head.due.After(head.until) {
			head.due = head.until
		}
		e.ended, e.held = true, head.key
		in.q.changeAt(head.due)
	case !g.Only:
		e.of, e.due, e.until = g.Of, now.Add(g.Wait), now.Add(g.Most)
		in.q.changeAt(e.due)
	}
}

// gathering returns the entry that waits for lines of that name, or nil.
func (in Inbox) gathering(of string) *entry[bot.Item] {
	for i := len(in.q.entries) - 1; i >= 0; i-- {
		if e := in.q.entries[i]; e.of == of && of != "" && !e.ended && e.attempt == 0 {
			return e
		}
	}
	return nil
}

// Holding implements bot.Inbox.
func (in Inbox) Holding(_ context.Context, message string) (bot.Item, bool, error) {
	in.q.mu.Lock()
	defer in.q.mu.Unlock()
	e := in.q.find(message)
	if e != nil && e.held != "" {
		e = in.q.find(e.held)
	}
	if e == nil {
		return bot.Item{}, false, nil
	}
	return e.thing, true, nil
}

// Gathering implements bot.Inbox.
func (in Inbox) Gathering(_ context.Context, of string) (bot.Item, bool, error) {
	in.q.mu.Lock()
	defer in.q.mu.Unlock()
	if e := in.gathering(of); e != nil {
		return e.thing, true, nil
	}
	return bot.Item{}, false, nil
}

// Withdraw implements bot.Inbox.
func (in Inbox) Withdraw(_ context.Context, key string) (bool, error) {
	in.q.mu.Lock()
	defer in.q.mu.Unlock()
	e := in.q.find(key)
	if e == nil || e.ended || e.attempt > 0 {
		return false, nil
	}
	e.ended, e.reason = true, "withdrawn"
	in.q.change()
	return true, nil
}

// Queued implements bot.Inbox.
func (in Inbox) Queued(_ context.Context, p bot.Place) ([]bot.Item, error) {
	return in.queued(func(q bot.Place) bool { return q == p }), nil
}

// QueuedAll implements bot.Inbox.
func (in Inbox) QueuedAll(context.Context) ([]bot.Item, error) {
	return in.queued(func(bot.Place) bool { return true }), nil
}

func (in Inbox) queued(at func(bot.Place) bool) []bot.Item {
	in.q.mu.Lock()
	defer in.q.mu.Unlock()
	var items []bot.Item
	for _, e := range in.q.entries {
		if at(e.place) && e.lane == bot.Talk && !e.first && !e.ended && !e.lent && e.attempt == 0 {
			items = append(items, e.thing)
		}
	}
	return items
}

// Before implements bot.Inbox.
func (in Inbox) Before(_ context.Context, it bot.Item, n int) ([]bot.Message, error) {
	in.q.mu.Lock()
	defer in.q.mu.Unlock()
	var said []bot.Message
	reached := false
	for i := len(in.q.entries) - 1; i >= 0 && len(said) < n; i-- {
		e := in.q.entries[i]
		reached = reached || e.key == it.Key
		if m := e.thing.Message; reached && m != nil && m.Place == it.Place && m.Text != "" {
			said = append(said, *m)
		}
	}
	return said, nil
}

// Ledger is a bot.Ledger in memory. Its zero value is ready for use.
type Ledger struct {
	mu    sync.Mutex
	marks map[string]mark
	rated []bot.Rating
}

type mark struct {
	key string
	at  time.Time
}

var _ bot.Ledger = (*Ledger)(nil)

// Once implements bot.Ledger.
func (l *Ledger) Once(_ context.Context, name, key string, at time.Time, every time.Duration) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if was, ok := l.marks[name]; ok && at.Sub(was.at) < every {
		return was.key == key, nil
	}
	if l.marks == nil {
		l.marks = map[string]mark{}
	}
	l.marks[name] = mark{key, at}
	return true, nil
}

// Rate implements bot.Ledger.
func (l *Ledger) Rate(_ context.Context, r bot.Rating) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, was := range l.rated {
		if was.Run == r.Run && was.Person == r.Person {
			l.rated[i] = r
			return nil
		}
	}
	l.rated = append(l.rated, r)
	return nil
}

// Ratings returns what people think, in the order in which they said so first.
func (l *Ledger) Ratings() []bot.Rating {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]bot.Rating(nil), l.rated...)
}
