package calendar

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// Holidays are the days of a calendar file on which nobody works, and those on which
// people work instead (调休).
type Holidays struct {
	off, work map[time.Time]bool
	from, to  time.Time // the first and the last day that the file speaks of
}

// ErrHolidays is the cause of every error of ParseHolidays.
var ErrHolidays = errors.New("not a calendar of holidays")

const (
	maxHolidayBytes = 8 << 20
	maxHolidays     = 20000
	maxHolidayDays  = 60 // of one event; a longer one is a mistake or a season
)

// ParseHolidays reads an iCalendar file (RFC 5545): every event is a day off, or
// several, and one that is named a working day is a day on. What comes every year
// without an end is followed until the given day.
func ParseHolidays(r io.Reader, until time.Time) (*Holidays, error) {
	h := &Holidays{off: map[time.Time]bool{}, work: map[time.Time]bool{}}
	lines, err := unfold(r)
	if err != nil {
		return nil, err
	}
	var event map[string]string
	seen := false
	for n, line := range lines {
		head, value, ok := strings.Cut(line, ":")
		name, _, _ := strings.Cut(strings.ToUpper(head), ";")
		switch {
		case !ok:
		case name == "BEGIN" && strings.EqualFold(value, "VCALENDAR"):
			seen = true
		case name == "BEGIN" && strings.EqualFold(value, "VEVENT"):
			event = map[string]string{}
		case name == "END" && strings.EqualFold(value, "VEVENT") && event != nil:
			if err := h.add(event, until); err != nil {
				return nil, fmt.Errorf("%w: event that ends on line %d: %w", ErrHolidays, n+1, err)
			}
			event = nil
		case event != nil && event[name] == "":
			event[name] = value
		}
	}
	switch {
	case !seen:
		return nil, fmt.Errorf("%w: it does not begin with BEGIN:VCALENDAR; save the calendar as an .ics file", ErrHolidays)
	case len(h.off)+len(h.work) == 0:
		return nil, fmt.Errorf("%w: it has no events", ErrHolidays)
	}
	return h, nil
}

// unfold reads the lines of a file; one that begins with a blank goes on the one
// before.
func unfold(r io.Reader) ([]string, error) {
	scan := bufio.NewScanner(io.LimitReader(r, maxHolidayBytes))
	scan.Buffer(nil, 1<<20)
	var lines []string
	for scan.Scan() {
		line := strings.TrimPrefix(strings.TrimSuffix(scan.Text(), "\r"), "\ufeff")
		if n := len(lines); n > 0 && line != "" && (line[0] == ' ' || line[0] == '\t') {
			lines[n-1] += line[1:]
			continue
		}
		lines = append(lines, line)
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrHolidays, err)
	}
	return lines, nil
}

func (h *Holidays) add(event map[string]string, until time.Time) error {
	if strings.EqualFold(event["STATUS"], "CANCELLED") {
		return nil
	}
	first, whole, err := parseRuleTime(event["DTSTART"])
	if err != nil {
		return fmt.Errorf("DTSTART %q is no day", event["DTSTART"])
	}
	days, err := daysOf(event, first, whole)
	if err != nil {
		return err
	}
	first = floor(first, Day)
	starts := []time.Time{first}
	if rule := event["RRULE"]; rule != "" {
		if starts, err = occurrences(rule, first, until); err != nil {
			return err
		}
	}
	into := h.off
	if isWork(event["SUMMARY"]) {
		into = h.work
	}
	for _, start := range starts {
		for d := range days {
			day := start.AddDate(0, 0, d)
			if into[day] = true; len(h.off)+len(h.work) > maxHolidays {
				return fmt.Errorf("more than %d days", maxHolidays)
			}
			if h.from.IsZero() || day.Before(h.from) {
				h.from = day
			}
			if day.After(h.to) {
				h.to = day
			}
		}
	}
	return nil
}

