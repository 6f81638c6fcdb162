package steady_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/llm/steady"
)

// A fake answers its nth try, from 1, as it is told, and notes when it was asked.
type fake struct {
	answer func(ctx context.Context, n int, r llm.Request) (llm.Reply, error)
	began  time.Time

	mu    sync.Mutex
	asked []time.Duration
	now   int // tries under way
	most  int
}

func newFake(answer func(ctx context.Context, n int, r llm.Request) (llm.Reply, error)) *fake {
	return &fake{answer: answer, began: time.Now()}
}

func (f *fake) Name() string { return "fake/one" }

func (f *fake) Generate(ctx context.Context, r llm.Request) (llm.Reply, error) {
	f.mu.Lock()
	f.asked = append(f.asked, time.Since(f.began))
	n := len(f.asked)
	f.now++
	f.most = max(f.most, f.now)
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		f.now--
		f.mu.Unlock()
	}()
	return f.answer(ctx, n, r)
}

// fails makes a fake of which the first tries fail so, and the next gives ok.
func fails(errs ...error) *fake {
	return newFake(func(_ context.Context, n int, _ llm.Request) (llm.Reply, error) {
		if n <= len(errs) {
			return llm.Reply{}, errs[n-1]
		}
		return ok, nil
	})
}

var ok = llm.Reply{Message: llm.Message{Role: llm.Assistant, Text: "ok"}, Usage: llm.Usage{In: 1, Out: 1}, Model: "fake/one"}

// takes waits, as a model does that answers after d.
func takes(ctx context.Context, d time.Duration) (llm.Reply, error) {
	select {
	case <-ctx.Done():
		return llm.Reply{}, ctx.Err()
	case <-time.After(d):
		return ok, nil
	}
}

func busy(status int) error { return fmt.Errorf("fake/one: %w: HTTP %d", llm.ErrBusy, status) }

func wait(d time.Duration) error { return &llm.WaitError{After: d, Err: busy(429)} }

func seconds(n ...float64) []time.Duration {
	var out []time.Duration
	for _, s := range n {
		out = append(out, time.Duration(s*float64(time.Second)))
	}
	return out
}

// What may pass is tried again, after pauses; what cannot pass is not.
func TestTries(t *testing.T) {
	garbled := fmt.Errorf("fake/one: %w: empty", llm.ErrGarbled)
	for name, c := range map[string]struct {
		errs  []error
		cfg   steady.Config
		asked []time.Duration
		want  error // nil: ok
	}{
		"well at once": {nil, steady.Config{}, seconds(0), nil},
		"ERR-22 503 twice, then well after 1 + 2 s":  {[]error{busy(503), busy(503)}, steady.Config{}, seconds(0, 1, 3), nil},
		"ERR-13 three tries are enough":              {[]error{busy(503), busy(503), busy(503), busy(503)}, steady.Config{}, seconds(0, 1, 3), llm.ErrBusy},
		"ERR-11 pauses double up to thirty seconds":  {repeat(busy(503), 7), steady.Config{Attempts: 8, Total: time.Hour}, seconds(0, 1, 3, 7, 15, 31, 61, 91), nil},
		"ERR-11 another base, another bound":         {repeat(busy(503), 3), steady.Config{Attempts: 4, Base: 500 * time.Millisecond, Max: time.Second}, seconds(0, 0.5, 1.5, 2.5), nil},
		"ERR-13 one try":                             {repeat(busy(503), 1), steady.Config{Attempts: 1}, seconds(0), llm.ErrBusy},
		"ERR-12 the wait that the vendor names":      {[]error{wait(7 * time.Second)}, steady.Config{}, seconds(0, 7), nil},
		"ERR-12 even one that is shorter":            {[]error{wait(0), busy(503)}, steady.Config{}, seconds(0, 0, 2), nil},
		"ERR-12 as long as the patience":             {[]error{wait(30 * time.Second)}, steady.Config{}, seconds(0, 30), nil},
		"a longer one is the caller's":               {[]error{wait(31 * time.Second)}, steady.Config{}, seconds(0), llm.ErrBusy},
		"a shorter patience":                         {[]error{wait(7 * time.Second)}, steady.Config{Patience: 5 * time.Second}, seconds(0), llm.ErrBusy},
		"L2 for ever busy":                           {repeat(wait(time.Second), 100), steady.Config{}, seconds(0, 1, 2), llm.ErrBusy},
		"credentials":                                {[]error{llm.ErrRejected}, steady.Config{}, seconds(0), llm.ErrRejected},
		"refusal":                                    {[]error{llm.ErrRefused}, steady.Config{}, seconds(0), llm.ErrRefused},
		"too long":                                   {[]error{llm.ErrTooLong}, steady.Config{}, seconds(0), llm.ErrTooLong},
		"who has waited in vain does not wait again": {[]error{llm.ErrSlow}, steady.Config{}, seconds(0), llm.ErrSlow},
		"an error of no kind":                        {[]error{errors.ErrUnsupported}, steady.Config{}, seconds(0), errors.ErrUnsupported},
		"garbled once":                               {[]error{garbled}, steady.Config{}, seconds(0, 1), nil},
		"garbled twice is enough":                    {[]error{garbled, garbled}, steady.Config{}, seconds(0, 1), llm.ErrGarbled},
		"empty: the model can be told so":            {[]error{fmt.Errorf("fake/one: %w", llm.ErrEmpty)}, steady.Config{}, seconds(0), llm.ErrEmpty},
		"garbled between busy":                       {[]error{busy(503), garbled}, steady.Config{}, seconds(0, 1, 3), nil},
		"a pause that would end too late is none":    {[]error{busy(503), busy(503)}, steady.Config{Total: 3 * time.Second}, seconds(0, 1), llm.ErrBusy},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := fails(c.errs...)
				m := steady.New(f, c.cfg, nil)
				r, err := m.Generate(t.Context(), llm.Request{})
				if d := cmp.Diff(c.asked, f.asked); d != "" {
					t.Errorf("asked at (-want +got):\n%s", d)
				}
				if !errors.Is(err, c.want) || (err == nil) != cmp.Equal(r, ok) || err != nil && !cmp.Equal(r.Message, llm.Message{}) {
					t.Errorf("reply %+v, error %v; want error %v", r, err, c.want)
				}
				if m.Name() != "fake/one" {
					t.Errorf("name %q", m.Name())
				}
			})
		})
	}
	t.Run("the caller learns how long to wait", func(t *testing.T) {
		var named *llm.WaitError
		_, err := steady.New(fails(wait(2*time.Minute)), steady.Config{}, nil).Generate(t.Context(), llm.Request{})
		if !errors.As(err, &named) || named.After != 2*time.Minute {
			t.Errorf("error = %v, want a WaitError of two minutes", err)
		}
	})
}

