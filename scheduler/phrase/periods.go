package phrase

import "hermes/scheduler/calendar"

// A PeriodMatch is a period that a text speaks of. Shift is not 0 when it is
// meant from the period spoken of before, and Range is then zero: -1 is "and
// the month before?". Its Unit is "" when it is that period's own ("the one
// before").
type PeriodMatch struct {
	Range calendar.Range
	Shift int
	Unit  calendar.Unit
	Span  Span
}

// Periods finds the periods a text speaks of, in their order. It is linear and
// never panics. Schedules are not periods: "every Monday" gives none.
func Periods(text string) []PeriodMatch {
	p := newParser(text)
	var found []PeriodMatch
	for i := 0; i < len(p.toks); {
		m, n := p.period(i)
		if n == 0 {
			i += p.passEvery(i)
			continue
		}
		// 2026-10-01 to 2026-10-31, 1月到3月, October to December
		if p.is(i+n, "to", "-") {
			if last, k := p.period(i + n + 1); k > 0 {
				if r, ok := through(m.Range, last.Range); ok {
					m.Range, n = r, n+1+k
				}
			}
		}
		m.Span = Span{p.toks[i].start, p.toks[i+n-1].end}
		found = append(found, m)
		i += n
	}
	return found
}

// passEvery steps over "every Monday", so that its Monday is no period.
func (p *parser) passEvery(i int) int {
	if p.is(i, "every", "everyskip") {
		if p.at(i+1).kind == weekday || p.at(i+1).kind == number && p.at(i+2).kind != mark {
			return 2
		}
	}
	return 1
}

// period reads one period at i.
func (p *parser) period(i int) (PeriodMatch, int) {
	for _, reader := range []func(int) (PeriodMatch, int){p.shiftedPeriod, p.rollingPeriod, p.relativePeriod, p.datedPeriod} {
		if m, n := reader(i); n > 0 {
			return m, n
		}
	}
	return PeriodMatch{}, 0
}

func ranged(r calendar.Range, n int) (PeriodMatch, int) { return PeriodMatch{Range: r}, n }

// shiftedPeriod reads what is meant from the period before: "the month before",
// "and the previous one", 再上个月, 前一个月, 再往前一年, 下一个.
func (p *parser) shiftedPeriod(i int) (PeriodMatch, int) {
	start := i
	shift := func(n int, unit calendar.Unit, j int) (PeriodMatch, int) {
		return PeriodMatch{Shift: n, Unit: unit}, j - start
	}
	if p.is(i, "the") || p.is(i, "a") || p.is(i, "one") || p.at(i).num == 1 && p.at(i).kind == number {
		if unit, n := p.calendarUnit(i + 1); n > 0 && p.is(i+1+n, "before", "after", "earlier", "later", "prior") && !p.is(i+2+n, "last", "yesterday", "tomorrow", "next") && p.at(i+2+n).kind != number {
			return shift(signed(p.is(i+1+n, "before", "earlier", "prior")), unit, i+2+n)
		}
		if (p.is(i+1, "last", "previous") || p.is(i+1, "next") || p.is(i+1, "following") || p.is(i+1, "preceding")) && (p.at(i+2).text == "one" || p.is(i+2, "period")) {
			return shift(signed(p.is(i+1, "last", "previous", "preceding")), "", i+3)
		}
		if (p.at(i+1).text == "one" || p.is(i+1, "period")) && p.is(i+2, "before", "after") {
			return shift(signed(p.is(i+2, "before")), "", i+3)
		}
		if p.is(i+1, "preceding") || p.is(i+1, "previous") && p.is(i-1, "and", "about") {
			if unit, n := p.calendarUnit(i + 2); n > 0 {
				return shift(-1, unit, i+2+n)
			}
		}
	}
	// "and the previous month?" follows another period; "last month" does not.
	if p.is(i, "previous") && (p.is(i-1, "and", "about") || p.is(i-1, "the") && p.is(i-2, "and", "about")) {
		if unit, n := p.calendarUnit(i + 1); n > 0 {
			return shift(-1, unit, i+1+n)
		}
	}
	if p.is(i, "lastyear") && p.is(i+1, "同期") {
		return shift(-1, calendar.Year, i+2)
	}
	if p.is(i, "same") && (p.is(i+1, "period", "time") || p.repeats(i+1)) && p.is(i+2, "last") && p.is(i+3, "year") {
		return shift(-1, calendar.Year, i+4)
	}
	if n, ok := p.num(i); ok && n > 0 && n < 100 {
		if unit, k := p.calendarUnit(i + 1); k > 0 && p.is(i+1+k, "before", "earlier", "after", "later") && i+2+k >= len(p.toks)-1 {
			return shift(n*signed(p.is(i+1+k, "before", "earlier")), unit, i+2+k)
		}
	}
	// 再上个月, 再往前一个月, 再前一年
	if p.is(i, "再") {
		j := p.skip(i+1, "往", "to", "向")
		back := p.is(j, "prev", "ago", "前一", "prev2")
		ahead := p.is(j, "next", "later", "后一")
		if back || ahead {
			n := 1
			j++
			if count, ok := p.num(j); ok && count > 0 && count < 100 {
				n, j = count, j+1
			}
			j = p.skip(j, "个", "的")
			unit, k := p.calendarUnit(j)
			return shift(n*signed(back), unit, j+k)
		}
	}
	if p.is(i, "前一", "后一") || p.is(i, "ago") && p.at(i).zh && p.at(i+1).num == 1 && p.at(i-1).kind != number && !p.at(i-1).isUnit() {
		back := !p.is(i, "后一")
		j := i + 1
		if p.is(i, "ago") {
			j++
		}
		j = p.skip(j, "个")
		unit, k := p.calendarUnit(j)
		if k > 0 || p.is(j-1, "个") {
			return shift(signed(back), unit, j+k)
		}
	}
	return PeriodMatch{}, 0
}

