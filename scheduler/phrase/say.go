package phrase

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hermes/scheduler/calendar"
)

// Say says a schedule back in lang, "zh" or any other for English: "every month
// on the 1st at 09:00", "每月1号 09:00". What has no words is shown as its
// expression; nothing is left out.
func Say(s calendar.Schedule, lang string) string {
	if s.IsZero() {
		return ""
	}
	v := voice{zh: language(lang) == "zh"}
	spec, zone := s.String(), ""
	if rest, ok := strings.CutPrefix(spec, "CRON_TZ="); ok {
		zone, spec, _ = strings.Cut(rest, " ")
	}
	text := ""
	switch {
	case strings.HasPrefix(spec, "@once "):
		text = v.once(strings.TrimPrefix(spec, "@once "))
	case strings.HasPrefix(spec, "@every "):
		text = v.interval(spec)
	case strings.HasPrefix(spec, "RRULE:"):
		text = v.rule(spec)
	default:
		expr, except, more := cutDates(spec)
		spec = expr
		var parts []string
		for expr := range strings.SplitSeq(spec, " | ") {
			parts = append(parts, v.cron(expr))
		}
		text = strings.Join(parts, v.pick("; and ", "；")) + v.dates(except, more)
	}
	if zone != "" {
		text += v.pick(" ("+zone+" time)", "（"+zone+"时间）")
	}
	return text
}

// A voice is a language to say things in.
type voice struct{ zh bool }

func (v voice) pick(en, zh string) string {
	if v.zh {
		return zh
	}
	return en
}

