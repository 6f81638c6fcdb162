package phrase

import (
	"strings"
	"time"

	"hermes/scheduler/calendar"
)

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
func Periods(text string) []PeriodMatch { return PeriodsAt(text, time.Time{}, nil) }

// PeriodsAt is Periods at now in loc, which brings "March to May" and "since
// July" together as one span of days.
func PeriodsAt(text string, now time.Time, loc *time.Location) []PeriodMatch {
	p := newParser(text)
	p.now, p.loc = now, loc
	var found []PeriodMatch
	for i := 0; i < len(p.toks); {
		m, n := p.daysWithin(i)
		if n == 0 {
			m, n = p.period(i)
		}
		if n == 0 {
			i += p.passEvery(i)
			continue
		}
		// 2026-10-01 to 2026-10-31, 1月到3月, October to December
		if p.is(i+n, "to", "-", "until") {
			if last, k := p.period(i + n + 1); k > 0 {
				if r, ok := through(m.Range, last.Range); ok {
					m.Range, n = r, n+1+k
				} else if !now.IsZero() && p.joined(i) && m.Shift == 0 && last.Shift == 0 {
					if r, ok := throughAt(m.Range, last.Range, now, loc); ok {
						m.Range, n = r, n+1+k
					}
				}
			}
		}
		first, last := i, i+n
		if !now.IsZero() && m.Shift == 0 && (p.is(i-1, "since") || p.is(i+n, "以来", "至今")) {
			if r, ok := throughAt(m.Range, calendar.Ago(calendar.Day, 0), now, loc); ok {
				m.Range = r
				if p.is(i-1, "since") {
					first--
				} else {
					last++
				}
			}
		}
		m.Span = Span{p.toks[first].start, p.toks[last-1].end}
		found = append(found, m)
		i = last
	}
	return found
}

// daysWithin reads "1 to 15 October", "October 1-15, 2026" and 10月1日到15日.
func (p *parser) daysWithin(i int) (PeriodMatch, int) {
	if p.now.IsZero() {
		return PeriodMatch{}, 0
	}
	day := func(k int) (int, bool) {
		d, ok := p.num(k)
		return d, ok && d >= 1 && d <= 31 && p.at(k).digits <= 2
	}
	var month, year, from, to, j int
	switch first, ok := day(i); {
	case ok && p.is(i+1, "to", "-"):
		last, ok := day(i + 2)
		month = monthNames[p.at(p.skip(i+3, "of")).text]
		if !ok || month == 0 {
			return PeriodMatch{}, 0
		}
		from, to, j = first, last, p.skip(i+3, "of")+1
	case monthNames[p.at(i).text] > 0 && p.at(i).kind == word:
		first, ok1 := day(i + 1)
		last, ok2 := day(i + 3)
		if !ok1 || !ok2 || !p.is(i+2, "to", "-") || monthNames[p.at(i+4).text] > 0 || p.is(i+4, ":") {
			return PeriodMatch{}, 0
		}
		month, from, to, j = monthNames[p.at(i).text], first, last, i+4
	default:
		k := i
		if y := p.at(k); y.kind == number && y.num > 1900 && y.num < 2100 && p.is(k+1, "year") {
			year, k = y.num, k+2
		}
		m, ok := p.num(k)
		first, ok1 := day(k + 2)
		last, ok2 := day(p.skip(k+3, "号", "day") + 1)
		sep := p.skip(k+3, "号", "day")
		if !ok || m < 1 || m > 12 || !p.is(k+1, "month") || !p.at(k+1).zh || !ok1 || !ok2 || !p.is(sep, "to", "-") || !p.is(sep+2, "号", "day") {
			return PeriodMatch{}, 0
		}
		month, from, to, j = m, first, last, sep+3
	}
	if year == 0 {
		if y, n := p.yearAt(j); n > 0 {
			year, j = y, j+n
		}
	}
	if to <= from {
		return PeriodMatch{}, 0
	}
	var all []int
	for d := from; d <= to; d++ {
		all = append(all, d)
	}
	r, ok := p.daysOfMonth(year, month, all)
	if !ok {
		return PeriodMatch{}, 0
	}
	return PeriodMatch{Range: r}, j - i
}

