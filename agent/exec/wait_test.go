package exec_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/exec"
	"hermes/agent/tool"
)

func seconds(all ...float64) []time.Duration {
	var out []time.Duration
	for _, s := range all {
		out = append(out, time.Duration(s*float64(time.Second)))
	}
	return out
}

// ERR-11, ERR-12, ERR-14, C-12: how long is waited between two tries.
func TestERR11TheWaitsBetweenTries(t *testing.T) {
	busy := fails(&tool.StatusError{Code: 503})
	after := func(code, s int) do {
		return fails(&tool.StatusError{Code: code, After: time.Duration(s) * time.Second})
	}
	for name, tt := range map[string]struct {
		cfg   exec.Config
		spec  int // Attempts of the Spec
		steps []do
		want  []time.Duration
	}{
		"ERR-11 1, 2, 4, up to 30 s":           {exec.Config{Attempts: 8}, 0, []do{busy}, seconds(1, 2, 4, 8, 16, 30, 30)},
		"C-12 three tries by default":          {exec.Config{}, 0, []do{busy}, seconds(1, 2)},
		"ERR-14 a tool may want more":          {exec.Config{}, 5, []do{busy}, seconds(1, 2, 4, 8)},
		"ERR-14 the operator has the last say": {exec.Config{Tools: []exec.Policy{{Name: "web", Attempts: 2, Base: 5 * time.Second}}}, 5, []do{busy}, seconds(5)},
		"ERR-14 for that tool alone":           {exec.Config{Tools: []exec.Policy{{Name: "other", Attempts: 2}}}, 0, []do{busy}, seconds(1, 2)},
		"C-12 another factor":                  {exec.Config{Attempts: 5, Base: 2 * time.Second, Factor: 1.5, Max: 5 * time.Second}, 0, []do{busy}, seconds(2, 3, 4.5, 5)},
		"C-12 a factor that shrinks is none":   {exec.Config{Factor: 0.5}, 0, []do{busy}, seconds(1, 2)},
		"C-12 base above max":                  {exec.Config{Base: time.Minute}, 0, []do{busy}, seconds(30, 30)},
		"C-12 so many that a float overflows":  {exec.Config{Attempts: 5, Factor: 1e300}, 0, []do{busy}, seconds(1, 30, 30, 30)},
		"ERR-12 Retry-After 7":                 {exec.Config{}, 0, []do{after(429, 7), says("ok")}, seconds(7)},
		"ERR-12 also above the maximum":        {exec.Config{}, 0, []do{after(429, 60), says("ok")}, seconds(60)},
		"ERR-12 of a 503 as well":              {exec.Config{}, 0, []do{after(503, 3), busy, says("ok")}, seconds(3, 2)},
		"ERR-12 none is the usual wait":        {exec.Config{}, 0, []do{after(429, 0), says("ok")}, seconds(1)},
		"ERR-12 an hour is not waited":         {exec.Config{}, 0, []do{after(429, 3600), says("ok")}, nil},
		"ERR-22 twice 503 and then well":       {exec.Config{}, 0, []do{busy, busy, says("ok")}, seconds(1, 2)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := record(tt.steps...)
				s := read("web")
				s.Attempts = tt.spec
				got := one(t, exec.New(tt.cfg, nil), s, p.do)
				if !slices.Equal(p.waits(), tt.want) {
					t.Errorf("waits = %v, want %v", p.waits(), tt.want)
				}
				var sum time.Duration
				for _, w := range tt.want {
					sum += w
				}
				if got.Waited != sum || got.Attempts != len(tt.want)+1 || got.Took != 0 {
					t.Errorf("Done = %+v, want %s waited and %d tries", got, sum, len(tt.want)+1)
				}
				if got.Err != nil && got.Err.Attempt != got.Attempts {
					t.Errorf("ERR-01 Attempt = %d, want %d", got.Err.Attempt, got.Attempts)
				}
			})
		})
	}
}

// C-12: jitter takes up to half off a wait, never adds, and spares a Retry-After.
func TestJitterShortensWaits(t *testing.T) {
	seen := map[time.Duration]bool{}
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			p := record(fails(&tool.StatusError{Code: 503}), fails(&tool.StatusError{Code: 429, After: 7 * time.Second}), says("ok"))
			one(t, exec.New(exec.Config{Base: 4 * time.Second, Jitter: true}, nil), read("web"), p.do)
			w := p.waits()
			seen[w[0]] = true
			if w[0] < 2*time.Second || w[0] > 4*time.Second || w[1] != 7*time.Second {
				t.Errorf("waits = %v, want 2 s to 4 s, then 7 s", w)
			}
		})
	}
	if len(seen) < 10 {
		t.Errorf("only %d different waits of 50", len(seen))
	}
}

