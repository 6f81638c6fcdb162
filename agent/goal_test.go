package agent_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent"
	"hermes/agent/agenttest"
	"hermes/agent/decision"
	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/llm/anthropic"
	"hermes/agent/llm/llmtest"
	"hermes/agent/llm/openai"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// asking is a request with other words.
func asking(text string) run.Request {
	r := request("k")
	r.Text = text
	return r
}

const pleasePost = "Summarise the sales and post it to #sales."

// marks are the marks of a Run's goal, by act.
func marks(r run.Run) map[run.Act]run.Mark {
	out := map[run.Act]run.Mark{}
	for _, t := range r.Ticks() {
		out[t.Act] = t.Mark
	}
	return out
}

// VER-01, VER-03, DEC-28 An answer that comes without what was asked for is sent back
// once, by the name of what lacks; the second time it is the answer of a run that is
// not done, and people are told what was not. It needs no claim for that.
func TestVER01VER03AFinishWithoutTheActIsIntercepted(t *testing.T) {
	for name, tt := range map[string]struct{ ask, first, second string }{
		"it says nothing of it":  {pleasePost, "Sales were fine.", "Sales were fine."},
		"it says that it did":    {pleasePost, postedIt, postedIt},
		"it finishes by itself":  {pleasePost, "All done!", "Everything is done."},
		"it offers":              {pleasePost, "Sales were fine. Shall I post it to #sales?", "Sales were fine. Would you like me to post it?"},
		"in Chinese":             {"汇总销售，并发到 #sales。", "销售不错。", "销售不错。"},
		"in Chinese, it says so": {"汇总销售，并发到 #sales。", "已发布到 #sales。", "已发布到 #sales。"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, says(tt.first), says(tt.second), says("never heard"))
			out := b.start(t, asking(tt.ask))
			if out.Text != tt.second || out.Why != run.Unfinished || run.StatusOf(out.State, out.Why) == run.StatusDone || len(b.script.Heard()) != 2 {
				t.Fatalf("outcome = %+v after %d calls", out, len(b.script.Heard()))
			}
			if d := cmp.Diff([]run.Act{run.Posted}, out.Unmet); d != "" || len(out.Claimed) > 0 || out.Guard != "hook" {
				t.Errorf("claimed %q by %s, unmet (-want +got):\n%s", out.Claimed, out.Guard, d)
			}
			if told := written(b.script.Heard()[1]); !strings.Contains(told, "posted (post_message)") {
				t.Errorf("the model was told\n%s", told)
			}
			r := b.run(t, "k")
			if d := cmp.Diff(map[run.Act]run.Mark{run.Posted: run.Open}, marks(r)); d != "" || !slices.Equal(r.Steps[0].Lacks, []string{"posted"}) {
				t.Errorf("lacks %q, ticks (-want +got):\n%s", r.Steps[0].Lacks, d)
			}
		})
	}
}

// VER-01, EXIT-14 What is sent back and then done is done.
func TestVER01WhatIsMendedIsDone(t *testing.T) {
	b := newBench(t, says(postedIt), says("", call("post_message", `{"channel":"#sales"}`)), says(postedIt))
	out := b.start(t, asking(pleasePost))
	if out.Question == nil {
		t.Fatalf("outcome = %+v", out)
	}
	if d := cmp.Diff(map[run.Act]run.Mark{run.Posted: run.Asked}, marks(b.run(t, "k"))); d != "" {
		t.Errorf("while it waits (-want +got):\n%s", d)
	}
	if err := b.press(t, out.Question, lee, run.Yes); err != nil {
		t.Fatal(err)
	}
	b.on(t, "k")
	out = b.sent(t, "k")
	if out.State != run.Done || out.Why != "" || len(out.Claimed)+len(out.Unmet) > 0 {
		t.Errorf("outcome = %+v", out)
	}
	if d := cmp.Diff(map[run.Act]run.Mark{run.Posted: run.Met}, marks(b.run(t, "k"))); d != "" {
		t.Errorf("ticks (-want +got):\n%s", d)
	}
}

// VER-04 A no of a person is a lawful end, which says so; nothing is sent back for it.
func TestVER04ADeniedActIsALawfulEnd(t *testing.T) {
	b := newBench(t, says("", call("post_message", `{"channel":"#sales"}`)), says("It was not posted."), says("never heard"))
	out := b.start(t, asking(pleasePost))
	if err := b.press(t, out.Question, lee, run.No); err != nil {
		t.Fatal(err)
	}
	out = b.on(t, "k")
	if out.Text != "It was not posted." || out.Why != "" || len(out.Undone) != 1 || len(b.script.Heard()) != 2 {
		t.Errorf("outcome = %+v after %d calls", out, len(b.script.Heard()))
	}
	if tick := b.run(t, "k").Ticks()[0]; tick.Mark != run.Vetoed || tick.By == "" {
		t.Errorf("tick = %+v", tick)
	}
}

