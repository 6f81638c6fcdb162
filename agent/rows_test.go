package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent"
	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/prompt"
	"hermes/agent/result"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// PRIN-01 A report and a look-up take the same way through the same loop: what
// differs is what the model decides.
func TestPRIN01TheLoopKnowsNoTasks(t *testing.T) {
	ways := map[string][]llm.Reply{
		"a report":  {says("", q("query", "sales")), says("", q("make_report", "t1")), says("the report")},
		"a look-up": {says("", q("search", "handbook")), says("", q("read", "page 3")), says("the page")},
	}
	var seen [][]run.State
	for name, replies := range ways {
		g := newRig(t, []tool.Tool{echo("query"), echo("make_report"), echo("search"), echo("read")}, replies...)
		var states []run.State
		if _, err := g.Start(t.Context(), request("k"), func(_ context.Context, r run.Run) error {
			states = append(states, r.State)
			return nil
		}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		seen = append(seen, states)
	}
	if !slices.Equal(seen[0], seen[1]) {
		t.Errorf("states are %v and %v", seen[0], seen[1])
	}
}

// PRIN-10, FAIL-10, FAIL-36 A poem is small talk, with the short prompt and without tools; a
// transfer of money waits for a person, whatever the tool forgot to say of itself.
func TestPRIN10WhatIsUnfitIsHandled(t *testing.T) {
	moved := 0
	transfer := tool.New(tool.Spec{Name: "transfer_money", Description: "Transfers money."}, func(context.Context, tool.Call, query) (tool.Result, error) {
		moved++
		return tool.Result{Text: "moved"}, nil
	})
	g := newRig(t, []tool.Tool{transfer}, says("roses are red"), says("", q("transfer_money", "all")))
	req := request("poem")
	req.Light, req.NoTools = true, true
	if out, err := g.Start(t.Context(), req, func(context.Context, run.Run) error { return nil }); err != nil || out.Text != "roses are red" {
		t.Fatalf("outcome = %+v, %v", out, err)
	}
	if heard := g.script.Heard()[0]; len(heard.Tools) != 0 || len(heard.System) > 600 {
		t.Errorf("small talk was told of %d tools in a prompt of %d bytes", len(heard.Tools), len(heard.System))
	}
	if out := g.start(t, "k"); out.Question == nil || out.Question.Kind != run.Approve || moved != 0 {
		t.Errorf("outcome = %+v, moved %d", out, moved)
	}
}

// LOOP-03, LOOP-08, PRIN-06 Each step says what was done, with what, and why; what one round
// has found the next ones read.
func TestLOOP03EachStepSaysWhatAndWhy(t *testing.T) {
	g := newRig(t, []tool.Tool{echo("look")},
		says(`{"thought":"three directions","action":{"name":"look","args":{"q":"north"}}}`),
		says("# intent: the second direction", q("look", "south")), says("done"))
	g.start(t, "k")
	r := g.run(t, "k")
	for i, want := range []string{"three directions", "# intent: the second direction"} {
		m := r.Steps[i].Reply.Message
		if m.Text != want || len(m.Calls) != 1 || m.Calls[0].Name != "look" || len(m.Calls[0].Args) == 0 || r.Steps[i].Form == "" {
			t.Errorf("step %d = %+v in form %q", i+1, m, r.Steps[i].Form)
		}
	}
	second, third := written(g.script.Heard()[1]), written(g.script.Heard()[2])
	if !strings.Contains(second, "look of north") || !strings.Contains(third, "look of north") || !strings.Contains(third, "look of south") {
		t.Errorf("what was found is not told:\n%s", third)
	}
}

// LOOP-19 What the model is told, and how much of it, is not the loop's affair: with
// another prompt and other cuts a run takes the same way.
func TestLOOP19ContextIsReplaceable(t *testing.T) {
	w, _, err := prompt.New("You are Ada. Only answer what you are asked.\nTools: fill each argument from what was said; results may be cut.\n" +
		"Once you know it you must answer, and never call a tool only to confirm.\nOn an error retry, take a different approach, or end.")
	if err != nil {
		t.Fatal(err)
	}
	long := reader("look", func(context.Context, tool.Call, query) (tool.Result, error) {
		return tool.Result{Text: strings.Repeat("a line of it\n", 400)}, nil
	})
	var runs []run.Run
	for _, cfg := range []agent.Config{{}, {Prompt: w, Result: result.Config{Lines: 4, LargeBytes: 600}}} {
		g := newRigOf(t, cfg, []tool.Tool{long}, says("", q("look", "a")), says("done"))
		g.start(t, "k")
		runs = append(runs, g.run(t, "k"))
		if system := g.script.Heard()[0].System; strings.Contains(system, "You are Ada") != (len(runs) == 2) {
			t.Errorf("the prompt is %.60q", system)
		}
	}
	a, b := runs[0].Steps[0].Results[0], runs[1].Steps[0].Results[0]
	if a.Text != b.Text || len(a.Prose()) <= len(b.Prose()) || runs[0].Outcome.Text != runs[1].Outcome.Text || len(runs[0].Steps) != len(runs[1].Steps) {
		t.Errorf("results of %d and %d bytes, %+v and %+v", len(a.Prose()), len(b.Prose()), runs[0].Outcome, runs[1].Outcome)
	}
}

// EXIT-19, L2 The loop of sixty rounds with ever other keywords ends by the guard that
// sees it first, well within the cap.
func TestEXIT19SixtyRoundsOfKeywords(t *testing.T) {
	search := reader("search", func(context.Context, tool.Call, query) (tool.Result, error) {
		return tool.Result{Text: "no page for this version"}, nil
	})
	var replies []llm.Reply
	for i := range 60 {
		replies = append(replies, says("", q("search", fmt.Sprintf("release notes version %d", i))))
	}
	p := guard.Default
	p.Rounds = 20
	g := newRigOf(t, agent.Config{Profiles: guard.Profiles{p}}, []tool.Tool{search}, replies...)
	out := g.start(t, "k")
	if out.Guard != "no_progress" || out.Why != run.Stalled || out.Steps > 5 {
		t.Errorf("outcome = %+v after %d rounds", out, out.Steps)
	}
}

// FAIL-04, FAIL-06, FAIL-07 A model in doubt is told when to end and that it has all; if it asks on,
// a guard ends it.
func TestFAIL04AnAnxiousModel(t *testing.T) {
	var replies []llm.Reply
	for range 5 {
		replies = append(replies, says("", q("look", "new users in July 2025")))
	}
	g := newRig(t, []tool.Tool{echo("look")}, replies...)
	out := g.start(t, "k")
	heard := written(g.script.Heard()[1])
	if !strings.Contains(heard, "call nothing only to confirm") || !strings.Contains(heard, "complete; asking again needs new arguments") {
		t.Errorf("the model was not told that it has all:\n%s", heard)
	}
	if out.Why != run.InCircle || len(out.Found) != 1 && out.Text == "" {
		t.Errorf("outcome = %+v", out)
	}
	if cause := guard.Diagnose(g.run(t, "k")); cause != guard.WeakModel {
		t.Errorf("cause = %q", cause)
	}
}

// EXEC-15 A call that rests on a wrong guess is answered with what there is.
func TestEXEC15WrongGuessesAreAnsweredWithWhatThereIs(t *testing.T) {
	read := tool.New(tool.Spec{Name: "read", Description: "Reads a page.", Effect: tool.Read}, func(_ context.Context, _ tool.Call, in struct {
		Page string `json:"page" jsonschema:"its name" tool:"enum=sales|orders|units"`
	}) (tool.Result, error) {
		return tool.Result{Text: in.Page}, nil
	})
	g := newRig(t, []tool.Tool{read}, says("", call("read", `{"page":"sale"}`)), says("", call("read", `{"page":"sales"}`)), says("done"))
	out := g.start(t, "k")
	first := g.run(t, "k").Steps[0].Results[0]
	if out.Text != "done" || first.Error == nil || first.Error.Type != tool.InputError || !strings.Contains(first.Text, "sales") {
		t.Errorf("outcome %+v, first result %+v", out, first)
	}
}

// EXIT-18 An old result is said to be old; nothing is forced.
func TestEXIT18OldResultsAreSaidToBeOld(t *testing.T) {
	search := reader("search", func(context.Context, tool.Call, query) (tool.Result, error) {
		return tool.Result{Text: `{"items":[{"title":"Release 1.0","link":"https://a","date":"2019-03-01"},{"title":"Release 1.1","link":"https://b","date":"2019-06-01"}]}`}, nil
	})
	g := newRig(t, []tool.Tool{search}, says("", q("search", "latest release")), says("done"))
	req := request("k")
	req.Text, req.Now = "what is the latest release?", time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	out, err := g.Start(t.Context(), req, func(context.Context, run.Run) error { return nil })
	if err != nil || out.Text != "done" {
		t.Fatalf("outcome = %+v, %v", out, err)
	}
	if note := g.run(t, "k").Steps[0].Results[0].Note; !strings.Contains(note, "2019") {
		t.Errorf("note = %q, want that the newest is of 2019", note)
	}
}

// EXIT-09 After a round that brought nothing new the model is told to change its plan,
// before any guard ends the run.
func TestEXIT09AStrategyThatBringsNothingIsCalledOff(t *testing.T) {
	same := reader("look", func(context.Context, tool.Call, query) (tool.Result, error) {
		return tool.Result{Text: "nothing yet"}, nil
	})
	g := newRig(t, []tool.Tool{same, echo("other")}, says("", q("look", "a")), says("", q("look", "b")), says("", q("other", "c")), says("done"))
	if out := g.start(t, "k"); out.Text != "done" {
		t.Fatalf("outcome = %+v", out)
	}
	const urge = "change the plan"
	for i, want := range []bool{false, false, true, false} {
		if got := strings.Contains(written(g.script.Heard()[i]), urge); got != want {
			t.Errorf("request %d urges: %t, want %t", i+1, got, want)
		}
	}
}

// RES-06, RES-12 A long text is shortened by the model where that is allowed: marked as derived, with
// the numbers that it made up, what it cost, and the text itself on the shelf.
func TestRES06ModelDigests(t *testing.T) {
	page := tool.New(tool.Spec{Name: "page", Description: "Reads a page.", Effect: tool.Read, Digest: true},
		func(context.Context, tool.Call, query) (tool.Result, error) {
			return tool.Result{Text: "Sales were 4711 in May.\n" + strings.Repeat("Other words of the page.\n", 2000)}, nil
		})
	digest := says("Sales: 4711 in May, 9999 in June.")
	digest.Usage = llm.Usage{In: 100, Out: 10}
	g := newRigOf(t, agent.Config{Digest: true}, []tool.Tool{page}, says("", q("page", "a")), digest, says("done"))
	g.start(t, "k")
	r := g.run(t, "k")
	res := r.Steps[0].Results[0]
	if !res.Derived || res.Brief != digest.Message.Text || !strings.Contains(res.Note, "9999") || strings.Contains(res.Note, "4711") || res.Kept == "" {
		t.Errorf("result = %+v", res)
	}
	if d := r.Steps[0].Digests; len(d) != 1 || d[0].Usage.In != 100 || r.Usage().In < 100 {
		t.Errorf("digests = %+v, usage %+v", d, r.Usage())
	}
	g = newRig(t, []tool.Tool{page}, says("", q("page", "a")), says("done"))
	g.start(t, "k")
	if res := g.run(t, "k").Steps[0].Results[0]; res.Derived || len(g.script.Heard()) != 2 {
		t.Errorf("without leave it was shortened by a model: %+v", res)
	}
}

// FAIL-09, PRIN-02, VER-04: a write that was denied is not asked about a second time, and the
// run says that it was not done, whatever the model says.
func TestFAIL09ADeniedWriteStaysDenied(t *testing.T) {
	write := tool.New(tool.Spec{Name: "write", Description: "Writes."}, func(context.Context, tool.Call, query) (tool.Result, error) {
		return tool.Result{Text: "written"}, nil
	})
	g := newRig(t, []tool.Tool{write}, says("", q("write", "a")), says("", q("write", "a")), says("Written, as approved."))
	out := g.start(t, "k")
	if _, err := g.Settle(t.Context(), run.Answer{Key: "a", Question: out.Question.ID, Choice: run.No, By: lee, Name: "Lee", At: time.Now()}); err != nil {
		t.Fatal(err)
	}
	out = g.start(t, "k")
	if out.Question != nil || len(out.Undone) != 1 || out.Undone[0] != (run.Undone{Tool: "write", Denied: "Lee"}) {
		t.Errorf("outcome = %+v", out)
	}
}

// FAIL-05, FAIL-34, VER-09: what the bot has made up once proves nothing later, and small talk is held to
// the same.
func TestFAIL05VER09TheBotsOwnWordsProveNothing(t *testing.T) {
	g := newRig(t, []tool.Tool{echo("look")}, says("Sales were 987,654.32."), says("They were 412,345.99."))
	g.store.Say(home, noon.Add(-time.Minute), run.Turn{Role: llm.Assistant, Text: "Sales were 987,654.32."})
	if out := g.start(t, "k"); len(out.Unproven) != 1 {
		t.Errorf("unproven = %q", out.Unproven)
	}
	req := request("light")
	req.Light, req.NoTools = true, true
	if out, err := g.Start(t.Context(), req, func(context.Context, run.Run) error { return nil }); err != nil || len(out.Unproven) != 1 {
		t.Errorf("small talk: %q, %v", out.Unproven, err)
	}
}

// L9, ERR-22 The trouble of one run does not take the model from the others; that of
// the model does.
func TestOneRunsTroubleIsItsOwn(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		next string
	}{
		"too long": {llm.ErrTooLong, "well"},
		"garbled":  {llm.ErrGarbled, "well"},
		"slow":     {llm.ErrSlow, "well"},
		"cut off":  {llm.ErrCut, "well"},
		"busy":     {llm.ErrBusy, "from the rules"},
		"no entry": {llm.ErrRejected, "from the rules"},
	} {
		t.Run(name, func(t *testing.T) {
			m := modelFunc(func(_ context.Context, r llm.Request) (llm.Reply, error) {
				if strings.Contains(written(r), "TROUBLE") {
					return llm.Reply{}, tt.err
				}
				return says("well"), nil
			})
			g := rigWith(t, agent.Config{}, []tool.Tool{echo("look")}, nil, agent.Member{Model: m}, agent.Member{Model: rulesModel{}, Rules: true})
			first := request("k")
			first.Text = "TROUBLE"
			if _, err := g.Start(t.Context(), first, func(context.Context, run.Run) error { return nil }); err != nil {
				t.Fatal(err)
			}
			if out := g.start(t, "k2"); out.Text != tt.next {
				t.Errorf("the next one is answered %q, want %q", out.Text, tt.next)
			}
		})
	}
}

