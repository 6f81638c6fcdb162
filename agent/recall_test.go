package agent_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"hermes/agent"
	"hermes/agent/agenttest"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// asked counts how often what is known is asked for.
type asked struct{ n int }

func (a *asked) Recall(context.Context, run.Request) ([]llm.Fact, error) {
	a.n++
	return []llm.Fact{{Subject: "sales", Predicate: "means", Object: fmt.Sprint("version ", a.n)}}, nil
}

// The rounds of a run are told what was recalled once, for a while: then it is recalled
// anew, so that what was taken back meanwhile is not told on.
func TestWhatIsRecalledHoldsForTheNextRoundsAndNotForLong(t *testing.T) {
	for name, c := range map[string]struct {
		took   time.Duration // of each round
		recall int           // asked of the memory, once of them for the language
	}{
		"quick rounds": {time.Second, 2},
		"slow rounds":  {11 * time.Second, 6},
	} {
		t.Run(name, func(t *testing.T) {
			now, known, n := noon, &asked{}, 0
			set, err := tool.NewSet(reader("look", func(_ context.Context, _ tool.Call, in query) (tool.Result, error) {
				return tool.Result{Text: "found " + in.Q}, nil
			}))
			if err != nil {
				t.Fatal(err)
			}
			m := modelFunc(func(_ context.Context, r llm.Request) (llm.Reply, error) {
				now = now.Add(c.took)
				if n++; n == 5 {
					return says("done"), nil
				}
				return says("", q("look", fmt.Sprint(n))), nil
			})
			a := agent.New(agent.Config{}, agent.Parts{
				Models: agent.NewModels(func() time.Time { return now }, agent.Member{Model: m}), Tools: set, Memory: known,
				Store: agenttest.NewStore(), Shelf: &shelf{}, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
			})
			if _, err := a.Start(t.Context(), request("k"), func(context.Context, run.Run) error { return nil }); err != nil {
				t.Fatal(err)
			}
			if n != 5 || known.n != c.recall {
				t.Errorf("%d rounds asked the memory %d times, want %d", n, known.n, c.recall)
			}
		})
	}
}
