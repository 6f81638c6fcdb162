package slack

import (
	"context"
	"sync"
	"time"

	"hermes/bot"
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
	// Proven is when Slack last answered something of ours where we hear: over a socket a
	// ping or the opening, by HTTP who we are. Limit is how old that may be.
	Proven time.Time
	Limit  time.Duration
}

// health is what is known of how well we hear. It is true of the way there and back
// and not of a process: Ready takes a sign of life that is not old.
type health struct {
	mu      sync.Mutex
	state   State
	begun   bool
	live    int       // sockets that are read
	sign    time.Time // last sign of life, be it one way
	proven  time.Time // last answer to something of ours: proof of the way there and back
	lost    time.Time // the last sign of life before the last socket went
	refusal State     // of a token outside the socket; empty Health if there is none
	asked   time.Time // when something that happened was a reason to ask whether it still is
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
// before the new one is there, and then we hear nothing. opened returns since when that
// was so, zero if it was not, and whether before it a person was needed.
func (h *health) opened(now time.Time) (gap time.Time, mended bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.live == 0 {
		gap = h.lost
	}
	mended = h.state.Health == AuthFailed
	h.live++
	h.sign, h.proven = now, now
	h.turn(now, Ready, "")
	return gap, mended
}

func (h *health) closed(now time.Time, why string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.live--; h.live > 0 {
		return
	}
	h.lost = h.sign // it may have been dead for as long as we did not know
	if h.state.Health == Ready {
		h.turn(now, Connecting, "socket closed: "+why)
	}
}

// over ends a Run. Another one may follow.
func (h *health) over(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.live, h.lost = 0, h.sign
	h.turn(now, Connecting, "stopped")
	h.begun = false
}

// heard notes a sign of life.
func (h *health) heard(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sign = now
}

// answered notes an answer to something of ours.
func (h *health) answered(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sign, h.proven = now, now
}

// refused notes that a call was refused for its token, accepted that one was not. Each
// reports whether that is news.
func (h *health) refused(now time.Time, why string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.refusal.Health != "" {
		return false
	}
	h.refusal = State{Health: AuthFailed, Since: now, Why: why}
	return true
}

func (h *health) accepted() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	was := h.refusal.Health != ""
	h.refusal = State{}
	return was
}

// shut reports whether the bot token was refused last.
func (h *health) shut() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.refusal.Health != ""
}

// at is the state at a time. Without an answer for longer than quiet it is not Ready,
// whatever looks open and whatever comes in.
func (h *health) at(now time.Time, quiet, deaf time.Duration) State {
	h.mu.Lock()
	defer h.mu.Unlock()
	st := h.state
	st.Proven, st.Limit = h.proven, quiet
	switch {
	case h.refusal.Health != "":
		st.Health, st.Since, st.Why = h.refusal.Health, h.refusal.Since, h.refusal.Why
	case st.Health == Ready && now.Sub(h.proven) > quiet:
		st.Health, st.Since, st.Why = Deaf, h.proven, "slack has answered nothing for "+now.Sub(h.proven).Round(time.Second).String()
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

// quiet is how old the last answer may be: over a socket it is a little less than it
// takes to give it up; by HTTP three answers in a row must have failed.
func (s *Slack) quiet() time.Duration {
	if s.cfg.AppToken == "" {
		return 3 * s.times.probe
	}
	return s.times.stale
}

// probe asks Slack again and again who we are, until ctx ends. That tells of a token
// that was taken while nobody talks; and where nothing but HTTP comes, which nobody
// can look into from here, it is the sign of life. While the token is refused it asks
// more often, and at once when something happens: whoever has mended it tries it out.
func (s *Slack) probe(ctx context.Context) {
	for {
		again := s.times.probe
		if s.health.shut() {
			again = min(again, s.times.doubt)
		}
		t := time.NewTimer(again)
		select {
		case <-t.C:
		case <-s.doubts:
		case <-s.shut: // what it waits for is another time now
			t.Stop()
			continue
		case <-ctx.Done():
			t.Stop()
			return
		}
		t.Stop()
		_, err := s.api.AuthTestContext(ctx)
		s.note(err)
		switch {
		case ctx.Err() != nil:
		case err != nil && s.health.shut(): // that was said when it was refused
		case err != nil:
			s.log.Warn("slack does not answer", "err", err)
		case s.cfg.AppToken == "":
			s.health.answered(s.cfg.Now())
		}
	}
}

// happened notes that something has come from Slack. To a token that is refused it is
// a reason to ask again, if not the first within a second.
func (s *Slack) happened() {
	now := s.cfg.Now()
	if s.cfg.AppToken == "" {
		s.health.answered(now) // what comes by HTTP is answered on the same way
	} else {
		s.health.heard(now)
	}
	if s.health.shut() && s.health.mayAsk(now) {
		signal(s.doubts)
	}
}

// mayAsk reports whether nobody was told so within the last second.
func (h *health) mayAsk(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.asked.IsZero() && now.Sub(h.asked) < time.Second {
		return false
	}
	h.asked = now
	return true
}

// lull is after how long without a change the next one counts as the first.
const lull = 15 * time.Minute

// welcome tells the Receiver that the workspace lets us in: at the start, and each time
// that it did not before, until ctx ends. If it changes its mind again and again it is
// told less and less often, since each time all that waits is tried.
func (s *Slack) welcome(ctx context.Context, to bot.Receiver) {
	waits, ok := to.(bot.Reopener)
	if !ok {
		return
	}
	tell := func() {
		for try := 0; ; try++ {
			err := waits.Reopened(ctx, bot.Place{Platform: platform, Workspace: s.Team()})
			if err == nil || ctx.Err() != nil {
				return
			}
			s.log.Warn("slack is open again, and nobody takes notice", "err", err)
			if s.wait(ctx, s.backoff(try)) != nil {
				return
			}
		}
	}
	tell()
	var last time.Time
	for n := 0; ; n++ {
		select {
		case <-s.mended:
		case <-ctx.Done():
			return
		}
		if s.cfg.Now().Sub(last) > lull {
			n = 0
		}
		if n > 0 {
			if d := last.Add(s.backoff(n - 1)).Sub(s.cfg.Now()); d > 0 && s.wait(ctx, d) != nil {
				return
			}
		}
		s.log.Info("slack lets us in again")
		tell()
		last = s.cfg.Now()
	}
}
