package calendar

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A Wednesday in Berlin.
var wednesday = time.Date(2026, 10, 7, 13, 30, 0, 0, time.UTC)

func days(p Period) string {
	return p.From.Format("2006-01-02 15:04") + " to " + p.To.Format("2006-01-02 15:04")
}

// A period in words means these days, from midnight to midnight where it is
// asked.
func TestRangeResolves(t *testing.T) {
	t.Parallel()
	loc := zone(t, "Europe/Berlin")
	for text, want := range map[string][3]string{
		"today":                  {"2026-10-07 00:00 to 2026-10-08 00:00", "7 October 2026", "2026年10月7日"},
		"yesterday":              {"2026-10-06 00:00 to 2026-10-07 00:00", "6 October 2026", "2026年10月6日"},
		"last_month":             {"2026-09-01 00:00 to 2026-10-01 00:00", "September 2026", "2026年9月"},
		"month_before_last":      {"2026-08-01 00:00 to 2026-09-01 00:00", "August 2026", "2026年8月"},
		"this_month":             {"2026-10-01 00:00 to 2026-11-01 00:00", "October 2026", "2026年10月"},
		"months_ago:12":          {"2025-10-01 00:00 to 2025-11-01 00:00", "October 2025", "2025年10月"},
		"last_week":              {"2026-09-28 00:00 to 2026-10-05 00:00", "28 September – 4 October 2026", "2026年9月28日至10月4日"},
		"last_quarter":           {"2026-07-01 00:00 to 2026-10-01 00:00", "Q3 2026", "2026年第3季度"},
		"last_year":              {"2025-01-01 00:00 to 2026-01-01 00:00", "2025", "2025年"},
		"last_7_days":            {"2026-09-30 00:00 to 2026-10-07 00:00", "30 September – 6 October 2026", "2026年9月30日至10月6日"},
		"last_7_days/-1":         {"2026-09-23 00:00 to 2026-09-30 00:00", "23 September – 29 September 2026", "2026年9月23日至9月29日"},
		"last_12_months":         {"2025-10-01 00:00 to 2026-10-01 00:00", "1 October 2025 – 30 September 2026", "2025年10月1日至2026年9月30日"},
		"ytd":                    {"2026-01-01 00:00 to 2026-10-08 00:00", "1 January – 7 October 2026", "2026年1月1日至10月7日"},
		"ytd/-1":                 {"2025-01-01 00:00 to 2025-10-08 00:00", "1 January – 7 October 2025", "2025年1月1日至10月7日"},
		"month:10":               {"2026-10-01 00:00 to 2026-11-01 00:00", "October 2026", "2026年10月"},
		"month:11":               {"2025-11-01 00:00 to 2025-12-01 00:00", "November 2025", "2025年11月"},
		"month:11@-1":            {"2025-11-01 00:00 to 2025-12-01 00:00", "November 2025", "2025年11月"},
		"month:10/-1":            {"2026-09-01 00:00 to 2026-10-01 00:00", "September 2026", "2026年9月"},
		"quarter:4":              {"2026-10-01 00:00 to 2027-01-01 00:00", "Q4 2026", "2026年第4季度"},
		"half_year:1":            {"2026-01-01 00:00 to 2026-07-01 00:00", "H1 2026", "2026年上半年"},
		"weekday:5":              {"2026-10-02 00:00 to 2026-10-03 00:00", "2 October 2026", "2026年10月2日"},
		"day:12-25":              {"2025-12-25 00:00 to 2025-12-26 00:00", "25 December 2025", "2025年12月25日"},
		"2026-10":                {"2026-10-01 00:00 to 2026-11-01 00:00", "October 2026", "2026年10月"},
		"2026-Q3":                {"2026-07-01 00:00 to 2026-10-01 00:00", "Q3 2026", "2026年第3季度"},
		"2026-H2":                {"2026-07-01 00:00 to 2027-01-01 00:00", "H2 2026", "2026年下半年"},
		"2026-W40":               {"2026-09-28 00:00 to 2026-10-05 00:00", "28 September – 4 October 2026", "2026年9月28日至10月4日"},
		"2026":                   {"2026-01-01 00:00 to 2027-01-01 00:00", "2026", "2026年"},
		"2026-10-05":             {"2026-10-05 00:00 to 2026-10-06 00:00", "5 October 2026", "2026年10月5日"},
		"2026-10-01..2026-10-31": {"2026-10-01 00:00 to 2026-11-01 00:00", "October 2026", "2026年10月"},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			r, err := ParseRange(text)
			if err != nil {
				t.Fatalf("ParseRange: %v", err)
			}
			if got := days(r.Resolve(wednesday, loc)); got != want[0] {
				t.Errorf("Resolve = %s, want %s", got, want[0])
			}
			if got := r.Label("en", wednesday, loc); got != want[1] {
				t.Errorf("Label(en) = %q, want %q", got, want[1])
			}
			if got := r.Label("zh-CN", wednesday, loc); got != want[2] {
				t.Errorf("Label(zh) = %q, want %q", got, want[2])
			}
			if again, err := ParseRange(r.String()); err != nil || again != r || r.String() != text {
				t.Errorf("String = %q, read again %v, %v", r.String(), again, err)
			}
			if got := days(r.Fix(wednesday, loc).Resolve(wednesday.AddDate(2, 3, 4), loc)); got != want[0] {
				t.Errorf("Fix resolves later to %s, want %s", got, want[0])
			}
		})
	}
}

