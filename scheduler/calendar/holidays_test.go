package calendar

import (
	"errors"
	"strings"
	"testing"
	"time"
)

const holidayFile = "\ufeffBEGIN:VCALENDAR\r\nVERSION:2.0\r\n" +
	"BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20261001\r\nDTEND;VALUE=DATE:20261008\r\nSUMMARY:国庆节 假期 第1天/\r\n 共7天\r\nEND:VEVENT\r\n" +
	"BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20261010\r\nDTEND;VALUE=DATE:20261011\r\nSUMMARY:国庆节 补班\r\nEND:VEVENT\r\n" +
	"BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20251225\r\nRRULE:FREQ=YEARLY\r\nSUMMARY:Christmas Day\r\nEND:VEVENT\r\n" +
	"BEGIN:VEVENT\r\nDTSTART:20261231T000000Z\r\nDURATION:P2D\r\nSUMMARY:Company closed\r\nEND:VEVENT\r\n" +
	"BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20261105\r\nSTATUS:CANCELLED\r\nSUMMARY:Moved\r\nEND:VEVENT\r\n" +
	"END:VCALENDAR\r\n"

func holidays(t *testing.T, file string) *Holidays {
	t.Helper()
	h, err := ParseHolidays(strings.NewReader(file), time.Date(2029, 12, 31, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Issue 6, "holiday calendars by iCalendar file, working days".
func TestHolidaysOfAFileAreDaysOffAndDaysWorkedInstead(t *testing.T) {
	t.Parallel()
	h := holidays(t, holidayFile)
	for day, want := range map[string]bool{
		"2026-09-30": true, "2026-10-01": false, "2026-10-07": false, "2026-10-08": true, "2026-10-10": true, "2026-10-11": false,
		"2025-12-25": false, "2028-12-25": false, "2026-11-05": true, "2026-12-31": false,
	} {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		if got := h.Working(at); got != want {
			t.Errorf("working on %s = %v, want %v", day, got, want)
		}
	}
}

func TestAScheduleWithoutHolidays(t *testing.T) {
	t.Parallel()
	h := holidays(t, holidayFile)
	shanghai := zone(t, "Asia/Shanghai")
	from := time.Date(2026, 9, 28, 12, 0, 0, 0, shanghai)
	for spec, want := range map[string]string{
		// A day off is left out, and a Saturday worked instead is in.
		"30 8 * * MON-FRI": "2026-09-29T08:30 2026-09-30T08:30 2026-10-08T08:30 2026-10-09T08:30 2026-10-10T08:30 2026-10-12T08:30",
		"0 9 * * *":        "2026-09-29T09:00 2026-09-30T09:00 2026-10-08T09:00 2026-10-09T09:00 2026-10-10T09:00 2026-10-11T09:00",
		// The last and the first working day of a month move.
		"0 17 LW * *": "2026-09-30T17:00 2026-10-30T17:00 2026-11-30T17:00 2026-12-30T17:00 2027-01-29T17:00 2027-02-26T17:00",
		"0 9 1W * *":  "2026-10-08T09:00 2026-11-02T09:00 2026-12-01T09:00 2027-01-01T09:00 2027-02-01T09:00 2027-03-01T09:00",
		"RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=3 DTSTART:20260901T090000": "2026-10-10T09:00 2026-11-04T09:00 2026-12-03T09:00 2027-01-05T09:00 2027-02-03T09:00 2027-03-03T09:00",
		"RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TH DTSTART:20261001T090000":              "2026-10-15T09:00 2026-10-29T09:00 2026-11-12T09:00 2026-11-26T09:00 2026-12-10T09:00 2026-12-24T09:00",
		"0 9 * * THU | 30 17 * * THU":                                                "2026-10-08T09:00 2026-10-08T17:30 2026-10-15T09:00 2026-10-15T17:30 2026-10-22T09:00 2026-10-22T17:30",
		"CRON_TZ=Asia/Tokyo 0 9 * * MON-FRI":                                         "2026-09-29T09:00 2026-09-30T09:00 2026-10-08T09:00 2026-10-09T09:00 2026-10-10T09:00 2026-10-12T09:00",
	} {
		s, err := MustParse(spec).Without(h, from)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		var got []string
		for _, n := range s.NextN(from, shanghai, 6) {
			got = append(got, n.Nominal)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s (%s)\n got %v\nwant %s", spec, s, got, want)
		}
		again, err := Parse(s.String())
		if err != nil || again.String() != s.String() {
			t.Errorf("Parse(%q) = %q, %v", s, again, err)
		}
	}
}

func TestWhatIsNoCalendarOfHolidaysIsSaid(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"":                               "does not begin",
		"hello":                          "does not begin",
		"BEGIN:VCALENDAR\nEND:VCALENDAR": "has no events",
		"BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:tomorrow\nEND:VEVENT":                      "line 4: DTSTART",
		"BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101\nDTEND:20270101\nEND:VEVENT":      "365 days",
		"BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101\nRRULE:FREQ=SECONDLY\nEND:VEVENT": "within a day",
		"BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260105\nDTEND:20260101\nEND:VEVENT":      "DTEND",
	} {
		_, err := ParseHolidays(strings.NewReader(file), time.Date(2029, 1, 1, 0, 0, 0, 0, time.UTC))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseHolidays(%q) = %v, want %q", file, err, want)
		}
	}
	old := holidays(t, "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20240101\nEND:VEVENT\n")
	if _, err := MustParse("0 9 * * *").Without(old, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)); !errors.Is(err, ErrHolidays) {
		t.Errorf("a calendar that has ended: %v", err)
	}
}

// FuzzParseHolidays holds for every text: nothing panics, and what is read keeps the
// work in bounds.
func FuzzParseHolidays(f *testing.F) {
	f.Add(holidayFile)
	f.Add("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\nEND:VEVENT\n")
	f.Fuzz(func(t *testing.T, file string) {
		h, err := ParseHolidays(strings.NewReader(file), time.Date(2029, 12, 31, 0, 0, 0, 0, time.UTC))
		if err != nil {
			return
		}
		if s, err := MustParse("0 9 * * MON-FRI").Without(h, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)); err == nil {
			s.NextN(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.UTC, 3)
		}
	})
}
