package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"hermes/agent/guard"
)

// causes say in words what guard.Diagnose finds, and what to do.
var causes = map[guard.Cause]string{
	guard.NoCause:      "It did not go round without an end.",
	guard.LostContext:  "lost context: the conversation was too long for the model, so what it had found was no longer told.\n  A model with a larger window, fewer tools, or a smaller result.large_bytes helps.",
	guard.PoorResults:  "poor results: what it asked again had come back empty, failed or cut.\n  Look at the tool's results first.",
	guard.NoFinishRule: "no finish rule: your own prompt invites it to go on.\n  Say in model.prompt_file when it must end.",
	guard.BadCalls:     "bad calls: the model wrote, round after round, nothing that could be run or read: tools that there are not, wrong arguments, broken or empty replies.\n  Try another model.decision_format, or a stronger model.",
	guard.WeakModel:    "weak model: the results were good, and it made the same call again although it was told.\n  Try a stronger model.",
	guard.NoGoalCheck:  "no goal check: it found something new each time and never compared it with what was asked.\n  Ask for less at once, or give the profile more rounds.",
}

// diagnose says why a run went round without an end, and shows what its tools said,
// what its model wrote and what it read beside each other.
func (s *shell) diagnose() *cobra.Command {
	return &cobra.Command{
		Use:   "diagnose ID",
		Short: "Say why a piece of work went round without an end; the id stands under each answer",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := inquire[traced](cmd.Context(), s, opTrace, traceArgs{args[0]})
			if err != nil {
				return err
			}
			return explain(s.out, t)
		},
	}
}

// explain says why a run went round, and shows round for round what its tools said,
// what its model wrote, and what that read then.
func explain(w io.Writer, t traced) error {
	p := printer{w: w}
	r := t.Run
	p.f("%s  %s: %s\ncause: %s\n", r.Trace(), r.Status(), r.Text, causes[guard.Diagnose(r)])
	for i, st := range r.Steps {
		p.f("\nround %d\n", i+1)
		for _, res := range st.Results {
			p.f("  the tool said:   %s\n", short(res.Text))
		}
		raw := st.Raw
		if raw == "" {
			raw = st.Reply.Message.Text
		}
		for _, c := range st.Reply.Message.Calls {
			raw += " " + c.Name + string(c.Args)
		}
		p.f("  the model wrote: %s\n", short(strings.TrimSpace(raw)))
		told := st.Fault
		for _, res := range st.Results {
			told += " " + res.Prose()
		}
		p.f("  it read then:    %s\n", short(strings.TrimSpace(told)))
	}
	p.f("\nprompt and tools: %s\n", r.Contract)
	return p.err
}

// short is a text on one line.
func short(s string) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > 300 {
		return string(r[:300]) + "…"
	}
	return string(r)
}
