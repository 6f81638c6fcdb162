// Package calendar turns a schedule into times. A Schedule is read from one
// line of text, so that it can be a column of a table, and answers when it
// falls next in a zone. Words of people are package phrase's; starting jobs,
// the store and the clock are package scheduler's.
//
// The one rule: a schedule is a list of wall clock times, computed without a
// zone, and only then laid on a zone. Whoever adds hours to an instant here
// brings the faults of daylight saving back.
package calendar

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrSchedule is the cause of every error of Parse.
var ErrSchedule = errors.New("not a schedule")

// maxSpec is far above the longest rule seen (a rule with a dozen exceptions)
// and keeps a model from making us read a book.
const maxSpec = 2000

// A Schedule is when something happens, again and again or once. The zero
// Schedule never happens. Two Schedules are the same when their Strings are.
type Schedule struct {
	spec string
	zone *time.Location // from CRON_TZ= or TZID=; overrides the caller's
	plan plan
}

// A plan gives wall clock times, written as times in UTC.
type plan interface {
	// next is the first wall time after the given one.
	next(after time.Time) (time.Time, bool)
	// cycle is what one round of the plan is called.
	cycle() (Unit, int)
}

// A Time is one nominal time of a schedule, as people say it, and the instant
// it falls on in a zone. Nominal is unique within a schedule and a zone, so it
// can be part of a slot's key: the second 01:00 of an autumn night carries its
// offset, and intervals are in UTC.
type Time struct {
	Nominal string
	At      time.Time
}

// Parse reads one of the canonical forms:
//
//	0 9 1 * *                          minute hour day month weekday; names, 7 = Sunday,
//	                                   L, LW, L-2, 15W, MON#1, FRI#L; a seconds field may lead
//	@daily                             and @hourly, @weekly, @monthly, @quarterly, @yearly
//	@every 36h                         real time, at least a minute
//	@every 36h from 2026-01-01T09:00Z  the same, counted from then
//	@once 2026-12-01T09:00             may have seconds, and an offset
//	0 9 * * * | 30 17 * * *            several expressions, up to eight
//	RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR DTSTART:20260102T090000
//	0 9 * * MON-FRI EXDATE:20261225 RDATE:20261226T090000   with days left out and times put in
//
// All but @every and @once may name their zone (CRON_TZ=, TZID=). An expression that
// never has a time is refused, and so is a rule or an @every that has none within
// five years, and whatever comes more than sixty times an hour. Parse never panics.
func Parse(spec string) (s Schedule, err error) {
	// The libraries below were written for people's own files; what comes here
	// may be a model's. One of them is known to panic.
	defer func() {
		if r := recover(); r != nil {
			s, err = Schedule{}, refuse(spec, "it cannot be read; write five fields, such as \"0 9 1 * *\"")
		}
	}()
	if len(spec) > maxSpec {
		return Schedule{}, fmt.Errorf("%w: longer than %d bytes; split it into several schedules", ErrSchedule, maxSpec)
	}
	text := strings.TrimSpace(spec)
	zone, text, err := cutZone(text)
	if err != nil {
		return Schedule{}, err
	}
	if text == "" {
		return Schedule{}, refuse(spec, "it is empty; write five fields, such as \"0 9 1 * *\"")
	}
	text, dates := cutDates(text)
	switch lower := strings.ToLower(text); {
	case strings.HasPrefix(lower, "@every"):
		s, err = parseEvery(text)
	case strings.HasPrefix(lower, "@once"):
		s, err = parseOnce(text)
	case strings.HasPrefix(text, "@"):
		s, err = parseNamed(lower)
	case strings.Contains(text, "|"):
		s, err = parseUnion(text)
	case strings.HasPrefix(lower, "rrule:") || strings.HasPrefix(lower, "dtstart"):
		s, err = parseRule(text)
	default:
		s, err = parseCron(text)
	}
	if err != nil {
		return Schedule{}, err
	}
	if len(dates) > 0 {
		if s, err = s.with(dates); err != nil {
			return Schedule{}, err
		}
	}
	if zone != nil {
		s.zone = zone
	}
	if s.zone != nil {
		s.spec = "CRON_TZ=" + s.zone.String() + " " + s.spec
	}
	return s, nil
}

