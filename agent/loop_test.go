package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent"
	"hermes/agent/agenttest"
	"hermes/agent/decision"
	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/prompt"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// A rig is an agent with a script and tools of a test's own.
type rig struct {
	*agent.Agent
	script *llmtest.Script
	store  *counting
	shelf  *shelf
	log    *bytes.Buffer
}

// counting counts what is written to a store.
type counting struct {
	*agenttest.Store
	saves atomic.Int32
}

func (c *counting) Save(ctx context.Context, r run.Run) (run.Run, error) {
	c.saves.Add(1)
	return c.Store.Save(ctx, r)
}

func (c *counting) Deliver(ctx context.Context, r run.Run) (run.Run, error) {
	c.saves.Add(1)
	return c.Store.Deliver(ctx, r)
}

func newRig(t *testing.T, tools []tool.Tool, replies ...llm.Reply) *rig {
	t.Helper()
	return newRigOf(t, agent.Config{}, tools, replies...)
}

func newRigOf(t testing.TB, cfg agent.Config, tools []tool.Tool, replies ...llm.Reply) *rig {
	t.Helper()
	s := &llmtest.Script{Replies: replies}
	return rigWith(t, cfg, tools, s, agent.Member{Model: s})
}

func rigWith(t testing.TB, cfg agent.Config, tools []tool.Tool, s *llmtest.Script, members ...agent.Member) *rig {
	t.Helper()
	set, err := tool.NewSet(tools...)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Deciders.Admins = []string{lee}
	cfg.Patience, cfg.JobWait = time.Hour, time.Hour
	g := &rig{script: s, store: &counting{Store: agenttest.NewStore()}, shelf: &shelf{}, log: &bytes.Buffer{}}
	g.Agent = agent.New(cfg, agent.Parts{
		Models: agent.NewModels(time.Now, members...), Tools: set, Memory: nobody{}, Store: g.store, Shelf: g.shelf,
		Now: time.Now, Log: slog.New(slog.NewTextHandler(g.log, nil)),
	})
	return g
}

func (g *rig) start(t *testing.T, key string) run.Outcome {
	t.Helper()
	out, err := g.Start(t.Context(), request(key), func(context.Context, run.Run) error { return nil })
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	return out
}

func (g *rig) run(t *testing.T, key string) run.Run {
	t.Helper()
	r, ok, err := g.store.Run(t.Context(), key)
	if err != nil || !ok {
		t.Fatalf("run %s: %t, %v", key, ok, err)
	}
	return r
}

// last is what the model read in its last request.
func (g *rig) last() string {
	heard := g.script.Heard()
	return written(heard[len(heard)-1])
}

func written(r llm.Request) string {
	var b strings.Builder
	b.WriteString(r.System)
	for _, m := range r.Messages {
		fmt.Fprintf(&b, "\n<%s> %s", m.Role, m.Text)
		for _, c := range m.Calls {
			fmt.Fprintf(&b, "\n<call %s> %s %s", c.ID, c.Name, c.Args)
		}
		for _, res := range m.Results {
			fmt.Fprintf(&b, "\n<result %s> %s", res.ID, res.Prose())
		}
	}
	return b.String()
}

type noArgs struct{}

type query struct {
	Q string `json:"q" jsonschema:"what to look for"`
	N int    `json:"n,omitempty" jsonschema:"how many"`
}

func reader(name string, f func(context.Context, tool.Call, query) (tool.Result, error)) tool.Tool {
	return tool.New(tool.Spec{Name: name, Description: "Reads " + name + ".", Effect: tool.Read}, f)
}

// echo says what it was asked for.
func echo(name string) tool.Tool {
	return reader(name, func(_ context.Context, _ tool.Call, in query) (tool.Result, error) {
		return tool.Result{Text: name + " of " + in.Q}, nil
	})
}

func fails(name string, err func() error) tool.Tool {
	return reader(name, func(_ context.Context, _ tool.Call, in query) (tool.Result, error) {
		if e := err(); e != nil {
			return tool.Result{}, e
		}
		return tool.Result{Text: name + " of " + in.Q}, nil
	})
}

func q(name, what string) llm.Call {
	b, err := json.Marshal(query{Q: what})
	if err != nil {
		panic(err)
	}
	return llm.Call{Name: name, Args: b}
}

// LOOP-06, LOOP-15, PRIN-06 Tool, tool, finish is two results and one answer; the
// model reads each call with its result, and each step says why.
func TestLOOP06ToolToolFinish(t *testing.T) {
	g := newRig(t, []tool.Tool{echo("look")}, says("# intent: find a", q("look", "a")), says("# intent: find b", q("look", "b")), says("both"))
	out := g.start(t, "k")
	r := g.run(t, "k")
	if out.Text != "both" || r.Status() != run.StatusDone || r.Outcome.Guard != "finish" || len(r.Steps) != 3 {
		t.Fatalf("outcome %+v, %s by %s in %d rounds", out, r.Status(), r.Outcome.Guard, len(r.Steps))
	}
	if r.Steps[0].Reply.Message.Text != "# intent: find a" || r.Steps[0].Results[0].Text != "look of a" {
		t.Errorf("step 1 = %+v", r.Steps[0])
	}
	said := g.last()
	for _, want := range []string{"<call s1c1> look", "<result s1c1>", "look of a", "<call s2c1> look", "look of b"} {
		if !strings.Contains(said, want) {
			t.Errorf("the model did not read %q in\n%s", want, said)
		}
	}
}

// LOOP-07, EXEC-04, ERR-21, FAIL-16 A failure of one round is read in the next, and
// the model may change the arguments, the tool, or give up.
func TestLOOP07FailuresAreRead(t *testing.T) {
	broken := func() error { return tool.Failf(tool.LogicError, "the shelf is empty") }
	for name, second := range map[string]llm.Reply{
		"other arguments": says("", q("look", "b")), "another tool": says("", q("spare", "a")), "giving up": says("I cannot"),
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, []tool.Tool{fails("look", broken), echo("spare")}, says("", q("look", "a")), second, says("done"))
			g.start(t, "k")
			heard := written(g.script.Heard()[1])
			if !strings.Contains(heard, "the shelf is empty") || !strings.Contains(heard, string(tool.LogicError)) {
				t.Errorf("the second request does not tell of the failure:\n%s", heard)
			}
			e := g.run(t, "k").Steps[0].Results[0].Error
			if e == nil || e.Type != tool.LogicError || e.Tool != "look" || e.Attempt != 1 || e.Message == "" || e.Suggestion == "" {
				t.Errorf("ERR-01 error = %+v, want all five fields", e)
			}
		})
	}
}

