package phrase

import (
	"time"

	"hermes/scheduler/calendar"
)

// A parser walks over the tokens of one text. Its readers take a position and
// return how many tokens they used; 0 is "not here".
type parser struct {
	toks []token
	zh   bool
	// monthly is set when the text repeats by months or years: "the last Friday"
	// is then one of each month, and not a day gone by.
	monthly bool
	// clockEnd is the token behind the last time of day; another may follow
	// without its "at".
	clockEnd int
	// dateEnd is the token behind the last date.
	dateEnd int
	// asked is the time of day at which the text was written.
	asked clock
	// now and loc are known to PeriodsAt only.
	now time.Time
	loc *time.Location
}

func newParser(text string) *parser {
	p := &parser{toks: lex(text), zh: hasChinese(text), clockEnd: -9, dateEnd: -9}
	for i := range p.toks {
		if p.is(i, "monthly", "quarterly", "yearly", "bimonthly") {
			p.monthly = true
		}
		if p.is(i, "every", "everyskip") {
			for k := i + 1; k < i+4; k++ {
				p.monthly = p.monthly || p.is(k, "month", "quarter", "year", "halfyear")
			}
		}
	}
	return p
}

// at is the token at i, or a mark of nothing outside the text.
func (p *parser) at(i int) token {
	if i < 0 || i >= len(p.toks) {
		return token{kind: mark}
	}
	return p.toks[i]
}

// is says whether one of the words, in their canonical form, stands at i.
func (p *parser) is(i int, words ...string) bool {
	t := p.at(i)
	if i < 0 || i >= len(p.toks) || t.kind == number {
		return false
	}
	for _, w := range words {
		if t.text == w {
			return true
		}
	}
	return false
}

// num is a number that counts or names something, not a year or a code.
func (p *parser) num(i int) (int, bool) {
	t := p.at(i)
	return t.num, t.kind == number && i >= 0 && i < len(p.toks)
}

// skip passes small words that carry nothing.
func (p *parser) skip(i int, words ...string) int {
	for k := 0; k < 3 && p.is(i, words...); k++ {
		i++
	}
	return i
}

// unitAt reads a unit, with a Chinese measure word before it.
func (p *parser) unitAt(i int) (calendar.Unit, int) {
	n := 0
	if p.is(i, "个") {
		n = 1
	}
	if p.is(i+n, "business", "working") && p.is(i+n+1, "day") {
		return workday, n + 2
	}
	t := p.at(i + n)
	if unit, ok := unitWords[t.text]; ok && t.kind == word && i+n < len(p.toks) {
		return unit, n + 1
	}
	return "", 0
}
