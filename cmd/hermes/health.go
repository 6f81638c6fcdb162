package main

import (
	"context"

	"hermes/bot/slack"
)

// opHealth answers whether the daemon is there and hears, for scripts.
var opHealth = asOp("health", func(_ context.Context, h *hermes, _ struct{}) ([]slack.State, error) {
	states := []slack.State{}
	for _, s := range h.slacks {
		states = append(states, s.State())
	}
	return states, nil
})
