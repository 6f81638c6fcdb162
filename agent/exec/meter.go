package exec

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"hermes/agent/tool"
)

const (
	// recent is how many tries of a tool are remembered one by one: enough for a
	// p95, and few enough that a tool that has been mended looks so soon.
	recent = 128
	// hanging is how many tries of a tool may be left and not have ended. Then
	// it is not called, or a tool that never ends would fill the memory.
	hanging = 128
	// mostMeters is for how many tools there is a meter. The tools of a server
	// may change their names for ever.
	mostMeters = 1024
)

// A meter is what is known of a tool. All but leaked is guarded by Executor.mu.
type meter struct {
	leaked atomic.Int64 // tries that were left and have not ended
	used   time.Time

	next time.Time // when its next try may begin, if it is paced

	row     int       // timeouts in a row
	until   time.Time // its circuit is open until then, and half open after; zero: closed
	probing bool      // half open, and a try is on its way

	calls, tries, timeouts, refused int
	failed                          map[tool.ErrorType]int
	ring                            [recent]sample // of the last tries; the oldest is overwritten
}

// A sample is one try.
type sample struct {
	took time.Duration
	late bool
}

// meter returns the meter of a tool. If there are too many, that of the tool that
// was called longest ago is forgotten.
func (e *Executor) meter(name string) *meter {
	e.mu.Lock()
	defer e.mu.Unlock()
	m := e.meters[name]
	if m == nil {
		if len(e.meters) >= mostMeters {
			oldest, first := "", true
			for n, o := range e.meters {
				if first || o.used.Before(e.meters[oldest].used) {
					oldest, first = n, false
				}
			}
			delete(e.meters, oldest)
		}
		m = &meter{failed: map[tool.ErrorType]int{}}
		e.meters[name] = m
	}
	m.used = time.Now()
	return m
}

// admit reports whether a tool may be called now, and if not, what comes of that.
// If its circuit has been open for long enough, one try goes through as the probe.
func (e *Executor) admit(m *meter, name string) (o outcome, probe, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	rest := time.Until(m.until)
	switch {
	case m.leaked.Load() >= hanging:
		return refused(tool.NetworkError, name, e.cfg.Rest, fmt.Sprintf("%d earlier calls of it have not ended yet", hanging)), false, false
	case m.until.IsZero():
		return o, false, true
	case rest > 0 || m.probing:
		// While there is a probe, it takes the time of one try to know more.
		why := fmt.Sprintf("it gave no answer in time, %d times in a row", m.row)
		return refused(tool.NetworkError, name, positive(rest, e.cfg.Rest), why), false, false
	}
	m.probing = true
	return o, true, true
}

// settle notes a try and reports whether it has opened the circuit of the tool. An
// outcome that did not run only gives back the probe.
func (e *Executor) settle(m *meter, probe bool, o outcome) (opened bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if probe {
		m.probing = false
	}
	if !o.ran {
		return false
	}
	m.ring[m.tries%recent] = sample{o.took, o.late}
	m.tries++
	if !o.late {
		m.row, m.until = 0, time.Time{}
		return false
	}
	m.timeouts++
	m.row++
	if m.row < e.cfg.Open {
		return false
	}
	m.until = time.Now().Add(e.cfg.Rest)
	return true
}

// rest is how much longer the circuit of a tool is open.
func (e *Executor) rest(m *meter) time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	return max(time.Until(m.until), 0)
}

// awake returns those of the names whose tools do not rest.
func (e *Executor) awake(names []string) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		m := e.meters[name]
		return m != nil && time.Until(m.until) > 0
	})
}

// count notes a call that has ended.
func (e *Executor) count(m *meter, d Done) {
	e.mu.Lock()
	defer e.mu.Unlock()
	m.calls++
	switch {
	case d.Err != nil:
		m.failed[d.Err.Type]++
		if d.Attempts == 0 {
			m.refused++
		}
	case d.Result.Failed:
		m.failed[tool.InputError]++
	}
}
