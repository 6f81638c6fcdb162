package phrase

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"hermes/scheduler/calendar"
)

// A Wednesday afternoon.
var asked = time.Date(2026, 10, 7, 15, 30, 0, 0, time.UTC)

// What people say about when is what they get.
func TestReadWhatPeopleSay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		// again and again
		"do this every month on the 1st at 9":             "0 9 1 * *",
		"every month on the 1st at 9:00":                  "0 9 1 * *",
		"以后每个月1号早上9点都做一次":                                 "0 9 1 * *",
		"every 月 on the 1st at 9点":                        "0 9 1 * *",
		"last working day of the month":                   "0 9 LW * *",
		"on the last working day of every month at 17:00": "0 17 LW * *",
		"每月最后一个工作日上午九点":                                   "0 9 LW * *",
		"first Monday":                                      "0 9 * * MON#1",
		"first Monday of the month at 10":                   "0 10 * * MON#1",
		"每月第一个周一上午10点":                                      "0 10 * * MON#1",
		"every other Friday":                                "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR DTSTART:20261009T090000",
		"每两周的周三下午三点":                                        "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=WE DTSTART:20261014T150000",
		"weekdays at 8:30":                                  "30 8 * * MON-FRI",
		"weekdays at 8:30 except holidays":                  "30 8 * * MON-FRI",
		"工作日早上8点半":                                          "30 8 * * MON-FRI",
		"每个工作日早上8点半":                                        "30 8 * * MON-FRI",
		"每季度第一天":                                            "0 9 1 1,4,7,10 *",
		"每季度最后一天下午5点":                                       "0 17 L 3,6,9,12 *",
		"quarterly":                                         "0 9 8 1,4,7,10 *",
		"on the first day of every quarter at 8":            "0 8 1 1,4,7,10 *",
		"every 3 days until March":                          "RRULE:FREQ=DAILY;INTERVAL=3;UNTIL=20270228T235900 DTSTART:20261008T090000",
		"each Monday morning":                               "0 9 * * MON",
		"daily at 7pm":                                      "0 19 * * *",
		"每天晚上8点":                                            "0 20 * * *",
		"每天20:30":                                           "30 20 * * *",
		"每周一三五早上10点":                                        "0 10 * * MON,WED,FRI",
		"每周一、三、五早上10点":                                      "0 10 * * MON,WED,FRI",
		"每周一到周五9点":                                          "0 9 * * MON-FRI",
		"on the 15th and the last day":                      "0 9 15,L * *",
		"每月15号和最后一天":                                        "0 9 15,L * *",
		"每月底下午5点":                                           "0 17 L * *",
		"每月月底":                                              "0 9 L * *",
		"at the end of each month":                          "0 9 L * *",
		"every hour":                                        "0 * * * *",
		"every 15 minutes":                                  "*/15 * * * *",
		"every half hour":                                   "*/30 * * * *",
		"every 36 hours":                                    "@every 36h from 2026-10-07T15:30Z",
		"every day at 9:00 and 17:30":                       "0 9 * * * | 30 17 * * *",
		"every day at 9 and 17":                             "0 9,17 * * *",
		"every hour between 9am and 5pm on weekdays":        "0 9-17 * * MON-FRI",
		"Send me the sales report every Monday at 8":        "0 8 * * MON",
		"please post sales to #finance every Friday at 4pm": "0 16 * * FRI",
		"每周五下午4点把销售额发到群里":                                   "0 16 * * FRI",
		"每月1号把上个月的销售额发给我":                                   "0 9 1 * *",
		"每年3月1日上午9点提醒我":                                     "0 9 1 3 *",
		"every year on March 1 at noon":                     "0 12 1 3 *",
		"twice a week on Monday and Thursday at 10":         "0 10 * * MON,THU",
		"隔天早上7点":                                            "RRULE:FREQ=DAILY;INTERVAL=2 DTSTART:20261008T070000",
		"every 2 weeks on Friday at 10":                     "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR DTSTART:20261009T100000",
		"weekends at 11am":                                  "0 11 * * SAT,SUN",
		"每周末上午11点":                                          "0 11 * * SAT,SUN",
		"make it weekly":                                    "0 9 * * THU",
		"every Monday to Friday at 9":                       "0 9 * * MON-FRI",
		"every 10 minutes for 3 times":                      "",
		// once
		"in 20 minutes":                            "@once 2026-10-07T15:50",
		"remind me in an hour":                     "@once 2026-10-07T16:30",
		"tomorrow noon":                            "@once 2026-10-08T12:00",
		"明天中午":                                     "@once 2026-10-08T12:00",
		"大后天":                                      "@once 2026-10-10T09:00",
		"大后天下午3点":                                  "@once 2026-10-10T15:00",
		"月底":                                       "@once 2026-10-31T09:00",
		"remind me next Friday at 10":              "@once 2026-10-16T10:00",
		"下周五上午10点提醒我":                              "@once 2026-10-16T10:00",
		"下下周三":                                     "@once 2026-10-21T09:00",
		"post it on December 1 at 9:30":            "@once 2026-12-01T09:30",
		"12月1日9点半":                                 "@once 2026-12-01T09:30",
		"tonight at 8":                             "@once 2026-10-07T20:00",
		"今晚8点":                                     "@once 2026-10-07T20:00",
		"半小时后提醒我":                                  "@once 2026-10-07T16:00",
		"三天后":                                      "@once 2026-10-10T15:30",
		"一个半小时后":                                   "@once 2026-10-07T17:00",
		"on 2026-12-01 at 09:00":                   "@once 2026-12-01T09:00",
		"send me last month's sales tomorrow at 8": "@once 2026-10-08T08:00",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if want == "" {
				return
			}
			r := Read(text, asked, time.UTC, "en")
			kind := Recurring
			if strings.HasPrefix(want, "@once") {
				kind = Once
			}
			if r.Spec.String() != want || r.Kind != kind {
				t.Errorf("Read = %s %q (%s), want %s %q", r.Kind, r.Spec, r.Question, kind, want)
			}
		})
	}
}

