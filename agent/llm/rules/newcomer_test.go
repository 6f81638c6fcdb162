package rules

import (
	"fmt"
	"strings"
	"testing"

	"hermes/agent/llm"
)

// What a newcomer said on the first day, and what it must come to.
func TestNewcomer(t *testing.T) {
	m := New(sampleLayer())
	for _, tt := range []struct{ text, want string }{
		// A part of an order that cannot be kept undoes the order.
		{"every weekday at 9 except holidays post last week's sales to #sales", `unclaimed ["except holidays"]`},
		{"every weekday at 9 except on public holidays post last week's sales to #sales", `unclaimed ["public" "except on public holidays"]`},
		{"every holiday at 9 post yesterday's sales to #sales", `unclaimed ["holiday"]`},
		{"每天9点把昨天的销售额发到 #sales，节假日除外", `unclaimed ["节假日除外"]`},
		{"除了节假日，每天9点把昨天的销售额发到 #sales", `unclaimed ["除了节假日"]`},
		{"post last month's sales from #general to #sales", `unclaimed ["post last month's sales from #general to #sales"]`},
		{"from next Monday, post last week's sales to #sales every Monday at 9", "missing when"},
		{"post sales from last month to #sales every Monday at 9", "sales last_month; report xlsx line; schedule 0 9 * * MON #sales: post sales from last month to #sales"},
		// From one to another is one period.
		{"sales between march and may by month", "sales 2026-03-01..2026-05-31 by [month]"},
		{"sales from june to august by month", "sales 2026-06-01..2026-08-31 by [month]"},
		{"六月到八月每月的销售额", "sales 2026-06-01..2026-08-31 by [month]"},
		{"三月和五月之间的销售额", "sales 2026-03-01..2026-05-31"},
		{"sales between 1 and 15 October", "sales 2026-10-01..2026-10-15"},
		{"sales since july by month", "sales 2026-07-01..2026-11-02 by [month]"},
		{"七月以来的销售额", "sales 2026-07-01..2026-11-02"},
		{"compare sales between march and may", "sales month:3; sales month:5"},
		{"compare sales in march with may", "sales month:3; sales month:5"},
		// A day that short months lack, and an hour that is in both halves.
		{"every month on the 31st at 9 report last month's sales here", "missing when"},
		{"每月31号9点在这里汇报上个月的销售额", "missing when"},
		{"every day at 2:30 post yesterday's sales to #sales", "missing when"},
		{"每天3点半把昨天的销售额发到 #sales", "missing when"},
		{"every day at 2:30pm post yesterday's sales to #sales", "sales yesterday; report xlsx line; schedule 30 14 * * * #sales: post yesterday's sales to #sales"},
		{"every day at 02:30 post yesterday's sales to #sales", "sales yesterday; report xlsx line; schedule 30 2 * * * #sales: post yesterday's sales to #sales"},
		// The first few, the last few, how many.
		{"top 3 products last month", "sales last_month by [product] top 3"},
		{"上个月前三的产品", "sales last_month by [product] top 3"},
		{"worst 3 products last month", `unclaimed ["worst 3"]`},
		{"最差的三个产品", `unclaimed ["最差的三个"]`},
		{"how many customers last month", `unclaimed ["how many customers last month"]`},
		{"有多少客户", `unclaimed ["有多少客户"]`},
		{"how many orders last month", "orders last_month"},
		{"avg order value last month", "average_order_value last_month"},
		{"上個月的銷售額", "sales last_month"},
		{"每週一早上9點把上週各地區的銷售額發到 #銷售", "sales last_week by [region]; report xlsx bar; schedule 0 9 * * MON #銷售: 把上週各地區的銷售額發到 #銷售"},
		{"compare this month's sales vs last", "sales this_month vs [previous_period]"},
		// Schedules in words.
		{"show schedule j1a2b3c4", "schedule_list<nil>"},
		{"when does it run next?", "schedule_list<nil>"},
		{"下次什么时候跑", "schedule_list<nil>"},
		{"暂停第一个", "pause it"},
		{"pause the first one", "pause it"},
		{"change the monthly report to 10:00", "words"},
		{"把月报改到10点", "words"},
	} {
		if got := brief(m.Try(TrialInput{Text: tt.text})); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
	for text, want := range map[string]string{
		"worst 3 products last month":        "not the last few",
		"最差的三个产品":                            "不会找后几名",
		"how many customers":                 "The figures I know: sales, orders",
		"有多少客户":                              "我知道的数据：销售额",
		"change the monthly report to 10:00": "Delete it and add it anew",
	} {
		if got := m.Try(TrialInput{Text: text}).Say; !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q in it", text, got, want)
		}
	}
	turns := []string{"上个月销售额是多少", "按产品呢", "再上个月呢", "亚洲呢", "换成上上个月"}
	if got := brief(m.Try(TrialInput{Text: "那欧洲呢", Turns: turns})); got != "sales month_before_last by [product] in [{region [Europe]}]" {
		t.Errorf("after five turns: %s", got)
	}
}

