package phrase

import "hermes/scheduler/calendar"

// A chunk is a piece of a text that says one thing about time. A text becomes a
// list of chunks first; what they say together is decided afterwards, so that
// their order, which differs between the languages, matters little.
type chunk struct {
	kind  chunkKind
	n     int // how many, which one, or by how many units from now
	unit  calendar.Unit
	set   weekdays
	nums  []int // days of the month (-1 is the last), minutes, ordinals
	clock clock
	part  string
	feast feast
	weak  bool // means time only in good company
	i, j  int  // its tokens
}

type chunkKind int

const (
	cEvery      chunkKind = iota // every n units
	cMark                        // "every" before a day, a month, an ordinal
	cWeekday                     // n: weeks from this one, or anyWeek
	cOrdinal                     // first, last: of what follows
	cMonth                       // n
	cDays                        // days of the month
	cYear                        // n
	cDay                         // n days from today
	cUnit                        // n units from the current one: next week
	cAfter                       // n units from now, exactly; part "ago" is back
	cClock                       // a time of day
	cPart                        // a part of the day
	cOf                          // a unit that an ordinal or a day belongs to: "of the month"
	cStart                       // the start of a unit
	cEnd                         // the end of a unit
	cMinutes                     // minutes past the hour
	cWeekNumber                  // week 12
	cUntil
	cFrom
	cTo
	cAnd
	cExcept
	cBetween
	cOnly
	cCount // n times
	cFor   // for n units
	cWorkday
	cDate // a day that no year has
	cPer  // n times a unit
	cHoliday
	cFeast
	cNear // the working day nearest to day n
)

const anyWeek = 1000

// maxChunks is far more than one schedule needs, and bounds the work that
// looks from one chunk at the others.
const maxChunks = 200

// chunks finds what a text says about time. Every reader looks at a bounded
// number of tokens, so this is linear in the text.
func (p *parser) chunks() []chunk {
	var list []chunk
	for i := 0; i < len(p.toks) && len(list) < maxChunks; {
		found, n := p.read(i)
		if n == 0 {
			i++
			continue
		}
		for k := range found {
			found[k].i, found[k].j = i, i+n
		}
		list = append(list, found...)
		i += n
		if hasKind(found, cFeast, cDays, cEnd, cStart) {
			p.dateEnd = i
		}
	}
	return list
}

func one(c chunk, n int) ([]chunk, int) {
	if n == 0 {
		return nil, 0
	}
	return []chunk{c}, n
}

// read tries every reader at i; the order is from the most to the least
// particular.
func (p *parser) read(i int) ([]chunk, int) {
	for _, reader := range []func(int) ([]chunk, int){
		p.readMinutes, p.readDayNumber, p.readHoliday, p.readNumericDate, p.readChineseDate, p.readNamedDate, p.readFrequency, p.readEvery, p.readDuration,
		p.readRelative, p.readClock, p.readOrdinal, p.readWeekday, p.readEdges, p.readLink, p.readUnit,
	} {
		if found, n := reader(i); n > 0 {
			return found, n
		}
	}
	return nil, 0
}