// Words for periods cut data; they are no times to do something at.
func TestReadLeavesDimensionsAlone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Sales per month", "sales per month by region", "monthly sales", "show monthly sales for 2026", "compare the annual totals", "average daily orders",
		"weekly revenue by product", "number of orders per day", "what were the monthly active users in October", "revenue for each month of 2026",
		"show me sales for every quarter", "total of each week", "quarterly profit margin", "the weekly report", "show me the monthly report",
		"how many orders do we get every day?", "yearly growth of sales", "sales by month", "chart of daily signups", "orders in each month this year",
		"每年的总销售", "每月的销售额", "各月销售额", "按月统计销售额", "每个月的订单数是多少", "对比每季度的利润", "月度销售趋势", "每天的平均订单数", "最近12个月每月的销售额", "每周销量对比",
		"what did we sell last month?", "sales in October", "show revenue for 2026-10-05", "上个月的销售额", "今年的订单总数", "sales this year by month",
		"good morning", "早上好", "hello", "thanks!", "top 5 customers", "version 1.2.3", "call me maybe", "once in a while", "May I ask something?",
		"who sold the most in Q3?", "第三季度的利润", "compare this month with last month", "rows 1 to 10", "room 101", "it costs 9.50 euros", "the 3 largest stores",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if r := Read(text, asked, time.UTC, "en"); r.Kind != None {
				t.Errorf("Read = %s %q (%s), want none", r.Kind, r.Spec, r.Question)
			}
		})
	}
}

// What is left out of something recurring is told to who can ask, and not only
// filled in.
func TestReadTellsWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ day, time bool }{
		"every month post it to #sales": {true, true}, "每个月发到 #sales": {true, true}, "do this every quarter at 9": {true, false}, "每周早上9点发一次": {true, false},
		"every year post it": {true, true}, "every day post it": {false, true}, "每天发一次": {false, true}, "every Monday post it": {false, true}, "每月底发一次": {false, true},
		"every month starting December 1 at 9": {false, false}, "every month on the 1st at 9:00": {false, false}, "每天早上发一次": {false, false}, "every other Friday at noon": {false, false},
		"every hour post it": {false, false}, "first business day of each month at 8am post the sales": {false, false},
	} {
		if r := Read(text, asked, time.UTC, "en"); r.Kind != Recurring || r.NoDay != want.day || r.NoTime != want.time {
			t.Errorf("Read(%q) = %s %s, no day %t, no time %t, want %+v", text, r.Kind, r.Spec, r.NoDay, r.NoTime, want)
		}
	}
}