func repeat(err error, n int) []error {
	var out []error
	for range n {
		out = append(out, err)
	}
	return out
}

// Those who fail together do not come back together, and nobody waits longer for it.
func TestJitter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := map[time.Duration]bool{}
		for range 20 {
			f := fails(busy(503))
			if _, err := steady.New(f, steady.Config{Jitter: 0.5}, nil).Generate(t.Context(), llm.Request{}); err != nil {
				t.Fatal(err)
			}
			again := f.asked[1]
			if again < 500*time.Millisecond || again > time.Second {
				t.Errorf("ERR-11 paused for %s, want half a second to one", again)
			}
			at[again] = true
		}
		if len(at) < 10 {
			t.Errorf("%d different pauses of 20", len(at))
		}
	})
}

// All tries together have a deadline; whoever leaves before is told that.
func TestTotal(t *testing.T) {
	hangs := func(ctx context.Context, _ int, _ llm.Request) (llm.Reply, error) { return takes(ctx, 1000*time.Hour) }
	t.Run("L9 a model that never answers", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(hangs)
			_, err := steady.New(f, steady.Config{Total: time.Minute}, nil).Generate(t.Context(), llm.Request{})
			if took := time.Since(f.began); !errors.Is(err, llm.ErrSlow) || errors.Is(err, context.DeadlineExceeded) || took != time.Minute || len(f.asked) != 1 {
				t.Errorf("error %v after %s and %d tries", err, took, len(f.asked))
			}
		})
	})
	// L9 One silence may be of this one request: it is asked once more, if there is as much
	// time as the silence took.
	for name, c := range map[string]struct {
		silences int
		cfg      steady.Config
		tries    int
		took     time.Duration
	}{
		"L9 silent once":           {1, steady.Config{Total: 20 * time.Second}, 2, 5 * time.Second},
		"L9 silent again":          {3, steady.Config{Total: 20 * time.Second}, 2, 10 * time.Second},
		"L9 silent, one try":       {1, steady.Config{Total: 20 * time.Second, Attempts: 1}, 1, 5 * time.Second},
		"L9 silent, no time":       {1, steady.Config{Total: 8 * time.Second}, 1, 5 * time.Second},
		"L9 silent, in time by 0s": {1, steady.Config{Total: 10 * time.Second}, 2, 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(func(ctx context.Context, n int, _ llm.Request) (llm.Reply, error) {
					if n > c.silences {
						return llm.Reply{}, nil
					}
					if _, err := takes(ctx, 5*time.Second); err != nil {
						return llm.Reply{}, err
					}
					return llm.Reply{}, llm.ErrSilent
				})
				_, err := steady.New(f, c.cfg, nil).Generate(t.Context(), llm.Request{})
				if took := time.Since(f.began); took != c.took || len(f.asked) != c.tries || errors.Is(err, llm.ErrSilent) != (c.silences >= c.tries) {
					t.Errorf("error %v after %s and %d tries, want %s and %d", err, took, len(f.asked), c.took, c.tries)
				}
			})
		})
	}
	t.Run("who leaves during a try", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			_, err := steady.New(newFake(hangs), steady.Config{}, nil).Generate(ctx, llm.Request{})
			if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, llm.ErrBusy) {
				t.Errorf("error = %v", err)
			}
		})
	})
	t.Run("who leaves during a pause", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(500*time.Millisecond, cancel)
			f := fails(busy(503))
			_, err := steady.New(f, steady.Config{}, nil).Generate(ctx, llm.Request{})
			if took := time.Since(f.began); err == nil || took != 500*time.Millisecond || len(f.asked) != 1 {
				t.Errorf("error %v after %s and %d tries", err, took, len(f.asked))
			}
		})
	})
}

