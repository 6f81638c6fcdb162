package phrase

import (
	"strings"
	"testing"
	"time"
)

// ownAsked is a Tuesday.
var ownAsked = time.Date(2026, 11, 3, 10, 7, 0, 0, time.UTC)

// An ownRow is a sentence and what it means when it is said at ownAsked. Times are
// compared as far as they are written: "2026-11-04" is any time of that day. A kind
// of "recurring|ask" may be either; "past" is none or ask, with a question.
type ownRow struct {
	lang, kind, text string
	times            string
}

var ownRows = []ownRow{
	{"en", "recurring", "post the sales summary every weekday at 8:30", "2026-11-04T08:30 2026-11-05T08:30 2026-11-06T08:30 2026-11-09T08:30"},
	{"en", "recurring", "every month on the 1st at 9", "2026-12-01T09:00 2027-01-01T09:00"},
	{"en", "recurring", "last working day of each month at 5pm", "2026-11-30T17:00 2026-12-31T17:00 2027-01-29T17:00"},
	{"en", "recurring", "first Monday of the month at 10am", "2026-12-07T10:00 2027-01-04T10:00 2027-02-01T10:00"},
	{"en", "recurring", "every other Friday at 3pm", "2026-11-06T15:00 2026-11-20T15:00"},
	{"en", "recurring", "send me the pipeline report quarterly", "2027-01-01 2027-04-01"},
	{"en", "recurring", "every 3 days until March at 9am", ""},
	{"en", "recurring", "twice a day at 9 and 17:30", "2026-11-03T17:30 2026-11-04T09:00"},
	{"en", "recurring", "every 15 minutes between 9 and 5 on weekdays", "2026-11-03T10:15 2026-11-03T10:30"},
	{"en", "recurring", "every 2 hours", ""},
	{"en", "recurring", "on the 15th and the last day of every month at 6 pm", "2026-11-15T18:00 2026-11-30T18:00 2026-12-15T18:00"},
	{"en", "recurring", "each Tuesday and Thursday at noon", "2026-11-03T12:00 2026-11-05T12:00"},
	{"en", "recurring", "second Wednesday of every month at 14:00", "2026-11-11T14:00 2026-12-09T14:00 2027-01-13T14:00"},
	{"en", "recurring", "weekly on Monday mornings", "2026-11-09 2026-11-16"},
	{"en", "recurring", "every year on 24 December at 8am", "2026-12-24T08:00 2027-12-24T08:00"},
	{"en", "recurring", "the day before the last day of every month at 9am", "2026-11-29T09:00 2026-12-30T09:00"},
	{"en", "recurring", "at 7 in the evening daily", "2026-11-03T19:00 2026-11-04T19:00"},
	{"en", "recurring", "every half hour", "2026-11-03T10:30 2026-11-03T11:00"},
	{"en", "recurring", "mon, wed & fri @ 09:15", "2026-11-04T09:15 2026-11-06T09:15 2026-11-09T09:15"},
	{"en", "recurring", "every quarter on the 5th at 9am", "2027-01-05T09:00 2027-04-05T09:00"},
	{"en", "recurring", "on the last Friday of each quarter at 4pm", "2026-12-25T16:00 2027-03-26T16:00 2027-06-25T16:00"},
	{"en", "recurring", "every weekend at 11am", "2026-11-07T11:00 2026-11-08T11:00 2026-11-14T11:00"},
	{"en", "recurring", "once a week on Thursdays at quarter past ten", "2026-11-05T10:15 2026-11-12T10:15"},
	{"en", "recurring", "every six weeks on Monday at 9", "2026-11-09T09:00 2026-12-21T09:00"},
	{"en", "recurring", "remind the team of the stand-up every morning at 9:45 except weekends", "2026-11-04T09:45 2026-11-05T09:45 2026-11-06T09:45 2026-11-09T09:45"},
	{"en", "recurring", "starting next Monday, every day at 8am", "2026-11-09T08:00 2026-11-10T08:00"},
	{"en", "recurring|ask", "monthly on the 31st at 9", ""},
	{"en", "recurring", "every 10th of the month at half past eight in the morning", "2026-11-10T08:30 2026-12-10T08:30"},
	{"en", "recurring", "biannually on the first of January and July", "2027-01-01 2027-07-01"},
	{"en", "recurring", "every first and third Friday at 13:00", "2026-11-06T13:00 2026-11-20T13:00 2026-12-04T13:00 2026-12-18T13:00"},
	{"en", "recurring", "daily at 9am for the next five days", "2026-11-04T09:00 2026-11-05T09:00 2026-11-06T09:00 2026-11-07T09:00"},
	{"en", "recurring", "every business day at close of play, 17:45", "2026-11-03T17:45 2026-11-04T17:45"},
	{"en", "recurring", "on the 3rd business day of every month at 9am", "2026-11-04T09:00 2026-12-03T09:00 2027-01-05T09:00"},

	{"en", "once", "in 20 minutes", "2026-11-03T10:27"},
	{"en", "once", "tomorrow noon", "2026-11-04T12:00"},
	{"en", "once", "remind me the day after tomorrow at 6:15pm to call Ada", "2026-11-05T18:15"},
	{"en", "once", "this Friday at 4 pm", "2026-11-06T16:00"},
	{"en", "once", "on 12 January 2027 at 08:00", "2027-01-12T08:00"},
	{"en", "once", "tonight at 9", "2026-11-03T21:00"},
	{"en", "once", "in two and a half hours", "2026-11-03T12:37"},
	{"en", "once", "a week from today at 3pm", "2026-11-10T15:00"},
	{"en", "once", "at the end of this month at 5pm", "2026-11-30T17:00"},
	{"en", "once", "Dec 24th, 6pm", "2026-12-24T18:00"},
	{"en", "once", "first thing on Monday, 8am", "2026-11-09T08:00"},
	{"en", "once", "three weeks from Thursday at 9am", "2026-11-26T09:00"},
	{"en", "once", "an hour before midnight", "2026-11-03T23:00"},
	{"en", "once", "next month on the 5th at 9", "2026-12-05T09:00"},
	{"en", "once", "2026-11-20 14:30", "2026-11-20T14:30"},
	{"en", "once", "2 days before Christmas at noon", "2026-12-23T12:00"},

	{"en", "past", "yesterday at 5pm", ""},
	{"en", "past", "on 3 March 2024 at 9am", ""},
	{"en", "past", "an hour ago", ""},

	{"en", "none", "what were sales per month last year?", ""},
	{"en", "none", "compare the annual totals by region", ""},
	{"en", "none", "show the monthly average order value for 2025", ""},
	{"en", "none", "which days of the week sell best?", ""},
	{"en", "none", "how many orders did we get on Monday?", ""},
	{"en", "none", "give me weekly revenue as a line chart", ""},
	{"en", "none", "the daily active users dropped, why?", ""},
	{"en", "none", "quarterly results vs budget please", ""},
	{"en", "none", "is the report from last Friday correct?", ""},
	{"en", "none", "sales per quarter and per product line", ""},
	{"en", "none", "our monthly churn rate", ""},
	{"en", "none", "the 9 o'clock numbers look odd", ""},

	{"en", "ask", "on 30 February at 9", ""},
	{"en", "ask", "every 5 seconds", ""},
	{"en", "ask", "every Chinese New Year at 9", ""},
	{"en", "ask", "every year on February 30th", ""},

	{"zh", "recurring", "每月最后一个工作日上午九点", "2026-11-30T09:00 2026-12-31T09:00 2027-01-29T09:00"},
	{"zh", "recurring", "每两周的周三下午三点", "2026-11-04T15:00 2026-11-18T15:00"},
	{"zh", "recurring", "每季度第一天早上8点", "2027-01-01T08:00 2027-04-01T08:00"},
	{"zh", "recurring", "每月月底下午5点把库存表发给我", "2026-11-30T17:00 2026-12-31T17:00"},
	{"zh", "recurring", "工作日早上8点半", "2026-11-04T08:30 2026-11-05T08:30 2026-11-06T08:30 2026-11-09T08:30"},
	{"zh", "recurring", "每天晚上十点一刻", "2026-11-03T22:15 2026-11-04T22:15"},
	{"zh", "recurring", "每周一三五上午10点", "2026-11-04T10:00 2026-11-06T10:00 2026-11-09T10:00"},
	{"zh", "recurring", "每月1号和15号中午12点", "2026-11-15T12:00 2026-12-01T12:00 2026-12-15T12:00"},
	{"zh", "recurring", "每隔三天早上七点", ""},
	{"zh", "recurring", "每半小时检查一次", "2026-11-03T10:30 2026-11-03T11:00"},
	{"zh", "recurring", "每年元旦上午9点", "2027-01-01T09:00 2028-01-01T09:00"},
	{"zh", "recurring", "每个月第二个星期二下午两点半", "2026-11-10T14:30 2026-12-08T14:30"},
	{"zh", "recurring", "每个周末上午十一点", "2026-11-07T11:00 2026-11-08T11:00"},
	{"zh", "recurring", "每周五下班前(17:30)发周报", "2026-11-06T17:30 2026-11-13T17:30"},
	{"zh", "recurring", "每月倒数第二天上午9点", "2026-11-29T09:00 2026-12-30T09:00"},
	{"zh", "recurring", "从下周一开始每天早上9点", "2026-11-09T09:00 2026-11-10T09:00"},
	{"zh", "recurring", "每天9点和18点各发一次", "2026-11-03T18:00 2026-11-04T09:00"},
	{"zh", "recurring", "逢周四下午四点", "2026-11-05T16:00 2026-11-12T16:00"},
	{"zh", "recurring", "每季度最后一个周五上午10点", "2026-12-25T10:00 2027-03-26T10:00"},
	{"zh", "recurring", "每月5号上午9点一刻", "2026-11-05T09:15 2026-12-05T09:15"},
	{"zh", "recurring", "每天早晚8点", "2026-11-03T20:00 2026-11-04T08:00"},
	{"zh", "recurring", "每年12月24日早上8点", "2026-12-24T08:00 2027-12-24T08:00"},
	{"zh", "recurring", "每月第三个工作日上午九点", "2026-11-04T09:00 2026-12-03T09:00"},
	{"zh", "recurring", "工作日每小时整点", "2026-11-03T11:00 2026-11-03T12:00"},
	{"zh", "recurring", "除周末外每天上午9点45分", "2026-11-04T09:45 2026-11-05T09:45 2026-11-06T09:45 2026-11-09T09:45"},
	{"zh", "recurring", "每年1月1日和7月1日上午9点", "2027-01-01T09:00 2027-07-01T09:00"},
	{"zh", "recurring", "每六周的周一上午九点", "2026-11-09T09:00 2026-12-21T09:00"},
	{"zh", "recurring", "隔周周五下午3点", "2026-11-06T15:00 2026-11-20T15:00"},
	{"zh", "recurring|ask", "每月31号上午9点", ""},
	{"zh", "recurring", "每逢单月1号上午8点", "2027-01-01T08:00 2027-03-01T08:00"},
	{"zh", "recurring", "每周二、周四 上午10:30 post 到 #sales", "2026-11-03T10:30 2026-11-05T10:30"},
	{"zh", "recurring", "每天 9am 发日报", "2026-11-04T09:00 2026-11-05T09:00"},
	{"zh", "recurring", "每个 Monday 上午 9 点", "2026-11-09T09:00 2026-11-16T09:00"},
	{"zh", "recurring", "未来五天每天上午9点", "2026-11-04T09:00 2026-11-05T09:00"},

	{"zh", "once", "20分钟后", "2026-11-03T10:27"},
	{"zh", "once", "明天中午", "2026-11-04T12:00"},
	{"zh", "once", "大后天上午九点", "2026-11-06T09:00"},
	{"zh", "once", "今晚9点", "2026-11-03T21:00"},
	{"zh", "once", "后天下午两点三刻", "2026-11-05T14:45"},
	{"zh", "once", "下周三上午10点", "2026-11-11T10:00"},
	{"zh", "once", "本月最后一天下午五点", "2026-11-30T17:00"},
	{"zh", "once", "两个半小时后", "2026-11-03T12:37"},
	{"zh", "once", "2027年1月12日早上8点", "2027-01-12T08:00"},
	{"zh", "once", "下个月5号上午九点", "2026-12-05T09:00"},
	{"zh", "once", "这周五下午4点", "2026-11-06T16:00"},
	{"zh", "once", "三周后的周四上午9点", "2026-11-26T09:00"},
	{"zh", "once", "12月24号晚6点", "2026-12-24T18:00"},
	{"zh", "once", "一个小时零五分钟后", "2026-11-03T11:12"},
	{"zh", "once", "明早八点叫我", "2026-11-04T08:00"},
	{"zh", "once", "remind me 明天下午3点", "2026-11-04T15:00"},

	{"zh", "past", "昨天下午5点", ""},
	{"zh", "past", "2024年3月3日上午9点", ""},
	{"zh", "past", "一小时前", ""},

	{"zh", "none", "去年每月的销售额是多少?", ""},
	{"zh", "none", "每年的总销售", ""},
	{"zh", "none", "各季度的利润对比", ""},
	{"zh", "none", "每周平均订单数是多少", ""},
	{"zh", "none", "按月统计退货", ""},
	{"zh", "none", "上周五的报表对吗?", ""},
	{"zh", "none", "日活为什么下降了", ""},
	{"zh", "none", "每天的访问量画成折线图", ""},
	{"zh", "none", "一周中哪天卖得最好?", ""},
	{"zh", "none", "月度客单价趋势", ""},
	{"zh", "none", "年度总额按地区比较", ""},
	{"zh", "none", "9点的数据好像不对", ""},

	{"zh", "ask", "每年农历正月初一早上8点", ""},
	{"zh", "ask", "2月30日上午9点", ""},
	{"zh", "ask", "每5秒一次", ""},
	{"zh", "ask", "每逢端午节上午9点", ""},
}

