package calendar

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A datedPlan is a plan with single days taken out and single times put in, as EXDATE
// and RDATE of a calendar do: holidays, and the days that are worked instead.
type datedPlan struct {
	plan
	skipDays map[time.Time]bool
	exclude  map[time.Time]bool
	extra    []time.Time // in order
}

func (p datedPlan) next(after time.Time) (time.Time, bool) {
	wall, ok := p.plan.next(after)
	for ok && (p.exclude[wall] || p.skipDays[wall.Truncate(24*time.Hour)]) {
		wall, ok = p.plan.next(wall)
	}
	i, found := slices.BinarySearchFunc(p.extra, after, time.Time.Compare)
	if found {
		i++
	}
	if i < len(p.extra) && (!ok || p.extra[i].Before(wall)) {
		return p.extra[i], true
	}
	return wall, ok
}

// real says whether what is behind the dates counts real hours.
func (p datedPlan) real() bool {
	c, ok := p.plan.(*cronPlan)
	return ok && c.realHours
}

// cutDates takes the dates behind an expression off. A rule reads its EXDATE itself.
func cutDates(text string) (rest string, dates []string) {
	fields := strings.Fields(text)
	isRule := slices.ContainsFunc(fields, func(f string) bool { return strings.HasPrefix(strings.ToUpper(f), "RRULE:") })
	var kept []string
	for _, f := range fields {
		upper := strings.ToUpper(f)
		if strings.HasPrefix(upper, "RDATE:") || strings.HasPrefix(upper, "EXDATE:") && !isRule {
			dates = append(dates, upper)
			continue
		}
		kept = append(kept, f)
	}
	if len(dates) == 0 {
		return text, nil
	}
	return strings.Join(kept, " "), dates
}

// with is s without and with the dates, each EXDATE:… or RDATE:….
func (s Schedule) with(dates []string) (Schedule, error) {
	switch s.plan.(type) {
	case everyPlan, oncePlan:
		return Schedule{}, refuse(s.spec, "only what comes on days can leave some of them out")
	}
	p := datedPlan{skipDays: map[time.Time]bool{}, exclude: map[time.Time]bool{}}
	var out, in []string
	for _, line := range dates {
		name, list, _ := strings.Cut(line, ":")
		for item := range strings.SplitSeq(list, ",") {
			wall, whole, err := parseRuleTime(item)
			switch {
			case err != nil || wall.Year() > 9000 || whole && name == "RDATE":
				return Schedule{}, refuse(s.spec, fmt.Sprintf("%s %q must look like 20260102T090000", name, item))
			case name == "RDATE":
				p.extra, in = append(p.extra, wall), append(in, wall.Format(ruleTime))
			case whole:
				p.skipDays[wall] = true
				out = append(out, wall.Format(ruleDay))
			default:
				p.exclude[wall] = true
				out = append(out, wall.Format(ruleTime))
			}
		}
	}
	slices.SortFunc(p.extra, time.Time.Compare)
	p.extra = slices.CompactFunc(p.extra, time.Time.Equal)
	if parts, ok := s.plan.(unionPlan); ok {
		// Each part for itself, so that one that counts real hours still does.
		parts = slices.Clone(parts)
		for i := range parts {
			each := p
			each.plan = parts[i].plan
			if i > 0 {
				each.extra = nil
			}
			parts[i].plan = each
		}
		s.plan = parts
	} else {
		p.plan = s.plan
		s.plan = p
	}
	s.spec += dateText("EXDATE", out) + dateText("RDATE", in)
	return s, nil
}

func dateText(name string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	slices.Sort(list)
	return " " + name + ":" + strings.Join(slices.Compact(list), ",")
}