// What people have seen of a try that failed is taken back before the next one says
// anything.
func TestStream(t *testing.T) {
	for name, c := range map[string]struct {
		piece string
		want  []string
	}{
		"one that has begun":       {"Sales ", []string{"Sales ", "", "ok"}},
		"one that has not":         {"", []string{"ok"}},
		"white space is something": {" ", []string{" ", "", "ok"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(func(_ context.Context, n int, r llm.Request) (llm.Reply, error) {
					if n == 1 {
						r.Stream(c.piece)
						return llm.Reply{}, busy(503)
					}
					r.Stream("ok")
					return ok, nil
				})
				var got []string
				_, err := steady.New(f, steady.Config{}, nil).Generate(t.Context(), llm.Request{Stream: func(s string) { got = append(got, s) }})
				if len(f.asked) != 2 || !slices.Equal(got, c.want) || err != nil {
					t.Errorf("%d tries, streamed %q, error %v; want %q of two", len(f.asked), got, err, c.want)
				}
			})
		})
	}
}

func TestPrice(t *testing.T) {
	used := llm.Usage{In: 12_000, Out: 500, Cached: 10_000}
	for name, c := range map[string]struct {
		price steady.Price
		usage llm.Usage
		want  int64 // nanodollars
	}{
		"EXIT-16 three rates":         {steady.Price{In: 0.003, Out: 0.015, Cached: 0.0003}, used, 16_500_000}, // 2k in, 0.5k out, 10k cached
		"cached tokens have no rate":  {steady.Price{In: 0.003, Out: 0.015}, used, 43_500_000},
		"less than a nanodollar":      {steady.Price{In: 1e-12, Out: 1e-12}, llm.Usage{In: 1, Out: 1}, 0},
		"TOOL-36 equal rates":         {steady.Price{In: 0.03, Out: 0.03}, llm.Usage{In: 1200, Out: 300}, 45_000_000}, // $0.045
		"TOOL-36 two rates":           {steady.Price{In: 0.03, Out: 0.06}, llm.Usage{In: 1200, Out: 300}, 54_000_000}, // $0.054
		"no price keeps the model's":  {steady.Price{}, llm.Usage{In: 1, Nanos: 7}, 7},
		"a price wins over a model's": {steady.Price{Out: 1}, llm.Usage{Out: 1000, Nanos: 7}, 1_000_000_000},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(func(context.Context, int, llm.Request) (llm.Reply, error) { return llm.Reply{Usage: c.usage}, nil })
			r, err := steady.New(f, steady.Config{Price: c.price}, nil).Generate(t.Context(), llm.Request{})
			want := c.usage
			want.Nanos = c.want
			if err != nil || r.Usage != want {
				t.Errorf("usage %+v, %v; want %+v", r.Usage, err, want)
			}
		})
	}
}

// What will be tried again is logged, what is returned is not.
func TestLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		log := slog.New(slog.NewTextHandler(&b, nil))
		if _, err := steady.New(fails(busy(503), llm.ErrRejected), steady.Config{}, log).Generate(t.Context(), llm.Request{}); err == nil {
			t.Error("no error")
		}
		if n := strings.Count(b.String(), "\n"); n != 1 || !strings.Contains(b.String(), "model=fake/one try=1 wait=1s") || !strings.Contains(b.String(), "503") {
			t.Errorf("logged %s", b.String())
		}
	})
}

// EXIT-16 A model that does not say what it used costs what it probably has, so that a
// budget holds; an empty answer costs as well.
func TestEXIT16UsageThatIsNotSaidIsEstimated(t *testing.T) {
	for name, err := range map[string]error{"an answer": nil, "an empty one": llm.ErrEmpty} {
		t.Run(name, func(t *testing.T) {
			f := newFake(func(context.Context, int, llm.Request) (llm.Reply, error) { return llm.Reply{}, err })
			r, got := steady.New(f, steady.Config{Price: steady.Price{In: 0.001}}, nil).
				Generate(t.Context(), llm.Request{System: strings.Repeat("word", 1000)})
			if !errors.Is(got, err) || r.Usage.In != 1001 || r.Usage.Nanos != 1_001_000 {
				t.Errorf("usage %+v, %v", r.Usage, got)
			}
		})
	}
}
