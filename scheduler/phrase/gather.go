package phrase

import (
	"slices"
	"time"

	"hermes/scheduler/calendar"
)

// gather is what a run of chunks holds, by kind.
type gather struct {
	year, month int
	days        []int
	day         *int
	units       []chunk
	weekday     *chunk
	ordinals    []int
	workday     bool
	after       []chunk
	feast       *feast
	edge        *chunk
	clock       *clock
	part        string
	count       int
}

// collect takes chunks up to one that begins another thought: "tomorrow -
// Friday" is about tomorrow.
func collect(list []chunk) (g gather, used int) {
	for k, c := range list {
		switch c.kind {
		case cTo:
			if g.count > 0 && k+1 < len(list) && (list[k+1].kind != cClock || g.clock != nil) {
				return g, k
			}
		case cUntil, cFrom, cExcept, cEvery, cMark, cCount, cFor:
			if g.count > 0 {
				return g, k
			}
		case cYear:
			if g.year == 0 && !(c.weak && len(list) == 1) {
				g.year = c.n
				g.count++
			}
		case cMonth:
			if g.month == 0 {
				g.month = c.n
				g.count++
			}
		case cDays:
			if len(g.days) == 0 && !c.weak {
				g.days = c.nums
				g.count++
			}
		case cDay:
			if g.day == nil {
				n := c.n
				g.day = &n
				g.count++
			}
		case cUnit, cOf:
			if c.kind == cOf {
				c.weak = true
			} else {
				g.count++
			}
			g.units = append(g.units, c)
		case cWeekday:
			if g.weekday == nil && !c.weak {
				g.weekday = &list[k]
				g.count++
			}
		case cOrdinal:
			g.ordinals = c.nums
		case cWorkday:
			g.workday = true
			g.count++
		case cAfter:
			g.after = append(g.after, c)
			g.count++
		case cFeast:
			g.feast = &list[k].feast
			g.count++
		case cStart, cEnd:
			g.edge = &list[k]
			g.count++
		case cClock:
			if g.clock == nil {
				clk := c.clock
				g.clock = &clk
				g.count++
				if c.part != "" && g.part == "" {
					g.part = c.part
				}
			}
		case cPart:
			if g.part == "" {
				g.part = c.part
			}
			g.count++
		}
	}
	return g, len(list)
}

// resolve turns what was gathered into a moment. now is on the wall. It is
// false when there is no such day.
func (g gather) resolve(now time.Time) (moment, bool) {
	today := midnight(now)
	m := moment{day: today, clock: g.clock, part: g.part, chunks: g.count, unit: calendar.Day}
	past := func(day time.Time) bool { return m.behind(day, now) }
	ok := true
	dated := true
	switch {
	case g.feast != nil:
		m.day, m.fixed = g.feastDay(now, past)
	case g.month > 0 && len(g.ordinals) > 0 && (g.weekday != nil || g.workday):
		ok = m.ordinalDay(g, now, past)
	case g.month > 0:
		ok = m.monthDay(g, now, past)
	case len(g.ordinals) > 0 && (g.weekday != nil || g.workday):
		ok = m.ordinalDay(g, now, past)
	case len(g.days) > 0 && g.weekday == nil || len(g.days) > 0 && len(g.units) > 0:
		ok = m.dayOf(g, now, past)
	case len(g.days) > 0:
		ok = m.weekdayAndDay(g, past)
	case g.edge != nil && g.edge.unit != calendar.Day && g.edge.unit != "":
		m.edgeDay(g, today)
	case g.weekday != nil && (len(g.after) == 0 || g.weekday.n != anyWeek):
		m.weekdayOf(g, now, past)
	case g.day != nil:
		m.day, m.fixed = today.AddDate(0, 0, *g.day), true
	case len(g.units) > 0 && !g.units[0].weak:
		m.unitOf(g, now)
	case g.year > 0:
		m.day, m.fixed, m.vague = time.Date(g.year, 1, 1, 0, 0, 0, 0, time.UTC), true, true
	default:
		dated = false
	}
	if !ok {
		return m, false
	}
	if len(g.after) > 0 {
		m.shift(g, now, dated)
	}
	if g.edge != nil && g.edge.kind == cEnd && (g.edge.unit == calendar.Day) {
		m.end = true
	}
	return m, true
}

// timeOnly says whether a moment names no day at all.
func (g gather) timeOnly() bool {
	return g.year == 0 && g.month == 0 && len(g.days) == 0 && g.day == nil && len(g.after) == 0 && g.weekday == nil && g.feast == nil && g.edge == nil &&
		!g.workday && !slices.ContainsFunc(g.units, func(c chunk) bool { return !c.weak && c.n != 0 })
}