// daysOf is how many days an event takes. Its end is the day after it.
func daysOf(event map[string]string, first time.Time, whole bool) (int, error) {
	days := 1
	if text := event["DTEND"]; text != "" {
		end, _, err := parseRuleTime(text)
		if err != nil || end.Before(first) {
			return 0, fmt.Errorf("DTEND %q is no day behind its start", text)
		}
		days = max(1, int(floor(end.Add(24*time.Hour-time.Nanosecond), Day).Sub(floor(first, Day))/(24*time.Hour)))
	} else if text := event["DURATION"]; text != "" && whole {
		n, err := strconv.Atoi(strings.Trim(text, "PDW"))
		if err != nil || n < 1 {
			return 0, fmt.Errorf("DURATION %q is no number of days", text)
		}
		if days = n; strings.HasSuffix(text, "W") {
			days = 7 * n
		}
	}
	if days > maxHolidayDays {
		return 0, fmt.Errorf("it takes %d days, which is no holiday", days)
	}
	return days, nil
}

// occurrences are the days of a rule up to the given one.
func occurrences(rule string, first, until time.Time) ([]time.Time, error) {
	option, err := ruleOption("RRULE:"+rule, strings.ToUpper(rule))
	if err != nil {
		return nil, err
	}
	option.Dtstart = first
	if option.Until.IsZero() || option.Until.After(until) {
		option.Until = until
	}
	r, err := rrule.NewRRule(*option)
	if err != nil {
		return nil, fmt.Errorf("RRULE %q: %w", rule, err)
	}
	var days []time.Time
	for next := r.Iterator(); len(days) < maxHolidays; {
		day, ok := next()
		if !ok {
			break
		}
		days = append(days, day)
	}
	return days, nil
}

// isWork says whether the name of an event says that people work on it.
func isWork(summary string) bool {
	lower := strings.ToLower(summary)
	return strings.Contains(lower, "班") || strings.Contains(lower, "working day") || strings.Contains(lower, "workday")
}

// Until is the last day that h knows of.
func (h *Holidays) Until() time.Time { return h.to }

// Working says whether people work on a day; its zone is not looked at.
func (h *Holidays) Working(day time.Time) bool {
	year, month, date := day.Date()
	day = time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
	weekday := day.Weekday()
	return h.work[day] || weekday != time.Saturday && weekday != time.Sunday && !h.off[day]
}

// yearsOff is how far ahead holidays are written into a schedule.
const yearsOff = 3

// Without is s with the holidays of h, from a day on, written into it. What goes by
// working days moves to the right one, the last working day of a month too, and
// comes on days that are worked instead; anything else leaves the days off out.
func (s Schedule) Without(h *Holidays, from time.Time) (Schedule, error) {
	year, month, date := from.Date()
	today := time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
	end := today.AddDate(yearsOff, 0, 0)
	if last := h.to.AddDate(0, 0, 1); last.Before(end) {
		end = last
	}
	if !end.After(today) {
		return Schedule{}, fmt.Errorf("%w: it ends on %s", ErrHolidays, h.to.Format(dayLayout))
	}
	var dates []string
	leave := func(day time.Time) { dates = append(dates, "EXDATE:"+day.Format(ruleDay)) }
	if s.plan == nil {
		return s, nil
	}
	nth, ofMonth := workdayOfMonth(s.plan)
	switch {
	case ofMonth:
		for first := floor(today, Month); first.Before(end); first = first.AddDate(0, 1, 0) {
			for _, n := range nth {
				was, right := nthWorking(first, n, weekdayOnly), nthWorking(first, n, h.Working)
				if was.Equal(right) || !s.hits(was) {
					continue
				}
				leave(was)
				for _, t := range s.on(was) {
					if day := right.Add(t.Sub(was)); !day.Before(today) {
						dates = append(dates, "RDATE:"+day.Format(ruleTime))
					}
				}
			}
		}
	default:
		for day := today; day.Before(end); day = day.AddDate(0, 0, 1) {
			switch {
			case h.off[day] && s.hits(day):
				leave(day)
			case h.work[day] && byWorkdays(s.plan) && !s.hits(day):
				// At the times of the Friday before, which the rule has or has not.
				friday := day.AddDate(0, 0, -((int(day.Weekday()) + 2) % 7))
				for _, t := range s.on(friday) {
					dates = append(dates, "RDATE:"+day.Add(t.Sub(friday)).Format(ruleTime))
				}
			}
		}
	}
	if len(dates) == 0 {
		return s, nil
	}
	return Parse(s.spec + joinDates(dates))
}

