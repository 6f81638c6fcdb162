package phrase

// A clock is a time of day as far as it was said.
type clock struct {
	hour, minute, second int
	sure                 bool // no doubt about morning or afternoon
}

func (c clock) seconds() int { return c.hour*3600 + c.minute*60 + c.second }

// meridiem reads am, p.m., "a", "P." behind a number.
func (p *parser) meridiem(i int) (pm bool, n int) {
	t := p.at(i)
	switch t.text {
	case "am", "pm":
		return t.text == "pm", 1
	case "a", "p":
		if p.is(i+1, ".") && p.at(i+1).glued && p.is(i+2, "m") {
			n = 3
			if p.is(i+3, ".") && p.at(i+3).glued {
				n = 4
			}
			return t.text == "p", n
		}
		if p.is(i+1, "m") {
			return t.text == "p", 2
		}
		if next := p.at(i + 1); t.glued || i+1 >= len(p.toks) || next.kind == mark && next.text == "." {
			if t.text == "p" || t.glued {
				return t.text == "p", 1
			}
		}
	}
	return false, 0
}

// clockAt reads a time of day. Bare numbers are times only behind "at" and its
// like, which the caller says by lead.
func (p *parser) clockAt(i int, lead bool) (clock, int) {
	if c, n := p.spokenClock(i); n > 0 {
		return c, n
	}
	hour, ok := p.num(i)
	t := p.at(i)
	if !ok || t.ordinal || hour > 2400 || p.at(i-1).text == "-" && p.at(i-1).glued && p.at(i-2).kind == word && t.glued {
		return clock{}, 0
	}
	c := clock{hour: hour, sure: hour > 12 || hour == 0 || t.digits == 2 && t.text[0] == '0'}
	n := 1
	marked := false // something says that this is a time
	if t.digits >= 3 {
		if _, m := p.meridiem(i + 1); m == 0 || t.digits > 4 {
			return clock{}, 0
		}
		c.hour, c.minute = hour/100, hour%100
	} else if hour > 24 {
		return clock{}, 0
	}
	switch next := p.at(i + 1); {
	case p.is(i+1, ":", "：") && next.glued && p.at(i+2).kind == number && p.at(i+2).digits == 2 && p.at(i+2).glued:
		c.minute, n, marked = p.at(i+2).num, 3, true
		if p.is(i+3, ":") && p.at(i+4).kind == number && p.at(i+4).digits == 2 && p.at(i+4).glued {
			c.second, n = p.at(i+4).num, 5
		}
	case p.is(i+1, ".") && next.glued && p.at(i+2).kind == number && p.at(i+2).digits == 2 && p.at(i+2).glued && t.digits > 0:
		_, m := p.meridiem(i + 3)
		if m == 0 && (!lead || p.is(i+3, ".", "/", "%") && p.at(i+3).glued && p.at(i+4).kind == number) {
			return clock{}, 0
		}
		c.minute, n, marked = p.at(i+2).num, 3, true
	case p.is(i+1, "h") && p.at(i+2).kind == number && p.at(i+2).digits == 2:
		c.minute, n, marked, c.sure = p.at(i+2).num, 3, true, true
	case lead && t.digits == 0 && !t.zh && next.kind == number && next.digits == 0 && !next.ordinal && next.num < 60 && (next.num >= 10 || next.num == 5) && next.text != "":
		c.minute, n, marked = next.num, 2, true
	case lead && p.is(i+1, "-") && next.glued && p.at(i+2).digits == 2 && p.at(i+2).glued && p.at(i+2).num > 24 && p.at(i+2).num < 60:
		c.minute, n, marked = p.at(i+2).num, 3, true
	case p.is(i+1, "点", "时") && (t.num <= 24):
		return p.chineseClock(i, c)
	}
	if p.is(i+n, "oclock") {
		n, marked = n+1, true
	} else if p.is(i+n, "o") && p.is(i+n+1, "clock") {
		n, marked = n+2, true
	}
	if p.is(i+n, "ish") {
		n, marked = n+1, true
	}
	if p.is(i+n, "noon") && c.hour == 12 {
		return clock{hour: 12, sure: true}, n + 1
	}
	if pm, m := p.meridiem(i + n); m > 0 {
		if c.hour > 12 && !pm || c.hour == 0 && pm && c.minute == 0 {
			return clock{}, 0
		}
		if c.hour <= 12 {
			c.hour = c.hour % 12
			if pm {
				c.hour += 12
			}
		}
		c.sure, n, marked = true, n+m, true
	} else if p.is(i+n, "点") {
		n++
		if pm, m := p.meridiem(i + n); m > 0 {
			c.hour = c.hour%12 + map[bool]int{true: 12}[pm]
			c.sure, n = true, n+m
		}
	}
	if !marked && !lead || c.minute > 59 || c.second > 59 || c.hour > 24 || c.hour == 24 && c.minute > 0 {
		return clock{}, 0
	}
	if !marked && (c.hour > 24 || p.countsSomething(i+n)) {
		return clock{}, 0
	}
	if p.is(i+n, "past") && p.at(i+n+1).kind == number || p.is(i+n, "to") && !marked && p.at(i+n+1).kind == number && t.digits == 0 {
		return clock{}, 0
	}
	return c, n
}