// A wait that the context would not outlive is not begun: the error comes at once.
func TestAWaitPastTheDeadlineIsNotBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		p := record(fails(&tool.StatusError{Code: 503}))
		began := time.Now()
		got, err := exec.New(exec.Config{Attempts: 9}, nil).One(ctx, exec.Job{Spec: read("web"), Do: p.do})
		if took := time.Since(began); err != nil || got.Err == nil || p.tries() != 4 || took != 7*time.Second {
			t.Errorf("One = %+v, %v after %d tries in %s, want the error of the 4th after 7s: 8s more would be 15s", got, err, p.tries(), took)
		}
	})
}

// ERR-23, FAIL-18: a tool that is paced is not called more often, by whomever.
func TestERR23PacedCallsKeepTheirDistance(t *testing.T) {
	t.Run("ERR-23 two a second", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e := exec.New(exec.Config{PerSecond: 2, Parallel: 6}, nil)
			p, other := record(says("ok")), record(says("ok"))
			began := time.Now()
			jobs := []exec.Job{{Spec: read("other"), Do: other.do}}
			for range 5 {
				jobs = append(jobs, exec.Job{Spec: read("web"), Do: p.do})
			}
			done, err := e.All(t.Context(), jobs)
			if err != nil {
				t.Fatal(err)
			}
			if want := seconds(.5, .5, .5, .5); !slices.Equal(p.waits(), want) {
				t.Errorf("waits = %v, want %v", p.waits(), want)
			}
			if !other.at[0].Equal(began) || done[0].Waited != 0 {
				t.Errorf("another tool waited for %s, want not at all", done[0].Waited)
			}
		})
	})
	t.Run("ERR-23 by tool, also between tries", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e := exec.New(exec.Config{Tools: []exec.Policy{{Name: "web", PerSecond: 0.25}}}, nil)
			p := record(fails(&tool.StatusError{Code: 503}))
			one(t, e, read("web"), p.do)
			if want := seconds(4, 4); !slices.Equal(p.waits(), want) {
				t.Errorf("waits = %v, want %v", p.waits(), want)
			}
		})
	})
	t.Run("ERR-23 who would wait for long is told", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e := exec.New(exec.Config{PerSecond: 0.01}, nil)
			one(t, e, read("web"), says("ok"))
			got := one(t, e, read("web"), says("ok"))
			if got.Err == nil || got.Err.Type != tool.RateError || got.Attempts != 0 || got.Err.Suggestion != "Call web again after 1m40s, not before." {
				t.Errorf("One = %+v with %+v, want when to call it", got, got.Err)
			}
		})
	})
	t.Run("ERR-23 a turn past the deadline is not taken", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e := exec.New(exec.Config{PerSecond: 0.1}, nil)
			one(t, e, read("web"), says("ok"))
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			began := time.Now()
			got, err := e.One(ctx, exec.Job{Spec: read("web"), Do: says("ok")})
			if err != nil || got.Err == nil || got.Err.Type != tool.RateError || time.Since(began) != 0 {
				t.Errorf("One = %+v, %v after %s, want a RateError at once", got, err, time.Since(began))
			}
			if got := one(t, e, read("web"), says("ok")); got.Waited != 10*time.Second {
				t.Errorf("the next waited for %s, want 10s: it has the turn", got.Waited)
			}
		})
	})
}

// Whoever keeps a clock of its own passes the waits on it: nothing here waits.
func TestTheWaitsPassOnAClockThatIsGiven(t *testing.T) {
	var slept []time.Duration
	e := exec.New(exec.Config{Sleep: func(_ context.Context, d time.Duration) error {
		slept = append(slept, d)
		return nil
	}}, nil)
	p := record(fails(&tool.StatusError{Code: 503}))
	one(t, e, read("web_search"), p.do)
	if !slices.Equal(slices.DeleteFunc(slept, func(d time.Duration) bool { return d == 0 }), seconds(1, 2)) || p.tries() != 3 {
		t.Errorf("slept %v over %d tries, want 1 s and 2 s over 3", slept, p.tries())
	}
}
