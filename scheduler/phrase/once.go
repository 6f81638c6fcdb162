package phrase

import (
	"time"

	"hermes/scheduler/calendar"
)

// A moment is what a run of chunks says about one time, on the wall.
type moment struct {
	day    time.Time // midnight
	exact  bool      // a length from now: carries its own time
	at     time.Time // of an exact one
	fixed  bool      // cannot be meant of a later year, month or week
	unit   calendar.Unit
	clock  *clock
	part   string
	end    bool // the end of the day
	vague  bool // only a month, a year, a week: no day was said
	turned bool // of next year, because this year's passed a shorter while ago
	nearer bool // a weekday without a week, whose last one is nearer than the coming
	chunks int
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

func monday(t time.Time) time.Time {
	return midnight(t).AddDate(0, 0, -((int(t.Weekday()) + 6) % 7))
}

func daysIn(year int, month time.Month) int {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// behind says whether a day is over for the purpose of this moment.
func (m moment) behind(day time.Time, now time.Time) bool {
	m.day, m.exact = day, false
	return m.wall(now).Before(now.Truncate(time.Minute))
}

func (g gather) feastDay(now time.Time, past func(time.Time) bool) (time.Time, bool) {
	year := g.year
	if year == 0 {
		for _, u := range g.units {
			if u.unit == calendar.Year && !u.weak {
				year = now.Year() + u.n
			}
		}
	}
	if year != 0 {
		return g.feast.on(year), true
	}
	day := g.feast.on(now.Year())
	if past(day) {
		day = g.feast.on(now.Year() + 1)
	}
	return day, false
}

// monthDay is a month with or without a day and a year.
func (m *moment) monthDay(g gather, now time.Time, past func(time.Time) bool) bool {
	day := 1
	if len(g.days) > 0 {
		day = g.days[0]
	} else {
		m.vague = true
	}
	year := g.year
	for _, u := range g.units {
		if u.unit == calendar.Year && !u.weak {
			year = now.Year() + u.n
		}
	}
	on := func(year int) (time.Time, bool) {
		d := day
		if d < 0 {
			d = daysIn(year, time.Month(g.month))
		}
		t := time.Date(year, time.Month(g.month), d, 0, 0, 0, 0, time.UTC)
		return t, t.Day() == d
	}
	if year != 0 {
		var ok bool
		m.day, ok = on(year)
		m.fixed = true
		return ok
	}
	last := time.Time{}
	for year = now.Year(); year <= now.Year()+8; year++ {
		t, ok := on(year)
		if ok && !past(t) {
			m.day = t
			m.turned = !last.IsZero() && now.Sub(last) < t.Sub(now)
			return true
		}
		if ok {
			last = t
		}
	}
	return false
}

// ordinalDay is "the second Friday in February", "the last working day of this
// month".
func (m *moment) ordinalDay(g gather, now time.Time, past func(time.Time) bool) bool {
	year, month, given := now.Year(), now.Month(), false
	if g.month > 0 {
		month = time.Month(g.month)
	}
	if g.year > 0 {
		year, given = g.year, true
	}
	for _, u := range g.units {
		if u.unit == calendar.Month && !u.weak {
			t := time.Date(year, month+time.Month(u.n), 1, 0, 0, 0, 0, time.UTC)
			year, month, given = t.Year(), t.Month(), true
		}
	}
	if g.month == 0 && g.year == 0 {
		// "the first Sunday" is this month's; when it is over, that is asked.
		given = true
	}
	n := g.ordinals[0]
	for range 14 {
		var day time.Time
		ok := true
		if g.workday {
			day = workdayOf(year, month, n)
		} else {
			day, ok = nthWeekday(year, month, n, firstOf(g.weekday.set))
		}
		if ok && (given || !past(day)) {
			m.day, m.fixed = day, given
			return true
		}
		if given {
			return false
		}
		if g.month > 0 {
			year++
		} else {
			t := time.Date(year, month+1, 1, 0, 0, 0, 0, time.UTC)
			year, month = t.Year(), t.Month()
		}
	}
	return false
}

func firstOf(set weekdays) int {
	for _, day := range []int{1, 2, 3, 4, 5, 6, 0} {
		if set&(1<<day) != 0 {
			return day
		}
	}
	return 1
}

func nthWeekday(year int, month time.Month, n, weekday int) (time.Time, bool) {
	f := feast{month: int(month), nth: n, weekday: weekday}
	if n == 0 || n > 5 {
		return time.Time{}, false
	}
	day := f.on(year)
	return day, day.Month() == month
}

// workdayOf is the nth, or for -1 the last, day from Monday to Friday.
func workdayOf(year int, month time.Month, n int) time.Time {
	day, step := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC), 1
	if n < 0 {
		day, step = time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC), -1
	}
	for n = abs(n); ; day = day.AddDate(0, 0, step) {
		if workdays&(1<<day.Weekday()) != 0 {
			if n--; n <= 0 {
				return day
			}
		}
	}
}

// dayOf is a day of this, of another or of the next month that has it.
func (m *moment) dayOf(g gather, now time.Time, past func(time.Time) bool) bool {
	d := g.days[0]
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	on := func(month time.Time) (time.Time, bool) {
		last := daysIn(month.Year(), month.Month())
		if d < 0 {
			return month.AddDate(0, 0, last-1), true
		}
		return month.AddDate(0, 0, d-1), d <= last
	}
	for _, u := range g.units {
		if (u.unit == calendar.Month || u.unit == calendar.Year) && !u.weak {
			m.fixed = true
			if u.unit == calendar.Year {
				month = month.AddDate(u.n, 0, 0)
			} else {
				month = month.AddDate(0, u.n, 0)
			}
		}
	}
	if m.fixed {
		var ok bool
		m.day, ok = on(month)
		return ok
	}
	for range 14 {
		if t, ok := on(month); ok && !past(t) {
			m.day = t
			return true
		}
		month = month.AddDate(0, 1, 0)
	}
	return false
}