// ERR-17, L9 Where the rules answer for a model, why it did not is known, also to the
// runs that come while it rests; a run that it has begun ends with the reason and the
// settings to look at.
func TestWhyTheModelDidNotAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		err             error
		want, rest, mid run.Why
		detail          string
	}{
		"no entry":        {llm.ErrRejected, run.Misset, run.Misset, run.Misset, "model.api_key, model.name"},
		"not taken":       {llm.ErrUnfit, run.Misset, "", run.Misset, "model.name, model.base_url"},
		"did not want to": {llm.ErrRefused, run.Declined, "", run.Declined, ""},
		"busy":            {llm.ErrBusy, run.ModelGone, run.ModelGone, run.ModelGone, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := modelFunc(func(_ context.Context, r llm.Request) (llm.Reply, error) {
				switch text := written(r); {
				case strings.Contains(text, "WELL"):
					return says("well"), nil
				case strings.Contains(text, "BEGUN") && len(r.Messages[len(r.Messages)-1].Results) == 0:
					return says("", q("look", "a")), nil
				}
				return llm.Reply{}, fmt.Errorf("%w: HTTP 499", tt.err)
			})
			g := rigWith(t, agent.Config{}, []tool.Tool{echo("look")}, nil, agent.Member{Model: m}, agent.Member{Model: rulesModel{}, Rules: true})
			start := func(key, text string) run.Outcome {
				req := request(key)
				req.Text = text
				out, err := g.Start(t.Context(), req, func(context.Context, run.Run) error { return nil })
				if err != nil {
					t.Fatal(err)
				}
				return out
			}
			if out := start("k1", "BEGUN"); out.Why != tt.mid || out.Detail != tt.detail || out.State != run.Suspended || out.Stuck != "" {
				t.Errorf("a run that it has begun = %+v, want %s, %q", out, tt.mid, tt.detail)
			}
			g = rigWith(t, agent.Config{}, []tool.Tool{echo("look")}, nil, agent.Member{Model: m}, agent.Member{Model: rulesModel{}, Rules: true})
			if out := start("k2", "TROUBLE"); out.Text != "from the rules" || out.Instead != tt.want {
				t.Errorf("a new run = %q, instead %q; want %q", out.Text, out.Instead, tt.want)
			}
			if out := start("k3", "WELL"); out.Instead != tt.rest || (out.Text == "well") != (tt.rest == "") {
				t.Errorf("the next = %q, instead %q; want %q", out.Text, out.Instead, tt.rest)
			}
		})
	}
}

