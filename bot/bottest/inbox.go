package bottest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/run"
	"hermes/bot"
)

// patience is how long a promise may take to be kept. Only a broken one makes
// anybody wait, and half a minute is enough to call it broken, even for a busy disk.
const patience = 30 * time.Second

// TestInbox checks the promises of bot.Inbox. fresh makes an empty one and returns
// what opens it: for the first time, or again after its process was killed.
func TestInbox(t *testing.T, fresh func(*testing.T) (open func() bot.Inbox)) {
	tests := map[string]func(context.Context, *testing.T, func() bot.Inbox){
		"line":      inboxLine,
		"lanes":     lanes,
		"what ends": inboxEnds,
		"retry":     inboxRetry,
		"killed":    inboxKilled,
		"moved":     inboxMoved,
		"content":   inboxContent,
		"crowd":     inboxCrowd,
		"gather":    inboxGathers,
		"apart":     inboxApart,
		"lines":     inboxLines,
		"withdraw":  inboxWithdraws,
		"before":    inboxBefore,
		"queued":    inboxQueues,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), patience)
			defer stop()
			test(ctx, t, fresh(t))
		})
	}
}

func room(channel string) bot.Place {
	return bot.Place{Platform: "test", Workspace: "w", Channel: channel}
}

// must fails the test at once.
func must(t *testing.T, err error, what string) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// gives takes the next Item, which must be the one with that key.
func gives(ctx context.Context, t *testing.T, in bot.Inbox, l bot.Lane, want, promise string) bot.Item {
	t.Helper()
	it, err := in.Next(ctx, l)
	if err != nil || it.Key != want {
		t.Fatalf("next of %s = %q, %v; want %q: %s", l, it.Key, err, want, promise)
	}
	return it
}

func inboxLine(ctx context.Context, t *testing.T, open func() bot.Inbox) {
	in := open()
	line{
		add: func(key, channel string) error {
			return in.Add(ctx, bot.Item{Key: key, Place: room(channel), Lane: bot.Talk})
		},
		next: func(ctx context.Context) (string, int, error) {
			it, err := in.Next(ctx, bot.Talk)
			return it.Key, it.Attempt, err
		},
		done: func(key string) error { return in.Done(ctx, bot.Item{Key: key, Fence: 1}) },
	}.check(ctx, t)
}

// lanes checks that Control waits for nobody, and what goes first for little.
func lanes(ctx context.Context, t *testing.T, open func() bot.Inbox) {
	in := open()
	add := func(it bot.Item) {
		t.Helper()
		it.Place = room("a")
		must(t, in.Add(ctx, it), "add "+it.Key)
	}
	add(bot.Item{Key: "work", Lane: bot.Talk})
	add(bot.Item{Key: "more", Lane: bot.Talk})
	work := gives(ctx, t, in, bot.Talk, "work", "the oldest comes first")
	add(bot.Item{Key: "stop", Lane: bot.Control})
	add(bot.Item{Key: "approve", Lane: bot.Control})
	gives(ctx, t, in, bot.Control, "stop", "what is under way at a place does not hold up what may end it")
	gives(ctx, t, in, bot.Control, "approve", "nor does other control")
	add(bot.Item{Key: "on", Lane: bot.Talk, First: true})
	must(t, in.Fail(ctx, work, "for the test"), "fail work")
	on := gives(ctx, t, in, bot.Talk, "on", "what goes first is before what was said earlier, and a failure ends an item")
	must(t, in.Done(ctx, on), "end on")
	gives(ctx, t, in, bot.Talk, "more", "the rest follows")
}

func inboxEnds(ctx context.Context, t *testing.T, open func() bot.Inbox) {
	in := open()
	for _, key := range []string{"a", "b"} {
		must(t, in.Add(ctx, bot.Item{Key: key, Place: room(key), Lane: bot.Talk}), "add")
	}
	a := gives(ctx, t, in, bot.Talk, "a", "the oldest comes first")
	b := gives(ctx, t, in, bot.Talk, "b", "so does the next")
	for range 2 {
		must(t, in.Done(ctx, a), "done, which may be called again")
		must(t, in.Fail(ctx, b, "no"), "fail, which may be called again")
	}
	if err := in.Done(ctx, bot.Item{Key: "a", Fence: a.Fence - 1}); !errors.Is(err, bot.ErrLost) {
		t.Errorf("done with the fence of an earlier claim = %v, want ErrLost", err)
	}
	if err := in.Done(ctx, bot.Item{Key: "never", Fence: 1}); !errors.Is(err, bot.ErrLost) {
		t.Errorf("done of what never was = %v, want ErrLost", err)
	}
}

