package phrase

import "hermes/scheduler/calendar"

// frequencies are single words that say how often.
var frequencies = map[string]chunk{
	"hourly": {n: 1, unit: calendar.Hour}, "daily": {n: 1, unit: calendar.Day}, "weekly": {n: 1, unit: calendar.Week}, "monthly": {n: 1, unit: calendar.Month},
	"quarterly": {n: 1, unit: calendar.Quarter}, "yearly": {n: 1, unit: calendar.Year}, "annual": {n: 1, unit: calendar.Year}, "fortnightly": {n: 2, unit: calendar.Week},
	"biweekly": {n: 2, unit: calendar.Week}, "bimonthly": {n: 2, unit: calendar.Month}, "semiannually": {n: 6, unit: calendar.Month}, "semiannual": {n: 6, unit: calendar.Month},
	"biannually": {n: 6, unit: calendar.Month}, "everyotherday": {n: 2, unit: calendar.Day}, "everyotherweek": {n: 2, unit: calendar.Week},
}

// readFrequency reads "monthly", "bi-weekly", "nightly", 隔周.
func (p *parser) readFrequency(i int) ([]chunk, int) {
	t := p.at(i)
	if t.kind != word || i >= len(p.toks) {
		return nil, 0
	}
	if list, n := p.halfTheMonths(i); n > 0 {
		return list, n
	}
	if t.plural && t.isDaypart() {
		return []chunk{{kind: cMark}, {kind: cPart, part: t.text}}, 1
	}
	if (t.text == "bi" || t.text == "semi" || t.text == "half") && p.at(i+1).glued {
		j := p.skip(i+1, "-")
		switch f, ok := frequencies[p.at(j).text]; {
		case ok && t.text == "bi" && f.unit != calendar.Year:
			return []chunk{{kind: cEvery, n: 2 * f.n, unit: f.unit, weak: true}}, j + 1 - i
		case ok && t.text == "semi" && f.unit != calendar.Year:
			return []chunk{{kind: cEvery, n: f.n, unit: f.unit, weak: true}, {kind: cPer, n: 2}}, j + 1 - i
		case ok && f.unit == calendar.Year:
			return []chunk{{kind: cEvery, n: 6, unit: calendar.Month, weak: true}}, j + 1 - i
		}
		return nil, 0
	}
	switch t.text {
	case "nightly":
		return []chunk{{kind: cEvery, n: 1, unit: calendar.Day}, {kind: cPart, part: "evening"}}, 1
	case "everymorning":
		return []chunk{{kind: cEvery, n: 1, unit: calendar.Day}, {kind: cPart, part: "morning"}}, 1
	case "weekdays":
		if p.is(i-1, "every") {
			return nil, 0
		}
		return []chunk{{kind: cMark}, {kind: cWeekday, set: workdays, n: anyWeek}}, 1
	case "weekends":
		if p.is(i-1, "every", "other") || p.at(i-1).kind == number {
			return nil, 0
		}
		return []chunk{{kind: cMark}, {kind: cWeekday, set: weekend, n: anyWeek}}, 1
	case "weekend":
		if p.is(i-1, "every", "other", "next", "this", "last", "prev", "coming", "the", "past") || p.at(i-1).kind == number {
			return nil, 0
		}
		return []chunk{{kind: cWeekday, set: weekend, n: anyWeek, weak: true}}, 1
	case "workday":
		if !t.zh || p.is(i-1, "every", "next", "last") || p.at(i-1).kind == number {
			return nil, 0
		}
		return []chunk{{kind: cMark}, {kind: cWeekday, set: workdays, n: anyWeek}}, 1
	}
	if f, ok := frequencies[t.text]; ok {
		f.kind = cEvery
		f.weak = t.text != "daily" || p.is(i+1, "active")
		f.weak = f.weak && !t.zh
		return []chunk{f}, 1
	}
	return nil, 0
}

// halfTheMonths reads 单月, "odd months".
func (p *parser) halfTheMonths(i int) ([]chunk, int) {
	first, n := 0, 1
	switch {
	case p.is(i, "oddmonth"):
		first = 1
	case p.is(i, "evenmonth"):
		first = 2
	case p.is(i, "odd", "even") && p.is(i+1, "month"):
		first, n = 1+map[bool]int{true: 1}[p.is(i, "even")], 2
	default:
		return nil, 0
	}
	list := []chunk{{kind: cMark}}
	for m := first; m <= 12; m += 2 {
		list = append(list, chunk{kind: cMonth, n: m})
	}
	return list, n
}