func (t token) isUnit() bool {
	_, ok := unitWords[t.text]
	return ok && t.kind == word
}

func signed(back bool) int {
	if back {
		return -1
	}
	return 1
}

// calendarUnit is a unit that periods are made of.
func (p *parser) calendarUnit(i int) (calendar.Unit, int) {
	unit, n := p.unitAt(i)
	switch unit {
	case calendar.Day, calendar.Week, calendar.Month, calendar.Quarter, calendar.HalfYear, calendar.Year:
		return unit, n
	}
	return "", 0
}

// rollingPeriod reads "the last 30 days", 最近30天, 过去三个月, 近一年, "year to
// date", 今年以来.
func (p *parser) rollingPeriod(i int) (PeriodMatch, int) {
	start := i
	j := p.skip(i, "the", "over", "in")
	led := p.is(j, "last", "past", "previous", "trailing", "recent", "最近", "过去", "近", "prior")
	if led {
		j++
		j = p.skip(j, "几")
		n, k := 0, 0
		switch count, ok := p.num(j); {
		case ok && count > 0 && count <= 3000 && !p.at(j).ordinal:
			n, k = count, 1
		case p.is(j, "few"):
			n, k = 3, 1
		case p.is(j, "halfyear"):
			return ranged(calendar.LastN(calendar.Month, 6), j+1-start)
		case p.is(j, "couple"):
			n, k = 2, 1
			if p.is(j+1, "of") {
				k = 2
			}
		}
		if k > 0 {
			unit, m := p.calendarUnit(j + k)
			if m > 0 && unit == calendar.Year && !p.is(j-1, "last", "previous") {
				// 近一年 ends with last month, not with last year.
				return ranged(calendar.LastN(calendar.Month, 12*n), j+k+m-start)
			}
			if m > 0 {
				return ranged(calendar.LastN(unit, n), j+k+m-start)
			}
			if p.is(j+k, "fortnight") {
				return ranged(calendar.LastN(calendar.Week, 2*n), j+k+1-start)
			}
		}
	}
	for _, word := range []struct {
		text string
		unit calendar.Unit
	}{{"ytd", calendar.Year}, {"mtd", calendar.Month}, {"qtd", calendar.Quarter}, {"wtd", calendar.Week}} {
		if p.is(i, word.text) {
			return ranged(calendar.ToDate(word.unit), 1)
		}
	}
	if unit, n := p.calendarUnit(i); n > 0 {
		k := p.skip(i+n, "-")
		if p.is(k, "to") {
			k = p.skip(k+1, "-")
			if p.is(k, "date") && unit != calendar.Day && unit != calendar.HalfYear {
				return ranged(calendar.ToDate(unit), k+1-i)
			}
		}
	}
	// 今年以来, 本月至今
	unit, n := calendar.Unit(""), 0
	switch {
	case p.is(i, "thisyear"):
		unit, n = calendar.Year, 1
	case p.is(i, "this"):
		if u, k := p.calendarUnit(i + 1); k > 0 {
			unit, n = u, 1+k
		}
	}
	if n > 0 && unit != calendar.Day && (p.is(i+n, "以来", "至今") || p.is(i+n, "to") && p.is(i+n+1, "今", "现在", "now", "目前") || p.is(i+n, "so") && p.is(i+n+1, "far")) {
		k := 2
		if p.is(i+n, "以来", "至今") {
			k = 1
		}
		return ranged(calendar.ToDate(unit), n+k)
	}
	return PeriodMatch{}, 0
}