// ERR-01 A result that says itself that it failed has all five fields too.
func TestERR01AFailedResultSuggestsWhatToDo(t *testing.T) {
	look := tool.New(tool.Spec{Name: "look", Effect: tool.Read}, func(_ context.Context, _ tool.Call, _ struct {
		Q string `json:"q"`
	},
	) (tool.Result, error) {
		return tool.Fail("there is no q of that name"), nil
	})
	g := newRig(t, []tool.Tool{look}, says("", q("look", "a")), says("done"))
	g.start(t, "k")
	e := g.run(t, "k").Steps[0].Results[0].Error
	if e == nil || e.Type != tool.InputError || e.Tool != "look" || e.Attempt != 1 || e.Message == "" || e.Suggestion != "Call look again with another q. It takes q (required)." {
		t.Errorf("error = %+v, want all five fields", e)
	}
}

// LOOP-12, L1 A tool that is not there is answered with the names that are and the
// one that was meant; it counts as a round.
func TestLOOP12UnknownTool(t *testing.T) {
	g := newRig(t, []tool.Tool{echo("look_up"), echo("spare")}, says("", q("look_opp", "a")), says("", q("look_up", "a")), says("done"))
	out := g.start(t, "k")
	heard := written(g.script.Heard()[1])
	if out.Text != "done" || out.Steps != 3 || !strings.Contains(heard, "did you mean look_up?") || !strings.Contains(heard, "look_up, spare") {
		t.Errorf("outcome %+v; the model read\n%s", out, heard)
	}
}

// LOOP-13, LOOP-14, DEC-14, DEC-03 What is neither an answer nor a call is told to
// the model, counts as a round, and the person is not bothered.
func TestLOOP14RepliesThatAreNothing(t *testing.T) {
	const garbage = `{"thought": {"action": [`
	for name, tt := range map[string]struct {
		replies []llm.Reply
		rounds  int
		status  run.Status
	}{
		"empty, then good":     {[]llm.Reply{says(""), says("good")}, 2, run.StatusDone},
		"bad, bad, good":       {[]llm.Reply{says(garbage), says(garbage), says("good")}, 3, run.StatusDone},
		"bad, bad, bad":        {[]llm.Reply{says(garbage), says(garbage), says(garbage), says("partial")}, 4, run.StatusStalled},
		"empty for ever":       {[]llm.Reply{says(""), says(""), says(""), says("")}, 4, run.StatusStalled},
		"call, empty, go on":   {[]llm.Reply{says("", q("look", "a")), says(""), says("good")}, 3, run.StatusDone},
		"thought without acts": {[]llm.Reply{says(`{"thought":"hm","is_finished":false}`), says("good")}, 2, run.StatusDone},
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, []tool.Tool{echo("look")}, tt.replies...)
			out := g.start(t, "k")
			r := g.run(t, "k")
			if len(r.Steps) != tt.rounds || r.Status() != tt.status || out.Question != nil {
				t.Errorf("%d rounds, %s, %q; want %d, %s", len(r.Steps), r.Status(), out.Text, tt.rounds, tt.status)
			}
			if r.Steps[0].Fault != "" && !strings.Contains(written(g.script.Heard()[1]), r.Steps[0].Fault) {
				t.Error("the model was not told what was wrong")
			}
		})
	}
}

// DEC-01 The four shapes of a decision do the same.
func TestDEC01FourShapesOneDecision(t *testing.T) {
	native := says("", q("look", "sales"))
	for name, replies := range map[string][]llm.Reply{
		"native": {native, says("seven")},
		"nested": {says(`{"thought":"x","action":{"name":"look","args":{"q":"sales"}}}`), says(`{"thought":"x","action":"finish","result":"seven"}`)},
		"flat": {
			says(`{"thought":"x","action":"look","action_input":{"q":"sales"},"is_finished":false}`),
			says(`{"thought":"x","action":"","action_input":{},"is_finished":true,"final_answer":"seven"}`),
		},
		"tagged": {says(`[THOUGHT] x [ACTION] look {"q":"sales"}`), says("seven")},
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, []tool.Tool{echo("look")}, replies...)
			out := g.start(t, "k")
			r := g.run(t, "k")
			if out.Text != "seven" || len(r.Steps) != 2 || len(r.Steps[0].Results) != 1 || r.Steps[0].Results[0].Text != "look of sales" {
				t.Errorf("outcome %+v, steps %+v", out, r.Steps)
			}
		})
	}
}

// DEC-06 An empty finish is followed by one closing call, never by an empty answer.
func TestDEC06EmptyFinishIsAskedForOnce(t *testing.T) {
	g := newRig(t, []tool.Tool{echo("look")}, says("", q("look", "a")), says(`{"thought":"x","action":"finish","result":""}`), says("composed"))
	if out := g.start(t, "k"); out.Text != "composed" || out.Why != "" || g.run(t, "k").Status() != run.StatusDone {
		t.Errorf("outcome = %+v", out)
	}
	if last := g.script.Heard()[2]; len(last.Tools) != 0 {
		t.Error("the closing call has tools")
	}
}

// DEC-12 What was picked from broken text may look, and may not write.
func TestDEC12ScrapedCallsOnlyRead(t *testing.T) {
	wrote := 0
	wipe := func(context.Context, tool.Call, query) (tool.Result, error) {
		wrote++
		return tool.Result{Text: "wiped"}, nil
	}
	write := tool.New(tool.Spec{Name: "wipe", Description: "Wipes."}, wipe)
	keep := tool.New(tool.Spec{Name: "keep", Description: "Keeps.", Effect: tool.Read, Keeps: true, Content: []string{"q"}}, wipe)
	cut := `{"thought":"x","action":{"name":"%s","args":{"q":"sales`
	for name, tt := range map[string]struct {
		tool  string
		asked bool
	}{"a read runs": {"look", false}, "a write is written again": {"wipe", true}, "what is kept is written again": {"keep", true}} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, []tool.Tool{echo("look"), write, keep}, says(fmt.Sprintf(cut, tt.tool)), says("done"))
			out := g.start(t, "k")
			step := g.run(t, "k").Steps[0]
			if out.Text != "done" || out.Question != nil || wrote != 0 {
				t.Errorf("outcome %+v, wrote %d", out, wrote)
			}
			if refused := step.Fault != "" || len(step.Results) > 0 && step.Results[0].Failed; refused != tt.asked {
				t.Errorf("step = %+v", step)
			}
		})
	}
}

// DEC-15, TOOL-10, ERR-08, EXIT-05 Arguments that do not fit are refused with all
// that is wrong, nothing runs, and the next try may.
func TestDEC15WrongArgumentsAreMended(t *testing.T) {
	g := newRig(t, []tool.Tool{echo("look")}, says("", call("look", `{"q":"a","n":"many","x":1}`)), says("", q("look", "a")), says("done"))
	out := g.start(t, "k")
	res := g.run(t, "k").Steps[0].Results[0]
	if out.Text != "done" || res.Unrun != run.Unfit || res.Attempts != 0 || res.Error.Type != tool.InputError {
		t.Errorf("outcome %+v, result %+v", out, res)
	}
	for _, want := range []string{"n", "x"} {
		if !strings.Contains(res.Text, want) {
			t.Errorf("%q does not name %s", res.Text, want)
		}
	}
}

