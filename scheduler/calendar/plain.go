package calendar

import (
	"fmt"
	"strings"
	"time"
)

// An everyPlan counts real time from an anchor. It has no wall clock, so it
// needs no rule for daylight saving; without an anchor it counts from 1970, so
// that a restart does not move it.
type everyPlan struct {
	every  time.Duration
	anchor time.Time
}

const (
	minEvery = time.Minute
	maxEvery = 5 * 366 * 24 * time.Hour
)

func parseEvery(text string) (Schedule, error) {
	fields := strings.Fields(text)
	if len(fields) != 2 && len(fields) != 4 || !strings.EqualFold(fields[0], "@every") {
		return Schedule{}, refuse(text, "write @every and a length, such as \"@every 36h\"")
	}
	every, err := time.ParseDuration(fields[1])
	if err != nil {
		return Schedule{}, refuse(text, fmt.Sprintf("%q is no length of time; write one such as 90m or 36h", fields[1]))
	}
	if every < minEvery {
		return Schedule{}, refuse(text, "too often; a minute is the least")
	}
	if every > maxEvery {
		return Schedule{}, refuse(text, "it would not run within five years")
	}
	every = every.Truncate(time.Second)
	p := everyPlan{every: every, anchor: time.Unix(0, 0).UTC()}
	spec := "@every " + lengthText(every)
	if len(fields) == 4 {
		p.anchor, err = time.Parse("2006-01-02T15:04Z", fields[3])
		if err != nil || fields[2] != "from" || p.anchor.Year() > 9000 {
			return Schedule{}, refuse(text, "its start must look like \"from 2026-01-01T09:00Z\"")
		}
		spec += " from " + p.anchor.Format("2006-01-02T15:04Z")
	}
	return Schedule{spec: spec, plan: p}, nil
}

// lengthText writes 36h for what the standard library writes 36h0m0s.
func lengthText(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// after is the first time strictly after t. The anchor itself is one.
func (p everyPlan) after(t time.Time) time.Time {
	if t.Before(p.anchor) {
		return p.anchor
	}
	// Seconds, not durations: a duration ends after 292 years.
	step := int64(p.every / time.Second)
	rounds := (t.Unix()-p.anchor.Unix())/step + 1
	return time.Unix(p.anchor.Unix()+rounds*step, 0)
}

func (p everyPlan) next(after time.Time) (time.Time, bool) { return p.after(after).UTC(), true }

func (p everyPlan) cycle() (Unit, int) {
	if p.every%time.Hour == 0 {
		return Hour, int(p.every / time.Hour)
	}
	return Minute, int(p.every / time.Minute)
}

// A oncePlan is one wall time, or one instant when it has an offset. The offset
// is for "in 20 minutes", said in the first of two equal hours.
type oncePlan struct {
	wall   time.Time
	offset bool
}

var onceLayouts = []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02"}

func parseOnce(text string) (Schedule, error) {
	fields := strings.Fields(text)
	if len(fields) != 2 || !strings.EqualFold(fields[0], "@once") {
		return Schedule{}, refuse(text, "write @once and a time, such as \"@once 2026-12-01T09:00\"")
	}
	for _, layout := range onceLayouts {
		if wall, err := time.Parse(layout, fields[1]); err == nil && wall.Year() > 0 && wall.Year() <= 9000 {
			return onceSchedule(oncePlan{wall: wall}), nil
		}
		if at, err := time.Parse(layout+"Z07:00", fields[1]); err == nil && at.Year() > 0 && at.Year() <= 9000 {
			return onceSchedule(oncePlan{wall: at, offset: true}), nil
		}
	}
	return Schedule{}, refuse(text, "its time must look like 2026-12-01T09:00")
}

func onceSchedule(p oncePlan) Schedule { return Schedule{spec: "@once " + p.text(), plan: p} }

// OnceAt is the schedule of one instant: the wall time it has in loc, with its
// offset where that wall time comes twice and this is the second.
func OnceAt(at time.Time, loc *time.Location) Schedule {
	at = at.In(loc).Truncate(time.Second)
	wall := wallOf(at, loc)
	if first, ok := instant(wall, loc); ok && first.Equal(at) {
		return onceSchedule(oncePlan{wall: wall})
	}
	return onceSchedule(oncePlan{wall: at, offset: true})
}

// Whole minutes are the common case; text leaves their seconds out.
func (p oncePlan) text() string {
	if p.offset {
		return nominal(p.wall) + p.wall.Format("Z07:00")
	}
	return nominal(p.wall)
}

func (p oncePlan) at(after time.Time, loc *time.Location) (Time, bool) {
	at, ok := p.wall, true
	if !p.offset {
		at, ok = instant(p.wall, loc)
	}
	if !ok || !at.After(after) {
		return Time{}, false
	}
	return Time{Nominal: p.text(), At: at.In(loc)}, true
}

func (p oncePlan) next(after time.Time) (time.Time, bool) { return p.wall, p.wall.After(after) }

func (p oncePlan) cycle() (Unit, int) { return Day, 1 }