// joinDates writes the values of one name behind it once.
func joinDates(dates []string) string {
	byName := map[string][]string{}
	for _, d := range dates {
		name, value, _ := strings.Cut(d, ":")
		byName[name] = append(byName[name], value)
	}
	return dateText("EXDATE", byName["EXDATE"]) + dateText("RDATE", byName["RDATE"])
}

// on are the times of the plan on a day, at most a day's hours of them.
func (s Schedule) on(day time.Time) []time.Time {
	var times []time.Time
	for at := day.Add(-time.Nanosecond); len(times) < 24; {
		next, ok := s.plan.next(at)
		if !ok || !next.Before(day.AddDate(0, 0, 1)) {
			break
		}
		times, at = append(times, next), next
	}
	return times
}

func (s Schedule) hits(day time.Time) bool { return len(s.on(day)) > 0 }

const workMask = 0b0111110

// byWorkdays says whether a plan comes from Monday to Friday and on no other days.
func byWorkdays(p plan) bool {
	switch p := p.(type) {
	case *cronPlan:
		return p.anyDay && p.weekdays == workMask && len(p.special) == 0
	case datedPlan:
		return byWorkdays(p.plan)
	case unionPlan:
		return !slices.ContainsFunc(p, func(s Schedule) bool { return !byWorkdays(s.plan) })
	case rulePlan:
		o := p.rule.OrigOptions
		return len(o.Byweekday) == 5 && ruleOfWorkdays(o) && len(o.Bysetpos) == 0 && (o.Freq == rrule.WEEKLY || o.Freq == rrule.DAILY) && o.Interval <= 1
	}
	return false
}

func ruleOfWorkdays(o rrule.ROption) bool {
	var set int
	for _, d := range o.Byweekday {
		set |= 1 << d.Day()
	}
	return set == 0b0011111 // the library counts from Monday
}

// workdayOfMonth says which working days of a month a plan is: 1 is the first and -1
// the last.
func workdayOfMonth(p plan) (nth []int, ok bool) {
	switch p := p.(type) {
	case datedPlan:
		return workdayOfMonth(p.plan)
	case *cronPlan:
		if !p.anyWeekday || p.days != 0 || len(p.special) != 1 {
			return nil, false
		}
		switch rule := p.special[0]; {
		case rule.kind == lastWorkday:
			return []int{-1}, true
		case rule.kind == nearWorkday && rule.day == 1:
			return []int{1}, true
		}
	case rulePlan:
		o := p.rule.OrigOptions
		if o.Freq == rrule.MONTHLY && ruleOfWorkdays(o) && len(o.Bysetpos) > 0 && len(o.Byhour) <= 1 && len(o.Byminute) <= 1 && len(o.Bymonthday) == 0 {
			return o.Bysetpos, true
		}
	}
	return nil, false
}

func weekdayOnly(day time.Time) bool {
	return day.Weekday() != time.Saturday && day.Weekday() != time.Sunday
}

// nthWorking is the nth day of the month that is worked on, from its end when n is
// below zero; or the month's first where it has fewer.
func nthWorking(first time.Time, n int, working func(time.Time) bool) time.Time {
	day, step := first, 1
	if n < 0 {
		day, step, n = first.AddDate(0, 1, -1), -1, -n
	}
	for ; day.Month() == first.Month(); day = day.AddDate(0, 0, step) {
		if working(day) {
			if n--; n == 0 {
				return day
			}
		}
	}
	return first
}
