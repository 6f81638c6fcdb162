package slack

import (
	"sync"
	"time"
)

// Health is how well a Slack hears, in one word.
type Health string

// The words. A Slack that is AuthFailed needs a person; the others mend
// themselves.
const (
	Connecting Health = "connecting"
	Ready      Health = "ready"
	AuthFailed Health = "auth_failed"
	Deaf       Health = "deaf" // for too long without a socket
)

// State is the health of a Slack, since when, and why.
type State struct {
	Health Health
	Since  time.Time
	Why    string // empty if it is well; never a token
}

type health struct {
	mu    sync.Mutex
	state State
	live  int   // sockets that are read
	token State // a token that was refused outside the socket; empty Health if none was
}

func (h *health) begin(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.state = State{Connecting, now, "not started"}
}

// set notes a change. The time of an unchanged health stays.
func (h *health) set(now time.Time, to Health, why string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state.Health != to {
		h.state.Since = now
	}
	h.state.Health, h.state.Why = to, why
}

// opened and closed count the sockets: during a refresh the old one may be gone
// before the new one is there, and then we hear nothing.
func (h *health) opened(now time.Time) {
	h.mu.Lock()
	h.live++
	h.mu.Unlock()
	h.set(now, Ready, "")
}

func (h *health) closed(now time.Time, why string) {
	h.mu.Lock()
	h.live--
	deaf := h.live == 0 && h.state.Health == Ready
	h.mu.Unlock()
	if deaf {
		h.set(now, Connecting, "socket closed: "+why)
	}
}

// refused notes that a call was refused for its token, accepted that one was not.
func (h *health) refused(now time.Time, why string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.token.Health == "" {
		h.token = State{AuthFailed, now, why}
	}
}

func (h *health) accepted() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.token = State{}
}

// State reports how well s hears.
func (s *Slack) State() State {
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	st := s.health.state
	if s.health.token.Health != "" {
		return s.health.token
	}
	if st.Health == Connecting && st.Why != "not started" && s.cfg.Now().Sub(st.Since) > s.times.deaf {
		st.Health = Deaf
	}
	return st
}
