package calendar

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// A cronPlan is five (with seconds six) fields. The library parses ranges,
// steps and names; days that it does not know (L, W, #) and all computing of
// times are ours, because its own loses and doubles times when clocks change.
type cronPlan struct {
	second, minute, hour, month uint64
	days, weekdays              uint64
	anyDay, anyWeekday          bool
	special                     []dayRule
	realHours                   bool // every hour of the day: counts real hours
}

// starBit is how the library marks a field that was written as *.
const starBit = 1 << 63

const allHours = 1<<24 - 1

var named = map[string]string{
	"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
	"@monthly": "0 0 1 * *", "@quarterly": "0 0 1 */3 *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
}

func parseNamed(text string) (Schedule, error) {
	expr, ok := named[text]
	if !ok {
		return Schedule{}, refuse(text, "unknown name; there are @hourly, @daily, @weekly, @monthly, @quarterly, @yearly, @every and @once")
	}
	return parseCron(expr)
}

var fieldNames = []string{"second", "minute", "hour", "day", "month", "weekday"}

// fieldParser reads one field at a time, so that an error can name it.
var fieldParsers = []cron.Parser{
	cron.NewParser(cron.Second), cron.NewParser(cron.Minute), cron.NewParser(cron.Hour),
	cron.NewParser(cron.Dom), cron.NewParser(cron.Month), cron.NewParser(cron.Dow),
}

func parseCron(text string) (Schedule, error) {
	fields := strings.Fields(strings.ToUpper(text))
	switch len(fields) {
	case 5:
		fields = append([]string{"0"}, fields...)
	case 6:
	default:
		return Schedule{}, refuse(text, fmt.Sprintf("expected 5 to 6 fields, found %d; write minute hour day month weekday, such as \"0 9 1 * *\"", len(fields)))
	}
	p := &cronPlan{}
	for i, field := range fields {
		if err := p.set(i, field); err != nil {
			return Schedule{}, refuse(text, fmt.Sprintf("%s field %q: %v", fieldNames[i], field, err))
		}
		if field == "?" {
			fields[i] = "*"
		}
	}
	p.realHours = p.hour == allHours
	if bits.OnesCount64(p.second)*bits.OnesCount64(p.minute) > 60 {
		return Schedule{}, refuse(text, "too often; sixty times an hour is the most")
	}
	// Any expression comes round within yearsAhead or never does.
	if _, ok := p.next(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(-time.Second)); !ok {
		return Schedule{}, refuse(text, "there is no such day in any year; did you mean the last day of the month (L)?")
	}
	if p.second == 1 {
		fields = fields[1:]
	}
	return Schedule{spec: strings.Join(fields, " "), plan: p}, nil
}

func (p *cronPlan) set(i int, field string) error {
	var rest []string
	special := 0
	for item := range strings.SplitSeq(field, ",") {
		if item == "" {
			return errors.New("nothing between two commas")
		}
		rule, ok, err := parseDayRule(i, item)
		if err != nil {
			return err
		}
		if ok {
			p.special = append(p.special, rule)
			special++
			continue
		}
		if i == 5 {
			item = sundays(item)
		}
		rest = append(rest, item)
	}
	var mask uint64
	if len(rest) > 0 {
		var err error
		if mask, err = parseField(i, strings.Join(rest, ",")); err != nil {
			return err
		}
	}
	star := mask&starBit != 0 && special == 0
	mask &^= starBit
	switch i {
	case 0:
		p.second = mask
	case 1:
		p.minute = mask
	case 2:
		p.hour = mask
	case 3:
		p.days, p.anyDay = mask, star
	case 4:
		p.month = mask
	case 5:
		p.weekdays, p.anyWeekday = mask, star
	}
	return nil
}

func parseField(i int, field string) (uint64, error) {
	if strings.HasPrefix(field, "TZ=") || strings.HasPrefix(field, "CRON_TZ=") || strings.HasPrefix(field, "@") {
		return 0, errors.New("not a field")
	}
	parsed, err := fieldParsers[i].Parse(field)
	if err != nil {
		return 0, err
	}
	spec, ok := parsed.(*cron.SpecSchedule)
	if !ok {
		return 0, errors.New("not a field")
	}
	return [...]uint64{spec.Second, spec.Minute, spec.Hour, spec.Dom, spec.Month, spec.Dow}[i], nil
}

