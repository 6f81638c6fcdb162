package scheduler_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hermes/scheduler"
	"hermes/scheduler/calendar"
	"hermes/scheduler/schedulertest"
)

// C1: a due slot fires once, however often it is looked at and by whom.
func TestC1ADueSlotFiresOnce(t *testing.T) {
	b := newBench(t, "2026-12-01T08:59:55Z", job("j1", "0 9 * * *", "UTC"))
	if again := b.look(t); !again.Equal(at("2026-12-01T09:00:00Z")) {
		t.Errorf("looks again at %s, want when the slot is due", again)
	}
	b.fired(t)
	b.now = at("2026-12-01T09:00:00Z")
	for range 3 {
		b.look(t)
	}
	b.restart()
	b.look(t)
	b.fired(t, "job/j1@2026-12-01T09:00@UTC")
	b.rows(t, "j1", "2026-12-01T09:00 claimed")
}

// C1, C5: a slot whose program died between claim and hand-over, or between that
// and its note, fires again with the key that it had.
func TestC1KilledBetweenClaimAndFireIsFiredAgainWithItsKey(t *testing.T) {
	const key = "job/j1@2026-12-01T09:00@UTC"
	for name, tt := range map[string]struct {
		spoil func(*bench)
		want  []string
	}{
		"before the runner has it": {func(b *bench) { b.runner.fail["j1"] = 1 }, []string{key}},
		"before that is noted":     {func(b *bench) { b.store.lostNotes = 1 }, []string{key, key}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "2026-12-01T09:00:00Z", job("j1", "0 9 * * *", "UTC"))
			tt.spoil(b)
			b.look(t)
			b.restart()
			b.now = at("2026-12-01T09:01:00Z")
			b.look(t)
			b.look(t)
			b.fired(t, tt.want...)
			b.rows(t, "j1", "2026-12-01T09:00 claimed")
		})
	}
}

// Issue 5: who runs a slot is told when the next one is, which is how long its question
// may wait: by the wall of the job's zone, also when the slot is late. After the last
// there is none.
func TestAFiringKnowsTheNextSlot(t *testing.T) {
	for name, tt := range map[string]struct{ spec, zone, now, want string }{
		"daily":                  {"0 9 * * *", "UTC", "2026-12-01T09:00:00Z", "2026-12-02T09:00:00Z"},
		"daily, over a change":   {"0 9 * * *", "Europe/Berlin", "2026-10-24T07:00:00Z", "2026-10-25T08:00:00Z"},
		"late by two and a half": {"0 9 * * *", "UTC", "2026-12-03T21:00:00Z", "2026-12-04T09:00:00Z"},
		"once":                   {"@once 2026-12-01T09:00", "UTC", "2026-12-01T09:00:00Z", ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "2026-10-24T06:00:00Z", job("j1", tt.spec, tt.zone))
			b.now = at(tt.now)
			got := []string{}
			b.runner.then = func(f scheduler.Firing) {
				if f.Next.IsZero() {
					got = append(got, "")
					return
				}
				got = append(got, f.Next.UTC().Format(time.RFC3339))
			}
			b.look(t)
			if diff := cmp.Diff([]string{tt.want}, got); diff != "" {
				t.Errorf("next slots (-want +got):\n%s", diff)
			}
		})
	}
}

// A run that ends before its hand-over is noted finds its slot.
func TestASlotHasItsRunFromTheClaimOn(t *testing.T) {
	b := newBench(t, "2026-12-01T09:00:00Z", job("j1", "0 9 * * *", "UTC"))
	b.runner.then = func(f scheduler.Firing) {
		if err := b.store.Finish(t.Context(), f.Key, scheduler.Ran, "", "https://x", b.now); err != nil {
			t.Error(err)
		}
	}
	b.look(t)
	b.look(t)
	b.fired(t, "job/j1@2026-12-01T09:00@UTC")
	b.rows(t, "j1", "2026-12-01T09:00 ran")
}