// DEC-03 An answer that is wrapped in JSON is taken out; JSON without an answer is none.
func TestDEC03AnswersInJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"answer":"seven"}`: "seven", `{"result": "七"}`: "七", `{}`: "nudged", `[]`: "nudged", `null`: "nudged",
		`{"a":1,"b":2}`: `{"a":1,"b":2}`, "plain words": "plain words",
	} {
		g := newRig(t, []tool.Tool{echo("look")}, says(text), says("nudged"))
		if out := g.start(t, "k"); out.Text != want {
			t.Errorf("%s is answered %q, want %q", text, out.Text, want)
		}
	}
}

// SAFE-07: a tool that does not say what it changes is held for one that changes
// something: a person is asked, and it does not run before.
func TestSAFE07WhatSaysNothingOfItsEffectIsAsked(t *testing.T) {
	ran := false
	silent := tool.New(tool.Spec{Name: "crm"}, func(context.Context, tool.Call, struct{}) (tool.Result, error) {
		ran = true
		return tool.Result{Text: "done"}, nil
	})
	g := newRig(t, []tool.Tool{silent}, says("", call("crm", "{}")))
	out, err := g.Start(t.Context(), request("k"), func(context.Context, run.Run) error { return nil })
	if err != nil || ran || out.Question == nil || out.Question.Kind != run.Approve {
		t.Errorf("it ran: %t, asked %+v, %v; want a question first", ran, out.Question, err)
	}
}

// ERR-16 When the tries of a tool are used up, what is done next is the model's choice:
// the error tells what there is, and another tool is as good as an honest answer.
func TestERR16TheModelChoosesHowToRecover(t *testing.T) {
	down := reader("look", func(context.Context, tool.Call, query) (tool.Result, error) {
		return tool.Result{}, tool.Failf(tool.NetworkError, "no route to the archive")
	})
	for name, tt := range map[string]struct {
		replies []llm.Reply
		want    string
		steps   int
	}{
		"another tool": {[]llm.Reply{says("", q("look", "a")), says("", q("search", "a")), says("The other place has it.")}, "The other place has it.", 3},
		"it says so":   {[]llm.Reply{says("", q("look", "a")), says("The archive cannot be reached; I do not know.")}, "The archive cannot be reached; I do not know.", 2},
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, []tool.Tool{down, echo("search")}, tt.replies...)
			out := g.start(t, "k")
			r := g.run(t, "k")
			res := r.Steps[0].Results[0]
			if out.Text != tt.want || out.Why != "" || len(r.Steps) != tt.steps || res.Attempts != 3 {
				t.Errorf("outcome %q, %s after %d steps, %d tries", out.Text, out.Why, len(r.Steps), res.Attempts)
			}
			if heard := written(g.script.Heard()[1]); !strings.Contains(heard, "no route to the archive") || strings.Contains(heard, "search instead") {
				t.Errorf("the model is told %s", heard)
			}
		})
	}
}

// ERR-24 The wreck of a JSON text is no answer: the model is asked once more, and
// people never read it. Words in brackets are one.
func TestERR24AWreckOfJSONIsNoAnswer(t *testing.T) {
	g := newRig(t, []tool.Tool{echo("look")}, says(`{"}}}{{[[[,,,::: "" \\ {"tool": {"tool": `), says("Seven."))
	if out := g.start(t, "k"); out.Text != "Seven." || g.run(t, "k").Steps[0].Fault == "" {
		t.Errorf("outcome = %+v", out)
	}
	const words = "[1] is the first source, and [2] the second."
	g = newRig(t, []tool.Tool{echo("look")}, says(words))
	if out := g.start(t, "k"); out.Text != words {
		t.Errorf("outcome = %+v", out)
	}
}
