package rules

import (
	"testing"

	"hermes/agent/llm"
)

// A15: what was only asked for is never told as done, in both languages: the platform
// may refuse it afterwards.
func TestA15TakingBackIsSaidAsAskedFor(t *testing.T) {
	for name, tt := range map[string]struct {
		lang, text string
		result     map[string]any
		want       string
	}{
		"elsewhere":            {"en", "take that back", map[string]any{"asked": "deletion", "first": "Sales", "where": "#sales"}, "I have asked for my post in #sales to be taken back: “Sales”. If that is refused, I say so here."},
		"here":                 {"en", "take that back", map[string]any{"asked": "deletion", "first": "Sales"}, "I have asked for my post to be taken back: “Sales”. If that is refused, I say so here."},
		"without words":        {"en", "take that back", map[string]any{"asked": "deletion"}, "I have asked for my post to be taken back. If that is refused, I say so here."},
		"corrected":            {"en", "correct that: 5", map[string]any{"asked": "correction", "first": "Sales", "where": "#sales"}, "I have asked for my post in #sales to be corrected where it stands. If that is refused, I say so here."},
		"a rehearsal":          {"en", "take that back", map[string]any{"rehearsed": true}, "This was a rehearsal, so the post stands as it was."},
		"elsewhere, Chinese":   {"zh", "撤回", map[string]any{"asked": "deletion", "first": "销售", "where": "#sales"}, "已请求撤回我在 #sales 的消息：“销售”。如果被拒绝，我会在这里说明。"},
		"here, Chinese":        {"zh", "撤回", map[string]any{"asked": "deletion", "first": "销售"}, "已请求撤回我的消息：“销售”。如果被拒绝，我会在这里说明。"},
		"corrected, Chinese":   {"zh", "把刚才那条改成：5", map[string]any{"asked": "correction", "where": "#sales"}, "已请求在原处更正我在 #sales 的消息。如果被拒绝，我会在这里说明。"},
		"a rehearsal, Chinese": {"zh", "撤回", map[string]any{"rehearsed": true}, "这只是演练，那条消息没有变。"},
	} {
		t.Run(name, func(t *testing.T) {
			tools := reportTools()
			tools["take_back"] = says(tt.result)
			if _, last := (game{tools: tools, scene: llm.Scene{Lang: tt.lang}}).play(t, tt.text); last != tt.want {
				t.Errorf("said %q, want %q", last, tt.want)
			}
		})
	}
}
