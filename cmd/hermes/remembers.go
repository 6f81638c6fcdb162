package main

import (
	"context"
	"time"
)

const (
	// memoryLook is how long a fact that could not be written waits for the next try.
	memoryLook = time.Minute
	// memoryPatrol is how often what is kept is kept clean.
	memoryPatrol = 24 * time.Hour
	// lastPatrol is the setting that says when it was.
	lastPatrol = "memory-patrol"
)

// keepMemory does what the memory needs while the daemon runs, until ctx ends.
func (h *hermes) keepMemory(ctx context.Context) error {
	tick := time.NewTicker(memoryLook)
	defer tick.Stop()
	for {
		if err := h.tendMemory(ctx); err != nil && ctx.Err() == nil {
			h.log.Error("the memory could not be looked after", "err", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
			defer cancel()
			if _, err := h.memory.Flush(last); err != nil {
				h.log.Error("what was to be remembered is lost", "facts", h.memory.Queued(), "err", err)
			}
			return nil
		}
	}
}

// tendMemory writes what waits, and patrols when a day has passed since the last time,
// whichever process that was in.
func (h *hermes) tendMemory(ctx context.Context) error {
	now := h.now()
	was, _, err := h.db.Settings().Get(ctx, "", lastPatrol)
	if err != nil {
		return err
	}
	if at, err := time.Parse(time.RFC3339, was); err == nil && now.Sub(at) < memoryPatrol {
		_, err = h.memory.Flush(ctx)
		return err
	}
	r, err := h.memory.Patrol(ctx, now)
	if err != nil {
		return err
	}
	if r.Expired+r.Archived+r.Over+r.Deleted+len(r.Ask) > 0 {
		h.log.Info("memory swept", "expired", r.Expired, "archived", r.Archived, "over", r.Over, "deleted", r.Deleted, "disputes", len(r.Ask))
	}
	return h.db.Settings().Set(ctx, "", lastPatrol, now.UTC().Format(time.RFC3339))
}