// readEvery reads what follows "every": a number of units, an ordinal, days.
func (p *parser) readEvery(i int) ([]chunk, int) {
	if !p.is(i, "every", "everyskip") {
		return nil, 0
	}
	start, skipping := i, p.is(i, "everyskip")
	i++
	i = p.skip(i, "and", "single", "的", "个")
	n, sure := 1, false
	switch t := p.at(i); {
	case p.is(i, "other"):
		n, sure, i = 2, true, i+1
	case p.is(i, "second") && !t.zh && (p.ordinalTarget(i+1) != 0 || p.repeats(i+1)):
		if p.ordinalTarget(i+1) == 'w' && p.ofMonth(i+2) {
			return []chunk{{kind: cMark}}, 1
		}
		n, sure, i = 2, true, i+1
	case t.kind == number && t.ordinal && i < len(p.toks):
		// "every 3rd week" counts weeks, "every 5th Friday" Fridays, "every first
		// Friday" names one in its month.
		if p.repeats(i+1) && p.ordinalTarget(i+1) == 0 || p.ordinalTarget(i+1) == 'w' && t.num > 1 && t.digits > 0 && !p.ofMonth(i+2) ||
			p.ordinalTarget(i+1) == 'd' && !p.ofMonth(i+2) {
			n, sure, i = t.num, true, i+1
		} else {
			return []chunk{{kind: cMark}}, 1
		}
	case t.kind == number && t.num > 0 && t.num < 10000 && i < len(p.toks):
		if unit, k := p.unitAt(i + 1); k > 0 && !(unit == calendar.Month && t.zh && !p.is(i+1, "个") && !p.is(i+2, "month") && t.digits == 0) {
			n, sure, i = t.num, true, i+1
			if skipping && n == 1 {
				n = 2
			}
		} else if p.is(i+1, "号", "day") && t.zh {
			return []chunk{{kind: cMark}}, 1
		}
	case p.is(i, "few"):
		return nil, 0
	}
	if minutes, k := p.oddMinutes(start, i); k > 0 {
		return []chunk{{kind: cEvery, n: minutes, unit: calendar.Minute}}, k
	}
	if p.is(i, "halfhour") || p.is(i, "half") && (p.is(i+1, "hour") || p.is(i+1, "an") && p.is(i+2, "hour")) {
		k := 1
		if p.is(i, "half") {
			k = 2 + map[bool]int{true: 1}[p.is(i+1, "an")]
		}
		return []chunk{{kind: cEvery, n: 30, unit: calendar.Minute}}, i + k - start
	}
	if unit, k := p.unitAt(i); k > 0 {
		if sure && n > 1 || skipping {
			if p.is(i+k, "of") && p.is(i+k+1, "the") && p.is(i+k+2, "week") {
				return []chunk{{kind: cMark}, {kind: cWeekday, set: everyNth(n), n: anyWeek}, {kind: cOf, unit: "step", n: n}}, i + k + 3 - start
			}
		}
		return p.everyUnit(unit, n, sure, i+k-start)
	}
	if _, k := p.readHoliday(i); k > 0 && n == 1 {
		return []chunk{{kind: cMark}}, i - start
	}
	switch t := p.at(i); {
	case t.isDaypart():
		return []chunk{{kind: cEvery, n: n, unit: calendar.Day}, {kind: cPart, part: t.text}}, i + 1 - start
	case t.kind == weekday && i < len(p.toks) && sure:
		return []chunk{{kind: cEvery, n: n, unit: calendar.Week}}, i - start
	case p.is(i, "monthend", "monthstart", "yearend", "yearstart", "quarterend", "quarterstart"):
		return []chunk{{kind: cMark}}, i - start
	case t.kind == weekday || t.ordinal || monthNames[t.text] > 0 || p.is(i, "last", "final", "firstone", "start", "end", "第", "workday", "odd", "even", "oddmonth", "evenmonth"):
		return []chunk{{kind: cMark}}, i - start
	case t.kind == number && i < len(p.toks) && t.zh && p.is(i+1, "month"):
		return []chunk{{kind: cMark}}, i - start
	}
	return nil, 0
}

// oddMinutes reads what comes every so many hours and a half: "every 1.5 hours",
// "every hour and a half", 每一个半小时, 每两个半小时. from is where "every" stands.
func (p *parser) oddMinutes(from, i int) (minutes, n int) {
	if p.at(from).raw == "每一个" && p.is(i, "halfhour") {
		return 90, i + 1 - from
	}
	if p.is(i, "hour") && p.is(i+1, "and") && p.is(i+2, "a") && p.is(i+3, "half") {
		return 90, i + 4 - from
	}
	for j := i; j >= from+1 && j > i-2; j-- {
		if p.at(j).kind != number {
			continue
		}
		list, k := p.amount(j)
		if k == 0 || !fineOnly(list) {
			continue
		}
		for _, c := range list {
			minutes += c.n * map[calendar.Unit]int{calendar.Hour: 60, calendar.Minute: 1}[c.unit]
		}
		if minutes > 60 && minutes%60 == 30 && (len(list) == 2 || p.is(j+1, "个")) {
			return minutes, j + k - from
		}
		minutes = 0
	}
	return 0, 0
}

