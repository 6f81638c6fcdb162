package scheduler_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/scheduler"
)

func with(j scheduler.Job, p scheduler.Policy) scheduler.Job {
	j.Policy = p
	return j
}

// reasons are the slots of a job with their reasons, the newest first.
func (b *bench) reasons(t *testing.T, id string) []string {
	t.Helper()
	slots, err := b.store.Slots(t.Context(), id, 100)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, s := range slots {
		all = append(all, fmt.Sprintf("%s %s: %s", s.Nominal, s.State, s.Reason))
	}
	return all
}

// C6, SLK-05: what passed while the program was away is caught up as the job says, and
// each slot is written down with a reason.
func TestC6SLK05CatchUpIsAPolicyOfTheJob(t *testing.T) {
	for name, tt := range map[string]struct {
		policy scheduler.Policy
		back   string // when the program comes back
		fired  []string
		rows   []string
	}{
		"once": {scheduler.Policy{}, "2026-12-03T03:00:00Z", []string{"job/j1@2026-12-02T09:00@UTC"}, []string{
			"2026-12-02T09:00 claimed: ", "2026-12-01T09:00 missed: the program was away; a later one came",
		}},
		"none": {scheduler.Policy{CatchUp: scheduler.Never}, "2026-12-03T03:00:00Z", nil, []string{
			"2026-12-02T09:00 missed: the program was away, and this schedule is not caught up", "2026-12-01T09:00 missed: the program was away; a later one came",
		}},
		"none, within the grace": {scheduler.Policy{CatchUp: scheduler.Never}, "2026-12-01T09:04:00Z", []string{"job/j1@2026-12-01T09:00@UTC"}, []string{"2026-12-01T09:00 claimed: "}},
		"within, in time":        {scheduler.Policy{CatchUp: scheduler.Within, Window: 6 * time.Hour}, "2026-12-01T14:00:00Z", []string{"job/j1@2026-12-01T09:00@UTC"}, []string{"2026-12-01T09:00 claimed: "}},
		"within, too late": {scheduler.Policy{CatchUp: scheduler.Within, Window: 6 * time.Hour}, "2026-12-01T16:00:00Z", nil, []string{
			"2026-12-01T09:00 missed: the program was away for longer than 6h0m0s after its time",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "2026-12-01T08:00:00Z", with(job("j1", "0 9 * * *", "UTC"), tt.policy))
			b.look(t)
			b.now = at(tt.back)
			b.restart()
			b.look(t)
			b.look(t)
			b.fired(t, tt.fired...)
			if d := cmp.Diff(tt.rows, b.reasons(t, "j1")); d != "" {
				t.Errorf("slots (-want +got):\n%s", d)
			}
		})
	}
}

// SLK-06: a slot that is due while the one before runs is skipped, or waits for its end;
// of several that wait the newest runs. One that waits for a person does not run.
func TestSLK06TwoSlotsOfAJobDoNotRunAtOnce(t *testing.T) {
	finish := func(b *bench, nominal string, s scheduler.SlotState) {
		t.Helper()
		if err := b.store.Finish(t.Context(), "job/j1@"+nominal+"@UTC", s, "", "", b.now); err != nil {
			t.Fatal(err)
		}
	}
	const nine, ten, eleven = "job/j1@2026-12-01T09:00@UTC", "job/j1@2026-12-01T10:00@UTC", "job/j1@2026-12-01T11:00@UTC"
	to := func(b *bench, hour int) {
		b.now = time.Date(2026, 12, 1, hour, 0, 0, 0, time.UTC)
		b.look(t)
	}
	t.Run("skip", func(t *testing.T) {
		b := newBench(t, "2026-12-01T08:30:00Z", job("j1", "0 * * * *", "UTC"))
		to(b, 9)
		to(b, 10)
		finish(b, "2026-12-01T09:00", scheduler.Ran)
		to(b, 11)
		b.fired(t, nine, eleven)
		if d := cmp.Diff([]string{"2026-12-01T11:00 claimed: ", "2026-12-01T10:00 skipped: the slot of 2026-12-01T09:00 still ran", "2026-12-01T09:00 ran: "}, b.reasons(t, "j1")); d != "" {
			t.Errorf("slots (-want +got):\n%s", d)
		}
	})
	t.Run("wait", func(t *testing.T) {
		b := newBench(t, "2026-12-01T08:30:00Z", with(job("j1", "0 * * * *", "UTC"), scheduler.Policy{Overlap: scheduler.Wait}))
		to(b, 9)
		to(b, 10)
		to(b, 11)
		b.fired(t, nine)
		b.restart()
		finish(b, "2026-12-01T09:00", scheduler.Ran)
		b.now = at("2026-12-01T11:07:00Z")
		b.look(t)
		b.look(t)
		b.fired(t, nine, eleven)
		if d := cmp.Diff([]string{"2026-12-01T11:00 claimed: waits until the slot of 2026-12-01T09:00 has ended", "2026-12-01T10:00 skipped: a later one took its place", "2026-12-01T09:00 ran: "}, b.reasons(t, "j1")); d != "" {
			t.Errorf("slots (-want +got):\n%s", d)
		}
	})
	t.Run("a question does not hold it up", func(t *testing.T) {
		b := newBench(t, "2026-12-01T08:30:00Z", job("j1", "0 * * * *", "UTC"))
		to(b, 9)
		finish(b, "2026-12-01T09:00", scheduler.Blocked)
		to(b, 10)
		b.fired(t, nine, ten)
	})
	t.Run("one of which nothing is heard does not for ever", func(t *testing.T) {
		b := newBench(t, "2026-12-01T08:30:00Z", job("j1", "0 9,16 * * *", "UTC"))
		to(b, 9)
		to(b, 16)
		b.fired(t, nine, "job/j1@2026-12-01T16:00@UTC")
	})
}