// An hour of something recurring is one of 24 unless words say otherwise; a day of
// each month is the schedule's, also where figures are spoken of.
func TestReadHoursAsWritten(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"every day at 2:30 post it": "30 2 * * *", "每天2:30发到 #sales": "30 2 * * *", "every day at 3:00 post it": "0 3 * * *", "每天5:45发": "45 5 * * *", "every day at 6:15 post it": "15 6 * * *",
		"每天3点发": "0 3 * * *", "every day at 2:30 in the afternoon": "30 14 * * *", "每天下午2:30发": "30 14 * * *", "every day at 2:30pm": "30 14 * * *", "every afternoon at 3:30": "30 15 * * *",
		"每天晚上6点15分发": "15 18 * * *", "every hour from 9am to 5pm on weekdays": "0 9-17 * * MON-FRI",
		"every day starting tomorrow at 2:30 post it": "RRULE:FREQ=DAILY DTSTART:20261008T023000", "从明天下午3点开始每天发": "RRULE:FREQ=DAILY DTSTART:20261008T150000",
		"first business day of each month at 8am post last month's sales": "0 8 1W * *", "on the last Friday of every month at 17:00 send the sales": "0 17 * * FRI#L",
	} {
		if r := Read(text, asked, time.UTC, "en"); r.Kind != Recurring || r.Spec.String() != want {
			t.Errorf("Read(%q) = %s %q, want %q", text, r.Kind, r.Spec, want)
		}
	}
}

// What cannot be meant, or could be meant two ways, is asked, in the asker's
// language, with something to propose where there is something.
func TestReadAsks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ lang, part, spec string }{
		"C10 31st: every month on the 31st at 9":           {"en", "last day", "0 9 L * *"},
		"C10 31st: 每月31号早上9点":                              {"zh", "最后一天", "0 9 L * *"},
		"C10 30th: every month on the 30th":                {"en", "last day", "RRULE:FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1 DTSTART:20261008T090000"},
		"C11 never: every year on February 30 at 9":        {"en", "no such day", ""},
		"C11 never: 每年2月30日提醒我":                            {"zh", "没有", ""},
		"past: remind me yesterday at 9":                   {"en", "passed", ""},
		"past: 提醒我昨天上午9点开会":                                {"zh", "过去", ""},
		"often: every 10 seconds":                          {"en", "once a minute", ""},
		"often: 每10秒执行一次":                                  {"zh", "一分钟", ""},
		"lunar: remind me on the first day of 农历正月":        {"en", "lunar", ""},
		"lunar: 农历八月十五提醒我":                                 {"zh", "公历", ""},
		"lunar: every Chinese New Year send the greetings": {"en", "lunar", ""},
		"days: 每周三次发送报告":                                   {"zh", "", ""},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			_, said, _ := strings.Cut(text, ": ")
			r := Read(said, asked, time.UTC, want.lang)
			if r.Kind != Ask || !strings.Contains(r.Question, want.part) || r.Spec.String() != want.spec {
				t.Errorf("Read = %s %q %q, want a question with %q and %q", r.Kind, r.Question, r.Spec, want.part, want.spec)
			}
		})
	}
}

// A length from now is real time: twenty minutes from the first 01:50 of an
// autumn night is the second 01:10.
func TestReadCountsRealMinutes(t *testing.T) {
	t.Parallel()
	loc, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	now, _ := time.Parse(time.RFC3339, "2026-11-01T01:50:00-04:00")
	next, ok := Read("in 20 minutes", now, loc, "en").Spec.Next(now, loc)
	if !ok || next.At.Sub(now) != 20*time.Minute {
		t.Errorf("Next = %v, want 20 minutes on", next.At)
	}
}

// The spans leave the work to do.
func TestReadSpansAreTheSchedule(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Send me sales by region every Monday at 8":   "every Monday at 8",
		"每周一早上8点发销售额":                                 "每周一早上8点",
		"in 20 minutes remind me to call Bob":         "in 20 minutes",
		"every month on the 1st post the churn table": "every month on the 1st",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, s := range Read(text, asked, time.UTC, "en").Spans {
				got = append(got, text[s.Start:s.End])
			}
			if strings.Join(got, "|") != want {
				t.Errorf("spans are %q, want %q", got, want)
			}
		})
	}
}

