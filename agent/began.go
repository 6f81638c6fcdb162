package agent

import (
	"context"

	"hermes/agent/run"
)

// Threads knows what threads began with.
type Threads interface {
	// Began returns the post of ours with which the thread of a home began, as far as the
	// asker may know of it; nil if it did not begin so.
	Began(ctx context.Context, home, asker string) (*run.Began, error)
}

// began is what the thread of a Request began with. Without it the words have to do.
func (a *Agent) began(ctx context.Context, req run.Request) *run.Began {
	if a.Threads == nil || req.Light || req.Job != "" {
		return nil
	}
	b, err := a.Threads.Began(ctx, req.Home, req.Asker)
	if err != nil && ctx.Err() == nil {
		a.Log.Warn("what a thread began with is not known", "run", req.Key, "home", req.Home, "err", err)
	}
	return b
}
