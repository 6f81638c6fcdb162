package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/internal/store"
	"hermes/internal/trace"
)

type traceArgs struct {
	ID string `json:"id"`
}

// A traced run is what `hermes trace` shows.
type traced struct {
	Run       run.Run        `json:"run"`
	Questions []run.Question `json:"questions"`
	Answers   []*run.Answer  `json:"answers"`
	Arrival   store.Arrival  `json:"arrival"`
	Ratings   []bot.Rating   `json:"ratings,omitempty"`
}

var opTrace = asOp("trace", func(ctx context.Context, h *hermes, in traceArgs) (traced, error) {
	const hint = "\n  hint: the id stands in the small print under each answer"
	if strings.TrimSpace(in.ID) == "" {
		return traced{}, errors.New("the id is empty" + hint)
	}
	r, err := h.db.Journal().Trace(ctx, in.ID) // its error names the id
	if err != nil {
		return traced{}, fmt.Errorf("%w"+hint, err)
	}
	t := traced{Run: r, Questions: r.Questions}
	for _, q := range r.Questions {
		t.Answers = append(t.Answers, q.Answer)
	}
	if t.Arrival, err = h.db.Journal().Arrival(ctx, r); err != nil {
		return t, err
	}
	t.Ratings, err = h.db.Journal().Ratings(ctx, r.Key)
	return t, err
})

func (s *shell) trace() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "trace ID",
		Short: "Show every step of one piece of work; the id stands under each answer",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := inquire[traced](cmd.Context(), s, opTrace, traceArgs{args[0]})
			if err != nil {
				return err
			}
			if asJSON {
				enc := json.NewEncoder(s.out)
				enc.SetIndent("", "  ")
				return enc.Encode(t)
			}
			return s.tell(t)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the whole record as JSON")
	return cmd
}

// tell writes a run for a person to read.
func (s *shell) tell(t traced) error {
	p := printer{w: s.out}
	r := t.Run
	p.f("%s  %s\n", r.Trace(), r.Key)
	p.f("asked by %s at %s, %s (%s)\n", r.Asker, r.Home, r.Now.Format(time.RFC3339), r.Zone)
	if r.Job != "" {
		p.f("slot of job %s about %s to %s\n", r.Job, r.Period.From.Format(time.DateOnly), r.Period.To.Format(time.DateOnly))
	}
	p.f("text: %s\ntaken for: %s%s\nprofile: %s\nmodel: %s\nversions: %s\n", r.Text, r.Intent, routedBy(r.Routed), r.Profile, r.Model, r.Contract)
	for _, g := range bot.GoalOf(r) {
		p.f("asked for: %s\n", bot.GoalWord("en", g))
	}
	p.said(r, 0)
	for i, st := range r.Steps {
		p.step(i+1, st)
		p.said(r, i+1)
	}
	for i, q := range t.Questions {
		p.f("\nquestion %s (%s), until %s\n", q.ID, q.Kind, q.Expires.Format(time.RFC3339))
		for _, c := range q.Calls {
			p.f("  %s %s\n    hash %s\n", c.Name, c.Args, c.Hash)
		}
		if a := t.Answers[i]; a != nil {
			p.f("  %s by %s at %s\n", a.Choice, a.By, a.At.Format(time.RFC3339))
		} else {
			p.f("  open\n")
		}
	}
	p.f("\n%s", r.Status())
	if r.Outcome.Guard != "" {
		p.f(", ended by %s", r.Outcome.Guard)
	}
	if r.Outcome.Stuck != "" {
		p.f(", stuck at %s: %s", r.Outcome.Stuck, r.Outcome.Detail)
	}
	u := r.Usage()
	p.f("\n%d tokens in, %d of them cached, %d out, $%.4f; worked %s\n%s\n", u.In, u.Cached, u.Out, float64(u.Nanos)/1e9, r.Worked.Round(time.Millisecond), r.Outcome.Text)
	p.arrival(t)
	return p.err
}

// said is what people said to the run after one of its rounds.
func (p *printer) said(r run.Run, round int) {
	for _, s := range r.Taken {
		if s.After == round {
			p.f("\ntold under way by %s at %s: %s\n", s.By, s.At.Format(time.TimeOnly), s.Text)
		}
	}
}

