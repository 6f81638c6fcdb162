package rules

import (
	"slices"

	"hermes/scheduler/calendar"
)

func (p *parser) addPeriod(f *figures, t token) {
	switch {
	case t.period.Shift != 0:
		f.shift, f.unit = t.period.Shift, t.period.Unit
	case f.period.IsZero():
		f.period = t.period.Range
	case f.period != t.period.Range:
		f.more = append(f.more, t.period.Range)
	}
}

// toDate is the part of a current unit that has been.
func toDate(r calendar.Range) calendar.Range {
	switch r.String() {
	case "this_week", "this_month", "this_quarter", "this_year":
		return calendar.ToDate(r.Unit())
	}
	return r
}

// comparison settles what figures are compared with: the period before, the year
// before, another period, or values with one another.
func (p *parser) comparison(c clause, f *figures) {
	if !c.has(compare) {
		return
	}
	bare := slices.ContainsFunc(c.tokens, func(t token) bool { return t.kind == compare && t.name == "" })
	if f.shift == -1 {
		f.shift = 0
		if f.unit == calendar.Year && f.period.Unit() != calendar.Year {
			f.compare = add(f.compare, "year_before")
		} else {
			f.compare = add(f.compare, "previous_period")
		}
		bare = false
	}
	if bare && len(f.measures) == 0 && !f.period.IsZero() && len(f.more) == 0 {
		// "Compare with last year": with what it was about before.
		f.against, f.period = f.period, calendar.Range{}
		return
	}
	bare = p.relate(f) == 0 && bare
	grown := slices.ContainsFunc(c.tokens, func(t token) bool { return t.kind == compare && t.name == "growth" })
	if grown && len(f.compare) == 0 && len(f.more) == 0 {
		f.compare = []string{"previous_period"}
	}
	for _, w := range f.where {
		if len(w.Values) > 1 && bare {
			f.by = add(f.by, w.Dimension)
			bare = false
		}
	}
	if bare && len(f.compare) == 0 && len(f.more) == 0 && len(f.by) == 0 {
		f.compare = []string{"previous_period", "year_before"}
	}
}

// relate takes those of the other periods that are the one before, or the year
// before, for what they are. It returns how many these were.
func (c reader) relate(f *figures) int {
	n := len(f.more)
	f.more = slices.DeleteFunc(f.more, func(m calendar.Range) bool {
		before, after := f.period, m
		if c.same(after.Shift(-1), before) {
			f.period, before, after = after, after, before
		}
		switch {
		case c.same(before.Shift(-1), after):
			f.compare = add(f.compare, "previous_period")
		case after == calendar.Ago(calendar.Year, 1) && before.Unit() != calendar.Year && !before.Absolute(), c.same(shifted(before, -1, calendar.Year), after):
			f.compare = add(f.compare, "year_before")
		default:
			return false
		}
		return true
	})
	return n - len(f.more)
}

// same says whether two periods are the same days now, in whatever words.
func (c reader) same(a, b calendar.Range) bool {
	return a == b || a.Resolve(c.now, c.loc) == b.Resolve(c.now, c.loc)
}
