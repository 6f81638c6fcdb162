package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent"
	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/run"
	"hermes/agent/tool"
)

const postedIt = "I've posted it to #sales."

// FAIL-05, A15, VER-02, VER-03: a model that says it has posted without a call is told so once, with
// what it claims and the tool that would do it. What it says then is the answer.
func TestFAIL05AClaimIsDisputedOnce(t *testing.T) {
	for name, tt := range map[string]struct {
		second string
		want   []run.Act
	}{
		"and admits it":   {"I have not posted anything yet.", nil},
		"and insists":     {"Done, posted to #sales.", []run.Act{run.Posted}},
		"and says more":   {"已发布到 #sales，并已设置好每月提醒。", []run.Act{run.Posted, run.Scheduled}},
		"and asks at all": {"Shall I post it to #sales?", nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, says(postedIt), says(tt.second), says("never heard"))
			out := b.start(t, request("k"))
			if out.Text != tt.second || out.State != run.Done || out.Why != "" {
				t.Errorf("outcome = %+v", out)
			}
			if d := cmp.Diff(tt.want, out.Claimed); d != "" {
				t.Errorf("claimed (-want +got):\n%s", d)
			}
			heard := b.script.Heard()
			if len(heard) != 2 {
				t.Fatalf("the model was asked %d times", len(heard))
			}
			if told := written(heard[1]); !strings.Contains(told, "posted (post_message)") || !strings.Contains(told, postedIt) {
				t.Errorf("the model was told\n%s", told)
			}
			if r := b.run(t, "k"); len(r.Steps) != 2 || !r.Steps[0].Claimed || r.Steps[0].Fault == "" {
				t.Errorf("steps = %+v", r.Steps)
			}
		})
	}
}

// FAIL-05 What was done may be said: by a call of this run, by a write that may have
// taken effect, and by an earlier answer at the same place that was true.
func TestFAIL05WhatWasDoneMayBeSaid(t *testing.T) {
	t.Run("by a call", func(t *testing.T) {
		b := newBench(t, says("", call("post_message", `{"channel":"#sales"}`)), says(postedIt))
		out := b.start(t, request("k"))
		if err := b.press(t, out.Question, lee, run.Yes); err != nil {
			t.Fatal(err)
		}
		b.on(t, "k")
		if out = b.sent(t, "k"); out.Text != postedIt || len(out.Claimed) != 0 || len(b.script.Heard()) != 2 {
			t.Errorf("outcome = %+v after %d calls", out, len(b.script.Heard()))
		}
	})
	t.Run("it was denied", func(t *testing.T) {
		b := newBench(t, says("", call("post_message", `{"channel":"#sales"}`)), says(postedIt), says(postedIt))
		out := b.start(t, request("k"))
		if err := b.press(t, out.Question, lee, run.No); err != nil {
			t.Fatal(err)
		}
		// What people read of it is that it was denied, and by whom.
		if out = b.on(t, "k"); len(out.Claimed) != 0 || len(out.Undone) != 1 || len(b.script.Heard()) != 3 {
			t.Errorf("outcome = %+v after %d calls", out, len(b.script.Heard()))
		}
	})
	for name, tt := range map[string]struct {
		turn run.Turn
		want int // calls of the model
	}{
		"before":               {run.Turn{Role: llm.Assistant, Text: "Posted to #sales: /link"}, 1},
		"before, in Chinese":   {run.Turn{Role: llm.Assistant, Text: "已发布到 #sales。"}, 1},
		"before, and doubted":  {run.Turn{Role: llm.Assistant, Text: "Posted to #sales.\n\n" + run.Doubt + " Nothing was posted in this run."}, 2},
		"before, something":    {run.Turn{Role: llm.Assistant, Text: "I've scheduled it for the 1st."}, 2},
		"before, by the asker": {run.Turn{Role: llm.User, Text: "I've posted it to #sales."}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, says(postedIt), says(postedIt))
			b.store.Say(home, noon.Add(-time.Minute), tt.turn)
			if out := b.start(t, request("k")); len(b.script.Heard()) != tt.want || len(out.Claimed) != tt.want-1 {
				t.Errorf("claimed %q after %d calls, want %d", out.Claimed, len(b.script.Heard()), tt.want)
			}
		})
	}
	t.Run("by a tool, which is quoted", func(t *testing.T) {
		g := newRig(t, []tool.Tool{reader("look", func(context.Context, tool.Call, query) (tool.Result, error) {
			return tool.Result{Text: postedIt + " Ann"}, nil
		})}, says("", q("look", "a")), says("The last message there:\n"+postedIt))
		if out := g.start(t, "k"); len(out.Claimed) != 0 || len(g.script.Heard()) != 2 {
			t.Errorf("claimed %q after %d calls", out.Claimed, len(g.script.Heard()))
		}
	})
}

