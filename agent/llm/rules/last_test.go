package rules

import (
	"strings"
	"testing"

	"hermes/agent/llm"
)

// A20: where a post went is what its result says, which is another channel than the one
// that was asked for if its approver has changed it.
func TestA20WhereAPostWentIsSaidByItsResult(t *testing.T) {
	for name, tt := range map[string]struct {
		lang   string
		result map[string]any
		failed bool
		want   string
	}{
		"changed":             {"en", map[string]any{"posted": true, "channel": "#ops"}, false, "Posted to #ops."},
		"changed, with link":  {"en", map[string]any{"posted": true, "link": "https://chat/p1", "channel": "#ops"}, false, "Posted to [#ops](https://chat/p1)."},
		"changed, Chinese":    {"zh", map[string]any{"posted": true, "channel": "#ops"}, false, "已发到 #ops。"},
		"changed, and failed": {"en", map[string]any{"posted": false, "why": "not a member", "channel": "#ops"}, true, "Not posted to #ops: not a member."},
		"as it was":           {"en", map[string]any{"posted": true}, false, "Posted to #sales."},
	} {
		t.Run(name, func(t *testing.T) {
			w := work{reader: reader{lang: tt.lang}}
			r := says(tt.result)(nil)
			if got := w.sayPosted(step{name: postMessage, args: map[string]any{"channel": "#sales"}}, r.Text, tt.failed); got != tt.want {
				t.Errorf("said %q, want %q", got, tt.want)
			}
		})
	}
	tools := reportTools()
	tools[postMessage] = says(map[string]any{"posted": true, "channel": "#ops"})
	if _, last := (game{tools: tools, scene: llm.Scene{Lang: "en"}}).play(t, "post last month's sales by region to #sales"); last == "" || !strings.Contains(last, "Posted to #ops.") || strings.Contains(last, "#sales") {
		t.Errorf("said %q", last)
	}
}