// MustParse is Parse for schedules written in the code.
func MustParse(spec string) Schedule {
	s, err := Parse(spec)
	if err != nil {
		panic(err)
	}
	return s
}

// cutZone takes a leading TZ= or CRON_TZ= off. The parser below it panics on
// one without an expression behind it, so it never sees one.
func cutZone(text string) (*time.Location, string, error) {
	rest, ok := strings.CutPrefix(text, "CRON_TZ=")
	if !ok {
		if rest, ok = strings.CutPrefix(text, "TZ="); !ok {
			return nil, text, nil
		}
	}
	fields := strings.Fields(rest)
	if len(fields) < 2 || strings.HasPrefix(rest, " ") {
		return nil, "", refuse(text, "a zone needs a name and an expression behind it, such as \"CRON_TZ=Europe/Berlin 0 9 * * *\"")
	}
	zone, err := loadZone(fields[0])
	if err != nil {
		return nil, "", refuse(text, fmt.Sprintf("there is no zone %q; use a name such as Europe/Berlin", fields[0]))
	}
	return zone, strings.TrimSpace(strings.TrimPrefix(rest, fields[0])), nil
}

// loadZone refuses "" and "Local", which mean the machine's zone and therefore
// something else on every machine.
func loadZone(name string) (*time.Location, error) {
	if name == "" || strings.EqualFold(name, "local") {
		return nil, errors.New("no zone named")
	}
	return time.LoadLocation(name)
}

func refuse(spec, why string) error {
	if len(spec) > 80 {
		spec = strings.ToValidUTF8(spec[:80], "") + "…"
	}
	return fmt.Errorf("%w: %q: %s", ErrSchedule, spec, why)
}

// String is the canonical form: Parse(s.String()) is s.
func (s Schedule) String() string { return s.spec }

// IsZero says whether s is the zero Schedule, which never happens.
func (s Schedule) IsZero() bool { return s.plan == nil }

// Once says whether s happens at most once.
func (s Schedule) Once() bool {
	_, once := s.plan.(oncePlan)
	return once
}

// Zone is the zone the schedule names itself, or nil.
func (s Schedule) Zone() *time.Location { return s.zone }

// Next is the first time strictly after the given instant, and false if there
// is none any more. A zone in the schedule wins over loc; nil is UTC.
func (s Schedule) Next(after time.Time, loc *time.Location) (Time, bool) {
	if s.plan == nil {
		return Time{}, false
	}
	if s.zone != nil {
		loc = s.zone
	}
	if loc == nil {
		loc = time.UTC
	}
	if after.Year() < 1 || after.Year() > 9000 {
		return Time{}, false
	}
	switch p := s.plan.(type) {
	case everyPlan:
		at := p.after(after)
		return Time{Nominal: nominal(at.UTC()) + "Z", At: at.In(loc)}, true
	case oncePlan:
		return p.at(after, loc)
	case unionPlan:
		return p.first(after, loc)
	case datedPlan:
		if p.real() {
			return nextReal(p, after, loc)
		}
	case *cronPlan:
		if p.realHours {
			return nextReal(p, after, loc)
		}
	}
	return nextWall(s.plan, after, loc)
}

// NextN is the next n times, fewer when there are no more.
func (s Schedule) NextN(after time.Time, loc *time.Location, n int) []Time {
	var times []Time
	for len(times) < n {
		t, ok := s.Next(after, loc)
		if !ok {
			break
		}
		times = append(times, t)
		after = t.At
	}
	return times
}

// nominal writes a wall time; seconds only where there are some.
func nominal(wall time.Time) string {
	if wall.Second() != 0 {
		return wall.Format("2006-01-02T15:04:05")
	}
	return wall.Format("2006-01-02T15:04")
}
