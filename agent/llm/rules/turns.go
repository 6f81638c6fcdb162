package rules

import (
	"slices"
	"strings"
	"time"

	"hermes/scheduler/calendar"
)

// fold reads a conversation: what a text does not say it takes from the turn
// before, except what would be done with it. Turns that were not understood
// leave no trace.
func (c reader) fold(turns []string) reading {
	var last reading
	for i, turn := range turns {
		now := c.read(turn)
		for _, o := range now.ops {
			c.jobs = c.jobs || strings.HasPrefix(o.name, "schedule_")
		}
		c.jobs = c.jobs || now.scheduled()
		now = c.merge(last, now)
		if i == len(turns)-1 {
			return now
		}
		if len(now.unclaimed) == 0 && now.reminder == "" && now.wants() {
			last = now
		}
	}
	return last
}

// merge fills what now does not say from last.
func (c reader) merge(last, now reading) reading {
	switch {
	case len(now.whereto) == 0:
	case last.post && len(last.sends) == 0:
		now.sends, now.post = now.whereto, true
	default:
		now.unclaimed = append(now.unclaimed, now.whereto...)
	}
	if now.chat != "" || now.reminder != "" || !now.wants() || len(now.unclaimed) > 0 {
		return now
	}
	if len(now.groups) == 0 {
		now.groups = []figures{{}}
	}
	first := &now.groups[0]
	whole := len(first.measures) > 0
	if now.adding && whole && len(last.groups) > 0 {
		extra := first.measures
		first.measures = nil
		now.groups[0] = c.override(last.groups[:1], *first)[0]
		for _, m := range extra {
			now.groups[0].measures = add(now.groups[0].measures, m)
		}
		now.takeShape(last)
		now.inherits = true
	} else if !whole && len(last.groups) > 0 {
		now.inherits = true
		now.groups = slices.Concat(c.override(last.groups, *first), now.groups[1:])
		now.takeShape(last)
		if now.scheduled() && len(now.sends) == 0 && !now.post {
			now.sends = slices.Clone(last.sends)
		}
		if now.report || now.writes() {
			now.report = true
		}
	} else if whole && len(last.groups) > 0 {
		before := last.groups[0]
		onlyMeasure := first.period.IsZero() && len(first.by) == 0 && len(first.where) == 0 && first.top == 0
		if onlyMeasure && (now.elliptic || !now.report && !now.writes()) {
			f := before
			f.measures = first.measures
			now.groups[0] = f
			now.takeShape(last)
			now.inherits = true
		}
	}
	if f := &now.groups[0]; f.period.IsZero() && f.shift == 0 && f.against.IsZero() && whole {
		// "Sales by region and also orders by product last month": both of them.
		if i := slices.IndexFunc(now.groups, func(g figures) bool { return !g.period.IsZero() }); i > 0 {
			f.period = now.groups[i].period
		}
	}
	for i := range now.groups {
		g := &now.groups[i]
		if len(g.measures) == 0 && g.top > 1 && len(g.by) > 0 && len(c.vocabulary.Measures) > 0 {
			// "Top 3 products": by what comes first with whoever declared it.
			g.measures = []string{c.vocabulary.Measures[0].Name}
			now.inherits = true
		}
		if g.period.IsZero() && g.shift != 0 && whole && (c.slot || !now.schedule.IsZero() || len(last.groups) == 0) {
			// 前一天 is the day before the one when it is done.
			g.period, g.shift = beforeSlot(*g, now.schedule), 0
		}
		if i > 0 && g.period.IsZero() {
			g.period = now.groups[0].period
		}
		if g.period.IsZero() && !now.schedule.IsZero() && whole {
			g.period = roundBefore(now.schedule)
		}
		if g.period.IsZero() && len(last.groups) > 0 {
			g.period = last.groups[0].period
			now.inherits = now.inherits || !g.period.IsZero()
		}
		if g.period.IsZero() && !now.schedule.IsZero() {
			g.period = roundBefore(now.schedule)
		}
		if now.schedule.Once() && g.period == calendar.Ago(calendar.Day, 0) && !c.runsToday(now.schedule) {
			g.period = g.period.Fix(c.now, c.loc) // today is not the day when it is done
		}
		c.setAgainst(g)
		if g.shift != 0 && !g.period.IsZero() {
			g.period, g.shift = shifted(g.period, g.shift, g.unit), 0
		}
		if now.trend && !slices.ContainsFunc(g.by, timeDimension) {
			g.by = append(g.by, trendBy(g.period))
		}
	}
	return now
}