// everyNth are the weekdays of */n in a cron expression, which is what people
// who say "every 3 days of the week" have before them.
func everyNth(n int) weekdays {
	var set weekdays
	for day := 0; day < 7; day += n {
		set |= 1 << day
	}
	return set
}

func (p *parser) everyUnit(unit calendar.Unit, n int, sure bool, used int) ([]chunk, int) {
	switch unit {
	case workday:
		return []chunk{{kind: cMark}, {kind: cWeekday, set: workdays, n: anyWeek}}, used
	case weekends:
		return []chunk{{kind: cEvery, n: n, unit: calendar.Week}, {kind: cWeekday, set: weekend, n: anyWeek}}, used
	case fortnight:
		return []chunk{{kind: cEvery, n: 2 * n, unit: calendar.Week}}, used
	case calendar.HalfYear:
		return []chunk{{kind: cEvery, n: 6 * n, unit: calendar.Month}}, used
	}
	return []chunk{{kind: cEvery, n: n, unit: unit, weak: !sure}}, used
}

// repeats says whether a unit stands at i.
func (p *parser) repeats(i int) bool {
	_, n := p.unitAt(i)
	return n > 0
}

// ofMonth says whether "of the month", "in November" follows.
func (p *parser) ofMonth(i int) bool {
	if !p.is(i, "of", "in") {
		return false
	}
	i = p.skip(i+1, "the", "every", "a", "this", "next")
	return p.is(i, "month", "quarter", "year") || monthNames[p.at(i).text] > 0 || p.is(i, "other") || p.at(i).kind == number
}

// readEdges reads "the beginning of each month", "end of the month", 月底,
// 每季度第一天 is an ordinal and not here.
func (p *parser) readEdges(i int) ([]chunk, int) {
	switch {
	case p.is(i, "monthend"):
		return []chunk{{kind: cEnd, unit: calendar.Month}}, 1
	case p.is(i, "monthstart"):
		return []chunk{{kind: cStart, unit: calendar.Month}}, 1
	case p.is(i, "yearend"):
		return []chunk{{kind: cEnd, unit: calendar.Year}}, 1
	case p.is(i, "yearstart"):
		return []chunk{{kind: cStart, unit: calendar.Year}}, 1
	case p.is(i, "quarterend"):
		return []chunk{{kind: cEnd, unit: calendar.Quarter}}, 1
	case p.is(i, "quarterstart"):
		return []chunk{{kind: cStart, unit: calendar.Quarter}}, 1
	}
	start := i
	i = p.skip(i, "at", "by", "on")
	if p.is(i, "eod") {
		return []chunk{{kind: cEnd, unit: calendar.Day}}, i + 1 - start
	}
	i = p.skip(i, "the")
	kind := cStart
	switch {
	case p.is(i, "end"):
		kind = cEnd
	case p.is(i, "start"):
	default:
		if p.is(i, "month", "quarter", "year") && p.is(i+1, "end") && !p.at(i).zh {
			return []chunk{{kind: cEnd, unit: unitWords[p.at(i).text]}}, i + 2 - start
		}
		if p.is(i, "month", "quarter", "year") && p.is(i+1, "-") && p.is(i+2, "end") {
			return []chunk{{kind: cEnd, unit: unitWords[p.at(i).text]}}, i + 3 - start
		}
		return nil, 0
	}
	if p.is(i+1, "of") || p.is(i+1, "in") {
		j := p.skip(i+2, "the", "this")
		switch {
		case p.is(j, "every"):
			// The "every" is read next and says the unit.
			if unit, n := p.unitAt(j + 1); n > 0 {
				return []chunk{{kind: kind, unit: unit}}, i + 2 - start
			}
		case p.is(j, "next"):
			if unit, n := p.unitAt(j + 1); n > 0 {
				return []chunk{{kind: kind, unit: unit, n: 1}}, j + 1 + n - start
			}
		default:
			if unit, n := p.unitAt(j); n > 0 {
				return []chunk{{kind: kind, unit: unit}}, j + n - start
			}
			if p.at(j).kind == weekday || p.is(j, "today", "tomorrow") {
				return []chunk{{kind: kind, unit: calendar.Day}}, j - start
			}
		}
		return nil, 0
	}
	if i > start && p.is(start, "at") {
		// "every month at the beginning"
		return []chunk{{kind: kind}}, i + 1 - start
	}
	return nil, 0
}
