package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"hermes/agent/run"
	"hermes/bot"
	"hermes/internal/store"
)

func talk(key string, p bot.Place) bot.Item { return bot.Item{Key: key, Place: p, Lane: bot.Talk} }

func channel(n int) bot.Place {
	return bot.Place{Platform: "test", Workspace: "w", Channel: fmt.Sprint("C", n)}
}

// What a process that has died was lent is given to another once the lease is over,
// and not before; and the dead find their fence lost.
func TestLeaseExpires(t *testing.T) {
	ctx, c := t.Context(), newClock()
	dsn := schema(t)
	dead := open(t, store.Config{DSN: dsn, Now: c.now, Lease: time.Hour}) // its heart beats in real time: not at all here
	ok(t, dead.Inbox().Add(ctx, talk("a1", channel(1))))
	lost := must[bot.Item](t)(dead.Inbox().Next(ctx, bot.Talk))

	living := open(t, store.Config{DSN: dsn, Now: c.now, Lease: time.Hour})
	ok(t, living.Inbox().Add(ctx, talk("b1", channel(2))))
	if it := must[bot.Item](t)(living.Inbox().Next(ctx, bot.Talk)); it.Key != "b1" {
		t.Fatalf("given %s, which another has", it.Key)
	}
	c.pass(time.Hour + time.Second)
	again := must[bot.Item](t)(living.Inbox().Next(ctx, bot.Talk))
	if again.Key != "a1" || again.Attempt != 2 {
		t.Fatalf("given %s, attempt %d; want a1, 2", again.Key, again.Attempt)
	}
	for what, err := range map[string]error{
		"done":  dead.Inbox().Done(ctx, lost),
		"fail":  dead.Inbox().Fail(ctx, lost, "no"),
		"retry": dead.Inbox().Retry(ctx, lost, "no", c.now()),
	} {
		if !errors.Is(err, bot.ErrLost) {
			t.Errorf("%s by the dead = %v, want ErrLost", what, err)
		}
	}
	ok(t, living.Inbox().Done(ctx, again))
}

// A process that has slept longer than a lease keeps what it is at work on: it
// renews before it gives out.
func TestSleepKeepsClaims(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		in := open(t, store.Config{DSN: dsn, Now: c.now, Lease: time.Hour}).Inbox()
		ok(t, in.Add(ctx, talk("a1", channel(1))))
		a1 := must[bot.Item](t)(in.Next(ctx, bot.Talk))
		c.pass(8 * time.Hour)
		ok(t, in.Add(ctx, talk("b1", channel(2))))
		if it := must[bot.Item](t)(in.Next(ctx, bot.Talk)); it.Key != "b1" {
			t.Errorf("given %s, want b1: the other is under way", it.Key)
		}
		ok(t, in.Done(ctx, a1))
	})
}

// Two replicas never give out one thing twice, nor two of one place, and what one
// adds wakes the other.
func TestReplicas(t *testing.T) {
	const places, each = 8, 6
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	dsn := schema(t)
	dbs := []*store.DB{open(t, store.Config{DSN: dsn}), open(t, store.Config{DSN: dsn})}
	var mu sync.Mutex
	busy, given := map[bot.Place]string{}, map[string]int{}
	worked, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for i, d := range dbs {
		for range 3 {
			wg.Go(func() {
				for {
					it, err := d.Inbox().Next(worked, bot.Talk)
					if err != nil {
						return
					}
					mu.Lock()
					if other := busy[it.Place]; other != "" {
						t.Errorf("replica %d was given %s while %s is under way", i, it.Key, other)
					}
					busy[it.Place] = it.Key
					given[it.Key]++
					mu.Unlock()

					mu.Lock()
					busy[it.Place] = ""
					all := len(given) == places*each
					mu.Unlock()
					if err := d.Inbox().Done(ctx, it); err != nil {
						t.Errorf("done %s: %v", it.Key, err)
					}
					if all {
						cancel()
					}
				}
			})
		}
	}
	for n := range each {
		for p := range places {
			ok(t, dbs[n%2].Inbox().Add(ctx, talk(fmt.Sprintf("%d/%d", p, n), channel(p))))
		}
	}
	wg.Wait()
	for key, n := range given {
		if n != 1 {
			t.Errorf("%s was given %d times", key, n)
		}
	}
	if len(given) != places*each {
		t.Errorf("%d of %d were given", len(given), places*each)
	}
}

