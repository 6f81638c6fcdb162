package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What becomes of times that are no good ones is said in chat as it is in the command, and
// a schedule is handed over (C6, SLK-05, SLK-06).
func TestSettingsOfASchedule(t *testing.T) {
	type args = map[string]any
	for text, want := range map[string]args{
		"don't run it at night":                                    {"job": "it", "quiet": "22:00-07:00"},
		"please don't run j1a2b3c4d between 10pm and 7am":          nil, // the id stands for "it" behind only
		"don't run it between 10pm and 7:30am for j1a2b3c4d":       {"job": "j1a2b3c4d", "quiet": "22:00-07:30"},
		"quiet hours 22:00-07:00":                                  {"job": "it", "quiet": "22:00-07:00"},
		"not between 11 pm and 6 am":                               {"job": "it", "quiet": "23:00-06:00"},
		"no quiet hours":                                           {"job": "it", "quiet": "default"},
		"skip what was missed":                                     {"job": "it", "catch_up": "none"},
		"don't catch up":                                           {"job": "it", "catch_up": "none"},
		"skip missed runs":                                         {"job": "it", "catch_up": "none"},
		"run it once when we were offline":                         {"job": "it", "catch_up": "once"},
		"if it was missed, run it once":                            {"job": "it", "catch_up": "once"},
		"skip it if it is more than 6 hours late":                  {"job": "it", "catch_up": "6h"},
		"wait if the one before still runs":                        {"job": "it", "overlap": "wait"},
		"skip it if the previous run is still running":             {"job": "it", "overlap": "skip"},
		"retry it 5 times if it fails":                             {"job": "it", "retries": "5"},
		"don't retry":                                              {"job": "it", "retries": "0"},
		"晚上10点到早上7点不要跑":                                            {"job": "it", "quiet": "22:00-07:00"},
		"夜里12点到早上六点半别发":                                            {"job": "it", "quiet": "00:00-06:30"},
		"晚上不要跑":                                                    {"job": "it", "quiet": "22:00-07:00"},
		"错过的不用补":                                                   {"job": "it", "catch_up": "none"},
		"定时任务 j1a2b3c4d 错过的不用补":                                    {"job": "j1a2b3c4d", "catch_up": "none"},
		"错过的补跑一次":                                                  {"job": "it", "catch_up": "once"},
		"离线期间错过的补一次":                                               {"job": "it", "catch_up": "once"},
		"超过6小时就不用补了":                                               {"job": "it", "catch_up": "6h"},
		"上一次没跑完就等一下":                                               {"job": "it", "overlap": "wait"},
		"失败后重试5次":                                                  {"job": "it", "retries": "5"},
		"hand schedule j1a2b3c4d to @leo":                          {"job": "j1a2b3c4d", "owner": "@leo"},
		"give the schedule j1a2b3c4d to <@U0LEO0001>":              {"job": "j1a2b3c4d", "owner": "<@U0LEO0001>"},
		"hand it over to slack:T1:U2":                              {"job": "it", "owner": "slack:T1:U2"},
		"transfer the weekly sales schedule to @leo":               {"job": "weekly sales", "owner": "@leo"},
		"把定时任务 j1a2b3c4d 交给 @leo":                                  {"job": "j1a2b3c4d", "owner": "@leo"},
		"请把定时任务j1a2b3c4d转交给@小李负责":                                  {"job": "j1a2b3c4d", "owner": "@小李"},
		"give the report to @leo":                                  nil,
		"skip the sales report this month":                         nil,
		"don't post it":                                            nil,
		"不要发":                                                      nil,
		"don't run it at night and post sales by region to #sales": nil,
		"quiet hours 25:00-07:00":                                  nil,
	} {
		t.Run(text, func(t *testing.T) {
			var r reading
			var got args
			if (reader{}).setJob(text, &r) {
				got = r.ops[0].args
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("setJob(%q) (-want +got):\n%s", text, d)
			}
		})
	}
	t.Run("the job last spoken of", func(t *testing.T) {
		var r reading
		if !(reader{job: "jabcdef12"}).setJob("skip what was missed", &r) || r.ops[0].args["job"] != "jabcdef12" {
			t.Errorf("setJob = %v, want the job that was spoken of", r.ops)
		}
	})
}
