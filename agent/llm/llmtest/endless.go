package llmtest

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/llm"
)

// TestDeadlines runs what every provider promises of its deadlines, which open leaves
// as they are.
func TestDeadlines(t *testing.T, open func(*http.Client) llm.Model) {
	const first, idle, total = 30 * time.Second, 30 * time.Second, 120 * time.Second
	for name, c := range map[string]struct {
		fault  Fault
		stream bool
		after  time.Duration
		why    string
	}{
		"a stream without headers":      {Hang, true, first, "no first byte"},
		"a stream without a first byte": {Mute, true, first, "no first byte"},
		"a stream that stops":           {Stall, true, idle, "stopped in the middle"},
		"a stream that drips":           {Drip, true, total, "no complete answer"},
		"an answer that never comes":    {Hang, false, total, "no complete answer"},
		"an answer that drips":          {Drip, false, total, "no complete answer"},
		"an answer that stops":          {Stall, false, idle, "stopped in the middle"},
	} {
		t.Run("L9 "+name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &Handler{Reply: func(Chat) Step { return Step{Text: "Sales rose by a lot, really", Fault: c.fault} }}
				m := open(Pipe(t, h))
				q := ask(nil)
				if c.stream {
					q.Stream = func(string) {}
				}
				began := time.Now()
				r, err := m.Generate(t.Context(), q)
				if !errors.Is(err, llm.ErrSlow) || !errors.Is(err, llm.ErrBusy) || !strings.Contains(err.Error(), c.why) {
					t.Errorf("reply %+v, error %v; want ErrSlow, for there was %s", r, err, c.why)
				}
				if took := time.Since(began); took != c.after {
					t.Errorf("gave up after %s, want %s", took, c.after)
				}
				if n := len(h.Heard()); n != 1 {
					t.Errorf("asked %d times: who has waited in vain does not wait again", n)
				}
			})
		})
	}
	t.Run("a stream may take its time once it has begun", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := &Handler{Reply: func(Chat) Step { return Step{Text: strings.Repeat("word ", 50), Pause: 2 * time.Second} }}
			q := ask(func(string) {})
			if _, err := open(Pipe(t, h)).Generate(t.Context(), q); err != nil {
				t.Error(err)
			}
		})
	})
}

// A server that never answers does not hold a caller who has left.
func testEndless(t *testing.T, open Backend) {
	for name, f := range map[string]Fault{"L9 hangs": Hang, "L9 sends headers alone": Mute, "L9 drips": Drip} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, stream func(string), _ *strings.Builder) {
				m, heard := open(t, Step{Fault: f}, Step{Fault: f})
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() {
					_, err := m.Generate(ctx, ask(stream))
					done <- err
				}()
				for len(heard()) == 0 {
					select {
					case err := <-done:
						t.Fatalf("returned %v before the server heard it", err)
					case <-time.After(time.Millisecond):
					}
				}
				cancel()
				if err := <-done; !errors.Is(err, context.Canceled) {
					t.Errorf("error = %v, want context.Canceled", err)
				}
			})
		})
	}
}

// Who waits for an answer that does not come is alone with it.
func testNeighbours(t *testing.T, open Backend) {
	both(t, func(t *testing.T, stream func(string), _ *strings.Builder) {
		const hung, others = 3, 20
		steps := make([]Step, hung, hung+others)
		for i := range steps {
			steps[i] = Step{Fault: []Fault{Hang, Mute, Drip}[i]}
		}
		for range others {
			steps = append(steps, Step{Text: "here"})
		}
		m, heard := open(t, steps...)
		ctx, cancel := context.WithCancel(t.Context())
		var waiting sync.WaitGroup
		defer waiting.Wait()
		defer cancel()
		for range hung {
			waiting.Go(func() {
				if r, err := m.Generate(ctx, ask(stream)); err == nil {
					t.Errorf("a server that hangs said %+v", r)
				}
			})
		}
		for len(heard()) < hung {
			<-time.After(time.Millisecond)
		}
		var answered sync.WaitGroup
		for range others {
			answered.Go(func() {
				q := ask(nil)
				if stream != nil {
					q.Stream = func(string) {}
				}
				if r, err := m.Generate(t.Context(), q); err != nil || r.Message.Text != "here" {
					t.Errorf("reply %+v, %v", r, err)
				}
			})
		}
		answered.Wait() // for ever, if those that hang were in the way
	})
}
