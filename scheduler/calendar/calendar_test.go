package calendar

import (
	"errors"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatalf("LoadLocation: %v", err)
	}
	return loc
}

// times writes what NextN gives as instants with offsets.
func times(s Schedule, after time.Time, loc *time.Location, n int) []string {
	var got []string
	for _, next := range s.NextN(after, loc, n) {
		got = append(got, next.At.Format("2006-01-02T15:04:05-07:00"))
	}
	return got
}

// What people write is read, and written back so that it reads the same.
func TestParseAcceptsWhatPeopleWrite(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string]string{
		"0 9 1 * *":                              "0 9 1 * *",
		"  0  9 1 *  * ":                         "0 9 1 * *",
		"0 0 9 1 * ?":                            "0 9 1 * *",
		"30 8 * * mon-fri":                       "30 8 * * MON-FRI",
		"0 9 * * 7":                              "0 9 * * 7",
		"0 9 * * 5-7":                            "0 9 * * 5-7",
		"0 9 L * *":                              "0 9 L * *",
		"0 9 LW,15 * *":                          "0 9 LW,15 * *",
		"0 9 15w * *":                            "0 9 15W * *",
		"0 9 * * mon#1":                          "0 9 * * MON#1",
		"0 9 * * 5L":                             "0 9 * * 5L",
		"@daily":                                 "0 0 * * *",
		"@Quarterly":                             "0 0 1 */3 *",
		"@every 36h":                             "@every 36h",
		"@every 90m":                             "@every 1h30m",
		"@once 2026-12-01T09:00":                 "@once 2026-12-01T09:00",
		"@once 2026-11-01T01:10-05:00":           "@once 2026-11-01T01:10-05:00",
		"CRON_TZ=America/New_York 0 9 * * *":     "CRON_TZ=America/New_York 0 9 * * *",
		"TZ=America/New_York 0 0 9 * * ?":        "CRON_TZ=America/New_York 0 9 * * *",
		"@every 36h from 2026-01-01T09:00Z":      "@every 36h from 2026-01-01T09:00Z",
		"15/35 20-35/15 * * * *":                 "15/35 20-35/15 * * * *",
		"RRULE:FREQ=DAILY DTSTART:20260101T0900": "",
		"rrule:freq=weekly;interval=2;byday=fr\ndtstart:20260102T090000": "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR DTSTART:20260102T090000",
		"DTSTART;TZID=Europe/Berlin:20260101T090000\nRRULE:FREQ=DAILY":   "CRON_TZ=Europe/Berlin RRULE:FREQ=DAILY DTSTART:20260101T090000",
	} {
		t.Run("C15 "+spec, func(t *testing.T) {
			t.Parallel()
			s, err := Parse(spec)
			if want == "" {
				if err == nil {
					t.Errorf("Parse = %v, want an error", s)
				}
				return
			}
			if err != nil {
				t.Fatalf("Parse: %v", err)
			}
			if got := s.String(); got != want {
				t.Errorf("String = %q, want %q", got, want)
			}
			again, err := Parse(s.String())
			if err != nil || again.String() != s.String() {
				t.Errorf("Parse(String) = %v, %v", again, err)
			}
		})
	}
}

// What can never run, or would run the machine hot, is refused in words that
// say what to do. The parser of the library panics on the bare zones.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ spec, want string }{
		"C11 30 February":             {"0 9 30 2 *", "no such day"},
		"C11 31 of short months":      {"0 9 31 4,6,9,11 *", "no such day"},
		"C11 30 February as a rule":   {"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30 DTSTART:20260101T090000", "no such day"},
		"C11 daily rule of no day":    {"RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30 DTSTART:20260101T090000", "no such day"},
		"fence zone alone":            {"TZ=UTC", "behind it"},
		"fence cron zone alone":       {"CRON_TZ=", "behind it"},
		"fence empty zone":            {"TZ=", "behind it"},
		"fence empty zone and fields": {"TZ= 0 9 * * *", "behind it"},
		"fence zone within a field":   {"TZ=UTC 9 * * TZ=", "weekday"},
		"unknown zone":                {"CRON_TZ=Mars/Olympus 0 9 * * *", "no zone"},
		"the machine's zone":          {"CRON_TZ=Local 0 9 * * *", "no zone"},
		"floor zero":                  {"@every 0s", "too often"},
		"floor negative":              {"@every -1h", "too often"},
		"floor nanosecond":            {"@every 1ns", "too often"},
		"every never":                 {"@every 80000h", "five years"},
		"every second":                {"* * * * * *", "too often"},
		"every half minute":           {"0/30 * * * * *", "too often"},
		"empty":                       {"  ", "empty"},
		"four fields":                 {"* * * *", "expected 5 to 6 fields"},
		"a year field":                {"0 0 9 1 1 ? 2027", "found 7"},
		"an unknown name":             {"@fortnightly", "unknown name"},
		"bare L as weekday":           {"0 9 * * L", "FRI#L"},
		"sixth Monday":                {"0 9 * * MON#6", "1 to 5"},
		"a hole in a list":            {"0 9 1,,3 * *", "commas"},
		"only a comma":                {"0 9 , * *", "commas"},
		"names the field":             {"0 25 * * *", "hour field"},
		"words":                       {"every monday", "found 2"},
		"rule within a day":           {"RRULE:FREQ=SECONDLY DTSTART:20260101T090000", "@every"},
		"rule without start":          {"RRULE:FREQ=DAILY", "DTSTART"},
		"huge interval":               {"RRULE:FREQ=DAILY;INTERVAL=999999999999 DTSTART:20260101T090000", "INTERVAL"},
		"once without time":           {"@once tomorrow", "2026-12-01T09:00"},
		"too long":                    {strings.Repeat("0 ", 5000), "longer"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := Parse(tt.spec)
			if !errors.Is(err, ErrSchedule) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Parse = %v, %v, want an error with %q", s, err, tt.want)
			}
		})
	}
}