// VER-02 The result of the tool counts and no word beside it: what failed is not done,
// however the answer puts it, and what then succeeded is, whatever failed before.
func TestVER02TheResultOfTheToolCounts(t *testing.T) {
	fails := 0
	write := func() tool.Tool {
		return tool.New(tool.Spec{Name: "crm_update", Description: "Writes.", Effect: tool.Read, Keeps: true, Attempts: 1}, func(context.Context, tool.Call, query) (tool.Result, error) {
			if fails--; fails >= 0 {
				return tool.Result{}, tool.Failf(tool.LogicError, "no permission")
			}
			return tool.Result{Text: "written"}, nil
		})
	}
	for name, tt := range map[string]struct {
		fails int
		want  run.Why
		mark  run.Mark
	}{"it failed": {5, run.Unfinished, run.Missed}, "it failed first": {1, "", run.Met}} {
		t.Run(name, func(t *testing.T) {
			fails = tt.fails
			g := newRig(t, []tool.Tool{write()}, says("", q("crm_update", "ticket")), says("The record is up to date."), says("", q("crm_update", "the")), says("It stands in the CRM."))
			out, err := g.Start(t.Context(), asking("update the ticket"), func(context.Context, run.Run) error { return nil })
			if err != nil || out.Why != tt.want {
				t.Errorf("outcome = %+v, %v", out, err)
			}
			if d := cmp.Diff(map[run.Act]run.Mark{run.Changed: tt.mark}, marks(g.run(t, "k"))); d != "" {
				t.Errorf("ticks (-want +got):\n%s", d)
			}
		})
	}
}

// VER-01 No false interceptions: what asks for no act, what lacks something only a person
// knows, what no tool here can do, small talk, and what the built-in rules say are left
// alone.
func TestVER01NothingElseIsIntercepted(t *testing.T) {
	for _, ask := range []string{"How do I post to #sales?", "Don't post it to #sales, just summarise.", "怎么发到 #sales？", "不要发到 #sales，汇总就好。", "What does “post it to #sales” mean?"} {
		b := newBench(t, says("Sales were fine."), says("never heard"))
		if out := b.start(t, asking(ask)); out.Why != "" || len(b.script.Heard()) != 1 || len(b.run(t, "k").Goal) != 0 {
			t.Errorf("%q: %+v after %d calls", ask, out, len(b.script.Heard()))
		}
	}
	t.Run("it must know more", func(t *testing.T) {
		b := newBench(t, says("Which channel should I post it to?"), says("never heard"))
		if out := b.start(t, asking("Please post it to the channel")); out.Why != "" || len(b.script.Heard()) != 1 {
			t.Errorf("outcome = %+v after %d calls", out, len(b.script.Heard()))
		}
	})
	t.Run("nothing can do it", func(t *testing.T) {
		g := newRig(t, []tool.Tool{echo("look")}, says("I cannot post from here."), says("never heard"))
		out, err := g.Start(t.Context(), asking(pleasePost), func(context.Context, run.Run) error { return nil })
		if err != nil || out.Why != "" || len(g.script.Heard()) != 1 || marks(g.run(t, "k"))[run.Posted] != run.NoWay {
			t.Errorf("outcome = %+v, %v", out, err)
		}
	})
	t.Run("small talk", func(t *testing.T) {
		b := newBench(t, says("Hello!"), says("never heard"))
		req := asking(pleasePost)
		req.Light, req.NoTools = true, true
		if out := b.start(t, req); out.Why != "" || len(b.script.Heard()) != 1 {
			t.Errorf("outcome = %+v", out)
		}
	})
	t.Run("the rules", func(t *testing.T) {
		s := &llmtest.Script{Replies: []llm.Reply{says("I did not understand that.")}}
		g := rigWith(t, agent.Config{}, []tool.Tool{echo("post_message")}, s, agent.Member{Model: s, Rules: true})
		out, err := g.Start(t.Context(), asking(pleasePost), func(context.Context, run.Run) error { return nil })
		if err != nil || out.Why != "" || len(s.Heard()) != 1 {
			t.Errorf("outcome = %+v, %v", out, err)
		}
	})
}

