package phrase

import (
	"time"

	"hermes/scheduler/calendar"
)

// shift goes the lengths that were said from now, or from the day said with
// them.
func (m *moment) shift(g gather, now time.Time, dated bool) {
	at := now
	if dated {
		at = m.day
	}
	fine := false
	for _, c := range g.after {
		n := c.n
		if c.part == "ago" {
			n = -n
		}
		switch c.unit {
		case second:
			at, fine = at.Add(time.Duration(n)*time.Second), true
		case calendar.Minute:
			at, fine = at.Add(time.Duration(n)*time.Minute), true
		case calendar.Hour:
			at, fine = at.Add(time.Duration(n)*time.Hour), true
		case calendar.Day:
			at = at.AddDate(0, 0, n)
		case calendar.Week, weekends:
			at = at.AddDate(0, 0, 7*n)
		case fortnight:
			at = at.AddDate(0, 0, 14*n)
		case calendar.Month:
			at = addMonths(at, n)
		case calendar.Quarter:
			at = addMonths(at, 3*n)
		case calendar.HalfYear:
			at = addMonths(at, 6*n)
		case calendar.Year:
			at = addMonths(at, 12*n)
		case workday:
			for n = min(max(n, -1000), 1000); n != 0; {
				step := n / abs(n)
				at = at.AddDate(0, 0, step)
				if workdays&(1<<at.Weekday()) != 0 {
					n -= step
				}
			}
		}
	}
	m.fixed = true
	m.day = midnight(at)
	if g.weekday != nil && g.weekday.n == anyWeek {
		if len(g.after) == 1 && (g.after[0].unit == calendar.Week) {
			m.day = monday(at).AddDate(0, 0, (firstOf(g.weekday.set)+6)%7)
		} else {
			for g.weekday.set&(1<<m.day.Weekday()) == 0 {
				m.day = m.day.AddDate(0, 0, 1)
			}
		}
		return
	}
	if g.clock == nil && g.part == "" && (fine || !dated) {
		m.exact, m.at = true, at
	}
}

// addMonths keeps the day of the month, or takes the last one of a short month.
func addMonths(t time.Time, n int) time.Time {
	n = min(max(n, -12000), 12000)
	first := time.Date(t.Year(), t.Month()+time.Month(n), 1, t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
	return first.AddDate(0, 0, min(t.Day(), daysIn(first.Year(), first.Month()))-1)
}