// "And the one before?" goes back by the period's own length.
func TestRangeShifts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"last_month": "month_before_last", "this_month": "last_month", "today": "yesterday", "2026-01": "2025-12", "2026-Q1": "2025-Q4", "2026": "2025",
		"2026-H1": "2025-H2", "2026-W01": "2025-W52", "2026-03-01": "2026-02-28", "last_7_days": "last_7_days/-1", "month:10": "month:10/-1",
		"2026-03-01..2026-03-31": "2026-02-01..2026-02-28", "2026-10-05..2026-10-11": "2026-09-28..2026-10-04", "2026-01-01..2026-03-31": "2025-10-01..2025-12-31",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			r, err := ParseRange(text)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Shift(-1).String(); got != want {
				t.Errorf("Shift(-1) = %s, want %s", got, want)
			}
			if got := r.Shift(-1).Shift(1); got != r {
				t.Errorf("Shift(-1).Shift(1) = %v, want %v", got, r)
			}
		})
	}
}

// What is no period is refused, never a panic.
func TestParseRangeRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "last", "last_0_days", "last_-3_days", "last_3_fortnights", "month:13", "quarter:5", "weekday:0", "2026-13", "2026-Q5", "2026-02-30", "day:02-30",
		"2026-10-31..2026-10-01", "months_ago:999999999", "last_month/x", "month:10@x", "2027-W53", "year:3"} {
		if r, err := ParseRange(text); !errors.Is(err, ErrRange) {
			t.Errorf("ParseRange(%q) = %v, %v, want an error", text, r, err)
		}
	}
}

// A period is never empty, and shifting keeps it so.
func TestRangesAreNeverEmpty(t *testing.T) {
	t.Parallel()
	words := []string{"today", "last_month", "this_quarter", "last_7_days", "ytd", "qtd", "month:2", "2024-02-29", "2026-W01", "2026-10-05..2026-10-11", "weekday:7", "day:02-29", "half_year:2@-1", "last_3_half_years"}
	rapid.Check(t, func(t *rapid.T) {
		r, err := ParseRange(rapid.SampledFrom(words).Draw(t, "words"))
		if err != nil {
			t.Fatal(err)
		}
		r = r.Shift(rapid.IntRange(-400, 400).Draw(t, "shift"))
		loc, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		now := time.Unix(rapid.Int64Range(1262304000, 2208988800).Draw(t, "now"), 0)
		if p := r.Resolve(now, loc); !p.From.Before(p.To) {
			t.Fatalf("%v at %v is %s", r, now, days(p))
		}
		if again, err := ParseRange(r.String()); err != nil || again != r {
			t.Fatalf("ParseRange(%q) = %v, %v", r.String(), again, err)
		}
	})
}