// arrival is what became of the answer, and what people thought of it.
func (p *printer) arrival(t traced) {
	switch a := t.Arrival; {
	case a.Status != "" && a.Reason != "":
		p.f("answer: %s after %d tries: %s\n", a.Status, a.Tries, a.Reason)
	case a.Status != "":
		p.f("answer: %s\n", a.Status)
	case a.Link != "":
		p.f("answer: delivered, %s\n", a.Link)
	}
	for _, r := range t.Ratings {
		verdict := "not useful"
		if r.Good {
			verdict = "useful"
		}
		p.f("judged %s by %s at %s\n", verdict, r.Person, r.At.Format(time.RFC3339))
	}
}

// step is one round: why, what, and what came of it.
func (p *printer) step(n int, st run.Step) {
	ms := func(d time.Duration) string { return d.Round(time.Microsecond).String() }
	p.f("\nround %d  %s  perceive %s, decide %s, act %s, observe %s  (%d tokens in, %d out", n, st.At.Format(time.TimeOnly),
		ms(st.Began), ms(st.Took), ms(st.Acted), ms(st.Read), st.Reply.Usage.In, st.Reply.Usage.Out)
	if st.Form != "" {
		p.f(", %s", st.Form)
	}
	p.f(")  new information: %s\n", yesNo(st.Gained()))
	if st.Closing {
		p.f("  the closing call, without tools\n")
	}
	if st.Reply.Message.Text != "" {
		p.f("  says: %s\n", st.Reply.Message.Text)
	}
	if len(st.Miscites) > 0 {
		p.f("  cites what had not run: %s\n", strings.Join(st.Miscites, ", "))
	}
	if st.Uncited {
		p.f("  speaks of what a tool has shown without saying which: unproven\n")
	}
	switch {
	case st.Closing && st.Fault != "":
		p.f("  failed: %s\n", st.Fault)
	case st.Claimed, len(st.Lacks) > 0:
		if st.Claimed {
			p.f("  claims what was not done\n")
		}
		if len(st.Lacks) > 0 {
			p.f("  wants to end without: %s\n", strings.Join(st.Lacks, ", "))
		}
		p.f("  was told: %s\n", st.Fault)
	case st.Fault != "":
		p.f("  wrote what cannot be read: %s\n  was told: %s\n", st.Raw, st.Fault)
	}
	for _, c := range st.Reply.Message.Calls {
		p.f("  %s %s %s\n", c.ID, c.Name, c.Args)
		for _, res := range st.Results {
			if res.ID == c.ID {
				p.result(res)
			}
		}
	}
}

func (p *printer) result(res run.Result) {
	verdict := "ok"
	switch {
	case res.Unrun != "":
		verdict = "not run (" + string(res.Unrun) + ")"
	case res.Failed:
		verdict = "failed"
	}
	p.f("    %s in %s", verdict, res.Took.Round(time.Microsecond))
	if res.Attempts > 1 {
		p.f(" and %d tries", res.Attempts)
	}
	if res.Under != "" {
		p.f(", allowed by %s", res.Under)
	}
	if res.Kept != "" {
		p.f(", all of it is artifact %s", res.Kept)
	}
	p.f(": %s\n", res.Text)
	if e := res.Error; e != nil {
		p.f("    %s in try %d", e.Type, e.Attempt)
		if e.Suggestion != "" {
			p.f("; suggested: %s", e.Suggestion)
		}
		p.f("\n")
	}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// tracing has every run written down beside the store.
type tracing struct {
	*agent.Agent
	log *trace.Log
}

// Start implements bot.Agent.
func (t tracing) Start(ctx context.Context, req run.Request, watch func(context.Context, run.Run) error) (run.Outcome, error) {
	return t.Agent.Start(ctx, req, t.also(watch))
}

// Fail implements bot.Agent.
func (t tracing) Fail(ctx context.Context, key string, why run.Why, watch func(context.Context, run.Run) error) (run.Outcome, error) {
	return t.Agent.Fail(ctx, key, why, t.also(watch))
}

func (t tracing) also(watch func(context.Context, run.Run) error) func(context.Context, run.Run) error {
	return func(ctx context.Context, r run.Run) error {
		if err := t.log.Saved(ctx, r); err != nil {
			return err
		}
		return watch(ctx, r)
	}
}

// routedBy is why the router took what was said for what it did.
func routedBy(d *run.Routed) string {
	if d == nil {
		return ""
	}
	text := fmt.Sprintf(" (%s, %.0f%% sure", d.Reason, 100*d.Sure)
	if len(d.Terms) > 0 {
		text += ", by: " + strings.Join(d.Terms, " ")
	}
	if len(d.Tags) > 0 {
		text += "; words of the team: " + strings.Join(d.Tags, " ")
	}
	return text + ")"
}