// readClock reads a time of day with the part of the day around it.
func (p *parser) readClock(i int) ([]chunk, int) {
	start := i
	lead := false
	if p.is(i, "at", "@", "by", "about", "在", "于", "alarm") {
		i++
		i = p.skip(i, "about", "at", "exactly", "在", "for")
		lead = true
	}
	lead = lead || i-1 == p.clockEnd && p.is(i-1, "and", ",", "&", "or") || p.at(i-1).isDaypart() || p.is(i-1, "tonight", "tomorrow", "today", "tomorrownight", "thismorning", "tomorrowmorning") && p.is(i-2, "at", "about")
	if part := p.at(i); part.isDaypart() && part.zh {
		if other := p.at(i + 1); other.isDaypart() && other.zh {
			// 早晚八点
			if c, n := p.clockAt(i+2, true); n > 0 && !c.sure {
				p.clockEnd = i + 2 + n
				return []chunk{{kind: cClock, clock: c.settle(part.text)}, {kind: cClock, clock: c.settle(other.text)}}, i - start + 2 + n
			}
		}
		if c, n := p.clockAt(i+1, true); n > 0 {
			p.clockEnd = i + 1 + n
			return []chunk{{kind: cClock, clock: c.settle(part.text)}}, i - start + 1 + n
		}
	}
	lead = lead || p.is(i-1, "from") && p.hourAt(i) && p.is(i+1, "to", "-", "until") && p.hourAt(i+2) || p.is(i-1, "to", "-", "until") && i-1 == p.clockEnd && p.hourAt(i)
	c, n := p.clockAt(i, lead)
	if n == 0 && p.at(i).kind == number && p.at(i).num <= 24 && !p.at(i).ordinal {
		// "7, this morning", "4 in the afternoon", "11 tonight"
		j := i + 1
		j = p.skip(j, ",")
		if p.is(j, "tonight") || p.is(j, "this", "in") && (p.at(j+1).isDaypart() || p.is(j+1, "the") && p.at(j+2).isDaypart()) {
			c, n = clock{hour: p.at(i).num}, 1
		}
	}
	if n == 0 || p.is(i-1, "%") && p.at(i).glued {
		return nil, 0
	}
	i += n
	part := ""
	j := p.skip(i, "in", "the", ",")
	j = p.skip(j, "early", "late")
	if t := p.at(j); t.isDaypart() && !t.zh && (t.text != "night" || j > i) && t.text != "noon" && t.text != "midnight" {
		part, i = t.text, j+1
	} else if p.is(i, "tonight") {
		part = "night"
	} else if j := p.skip(i, ","); p.is(j, "this") && p.at(j+1).isDaypart() {
		part = p.at(j + 1).text
	}
	p.clockEnd = i
	found := []chunk{{kind: cClock, clock: c, part: part}}
	// Unix prints the year last: Fri Mar 5 10:20:30 2027
	if y := p.at(i); y.digits == 4 && y.num > 1900 && y.num < 2100 && start > 0 && i+1 >= len(p.toks)-1 {
		return append(found, chunk{kind: cYear, n: y.num}), i + 1 - start
	}
	return found, i - start
}

// hourAt says that a bare number stands at i that can be an hour and counts nothing.
func (p *parser) hourAt(i int) bool {
	t := p.at(i)
	return t.kind == number && i < len(p.toks) && !t.ordinal && !t.zh && t.digits <= 2 && t.num <= 24 && monthNames[p.at(i+1).text] == 0 && !p.countsSomething(i+1)
}

// readWeekday reads a list of weekdays and what week they are of.
func (p *parser) readWeekday(i int) ([]chunk, int) {
	if t := p.at(i); t.kind != weekday || i >= len(p.toks) {
		if p.is(i, "week") && p.at(i).zh && p.at(i+1).kind == number && p.at(i+1).num >= 1 && p.at(i+1).num <= 7 && p.at(i+1).digits == 1 && !p.is(i+2, "times", "once", "天", "点", "month") {
			return []chunk{{kind: cWeekday, set: 1 << (p.at(i+1).num % 7), n: anyWeek}}, 2
		}
		return nil, 0
	}
	t := p.at(i)
	if (t.text == "sun" || t.text == "sat" || t.text == "wed") && !p.dateish(i) {
		return nil, 0
	}
	set, n := t.set, 1
	var found []chunk
	if plurals[t.text] {
		found = append(found, chunk{kind: cMark})
	}
	// 周一、三、五
	for t.zh && p.is(i+n, ",", "and") && p.at(i+n+1).zh && p.at(i+n+1).kind == number && p.at(i+n+1).num >= 1 && p.at(i+n+1).num <= 6 && !p.is(i+n+2, "点", "号", "month", "个", "times", "day") {
		set |= 1 << p.at(i+n+1).num
		n += 2
	}
	found = append(found, chunk{kind: cWeekday, set: set, n: anyWeek})
	// Tuesday 14
	if d := p.at(i + 1); d.kind == number && d.digits == 2 && !d.ordinal && d.num <= 31 && d.num > 0 && !t.zh && (i+2 >= len(p.toks) || p.is(i+2, "!", ".")) {
		return append(found, chunk{kind: cDays, nums: []int{d.num}}), 2
	}
	return found, n
}

// dateish says that a short word which is also an everyday word stands where
// dates stand.
func (p *parser) dateish(i int) bool {
	near := func(t token, in bool) bool {
		return in && (t.kind == number || t.kind == weekday || t.kind == mark || t.zh) || t.text == "on" || t.text == "every" || t.text == "next" ||
			t.text == "this" || t.text == "last" || t.text == "and" || t.text == "to" || t.text == "other" || t.text == "at" || monthNames[t.text] > 0
	}
	return len(p.toks) == 1 || i == 0 && p.at(i+1).kind != word || near(p.at(i-1), i > 0) || near(p.at(i+1), i+1 < len(p.toks)) && p.at(i-1).text != "the"
}

