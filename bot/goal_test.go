package bot_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
)

// VER-10 Who asks why is told what they had asked for, with ticks, in their language.
func TestVER10WhyTellsWhatWasAskedForWithTicks(t *testing.T) {
	goal := []bot.GoalView{{Act: "posted", Mark: "done"}, {Act: "scheduled", Mark: "denied", By: "Lee"}, {Act: "saved", Mark: "open"}, {Tool: "query_metric", Mark: "failed"}}
	goal[2].Act = string(run.Remembered)
	for lang, want := range map[string]string{
		"en": "Asked for: ✓ posted, ✗ scheduled (denied by Lee), ○ saved (not done), ✗ check: Look up figures (failed)",
		"zh": "要求做的：✓ 发送、✗ 安排（被 Lee 拒绝）、○ 记下（没有做）、✗ 检查：查询数据（失败）",
	} {
		synctest.Test(t, func(t *testing.T) {
			s := policed(bot.Policy{})
			s.desk = counter{view: bot.RunView{Trace: run.TraceOf("m1"), Key: "m1", Asker: ana, Lang: lang, Goal: goal}}
			r := start(t, s)
			r.click(bot.Click{Place: here, From: ana, Why: "m1"})
			if got := r.whispers(here, ana); len(got) != 1 || !strings.Contains(got[0], want) {
				t.Errorf("hears %q, want %q in it", got, want)
			}
		})
	}
}

// VER-10 The ticks go by the results of tools.
func TestVER10TicksAreOfTheRun(t *testing.T) {
	r := run.Run{Goal: []run.Effect{{Act: run.Posted, Tools: []string{"post_message"}}, {Act: run.Scheduled}, {Tools: []string{"check"}}}}
	r.State = run.Done
	r = r.Heard(llm.Reply{Message: llm.Message{Text: "I have posted it.", Calls: []llm.Call{{ID: "a", Name: "post_message"}}}}, r.Now, 0)
	for _, tt := range []struct {
		res  run.Result
		want string
	}{
		{run.Result{}, "✓ posted"},
		{run.Result{Result: llm.Result{Failed: true}}, "✗ posted (failed)"},
		{run.Result{Result: llm.Result{Failed: true}, Unknown: true}, "? posted (may have been done)"},
		{run.Result{Result: llm.Result{Failed: true}, Denied: "Lee"}, "✗ posted (denied by Lee)"},
		{run.Result{Result: llm.Result{Failed: true}, Hidden: true}, "✗ posted (not for who asked)"},
		{run.Result{Result: llm.Result{Failed: true}, Unrun: run.Ended}, "○ posted (not done)"},
	} {
		tt.res.ID = "a"
		goal := bot.GoalOf(r.With(tt.res))
		if got := bot.GoalWord("en", goal[0]); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.res, got, tt.want)
		}
		if none, check := bot.GoalWord("en", goal[1]), bot.GoalWord("zh", goal[2]); none != "✗ scheduled (there is no tool for it here)" || !strings.HasPrefix(check, "○ 检查：") {
			t.Errorf("%q, %q", none, check)
		}
	}
}
