package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent/guard"
	"hermes/agent/run"
	"hermes/bot/terminal"
)

var opGrantsList = asOp("grants.list", func(ctx context.Context, h *hermes, _ struct{}) ([]run.Grant, error) {
	all, err := h.db.Runs().Standing(ctx, "")
	if all == nil {
		all = []run.Grant{}
	}
	return all, err
})

type grantArgs struct {
	ID string `json:"id"`
}

var opGrantsRevoke = asOp("grants.revoke", func(ctx context.Context, h *hermes, in grantArgs) (run.Grant, error) {
	// Whoever holds the data folder is an admin.
	g, err := h.agent.Revoke(ctx, in.ID, terminal.Owner)
	if errors.Is(err, run.ErrNoGrant) {
		return g, fmt.Errorf("%w: %s\n  hint: `hermes grants list` shows their ids", run.ErrNoGrant, in.ID)
	}
	return g, err
})

func (s *shell) grants() *cobra.Command {
	root := &cobra.Command{Use: "grants", Short: "Look at what may be done without asking, and revoke it"}
	root.AddCommand(&cobra.Command{
		Use: "list", Short: "List what may be done without asking", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := inquire[[]run.Grant](cmd.Context(), s, opGrantsList, struct{}{})
			if err != nil {
				return err
			}
			if len(all) == 0 {
				_, err := fmt.Fprintln(s.out, "nothing may be done without asking")
				return err
			}
			w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
			p := printer{w: w}
			p.f("ID\tTOOL\tWHAT\tOF\tUSED\tUNTIL\tOWNER\tGIVEN BY\n")
			for _, g := range all {
				p.f("%s\t%s\t%s\t%s\t%d/%d\t%s\t%s\t%s\n", g.ID, g.Tool, or(grantWhat(g), "-"), grantOf(g), g.Uses, g.Max, g.Until.Format(time.DateOnly), g.Owner, g.By)
			}
			for _, g := range all {
				if g.Broken != "" {
					p.f("! %s is broken and not used: %s; `hermes grants revoke %s` ends it\n", g.ID, g.Broken, g.ID)
				}
			}
			return errors.Join(p.err, w.Flush())
		},
	}, &cobra.Command{
		Use: "revoke ID", Short: "Revoke one: its uses are asked for again", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := inquire[run.Grant](cmd.Context(), s, opGrantsRevoke, grantArgs{ID: args[0]})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(s.out, "%s (%s) is revoked\n", g.ID, g.Tool)
			return err
		},
	})
	return root
}

// grantWhat says what a grant allows: the channel, or the arguments that it holds for.
func grantWhat(g run.Grant) string {
	like, ok := run.PatternOf(g.Control)
	if !ok {
		return g.Label
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(like.Args)) {
		all = append(all, name+"="+guard.Shown(string(like.Args[name])))
	}
	for _, name := range like.Open {
		all = append(all, name+"=any of their own")
	}
	return strings.Join(all, " ")
}

// grantOf says of what a grant is.
func grantOf(g run.Grant) string {
	switch {
	case g.Job != "":
		return "schedule " + g.Job
	case g.Home != "":
		return "asked in " + g.Home
	}
	return "asked anywhere"
}