// readUnit reads the unit that a day or an ordinal belongs to.
func (p *parser) readUnit(i int) ([]chunk, int) {
	start := i
	if j := p.skip(i, "in", "of"); p.is(j, "week") && p.at(j+1).kind == number && p.at(j+1).num <= 53 && p.at(j+1).num > 0 && !p.at(j).zh {
		return []chunk{{kind: cWeekNumber, n: p.at(j + 1).num}}, j + 2 - i
	}
	if p.is(i, "of", "in") {
		i++
	}
	i = p.skip(i, "the", "a")
	if i == start {
		return nil, 0
	}
	unit, n := p.unitAt(i)
	if n == 0 || unit == second || unit == calendar.Minute || unit == calendar.Hour {
		return nil, 0
	}
	return []chunk{{kind: cOf, unit: unit}}, i + n - start
}

// readLink reads the small words that say how chunks belong together.
func (p *parser) readLink(i int) ([]chunk, int) {
	t := p.at(i)
	switch t.text {
	case "until":
		return one(chunk{kind: cUntil}, 1)
	case "to", "-":
		return one(chunk{kind: cTo}, 1)
	case "and", "&", ",", "or":
		return one(chunk{kind: cAnd}, 1)
	case "/":
		if p.at(i-1).kind == weekday && p.at(i+1).kind == weekday {
			return one(chunk{kind: cAnd}, 1)
		}
	case "except":
		return one(chunk{kind: cExcept}, 1)
	case "holiday", "holidays":
		return one(chunk{kind: cHoliday}, 1)
	case "between":
		return one(chunk{kind: cBetween}, 1)
	case "only":
		return one(chunk{kind: cOnly}, 1)
	case "from", "starting", "since":
		n := 1
		if p.is(i+1, "from", "on", "in", "at") {
			n = 2
		}
		return one(chunk{kind: cFrom}, n)
	case "onward", "start":
		if t.zh {
			return one(chunk{kind: cFrom, part: "post"}, 1)
		}
	case "once":
		if t.zh {
			return one(chunk{kind: cCount, n: 0}, 1)
		}
		if p.is(i+1, "a", "every", "per") {
			if unit, n := p.unitAt(i + 2); n > 0 {
				return []chunk{{kind: cEvery, n: 1, unit: unit}}, 2 + n
			}
		}
	case "twice":
		if p.is(i+1, "a", "every", "per") {
			if unit, n := p.unitAt(i + 2); n > 0 {
				return []chunk{{kind: cEvery, n: 1, unit: unit}, {kind: cPer, n: 2}}, 2 + n
			}
		}
		if f, ok := frequencies[p.at(i+1).text]; ok && p.at(i+1).kind == word {
			return []chunk{{kind: cEvery, n: f.n, unit: f.unit}, {kind: cPer, n: 2}}, 2
		}
		return one(chunk{kind: cCount, n: 2}, 1)
	}
	if t.isDaypart() && i < len(p.toks) {
		return one(chunk{kind: cPart, part: t.text}, 1)
	}
	start := i
	if p.is(i, "for") {
		i++
	}
	i = p.skip(i, "up", "to", "the", "next", "共", "at", "most")
	if n, ok := p.num(i); ok && n > 0 && n < 10000 {
		if f, ok := frequencies[p.at(i+2).text]; ok && p.is(i+1, "times") && p.at(i+2).kind == word {
			return []chunk{{kind: cEvery, n: f.n, unit: f.unit}, {kind: cPer, n: n}}, i + 3 - start
		}
		if p.is(i+1, "times") && p.is(i+2, "a", "every", "per") {
			if unit, k := p.unitAt(i + 3); k > 0 {
				return []chunk{{kind: cEvery, n: 1, unit: unit}, {kind: cPer, n: n}}, i + 3 + k - start
			}
		}
		if p.is(i+1, "times") && p.at(i+1).zh && (p.is(i-2, "every") || p.is(i-3, "every")) && p.repeats(i-1) {
			return one(chunk{kind: cPer, n: n}, i+2-start)
		}
		if p.is(i+1, "times", "x") && p.at(i+1).kind == word {
			return one(chunk{kind: cCount, n: n}, i+2-start)
		}
		if unit, m := p.unitAt(i + 1); m > 0 && i > start && p.is(start, "for") && (unit == calendar.Week || unit == calendar.Month || unit == calendar.Year || unit == calendar.Day) {
			return one(chunk{kind: cFor, n: n, unit: unit}, i+1+m-start)
		}
	}
	return nil, 0
}