// A word means what the person says it means, before what was declared; the
// request that a job repeats says what was meant.
func TestMeaning(t *testing.T) {
	m := New(sampleLayer())
	for text, subject := range map[string]string{"when I say turnover I mean profit": "turnover", "我说业绩是指利润": "业绩", "业绩是指利润": "业绩", "我说的业绩就是利润": "业绩"} {
		got := m.Try(TrialInput{Text: text})
		if len(got.Calls) != 1 || got.Calls[0].Arguments["subject"] != subject || got.Calls[0].Arguments["predicate"] != "means" || !strings.Contains("profit 利润", fmt.Sprint(got.Calls[0].Arguments["object"])) {
			t.Errorf("%q: %+v", text, got.Calls)
		}
	}
	for text, want := range map[string]string{
		"what was last month's turnover?":                         "profit last_month",
		"上个月业绩多少":                                                 "profit last_month",
		"every Monday at 9 post last week's turnover to #sales":   "profit last_week; report xlsx line; schedule 0 9 * * MON #sales: report on profit for last week, post it to #sales",
		"what were last month's sales?":                           "sales last_month",
		"sales in HQ last month":                                  "sales last_month in [{region [Europe]}]",
		"please do not post last month's turnover to #sales, bot": "unclaimed",
	} {
		in := TrialInput{Text: text}
		for _, f := range [][2]string{{"turnover", "the profit"}, {"业绩", "利润"}, {"HQ", "Europe"}, {"not", "sales"}, {"turnover", "sales"}, {"业绩", "销售额"}} { // of one word the first is in use
			in.Facts = append(in.Facts, struct {
				Subject   string `json:"subject"`
				Predicate string `json:"predicate"`
				Object    string `json:"object"`
			}{f[0], "means", f[1]})
		}
		if got := brief(m.Try(in)); !strings.HasPrefix(got, want) || want != "unclaimed" && got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Answers are in the language that the asker prefers.
func TestPreferredLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"以后用英文回复我": "en", "answer me in Chinese from now on": "zh", "prefer answers in Chinese": "zh", "I prefer answers in English": "en",
	} {
		got := New(layer()).Try(TrialInput{Text: text})
		if len(got.Calls) != 1 || got.Calls[0].Arguments["predicate"] != "prefers-language" || got.Calls[0].Arguments["object"] != want || got.Calls[0].Arguments["subject"] != "me" {
			t.Errorf("%q: %+v, want %s", text, got.Calls, want)
		}
	}
	scene := llm.Scene{Lang: "zh", Asker: "web:w:ann", Facts: []llm.Fact{{Subject: "web:w:bob", Predicate: "prefers-language", Object: "zh"}, {Subject: "web:w:ann", Predicate: "prefers-language", Object: "en"}}}
	if _, last := (game{tools: reportTools(), scene: scene}).play(t, "你能做什么"); !strings.Contains(last, "Five things I can do") {
		t.Errorf("last words = %q, want English", last)
	}
	scene.Asker = "web:w:bob"
	scene.Lang = "en"
	if _, last := (game{tools: reportTools(), scene: scene}).play(t, "what can you do?"); !strings.Contains(last, "我会做五件事") {
		t.Errorf("last words = %q, want Chinese", last)
	}
}

