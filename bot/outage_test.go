package bot_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/run"
	"hermes/bot"
)

// byRules is an agent whose answers come from the rules while the model is away.
type byRules struct {
	bot.Agent
	away *bool
}

func (a byRules) Start(ctx context.Context, req run.Request, watch func(context.Context, run.Run) error) (run.Outcome, error) {
	out, err := a.Agent.Start(ctx, req, watch)
	if *a.away && out.Key != "" {
		out.Model, out.Instead = "rules", run.ModelGone
	}
	return out, err
}

// While the model does not answer, the first answer of the rules in a place says so,
// and no other; the next outage is told of again.
func TestTheFirstAnswerOfTheRulesSaysSo(t *testing.T) {
	const en, zh = "The language model does not answer just now", "语言模型现在没有应答"
	for name, has := range map[string]bool{"a model should answer": true, "there is none": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				away := true
				r := start(t, setup{cfg: bot.Config{HasModel: has}, agent: func(a bot.Agent) bot.Agent { return byRules{a, &away} }})
				ask := func(key string, p bot.Place, text, tells string) {
					t.Helper()
					r.hear(key, p, text)
					got := r.shows(key + "/end").Text
					want := tells
					if !has {
						want = ""
					}
					if told := strings.HasPrefix(got, en) || strings.HasPrefix(got, zh); told != (want != "") || !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "done with "+key) {
						t.Errorf("%s is answered with %q, want it to begin with %q", key, got, want)
					}
				}
				r.in.forget = 1 // the answer is put out again
				ask("m1", here, "export the list", en)
				r.in.Restart()
				ask("m2", here, "export the list", "")
				ask("m3", there, "导出数据", zh)
				away = false
				ask("m4", here, "export the list", "")
				away = true
				ask("m5", here, "export the list", en)
			})
		})
	}
}

// After Continue there is no second Continue to press, and what was said stays.
func TestContinueGoesWithItsPress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, asksBoth())
		r.hear("m1", here, monthly)
		pass(patience + time.Second)
		r.press(here, lee, "m1/q1", run.Always) // finds it expired, and settles that
		end := r.shows("m1/end")
		if len(end.Choices) != 2 || len(r.shows("m1/q1").Choices) != 0 {
			t.Fatalf("end = %q with %d buttons, and a card with %d; want Continue at once", end.Text, len(end.Choices), len(r.shows("m1/q1").Choices))
		}
		r.click(bot.Click{Place: here, From: gus, Continue: "m1"})
		if got := r.shows("m1/end"); len(got.Choices) != 2 {
			t.Error("a stranger's press has taken Continue away")
		}
		r.click(bot.Click{Place: here, From: ana, Continue: "m1"})
		if got := r.shows("m1/end"); len(got.Choices) != 0 || got.Text != end.Text || got.Footer != end.Footer || got.Delivered == nil {
			t.Errorf("after Continue = %q, %q with %d buttons; want the same without", got.Text, got.Footer, len(got.Choices))
		}
		if got := r.shows("m1/q2"); len(got.Choices) != 6 {
			t.Errorf("after Continue the card has %d buttons", len(got.Choices))
		}
	})
}

// A step that somebody has denied is no failure.
func TestADeniedStepIsNoFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, asksBoth())
		r.hear("m1", here, monthly)
		r.press(here, lee, "m1/q1", run.No)
		if got := r.shows("m1/progress").Text; !strings.HasPrefix(got, "Not done, denied (Post, Schedule)") || strings.Count(got, "\n– ") != 2 || strings.Contains(got, "✗") {
			t.Errorf("progress = %q, want both steps marked as not allowed", got)
		}
	})
}