// TOOL-13, ERR-10 What the model leaves out twice the person is asked for, and the
// run goes on with the answer.
func TestTOOL13ThePersonIsAskedForWhatIsMissing(t *testing.T) {
	g := newRig(t, []tool.Tool{echo("look")}, says("", call("look", `{}`)), says("", call("look", `{"n":1}`)), says("", q("look", "Asia")), says("done"))
	out := g.start(t, "k")
	if out.Question == nil || out.Question.Kind != run.Say || !strings.Contains(out.Question.Text, "what to look for") {
		t.Fatalf("outcome = %+v, want a question about q", out)
	}
	ans, ok, err := g.Hear(t.Context(), home, ana, "Asia")
	if err != nil || !ok {
		t.Fatalf("hear = %t, %v", ok, err)
	}
	ans.Key, ans.At = "said", noon
	if _, err := g.Settle(t.Context(), ans); err != nil {
		t.Fatal(err)
	}
	if out = g.start(t, "k"); out.Text != "done" {
		t.Errorf("outcome = %+v", out)
	}
	if heard := written(g.script.Heard()[2]); !strings.Contains(heard, `says: "Asia"`) {
		t.Errorf("the model did not read the answer:\n%s", heard)
	}
	slotted := slot("slot")
	g = newRig(t, []tool.Tool{tool.New(tool.Spec{Name: "look", Description: "Reads.", Effect: tool.Read, Unattended: true}, func(context.Context, tool.Call, query) (tool.Result, error) {
		return tool.Result{}, nil
	})}, says("", call("look", `{}`)), says("", call("look", `{"n":1}`)), says("gave up"))
	if out, err := g.Start(t.Context(), slotted, func(context.Context, run.Run) error { return nil }); err != nil || out.Question != nil || out.Text != "gave up" {
		t.Errorf("a slot has nobody to ask: %+v, %v", out, err)
	}
}

// LOOP-16 With every extra off, the four faults are survived all the same.
func TestLOOP16BareProfile(t *testing.T) {
	bare := guard.Profile{Name: "default", Rounds: 4, Time: time.Minute, Ends: run.Ends()}
	for name, replies := range map[string][]llm.Reply{
		"round cap":       {says("", q("look", "1")), says("", q("look", "2")), says("", q("look", "3")), says("", q("look", "4")), says("partial")},
		"panic":           {says("", q("panics", "a")), says("fine")},
		"broken JSON":     {says("```json\n{thought:'x', action:{name:'look', args:{q:'a',},},}\n```"), says("fine")},
		"unreadable JSON": {says(`{"thought": {`), says("fine")},
		"state":           {says("", q("look", "1")), says("fine")},
	} {
		t.Run(name, func(t *testing.T) {
			panics := reader("panics", func(context.Context, tool.Call, query) (tool.Result, error) { panic("ouch") })
			g := newRigOf(t, agent.Config{Profiles: guard.Profiles{bare}}, []tool.Tool{echo("look"), panics}, replies...)
			if out := g.start(t, "k"); out.Text != "fine" && out.Text != "partial" {
				t.Errorf("outcome = %+v", out)
			}
		})
	}
}

// LOOP-17 A run stops before a tool that it should be looked at before, and goes on
// at that very call.
func TestLOOP17InterruptBefore(t *testing.T) {
	p := guard.Default
	p.Before = []string{"look"}
	ran := 0
	look := reader("look", func(context.Context, tool.Call, query) (tool.Result, error) {
		ran++
		return tool.Result{Text: "7"}, nil
	})
	g := newRigOf(t, agent.Config{Profiles: guard.Profiles{p}}, []tool.Tool{look, echo("free")}, says("", q("free", "x"), q("look", "a")), says("done"))
	if out := g.start(t, "k"); out.Why != run.Paused || out.Stuck != "look" || ran != 0 {
		t.Fatalf("outcome = %+v, ran %d", out, ran)
	}
	if _, err := g.Resume(t.Context(), "k", "press", ana); err != nil {
		t.Fatal(err)
	}
	if out := g.start(t, "k"); out.Text != "done" || ran != 1 {
		t.Errorf("after Continue %+v, ran %d", out, ran)
	}
}

// LOOP-18 Twenty runs at once know nothing of each other.
func TestLOOP18TwentyAtOnce(t *testing.T) {
	look := reader("look", func(_ context.Context, c tool.Call, in query) (tool.Result, error) {
		return tool.Result{Text: c.Run + " " + in.Q}, nil
	})
	m := modelFunc(func(_ context.Context, r llm.Request) (llm.Reply, error) {
		if n := len(r.Messages); len(r.Messages[n-1].Results) > 0 {
			return says("found " + r.Messages[n-1].Results[0].Text), nil
		}
		return says("", q("look", r.Messages[0].Text)), nil
	})
	g := rigWith(t, agent.Config{}, []tool.Tool{look}, nil, agent.Member{Model: m})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			req := request(fmt.Sprint("k", i))
			req.Home, req.Text = fmt.Sprint("test/w/c", i%5, "/t", i), fmt.Sprint("task ", i)
			out, err := g.Start(t.Context(), req, func(context.Context, run.Run) error { return nil })
			if want := fmt.Sprintf("found k%d task %d", i, i); err != nil || out.Text != want {
				t.Errorf("run %d = %q, %v; want %q", i, out.Text, err, want)
			}
		})
	}
	wg.Wait()
}

type modelFunc func(context.Context, llm.Request) (llm.Reply, error)

func (modelFunc) Name() string { return "func" }

func (f modelFunc) Generate(ctx context.Context, r llm.Request) (llm.Reply, error) { return f(ctx, r) }

// EXIT-05, C-42 The same call as in the round before is not run again, unless it
// failed in a way that may pass or its tool may be asked again.
func TestEXIT05TheSameCallAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		err        error
		repeatable bool
		want       int
	}{
		"not run again":        {nil, false, 1},
		"after a timeout":      {tool.Failf(tool.NetworkError, "no answer"), false, 2},
		"a poll":               {nil, true, 2},
		"after another error":  {tool.Failf(tool.LogicError, "no"), false, 1},
		"after a config error": {tool.Failf(tool.RateError, "slow down"), false, 2},
	} {
		t.Run(name, func(t *testing.T) {
			ran := 0
			look := tool.New(tool.Spec{Name: "look", Description: "Reads.", Effect: tool.Read, Repeatable: tt.repeatable, Attempts: 1},
				func(context.Context, tool.Call, query) (tool.Result, error) {
					if ran++; ran == 1 && tt.err != nil {
						return tool.Result{}, tt.err
					}
					return tool.Result{Text: fmt.Sprint(ran)}, nil
				})
			g := newRig(t, []tool.Tool{look}, says("", q("look", "a")), says("", q("look", "a")), says("done"))
			if out := g.start(t, "k"); out.Text != "done" || ran != tt.want {
				t.Errorf("outcome %+v, ran %d times, want %d", out, ran, tt.want)
			}
		})
	}
}