// A slot is about the whole round before its own, whenever it is worked on; one that ends
// its round is about that.
func TestPeriodOfASlot(t *testing.T) {
	t.Parallel()
	loc := zone(t, "Europe/Berlin")
	for spec, want := range map[string]string{
		"0 9 1 * *":                       "2026-09-01 00:00 to 2026-10-01 00:00",
		"0 9 LW * *":                      "2026-10-01 00:00 to 2026-11-01 00:00",
		"0 9 L-2 * *":                     "2026-10-01 00:00 to 2026-11-01 00:00",
		"0 9 * * FRI#L":                   "2026-10-01 00:00 to 2026-11-01 00:00",
		"0 17 LW 3,6,9,12 *":              "2026-10-01 00:00 to 2027-01-01 00:00",
		"0 9 1,L * *":                     "2026-09-01 00:00 to 2026-10-01 00:00",
		"0 9 28 * *":                      "2026-09-01 00:00 to 2026-10-01 00:00",
		"CRON_TZ=Asia/Shanghai 0 9 L * *": "2026-10-01 00:00 to 2026-11-01 00:00",
		"RRULE:FREQ=MONTHLY;BYMONTHDAY=-1 DTSTART:20261031T090000": "2026-10-01 00:00 to 2026-11-01 00:00",
		"0 9 * * MON#1":           "2026-09-01 00:00 to 2026-10-01 00:00",
		"0 9 * * MON":             "2026-09-28 00:00 to 2026-10-05 00:00",
		"0 9 * * MON,WED":         "2026-09-28 00:00 to 2026-10-05 00:00",
		"30 8 * * MON-FRI":        "2026-10-06 00:00 to 2026-10-07 00:00",
		"0 9 * * *":               "2026-10-06 00:00 to 2026-10-07 00:00",
		"0 * * * *":               "2026-10-07 14:00 to 2026-10-07 15:00",
		"0 9 1 1,4,7,10 *":        "2026-07-01 00:00 to 2026-10-01 00:00",
		"0 9 1 */3 *":             "2026-07-01 00:00 to 2026-10-01 00:00",
		"0 9 5 1 *":               "2025-01-01 00:00 to 2026-01-01 00:00",
		"@every 48h":              "2026-10-05 00:00 to 2026-10-07 00:00",
		"@once 2026-10-07T15:30":  "2026-10-06 00:00 to 2026-10-07 00:00",
		"0 9 * * * | 30 17 * * *": "2026-10-06 00:00 to 2026-10-07 00:00",
		"RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=WE DTSTART:20261007T153000":      "2026-09-21 00:00 to 2026-10-05 00:00",
		"RRULE:FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=7 DTSTART:20261007T153000": "2026-07-01 00:00 to 2026-10-01 00:00",
	} {
		t.Run("C26 "+spec, func(t *testing.T) {
			t.Parallel()
			if got := days(MustParse(spec).Period(wednesday, loc)); got != want {
				t.Errorf("Period = %s, want %s", got, want)
			}
		})
	}
}

// Beyond a zone's table the standard library's bound of an offset can lie
// behind the time asked for; an hourly schedule stood still there.
func TestHourlyRunsThroughTheEndOfALeapYear(t *testing.T) {
	t.Parallel()
	loc := zone(t, "America/New_York")
	at := time.Date(2040, 12, 30, 12, 0, 0, 0, loc)
	for range 72 {
		next, ok := MustParse("0 * * * *").Next(at, loc)
		if !ok || next.At.Sub(at) != time.Hour {
			t.Fatalf("Next(%v) = %v, %v", at, next.At, ok)
		}
		at = next.At
	}
}