// joined says whether the period at i and the one behind its "to" make one:
// "compare March to May" sets two side by side.
func (p *parser) joined(i int) bool {
	if p.is(i-1, "from", "between") {
		return true
	}
	for k := range i {
		switch p.toks[k].text {
		case "compare", "compared", "comparing", "comparison", "versus", "vs", "比较", "对比", "相比", "比":
			return false
		}
	}
	return true
}

// throughAt is the days from the first of a to the last of b. What is said
// without a year is what has begun last, and a is before b.
func throughAt(a, b calendar.Range, now time.Time, loc *time.Location) (calendar.Range, bool) {
	if loc == nil {
		loc = time.UTC
	}
	if a.IsZero() || b.IsZero() {
		return calendar.Range{}, false
	}
	if yearless(b) && a.Absolute() {
		b = nextAfter(b, a.Resolve(now, loc).From, loc)
	}
	to := b.Resolve(now, loc).To
	from := a.Resolve(now, loc).From
	if yearless(a) {
		from = a.Resolve(to.Add(-1), loc).From
	}
	if !from.Before(to) {
		return calendar.Range{}, false
	}
	r, err := calendar.ParseRange(from.In(loc).Format(time.DateOnly) + ".." + to.In(loc).AddDate(0, 0, -1).Format(time.DateOnly))
	return r, err == nil
}

// yearless says whether a month, a quarter, a half or a day is said without its
// year.
func yearless(r calendar.Range) bool {
	word := r.String()
	name, _, ok := strings.Cut(word, ":")
	switch name {
	case "month", "quarter", "half_year", "day":
		return ok && !strings.ContainsAny(word, "@/")
	}
	return false
}

// nextAfter is the first such part of a year that does not end before a time.
func nextAfter(r calendar.Range, at time.Time, loc *time.Location) calendar.Range {
	for n := range 3 {
		if fixed := r.Fix(at.AddDate(n, 0, 0), loc); fixed.Resolve(at, loc).To.After(at) {
			return fixed
		}
	}
	return r
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
	if m, n := p.sinceStart(i); n > 0 {
		return m, n
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

// sinceStart reads "since the start of the year", 年初以来, 月初至今.
func (p *parser) sinceStart(i int) (PeriodMatch, int) {
	if p.is(i, "since") {
		j := p.skip(i+1, "the")
		if !p.is(j, "start") || !p.is(j+1, "of") {
			return PeriodMatch{}, 0
		}
		j = p.skip(j+2, "the", "this")
		if unit, n := p.calendarUnit(j); n > 0 && unit != calendar.Day && unit != calendar.HalfYear {
			return ranged(calendar.ToDate(unit), j+n-i)
		}
		return PeriodMatch{}, 0
	}
	j := p.skip(i, "thisyear", "this")
	unit := map[string]calendar.Unit{"yearstart": calendar.Year, "monthstart": calendar.Month, "quarterstart": calendar.Quarter}[p.at(j).text]
	switch {
	case unit == "":
	case p.is(j+1, "以来", "至今"):
		return ranged(calendar.ToDate(unit), j+2-i)
	case p.is(j+1, "to") && p.is(j+2, "今", "现在", "now", "目前"):
		return ranged(calendar.ToDate(unit), j+3-i)
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
	if p.ownerDay(i) {
		r, _ := calendar.PartOf("weekday", (firstOf(t.set)+6)%7+1)
		return ranged(r, 1)
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

// ownerDay says whether one weekday stands at i that something is of: "Monday's
// sales", 周一的销售额, but not 周一的早上9点.
func (p *parser) ownerDay(i int) bool {
	t := p.at(i)
	if t.kind != weekday || t.set&(t.set-1) != 0 || p.is(i-1, "every", "next", "next2", "this", "prev2") {
		return false
	}
	next := p.at(i + 2)
	return t.owner || t.zh && p.is(i+1, "的") && next.kind != number && next.kind != mark && !next.isDaypart()
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