// C2, C3, C7: of the slots that passed while the program was away the newest runs
// and the others are written down.
func TestC2OfManyMissedSlotsTheNewestRuns(t *testing.T) {
	b := newBench(t, "2026-12-01T09:00:30Z", job("j1", "* * * * *", "UTC"))
	b.now = at("2026-12-01T09:27:30Z")
	b.look(t)
	b.look(t)
	b.fired(t, "job/j1@2026-12-01T09:27@UTC")
	slots, err := b.store.Slots(t.Context(), "j1", 100)
	if err != nil || len(slots) != 27 {
		t.Fatalf("%d rows, %v; want 27", len(slots), err)
	}
	for _, s := range slots[1:] {
		if s.State != scheduler.Missed || s.Reason == "" || s.Run != "" {
			t.Errorf("slot %s = %s, %q, run %q; want missed with a reason and no run", s.Nominal, s.State, s.Reason, s.Run)
		}
	}
}

// C7: every slot in 90 days has exactly one row, however often the program was
// away, killed, or could not hand over; and none fires under two keys.
func TestC7EverySlotInNinetyDaysHasOneRow(t *testing.T) {
	const zone = "Asia/Kathmandu"
	spec, err := calendar.Parse("15 9,21 * * *")
	if err != nil {
		t.Fatal(err)
	}
	loc := load(t, zone)
	rapid.Check(t, func(r *rapid.T) {
		b := newBench(r, "2026-03-01T00:00:00Z", job("j1", spec.String(), zone))
		b.ending(r)
		began := b.now
		for b.now.Before(began.AddDate(0, 0, 90)) {
			hours := rapid.SampledFrom([]int{0, 1, 11, 12, 13, 30, 100, 200}).Draw(r, "hours")
			b.now = b.now.Add(time.Duration(hours)*time.Hour + time.Duration(rapid.IntRange(1, 600).Draw(r, "seconds"))*time.Second)
			switch rapid.IntRange(0, 5).Draw(r, "trouble") {
			case 0:
				b.runner.fail["j1"] = 1
			case 1:
				b.store.lostNotes = 1
			case 2:
				b.restart()
			}
			b.look(r)
		}
		b.runner.fail["j1"], b.store.lostNotes = 0, 0
		b.look(r)
		var want, got []string
		for t := began; ; {
			next, ok := spec.Next(t, loc)
			if !ok || next.At.After(b.now) {
				break
			}
			want, t = append(want, next.Nominal), next.At
		}
		slots, err := b.store.Slots(b.ctx, "j1", 1000)
		if err != nil {
			r.Fatal(err)
		}
		open := 0
		for _, s := range slots {
			got = append([]string{s.Nominal}, got...)
			if s.State == scheduler.Ran {
				open++
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			r.Errorf("slots (-due +rows):\n%s", d)
		}
		keys := map[string]bool{}
		for _, f := range b.runner.firings() {
			keys[f.Key] = true
		}
		if len(keys) != open {
			r.Errorf("%d slots were fired, %d rows say so", len(keys), open)
		}
	})
}

// C4: nine o'clock is nine o'clock where the job lives, after a restart too.
func TestC4ARestartKnowsTheZoneOfTheJob(t *testing.T) {
	for _, zone := range []string{"Etc/GMT+12", "Pacific/Honolulu", "UTC", "Asia/Kathmandu", "Etc/GMT-12", "Pacific/Kiritimati"} {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			loc := load(t, zone)
			day := time.Date(2026, 12, 2, 9, 0, 0, 0, loc)
			b := newBench(t, "2026-11-01T00:00:00Z", job("j1", "0 9 * * *", zone))
			b.now = day.AddDate(0, 0, -1)
			b.look(t)
			b.restart()
			b.now = time.Date(2026, 12, 2, 1, 24, 0, 0, loc).UTC()
			b.look(t)
			b.now = day.Add(-time.Second).UTC()
			b.look(t)
			b.fired(t, "job/j1@2026-12-01T09:00@"+zone)
			b.now = day.UTC()
			b.look(t)
			b.fired(t, "job/j1@2026-12-01T09:00@"+zone, "job/j1@2026-12-02T09:00@"+zone)
			if f := b.runner.firings()[1]; !f.Slot.At.Equal(day) || f.Slot.From.In(loc).Format(time.DateTime) != "2026-12-01 00:00:00" {
				t.Errorf("slot = %+v, want 9:00 of its zone, about the day before", f.Slot)
			}
		})
	}
}

