package main

import (
	"context"

	"github.com/spf13/cobra"

	"hermes/agent/tool"
)

// tryArgs holds calls against the schemas of their tools.
func (s *shell) tryArgs() *cobra.Command {
	return s.trial("args", "{tools, call: {name, arguments}} → {valid, errors, arguments, coerced}", func(context.Context) (judge, error) {
		return typed(func(in tool.TrialInput) any { return tool.Try(in) }), nil
	})
}
