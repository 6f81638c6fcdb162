package calendar

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ErrRange is the cause of every error of ParseRange.
var ErrRange = errors.New("not a period")

// A Range is a period in canonical words, relative or absolute, so that it can
// be a column, an argument and a variable of a saved report. Ranges are equal
// (==) when they are the same words.
type Range struct {
	kind  rangeKind
	unit  Unit
	n     int    // relative: how many units from now; rolling: how many; part: which month, quarter, half
	shift int    // rolling, part, to date: by how many of its own length
	from  string // absolute: first day, 2006-01-02
	to    string // span: last day
	year  int    // part of one year: which, counted from the current, when bound
	bound bool
}

type rangeKind int

const (
	relative rangeKind = iota + 1 // last_month
	rolling                       // last_7_days
	toDate                        // ytd
	part                          // month:10, quarter:3: the latest one that has begun
	absolute                      // 2026-10
	span                          // 2026-10-01..2026-10-31
)

const dayLayout = "2006-01-02"

// ParseRange reads the canonical words:
//
//	today yesterday tomorrow this_month last_month next_month month_before_last
//	days_ago:3 months_ago:3 …      and the same for day, week, month, quarter, half_year, year
//	last_7_days last_12_months     whole ones, without the current
//	wtd mtd qtd ytd                up to and with today
//	month:10 quarter:3 half_year:1 weekday:5   the latest that has begun
//	day:10-05                      the latest 5 October that has begun
//	month:10@-1 quarter:3@0        of last year, of this year
//	2026-10-05 2026-W40 2026-10 2026-Q3 2026-H1 2026
//	2026-10-01..2026-10-31         days, the last included
//
// Rolling ones, ones to date and parts may be followed by a shift: month:10/-1.
func ParseRange(text string) (Range, error) {
	text = strings.TrimSpace(text)
	bad := fmt.Errorf("%w: %q; write one such as last_month, last_7_days, 2026-10 or 2026-10-01..2026-10-31", ErrRange, cut(text, 60))
	if text == "" || len(text) > 60 {
		return Range{}, bad
	}
	if r, ok := parseAbsolute(text); ok {
		return r, nil
	}
	word, shiftText, shifted := strings.Cut(strings.ToLower(text), "/")
	shift := 0
	if shifted {
		n, err := strconv.Atoi(shiftText)
		if err != nil || n < -maxShift || n > maxShift {
			return Range{}, bad
		}
		shift = n
	}
	r, ok := parseWord(word)
	if !ok {
		return Range{}, bad
	}
	return r.Shift(shift), nil
}

// maxShift keeps every period within the years that time can tell.
const maxShift = 5000

func cut(text string, n int) string {
	if len(text) > n {
		return strings.ToValidUTF8(text[:n], "") + "…"
	}
	return text
}

func parseAbsolute(text string) (Range, bool) {
	if first, last, ok := strings.Cut(text, ".."); ok {
		from, err1 := time.Parse(dayLayout, first)
		to, err2 := time.Parse(dayLayout, last)
		if err1 != nil || err2 != nil || to.Before(from) {
			return Range{}, false
		}
		return Range{kind: span, unit: Day, from: first, to: last}, true
	}
	text = strings.ToUpper(text)
	if len(text) < 4 {
		return Range{}, false
	}
	year, err := strconv.Atoi(text[:4])
	if err != nil || year < 1 || text[0] == '+' || text[0] == '-' {
		return Range{}, false
	}
	rest := text[4:]
	day := func(unit Unit, month time.Month, d int) (Range, bool) {
		return Range{kind: absolute, unit: unit, from: time.Date(year, month, d, 0, 0, 0, 0, time.UTC).Format(dayLayout)}, true
	}
	switch {
	case rest == "":
		return day(Year, 1, 1)
	case len(rest) == 3 && rest[:2] == "-Q" && rest[2] >= '1' && rest[2] <= '4':
		return day(Quarter, time.Month(rest[2]-'1')*3+1, 1)
	case len(rest) == 3 && rest[:2] == "-H" && (rest[2] == '1' || rest[2] == '2'):
		return day(HalfYear, time.Month(rest[2]-'1')*6+1, 1)
	case len(rest) == 4 && rest[:2] == "-W":
		week, err := strconv.Atoi(rest[2:])
		if err != nil || week < 1 || week > 53 {
			return Range{}, false
		}
		monday := floor(time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC), Week).AddDate(0, 0, 7*(week-1))
		if y, _ := monday.ISOWeek(); y != year {
			return Range{}, false
		}
		return Range{kind: absolute, unit: Week, from: monday.Format(dayLayout)}, true
	}
	if t, err := time.Parse("2006-01", text); err == nil {
		return day(Month, t.Month(), 1)
	}
	if t, err := time.Parse(dayLayout, text); err == nil {
		return day(Day, t.Month(), t.Day())
	}
	return Range{}, false
}

var units = []Unit{Day, Week, Month, Quarter, HalfYear, Year}

var toDateWords = map[string]Unit{"wtd": Week, "mtd": Month, "qtd": Quarter, "ytd": Year}