// C13, C14: a clock that is set fires nothing twice and nothing in a burst.
func TestC14AClockThatIsSetFiresNothingTwice(t *testing.T) {
	b := newBench(t, "2026-12-01T09:59:00Z", job("j1", "0 * * * *", "UTC"), job("j2", "* * * * *", "UTC"))
	b.ending(t)
	b.now = at("2026-12-01T10:00:00Z")
	b.look(t)
	b.fired(t, "job/j1@2026-12-01T10:00@UTC", "job/j2@2026-12-01T10:00@UTC")

	b.now = at("2026-12-01T08:00:00Z") // back
	for ; b.now.Before(at("2026-12-01T10:00:30Z")); b.now = b.now.Add(7 * time.Minute) {
		b.look(t)
	}
	b.fired(t, "job/j1@2026-12-01T10:00@UTC", "job/j2@2026-12-01T10:00@UTC")

	b.now = at("2026-12-01T12:00:10Z") // forward
	b.look(t)
	b.fired(t, "job/j1@2026-12-01T10:00@UTC", "job/j2@2026-12-01T10:00@UTC", "job/j1@2026-12-01T12:00@UTC", "job/j2@2026-12-01T12:00@UTC")
	if slots, err := b.store.Slots(t.Context(), "j2", 1000); err != nil || len(slots) != 122 {
		t.Errorf("%d rows of the minutely job, %v; want 122", len(slots), err)
	}
}

// Nothing of a pause runs, neither in it nor after it; what was claimed just before
// it is written down as skipped.
func TestNothingOfAPauseRuns(t *testing.T) {
	b := newBench(t, "2026-12-01T08:00:00Z", job("j1", "0 9 * * *", "UTC"))
	b.runner.fail["j1"] = 1
	b.now = at("2026-12-01T09:00:00Z")
	b.look(t)
	b.set(t, "j1", scheduler.Paused)
	for range 3 {
		b.now = b.now.Add(24 * time.Hour)
		b.look(t)
	}
	b.fired(t)
	b.now = b.now.Add(time.Hour)
	b.set(t, "j1", scheduler.Active)
	b.look(t)
	b.fired(t)
	b.now = at("2026-12-05T09:00:00Z")
	b.look(t)
	b.fired(t, "job/j1@2026-12-05T09:00@UTC")
	b.rows(t, "j1", "2026-12-05T09:00 claimed", "2026-12-01T09:00 skipped")
}

// What was claimed of a job and not handed over does not run once it is deleted.
func TestADeletedJobFiresNothing(t *testing.T) {
	b := newBench(t, "2026-12-01T09:00:00Z", job("j1", "0 9 * * *", "UTC"))
	b.runner.fail["j1"] = 1
	b.look(t)
	b.set(t, "j1", scheduler.Deleted)
	b.now = at("2026-12-03T09:00:00Z")
	b.look(t)
	b.fired(t)
	b.rows(t, "j1", "2026-12-01T09:00 skipped")
}

// A job for one time ends with it, and fires it even if the hand-over failed first.
func TestAJobForOneTimeEnds(t *testing.T) {
	for name, fails := range map[string]int{"at once": 0, "at the third try": 2} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "2026-11-30T08:00:00Z", job("j1", "@once 2026-12-01T09:00", "Asia/Shanghai"))
			b.runner.fail["j1"] = fails
			b.now = at("2026-12-01T01:00:00Z")
			for range 4 {
				b.look(t)
				b.now = b.now.Add(10 * time.Second)
			}
			b.fired(t, "job/j1@2026-12-01T09:00@Asia/Shanghai")
			j, err := b.store.Job(t.Context(), "j1")
			if err != nil || j.State != scheduler.Ended {
				t.Errorf("job is %s, %v; want it ended", j.State, err)
			}
		})
	}
}

