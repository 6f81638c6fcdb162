package result_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/agent/result"
)

// EXIT-18, SCEN-18 A search that found only what is old, or of another version, says
// so and names another tool; one that found what was asked for says nothing.
func TestEXIT18Quality(t *testing.T) {
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	hits := func(date string) string {
		return `{"items":[{"title":"A","link":"https://a","date":"` + date + `"},{"title":"B","link":"https://b","date":"2019-01-01"}]}`
	}
	for name, tt := range map[string]struct{ goal, text, want string }{
		"old":              {"latest news", hits("2024-01-05T10:00:00Z"), "the newest of the 2 hits is of 2024-01-05"},
		"old, in Chinese":  {"最新进展", hits("2024-01-05"), "the newest of the 2 hits is of 2024-01-05"},
		"new":              {"latest news", hits("2026-11-01"), ""},
		"history":          {"when was it founded", hits("2001-01-05"), ""},
		"another year":     {"results of 2025", hits("2024-01-05"), `none of the 2 hits mentions "2025"`},
		"another version":  {"changes in 5.2", hits("2024-01-05"), `none of the 2 hits mentions "5.2"`},
		"no search":        {"latest of 2025", `[{"id":1,"date":"2001-01-01"}]`, ""},
		"nothing":          {"latest news", `{"items":[]}`, "empty: nothing matched"},
		"nothing at all":   {"latest news", `[]`, "empty: nothing matched"},
		"an empty remark":  {"latest news", `{"posted":true,"warnings":[]}`, ""},
		"a date in a text": {"latest news", hits("someday"), "2019-01-01"},
	} {
		t.Run(name, func(t *testing.T) {
			in := input("web_search", tt.text)
			in.Goal, in.Now, in.Spec.Alternates = tt.goal, now, []string{"news_search"}
			note := read(t, in, result.Config{}).Note
			if tt.want == "" && strings.Contains(note, "query") || tt.want != "" && (!strings.Contains(note, tt.want) || !strings.Contains(note, "news_search")) {
				t.Errorf("note = %s, want %q", note, tt.want)
			}
		})
	}
}

// LOOP-05 What is left out of a log is chosen by what matters: trouble, and what the
// request is about, in both languages.
func TestLOOP05KeyLines(t *testing.T) {
	text := strings.Split(log(800), "\n")
	text[300], text[400], text[500] = "FATAL: disk is full", "customer Acme-42 signed", "客户 华兴 已付款"
	for name, tt := range map[string]struct{ goal, want string }{
		"trouble": {"", text[300]}, "English": {"has acme-42 signed?", text[400]}, "中文": {"华兴付款了吗", text[500]},
	} {
		in := input("shell_exec", strings.Join(text, "\n"))
		in.Goal = tt.goal
		if out := read(t, in, result.Config{}); !strings.Contains(out.Brief, tt.want) {
			t.Errorf("%s: %q is left out", name, tt.want)
		}
		in.Text = fmt.Sprintf(`{"stdout":%q}`, in.Text)
		if out := read(t, in, result.Config{}); !strings.Contains(out.Brief, tt.want) {
			t.Errorf("%s: %q is left out within JSON", name, tt.want)
		}
	}
}
