package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// SLK-04: words of both languages, expressions and rules are said back with zone and
// five times, and nothing is kept.
func TestSLK04APreviewSaysWhatIsUnderstood(t *testing.T) {
	unset(t)
	dir := folder(t)
	ics := filepath.Join(t.TempDir(), "days.ics")
	if err := os.WriteFile(ics, []byte("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261106\nEND:VEVENT\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261107\nSUMMARY:补班\nEND:VEVENT\nEND:VCALENDAR\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{[]string{"last working day of the month at 5pm", "--zone", "Europe/Berlin"}, []string{
			"every month on the last working day at 17:00\nzone: Europe/Berlin\nexpression: 0 17 LW * *\nnext:\n  Mon 30 Nov 2026 17:00  about 2026-11-01 to 2026-11-30\n", "Wed 31 Mar 2027 17:00",
		}},
		{[]string{"每两周的周三下午三点", "--zone", "Asia/Shanghai"}, []string{"每2周的周三 15:00，自2026年11月4日起\n时区：Asia/Shanghai\n", "2026年11月4日（周三）15:00", "2026年12月30日（周三）15:00"}},
		{[]string{"每月31号上午9点", "--short-months", "last"}, []string{"每月最后一天 09:00", "2026年11月30日"}},
		{[]string{"0 9 * * 7", "--lang", "zh"}, []string{"每周日 09:00"}},
		{[]string{"CRON_TZ=Asia/Tokyo 0 9 * * *"}, []string{"zone: Asia/Tokyo"}},
		{[]string{"weekdays", "at", "8:30", "except", "holidays", "--holidays", ics}, []string{"except 6 November 2026, and also on 7 November 2026 08:30", "note: holidays are known until 2026-11-07", "Thu 5 Nov 2026 08:30", "Sat 7 Nov 2026 08:30"}},
		{[]string{"monthly"}, []string{"note: not said: which day and what time; `add` would ask for it"}},
		{[]string{"in 20 minutes"}, []string{"once, on Tuesday, 3 November 2026 at 10:27"}},
	} {
		args := append(append([]string{"schedule", "preview"}, tt.args...), "--now", "2026-11-03T10:07:00Z", "--data", dir)
		got, err := hermesIn(t, "", args...)
		if err != nil {
			t.Errorf("%v: %v", tt.args, err)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%v: no %q in\n%s", tt.args, want, got)
			}
		}
		if n := strings.Count(got, "\n  "); n != 5 && tt.args[0] != "in 20 minutes" {
			t.Errorf("%v shows %d times, want five:\n%s", tt.args, n, got)
		}
	}
	got, err := hermesIn(t, "", "schedule", "preview", "每月最后一个工作日下午5点", "--ical", "--zone", "Asia/Shanghai", "--now", "2026-11-03T10:07:00Z", "--data", dir)
	if want := "DTSTART;TZID=Asia/Shanghai:20261130T170000\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;BYHOUR=17;BYMINUTE=0\n"; err != nil || got != want {
		t.Errorf("as a rule = %q, %v; want %q", got, err, want)
	}
	if got, err := hermesIn(t, "", "schedule", "list", "--data", dir); err != nil || !strings.HasPrefix(got, "no schedules yet") {
		t.Errorf("after previews there is %q, %v", got, err)
	}
}

// C10, C11: what cannot be meant, or means two things, is asked and makes no schedule.
func TestSLK04WhatIsOpenMakesNoSchedule(t *testing.T) {
	unset(t)
	dir := folder(t)
	for when, want := range map[string]string{
		"每月31号上午9点":                        "hint: --short-months last, or --short-months skip",
		"monthly":                          "does not say which day and what time",
		"每周一":                              "does not say what time",
		"sales per month":                  "names no time",
		"每年的总销售":                           "names no time",
		"0 9 30 2 *":                       "there is no such day in any year",
		"every 5 seconds":                  "more often than once a minute",
		"yesterday at 5pm":                 "That time has passed",
		"每年农历正月初一早上8点":                     "请告诉我公历日期",
		"weekdays at 8:30 except holidays": "hint: --holidays, or schedules.holidays in the configuration, names an iCalendar file",
		"@once 2020-01-01T09:00":           "no time of this is still to come",
		"TZ=":                              "a zone needs a name",
	} {
		if got, err := hermesIn(t, "", "schedule", "add", when, "sales", "--data", dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("add %q = %q, %v; want %q", when, got, err, want)
		}
	}
	for flags, want := range map[string]string{
		"--zone Mars":         "is no time zone",
		"--zone Local":        "is no time zone",
		"--lang fr":           "hint: en or zh",
		"--owner slack:T1:U1": "is no member of a workspace that is connected",
		"--owner bob":         "is nobody in Slack",
		"--to #sales":         "is no channel that the bot sees",
		"--holidays none.ics": "no such file",
	} {
		args := append([]string{"schedule", "add", "every Monday at 9", "sales", "--data", dir}, strings.Fields(flags)...)
		if got, err := hermesIn(t, "", args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("add %s = %q, %v; want %q", flags, got, err, want)
		}
	}
	if got, err := hermesIn(t, "", "schedule", "list", "--data", dir); err != nil || !strings.HasPrefix(got, "no schedules yet") {
		t.Errorf("after refusals there is %q, %v", got, err)
	}
}

// SLK-04: a schedule made by hand is listed, shown, run now, paused and deleted; its
// history stays.
func TestSLK04AScheduleMadeAtTheCommandLineHasItsWholeLife(t *testing.T) {
	unset(t)
	dir := folder(t)
	do := func(args ...string) string {
		t.Helper()
		got, err := hermesIn(t, "", append(append([]string{"schedule"}, args...), "--data", dir)...)
		if err != nil {
			t.Fatalf("schedule %v: %v", args, err)
		}
		return got
	}
	made := do("add", "每月最后一个工作日下午5点", "本月各产品的销售额", "--zone", "Asia/Shanghai", "--name", "月报")
	id, _, _ := strings.Cut(made, " ")
	if !strings.HasPrefix(id, "j") || len(id) != 9 || !strings.Contains(made, "每月最后一个工作日 17:00") {
		t.Fatalf("add says %q", made)
	}
	for _, step := range []struct {
		args string
		want string
	}{
		{"list", "月报"},
		{"show " + id, "owned by terminal:local:owner"},
		{"history " + id, "has not come yet; next "},
		{"run " + id, "running " + id + " now\nit is about "},
		{"history " + id + " -n 5", "run by hand"},
		{"rehearse " + id, "rehearsing the slot of"},
		{"pause " + id, id + " (月报) is paused"},
		{"resume " + id, id + " (月报) is active"},
		{"delete " + id, id + " (月报) is deleted"},
		{"history " + id, "run by hand"},
	} {
		if got := do(strings.Fields(step.args)...); !strings.Contains(got, step.want) {
			t.Errorf("schedule %s = %q, want %q", step.args, got, step.want)
		}
	}
	if _, err := hermesIn(t, "", "schedule", "run", id, "--data", dir); err == nil || !strings.Contains(err.Error(), "no such job") {
		t.Errorf("a deleted schedule is run: %v", err)
	}
}
