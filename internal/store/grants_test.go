package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"hermes/agent/run"
	"hermes/internal/store"
	"hermes/scheduler"
)

// likely is a saved Run that waits for an answer to an approval with scopes.
func likely(t *testing.T, d *store.DB, key string, now time.Time) run.Run {
	t.Helper()
	r := heard(begun(key, now), "post_message")
	call := r.OpenCalls()[0]
	hash := must[string](t)(run.HashArgs(call.Name, call.Args))
	scope := run.Grant{Owner: ann, Home: "test/w/C1/", Label: "#sales", Tool: "post_message", Control: "c", Until: now.Add(48 * time.Hour), Max: 2}
	wide := scope
	wide.Home, wide.Until = "", now.Add(30*24*time.Hour)
	r = r.Ask(run.Question{
		Kind:    run.Approve,
		Calls:   []run.Planned{{ID: call.ID, Name: call.Name, Args: call.Args, Hash: hash}},
		Options: []run.Option{{ID: run.Yes, Calls: []string{call.ID}}, {ID: run.Like, Calls: []string{call.ID}}, {ID: run.No}},
		Scopes:  []run.Grant{scope, wide},
	}, now.Add(time.Hour))
	return must[run.Run](t)(d.Runs().Save(t.Context(), r))
}

// SAFE-06: the scope that was chosen stands, with all that it says and by whom; the
// others do not. It is counted, ends by itself, and is revoked once, which the audit says.
func TestSAFE06AChosenScopeStands(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		runs := d.Runs()
		r := likely(t, d, "m1", c.now())
		a := answer(r, "press", bob, run.Like, c.now())
		a.Scope = r.Questions[0].Scopes[0].ID
		for range 2 {
			must[run.Question](t)(runs.Settle(ctx, a))
		}
		all := must[[]run.Grant](t)(runs.Standing(ctx, ann))
		if len(all) != 1 {
			t.Fatalf("standing = %+v, want one", all)
		}
		g := all[0]
		if g.ID != a.Scope || g.Owner != ann || g.By != bob || g.Home != "test/w/C1/" || g.Label != "#sales" || g.Job != "" || g.Max != 2 || g.Question != r.Questions[0].ID || !g.Given.Equal(c.now()) {
			t.Errorf("grant = %+v", g)
		}
		if got := must[run.Grant](t)(runs.Grant(ctx, g.ID)); got != g {
			t.Errorf("grant by its id = %+v, want %+v", got, g)
		}
		for owner, want := range map[string]int{"": 1, bob: 0} {
			if got := must[[]run.Grant](t)(runs.Standing(ctx, owner)); len(got) != want {
				t.Errorf("standing of %q = %+v", owner, got)
			}
		}
		other := likely(t, d, "m2", c.now())
		b := answer(other, "press2", bob, run.Like, c.now())
		b.Scope = other.Questions[0].Scopes[1].ID
		must[run.Question](t)(runs.Settle(ctx, b))
		c.pass(49 * time.Hour)
		if got := must[[]run.Grant](t)(runs.Standing(ctx, ann)); len(got) != 1 || got[0].ID != b.Scope {
			t.Errorf("after the end of one: %+v", got)
		}
		for range 2 {
			if got := must[run.Grant](t)(runs.Revoke(ctx, b.Scope, ann)); got.Revoked.IsZero() {
				t.Errorf("revoked = %+v", got)
			}
		}
		if got := must[[]run.Grant](t)(runs.Standing(ctx, "")); len(got) != 0 {
			t.Errorf("after it was revoked: %+v", got)
		}
		for _, id := range []string{"g0", ""} {
			if _, err := runs.Grant(ctx, id); !errors.Is(err, run.ErrNoGrant) {
				t.Errorf("grant %q = %v", id, err)
			}
			if _, err := runs.Revoke(ctx, id, ann); !errors.Is(err, run.ErrNoGrant) {
				t.Errorf("revoke %q = %v", id, err)
			}
		}
	})
}

// A schedule that asks for something else, elsewhere, or at other times does without
// what was allowed for it; one that is only paused keeps it.
func TestAnotherScheduleIsNotWhatWasAllowed(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		jobs := d.Jobs()
		n := 0
		for name, tt := range map[string]struct {
			change func(*scheduler.Job)
			left   int
		}{
			"paused":          {func(j *scheduler.Job) { j.State = scheduler.Paused }, 1},
			"called so":       {func(j *scheduler.Job) { j.Name = "another name" }, 1},
			"another wish":    {func(j *scheduler.Job) { j.Request = "something else" }, 0},
			"another place":   {func(j *scheduler.Job) { j.To = "test/w/C9/" }, 0},
			"other times":     {func(j *scheduler.Job) { j.Spec = "0 9 * * *" }, 0},
			"another clock":   {func(j *scheduler.Job) { j.Zone = "Europe/Berlin" }, 0},
			"somebody else's": {func(j *scheduler.Job) { j.Owner = bob }, 0},
		} {
			n++
			id := fmt.Sprintf("j%d", n)
			j := job(id, c)
			ok(t, jobs.Add(ctx, j))
			r := heard(begun("m"+id, c.now()), "post_message")
			call := r.OpenCalls()[0]
			r = r.Ask(run.Question{
				Kind: run.Approve, Calls: []run.Planned{{ID: call.ID, Name: call.Name, Args: call.Args, Job: id}},
				Options: []run.Option{{ID: run.Always, Calls: []string{call.ID}, Grant: true}},
				Grant:   &run.Grant{Owner: ann, Job: id, Tool: "post_message", Control: "c", Until: c.now().Add(24 * time.Hour), Max: 2},
			}, c.now().Add(time.Hour))
			r = must[run.Run](t)(d.Runs().Save(ctx, r))
			must[run.Question](t)(d.Runs().Settle(ctx, answer(r, "press"+id, bob, run.Always, c.now())))
			was := must[scheduler.Job](t)(jobs.Job(ctx, id))
			tt.change(&was)
			must[scheduler.Job](t)(jobs.Update(ctx, was))
			if got := must[[]run.Grant](t)(d.Runs().Grants(ctx, id)); len(got) != tt.left {
				t.Errorf("%s: grants = %+v, want %d", name, got, tt.left)
			}
		}
	})
}
