package scheduler

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
	"time"

	"hermes/scheduler/calendar"
)

// A Policy says what becomes of slots whose time is not a good one. Each part that is
// empty is as the program's configuration has it.
type Policy struct {
	CatchUp CatchUp       `json:"catch_up,omitempty"`
	Window  time.Duration `json:"window,omitempty"` // of Within: how late a slot may still run
	Overlap Overlap       `json:"overlap,omitempty"`
	// Stagger spreads jobs that are due at once: each begins at its own moment, always
	// the same, less than this after its time.
	Stagger time.Duration `json:"stagger,omitempty"`
	// Quiet is when nothing begins, on the wall of the job's zone: what is due then
	// begins at its end.
	Quiet Quiet `json:"quiet,omitzero"`
	// Retries is how often a slot is tried again that has failed for a reason that may
	// pass. Below 0 means never.
	Retries int `json:"retries,omitempty"`
}

// CatchUp is what becomes of the newest slot that passed while the program was away.
// Those before it never run: they are written down as missed.
type CatchUp string

// The ways to catch up.
const (
	Once   CatchUp = "once"   // it runs, late, about its own period
	Never  CatchUp = "none"   // it is missed as well
	Within CatchUp = "within" // it runs unless more than Window has gone by
)

// Overlap is what becomes of a slot that is due while an earlier one of its job runs. One
// that waits for a person does not run.
type Overlap string

// The ways to overlap.
const (
	Skip Overlap = "skip" // it does not run
	Wait Overlap = "wait" // it runs afterwards; of several that wait, the newest
)

// Defaults are what holds where neither a job nor the configuration says otherwise.
var Defaults = Policy{CatchUp: Once, Overlap: Skip, Retries: 3}

// or fills what a Policy leaves empty.
func (p Policy) or(d Policy) Policy {
	if p.CatchUp == "" {
		p.CatchUp, p.Window = d.CatchUp, d.Window
	}
	if p.Overlap == "" {
		p.Overlap = d.Overlap
	}
	if p.Stagger == 0 {
		p.Stagger = d.Stagger
	}
	if p.Quiet.IsZero() {
		p.Quiet = d.Quiet
	}
	if p.Retries == 0 {
		p.Retries = d.Retries
	}
	return p
}

// ParseCatchUp reads "once", "none", or for how long after its time a slot may still run,
// such as "6h".
func ParseCatchUp(text string) (CatchUp, time.Duration, error) {
	switch c := CatchUp(strings.TrimSpace(text)); c {
	case Once, Never:
		return c, 0, nil
	}
	d, err := time.ParseDuration(strings.TrimSpace(text))
	if err != nil || d < grace {
		return "", 0, fmt.Errorf("catch-up %q is none: it is once, none, or how late a slot may still run, such as 6h, and at least %s", text, grace)
	}
	return Within, d, nil
}

// ParseOverlap reads "skip" or "wait".
func ParseOverlap(text string) (Overlap, error) {
	switch o := Overlap(strings.TrimSpace(text)); o {
	case Skip, Wait:
		return o, nil
	}
	return "", fmt.Errorf("overlap %q is none: it is skip or wait", text)
}

// parseRetries reads how often a slot is tried again, from 0 to 10, as Policy.Retries.
func parseRetries(text string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	switch {
	case err != nil || n < 0 || n > 10:
		return 0, fmt.Errorf("retries %q is no number from 0 to 10", text)
	case n == 0:
		return -1, nil
	}
	return n, nil
}

// tooLate reports whether a slot that should have begun at a time is not caught up any
// more, and why.
func (p Policy) tooLate(due, now time.Time) (reason string, late bool) {
	switch by := now.Sub(due); {
	case by <= grace, p.CatchUp == Once, p.CatchUp == Within && by <= p.Window:
		return "", false
	case p.CatchUp == Within:
		return fmt.Sprintf("the program was away for longer than %s after its time", p.Window), true
	default:
		return "the program was away, and this schedule is not caught up", true
	}
}

// begin is when a slot of a job begins: at its time, or later by stagger and quiet hours.
func (p Policy) begin(job string, at time.Time, loc *time.Location) (due time.Time, reason string) {
	due = at
	if p.Stagger > 0 {
		if by := (time.Duration(crc32.ChecksumIEEE([]byte(job))) * time.Millisecond % p.Stagger).Truncate(time.Second); by > 0 {
			due, reason = due.Add(by), fmt.Sprintf("begins %s after its time, so that not all begin at once", by)
		}
	}
	if end, quiet := p.Quiet.end(due, loc); quiet {
		due, reason = end, "quiet hours until "+end.In(loc).Format("15:04")
	}
	return due, reason
}

// Quiet is a part of each day, from one time to another, over midnight if that is
// earlier. The zero Quiet is none.
type Quiet struct{ From, To string } // "22:00", "07:00"

// IsZero reports whether there is none.
func (q Quiet) IsZero() bool { return q.From == q.To }

// ParseQuiet reads "22:00-07:00"; the empty text is none.
func ParseQuiet(text string) (Quiet, error) {
	if strings.TrimSpace(text) == "" {
		return Quiet{}, nil
	}
	from, to, ok := strings.Cut(strings.ReplaceAll(text, "–", "-"), "-")
	q := Quiet{strings.TrimSpace(from), strings.TrimSpace(to)}
	_, a := clock(q.From)
	_, b := clock(q.To)
	if !ok || !a || !b || q.From == q.To {
		return Quiet{}, fmt.Errorf("quiet hours %q are none: they are two times of a day, such as 22:00-07:00", text)
	}
	return q, nil
}

// MarshalText writes what ParseQuiet reads.
func (q Quiet) MarshalText() ([]byte, error) {
	if q.IsZero() {
		return nil, nil
	}
	return []byte(q.From + "-" + q.To), nil
}

// UnmarshalText is ParseQuiet.
func (q *Quiet) UnmarshalText(text []byte) (err error) {
	*q, err = ParseQuiet(string(text))
	return err
}

func clock(text string) (minutes int, ok bool) {
	t, err := time.Parse("15:04", text)
	return t.Hour()*60 + t.Minute(), err == nil && len(text) == len("15:04")
}

// end is when the quiet hours end in which a time lies; false if it lies in none.
func (q Quiet) end(t time.Time, loc *time.Location) (time.Time, bool) {
	from, ok := clock(q.From)
	to, fine := clock(q.To)
	if q.IsZero() || !ok || !fine {
		return t, false
	}
	wall := t.In(loc)
	now := wall.Hour()*60 + wall.Minute()
	day := 0
	switch {
	case from < to && (now < from || now >= to), from > to && now < from && now >= to:
		return t, false
	case from > to && now >= from:
		day = 1
	}
	for range 3 { // a zone may leave out a day
		at := time.Date(wall.Year(), wall.Month(), wall.Day()+day, to/60, to%60, 0, 0, time.UTC)
		if end, ok := calendar.Instant(at, loc); ok && end.After(t) {
			return end, true
		}
		day++
	}
	return t, false
}