// weekdayAndDay is "Monday the 21st": the next day that is both.
func (m *moment) weekdayAndDay(g gather, past func(time.Time) bool) bool {
	day := m.day
	for range 366 * 8 {
		if day.Day() == g.days[0] && g.weekday.set&(1<<day.Weekday()) != 0 && !past(day) {
			m.day = day
			return true
		}
		day = day.AddDate(0, 0, 1)
	}
	return false
}

func (m *moment) edgeDay(g gather, today time.Time) {
	unit, n := g.edge.unit, g.edge.n
	for _, u := range g.units {
		if !u.weak {
			n, unit = u.n, u.unit
			m.fixed = true
		}
	}
	m.day = edge(today, unit, n, g.edge.kind == cEnd)
	if m.day.Before(today) && !m.fixed {
		m.day = edge(today, unit, n+1, g.edge.kind == cEnd)
	}
}

// edge is the first or the last day of the unit n from the current one.
func edge(today time.Time, unit calendar.Unit, n int, end bool) time.Time {
	first := today
	switch unit {
	case calendar.Week:
		first = monday(today).AddDate(0, 0, 7*n)
		if end {
			return first.AddDate(0, 0, 4)
		}
		return first
	case calendar.Quarter:
		first = time.Date(today.Year(), (today.Month()-1)/3*3+1+time.Month(3*n), 1, 0, 0, 0, 0, time.UTC)
		if end {
			return first.AddDate(0, 3, -1)
		}
	case calendar.Year:
		first = time.Date(today.Year()+n, 1, 1, 0, 0, 0, 0, time.UTC)
		if end {
			return first.AddDate(1, 0, -1)
		}
	default:
		first = time.Date(today.Year(), today.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
		if end {
			return first.AddDate(0, 1, -1)
		}
	}
	return first
}

// weekdayOf is the day that "Friday", "this Friday", "next Friday" and "Friday
// of next week" mean. Weeks start on Monday.
func (m *moment) weekdayOf(g gather, now time.Time, past func(time.Time) bool) {
	c := *g.weekday
	week, strict := c.n, c.part == "week"
	for _, u := range g.units {
		if u.unit == calendar.Week && !u.weak {
			week, strict = u.n, true
		}
	}
	first := firstOf(c.set)
	start := monday(now)
	day := start.AddDate(0, 0, (first+6)%7)
	if week == anyWeek || week == 0 && !strict || c.part == "past" {
		if c.part == "past" {
			for m.day = midnight(now).AddDate(0, 0, -1); c.set&(1<<m.day.Weekday()) == 0; m.day = m.day.AddDate(0, 0, -1) {
			}
			m.fixed = true
			return
		}
		if week == 0 && c.part == "this" && day.Before(midnight(now)) && now.Weekday() != time.Sunday {
			m.day, m.fixed = day, true // "this Tuesday", said on a Wednesday
			return
		}
		for day = midnight(now); c.set&(1<<day.Weekday()) == 0 || past(day); day = day.AddDate(0, 0, 1) {
		}
		m.day = day
		m.nearer = week == anyWeek && m.wall(now).Sub(now) > 84*time.Hour // half a week
		return
	}
	m.day, m.fixed = day.AddDate(0, 0, 7*week), true
}

// unitOf is "next month" without a day: its first, or for a week the same day.
// 下个月 is rather a month from today.
func (m *moment) unitOf(g gather, now time.Time) {
	u := g.units[0]
	today := midnight(now)
	m.fixed, m.vague, m.unit = true, true, u.unit
	switch u.unit {
	case calendar.Week, fortnight:
		m.day = today.AddDate(0, 0, 7*u.n*map[bool]int{true: 2, false: 1}[u.unit == fortnight])
	case calendar.Quarter:
		m.day = today.AddDate(0, 3*u.n, 0)
	case calendar.Year:
		m.day = time.Date(now.Year()+u.n, 1, 1, 0, 0, 0, 0, time.UTC)
		if u.part == "zh" {
			m.day = addMonths(today, 12*u.n)
		}
	case calendar.HalfYear:
		m.day = today.AddDate(0, 6*u.n, 0)
	default:
		m.day = time.Date(now.Year(), now.Month()+time.Month(u.n), 1, 0, 0, 0, 0, time.UTC)
		if u.part == "zh" {
			m.day = addMonths(today, u.n)
		}
	}
	if u.n == 0 {
		m.day = today
	}
}

const defaultHour = 9

// wall is the wall time that the moment means.
func (m moment) wall(now time.Time) time.Time {
	if m.exact {
		return m.at
	}
	day := m.day
	switch {
	case m.end:
		return day.Add(23*time.Hour + 59*time.Minute)
	case m.clock != nil:
		c := m.clock.settle(m.part)
		at := day.Add(time.Duration(c.seconds()) * time.Second)
		if !m.clock.sure && m.part == "" && m.fixed && at.Before(now) && sameDay(day, now) {
			// "today at 8", said in the afternoon
			if later := day.Add(time.Duration(m.clock.seconds())*time.Second + 12*time.Hour); m.clock.hour < 12 && !later.Before(now) {
				return later
			}
		}
		return at
	case m.part != "":
		return day.Add(time.Duration(dayparts[m.part].hour) * time.Hour)
	case m.fixed && sameDay(day, now) && now.Hour() >= defaultHour:
		return now
	default:
		return day.Add(defaultHour * time.Hour)
	}
}

func sameDay(a, b time.Time) bool { return a.Year() == b.Year() && a.YearDay() == b.YearDay() }
