package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/run"
	"hermes/internal/store"
	"hermes/scheduler"
)

func job(id string, c *clock) scheduler.Job {
	return scheduler.Job{
		ID: id, Name: "Sales", Spec: "0 9 1 * *", Zone: "Asia/Shanghai", Request: "sales <b>", Origin: home.String(), To: sales.String(), ToName: "#sales",
		Owner: ann, Lang: "en", State: scheduler.Active, Created: c.now(), Since: c.now(),
	}
}

func slot(nominal string, at time.Time) scheduler.Slot {
	return scheduler.Slot{Job: "j1", Nominal: nominal, Zone: "Asia/Shanghai", At: at, From: at.AddDate(0, -1, 0), To: at, State: scheduler.Claimed, Claimed: at}
}

// Jobs are changed by one at a time, and never lost.
func TestJobs(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		jobs := d.Jobs()
		if _, err := jobs.Job(ctx, "j1"); !errors.Is(err, scheduler.ErrNoJob) {
			t.Errorf("an unknown job = %v", err)
		}
		j := job("j1", c)
		ok(t, jobs.Add(ctx, j))
		again := j
		again.Name = "Another"
		ok(t, jobs.Add(ctx, again))
		c.pass(time.Second)
		ok(t, jobs.Add(ctx, job("j2", c)))
		if diff := cmp.Diff(j, must[scheduler.Job](t)(jobs.Job(ctx, "j1"))); diff != "" {
			t.Errorf("added (-) and got (+):\n%s", diff)
		}
		paused := j
		paused.State = scheduler.Paused
		if got := must[scheduler.Job](t)(jobs.Update(ctx, paused)); got.Version != j.Version+1 {
			t.Errorf("version %d after %d", got.Version, j.Version)
		}
		if _, err := jobs.Update(ctx, j); !errors.Is(err, scheduler.ErrChanged) {
			t.Errorf("update of an old version = %v, want ErrChanged", err)
		}
		if _, err := jobs.Update(ctx, job("none", c)); !errors.Is(err, scheduler.ErrNoJob) {
			t.Errorf("update of no job = %v, want ErrNoJob", err)
		}
		r := asking(t, d, "m1", c.now())
		must[run.Question](t)(d.Runs().Settle(ctx, answer(r, "press", ann, run.Always, c.now())))
		deleted := must[scheduler.Job](t)(jobs.Job(ctx, "j1"))
		deleted.State = scheduler.Deleted
		must[scheduler.Job](t)(jobs.Update(ctx, deleted))
		if gs := must[[]run.Grant](t)(d.Runs().Grants(ctx, "j1")); len(gs) != 0 {
			t.Errorf("grants of a deleted job: %+v", gs)
		}
		if list := must[[]scheduler.Job](t)(jobs.Jobs(ctx)); len(list) != 1 || list[0].ID != "j2" {
			t.Errorf("jobs = %+v, want j2 alone", list)
		}
		if got := must[scheduler.Job](t)(jobs.Job(ctx, "j1")); got.State != scheduler.Deleted {
			t.Errorf("a deleted job is %s", got.State)
		}
	})
}

// C16: two who change a job at once lose nothing of each other: whoever comes second is told,
// reads again and writes what both wanted.
func TestC16TwoWritersLoseNothing(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		const each = 500
		ctx, c := t.Context(), newClock()
		jobs := open(t, store.Config{DSN: dsn, Now: c.now}).Jobs()
		first := job("j1", c)
		first.Name, first.Request = "", ""
		ok(t, jobs.Add(ctx, first))
		write := func(change func(*scheduler.Job)) error {
			for range each {
				for {
					j, err := jobs.Job(ctx, "j1")
					if err != nil {
						return err
					}
					change(&j)
					if _, err = jobs.Update(ctx, j); err == nil {
						break
					} else if !errors.Is(err, scheduler.ErrChanged) {
						return err
					}
				}
			}
			return nil
		}
		ended := make(chan error, 2)
		go func() { ended <- write(func(j *scheduler.Job) { j.Name += "n" }) }()
		go func() { ended <- write(func(j *scheduler.Job) { j.Request += "r" }) }()
		ok(t, errors.Join(<-ended, <-ended))
		got := must[scheduler.Job](t)(jobs.Job(ctx, "j1"))
		if len(got.Name) != each || len(got.Request) != each || got.Version != first.Version+2*each {
			t.Errorf("%d and %d changes are kept, version %d; want %d of each and version %d", len(got.Name), len(got.Request), got.Version, each, first.Version+2*each)
		}
	})
}

