package calendar

import (
	"strings"
	"time"
)

// A unionPlan is several expressions in one schedule: 9:00 and 17:30 of each
// day have no common one.
type unionPlan []Schedule

const maxUnion = 8

func parseUnion(text string) (Schedule, error) {
	parts := strings.Split(text, "|")
	if len(parts) > maxUnion {
		return Schedule{}, refuse(text, "more than eight expressions; make several schedules")
	}
	var (
		plan  unionPlan
		specs []string
	)
	for _, part := range parts {
		s, err := parseCron(strings.TrimSpace(part))
		if err != nil {
			return Schedule{}, err
		}
		plan, specs = append(plan, s), append(specs, s.spec)
	}
	return Schedule{spec: strings.Join(specs, " | "), plan: plan}, nil
}

// first is the earliest of the parts' next times. Parts that fall on one
// instant are one slot.
func (p unionPlan) first(after time.Time, loc *time.Location) (Time, bool) {
	var first Time
	found := false
	for _, s := range p {
		if next, ok := s.Next(after, loc); ok && (!found || next.At.Before(first.At)) {
			first, found = next, true
		}
	}
	return first, found
}

func (p unionPlan) next(after time.Time) (time.Time, bool) {
	next, ok := p.first(after, time.UTC)
	return next.At, ok
}

func (p unionPlan) cycle() (Unit, int) { return p[0].plan.cycle() }
