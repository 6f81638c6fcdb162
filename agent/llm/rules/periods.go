package rules

import (
	"regexp"
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
	if len(f.more) == 0 && !f.period.IsZero() && (bare && len(f.measures) == 0 || p.setBeside(c)) {
		// "Compare with last year": with what it was about before. "Sales vs last
		// year": the year is not the one that is asked about.
		f.against, f.period = f.period, calendar.Range{}
		bare = false
	}
	bare = p.relate(f) == 0 && bare
	if !f.against.IsZero() {
		return
	}
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

var (
	setBehind = regexp.MustCompile(`(?i)(?:\b(?:vs\.?|versus|against|than|over|relative to|compared? (?:to|with)|difference (?:to|from))(?: the)?|[与跟和同比较]|相比|相较于?)\s*$`)
	setBefore = regexp.MustCompile(`^(?:的)?(?:同期)?(?:相比|比|比较|对比|增长|下降|上升|变化|涨|的?差)`)
)

// setBeside says whether the one period of a clause is what a measure before it is to
// be compared with.
func (p *parser) setBeside(c clause) bool {
	i := slices.IndexFunc(c.tokens, func(t token) bool { return t.kind == period })
	if i < 0 || !slices.ContainsFunc(c.tokens, func(t token) bool { return t.kind == measure }) {
		return false
	}
	before, behind := p.text[:c.tokens[i].start], p.text[c.tokens[i].end:]
	if !setBehind.MatchString(before) {
		return false
	}
	return ascii(before[len(before)-1:]) && i > 0 && hasToken(c.tokens[:i], measure) || setBefore.MatchString(behind)
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
		case before.Unit() != calendar.Year && c.same(before.Shift(-1), after):
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
