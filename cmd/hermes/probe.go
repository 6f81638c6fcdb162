package main

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"hermes/bot/slack"
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
	Name  string    `json:"name"` // "store", or "slack" and the workspace
	Ready bool      `json:"ready"`
	State string    `json:"state,omitempty"` // of a workspace: a slack.Health
	Since time.Time `json:"since,omitzero"`
	Why   string    `json:"why,omitempty"` // if it is not ready; never a secret, nor what anybody said
}

// storeTime is how long the store may take to answer a probe.
const storeTime = 2 * time.Second

// readiness looks at all that the daemon needs.
func (h *hermes) readiness(ctx context.Context) readiness {
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	store := aspect{Name: "store", Ready: true}
	if _, _, err := h.db.Settings().Get(ctx, "", "probe"); err != nil {
		// The cause may name a host and a user: it is for the log.
		h.log.Warn("store does not answer", "err", err)
		store.Ready, store.Why = false, "the database does not answer; the daemon's log says why"
	}
	r := readiness{Ready: store.Ready, Checks: []aspect{store}}
	for _, s := range h.slacks {
		st := s.State()
		a := aspect{Name: "slack " + st.Name, Ready: st.Health == slack.Ready, State: string(st.Health), Since: st.Since.UTC(), Why: st.Why}
		r.Ready = r.Ready && a.Ready
		r.Checks = append(r.Checks, a)
	}
	return r
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
