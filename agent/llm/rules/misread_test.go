package rules

import (
	"strings"
	"testing"

	"hermes/agent/llm"
)

// A figure that is near what was asked for is no answer to it.
func TestNoSilentMisreading(t *testing.T) {
	m := New(sampleLayer())
	for _, tt := range []struct{ text, want string }{
		{"what's the profit margin last month", `unclaimed ["margin"]`},
		{"profit margin by region last month", `unclaimed ["margin"]`},
		{"上个月毛利率", `unclaimed ["率"]`},
		// What is set beside is not what is asked about.
		{"growth of sales vs last year", "sales this_year vs [year_before]"},
		{"sales growth vs last month", "sales this_month vs [previous_period]"},
		{"orders compared to yesterday", "orders today vs [previous_period]"},
		{"销售额比去年增长多少", "sales this_year vs [year_before]"},
		{"销售额与上个月相比", "sales this_month vs [previous_period]"},
		{"sales vs 2024", "missing period"},
		{"sales growth this year vs last year", "sales this_year vs [year_before]"},
		{"sales growth last month", "sales last_month vs [previous_period]"},
		{"上个月销售额增长多少", "sales last_month vs [previous_period]"},
		{"sales by region last month, growth", "sales last_month by [region] vs [previous_period]"},
		// The most of a figure is not the most of its change.
		{"which region's sales grew the most last month?", `unclaimed ["which region's sales grew the most last month"]`},
		{"上个月哪个地区的销售额增长最多", `unclaimed ["上个月哪个地区的销售额增长最多"]`},
		// A wish not to have something is no wish for a report without it.
		{"我不要Excel了", `unclaimed ["我不要Excel了"]`},
		{"I don't want Excel any more", `unclaimed ["I don't want Excel any more"]`},
		// A period that stands somewhere is not asked for.
		{"show me sales by region and also orders by product last month", "sales last_month by [region]; orders last_month by [product]"},
		{"各地区的销售额，还有上个月各产品的订单数", "sales last_month by [region]; orders last_month by [product]"},
		{"sales since the start of the year by week", "sales ytd by [week]"}, {"年初以来的销售额", "sales ytd"}, {"今年年初至今的销售额", "sales ytd"},
		{"post sales by region and orders by product last month to #sales", "sales last_month by [region]; orders last_month by [product]; report xlsx bar; post #sales"},
		// How many pieces, how much money.
		{"昨天卖了多少钱", "sales yesterday"}, {"昨天卖了多少件", "units yesterday"},
		{"can someone tell me how many orders we got yesterday", "orders yesterday"},
	} {
		if got := brief(m.Try(TrialInput{Text: tt.text})); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
	for text, want := range map[string]string{
		"which region's sales grew the most last month?": "not by how it changed", "哪个地区的销售额增长最多": "不会按变化排名",
		"I don't want Excel any more": "from now on I want CSV", "我不要Excel了": "以后我要CSV格式",
		"cancel all schedules": "one schedule at a time", "pause all my schedules": "one schedule at a time", "pause everything": "one schedule at a time", "取消所有定时任务": "一次只改一个", "把所有定时任务都停掉": "一次只改一个",
	} {
		if got := m.Try(TrialInput{Text: text}); len(got.Calls) > 0 || !strings.Contains(got.Say, want) {
			t.Errorf("%q: %s %q, want %q in it", text, show(got.Calls...), got.Say, want)
		}
	}
	got := m.Try(TrialInput{Turns: []string{"orders by product last month"}, Text: "compare that with last year"})
	if want := "orders last_month by [product] vs [year_before]"; brief(got) != want {
		t.Errorf("got %s, want %s", brief(got), want)
	}
}

// A report about several periods says so in its title.
func TestTitleOfSeveralPeriods(t *testing.T) {
	m := New(sampleLayer())
	for text, want := range map[string]string{
		"report on sales by region in 2024 and 2025": "Sales by region, 2024 and 2025", "把上个月和本月各地区的销售额做成报告": "按地区的销售额（2026年10月、2026年11月）",
		"every Monday at 9 post sales for last week and the week before last to #sales": "Sales, 26 October – 1 November 2026 and 19 October – 25 October 2026",
	} {
		title := ""
		for _, c := range m.Try(TrialInput{Text: text}).Calls {
			if c.Name == makeReport {
				title, _ = c.Arguments["title"].(string)
			}
		}
		if title != want {
			t.Errorf("%q: title %q, want %q", text, title, want)
		}
	}
}

// What people say to one another, and ask about what was done, gets an answer.
func TestTalkInAThread(t *testing.T) {
	turns := []llm.Message{{Role: llm.User, Text: "post last month's sales to #sales"}, {Role: llm.Assistant, Text: "Posted to [#sales](https://chat/p1).\n\nMore."}}
	for _, tt := range []struct{ lang, text, want string }{
		{"en", "nice numbers Ana", "Good to hear."}, {"en", "great work, @ana!", "Good to hear."}, {"en", "thanks Ana", "Good to hear."}, {"en", "thanks Hermes", "You're welcome!"}, {"en", "👍", "Good to hear."},
		{"zh", "数据真不错", "很高兴听到。"}, {"zh", "🎉", "很高兴听到。"},
		{"en", "who approved it?", "stands on the card"}, {"en", "who approved the last post?", "“Posted to [#sales](https://chat/p1).”"}, {"zh", "谁批准的？", "写在卡片上"},
		{"en", "what's the status?", "The last thing I said here was “Posted to [#sales](https://chat/p1).”"}, {"en", "is it posted yet?", "page of the run"}, {"zh", "进展如何？", "这次运行的页面"},
	} {
		log, last := game{tools: reportTools(), scene: llm.Scene{Lang: tt.lang}, turns: turns}.play(t, tt.text)
		if len(log) > 0 || !strings.Contains(last, tt.want) {
			t.Errorf("%q: %q, %q, want %q", tt.text, log, last, tt.want)
		}
	}
	m := New(sampleLayer())
	for _, text := range []string{"nice numbers, post it to #sales", "great Europe", "good sales Asia"} {
		if got := m.Try(TrialInput{Text: text}); strings.Contains(got.Say, "Good to hear") {
			t.Errorf("%q is taken for praise", text)
		}
	}
}

// "Cancel" may mean a schedule or what a card asks about: the question names both.
// Where schedules were spoken of it means them.
func TestCallOff(t *testing.T) {
	m := New(layer())
	for text, want := range map[string][2]string{
		"cancel": {"A schedule", "card"}, "stop": {"A schedule", "card"}, "please cancel": {"A schedule", "card"}, "取消": {"定时任务", "卡片"}, "停掉": {"定时任务", "卡片"},
	} {
		got := m.Try(TrialInput{Text: text})
		if len(got.Missing) != 1 || got.Missing[0] != slotJob || !strings.Contains(got.Say, want[0]) || !strings.Contains(got.Say, want[1]) {
			t.Errorf("%q: missing %v, %q, want both named", text, got.Missing, got.Say)
		}
	}
	for _, text := range []string{"cancel the schedule", "pause it", "取消那个定时任务"} {
		if got := m.Try(TrialInput{Text: text}); len(got.Missing) != 1 || strings.Contains(got.Say, "card") || strings.Contains(got.Say, "卡片") {
			t.Errorf("%q: %q, want a question about schedules", text, got.Say)
		}
	}
	if got := brief(m.Try(TrialInput{Text: "cancel", Turns: []string{"every Monday at 9 post last week's sales to #sales"}})); got != "delete it" {
		t.Errorf("after a schedule: %s, want it deleted", got)
	}
}