// sundays writes a 7 for Sunday as the library knows it, ranges included.
func sundays(item string) string {
	body, step, stepped := strings.Cut(item, "/")
	from, to, ranged := strings.Cut(body, "-")
	switch {
	case !ranged && from == "7" && !stepped:
		return "0"
	case !ranged && from == "7":
		return "0-0/" + step
	case ranged && (to == "7" || to == "SUN" && from != "SUN" && from != "0"):
		first, ok := weekdayNumber(from)
		every := 1
		if stepped {
			every, _ = strconv.Atoi(step)
		}
		if !ok || every < 1 {
			return item
		}
		var days []string
		for day := first; day <= 7; day += every {
			days = append(days, strconv.Itoa(day%7))
		}
		return strings.Join(days, ",")
	}
	return item
}

var weekdayNames = map[string]int{"SUN": 0, "MON": 1, "TUE": 2, "WED": 3, "THU": 4, "FRI": 5, "SAT": 6}

func weekdayNumber(text string) (int, bool) {
	if day, ok := weekdayNames[text]; ok {
		return day, true
	}
	day, err := strconv.Atoi(text)
	return day, err == nil && day >= 0 && day <= 7 && len(text) == 1
}

// yearsAhead is how far a search goes. A 29th of February that is a given weekday
// comes round after 28 years, or after 40 across a century's start without one
// (2072 to 2112).
const yearsAhead = 41

func (p *cronPlan) next(after time.Time) (time.Time, bool) {
	from := after.Truncate(time.Second).Add(time.Second)
	day := time.Date(from.Year(), from.Month(), from.Day(), 0, 0, 0, 0, time.UTC)
	clock := int(from.Sub(day) / time.Second)
	last := day.AddDate(yearsAhead, 0, 0)
	for day.Before(last) {
		if p.month&(1<<day.Month()) == 0 {
			day, clock = time.Date(day.Year(), day.Month()+1, 1, 0, 0, 0, 0, time.UTC), 0
			continue
		}
		if p.matches(day) {
			if second, ok := p.clock(clock); ok {
				return day.Add(time.Duration(second) * time.Second), true
			}
		}
		day, clock = day.AddDate(0, 0, 1), 0
	}
	return time.Time{}, false
}

// clock is the first matching second of a day, from the given one on.
func (p *cronPlan) clock(from int) (int, bool) {
	h, m, s := from/3600, from/60%60, from%60
	for hour := bitFrom(p.hour, h); hour >= 0; hour = bitFrom(p.hour, hour+1) {
		if hour > h {
			m, s = 0, 0
		}
		for minute := bitFrom(p.minute, m); minute >= 0; minute = bitFrom(p.minute, minute+1) {
			if hour > h || minute > m {
				s = 0
			}
			if second := bitFrom(p.second, s); second >= 0 {
				return hour*3600 + minute*60 + second, true
			}
		}
	}
	return 0, false
}

// bitFrom is the lowest set bit at or above from, or -1.
func bitFrom(mask uint64, from int) int {
	if from > 63 {
		return -1
	}
	mask &= ^uint64(0) << from
	if mask == 0 {
		return -1
	}
	return bits.TrailingZeros64(mask)
}

// matches keeps cron's rule: when both day and weekday are restricted, either
// is enough.
func (p *cronPlan) matches(day time.Time) bool {
	byDay := p.days&(1<<day.Day()) != 0
	byWeekday := p.weekdays&(1<<day.Weekday()) != 0
	for _, rule := range p.special {
		if rule.matches(day) {
			if rule.ofWeekday() {
				byWeekday = true
			} else {
				byDay = true
			}
		}
	}
	if p.anyDay || p.anyWeekday {
		return byDay && byWeekday
	}
	return byDay || byWeekday
}

func (p *cronPlan) cycle() (Unit, int) {
	switch {
	case p.anyDay && p.anyWeekday && p.realHours:
		return Hour, 1
	case p.anyDay && p.anyWeekday:
		return Day, 1
	case p.anyDay && len(p.special) == 0:
		// Five days a week is daily work with free weekends.
		if bits.OnesCount64(p.weekdays) >= 5 {
			return Day, 1
		}
		return Week, 1
	}
	switch months := bits.OnesCount64(p.month &^ 1); {
	case months == 1:
		return Year, 1
	case months == 2 && bits.RotateLeft64(p.month, 6)&p.month != 0:
		return Month, 6
	case months == 4 && bits.RotateLeft64(p.month, 3)&p.month != 0:
		return Quarter, 1
	default:
		return Month, 1
	}
}
