package scheduler_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"hermes/scheduler"
	"hermes/scheduler/schedulertest"
)

// A counted store counts what is read of it.
type counted struct {
	schedulertest.Store
	lists, jobs int
}

func (s *counted) Jobs(ctx context.Context) ([]scheduler.Job, error) {
	s.lists++
	return s.Store.Jobs(ctx)
}

func (s *counted) Job(ctx context.Context, id string) (scheduler.Job, error) {
	s.jobs++
	return s.Store.Job(ctx, id)
}

// Issue 6, "Shown by" 4: a look reads what is due and what was changed, not all jobs.
func TestALookReadsWhatIsDueOrChangedAndNothingElse(t *testing.T) {
	now := at("2026-12-01T08:00:00Z")
	s := &counted{}
	for i := range 200 {
		j := job(fmt.Sprintf("j%03d", i), fmt.Sprintf("0 %d 15 * *", i%24), "UTC")
		if i == 7 {
			j.Spec = "5 8 1 * *"
		}
		j.Created, j.Since = now, now
		if err := s.Add(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
	r := &runner{fail: map[string]int{}}
	sched := scheduler.New(scheduler.NewKeeper(s, scheduler.Policy{}, func() time.Time { return now }), r, slog.New(slog.DiscardHandler))
	look := func(step time.Duration, jobs int) {
		t.Helper()
		now, s.lists, s.jobs = now.Add(step), 0, 0
		if _, err := sched.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s.lists != 0 || s.jobs != jobs {
			t.Errorf("at %s it reads %d lists and %d jobs, want none and %d", now.Format(time.TimeOnly), s.lists, s.jobs, jobs)
		}
	}
	if _, err := sched.Look(t.Context()); err != nil || s.lists != 1 || s.jobs != 0 {
		t.Errorf("the first look reads %d lists and %d jobs, %v; want the one list", s.lists, s.jobs, err)
	}
	look(time.Second, 0)
	j, err := s.Store.Job(t.Context(), "j011")
	if err != nil {
		t.Fatal(err)
	}
	j.Spec = "2 8 * * *" // by somebody else
	if _, err := s.Update(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	look(time.Second, 1)
	look(2*time.Minute, 1)
	look(3*time.Minute, 1)
	if got := fmt.Sprint(keys(r)); got != "[job/j011@2026-12-01T08:02@UTC job/j007@2026-12-01T08:05@UTC]" {
		t.Errorf("fired %s", got)
	}
}

func keys(r *runner) (all []string) {
	for _, f := range r.firings() {
		all = append(all, f.Key)
	}
	return all
}

// SLK-04: run by hand, a job runs at once about the period of its newest time, in a
// slot of its own, and what was due, or comes next, runs beside it.
func TestAJobRunByHandLeavesItsTimesAsTheyAre(t *testing.T) {
	b := newBench(t, "2026-12-01T08:59:55Z", job("j1", "0 9 1 * *", "Asia/Shanghai"), job("j2", "0 9 * * *", "UTC"))
	b.look(t)
	b.now = at("2026-12-01T09:00:03Z") // j2 is due and not looked at yet
	slot, err := b.RunNow(b.ctx, "j2")
	if err != nil {
		t.Fatal(err)
	}
	b.fired(t, "job/j2@2026-12-01T09:00@UTC", "job/j2@2026-12-01T09:00~20261201T090003.000Z@UTC")
	if slot.Reason != "run by hand" || slot.From.Format(time.DateOnly) != "2026-11-30" {
		t.Errorf("slot = %+v, want the day before, by hand", slot)
	}
	b.now = b.now.Add(time.Minute)
	if slot, err = b.RunNow(b.ctx, "j1"); err != nil || slot.From.In(load(t, "Asia/Shanghai")).Format(time.DateOnly) != "2026-11-01" {
		t.Errorf("the monthly slot is %+v, %v; want November", slot, err)
	}
	b.now = at("2026-12-02T09:00:00Z")
	b.look(t)
	if got := keys(b.runner); !strings.HasSuffix(strings.Join(got, " "), "job/j2@2026-12-02T09:00@UTC") || len(got) != 4 {
		t.Errorf("fired %v, want the next day's as ever", got)
	}
	b.set(t, "j1", scheduler.Paused)
	b.now = b.now.Add(time.Minute)
	if _, err := b.RunNow(b.ctx, "j1"); err != nil {
		t.Errorf("a paused job by hand: %v", err)
	}
	b.set(t, "j1", scheduler.Deleted)
	if _, err := b.RunNow(b.ctx, "j1"); !errors.Is(err, scheduler.ErrNoJob) {
		t.Errorf("a deleted job by hand: %v, want ErrNoJob", err)
	}
	if _, err := b.RunNow(b.ctx, "none"); !errors.Is(err, scheduler.ErrNoJob) {
		t.Errorf("no job by hand: %v, want ErrNoJob", err)
	}
}

// Next is when a job is due next, as the last look saw it; there is none before a look.
func TestNextIsWhatTheLastLookSaw(t *testing.T) {
	now := at("2026-12-01T08:00:00Z")
	s := &schedulertest.Store{}
	sched := scheduler.New(scheduler.NewKeeper(s, scheduler.Policy{}, func() time.Time { return now }), &runner{fail: map[string]int{}}, slog.New(slog.DiscardHandler))
	if _, ok := sched.Next(); ok {
		t.Error("something is due before the first look")
	}
	j := job("j1", "0 9 15 * *", "UTC")
	j.Created, j.Since = now, now
	if err := s.Add(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	if _, err := sched.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	if next, ok := sched.Next(); !ok || !next.Equal(at("2026-12-15T09:00:00Z")) {
		t.Errorf("Next = %s, %t; want the 15th at 9:00", next, ok)
	}
	// One that is due and deferred begins before the next one is due.
	j = job("j2", "0 8 2 * *", "UTC")
	j.Created, j.Since, j.Policy = now, now, scheduler.Policy{Quiet: scheduler.Quiet{From: "07:00", To: "10:00"}}
	if err := s.Add(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	now = at("2026-12-02T08:00:00Z")
	if _, err := sched.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	if next, ok := sched.Next(); !ok || !next.Equal(at("2026-12-02T10:00:00Z")) {
		t.Errorf("Next = %s, %t; want the end of the quiet hours", next, ok)
	}
}

// C26: a slot at the end of a month is about that month, unless its request asks for the
// month before in so many words; what both are asked for is about its own.
func TestC26LastMonthIsTheMonthBeforeOnItsLastFridayToo(t *testing.T) {
	for request, want := range map[string]string{
		"summarise sales by region":                     "2026-12",
		"summarise last month's sales by region":        "2026-11",
		"汇总上个月的销售额":                                     "2026-11",
		"sales of this month compared with last month":  "2026-12",
		"last year's sales by month":                    "2026-12",
		"run the saved report regions":                  "2026-12",
		"the previous month's orders and their revenue": "2026-11",
	} {
		for _, spec := range []string{"0 17 * * FRI#L", "0 17 LW * *", "0 17 L * *"} {
			j := job("j1", spec, "Asia/Shanghai")
			j.Request = request
			b := newBench(t, "2026-12-24T00:00:00Z", j)
			b.now = at("2026-12-31T10:00:00Z")
			b.look(t)
			slots, err := b.store.Slots(t.Context(), "j1", 9)
			if err != nil || len(slots) != 1 {
				t.Fatalf("%s: slots %+v, %v", spec, slots, err)
			}
			if got := slots[0].From.In(load(t, "Asia/Shanghai")).Format("2006-01"); got != want {
				t.Errorf("%s of %q is about %s, want %s", spec, request, got, want)
			}
		}
	}
}
