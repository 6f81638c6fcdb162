package agent_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"hermes/agent"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// interrupted is a model to which somebody speaks while it thinks.
type interrupted struct {
	*llmtest.Script
	while func(call int)
}

func (m interrupted) Generate(ctx context.Context, r llm.Request) (llm.Reply, error) {
	m.while(len(m.Heard()))
	return m.Script.Generate(ctx, r)
}

// What is said to a run under way is read by the model before it goes on, whenever it
// comes: before a tool, or while the answer is being written. It is said once, and is
// part of the record; whoever asks may not be another, and a slot takes nothing in.
func TestASteerIsTakenInBeforeTheNextCall(t *testing.T) {
	for name, tt := range map[string]struct {
		at     int // call of the model during which it is said
		by     string
		job    string
		taken  bool
		calls  int
		answer string
		order  []string // in what the model last reads
	}{
		"before a tool":         {0, ana, "", true, 2, "seven", []string{"sales to #sales", "<call", "<result", "only Asia"}},
		"while it answers":      {1, ana, "", true, 3, "three", []string{"<result", "<assistant> seven", "only Asia"}},
		"by another":            {0, lee, "", false, 2, "seven", nil},
		"to a slot of a job":    {0, ana, "j1", false, 2, "seven", nil},
		"while a model is gone": {2, ana, "", false, 2, "seven", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := &llmtest.Script{Replies: []llm.Reply{says("", q("look", "sales")), says("seven"), says("three")}}
			var g *rig
			m := interrupted{s, func(call int) {
				if call != tt.at {
					return
				}
				for range 2 {
					key, taken, err := g.Steer(t.Context(), home, tt.by, "only Asia", "m2", noon)
					if err != nil || taken != tt.taken || taken && key != "k" {
						t.Errorf("steer = %s, %t, %v", key, taken, err)
					}
				}
			}}
			look := echo("look")
			if tt.job != "" {
				look = tool.New(tool.Spec{Name: "look", Description: "Looks.", Effect: tool.Read, Unattended: true}, func(context.Context, tool.Call, query) (tool.Result, error) {
					return tool.Result{Text: "7"}, nil
				})
			}
			g = rigWith(t, agent.Config{}, []tool.Tool{look}, s, agent.Member{Model: m})
			req := request("k")
			req.Job = tt.job
			out, err := g.Start(t.Context(), req, func(context.Context, run.Run) error { return nil })
			if err != nil || out.Text != tt.answer || len(s.Heard()) != tt.calls {
				t.Fatalf("outcome %q after %d calls, %v; want %q after %d", out.Text, len(s.Heard()), err, tt.answer, tt.calls)
			}
			read, from := g.last(), 0
			for _, part := range tt.order {
				i := strings.Index(read[from:], part)
				if i < 0 {
					t.Fatalf("the model reads no %q after what came before:\n%s", part, read)
				}
				from += i
			}
			r := g.run(t, "k")
			if (len(r.Taken) == 1) != tt.taken || r.Unheard() || r.State != run.Done || strings.Count(read, "only Asia") != len(r.Taken) {
				t.Errorf("record has %+v of %+v and is %s", r.Taken, r.Steered, r.State)
			}
		})
	}
}

// A run that waits for somebody, or has ended, takes nothing in, and does not count
// as being at work.
func TestWhatWaitsIsNotSteered(t *testing.T) {
	b := newBench(t, both(), says("ready"))
	b.start(t, request("k"))
	steered := func(when string) {
		t.Helper()
		if _, taken, err := b.Steer(t.Context(), home, ana, "only Asia", "m2", noon); taken || err != nil {
			t.Errorf("%s: steer = %t, %v", when, taken, err)
		}
		if _, works, err := b.AtWork(t.Context(), home); works || err != nil {
			t.Errorf("%s: at work = %t, %v", when, works, err)
		}
	}
	steered("at its card")
	if err := b.press(t, &b.run(t, "k").Questions[0], lee, run.No); err != nil {
		t.Fatal(err)
	}
	if r, works, err := b.AtWork(t.Context(), home); works || err != nil {
		t.Errorf("answered and not yet begun again: %s, %t, %v", r.State, works, err)
	}
	b.on(t, "k")
	steered("after its end")
}

// What was said stays with the run over a crash, also between its last words and
// their save.
func TestASteerOutlivesACrash(t *testing.T) {
	s := &llmtest.Script{Replies: []llm.Reply{says("", q("look", "sales")), says("seven"), says("three")}}
	g := rigWith(t, agent.Config{}, []tool.Tool{echo("look")}, s, agent.Member{Model: s})
	ctx, stop := context.WithCancel(t.Context())
	states := 0
	_, err := g.Start(ctx, request("k"), func(ctx context.Context, _ run.Run) error {
		if states++; states == 3 {
			if _, taken, err := g.Steer(ctx, home, ana, "only Asia", "m2", time.Now()); !taken || err != nil {
				t.Errorf("steer = %t, %v", taken, err)
			}
			stop()
		}
		return ctx.Err()
	})
	if err == nil {
		t.Fatal("the first start was not cut off")
	}
	if out := g.start(t, "k"); !strings.Contains(g.last(), "only Asia") || out.Text != "seven" {
		t.Errorf("outcome %q, and the model read\n%s", out.Text, g.last())
	}
}

// What is said between the last words and their save is not lost: the run goes on, and
// nobody ever sees the answer that did not know of it.
func TestASteerAtTheLastMomentIsTakenIn(t *testing.T) {
	s := &llmtest.Script{Replies: []llm.Reply{says("seven"), says("three")}}
	g := rigWith(t, agent.Config{}, []tool.Tool{echo("look")}, s, agent.Member{Model: s})
	var seen []string
	out, err := g.Start(t.Context(), request("k"), func(ctx context.Context, r run.Run) error {
		seen = append(seen, string(r.State)+" "+r.Outcome.Text)
		if len(r.Steps) == 1 && len(r.Taken) == 0 {
			if _, taken, err := g.Steer(ctx, home, ana, "only Asia", "m2", noon); !taken || err != nil {
				t.Errorf("steer = %t, %v", taken, err)
			}
		}
		return nil
	})
	if err != nil || out.Text != "three" || !strings.Contains(g.last(), "only Asia") {
		t.Errorf("outcome %q, %v; the model read\n%s", out.Text, err, g.last())
	}
	if got := strings.Join(seen, ", "); strings.Contains(got, "seven") || !strings.HasSuffix(got, "done three") {
		t.Errorf("seen: %s", got)
	}
}