// What has come further is not what stopped the program before.
func inboxMoved(ctx context.Context, t *testing.T, open func() bot.Inbox) {
	in := open()
	must(t, in.Add(ctx, bot.Item{Key: "a", Place: room("a"), Lane: bot.Talk}), "add")
	was := gives(ctx, t, in, bot.Talk, "a", "it is all there is")
	for range 3 {
		in = open()
		it := gives(ctx, t, in, bot.Talk, "a", "what was cut off is given again")
		if it.Attempt != 2 {
			t.Errorf("attempt %d, want 2: it had moved on", it.Attempt)
		}
		must(t, in.Moved(ctx, it), "moved")
	}
	if err := in.Moved(ctx, was); !errors.Is(err, bot.ErrLost) {
		t.Errorf("moved by the dead = %v, want ErrLost", err)
	}
}

func inboxRetry(ctx context.Context, t *testing.T, open func() bot.Inbox) {
	in := open()
	now := time.Now()
	add := func(key, channel string, first bool) {
		t.Helper()
		must(t, in.Add(ctx, bot.Item{Key: key, Place: room(channel), Lane: bot.Talk, First: first}), "add "+key)
	}
	add("a1", "a", false)
	add("a2", "a", false)
	a1 := gives(ctx, t, in, bot.Talk, "a1", "the oldest comes first")
	must(t, in.Retry(ctx, a1, "busy", now), "retry")
	again := gives(ctx, t, in, bot.Talk, "a1", "what is due is given again, before what came later")
	if again.Attempt != 2 || again.Fence <= a1.Fence {
		t.Errorf("given again with attempt %d and fence %d after %d, want 2 and more", again.Attempt, again.Fence, a1.Fence)
	}
	if err := in.Done(ctx, a1); !errors.Is(err, bot.ErrLost) {
		t.Errorf("done by the borrower before = %v, want ErrLost", err)
	}
	must(t, in.Retry(ctx, again, "busy", now.Add(time.Hour)), "retry")
	add("b1", "b", false)
	gives(ctx, t, in, bot.Talk, "b1", "a place keeps its order while its oldest waits, and holds up no other")
	add("on", "a", true)
	on := gives(ctx, t, in, bot.Talk, "on", "what goes first does not wait for it")
	must(t, in.Retry(ctx, on, "busy", time.Now().Add(20*time.Millisecond)), "retry")
	gives(ctx, t, in, bot.Talk, "on", "what was given back comes when it is due, though nobody adds anything")
}

func inboxKilled(ctx context.Context, t *testing.T, open func() bot.Inbox) {
	in := open()
	for _, key := range []string{"done", "lent", "later"} {
		must(t, in.Add(ctx, bot.Item{Key: key, Place: room("a"), Lane: bot.Talk}), "add")
	}
	must(t, in.Done(ctx, gives(ctx, t, in, bot.Talk, "done", "the oldest comes first")), "done")
	lent := gives(ctx, t, in, bot.Talk, "lent", "then the next")

	in = open()
	again := gives(ctx, t, in, bot.Talk, "lent", "what has not ended is given again")
	if again.Attempt != 2 {
		t.Errorf("attempt %d, want 2", again.Attempt)
	}
	if err := in.Done(ctx, lent); !errors.Is(err, bot.ErrLost) {
		t.Errorf("done by the dead = %v, want ErrLost", err)
	}
	must(t, in.Add(ctx, bot.Item{Key: "done", Place: room("a"), Lane: bot.Talk}), "add")
	must(t, in.Done(ctx, again), "done")
	gives(ctx, t, in, bot.Talk, "later", "what has ended is not given again, even if it is added again")
}

