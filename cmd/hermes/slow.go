package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"hermes/agent/exec"
)

// opSlow answers how the tools of the running daemon have done, the worst first.
var opSlow = asOp("slow", func(_ context.Context, h *hermes, _ struct{}) ([]exec.Tally, error) {
	return h.agent.Slow(), nil
})

// showSlow shows which tools are slow or fail, so that one can be replaced.
func (s *shell) showSlow(ctx context.Context) error {
	tallies, err := inquire[[]exec.Tally](ctx, s, opSlow, struct{}{})
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	p := printer{w: w}
	p.f("NAME\tCALLS\tTRIES\tTIMEOUTS\tP50\tP95\tRESTS\tFAILED\n")
	for _, t := range tallies {
		var failed []string
		for kind, n := range t.Failed {
			failed = append(failed, fmt.Sprintf("%s %d", kind, n))
		}
		slices.Sort(failed)
		p.f("%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", t.Tool, t.Calls, t.Tries, t.Timeouts,
			t.P50.Round(time.Microsecond), t.P95.Round(time.Microsecond), t.Resting.Round(time.Second), strings.Join(failed, ", "))
	}
	if len(tallies) == 0 {
		p.f("the daemon has run no tool since it started, or no daemon runs\n")
	}
	return errors.Join(p.err, w.Flush())
}