func (row ownRow) right(got Trial) bool {
	switch row.kind {
	case "past":
		return got.Kind != Recurring && got.Kind != Once && got.Question != ""
	case "recurring|ask":
		return got.Kind == Recurring || got.Kind == Ask && got.Question != ""
	case "ask":
		return got.Kind == Ask && got.Question != ""
	}
	if string(got.Kind) != row.kind {
		return false
	}
	for i, want := range strings.Fields(row.times) {
		if i >= len(got.Next) || !strings.HasPrefix(got.Next[i], want) {
			return false
		}
	}
	return true
}

// SLK-04, "Saying when": sentences of our own, in both languages and mixed, of all
// kinds. Written before what they reach was known: then it was 116 of 137.
func TestReadOnOurOwnSentences(t *testing.T) {
	t.Parallel()
	right, all := map[string]int{}, map[string]int{}
	for _, row := range ownRows {
		got := Try(TrialInput{Text: row.text, Now: ownAsked.Format(time.RFC3339), TZ: "UTC"})
		kind, _, _ := strings.Cut(row.kind, "|")
		keys := []string{row.lang + " " + kind, "all"}
		for _, key := range keys {
			all[key]++
		}
		if !row.right(got) {
			t.Logf("%s %s %q\n  want %s\n  got  %s %v %s %s", row.lang, row.kind, row.text, row.times, got.Kind, got.Next, got.Spec, got.Question)
			continue
		}
		for _, key := range keys {
			right[key]++
		}
	}
	for key, floor := range map[string]float64{
		"all": 0.99, "en recurring": 0.96, "zh recurring": 0.99, "en once": 0.99, "zh once": 0.99, "en past": 1, "zh past": 1, "en none": 1, "zh none": 1, "en ask": 1, "zh ask": 1,
	} {
		share := float64(right[key]) / float64(max(1, all[key]))
		t.Logf("%-12s %3d of %3d = %.3f", key, right[key], all[key], share)
		if share < floor {
			t.Errorf("%s: %.3f right, below %.2f", key, share, floor)
		}
	}
}

