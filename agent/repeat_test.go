package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/agent"
	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// resolver is a Write that finds out whom its arguments mean: "#sales" and "sales" are one.
type resolver struct{ wrote *int }

func (resolver) Spec() tool.Spec { return tool.Spec{Name: "write", Effect: tool.Write} }

func (resolver) Plan(_ context.Context, c tool.Call) (tool.Plan, error) {
	return tool.Plan{Args: []byte(strings.ReplaceAll(string(c.Args), "#", ""))}, nil
}

func (n resolver) Run(context.Context, tool.Call) (tool.Result, error) {
	*n.wrote++
	return tool.Result{Text: "written"}, nil
}

// EXIT-08, EXEC-10 Calls that come to the same are one, however they are written: they
// stand once on a card, and what was done is not done again, unless somebody wants it twice.
func TestEXIT08WritesThatComeToTheSameAreOne(t *testing.T) {
	sales, hash := call("write", `{"to":"sales"}`), call("write", `{"to":"#sales"}`)
	for name, c := range map[string]struct {
		text    string
		replies []llm.Reply
		choice  string
		cards   []int
		wrote   int
		last    run.Unrun
	}{
		"in one reply":      {"go", []llm.Reply{says("", hash, sales), says("done")}, run.Yes, []int{1}, 1, run.Twice},
		"denied":            {"go", []llm.Reply{says("", hash, sales), says("done")}, run.No, []int{1}, 0, run.Twice},
		"EXEC-10 later":     {"go", []llm.Reply{says("", hash), says("", sales), says("done")}, run.Yes, []int{1}, 1, run.Cached},
		"twice":             {"Post it twice to sales", []llm.Reply{says("", hash, sales), says("done")}, run.Yes, []int{2}, 2, ""},
		"twice the same":    {"发两次", []llm.Reply{says("", hash, hash), says("done")}, run.Yes, []int{2}, 2, ""},
		"not twice":         {"Post it, but not twice", []llm.Reply{says("", hash, sales), says("done")}, run.Yes, []int{1}, 1, run.Twice},
		"twice a week":      {"Post it twice a week", []llm.Reply{says("", hash, sales), says("done")}, run.Yes, []int{1}, 1, run.Twice},
		"twice each week":   {"每周两次", []llm.Reply{says("", hash, sales), says("done")}, run.Yes, []int{1}, 1, run.Twice},
		"with others after": {"go", []llm.Reply{says("", hash, hash, call("write", `{"to":"ops"}`)), says("done")}, run.Yes, []int{2}, 2, run.Twice},
	} {
		t.Run(name, func(t *testing.T) {
			wrote := 0
			g := newRig(t, []tool.Tool{resolver{&wrote}}, c.replies...)
			req := request("k")
			req.Text = c.text
			nobody := func(context.Context, run.Run) error { return nil }
			out, err := g.Start(t.Context(), req, nobody)
			var cards []int
			for err == nil && out.Question != nil {
				cards = append(cards, len(out.Question.Calls))
				if _, err := g.Settle(t.Context(), run.Answer{Key: out.Asks, Question: out.Question.ID, Choice: c.choice, By: lee, At: time.Now()}); err != nil {
					t.Fatal(err)
				}
				out, err = g.Start(t.Context(), req, nobody)
			}
			r := g.run(t, "k")
			var last run.Result
			for _, s := range r.Steps {
				if len(s.Results) > 0 {
					last = s.Results[len(s.Results)-1]
				}
			}
			if err != nil || out.Text != "done" || wrote != c.wrote || len(cards) != len(c.cards) || cards[0] != c.cards[0] || last.Unrun != c.last {
				t.Errorf("wrote %d times by cards %v, last %+v, %+v, %v; want %d, %v, %q", wrote, cards, last, out, err, c.wrote, c.cards, c.last)
			}
		})
	}
}

