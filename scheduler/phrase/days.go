package phrase

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/scheduler/calendar"
)

var dayNames = [7]string{"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"}

var ruleDays = [7]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// dayFields are the day, weekday and month fields of a repeat, or the start of
// a rule where fields cannot say it.
func (r *repeat) dayFields(now time.Time, clocks []clock) (days, weekdayField, months, rule string, ask *fault) {
	days, weekdayField, months = "*", "*", "*"
	if len(r.months) > 0 {
		months = numbers(r.months)
	}
	if r.monthStep > 1 && len(r.months) > 0 {
		months = numbers(stepped(slices.Min(r.months), slices.Max(r.months), r.monthStep))
	} else if r.unit == calendar.Month && r.n > 1 && len(r.months) > 1 {
		months = numbers(stepped(slices.Min(r.months), slices.Max(r.months), r.n))
		if len(r.days) == 0 && len(r.ordinals) == 0 {
			return days, weekdayField, months, "", nil
		}
		r.n = 1 // the months are said, so their distance is
	}
	today := r.firstDay(now, clocks)
	switch {
	case r.edge != nil && len(r.days) == 0:
		return r.edgeFields(months)
	case r.near < 0:
		return "L-" + strconv.Itoa(-r.near), weekdayField, months, "", nil
	case r.near > 0:
		return strconv.Itoa(r.near) + "W", weekdayField, months, "", nil
	case r.week > 0:
		return days, weekdayField, months, fmt.Sprintf("FREQ=YEARLY;BYWEEKNO=%d;BYDAY=%s", r.week, r.byDay()), nil
	case r.ordWork || len(r.ordinals) > 0 && r.ordSet != 0:
		return r.ordinalFields(months)
	case len(r.days) > 0:
		return r.monthDayFields(months)
	case r.dayStep && r.set == 0:
		r.set = everyNth(r.n)
		return days, r.weekdayField(), months, "", nil
	case r.set != 0:
		if r.unit == calendar.Week && r.n > 1 {
			return days, weekdayField, months, fmt.Sprintf("FREQ=WEEKLY;INTERVAL=%d;BYDAY=%s", r.n, r.byDay()), nil
		}
		return days, r.weekdayField(), months, "", nil
	}
	switch r.unit {
	case calendar.Week:
		if r.n > 1 {
			return days, weekdayField, months, fmt.Sprintf("FREQ=WEEKLY;INTERVAL=%d;BYDAY=%s", r.n, ruleDays[today.Weekday()]), nil
		}
		return days, dayNames[today.Weekday()], months, "", nil
	case calendar.Day:
		if r.n > 1 {
			return days, weekdayField, months, fmt.Sprintf("FREQ=DAILY;INTERVAL=%d", r.n), nil
		}
	case calendar.Month, calendar.Quarter, calendar.Year:
		return r.bareFields(today, months)
	case "":
		if len(r.months) > 0 {
			return "1", weekdayField, months, "", nil
		}
	}
	return days, weekdayField, months, "", nil
}

// firstDay is today, or tomorrow when today's times are over.
func (r repeat) firstDay(now time.Time, clocks []clock) time.Time {
	today := midnight(now)
	if !r.start.IsZero() && r.start.After(today) {
		return r.start
	}
	for _, c := range clocks {
		if !today.Add(time.Duration(c.seconds()) * time.Second).Before(now.Truncate(time.Minute)) {
			return today
		}
	}
	if len(clocks) == 0 {
		return today
	}
	return today.AddDate(0, 0, 1)
}

func (r repeat) weekdayField() string {
	if r.set == workdays {
		return "MON-FRI"
	}
	if r.set == 0b1111111 {
		return "*"
	}
	var names []string
	for _, day := range []int{1, 2, 3, 4, 5, 6, 0} {
		if r.set&(1<<day) != 0 {
			names = append(names, dayNames[day])
		}
	}
	if r.dayStep && r.n > 1 {
		// "every 3 days of the week", perhaps between two: cron counts them.
		first := slices.Index(dayNames[:], names[0])
		if r.set == everyNth(r.n) {
			return "*/" + strconv.Itoa(r.n)
		}
		return fmt.Sprintf("%d-%d/%d", first, first+len(names)-1, r.n)
	}
	return strings.Join(names, ",")
}

