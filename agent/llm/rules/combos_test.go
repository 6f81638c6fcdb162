package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/scheduler/calendar"
)

// A said is a part of a request with what it must come to.
type said struct{ words, want string }

// An asked is what a request wants to know: words, measure, period, dimensions. A
// period "" is the round before, and of once none, which is asked for.
type asked struct{ words, measure, period, by string }

// spoken are the parts of requests in one language and how they are put together.
type spoken struct {
	lang   string
	rhythm []said
	what   []asked
	orders []string // R when, W what, C where
}

var english = spoken{"en", []said{
	{"every day at 9", "0 9 * * *"}, {"every day at 18:00", "0 18 * * *"}, {"daily at 6pm", "0 18 * * *"}, {"each morning at 8", "0 8 * * *"}, {"every day at 6:15", "15 6 * * *"},
	{"every weekday at 8:30", "30 8 * * MON-FRI"}, {"every Monday at 9", "0 9 * * MON"}, {"on Fridays at 17:00", "0 17 * * FRI"}, {"every Monday and Thursday at 9", "0 9 * * MON,THU"},
	{"every other Monday at 9", "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO DTSTART:20261109T090000"}, {"every weekend at 10", "0 10 * * SAT,SUN"}, {"every hour", "0 * * * *"},
	{"every month on the 1st at 9:00", "0 9 1 * *"}, {"on the first of every month at 9", "0 9 1 * *"}, {"on the 15th of each month at noon", "0 12 15 * *"},
	{"on the last day of every month at 18:00", "0 18 L * *"}, {"every month on the last day at 18:00", "0 18 L * *"}, {"every month on the last Friday at 5pm", "0 17 * * FRI#L"},
	{"on the last Friday of each month at 5pm", "0 17 * * FRI#L"}, {"every first Monday of the month at 10", "0 10 * * MON#1"}, {"first business day of each month at 8am", "0 8 1W * *"},
	{"every month on the first working day at 9", "0 9 1W * *"}, {"every quarter on the first day at 8", "0 8 1 1,4,7,10 *"}, {"on the last day of each quarter at 17:00", "0 17 L 3,6,9,12 *"},
	{"every year on January 2nd at 9", "0 9 2 1 *"}, {"every January 2nd at 9", "0 9 2 1 *"}, {"every day at 9 until the end of the year", "RRULE:FREQ=DAILY;UNTIL=20261231T235900 DTSTART:20261103T090000"},
	{"every Monday at 9 from 1 December", "RRULE:FREQ=WEEKLY;BYDAY=MO DTSTART:20261201T090000"},
	{"tomorrow at 9", "@once 2026-11-03T09:00"}, {"next Monday at 10", "@once 2026-11-09T10:00"}, {"today at 18:00", "@once 2026-11-02T18:00"}, {"in 2 hours", "@once 2026-11-02T12:00"},
	{"on 5 December at 9", "@once 2026-12-05T09:00"}, {"on December 5th at 9am", "@once 2026-12-05T09:00"}, {"at 9am on December 5th", "@once 2026-12-05T09:00"}, {"on October 5th at 9", "@once 2027-10-05T09:00"},
}, []asked{
	{"today's sales", "sales", "today", ""}, {"yesterday's orders by product", "orders", "yesterday", "product"}, {"this week's sales by region", "sales", "this_week", "region"},
	{"last week's profit by category", "profit", "last_week", "category"}, {"this month's sales by product", "sales", "this_month", "product"}, {"last month's sales by region", "sales", "last_month", "region"},
	{"last quarter's profit by category", "profit", "last_quarter", "category"}, {"last year's sales by month", "sales", "last_year", "month"}, {"monthly sales for last year", "sales", "last_year", "month"},
	{"sales by region for the last 7 days", "sales", "last_7_days", "region"}, {"units sold by product in October", "units", "month:10", "product"}, {"sales for Q3 by week", "sales", "quarter:3", "week"},
	{"the average order value by customer for last quarter", "average_order_value", "last_quarter", "customer"}, {"the orders of the day before", "orders", "yesterday", ""},
	{"sales by region", "sales", "", "region"},
}, []string{"R post W to C", "R, please post W to C", "post W to C R"}}

var chinese = spoken{"zh", []said{
	{"每天早上9点", "0 9 * * *"}, {"每天下午6点", "0 18 * * *"}, {"每天晚上8点半", "30 20 * * *"}, {"每天6:15", "15 6 * * *"}, {"每个工作日早上9点", "0 9 * * MON-FRI"}, {"每周一早上9点", "0 9 * * MON"},
	{"每周五下午5点", "0 17 * * FRI"}, {"每周一和周四上午9点", "0 9 * * MON,THU"}, {"每两周周五上午10点", "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR DTSTART:20261106T100000"},
	{"每月1号早上9点", "0 9 1 * *"}, {"每个月15号中午12点", "0 12 15 * *"}, {"每月最后一天下午6点", "0 18 L * *"}, {"每月最后一个工作日下午3点", "0 15 LW * *"}, {"每月最后一个周五下午5点", "0 17 * * FRI#L"},
	{"每月第一个周一早上10点", "0 10 * * MON#1"}, {"每月第一个工作日早上8点", "0 8 1W * *"}, {"每季度第一天早上8点", "0 8 1 1,4,7,10 *"}, {"每年1月2号早上9点", "0 9 2 1 *"}, {"每年12月31日下午5点", "0 17 31 12 *"},
	{"明天早上9点", "@once 2026-11-03T09:00"}, {"下周一上午10点", "@once 2026-11-09T10:00"}, {"今天下午6点", "@once 2026-11-02T18:00"}, {"两小时后", "@once 2026-11-02T12:00"},
	{"12月5号早上9点", "@once 2026-12-05T09:00"}, {"10月5日上午9点", "@once 2027-10-05T09:00"}, {"下个月5号早上9点", "@once 2026-12-05T09:00"},
}, []asked{
	{"今天的销售额", "sales", "today", ""}, {"昨天各产品的订单数", "orders", "yesterday", "product"}, {"前一天的订单数", "orders", "yesterday", ""}, {"本周各地区的销售额", "sales", "this_week", "region"},
	{"上周各类别的利润", "profit", "last_week", "category"}, {"本月各产品的销售额", "sales", "this_month", "product"}, {"上个月各地区的销售额", "sales", "last_month", "region"},
	{"上季度各类别的利润", "profit", "last_quarter", "category"}, {"去年每个月的销售额", "sales", "last_year", "month"}, {"最近7天每天的销售额", "sales", "last_7_days", "day"}, {"10月份各产品的销量", "units", "month:10", "product"},
	{"三季度每周的销售额", "sales", "quarter:3", "week"}, {"上季度各客户的客单价", "average_order_value", "last_quarter", "customer"}, {"各地区的销售额", "sales", "", "region"},
}, []string{"R把W发到 C", "请R把W发到C", "把W发到 C，R"}}