// VER-07 A profile's check must have succeeded before an answer counts: without it the
// answer is sent back once and then not done, by the rules too. It takes a run that is
// done nowhere where the profile knows no part.
func TestVER07TheCheckOfAProfileIsNotSkipped(t *testing.T) {
	strict := guard.Default
	strict.Verify = "check"
	failing := strict
	failing.Ends = []run.Status{run.StatusDone, run.StatusSuspended, run.StatusCancelled, run.StatusFailed}
	tools := []tool.Tool{echo("look"), echo("check")}
	for name, tt := range map[string]struct {
		p       guard.Profile
		replies []llm.Reply
		skipped []string
		status  run.Status
	}{
		"skipped":           {strict, []llm.Reply{says("seven"), says("seven")}, []string{"check"}, run.StatusPartial},
		"another was run":   {strict, []llm.Reply{says("", q("look", "a")), says("seven"), says("seven")}, []string{"check"}, run.StatusPartial},
		"it ran at last":    {strict, []llm.Reply{says("seven"), says("", q("check", "a")), says("seven")}, nil, run.StatusDone},
		"it ran":            {strict, []llm.Reply{says("", q("check", "a")), says("seven")}, nil, run.StatusDone},
		"no part is known":  {failing, []llm.Reply{says("seven"), says("seven")}, []string{"check"}, run.StatusFailed},
		"it was made wrong": {strict, []llm.Reply{says("", call("check", `{"nonsense":1}`)), says("seven"), says("seven")}, []string{"check"}, run.StatusPartial},
	} {
		t.Run(name, func(t *testing.T) {
			g := newRigOf(t, agent.Config{Profiles: guard.Profiles{tt.p}}, tools, tt.replies...)
			out := g.start(t, "k")
			if d := cmp.Diff(tt.skipped, out.Skipped); d != "" || g.run(t, "k").Status() != tt.status {
				t.Errorf("%s, skipped (-want +got):\n%s", g.run(t, "k").Status(), d)
			}
			if len(g.script.Heard()) != len(tt.replies) {
				t.Errorf("the model was asked %d times, want %d", len(g.script.Heard()), len(tt.replies))
			}
		})
	}
	t.Run("the rules", func(t *testing.T) {
		s := &llmtest.Script{Replies: []llm.Reply{says("seven")}}
		g := rigWith(t, agent.Config{Profiles: guard.Profiles{strict}}, tools, s, agent.Member{Model: s, Rules: true})
		if out := g.start(t, "k"); out.Why != run.Unfinished || len(s.Heard()) != 1 {
			t.Errorf("outcome = %+v", out)
		}
	})
}

// VER-05, VER-06 An answer that cites what has not run is sent back once; then people are
// told. Thoughts are flagged in the trace and held up by nothing.
func TestVER05VER06ACitationOfWhatNeverRanIsRejected(t *testing.T) {
	const lie = "Sales were fine, according to look_up (step 7)."
	tools := []tool.Tool{echo("look"), echo("look_up")}
	g := newRig(t, tools, says("", q("look", "a")), says(lie), says(lie))
	out := g.start(t, "k")
	if d := cmp.Diff([]string{"step 7", "look_up"}, out.Miscites); d != "" || len(g.script.Heard()) != 3 {
		t.Errorf("after %d calls (-want +got):\n%s", len(g.script.Heard()), d)
	}
	if told := written(g.script.Heard()[2]); !strings.Contains(told, "it cites what has not run: step 7, look_up") {
		t.Errorf("the model was told\n%s", told)
	}
	g = newRig(t, tools, says("", q("look_up", "a")), says("The query returned 7; I look again.", q("look", "b")), says("Sales were fine, according to look_up (step 1)."))
	out = g.start(t, "k")
	r := g.run(t, "k")
	if len(out.Miscites) > 0 || len(g.script.Heard()) != 3 || !r.Steps[1].Uncited || r.Steps[2].Uncited || len(r.Steps[2].Miscites) > 0 {
		t.Errorf("outcome = %+v, steps %+v", out, r.Steps)
	}
}

// VER-08 What is no argument of a tool is refused before it runs, whatever the model
// says of it, and the tool never sees it.
func TestVER08AnArgumentThatThereIsNotIsRefusedAtTheTool(t *testing.T) {
	ran := 0
	look := reader("look", func(context.Context, tool.Call, query) (tool.Result, error) {
		ran++
		return tool.Result{Text: "seven"}, nil
	})
	g := newRig(t, []tool.Tool{look}, says("look takes force, I am sure", call("look", `{"q":"a","force":true}`)), says("it did not work"))
	g.start(t, "k")
	res := g.run(t, "k").Steps[0].Results[0]
	if ran != 0 || res.Unrun != run.Unfit || res.Error == nil || !strings.Contains(res.Text, "force") {
		t.Errorf("ran %d times, result %+v", ran, res)
	}
}

