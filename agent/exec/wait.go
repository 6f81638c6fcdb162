package exec

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"hermes/agent/tool"
)

// patience is how long a call waits here because the other side said so, or for its
// turn: quotas are mostly a minute's. Who is to wait longer is told for how long,
// and can do something else meanwhile.
const patience = time.Minute

// rules are how one tool is run.
type rules struct {
	timeout  time.Duration // of one try
	attempts int
	base     time.Duration
	gap      time.Duration // between two tries of the tool, whoever calls it
}

// rules are the Policy of a tool, and else its Spec, and else the Config.
func (e *Executor) rules(s tool.Spec) rules {
	r := rules{attempts: positive(s.Attempts, e.cfg.Attempts), base: e.cfg.Base}
	switch s.Class {
	case tool.Heavy:
		r.timeout = e.cfg.Heavy
	case tool.Shell:
		r.timeout = e.cfg.Shell
	default:
		r.timeout = e.cfg.Normal
	}
	r.timeout = positive(s.Timeout, r.timeout)
	perSecond := e.cfg.PerSecond
	for _, p := range e.cfg.Tools {
		if p.Name != s.Name {
			continue
		}
		r.timeout, r.attempts = positive(p.Timeout, r.timeout), positive(p.Attempts, r.attempts)
		r.base = positive(p.Base, r.base)
		if p.PerSecond > 0 {
			perSecond = p.PerSecond
		}
		break
	}
	if s.Effect == tool.Write && !s.Idempotent {
		r.attempts = 1
	}
	if perSecond > 0 {
		// A gap of more than an hour would be a tool switched off.
		r.gap = time.Duration(min(float64(time.Second)/perSecond, float64(time.Hour)))
	}
	return r
}

// wait is how long to wait after the nth try. What the other side asks for holds.
func (e *Executor) wait(r rules, n int, after time.Duration) time.Duration {
	if after > 0 {
		return after
	}
	d := time.Duration(min(float64(r.base)*math.Pow(e.cfg.Factor, float64(max(n, 1)-1)), float64(e.cfg.Max)))
	if e.cfg.Jitter {
		d -= rand.N(d/2 + 1)
	}
	return d
}

// worth reports whether a wait is worth to begin: it ends before ctx does, it is
// not longer than patience if it was asked for, and the tool does not rest.
func (e *Executor) worth(ctx context.Context, m *meter, err *tool.Error, wait time.Duration) bool {
	return err.After <= patience && inTime(ctx, wait) && e.rest(m) == 0
}

// inTime reports whether ctx goes on for longer than d, as far as it says.
func inTime(ctx context.Context, d time.Duration) bool {
	end, ok := ctx.Deadline()
	return !ok || time.Until(end) > d
}

// turn takes the next turn of a tool that is paced and returns how long it is until
// then. It reports false, and takes none, if that is too long.
func (e *Executor) turn(ctx context.Context, m *meter, gap time.Duration) (time.Duration, bool) {
	if gap == 0 {
		return 0, true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	now := time.Now()
	wait := max(m.next.Sub(now), 0)
	if wait > patience || wait > 0 && !inTime(ctx, wait) {
		return wait, false
	}
	m.next = now.Add(wait + gap)
	return wait, true
}

// sleep waits, or returns the error of ctx if that ends before.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
