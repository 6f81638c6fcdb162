package phrase

import (
	"strings"
	"testing"
	"time"
)

// From one month, quarter, day or year to another is one span, the latest that has
// begun; two that are set side by side stay two.
func TestPeriodsAt(t *testing.T) {
	now := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"from june to august":          "2026-06-01..2026-08-31",
		"march through may":            "2026-03-01..2026-05-31",
		"march to may 2025":            "2025-03-01..2025-05-31",
		"october 2025 to may":          "2025-10-01..2026-05-31",
		"november to february":         "2025-11-01..2026-02-28",
		"Q1 to Q3":                     "2026-01-01..2026-09-30",
		"from 2023 to 2025":            "2023-01-01..2025-12-31",
		"from 1 October to 15 October": "2026-10-01..2026-10-15",
		"1 to 15 October":              "2026-10-01..2026-10-15",
		"October 1-15, 2025":           "2025-10-01..2025-10-15",
		"since july":                   "2026-07-01..2026-11-02",
		"六月到八月":                        "2026-06-01..2026-08-31",
		"3月至5月":                        "2026-03-01..2026-05-31",
		"一季度到三季度":                      "2026-01-01..2026-09-30",
		"2023年到2025年":                  "2023-01-01..2025-12-31",
		"10月1日到10月15日":                 "2026-10-01..2026-10-15",
		"10月1号到15号":                    "2026-10-01..2026-10-15",
		"2025年10月1日到15日":               "2025-10-01..2025-10-15",
		"七月以来":                         "2026-07-01..2026-11-02",
		"compare march to may":         "month:3 month:5",
		"march and may":                "month:3 month:5",
		"三月和五月":                        "month:3 month:5",
	} {
		var got []string
		for _, m := range PeriodsAt(text, now, time.UTC) {
			got = append(got, m.Range.String())
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("PeriodsAt(%q) = %s, want %s", text, s, want)
		}
	}
}

// What is asked about a day that short months lack has two answers, and both are
// at hand; holidays that are excepted are said to be.
func TestSkip(t *testing.T) {
	now := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	for text, lang := range map[string]string{"every month on the 31st at 9": "en", "每月31号9点": "zh"} {
		r := Read(text, now, time.UTC, lang)
		if r.Kind != Ask || r.Spec.String() != "0 9 L * *" || r.Skip.String() != "0 9 31 * *" {
			t.Errorf("Read(%q) = %s, %s or %s", text, r.Kind, r.Spec, r.Skip)
		}
	}
	for text, want := range map[string]bool{"every day at 9 except holidays": true, "每天9点，节假日除外": true, "除了节假日每天9点": true, "every day at 9": false} {
		if got := Read(text, now, time.UTC, "en").SkipHolidays; got != want {
			t.Errorf("Read(%q).SkipHolidays = %t", text, got)
		}
	}
}
