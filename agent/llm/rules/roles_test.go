package rules

import (
	"strings"
	"testing"

	"hermes/agent/llm"
)

// The same words are when to act or what the figures are about, by what stands
// beside them; none is lost, and none is both.
func TestWhenAndWhat(t *testing.T) {
	m := New(sampleLayer())
	for _, tt := range []struct{ text, want string }{
		// A day that is said for the time is no period.
		{"post last month's sales by region to #sales on December 5th at 9am", "sales last_month by [region]; report xlsx bar; schedule @once 2026-12-05T09:00 #sales: post last month's sales by region to #sales"},
		{"12月5号早上9点把上个月各地区的销售额发到 #sales", "sales last_month by [region]; report xlsx bar; schedule @once 2026-12-05T09:00 #sales: 把上个月各地区的销售额发到 #sales"},
		{"every year on January 2nd at 9 post last year's sales to #sales", "sales last_year; report xlsx line; schedule 0 9 2 1 * #sales: post last year's sales to #sales"},
		{"每年1月2号早上9点把去年的销售额发到 #sales", "sales last_year; report xlsx line; schedule 0 9 2 1 * #sales: 把去年的销售额发到 #sales"},
		{"every month on the last Friday at 5pm post this month's sales by region to #sales", "sales this_month by [region]; report xlsx bar; schedule 0 17 * * FRI#L #sales: post this month's sales by region to #sales"},
		{"every month on the last day at 18:00 post this month's sales by product to #sales", "sales this_month by [product]; report xlsx bar; schedule 0 18 L * * #sales: post this month's sales by product to #sales"},
		{"on December 5th post last month's sales to #sales", "missing when"},
		{"12月5号把上个月的销售额发到 #sales", "missing when"},
		{"in December post last month's sales to #sales", "missing when"},
		{"on the last Friday at 5pm post this month's sales to #sales", "missing when"},
		{"on 2026-10-05 at 9 post last month's sales to #sales", "missing when"},
		{"every Monday at 9 from 1 December post last week's sales to #sales", "sales last_week; report xlsx line; schedule RRULE:FREQ=WEEKLY;BYDAY=MO DTSTART:20261201T090000 #sales: post last week's sales to #sales"},
		{"从12月1号起每周一早上9点把上周的销售额发到 #sales", "sales last_week; report xlsx line; schedule RRULE:FREQ=WEEKLY;BYDAY=MO DTSTART:20261201T090000 #sales: 把上周的销售额发到 #sales"},
		{"post last month's sales on 2026-12-05 at 9:00 to #sales", "sales last_month; report xlsx line; schedule @once 2026-12-05T09:00 #sales: post last month's sales to #sales"},
		// A day that figures are of is no time.
		{"post the sales of October 5th to #sales", "sales day:10-05; report xlsx line; post #sales"},
		{"把10月5号的销售额发到 #sales", "sales day:10-05; report xlsx line; post #sales"},
		{"every Monday at 9 post last Friday's sales to #sales", "sales weekday:5; report xlsx line; schedule 0 9 * * MON #sales: post last Friday's sales to #sales"},
		{"post Monday's sales to #sales", "sales weekday:1; report xlsx line; post #sales"},
		{"把周一的销售额发到 #sales", "sales weekday:1; report xlsx line; post #sales"},
		{"October's sales by region", "sales month:10 by [region]"},
		{"post sales from October 1 to October 15 to #sales every Monday at 9", "sales 2026-10-01..2026-10-15; report xlsx line; schedule 0 9 * * MON #sales: post sales from October 1 to October 15 to #sales"},
		// Today.
		{"post today's sales to #ops", "sales today; report xlsx line; post #ops"},
		{"把今天的销售额发到 #ops", "sales today; report xlsx line; post #ops"},
		{"post sales today to #ops", "sales today; report xlsx line; post #ops"},
		{"post last month's sales to #ops today", "sales last_month; report xlsx line; post #ops"},
		{"every day at 18:00 post today's sales to #ops", "sales today; report xlsx line; schedule 0 18 * * * #ops: post today's sales to #ops"},
		{"每天下午6点把今天的销售额发到 #ops", "sales today; report xlsx line; schedule 0 18 * * * #ops: 把今天的销售额发到 #ops"},
		{"today at 18:00 post today's sales to #ops", "sales today; report xlsx line; schedule @once 2026-11-02T18:00 #ops: post today's sales to #ops"},
		{"tomorrow at 9 post today's sales to #ops", "sales 2026-11-02; report xlsx line; schedule @once 2026-11-03T09:00 #ops: report on sales for 2026-11-02, post it to #ops"},
		{"every day at 18:00 post today's top 5 products by sales to #ops", "sales today by [product] top 5; report xlsx bar; schedule 0 18 * * * #ops: post today's top 5 products by sales to #ops"},
		// What figures are by is no rhythm, and a rhythm is not what they are by.
		{"tomorrow at 9 post last year's sales by month to #sales", "sales last_year by [month]; report xlsx line; schedule @once 2026-11-03T09:00 #sales: post last year's sales by month to #sales"},
		{"next Monday at 10 post this year's sales by month to #sales", "sales this_year by [month]; report xlsx line; schedule @once 2026-11-09T10:00 #sales: post this year's sales by month to #sales"},
		{"post sales for each month of 2025 to #sales tomorrow at 9", "sales 2025 by [month]; report xlsx line; schedule @once 2026-11-03T09:00 #sales: post sales for each month of 2025 to #sales"},
		{"明天早上9点把去年每个月的销售额发到 #sales", "sales last_year by [month]; report xlsx line; schedule @once 2026-11-03T09:00 #sales: 把去年每个月的销售额发到 #sales"},
		{"每个月1号早上9点把去年每个月的销售额发到 #sales", "sales last_year by [month]; report xlsx line; schedule 0 9 1 * * #sales: 把去年每个月的销售额发到 #sales"},
		// The day before is that before the slot.
		{"每个工作日早上9点把前一天的订单数发到 #ops", "orders yesterday; report xlsx line; schedule 0 9 * * MON-FRI #ops: 把前一天的订单数发到 #ops"},
		{"every weekday at 9 post the orders of the day before to #ops", "orders yesterday; report xlsx line; schedule 0 9 * * MON-FRI #ops: post the orders of the day before to #ops"},
		// Months end, and what is of each of them.
		{"first business day of each month at 8am post last month's sales to #sales", "sales last_month; report xlsx line; schedule 0 8 1W * * #sales: post last month's sales to #sales"},
		{"每月第一个工作日早上8点把上个月的销售额发到 #sales", "sales last_month; report xlsx line; schedule 0 8 1W * * #sales: 把上个月的销售额发到 #sales"},
		// Each channel has a job of its own, which posts nowhere else.
		{"every Monday at 9 post last week's sales to #sales and #ops", "sales last_week; report xlsx line; schedule 0 9 * * MON #sales: report on sales for last week, post it to #sales; schedule 0 9 * * MON #ops: report on sales for last week, post it to #ops"},
	} {
		if got := brief(m.Try(TrialInput{Text: tt.text})); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// A rhythm without its day or its time is asked about, once and by name; it is
// neither dropped nor filled in.
func TestLeftOutIsAsked(t *testing.T) {
	m := New(layer())
	for text, want := range map[string]string{
		"every month post last month's sales to #sales":                    "On which day of the month, and at what time?",
		"do this every month: post last month's sales to #sales":           "On which day of the month, and at what time?",
		"post last month's sales to #sales monthly":                        "On which day of the month, and at what time?",
		"every quarter at 9 post last quarter's sales to #sales":           "On which day of the quarter?",
		"every week post last week's sales to #sales":                      "On which day of the week, and at what time?",
		"every year post last year's sales to #sales":                      "On which date, and at what time?",
		"every day post yesterday's sales to #sales":                       "At what time?",
		"every Monday post last week's sales to #sales":                    "At what time?",
		"tomorrow post last month's sales to #sales":                       "At what time?",
		"每个月把上个月各地区的销售额发到 #sales":                                          "每月几号、几点？",
		"把上个月各地区的销售额发到 #sales，以后每个月都做一次":                                   "每月几号、几点？",
		"把上周的销售额发到 #sales，每周":                                              "每周几、几点？",
		"每季度早上9点把上季度的销售额发到 #sales":                                         "每季度哪一天？",
		"每天把昨天的销售额发到 #sales":                                               "几点做？",
		"每月底把本月的销售额发到 #sales":                                              "几点做？",
		"every day at 3 post yesterday's sales to #sales":                  "Do you mean 3 in the early morning or in the afternoon?",
		"every day at half past two post yesterday's sales to #sales":      "Do you mean half past two in the early morning or in the afternoon?",
		"tomorrow at 2:30 post last month's sales to #sales":               "Do you mean 2:30 in the early morning or in the afternoon?",
		"明天3点把上个月的销售额发到 #sales":                                            "3点是指凌晨还是下午？",
		"post last month's sales to #sales tomorrow at 6":                  "Do you mean 6 in the early morning or in the afternoon?",
		"starting December 1, every Monday post last week's sales to #ops": "On which days, and from when?",
	} {
		got := m.Try(TrialInput{Text: text})
		if len(got.Calls) > 0 || len(got.Missing) != 1 || got.Missing[0] != slotWhen || !strings.HasPrefix(got.Say, want) {
			t.Errorf("%q: %s, missing %v, %q, want %q", text, show(got.Calls...), got.Missing, got.Say, want)
		}
	}
	for text, want := range map[string]string{
		"every day at 6:15 post yesterday's sales to #sales": "15 6 * * *", "每天6:15把昨天的销售额发到 #sales": "15 6 * * *", "每天早上把昨天的销售额发到 #sales": "0 9 * * *",
	} {
		if got := brief(m.Try(TrialInput{Text: text})); !strings.Contains(got, "schedule "+want+" #sales") {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// What was left out is taken from the answer, with what was said before.
func TestAnswersToWhatWasLeftOut(t *testing.T) {
	const month, monthZh, day, once = "every month post last month's sales to #sales", "每个月把上个月的销售额发到 #sales", "每天把昨天的销售额发到 #sales", "on December 5th post last month's sales to #sales"
	for _, tt := range []struct{ text, answer, want string }{
		{month, "on the 1st at 9:00", `"when":"0 9 1 * *"`},
		{month, "on the last day at 17:00", `"when":"0 17 L * *"`},
		{month, "on the first Monday at 10", `"when":"0 10 * * MON#1"`},
		{month, "on the 2nd", `"when":"0 9 2 * *"`},
		{month, "at 9", "I still do not know at which times"},
		{month, "on the 1st at 3", "I still do not know at which times"},
		{monthZh, "1号上午9点", `"when":"0 9 1 * *"`},
		{monthZh, "最后一天下午5点", `"when":"0 17 L * *"`},
		{monthZh, "随便", "我还是不知道什么时间"},
		{day, "8点", `"when":"0 8 * * *"`},
		{day, "18:30", `"when":"30 18 * * *"`},
		{"every Monday post last week's sales to #sales", "9", `"when":"0 9 * * MON"`},
		{"every Monday post last week's sales to #sales", "as soon as you can", "I still do not know at which times"},
		{once, "at 9:00", `"when":"@once 2026-12-05T09:00"`},
	} {
		tools := reportTools()
		tools["ask"] = says(map[string]string{"answer": tt.answer})
		log, last := game{tools: tools, scene: llm.Scene{Lang: languageOf(tt.text)}}.play(t, tt.text)
		if all := strings.Join(log, "\n") + "\n" + last; !strings.Contains(all, tt.want) || strings.Contains(all, "post_message") {
			t.Errorf("%q, %q: %s\nwant %s and no post now", tt.text, tt.answer, all, tt.want)
		}
	}
	tools := reportTools()
	tools["ask"] = says(map[string]string{"answer": "1号上午9点"})
	log, _ := game{tools: tools, scene: llm.Scene{Lang: "zh"}}.play(t, "把上个月各地区的销售额发到 #sales，以后每个月都做一次")
	if all := strings.Join(log, "\n"); !strings.Contains(all, "post_message") || !strings.Contains(all, `"when":"0 9 1 * *"`) || !strings.Contains(log[0], `"choices":["1号上午9点","最后一天上午9点"]`) {
		t.Errorf("log = %q, want a question with choices, a post now and a schedule", log)
	}
}

// What would be read as something else in a slot is not scheduled.
func TestUnkeptIsRefused(t *testing.T) {
	for lang, text := range map[string]string{"en": "every Monday at 9 post last week's sales by region to #sales", "zh": "每周一早上9点把上周各地区的销售额发到 #sales"} {
		c := New(layer()).reader(llm.Scene{Lang: lang, Now: tryNow}, talk{turns: []string{text}})
		r := c.fold([]string{text})
		if said, done := c.inWords(r); done {
			t.Errorf("%q is refused: %q", text, said)
		}
		r.groups[0].by = []string{"moon phase"}
		if said, done := c.inWords(r); !done || !strings.Contains(said, c.pick("nothing was scheduled", "没有设置定时任务")) {
			t.Errorf("%q, by what no words are read for: %q, want a refusal", text, said)
		}
	}
	// A name that only the tool knows is kept with its dimension.
	got := brief(New(layer()).Try(TrialInput{Turns: []string{"sales for customer Umbra last week"}, Text: "post it to #sales every Monday at 9"}))
	if want := "sales last_week in [{customer [Umbra]}]; report xlsx line; schedule 0 9 * * MON #sales: report on sales in customer Umbra for last week, post it to #sales"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
