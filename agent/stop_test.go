package agent_test

import (
	"context"
	"strings"
	"testing"

	"hermes/agent"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// A stuck is a model that looks something up, writes some of its answer, and waits.
type stuck struct {
	pieces []string
	begun  chan struct{}
	turn   *int
}

func (stuck) Name() string { return "stuck" }

func (m stuck) Generate(ctx context.Context, r llm.Request) (llm.Reply, error) {
	if *m.turn++; *m.turn == 1 {
		return llm.Reply{Message: llm.Message{Role: llm.Assistant, Calls: []llm.Call{q("look", "a")}}}, nil
	}
	for _, p := range m.pieces {
		r.Stream(p)
	}
	close(m.begun)
	<-ctx.Done()
	return llm.Reply{}, ctx.Err()
}

// EXIT-15, EXIT-21 Who presses Stop keeps what was found and all that had come of the
// answer, shown or not.
func TestEXIT21WhatWasFoundAndWrittenIsKeptAtAStop(t *testing.T) {
	long := strings.Repeat("Sales rose in every region. ", 6)
	for name, c := range map[string]struct {
		pieces []string
		want   string
	}{
		"an answer on its way":    {[]string{long, "Most \x00in\u202e A"}, strings.TrimSpace(long + "Most in A")},
		"one that began anew":     {[]string{long, "", long + "Again"}, strings.TrimSpace(long + "Again")},
		"one that was taken back": {[]string{long, ""}, ""},
		"a few words":             {[]string{"Sales", " rose in"}, "Sales rose in"},
		"a call in text":          {[]string{"{\"tool\":", "\"look\""}, ""},
		"more than is shown":      {[]string{long, strings.Repeat(long, 1_000), "x"}, strings.Repeat(long, 1_001) + "x"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newRigOf(t, agent.Config{}, []tool.Tool{echo("look")})
			m := stuck{c.pieces, make(chan struct{}), new(int)}
			g.Models = agent.NewModels(g.Now, agent.Member{Model: m})
			g.Draft = func(string, string) {}
			done := make(chan run.Outcome, 1)
			go func() { done <- g.start(t, "k") }()
			<-m.begun
			if _, err := g.Stop(t.Context(), run.Stop{Run: "k", By: ana}); err != nil {
				t.Fatal(err)
			}
			out := <-done
			if out.Why != run.Stopped || out.Text != c.want || len(out.Found) != 1 || out.Found[0].Tool != "look" || out.Cut {
				t.Errorf("outcome = %+v", out)
			}
			if again := g.start(t, "k"); again.Text != c.want || len(again.Found) != 1 {
				t.Errorf("told again, it is %+v", again)
			}
		})
	}
}
