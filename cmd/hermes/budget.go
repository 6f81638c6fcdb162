package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hermes/agent/run"
	"hermes/bot"
	"hermes/bot/terminal"
)

var opBudgetList = asOp("budget.list", func(ctx context.Context, h *hermes, _ struct{}) ([]run.Purse, error) {
	all, err := h.agent.Purses(ctx, terminal.Owner, "")
	if all == nil {
		all = []run.Purse{}
	}
	return all, err
})

type raiseArgs struct {
	Key   string     `json:"key"`
	Purse string     `json:"purse"`
	Limit run.Amount `json:"limit"`
}

var opBudgetRaise = asOp("budget.raise", func(ctx context.Context, h *hermes, in raiseArgs) (run.Purse, error) {
	p, err := h.agent.RaiseBudget(ctx, run.Raise{Key: in.Key, Purse: in.Purse, Limit: in.Limit, By: terminal.Owner, At: h.now()})
	switch {
	case errors.Is(err, run.ErrNoPurse):
		return p, fmt.Errorf("%w\n  hint: `hermes budget list` shows their names", err)
	case errors.Is(err, run.ErrNotMore), errors.Is(err, run.ErrNoNumber):
		return p, fmt.Errorf("%w: %s\n  hint: write more than that, of what it limits", err, bot.PurseLine("en", p))
	}
	return p, err
})

func (s *shell) budget() *cobra.Command {
	root := &cobra.Command{Use: "budget", Short: "Show what was spent of the budgets, and raise one"}
	root.AddCommand(&cobra.Command{
		Use: "list", Short: "List the budgets with what was spent of them", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := inquire[[]run.Purse](cmd.Context(), s, opBudgetList, struct{}{})
			if err != nil {
				return err
			}
			return s.listBudgets(all)
		},
	}, &cobra.Command{
		Use: "raise NAME AMOUNT", Short: "Raise a budget until its period is over: `hermes budget raise month $50`", Args: cobra.MinimumNArgs(2),
		Long: "Raise a budget until its period is over. NAME is as `hermes budget list` shows it; AMOUNT\n" +
			"is its new limit, such as $50, \"50 usd\" or \"200000 tokens\". The audit keeps who raised it.",
		RunE: func(cmd *cobra.Command, args []string) error {
			words := strings.TrimPrefix(strings.Join(args[1:], " "), "to ")
			limit, ok := bot.ReadAmount(words)
			if !ok {
				return fmt.Errorf("%q is no amount\n  hint: write it as '$50' in quotes, \"50 usd\" or \"200000 tokens\"", words)
			}
			cfg, err := s.config()
			if err != nil {
				return err
			}
			if len(cfg.Budgets) == 0 {
				return errors.New("there are no budgets\n  hint: the configuration has them under budgets")
			}
			p, err := inquire[run.Purse](cmd.Context(), s, opBudgetRaise, raiseArgs{Key: newKey(), Purse: args[0], Limit: limit})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(s.out, "raised: %s\n", bot.PurseLine("en", p))
			return err
		},
	})
	return root
}

// newKey names one raise for ever.
func newKey() string { return "cli/" + rand.Text() }

func (s *shell) listBudgets(all []run.Purse) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(s.out, "no budget has anything to show: there are none under budgets, or nothing was spent of them yet")
		return err
	}
	w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	p := printer{w: w}
	p.f("NAME\tSPENT\tSHARE\tUNTIL\tRAISED BY\n")
	for _, x := range all {
		until := "-"
		if !x.Until.IsZero() {
			until = x.Until.Format("2006-01-02 15:04 MST")
		}
		p.f("%s\t%s\t%.0f%%\t%s\t%s\n", x.Name(), bot.Amounts("en", x), 100*x.Share(), until, or(x.Raised, "-"))
	}
	return errors.Join(p.err, w.Flush())
}
