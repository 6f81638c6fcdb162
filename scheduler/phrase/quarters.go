package phrase

import (
	"fmt"
	"time"

	"hermes/scheduler/calendar"
)

// behindPart reads "last year", "of this year" behind a month or a quarter.
func (p *parser) behindPart(r calendar.Range, n, i int) (PeriodMatch, int) {
	j := p.skip(i+n, "of", "in", "the")
	if ahead, ok := p.direction(j); ok && p.is(j+1, "year") && r.OfYear(ahead) != r {
		return PeriodMatch{Range: r.OfYear(ahead)}, j + 2 - i
	}
	return PeriodMatch{Range: r}, n
}

// datedPeriod reads Q3, 2026年第三季度, October 2026, 2026-10, 2026年, H1, a
// date.
func (p *parser) datedPeriod(i int) (PeriodMatch, int) {
	t := p.at(i)
	if q, year, n := p.quarter(i); n > 0 {
		return p.inYear(i, "quarter", q, year, n)
	}
	if h, year, n := p.half(i); n > 0 {
		return p.inYear(i, "half_year", h, year, n)
	}
	if t.kind == number && t.digits == 4 && p.is(i+1, "-") && p.at(i+1).glued && p.at(i+2).digits == 2 && p.at(i+2).glued && !p.is(i+3, "-") && p.at(i+2).num >= 1 && p.at(i+2).num <= 12 {
		return p.parsed(fmt.Sprintf("%04d-%02d", t.num, p.at(i+2).num), 3)
	}
	for _, reader := range []func(int) ([]chunk, int){p.readNumericDate, p.readChineseDate, p.readNamedDate} {
		if list, n := reader(i); n > 0 {
			if r, ok := p.datesAsPeriod(list); ok {
				return p.behindPart(r, n, i)
			}
			return PeriodMatch{}, 0
		}
	}
	if t.kind == number && t.digits == 4 && t.num >= 1950 && t.num < 2100 && !t.ordinal && p.yearish(i) {
		return p.parsed(fmt.Sprintf("%04d", t.num), 1)
	}
	return PeriodMatch{}, 0
}

func (p *parser) parsed(text string, n int) (PeriodMatch, int) {
	r, err := calendar.ParseRange(text)
	if err != nil {
		return PeriodMatch{}, 0
	}
	return PeriodMatch{Range: r}, n
}

func (p *parser) inYear(i int, name string, n, year, used int) (PeriodMatch, int) {
	if year > 0 {
		letter := map[string]string{"quarter": "Q", "half_year": "H"}[name]
		return p.parsed(fmt.Sprintf("%04d-%s%d", year, letter, n), used)
	}
	r, ok := calendar.PartOf(name, n)
	if !ok {
		return PeriodMatch{}, 0
	}
	return p.behindPart(r, used, i)
}

// yearish says that a bare number stands where years stand, not amounts.
func (p *parser) yearish(i int) bool {
	if p.is(i+1, "%", ".") && p.at(i+1).glued && p.at(i+2).kind == number {
		return false
	}
	return i == 0 && len(p.toks) <= 3 || p.is(i-1, "in", "of", "for", "year", "during", "since", "from", "to", "and", "-", ",", "vs", "versus", "with", "than", "at", "until", "on", "(", "compare") || p.at(i-1).zh
}

// quarter reads Q3, "third quarter of 2026", 2026Q3, 第三季度, 三季度, 2026年3季度.
func (p *parser) quarter(i int) (q, year, n int) {
	start := i
	if y := p.at(i); y.kind == number && (y.digits == 4 || y.zh && y.num > 1900) && y.num > 1900 && y.num < 2100 {
		j := p.skip(i+1, "year", "的", "-", " ")
		if q, _, n := p.quarterOnly(j); n > 0 {
			return q, y.num, j + n - start
		}
		return 0, 0, 0
	}
	q, _, n = p.quarterOnly(i)
	if n == 0 {
		return 0, 0, 0
	}
	if year, k := p.yearAt(i + n); k > 0 {
		return q, year, n + k
	}
	return q, 0, n
}