// list joins words: "a, b and c", "a、b、c".
func (v voice) list(words []string) string {
	if v.zh {
		return strings.Join(words, "、")
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func (v voice) day(t time.Time) string { return t.Format(v.pick("2 January 2006", "2006年1月2日")) }

func (v voice) once(text string) string {
	wall, offset := text, ""
	if len(text) > 16 && (text[16] == '+' || text[16] == '-' || text[16] == 'Z') {
		wall, offset = text[:16], " "+text[16:]
	}
	t, err := time.Parse("2006-01-02T15:04", wall)
	layout := "15:04"
	if err != nil {
		if t, err = time.Parse("2006-01-02T15:04:05", wall); err != nil {
			return text
		}
		layout = "15:04:05"
	}
	if v.zh {
		return v.day(t) + "（" + v.weekday(int(t.Weekday())) + "）" + t.Format(layout) + offset + "，仅一次"
	}
	return "once, on " + t.Format("Monday, ") + v.day(t) + " at " + t.Format(layout) + offset
}

func (v voice) interval(spec string) string {
	fields := strings.Fields(spec)
	d, err := time.ParseDuration(fields[1])
	if err != nil {
		return spec
	}
	switch {
	case d%(24*time.Hour) == 0:
		return v.every(int(d/(24*time.Hour)), calendar.Day)
	case d%time.Hour == 0:
		return v.every(int(d/time.Hour), calendar.Hour)
	}
	return v.every(int(d/time.Minute), calendar.Minute)
}

var chineseUnits = map[calendar.Unit]string{
	calendar.Minute: "分钟", calendar.Hour: "小时", calendar.Day: "天", calendar.Week: "周", calendar.Month: "个月", calendar.Quarter: "个季度", calendar.Year: "年",
}

func (v voice) every(n int, unit calendar.Unit) string {
	switch {
	case v.zh && n == 1:
		return "每" + strings.TrimPrefix(chineseUnits[unit], "个")
	case v.zh:
		return fmt.Sprintf("每%d%s", n, chineseUnits[unit])
	case n == 1:
		return "every " + string(unit)
	}
	return fmt.Sprintf("every %d %ss", n, unit)
}

func (v voice) weekday(day int) string {
	if v.zh {
		return "周" + string([]rune("日一二三四五六")[day%7])
	}
	return time.Weekday(day % 7).String()
}

func (v voice) month(m int) string { return v.pick(time.Month(m).String(), strconv.Itoa(m)+"月") }

func (v voice) ordinal(n int) string {
	if v.zh {
		return "第" + string([]rune("零一二三四五")[min(max(n, 0), 5)]) + "个"
	}
	return []string{"", "first", "second", "third", "fourth", "fifth"}[min(max(n, 0), 5)]
}

func english(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// cron says one expression.
func (v voice) cron(expr string) string {
	f := strings.Fields(expr)
	if len(f) != 5 {
		return v.pick("by the expression "+expr, "按表达式 "+expr)
	}
	clock, within, ok := v.clock(f[0], f[1])
	if !ok {
		return v.pick("by the expression "+expr, "按表达式 "+expr)
	}
	days, ok := v.days(f[2], f[3], f[4])
	if !ok {
		return v.pick("by the expression "+expr, "按表达式 "+expr)
	}
	if within {
		if f[2] == "*" && f[3] == "*" && f[4] == "*" {
			return clock
		}
		return v.pick(clock+", "+days, days+"，"+clock)
	}
	return v.pick(days+" at "+clock, days+" "+clock)
}

// clock says the minute and hour fields. within is true when that is an
// interval within the day and not a time of it.
func (v voice) clock(minute, hour string) (text string, within, ok bool) {
	single := func(field string) (int, bool) {
		n, err := strconv.Atoi(field)
		return n, err == nil
	}
	hours := ""
	if hour != "*" && !strings.HasPrefix(hour, "*/") {
		hours = hour
	}
	step, stepping := strings.CutPrefix(minute, "*/")
	m, plain := single(minute)
	switch {
	case minute == "*" || stepping:
		n := 1
		if stepping {
			n, _ = strconv.Atoi(step)
		}
		text = v.every(n, calendar.Minute)
		if strings.HasPrefix(hour, "*/") {
			return "", false, false
		}
	case plain && hour == "*":
		if m == 0 {
			return v.every(1, calendar.Hour), true, true
		}
		return v.pick(fmt.Sprintf("every hour at %d minutes past the hour", m), fmt.Sprintf("每小时的%d分", m)), true, true
	case plain && strings.HasPrefix(hour, "*/"):
		n, err := strconv.Atoi(hour[2:])
		if err != nil || m != 0 {
			return "", false, false
		}
		return v.every(n, calendar.Hour), true, true
	case plain:
		if strings.ContainsAny(hour, "/") {
			return "", false, false
		}
		var times []string
		if list := expand(hour); len(list) > 4 && list[len(list)-1]-list[0] == len(list)-1 {
			return fmt.Sprintf(v.pick("every hour from %02d:%02d to %02d:%02d", "%02d:%02d 至 %02d:%02d 每小时"), list[0], m, list[len(list)-1], m), true, true
		}
		for _, h := range expand(hour) {
			times = append(times, fmt.Sprintf("%02d:%02d", h, m))
		}
		return v.list(times), false, len(times) > 0
	default:
		return v.minutes(minute, hour)
	}
	if hours != "" {
		list := expand(hours)
		if len(list) == 0 || strings.Contains(hours, "/") || list[len(list)-1]-list[0] != len(list)-1 {
			return "", false, false
		}
		text += fmt.Sprintf(v.pick(" between %02d:00 and %02d:59", "（%02d:00 至 %02d:59 之间）"), list[0], list[len(list)-1])
	}
	return text, true, true
}

// minutes says several minutes of an hour: "3-5 * * * *", "0-10 11 * * *".
func (v voice) minutes(minute, hour string) (text string, within, ok bool) {
	list := expand(minute)
	if len(list) < 2 || len(list) > 12 || strings.Contains(minute+hour, "/") {
		return "", false, false
	}
	if h, err := strconv.Atoi(hour); err == nil && list[len(list)-1]-list[0] == len(list)-1 {
		return fmt.Sprintf(v.pick("every minute from %02d:%02d to %02d:%02d", "%02d:%02d 至 %02d:%02d 每分钟"), h, list[0], h, list[len(list)-1]), true, true
	}
	if hour != "*" {
		return "", false, false
	}
	var words []string
	for _, m := range list {
		words = append(words, strconv.Itoa(m))
	}
	return v.pick("every hour at "+v.list(words)+" minutes past the hour", "每小时的"+v.list(words)+"分"), true, true
}
