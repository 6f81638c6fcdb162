package phrase

import "hermes/scheduler/calendar"

// dayWords are words that are a day by themselves, some with a part of it.
var dayWords = map[string]chunk{
	"today": {n: 0}, "tomorrow": {n: 1}, "yesterday": {n: -1}, "overmorrow": {n: 2}, "in3days": {n: 3}, "2daysago": {n: -2}, "3daysago": {n: -3},
	"tonight": {n: 0, part: "night"}, "tomorrownight": {n: 1, part: "evening"}, "lastnight": {n: -1, part: "evening"},
	"thismorning": {n: 0, part: "morning"}, "tomorrowmorning": {n: 1, part: "morning"}, "otd": {n: 0},
}

var yearWords = map[string]int{"lastyear": -1, "lastyear2": -2, "thisyear": 0, "nextyear": 1, "nextyear2": 2}

// readRelative reads what is meant from today: tomorrow, next Friday, 下下周三,
// next month, this afternoon.
func (p *parser) readRelative(i int) ([]chunk, int) {
	t := p.at(i)
	if i >= len(p.toks) || t.kind == number || t.kind == mark {
		return nil, 0
	}
	if d, ok := dayWords[t.text]; ok {
		found := []chunk{{kind: cDay, n: d.n}}
		if d.part != "" {
			if t.text == "tonight" && t.zh {
				d.part = "evening"
			}
			found = append(found, chunk{kind: cPart, part: d.part})
		}
		return found, 1
	}
	if n, ok := yearWords[t.text]; ok {
		return []chunk{{kind: cUnit, n: n, unit: calendar.Year, part: "zh"}}, 1
	}
	switch {
	case t.text == "now", p.is(i, "at") && p.is(i+1, "present"), p.is(i, "at") && p.is(i+1, "this") && p.is(i+2, "time"), p.is(i, "right") && p.is(i+1, "now"):
		n := map[string]int{"now": 1, "right": 2}[t.text]
		if n == 0 {
			n = 2 + map[bool]int{true: 1}[p.is(i+1, "this")]
		}
		if p.is(i+n, "+") {
			return nil, 0
		}
		return []chunk{{kind: cAfter, unit: second, weak: true}}, n
	case p.is(i, "the") && p.is(i+1, "day") && p.is(i+2, "after") && p.is(i+3, "tomorrow"):
		return []chunk{{kind: cDay, n: 2}}, 4
	case p.is(i, "day") && p.is(i+1, "after") && p.is(i+2, "tomorrow") && p.at(i-1).kind != number:
		return []chunk{{kind: cDay, n: 2}}, 3
	case p.is(i, "day") && p.is(i+1, "before") && p.is(i+2, "yesterday") && p.at(i-1).kind != number:
		return []chunk{{kind: cDay, n: -2}}, 3
	case p.is(i, "a") && p.is(i+1, "week") && p.is(i+2, "from") && p.is(i+3, "today"):
		return []chunk{{kind: cDay, n: 7}}, 4
	}
	if n := map[bool]int{true: 1}[p.is(i, "thistime")]; n > 0 || p.is(i, "this") && p.is(i+1, "time") && p.is(i+2, "tomorrow", "next", "on", "in") {
		return []chunk{{kind: cClock, clock: p.asked}}, 2 - n
	}
	if t.kind == weekday && p.is(i+1, "after") && p.is(i+2, "next") {
		// Friday after next: a week later than the one that comes
		return []chunk{{kind: cWeekday, set: t.set}, {kind: cAfter, n: 1, unit: calendar.Week}}, 3
	}
	start := i
	if p.is(i-1, "every") {
		return nil, 0
	}
	i = p.skip(i, "the", "on", "this")
	ahead, known := p.direction(i)
	if !known {
		i = start
		if ahead, known = p.direction(i); !known {
			return nil, 0
		}
	}
	coming := p.is(i, "coming")
	word := p.at(i).text
	i++
	if p.is(i, "coming") {
		coming, i = true, i+1
	}
	if p.is(i, "past") && word == "this" {
		word, ahead, i = "past", -1, i+1
	}
	i = p.skip(i, "个")
	if unit, n := p.unitAt(i); word == "last" && (p.at(i).kind == weekday && (p.monthly || p.ofMonth(i+1)) || (unit == calendar.Day || unit == workday) && (p.monthly || p.ofMonth(i+n))) {
		return nil, 0 // the last Friday of the month is no day gone by
	}
	switch unit, n := p.unitAt(i); {
	case p.at(i).kind == weekday && i < len(p.toks):
		c := chunk{kind: cWeekday, set: p.at(i).set, n: ahead, part: word}
		if coming {
			c.n = anyWeek
		}
		return []chunk{c}, i + 1 - start
	case p.at(i).isDaypart() && (word == "this" || word == "next"):
		return []chunk{{kind: cDay, n: ahead}, {kind: cPart, part: p.at(i).text}}, i + 1 - start
	case p.is(i, "week") && p.at(i).zh && p.at(i+1).kind == number && p.at(i+1).num <= 7 && p.at(i+1).num > 0:
		return []chunk{{kind: cWeekday, set: 1 << (p.at(i+1).num % 7), n: ahead, part: word}}, i + 2 - start
	case n > 0 && unit == workday && word == "last":
		return []chunk{{kind: cAfter, n: 1, unit: workday, part: "ago"}}, i + n - start
	case n > 0 && unit == workday:
		return []chunk{{kind: cAfter, n: 1, unit: workday}}, i + n - start
	case n > 0 && unit == weekends:
		return []chunk{{kind: cWeekday, set: weekend, n: ahead, part: word}}, i + n - start
	case n > 0 && unit == calendar.Day:
		return []chunk{{kind: cDay, n: ahead}}, i + n - start
	case n > 0 && (unit == calendar.Hour || unit == calendar.Minute):
		if word == "this" {
			return nil, 0
		}
		return []chunk{{kind: cAfter, n: abs(ahead), unit: unit, part: agoIf(ahead < 0)}}, i + n - start
	case n > 0 && unit == calendar.Week && p.weekdayBehind(i+n) > 0:
		j := p.weekdayBehind(i + n)
		return []chunk{{kind: cWeekday, set: p.at(j).set, n: ahead, part: "week"}}, j + 1 - start
	case n > 0 && t.zh:
		return []chunk{{kind: cUnit, n: ahead, unit: unit, part: "zh"}}, i + n - start
	case n > 0:
		return []chunk{{kind: cUnit, n: ahead, unit: unit}}, i + n - start
	}
	// next 2 days, last two weeks, past 2 days
	if k, ok := p.num(i); ok && k > 0 && k < 10000 && word != "this" {
		if unit, n := p.unitAt(i + 1); n > 0 {
			return []chunk{{kind: cAfter, n: k, unit: unit, part: agoIf(ahead < 0)}}, i + 1 + n - start
		}
	}
	if p.is(i, "few") && word != "this" {
		if unit, n := p.unitAt(i + 1); n > 0 {
			return []chunk{{kind: cAfter, n: 3, unit: unit, part: agoIf(ahead < 0)}}, i + 1 + n - start
		}
	}
	return nil, 0
}

