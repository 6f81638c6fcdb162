package rules

import (
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
)

// A reminder is a job that answers where it was asked for, with the words and no
// figures; what is none is refused, with what can be done.
func TestReminders(t *testing.T) {
	m := New(sampleLayer())
	for _, tt := range []struct{ text, want string }{
		{"remind me tomorrow at 3pm to call Bob", "schedule @once 2026-11-03T15:00 <nil>: remind me: call Bob"},
		{"remind me to call Bob tomorrow at 3pm", "schedule @once 2026-11-03T15:00 <nil>: remind me: call Bob"},
		{"提醒我明天下午3点给Bob打电话", "schedule @once 2026-11-03T15:00 <nil>: 提醒我：给Bob打电话"},
		{"明天下午3点提醒我给Bob打电话", "schedule @once 2026-11-03T15:00 <nil>: 提醒我：给Bob打电话"},
		{"remind me every weekday at 8:30 to check the inbox", "schedule 30 8 * * MON-FRI <nil>: remind me: check the inbox"},
		{"每周五下午5点提醒我写周报", "schedule 0 17 * * FRI <nil>: 提醒我：写周报"},
		{"can you remind us every Friday at 4pm: write the weekly report?", "schedule 0 16 * * FRI <nil>: remind me: write the weekly report"},
		{"remind me to prepare the Friday meeting tomorrow at 15:00", "schedule @once 2026-11-03T15:00 <nil>: remind me: prepare the Friday meeting"},
		{"remind me on the first of every month at 9 to pay the rent", "schedule 0 9 1 * * <nil>: remind me: pay the rent"},
		{"set a reminder for Friday 9am to send the invoices", "schedule @once 2026-11-06T09:00 <nil>: remind me: send the invoices"},
		{"提醒我每天早上9点看上个月的销售额", "schedule 0 9 * * * <nil>: 提醒我：看上个月的销售额"},
		{"remind me in 20 minutes to stretch", "schedule @once 2026-11-02T10:20 <nil>: remind me: stretch"},
		{"remind me to call Bob", "missing when"}, {"提醒我给Bob打电话", "missing when"}, {"remind me tomorrow to call Bob", "missing when"}, {"remind me tomorrow at 3 to call Bob", "missing when"},
		{"show my reminders", "schedule_list<nil>"},
	} {
		if got := brief(m.Try(TrialInput{Text: tt.text})); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
	for text, hint := range map[string]string{
		"don't remind me tomorrow at 3pm to call Bob": "remind you here", "remind Bob tomorrow at 9 to call me": "remind you here", "提醒Bob明天9点开会": "只能在这里提醒您本人",
		"remind me if sales drop": "remind you here", "remind me tomorrow at 9:00": "Of what", "明天9点提醒我": "提醒什么", "remind me every weekday at 9 except holidays to check the inbox": "holidays",
		"remind me every Monday at 9 of last week's sales": "send me last week's sales", "每周一早上9点提醒我上周的销售额": "把上周的销售额发给我",
		"post last month's sales to #sales and remind me tomorrow at 9 to call Bob": "remind you here",
	} {
		if got := m.Try(TrialInput{Text: text}); len(got.Calls)+len(got.Missing) > 0 || len(got.Unclaimed) == 0 || !strings.Contains(got.Say, hint) {
			t.Errorf("%q: %s %v %q, want nothing done and %q", text, show(got.Calls...), got.Missing, got.Say, hint)
		}
	}
}

// The slot of a reminder says the words, and asks no tool.
func TestReminderInItsSlot(t *testing.T) {
	at := time.Date(2026, 11, 3, 15, 0, 0, 0, time.UTC)
	for request, want := range map[string]string{
		"remind me: call Bob": "Reminder: call Bob.", "remind me to call Bob": "Reminder: call Bob.", "remind me: call Bob tomorrow at 9": "Reminder: call Bob tomorrow at 9.",
		"提醒我：给Bob打电话": "提醒您：给Bob打电话。", "提醒我：看上个月的销售额": "提醒您：看上个月的销售额。",
	} {
		scene := llm.Scene{Lang: languageOf(request), Now: at, Zone: "UTC", From: at.AddDate(0, 0, -1), To: at}
		log, last := game{tools: reportTools(), scene: scene}.play(t, request)
		if len(log) > 0 || last != want {
			t.Errorf("%q: %q, %q, want %q", request, log, last, want)
		}
	}
	tools := reportTools()
	tools["ask"] = says(map[string]string{"answer": "tomorrow at 15:00"})
	tools["schedule_add"] = says(map[string]any{"job": "j1a2b3c4", "zone": "UTC", "next": []string{"2026-11-03T15:00:00Z"}})
	log, last := game{tools: tools, scene: llm.Scene{Lang: "en"}}.play(t, "remind me to call Bob")
	if len(log) != 2 || log[1] != `schedule_add{"request":"remind me: call Bob","when":"@once 2026-11-03T15:00"}` || !strings.Contains(last, "once, on Tue 3 November 2026, 15:00") {
		t.Errorf("log = %q, last words = %q", log, last)
	}
}
