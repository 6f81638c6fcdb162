package phrase

import (
	"strings"
	"testing"
	"time"
)

// say writes matches as one line: ranges by their words, shifts by unit.
func periodsOf(text string) string {
	var words []string
	for _, m := range Periods(text) {
		switch {
		case m.Shift > 0:
			words = append(words, "shift:+"+string(m.Unit))
		case m.Shift < 0:
			words = append(words, "shift:"+strings.Repeat("-", -m.Shift)+string(m.Unit))
		default:
			words = append(words, m.Range.String())
		}
	}
	return strings.Join(words, " ")
}

// A text's periods come out as canonical words, in order.
func TestPeriodsInText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"sales last month by region":         "last_month",
		"compare this month with last month": "this_month last_month",
		"the month before last":              "month_before_last",
		"revenue for the last 30 days":       "last_30_days",
		"orders in the past three months":    "last_3_months",
		"sales in October":                   "month:10",
		"October 2026 sales":                 "2026-10",
		"sales for 2026-10":                  "2026-10",
		"what did we sell on 2026-10-05?":    "2026-10-05",
		"from 2026-10-01 to 2026-10-31":      "2026-10-01..2026-10-31",
		"Q3 by product":                      "quarter:3",
		"Q3 2026 vs Q3 2025":                 "2026-Q3 2025-Q3",
		"third quarter of 2026":              "2026-Q3",
		"first half of 2026":                 "2026-H1",
		"sales in 2025":                      "2025",
		"year to date revenue":               "ytd",
		"revenue YTD":                        "ytd",
		"yesterday's orders":                 "yesterday",
		"orders 3 months ago":                "months_ago:3",
		"last quarter":                       "last_quarter",
		"October last year":                  "month:10@-1",
		"Q3 of last year":                    "quarter:3@-1",
		"this week":                          "this_week",
		"and the month before?":              "shift:-month",
		"and the previous one?":              "shift:-",
		"what about the previous quarter":    "shift:-quarter",
		"same period last year":              "shift:-year",
		"a year earlier":                     "shift:-year",
		"上个月的销售额":                            "last_month",
		"上上个月":                               "month_before_last",
		"换成上上个月":                             "month_before_last",
		"最近30天的订单":                           "last_30_days",
		"过去三个月":                              "last_3_months",
		"近一年的趋势":                             "last_12_months",
		"2025年10月":                           "2025-10",
		"2025年第三季度":                          "2025-Q3",
		"第三季度":                               "quarter:3",
		"今年以来":                               "ytd",
		"去年10月":                              "month:10@-1",
		"去年第四季度":                             "quarter:4@-1",
		"去年的销售":                              "last_year",
		"今年上半年":                              "half_year:1@0",
		"上半年":                                "half_year:1",
		"昨天的订单数":                             "yesterday",
		"10月5日的订单":                           "day:10-05",
		"再上个月":                               "shift:-month",
		"前一个月呢":                              "shift:-month",
		"去年同期":                               "shift:-year",
		"show sales by region":               "",
		"every Monday at 9":                  "",
		"top 10 customers":                   "",
		"May I ask something":                "",
		"sales 上个月 by region":                "last_month",
		"本月和上月对比":                            "this_month last_month",
		"上周":                                 "last_week",
		"本季度":                                "this_quarter",
		"2026年":                              "2026",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := periodsOf(text); got != want {
				t.Errorf("Periods = %q, want %q", got, want)
			}
		})
	}
}

// The span of a match is what a reader would underline.
func TestPeriodsSpans(t *testing.T) {
	t.Parallel()
	text := "show 上上个月 sales and October 2026 too"
	var got []string
	for _, m := range Periods(text) {
		got = append(got, text[m.Span.Start:m.Span.End])
	}
	if want := "上上个月|October 2026"; strings.Join(got, "|") != want {
		t.Errorf("spans are %q, want %s", got, want)
	}
}

// Whatever people paste, both readers end, stay within the text and answer.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"every month on the 1st at 9", "每月最后一个工作日上午九点", "in 20 minutes", "the 31st", "每隔每隔每", "at at at 9", "\xff每", "99999999999 days later", "每周一三五六日十点", "last 3000 years", "Feb 29"} {
		f.Add(seed)
	}
	now := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		for _, lang := range []string{"en", "zh"} {
			r := Read(text, now, time.UTC, lang)
			Say(r.Spec, lang)
			for _, s := range r.Spans {
				if s.Start < 0 || s.End > len(text) || s.Start > s.End {
					t.Fatalf("span %v of a text of %d bytes", s, len(text))
				}
			}
			if (r.Kind == Ask) != (r.Question != "") || (r.Kind == Once || r.Kind == Recurring) && r.Spec.IsZero() {
				t.Fatalf("Read = %+v", r)
			}
			if _, ok := r.Spec.Next(now.Add(-time.Minute), time.UTC); r.Kind == Once && !ok {
				t.Fatalf("Read = %+v, which is over", r)
			}
		}
		for _, m := range Periods(text) {
			if m.Span.Start < 0 || m.Span.End > len(text) || m.Range.IsZero() == (m.Shift == 0) {
				t.Fatalf("Periods gives %+v", m)
			}
			m.Range.Resolve(now, time.UTC)
		}
	})
}
