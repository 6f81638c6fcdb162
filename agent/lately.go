package agent

import (
	"context"

	"hermes/agent/run"
)

// Lately returns the last n Runs that people asked for at a home in more than small
// talk, the newest first; without their Steps, Questions and notes.
func (a *Agent) Lately(ctx context.Context, home string, n int) ([]run.Run, error) {
	return a.Store.Lately(ctx, home, n)
}