// EXIT-08 Two equal calls of one reply run once, and both have the result.
func TestEXIT08TwinsRunOnce(t *testing.T) {
	var ran atomic.Int32
	look := reader("look", func(context.Context, tool.Call, query) (tool.Result, error) {
		ran.Add(1)
		return tool.Result{Text: "7", Shows: []string{"a1"}}, nil
	})
	g := newRig(t, []tool.Tool{look}, says("", q("look", "a"), q("look", "a"), q("look", "b")), says("done"))
	out := g.start(t, "k")
	results := g.run(t, "k").Steps[0].Results
	if ran.Load() != 2 || len(results) != 3 || len(out.Shows) != 1 {
		t.Fatalf("ran %d times, %d results, shows %v", ran.Load(), len(results), out.Shows)
	}
	for _, res := range results {
		if res.Text != "7" || res.Failed {
			t.Errorf("result = %+v", res)
		}
	}
}

// EXIT-03, EXIT-12, EXIT-13, EXIT-15, EXIT-22 At the cap there is one more call without tools; its
// words are the partial answer, the run says where it stood and which guard ended
// it, and Continue gives as many rounds again.
func TestEXIT13ClosingCall(t *testing.T) {
	p := guard.Default
	p.Rounds = 3
	g := newRigOf(t, agent.Config{Profiles: guard.Profiles{p}}, []tool.Tool{echo("look")},
		says("", q("look", "core")), says("", q("look", "extra 1")), says("", q("look", "extra 2")), says("The core is 7."), says("whole"))
	out := g.start(t, "k")
	if out.Text != "The core is 7." || out.Why != run.TooLong || out.Guard != "cap" || out.Stuck != "look" || out.State != run.Suspended {
		t.Fatalf("outcome = %+v", out)
	}
	if last := g.script.Heard()[3]; len(last.Tools) != 0 || !strings.Contains(written(last), "the most rounds are used") {
		t.Errorf("the closing request: %d tools,\n%s", len(last.Tools), written(last))
	}
	if _, err := g.Resume(t.Context(), "k", "press", ana); err != nil {
		t.Fatal(err)
	}
	if out = g.start(t, "k"); out.Text != "whole" || out.Why != "" {
		t.Errorf("after Continue = %+v", out)
	}
}

// EXIT-13, EXIT-15 Closing words that are a call are none: what was found is told instead.
func TestEXIT15AClosingCallThatWantsAToolTellsWhatWasFound(t *testing.T) {
	p := guard.Default
	p.Rounds = 2
	for _, words := range []string{
		`<function=look>{"q":"c"}</function>`, `[TOOL_CALLS] [{"name":"look","arguments":{"q":"c"}}]`, "Action: look\nAction Input: {\"q\":\"c\"}", "look\n{\"q\":\"c\"}",
		"tool_code print(look(q='c'))", `<invoke name="look"><parameter name="q">c</parameter></invoke>`, `functions.look:0{"q":"c"}`, `{"action":"look","args":{"q":"c"}}`,
	} {
		g := newRigOf(t, agent.Config{Profiles: guard.Profiles{p}}, []tool.Tool{echo("look")}, says("", q("look", "a")), says("", q("look", "b")), says(words))
		if out := g.start(t, "k"); out.Text != "" || len(out.Found) != 2 || out.Why != run.TooLong {
			t.Errorf("%s: %q with %d findings, %s", words, out.Text, len(out.Found), out.Why)
		}
	}
}

// EXIT-13, ERR-24, FAIL-35 With the model down at the end, what was found is handed
// over all the same.
func TestEXIT13WithoutAModelWhatWasFoundIsTold(t *testing.T) {
	p := guard.Default
	p.Rounds = 2
	s := &llmtest.Script{Replies: []llm.Reply{says("", q("look", "a")), says("", q("look", "b"))}, Errs: map[int]error{2: llm.ErrBusy}}
	g := rigWith(t, agent.Config{Profiles: guard.Profiles{p}}, []tool.Tool{echo("look")}, s, agent.Member{Model: s})
	out := g.start(t, "k")
	if out.Text != "" || len(out.Found) != 2 || out.Found[1].Text != "look of b" || out.Why != run.TooLong {
		t.Errorf("outcome = %+v", out)
	}
}

// EXIT-03 on_cap end: what there is is the answer, and it is partial.
func TestEXIT03EndAtTheCap(t *testing.T) {
	p := guard.Default
	p.Rounds, p.End = 1, true
	g := newRigOf(t, agent.Config{Profiles: guard.Profiles{p}}, []tool.Tool{echo("look")}, says("", q("look", "a")), says("partial"))
	if out := g.start(t, "k"); out.State != run.Done || out.Text != "partial" || g.run(t, "k").Status() != run.StatusPartial {
		t.Errorf("outcome = %+v", out)
	}
}

// EXIT-14, FAIL-15, C-40 A last answer beside a call that only looks again ends the
// run; one that was never made is made first.
func TestEXIT14AnswerBesideACall(t *testing.T) {
	last := func(what string) llm.Reply {
		return says(fmt.Sprintf(`{"thought":"x","action":"look","action_input":{"q":%q},"is_finished":true,"final_answer":"seven"}`, what))
	}
	g := newRig(t, []tool.Tool{echo("look")}, says("", q("look", "a")), last("a"))
	if out := g.start(t, "k"); out.Text != "seven" || out.Steps != 2 {
		t.Errorf("a look again: %+v", out)
	}
	g = newRig(t, []tool.Tool{echo("look")}, says("", q("look", "a")), last("b"), says("eight"))
	if out := g.start(t, "k"); out.Text != "eight" || out.Steps != 3 || g.run(t, "k").Steps[1].Results[0].Text != "look of b" {
		t.Errorf("a new look: %+v", out)
	}
}

// EXIT-17 After a result stands whether it is whole, and what asking again needs.
func TestEXIT17TheNoteAfterAResult(t *testing.T) {
	big := reader("big", func(context.Context, tool.Call, query) (tool.Result, error) {
		return tool.Result{Text: strings.Repeat("line of text\n", 5000)}, nil
	})
	g := newRig(t, []tool.Tool{echo("look"), big}, says("", q("look", "a"), q("big", "a")), says("done"))
	g.start(t, "k")
	results := g.run(t, "k").Steps[0].Results
	if results[0].Note == "" || results[1].Note == "" || results[0].Note == results[1].Note {
		t.Errorf("notes are %q and %q, want one for the whole and one for the cut", results[0].Note, results[1].Note)
	}
	if results[1].Kept == "" || !strings.Contains(results[1].Prose(), "read_file_section") || len(results[1].Prose()) > 10_000 {
		t.Errorf("RES-14, RES-19 the cut one reads\n%.300s", results[1].Prose())
	}
	kept, err := g.shelf.Artifact(t.Context(), results[1].Kept)
	if err != nil || len(kept.Body) != 5000*len("line of text\n") || kept.Run != "k" {
		t.Errorf("kept %d bytes, %v", len(kept.Body), err)
	}
}

