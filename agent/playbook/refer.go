package playbook

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"hermes/agent/run"
	"hermes/scheduler/calendar"
)

// variables are what a reference may name beside the artifact of a step. A period goes
// from its start to its end, both included; until is the day after. The ones before and a
// year before are of the same length.
var variables = []string{
	"period", "period.start", "period.end", "period.until", "period.label",
	"previous", "previous.start", "previous.end", "previous.until", "previous.label",
	"year_before", "year_before.start", "year_before.end", "year_before.until", "year_before.label",
}

var refForm = regexp.MustCompile(`\{\{\s*([^{}]*?)\s*\}\}`)

// refsOf are the references in the texts of a value, in the order of its keys.
func refsOf(v any) (refs []string) {
	switch v := v.(type) {
	case string:
		for _, m := range refForm.FindAllStringSubmatch(v, -1) {
			refs = append(refs, m[1])
		}
	case []any:
		for _, x := range v {
			refs = append(refs, refsOf(x)...)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			refs = append(refs, refsOf(v[k])...)
		}
	}
	return refs
}

// stepRef takes a reference to a step apart.
func stepRef(ref string) (id, part string, ok bool) {
	rest, ok := strings.CutPrefix(ref, "steps.")
	if !ok {
		return "", "", false
	}
	id, part, _ = strings.Cut(rest, ".")
	return id, part, true
}

// artifactRef is the reference to what a step makes.
func artifactRef(id string) string { return "{{steps." + id + ".artifact}}" }

// A Time is the period that a Playbook is run for.
type Time struct {
	Period run.Period
	Zone   *time.Location
	Lang   string
}

// values are the variables of a time.
func (t Time) values(unit calendar.Unit) map[string]string {
	all := map[string]string{}
	if unit == "" || t.Period.To.IsZero() {
		return all
	}
	back := map[calendar.Unit]int{calendar.Day: 1, calendar.Week: 52, calendar.Month: 12, calendar.Quarter: 4, calendar.Year: 1}
	for name, shift := range map[string]int{"period": 0, "previous": -1, "year_before": -back[unit]} {
		s := spanOf(unit, t.Period, t.Zone, shift)
		if name == "year_before" && unit == calendar.Day {
			day := t.Period.From.In(t.Zone).AddDate(-1, 0, 0)
			s = span{calendar.Ago(calendar.Day, 1), day.AddDate(0, 0, 1), t.Zone}
		}
		first, last, until := s.days()
		all[name], all[name+".start"], all[name+".end"], all[name+".until"], all[name+".label"] = s.word(), first, last, until, s.label(t.Lang)
	}
	return all
}

// filled are arguments with every reference in its place. made has the artifact of each
// step that has run.
func (p Playbook) filled(args map[string]any, t Time, made map[string]string) (json.RawMessage, error) {
	values := t.values(p.Period)
	var missing string
	var fill func(any) any
	fill = func(v any) any {
		switch v := v.(type) {
		case string:
			return refForm.ReplaceAllStringFunc(v, func(m string) string {
				ref := refForm.FindStringSubmatch(m)[1]
				if id, _, ok := stepRef(ref); ok {
					if made[id] == "" {
						missing = ref
					}
					return made[id]
				}
				val, ok := values[ref]
				if !ok {
					missing = ref
				}
				return val
			})
		case []any:
			out := make([]any, len(v))
			for i := range v {
				out[i] = fill(v[i])
			}
			return out
		case map[string]any:
			out := make(map[string]any, len(v))
			for k := range v {
				out[k] = fill(v[k])
			}
			return out
		}
		return v
	}
	got := fill(args)
	if missing != "" {
		return nil, fmt.Errorf("{{%s}} has no value", missing)
	}
	b, err := json.Marshal(got)
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	return b, nil
}

// Sample are the arguments of a step as they could be, to hold them against the schema of
// its tool before anything runs.
func (p Playbook) Sample(s Step, now time.Time) (json.RawMessage, error) {
	made := map[string]string{}
	for _, x := range p.Steps {
		made[x.ID] = "a000000000000"
	}
	t := Time{Period: PeriodOf(p.Period, run.Period{}, now, time.UTC), Zone: time.UTC, Lang: "en"}
	return p.filled(p.argsOf(s), t, made)
}