// Issue 6: in quiet hours nothing begins; what was due begins at their end, once, on the
// wall of the job's zone, and is still the slot of its time.
func TestQuietHoursDeferToTheirEnd(t *testing.T) {
	quiet := func(text string) scheduler.Policy {
		q, err := scheduler.ParseQuiet(text)
		if err != nil {
			t.Fatal(err)
		}
		return scheduler.Policy{Quiet: q}
	}
	for name, tt := range map[string]struct {
		spec, zone, quiet, from, until string
		fired                          []string // with the time at which it began
	}{
		"over midnight":          {"0 3 * * *", "UTC", "22:00-07:00", "2026-12-01T01:00:00Z", "2026-12-01T12:00:00Z", []string{"2026-12-01T03:00 at 07:00"}},
		"before midnight":        {"30 23 * * *", "UTC", "22:00-07:00", "2026-12-01T12:00:00Z", "2026-12-02T12:00:00Z", []string{"2026-12-01T23:30 at 07:00"}},
		"within a day":           {"0 13 * * *", "UTC", "12:30-14:00", "2026-12-01T12:00:00Z", "2026-12-01T15:00:00Z", []string{"2026-12-01T13:00 at 14:00"}},
		"their end is not quiet": {"0 7 * * *", "UTC", "22:00-07:00", "2026-12-01T06:00:00Z", "2026-12-01T08:00:00Z", []string{"2026-12-01T07:00 at 07:00"}},
		"of several the newest":  {"0 * * * *", "UTC", "22:00-07:30", "2026-12-01T03:30:00Z", "2026-12-01T08:30:00Z", []string{"2026-12-01T07:00 at 07:30", "2026-12-01T08:00 at 08:00"}},
		"elsewhere":              {"0 3 * * *", "Asia/Shanghai", "22:00-07:00", "2026-11-30T18:00:00Z", "2026-12-01T02:00:00Z", []string{"2026-12-01T03:00 at 23:00"}},
		"the clock goes forward": {"0 1 * * *", "Europe/Berlin", "00:30-02:30", "2026-03-28T23:10:00Z", "2026-03-29T04:00:00Z", []string{"2026-03-29T01:00 at 01:00"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, tt.from, with(job("j1", tt.spec, tt.zone), quiet(tt.quiet)))
			var got []string
			b.runner.then = func(f scheduler.Firing) {
				got = append(got, f.Slot.Nominal+" at "+b.now.Format("15:04"))
				if !f.Due.Equal(b.now) {
					t.Errorf("due %s, began %s", f.Due, b.now)
				}
				if err := b.store.Finish(t.Context(), f.Key, scheduler.Ran, "", "", b.now); err != nil {
					t.Error(err)
				}
			}
			for ; b.now.Before(at(tt.until)); b.now = b.now.Add(10 * time.Minute) {
				b.restart()
				b.look(t)
			}
			if d := cmp.Diff(tt.fired, got); d != "" {
				t.Errorf("began (-want +got):\n%s", d)
			}
		})
	}
	for _, bad := range []string{"22-7", "22:00", "25:00-07:00", "07:00-07:00", "night"} {
		if q, err := scheduler.ParseQuiet(bad); err == nil {
			t.Errorf("quiet hours %q = %+v", bad, q)
		}
	}
}