// weekdayBehind finds the weekday of "next week on Friday", "this week Monday",
// "previous week - Monday".
func (p *parser) weekdayBehind(i int) int {
	i = p.skip(i, "on", "-", ",", "maybe", "say", "的")
	i = p.skip(i, "on", "say", ",")
	if p.at(i).kind == weekday && i < len(p.toks) {
		return i
	}
	return 0
}

func (p *parser) direction(i int) (n int, ok bool) {
	switch p.at(i).text {
	case "next", "following":
		return 1, true
	case "next2":
		return 2, true
	case "this", "coming":
		return 0, true
	case "last", "prev", "past", "previous":
		return -1, p.at(i).kind == word
	case "prev2":
		return -2, true
	}
	return 0, false
}

func agoIf(ago bool) string {
	if ago {
		return "ago"
	}
	return ""
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// amount reads a number of units: "5 minutes", "an hour", "half an hour",
// "1.5 hours", "a couple of days", "5 and a half minutes", 一个半小时, 半小时.
// Halves become the smaller unit.
func (p *parser) amount(i int) (list []chunk, n int) {
	start := i
	i = p.skip(i, "about", "~", "-", "another")
	i = p.skip(i, "~")
	add := func(count int, unit calendar.Unit, j int) ([]chunk, int) {
		return []chunk{{kind: cAfter, n: count, unit: unit}}, j - start
	}
	switch {
	case p.at(i).kind == number && p.at(i).num < 1000 && p.is(i+1, "个") && p.is(i+2, "halfhour"):
		return add(60*p.at(i).num+30, calendar.Minute, i+3)
	case p.is(i, "halfhour"):
		return add(30, calendar.Minute, i+1)
	case p.is(i, "halfminute"):
		return add(30, second, i+1)
	case p.is(i, "halfmonth"):
		return add(15, calendar.Day, i+1)
	case p.is(i, "halfyear"):
		return add(6, calendar.Month, i+1)
	case p.is(i, "half"), p.at(i).num == 1 && p.at(i).digits == 1 && p.is(i+1, "/") && p.at(i+2).num == 2:
		j := i + 1
		if p.at(i).kind == number {
			j = i + 3
		}
		j = p.skip(j, "a", "an", "个")
		if unit, k := p.unitAt(j); k > 0 {
			if sub, count := halved(unit); count > 0 {
				return add(count, sub, j+k)
			}
		}
		return nil, 0
	case p.is(i, "a") && p.is(i+1, "couple"):
		j := p.skip(i+2, "of")
		if unit, k := p.unitAt(j); k > 0 {
			return add(2, unit, j+k)
		}
		return nil, 0
	case p.is(i, "few") || p.is(i, "a") && p.is(i+1, "few"):
		j := p.skip(i, "a")
		j++
		j = p.skip(j, "个")
		if unit, k := p.unitAt(j); k > 0 {
			return add(3, unit, j+k)
		}
		return nil, 0
	case p.is(i, "a", "an", "the"):
		if unit, k := p.unitAt(i + 1); k > 0 {
			j := i + 1 + k
			if p.is(j, "and") && p.is(j+1, "a") && p.is(j+2, "half") && !p.repeats(j+3) {
				if sub, extra := halved(unit); extra > 0 {
					list, n = add(1, unit, j+3)
					return append(list, chunk{kind: cAfter, n: extra, unit: sub}), n
				}
			}
			return add(1, unit, j)
		}
		return nil, 0
	}
	count, ok := p.num(i)
	if !ok || count > 100000 || p.at(i).ordinal {
		return nil, 0
	}
	j := i + 1
	half := false
	switch {
	case p.is(j, ".") && p.at(j).glued && p.at(j+1).num == 5 && p.at(j+1).digits == 1:
		half, j = true, j+2
	case p.is(j, "and") && p.is(j+1, "a") && p.is(j+2, "half"):
		half, j = true, j+3
	case p.is(j, "个") && p.is(j+1, "half"):
		half, j = true, j+2
	case p.is(j, "-") && p.at(j).glued:
		j++
	}
	unit, k := p.unitAt(j)
	if k == 0 {
		// +15m, in 2h, 3d
		unit, k = map[string]calendar.Unit{"m": calendar.Minute, "h": calendar.Hour, "d": calendar.Day, "w": calendar.Week, "s": second, "mon": calendar.Month, "mo": calendar.Month}[p.at(j).text], 1
		if unit == "" || !p.at(j).glued && p.at(j).text != "mon" || p.at(j).kind == number || j >= len(p.toks) {
			return nil, 0
		}
	}
	if p.at(j).text == "week" && p.at(j).zh && p.at(j+1).kind == number && p.is(j+2, "点") {
		return nil, 0
	}
	list, n = add(count, unit, j+k)
	if half {
		if sub, extra := halved(unit); extra > 0 {
			list = append(list, chunk{kind: cAfter, n: extra, unit: sub})
		}
	}
	return list, n
}

func halved(unit calendar.Unit) (calendar.Unit, int) {
	switch unit {
	case calendar.Hour:
		return calendar.Minute, 30
	case calendar.Minute:
		return second, 30
	case calendar.Day:
		return calendar.Hour, 12
	case calendar.Year:
		return calendar.Month, 6
	}
	return "", 0
}

// amounts reads several in a row: "1 hour, 15 minutes, and 30 seconds".
func (p *parser) amounts(i int) (list []chunk, n int) {
	start := i
	for len(list) < 8 {
		more, k := p.amount(i)
		if k == 0 {
			break
		}
		list, i = append(list, more...), i+k
		n = i - start
		i = p.skip(i, ",", "and", "零")
		if p.is(i, ",") {
			break
		}
	}
	return list, n
}

// readDuration reads a time that is counted from now or from a day: "in 20
// minutes", "2 hours later", 三天后, "5 days ago", "two weeks from tomorrow",
// "timer for 10 minutes".
func (p *parser) readDuration(i int) ([]chunk, int) {
	start := i
	ago, said := false, false
	switch {
	case p.is(i, "过") && p.at(i+1).zh:
		said, i = true, i+1
	case p.is(i, "in", "within", "after", "wait", "timer", "+", "计", "设") || p.is(i, "now") && p.is(i+1, "+"):
		said = p.is(i, "in", "within", "after", "+", "now", "timer")
		if p.is(i, "now") {
			i++
		}
		if p.is(i, "wait") && p.is(i+1, "for") || p.is(i, "timer") && p.is(i+1, "for") {
			said = true
			i++
		}
		if p.is(i, "计") && p.is(i+1, "时") {
			said = true
			i++
			i = p.skip(i+1, "器") - 1
		}
		if !said {
			return nil, 0
		}
		i++
		i = p.skip(i, "the", "next")
	case p.dateEnd == i && i > 0 && p.at(i).zh && p.is(i, "前一", "后一") && p.is(i+1, "天", "day"):
		return []chunk{{kind: cAfter, n: 1, unit: calendar.Day, part: agoIf(p.is(i, "前一"))}}, 2
	case p.dateEnd == i && i > 0 && p.at(i).zh && p.is(i, "ago", "later"):
		// 圣诞节前两天
		list, n := p.amounts(i + 1)
		for k := range list {
			list[k].part = agoIf(p.is(i, "ago"))
		}
		if n == 0 {
			return nil, 0
		}
		return list, n + 1
	case p.is(i, "-") && !p.at(i).glued && p.at(i+1).glued && p.at(i-1).digits >= 2 && i > 0:
		// 2026-12-29 -10days
		ago, said, i = true, true, i+1
	case p.is(i, "for") && (p.is(i-1, "timer", "alarm", "wait")):
		said, i = true, i+1
	}
	list, n := p.amounts(i)
	if n == 0 {
		return nil, 0
	}
	i += n
	if c, k := p.besideClock(list, i); k > 0 && !said {
		return []chunk{{kind: cClock, clock: c}}, i + k - start
	}
	base := 0
	switch {
	case p.is(i, "time") && p.is(i-1, "hour", "minute", "day", "week", "month", "year"):
		i++
		said = true
	case p.is(i, "from") && p.is(i+1, "now", "today", "tomorrow", "yesterday"), p.is(i, "after", "before") && p.is(i+1, "today", "tomorrow", "yesterday", "now"):
		ago = p.is(i, "before")
		base = dayWords[p.at(i+1).text].n
		said, i = true, i+2
		if p.at(i-1).text != "now" {
			list = append([]chunk{{kind: cDay, n: base}}, list...)
		}
	case p.is(i, "from", "after", "before") && p.at(i+1).kind == weekday && i+1 < len(p.toks) && !p.at(i+1).owner:
		// three weeks from Thursday: from the one that comes
		ago, said = p.is(i, "before"), true
		list = append([]chunk{{kind: cWeekday, set: p.at(i + 1).set}}, list...)
		i += 2
	case p.is(i, "after", "before") && p.datesFollow(i+1):
		ago, said, i = p.is(i, "before"), true, i+1
	case p.is(i, "later", "out"):
		said, i = true, i+1
	case p.is(i, "ago", "earlier"):
		ago, said, i = true, true, i+1
	case p.is(i, "before", "after") && i+1 >= len(p.toks):
		ago, said, i = p.is(i, "before"), true, i+1
	case p.is(i, "within"):
		said, i = true, i+1
	case p.is(i, "timer"):
		said, i = true, i+1
	case p.is(i, "计") && p.is(i+1, "时"):
		said, i = true, i+2
		i = p.skip(i, "器")
	case start > 0 && p.is(start-1, "计时", "器") || p.is(start-1, "时") && p.is(start-2, "计"):
		said = true
	}
	if !said {
		return nil, 0
	}
	for k := range list {
		if ago && list[k].kind == cAfter {
			list[k].part = "ago"
		}
	}
	if p.is(start, "in", "within") && p.is(i, "of", "since") {
		return nil, 0
	}
	return list, i - start
}

// besideClock reads what follows in "an hour before midnight", "ten minutes after
// noon": a time of day beside another.
func (p *parser) besideClock(list []chunk, i int) (c clock, n int) {
	if !p.is(i, "before", "after") || !fineOnly(list) {
		return clock{}, 0
	}
	c, n = p.clockAt(i+1, true)
	if n == 0 || !c.sure {
		return clock{}, 0
	}
	minutes := 0
	for _, a := range list {
		minutes += a.n * map[calendar.Unit]int{calendar.Hour: 60, calendar.Minute: 1}[a.unit]
	}
	const day = 24 * 60
	if minutes == 0 || minutes >= day/2 {
		return clock{}, 0
	}
	if p.is(i, "before") {
		minutes = -minutes
	}
	at := (c.hour*60 + c.minute + minutes + day) % day
	return clock{hour: at / 60, minute: at % 60, sure: true}, n + 1
}

// datesFollow says whether what stands behind "before" and "after" is a date.
func (p *parser) datesFollow(i int) bool {
	for _, reader := range []func(int) ([]chunk, int){p.readNumericDate, p.readChineseDate, p.readNamedDate, p.readRelative, p.readHoliday} {
		if _, n := reader(i); n > 0 {
			return true
		}
	}
	return false
}