// A card shows what each slot will do. So whatever is scheduled for whenever, in
// whatever order it is said: the time is the one that was said, the figures are
// those that were asked for, and the request that is stored is read by the slot as
// the same work, and as no time.
func TestSlotsDoWhatTheCardSays(t *testing.T) {
	m := New(sampleLayer())
	for _, l := range []spoken{english, chinese} {
		t.Run(l.lang, func(t *testing.T) {
			t.Parallel()
			n := 0
			for i, r := range l.rhythm {
				for j, w := range l.what {
					channel := []string{"#sales", "#ops"}[(i+j)%2]
					for k, order := range l.orders {
						if k != (i+j)%len(l.orders) && i > 0 && j > 0 {
							continue // every part meets every order, not every pair of parts
						}
						n++
						text := strings.NewReplacer("R", r.words, "W", w.words, "C", channel).Replace(order)
						if fault := m.sameAsCard(l.lang, text, channel, r.want, w); fault != "" {
							t.Errorf("%s\n\t%s", text, fault)
						}
					}
				}
			}
			t.Logf("%d requests", n)
		})
	}
}

// sameAsCard says what is wrong with a scheduled request, or nothing.
func (m *Model) sameAsCard(lang, text, channel, when string, want asked) string {
	card := m.Try(TrialInput{Text: text, Lang: lang})
	once := strings.HasPrefix(when, "@once")
	if want.period == "" && once {
		if !slices.Equal(card.Missing, []string{slotPeriod}) {
			return fmt.Sprintf("missing %v, want the period: %s", card.Missing, brief(card))
		}
		return ""
	}
	calls := slices.Clone(card.Calls)
	if len(calls) < 3 || calls[len(calls)-1].Name != scheduleAdd {
		return "comes to " + brief(card)
	}
	job := calls[len(calls)-1].Arguments
	calls = calls[:len(calls)-1]
	if !sameTimes(when, fmt.Sprint(job["when"])) {
		return fmt.Sprintf("is scheduled %v, want %s", job["when"], when)
	}
	if want.period == "today" && once && !strings.HasPrefix(when, "@once 2026-11-02") {
		want.period = "2026-11-02" // "today" is said today
	}
	main := calls[0].Arguments
	by := ""
	if main["by"] != nil {
		by = strings.Trim(fmt.Sprint(main["by"]), "[]")
	}
	if got := (asked{want.words, fmt.Sprint(main["measure"]), fmt.Sprint(main["period"]), by}); want.period != "" && got != want {
		return fmt.Sprintf("asks for %+v", got)
	}
	for _, c := range calls[1 : len(calls)-1] {
		if c.Name != queryMetric || fmt.Sprint(c.Arguments["by"]) != "[day]" || c.Arguments["period"] != main["period"] {
			return "asks for more: " + show(calls...)
		}
	}
	request := fmt.Sprint(job["request"])
	if strings.ContainsAny(request, "_") {
		return fmt.Sprintf("is stored as %q, which is no sentence", request)
	}
	s, err := calendar.Parse(fmt.Sprint(job["when"]))
	if err != nil {
		return err.Error()
	}
	for _, next := range s.NextN(tryNow, time.UTC, 1) {
		scene := llm.Scene{Lang: lang, Zone: "UTC", Now: next.At, From: next.At.AddDate(0, 0, -1), To: next.At}
		said := talk{turns: []string{request}}
		c := m.reader(scene, said)
		r := c.fold(said.turns)
		if text, done := c.inWords(r); done || len(c.missing(r)) > 0 || r.scheduled() {
			return fmt.Sprintf("is stored as %q: the slot says %q, lacks %v, schedule %q", request, text, c.missing(r), r.schedule)
		}
		var slot []TrialCall
		for _, s := range c.plan(r) {
			slot = append(slot, TrialCall{s.name, s.args})
		}
		last := slot[len(slot)-1]
		if last.Name != postMessage || last.Arguments["channel"] != channel {
			return fmt.Sprintf("is stored as %q: the slot ends with %s", request, show(last))
		}
		if diff := cmp.Diff(show(calls...), show(slot[:len(slot)-1]...)); diff != "" {
			return fmt.Sprintf("is stored as %q: %s", request, diff)
		}
	}
	return ""
}
