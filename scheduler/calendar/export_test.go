package calendar

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/teambition/rrule-go"
)

// seededSpec draws an expression; the same seed gives the same ones.
func seededSpec(r *rand.Rand) string {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	minute := pick(fmt.Sprint(r.IntN(60)), "0", "*/20", "5,35", "30")
	hour := pick(fmt.Sprint(r.IntN(24)), "9", "*/6", "8-10", "0,12", "*")
	month := pick("*", "*", "*/3", "1,7", fmt.Sprint(1+r.IntN(12)), "2", "JUN-AUG")
	day, weekday := "*", "*"
	switch r.IntN(4) {
	case 0:
		day = pick(fmt.Sprint(1+r.IntN(31)), "1,15", "L", "L-2", "LW", "1W", "10-12", "29", "31", "1,L")
		if month == "2" {
			day = pick("1", "L", "28", "LW")
		}
	case 1:
		weekday = pick("MON-FRI", "7", "SUN", "SAT,SUN", "MON#1", "FRI#L", "WED#3", "MON#1,MON#3", "FRI-SUN", "2")
	case 2:
		day, weekday = pick("*/2", "*/5"), pick("*", "MON", "MON-FRI")
	}
	return strings.Join([]string{minute, hour, day, month, weekday}, " ")
}

// Issue 6, "Shown by" 2: where no clock changes, a library of recurrence rules gives
// the same times, for 600 seeded expressions written as rules.
func TestNextAgreesWithALibraryOfRules(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 2026))
	compared := 0
	for range 600 {
		spec := seededSpec(r)
		s, err := Parse(spec)
		if err != nil {
			continue // the 31st of June
		}
		after := time.Date(2020+r.IntN(20), time.Month(1+r.IntN(12)), 1+r.IntN(28), r.IntN(24), r.IntN(60), 0, 0, time.UTC)
		lines, ok := s.ICal(after, time.UTC)
		if !ok {
			continue
		}
		compared++
		set, err := rrule.StrToRRuleSet(strings.Join(lines, "\n"))
		if err != nil {
			t.Errorf("%s as %q: %v", spec, lines, err)
			continue
		}
		var got, want []string
		for _, n := range s.NextN(after, time.UTC, 25) {
			got = append(got, n.At.Format(time.RFC3339))
		}
		for next := set.Iterator(); len(want) < len(got); {
			at, ok := next()
			if !ok {
				break
			}
			want = append(want, at.Format(time.RFC3339))
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s after %v, as %q:\n got %v\nwant %v", spec, after, lines, got, want)
		}
		// Read back, the rule is the same schedule.
		back, err := Parse(strings.ReplaceAll(strings.Join(lines, " "), ";TZID=UTC", ""))
		if err != nil {
			t.Errorf("%s as %q is not read back: %v", spec, lines, err)
			continue
		}
		for i, n := range back.NextN(after, time.UTC, len(got)) {
			if n.At.Format(time.RFC3339) != got[i] {
				t.Errorf("%s read back from %q: time %d is %v, want %s", spec, lines, i, n.At, got[i])
				break
			}
		}
	}
	t.Logf("%d expressions compared", compared)
	if compared < 450 {
		t.Errorf("only %d expressions compared", compared)
	}
}

// "RFC 5545 RRULE in and out".
func TestAScheduleAsLinesOfACalendar(t *testing.T) {
	t.Parallel()
	berlin := zone(t, "Europe/Berlin")
	after := time.Date(2026, 11, 3, 10, 0, 0, 0, berlin)
	for spec, want := range map[string]string{
		"0 17 LW * *": "DTSTART;TZID=Europe/Berlin:20261130T170000 RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;BYHOUR=17;BYMINUTE=0",
		"30 8 * * MON-FRI EXDATE:20261225 RDATE:20261219T083000": "DTSTART;TZID=Europe/Berlin:20261104T083000 RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8;BYMINUTE=30 " +
			"EXDATE;TZID=Europe/Berlin:20261225T083000 RDATE;TZID=Europe/Berlin:20261219T083000",
		"RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR DTSTART:20261106T150000 EXDATE:20261120T150000": "DTSTART;TZID=Europe/Berlin:20261106T150000 RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR EXDATE;TZID=Europe/Berlin:20261120T150000",
		"0 9 1 * MON":             "",
		"@every 36h":              "",
		"0 9 * * * | 30 17 * * *": "",
	} {
		lines, ok := MustParse(spec).ICal(after, berlin)
		if got := strings.Join(lines, " "); got != want || ok != (want != "") {
			t.Errorf("%s\n got %s, %v\nwant %s", spec, got, ok, want)
		}
	}
}
