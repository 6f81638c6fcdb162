package rules

import (
	"testing"
)

// A schedule that is called by its time is found by it: its time plans nothing.
func TestAScheduleIsNamedByItsTime(t *testing.T) {
	for text, want := range map[string]string{
		"delete the monthly schedule":                  "delete monthly",
		"cancel the weekly schedule":                   "delete weekly",
		"please remove the daily schedule":             "delete daily",
		"pause the monthly schedule":                   "pause monthly",
		"resume the quarterly schedule.":               "resume quarterly",
		"delete the monthly sales schedule":            "delete monthly sales",
		"delete the monthly report":                    "delete monthly report",
		"stop the daily report":                        "pause daily report",
		"delete the schedule for every Monday at 9:00": "delete every Monday at 9:00",
		"删掉每月的计划":                                      "delete 每月",
		"取消每周的定时任务":                                    "delete 每周",
		"把每天的计划删掉":                                     "delete 每天",
		"暂停每月的计划":                                      "pause 每月",
		"删掉每周一早上9点的计划":                                 "delete 每周一早上9点",
	} {
		got := New(Vocabulary{}).Try(TrialInput{Text: text})
		if len(got.Calls) != 1 || got.Calls[0].Name != scheduleChange || len(got.Missing) > 0 || len(got.Unclaimed) > 0 {
			t.Errorf("%q: %+v", text, got)
			continue
		}
		args := got.Calls[0].Arguments
		if said, _ := args["job"].(string); args["action"].(string)+" "+said != want {
			t.Errorf("%q: %v, want %s", text, args, want)
		}
	}
}
