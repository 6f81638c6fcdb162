package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"hermes/agent"
	"hermes/agent/decision"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// A writer streams what it says, in the pieces that it is given.
type writer struct{ pieces []string }

func (writer) Name() string { return "writer" }

func (w writer) Generate(_ context.Context, r llm.Request) (llm.Reply, error) {
	said := ""
	for _, p := range w.pieces {
		if said += p; p == "" {
			said = ""
		}
		if r.Stream != nil {
			r.Stream(p)
		}
	}
	return llm.Reply{Message: llm.Message{Role: llm.Assistant, Text: said}}, nil
}

// An answer is seen while it is written, once it is longer than what a model says before
// it calls a tool, and if it is for people at all.
func TestDraft(t *testing.T) {
	long := strings.Repeat("Sales rose in every region. ", 6)
	light := func(r run.Request) run.Request { r.Light = true; return r }
	job := func(r run.Request) run.Request { r.Job = "S1"; return r }
	same := func(r run.Request) run.Request { return r }
	for name, c := range map[string]struct {
		pieces []string
		req    func(run.Request) run.Request
		form   decision.Form
		want   []string
	}{
		"as it comes":          {[]string{long, "Most in Asia.", " Really."}, same, "", []string{long, long + "Most in Asia.", long + "Most in Asia. Really."}},
		"native":               {[]string{long}, same, decision.Native, []string{long}},
		"not a word or two":    {[]string{"Let me see.", " It is 7."}, same, "", nil},
		"nor what is JSON":     {[]string{`{"answer":"` + long + `"}`}, same, "", nil},
		"nor a thought":        {[]string{"<think>" + long + "</think>It is 7 altogether."}, same, "", nil},
		"nor a call in a text": {[]string{"I look. <tool_call>", long}, same, "", nil},
		"nor a form":           {[]string{long}, same, decision.Nested, nil},
		"nor small talk":       {[]string{long}, light, "", nil},
		"nor for a slot":       {[]string{long}, job, "", nil},
		"again after a break":  {[]string{long, "", long + "More."}, same, "", []string{long, "", long + "More."}},
		"a break that nobody saw": {
			[]string{"Sales", "", long}, same, "", []string{long},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			g := newRigOf(t, agent.Config{}, []tool.Tool{echo("look")})
			g.Models = agent.NewModels(g.Now, agent.Member{Model: writer{c.pieces}, Form: c.form})
			g.Draft = func(key, text string) {
				if key != "k" {
					t.Errorf("draft of %q", key)
				}
				got = append(got, text)
			}
			if _, err := g.Start(t.Context(), c.req(request("k")), func(context.Context, run.Run) error { return nil }); err != nil {
				t.Fatal(err)
			}
			if c.form == decision.Nested {
				got = slices.Compact(got)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("drafts = %q, want %q", got, c.want)
			}
		})
	}
}
