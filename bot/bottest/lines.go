package bottest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/run"
	"hermes/bot"
)

// quick is a message of somebody as one of several lines.
func quick(key, channel, text string, g bot.Gathering) bot.Item {
	m := bot.Message{Key: key, Place: room(channel), From: "test:w:ana", Text: text, At: time.Now()}
	return bot.Item{Key: key, Place: m.Place, Lane: bot.Talk, Message: &m, Gather: &g}
}

func textOf(it bot.Item) string {
	var lines []string
	for _, l := range it.Lines {
		lines = append(lines, l.Text)
	}
	return strings.Join(lines, "|")
}

// Lines that come within the time are one Item, which waits for the last of them and
// no longer than it may; each is kept once, over a restart, from however many at once.
func inboxGathers(ctx context.Context, t *testing.T, open func() bot.Inbox) {
	in := open()
	g := bot.Gathering{Of: "ana", Wait: 2 * time.Second, Most: 4 * time.Second}
	must(t, in.Add(ctx, quick("1", "a", "one", g)), "add")
	must(t, in.Add(ctx, quick("2", "b", "two", g)), "add")
	must(t, in.Add(ctx, quick("2", "b", "two", g)), "add again")
	in = open()
	if it, ok, err := in.Gathering(ctx, "ana"); err != nil || !ok || it.Key != "1" {
		t.Fatalf("gathering = %s, %t, %v; want 1", it.Key, ok, err)
	}
	only := g
	only.Only = true
	must(t, in.Add(ctx, quick("3", "c", "three", only)), "add what only joins")
	var crowd sync.WaitGroup
	for range 5 {
		crowd.Go(func() {
			if err := in.Add(ctx, quick("4", "a", "four", g)); err != nil {
				t.Error(err)
			}
		})
	}
	crowd.Wait()
	began := time.Now()
	it := gives(ctx, t, in, bot.Talk, "1", "lines that were joined are no Items of their own")
	if took := time.Since(began); took < 50*time.Millisecond {
		t.Errorf("given after %s, want it to wait for more", took)
	}
	if got := textOf(it); got != "one|two|three|four" || it.Message.Text != "one" || it.Attempt != 1 {
		t.Errorf("given with %q, the first %q and attempt %d", got, it.Message.Text, it.Attempt)
	}
	must(t, in.Add(ctx, quick("5", "a", "five", g)), "add")
	must(t, in.Done(ctx, it), "done")
	for _, key := range []string{"1", "2", "3", "4"} {
		if h, ok, err := in.Holding(ctx, key); err != nil || !ok || h.Key != "1" {
			t.Errorf("holding %s = %s, %t, %v; want 1", key, h.Key, ok, err)
		}
	}
	five := gives(ctx, t, in, bot.Talk, "5", "what comes after it was given out is another turn")
	must(t, in.Done(ctx, five), "done")
	must(t, in.Add(ctx, quick("3", "c", "three", g)), "add a line again")
	must(t, in.Add(ctx, bot.Item{Key: "last", Place: room("z"), Lane: bot.Talk}), "add")
	gives(ctx, t, in, bot.Talk, "last", "a line that was joined never comes again")
}

// Lines of different names, those written long after the first, and those that only
// join where there is nothing, stay apart.
func inboxApart(ctx context.Context, t *testing.T, open func() bot.Inbox) {
	in := open()
	g := bot.Gathering{Of: "ana", Wait: 100 * time.Millisecond, Most: 300 * time.Millisecond, Span: time.Minute}
	only := g
	only.Only = true
	must(t, in.Add(ctx, quick("alone", "o", "alone", only)), "add")
	gives(ctx, t, in, bot.Talk, "alone", "what only joins waits for nothing")
	must(t, in.Add(ctx, quick("a", "a", "a", g)), "add")
	late := quick("late", "l", "late", g)
	late.Message.At = late.Message.At.Add(time.Hour)
	must(t, in.Add(ctx, late), "add")
	other := quick("b", "b", "b", g)
	other.Gather = &bot.Gathering{Of: "bob", Wait: g.Wait, Most: g.Most}
	must(t, in.Add(ctx, other), "add")
	got := map[string]bool{}
	for range 3 {
		it, err := in.Next(ctx, bot.Talk)
		must(t, err, "next")
		got[it.Key] = len(it.Lines) == 0
	}
	for _, key := range []string{"a", "late", "b"} {
		if !got[key] {
			t.Errorf("%s was not given by itself: %v", key, got)
		}
	}
}

// An Item with Lines has their words from then on.
func inboxLines(ctx context.Context, t *testing.T, open func() bot.Inbox) {
	in := open()
	for i := range 2 {
		key := fmt.Sprint("m", i)
		must(t, in.Add(ctx, bot.Item{Key: key, Place: room("a"), Lane: bot.Talk, Message: &bot.Message{Key: key, Place: room("a"), Text: key}}), "add")
	}
	edit := bot.Message{Key: "m0@1", Edits: "m0", Place: room("a"), Text: "changed"}
	lines := []bot.Message{edit, {Key: "m1", Text: "m1"}}
	must(t, in.Add(ctx, bot.Item{Key: "anew", Place: room("a"), Lane: bot.Talk, Message: &edit, Lines: lines}), "add")
	in = open()
	for _, key := range []string{"m0", "m1", "anew"} {
		if it, ok, err := in.Holding(ctx, key); err != nil || !ok || it.Key != "anew" || textOf(it) != "changed|m1" {
			t.Errorf("holding %s = %s with %q, %t, %v", key, it.Key, textOf(it), ok, err)
		}
	}
	if _, ok, err := in.Holding(ctx, "never"); ok || err != nil {
		t.Errorf("holding what never was = %t, %v", ok, err)
	}
}

