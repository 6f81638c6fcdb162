package calendar

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ICal is s as lines of RFC 5545, DTSTART and RRULE and where there are some EXDATE and
// RDATE, from its first time after an instant on. It is false for what one rule cannot
// say: real time, several expressions, a day of the month or else of the week.
func (s Schedule) ICal(after time.Time, loc *time.Location) (lines []string, ok bool) {
	if s.zone != nil {
		loc = s.zone
	}
	if loc == nil {
		loc = time.UTC
	}
	p, dates := s.plan, []string(nil)
	if d, dated := p.(datedPlan); dated {
		p = d.plan
		_, dates = cutDates(s.spec)
	}
	at := ";TZID=" + loc.String() + ":"
	start, rule := time.Time{}, ""
	switch p := p.(type) {
	case rulePlan:
		for field := range strings.FieldsSeq(s.spec) {
			switch name, value, _ := strings.Cut(field, ":"); name {
			case "RRULE":
				rule = value
			case "DTSTART":
				start, _ = time.Parse(ruleTime, value)
			case "EXDATE":
				dates = append(dates, field)
			}
		}
	case *cronPlan:
		first, found := p.next(wallOf(after, loc))
		if rule, ok = p.rule(); !ok || !found {
			return nil, false
		}
		start = first
	default:
		return nil, false
	}
	lines = []string{"DTSTART" + at + start.Format(ruleTime), "RRULE:" + rule}
	for _, line := range dates {
		name, list, _ := strings.Cut(line, ":")
		lines = append(lines, name+at+strings.Join(datesAsTimes(name, list, p, start), ","))
	}
	return lines, true
}

// datesAsTimes writes whole days as the times that they leave out: a calendar compares times.
func datesAsTimes(name, list string, p plan, start time.Time) []string {
	var out []string
	for item := range strings.SplitSeq(list, ",") {
		day, err := time.Parse(ruleDay, item)
		if err != nil || name == "RDATE" {
			out = append(out, item)
			continue
		}
		s := Schedule{plan: p}
		for _, t := range s.on(day) {
			if !t.Before(start) {
				out = append(out, t.Format(ruleTime))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// rule is the plan as the value of an RRULE.
func (p *cronPlan) rule() (string, bool) {
	if p.second != 1 {
		return "", false
	}
	days, weekdays, ok := p.ruleDays()
	if !ok {
		return "", false
	}
	freq := "DAILY"
	switch {
	case strings.Contains(days+weekdays, "BYMONTHDAY") || strings.ContainsAny(weekdays, "0123456789-"):
		freq = "MONTHLY"
	case weekdays != "":
		freq = "WEEKLY"
	}
	rule := "FREQ=" + freq + days + weekdays
	if months := listOf(p.month, 1, 12); len(months) < 12 {
		rule += ";BYMONTH=" + strings.Join(months, ",")
	}
	return rule + ";BYHOUR=" + strings.Join(listOf(p.hour, 0, 23), ",") + ";BYMINUTE=" + strings.Join(listOf(p.minute, 0, 59), ","), true
}

var ruleDays = [7]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// ruleDays are the parts of a rule that name its days.
func (p *cronPlan) ruleDays() (days, weekdays string, ok bool) {
	const everyDay, everyWeekday = 1<<32 - 2, 1<<7 - 1
	allDays, allWeekdays := p.days&everyDay == everyDay, p.weekdays&everyWeekday == everyWeekday
	if !p.anyDay && !p.anyWeekday && !allDays && !allWeekdays {
		return "", "", false // either is enough, which no rule says
	}
	monthDays := listOf(p.days, 1, 31)
	if allDays {
		monthDays = nil
	}
	var named []string
	if !allWeekdays {
		for day := range 7 {
			if p.weekdays&(1<<day) != 0 {
				named = append(named, ruleDays[day])
			}
		}
	}
	for _, r := range p.special {
		switch {
		case r.kind == lastDay:
			monthDays = append(monthDays, strconv.Itoa(-1-r.day))
		case r.kind == nthWeekday && p.weekdays == 0:
			named = append(named, strconv.Itoa(r.ordinal)+ruleDays[r.day])
		case r.kind == lastWeekday && p.weekdays == 0:
			named = append(named, "-1"+ruleDays[r.day])
		case r.kind == lastWorkday && len(p.special) == 1 && p.days == 0 && allWeekdays:
			return p.placed(-1)
		case r.kind == nearWorkday && r.day == 1 && len(p.special) == 1 && p.days == 0 && allWeekdays:
			return p.placed(1)
		default:
			return "", "", false
		}
	}
	if len(monthDays) > 0 {
		days = ";BYMONTHDAY=" + strings.Join(monthDays, ",")
	}
	if len(named) > 0 {
		weekdays = ";BYDAY=" + strings.Join(named, ",")
	}
	if len(p.special) > 0 && days != "" && weekdays != "" {
		return "", "", false
	}
	return days, weekdays, true
}

// placed is the first (1) or the last (-1) working day. A rule counts times, not days,
// so that of a day with three times it must name three.
func (p *cronPlan) placed(which int) (days, weekdays string, ok bool) {
	const most = 366 // of RFC 5545
	n := bits.OnesCount64(p.hour) * bits.OnesCount64(p.minute)
	var places []string
	for i := 1; i <= n; i++ {
		places = append(places, strconv.Itoa(which*i))
	}
	return "", ";BYDAY=MO,TU,WE,TH,FR;BYSETPOS=" + strings.Join(places, ","), n <= most
}

// listOf are the numbers of a mask.
func listOf(mask uint64, from, to int) []string {
	var out []string
	for n := from; n <= to; n++ {
		if mask&(1<<n) != 0 {
			out = append(out, strconv.Itoa(n))
		}
	}
	return out
}
