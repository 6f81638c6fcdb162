package rules

import (
	"fmt"
	"strings"
	"testing"
)

// brief says a Trial in a few words: what is asked of which figures, and what is
// done with them.
func brief(t Trial) string {
	var parts []string
	for _, c := range t.Calls {
		a := c.Arguments
		switch c.Name {
		case queryMetric:
			if by := fmt.Sprint(a["by"]); by == "[day]" && a["compare"] == nil && len(t.Calls) > 1 {
				continue // the same by day, for a report
			}
			s := fmt.Sprint(a["measure"], " ", a["period"])
			for _, k := range []string{"by", "top"} {
				if a[k] != nil {
					s += fmt.Sprint(" ", k, " ", a[k])
				}
			}
			if a["where"] != nil {
				s += fmt.Sprint(" in ", a["where"])
			}
			if cmp := fmt.Sprint(a["compare"]); a["compare"] != nil && cmp != "[previous_period year_before]" {
				s += " vs " + cmp
			}
			parts = append(parts, s)
		case makeReport:
			parts = append(parts, fmt.Sprintf("report %s %s", a["format"], a["chart"]))
		case postMessage:
			parts = append(parts, fmt.Sprint("post ", a["channel"]))
		case scheduleAdd:
			parts = append(parts, fmt.Sprintf("schedule %s %v: %s", a["when"], a["channel"], a["request"]))
		case scheduleChange:
			parts = append(parts, fmt.Sprintf("%s %s", a["action"], a["job"]))
		default:
			parts = append(parts, fmt.Sprint(c.Name, a["job"]))
		}
	}
	switch {
	case len(t.Missing) > 0:
		return "missing " + strings.Join(t.Missing, " ")
	case len(t.Unclaimed) > 0:
		return fmt.Sprintf("unclaimed %q", t.Unclaimed)
	case len(parts) == 0:
		return "words"
	}
	return strings.Join(parts, "; ")
}

// A follow-up takes what it does not say from the turn before, and never what was
// done with it.
func TestFollowUps(t *testing.T) {
	m := New(layer())
	const question, asReport, job = "what were last month's sales in Asia?", "summarise last month's sales by region", "summarise last month's sales by region, post it to #sales"
	for _, tt := range []struct{ before, text, want string }{
		{question, "and in Europe?", "sales last_month in [{region [Europe]}]"},
		{question, "and weekly?", "sales last_month by [week] in [{region [Asia]}]"},
		{question, "add orders", "sales last_month in [{region [Asia]}]; orders last_month in [{region [Asia]}]"},
		{question, "and orders?", "orders last_month in [{region [Asia]}]"},
		{question, "and last year?", "sales last_year in [{region [Asia]}]"},
		{question, "and the month before?", "sales month_before_last in [{region [Asia]}]"},
		{question, "break it down by product and month", "sales last_month by [product month] in [{region [Asia]}]"},
		{question, "compare that with the month before", "sales last_month in [{region [Asia]}] vs [previous_period]"},
		{question, "orders by customer last week", "orders last_week by [customer]"},
		{question, "orders by customer", "orders last_month by [customer]"},
		{question, "delete it", "missing job"},
		{asReport, "now by product", "sales last_month by [product]; report xlsx bar"},
		{asReport, "and the quarter before", "sales last_quarter by [region]; report xlsx bar"},
		{asReport, "top 3", "sales last_month by [region] top 3; report xlsx bar"},
		{asReport, "as csv, without a chart", "sales last_month by [region]; report csv none"},
		{asReport, "post this to #general", "sales last_month by [region]; report xlsx bar; post #general"},
		{asReport, "post it", "missing channel"},
		{asReport + " and post it", "to #leads please", "sales last_month by [region]; report xlsx bar; post #leads"},
		{asReport, "thanks!", "words"},
		{asReport, "don't post it", `unclaimed ["don't post it"]`},
		{job, "same again for Europe", "sales last_month by [region] in [{region [Europe]}]; report xlsx bar"},
		{job, "every Monday at 9 please", "sales last_month by [region]; report xlsx bar; schedule 0 9 * * MON #sales: report on sales by region for last month, post it to #sales"},
		{job, "make that the first Monday instead", "words"},
		{"every Monday at 9 post last week's sales by region to #sales", "pause it", "pause it"},
		{"上个月亚洲的销售额", "那订单呢", "orders last_month in [{region [Asia]}]"},
		{"上个月亚洲的销售额", "再看看欧洲", "sales last_month in [{region [Europe]}]"},
		{"上个月各地区的销售额", "换成上上个月", "sales month_before_last by [region]"},
		{"上个月各地区的销售额", "按产品再看一下", "sales last_month by [product]"},
		{"上个月各地区的销售额", "只看亚洲", "sales last_month by [region] in [{region [Asia]}]"},
		{"上个月各地区的销售额", "画成折线图，发到 #sales", "sales last_month by [region]; report xlsx line; post #sales"},
		{"上个月各地区的销售额", "每周一早上9点做一次，发到 #sales", "sales last_month by [region]; report xlsx bar; post #sales; schedule 0 9 * * MON #sales: 写一份报告：上个月销售额，按地区，发到 #sales"},
	} {
		if got := brief(m.Try(TrialInput{Text: tt.text, Turns: []string{tt.before}})); got != tt.want {
			t.Errorf("%q after %q\n got %s\nwant %s", tt.text, tt.before, got, tt.want)
		}
	}
}

// What was not understood leaves no trace in what follows.
func TestTurnsThatWereNotUnderstood(t *testing.T) {
	m := New(layer())
	got := brief(m.Try(TrialInput{Text: "now by product", Turns: []string{"sales last month", "if they fell, email Bob by region", "good morning"}}))
	if want := "sales last_month by [product]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Words for a rhythm are a schedule only where something is to be done at it.
func TestLookAlikes(t *testing.T) {
	m := New(layer())
	for text, want := range map[string]string{
		"monthly sales for 2025":                                         "sales 2025 by [month]",
		"sales per week last month":                                      "sales last_month by [week]",
		"去年每个月的销售额":                                                      "sales last_year by [month]",
		"every day at 18:00 give me today's orders":                      "orders today; report xlsx line; schedule 0 18 * * * <nil>: report on orders for today",
		"please schedule a monthly sales report on the 5th at 10:00":     "sales last_month; report xlsx line; schedule 0 10 5 * * <nil>: report on sales for last month",
		"post last month's sales to #sales tomorrow at 9":                "sales last_month; report xlsx line; schedule @once 2026-11-03T09:00 #sales: post last month's sales to #sales",
		"send sales by region to #sales every Monday at 8":               "sales last_week by [region]; report xlsx bar; schedule 0 8 * * MON #sales: send sales by region to #sales, last week",
		"make a weekly report of sales":                                  "missing when",
		"send a weekly sales report to #sales":                           "missing when",
		"make a monthly report of sales for 2025":                        "sales 2025 by [month]; report xlsx line",
		"schedule a report on last month's sales":                        "missing when",
		"what's the schedule?":                                           "schedule_list<nil>",
		"post last month's sales to #sales now and every Monday at 8:00": "sales last_month; report xlsx line; post #sales; schedule 0 8 * * MON #sales: post last month's sales to #sales",
	} {
		if got := brief(m.Try(TrialInput{Text: text})); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
}