// countsSomething says that the bare number before i counts or names what
// stands at i, so that "at 5 percent" and "at 3 stores" are no times.
func (p *parser) countsSomething(i int) bool {
	t := p.at(i)
	if i >= len(p.toks) {
		return false
	}
	if t.kind == mark {
		return t.text == "%" || t.text == "$" || t.text == "/" || t.text == ":" || t.glued && (t.text == "." || t.text == "-") && p.at(i+1).glued && p.at(i+1).kind == number
	}
	if t.zh {
		return t.text != "to" && t.text != "and" && t.text != "的"
	}
	if _, ok := unitWords[t.text]; ok && t.kind == word {
		return true
	}
	switch t.text {
	case "percent", "points", "people", "persons", "stores", "items", "different", "times", "x", "per", "of", "million", "thousand", "k", "m", "th", "locations", "places", "companies", "the":
		return true
	}
	_, month := monthNames[t.text]
	return month && t.text != "mar"
}

// spokenClock reads noon, half past eight, a quarter to 8, ten past 9, mid
// morning and the double hours.
func (p *parser) spokenClock(i int) (clock, int) {
	t := p.at(i)
	switch {
	case p.is(i, "noon"):
		// 中午1点 is an hour with its part of the day.
		if _, n := p.clockAt(i+1, false); n > 0 && t.zh {
			return clock{}, 0
		}
		return clock{hour: 12, sure: true}, 1
	case p.is(i, "midnight"):
		return clock{sure: true}, 1
	case p.is(i, "mid"):
		n := 1
		if p.is(i+1, "-") {
			n = 2
		}
		switch {
		case p.is(i+n, "night"):
			return clock{sure: true}, n + 1
		case p.is(i+n, "day"):
			return clock{hour: 12, sure: true}, n + 1
		case p.is(i+n, "morning"):
			return clock{hour: 10, sure: true}, n + 1
		case p.is(i+n, "afternoon"):
			return clock{hour: 14, sure: true}, n + 1
		}
	case t.zh && p.is(i+1, "时"):
		if hour, ok := shichen[t.text]; ok {
			c, n := clock{hour: hour, sure: true}, 2
			if q, ok := p.num(i + 2); ok && q <= 7 && p.is(i+3, "刻") {
				c.hour, c.minute, n = (c.hour+q*15/60)%24, q*15%60, 4
			}
			return c, n
		}
	}
	minutes, n := -1, 0
	switch {
	case p.is(i, "half"):
		minutes, n = 30, 1
	case p.is(i, "quarter"):
		minutes, n = 15, 1
	case p.is(i, "a") && p.is(i+1, "quarter"):
		minutes, n = 15, 2
	default:
		if m, ok := p.num(i); ok && m < 60 && !t.ordinal && !t.zh {
			minutes, n = m, 1
			if p.is(i+1, "minute") {
				n = 2
			}
		}
	}
	if minutes < 0 || !p.is(i+n, "past", "to", "after") || p.is(i+n, "to", "after") && p.at(i).digits > 0 && n == 1 {
		return clock{}, 0
	}
	if p.is(i+n, "after") && n == 1 && !p.is(i, "half", "quarter") {
		return clock{}, 0
	}
	hour, ok := p.num(i + n + 1)
	if !ok || hour > 12 || hour < 1 || p.at(i+n+1).ordinal {
		return clock{}, 0
	}
	before := p.is(i+n, "to")
	c := clock{hour: hour, minute: minutes}
	n += 2
	if pm, m := p.meridiem(i + n); m > 0 {
		c.hour, c.sure, n = hour%12+map[bool]int{true: 12}[pm], true, n+m
	} else if p.is(i+n, "oclock") {
		n++
	}
	if before && minutes > 0 {
		c.hour, c.minute = (c.hour+23)%24, 60-minutes
		if c.hour == 0 && !c.sure {
			c.hour = 12
		}
	}
	return c, n
}