func parseWord(word string) (Range, bool) {
	switch word {
	case "today":
		return Ago(Day, 0), true
	case "yesterday":
		return Ago(Day, 1), true
	case "tomorrow":
		return Ago(Day, -1), true
	}
	if unit, ok := toDateWords[word]; ok {
		return Range{kind: toDate, unit: unit}, true
	}
	if name, number, ok := strings.Cut(word, ":"); ok {
		if name == "day" {
			if _, err := time.Parse("2006-01-02", "2000-"+number); err != nil {
				return Range{}, false
			}
			return Range{kind: part, unit: Day, from: number}, true
		}
		number, yearText, bound := strings.Cut(number, "@")
		if bound {
			n, err1 := strconv.Atoi(number)
			year, err2 := strconv.Atoi(yearText)
			r, ok := PartOf(name, n)
			if err1 != nil || err2 != nil || !ok || r.unit == Day || year < -maxShift || year > maxShift {
				return Range{}, false
			}
			return r.OfYear(year), true
		}
		n, err := strconv.Atoi(number)
		if err != nil || n < -maxShift || n > maxShift {
			return Range{}, false
		}
		if unit, ok := strings.CutSuffix(name, "s_ago"); ok {
			if u, ok := unitNamed(unit); ok {
				return Ago(u, n), true
			}
			return Range{}, false
		}
		return PartOf(name, n)
	}
	for _, unit := range units {
		switch word {
		case "this_" + string(unit):
			return Ago(unit, 0), true
		case "last_" + string(unit):
			return Ago(unit, 1), true
		case "next_" + string(unit):
			return Ago(unit, -1), true
		case string(unit) + "_before_last":
			return Ago(unit, 2), true
		}
	}
	if rest, ok := strings.CutPrefix(word, "last_"); ok {
		number, name, _ := strings.Cut(rest, "_")
		n, err := strconv.Atoi(number)
		unit, known := unitNamed(strings.TrimSuffix(name, "s"))
		if err == nil && known && n >= 1 && n <= maxShift {
			return LastN(unit, n), true
		}
	}
	return Range{}, false
}

func unitNamed(name string) (Unit, bool) {
	for _, unit := range units {
		if string(unit) == name {
			return unit, true
		}
	}
	return "", false
}

// Ago is the unit that lies n units before the current one: Ago(Month, 1) is
// last_month.
func Ago(unit Unit, n int) Range { return Range{kind: relative, unit: unit, n: -n} }

// LastN is the last n whole units, without the current one.
func LastN(unit Unit, n int) Range { return Range{kind: rolling, unit: unit, n: n} }

// ToDate is the current unit up to and with today.
func ToDate(unit Unit) Range { return Range{kind: toDate, unit: unit} }

// PartOf is the latest month, quarter, half_year or weekday (1 is Monday) of
// that number which has begun.
func PartOf(name string, n int) (Range, bool) {
	limits := map[string]int{"month": 12, "quarter": 4, "half_year": 2, "weekday": 7}
	if limit := limits[name]; n < 1 || n > limit {
		return Range{}, false
	}
	if name == "weekday" {
		return Range{kind: part, unit: Day, n: n}, true
	}
	return Range{kind: part, unit: Unit(name), n: n}, true
}

// OfYear binds a month, a quarter or a half to the year n from the current one:
// PartOf("month", 10).OfYear(-1) is last year's October. Other Ranges stay.
func (r Range) OfYear(n int) Range {
	if r.kind == part && r.unit != Day {
		r.year, r.bound = n, true
	}
	return r
}

// IsZero says whether r is no Range at all.
func (r Range) IsZero() bool { return r.kind == 0 }

// Unit is what the period is one of, or is counted in.
func (r Range) Unit() Unit { return r.unit }

// Absolute says whether r means the same at any time.
func (r Range) Absolute() bool { return r.kind == absolute || r.kind == span }

// String is the canonical form.
func (r Range) String() string {
	word := ""
	switch r.kind {
	case relative:
		return r.relativeWord()
	case absolute:
		return r.absoluteWord()
	case span:
		return r.from + ".." + r.to
	case rolling:
		word = fmt.Sprintf("last_%d_%ss", r.n, r.unit)
	case toDate:
		for name, unit := range toDateWords {
			if unit == r.unit {
				word = name
			}
		}
	case part:
		switch {
		case r.unit == Day && r.from != "":
			word = "day:" + r.from
		case r.unit == Day:
			word = fmt.Sprintf("weekday:%d", r.n)
		default:
			word = fmt.Sprintf("%s:%d", r.unit, r.n)
		}
		if r.bound {
			word += fmt.Sprintf("@%d", r.year)
		}
	}
	if r.shift != 0 {
		word += fmt.Sprintf("/%d", r.shift)
	}
	return word
}

func (r Range) relativeWord() string {
	if r.unit == Day {
		switch r.n {
		case 0:
			return "today"
		case -1:
			return "yesterday"
		case 1:
			return "tomorrow"
		}
	}
	switch r.n {
	case 0:
		return "this_" + string(r.unit)
	case -1:
		return "last_" + string(r.unit)
	case -2:
		return string(r.unit) + "_before_last"
	case 1:
		return "next_" + string(r.unit)
	}
	return fmt.Sprintf("%ss_ago:%d", r.unit, -r.n)
}

func (r Range) absoluteWord() string {
	from, _ := time.Parse(dayLayout, r.from)
	switch r.unit {
	case Year:
		return from.Format("2006")
	case HalfYear:
		return fmt.Sprintf("%s-H%d", from.Format("2006"), (from.Month()-1)/6+1)
	case Quarter:
		return fmt.Sprintf("%s-Q%d", from.Format("2006"), (from.Month()-1)/3+1)
	case Month:
		return from.Format("2006-01")
	case Week:
		year, week := from.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	default:
		return r.from
	}
}