// Each was understood as something else once, in silence.
func TestReadOnWhatWasMisread(t *testing.T) {
	t.Parallel()
	for _, row := range []ownRow{
		{"en", "recurring", "every hour from 9 to 17 on weekdays", "2026-11-03T11:00 2026-11-03T12:00"},
		{"en", "recurring", "from 9 to 5 every 20 minutes on weekdays", "2026-11-03T10:20 2026-11-03T10:40"},
		{"en", "once", "first of the month 9am", "2026-12-01T09:00"},
		{"en", "recurring", "Tue/Thu 14:00", "2026-11-03T14:00 2026-11-05T14:00 2026-11-10T14:00"},
		{"en", "once", "the last Friday of this month at 4pm", "2026-11-27T16:00"},
		{"en", "once", "Friday after next at 10", "2026-11-13T10:00"},
		{"en", "recurring", "each month, two days before month end at 9", "2026-11-28T09:00 2026-12-29T09:00"},
		{"en", "recurring", "three days before the end of the month at 9", "2026-11-27T09:00 2026-12-28T09:00"},
		{"en", "recurring", "on the 1st and at month end at 9", "2026-11-30T09:00 2026-12-01T09:00"},
		{"en", "ask", "at 25:00 every day", ""},
		{"en", "ask", "on the 32nd of every month", ""},
		{"en", "ask", "every Monday except the first one at 9", ""},
		{"en", "ask", "on the 3rd working day of the month at 9 and 17", ""},
		{"en", "ask", "every Easter at 9", ""},
		{"en", "once", "this time tomorrow", "2026-11-04T10:07"},
		{"en", "recurring", "every hour and a half", "2026-11-03T10:07 2026-11-03T11:37"},
		{"en", "once", "in an hour and a half", "2026-11-03T11:37"},
		{"en", "recurring", "every morning and evening at 8", "2026-11-03T20:00 2026-11-04T08:00"},
		{"en", "recurring", "every Thanksgiving at noon", "2026-11-26T12:00 2027-11-25T12:00"},
		{"en", "recurring", "every odd month on the 2nd at 9", "2027-01-02T09:00 2027-03-02T09:00"},
		{"en", "once", "EOD Friday", "2026-11-06T23:59"},
		{"en", "ask", "14 October", ""},
		{"en", "once", "remind me on 14 October at 9", "2027-10-14T09:00"},
		{"en", "ask", "in November", ""},
		{"zh", "recurring", "每3天上午9点，到3月底为止", "2026-11-04T09:00 2026-11-07T09:00"},
		{"zh", "recurring", "每年3月底上午9点", "2027-03-31T09:00 2028-03-31T09:00"},
		{"zh", "recurring", "每一个半小时", "2026-11-03T10:07 2026-11-03T11:37"},
		{"zh", "recurring", "每天早中晚8点、12点、18点", "2026-11-03T12:00 2026-11-03T18:00 2026-11-04T08:00"},
		{"zh", "recurring", "每天上午9点，周末除外", "2026-11-04T09:00 2026-11-05T09:00 2026-11-06T09:00 2026-11-09T09:00"},
		{"zh", "recurring", "工作日，周三除外，上午9点", "2026-11-05T09:00 2026-11-06T09:00 2026-11-09T09:00"},
		{"zh", "recurring", "每月头一天上午9点", "2026-12-01T09:00 2027-01-01T09:00"},
		{"zh", "recurring", "每天半夜12点", "2026-11-04T00:00 2026-11-05T00:00"},
		{"zh", "once", "今晚零点", "2026-11-04T00:00"},
		{"zh", "recurring", "1号和月底各发一次", "2026-11-30 2026-12-01 2026-12-31"},
		{"zh", "recurring", "每月月底前两天上午9点", "2026-11-28T09:00 2026-12-29T09:00"},
		{"zh", "ask", "每月5号前一天上午9点", ""},
		{"zh", "ask", "每天25点", ""},
		{"zh", "ask", "每月32号", ""},
		{"zh", "once", "明天早上九点差一刻", "2026-11-04T08:45"},
		{"zh", "once", "圣诞节前两天中午", "2026-12-23T12:00"},
		{"zh", "once", "国庆节前一天上午9点", "2027-09-30T09:00"},
		{"zh", "once", "明天这个时候", "2026-11-04T10:07"},
		{"zh", "none", "周末的销量比工作日高吗", ""},
	} {
		if got := Try(TrialInput{Text: row.text, Now: ownAsked.Format(time.RFC3339), TZ: "UTC"}); !row.right(got) {
			t.Errorf("%s %q\n  want %s\n  got  %s %v %s %s", row.kind, row.text, row.times, got.Kind, got.Next, got.Spec, got.Question)
		}
	}
}

