package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hermes/bot"
)

type weeksArgs struct {
	Weeks int `json:"weeks"`
}

var opInterventions = asOp("interventions", func(ctx context.Context, h *hermes, in weeksArgs) (bot.Interventions, error) {
	return h.interventions(ctx, in.Weeks)
})

// interventions are those of this week and so many before it, counted by the weeks of the
// configured zone.
func (h *hermes) interventions(ctx context.Context, weeks int) (bot.Interventions, error) {
	now := h.now().In(zoneOf(h.cfg))
	y, m, d := now.Date()
	since := time.Date(y, m, d-(int(now.Weekday())+6)%7-7*(weeks-1), 0, 0, 0, 0, now.Location())
	return h.db.Journal().Interventions(ctx, since, now.Location())
}

// Weeks of interventions that are counted.
const (
	usualWeeks = 4
	mostWeeks  = 53
)

func (s *shell) interventions() *cobra.Command {
	weeks := usualWeeks
	cmd := &cobra.Command{
		Use: "interventions", Short: "Count how often people had to come in, and why, by week and tool", Args: cobra.NoArgs,
		Long: "Count how often people had to come in, and why. Everything is counted from what is kept of the\n" +
			"work: decisions on cards, stops, Continues, what was said under way, calls that failed for good.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if weeks < 1 || weeks > mostWeeks {
				return fmt.Errorf("--weeks %d is not between 1 and %d", weeks, mostWeeks)
			}
			x, err := inquire[bot.Interventions](cmd.Context(), s, opInterventions, weeksArgs{weeks})
			if err != nil {
				return err
			}
			return s.sayInterventions(x)
		},
	}
	cmd.Flags().IntVar(&weeks, "weeks", usualWeeks, "how many weeks, this one included")
	return cmd
}

func (s *shell) sayInterventions(x bot.Interventions) error {
	w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	p := printer{w: w}
	p.f("since %s: people came in on %d of %d runs (%.1f%%)\n", x.From.Format(time.DateOnly), x.With, x.Runs, 100*x.Share())
	if causes := x.Causes(); len(causes) > 0 {
		p.f("\nCAUSE\tTIMES\n")
		for _, c := range causes {
			p.f("%s\t%d\n", c.Cause, c.N)
		}
		p.f("\nWEEK OF\tTOOL\tCAUSE\tTIMES\n")
		for _, r := range x.Rows {
			p.f("%s\t%s\t%s\t%d\n", r.Week, or(r.Tool, "-"), r.Cause, r.N)
		}
	}
	if len(x.Often) > 0 {
		p.f("\napproved again and again in the last 7 days; \"Allow like this …\" on the card ends that\nTIMES\tTOOL\tON\tBY\n")
		for _, o := range x.Often {
			p.f("%d\t%s\t%s\t%s\n", o.N, o.Tool, or(o.What, "-"), o.Person)
		}
	}
	return errors.Join(p.err, w.Flush())
}