// FAIL-05 Whether a run has done nothing at all is known beside what it claims: other
// claims of its answer may not have been recognised.
func TestFAIL05ARunThatDidNothingIsIdle(t *testing.T) {
	b := newBench(t, says("", call("look", `{}`)), says(postedIt), says(postedIt))
	if out := b.start(t, request("k")); !out.Idle || len(out.Claimed) != 1 {
		t.Errorf("after a look: idle %t, claimed %q", out.Idle, out.Claimed)
	}
	b = newBench(t, says("", call("post_message", `{"channel":"#sales"}`)), says(postedIt+" I've deleted it."), says(postedIt+" I've deleted it."))
	if err := b.press(t, b.start(t, request("k")).Question, lee, run.Yes); err != nil {
		t.Fatal(err)
	}
	b.on(t, "k")
	if out := b.sent(t, "k"); out.Idle || len(out.Claimed) != 1 {
		t.Errorf("after a post: idle %t, claimed %q", out.Idle, out.Claimed)
	}
}

// FAIL-05 Small talk is held to the same, and told that there is no tool there; a
// model that has no round left is not asked again; and closing words get their line.
func TestFAIL05WhereThereIsNoRoundForIt(t *testing.T) {
	t.Run("small talk", func(t *testing.T) {
		b := newBench(t, says("Sure, I'll remind you tomorrow."), says("I can't remind you from here."))
		req := request("k")
		req.Light, req.NoTools = true, true
		out := b.start(t, req)
		if out.Text != "I can't remind you from here." || len(out.Claimed) != 0 {
			t.Errorf("outcome = %+v", out)
		}
		if told := written(b.script.Heard()[1]); !strings.Contains(told, "scheduled (there is no tool for it here)") {
			t.Errorf("the model was told\n%s", told)
		}
	})
	tight := guard.Default
	tight.Rounds = 1
	t.Run("the last round", func(t *testing.T) {
		g := newRigOf(t, agent.Config{Profiles: guard.Profiles{tight}}, []tool.Tool{echo("look")}, says(postedIt))
		if out := g.start(t, "k"); out.Text != postedIt || len(out.Claimed) != 1 || out.State != run.Done {
			t.Errorf("outcome = %+v", out)
		}
	})
	t.Run("closing words", func(t *testing.T) {
		g := newRigOf(t, agent.Config{Profiles: guard.Profiles{tight}}, []tool.Tool{echo("look")}, says("", q("look", "a")), says(postedIt))
		if out := g.start(t, "k"); out.Text != postedIt || len(out.Claimed) != 1 || out.Why != run.TooLong {
			t.Errorf("outcome = %+v", out)
		}
	})
}

// The built-in rules make nothing up, and are asked once.
func TestTheRulesAreNotDisputed(t *testing.T) {
	s := &llmtest.Script{Replies: []llm.Reply{says(postedIt)}}
	g := rigWith(t, agent.Config{}, []tool.Tool{echo("look")}, s, agent.Member{Model: s, Rules: true})
	if out := g.start(t, "k"); out.Text != postedIt || len(out.Claimed) != 0 || len(s.Heard()) != 1 {
		t.Errorf("outcome = %+v after %d calls", out, len(s.Heard()))
	}
}

// EXIT-13, EXIT-16 A closing call that brings nothing is a step like any other, and is
// paid for: by what the model says it took, else by what it was told, unless it was
// turned away at once.
func TestEXIT13AFailedClosingCallIsCounted(t *testing.T) {
	tight := guard.Default
	tight.Rounds = 1
	for name, tt := range map[string]struct {
		reply llm.Reply
		err   error
		paid  func(llm.Usage) bool
	}{
		"it says what it took": {llm.Reply{Usage: llm.Usage{In: 700, Out: 7, Nanos: 9}}, llm.ErrEmpty, func(u llm.Usage) bool { return u == llm.Usage{In: 700, Out: 7, Nanos: 9} }},
		"it was too slow":      {llm.Reply{}, llm.ErrSlow, func(u llm.Usage) bool { return u.In > 100 }},
		"it was turned away":   {llm.Reply{}, llm.ErrBusy, func(u llm.Usage) bool { return u == llm.Usage{} }},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			m := modelFunc(func(context.Context, llm.Request) (llm.Reply, error) {
				if asked++; asked == 1 {
					return says("", q("look", "a")), nil
				}
				return tt.reply, tt.err
			})
			g := rigWith(t, agent.Config{Profiles: guard.Profiles{tight}}, []tool.Tool{echo("look")}, nil, agent.Member{Model: m})
			out := g.start(t, "k")
			last, _ := g.run(t, "k").Last()
			if out.Why != run.TooLong || out.Steps != 2 || len(out.Found) != 1 || !last.Closing || last.Fault == "" || last.Reply.Model != m.Name() {
				t.Errorf("outcome = %+v, last step %+v", out, last)
			}
			if !tt.paid(out.Usage) {
				t.Errorf("usage = %+v", out.Usage)
			}
		})
	}
}