// FuzzTry holds for every text, expression, time and zone: nothing panics, times rise,
// what is asked has a question, and a schedule is said in both languages.
func FuzzTry(f *testing.F) {
	for _, row := range ownRows {
		f.Add(row.text, "", "2026-11-03T10:07:00Z", "Europe/Berlin")
	}
	for _, spec := range []string{"0 9 L * *", "TZ=", "CRON_TZ=UTC", "@every 36h", "0 9 * * MON#6", "*/5 9-17 * * 7", "0 9 * * * EXDATE:20261225 RDATE:20261226T090000", "0 0 9 15W * ?"} {
		f.Add("", spec, "2026-03-29T00:59:59Z", "Australia/Lord_Howe")
	}
	f.Fuzz(func(t *testing.T, text, spec, now, tz string) {
		for _, lang := range []string{"en", "zh"} {
			got := Try(TrialInput{Text: text, Cron: spec, Now: now, TZ: tz, Lang: lang})
			if got.Kind == Ask && got.Question == "" || (got.Kind == Recurring || got.Kind == Once) && got.Error == "" && got.Say == "" {
				t.Fatalf("Try(%q, %q) = %+v", text, spec, got)
			}
			last := time.Time{}
			for _, next := range got.Next {
				at, err := time.Parse(time.RFC3339, next)
				if err != nil || !at.After(last) {
					t.Fatalf("Try(%q, %q) = %v, which does not rise", text, spec, got.Next)
				}
				last = at
			}
		}
	})
}