// EXIT-21 Stop cuts off the tool that is under way, and nothing more is said.
func TestEXIT21StopReachesWhatIsUnderWay(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan error, 1)
	look := reader("look", func(ctx context.Context, _ tool.Call, _ query) (tool.Result, error) {
		close(begun)
		<-ctx.Done()
		ended <- ctx.Err()
		return tool.Result{}, ctx.Err()
	})
	g := newRig(t, []tool.Tool{look}, says("", q("look", "a")))
	done := make(chan run.Outcome, 1)
	go func() {
		out, err := g.Start(t.Context(), request("k"), func(context.Context, run.Run) error { return nil })
		if err != nil {
			t.Error(err)
		}
		done <- out
	}()
	<-begun
	if _, err := g.Stop(t.Context(), run.Stop{Run: "k", By: ana}); err != nil {
		t.Fatal(err)
	}
	if out := <-done; out.Why != run.Stopped || out.Guard != "cancel" || g.run(t, "k").Status() != run.StatusCancelled {
		t.Errorf("outcome = %+v", out)
	}
	if err := <-ended; err == nil {
		t.Error("the tool was not cut off")
	}
}

// EXIT-21, C25 A write that is under way is waited for: what it did is known.
func TestEXIT21AWriteIsWaitedFor(t *testing.T) {
	begun, finish := make(chan struct{}), make(chan struct{})
	write := tool.New(tool.Spec{Name: "write", Description: "Writes."}, func(ctx context.Context, _ tool.Call, _ noArgs) (tool.Result, error) {
		close(begun)
		<-finish
		return tool.Result{Text: "written"}, ctx.Err()
	})
	g := newRig(t, []tool.Tool{write}, says("", call("write", `{}`)))
	out := g.start(t, "k")
	if _, err := g.Settle(t.Context(), run.Answer{Key: "a", Question: out.Question.ID, Choice: run.Yes, By: lee, At: time.Now()}); err != nil {
		t.Fatal(err)
	}
	done := make(chan run.Outcome, 1)
	go func() { done <- g.start(t, "k") }()
	<-begun
	if _, err := g.Stop(t.Context(), run.Stop{Run: "k", By: ana}); err != nil {
		t.Fatal(err)
	}
	close(finish)
	if out := <-done; out.Why != run.Stopped {
		t.Errorf("outcome = %+v", out)
	}
	if res := g.run(t, "k").Steps[0].Results; len(res) != 1 || res[0].Text != "written" {
		t.Errorf("results = %+v, want what was written", res)
	}
}

// EXEC-06, EXEC-07, EXEC-08 Seven calls of one reply: never more than three at once,
// none lost, in their order, all of one snapshot.
func TestEXEC06SideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		var mu sync.Mutex
		snapshots := map[string]int{}
		look := reader("look", func(ctx context.Context, c tool.Call, in query) (tool.Result, error) {
			mu.Lock()
			snapshots[c.Snapshot]++
			mu.Unlock()
			n := now.Add(1)
			defer now.Add(-1)
			for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			}
			<-time.After(time.Duration(8-len(in.Q)) * time.Second) // the first is the slowest
			return tool.Result{Text: in.Q}, nil
		})
		var calls []llm.Call
		for i := range 7 {
			calls = append(calls, q("look", strings.Repeat("x", i+1)))
		}
		g := newRig(t, []tool.Tool{look}, says("", calls...), says("done"))
		g.start(t, "k")
		results := g.run(t, "k").Transcript()[2].Results
		if most.Load() != 3 || len(results) != 7 || len(snapshots) != 1 {
			t.Fatalf("%d at once, %d results, snapshots %v", most.Load(), len(results), snapshots)
		}
		for i, res := range results {
			if res.Text != strings.Repeat("x", i+1) || res.ID != fmt.Sprintf("s1c%d", i+1) {
				t.Errorf("result %d = %+v", i, res)
			}
		}
	})
}

// EXEC-10, FAIL-26, L13 A write that the model sends a second time is not done a
// second time, nor asked about.
func TestEXEC10AWriteIsDoneOnce(t *testing.T) {
	wrote := 0
	write := tool.New(tool.Spec{Name: "write", Description: "Writes."}, func(context.Context, tool.Call, query) (tool.Result, error) {
		wrote++
		return tool.Result{Text: "written"}, nil
	})
	g := newRig(t, []tool.Tool{write}, says("", q("write", "a")), says("", call("write", `{ "q" : "a" }`)), says("done"))
	out := g.start(t, "k")
	if _, err := g.Settle(t.Context(), run.Answer{Key: "a", Question: out.Question.ID, Choice: run.Yes, By: lee, At: time.Now()}); err != nil {
		t.Fatal(err)
	}
	out = g.start(t, "k")
	second := g.run(t, "k").Steps[1].Results[0]
	if wrote != 1 || out.Text != "done" || second.Unrun != run.Cached || second.Text != "written" || !strings.Contains(second.Prose(), "cached") {
		t.Errorf("wrote %d times, outcome %+v, second %+v", wrote, out, second)
	}
}

// EXEC-11 A write that times out is tried once, and nobody says that it failed.
func TestEXEC11AWriteWithoutAnswerIsUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wrote := 0
		write := tool.New(tool.Spec{Name: "write", Description: "Writes."}, func(ctx context.Context, _ tool.Call, _ query) (tool.Result, error) {
			wrote++
			<-ctx.Done()
			return tool.Result{}, ctx.Err()
		})
		g := newRig(t, []tool.Tool{write}, says("", q("write", "a")), says("look first"))
		out := g.start(t, "k")
		if _, err := g.Settle(t.Context(), run.Answer{Key: "a", Question: out.Question.ID, Choice: run.Yes, By: lee, At: time.Now()}); err != nil {
			t.Fatal(err)
		}
		g.start(t, "k")
		res := g.run(t, "k").Steps[0].Results[0]
		if wrote != 1 || !res.Failed || !res.Unknown || !strings.Contains(res.Text, "nobody knows") {
			t.Errorf("wrote %d times, result %+v", wrote, res)
		}
	})
}

// ERR-07, EXEC-05, C-13 What may pass is tried again below the loop; an empty result
// is a success that the model judges.
func TestERR07WhatMayPassIsTriedAgainBelow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		flaky := fails("look", func() error {
			if n++; n == 1 {
				return &tool.StatusError{Code: 503}
			}
			return nil
		})
		empty := reader("search", func(context.Context, tool.Call, query) (tool.Result, error) { return tool.Result{Text: "[]"}, nil })
		g := newRig(t, []tool.Tool{flaky, empty}, says("", q("look", "a"), q("search", "nothing")), says("done"))
		g.start(t, "k")
		results := g.run(t, "k").Steps[0].Results
		if n != 2 || results[0].Failed || results[0].Attempts != 2 || results[1].Failed || results[1].Attempts != 1 {
			t.Errorf("%d tries, results %+v", n, results)
		}
	})
}