// Each nominal time is one slot of its day: in a gap right behind it, in an
// overlap the first.
func TestNextWhenClocksChange(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		spec, zone, after string
		want              []string
	}{
		"C9 New York spring: a time in the gap runs behind it": {
			"30 2 * * *", "America/New_York", "2026-03-07T12:00:00-05:00",
			[]string{"2026-03-08T03:00:00-04:00", "2026-03-09T02:30:00-04:00"},
		},
		"C9 New York autumn: a time that comes twice runs once": {
			"30 1 * * *", "America/New_York", "2026-10-31T12:00:00-04:00",
			[]string{"2026-11-01T01:30:00-04:00", "2026-11-02T01:30:00-05:00"},
		},
		"C9 New York: a monthly report on the day of the change is one": {
			"30 1 1 * *", "America/New_York", "2026-10-31T12:00:00-04:00",
			[]string{"2026-11-01T01:30:00-04:00", "2026-12-01T01:30:00-05:00"},
		},
		"C9 Chicago: a monthly report on the day of the change is one": {
			"0 1 1 * *", "America/Chicago", "2026-10-31T12:00:00-05:00",
			[]string{"2026-11-01T01:00:00-05:00", "2026-12-01T01:00:00-06:00"},
		},
		"C9 Havana: midnight that comes twice runs once": {
			"0 0 1 * *", "America/Havana", "2026-10-31T12:00:00-04:00",
			[]string{"2026-11-01T00:00:00-04:00", "2026-12-01T00:00:00-05:00"},
		},
		"C9 Asuncion: a monthly report in the gap does not vanish": {
			"0 0 1 * *", "America/Asuncion", "2023-09-15T12:00:00-04:00",
			[]string{"2023-10-01T01:00:00-03:00", "2023-11-01T00:00:00-03:00"},
		},
		"C9 Lord Howe: a gap of half an hour": {
			"0 2 1 * *", "Australia/Lord_Howe", "2023-09-15T12:00:00+10:30",
			[]string{"2023-10-01T02:30:00+11:00", "2023-11-01T02:00:00+11:00"},
		},
		"C9 London spring": {
			"30 1 * * *", "Europe/London", "2026-03-28T12:00:00+00:00",
			[]string{"2026-03-29T02:00:00+01:00", "2026-03-30T01:30:00+01:00"},
		},
		"C9 Cairo: midnight in the gap": {
			"0 0 * * *", "Africa/Cairo", "2026-04-23T12:00:00+02:00",
			[]string{"2026-04-24T01:00:00+03:00", "2026-04-25T00:00:00+03:00"},
		},
		"C9 Sao Paulo: midnight in the gap": {
			"0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00-03:00",
			[]string{"2018-11-04T01:00:00-02:00", "2018-11-05T00:00:00-02:00"},
		},
		"C9 Apia: a day that does not exist has none": {
			"0 9 * * *", "Pacific/Apia", "2011-12-29T08:00:00-10:00",
			[]string{"2011-12-29T09:00:00-10:00", "2011-12-31T09:00:00+14:00"},
		},
		"C9 every hour counts real hours in autumn": {
			"0 * * * *", "America/New_York", "2026-11-01T00:30:00-04:00",
			[]string{"2026-11-01T01:00:00-04:00", "2026-11-01T01:00:00-05:00", "2026-11-01T02:00:00-05:00"},
		},
		"C9 every hour counts real hours in spring": {
			"0 * * * *", "America/New_York", "2026-03-08T00:30:00-05:00",
			[]string{"2026-03-08T01:00:00-05:00", "2026-03-08T03:00:00-04:00"},
		},
		"C9 0-23 is every hour": {
			"0 0-23 * * *", "America/New_York", "2026-11-01T00:30:00-04:00",
			[]string{"2026-11-01T01:00:00-04:00", "2026-11-01T01:00:00-05:00"},
		},
		"C9 every second hour is wall time": {
			"0 */2 * * *", "America/New_York", "2026-03-08T00:30:00-05:00",
			[]string{"2026-03-08T03:00:00-04:00", "2026-03-08T04:00:00-04:00"},
		},
		"C9 two nominal times of one instant are one slot": {
			"0 2,3 * * *", "America/New_York", "2026-03-08T00:30:00-05:00",
			[]string{"2026-03-08T03:00:00-04:00", "2026-03-09T02:00:00-04:00"},
		},
		"C9 asked between the two: the first has been": {
			"30 1 * * *", "America/New_York", "2026-11-01T01:10:00-05:00",
			[]string{"2026-11-02T01:30:00-05:00"},
		},
		"C9 a rule keeps the wall clock": {
			"RRULE:FREQ=DAILY;INTERVAL=2 DTSTART:20260306T023000", "America/New_York", "2026-03-07T12:00:00-05:00",
			[]string{"2026-03-08T03:00:00-04:00", "2026-03-10T02:30:00-04:00"},
		},
		"C9 an interval is real time": {
			"@every 24h from 2026-03-07T14:00Z", "America/New_York", "2026-03-07T08:00:00-05:00",
			[]string{"2026-03-07T09:00:00-05:00", "2026-03-08T10:00:00-04:00"},
		},
		"C9 once in the gap": {
			"@once 2026-03-08T02:30", "America/New_York", "2026-03-08T00:30:00-05:00",
			[]string{"2026-03-08T03:00:00-04:00"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			after, err := time.Parse(time.RFC3339, tt.after)
			if err != nil {
				t.Fatal(err)
			}
			got := times(MustParse(tt.spec), after, zone(t, tt.zone), len(tt.want))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("NextN (-want +got):\n%s", diff)
			}
		})
	}
}

