package bot_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hermes/bot"
	"hermes/router"
)

// A tutor keeps what it is told.
type tutor struct{ heard []bot.Correction }

func (t *tutor) Corrected(_ context.Context, c bot.Correction) error {
	t.heard = append(t.heard, c)
	return nil
}

// ROUT-11: what was taken for small talk has no tools, and a button that makes it a
// task, once, for whom it is of. The correction is kept for the next training.
func TestROUT11SmallTalkBecomesATaskByOnePress(t *testing.T) {
	for lang, tt := range map[string]struct{ text, label string }{
		"English": {"you are so clever today", "Run as task"},
		"Chinese": {"你今天真的很聪明啊", "当作任务执行"},
	} {
		t.Run(lang, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{})
				r.hear("m1", here, tt.text)
				p := r.shows("m1/end")
				if len(p.Choices) != 1 || p.Choices[0].Label != tt.label {
					t.Fatalf("buttons = %+v, want %q", p.Choices, tt.label)
				}
				if got := r.run("m1"); !got.NoTools || got.Intent != "chitchat" || got.Routed == nil || got.Routed.Reason != "classifier" {
					t.Errorf("the run = intent %q, no tools %t, routed %+v", got.Intent, got.NoTools, got.Routed)
				}
				r.press(here, gus, p.Question, "task")
				if _, began := r.chat.Shows("m1/task/end"); began {
					t.Error("somebody else has made it a task")
				}
				r.press(here, ana, p.Question, "task")
				r.press(here, ana, p.Question, "task")
				if got := r.run("m1/task"); got.NoTools || got.Light || got.Intent != "task" || got.Text != tt.text || got.Asker != ana {
					t.Errorf("the task = %+v", got.Request)
				}
				want := []bot.Correction{{Text: tt.text, Was: router.Chitchat, Is: router.Task}}
				if d := cmp.Diff(want, r.tutor.heard, cmpopts.IgnoreFields(bot.Correction{}, "At")); d != "" {
					t.Errorf("kept (-want +got):\n%s", d)
				}
			})
		})
	}
}

// A greeting that a rule knows has no button under it: there is nothing to do.
func TestAGreetingHasNoButton(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		r.hear("m1", here, "good morning")
		if p := r.shows("m1/end"); len(p.Choices) != 0 || p.Question != "" {
			t.Errorf("buttons = %+v", p.Choices)
		}
	})
}

// ROUT-11: "just do it" makes a task of what was said before; of what somebody was only
// asking about nothing more is done. Either is kept. Where nothing was taken for the wrong thing they are words
// like others.
func TestROUT11WordsCorrectWhatWasTakenForTheWrongThing(t *testing.T) {
	for name, tt := range map[string]struct {
		before, says string
		is           router.Kind // empty: nothing is corrected
		answer       string
	}{
		"do it":                   {"how do I export the list?", "just do it", router.Task, ""},
		"do it, Chinese":          {"怎么导出客户名单？", "直接做", router.Task, ""},
		"do it, small talk":       {"you are so clever today", "just do it please", router.Task, ""},
		"only asking":             {"export the list of all customers", "no, I was only asking", router.Question, "I do nothing more of it"},
		"only asking, Chinese":    {"把客户名单导出来", "我只是问问", router.Question, "不再继续"},
		"nothing to correct":      {"export the list of all customers", "just do it", "", ""},
		"nothing to ask":          {"how do I export the list?", "I was only asking", "", ""},
		"a request that has more": {"how do I export the list?", "just do it for Asia and send it to Lee", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{})
				r.hear("m1", here, tt.before)
				pass(time.Minute)
				r.hear("m2", here, tt.says)
				if tt.is == router.Question {
					if said := r.said(here); !strings.Contains(said[len(said)-1], tt.answer) {
						t.Errorf("it is answered with %q, want %q", said, tt.answer)
					}
					if _, ok, _ := r.store.Run(t.Context(), "m2"); ok {
						t.Error("it is done once more")
					}
					if len(r.tutor.heard) != 1 || r.tutor.heard[0].Text != tt.before || r.tutor.heard[0].Is != tt.is {
						t.Errorf("kept %+v", r.tutor.heard)
					}
					return
				}
				got := r.run("m2")
				if tt.is == "" {
					if got.Text != tt.says || len(r.tutor.heard) != 0 {
						t.Errorf("m2 = %q, kept %+v", got.Text, r.tutor.heard)
					}
					return
				}
				if got.Text != tt.before || got.Intent != string(tt.is) || got.NoTools {
					t.Errorf("m2 = %q as a %s, no tools %t; want %q as a %s", got.Text, got.Intent, got.NoTools, tt.before, tt.is)
				}
				if len(r.tutor.heard) != 1 || r.tutor.heard[0].Text != tt.before || r.tutor.heard[0].Is != tt.is {
					t.Errorf("kept %+v", r.tutor.heard)
				}
			})
		})
	}
}

// ROUT-03, FAIL-10: a greeting runs no tool.
func TestROUT03AGreetingRunsNoTool(t *testing.T) {
	for _, text := range []string{"good morning", "早上好", "hi there!", "大家好呀"} {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, setup{})
			r.hear("m1", here, text)
			if got := r.run("m1"); !got.NoTools || !got.Light || len(r.lastAsked().Tools) != 0 {
				t.Errorf("%q: no tools %t, small talk %t, %d tools told", text, got.NoTools, got.Light, len(r.lastAsked().Tools))
			}
		})
	}
}

// ROUT-01: every decision is kept with what came of it, and told to who asks why.
func TestROUT01TheDecisionIsKeptAndTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		r.hear("m1", here, "export the list of all customers")
		got := r.run("m1").Routed
		if got == nil || got.Reason == "" || got.Sure <= 0 || len(got.Terms) == 0 {
			t.Errorf("kept %+v", got)
		}
	})
}