// takeShape keeps how the figures were shown.
func (r *reading) takeShape(last reading) {
	r.report = r.report || last.report
	if r.format == "" {
		r.format = last.format
	}
	if r.chart == "" && !r.regrouped(last) {
		r.chart = last.chart
	}
}

// regrouped says whether the figures are by something else than before, so that
// the old kind of chart may be the wrong one.
func (r *reading) regrouped(last reading) bool {
	return len(r.groups) > 0 && len(last.groups) > 0 && !slices.Equal(r.groups[0].by, last.groups[0].by)
}

// override puts what was said over what was known.
func (c reader) override(known []figures, said figures) []figures {
	var out []figures
	for _, k := range known {
		k.measures, k.by, k.where, k.compare = slices.Clone(k.measures), slices.Clone(k.by), slices.Clone(k.where), slices.Clone(k.compare)
		if len(said.by) > 0 {
			k.by = said.by
			k.where = slices.DeleteFunc(k.where, func(f filter) bool {
				return slices.Contains(said.by, f.Dimension) && len(f.Values) == 1 && len(said.where) == 0
			})
		}
		for _, f := range said.where {
			k.where = slices.DeleteFunc(k.where, func(o filter) bool { return o.Dimension == f.Dimension })
			k.where = append(k.where, f)
		}
		switch {
		case !said.period.IsZero():
			k.period, k.more = said.period, said.more
		case said.shift != 0 && !k.period.IsZero():
			k.period, k.more = shifted(k.period, said.shift, said.unit), nil
		case said.shift != 0:
			k.shift, k.unit = said.shift, said.unit
		}
		if len(said.compare) > 0 {
			k.compare = said.compare
		}
		if !said.against.IsZero() {
			k.against, k.compare, k.more = said.against, nil, nil
		}
		if !k.period.IsZero() {
			c.setAgainst(&k)
		}
		if said.top > 0 || said.worst {
			k.top, k.worst = said.top, said.worst
		}
		k.extreme = k.extreme || said.extreme
		out = append(out, k)
	}
	return out
}

// setAgainst sets beside a period the one that it is to be compared with. "Sales vs
// last year" are those of this year.
func (c reader) setAgainst(g *figures) {
	if g.against.IsZero() {
		return
	}
	if g.period.IsZero() {
		for _, unit := range []calendar.Unit{calendar.Day, calendar.Week, calendar.Month, calendar.Quarter, calendar.Year} {
			if g.against == calendar.Ago(unit, 1) {
				g.period = calendar.Ago(unit, 0)
			}
		}
	}
	if g.period.IsZero() {
		return // to be asked for
	}
	g.more, g.against = append(slices.Clone(g.more), g.against), calendar.Range{}
	c.relate(g)
}

// beforeSlot is the period before the slot of a job.
func beforeSlot(g figures, s calendar.Schedule) calendar.Range {
	switch {
	case g.unit != "":
		return calendar.Ago(g.unit, -g.shift)
	case s.IsZero():
		return calendar.Range{}
	}
	return roundBefore(s)
}

// runsToday says whether a schedule comes first today.
func (c reader) runsToday(s calendar.Schedule) bool {
	next := s.NextN(c.now, c.loc, 1)
	return len(next) > 0 && next[0].At.In(c.loc).Format(time.DateOnly) == c.now.Format(time.DateOnly)
}

// shifted moves a period by its own length, or by another unit: the year before
// October is October a year earlier.
func shifted(r calendar.Range, n int, unit calendar.Unit) calendar.Range {
	if unit == "" || unit == r.Unit() {
		return r.Shift(n)
	}
	months := map[calendar.Unit]int{calendar.Month: 1, calendar.Quarter: 3, calendar.HalfYear: 6, calendar.Year: 12}
	own, other := months[r.Unit()], months[unit]
	switch {
	case own > 0 && unit == calendar.Year:
		return r.Shift(n * other / own)
	case r.Unit() == calendar.Week && unit == calendar.Year:
		return r.Shift(n * 52)
	}
	// "And the quarter before?" after a month: the last whole one.
	return calendar.Ago(unit, -n)
}

// trendBy is the step at which a trend over a period can be seen.
func trendBy(r calendar.Range) string {
	switch r.Unit() {
	case calendar.Quarter, calendar.HalfYear, calendar.Year:
		return "month"
	case calendar.Month:
		if name := r.String(); strings.HasSuffix(name, "_months") {
			return "month"
		}
	}
	return "day"
}
