package rules

import (
	"encoding/json"
	"testing"
	"time"

	"hermes/agent/llm"
)

// A20: of what a person wants otherwise the rules read another channel and another time,
// to the last word, in both languages; anything else they do not pretend to follow.
func TestA20WishesThatRulesCanFollow(t *testing.T) {
	at := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	post := llm.Call{Name: postMessage, Args: []byte(`{"channel":"#sales","report":"r1"}`)}
	plan := llm.Call{Name: scheduleAdd, Args: []byte(`{"when":"0 9 1 * *","request":"sales","channel":"#sales"}`)}
	for _, tt := range []struct {
		call llm.Call
		wish string
		want string // of the argument; empty: not followed
		arg  string
	}{
		{post, "#ops", "#ops", "channel"},
		{post, "to #ops please", "#ops", "channel"},
		{post, "Post it to #ops instead.", "#ops", "channel"},
		{post, "other channel #ops", "#ops", "channel"},
		{post, "not to #sales, but to #ops", "#ops", "channel"},
		{post, "use #ops instead of #sales", "#ops", "channel"},
		{post, "发到 #ops 吧", "#ops", "channel"},
		{post, "请改发到#运营", "#运营", "channel"},
		{post, "换个频道：#ops", "#ops", "channel"},
		{plan, "to #ops", "#ops", "channel"},
		{plan, "every Friday at 10:00", "0 10 * * FRI", "when"},
		{plan, "please change it to every Friday at 10:00 instead", "0 10 * * FRI", "when"},
		{plan, "改成每周五上午10点", "0 10 * * FRI", "when"},
		{post, "#sales", "", ""}, // it is so already
		{post, "shorter", "", ""},
		{post, "ask finance first", "", ""},
		{post, "先问财务", "", ""},
		{post, "to #ops, but without the chart", "", ""},
		{post, "to #ops and #sales", "", ""},
		{post, "do not post to #ops", "", ""},
		{post, "别发到 #ops", "", ""},
		{post, "every Friday at 10:00", "", ""},
		{plan, "later", "", ""},
		{plan, "every Friday", "", ""}, // at what time nobody said
		{plan, "every Friday at 10:00 but shorter", "", ""},
		{llm.Call{Name: postMessage, Args: []byte(`no`)}, "#ops", "", ""},
		{llm.Call{Name: "remember", Args: []byte(`{"channel":"#sales"}`)}, "#ops", "", ""},
	} {
		raw, ok := Revise(tt.call, tt.wish, at, languageOf(tt.wish))
		if ok != (tt.want != "") {
			t.Errorf("%s, %q: %s, %t", tt.call.Name, tt.wish, raw, ok)
			continue
		}
		var args map[string]string
		if ok && (json.Unmarshal(raw, &args) != nil || args[tt.arg] != tt.want) {
			t.Errorf("%s, %q: %s, want %s %q", tt.call.Name, tt.wish, raw, tt.arg, tt.want)
		}
	}
}
