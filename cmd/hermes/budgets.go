package main

import (
	"context"
	"time"

	"hermes/agent/guard"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/config"
)

// budgets are those of the configuration.
func budgets(c config.Config) guard.Budgets {
	var all guard.Budgets
	for _, b := range c.Budgets {
		per, every := b.Of()
		all = append(all, guard.Budget{
			Per: per, Every: every, Limit: run.Amount{Tokens: int64(b.Tokens), Nanos: nanos(b.USD)}, Warn: b.WarnAt(),
		})
	}
	return all
}

// unpriced are the models that have no price, so that nobody knows what they cost.
func unpriced(c config.Config) []string {
	var names []string
	for _, e := range c.Endpoints() {
		if e.Price == (config.Price{}) {
			names = append(names, e.Provider+"/"+e.Name)
		}
	}
	return names
}

// zoneOf is the zone of the configuration, which was checked.
func zoneOf(c config.Config) *time.Location {
	loc, err := time.LoadLocation(c.Zone)
	if err != nil {
		return time.UTC
	}
	return loc
}

// Called implements bot.Caller.
func (w workspaces) Called(person string) string {
	for _, s := range w {
		if name := s.Called(person); name != "" {
			return name
		}
	}
	return ""
}

var _ bot.Caller = workspaces(nil)

// A treasurer is a desk that knows what was spent.
type treasurer struct {
	bot.Desk
	h *hermes
}

// Purses implements bot.Treasurer.
func (t treasurer) Purses(ctx context.Context, viewer, home string) ([]bot.PurseView, error) {
	return t.h.agent.Purses(ctx, viewer, home)
}

var _ bot.Treasurer = treasurer{}

// withBudgets is the desk, which shows budgets where there are any.
func (h *hermes) withBudgets(d bot.Desk) bot.Desk {
	if len(h.cfg.Budgets) == 0 {
		return d
	}
	return treasurer{d, h}
}

// botBudgets are those that people are told of; nil where there are none.
func (h *hermes) botBudgets() bot.Budgets {
	if len(h.cfg.Budgets) == 0 {
		return nil
	}
	return h.agent
}