// C8: one broken job does not hold up the others.
func TestC8OneBrokenJobDoesNotHoldUpOthers(t *testing.T) {
	for name, broken := range map[string]func(*bench){
		"a schedule that is none": func(b *bench) { b.add(job("bad", "TZ=UTC", "UTC")) },
		"a zone that is none":     func(b *bench) { b.add(job("bad", "0 9 * * *", "Mars/Olympus")) },
		"a runner that refuses it": func(b *bench) {
			b.add(job("bad", "0 9 * * *", "UTC"))
			b.runner.fail["bad"] = 1000
		},
		"a slot without its job": func(b *bench) {
			s := scheduler.Slot{Job: "gone", Nominal: "2026-12-01T08:00", Zone: "UTC", At: b.now, State: scheduler.Claimed}
			if _, err := b.store.Claim(b.ctx, s); err != nil {
				b.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "2026-12-01T08:00:00Z")
			broken(b)
			b.add(job("good", "0 9 * * *", "UTC"))
			for _, now := range []string{"2026-12-01T09:00:00Z", "2026-12-02T09:00:00Z"} {
				b.now = at(now)
				b.look(t)
			}
			b.fired(t, "job/good@2026-12-01T09:00@UTC", "job/good@2026-12-02T09:00@UTC")
		})
	}
}

// A rehearsal runs a slot under a key of its own, claims nothing, and leaves the
// slot to its time.
func TestARehearsalClaimsNothing(t *testing.T) {
	b := newBench(t, "2026-12-15T12:00:00Z", job("j1", "0 9 1 * *", "Asia/Shanghai"))
	keys := map[string]bool{}
	for now, want := range map[string]string{
		"2026-12-01T09:00:00+08:00": "2026-12-01T09:00",
		"2026-12-01T09:00:01+08:00": "2027-01-01T09:00",
		"2026-12-15T12:00:00Z":      "2027-01-01T09:00",
	} {
		b.now = b.now.Add(time.Second)
		key, err := b.Rehearse(t.Context(), "j1", at(now))
		if err != nil || keys[key] {
			t.Fatalf("rehearse at %s = %q, %v; want a new key", now, key, err)
		}
		keys[key] = true
		all := b.runner.firings()
		f := all[len(all)-1]
		if !f.Rehearse || f.Key != key || f.Slot.Nominal != want {
			t.Errorf("fired %+v at %s, want a rehearsal of %s under %s", f, now, want, key)
		}
		if from := f.Slot.From.In(load(t, "Asia/Shanghai")); !from.Equal(f.Slot.At.AddDate(0, -1, 0).Add(-9 * time.Hour)) {
			t.Errorf("%s is about the time from %s", f.Slot.Nominal, from)
		}
	}
	b.rows(t, "j1")
	b.now = at("2027-01-01T09:00:00+08:00")
	b.look(t)
	b.rows(t, "j1", "2027-01-01T09:00 claimed")

	if _, err := b.Rehearse(t.Context(), "none", b.now); !errors.Is(err, scheduler.ErrNoJob) {
		t.Errorf("rehearse of no job = %v, want ErrNoJob", err)
	}
	b.add(job("over", "@once 2026-12-01T09:00", "UTC"))
	if _, err := b.Rehearse(t.Context(), "over", b.now); err == nil || !strings.Contains(err.Error(), "no slot at or after") {
		t.Errorf("rehearse of what is over = %v", err)
	}
}

// C26: a slot that runs late is about the period it was made for.
func TestC26ALateSlotIsAboutItsOwnPeriod(t *testing.T) {
	b := newBench(t, "2026-09-02T00:00:00Z", job("j1", "0 9 1 * *", "Europe/Berlin"))
	b.now = at("2026-10-03T17:00:00Z")
	b.look(t)
	b.fired(t, "job/j1@2026-10-01T09:00@Europe/Berlin")
	s := b.runner.firings()[0].Slot
	berlin := load(t, "Europe/Berlin")
	got := []string{s.At.In(berlin).Format(time.DateTime), s.From.In(berlin).Format(time.DateTime), s.To.In(berlin).Format(time.DateTime)}
	if d := cmp.Diff([]string{"2026-10-01 09:00:00", "2026-09-01 00:00:00", "2026-10-01 00:00:00"}, got); d != "" {
		t.Errorf("slot, from, to (-want +got):\n%s", d)
	}
	if !scheduler.IsLate(s.At, b.now) {
		t.Error("two days later is not late")
	}
}

