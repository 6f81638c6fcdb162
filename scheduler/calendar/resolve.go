package calendar

import (
	"fmt"
	"strings"
	"time"
)

// Resolve says which days a Range means when it is now in loc.
func (r Range) Resolve(now time.Time, loc *time.Location) Period {
	if loc == nil {
		loc = time.UTC
	}
	from, to := r.days(wallOf(now, loc))
	return place(from, to, loc)
}

// days is Resolve on the wall: first day and the day after the last.
func (r Range) days(now time.Time) (from, to time.Time) {
	today := floor(now, Day)
	switch r.kind {
	case rolling:
		to = step(floor(now, r.unit), r.unit, r.shift*r.n)
		return step(to, r.unit, -r.n), to
	case toDate:
		from = step(floor(now, r.unit), r.unit, r.shift)
		// A shifted one ends as far into its unit as today is into the current.
		return from, from.Add(today.AddDate(0, 0, 1).Sub(floor(now, r.unit)))
	case part:
		from = step(r.latest(now), r.unit, r.shift)
		return from, step(from, r.unit, 1)
	case absolute:
		from, _ = time.Parse(dayLayout, r.from)
		return from, step(from, r.unit, 1)
	case span:
		from, _ = time.Parse(dayLayout, r.from)
		to, _ = time.Parse(dayLayout, r.to)
		return from, to.AddDate(0, 0, 1)
	default:
		from = step(floor(now, r.unit), r.unit, r.n)
		return from, step(from, r.unit, 1)
	}
}

// latest is the start of the latest such month, quarter, half or weekday that
// has begun: in February "October" is last year's.
func (r Range) latest(now time.Time) time.Time {
	var start time.Time
	year := now.Year() + r.year
	switch r.unit {
	case Day:
		if r.from != "" {
			// The 29th of February has not been in every year.
			for ; ; year-- {
				day, err := time.Parse(dayLayout, fmt.Sprintf("%04d-%s", year, r.from))
				if err == nil && !day.After(now) || year < 1 {
					return day
				}
			}
		}
		return floor(now, Day).AddDate(0, 0, -((int(now.Weekday()) + 7 - r.n%7) % 7))
	case Quarter:
		start = time.Date(year, time.Month(r.n*3-2), 1, 0, 0, 0, 0, time.UTC)
	case HalfYear:
		start = time.Date(year, time.Month(r.n*6-5), 1, 0, 0, 0, 0, time.UTC)
	default:
		start = time.Date(year, time.Month(r.n), 1, 0, 0, 0, 0, time.UTC)
	}
	if start.After(now) && !r.bound {
		start = start.AddDate(-1, 0, 0)
	}
	return start
}

// Shift moves a Range by n of its own length: Shift(-1) is "and the one
// before?". A span of whole months moves by months, any other by its days.
func (r Range) Shift(n int) Range {
	if n == 0 {
		return r
	}
	n = min(max(n, -maxShift), maxShift)
	switch r.kind {
	case relative:
		r.n = min(max(r.n+n, -maxShift), maxShift)
	case rolling, toDate, part:
		r.shift = min(max(r.shift+n, -maxShift), maxShift)
	case absolute:
		from, _ := time.Parse(dayLayout, r.from)
		if moved := step(from, r.unit, n); moved.Year() >= 1 && moved.Year() <= 9000 {
			r.from = moved.Format(dayLayout)
		}
	case span:
		from, _ := time.Parse(dayLayout, r.from)
		to, _ := time.Parse(dayLayout, r.to)
		end := to.AddDate(0, 0, 1)
		var moved time.Time
		if from.Day() == 1 && end.Day() == 1 {
			months := (end.Year()-from.Year())*12 + int(end.Month()-from.Month())
			moved, end = from.AddDate(0, n*months, 0), end.AddDate(0, n*months, 0)
		} else {
			days := int(end.Sub(from).Hours()) / 24
			moved, end = from.AddDate(0, 0, n*days), end.AddDate(0, 0, n*days)
		}
		if moved.Year() >= 1 && end.Year() <= 9000 {
			r.from, r.to = moved.Format(dayLayout), end.AddDate(0, 0, -1).Format(dayLayout)
		}
	}
	return r
}

// Fix is the absolute Range that r means now, so that a report that is sent
// tomorrow is still about what was asked today.
func (r Range) Fix(now time.Time, loc *time.Location) Range {
	if r.Absolute() || r.IsZero() {
		return r
	}
	if loc == nil {
		loc = time.UTC
	}
	from, to := r.days(wallOf(now, loc))
	if r.kind == relative || r.kind == part {
		return Range{kind: absolute, unit: r.unit, from: from.Format(dayLayout)}
	}
	return Range{kind: span, unit: Day, from: from.Format(dayLayout), to: to.AddDate(0, 0, -1).Format(dayLayout)}
}

// Label is how people write the period that r means now: "October 2026",
// "2026年10月".
func (r Range) Label(lang string, now time.Time, loc *time.Location) string {
	if r.IsZero() {
		return ""
	}
	if loc == nil {
		loc = time.UTC
	}
	from, to := r.days(wallOf(now, loc))
	zh := strings.HasPrefix(strings.ToLower(lang), "zh")
	if r.kind != rolling && r.kind != toDate && r.kind != span && r.unit != Week {
		return unitLabel(from, r.unit, zh)
	}
	last := to.AddDate(0, 0, -1)
	for _, unit := range []Unit{Day, Month, Quarter, Year} {
		if floor(from, unit).Equal(from) && step(from, unit, 1).Equal(to) {
			return unitLabel(from, unit, zh)
		}
	}
	switch {
	case zh && from.Year() == last.Year():
		return from.Format("2006年1月2日") + "至" + last.Format("1月2日")
	case zh:
		return from.Format("2006年1月2日") + "至" + last.Format("2006年1月2日")
	case from.Year() == last.Year():
		return from.Format("2 January") + " – " + last.Format("2 January 2006")
	default:
		return from.Format("2 January 2006") + " – " + last.Format("2 January 2006")
	}
}

func unitLabel(from time.Time, unit Unit, zh bool) string {
	quarter, half := (int(from.Month())-1)/3+1, (int(from.Month())-1)/6+1
	switch {
	case unit == Year && zh:
		return from.Format("2006年")
	case unit == Year:
		return from.Format("2006")
	case unit == HalfYear && zh:
		return from.Format("2006年") + [...]string{"上半年", "下半年"}[half-1]
	case unit == HalfYear:
		return fmt.Sprintf("H%d %s", half, from.Format("2006"))
	case unit == Quarter && zh:
		return fmt.Sprintf("%s第%d季度", from.Format("2006年"), quarter)
	case unit == Quarter:
		return fmt.Sprintf("Q%d %s", quarter, from.Format("2006"))
	case unit == Month && zh:
		return from.Format("2006年1月")
	case unit == Month:
		return from.Format("January 2006")
	case zh:
		return from.Format("2006年1月2日")
	default:
		return from.Format("2 January 2006")
	}
}