// The answers people give to what is asked about times and places.
func TestAnswersAboutTimes(t *testing.T) {
	const short, shortZh = "every month on the 31st at 9 report last month's sales here", "每月31号9点在这里汇报上个月的销售额"
	for _, tt := range []struct{ text, answer, want string }{
		{short, "on the last day", `"when":"0 9 L * *"`},
		{short, "last day", `"when":"0 9 L * *"`},
		{short, "the last day", `"when":"0 9 L * *"`},
		{short, "not at all", `"when":"0 9 31 * *"`},
		{short, "skip", `"when":"0 9 31 * *"`},
		{short, "hm", "I still do not know at which times"},
		{shortZh, "最后一天", `"when":"0 9 L * *"`},
		{shortZh, "月底", `"when":"0 9 L * *"`},
		{shortZh, "跳过", `"when":"0 9 31 * *"`},
		{shortZh, "不做", `"when":"0 9 31 * *"`},
		{"every day at 2:30 post yesterday's sales to #sales", "2:30 pm", `"when":"30 14 * * *"`},
		{"every day at 2:30 post yesterday's sales to #sales", "at night", `"when":"30 2 * * *"`},
		{"every day at 2:30 post yesterday's sales to #sales", "hm", "I still do not know at which times"},
		{"每天2:30把昨天的销售额发到 #sales", "凌晨2:30", `"when":"30 2 * * *"`},
		{"每天2:30把昨天的销售额发到 #sales", "下午", `"when":"30 14 * * *"`},
		{"send a weekly sales report to #sales", "Mondays at 9 except holidays", "holidays"},
		{"every Monday at 9 post last week's sales", "here", `schedule_add{"report"`},
		{"每周一9点发上周的销售额", "这里", `schedule_add{"report"`},
	} {
		tools := reportTools()
		tools["ask"] = says(map[string]string{"answer": tt.answer})
		log, last := game{tools: tools, scene: llm.Scene{Lang: languageOf(tt.text)}}.play(t, tt.text)
		all := strings.ReplaceAll(strings.Join(log, "\n")+"\n"+last, "没有设置", "")
		if languageOf(tt.text) == "zh" {
			all = strings.ReplaceAll(all, "我还是不知道什么时间", "I still do not know at which times")
		}
		if !strings.Contains(all, tt.want) || strings.Contains(all, `"channel":"#这里"`) || strings.Contains(all, `"channel":"#here"`) {
			t.Errorf("%q, %q: %s\nwant %s", tt.text, tt.answer, all, tt.want)
		}
		if strings.Contains(tt.answer, "holidays") && strings.Contains(all, "schedule_add") {
			t.Errorf("%q: %s, want no schedule", tt.answer, all)
		}
	}
}

// Which schedule is meant is asked when the tool finds several; one that is not
// there is said not to be.
func TestWhichJob(t *testing.T) {
	for lang, texts := range map[string][3]string{
		"en": {"pause it", "There is no schedule jdeadbeef here.", "Which schedule do you mean?"},
		"zh": {"暂停第一个", "这里没有定时任务 jdeadbeef。", "您指的是哪个定时任务？"},
	} {
		tools := reportTools()
		tools[scheduleChange] = func(args map[string]any) llm.Result {
			if args["job"] == "j5d6e7f8" {
				return llm.Result{Text: `{"job":"j5d6e7f8","name":"orders"}`}
			}
			return llm.Result{Text: fmt.Sprintf(`%q could be any of j1a2b3c4 (sales), j5d6e7f8 (orders); say its id`, args["job"]), Failed: true}
		}
		tools["ask"] = says(map[string]string{"answer": "j5d6e7f8 (orders)"})
		g := game{tools: tools, scene: llm.Scene{Lang: lang}, turns: []llm.Message{{Role: llm.User, Text: "show my schedules"}, {Role: llm.Assistant, Text: "j1a2b3c4, j5d6e7f8"}}}
		log, last := g.play(t, texts[0])
		if len(log) != 3 || !strings.Contains(log[1], `{"choices":["j1a2b3c4 (sales)","j5d6e7f8 (orders)"],"question":"`+texts[2]) || log[2] != `schedule_change{"action":"pause","job":"j5d6e7f8"}` || !strings.Contains(last, "j5d6e7f8") {
			t.Errorf("log = %q, last words = %q", log, last)
		}
		tools["ask"] = says(map[string]string{"answer": ""})
		if log, last := g.play(t, texts[0]); len(log) != 2 || strings.Contains(last, "That did not work") {
			t.Errorf("unanswered: log = %q, last words = %q", log, last)
		}
		if log, last := g.play(t, map[string]string{"en": "pause jdeadbeef", "zh": "暂停 jdeadbeef"}[lang]); len(log) != 1 || !strings.HasPrefix(last, texts[1]) {
			t.Errorf("log = %q, last words = %q", log, last)
		}
	}
}

