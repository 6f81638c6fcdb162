package calendar

import "time"

// wallOf is what the clock on the wall in loc shows at t, written as a time in
// UTC so that arithmetic on it knows no zone.
func wallOf(t time.Time, loc *time.Location) time.Time {
	t = t.In(loc)
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// nextWall lays a plan's wall times on a zone: each once, in a gap at the first
// valid minute after it, in an overlap the first, none on a day that does not
// exist.
//
// The instant of a wall time never goes back when the wall time goes on, and
// the instant of what the wall shows now is never later than now. So the search
// may start at what the wall shows.
func nextWall(p plan, after time.Time, loc *time.Location) (Time, bool) {
	wall := wallOf(after, loc)
	for {
		next, ok := p.next(wall)
		if !ok {
			return Time{}, false
		}
		wall = next
		// Two wall times of one gap fall on one instant; the second is not after
		// the first and drops out here.
		if at, ok := instant(wall, loc); ok && at.After(after) {
			return Time{Nominal: nominal(wall), At: at}, true
		}
	}
}

// Instant is when the wall in loc shows the given wall time (whose own zone is
// not looked at): in a gap the first valid minute after it, in an overlap the
// first of the two. It is false on a day that does not exist in loc.
func Instant(wall time.Time, loc *time.Location) (time.Time, bool) {
	return instant(time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), wall.Nanosecond(), time.UTC), loc)
}

func instant(wall time.Time, loc *time.Location) (time.Time, bool) {
	at := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), wall.Nanosecond(), loc)
	start, end := at.ZoneBounds()
	if !wallOf(at, loc).Equal(wall) {
		// A gap. time.Date lands on either side of it; the gap itself is the
		// bound in between.
		gap := start
		if wallOf(at, loc).Before(wall) {
			gap = end
		}
		gap = gap.In(loc)
		before := wallOf(gap.Add(-time.Nanosecond), loc)
		if !sameDay(wall, before) && !sameDay(wall, wallOf(gap, loc)) {
			return time.Time{}, false
		}
		if whole := gap.Truncate(time.Minute); !whole.Equal(gap) {
			return whole.Add(time.Minute), true
		}
		return gap, true
	}
	// In an overlap time.Date does not promise which of the two it gives. If
	// the wall showed the same before the last change, that was the first.
	if !start.IsZero() {
		_, was := start.Add(-time.Nanosecond).Zone()
		_, is := at.Zone()
		if earlier := at.Add(time.Duration(is-was) * time.Second); earlier.Before(start) {
			return earlier, true
		}
	}
	return at, true
}

func sameDay(a, b time.Time) bool {
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}

// nextReal lays a plan that runs every hour on a zone: it counts real hours, so
// both 01:00s of an autumn night are times and what is in a gap is none. It
// walks from one change of the zone to the next; between two the wall is even.
func nextReal(p plan, after time.Time, loc *time.Location) (Time, bool) {
	from := after.In(loc)
	wall := wallOf(from, loc)
	// A plan that runs hourly on one day a year may need several changes.
	for range 64 {
		end := nextChange(from)
		next, ok := p.next(wall)
		if !ok {
			return Time{}, false
		}
		_, offset := from.Zone()
		at := time.Unix(next.Unix()-int64(offset), int64(next.Nanosecond())).In(loc)
		if end.IsZero() || at.Before(end) {
			t := Time{Nominal: nominal(next), At: at}
			if first, ok := instant(next, loc); ok && !first.Equal(at) {
				t.Nominal += at.Format("-07:00")
			}
			return t, true
		}
		from = end.In(loc)
		wall = wallOf(from, loc).Add(-time.Nanosecond)
	}
	return Time{}, false
}

// nextChange is when the offset in force at t ends, or the zero time. It may be
// early, never late. ZoneBounds alone is no step forward: beyond the zone's
// table, on the last day of a leap year, the end it gives lies before t.
func nextChange(t time.Time) time.Time {
	_, end := t.ZoneBounds()
	if !end.IsZero() && !end.After(t) {
		end = t.Truncate(24 * time.Hour).Add(24 * time.Hour)
	}
	return end
}
