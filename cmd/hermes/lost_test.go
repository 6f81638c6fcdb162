package main

import (
	"strings"
	"testing"

	"hermes/internal/fakeslack"
)

// O8: an answer that Slack refuses for good is not lost: who asked reads in a message to
// them alone that it could not be posted, where and why, what it says, and the trace;
// once, and in their language.
func TestO8AnAnswerThatSlackRefusesComesAlone(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	for _, tt := range []struct{ code, ask, why string }{
		{"is_archived", "@hermes what were last month's sales in Asia?", "could not be posted in #general: it is archived."},
		{"channel_not_found", "@hermes 上个月亚洲的销售额是多少？", "没能发到 #general：那里已不存在，或者我看不到。"},
		{"not_in_channel", "@hermes what were last month's orders in Asia?", "could not be posted in #general: I am not a member there."},
		{"restricted_action", "@hermes what were last month's sales in Europe?", "could not be posted in #general: posting there is restricted."},
	} {
		for _, method := range []string{"chat.postMessage", "chat.startStream"} {
			o.fake.Fail(fakeslack.Fault{Method: method, Channel: "C0GENERAL", Times: -1, Error: tt.code})
		}
		root := o.says("ana", "general", tt.ask)
		said := o.privately(tt.why)
		text := said.Shown()
		if !strings.Contains(text, "USD") && !strings.Contains(text, "orders") || !strings.Contains(text, traceOf(root)) || !strings.Contains(text, "/archives/C0GENERAL/p"+strings.ReplaceAll(root.TS, ".", "")) {
			t.Errorf("%s: it lacks the answer, its trace or a link to what was asked:\n%s", tt.code, text)
		}
		o.fake.Mend()
		// What is asked next is answered last in the conversation of two: nothing more came.
		o.answer(o.says("ana", "dm", "hi"), "Hello")
		if n := o.count(func(m fakeslack.Message) bool { return m.Mine() && strings.Contains(m.Shown(), tt.why) }); n != 1 {
			t.Errorf("%s: told %d times, want once", tt.code, n)
		}
		if n := len(o.mine(root)); n != 0 {
			t.Errorf("%s: %d posts where nothing is taken", tt.code, n)
		}
	}
}
