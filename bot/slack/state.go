package slack

import (
	"context"
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
	Deaf       Health = "deaf" // for too long without a socket, or without a sign of life
)

// State is the health of a Slack, since when, and why.
type State struct {
	Name   string // of the workspace, as Config has it
	Team   string // its id; empty until Slack has said so
	Health Health
	Since  time.Time
	Why    string // empty if it is well; never a token
}

// health is what is known of how well we hear. It is true of the way there and back
// and not of a process: Ready takes a sign of life that is not old.
type health struct {
	mu      sync.Mutex
	state   State
	begun   bool
	live    int       // sockets that are read
	sign    time.Time // last sign of life
	lost    time.Time // when the last socket went
	refusal State     // of a token outside the socket; empty Health if there is none
}

func (h *health) begin(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.state = State{Health: Connecting, Since: now, Why: "not started"}
}

// set notes a change. The time of an unchanged health stays.
func (h *health) set(now time.Time, to Health, why string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.turn(now, to, why)
}

// turn is set with h.mu held.
func (h *health) turn(now time.Time, to Health, why string) {
	if h.state.Health != to {
		h.state.Since = now
	}
	h.state.Health, h.state.Why, h.begun = to, why, true
}

// opened and closed count the sockets: during a refresh the old one may be gone
// before the new one is there, and then we hear nothing. opened returns for how long
// that was so.
func (h *health) opened(now time.Time) (gap time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.live == 0 && !h.lost.IsZero() {
		gap = now.Sub(h.lost)
	}
	h.live++
	h.sign = now
	h.turn(now, Ready, "")
	return gap
}

func (h *health) closed(now time.Time, why string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.live--; h.live > 0 {
		return
	}
	h.lost = now
	if h.state.Health == Ready {
		h.turn(now, Connecting, "socket closed: "+why)
	}
}

// over ends a Run. Another one may follow.
func (h *health) over(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.live, h.lost = 0, now
	h.turn(now, Connecting, "stopped")
	h.begun = false
}

// heard notes a sign of life.
func (h *health) heard(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sign = now
}

// refused notes that a call was refused for its token, accepted that one was not.
func (h *health) refused(now time.Time, why string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.refusal.Health == "" {
		h.refusal = State{Health: AuthFailed, Since: now, Why: why}
	}
}

func (h *health) accepted() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.refusal = State{}
}

// at is the state at a time. Without a sign of life for longer than quiet it is not
// Ready, whatever looks open.
func (h *health) at(now time.Time, quiet, deaf time.Duration) State {
	h.mu.Lock()
	defer h.mu.Unlock()
	st := h.state
	switch {
	case h.refusal.Health != "":
		return h.refusal
	case st.Health == Ready && now.Sub(h.sign) > quiet:
		return State{Health: Deaf, Since: h.sign, Why: "no sign of life from slack"}
	case st.Health == Connecting && h.begun && now.Sub(st.Since) > deaf:
		st.Health = Deaf
	}
	return st
}

// State reports how well s hears.
func (s *Slack) State() State {
	st := s.health.at(s.cfg.Now(), s.quiet(), s.times.deaf)
	st.Name, st.Team = s.cfg.Name, s.Team()
	return st
}

// quiet is how old the last sign of life may be: a socket that brings no frame for
// less is given up by then; by HTTP three answers in a row must have failed.
func (s *Slack) quiet() time.Duration {
	if s.cfg.AppToken == "" {
		return 3 * s.times.probe
	}
	return s.times.silence + s.times.ping
}

// probe asks Slack again and again who we are, until ctx ends. That tells of a token
// that was taken while nobody talks; and where nothing but HTTP comes, which nobody
// can look into from here, it is the sign of life.
func (s *Slack) probe(ctx context.Context) {
	tick := time.NewTicker(s.times.probe)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		_, err := s.api.AuthTestContext(ctx)
		s.note(err)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			s.log.Warn("slack does not answer", "err", err)
		case s.cfg.AppToken == "":
			s.health.heard(s.cfg.Now())
		}
	}
}
