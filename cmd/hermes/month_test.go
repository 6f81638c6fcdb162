package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/agent/run"
	"hermes/bot"
	"hermes/config"
	"hermes/scheduler"
)

// An inside is the whole program in this process, on a clock of its own.
type inside struct {
	*hermes
	t     *testing.T
	clock atomic.Int64
	said  int
}

const (
	anaInDemo = "web:demo:analyst"
	berlin    = "Europe/Berlin"
)

func newInside(t *testing.T, at time.Time) *inside {
	t.Helper()
	return newInsideOf(t, at, func(*config.Config) {})
}

// newInsideOf is newInside with another configuration.
func newInsideOf(t *testing.T, at time.Time, configure func(*config.Config)) *inside {
	t.Helper()
	data, err := os.MkdirTemp("", "h")
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load("")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Data, cfg.Web.Addr = data, "127.0.0.1:0"
	cfg.Agent.Gather = 0 // the clock stands still
	configure(&cfg)
	in := &inside{t: t}
	in.clock.Store(at.UnixNano())
	in.hermes, err = build(t.Context(), cfg, slog.New(slog.DiscardHandler), in.time)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- runAll(ctx, in.parts()) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("run: %v", err)
		}
		if err := in.close(); err != nil {
			t.Errorf("close: %v", err)
		}
		if err := os.RemoveAll(data); err != nil {
			t.Error(err)
		}
	})
	return in
}

func (in *inside) time() time.Time { return time.Unix(0, in.clock.Load()).UTC() }

func (in *inside) set(at time.Time) { in.clock.Store(at.UnixNano()) }

func room(channel, thread string) bot.Place {
	return bot.Place{Platform: "web", Workspace: "demo", Channel: channel, Thread: thread}
}

// say has Ana say something to the bot in a thread of #general.
func (in *inside) say(thread, text string) {
	in.t.Helper()
	in.said++
	in.clock.Add(int64(time.Second)) // nobody writes twice at once
	err := in.bot.Receive(in.t.Context(), bot.Message{
		Key: fmt.Sprintf("web/demo/general/%s-%d", thread, in.said), Place: room("general", thread),
		From: anaInDemo, Name: "Ana", Text: text, Addressed: true, At: in.time(), Zone: berlin,
	})
	if err != nil {
		in.t.Fatal(err)
	}
}

// lines waits until the lines of a place are as wanted, and returns them.
func (in *inside) lines(p bot.Place, what string, want func([]bot.Line) bool) []bot.Line {
	in.t.Helper()
	return in.linesOf(anaInDemo, p, what, want)
}

// linesOf is lines as somebody sees them.
func (in *inside) linesOf(viewer string, p bot.Place, what string, want func([]bot.Line) bool) []bot.Line {
	in.t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		ls, err := in.desk.Lines(in.t.Context(), p, viewer, 200)
		if err != nil {
			in.t.Fatal(err)
		}
		ls = slices.DeleteFunc(ls, func(l bot.Line) bool { return l.State != "sent" && l.From == "" })
		if want(ls) {
			return ls
		}
		select {
		case <-deadline:
			var text strings.Builder
			for _, l := range ls {
				fmt.Fprintf(&text, "%s [%s] %s\n", l.Key, l.Kind, l.Text)
			}
			in.t.Fatalf("%s: not seen; the place says:\n%s", what, text.String())
		case <-tick.C:
		}
	}
}

// card waits for an open card in a thread.
func (in *inside) card(thread string) bot.Line {
	in.t.Helper()
	open := func(l bot.Line) bool { return l.Question != "" && len(l.Choices) > 0 }
	ls := in.lines(room("general", thread), "an open card", func(ls []bot.Line) bool { return slices.ContainsFunc(ls, open) })
	return ls[slices.IndexFunc(ls, open)]
}

func (in *inside) press(l bot.Line, by, choice string) {
	in.t.Helper()
	in.said++
	err := in.bot.Click(in.t.Context(), bot.Click{
		Key: fmt.Sprintf("press/%d", in.said), Place: l.Place, From: by, Name: bot.UserOf(by), Question: l.Question, Choice: choice, At: in.time(),
	})
	if err != nil {
		in.t.Fatal(err)
	}
}

// sees waits for an answer or a report of the bot with a text.
func (in *inside) sees(p bot.Place, text string) bot.Line {
	in.t.Helper()
	has := func(l bot.Line) bool {
		return l.From == "" && l.Question == "" && l.Kind != bot.Progress && strings.Contains(l.Text, text)
	}
	ls := in.lines(p, fmt.Sprintf("%q", text), func(ls []bot.Line) bool { return slices.ContainsFunc(ls, has) })
	return ls[slices.IndexFunc(ls, has)]
}

// job returns the only one there is.
func (in *inside) job() scheduler.Job {
	in.t.Helper()
	jobs, err := in.db.Jobs().Jobs(in.t.Context())
	if err != nil || len(jobs) != 1 {
		in.t.Fatalf("jobs = %v, %v; want one", jobs, err)
	}
	return jobs[0]
}

