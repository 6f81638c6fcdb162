package rules

import (
	"strings"
	"testing"

	"hermes/agent/llm"
)

func playAudit(t *testing.T, lang, text string, found map[string]any) ([]string, string) {
	t.Helper()
	tools := reportTools()
	tools[auditTool] = says(found)
	return game{tools: tools, scene: llm.Scene{Lang: lang}}.play(t, text)
}

// Issue 5: who approved something is looked up in the audit, in both languages, with
// the time and the channel that were asked about; what asks for more is not.
func TestWhoDecidedIsLookedUp(t *testing.T) {
	for text, want := range map[string]string{
		"Who approved last month's post?":           `{"period":"last_month","what":"post"}`,
		"who approved the report in #sales":         `{"channel":"#sales","what":"post"}`,
		"who approved last month's post in #sales?": `{"channel":"#sales","period":"last_month","what":"post"}`,
		"who approved it?":                          `{"channel":"here","what":"decision"}`,
		"who signed off on that report?":            `{"channel":"here","what":"post"}`,
		"who denied that post?":                     `{"channel":"here","what":"decision"}`,
		"by whom was the report approved?":          `{"channel":"here","what":"post"}`,
		"who approved the schedule this week":       `{"period":"this_week","what":"decision"}`,
		"谁批准了上个月的帖子？":                               `{"period":"last_month","what":"post"}`,
		"上个月的帖子是谁批准的？":                              `{"period":"last_month","what":"post"}`,
		"上个月发到 #sales 的报告是谁批的":                      `{"channel":"#sales","period":"last_month","what":"post"}`,
		"是谁批准的？":                                    `{"channel":"here","what":"decision"}`,
		"谁拒绝了这个？":                                   `{"channel":"here","what":"decision"}`,
		"审批人是谁":                                     `{"channel":"here","what":"decision"}`,
	} {
		log, _ := playAudit(t, "en", text, map[string]any{"deeds": []any{}})
		if len(log) != 1 || !strings.Contains(log[0], auditTool) || !strings.Contains(log[0], want) {
			t.Errorf("%q: log %q, want %s %s", text, log, auditTool, want)
		}
	}
	for _, text := range []string{
		"who approved the budget of the marketing team for Q3 and why", "sales last month by region", "who is our best customer?", "谁是最大的客户", "who approved last month's post, and post it again to #sales",
	} {
		if log, _ := playAudit(t, "en", text, map[string]any{"deeds": []any{}}); strings.Contains(strings.Join(log, " "), auditTool) {
			t.Errorf("%q: log %q; that is no question for the audit", text, log)
		}
	}
}

// What the audit has is said with who, when, what, where, and under which question or
// grant; that there is nothing is said too.
func TestWhoDecidedIsSaid(t *testing.T) {
	post := map[string]any{
		"what": "posted", "at": "2026-11-01T09:00:00+08:00", "allowed": "Lee", "when": "2026-10-28T14:05:00+08:00", "under": "q1", "title": "Sales", "channel": "#sales",
		"link": "https://x/1", "asked": "Ana", "hash": "abc123",
	}
	granted := map[string]any{}
	for k, v := range post {
		granted[k] = v
	}
	granted["grant"], granted["under"] = true, "g1"
	for name, tt := range map[string]struct {
		lang string
		deed map[string]any
		want string
	}{
		"a post":            {"en", post, "Lee approved **Sales** in [#sales](https://x/1) on 28 October 2026, 14:05; it was posted on 1 November 2026, 09:00 (asked for by Ana, question q1, `abc123`)."},
		"a post, Chinese":   {"zh", post, "Lee于2026年10月28日 14:05批准了**Sales**（[#sales](https://x/1)），2026年11月1日 09:00发出（由Ana提出，问题 q1，`abc123`）。"},
		"a grant":           {"en", granted, "Lee approved **Sales** in [#sales](https://x/1): it was posted on 1 November 2026, 09:00 under the standing approval g1 of 28 October 2026, 14:05 (asked for by Ana, `abc123`)."},
		"a grant, Chinese":  {"zh", granted, "Lee批准了**Sales**（[#sales](https://x/1)）：2026年11月1日 09:00发出，依据2026年10月28日 14:05给出的长期授权 g1（由Ana提出，`abc123`）。"},
		"no decision":       {"en", map[string]any{"what": "posted", "at": "2026-11-01T09:00:00+08:00", "title": "Sales"}, "**Sales** was posted on 1 November 2026, 09:00; the audit has no decision for it."},
		"a denial":          {"en", map[string]any{"what": "denied", "at": "2026-11-01T09:00:00+08:00", "by": "Lee", "tool": "post_message,schedule_add"}, "Lee denied post_message + schedule_add on 1 November 2026, 09:00."},
		"a denial, Chinese": {"zh", map[string]any{"what": "denied", "at": "2026-11-01T09:00:00+08:00", "by": "Lee", "tool": "post_message"}, "Lee于2026年11月1日 09:00拒绝了post_message。"},
		"an expiry":         {"en", map[string]any{"what": "expired", "at": "2026-11-01T09:00:00+08:00", "title": "Sales"}, "Nobody decided about **Sales**; the time was over on 1 November 2026, 09:00."},
		"a try":             {"en", map[string]any{"what": "refused", "at": "2026-11-01T09:00:00+08:00", "by": "Eve", "title": "Sales"}, "Eve tried, and was refused, **Sales** on 1 November 2026, 09:00."},
	} {
		t.Run(name, func(t *testing.T) {
			if _, last := playAudit(t, tt.lang, "who approved it?", map[string]any{"deeds": []any{tt.deed}}); last != tt.want {
				t.Errorf("said %q\nwant %q", last, tt.want)
			}
		})
	}
	for lang, want := range map[string]string{"en": "nothing of that kind", "zh": "没有可以告诉您的"} {
		if _, last := playAudit(t, lang, "who approved it?", map[string]any{"deeds": []any{}}); !strings.Contains(last, want) {
			t.Errorf("nothing is said as %q", last)
		}
		if _, last := playAudit(t, lang, "who approved it?", map[string]any{"deeds": []any{post, post}, "hidden": 2}); strings.Count(last, "\n- ") != 3 || !strings.Contains(last, "2") {
			t.Errorf("several are said as %q", last)
		}
	}
}
