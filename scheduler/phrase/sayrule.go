package phrase

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/scheduler/calendar"
)

// rule says a recurrence rule: what repeats, on which days, at what time, and
// from when to when.
func (v voice) rule(spec string) string {
	parts := map[string]string{}
	var start time.Time
	var except, more []string
	for line := range strings.FieldsSeq(spec) {
		name, value, _ := strings.Cut(line, ":")
		switch name {
		case "RRULE":
			for part := range strings.SplitSeq(value, ";") {
				key, v, _ := strings.Cut(part, "=")
				parts[key] = v
			}
		case "DTSTART":
			start, _ = time.Parse("20060102T150405", value)
		case "EXDATE":
			except = strings.Split(value, ",")
		case "RDATE":
			more = strings.Split(value, ",")
		}
	}
	n, _ := strconv.Atoi(parts["INTERVAL"])
	unit := map[string]calendar.Unit{"DAILY": calendar.Day, "WEEKLY": calendar.Week, "MONTHLY": calendar.Month, "YEARLY": calendar.Year}[parts["FREQ"]]
	text := v.every(max(1, n), unit)
	if on := v.ruleDays(parts, unit); on != "" {
		text += v.pick(" on "+on, "的"+on)
	}
	if months := expand(parts["BYMONTH"]); len(months) > 0 {
		var names []string
		for _, m := range months {
			names = append(names, v.month(m))
		}
		text += v.pick(" in "+v.list(names), "（"+v.list(names)+"）")
	}
	if week := parts["BYWEEKNO"]; week != "" {
		text += v.pick(" in week "+week, "（第"+week+"周）")
	}
	text += v.ruleTimes(parts, start)
	text += v.pick(", from "+v.day(start), "，自"+v.day(start)+"起")
	if until, err := time.Parse("20060102T150405", parts["UNTIL"]); err == nil {
		text += v.pick(" until "+v.day(until), "至"+v.day(until))
	} else if until, err := time.Parse("20060102", parts["UNTIL"]); err == nil {
		text += v.pick(" until "+v.day(until), "至"+v.day(until))
	}
	if count := parts["COUNT"]; count != "" {
		text += v.pick(", "+count+" times", "，共"+count+"次")
	}
	return text + v.dates(except, more)
}

// dates says which days are left out and which are put in.
func (v voice) dates(except, more []string) string {
	text := ""
	if len(except) > 0 {
		text += v.except(except)
	}
	if n := len(more); n > 4 {
		text += v.pick(fmt.Sprintf(", and %d times more", n), fmt.Sprintf("，另加%d次", n))
	} else if n > 0 {
		text += v.pick(", and also on ", "，另加") + v.list(v.dated(more))
	}
	return text
}

// cutDates parts an expression from the days behind it.
func cutDates(expr string) (rest string, except, more []string) {
	var kept []string
	for f := range strings.FieldsSeq(expr) {
		name, list, _ := strings.Cut(f, ":")
		switch name {
		case "EXDATE":
			except = strings.Split(list, ",")
		case "RDATE":
			more = strings.Split(list, ",")
		default:
			kept = append(kept, f)
		}
	}
	return strings.Join(kept, " "), except, more
}

func (v voice) ruleTimes(parts map[string]string, start time.Time) string {
	hours, minutes := expand(parts["BYHOUR"]), expand(parts["BYMINUTE"])
	if len(hours) == 0 {
		hours = []int{start.Hour()}
	}
	if len(minutes) == 0 {
		minutes = []int{start.Minute()}
	}
	var times []string
	for _, h := range hours {
		for _, m := range minutes {
			times = append(times, fmt.Sprintf("%02d:%02d", h, m))
		}
	}
	if len(times) > 8 {
		return v.pick(fmt.Sprintf(" %d times a day from %s to %s", len(times), times[0], times[len(times)-1]), fmt.Sprintf(" 一天%d次，%s至%s", len(times), times[0], times[len(times)-1]))
	}
	return v.pick(" at ", " ") + v.list(times)
}

// ruleDays says BYDAY, BYMONTHDAY and BYSETPOS together.
func (v voice) ruleDays(parts map[string]string, unit calendar.Unit) string {
	if days := parts["BYMONTHDAY"]; days != "" {
		if parts["BYSETPOS"] == "-1" {
			last := expand(days)
			return v.pick("the "+english(slices.Max(last))+", or the last day of shorter months", strconv.Itoa(slices.Max(last))+"号（没有的月份为最后一天）")
		}
		var words []string
		for item := range strings.SplitSeq(days, ",") {
			n, err := strconv.Atoi(item)
			switch {
			case err != nil:
			case n == -1:
				words = append(words, v.pick("the last day", "最后一天"))
			case n < 0:
				words = append(words, v.pick("the "+english(-n)+" last day", "倒数第"+strconv.Itoa(-n)+"天"))
			default:
				words = append(words, v.pick("the "+english(n), strconv.Itoa(n)+"号"))
			}
		}
		return v.list(words)
	}
	byDay := parts["BYDAY"]
	if byDay == "" {
		return ""
	}
	var words []string
	var set weekdays
	for item := range strings.SplitSeq(byDay, ",") {
		day := slices.Index(ruleDays[:], item[max(0, len(item)-2):])
		if day < 0 {
			return byDay
		}
		n, err := strconv.Atoi(strings.TrimPrefix(item[:len(item)-2], "+"))
		switch {
		case err != nil:
			set |= 1 << day
		case n == -1:
			words = append(words, v.pick("the last ", "最后一个")+v.weekday(day))
		case n > 5 || n < 0:
			words = append(words, item)
		default:
			words = append(words, v.pick("the ", "")+v.ordinal(n)+v.pick(" ", "")+v.weekday(day))
		}
	}
	if set != 0 {
		name := v.setOf(set)
		if set == workdays {
			name = v.pick("working day", "工作日")
			if parts["BYSETPOS"] == "" {
				name = v.pick("weekdays", "工作日")
			}
		}
		if pos := parts["BYSETPOS"]; pos != "" {
			var which []string
			for _, item := range strings.Split(pos, ",") {
				n, _ := strconv.Atoi(item)
				switch {
				case n == -1:
					which = append(which, v.pick("last", "最后一个"))
				case n < 0:
					which = append(which, v.pick(english(-n)+" to last", "倒数第"+strconv.Itoa(-n)+"个"))
				case n > 5:
					which = append(which, v.pick(english(n), "第"+item+"个"))
				default:
					which = append(which, v.ordinal(n))
				}
			}
			name = v.pick("the "+v.list(which)+" "+name, v.list(which)+name)
		}
		words = append(words, name)
	}
	return v.list(words)
}

// dated are days, and times where the hour is said, in words.
func (v voice) dated(dates []string) (words []string) {
	for _, date := range dates {
		if t, err := time.Parse("20060102", date); err == nil {
			words = append(words, v.day(t))
		} else if t, err := time.Parse("20060102T150405", date); err == nil {
			words = append(words, v.day(t)+t.Format(" 15:04"))
		}
	}
	return words
}

func (v voice) except(dates []string) string {
	words := v.dated(dates)
	if len(words) > 4 {
		return v.pick(fmt.Sprintf(", except on %d days", len(words)), fmt.Sprintf("，%d天除外", len(words)))
	}
	return v.pick(", except "+v.list(words), "，"+v.list(words)+"除外")
}
