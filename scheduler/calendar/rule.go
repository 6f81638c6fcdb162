package calendar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// A rulePlan is a recurrence rule of RFC 5545 in floating time: its start, its
// end and its exceptions are what the wall shows. It is for what five fields
// cannot say: every other Friday, every 3 days until March, ten times.
type rulePlan struct {
	rule     *rrule.RRule
	exclude  map[time.Time]bool // single times
	skipDays map[time.Time]bool // whole days
}

const (
	ruleTime = "20060102T150405"
	ruleDay  = "20060102"
)

// Every key we hand to the library. BYEASTER is its own invention and stays
// out.
var ruleKeys = []string{
	"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYSETPOS", "BYMONTH", "BYMONTHDAY",
	"BYYEARDAY", "BYWEEKNO", "BYDAY", "BYHOUR", "BYMINUTE", "BYSECOND",
}

func parseRule(text string) (Schedule, error) {
	var (
		s             Schedule
		p             = rulePlan{exclude: map[time.Time]bool{}, skipDays: map[time.Time]bool{}}
		rule          string
		start         time.Time
		exceptions    []string
		haveRule, has bool
	)
	for line := range strings.FieldsSeq(strings.ToUpper(text)) {
		head, value, ok := strings.Cut(line, ":")
		if !ok {
			return Schedule{}, refuse(text, "a rule is RRULE:… and DTSTART:…")
		}
		name, params, _ := strings.Cut(head, ";")
		// Names of zones are not upper case; take them from the text as given.
		if tzid, ok := strings.CutPrefix(params, "TZID="); ok {
			at := strings.Index(strings.ToUpper(text), "TZID="+tzid)
			zone, err := loadZone(text[at+len("TZID=") : at+len("TZID=")+len(tzid)])
			if err != nil {
				return Schedule{}, refuse(text, fmt.Sprintf("there is no zone %q", tzid))
			}
			s.zone = zone
		}
		switch name {
		case "RRULE":
			if haveRule {
				return Schedule{}, refuse(text, "one RRULE is enough; make two schedules")
			}
			rule, haveRule = value, true
		case "DTSTART":
			wall, whole, err := parseRuleTime(value)
			if err != nil || whole || wall.Year() < 1900 || wall.Year() > 5000 {
				return Schedule{}, refuse(text, "DTSTART must look like 20260102T090000")
			}
			start, has = wall, true
		case "EXDATE":
			for item := range strings.SplitSeq(value, ",") {
				wall, whole, err := parseRuleTime(item)
				if err != nil {
					return Schedule{}, refuse(text, fmt.Sprintf("EXDATE %q must look like 20260102 or 20260102T090000", item))
				}
				if whole {
					p.skipDays[wall] = true
				} else {
					p.exclude[wall] = true
				}
				exceptions = append(exceptions, item)
			}
		default:
			return Schedule{}, refuse(text, fmt.Sprintf("%s is not understood; a rule has RRULE, DTSTART and EXDATE", name))
		}
	}
	if !haveRule || !has {
		return Schedule{}, refuse(text, "a rule needs RRULE:… and DTSTART:…")
	}
	option, err := ruleOption(text, rule)
	if err != nil {
		return Schedule{}, err
	}
	option.Dtstart = start
	if p.rule, err = rrule.NewRRule(*option); err != nil {
		return Schedule{}, refuse(text, err.Error())
	}
	// Ask for the first within five years on a copy that ends there: a rule
	// without any day would otherwise be searched for centuries.
	bounded := *option
	if end := start.AddDate(5, 0, 0); bounded.Until.IsZero() || bounded.Until.After(end) {
		bounded.Until = end
	}
	probe := p
	if probe.rule, err = rrule.NewRRule(bounded); err != nil {
		return Schedule{}, refuse(text, err.Error())
	}
	if _, ok := probe.next(start.Add(-time.Second)); !ok {
		return Schedule{}, refuse(text, "there is no such day within five years of its start")
	}
	s.spec = "RRULE:" + rule + " DTSTART:" + start.Format(ruleTime)
	if len(exceptions) > 0 {
		slices.Sort(exceptions)
		s.spec += " EXDATE:" + strings.Join(slices.Compact(exceptions), ",")
	}
	s.plan = p
	return s, nil
}

// ruleOption reads the part behind RRULE: and refuses what would keep the
// library busy for ever.
func ruleOption(text, rule string) (*rrule.ROption, error) {
	var (
		parts []string
		until time.Time
		seen  = map[string]bool{}
	)
	for part := range strings.SplitSeq(rule, ";") {
		key, value, ok := strings.Cut(part, "=")
		if !ok || !slices.Contains(ruleKeys, key) || seen[key] {
			return nil, refuse(text, fmt.Sprintf("%q is no part of a rule", part))
		}
		seen[key] = true
		switch key {
		case "FREQ":
			if value == "HOURLY" || value == "MINUTELY" || value == "SECONDLY" {
				return nil, refuse(text, "within a day use FREQ=DAILY with BYHOUR and BYMINUTE, or @every")
			}
		case "INTERVAL", "COUNT":
			if n, err := strconv.Atoi(value); err != nil || n < 1 || n > 10000 {
				return nil, refuse(text, key+" must be from 1 to 10000")
			}
		case "BYSECOND":
			if value != "0" {
				return nil, refuse(text, "a rule runs on whole minutes")
			}
		case "UNTIL":
			wall, whole, err := parseRuleTime(value)
			if err != nil {
				return nil, refuse(text, "UNTIL must look like 20260301 or 20260301T090000")
			}
			if whole {
				wall = wall.Add(24*time.Hour - time.Second)
			}
			until = wall
			continue
		}
		parts = append(parts, part)
	}
	option, err := rrule.StrToROption(strings.Join(parts, ";"))
	if err != nil {
		return nil, refuse(text, err.Error())
	}
	if len(option.Byhour)*max(1, len(option.Byminute)) > 24*60 {
		return nil, refuse(text, "too often; sixty times an hour is the most")
	}
	option.Until = until
	return option, nil
}

// parseRuleTime reads a floating time; a Z at its end is taken as written on
// the wall, because the zone is the job's.
func parseRuleTime(text string) (wall time.Time, whole bool, err error) {
	if wall, err = time.Parse(ruleDay, text); err == nil {
		return wall, true, nil
	}
	wall, err = time.Parse(ruleTime, strings.TrimSuffix(text, "Z"))
	return wall, false, err
}

func (p rulePlan) next(after time.Time) (time.Time, bool) {
	iterate := p.rule.Iterator()
	for {
		wall, ok := iterate()
		if !ok {
			return time.Time{}, false
		}
		if !wall.After(after) || p.exclude[wall] || p.skipDays[wall.Truncate(24*time.Hour)] {
			continue
		}
		return wall, true
	}
}

func (p rulePlan) cycle() (Unit, int) {
	n := max(1, p.rule.Options.Interval)
	switch p.rule.Options.Freq {
	case rrule.YEARLY:
		return Year, n
	case rrule.MONTHLY:
		switch n {
		case 3:
			return Quarter, 1
		case 12:
			return Year, 1
		}
		return Month, n
	case rrule.WEEKLY:
		return Week, n
	default:
		return Day, n
	}
}
