package agent

import (
	"context"
	"fmt"
	"time"

	"hermes/agent/run"
)

// Habits knows what people have approved.
type Habits interface {
	// Habit returns who has approved a call of a tool for an asker since a time, with that
	// Control, and how often.
	Habit(ctx context.Context, asker, tool, control string, since time.Time) ([]run.Habit, error)
}

// habitTime is how far back approvals are counted.
const habitTime = 7 * 24 * time.Hour

// habit returns who has approved the one call of a Question most often, if that is so
// often that the card should offer a Scope. What has no Scopes, as what is of high risk,
// is never offered.
func (a *Agent) habit(ctx context.Context, q run.Question) (*run.Habit, error) {
	if a.Habits == nil || a.cfg.OfferAfter < 1 || len(q.Scopes) == 0 || len(q.Calls) != 1 || q.Calls[0].Control == "" {
		return nil, nil
	}
	all, err := a.Habits.Habit(ctx, q.Asked, q.Calls[0].Name, q.Calls[0].Control, q.At.Add(-habitTime))
	if err != nil {
		return nil, fmt.Errorf("what was approved of %s: %w", q.Calls[0].Name, err)
	}
	var most *run.Habit
	for i, h := range all {
		if h.N >= a.cfg.OfferAfter && (most == nil || h.N > most.N) {
			most = &all[i]
		}
	}
	return most, nil
}
