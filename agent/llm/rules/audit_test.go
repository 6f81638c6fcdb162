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
		"who approved what in #sales last month?":   `{"channel":"#sales","period":"last_month","what":"decision"}`,
		"上个月谁在 #sales 批准了什么？":                       `{"channel":"#sales","period":"last_month","what":"decision"}`,
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

// The last one is the newest alone: of this conversation, or if it has none, of all.
func TestWhoDecidedTheLastOneIsTheNewestAlone(t *testing.T) {
	deed := func(title string) map[string]any {
		return map[string]any{"what": "posted", "at": "2026-11-01T09:00:00+08:00", "allowed": "Lee", "when": "2026-11-01T08:00:00+08:00", "title": title}
	}
	const here, anywhere = `{"channel":"here","what":"post"}`, `{"what":"post"}`
	for _, tt := range []struct{ lang, text string }{
		{"en", "who approved the last post?"}, {"en", "who approved the latest report?"}, {"en", "who approved the most recent message?"}, {"en", "who signed off on the previous post"},
		{"en", "who approved the post just now?"}, {"en", "who last approved a post?"}, {"en", "by whom was the last report approved?"},
		{"zh", "谁批准了上个帖子？"}, {"zh", "谁批准了上一个帖子"}, {"zh", "最近的帖子是谁批准的"}, {"zh", "刚才的消息是谁批的？"}, {"zh", "谁批准了最近一条消息"}, {"zh", "上一条报告谁批的"},
		{"zh", "最新的报告是谁批准的？"}, {"zh", "刚刚发的那条是谁同意的"}, {"zh", "谁批准的上一份月报？"}, {"zh", "最后一条是谁批准的"}, {"en", "who approved the last one?"}, {"zh", "最近一次发布是谁批准的？"},
	} {
		log, last := playAudit(t, tt.lang, tt.text, map[string]any{"deeds": []any{deed("New"), deed("Old")}})
		if len(log) != 1 || !strings.Contains(log[0], here) || !strings.Contains(last, "New") || strings.Contains(last, "Old") || !strings.Contains(last, "Lee") {
			t.Errorf("%q: log %q, said %q", tt.text, log, last)
		}
		tools := reportTools()
		tools[auditTool] = func(args map[string]any) llm.Result {
			if args["channel"] == "here" {
				return says(map[string]any{"deeds": []any{}})(args)
			}
			return says(map[string]any{"deeds": []any{deed("Elsewhere")}})(args)
		}
		log, last = game{tools: tools, scene: llm.Scene{Lang: tt.lang}}.play(t, tt.text)
		if len(log) != 2 || !strings.Contains(log[1], anywhere) || !strings.Contains(last, "Elsewhere") {
			t.Errorf("%q: log %q, said %q", tt.text, log, last)
		}
	}
	// The last one, without a word for what, is a post; of what was denied it is a card.
	for text, want := range map[string]string{
		"最后一条是谁批准的":                       `{"channel":"here","what":"post"}`,
		"上一篇是谁批的？":                        `{"channel":"here","what":"post"}`,
		"who approved the last one?":      `{"channel":"here","what":"post"}`,
		"who denied the last one?":        `{"channel":"here","what":"decision"}`,
		"最后一条是谁拒绝的":                       `{"channel":"here","what":"decision"}`,
		"最后一条申请是谁批准的":                     `{"channel":"here","what":"decision"}`,
		"who approved the last schedule?": `{"channel":"here","what":"decision"}`,
	} {
		if log, _ := playAudit(t, "en", text, map[string]any{"deeds": []any{}}); len(log) == 0 || !strings.Contains(log[0], want) {
			t.Errorf("%q: log %q, want %s first", text, log, want)
		}
	}
	// What is hidden here is said to be so, and not looked for elsewhere.
	if log, last := playAudit(t, "en", "who approved the last post?", map[string]any{"deeds": []any{}, "hidden": 1}); len(log) != 1 || !strings.Contains(last, "direct message") {
		t.Errorf("log %q, said %q", log, last)
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
		"several":           {"en", map[string]any{"what": "posted", "at": "2026-11-01T09:00:00+08:00", "allowed": "Leo and Gus", "when": "2026-11-01T08:00:00+08:00", "title": "Sales"}, "Leo and Gus approved **Sales** on 1 November 2026, 08:00; it was posted on 1 November 2026, 09:00."},
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
