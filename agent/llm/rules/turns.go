package rules

import (
	"slices"
	"strings"

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
		if len(now.unclaimed) == 0 && now.wants() {
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
	if now.chat != "" || !now.wants() || len(now.unclaimed) > 0 {
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
	for i := range now.groups {
		g := &now.groups[i]
		if len(g.measures) == 0 && g.top > 1 && len(g.by) > 0 && len(c.vocabulary.Measures) > 0 {
			// "Top 3 products": by what comes first with whoever declared it.
			g.measures = []string{c.vocabulary.Measures[0].Name}
			now.inherits = true
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
			beside := figures{period: k.period, more: []calendar.Range{said.against}}
			c.relate(&beside)
			k.period, k.more = beside.period, beside.more
			k.compare = beside.compare
		}
		if said.top > 0 || said.worst {
			k.top, k.worst = said.top, said.worst
		}
		k.extreme = k.extreme || said.extreme
		out = append(out, k)
	}
	return out
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
