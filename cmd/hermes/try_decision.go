package main

import (
	"context"

	"github.com/spf13/cobra"

	"hermes/agent/decision"
)

// tryDecision reads what models write.
func (s *shell) tryDecision() *cobra.Command {
	return s.trial("decision", "{text} → {ok, value, repaired, decision, error}", func(context.Context) (judge, error) {
		return typed(func(in decision.TrialInput) any { return decision.Try(in) }), nil
	})
}