// ERR-20 A number that is larger than any is no number, whatever it stands beside.
func TestERR20ANumberWithoutEndIsAnError(t *testing.T) {
	g := newRig(t, []tool.Tool{reader("look", func(context.Context, tool.Call, query) (tool.Result, error) {
		return tool.Result{Text: `{"rows":[["Asia",9e999]]}`}, nil
	})}, says("", q("look", "a")), says("it did not work"))
	g.start(t, "k")
	if res := g.run(t, "k").Steps[0].Results[0]; !res.Failed || res.Error == nil || res.Error.Type != tool.LogicError || !strings.Contains(res.Text, "9e999, which is no number") {
		t.Errorf("result = %+v", res)
	}
}

// FAIL-05, A15, PRIN-02 An order that is answered as done, where no tool has done more
// than look, is sent back once and then flagged, whatever its words; the same words after
// a tool that acted, of what was seen to be so, and to a question are left alone.
func TestFAIL05AFeignedOrderIsFlagged(t *testing.T) {
	for name, tt := range map[string]struct {
		ask, answer string
		steps       []llm.Reply
		turns       []run.Turn
		want        bool
	}{
		"an act of no list":     {ask: "reassign ticket 42 to Bob", answer: "Ticket 42 has been reassigned.", want: true},
		"after a look":          {ask: "reassign ticket 42 to Bob", answer: "Ticket 42 has been reassigned.", steps: []llm.Reply{says("", call("look", `{}`))}, want: true},
		"in Chinese":            {ask: "把工单42转派给小王", answer: "已转派。", want: true},
		"approve in words":      {ask: "approve", answer: "It is posted.", turns: []run.Turn{{Role: llm.Assistant, Text: "The post to #sales failed: not_in_channel."}}, want: true},
		"approve, and consider": {ask: "approve", answer: "Consider it done.", turns: []run.Turn{{Role: llm.Assistant, Text: "Posted to #sales.\n\n" + run.Doubt + " Nothing was posted in this run."}}, want: true},
		"it was seen":           {ask: "reassign ticket 42 to Bob", answer: "Ticket 42 is already assigned to Bob.", steps: []llm.Reply{says("", call("look", `{}`))}},
		"it is what was read":   {ask: "get me the sales", answer: "Done: here are the figures. Sales were 7.", steps: []llm.Reply{says("", call("look", `{}`))}},
		"a question":            {ask: "was the report posted?", answer: "It was posted by Ann on 3 May.", steps: []llm.Reply{says("", call("look", `{}`))}},
		"thanks":                {ask: "thanks a lot", answer: "You're all set!"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, append(slices.Clone(tt.steps), says(tt.answer), says(tt.answer))...)
			for _, turn := range tt.turns {
				b.store.Say(home, noon.Add(-time.Minute), turn)
			}
			out := b.start(t, asking(tt.ask))
			if got := len(out.Claimed)+len(out.Unmet) > 0; got != tt.want || !out.Idle {
				t.Errorf("flagged: %t, want %t: %+v", got, tt.want, out)
			}
			want := len(tt.steps) + 1
			if tt.want {
				want++ // it is sent back
			}
			if n := len(b.script.Heard()); n != want {
				t.Errorf("the model was asked %d times, want %d", n, want)
			}
		})
	}
}

// FAIL-05 A tool that may have done it is given the benefit of the doubt.
func TestFAIL05WhatMayHaveBeenDoneIsNotFeigned(t *testing.T) {
	moves := tool.New(tool.Spec{Name: "crm_move", Description: "Moves.", Effect: tool.Read, Keeps: true, Attempts: 1}, func(context.Context, tool.Call, query) (tool.Result, error) {
		return tool.Result{Text: "moved"}, nil
	})
	g := newRig(t, []tool.Tool{moves}, says("", q("crm_move", "a")), says("Ticket 42 has been reassigned."))
	if out, err := g.Start(t.Context(), asking("reassign ticket 42 to Bob"), func(context.Context, run.Run) error { return nil }); err != nil || len(out.Claimed) > 0 {
		t.Errorf("outcome = %+v, %v", out, err)
	}
}