func (p *parser) quarterOnly(i int) (q, year, n int) {
	j := p.skip(i, "the")
	if p.is(j, "q") && p.at(j+1).kind == number && p.at(j+1).glued && p.at(j+1).digits == 1 && p.at(j+1).num >= 1 && p.at(j+1).num <= 4 {
		return p.at(j + 1).num, 0, j + 2 - i
	}
	if t := p.at(j); t.kind == number && t.num >= 1 && t.num <= 4 && p.is(j+1, "quarter") && (t.ordinal || t.zh || p.at(j+1).zh) && !p.is(j-1, "every") && !p.is(j+2, "later", "ago", "within") {
		return t.num, 0, j + 2 - i
	}
	if p.is(j, "second") && p.is(j+1, "quarter") {
		return 2, 0, j + 2 - i
	}
	return 0, 0, 0
}

// half reads H1, "first half of 2026", 2026年上半年.
func (p *parser) half(i int) (h, year, n int) {
	j := p.skip(i, "the")
	if y := p.at(i); y.kind == number && y.num > 1900 && y.num < 2100 {
		k := p.skip(i+1, "year", "的")
		if p.is(k, "prev", "next") && p.is(k+1, "halfyear") {
			return 1 + map[bool]int{true: 1}[p.is(k, "next")], y.num, k + 2 - i
		}
		return 0, 0, 0
	}
	switch {
	case p.is(j, "h") && p.at(j+1).glued && p.at(j+1).digits == 1 && (p.at(j+1).num == 1 || p.at(j+1).num == 2):
		h, n = p.at(j+1).num, j+2-i
	case p.at(j).num == 1 && p.at(j).ordinal && p.is(j+1, "half"):
		h, n = 1, j+2-i
	case p.is(j, "second") && p.is(j+1, "half"):
		h, n = 2, j+2-i
	default:
		return 0, 0, 0
	}
	if year, k := p.yearAt(i + n); k > 0 {
		return h, year, n + k
	}
	if p.is(i+n, "of") && p.is(i+n+1, "the", "this") && p.is(i+n+2, "year") {
		n += 3
	}
	return h, 0, n
}

// datesAsPeriod makes a Range of a date: a day, a month, a year.
func (p *parser) datesAsPeriod(list []chunk) (calendar.Range, bool) {
	g, _ := collect(list)
	for _, c := range list {
		if c.kind == cYear {
			g.year = c.n
		}
	}
	text := ""
	switch {
	case g.month > 0 && len(g.days) > 1:
		return p.daysOfMonth(g.year, g.month, g.days)
	case g.year > 0 && g.month > 0 && len(g.days) > 0:
		text = fmt.Sprintf("%04d-%02d-%02d", g.year, g.month, g.days[0])
	case g.year > 0 && g.month > 0:
		text = fmt.Sprintf("%04d-%02d", g.year, g.month)
	case g.year > 0:
		text = fmt.Sprintf("%04d", g.year)
	case g.month > 0 && len(g.days) == 0:
		r, ok := calendar.PartOf("month", g.month)
		return r, ok
	case g.month > 0 && len(g.days) == 1:
		text = fmt.Sprintf("day:%02d-%02d", g.month, g.days[0])
	default:
		return calendar.Range{}, false
	}
	r, err := calendar.ParseRange(text)
	return r, err == nil
}

// daysOfMonth is the first to the last of days that follow one another.
func (p *parser) daysOfMonth(year, month int, days []int) (calendar.Range, bool) {
	for k := 1; k < len(days); k++ {
		if days[k] != days[k-1]+1 {
			return calendar.Range{}, false
		}
	}
	layout := "day:%02d-%02d"
	if year > 0 {
		layout = fmt.Sprintf("%04d", year) + "-%02d-%02d"
	}
	first, err1 := calendar.ParseRange(fmt.Sprintf(layout, month, days[0]))
	last, err2 := calendar.ParseRange(fmt.Sprintf(layout, month, days[len(days)-1]))
	if err1 != nil || err2 != nil || year == 0 && p.now.IsZero() {
		return calendar.Range{}, false
	}
	return throughAt(first, last, p.now, p.loc)
}

// through is the span from the start of one absolute period to the end of
// another.
func through(a, b calendar.Range) (calendar.Range, bool) {
	if !a.Absolute() || !b.Absolute() {
		return calendar.Range{}, false
	}
	now := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	from, to := a.Resolve(now, time.UTC).From, b.Resolve(now, time.UTC).To
	if !from.Before(to) {
		return calendar.Range{}, false
	}
	r, err := calendar.ParseRange(from.Format("2006-01-02") + ".." + to.AddDate(0, 0, -1).Format("2006-01-02"))
	return r, err == nil
}
