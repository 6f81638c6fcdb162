package fakeslack

import (
	"slices"
	"sync"
	"time"
)

// A Clock tells the time and calls back later.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f once, d from now, unless stop is called before.
	AfterFunc(d time.Duration, f func()) (stop func())
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) AfterFunc(d time.Duration, f func()) func() {
	t := time.AfterFunc(d, f)
	return func() { t.Stop() }
}

// Manual is a Clock that stands still until it is told to go on.
type Manual struct {
	mu     sync.Mutex
	now    time.Time
	timers []*manualTimer
}

type manualTimer struct {
	at      time.Time
	f       func()
	stopped bool
}

// NewManual returns a Manual that shows now.
func NewManual(now time.Time) *Manual { return &Manual{now: now} }

// Now implements Clock.
func (m *Manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// AfterFunc implements Clock.
func (m *Manual) AfterFunc(d time.Duration, f func()) func() {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := &manualTimer{at: m.now.Add(d), f: f}
	m.timers = append(m.timers, t)
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		t.stopped = true
	}
}

// Advance lets d pass, and calls whatever falls due on the way in its order.
func (m *Manual) Advance(d time.Duration) {
	m.mu.Lock()
	end := m.now.Add(d)
	for {
		m.timers = slices.DeleteFunc(m.timers, func(t *manualTimer) bool { return t.stopped })
		slices.SortStableFunc(m.timers, func(a, b *manualTimer) int { return a.at.Compare(b.at) })
		if len(m.timers) == 0 || m.timers[0].at.After(end) {
			break
		}
		t := m.timers[0]
		m.timers = m.timers[1:]
		if t.at.After(m.now) {
			m.now = t.at
		}
		m.mu.Unlock()
		t.f()
		m.mu.Lock()
	}
	if end.After(m.now) {
		m.now = end
	}
	m.mu.Unlock()
}