// What waits its turn is what nobody has been given: neither what is under way, has
// ended or was withdrawn, nor what goes on, nor what is elsewhere or in Control.
func inboxQueues(ctx context.Context, t *testing.T, open func() bot.Inbox) {
	in := open()
	for _, it := range []bot.Item{
		{Key: "a1", Place: room("a"), Lane: bot.Talk}, {Key: "a2", Place: room("a"), Lane: bot.Talk}, {Key: "a3", Place: room("a"), Lane: bot.Talk},
		{Key: "a4", Place: room("a"), Lane: bot.Talk}, {Key: "b1", Place: room("b"), Lane: bot.Talk}, {Key: "c1", Place: room("a"), Lane: bot.Control},
	} {
		must(t, in.Add(ctx, it), "add")
	}
	queued := func(promise string, want ...string) {
		t.Helper()
		items, err := in.Queued(ctx, room("a"))
		must(t, err, "queued")
		var got []string
		for _, it := range items {
			got = append(got, it.Key)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", promise, d)
		}
		all, err := in.QueuedAll(ctx)
		must(t, err, "queued anywhere")
		got = nil
		for _, it := range all {
			got = append(got, it.Key)
		}
		slices.Sort(got)
		if d := cmp.Diff(append(want, "b1"), got); d != "" {
			t.Errorf("%s, anywhere (-want +got):\n%s", promise, d)
		}
	}
	queued("in the order in which it came", "a1", "a2", "a3", "a4")
	lent := gives(ctx, t, in, bot.Talk, "a1", "the oldest comes first")
	must(t, in.Add(ctx, bot.Item{Key: "on", Place: room("a"), Lane: bot.Talk, First: true, Request: &run.Request{Key: "a0"}}), "add")
	if _, err := in.Withdraw(ctx, "a3"); err != nil {
		t.Fatal(err)
	}
	queued("without what is under way, goes on or was withdrawn", "a2", "a4")
	must(t, in.Retry(ctx, lent, "busy", time.Now().Add(time.Hour)), "retry")
	queued("nor what waits for another try", "a2", "a4")
}

// What nobody has begun can be withdrawn, once; what was given out cannot.
func inboxWithdraws(ctx context.Context, t *testing.T, open func() bot.Inbox) {
	in := open()
	for _, key := range []string{"begun", "waits", "next"} {
		must(t, in.Add(ctx, bot.Item{Key: key, Place: room("a"), Lane: bot.Talk}), "add")
	}
	begun := gives(ctx, t, in, bot.Talk, "begun", "the oldest comes first")
	for key, want := range map[string]bool{"begun": false, "waits": true, "never": false} {
		if got, err := in.Withdraw(ctx, key); err != nil || got != want {
			t.Errorf("withdraw %s = %t, %v; want %t", key, got, err, want)
		}
	}
	if again, err := in.Withdraw(ctx, "waits"); again || err != nil {
		t.Errorf("withdraw again = %t, %v", again, err)
	}
	must(t, in.Done(ctx, begun), "done")
	gives(ctx, t, in, bot.Talk, "next", "what was withdrawn is not given out")
}

// What was said at a place comes newest first, from an Item on.
func inboxBefore(ctx context.Context, t *testing.T, open func() bot.Inbox) {
	in := open()
	var items []bot.Item
	for i, text := range []string{"one", "two", "", "three", "four"} {
		m := bot.Message{Key: fmt.Sprint("m", i), Place: room("a"), Text: text, Standing: bot.Machine}
		items = append(items, bot.Item{Key: m.Key, Place: m.Place, Lane: bot.Talk, Message: &m})
		must(t, in.Add(ctx, items[i]), "add")
		elsewhere := bot.Message{Key: m.Key + "x", Place: room("b"), Text: "elsewhere"}
		must(t, in.Add(ctx, bot.Item{Key: elsewhere.Key, Place: elsewhere.Place, Lane: bot.Talk, Message: &elsewhere}), "add")
	}
	for n, want := range map[int]string{10: "three two one", 2: "three two"} {
		said, err := in.Before(ctx, items[3], n)
		var got []string
		for _, m := range said {
			got = append(got, m.Text)
			if m.Standing != bot.Machine {
				t.Errorf("%s is said by a %q", m.Text, m.Standing)
			}
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("the last %d = %q, %v; want %s", n, got, err, want)
		}
	}
}

// TestLedger checks the promises of bot.Ledger on an empty one.
func TestLedger(t *testing.T, l bot.Ledger) {
	ctx, noon := t.Context(), time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	for _, step := range []struct {
		name, key string
		after     time.Duration
		want      bool
	}{
		{"a", "1", 0, true},
		{"a", "1", time.Minute, true}, // asked again by whom it was marked
		{"a", "2", 59 * time.Minute, false},
		{"b", "2", 59 * time.Minute, true},
		{"a", "3", time.Hour, true},
		{"a", "1", time.Hour, false},
	} {
		if got, err := l.Once(ctx, step.name, step.key, noon.Add(step.after), time.Hour); err != nil || got != step.want {
			t.Errorf("once %s for %s after %s = %t, %v; want %t", step.name, step.key, step.after, got, err, step.want)
		}
	}
}
