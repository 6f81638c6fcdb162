package eval

import (
	"fmt"
	"time"
)

// A due is a time at which a wish comes, as the oracle has it.
type due struct {
	nominal  string
	at       time.Time
	from, to time.Time // what the report is about; zero where the wish does not say
}

// dues are all times of a wish after one instant up to another, by walking over days and
// minutes.
func (w wish) dues(after, until time.Time) ([]due, error) {
	if w.every > 0 {
		return w.lengths(after, until), nil
	}
	zone, err := time.LoadLocation(w.zone)
	if err != nil {
		return nil, fmt.Errorf("zone of %s: %w", w.id, err)
	}
	var all []due
	other := false
	y, m, d := after.In(zone).Date()
	for t := day(y, m, d).AddDate(0, 0, -1); t.Before(until.Add(48 * time.Hour)); t = t.AddDate(0, 0, 1) {
		if !w.on(t) {
			continue
		}
		wall := t.Add(time.Duration(w.hour)*time.Hour + time.Duration(w.minute)*time.Minute)
		at, ok := walk(wall, zone)
		if !ok || !at.After(after) {
			continue
		}
		if w.fort {
			if other = !other; !other {
				continue
			}
		}
		if at.After(until) {
			break
		}
		n := due{nominal: wall.Format("2006-01-02T15:04"), at: at}
		if w.about != nil {
			from, to := w.about(t)
			n.from, _ = walk(from, zone)
			n.to, _ = walk(to, zone)
		}
		all = append(all, n)
	}
	return all, nil
}

// lengths are the times of a wish that comes every so often.
func (w wish) lengths(after, until time.Time) []due {
	var all []due
	step := int64(w.every / time.Second)
	for n := after.Unix()/step + 1; n*step <= until.Unix(); n++ {
		t := time.Unix(n*step, 0).UTC()
		all = append(all, due{nominal: t.Format("2006-01-02T15:04") + "Z", at: t})
	}
	return all
}

// walk goes minute by minute through the hours around a wall time and returns the first
// instant at which a clock of the zone shows it, or, if none ever does, the first at which
// it shows more.
func walk(wall time.Time, zone *time.Location) (time.Time, bool) {
	shows := func(t time.Time) time.Time {
		l := t.In(zone)
		return time.Date(l.Year(), l.Month(), l.Day(), l.Hour(), l.Minute(), 0, 0, time.UTC)
	}
	_, offset := wall.In(zone).Zone()
	begin := wall.Add(-time.Duration(offset) * time.Second).Add(-4 * time.Hour)
	first := time.Time{}
	for i := range 8 * 60 {
		t := begin.Add(time.Duration(i) * time.Minute)
		switch s := shows(t); {
		case s.Equal(wall):
			return t, true
		case first.IsZero() && s.After(wall):
			first = t
		}
	}
	return first, !first.IsZero()
}