// The last words: a link to what was posted, a once that is once, the first few
// before the total of all, what the tool notes, and facts without raw places.
func TestLastWords(t *testing.T) {
	play := func(lang, text, tool string, given any) string {
		tools := reportTools()
		if tool != "" {
			tools[tool] = says(given)
		}
		_, last := game{tools: tools, scene: llm.Scene{Lang: lang}}.play(t, text)
		return last
	}
	table := map[string]any{
		"title": "Sales by product, October 2026, top 2", "columns": []any{map[string]any{"key": "p", "label": "p", "role": "by"}, map[string]any{"key": "v", "label": "v", "role": "value"}},
		"rows": []any{[]any{"Phone", 7.0}, []any{"Laptop", 5.0}}, "row_count": 2, "truncated": 3, "total": map[string]any{"value": 20.0, "previous_period": 10.0}, "note": "The period is not over yet.",
	}
	facts := []any{map[string]any{"text": "you prefer CSV", "said": "2026-11-01", "source": "https://chat/p1"}, map[string]any{"text": "you like tea", "said": "2026-11-01", "source": "terminal/local/chat/"}}
	once := map[string]any{"job": "j1a2b3c4", "zone": "UTC", "next": []string{"2026-11-03T09:00:00Z"}}
	for _, tt := range []struct {
		lang, text, tool string
		given            any
		want             string
	}{
		{"en", "post last month's sales to #sales", "post_message", map[string]any{"posted": true}, "Posted to #sales."},
		{"zh", "把上个月的销售额发到 #sales", "post_message", map[string]any{"posted": true, "link": "/c/1#m2"}, "已发到 [#sales](/c/1#m2)。"},
		{"en", "top 2 products last month", "query_metric", table, "Sales by product, October 2026, top 2: Phone 7, Laptop 5. Total of all, not only of these: **20**"},
		{"zh", "上个月前2的产品", "query_metric", table, "top 2：Phone 7、Laptop 5。全部合计（不只这几个）：**20**"},
		{"en", "compare this month's sales vs last", "query_metric", table, " The period is not over yet."},
		{"en", "post last month's sales to #sales tomorrow at 9", "schedule_add", once, "Scheduled as j1a2b3c4: once, on Tue 3 November 2026, 09:00 (UTC). To pause it"},
		{"zh", "明天早上9点把上个月的销售额发到 #sales", "schedule_add", once, "只做一次，2026年11月3日（周二）09:00"},
		{"en", "what do you remember about me?", "memory_list", facts, "- you prefer CSV (2026-11-01, [where](https://chat/p1))\n- you like tea (2026-11-01)"},
		{"en", "what do you remember about me?", "memory_list", []any{}, "I remember nothing about you yet."},
		{"zh", "你记得我什么？", "memory_list", []any{}, "我还没有记住关于您的任何事。"},
	} {
		if got := play(tt.lang, tt.text, tt.tool, tt.given); !strings.Contains(got, tt.want) {
			t.Errorf("%q: %q, want %q in it", tt.text, got, tt.want)
		}
	}
}