// Days that people name and sets of numbers cannot say.
func TestNextOnDaysOfTheMonth(t *testing.T) {
	t.Parallel()
	after := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct{ spec, want string }{
		"C10 31st skips short months":         {"0 9 31 * *", "01-31 03-31 05-31 07-31 08-31 10-31 12-31"},
		"C10 last day has all months":         {"0 9 L * *", "01-31 02-28 03-31 04-30 05-31 06-30 07-31"},
		"C10 last working day":                {"0 9 LW * *", "01-30 02-27 03-31 04-30 05-29 06-30 07-31"},
		"C10 two days before the end":         {"0 9 L-2 * *", "01-29 02-26 03-29 04-28"},
		"C10 working day nearest to the 1st":  {"0 9 1W * *", "01-01 02-02 03-02 04-01 05-01 06-01 07-01 08-03"},
		"C10 working day nearest to the 15th": {"0 9 15W * *", "01-15 02-16 03-16 04-15 05-15"},
		"first Monday is not the OR rule":     {"0 9 * * MON#1", "01-05 02-02 03-02 04-06"},
		"the OR rule stays cron's":            {"0 9 1-2 * 1", "01-01 01-02 01-05 01-12"},
		"last Friday":                         {"0 9 * * FRI#L", "01-30 02-27 03-27"},
		"last Friday as others write it":      {"0 9 * * 5L", "01-30 02-27 03-27"},
		"7 is Sunday":                         {"0 9 * * 7", "01-04 01-11"},
		"a range to 7":                        {"0 9 * * 6-7", "01-03 01-04 01-10"},
		"the 15th and the last":               {"0 9 15,L * *", "01-15 01-31 02-15 02-28"},
		"quarterly":                           {"0 9 1 */3 *", "01-01 04-01 07-01 10-01"},
		"every other Friday":                  {"RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR DTSTART:20260102T090000", "01-02 01-16 01-30"},
		"every 3 days until":                  {"RRULE:FREQ=DAILY;INTERVAL=3;UNTIL=20260108 DTSTART:20260102T090000", "01-02 01-05 01-08"},
		"without the days named":              {"RRULE:FREQ=DAILY;COUNT=4 DTSTART:20260102T090000 EXDATE:20260103,20260104T090000", "01-02 01-05"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, next := range MustParse(tt.spec).NextN(after, time.UTC, strings.Count(tt.want, " ")+1) {
				got = append(got, next.At.Format("01-02"))
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("NextN = %s, want %s", got, tt.want)
			}
		})
	}
}

