package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"hermes/bot/slack"
	"hermes/internal/store"
)

// A probe asks whether the daemon lives and is ready to work, without a login: it
// hears nothing but names, states and causes.

// readiness is what GET /readyz answers: with 200 if all is ready, else with 503.
type readiness struct {
	Ready  bool     `json:"ready"`
	Checks []aspect `json:"checks"`
}

// An aspect is one thing that the daemon needs.
type aspect struct {
	Name  string    `json:"name"` // "store", "messages", "answers", or "slack" and the workspace
	Ready bool      `json:"ready"`
	State string    `json:"state,omitempty"` // of a workspace: a slack.Health
	Since time.Time `json:"since,omitzero"`
	Why   string    `json:"why,omitempty"` // if it is not ready; never a secret, nor what anybody said
	// Of a workspace: how old the last answer to something of ours is, in seconds, and from
	// which age on it is not ready.
	Age   *float64 `json:"round_trip_age_seconds,omitempty"`
	Limit float64  `json:"round_trip_limit_seconds,omitempty"`
	// Of messages and answers: how many nobody takes.
	Untaken int `json:"untaken,omitempty"`
}

// storeTime is how long the store may take to answer a probe.
const storeTime = 2 * time.Second

// A message that nobody takes up for so long, though nothing stands before it, and an
// answer that nobody brings to its platform: then nobody is answered, whatever is
// connected. Whose turn has just come may look like that for a moment, so it is looked
// for twice.
const (
	untakenFor = 30 * time.Second
	lookAgain  = 200 * time.Millisecond
)

// readiness looks at all that the daemon needs.
func (h *hermes) readiness(ctx context.Context) readiness {
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	base := aspect{Name: "store", Ready: true}
	if _, _, err := h.db.Settings().Get(ctx, "", "probe"); err != nil {
		// The cause may name a host and a user: it is for the log.
		h.log.Warn("store does not answer", "err", err)
		base.Ready, base.Why = false, "the database does not answer; the daemon's log says why"
	}
	r := readiness{Ready: base.Ready, Checks: []aspect{base}}
	for _, s := range h.slacks {
		st := s.State()
		a := aspect{Name: "slack " + st.Name, Ready: st.Health == slack.Ready, State: string(st.Health), Since: st.Since.UTC(), Why: st.Why, Limit: st.Limit.Seconds()}
		if !st.Proven.IsZero() {
			age := h.now().Sub(st.Proven).Round(100 * time.Millisecond).Seconds()
			a.Age = &age
		}
		r.Ready = r.Ready && a.Ready
		r.Checks = append(r.Checks, a)
	}
	if base.Ready {
		for _, a := range h.flow(ctx) {
			r.Ready = r.Ready && a.Ready
			r.Checks = append(r.Checks, a)
		}
	}
	return r
}

// flow is whether what comes in is taken up, and what is to go out is brought.
func (h *hermes) flow(ctx context.Context) []aspect {
	in, out, err := h.db.Untaken(ctx, h.now().Add(-untakenFor))
	if err == nil && in.N+out.N > 0 {
		select {
		case <-time.After(lookAgain):
		case <-ctx.Done():
		}
		wasIn, wasOut := in.Oldest, out.Oldest
		in, out, err = h.db.Untaken(ctx, h.now().Add(-untakenFor))
		if !in.Oldest.Equal(wasIn) {
			in.N = 0
		}
		if !out.Oldest.Equal(wasOut) {
			out.N = 0
		}
	}
	if err != nil {
		h.log.Warn("what nobody takes is not known", "err", err)
		why := "the database does not say; the daemon's log has the cause"
		return []aspect{{Name: "messages", Why: why}, {Name: "answers", Why: why}}
	}
	say := func(name, what string, u store.Untaken) aspect {
		a := aspect{Name: name, Ready: u.N == 0, Untaken: u.N}
		if u.N > 0 {
			a.Why = fmt.Sprintf("%d %s, the oldest for %s", u.N, what, h.now().Sub(u.Oldest).Round(time.Second))
		}
		return a
	}
	return []aspect{say("messages", "that nobody takes up", in), say("answers", "that nobody brings to its platform", out)}
}

// probes answers GET /healthz, which says that the process lives and no more, and GET
// /readyz.
func (h *hermes) probes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		h.answer(w, http.StatusOK, map[string]bool{"alive": true})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		is, status := h.readiness(r.Context()), http.StatusOK
		if !is.Ready {
			status = http.StatusServiceUnavailable
		}
		h.answer(w, status, is)
	})
	return mux
}

func (h *hermes) answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		h.log.Debug("who probed has gone", "err", err)
	}
}
