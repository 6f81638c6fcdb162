package agent_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/agent"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// memoryless keeps one run as it is, so that what a round costs is the loop's own.
type memoryless struct {
	agent.Store
	r   run.Run
	has bool
}

func (s *memoryless) Run(context.Context, string) (run.Run, bool, error) { return s.r, s.has, nil }

func (s *memoryless) Save(_ context.Context, r run.Run) (run.Run, error) {
	r.Version++
	s.r, s.has = r, true
	return r, nil
}

func (s *memoryless) Turns(context.Context, string, time.Time, int) ([]run.Turn, error) {
	return nil, nil
}

func (s *memoryless) Lately(context.Context, string, int) ([]run.Run, error) { return nil, nil }

// BenchmarkRound is what the loop itself takes for a round of two calls: without the
// model, the tools and the commits. The limit is 300 µs.
func BenchmarkRound(b *testing.B) {
	const rounds = 7 // and the answer
	var tools []tool.Tool
	for i := range 12 {
		tools = append(tools, reader(fmt.Sprintf("look_%c", 'a'+i), func(_ context.Context, _ tool.Call, in query) (tool.Result, error) {
			return tool.Result{Text: fmt.Sprintf(`{"columns":["region","sales"],"rows":[["Asia",%d],["EMEA",%d]],"of":%q}`, len(in.Q), len(in.Q)*2, in.Q)}, nil
		}))
	}
	set, err := tool.NewSet(tools...)
	if err != nil {
		b.Fatal(err)
	}
	var asked atomic.Int64
	m := modelFunc(func(_ context.Context, r llm.Request) (llm.Reply, error) {
		n := asked.Add(1)
		if n%(rounds+1) == 0 {
			return says("done"), nil
		}
		what := strings.Repeat("x", int(n%97)) + fmt.Sprint(n)
		return says("# intent: look", q(fmt.Sprintf("look_%c", 'a'+n%6), what), q(fmt.Sprintf("look_%c", 'g'+n%6), what)), nil
	})
	s := &memoryless{}
	a := agent.New(agent.Config{}, agent.Parts{
		Models: agent.NewModels(time.Now, agent.Member{Model: m}), Tools: set, Memory: nobody{}, Store: s, Shelf: &shelf{},
		Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	for b.Loop() {
		*s = memoryless{}
		out, err := a.Start(b.Context(), request("k"), func(context.Context, run.Run) error { return nil })
		if err != nil || out.Text != "done" {
			b.Fatalf("outcome %+v, %v", out, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/(rounds+1), "µs/round")
}