// Schedules are said back as people would say them.
func TestSay(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string][2]string{
		"0 9 1 * *":              {"every month on the 1st at 09:00", "每月1号 09:00"},
		"0 9 15,L * *":           {"every month on the 15th and the last day at 09:00", "每月15号、最后一天 09:00"},
		"0 9 LW * *":             {"every month on the last working day at 09:00", "每月最后一个工作日 09:00"},
		"30 8 * * MON-FRI":       {"every weekday (Monday to Friday) at 08:30", "每个工作日（周一至周五） 08:30"},
		"0 10 * * MON,WED,FRI":   {"every Monday, Wednesday and Friday at 10:00", "每周一、周三、周五 10:00"},
		"0 9 * * MON#1":          {"every month on the first Monday at 09:00", "每月第一个周一 09:00"},
		"0 9 * * FRI#L":          {"every month on the last Friday at 09:00", "每月最后一个周五 09:00"},
		"0 9 1 1,4,7,10 *":       {"every year on the 1st of January, April, July and October at 09:00", "每年1月、4月、7月、10月1号 09:00"},
		"0 19 * * *":             {"every day at 19:00", "每天 19:00"},
		"0 9,17 * * *":           {"every day at 09:00 and 17:00", "每天 09:00、17:00"},
		"0 * * * *":              {"every hour", "每小时"},
		"*/15 * * * *":           {"every 15 minutes", "每15分钟"},
		"*/15 9-17 * * MON-FRI":  {"every 15 minutes between 09:00 and 17:59, every weekday (Monday to Friday)", "每个工作日（周一至周五），每15分钟（09:00 至 17:59 之间）"},
		"@every 36h":             {"every 36 hours", "每36小时"},
		"@once 2026-12-01T09:00": {"once, on Tuesday, 1 December 2026 at 09:00", "2026年12月1日（周二）09:00，仅一次"},
		"RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR DTSTART:20261009T090000": {
			"every 2 weeks on Friday at 09:00, from 9 October 2026", "每2周的周五 09:00，自2026年10月9日起",
		},
		"RRULE:FREQ=DAILY;INTERVAL=3;UNTIL=20270228 DTSTART:20261008T090000": {
			"every 3 days at 09:00, from 8 October 2026 until 28 February 2027", "每3天 09:00，自2026年10月8日起至2027年2月28日",
		},
		"CRON_TZ=America/New_York 0 9 * * *": {"every day at 09:00 (America/New_York time)", "每天 09:00（America/New_York时间）"},
		"3-50/7 */5 * * *":                   {"by the expression 3-50/7 */5 * * *", "按表达式 3-50/7 */5 * * *"},
		"0 9 * * * | 30 17 * * *":            {"every day at 09:00; and every day at 17:30", "每天 09:00；每天 17:30"},
	} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			s := calendar.MustParse(spec)
			if got := Say(s, "en"); got != want[0] {
				t.Errorf("Say(en) = %q, want %q", got, want[0])
			}
			if got := Say(s, "zh"); got != want[1] {
				t.Errorf("Say(zh) = %q, want %q", got, want[1])
			}
		})
	}
}

// What is said back and then said to us again is the same schedule.
func TestReadUnderstandsSay(t *testing.T) {
	t.Parallel()
	for _, spec := range []string{
		"0 9 1 * *", "0 9 15,L * *", "0 9 LW * *", "30 8 * * MON-FRI", "0 10 * * MON,WED,FRI", "0 9 * * MON#1", "0 9 * * FRI#L", "0 19 * * *", "0 9,17 * * *",
		"0 * * * *", "*/15 * * * *", "@once 2026-12-01T09:00", "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR DTSTART:20261009T090000", "0 9 1 3 *",
	} {
		for _, lang := range []string{"en", "zh"} {
			t.Run(spec+" "+lang, func(t *testing.T) {
				t.Parallel()
				said := Say(calendar.MustParse(spec), lang)
				if got := Read(said, asked, time.UTC, lang).Spec.String(); got != spec {
					t.Errorf("Read(%q) = %q, want %q", said, got, spec)
				}
			})
		}
	}
}
