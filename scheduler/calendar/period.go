package calendar

import "time"

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
func (s Schedule) Period(at time.Time, loc *time.Location) Period {
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
