package phrase

import "time"

// A feast is a day with a name: a fixed date, or the nth weekday of a month
// (-1 is the last). Feasts of the moon are not here; see lunar.
type feast struct{ month, day, nth, weekday int }

var feasts = map[string]feast{
	"new year": {1, 1, 0, 0}, "new years day": {1, 1, 0, 0}, "new year day": {1, 1, 0, 0}, "new year eve": {12, 31, 0, 0}, "new years eve": {12, 31, 0, 0}, "yuandan": {1, 1, 0, 0},
	"christmas": {12, 25, 0, 0}, "christmas day": {12, 25, 0, 0}, "xmas": {12, 25, 0, 0}, "christmas eve": {12, 24, 0, 0}, "boxing day": {12, 26, 0, 0},
	"valentines day": {2, 14, 0, 0}, "saint patrick": {3, 17, 0, 0}, "st patricks day": {3, 17, 0, 0}, "saint patricks day": {3, 17, 0, 0}, "earth day": {4, 22, 0, 0},
	"april fools": {4, 1, 0, 0}, "april fools day": {4, 1, 0, 0}, "labour day": {5, 1, 0, 0}, "international workers day": {5, 1, 0, 0}, "womens day": {3, 8, 0, 0},
	"halloween": {10, 31, 0, 0}, "independence day": {7, 4, 0, 0}, "veterans day": {11, 11, 0, 0}, "mothers day": {5, 0, 2, 0}, "fathers day": {6, 0, 3, 0},
	"thanksgiving": {11, 0, 4, 4}, "thanksgiving day": {11, 0, 4, 4}, "labor day": {9, 0, 1, 1}, "memorial day": {5, 0, -1, 1}, "martin luther king day": {1, 0, 3, 1},
	"mlk day": {1, 0, 3, 1}, "columbus day": {10, 0, 2, 1}, "presidents day": {2, 0, 3, 1}, "black friday": {11, 0, 4, 5}, "easter": {}, "easter sunday": {},
	"元旦": {1, 1, 0, 0}, "元旦节": {1, 1, 0, 0}, "妇女节": {3, 8, 0, 0}, "情人节": {2, 14, 0, 0}, "愚人节": {4, 1, 0, 0}, "劳动节": {5, 1, 0, 0}, "青年节": {5, 4, 0, 0},
	"儿童节": {6, 1, 0, 0}, "教师节": {9, 10, 0, 0}, "国庆节": {10, 1, 0, 0}, "国庆": {10, 1, 0, 0}, "圣诞节": {12, 25, 0, 0}, "圣诞": {12, 25, 0, 0}, "平安夜": {12, 24, 0, 0},
	"感恩节": {11, 0, 4, 4}, "母亲节": {5, 0, 2, 0}, "父亲节": {6, 0, 3, 0}, "植树节": {3, 12, 0, 0}, "万圣节": {10, 31, 0, 0},
}

// readHoliday reads a feast by the words at i, longest first.
func (p *parser) readHoliday(i int) ([]chunk, int) {
	start := i
	i = p.skip(i, "the", "next", "following")
	longest := min(4, len(p.toks)-i)
	for n := longest; n > 0; n-- {
		name := ""
		for k := range n {
			t := p.at(i + k)
			if t.kind == mark {
				name = ""
				break
			}
			if k > 0 && !t.zh {
				name += " "
			}
			name += t.text
		}
		if name == "" {
			continue
		}
		if f, ok := feasts[name]; ok {
			found := []chunk{{kind: cFeast, feast: f}}
			if year, k := p.yearAt(i + n); k > 0 {
				return append(found, chunk{kind: cYear, n: year}), i + n + k - start
			}
			return found, i + n - start
		}
	}
	return nil, 0
}

// on is the day of the feast in a year.
func (f feast) on(year int) time.Time {
	switch {
	case f.month == 0:
		return easter(year)
	case f.nth == 0:
		return time.Date(year, time.Month(f.month), f.day, 0, 0, 0, 0, time.UTC)
	case f.nth < 0:
		last := time.Date(year, time.Month(f.month)+1, 0, 0, 0, 0, 0, time.UTC)
		return last.AddDate(0, 0, -((int(last.Weekday()) - f.weekday + 7) % 7))
	}
	first := time.Date(year, time.Month(f.month), 1, 0, 0, 0, 0, time.UTC)
	return first.AddDate(0, 0, (f.weekday-int(first.Weekday())+7)%7+7*(f.nth-1))
}

// easter is the anonymous Gregorian computus.
func easter(year int) time.Time {
	a, b, c := year%19, year/100, year%100
	d, e := b/4, b%4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 19*l) / 433
	month := (h + l - 7*m + 90) / 25
	day := (h + l - 7*m + 33*month + 19) % 32
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}