// A tick and a restart are not late.
func TestWhatIsLate(t *testing.T) {
	nine := at("2026-12-01T09:00:00Z")
	for d, want := range map[time.Duration]bool{-time.Hour: false, 0: false, 10 * time.Second: false, 5 * time.Minute: false, 6 * time.Minute: true} {
		if got := scheduler.IsLate(nine, nine.Add(d)); got != want {
			t.Errorf("IsLate after %s = %t, want %t", d, got, want)
		}
	}
}

// C13: Run fires when a slot is due, and notices within a tick that the clock was
// set or that the host slept.
func TestC13RunWakesWithinATick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, "2000-01-01T00:00:00Z", job("j1", "17 * * * *", "UTC"))
		var mu sync.Mutex
		var skew time.Duration
		b.clock = func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			return time.Now().Add(skew)
		}
		b.restart()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- b.Run(ctx) }()

		<-time.After(17 * time.Minute)
		synctest.Wait()
		b.fired(t, "job/j1@2000-01-01T00:17@UTC")

		mu.Lock()
		skew = 8 * time.Hour // a laptop's lid was closed
		mu.Unlock()
		<-time.After(10 * time.Second)
		synctest.Wait()
		b.fired(t, "job/j1@2000-01-01T00:17@UTC", "job/j1@2000-01-01T08:17@UTC")

		stop()
		if err := <-ended; err != nil {
			t.Errorf("Run = %v, want nil at its end", err)
		}
	})
}

// C27: a slot that comes while the program is being stopped is no failure. It waits for the
// next start, and runs then, once, with its key.
func TestC27ASlotThatComesAtTheStopRunsAtTheNextStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const key = "job/j1@2000-01-01T00:17@UTC"
		b := newBench(t, "2000-01-01T00:00:00Z", job("j1", "17 0 * * *", "UTC"))
		b.clock = time.Now
		stopped, stop := context.WithCancel(t.Context())
		drain := &draining{runner: b.runner, stop: stop}
		s := scheduler.New(scheduler.NewKeeper(b.store, b.policy, b.clock), drain, slog.New(slog.DiscardHandler))
		if err := s.Run(stopped); err != nil {
			t.Errorf("Run = %v at its end, want nil", err)
		}
		if drain.refused != 1 {
			t.Fatalf("%d slots came at the stop, want 1", drain.refused)
		}
		b.rows(t, "j1", "2000-01-01T00:17 claimed")
		b.restart()
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- b.Run(ctx) }()
		<-time.After(time.Hour)
		synctest.Wait()
		b.fired(t, key)
		end()
		if err := <-ended; err != nil {
			t.Errorf("Run = %v at its end, want nil", err)
		}
	})
}

// A draining runner is told to stop as a slot comes, and takes nothing any more.
type draining struct {
	*runner
	stop    func()
	refused int
}

func (r *draining) Fire(ctx context.Context, _ scheduler.Firing) error {
	r.stop()
	r.refused++
	return ctx.Err()
}

// A store that cannot be read for a while is looked at again.
func TestRunOutlivesAStoreThatIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, "2000-01-01T00:00:00Z", job("j1", "* * * * *", "UTC"))
		b.clock = time.Now
		b.restart()
		b.store.away(true)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- b.Run(ctx) }()
		<-time.After(90 * time.Second)
		b.fired(t)
		b.store.away(false)
		<-time.After(10 * time.Second)
		synctest.Wait()
		b.fired(t, "job/j1@2000-01-01T00:01@UTC")
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Run = %v, want nil at its end", err)
		}
	})
}

// fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Helper()
	Fatal(...any)
	Errorf(string, ...any)
	Context() context.Context
}

