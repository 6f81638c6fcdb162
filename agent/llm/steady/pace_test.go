package steady_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/llm/steady"
)

// Requests keep to the pace, tries among them, and whoever leaves the line takes no
// place in it.
func TestPace(t *testing.T) {
	t.Run("ERR-23 two requests a second", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := fails(busy(503))
			m := steady.New(f, steady.Config{RPS: 2}, nil)
			var all sync.WaitGroup
			for range 6 {
				all.Go(func() {
					if _, err := m.Generate(t.Context(), llm.Request{}); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if d := cmp.Diff(seconds(0, 0.5, 1, 1.5, 2, 2.5, 3), f.asked); d != "" {
				t.Errorf("asked at (-want +got):\n%s", d)
			}
		})
	})
	t.Run("who leaves", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := fails()
			m := steady.New(f, steady.Config{RPS: 1}, nil)
			ctx, cancel := context.WithCancel(t.Context())
			var gone sync.WaitGroup
			for range 10 {
				gone.Go(func() { _, _ = m.Generate(ctx, llm.Request{}) })
			}
			synctest.Wait()
			cancel()
			gone.Wait()
			if _, err := m.Generate(t.Context(), llm.Request{}); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(seconds(0, 1), f.asked); d != "" {
				t.Errorf("asked at (-want +got):\n%s", d)
			}
		})
	})
	t.Run("a turn that would come too late is told at once", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := fails()
			m := steady.New(f, steady.Config{RPS: 0.1, Total: 5 * time.Second}, nil)
			if _, err := m.Generate(t.Context(), llm.Request{}); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Generate(t.Context(), llm.Request{}); !errors.Is(err, llm.ErrSlow) || time.Since(f.began) != 0 {
				t.Errorf("error %v after %s", err, time.Since(f.began))
			}
		})
	})
}

// Only so many tries are under way at once, and a pause takes nobody's place.
func TestAtOnce(t *testing.T) {
	t.Run("no more than that", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(func(ctx context.Context, _ int, _ llm.Request) (llm.Reply, error) { return takes(ctx, time.Second) })
			m := steady.New(f, steady.Config{AtOnce: 3}, nil)
			var all sync.WaitGroup
			for range 9 {
				all.Go(func() {
					if _, err := m.Generate(t.Context(), llm.Request{}); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if took := time.Since(f.began); f.most != 3 || took != 3*time.Second {
				t.Errorf("%d at once, all after %s", f.most, took)
			}
		})
	})
	t.Run("L9 one that hangs holds its own place alone", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(func(ctx context.Context, n int, _ llm.Request) (llm.Reply, error) {
				if n == 1 {
					return takes(ctx, time.Hour)
				}
				return ok, nil
			})
			m := steady.New(f, steady.Config{AtOnce: 2, Total: time.Minute}, nil)
			var hung sync.WaitGroup
			hung.Go(func() { _, _ = m.Generate(t.Context(), llm.Request{}) })
			synctest.Wait()
			for range 10 {
				if _, err := m.Generate(t.Context(), llm.Request{}); err != nil {
					t.Error(err)
				}
			}
			if took := time.Since(f.began); took != 0 {
				t.Errorf("the others waited for %s", took)
			}
			hung.Wait()
		})
	})
	t.Run("a pause is not a place", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := fails(busy(503))
			m := steady.New(f, steady.Config{AtOnce: 1}, nil)
			var first sync.WaitGroup
			first.Go(func() { _, _ = m.Generate(t.Context(), llm.Request{}) })
			synctest.Wait()
			if _, err := m.Generate(t.Context(), llm.Request{}); err != nil || time.Since(f.began) != 0 {
				t.Errorf("error %v after %s", err, time.Since(f.began))
			}
			first.Wait()
		})
	})
	t.Run("nobody waits for a place for ever", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(func(ctx context.Context, _ int, _ llm.Request) (llm.Reply, error) { return takes(ctx, time.Hour) })
			m := steady.New(f, steady.Config{AtOnce: 1, Total: time.Minute}, nil)
			var all sync.WaitGroup
			for range 2 {
				all.Go(func() {
					if _, err := m.Generate(t.Context(), llm.Request{}); !errors.Is(err, llm.ErrSlow) {
						t.Errorf("error = %v", err)
					}
				})
			}
			all.Wait()
			if took := time.Since(f.began); took != time.Minute {
				t.Errorf("took %s", took)
			}
		})
	})
}

// Whoever keeps a clock of its own passes the pauses on it: nothing here waits.
func TestThePausesPassOnAClockThatIsGiven(t *testing.T) {
	var slept []time.Duration
	m := steady.New(fails(busy(503), busy(503)), steady.Config{Sleep: func(_ context.Context, d time.Duration) error {
		slept = append(slept, d)
		return nil
	}}, nil)
	if _, err := m.Generate(t.Context(), llm.Request{}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(seconds(1, 2), slept); d != "" {
		t.Errorf("paused (-want +got):\n%s", d)
	}
}