// C22 A promise without an act is mended by one, or said: in both languages, and where
// the request has not asked for it.
func TestC22APromiseNeedsAnAct(t *testing.T) {
	plan := func() tool.Tool { return echo("schedule_add") }
	for _, promise := range []string{"I'll remind you tomorrow.", "我会明天提醒你。"} {
		for name, tt := range map[string]struct {
			ask     string
			replies []llm.Reply
			claimed int
			unmet   int
		}{
			"mended":         {"the report is due tomorrow", []llm.Reply{says(promise), says("", q("schedule_add", "a")), says(promise)}, 0, 0},
			"said":           {"the report is due tomorrow", []llm.Reply{says(promise), says(promise)}, 1, 0},
			"asked for":      {"remind me tomorrow at 9 that it is due", []llm.Reply{says(promise), says(promise)}, 0, 1},
			"asked for, met": {"明天9点提醒我交报告", []llm.Reply{says(promise), says("", q("schedule_add", "a")), says(promise)}, 0, 0},
		} {
			t.Run(name+" "+promise, func(t *testing.T) {
				g := newRig(t, []tool.Tool{plan()}, tt.replies...)
				out, err := g.Start(t.Context(), asking(tt.ask), func(context.Context, run.Run) error { return nil })
				if err != nil || len(out.Claimed) != tt.claimed || len(out.Unmet) != tt.unmet || len(g.script.Heard()) != len(tt.replies) {
					t.Errorf("outcome = %+v after %d calls, %v", out, len(g.script.Heard()), err)
				}
			})
		}
	}
}

// What is said under way belongs to what is asked for.
func TestVER01WhatIsSaidUnderWayCounts(t *testing.T) {
	for more, want := range map[string]run.Why{"and post it to #sales": run.Unfinished, "and make it short": ""} {
		b := newBench(t, says("fine"), says("fine"), says("fine"))
		b.store.Say(home, noon, run.Turn{})
		req := asking("summarise the sales")
		once := false
		out, err := b.Start(t.Context(), req, func(ctx context.Context, r run.Run) error {
			if once {
				return nil
			}
			once = true
			_, _, err := b.Steer(ctx, home, ana, more, "s1", noon)
			return err
		})
		if err != nil || out.Why != want {
			t.Errorf("%q: %+v, %v", more, out, err)
		}
	}
}

// C23 A slot that should post ends in no done without the post.
func TestC23ASlotThatDidNotPostIsNotDone(t *testing.T) {
	b := newBench(t, says("Here is the report."), says("Here is the report."))
	req := slot("k")
	req.Expect = "test/w/sales/"
	if out := b.start(t, req); out.Why != run.Unfinished || !slices.Equal(out.Unmet, []run.Act{run.Posted}) {
		t.Errorf("outcome = %+v", out)
	}
}

// VER-01, FAIL-05 Whatever persona works on a request to post: it ends in done only if
// something was posted, and here nothing is without a press.
func TestVER01NoPersonaIsDoneWithoutTheAct(t *testing.T) {
	honest := 0
	for _, persona := range llmtest.Personas() {
		synctest.Test(t, func(t *testing.T) {
			c := &counted{n: map[string]int{}}
			a := agent.New(agent.Config{Patience: time.Hour, JobWait: time.Hour}, agent.Parts{
				Models: agent.NewModels(time.Now, agent.Member{Model: persona}), Tools: personaTools(t, c, 10), Memory: nobody{},
				Store: agenttest.NewStore(), Shelf: &shelf{}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
			})
			out, err := a.Start(t.Context(), asking(pleasePost), func(context.Context, run.Run) error { return nil })
			if err != nil {
				return // it cannot be had at all
			}
			if out.State == run.Done && out.Why == "" {
				t.Errorf("%s is done: %q", persona.Label, out.Text)
			}
			if out.Why == run.Unfinished {
				honest++
			}
		})
	}
	if honest < 20 {
		t.Errorf("%d end for what they have not done", honest)
	}
}

