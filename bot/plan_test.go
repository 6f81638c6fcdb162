package bot

import (
	"regexp"
	"testing"

	"hermes/agent/run"
)

// Over its tasks a plan says how the work stands in a word or two, and what it is about:
// one colon, and no full stop before it, for every end in both languages.
func TestTitlesOfPlans(t *testing.T) {
	for _, tt := range []struct {
		state  run.State
		why    run.Why
		steps  int
		dry    bool
		en, zh string
	}{
		{run.Working, "", 1, false, "sales by region", "sales by region"},
		{run.Delivering, "", 1, false, "sales by region", "sales by region"},
		{run.Waiting, "", 1, false, "Waiting for a decision: sales by region", "等待决定：sales by region"},
		{run.Done, "", 3, false, "Done in 3 steps: sales by region", "完成，共 3 步：sales by region"},
		{run.Done, "", 1, true, "Rehearsal, nothing is posted: Done in 1 step: sales by region", "演练，不会真的发送：完成，共 1 步：sales by region"},
		{run.Done, run.TooLong, 1, false, "Partial: sales by region", "部分完成：sales by region"},
		{run.Done, run.Abandoned, 1, false, "Stopped: sales by region", "已停止：sales by region"},
		{run.Suspended, run.Stopped, 1, false, "Stopped: sales by region", "已停止：sales by region"},
		{run.Suspended, run.Stopped, 1, true, "Rehearsal, nothing is posted: Stopped: sales by region", "演练，不会真的发送：已停止：sales by region"},
		{run.Suspended, run.TimeUp, 1, false, "Out of time: sales by region", "超时：sales by region"},
		{run.Suspended, run.OverBudget, 1, false, "Over budget: sales by region", "超出预算：sales by region"},
		{run.Suspended, run.InCircle, 1, false, "Repeated: sales by region", "重复打转：sales by region"},
		{run.Suspended, run.Stalled, 1, false, "Stalled: sales by region", "没有进展：sales by region"},
		{run.Suspended, run.Misset, 1, false, "Configured wrong: sales by region", "配置有误：sales by region"},
		{run.Suspended, run.Expired, 1, false, "Suspended: sales by region", "已挂起：sales by region"},
		{run.Failed, run.Broken, 1, false, "Failed: sales by region", "失败：sales by region"},
	} {
		for lang, want := range map[string]string{"en": tt.en, "zh": tt.zh} {
			r := run.Run{Request: run.Request{Key: "m1", Text: "sales\n by  region", Lang: lang, Rehearse: tt.dry}, State: tt.state}
			r.Steps, r.Outcome.Why = make([]run.Step, tt.steps), tt.why
			if got := progress(Place{}, r).Plan.Title; got != want {
				t.Errorf("%s, %s, %s: title %q, want %q", lang, tt.state, tt.why, got, want)
			}
		}
	}
	odd := regexp.MustCompile(`[.。!！?？][:：]|[:：]{2}`)
	for lang := range map[string]bool{"en": true, "zh": true} {
		for why := range words(lang).ended {
			for _, s := range []run.State{run.Done, run.Suspended, run.Failed} {
				r := run.Run{Request: run.Request{Key: "m1", Text: "sales", Lang: lang}, State: s, Outcome: run.Outcome{Why: why}}
				if title := progress(Place{}, r).Plan.Title; odd.MatchString(title) || title == "" {
					t.Errorf("%s, %s, %s: title %q", lang, s, why, title)
				}
			}
		}
	}
}

// Of many unproven numbers the first are named, and how many more there are.
func TestUnprovenNumbersAreFew(t *testing.T) {
	nine := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}
	for lang, want := range map[string][3]string{
		"en": {"rely on them: 1, 2.", "rely on them: 1, 2, 3, 4, 5, 6, 7, 8.", "rely on them: 1, 2, 3, 4, 5, 6, 7, 8 and 3 more."},
		"zh": {"不要依赖：1、2。", "不要依赖：1、2、3、4、5、6、7、8。", "不要依赖：1、2、3、4、5、6、7、8和另外 3 个。"},
	} {
		for i, n := range []int{2, 8, 11} {
			text := New(Config{}, Parts{}).reply(Place{}, "m1", lang, run.Outcome{Key: "m1/end", State: run.Done, Text: "x", Unproven: nine[:n]}).Text
			if !regexp.MustCompile(regexp.QuoteMeta(want[i]) + "$").MatchString(text) {
				t.Errorf("%s: %q, want %q at its end", lang, text, want[i])
			}
		}
	}
}
