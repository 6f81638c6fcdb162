package rules

import (
	"encoding/json"
	"slices"
	"strconv"

	"hermes/scheduler/calendar"
)

// The tools that the rules know.
const (
	queryMetric    = "query_metric"
	makeReport     = "make_report"
	postMessage    = "post_message"
	scheduleAdd    = "schedule_add"
	scheduleChange = "schedule_change"
	askTool        = "ask"
)

// A step is one call of a plan. Its arguments may be the id of what an earlier
// step gives: a ref.
type step struct {
	name  string
	args  map[string]any
	stage int // steps of one stage go out together, the next when all have results
}

// A ref stands for the id in the result of the n-th step, from 1.
type ref int

// MarshalJSON writes a ref as people of `hermes try ask` read it.
func (r ref) MarshalJSON() ([]byte, error) { return json.Marshal("$" + strconv.Itoa(int(r))) }

// The slots that can be missing.
const (
	slotMeasure   = "measure"
	slotPeriod    = "period"
	slotDimension = "dimension"
	slotChannel   = "channel"
	slotWhen      = "when"
	slotJob       = "job"
	slotDay       = "day"
)

// missing names the slots that a reading lacks.
func (c reader) missing(r reading) []string {
	var slots []string
	for _, o := range r.ops {
		if which, ok := o.args["job"]; ok && which == "" {
			slots = add(slots, slotJob)
		}
	}
	if r.clock != "" {
		slots = add(slots, slotDay)
	}
	switch {
	case r.reminder != "" && r.whenAsk != "":
		return add(slots, slotWhen)
	case r.reminder != "" || !r.wants():
		return slots
	}
	for _, g := range r.groups {
		if len(g.measures) == 0 {
			slots = add(slots, slotMeasure)
		}
		if g.extreme && len(g.by) == 0 {
			slots = add(slots, slotDimension)
		}
		if g.period.IsZero() && !c.slot && r.whenAsk == "" { // a schedule brings its period
			slots = add(slots, slotPeriod)
		}
	}
	if r.post && len(r.sends) == 0 {
		slots = add(slots, slotChannel)
	}
	if r.whenAsk != "" {
		slots = add(slots, slotWhen)
	}
	return slots
}

// plan lists the calls that a whole reading comes to: what is asked of the memory
// and the schedules, the figures, the report of them, and then, together, all
// that people must approve.
func (c reader) plan(r reading) []step {
	var steps, last []step
	for _, o := range r.ops {
		if (o.name == scheduleChange || o.name == scheduleSet) && r.wants() {
			last = append(last, step{o.name, o.args, 3})
			continue
		}
		steps = append(steps, step{o.name, o.args, 1})
	}
	if r.reminder != "" {
		args := map[string]any{"when": r.schedule.String(), "request": c.keptReminder(r.reminder)}
		return append(steps, step{scheduleAdd, args, 3})
	}
	if !r.wants() {
		return append(steps, last...)
	}
	asReport := r.report || r.post || len(r.sends) > 0 || r.scheduled()
	var tables []ref
	for _, f := range c.queries(r, asReport) {
		steps = append(steps, step{queryMetric, f, 1})
		tables = append(tables, ref(len(steps)))
	}
	if !asReport {
		return append(steps, last...)
	}
	args := map[string]any{"tables": tables, "format": c.formatOf(r), "chart": chartOf(r)}
	if len(tables) > 0 && (len(r.groups) > 1 || len(r.groups[0].measures) > 1 || len(r.groups[0].more) > 0) {
		// Of one table the tool knows a better title: its own.
		args["title"] = c.title(r)
	}
	steps = append(steps, step{makeReport, args, 2})
	made := ref(len(steps))
	if r.schedule.IsZero() || !r.attached && r.post {
		for _, ch := range r.sends {
			steps = append(steps, step{postMessage, map[string]any{"report": made, "channel": ch}, 3})
		}
	}
	if !r.schedule.IsZero() {
		for _, ch := range channelsOf(r) {
			request, _ := c.requestOf(r, ch)
			args := map[string]any{"when": r.schedule.String(), "request": request, "report": made}
			if ch != "" {
				args["channel"] = ch
			}
			steps = append(steps, step{scheduleAdd, args, 3})
		}
	}
	return append(steps, last...)
}

// queries are the arguments of query_metric for all groups: the figures as asked,
// and for a report the same by day, so that gaps and outliers can be seen.
func (c reader) queries(r reading, asReport bool) []map[string]any {
	var main, daily []map[string]any
	for _, g := range r.groups {
		for _, period := range append([]calendar.Range{g.period}, g.more...) {
			for _, m := range g.measures {
				q := map[string]any{"measure": m}
				if !period.IsZero() {
					q["period"] = period.String()
				}
				if len(g.where) > 0 {
					q["where"] = g.where
				}
				byDay := copyOf(q)
				if len(g.by) > 0 {
					q["by"] = g.by
				}
				if g.top > 0 {
					q["top"] = g.top
				}
				switch {
				case asReport:
					q["compare"] = []string{"previous_period", "year_before"}
				case len(g.compare) > 0:
					q["compare"] = g.compare
				}
				main = append(main, q)
				if asReport && !slices.ContainsFunc(g.by, timeDimension) && !oneDay(period) {
					byDay["by"] = []string{"day"}
					daily = append(daily, byDay)
				}
			}
		}
	}
	return append(main, daily...)
}

func copyOf(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// oneDay says whether a period is a single day, which has no course.
func oneDay(r calendar.Range) bool {
	return r.Unit() == calendar.Day && r.Shift(0) == r && !isStretch(r)
}

// isStretch says whether a period counted in days has several.
func isStretch(r calendar.Range) bool {
	s := r.String()
	return len(s) > 5 && s[:5] == "last_" || slices.Contains([]rune(s), '.')
}

func (c reader) formatOf(r reading) string {
	switch {
	case r.format != "":
		return r.format
	case r.preferred != "":
		return formats[r.preferred]
	case c.format != "":
		return c.format
	}
	return "xlsx"
}

// chartOf is the kind of chart that shows such figures best, unless one is asked
// for.
func chartOf(r reading) string {
	if r.chart != "" && r.chart != "auto" {
		return r.chart
	}
	for _, g := range r.groups {
		if len(g.by) == 0 || slices.ContainsFunc(g.by, timeDimension) {
			return "line"
		}
	}
	return "bar"
}