// BenchmarkFinish is what it costs to hold an answer against what was asked for, beside
// a run that asks for nothing.
func BenchmarkFinish(b *testing.B) {
	for _, ask := range []string{"sales to #sales", pleasePost} {
		b.Run(fmt.Sprint(len(ask)), func(b *testing.B) {
			set, err := tool.NewSet(echo("post_message"), echo("look"))
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			m := modelFunc(func(context.Context, llm.Request) (llm.Reply, error) {
				if n++; n%2 == 1 {
					return says("", q("post_message", fmt.Sprint(n))), nil
				}
				return says("Sales were fine."), nil
			})
			s := &memoryless{}
			a := agent.New(agent.Config{}, agent.Parts{
				Models: agent.NewModels(time.Now, agent.Member{Model: m}), Tools: set, Memory: nobody{}, Store: s, Shelf: &shelf{},
				Now: time.Now, Log: slog.New(slog.DiscardHandler),
			})
			for b.Loop() {
				*s = memoryless{}
				if out, err := a.Start(b.Context(), asking(ask), func(context.Context, run.Run) error { return nil }); err != nil || out.Why != "" {
					b.Fatalf("outcome %+v, %v", out, err)
				}
			}
		})
	}
}

// LOOP-14, M2 An answer that only announces a look is sent back once, whatever wire it
// comes by; what follows is done, or is said not to be.
func TestLOOP14AnAnnouncedLookIsSentBackOnce(t *testing.T) {
	for _, promise := range []string{"Let me look up the sales figures for you.", "I am querying the database now", "Fetching the data...", "正在查询，请稍候。"} {
		for wire, form := range map[string]decision.Form{"openai": decision.Native, "anthropic": decision.Native, "in JSON": decision.Flat, "in words": decision.Tagged} {
			for name, mends := range map[string]bool{"mends": true, "insists": false} {
				t.Run(wire+"/"+promise+"/"+name, func(t *testing.T) {
					said := promise
					if form == decision.Flat {
						said = fmt.Sprintf(`{"thought":"x","is_finished":true,"final_answer":%q}`, promise)
					}
					h := &llmtest.Handler{Reply: func(c llmtest.Chat) llmtest.Step {
						told := strings.Contains(c.Messages[len(c.Messages)-1].Text, "about to look")
						if told && mends {
							return llmtest.Step{Text: "Sales were fine."}
						}
						return llmtest.Step{Text: said, Finish: map[string]string{"openai": "stop", "anthropic": "end_turn"}[wire]}
					}}
					var m llm.Model = openai.New(openai.Config{BaseURL: "http://model.example", Model: "m", HTTP: llmtest.Pipe(t, h)}, slog.New(slog.DiscardHandler))
					if wire == "anthropic" {
						m = anthropic.New(anthropic.Config{BaseURL: "http://model.example", Model: "m", HTTP: llmtest.Pipe(t, h)}, slog.New(slog.DiscardHandler))
					}
					g := rigWith(t, agent.Config{}, []tool.Tool{echo("look")}, nil, agent.Member{Model: m, Form: form})
					out, err := g.Start(t.Context(), asking("what were the sales?"), func(context.Context, run.Run) error { return nil })
					if err != nil || len(h.Heard()) != 2 {
						t.Fatalf("outcome = %+v after %d calls, %v", out, len(h.Heard()), err)
					}
					switch {
					case mends && (out.Why != "" || out.Text != "Sales were fine."):
						t.Errorf("outcome = %+v", out)
					case !mends && (out.Why != run.Unfinished || run.StatusOf(out.State, out.Why) != run.StatusPartial):
						t.Errorf("it counts as done: %+v", out)
					}
				})
			}
		}
	}
}

// VER-05 Of a write the reason is held to the same as an answer: one that cites what has
// not run is turned away once; given again it comes before a person, who sees that, and no
// grant covers it. One that cites what has run passes.
func TestVER05AWriteWhoseReasonCitesNothingIsNotRun(t *testing.T) {
	post := func(why string) llm.Reply { return says(why, call("post_message", `{"channel":"#sales"}`)) }
	b := newBench(t, says("", call("look", `{}`)), post("As step 7 shows, sales fell."), post("It is right (step 9)."))
	out := b.start(t, request("k"))
	r := b.run(t, "k")
	if res := r.Steps[1].Results[0]; res.Unrun != run.Unfit || !strings.Contains(res.Text, "cite what has not run: step 7") {
		t.Errorf("the first write = %+v, want it turned away", res)
	}
	if out.Question == nil || !strings.Contains(strings.Join(out.Question.Calls[0].Marks, " "), "cites what has not run: step 9") || len(out.Question.Scopes) != 0 {
		t.Errorf("question = %+v, want it marked", out.Question)
	}
	b = newBench(t, says("", call("look", `{}`)), post("As step 1 shows, sales fell."))
	if out := b.start(t, request("k")); out.Question == nil || len(out.Question.Calls[0].Marks) != 0 {
		t.Errorf("question = %+v, want it as it is", out.Question)
	}
}