// What is added on one replica is given out by another at once, and not by its
// sweep.
func TestNotify(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	dsn := schema(t)
	here, there := open(t, store.Config{DSN: dsn}), open(t, store.Config{DSN: dsn})
	var best time.Duration = time.Hour
	for i := range 5 {
		got := make(chan error)
		go func() {
			p, err := there.Outbox().Next(ctx)
			if err == nil {
				err = there.Outbox().Done(ctx, p)
			}
			got <- err
		}()
		began := time.Now()
		ok(t, here.Outbox().Add(ctx, bot.Post{Key: fmt.Sprint("p", i), Place: channel(i)}))
		ok(t, <-got)
		best = min(best, time.Since(began))
	}
	if best > time.Second {
		t.Errorf("the fastest of five took %s; want less than the sweep", best)
	}
}

// Close ends who waits, and gives back what is lent.
func TestClose(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx := t.Context()
		d := open(t, store.Config{DSN: dsn})
		ok(t, d.Inbox().Add(ctx, talk("a1", channel(1))))
		must[bot.Item](t)(d.Inbox().Next(ctx, bot.Talk))
		got := make(chan error)
		go func() {
			_, err := d.Inbox().Next(ctx, bot.Talk)
			got <- err
		}()
		ok(t, d.Close())
		if err := <-got; err == nil {
			t.Error("Next of a closed database = nil")
		}
		d = open(t, store.Config{DSN: dsn})
		if it := must[bot.Item](t)(d.Inbox().Next(ctx, bot.Talk)); it.Key != "a1" || it.Attempt != 2 {
			t.Errorf("given %s, attempt %d; want a1, 2", it.Key, it.Attempt)
		}
	})
}

// A database that was not closed is opened as well, on SQLite with nobody waiting
// for leases of the dead.
func TestKilled(t *testing.T) {
	ctx := t.Context()
	dsn := file(t)
	dead := open(t, store.Config{DSN: dsn})
	ok(t, dead.Inbox().Add(ctx, talk("a1", channel(1))))
	ok(t, dead.Outbox().Add(ctx, bot.Post{Key: "p1", Place: channel(1)}))
	item := must[bot.Item](t)(dead.Inbox().Next(ctx, bot.Talk))
	post := must[bot.Post](t)(dead.Outbox().Next(ctx))

	d := open(t, store.Config{DSN: dsn})
	if it := must[bot.Item](t)(d.Inbox().Next(ctx, bot.Talk)); it.Key != "a1" || it.Attempt != 2 {
		t.Errorf("given %s, attempt %d; want a1, 2", it.Key, it.Attempt)
	}
	if p := must[bot.Post](t)(d.Outbox().Next(ctx)); p.Key != "p1" || p.Attempt != 2 {
		t.Errorf("given %s, attempt %d; want p1, 2", p.Key, p.Attempt)
	}
	if err := dead.Inbox().Done(ctx, item); !errors.Is(err, bot.ErrLost) {
		t.Errorf("done by the dead = %v, want ErrLost", err)
	}
	if err := dead.Outbox().Note(ctx, post, bot.Receipt{}); !errors.Is(err, bot.ErrLost) {
		t.Errorf("note by the dead = %v, want ErrLost", err)
	}
}

func BenchmarkItem(b *testing.B) { benchmark(b, file(b)) }

func BenchmarkItemPostgres(b *testing.B) { benchmark(b, schema(b)) }

