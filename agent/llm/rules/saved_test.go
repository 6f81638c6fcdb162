package rules

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
)

// What is asked of saved reports is read in both languages, as a whole or not at all.
func TestSavedReportsAreSpokenOf(t *testing.T) {
	m := New(Vocabulary{Measures: []Term{{Name: "sales", Words: []string{"sales", "销售额"}}}, Channels: []Channel{{Name: "#sales"}}, Reports: func() []Report {
		return []Report{
			{Name: "sales-by-region", Words: []string{"sales-by-region", "sales by region", "Sales by region", "地区销售"}},
			{Name: "weekly", Words: []string{"weekly", "the weekly numbers"}},
		}
	}})
	november := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"show my reports":                                                        `report_list {}`,
		"Which reports are there?":                                               `report_list {}`,
		"有哪些报表？":                                                                 `report_list {}`,
		"我的报表":                                                                   `report_list {}`,
		"save this as report Regional":                                           `report_save {"name":"Regional"}`,
		"save this as a report":                                                  `report_save {}`,
		"Save this report as “Board numbers”.":                                   `report_save {"name":"Board numbers"}`,
		"把这个存成报表":                                                                `report_save {}`,
		"把这个存成报表，叫地区销售":                                                          `report_save {"name":"地区销售"}`,
		"run the sales-by-region report":                                         `report_run {"report":"sales-by-region"}`,
		"run the sales by region report for September":                           `report_run {"period":"month:9","report":"sales-by-region"}`,
		"please run the report sales-by-region for last month":                   `report_run {"period":"last_month","report":"sales-by-region"}`,
		"run the sales-by-region report for 2026-09 and post it to #sales":       `report_run {"channel":"#sales","period":"2026-09","report":"sales-by-region"}`,
		"运行报表地区销售":                                                               `report_run {"report":"sales-by-region"}`,
		"运行地区销售报表":                                                               `report_run {"report":"sales-by-region"}`,
		"every month on the 1st at 9:00 run the sales-by-region report":          `schedule_add {"request":"run the saved report sales-by-region","when":"0 9 1 * *"}`,
		"run the sales-by-region report every Monday at 8 and post it to #sales": `schedule_add {"channel":"#sales","request":"run the saved report sales-by-region","when":"0 8 * * MON"}`,
		"每月1号上午9点运行报表地区销售":                                                       `schedule_add {"request":"运行已保存的报表 sales-by-region","when":"0 9 1 * *"}`,
		"run the sales-by-region report but not for Asia":                        ``,
		"don't run the sales-by-region report":                                   ``,
		"sales-by-region":                                                        ``,
		"save this for later":                                                    ``,
		"run the sales-by-region report for September and tell me why":           ``,
	} {
		c := m.reader(llm.Scene{Lang: languageOf(text), Now: november, Zone: "UTC"}, talk{turns: []string{text}})
		var r reading
		got := ""
		if c.savedReport(text, &r) && len(r.ops) == 1 {
			b, err := json.Marshal(r.ops[0].args)
			if err != nil {
				t.Fatal(err)
			}
			got = r.ops[0].name + " " + string(b)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// A saved report is not renamed: one sentence says so, and what to do instead, in both
// languages; other things that are renamed are no reports.
func TestASavedReportIsNotRenamed(t *testing.T) {
	m := New(Vocabulary{Measures: []Term{{Name: "sales", Words: []string{"sales", "销售额"}}}, Reports: func() []Report {
		return []Report{{Name: "sales-by-region", Words: []string{"sales-by-region", "sales by region", "地区销售"}}}
	}})
	for text, want := range map[string]string{
		"rename the report sales-by-region to regional": "save this as report",
		"please rename sales-by-region report to East":  "save this as report",
		"change the name of the report sales-by-region": "save this as report",
		"把报表地区销售改名为大区":                                  "把这个存成报表",
		"请将报告 地区销售 重命名为 大区":                             "把这个存成报表",
		"把频道改名为大区":                                      "",
		"rename the channel":                            "",
	} {
		got := m.Try(TrialInput{Text: text})
		if len(got.Calls) > 0 || (want != "") != strings.Contains(got.Say, cmp.Or(want, "save this as report")) {
			t.Errorf("%q: %s %q, want nothing done and %q", text, show(got.Calls...), got.Say, want)
		}
	}
}