// slots waits until the slots of a job are as wanted, newest first.
func (in *inside) slots(job string, want ...scheduler.SlotState) []scheduler.Slot {
	in.t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		slots, err := in.db.Jobs().Slots(in.t.Context(), job, 100)
		if err != nil {
			in.t.Fatal(err)
		}
		var states []scheduler.SlotState
		for _, s := range slots {
			states = append(states, s.State)
		}
		if slices.Equal(states, want) {
			return slots
		}
		select {
		case <-deadline:
			in.t.Fatalf("slots = %+v, want %v", slots, want)
		case <-tick.C:
		}
	}
}

// count returns how many reports the bot has posted into a channel.
func (in *inside) count(p bot.Place) int {
	in.t.Helper()
	ls, err := in.desk.Lines(in.t.Context(), p, anaInDemo, 200)
	if err != nil {
		in.t.Fatal(err)
	}
	n := 0
	for _, l := range ls {
		if l.From == "" && l.File == nil {
			n++
		}
	}
	return n
}

const headline = "summarise last month's sales by region, write a short analysis, post it to #sales, and do this every month on the 1st at 9:00"

// A month later the same report comes for the month that the slot stands for, under
// its grant, and the slot is on record; a rehearsal stays at home; what the program
// slept through is written down, and the newest of it runs late about its own month
// (C3, C7, C20, C26).
func TestTheMonth(t *testing.T) {
	t.Parallel()
	in := newInside(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
	in.say("t1", headline)
	in.press(in.card("t1"), demoLead, run.Always)
	in.sees(room("general", "t1"), "1 December 2026")
	sales := room("sales", "")
	in.sees(sales, "October 2026")
	job := in.job()
	if job.Zone != berlin || job.ToName != "#sales" || strings.Contains(job.Request, "every month") {
		t.Errorf("job = %+v", job)
	}

	// Rehearse the slot of December: the report comes home, and nowhere else.
	if _, err := in.scheduler.Rehearse(t.Context(), job.ID, in.time()); err != nil {
		t.Fatal(err)
	}
	in.sees(room("general", "t1"), "November 2026")
	if n := in.count(sales); n != 1 {
		t.Errorf("%d posts in #sales after a rehearsal, want 1", n)
	}

	// 1 December, 9:00 in Berlin.
	in.set(time.Date(2026, 12, 1, 8, 0, 20, 0, time.UTC))
	if _, err := in.scheduler.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	slots := in.slots(job.ID, scheduler.Ran)
	in.sees(sales, "November 2026")
	if s := slots[0]; s.Nominal != "2026-12-01T09:00" || s.Zone != berlin || s.Link == "" || s.From.In(time.UTC).Format(time.RFC3339) != "2026-10-31T23:00:00Z" {
		t.Errorf("slot = %+v", s)
	}
	grants, err := in.db.Runs().Grants(t.Context(), job.ID)
	if err != nil || len(grants) != 1 || grants[0].Uses != 1 {
		t.Errorf("grants = %+v, %v; want one use", grants, err)
	}

	// Away until March.
	in.set(time.Date(2027, 3, 3, 12, 0, 0, 0, time.UTC))
	if _, err := in.scheduler.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	in.slots(job.ID, scheduler.Late, scheduler.Missed, scheduler.Missed, scheduler.Ran)
	in.sees(sales, "February 2027")
	if n := in.count(sales); n != 3 {
		t.Errorf("%d posts in #sales, want 3", n)
	}

	// Paused by its owner, alone; nothing of the pause runs.
	in.say("t1", "pause the sales report")
	in.press(in.card("t1"), anaInDemo, run.Yes)
	in.sees(room("general", "t1"), "Paused")
	in.set(time.Date(2027, 4, 2, 12, 0, 0, 0, time.UTC))
	if _, err := in.scheduler.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	in.slots(job.ID, scheduler.Late, scheduler.Missed, scheduler.Missed, scheduler.Ran)
}

// "Only now" posts once and schedules nothing; Deny does neither, and says so.
func TestOnlyNowAndDeny(t *testing.T) {
	t.Parallel()
	in := newInside(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
	in.say("once", headline)
	in.press(in.card("once"), demoLead, run.Once)
	in.sees(room("sales", ""), "October 2026")
	in.say("deny", headline)
	in.press(in.card("deny"), demoLead, run.No)
	in.lines(room("general", "deny"), "the answer to a denial", func(ls []bot.Line) bool {
		last := ls[len(ls)-1]
		return last.From == "" && last.Kind == bot.Answer && last.Question == "" && last.Trace != ""
	})
	if n := in.count(room("sales", "")); n != 1 {
		t.Errorf("%d posts in #sales, want 1", n)
	}
	jobs, err := in.db.Jobs().Jobs(t.Context())
	if err != nil || len(jobs) != 0 {
		t.Errorf("jobs = %v, %v; want none", jobs, err)
	}
}
