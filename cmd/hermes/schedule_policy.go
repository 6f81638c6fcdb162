package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hermes/agent/tool/schedule"
	"hermes/bot/terminal"
	"hermes/config"
	"hermes/scheduler"
)

// schedules is the policy of the configuration, which was checked when it was read.
func schedules(c config.Schedules) scheduler.Policy {
	p := scheduler.Policy{Stagger: c.Stagger, Retries: c.Retries}
	p.CatchUp, p.Window, _ = scheduler.ParseCatchUp(c.CatchUp)
	p.Overlap, _ = scheduler.ParseOverlap(c.Overlap)
	p.Quiet, _ = scheduler.ParseQuiet(c.Quiet)
	if c.Retries == 0 {
		p.Retries = -1 // 0 of a Policy is the default
	}
	return p
}

// policyArgs are what is set of a job: empty is left as it is.
type policyArgs struct {
	ID string
	scheduler.Wishes
	Owner string // who shall have it; empty: who has it
}

var opSchedulePolicy = asOp("schedule.policy", func(ctx context.Context, h *hermes, in policyArgs) (planned, error) {
	j, err := h.db.Jobs().Job(ctx, in.ID)
	if err != nil {
		return planned{}, jobFault(in.ID, err)
	}
	if j.Policy, err = in.On(j.Policy); err != nil {
		return planned{}, err
	}
	if in.Owner != "" {
		to, why, err := h.heirOf(ctx, j, j.Origin, in.Owner, "en")
		switch {
		case err != nil:
			return planned{}, err
		case why != "":
			return planned{}, fmt.Errorf("--owner: %s", why)
		}
		j = schedule.HandOver(j, to, h.now())
	}
	if j, err = h.db.Jobs().By(terminal.Owner).Update(ctx, j); err != nil {
		return planned{}, jobFault(in.ID, err)
	}
	return h.planned(ctx, j, 1)
})

// sayPolicy says a policy in one line; what is as configured is left out.
func sayPolicy(p scheduler.Policy) string {
	var all []string
	switch p.CatchUp {
	case scheduler.Within:
		all = append(all, "caught up within "+p.Window.String())
	case scheduler.Never:
		all = append(all, "not caught up")
	case scheduler.Once:
		all = append(all, "caught up once")
	}
	switch p.Overlap {
	case scheduler.Wait:
		all = append(all, "waits for the slot before")
	case scheduler.Skip:
		all = append(all, "skipped while the slot before runs")
	}
	if p.Stagger > 0 {
		all = append(all, "spread over "+p.Stagger.String())
	}
	if !p.Quiet.IsZero() {
		all = append(all, "quiet "+p.Quiet.From+"-"+p.Quiet.To)
	}
	switch {
	case p.Retries < 0:
		all = append(all, "not tried again")
	case p.Retries > 0:
		all = append(all, fmt.Sprintf("tried again up to %d times", p.Retries))
	}
	return strings.Join(all, ", ")
}

func (s *shell) setSchedule() *cobra.Command {
	var a policyArgs
	c := &cobra.Command{
		Use: "set ID", Short: "Set what becomes of a schedule's times that are not good ones, or whose it is", Args: cobra.ExactArgs(1),
		Long: "Sets what becomes of the times that pass while the program is away, that come while the one before still runs, in the night, or that fail.\n" +
			"What is not named stays as it is; \"" + scheduler.AsConfigured + "\" is as the configuration has it (schedules).\n" +
			"With --owner somebody else has it from then on: it runs with their rights, goes on if it was paused, and its posts are asked for again.",
		Example: "  hermes schedule set jabc123 --catch-up 6h --quiet 22:00-07:00",
		RunE: func(cmd *cobra.Command, args []string) error {
			if a == (policyArgs{}) {
				return fmt.Errorf("nothing to set\n  hint: name one of --catch-up, --overlap, --stagger, --quiet, --retries, --owner")
			}
			a.ID = args[0]
			j, err := inquire[planned](cmd.Context(), s, opSchedulePolicy, a)
			if err != nil {
				return err
			}
			if a.Owner != "" {
				_, err = fmt.Fprintf(s.out, "%s (%s) is %s and owned by %s\n", j.ID, j.Name, j.State, j.Owner)
				if a == (policyArgs{ID: a.ID, Owner: a.Owner}) || err != nil {
					return err
				}
			}
			_, err = fmt.Fprintf(s.out, "%s (%s): %s\n", j.ID, j.Name, or(j.Policy, "as configured"))
			return err
		},
	}
	c.Flags().StringVar(&a.CatchUp, "catch-up", "", "once, none, or how late a time may still run, such as 6h")
	c.Flags().StringVar(&a.Overlap, "overlap", "", "skip or wait")
	c.Flags().StringVar(&a.Stagger, "stagger", "", "spread over so long, such as 10m")
	c.Flags().StringVar(&a.Quiet, "quiet", "", "two times of a day between which nothing begins, such as 22:00-07:00")
	c.Flags().StringVar(&a.Retries, "retries", "", "0 to 10: how often it is tried again after a failure that may pass")
	c.Flags().StringVar(&a.Owner, "owner", "", "who shall have it: slack:TEAM:USER, or a name where it was made")
	return c
}