// ERR-17, LOOP-10 What only an operator can mend stops the run, says what, and goes
// on at the same call after Continue.
func TestERR17ConfigBlocked(t *testing.T) {
	wrong := true
	look := fails("look", func() error {
		if wrong {
			return &tool.StatusError{Code: 401}
		}
		return nil
	})
	g := newRig(t, []tool.Tool{look}, says("", q("look", "a")), says("done"))
	out := g.start(t, "k")
	if out.Why != run.Misset || out.Guard != "config" || out.Stuck != "look" || !strings.Contains(out.Detail, "401") || g.run(t, "k").Status() != run.StatusConfig {
		t.Fatalf("outcome = %+v", out)
	}
	wrong = false
	if _, err := g.Resume(t.Context(), "k", "press", ana); err != nil {
		t.Fatal(err)
	}
	if out := g.start(t, "k"); out.Text != "done" || len(g.script.Heard()) != 2 {
		t.Errorf("after Continue = %+v, model asked %d times", out, len(g.script.Heard()))
	}
}

// ERR-17 Where another tool can do it the model is told, and the run goes on.
func TestERR16TheModelChoosesTheWayAround(t *testing.T) {
	look := tool.New(tool.Spec{Name: "look", Description: "Reads.", Effect: tool.Read, Alternates: []string{"spare"}},
		func(context.Context, tool.Call, query) (tool.Result, error) {
			return tool.Result{}, &tool.StatusError{Code: 401}
		})
	g := newRig(t, []tool.Tool{look, echo("spare")}, says("", q("look", "a")), says("", q("spare", "a")), says("done"))
	out := g.start(t, "k")
	if e := g.run(t, "k").Steps[0].Results[0].Error; out.Text != "done" || !strings.Contains(e.Suggestion, "spare") {
		t.Errorf("outcome %+v, error %+v", out, e)
	}
}

// ERR-18, TOOL-09, FAIL-32 A body that hides a failure is a failure.
func TestERR18SoftErrors(t *testing.T) {
	look := reader("look", func(context.Context, tool.Call, query) (tool.Result, error) {
		return tool.Result{Text: `{"code":500,"data":null}`}, nil
	})
	g := newRig(t, []tool.Tool{look}, says("", q("look", "a")), says("done"))
	g.start(t, "k")
	if res := g.run(t, "k").Steps[0].Results[0]; !res.Failed || res.Error.Type != tool.LogicError || strings.Contains(res.Prose(), `"data":null`) {
		t.Errorf("result = %+v", res)
	}
}

// ERR-25 Of errors that are over one line is left.
func TestERR25ErrorsThatAreOverCollapse(t *testing.T) {
	n := 0
	look := fails("look", func() error {
		if n++; n == 1 {
			return tool.Failf(tool.LogicError, "a long story: %s", strings.Repeat("blah ", 100))
		}
		return nil
	})
	g := newRig(t, []tool.Tool{look}, says("", q("look", "a")), says("", q("look", "b")), says("", q("look", "c")), says("done"))
	g.start(t, "k")
	if heard := g.last(); strings.Count(heard, "blah") > 20 {
		t.Errorf("the old error is told at length:\n%s", heard)
	}
}

// PRIN-02, FAIL-09, A15 Text that claims a decision is none.
func TestPRIN02ClaimsDecideNothing(t *testing.T) {
	wrote := 0
	write := tool.New(tool.Spec{Name: "write", Description: "Writes."}, func(context.Context, tool.Call, query) (tool.Result, error) {
		wrote++
		return tool.Result{Text: "written"}, nil
	})
	g := newRig(t, []tool.Tool{write}, says("The boss approved this; policy changed.", q("write", "a")), says("It was not done."))
	out := g.start(t, "k")
	if out.Question == nil || wrote != 0 {
		t.Fatalf("outcome %+v, wrote %d", out, wrote)
	}
	if _, err := g.Settle(t.Context(), run.Answer{Key: "a", Question: out.Question.ID, Choice: run.No, By: lee, Name: "Lee", At: time.Now()}); err != nil {
		t.Fatal(err)
	}
	g.start(t, "k")
	if res := g.run(t, "k").Steps[0].Results[0]; wrote != 0 || !strings.HasPrefix(res.Text, "denied by Lee") || res.Unrun != run.Forbidden {
		t.Errorf("wrote %d, result %+v", wrote, res)
	}
}

// PRIN-03 The gates give their verdicts without any model.
func TestPRIN03GatesNeedNoModel(t *testing.T) {
	s := &llmtest.Script{Replies: []llm.Reply{says("", q("write", "a"), call("write", `{}`), q("nope", "a"))}}
	write := tool.New(tool.Spec{Name: "write", Description: "Writes."}, func(context.Context, tool.Call, query) (tool.Result, error) {
		return tool.Result{Text: "written"}, nil
	})
	g := rigWith(t, agent.Config{}, []tool.Tool{write}, s, agent.Member{Model: s})
	out := g.start(t, "k")
	s.Errs = map[int]error{1: llm.ErrBusy, 2: llm.ErrBusy}
	if out.Question == nil {
		t.Fatalf("outcome = %+v", out)
	}
	if _, err := g.Settle(t.Context(), run.Answer{Key: "a", Question: out.Question.ID, Choice: run.No, By: lee, At: time.Now()}); err != nil {
		t.Fatal(err)
	}
	out = g.start(t, "k")
	r := g.run(t, "k")
	if out.Why != run.ModelGone || len(r.Steps[0].Results) != 3 {
		t.Errorf("outcome %+v, results %+v", out, r.Steps[0].Results)
	}
}

// PRIN-04, EXEC-12 Whatever the moment at which the program stops, the run goes on
// from what was saved, no read of a finished round is made again, and a write never
// twice.
func TestPRIN04AStopAtEverySave(t *testing.T) {
	for at := range int32(12) {
		wrote, looked := 0, 0
		write := tool.New(tool.Spec{Name: "write", Description: "Writes."}, func(context.Context, tool.Call, query) (tool.Result, error) {
			wrote++
			return tool.Result{Text: "written"}, nil
		})
		look := reader("look", func(context.Context, tool.Call, query) (tool.Result, error) {
			looked++
			return tool.Result{Text: fmt.Sprint("7 ", looked)}, nil
		})
		m := modelFunc(func(_ context.Context, r llm.Request) (llm.Reply, error) {
			switch n := strings.Count(written(r), "<result"); n {
			case 0:
				return says("", q("look", "a")), nil
			case 1:
				return says("", q("write", "a")), nil
			default:
				return says("done"), nil
			}
		})
		g := rigWith(t, agent.Config{}, []tool.Tool{write, look}, nil, agent.Member{Model: m})
		crash := errors.New("killed")
		crashing := true
		watch := func(context.Context, run.Run) error {
			if crashing && g.store.saves.Load() >= at {
				crashing = false
				return crash
			}
			return nil
		}
		var out run.Outcome
		for range 6 {
			var err error
			if out, err = g.Start(t.Context(), request("k"), watch); err != nil && !errors.Is(err, crash) {
				t.Fatal(err)
			}
			if out.Question != nil {
				_, err := g.Settle(t.Context(), run.Answer{Key: "a", Question: out.Question.ID, Choice: run.Yes, By: lee, At: time.Now()})
				if err != nil && !errors.Is(err, run.ErrAnswered) {
					t.Fatal(err)
				}
			}
		}
		if out.Text != "done" || wrote != 1 || looked != 1 {
			t.Errorf("stopped after save %d: %q, wrote %d, looked %d", at, out.Text, wrote, looked)
		}
	}
}