// EXIT-06, EXIT-09, EXIT-11 One reply makes no more calls than a tool may have in all, and
// no more than a reply may have; the model hears of the rest, and not of each of hundreds.
func TestEXIT11CallsOfOneReplyAreLimited(t *testing.T) {
	for name, c := range map[string]struct {
		calls, same, tools int
		earlier            int // calls of the same tool in the reply before
		ran, kept          int
		says               string
	}{
		"as many as may be":     {10, 10, 1, 0, 10, 10, ""},
		"one too many":          {11, 10, 1, 0, 10, 11, "not run: at most 10 calls of one tool"},
		"500 of one tool":       {500, 10, 1, 0, 10, 31, "not run: at most 30 calls of one reply, and 469 after it were left out"},
		"what ran before":       {10, 10, 1, 4, 10, 10, "not run: at most 10 calls of one tool"},
		"of many tools":         {40, 10, 4, 0, 30, 31, "not run: at most 30 calls of one reply, and 9 after it were left out"},
		"without a limit":       {40, 0, 1, 0, 30, 31, "not run: at most 30 calls of one reply, and 9 after it were left out"},
		"the same counts once":  {-20, 10, 1, 0, 1, 20, ""},
		"another profile knows": {6, 5, 1, 0, 5, 6, "not run: at most 5 calls of one tool"},
	} {
		t.Run(name, func(t *testing.T) {
			var ran atomic.Int32
			var tools []tool.Tool
			for i := range c.tools {
				tools = append(tools, reader(fmt.Sprint("look", i), func(_ context.Context, _ tool.Call, in query) (tool.Result, error) {
					ran.Add(1)
					return tool.Result{Text: "found " + in.Q}, nil
				}))
			}
			calls := func(n int, of string) []llm.Call {
				var all []llm.Call
				for i := range max(n, -n) {
					what := fmt.Sprint(of, i)
					if n < 0 {
						what = of
					}
					all = append(all, q(fmt.Sprint("look", i%c.tools), what))
				}
				return all
			}
			replies := []llm.Reply{says("", calls(c.calls, "x")...), says("done")}
			if c.earlier > 0 {
				replies = slices.Insert(replies, 0, says("", calls(c.earlier, "y")...))
			}
			p := guard.Default
			p.SameTool = c.same
			g := newRigOf(t, agent.Config{Profiles: guard.Profiles{p}}, tools, replies...)
			out := g.start(t, "k")
			steps := g.run(t, "k").Steps
			last := steps[len(replies)-2]
			var res run.Result
			for _, r := range last.Results {
				if r.ID == last.Reply.Message.Calls[len(last.Reply.Message.Calls)-1].ID {
					res = r
				}
			}
			if out.Text != "done" || int(ran.Load()) != c.ran || len(last.Results) != c.kept || len(last.Reply.Message.Calls) != c.kept {
				t.Errorf("ran %d, kept %d and %d, %+v; want %d, %d", ran.Load(), len(last.Results), len(last.Reply.Message.Calls), out, c.ran, c.kept)
			}
			if over := res.Unrun == run.Excess; over != (c.says != "") || over && res.Text != c.says {
				t.Errorf("last result = %+v, want %q", res, c.says)
			}
		})
	}
}

// TOOL-13 What only a tool can have given is asked of the model: no person knows an id.
func TestTOOL13NobodyIsAskedForAnID(t *testing.T) {
	type args struct {
		Report  string `json:"report" jsonschema:"id from make_report"`
		Channel string `json:"channel" jsonschema:"as in #sales"`
	}
	post := tool.New(tool.Spec{Name: "post", Description: "Posts.", Effect: tool.Read}, func(context.Context, tool.Call, args) (tool.Result, error) {
		return tool.Result{Text: "posted"}, nil
	})
	g := newRig(t, []tool.Tool{post}, says("", call("post", `{}`)), says("", call("post", `{"n":1}`)), says("I make one first."))
	if out := g.start(t, "k"); out.Question != nil || out.Text != "I make one first." {
		t.Errorf("outcome = %+v", out)
	}
	if heard := written(g.script.Heard()[2]); !strings.Contains(heard, "no person knows it") {
		t.Errorf("the model is not told where it comes from:\n%s", heard)
	}
}