// C29: jobs that are due at once begin one after the other, each always at its own moment.
func TestC29JobsAreSpread(t *testing.T) {
	var jobs []scheduler.Job
	for i := range 20 {
		jobs = append(jobs, with(job(fmt.Sprint("j", i), "0 8 * * *", "UTC"), scheduler.Policy{Stagger: 10 * time.Minute}))
	}
	began := map[string][]time.Duration{}
	b := newBench(t, "2026-12-01T07:59:00Z", jobs...)
	b.runner.then = func(f scheduler.Firing) {
		began[f.Job.ID] = append(began[f.Job.ID], b.now.Sub(f.Slot.At).Truncate(10*time.Second))
		if err := b.store.Finish(t.Context(), f.Key, scheduler.Ran, "", "", b.now); err != nil {
			t.Error(err)
		}
	}
	for range 2 {
		for range 72 {
			b.look(t)
			b.now = b.now.Add(10 * time.Second)
		}
		b.now = b.now.Add(24*time.Hour - 12*time.Minute)
	}
	moments := map[time.Duration]bool{}
	for id, at := range began {
		if len(at) != 2 || at[0] != at[1] || at[0] > 10*time.Minute {
			t.Errorf("%s began %v after its time", id, at)
			continue
		}
		moments[at[0]] = true
	}
	if len(began) != 20 || len(moments) < 10 {
		t.Errorf("%d jobs began at %d moments", len(began), len(moments))
	}
}

// C5, Issue 6: a slot that has failed for what may pass is tried again, later and later,
// and no more once that is enough or the next slot has come.
func TestC5AFailureThatMayPassIsTriedAgain(t *testing.T) {
	const key = "job/j1@2026-12-01T09:00@UTC"
	fail := func(b *bench, run string, anew bool) time.Time {
		t.Helper()
		k := scheduler.NewKeeper(b.store, scheduler.Policy{}, func() time.Time { return b.now })
		again, err := k.Failed(t.Context(), run, "the model is away", "", anew)
		if err != nil {
			t.Fatal(err)
		}
		return again
	}
	t.Run("later and later", func(t *testing.T) {
		b := newBench(t, "2026-12-01T09:00:00Z", job("j1", "0 9 * * *", "UTC"))
		b.look(t)
		var pauses []time.Duration
		for range 4 {
			again := fail(b, key, false)
			if twice := fail(b, key, false); !again.IsZero() && !twice.Equal(again) {
				t.Errorf("told twice it is tried at %s and at %s", again, twice)
			}
			if again.IsZero() {
				break
			}
			pauses = append(pauses, again.Sub(b.now))
			b.restart()
			b.look(t)
			b.now = again
			b.look(t)
		}
		b.fired(t, key, key, key, key)
		if d := cmp.Diff([]time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute}, pauses); d != "" {
			t.Errorf("pauses (-want +got):\n%s", d)
		}
		for i, f := range b.runner.firings() {
			if f.Try != i {
				t.Errorf("firing %d is try %d", i, f.Try)
			}
		}
		if d := cmp.Diff([]string{"2026-12-01T09:00 failed: the model is away"}, b.reasons(t, "j1")); d != "" {
			t.Errorf("slots (-want +got):\n%s", d)
		}
	})
	t.Run("anew", func(t *testing.T) {
		b := newBench(t, "2026-12-01T09:00:00Z", job("j1", "0 9 * * *", "UTC"))
		b.look(t)
		b.now = fail(b, key, true)
		b.look(t)
		b.fired(t, key, key+"/try2")
		if again := fail(b, "job/none@x@UTC", true); !again.IsZero() {
			t.Errorf("what is no slot is tried again at %s", again)
		}
	})
	t.Run("never after the next one", func(t *testing.T) {
		b := newBench(t, "2026-12-01T09:00:00Z", job("j1", "* * * * *", "UTC"))
		b.look(t)
		if again := fail(b, key, false); !again.IsZero() {
			t.Errorf("tried again at %s, when the next slot is due", again)
		}
		b = newBench(t, "2026-12-01T09:00:00Z", job("j1", "0 * * * *", "UTC"))
		b.look(t)
		fail(b, key, false)
		b.now = at("2026-12-01T11:30:00Z")
		b.restart()
		b.look(t)
		b.fired(t, key, "job/j1@2026-12-01T11:00@UTC")
		b.rows(t, "j1", "2026-12-01T11:00 claimed", "2026-12-01T10:00 missed", "2026-12-01T09:00 failed")
	})
	t.Run("never", func(t *testing.T) {
		b := newBench(t, "2026-12-01T09:00:00Z", with(job("j1", "0 9 * * *", "UTC"), scheduler.Policy{Retries: -1}))
		b.look(t)
		if again := fail(b, key, false); !again.IsZero() {
			t.Errorf("tried again at %s", again)
		}
		b.rows(t, "j1", "2026-12-01T09:00 failed")
	})
}