// PRIN-07 Each run says by which prompt and which tools it was begun.
func TestPRIN07RunsSayTheirVersions(t *testing.T) {
	g := newRig(t, []tool.Tool{echo("look")}, says("hi"))
	g.start(t, "k")
	other := newRig(t, []tool.Tool{echo("see")}, says("hi"))
	other.start(t, "k")
	a, b := g.run(t, "k").Contract, other.run(t, "k").Contract
	if !strings.Contains(a, prompt.Writer{}.Version()) || a == b {
		t.Errorf("contracts are %q and %q", a, b)
	}
}

// PRIN-08 Without a memory there is an answer all the same.
func TestPRIN08NoMemoryNoHarm(t *testing.T) {
	s := &llmtest.Script{Replies: []llm.Reply{says("hello")}}
	set, err := tool.NewSet(echo("look"))
	if err != nil {
		t.Fatal(err)
	}
	a := agent.New(agent.Config{}, agent.Parts{
		Models: agent.NewModels(time.Now, agent.Member{Model: s}), Tools: set, Memory: forgetful{}, Store: agenttest.NewStore(), Shelf: &shelf{},
		Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	if out, err := a.Start(t.Context(), request("k"), func(context.Context, run.Run) error { return nil }); err != nil || out.Text != "hello" {
		t.Errorf("outcome = %+v, %v", out, err)
	}
}

type forgetful struct{}

func (forgetful) Recall(context.Context, run.Request) ([]llm.Fact, error) {
	return nil, errors.New("the memory is down")
}

// Issue 3: at most two commits a round without a write, and three with one.
func TestCommitsARound(t *testing.T) {
	g := newRig(t, []tool.Tool{echo("look")}, says("", q("look", "a"), q("look", "b"), q("look", "c")), says("", q("look", "d")), says("done"))
	g.start(t, "k")
	if rounds, saves := 3, int(g.store.saves.Load())-1; saves > 2*rounds { // one before the first
		t.Errorf("%d rounds took %d commits", rounds, saves)
	}
}

// Issue 3: a round with a write that is allowed takes three commits: what the model said,
// that the write has begun, and what came of it. A question adds two: that it is asked, and
// that it was answered.
func TestCommitsARoundWithAWrite(t *testing.T) {
	post := says("", call("post_message", `{"channel":"#sales"}`))
	p := newPayDesk(t, leeAlone, says("hello"), post, says("done"), post, says("done"))
	saves := func(key string) int64 { return p.run(t, key).Version }
	p.start(t, request("k0"))
	without := saves("k0") // the beginning and the end
	likeThis(t, p, "k1", 0)
	asked := saves("k1") - without
	if out := p.start(t, request("k2")); out.Question != nil {
		t.Fatalf("it is asked for: %+v", out)
	}
	p.sent(t, "k2")
	granted := saves("k2") - without
	t.Logf("a round with a write takes %d commits, with its question %d", granted, asked)
	if granted > 3 || asked > 3+2 {
		t.Errorf("a round with a write takes %d commits, with its question %d; want 3 and 5", granted, asked)
	}
}

// FAIL-03, L7, L8 A conversation that the model finds too long is told shorter, a few
// times, and then given up.
func TestFAIL03TooLongIsShortened(t *testing.T) {
	for name, limit := range map[string]int{"one that fits in the end": 3500, "one that never fits": 100} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			m := modelFunc(func(_ context.Context, r llm.Request) (llm.Reply, error) {
				asked++
				if strings.Count(written(r), "<result") < 3 {
					return says("", q("look", fmt.Sprint(asked))), nil
				}
				if len(written(r)) > limit {
					return llm.Reply{}, llm.ErrTooLong
				}
				return says("fits"), nil
			})
			long := reader("look", func(_ context.Context, _ tool.Call, in query) (tool.Result, error) {
				return tool.Result{Text: in.Q + strings.Repeat(" words", 1000)}, nil
			})
			g := rigWith(t, agent.Config{}, []tool.Tool{long}, nil, agent.Member{Model: m})
			out := g.start(t, "k")
			if limit > 3000 && out.Text != "fits" || limit < 3000 && out.Why != run.TooBig || asked > 3+1+prompt.Levels {
				t.Errorf("outcome %+v after %d calls", out, asked)
			}
		})
	}
}

// L9, EXIT-10 A model that never answers costs one task its time, and no other waits.
func TestL9AHungModelDelaysNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := modelFunc(func(ctx context.Context, r llm.Request) (llm.Reply, error) {
			if strings.Contains(written(r), "HANGS") {
				<-ctx.Done()
				return llm.Reply{}, ctx.Err()
			}
			<-time.After(time.Second)
			return says("fine"), nil
		})
		g := rigWith(t, agent.Config{}, []tool.Tool{echo("look")}, nil, agent.Member{Model: m})
		began := time.Now()
		var wg sync.WaitGroup
		took := make([]time.Duration, 51)
		for i := range 51 {
			wg.Go(func() {
				req := request(fmt.Sprint("k", i))
				req.Home, req.Now = fmt.Sprint("h", i), time.Now()
				if i == 50 {
					req.Text = "HANGS"
				}
				out, err := g.Start(t.Context(), req, func(context.Context, run.Run) error { return nil })
				took[i] = time.Since(began)
				if err != nil || i < 50 && out.Text != "fine" || i == 50 && out.Why != run.TimeUp {
					t.Errorf("run %d = %+v, %v", i, out, err)
				}
			})
		}
		wg.Wait()
		slices.Sort(took[:50])
		if took[25] > 1100*time.Millisecond || took[50] < 2*time.Minute {
			t.Errorf("p50 %s, the hung one %s", took[25], took[50])
		}
	})
}

// L12 A question frees its lane and runs out: nothing hangs on an answer that never
// comes.
func TestL12AnUnansweredQuestionRunsOut(t *testing.T) {
	b := newBench(t, says("", call("ask", `{}`)))
	out := b.start(t, request("k"))
	if out.Question == nil || b.run(t, "k").State != run.Waiting {
		t.Fatalf("outcome = %+v", out)
	}
	b.now = out.Question.Expires.Add(time.Second)
	if _, err := b.Expire(t.Context(), out.Question.ID); err != nil {
		t.Fatal(err)
	}
	if out := b.on(t, "k"); out.Why != run.Expired || out.Guard != "approval" {
		t.Errorf("outcome = %+v", out)
	}
}

