package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"hermes/bot/slack"
)

// opHealth answers how well the daemon hears each Slack workspace.
var opHealth = asOp("health", func(_ context.Context, h *hermes, _ struct{}) ([]slack.State, error) {
	states := []slack.State{}
	for _, s := range h.slacks {
		states = append(states, s.State())
	}
	return states, nil
})

var errUnwell = errors.New("not every workspace is heard; the lines marked ✗ say why")

func (s *shell) health() *cobra.Command {
	return &cobra.Command{
		Use:   "health",
		Short: "Say whether the running daemon hears every Slack workspace; it fails if not",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return s.showHealth(cmd.Context()) },
	}
}

func (s *shell) showHealth(ctx context.Context) error {
	states, err := inquire[[]slack.State](ctx, s, opHealth, struct{}{})
	if err != nil {
		return err
	}
	p := printer{w: s.out}
	well := true
	for _, st := range states {
		mark, why := "✓", ""
		if st.Health != slack.Ready {
			well, mark, why = false, "✗", ": "+st.Why
		}
		p.f("%s Slack %s: %s since %s%s\n", mark, st.Name, st.Health, st.Since.UTC().Format(time.RFC3339), why)
	}
	if len(states) == 0 {
		p.f("· no Slack workspace\n")
	}
	if !well {
		return errors.Join(errUnwell, p.err)
	}
	return p.err
}
