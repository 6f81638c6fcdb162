package phrase

import (
	"slices"
	"strconv"
	"strings"

	"hermes/scheduler/calendar"
)

// days says the day, month and weekday fields.
func (v voice) days(day, month, weekday string) (text string, ok bool) {
	if strings.Contains(day+month+strings.ReplaceAll(weekday, "#", ""), "/") && month != "*/3" && month != "*/2" {
		return "", false
	}
	if day != "*" && weekday != "*" {
		a, ok1 := v.days(day, month, "*")
		b, ok2 := v.days("*", month, weekday)
		return a + v.pick(" or ", "，或") + b, ok1 && ok2
	}
	months := []int(nil)
	switch {
	case strings.HasPrefix(month, "*/"):
		n, _ := strconv.Atoi(month[2:])
		months = stepped(1, 12, n)
	case month != "*":
		months = monthsIn(month)
		if len(months) == 0 {
			return "", false
		}
	}
	var names []string
	for _, m := range months {
		names = append(names, v.month(m))
	}
	in := v.list(names)
	switch {
	case day == "*" && weekday == "*":
		if in != "" {
			return v.pick("every day in "+in, in+"的每天"), true
		}
		return v.every(1, calendar.Day), true
	case weekday != "*" && strings.Contains(weekday, "#"):
		what, ok := v.nthWeekdays(weekday)
		if in != "" {
			return v.pick("on the "+what+" of "+in+" every year", "每年"+in+"的"+what), ok
		}
		return v.pick("every month on the "+what, "每月"+what), ok
	case weekday != "*":
		what, ok := v.weekdays(weekday)
		if in != "" {
			what += v.pick(" in "+in, "（"+in+"）")
		}
		return what, ok
	}
	what, ok := v.monthDays(day)
	switch {
	case !ok:
		return "", false
	case in == "":
		return v.pick("every month on "+what, "每月"+what), true
	default:
		return v.pick("every year on "+what+" of "+in, "每年"+in+what), true
	}
}

var monthCodes = []string{"", "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"}

func monthsIn(field string) []int {
	for n, code := range monthCodes[1:] {
		field = strings.ReplaceAll(field, code, strconv.Itoa(n+1))
	}
	return expand(field)
}

func (v voice) monthDays(field string) (string, bool) {
	var words []string
	for item := range strings.SplitSeq(field, ",") {
		near, workday := strings.CutSuffix(item, "W")
		switch {
		case item == "L":
			words = append(words, v.pick("the last day", "最后一天"))
		case item == "LW" || item == "WL":
			words = append(words, v.pick("the last working day", "最后一个工作日"))
		case strings.HasPrefix(item, "L-"):
			words = append(words, v.fromEnd(item[2:]))
		case item == "1W":
			words = append(words, v.pick("the first working day", "第一个工作日"))
		case workday:
			n, err := strconv.Atoi(near)
			if err != nil {
				return "", false
			}
			words = append(words, v.pick("the working day nearest to day "+strconv.Itoa(n), "最接近"+near+"号的工作日"))
		default:
			nums := expand(item)
			if len(nums) == 0 {
				return "", false
			}
			for _, n := range nums {
				words = append(words, v.pick("the "+english(n), strconv.Itoa(n)+"号"))
			}
		}
	}
	return v.list(words), true
}

// fromEnd says L-2, which is two days before the last.
func (v voice) fromEnd(before string) string {
	n, _ := strconv.Atoi(before)
	if n == 1 {
		return v.pick("the last day but one", "倒数第2天")
	}
	return v.pick("the day "+strconv.Itoa(n)+" days before the last", "倒数第"+strconv.Itoa(n+1)+"天")
}

func (v voice) nthWeekdays(field string) (string, bool) {
	var words []string
	for item := range strings.SplitSeq(field, ",") {
		name, n, ok := strings.Cut(item, "#")
		day, known := weekdayCode(name)
		if !ok || !known {
			return "", false
		}
		if n == "L" {
			words = append(words, v.pick("last ", "最后一个")+v.weekday(day))
			continue
		}
		k, _ := strconv.Atoi(n)
		words = append(words, v.ordinal(k)+v.pick(" ", "")+v.weekday(day))
	}
	return v.list(words), true
}

func weekdayCode(name string) (int, bool) {
	if day := slices.Index(dayNames[:], name); day >= 0 {
		return day, true
	}
	day, err := strconv.Atoi(name)
	return day % 7, err == nil && day >= 0 && day <= 7
}

func (v voice) weekdays(field string) (string, bool) {
	var set weekdays
	for item := range strings.SplitSeq(field, ",") {
		from, to, ranged := strings.Cut(item, "-")
		first, ok := weekdayCode(from)
		if !ok {
			return "", false
		}
		last := first
		if ranged {
			if last, ok = weekdayCode(to); !ok {
				return "", false
			}
		}
		set |= spanOf(1<<first, 1<<last)
	}
	switch set {
	case workdays:
		return v.pick("every weekday (Monday to Friday)", "每个工作日（周一至周五）"), true
	case 0b1111111:
		return v.every(1, calendar.Day), true
	}
	return v.pick("every ", "每") + v.setOf(set), true
}

func (v voice) setOf(set weekdays) string {
	var words []string
	for _, day := range []int{1, 2, 3, 4, 5, 6, 0} {
		if set&(1<<day) != 0 {
			words = append(words, v.weekday(day))
		}
	}
	return v.list(words)
}