// EXIT-10 Time does not run while a person is waited for.
func TestEXIT10WaitingIsNoWork(t *testing.T) {
	b := newBench(t, both(), says("done"))
	out := b.start(t, request("k"))
	b.now = b.now.Add(50 * time.Minute)
	if err := b.press(t, out.Question, lee, run.No); err != nil {
		t.Fatal(err)
	}
	if out := b.on(t, "k"); out.Text != "done" {
		t.Errorf("outcome = %+v", out)
	}
}

// TOOL-19, TOOL-26, TOOL-27 Old calls are told by today's names, and the change is.
func TestTOOL26OldCallsAreToldByNewNames(t *testing.T) {
	look := tool.New(tool.Spec{
		Name: "look", Description: "Reads.", Effect: tool.Read, Version: 2,
		Changes: []tool.Change{{Version: 2, From: "query", To: "q", Note: "query is now q", At: time.Now()}},
	}, func(_ context.Context, _ tool.Call, in query) (tool.Result, error) {
		return tool.Result{Text: in.Q}, nil
	})
	g := newRig(t, []tool.Tool{look}, says("done"))
	old := run.Run{Request: request("k"), State: run.Working}
	old = old.Heard(says("", call("look", `{"query":"a"}`)), noon, 0).With(run.Result{Result: llm.Result{ID: "s1c1", Text: "x"}})
	if _, err := g.store.Store.Save(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	g.start(t, "k")
	req := g.script.Heard()[0]
	if heard := written(req); !strings.Contains(heard, `look {"q":"a"}`) || !strings.Contains(req.Tools[0].Description, "query is now q") {
		t.Errorf("the model read\n%s\n%s", req.Tools[0].Description, heard)
	}
}

// DEC-16, TOOL-18 The form in which a model is told of tools does not change what
// the loop does.
func TestTOOL18FormsAreTheModelsAffair(t *testing.T) {
	for _, form := range []decision.Form{decision.Native, decision.Nested, decision.Flat, decision.Tagged} {
		t.Run(string(form), func(t *testing.T) {
			s := &llmtest.Script{Replies: []llm.Reply{says(`{"thought":"x","action":{"name":"look","args":{"q":"a"}}}`), says("done")}}
			g := rigWith(t, agent.Config{}, []tool.Tool{echo("look")}, s, agent.Member{Model: s, Form: form})
			out := g.start(t, "k")
			req := s.Heard()[1]
			if out.Text != "done" || len(g.run(t, "k").Steps) != 2 {
				t.Errorf("outcome = %+v", out)
			}
			if native := form == decision.Native; native != (len(req.Tools) == 1) || native == strings.Contains(req.System, "look") {
				t.Errorf("%d tools beside, system\n%s", len(req.Tools), req.System)
			}
		})
	}
}

// EXIT-16, FAIL-06 Near the end of what it may use, as of a model of many words, the model is told so.
func TestEXIT16TheModelIsWarned(t *testing.T) {
	dear := says("", q("look", "a"))
	dear.Usage = llm.Usage{In: 49_000}
	p := guard.Default
	p.Tokens = 100_000
	g := newRigOf(t, agent.Config{Profiles: guard.Profiles{p}, WarnAt: 0.4}, []tool.Tool{echo("look")}, dear, says("done"))
	g.start(t, "k")
	if first, second := written(g.script.Heard()[0]), written(g.script.Heard()[1]); strings.Contains(first, "Most of your budget") || !strings.Contains(second, "Most of your budget") {
		t.Errorf("warned at the first %t, at the second %t", strings.Contains(first, "Most of your budget"), strings.Contains(second, "Most of your budget"))
	}
}

// The fallback goes on with what another model has begun; the rules do not.
func TestFallbackGoesOnMidRun(t *testing.T) {
	main := &llmtest.Script{Replies: []llm.Reply{says("", q("look", "a"))}, Errs: map[int]error{1: llm.ErrBusy}}
	second := named{&llmtest.Script{Replies: []llm.Reply{says("from the second")}}}
	g := rigWith(t, agent.Config{}, []tool.Tool{echo("look")}, main, agent.Member{Model: main}, agent.Member{Model: second}, agent.Member{Model: rulesModel{}, Rules: true})
	if out := g.start(t, "k"); out.Text != "from the second" || out.Model != "spare" {
		t.Errorf("outcome = %+v", out)
	}
}

type rulesModel struct{}

func (rulesModel) Name() string { return "rules" }

func (rulesModel) Generate(context.Context, llm.Request) (llm.Reply, error) {
	return says("from the rules"), nil
}

// FAIL-05, RES-12 A number in the answer of a model that stands in no result, and
// that nobody has said, is named; what stands there, in whatever way it is written,
// is not.
func TestFAIL05NumbersFromNowhereAreNamed(t *testing.T) {
	look := reader("look", func(context.Context, tool.Call, query) (tool.Result, error) {
		return tool.Result{Text: `{"rows":[["Asia",1234567.5],["EMEA",98765]],"share":0.421}`}, nil
	})
	for name, tt := range map[string]struct {
		answer string
		want   []string
	}{
		"what was found":       {"Asia made $1,234,568, EMEA 98,765; Asia's share is 42.1%.", nil},
		"counts and dates":     {"The 2 regions in 2026, the top 5 of 12 months.", nil},
		"made up":              {"Asia made $1,234,568, up 999.9% from 777,777.", []string{"999.9%", "777,777"}},
		"made up, in Chinese":  {"亚洲的销售额是 123万，比去年多了 56.7%。", []string{"56.7%"}},
		"what the person said": {"You asked about 4711.", nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, []tool.Tool{look}, says("", q("look", "a")), says(tt.answer))
			req := request("k")
			req.Text = "sales of store 4711"
			out, err := g.Start(t.Context(), req, func(context.Context, run.Run) error { return nil })
			if err != nil || fmt.Sprint(out.Unproven) != fmt.Sprint(tt.want) {
				t.Errorf("unproven = %q, %v; want %q", out.Unproven, err, tt.want)
			}
		})
	}
}

// LOOP-04 A tool that cannot say what it would do is at fault, not the program.
func TestLOOP04APlanThatFailsIsAResult(t *testing.T) {
	for name, plan := range map[string]func() (tool.Plan, error){
		"an error": func() (tool.Plan, error) { return tool.Plan{}, errors.New("the book is closed") },
		"a panic":  func() (tool.Plan, error) { panic("ouch") },
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, []tool.Tool{planless{plan}}, says("", call("write", `{}`)), says("told"))
			out := g.start(t, "k")
			if res := g.run(t, "k").Steps[0].Results[0]; out.Text != "told" || !res.Failed || res.Error == nil {
				t.Errorf("outcome %+v, result %+v", out, res)
			}
		})
	}
}

type planless struct{ plan func() (tool.Plan, error) }

func (planless) Spec() tool.Spec {
	return tool.Spec{Name: "write", Description: "Writes.", Schema: tool.SchemaOf[struct{}]()}
}

func (p planless) Plan(context.Context, tool.Call) (tool.Plan, error) { return p.plan() }

func (planless) Run(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, nil }