// benchmark is the way of one message through the inbox: Add, Next, Done.
func benchmark(b *testing.B, dsn string) {
	ctx := b.Context()
	in := open(b, store.Config{DSN: dsn}).Inbox()
	n := 0
	for b.Loop() {
		n++
		it := talk(fmt.Sprint(n), channel(n%50))
		it.Message = &bot.Message{Key: it.Key, Place: it.Place, Text: "good morning", Raw: make([]byte, 1000)}
		ok(b, in.Add(ctx, it))
		ok(b, in.Done(ctx, must[bot.Item](b)(in.Next(ctx, bot.Talk))))
	}
}

// BenchmarkPost is the way of one post: Add, Next, Note, Done.
func BenchmarkPost(b *testing.B) {
	ctx := b.Context()
	out := open(b, store.Config{DSN: file(b)}).Outbox()
	n := 0
	for b.Loop() {
		n++
		ok(b, out.Add(ctx, bot.Post{Key: fmt.Sprint(n), Place: channel(n % 50), Text: "good morning"}))
		p := must[bot.Post](b)(out.Next(ctx))
		ok(b, out.Note(ctx, p, bot.Receipt{Ref: bot.Ref{Place: p.Place, ID: p.Key}}))
		ok(b, out.Done(ctx, p))
	}
}

// BenchmarkSave is one save of a run of six steps that adds a result.
func BenchmarkSave(b *testing.B) {
	ctx := b.Context()
	runs := open(b, store.Config{DSN: file(b)}).Runs()
	r := begun("m1", time.Now())
	for range 5 {
		r = heard(r)
	}
	r = must[run.Run](b)(runs.Save(ctx, heard(r, "query_metric")))
	for b.Loop() {
		r.Steps[5].Took++
		r = must[run.Run](b)(runs.Save(ctx, r))
	}
}

// BenchmarkBacklog is Next and Done with a thousand things waiting in ten places.
func BenchmarkBacklog(b *testing.B) {
	ctx := b.Context()
	in := open(b, store.Config{DSN: file(b)}).Inbox()
	for n := range 1000 {
		ok(b, in.Add(ctx, talk(fmt.Sprint(n), channel(n%10))))
	}
	n := 1000
	for b.Loop() {
		n++
		ok(b, in.Add(ctx, talk(fmt.Sprint(n), channel(n%10))))
		ok(b, in.Done(ctx, must[bot.Item](b)(in.Next(ctx, bot.Talk))))
	}
}

// Take is Next without the wait: it gives what is due now, and says when nothing is.
func TestTakeWaitsForNothing(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		if _, err := d.Inbox().Take(ctx, bot.Talk); !errors.Is(err, store.ErrNothing) {
			t.Errorf("Take of an empty inbox: %v, want ErrNothing", err)
		}
		ok(t, d.Inbox().Add(ctx, talk("a1", channel(1))))
		it := must[bot.Item](t)(d.Inbox().Take(ctx, bot.Talk))
		ok(t, d.Inbox().Retry(ctx, it, "later", c.now().Add(time.Minute)))
		if _, err := d.Inbox().Take(ctx, bot.Talk); !errors.Is(err, store.ErrNothing) {
			t.Errorf("Take before it is due: %v, want ErrNothing", err)
		}
		c.pass(2 * time.Minute)
		if it = must[bot.Item](t)(d.Inbox().Take(ctx, bot.Talk)); it.Key != "a1" || it.Attempt != 2 {
			t.Errorf("took %s, attempt %d; want a1, 2", it.Key, it.Attempt)
		}
		if _, err := d.Outbox().Take(ctx); !errors.Is(err, store.ErrNothing) {
			t.Errorf("Take of an empty outbox: %v, want ErrNothing", err)
		}
		ok(t, d.Outbox().Add(ctx, bot.Post{Key: "p1", Place: channel(1)}))
		if p := must[bot.Post](t)(d.Outbox().Take(ctx)); p.Key != "p1" {
			t.Errorf("took %s, want p1", p.Key)
		}
	})
}
