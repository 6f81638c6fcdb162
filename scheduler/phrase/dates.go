package phrase

import (
	"slices"
	"time"
)

// date makes the chunks of a date; an impossible one is none at all.
func date(year, month, day, n int) ([]chunk, int) {
	if year != 0 && year < 100 {
		if year >= 60 {
			year += 1900
		} else {
			year += 2000
		}
	}
	check := year
	if check == 0 {
		check = 2000
	}
	if month < 1 || month > 12 || day < 1 || day > time.Date(check, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day() {
		return nil, 0
	}
	found := []chunk{{kind: cMonth, n: month}, {kind: cDays, nums: []int{day}}}
	if year != 0 {
		found = append([]chunk{{kind: cYear, n: year}}, found...)
	}
	return found, n
}

// readNumericDate reads 2026-10-05, 10/5/2026, 5.10.2026, 10/5 and 2026/10.
func (p *parser) readNumericDate(i int) ([]chunk, int) {
	a := p.at(i)
	if a.kind != number || a.digits == 0 || a.ordinal || p.is(i-1, ".", "/", "%", "$", "*") && a.glued && i > 1 {
		return nil, 0
	}
	sep := p.at(i + 1)
	b := p.at(i + 2)
	if sep.kind != mark || b.kind != number || b.digits == 0 || !sep.glued || !b.glued || (sep.text != "-" && sep.text != "/" && sep.text != ".") {
		// 2016 10 16
		if c := p.at(i + 2); a.digits == 4 && sep.kind == number && sep.digits == 2 && c.kind == number && c.digits == 2 && a.num > 1900 && a.num < 2100 {
			return date(a.num, sep.num, c.num, 3)
		}
		return p.readMixedDate(i)
	}
	c := p.at(i + 4)
	three := p.is(i+3, sep.text) && p.at(i+3).glued && c.kind == number && c.digits > 0 && c.glued
	if p.is(i+5, sep.text) && three && p.at(i+5).glued && p.at(i+6).kind == number {
		return nil, 0
	}
	switch {
	case three && a.digits == 4:
		if found, n := date(a.num, b.num, c.num, 5); n > 0 {
			return found, n
		}
		if c.num <= 12 && b.num <= 31 && c.digits == 2 && sep.text == "-" {
			return date(a.num, c.num, b.num, 5)
		}
		return nil, 0
	case three && (c.digits == 4 || c.digits == 2 && sep.text != "."):
		if a.digits == 2 && b.digits <= 2 && c.digits == 2 && p.zh && a.num > 12 && sep.text == "-" {
			return date(a.num, b.num, c.num, 5)
		}
		if found, n := date(c.num, a.num, b.num, 5); n > 0 {
			return found, n
		}
		return date(c.num, b.num, a.num, 5)
	case three && c.digits == 1 && a.digits == 2 && sep.text == "-":
		return date(a.num, b.num, c.num, 5)
	case three:
		return nil, 0
	case sep.text == "/" && b.digits == 4 && a.num >= 1 && a.num <= 12 && a.digits <= 2:
		return []chunk{{kind: cYear, n: b.num}, {kind: cMonth, n: a.num}}, 3
	case sep.text == "-" && a.digits == 4 && b.digits == 2 && b.num >= 1 && b.num <= 12 && len(p.toks) > 3:
		return []chunk{{kind: cYear, n: a.num}, {kind: cMonth, n: b.num}}, 3
	case a.digits > 2 || b.digits > 2 || p.is(i+3, "%", "/") && p.at(i+3).glued:
		return nil, 0
	case sep.text == "/" || sep.text == "." && p.is(i-1, "on") && b.digits == 2:
		year, n := 0, 3
		if p.is(i+3, ",") && p.at(i+3).glued && p.at(i+4).glued && (p.at(i+4).digits == 2 || p.at(i+4).digits == 4) {
			year, n = p.at(i+4).num, 5
		} else if y := p.at(i + 3); y.kind == number && y.digits == 2 && y.num > 31 && i+4 >= len(p.toks) {
			year, n = y.num, 4
		}
		if found, n := date(year, a.num, b.num, n); n > 0 {
			return found, n
		}
		return date(year, b.num, a.num, n)
	}
	return nil, 0
}

// readMixedDate reads 2020-sep-23, 23/Sep/2020, 2018 March 18 and 2024 August.
func (p *parser) readMixedDate(i int) ([]chunk, int) {
	a, n := p.at(i), 1
	sep := ""
	if p.is(i+1, "-", "/") && p.at(i+1).glued {
		sep, n = p.at(i+1).text, 2
	}
	month := monthNames[p.at(i+n).text]
	if month == 0 || a.digits != 4 && sep == "" || a.digits > 4 {
		return nil, 0
	}
	n++
	if sep != "" {
		if !p.is(i+n, sep) {
			return nil, 0
		}
		n++
	}
	b := p.at(i + n)
	switch {
	case a.digits == 4 && b.kind == number && b.num <= 31 && b.num > 0:
		return date(a.num, month, b.num, n+1)
	case a.digits == 4 && sep == "" && a.num > 1000:
		return []chunk{{kind: cYear, n: a.num}, {kind: cMonth, n: month}}, n
	case a.digits <= 2 && b.digits == 4:
		return date(b.num, month, a.num, n+1)
	}
	return nil, 0
}

// readChineseDate reads 2026年10月5日, 十月五号, 10月, 5号 and 5、20号.
func (p *parser) readChineseDate(i int) ([]chunk, int) {
	if p.at(i).kind != number || i >= len(p.toks) {
		return nil, 0
	}
	if m := p.at(i); m.num >= 1 && m.num <= 12 && !m.ordinal && p.is(i+1, "monthend", "monthstart") {
		// 3月底: the last day of March
		day := map[bool]int{true: -1, false: 1}[p.is(i+1, "monthend")]
		return []chunk{{kind: cMonth, n: m.num}, {kind: cDays, nums: []int{day}}}, 2
	}
	n := 0
	year, month := 0, 0
	if a := p.at(i); p.is(i+1, "year") && p.at(i+1).zh && (a.num >= 1000 || a.digits == 2) && a.num < 9000 {
		year, n = a.num, 2
		if year < 100 {
			year += 2000
		}
	} else if a.zh && a.num >= 1900 && a.num < 2100 {
		// 二零二六三月五号: the word for year may be left out.
		if p.at(i+1).kind == number && p.is(i+2, "month") {
			year, n = a.num, 1
		}
	} else if a.zh && a.num > 2000 && p.is(i+1, "month") && a.num-2000 <= 12 {
		year, month, n = 2000, a.num-2000, 2
	}
	if m := p.at(i + n); month == 0 && m.kind == number && m.num >= 1 && m.num <= 12 && !m.ordinal && p.is(i+n+1, "month") && p.at(i+n+1).zh && !p.is(i+n+2, "later", "ago", "within") && !p.is(i-1, "every", "everyskip") {
		month = m.num
		n += 2
	}
	var days []int
	k := n
	if year == 0 && month == 0 || n > 0 && p.at(i+n).kind == number {
		days, k = p.chineseDays(i+n, month > 0)
	}
	switch {
	case len(days) > 0 && month > 0:
		found, ok := date(year, month, days[0], 1)
		if ok == 0 {
			return []chunk{{kind: cDate}}, n + k
		}
		found[len(found)-1].nums = days
		return found, n + k
	case len(days) > 0 && year == 0:
		return []chunk{{kind: cDays, nums: days}}, k
	case month > 0 && year > 0:
		return []chunk{{kind: cYear, n: year}, {kind: cMonth, n: month}}, n
	case month > 0:
		return []chunk{{kind: cMonth, n: month}}, n
	case year > 0:
		return []chunk{{kind: cYear, n: year, weak: true}}, n
	}
	return nil, 0
}

// chineseDays reads a list of days up to 号 or 日. Behind a month, 号 may be
// left out.
func (p *parser) chineseDays(i int, afterMonth bool) ([]int, int) {
	start := i
	var days []int
	for len(days) < 12 {
		d, ok := p.num(i)
		if !ok || d < 1 || d > 31 || p.at(i).ordinal {
			return nil, 0
		}
		days = append(days, d)
		i++
		if p.is(i, "号") || p.is(i, "day") && p.at(i).text == "day" && p.at(i).zh && !p.is(i+1, "later", "ago", "within") && p.dayOfMonth(i, start) {
			i++
			if p.is(i, "and", ",") && p.at(i+1).kind == number && p.is(i+2, "号", "day") {
				i++
				continue
			}
			if p.is(i, "and", ",") && p.is(i+1, "last") && p.is(i+2, "day") {
				return append(days, -1), i + 3 - start
			}
			return days, i - start
		}
		if j := p.skip(i, "and", ","); j > i && p.at(j).kind == number {
			i = j
			continue
		}
		if p.is(i, "to") && p.at(i+1).kind == number && p.is(i+2, "号", "day") && p.at(i+1).num > d {
			for x := d + 1; x <= p.at(i+1).num && x <= 31; x++ {
				days = append(days, x)
			}
			return days, i + 3 - start
		}
		if afterMonth && len(days) == 1 && !p.is(i, "day", "点", ":", "month", "个") {
			return days, 1
		}
		return nil, 0
	}
	return nil, 0
}

// dayOfMonth tells 5日 from 5天: the lexer gives both the same unit.
func (p *parser) dayOfMonth(i, start int) bool {
	return p.at(i).end-p.at(i).start == 3 && p.at(i).raw == "日" && !(p.is(i+1, "次") || p.is(start-1, "every", "everyskip"))
}

// readNamedDate reads "October 5th, 2026", "5 October", "the 5th of next
// month", "May" in the company of dates.
func (p *parser) readNamedDate(i int) ([]chunk, int) {
	start := i
	// day first
	if d, ok := p.num(i); ok && d >= 1 && d <= 31 && p.at(i).text != "an" {
		j := i + 1
		if to, ok := p.num(j + 1); ok && p.is(j, "-", "to") && to > d && to <= 31 && monthNames[p.at(j+2).text] > 0 {
			j += 2 // 3 to 9 May: the first counts
		}
		j = p.skip(j, "of", "-", "/", "day")
		j = p.skip(j, "of")
		if month := monthNames[p.at(j).text]; month > 0 && p.at(j).kind == word {
			if !(p.at(j).text == "may" || p.at(j).text == "march" || p.at(j).text == "mar") || p.at(i).ordinal || p.at(i).digits > 0 || p.is(j-1, "of") {
				year, n := p.yearAt(j + 1)
				if found, n := date(year, month, d, j+1+n-start); n > 0 {
					return found, n
				}
				return []chunk{{kind: cDate}}, j + 1 + n - start
			}
		}
	}
	month := monthNames[p.at(i).text]
	if month == 0 || p.at(i).kind != word {
		return nil, 0
	}
	i++
	if p.is(i, ".") && p.at(i).glued && (p.at(i+1).kind == number || i+1 >= len(p.toks)) {
		i++
	}
	j := p.skip(i, ",", "-", "/", "the", "on", "day")
	if d, ok := p.num(j); ok && d >= 1 && d <= 31 && p.at(j).digits <= 2 {
		if _, m := p.meridiem(j + 1); m == 0 && !(p.is(j+1, ":") && p.at(j+1).glued) && !p.is(j+1, "oclock") {
			days, k := p.moreDays(j+1, d)
			year, n := p.yearAt(k)
			if n == 0 {
				year, n = p.yearAfterRange(k)
				if n > 0 {
					found, _ := date(year, month, d, 1)
					if found == nil {
						return nil, 0
					}
					return found, k - start
				}
			}
			found, ok := date(year, month, days[0], k+n-start)
			if ok == 0 {
				return []chunk{{kind: cDate}}, k + n - start
			}
			found[len(found)-1].nums = days
			return found, ok
		}
	}
	if year, n := p.yearAt(i); n > 0 {
		return []chunk{{kind: cYear, n: year}, {kind: cMonth, n: month}}, i + n - start
	}
	// A month alone: "may" is a verb and "march" a walk.
	name := p.at(start).text
	if p.at(start).owner {
		return []chunk{{kind: cMonth, n: month}}, i - start
	}
	if len(p.toks) > 3 && (name == "may" || name == "march" || name == "mar" || name == "dec" || name == "jan" || name == "sun") && !p.monthish(start) {
		return nil, 0
	}
	if len(p.toks) == 1 && len(name) <= 4 && i == start+1 || name == "may" && start == 0 {
		return nil, 0
	}
	return []chunk{{kind: cMonth, n: month}}, i - start
}

func (p *parser) monthish(i int) bool {
	return p.is(i-1, "in", "of", "until", "every", "next", "this", "last", "and", "to", "from", "since", "except", "only", "by", "between", ",", "for", "during", "with", "vs", "versus", "than", "compare") ||
		p.at(i-1).kind == number || p.is(i+1, "to", "and", "until")
}

// moreDays reads "and 31st", ", 30" behind a day of a month.
func (p *parser) moreDays(i, first int) ([]int, int) {
	days := []int{first}
	for len(days) < 10 && p.is(i, "and", ",") {
		j := i + 1
		j = p.skip(j, "and", "the")
		d, ok := p.num(j)
		if !ok || d < 1 || d > 31 || p.at(j).digits > 2 || p.is(j+1, ":", "点") || monthNames[p.at(j+1).text] > 0 && p.at(j+1).text != "" || p.is(j+1, "oclock") {
			break
		}
		if _, m := p.meridiem(j + 1); m > 0 || !p.at(j).ordinal && p.is(i, ",") {
			break
		}
		days, i = append(days, d), j+1
	}
	slices.Sort(days)
	return days, i
}

// yearAt reads a year behind a date: ", 2026", "of 2026", "'87", "nineteen
// eighty six".
func (p *parser) yearAt(i int) (year, n int) {
	j := p.skip(i, ",", "of", "in", "-", "/")
	t := p.at(j)
	if t.kind != number || j >= len(p.toks) {
		return 0, 0
	}
	switch {
	case t.digits == 4 && t.num >= 1000 && !(p.is(j+1, ":") && p.at(j+1).glued):
		return t.num, j + 1 - i
	case t.digits == 2 && j > i && p.is(j-1, "of") && t.num > 31:
		return t.num, j + 1 - i
	case t.digits == 0 && (t.num == 19 || t.num == 20) && !t.ordinal && p.at(j+1).kind == number && p.at(j+1).digits == 0:
		y, n := t.num*100+p.at(j+1).num, j+2-i
		if p.at(j+1).num == 0 && p.at(j+2).kind == number {
			y, n = y+p.at(j+2).num, n+1
		}
		return y, n
	case t.digits == 0 && t.num == 2 && p.is(j+1, "thousand"):
		k := p.skip(j+2, "and")
		if p.at(k).kind == number && p.at(k).num < 100 {
			return 2000 + p.at(k).num, k + 1 - i
		}
		return 2000, j + 2 - i
	}
	return 0, 0
}

// yearAfterRange finds the year of "May 3 - 9, 2027".
func (p *parser) yearAfterRange(i int) (year, n int) {
	if p.is(i, "-", "to") && p.at(i+1).kind == number && p.at(i+1).num <= 31 {
		return p.yearAt(i + 2)
	}
	return 0, 0
}