// C18: a job is known by its key, so that an upgrade that is done twice, with all that it
// brings along, leaves each job once, as it was.
func TestC18AnUpgradeDoneTwiceDoublesNothing(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		j := job("j1", c)
		ok(t, d.Jobs().Add(ctx, j))
		due := slot("2026-12-01T09:00", c.now())
		must[bool](t)(d.Jobs().Claim(ctx, due))
		for range 2 {
			ok(t, d.Close())
			d = open(t, store.Config{DSN: dsn, Now: c.now})
			ok(t, d.Jobs().Add(ctx, j))
			if first := must[bool](t)(d.Jobs().Claim(ctx, due)); first {
				t.Error("a slot is claimed again after an upgrade")
			}
			if diff := cmp.Diff([]scheduler.Job{j}, must[[]scheduler.Job](t)(d.Jobs().Jobs(ctx))); diff != "" {
				t.Errorf("jobs before (-) and after (+):\n%s", diff)
			}
		}
	})
}

// C1: a slot is claimed once, by its nominal time.
func TestSlots(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		jobs := open(t, store.Config{DSN: dsn, Now: c.now}).Jobs()
		if _, found, err := jobs.Last(ctx, "j1"); found || err != nil {
			t.Errorf("last of nothing = %v, %v", found, err)
		}
		z := must[*time.Location](t)(time.LoadLocation("Asia/Shanghai"))
		first, second := slot("2026-11-01T09:00", time.Date(2026, 11, 1, 9, 0, 0, 0, z)), slot("2026-12-01T09:00", time.Date(2026, 12, 1, 9, 0, 0, 0, z))
		for i, want := range []bool{true, false} {
			if got := must[bool](t)(jobs.Claim(ctx, first)); got != want {
				t.Errorf("claim %d = %v", i, got)
			}
		}
		missed := second
		missed.State, missed.Reason = scheduler.Missed, "the program was away"
		must[bool](t)(jobs.Claim(ctx, missed))
		last, found, err := jobs.Last(ctx, "j1")
		if err != nil || !found {
			t.Fatalf("last = %v, %v", found, err)
		}
		if diff := cmp.Diff(missed, last, cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })); diff != "" {
			t.Errorf("claimed (-) and got (+):\n%s", diff)
		}
		if last.From.Format(time.DateOnly) != "2026-11-01" {
			t.Errorf("the period begins on %s, which is not its zone's", last.From)
		}
		un := must[[]scheduler.Slot](t)(jobs.Unfired(ctx))
		if len(un) != 1 || un[0].Nominal != first.Nominal {
			t.Fatalf("unfired = %+v, want the first", un)
		}
		ok(t, jobs.Fired(ctx, first.Key(), "run1"))
		if un = must[[]scheduler.Slot](t)(jobs.Unfired(ctx)); len(un) != 0 {
			t.Errorf("unfired = %+v after it fired", un)
		}
		ok(t, jobs.Finish(ctx, "run1", scheduler.Ran, "", "https://x", c.now()))
		ok(t, jobs.Finish(ctx, "a rehearsal", scheduler.Ran, "", "", c.now()))
		all := must[[]scheduler.Slot](t)(jobs.Slots(ctx, "j1", 9))
		if len(all) != 2 || all[1].State != scheduler.Ran || all[1].Link != "https://x" || all[1].Run != "run1" || !all[1].Ended.Equal(c.now()) {
			t.Errorf("slots = %+v", all)
		}
	})
}