func (r repeat) byDay() string {
	var names []string
	set := r.set
	if set == 0 {
		set = r.ordSet
	}
	for _, day := range []int{1, 2, 3, 4, 5, 6, 0} {
		if set&(1<<day) != 0 {
			names = append(names, ruleDays[day])
		}
	}
	if len(names) == 0 {
		return "MO"
	}
	return strings.Join(names, ",")
}

// edgeFields are the first and the last day of a month, a quarter, a year.
func (r *repeat) edgeFields(months string) (string, string, string, string, *fault) {
	unit := r.edge.unit
	if unit == "" || unit == calendar.Day {
		unit = r.unit
	}
	if r.n > 1 && unit == calendar.Month {
		day := "1"
		if r.edge.kind == cEnd {
			day = "-1"
		}
		return "*", "*", months, fmt.Sprintf("FREQ=MONTHLY;INTERVAL=%d;BYMONTHDAY=%s", r.n, day), nil
	}
	switch {
	case unit == calendar.Week && r.edge.kind == cEnd:
		return "*", "FRI", months, "", nil
	case unit == calendar.Week:
		return "*", "MON", months, "", nil
	case unit == calendar.Quarter && r.edge.kind == cEnd:
		return "L", "*", "3,6,9,12", "", nil
	case unit == calendar.Quarter:
		return "1", "*", "1,4,7,10", "", nil
	case unit == calendar.Year && r.edge.kind == cEnd:
		return "31", "*", "12", "", nil
	case unit == calendar.Year:
		return "1", "*", "1", "", nil
	case r.edge.kind == cEnd:
		return "L", "*", months, "", nil
	}
	return "1", "*", months, "", nil
}

// ordinalFields are "first Friday", "second and last Monday of every other
// month", "last working day".
func (r *repeat) ordinalFields(months string) (string, string, string, string, *fault) {
	unit := r.of
	if unit == "" || unit == calendar.Year && r.unit == calendar.Month {
		unit = r.unit
	}
	if months == "*" && (unit == calendar.Quarter || r.unit == calendar.Quarter) {
		months = "1,4,7,10"
		if r.ordinals[0] < 0 {
			months = "3,6,9,12"
		}
	} else if months == "*" && unit == calendar.Year {
		months = "1"
		if r.ordinals[0] < 0 {
			months = "12"
		}
	}
	interval := max(1, r.n)
	var byDay []string
	if r.ordWork {
		if len(r.ordinals) == 1 && r.ordinals[0] == -1 && interval == 1 {
			return "LW", "*", months, "", nil
		}
		if len(r.ordinals) == 0 {
			r.ordinals = []int{1}
		}
		if len(r.ordinals) == 1 && r.ordinals[0] == 1 && interval == 1 {
			return "1W", "*", months, "", nil
		}
		rule := fmt.Sprintf("FREQ=MONTHLY;INTERVAL=%d;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=%s", interval, joined(r.ordinals))
		if months != "*" {
			rule += ";BYMONTH=" + spread(months)
		}
		return "*", "*", months, rule, nil
	}
	if r.instance {
		return "*", "*", months, fmt.Sprintf("FREQ=MONTHLY;INTERVAL=%d;BYDAY=%s;BYSETPOS=%s", interval, r.byDay(), joined(r.ordinals)), nil
	}
	var fields []string
	for _, n := range r.ordinals {
		if n > 5 {
			return "*", "*", months, "", &fault{"A month has at most five of each weekday. Which one do you mean?", "一个月里每个星期几最多五个，请问是第几个？"}
		}
		for day := range 7 {
			if r.ordSet&(1<<day) == 0 {
				continue
			}
			if n < 0 {
				fields = append(fields, dayNames[day]+"#L")
			} else {
				fields = append(fields, fmt.Sprintf("%s#%d", dayNames[day], n))
			}
			byDay = append(byDay, fmt.Sprintf("%d%s", n, ruleDays[day]))
		}
	}
	if interval == 1 || r.unit == calendar.Quarter && interval == 1 {
		return "*", strings.Join(fields, ","), months, "", nil
	}
	freq := "MONTHLY"
	rule := ""
	if r.unit == calendar.Year {
		freq = "YEARLY"
	}
	rule = fmt.Sprintf("FREQ=%s;INTERVAL=%d;BYDAY=%s", freq, interval, strings.Join(byDay, ","))
	if months != "*" {
		rule += ";BYMONTH=" + spread(months)
	}
	return "*", "*", months, rule, nil
}