// A slot's key needs a nominal time that no other slot of the job has.
func TestNominalIsUnique(t *testing.T) {
	t.Parallel()
	after, _ := time.Parse(time.RFC3339, "2026-11-01T00:00:00-04:00")
	got := map[string]bool{}
	for _, next := range MustParse("*/15 * * * *").NextN(after, zone(t, "America/New_York"), 40) {
		if got[next.Nominal] {
			t.Errorf("%s comes twice", next.Nominal)
		}
		got[next.Nominal] = true
	}
	if !got["2026-11-01T01:15"] || !got["2026-11-01T01:15-05:00"] {
		t.Errorf("nominal times are %v", got)
	}
}

// C11 A weekday that February has five of only in some leap years is rare, not
// impossible: no search ends before it comes round.
func TestC11FifthWeekdayOfFebruary(t *testing.T) {
	t.Parallel()
	for spec, years := range map[string][2]int{
		"0 9 * 2 MON#5": {2072, 2112}, "0 9 * 2 TUE#5": {2028, 2056}, "0 9 * 2 WED#5": {2012, 2040},
	} {
		s, err := Parse(spec)
		if err != nil {
			t.Errorf("Parse(%q): %v", spec, err)
			continue
		}
		for next, after := range map[int]int{years[0]: years[0] - 28, years[1]: years[0]} {
			at := time.Date(after, time.February, 29, 9, 0, 0, 0, time.UTC)
			want := time.Date(next, time.February, 29, 9, 0, 0, 0, time.UTC)
			if got, ok := s.Next(at, time.UTC); !ok || !got.At.Equal(want) {
				t.Errorf("%s: after %v comes %v, %t; want %v", spec, at, got.At, ok, want)
			}
		}
	}
}

// zones with every kind of change.
var zones = []string{
	"UTC", "America/New_York", "Europe/London", "Africa/Cairo", "America/Sao_Paulo", "Australia/Lord_Howe",
	"America/Havana", "America/Asuncion", "America/Chicago", "Pacific/Apia", "Asia/Shanghai", "Africa/Casablanca", "Europe/Berlin",
}

func anySpec(t *rapid.T) string {
	field := func(lo, hi int) string {
		switch rapid.IntRange(0, 4).Draw(t, "form") {
		case 0:
			return "*"
		case 1:
			return "*/" + rapid.StringMatching("[1-9]").Draw(t, "step")
		default:
			return itoa(rapid.IntRange(lo, hi).Draw(t, "value"))
		}
	}
	day := field(1, 31)
	if rapid.IntRange(0, 3).Draw(t, "last") == 0 {
		day = rapid.SampledFrom([]string{"L", "LW", "15W", "L-1", "1,L"}).Draw(t, "day")
	}
	weekday := field(0, 7)
	if rapid.IntRange(0, 3).Draw(t, "nth") == 0 {
		weekday = rapid.SampledFrom([]string{"MON#1", "FRI#L", "2#5", "SUN#2"}).Draw(t, "weekday")
	}
	return strings.Join([]string{field(0, 59), field(0, 23), day, field(1, 12), weekday}, " ")
}

// Next is strictly after, the same again, and never skips a time that it gives
// when asked a little earlier or later.
func TestNextIsStrictlyAfterAndSteady(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, err := Parse(anySpec(t))
		if err != nil {
			t.Skip("refused")
		}
		loc, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		after := time.Unix(rapid.Int64Range(1262304000, 2208988800).Draw(t, "after"), 0)
		next, ok := s.Next(after, loc)
		if !ok {
			t.Fatalf("%v has no next after %v", s, after)
		}
		if !next.At.After(after) {
			t.Fatalf("%v: Next(%v) = %v, not after", s, after, next.At)
		}
		between := after.Add(time.Duration(rapid.Int64Range(0, int64(next.At.Sub(after))-1).Draw(t, "between")))
		if again, _ := s.Next(between, loc); again != next {
			t.Fatalf("%v: Next(%v) = %v, but Next(%v) = %v", s, after, next, between, again)
		}
	})
}

// Whatever a model writes, Parse gives a Schedule or an error.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"0 9 1 * *", "@every 36h", "TZ=UTC", "CRON_TZ=", "TZ=", "@once 2026-12-01T09:00", "0 9 LW * MON#1", "*/0 * * * *", "@every",
		"RRULE:FREQ=MONTHLY;BYDAY=-1FR DTSTART:20260101T090000 EXDATE:20260102", "RRULE:FREQ=YEARLY;BYWEEKNO=53;BYSETPOS=-1 DTSTART:20260101T090000",
	} {
		f.Add(seed)
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, spec string) {
		s, err := Parse(spec)
		if err != nil {
			return
		}
		again, err := Parse(s.String())
		if err != nil || again.String() != s.String() {
			t.Fatalf("Parse(%q).String() = %q, read again: %v, %v", spec, s, again, err)
		}
		last := now
		for _, next := range s.NextN(now, time.UTC, 3) {
			if !next.At.After(last) {
				t.Fatalf("%q: %v is not after %v", spec, next.At, last)
			}
			last = next.At
		}
		s.Period(now, time.UTC)
	})
}