var dayPeriods = map[string]int{"today": 0, "tonight": 0, "thismorning": 0, "yesterday": 1, "lastnight": 1, "2daysago": 2, "3daysago": 3, "tomorrow": -1, "overmorrow": -2}

var yearPeriods = map[string]int{"lastyear": 1, "lastyear2": 2, "thisyear": 0, "nextyear": -1, "nextyear2": -2}

// relativePeriod reads "last month", 上上个月, "the month before last", "3
// months ago", "yesterday", 上半年, "last October".
func (p *parser) relativePeriod(i int) (PeriodMatch, int) {
	start := i
	t := p.at(i)
	if i >= len(p.toks) {
		return PeriodMatch{}, 0
	}
	if t.kind == word {
		if n, ok := dayPeriods[t.text]; ok {
			return ranged(calendar.Ago(calendar.Day, n), 1)
		}
		if n, ok := yearPeriods[t.text]; ok {
			return p.ofYear(n, i+1, start)
		}
	}
	j := p.skip(i, "the")
	if unit, n := p.calendarUnit(j); n > 0 && p.is(j+n, "before") && (p.is(j+n+1, "last") || p.is(j+n+1, "yesterday")) {
		return ranged(calendar.Ago(unit, 2), j+n+2-start)
	}
	if count, ok := p.num(i); ok && count > 0 && count < 3000 && !t.ordinal {
		if unit, n := p.calendarUnit(i + 1); n > 0 && p.is(i+1+n, "ago") {
			return ranged(calendar.Ago(unit, count), 2+n)
		}
		return PeriodMatch{}, 0
	}
	if p.is(i, "a") {
		if unit, n := p.calendarUnit(i + 1); n > 0 && p.is(i+1+n, "ago") {
			return ranged(calendar.Ago(unit, 1), 2+n)
		}
	}
	// 上半年, 下半年
	if p.is(i, "prev", "next") && p.is(i+1, "halfyear") {
		if half, ok := calendar.PartOf("half_year", 1+map[bool]int{true: 1}[p.is(i, "next")]); ok {
			return ranged(half, 2)
		}
	}
	ahead, known := p.direction(j)
	if !known || p.is(j, "coming") {
		return PeriodMatch{}, 0
	}
	j++
	j = p.skip(j, "个")
	if unit, n := p.calendarUnit(j); n > 0 {
		if unit == calendar.Year {
			return p.ofYear(-ahead, j+n, start)
		}
		return ranged(calendar.Ago(unit, -ahead), j+n-start)
	}
	if ahead > 0 {
		return PeriodMatch{}, 0
	}
	if month := monthNames[p.at(j).text]; month > 0 && p.at(j).kind == word {
		r, _ := calendar.PartOf("month", month)
		return ranged(r, j+1-start)
	}
	if p.at(j).kind == weekday && firstOf(p.at(j).set) >= 0 {
		r, _ := calendar.PartOf("weekday", (firstOf(p.at(j).set)+6)%7+1)
		return ranged(r, j+1-start)
	}
	return PeriodMatch{}, 0
}

// ofYear reads what may stand behind 去年 and "last year": 去年10月, 去年三季度.
// The result is relative only as a whole year; a part of it is a shifted part.
func (p *parser) ofYear(n, j, start int) (PeriodMatch, int) {
	for _, reader := range []func(int) (string, int, int){
		func(i int) (string, int, int) { q, _, k := p.quarterOnly(i); return "quarter", q, k },
		func(i int) (string, int, int) {
			if p.is(i, "prev", "next") && p.is(i+1, "halfyear") {
				return "half_year", 1 + map[bool]int{true: 1}[p.is(i, "next")], 2
			}
			return "", 0, 0
		},
		func(i int) (string, int, int) {
			if m, ok := p.num(i); ok && p.is(i+1, "month") && p.at(i+1).zh && m >= 1 && m <= 12 {
				return "month", m, 2
			}
			return "", 0, 0
		},
	} {
		k := p.skip(j, "的")
		if name, part, used := reader(k); used > 0 {
			if r, ok := calendar.PartOf(name, part); ok {
				return PeriodMatch{Range: r.OfYear(-n)}, k + used - start
			}
		}
	}
	return PeriodMatch{Range: calendar.Ago(calendar.Year, n)}, j - start
}
