package schedule_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
	"hermes/scheduler/calendar"
)

// C20, TOOL-13 Words that leave the day or the time of day open are asked about, in the
// asker's language; nothing is planned by a guess.
func TestC20WordsThatLeaveTheTimeOpenAreAskedAbout(t *testing.T) {
	for words, want := range map[string][2]string{
		"every month":                 {"does not say which day and what time", "没有说哪一天、几点"},
		"weekly":                      {"does not say which day and what time", "没有说哪一天、几点"},
		"next week":                   {"does not say which day and what time", "没有说哪一天、几点"},
		"每季度":                         {"does not say which day and what time", "没有说哪一天、几点"},
		"every month at 9:00":         {"does not say which day.", "没有说哪一天。"},
		"every day":                   {"does not say what time", "没有说几点"},
		"every month on the 1st":      {"does not say what time", "没有说几点"},
		"tomorrow":                    {"does not say what time", "没有说几点"},
		"每周一":                         {"does not say what time", "没有说几点"},
		"on 02/03/2027 at 9:00":       {`"02/03/2027" may be 2027-03-02 or 2027-02-03. Ask the person`, "“02/03/2027”可以是 2027-03-02 或 2027-02-03"},
		"2.3.2027 at 9:00":            {`"2.3.2027" may be 2027-03-02 or 2027-02-03`, "可以是 2027-03-02 或 2027-02-03"},
		"every month on the 1st and…": {"does not say what time", "没有说几点"},
	} {
		for i, lang := range []string{"en", "zh"} {
			b := newBench(t)
			args, err := json.Marshal(map[string]string{"when": words, "request": "x"})
			if err != nil {
				t.Fatal(err)
			}
			if p := b.plan("schedule_add", b.call(string(args), lang)); !strings.Contains(p.Fault, want[i]) || p.Args != nil || p.Job != "" {
				t.Errorf("plan of %q in %s = %+v, want the question %q", words, lang, p, want[i])
			}
		}
	}
}

// Words that say all there is to say are planned as they are.
func TestWordsThatSayDayAndTimeArePlanned(t *testing.T) {
	for words, want := range map[string]string{
		"every hour": "0 * * * *", "every day at 9": "0 9 * * *", "every morning": "0 9 * * *", "in 2 hours": "@once 2026-11-02T22:00",
		"tomorrow at 9:00": "@once 2026-11-03T09:00", "at 9:00 on 13/02/2027": "@once 2027-02-13T09:00", "0 9 1 * *": "0 9 1 * *",
		"每个月1号早上9点": "0 9 1 * *",
	} {
		b := newBench(t)
		args, err := json.Marshal(map[string]string{"when": words, "request": "x"})
		if err != nil {
			t.Fatal(err)
		}
		p := b.plan("schedule_add", b.call(string(args), "en"))
		var got struct{ Spec string }
		if err := json.Unmarshal(p.Args, &got); err != nil || got.Spec != want {
			t.Errorf("plan of %q = %q %q, want %s", words, got.Spec, p.Fault, want)
		}
	}
}

// Issue 6: holidays that words except are left out, as the calendar of the place has them;
// where nobody has said which days those are, nothing is planned that forgets them.
func TestHolidaysAreLeftOutOrAskedAbout(t *testing.T) {
	known := func(now time.Time) (*calendar.Holidays, error) {
		return calendar.ParseHolidays(strings.NewReader("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261106\nEND:VEVENT\nEND:VCALENDAR\n"), now.AddDate(1, 0, 0))
	}
	broken := func(time.Time) (*calendar.Holidays, error) { return nil, errors.New("the file is away") }
	for words, lang := range map[string]string{"weekdays at 8:30 except holidays": "en", "工作日早上8点半，节假日除外": "zh"} {
		args, err := json.Marshal(map[string]string{"when": words, "request": "x"})
		if err != nil {
			t.Fatal(err)
		}
		if p := newBench(t).plan("schedule_add", newBench(t).call(string(args), lang)); !strings.Contains(p.Fault, "schedules.holidays") || p.Args != nil {
			t.Errorf("plan of %q without a calendar = %+v", words, p)
		}
		b := newBenchWith(t, known)
		p := b.plan("schedule_add", b.call(string(args), lang))
		var got struct{ Spec string }
		if err := json.Unmarshal(p.Args, &got); err != nil {
			t.Fatalf("plan of %q = %+v, %v", words, p, err)
		}
		sched, err := calendar.Parse(got.Spec)
		if err != nil {
			t.Fatal(err)
		}
		var days []string
		for _, next := range sched.NextN(b.now, time.UTC, 4) {
			days = append(days, next.At.Format("01-02"))
		}
		if d := cmp.Diff([]string{"11-03", "11-04", "11-05", "11-09"}, days); d != "" {
			t.Errorf("%q (-want +got):\n%s", words, d)
		}
		away := newBenchWith(t, broken)
		if _, err := away.set.Lookup("schedule_add").(tool.Planner).Plan(t.Context(), away.call(string(args), lang)); err == nil || !strings.Contains(err.Error(), "the file is away") {
			t.Errorf("plan with a broken calendar: %v", err)
		}
	}
}
