package calendar

import (
	"regexp"
	"strings"
	"time"
)

// A Unit is a length of the calendar.
type Unit string

// The units, from short to long.
const (
	Minute   Unit = "minute"
	Hour     Unit = "hour"
	Day      Unit = "day"
	Week     Unit = "week"
	Month    Unit = "month"
	Quarter  Unit = "quarter"
	HalfYear Unit = "half_year"
	Year     Unit = "year"
)

// A Period is from an instant up to, and without, another.
type Period struct{ From, To time.Time }

// Contains says whether t is in p.
func (p Period) Contains(t time.Time) bool { return !t.Before(p.From) && t.Before(p.To) }

// Cycle is what one round of the schedule is called, such as 1 month or 2
// weeks.
func (s Schedule) Cycle() (Unit, int) {
	if s.plan == nil {
		return Day, 1
	}
	return s.plan.cycle()
}

// Period is what a slot of the schedule is about when nobody says otherwise:
// the whole round before the slot's own. A monthly slot is about the month
// before, a weekly one about Monday to Sunday before, a daily one about
// yesterday. At is the slot's own time, not the time it is worked on: a slot of
// 1 October is about September on the 3rd too.
//
// One of a schedule that ends its rounds is about its own: whoever wants a report on
// the last working day of October wants October's, since on 30 October that of
// September is four weeks old.
func (s Schedule) Period(at time.Time, loc *time.Location) Period {
	if s.AtEnd() {
		return s.Round(at, loc)
	}
	return s.Before(at, loc)
}

// AtEnd reports whether the times of a schedule are counted from the end of its months:
// the last day, the last working day, the last Friday, two days before the last.
func (s Schedule) AtEnd() bool {
	if s.plan == nil || s.Once() {
		return false
	}
	if unit, _ := s.Cycle(); unit != Month && unit != Quarter && unit != HalfYear && unit != Year {
		return false
	}
	text := s.spec
	if rest, ok := strings.CutPrefix(text, "CRON_TZ="); ok {
		_, text, _ = strings.Cut(rest, " ")
	}
	if strings.Contains(text, "RRULE:") {
		return fromEnd.MatchString(text)
	}
	for _, one := range strings.Split(text, "|") {
		f := strings.Fields(one)
		for len(f) > 0 && (strings.HasPrefix(f[len(f)-1], "EXDATE:") || strings.HasPrefix(f[len(f)-1], "RDATE:")) {
			f = f[:len(f)-1]
		}
		if len(f) < 5 {
			return false
		}
		days, weekdays := f[len(f)-3], f[len(f)-1]
		if !countedBack.MatchString(days) && !strings.HasSuffix(weekdays, "#L") {
			return false
		}
	}
	return true
}

var (
	countedBack = regexp.MustCompile(`^L(?:W|-\d+)?$`)
	fromEnd     = regexp.MustCompile(`BYMONTHDAY=-\d+(?:;|\s|$)|BYSETPOS=-1\b|BYDAY=-1[A-Z]{2}(?:;|\s|$)`)
)

// Round is the round that a slot is in: its month, its quarter. Of schedules by hours and
// days it is Before.
func (s Schedule) Round(at time.Time, loc *time.Location) Period {
	before := s.Before(at, loc)
	unit, n := s.Cycle()
	if _, every := s.plan.(everyPlan); every || unit == Hour || unit == Minute || unit == Day {
		return before
	}
	if s.zone != nil {
		loc = s.zone
	}
	if loc == nil {
		loc = time.UTC
	}
	from := floor(wallOf(at, loc), unit)
	return place(step(from, unit, 1-n), step(from, unit, 1), loc)
}

// Before is the whole round before that of a slot.
func (s Schedule) Before(at time.Time, loc *time.Location) Period {
	if s.zone != nil {
		loc = s.zone
	}
	if loc == nil {
		loc = time.UTC
	}
	unit, n := s.Cycle()
	if every, ok := s.plan.(everyPlan); ok {
		if every.every%(24*time.Hour) != 0 {
			return Period{From: at.Add(-every.every).In(loc), To: at.In(loc)}
		}
		unit, n = Day, int(every.every/(24*time.Hour))
	}
	if unit == Hour || unit == Minute {
		to := at.Truncate(time.Hour)
		return Period{From: to.Add(-time.Hour).In(loc), To: to.In(loc)}
	}
	to := floor(wallOf(at, loc), unit)
	return place(step(to, unit, -n), to, loc)
}

// floor is the start of the unit that a wall time is in; weeks start on Monday.
func floor(wall time.Time, unit Unit) time.Time {
	year, month, day := wall.Date()
	switch unit {
	case Week:
		day -= (int(wall.Weekday()) + 6) % 7
	case Month:
		day = 1
	case Quarter:
		month, day = (month-1)/3*3+1, 1
	case HalfYear:
		month, day = (month-1)/6*6+1, 1
	case Year:
		month, day = 1, 1
	}
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// step goes n units on from the start of one.
func step(start time.Time, unit Unit, n int) time.Time {
	switch unit {
	case Week:
		return start.AddDate(0, 0, 7*n)
	case Month:
		return start.AddDate(0, n, 0)
	case Quarter:
		return start.AddDate(0, 3*n, 0)
	case HalfYear:
		return start.AddDate(0, 6*n, 0)
	case Year:
		return start.AddDate(n, 0, 0)
	default:
		return start.AddDate(0, 0, n)
	}
}

// place lays a period of the wall on a zone. A day that starts in a gap starts
// behind it.
func place(from, to time.Time, loc *time.Location) Period {
	return Period{From: dayStart(from, loc), To: dayStart(to, loc)}
}

func dayStart(day time.Time, loc *time.Location) time.Time {
	at, ok := instant(day, loc)
	for !ok {
		day = day.AddDate(0, 0, 1)
		at, ok = instant(day, loc)
	}
	return at
}
