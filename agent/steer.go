package agent

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hermes/agent/run"
)

// Steer notes what a person says at a home on the Run that is at work there for them,
// which takes it in before it asks the model again. It returns the key of that Run,
// and false if there is none: one that waits for somebody has come to its question,
// and one of a schedule does what its card said, as a saved report does what was saved.
func (a *Agent) Steer(ctx context.Context, home, by, text, key string, at time.Time) (string, bool, error) {
	under, err := a.Store.Under(ctx, home)
	if err != nil {
		return "", false, fmt.Errorf("runs under way at %s: %w", home, err)
	}
	for _, r := range slices.Backward(under) {
		if r.Asker != by || r.Job != "" || r.Light || r.Order != nil {
			continue
		}
		noted, err := a.Store.Steer(ctx, r.Key, run.Steer{Key: key, By: by, Text: text, At: at})
		if err != nil {
			return "", false, fmt.Errorf("steer run %s: %w", r.Key, err)
		}
		if noted {
			return r.Key, true, nil
		}
	}
	return "", false, nil
}

// AtWork returns the newest Run that works at a home, and false if none does.
func (a *Agent) AtWork(ctx context.Context, home string) (run.Run, bool, error) {
	under, err := a.Store.Under(ctx, home)
	if err != nil {
		return run.Run{}, false, fmt.Errorf("runs under way at %s: %w", home, err)
	}
	for _, req := range slices.Backward(under) {
		r, ok, err := a.Store.Run(ctx, req.Key)
		if err != nil {
			return r, false, fmt.Errorf("load run %s: %w", req.Key, err)
		}
		if ok && (r.State == run.Working || r.State == run.Delivering) {
			return r, true, nil
		}
	}
	return run.Run{}, false, nil
}

// Theirs returns the Runs of a person that have not ended, wherever they are, the oldest
// first.
func (a *Agent) Theirs(ctx context.Context, asker string) ([]run.Run, error) {
	under, err := a.Store.Theirs(ctx, asker)
	if err != nil {
		return nil, fmt.Errorf("runs of %s under way: %w", asker, err)
	}
	var runs []run.Run
	for _, req := range under {
		r, ok, err := a.Store.Run(ctx, req.Key)
		if err != nil {
			return nil, fmt.Errorf("load run %s: %w", req.Key, err)
		}
		if ok && !r.Ended() {
			runs = append(runs, r)
		}
	}
	return runs, nil
}
