package playbook

import (
	"time"

	"hermes/agent/run"
	"hermes/scheduler/calendar"
)

// PeriodOf is the period that a report about a unit has in a slot: the slot's own if that
// is one such unit, else the last whole one before now. By hand (without a slot) it is
// that last one too. It is zero for a report about none.
func PeriodOf(unit calendar.Unit, slot run.Period, now time.Time, loc *time.Location) run.Period {
	if unit == "" {
		return run.Period{}
	}
	if !slot.From.IsZero() && !slot.To.IsZero() {
		whole := calendar.Ago(unit, 1).Resolve(slot.To, loc)
		if whole.From.Equal(slot.From) && whole.To.Equal(slot.To) {
			return slot
		}
	}
	p := calendar.Ago(unit, 1).Resolve(now, loc)
	return run.Period{From: p.From, To: p.To}
}

// ReadPeriod reads the period that somebody names ("2026-09", "last_month", "2026-Q3") as
// one whole unit, or says that it is none.
func ReadPeriod(unit calendar.Unit, words string, now time.Time, loc *time.Location) (run.Period, bool) {
	r, err := calendar.ParseRange(words)
	if err != nil || unit == "" {
		return run.Period{}, false
	}
	p := r.Resolve(now, loc)
	whole := calendar.Ago(unit, 1).Resolve(p.To, loc)
	return run.Period{From: p.From, To: p.To}, whole.From.Equal(p.From) && whole.To.Equal(p.To)
}

// UnitOf says which unit a period is exactly one of; empty if it is none.
func UnitOf(p run.Period, loc *time.Location) calendar.Unit {
	if p.From.IsZero() || p.To.IsZero() {
		return ""
	}
	for _, u := range Units {
		whole := calendar.Ago(u, 1).Resolve(p.To, loc)
		if whole.From.Equal(p.From) && whole.To.Equal(p.To) {
			return u
		}
	}
	return ""
}

// A span is a period in the words of the calendar.
type span struct {
	calendar.Range
	now time.Time
	loc *time.Location
}

// spanOf is one unit that ends with a period, shifted by so many units.
func spanOf(unit calendar.Unit, p run.Period, loc *time.Location, shift int) span {
	// The unit before the instant at which the period ends is the period itself.
	return span{calendar.Ago(unit, 1).Shift(shift), p.To, loc}
}

// days are the first day, the last one, and the day after that.
func (s span) days() (first, last, until string) {
	p := s.Resolve(s.now, s.loc)
	to := p.To.In(s.loc)
	return p.From.In(s.loc).Format(time.DateOnly), to.AddDate(0, 0, -1).Format(time.DateOnly), to.Format(time.DateOnly)
}

// word is the period in one canonical word: 2026-10, 2026-Q3, 2026-W40.
func (s span) word() string {
	first, last, _ := s.days()
	from, err := time.Parse(time.DateOnly, first)
	if err != nil {
		return first + ".." + last
	}
	switch s.Unit() {
	case calendar.Day:
		return first
	case calendar.Week:
		year, week := from.ISOWeek()
		return pad(year, 4) + "-W" + pad(week, 2)
	case calendar.Month:
		return from.Format("2006-01")
	case calendar.Quarter:
		return from.Format("2006") + "-Q" + pad((int(from.Month())-1)/3+1, 1)
	case calendar.Year:
		return from.Format("2006")
	}
	return first + ".." + last
}

// label is the period as people say it.
func (s span) label(lang string) string {
	r, err := calendar.ParseRange(s.word())
	if err != nil {
		return s.word()
	}
	return r.Label(lang, s.now, s.loc)
}

// LabelOf is how people call a period of a unit: "October 2026", 2026年10月.
func LabelOf(unit calendar.Unit, p run.Period, loc *time.Location, lang string) string {
	if unit == "" || p.To.IsZero() {
		return ""
	}
	return spanOf(unit, p, loc, 0).label(lang)
}

func pad(n, width int) string {
	s := ""
	for ; n > 0; n /= 10 {
		s = string(rune('0'+n%10)) + s
	}
	for len(s) < width {
		s = "0" + s
	}
	return s
}
