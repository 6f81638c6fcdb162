package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"hermes/agent"
	"hermes/agent/run"
	"hermes/internal/store"
)

// twoOf opens a database twice where several may share one, as two replicas do; of a file
// both are one.
func twoOf(t *testing.T, dsn string, now func() time.Time) [2]*store.DB {
	t.Helper()
	a := open(t, store.Config{DSN: dsn, Now: now, Audit: store.AuditKeys{Current: auditKey}})
	if !isURL(dsn) {
		return [2]*store.DB{a, a}
	}
	return [2]*store.DB{a, open(t, store.Config{DSN: dsn, Now: now, Audit: store.AuditKeys{Current: auditKey}})}
}

func isURL(dsn string) bool { return len(dsn) > 11 && dsn[:11] == "postgres://" }

// SAFE-02, A16: of two yeses that reach two replicas at once the one that comes second sees
// the first, so that a quorum is neither lost nor counted twice; the settled question is
// settled for both, and one use of a grant that is left is taken by one.
func TestTwoReplicasAgreeOnAQuorum(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, clk := t.Context(), newClock()
		of := twoOf(t, dsn, clk.now)
		people := [2]string{"test:w:lee", "test:w:moe"}
		at := func(do func(i int) error) [2]error {
			var errs [2]error
			var both sync.WaitGroup
			for i := range 2 {
				both.Go(func() { errs[i] = do(i) })
			}
			both.Wait()
			return errs
		}
		for n := range 15 {
			r := asking(t, of[0], fmt.Sprint("m", n), clk.now())
			q := r.Questions[0].ID
			yes := func(i int) run.Answer {
				return run.Answer{Key: fmt.Sprint("press", n, i), Question: q, Choice: run.Yes, By: people[i], At: clk.now()}
			}
			var seen [2]int
			for _, err := range at(func(i int) error {
				all, err := of[i].Runs().Agree(ctx, yes(i))
				seen[i] = len(all)
				return err
			}) {
				ok(t, err)
			}
			if seen[0]+seen[1] != 3 {
				t.Fatalf("%d: they see %v yeses, want one and two", n, seen)
			}
			won := 0
			for _, err := range at(func(i int) error { _, err := of[i].Runs().Settle(ctx, yes(i)); return err }) {
				if err == nil {
					won++
				} else if !errors.Is(err, run.ErrAnswered) {
					t.Error(err)
				}
			}
			if won != 1 {
				t.Errorf("%d: settled %d times", n, won)
			}
		}
		if v := must[store.Verified](t)(of[1].Journal().Verify(ctx)); len(v.Doubts) != 0 {
			t.Errorf("verify finds %+v", v.Doubts)
		}

		r := likely(t, of[0], "g", clk.now())
		a := answer(r, "like", bob, run.Like, clk.now())
		a.Scope = r.Questions[0].Scopes[0].ID // twice
		must[run.Question](t)(of[1].Runs().Settle(ctx, a))
		ok(t, of[0].Runs().Take(ctx, run.Use{Grant: a.Scope, Run: "x", Call: "c", Hash: "h", By: ann}))
		took := 0
		for _, err := range at(func(i int) error {
			return of[i].Runs().Take(ctx, run.Use{Grant: a.Scope, Run: fmt.Sprint("y", i), Call: "c", Hash: "h", By: ann})
		}) {
			if err == nil {
				took++
			} else if !errors.Is(err, agent.ErrNoGrant) {
				t.Error(err)
			}
		}
		if took != 1 {
			t.Errorf("the last use was taken %d times", took)
		}
	})
}

// X8: of what calls side by side pledge, one sees the other, be it in another replica; what
// a replica that has died has pledged is held against the others for a while only.
func TestX8TwoReplicasSeeEachOthersPledges(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, clk := t.Context(), newClock()
		of := twoOf(t, dsn, clk.now)
		for n := range 15 {
			var seen [2]int
			var both sync.WaitGroup
			for i := range 2 {
				both.Go(func() {
					before, err := of[i].Runs().Pledge(ctx, run.Pledge{Run: fmt.Sprint(n, "/", i), Asker: ann, Home: "test/w/c/", Cost: run.Amount{Nanos: 5}})
					if seen[i] = len(before); err != nil {
						t.Error(err)
					}
				})
			}
			both.Wait()
			if seen[0]+seen[1] != 1 {
				t.Fatalf("%d: they see %v pledges, want none and one", n, seen)
			}
			for i := range 2 {
				ok(t, of[1-i].Runs().Redeem(ctx, fmt.Sprint(n, "/", i)))
			}
		}
		if !isURL(dsn) {
			return
		}
		must[[]run.Pledge](t)(of[0].Runs().Pledge(ctx, run.Pledge{Run: "died"}))
		if all := must[[]run.Pledge](t)(of[1].Runs().Pledge(ctx, run.Pledge{Run: "x"})); len(all) != 1 {
			t.Errorf("pledged = %+v", all)
		}
		clk.pass(16 * time.Minute)
		if all := must[[]run.Pledge](t)(of[1].Runs().Pledge(ctx, run.Pledge{Run: "y"})); len(all) != 0 {
			t.Errorf("pledged = %+v, want nothing of one that has died", all)
		}
	})
}
