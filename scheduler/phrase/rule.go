package phrase

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/scheduler/calendar"
)

func expand(field string) []int {
	var nums []int
	for item := range strings.SplitSeq(field, ",") {
		from, to, ranged := strings.Cut(item, "-")
		a, err := strconv.Atoi(from)
		if err != nil {
			continue
		}
		b := a
		if ranged {
			b, _ = strconv.Atoi(to)
		}
		for ; a <= b; a++ {
			nums = append(nums, a)
		}
	}
	return nums
}

func spread(field string) string { return joined(expand(field)) }

func joined(nums []int) string {
	var text []string
	for _, n := range nums {
		text = append(text, strconv.Itoa(n))
	}
	return strings.Join(text, ",")
}

// ruleFor writes fields as a rule, for what starts, ends or has exceptions.
func (r *repeat) ruleFor(days, weekdayField, months string) string {
	var parts []string
	freq := "DAILY"
	if months != "*" {
		parts = append(parts, "BYMONTH="+spread(months))
	}
	switch {
	case strings.Contains(weekdayField, "#"):
		freq = "MONTHLY"
		var list []string
		for item := range strings.SplitSeq(weekdayField, ",") {
			name, n, _ := strings.Cut(item, "#")
			if n == "L" {
				n = "-1"
			}
			list = append(list, n+ruleDays[slices.Index(dayNames[:], name)])
		}
		parts = append(parts, "BYDAY="+strings.Join(list, ","))
	case weekdayField != "*":
		freq = "WEEKLY"
		parts = append(parts, "BYDAY="+r.byDay())
		if r.set == 0 {
			parts[len(parts)-1] = "BYDAY=" + ruleDays[max(0, slices.Index(dayNames[:], weekdayField))]
		}
	}
	switch {
	case days == "LW":
		return "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1" + with(parts)
	case days != "*":
		freq = "MONTHLY"
		parts = append(parts, "BYMONTHDAY="+strings.ReplaceAll(spreadDays(days), "L", "-1"))
	}
	return "FREQ=" + freq + with(parts)
}

func with(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return ";" + strings.Join(parts, ";")
}

func spreadDays(days string) string {
	var list []string
	for item := range strings.SplitSeq(days, ",") {
		if item == "L" {
			list = append(list, item)
			continue
		}
		list = append(list, spread(item))
	}
	return strings.Join(list, ",")
}

// finishRule adds the times, the start, the end and the exceptions. An interval
// is counted from the first time that comes, not from today.
func (r *repeat) finishRule(rule string, minute, hour []string, now time.Time, clocks []clock) string {
	if len(minute) != 1 {
		minute, hour = minute[:1], hour[:1]
	}
	hours, minutes := expandField(hour[0], 24), expandField(minute[0], 60)
	if len(hours) > 1 || len(minutes) > 1 {
		rule += ";BYHOUR=" + joined(hours) + ";BYMINUTE=" + joined(minutes)
	}
	if r.count > 0 {
		rule += ";COUNT=" + strconv.Itoa(r.count)
	}
	if !r.until.IsZero() {
		rule += ";UNTIL=" + r.until.Format("20060102T150405")
	}
	start := midnight(now)
	if !r.start.IsZero() && r.start.After(start) {
		start = r.start
	}
	if len(clocks) > 0 || len(hours) > 0 {
		start = r.firstDay(now, clocks)
	}
	start = start.Add(time.Duration(hours[0])*time.Hour + time.Duration(minutes[0])*time.Minute)
	var except []string
	for _, m := range r.except {
		switch {
		case m.vague:
			for day := m.day; day.Month() == m.day.Month() && len(except) < 120; day = day.AddDate(0, 0, 1) {
				except = append(except, day.Format("20060102"))
			}
		case m.clock != nil:
			except = append(except, m.wall(now).Format("20060102T150405"))
		default:
			except = append(except, m.day.Format("20060102"))
		}
	}
	spec := func(start time.Time, rule string) string {
		text := "RRULE:" + rule + " DTSTART:" + start.Format("20060102T150405")
		if len(except) > 0 {
			text += " EXDATE:" + strings.Join(except, ",")
		}
		return text
	}
	if strings.Contains(rule, "INTERVAL=") && !strings.Contains(rule, "FREQ=DAILY") {
		// Find the first day without the interval and start there.
		plain := rule
		for part := range strings.SplitSeq(rule, ";") {
			if strings.HasPrefix(part, "INTERVAL=") {
				plain = strings.Replace(plain, ";"+part, "", 1)
			}
		}
		if s, err := calendar.Parse(spec(start, plain)); err == nil {
			if next, ok := s.Next(start.Add(-time.Second), time.UTC); ok {
				first := next.At
				start = time.Date(first.Year(), first.Month(), first.Day(), hours[0], minutes[0], 0, 0, time.UTC)
			}
		}
	}
	return spec(start, rule)
}

// expandField is all numbers of a field that we wrote ourselves.
func expandField(field string, limit int) []int {
	body, stepText, stepping := strings.Cut(field, "/")
	step := 1
	if stepping {
		step, _ = strconv.Atoi(stepText)
	}
	if body == "*" {
		return stepped(0, limit-1, step)
	}
	nums := expand(body)
	if stepping {
		return stepped(nums[0], nums[len(nums)-1], step)
	}
	return nums
}