// chineseClock reads what follows the hour: 八点半, 8点十五分, 三点一刻, 8点整.
func (p *parser) chineseClock(i int, c clock) (clock, int) {
	n := 2
	if p.is(i+1, "时") && p.at(i+2).kind != number && !p.at(i-1).isDaypart() && p.at(i).digits == 0 {
		return clock{}, 0
	}
	c.sure = c.hour > 12 || c.hour == 0 || p.at(i).digits == 2 && p.at(i).text[0] == '0'
	switch {
	case p.is(i+n, "half"):
		c.minute, n = 30, n+1
	case p.is(i+n, "整"):
		n++
	case p.is(i+n, "差") && p.at(i+n+1).kind == number && p.is(i+n+2, "刻", "minute") && p.at(i+n+1).num < 60:
		// 九点差一刻
		less := p.at(i+n+1).num * map[bool]int{true: 15, false: 1}[p.is(i+n+2, "刻")]
		if less < 60 && less > 0 {
			c.hour, c.minute, n = (c.hour+23)%24, 60-less, n+3
		}
	case p.at(i+n).kind == number && p.is(i+n+1, "刻") && p.at(i+n).num <= 3:
		c.minute, n = p.at(i+n).num*15, n+2
	case p.at(i+n).kind == number && p.at(i+n).num < 60 && !p.at(i+n).ordinal:
		if p.is(i+n+1, "minute") {
			c.minute, n = p.at(i+n).num, n+2
		} else if !p.at(i+n+1).zh || p.at(i+n).num >= 5 && !p.is(i+n+1, "个", "天", "day", "month", "号", "点") {
			c.minute, n = p.at(i+n).num, n+1
		}
	}
	if pm, m := p.meridiem(i + n); m > 0 {
		c.hour, c.sure, n = c.hour%12+map[bool]int{true: 12}[pm], true, n+m
	}
	if c.hour > 24 {
		return clock{}, 0
	}
	return c, n
}

func (t token) isDaypart() bool {
	_, ok := dayparts[t.text]
	return ok && t.kind == word
}

// settle decides between morning and afternoon. part is the part of the day
// that was named near the time, or "". Without one, one to six are hours of the
// afternoon: nobody is to be met at three in the night without saying so. What
// happens again is not settled so, but as it is written.
func (c clock) settle(part string) clock {
	switch {
	case c.sure && part == "":
	case c.hour == 0 && (part == "night" || part == "evening" || part == "midnight"), c.hour == 12 && part == "midnight":
		c.hour = 24
	case part == "morning" || part == "smallhours":
		if c.hour == 12 && !c.sure {
			c.hour = 0
		}
	case part == "noon":
		if c.hour < 10 && !c.sure {
			c.hour += 12
		}
	case part == "night" && !c.sure && c.hour < 5, part == "midnight":
	case part != "" && (c.hour < 12 && !c.sure):
		c.hour += 12
	case part != "" && c.hour == 12 && part != "afternoon" && !c.sure:
		c.hour = 24
	case !c.sure && c.hour >= 1 && c.hour <= 6:
		c.hour += 12
	}
	c.sure = true
	return c
}
