package bot

import (
	"strings"
	"testing"

	"hermes/agent/run"
	"hermes/scheduler"
)

// VER-01, VER-07, EXIT-14 An answer without all that was asked for says so first, in both
// languages; it is neither trouble nor done, and what is named beside it is not said twice.
func TestVER01AnAnswerWithoutTheActSaysSo(t *testing.T) {
	for _, tt := range []struct {
		lang string
		out  run.Outcome
		want string
	}{
		{"en", run.Outcome{Unmet: []run.Act{run.Posted, run.Scheduled}}, "⚠ Not all that was asked for is done: nothing was posted or scheduled.\n\nSales were fine."},
		{"zh", run.Outcome{Unmet: []run.Act{run.Posted, run.Scheduled}}, "⚠ 要求的事没有全部做完：这次没有发送或安排。\n\nSales were fine."},
		{"en", run.Outcome{Skipped: []string{"query_metric"}}, "⚠ Not checked: Look up figures had to come first and did not.\n\nSales were fine."},
		{"zh", run.Outcome{Skipped: []string{"query_metric"}}, "⚠ 未经检查：按规定要先做“查询数据”，但没有做。\n\nSales were fine."},
		{"en", run.Outcome{Undone: []run.Undone{{Tool: "post_message"}}}, "⚠ Not all that was asked for is done.\n\nSales were fine.\n\n⚠ Not done: Post."},
		{"en", run.Outcome{Unmet: []run.Act{run.Posted}, Miscites: []string{"step 7", "query_metric"}}, "⚠ Not all that was asked for is done: nothing was posted.\n\nSales were fine.\n\n⚠ The answer cites what was never run: step 7, Look up figures."},
	} {
		tt.out.Key, tt.out.Text, tt.out.Why, tt.out.State, tt.out.Model, tt.out.Stuck = "m1/end", "Sales were fine.", run.Unfinished, run.Done, "gpt", "look"
		p := New(Config{}, Parts{}).reply(Place{}, "m1", tt.lang, tt.out)
		if p.Text != tt.want || p.Kind == Trouble || len(p.Choices) > 0 || !strings.Contains(p.Footer, words(tt.lang).statuses[run.StatusPartial]) {
			t.Errorf("%q (%s, %q), want %q", p.Text, p.Kind, p.Footer, tt.want)
		}
	}
}

// C23 A slot whose run has not done all of it has failed.
func TestC23ASlotWithoutTheActHasFailed(t *testing.T) {
	r := run.Run{State: run.Done, Outcome: run.Outcome{Why: run.Unfinished}}
	if state, reason, _ := slotState(r); state != scheduler.Broken || reason == "" {
		t.Errorf("slot is %s: %q", state, reason)
	}
}