// monthDayFields are days of the month. A day that short months lack is asked
// about, with the last day instead as what is proposed.
func (r *repeat) monthDayFields(months string) (string, string, string, string, *fault) {
	weekdayField := "*"
	if r.set != 0 {
		weekdayField = r.weekdayField()
	}
	if months == "*" {
		switch {
		case r.unit == calendar.Quarter || r.of == calendar.Quarter:
			months = "1,4,7,10"
			if slices.Contains(r.days, -1) && len(r.days) == 1 {
				months = "3,6,9,12"
			}
		case r.unit == calendar.Year || r.of == calendar.Year && r.unit != calendar.Month:
			months = "1"
			if slices.Contains(r.days, -1) {
				months = "12"
			}
		case r.unit == calendar.Week && r.of == "" && len(r.days) == 1 && r.days[0] >= 1 && r.days[0] <= 7:
			// 每周第一天
			return "*", dayNames[r.days[0]%7], "*", "", nil
		}
	}
	var fields []string
	var missing int
	for _, d := range r.days {
		switch {
		case d < 0:
			fields = append(fields, "L")
		case d >= 1 && d <= 31:
			fields = append(fields, strconv.Itoa(d))
			if d > 28 && (months == "*" || shortMonth(months, d)) && weekdayField == "*" {
				missing = max(missing, d)
			}
		}
	}
	slices.Sort(fields)
	fields = slices.Compact(fields)
	if allNumbers(r.days) {
		fields = []string{numbers(r.days)}
	}
	days := strings.Join(fields, ",")
	if r.unit == calendar.Month && r.n > 1 {
		rule := fmt.Sprintf("FREQ=MONTHLY;INTERVAL=%d;BYMONTHDAY=%s", r.n, joined(r.days))
		return days, weekdayField, months, rule, nil
	}
	if missing == 0 || len(r.days) > 5 || r.plain {
		return days, weekdayField, months, "", nil
	}
	if months == "2" && missing >= 30 {
		return "", "", "", "", &fault{"February has no such day. Which day do you mean?", "二月没有这一天，请问是哪一天？"}
	}
	f := &fault{
		fmt.Sprintf("Not every month has a day %d. In the shorter ones: on the last day instead, or not at all?", missing),
		fmt.Sprintf("不是每个月都有%d号。没有的月份，改在最后一天，还是跳过？", missing),
	}
	if len(r.days) == 1 && missing == 31 {
		return "L", weekdayField, months, "", f
	}
	if len(r.days) == 1 && months == "*" {
		return days, weekdayField, months, "FREQ=MONTHLY;BYMONTHDAY=" + joined(stepped(28, missing, 1)) + ";BYSETPOS=-1", f
	}
	return days, weekdayField, months, "", f
}

func allNumbers(days []int) bool {
	return !slices.ContainsFunc(days, func(d int) bool { return d < 1 || d > 31 })
}

// shortMonth says whether a month in the field lacks the day. The 29th of
// February is asked about only when it is the only one.
func shortMonth(months string, day int) bool {
	for _, m := range expand(months) {
		if daysIn(2001, time.Month(m)) < day {
			return true
		}
	}
	return false
}

// bareFields are "monthly", "quarterly", "yearly" with no day said: the day it
// is today. A day that some months lack becomes the last.
func (r *repeat) bareFields(today time.Time, months string) (string, string, string, string, *fault) {
	day := strconv.Itoa(today.Day())
	if today.Day() > 28 {
		day = "L"
	}
	month := int(today.Month())
	step := map[calendar.Unit]int{calendar.Month: 1, calendar.Quarter: 3, calendar.Year: 12}[r.unit] * max(1, r.n)
	switch {
	case months != "*" && r.unit == calendar.Year:
		return "1", "*", months, "", nil
	case months != "*":
		return "*", "*", months, "", nil
	case step == 1:
		return day, "*", "*", "", nil
	case 12%step == 0:
		var list []int
		for m := month; len(list) < 12/step; m += step {
			list = append(list, (m-1)%12+1)
		}
		slices.Sort(list)
		if step == 12 && today.Day() > 28 && today.Format("0102") != "0229" {
			day = strconv.Itoa(today.Day())
		}
		return day, "*", joined(list), "", nil
	}
	if day == "L" {
		day = "-1"
	}
	return "*", "*", months, fmt.Sprintf("FREQ=MONTHLY;INTERVAL=%d;BYMONTHDAY=%s", step, day), nil
}