func inboxContent(ctx context.Context, t *testing.T, open func() bot.Inbox) {
	in := open()
	place := bot.Place{Platform: "test", Workspace: "w/1", Channel: "C 1", Thread: "17.4"}
	when := time.Date(2026, 12, 1, 9, 0, 0, 123456000, time.UTC)
	items := []bot.Item{
		{Key: "m", Place: place, Lane: bot.Talk, Message: &bot.Message{
			Key: "m", Place: place, From: "test:w:u", Name: "Ann", Text: "早上好 \x00", Addressed: true, InThread: true, Direct: true,
			Edits: "e", At: when, Zone: "Asia/Shanghai", Link: "https://x", Raw: []byte{0, 1, 0xff},
		}},
		{Key: "c", Place: place, Lane: bot.Talk, Click: &bot.Click{
			Key: "c", Place: place, From: "test:w:u", Question: "q", Choice: "approve", Note: "n", Stop: "s", Continue: "r", Abandon: "b", At: when,
			Args: map[string]json.RawMessage{"s1c1": json.RawMessage(`{"to":"#x"}`)}, Raw: []byte("raw"),
		}},
		{Key: "a", Place: place, Lane: bot.Talk, Answer: &run.Answer{Key: "a", Question: "q", Note: "5", By: "test:w:u", At: when}},
		{Key: "r", Place: place, Lane: bot.Talk, Request: &run.Request{Key: "r", Home: place.String(), Text: "go", Now: when, Zone: "UTC"}},
	}
	for _, want := range items {
		must(t, in.Add(ctx, want), "add")
		got := gives(ctx, t, in, bot.Talk, want.Key, "it is all there is")
		must(t, in.Done(ctx, got), "done")
		got.Attempt, got.Fence = 0, 0
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("item %s (-added +given):\n%s", want.Key, d)
		}
	}
}

// inboxCrowd checks that many workers get each Item once, and of a place one at a
// time and in order.
func inboxCrowd(ctx context.Context, t *testing.T, open func() bot.Inbox) {
	const places, each, workers = 6, 8, 5
	in := open()
	var mu sync.Mutex
	busy, last := map[bot.Place]bool{}, map[bot.Place]int{}
	left := places * each
	work, stop := context.WithCancel(ctx)
	defer stop()
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				it, err := in.Next(work, bot.Talk)
				if err != nil {
					return
				}
				var n int
				_, _ = fmt.Sscan(it.Message.Text, &n) // 0 if it is none, which the check below finds
				mu.Lock()
				if busy[it.Place] || n != last[it.Place]+1 || it.Attempt != 1 {
					t.Errorf("%s given with attempt %d while busy %v, after number %d", it.Key, it.Attempt, busy[it.Place], last[it.Place])
				}
				busy[it.Place], last[it.Place] = true, n
				mu.Unlock()

				mu.Lock()
				busy[it.Place] = false
				left--
				end := left == 0
				mu.Unlock()
				if err := in.Done(ctx, it); err != nil {
					t.Errorf("done %s: %v", it.Key, err)
				}
				if end {
					stop()
				}
			}
		})
	}
	for n := range each {
		for p := range places {
			place := room(fmt.Sprint(p))
			m := bot.Message{Text: fmt.Sprint(n + 1), Place: place}
			if err := in.Add(ctx, bot.Item{Key: fmt.Sprintf("%d/%d", p, n), Place: place, Lane: bot.Talk, Message: &m}); err != nil {
				t.Errorf("add: %v", err)
			}
		}
	}
	wg.Wait()
	if left != 0 {
		t.Errorf("%d items were not given out", left)
	}
}

// A line is an Inbox or an Outbox of which only keys, places and attempts are
// seen.
type line struct {
	add  func(key, channel string) error
	next func(context.Context) (string, int, error)
	done func(key string) error
}

func (l line) check(ctx context.Context, t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	add := func(key, channel string) {
		t.Helper()
		must(t, l.add(key, channel), "add "+key)
	}
	gives := func(want, promise string) {
		t.Helper()
		if got, attempt, err := l.next(ctx); err != nil || got != want || attempt != 1 {
			t.Fatalf("next = %q, attempt %d, %v; want the first of %q: %s", got, attempt, err, want, promise)
		}
	}
	add("a1", "a")
	add("a1", "a")
	add("a2", "a")
	add("b1", "b")
	gives("a1", "the oldest comes first")
	gives("b1", "a place under way holds up no other, and is given nothing more")
	must(t, l.done("a1"), "end a1")
	must(t, l.done("a1"), "end a1 again")
	add("a1", "a")
	gives("a2", "a key comes once, even if it is added again later")
	stop()
	if key, _, err := l.next(ctx); err == nil {
		t.Errorf("next = %q after the context ended, want an error", key)
	}
}