// A bench is a Scheduler whose clock goes when it is told to.
type bench struct {
	*scheduler.Scheduler
	t      fataler
	ctx    context.Context
	store  *store
	policy scheduler.Policy
	runner *runner
	now    time.Time
	clock  func() time.Time
}

func newBench(t fataler, now string, jobs ...scheduler.Job) *bench {
	t.Helper()
	b := &bench{t: t, ctx: t.Context(), store: &store{}, runner: &runner{fail: map[string]int{}}, now: at(now)}
	b.clock = func() time.Time { return b.now }
	for _, j := range jobs {
		b.add(j)
	}
	b.restart()
	return b
}

// restart is a new process on the same store.
func (b *bench) restart() {
	b.Scheduler = scheduler.New(scheduler.NewKeeper(b.store, b.policy, func() time.Time { return b.clock() }), b.runner, slog.New(slog.DiscardHandler))
}

// add keeps a job that was made now.
func (b *bench) add(j scheduler.Job) {
	b.t.Helper()
	j.Created, j.Since = b.now.Add(-time.Second), b.now.Add(-time.Second)
	if err := b.store.Add(b.ctx, j); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) look(t fataler) time.Time {
	t.Helper()
	again, err := b.Look(b.ctx)
	if err != nil {
		t.Fatal(err)
	}
	if !again.After(b.now) || again.After(b.now.Add(10*time.Second)) {
		t.Errorf("looks again at %s after %s, want within a tick", again, b.now)
	}
	return again
}

// ending has each run end well as soon as it is fired.
func (b *bench) ending(t fataler) {
	b.runner.then = func(f scheduler.Firing) {
		if err := b.store.Finish(b.ctx, f.Key, scheduler.Ran, "", "", b.now); err != nil {
			t.Errorf("finish %s: %v", f.Key, err)
		}
	}
}

// fired checks the keys of all that the runner was given so far.
func (b *bench) fired(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for _, f := range b.runner.firings() {
		got = append(got, f.Key)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("fired (-want +got):\n%s", d)
	}
}

// rows checks the slots of a job, the newest first.
func (b *bench) rows(t *testing.T, id string, want ...string) {
	t.Helper()
	slots, err := b.store.Slots(t.Context(), id, 100)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range slots {
		got = append(got, fmt.Sprintf("%s %s", s.Nominal, s.State))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("slots (-want +got):\n%s", d)
	}
}

// set changes the state of a job as the tools do.
func (b *bench) set(t *testing.T, id string, to scheduler.State) {
	t.Helper()
	j, err := b.store.Job(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if j.State = to; to == scheduler.Active {
		j.Since = b.now
	}
	if _, err := b.store.Update(t.Context(), j); err != nil {
		t.Fatal(err)
	}
}

// A store loses notes, or is away, when it is told to.
type store struct {
	schedulertest.Store
	mu        sync.Mutex
	gone      bool
	lostNotes int
}

func (s *store) away(is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = is
}

func (s *store) Unfired(ctx context.Context) ([]scheduler.Slot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return nil, errors.New("disk is away")
	}
	return s.Store.Unfired(ctx)
}

func (s *store) Fired(ctx context.Context, key, runKey string) error {
	if s.lostNotes > 0 {
		s.lostNotes--
		return errors.New("power cut")
	}
	return s.Store.Fired(ctx, key, runKey)
}

// A runner remembers what it was given, and fails so often for a job.
type runner struct {
	mu   sync.Mutex
	all  []scheduler.Firing
	fail map[string]int
	then func(scheduler.Firing)
}

func (r *runner) Fire(_ context.Context, f scheduler.Firing) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fail[f.Job.ID] > 0 {
		r.fail[f.Job.ID]--
		return errors.New("inbox is away")
	}
	r.all = append(r.all, f)
	if r.then != nil {
		r.then(f)
	}
	return nil
}

func (r *runner) firings() []scheduler.Firing {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]scheduler.Firing(nil), r.all...)
}

func job(id, spec, zone string) scheduler.Job {
	return scheduler.Job{ID: id, Spec: spec, Zone: zone, State: scheduler.Active}
}

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t.UTC()
}

func load(t testing.TB, zone string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}
