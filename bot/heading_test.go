package bot

import (
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/run"
)

// A heading says what has become of the work: what was refused is not "done".
func TestAHeadingDoesNotCallARefusalDone(t *testing.T) {
	step := func(tool string, res run.Result) run.Step {
		return run.Step{
			Reply:   llm.Reply{Message: llm.Message{Calls: []llm.Call{{ID: tool + "1", Name: tool, Args: []byte(`{}`)}}}},
			Results: []run.Result{res},
		}
	}
	of := func(tool string, r run.Result) run.Step {
		r.ID = tool + "1"
		return step(tool, r)
	}
	fine := run.Result{}
	bad := run.Result{Result: llm.Result{Failed: true}}
	denied := run.Result{Result: llm.Result{Failed: true}, Unrun: run.Forbidden, Denied: "Lee"}
	hidden := run.Result{Result: llm.Result{Failed: true}, Unrun: run.Forbidden, Hidden: true}
	back := run.Result{Result: llm.Result{Failed: true}, Unrun: run.SentBack}
	words := run.Step{}
	begun := of("post_message", bad)
	begun.Did = []run.Deed{{Call: "post_message1"}}
	for name, tt := range map[string]struct {
		steps  []run.Step
		en, zh string
	}{
		"all is done":           {[]run.Step{of("query_metric", fine), words}, "Done in 2 steps", "完成，共 2 步"},
		"words alone":           {[]run.Step{words}, "Done in 1 step", "完成，共 1 步"},
		"a write denied":        {[]run.Step{of("post_message", denied)}, "Not done, denied (Post)", "没有执行，被拒绝（发送）"},
		"denied after reads":    {[]run.Step{of("query_metric", fine), of("post_message", denied)}, "Ended after 2 steps, denied (Post)", "共 2 步后结束，被拒绝（发送）"},
		"sent back and dropped": {[]run.Step{of("post_message", back)}, "Not done, denied (Post)", "没有执行，被拒绝（发送）"},
		"sent back, then done":  {[]run.Step{of("post_message", back), of("post_message", fine)}, "Done in 2 steps", "完成，共 2 步"},
		"not for who asks":      {[]run.Step{of("post_message", hidden)}, "Not done, not allowed here (Post)", "没有执行，这里不允许（发送）"},
		"nothing has worked":    {[]run.Step{of("query_metric", bad)}, "Not done, failed (Look up figures)", "没有做成，失败（查询数据）"},
		"the last one failed":   {[]run.Step{of("query_metric", fine), of("report_save", bad), words}, "Ended after 3 steps, failed (Save as a report)", "共 3 步后结束，有一步失败（存为报表）"},
		"a write failed":        {[]run.Step{of("query_metric", fine), begun, of("query_metric", fine), words}, "Ended after 4 steps, failed (Post)", "共 4 步后结束，有一步失败（发送）"},
		"a look failed midway":  {[]run.Step{of("web_fetch", bad), of("query_metric", fine), words}, "Done in 3 steps", "完成，共 3 步"},
		"mended":                {[]run.Step{of("query_metric", bad), of("query_metric", fine)}, "Done in 2 steps", "完成，共 2 步"},
	} {
		t.Run(name, func(t *testing.T) {
			for lang, want := range map[string]string{"en": tt.en, "zh": tt.zh} {
				r := run.Run{Request: run.Request{Key: "m1", Text: "sales", Lang: lang}, State: run.Done, Steps: tt.steps}
				p := progress(Place{}, r)
				if head, _, _ := strings.Cut(p.Text, "\n"); head != want {
					t.Errorf("%s: %q, want %q", lang, head, want)
				}
				if !strings.HasPrefix(p.Plan.Title, want) {
					t.Errorf("%s: title %q, want %q at its beginning", lang, p.Plan.Title, want)
				}
			}
		})
	}
}
