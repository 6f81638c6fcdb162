package scheduler_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/scheduler"
)

// warden says of every job the same.
type warden struct {
	why string
	err error
}

func (w *warden) Lapsed(context.Context, scheduler.Job) (string, error) { return w.why, w.err }

// under has a bench watch over the people of its jobs.
func (b *bench) under(w *warden) {
	k := scheduler.NewKeeper(b.store, b.policy, func() time.Time { return b.clock() }).Under(w)
	b.Scheduler = scheduler.New(k, b.runner, slog.New(slog.DiscardHandler))
}

// SLK-06, Issue 6: a slot runs only for people who are known to be there. One whose owner
// is gone is blocked with the reason; one of whom nobody knows waits for word, an hour at
// most, and does not run without.
func TestASlotRunsOnlyForThoseWhoAreThere(t *testing.T) {
	t.Run("gone", func(t *testing.T) {
		b := newBench(t, "2026-12-01T09:00:00Z", job("j1", "0 9 * * *", "UTC"))
		b.under(&warden{why: "its owner has left"})
		b.look(t)
		b.fired(t)
		if d := cmp.Diff([]string{"2026-12-01T09:00 blocked: its owner has left"}, b.reasons(t, "j1")); d != "" {
			t.Errorf("slots (-want +got):\n%s", d)
		}
	})
	t.Run("known later", func(t *testing.T) {
		b := newBench(t, "2026-12-01T09:00:00Z", job("j1", "0 9 * * *", "UTC"))
		w := &warden{err: errors.New("no answer")}
		b.under(w)
		b.look(t)
		b.fired(t)
		b.rows(t, "j1", "2026-12-01T09:00 deferred")
		w.err = nil
		b.now = b.now.Add(time.Minute)
		b.look(t)
		b.fired(t, "job/j1@2026-12-01T09:00@UTC")
	})
	t.Run("never known", func(t *testing.T) {
		b := newBench(t, "2026-12-01T09:00:00Z", job("j1", "0 9 * * *", "UTC"))
		b.under(&warden{err: errors.New("no answer")})
		for range 70 {
			b.look(t)
			b.now = b.now.Add(time.Minute)
		}
		b.fired(t)
		if d := cmp.Diff([]string{"2026-12-01T09:00 blocked: whether its owner may still run it could not be found out"}, b.reasons(t, "j1")); d != "" {
			t.Errorf("slots (-want +got):\n%s", d)
		}
	})
	t.Run("by hand", func(t *testing.T) {
		for name, w := range map[string]*warden{"gone": {why: "its owner has left"}, "unknown": {err: errors.New("no answer")}} {
			b := newBench(t, "2026-12-01T09:30:00Z", job("j1", "0 9 * * *", "UTC"))
			b.under(w)
			if _, err := b.RunNow(t.Context(), "j1"); err == nil || w.why != "" && !errors.Is(err, scheduler.ErrLapsed) {
				t.Errorf("%s: RunNow = %v, want an error that says why", name, err)
			}
			if _, err := b.Rehearse(t.Context(), "j1", b.now); err == nil || w.why != "" && !strings.Contains(err.Error(), w.why) {
				t.Errorf("%s: Rehearse = %v, want an error that says why", name, err)
			}
			b.fired(t)
		}
	})
}
