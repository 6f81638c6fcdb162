package phrase

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"hermes/scheduler/calendar"
)

// A repeat is what the chunks of a text say about something that happens again.
type repeat struct {
	n         int
	unit      calendar.Unit
	sure      bool // a number of units was said
	set       weekdays
	ordinals  []int
	ordSet    weekdays
	ordWork   bool
	days      []int
	months    []int
	of        calendar.Unit
	dayStep   bool
	clocks    []clock
	window    bool // the clocks are a window
	part      string
	second    string // part of the day, beside part: "every morning and evening"
	minutes   []int
	week      int
	edge      *chunk
	start     time.Time
	until     time.Time // last moment
	count     int
	except    []moment
	holidays  bool
	plain     bool // days that short months lack are left out there
	offset    bool // the window is a start only
	monthStep int
	near      int
	instance  bool
	notOn     weekdays
	per       int  // how often within the unit
	movable   bool // a feast whose date no rule of months says
	unclear   bool // something is left out, or counted from, that we cannot say
}

// feast is a day with a name, each year.
func (r *repeat) feast(f feast) {
	switch {
	case f.month == 0:
		r.movable = true
		return
	case f.nth == 0:
		r.days = append(r.days, f.day)
	default:
		r.ordinals, r.ordSet = []int{f.nth}, r.ordSet|1<<f.weekday
	}
	r.months = append(r.months, f.month)
	if r.unit == "" {
		r.unit = calendar.Year
	}
}

// readRepeat reads the chunks of a text that happens again. now is on the wall.
func readRepeat(list []chunk, now time.Time) repeat {
	r := repeat{n: 1}
	var pending []int // ordinals waiting for what they count
	between, marked := false, hasKind(list, cMark, cEvery)
	list = slices.DeleteFunc(slices.Clone(list), func(c chunk) bool { return c.kind == cMark })
	for k := 0; k < len(list); k++ {
		c := list[k]
		prev := chunk{kind: -1}
		if k > 0 {
			prev = list[k-1]
		}
		switch c.kind {
		case cEvery:
			switch {
			case prev.kind == cEvery && prev.unit == calendar.Week && c.unit == calendar.Day && c.n > 1:
				r.dayStep, r.n = true, c.n
			case r.unit == "" || r.unit == calendar.Hour && c.weak:
				r.unit, r.n, r.sure = c.unit, c.n, c.n > 1
			case c.unit == calendar.Month && !c.weak && c.n > 1 && r.unit == calendar.Day:
				r.monthStep = c.n
			case rank(c.unit) > rank(r.unit) && c.n == 1:
				// "every day of every month": the shorter one is meant.
			case rank(c.unit) > rank(r.unit) && (r.unit == calendar.Minute || r.unit == calendar.Hour) || len(r.minutes) > 0:
				if r.unit == calendar.Minute && c.unit == calendar.Hour {
					r.minutes = stepped(0, 59, r.n)
				}
				if r.unit != calendar.Minute || c.unit == calendar.Hour {
					r.unit, r.n, r.sure = c.unit, c.n, true
				}
			default:
				r.unit, r.n, r.sure = c.unit, c.n, r.sure || c.n > 1
			}
			pending = nil
		case cOrdinal:
			pending = c.nums
			r.instance = c.part == "instance"
		case cPer:
			r.per = c.n
		case cNear:
			r.near = c.n
		case cWorkday:
			r.ordWork, r.ordinals = true, pending
		case cWeekday:
			switch {
			case len(pending) > 0:
				r.ordSet |= c.set
				r.ordinals = pending
			case prev.kind == cTo && k > 1 && list[k-2].kind == cWeekday:
				r.set |= spanOf(list[k-2].set, c.set)
			case r.dayStep:
				r.set |= c.set
			default:
				r.set |= c.set
			}
		case cMonth:
			if prev.kind == cTo && k > 1 && list[k-2].kind == cMonth {
				for m := list[k-2].n; m != c.n && len(r.months) < 12; {
					m = m%12 + 1
					r.months = append(r.months, m)
				}
				continue
			}
			if k+2 < len(list) && (list[k+1].kind == cTo && list[k+2].kind == cMonth) && prev.kind != cFrom || k+3 < len(list) && list[k+1].kind == cDays && list[k+2].kind == cTo && list[k+3].kind == cMonth || prev.kind == cFrom {
				if k+2 < len(list) && list[k+1].kind == cDays {
					used := r.startAt(list[k:], now)
					k += used - 1
					continue
				}
			}
			r.months = append(r.months, c.n)
		case cFeast:
			r.feast(c.feast)
		case cDays:
			if c.weak {
				continue
			}
			if between && len(c.nums) == 2 && c.nums[0] < c.nums[1] {
				for d := c.nums[0]; d <= c.nums[1]; d++ {
					r.days = append(r.days, d)
				}
			} else {
				r.days = append(r.days, c.nums...)
			}
			pending = nil
		case cOf:
			if c.unit == "step" {
				r.dayStep = true
				r.n = c.n
				continue
			}
			if r.of == "" || rank(c.unit) < rank(r.of) {
				r.of = c.unit
			}
		case cStart, cEnd:
			if r.edge == nil {
				r.edge = &list[k]
			}
		case cAfter:
			// 月底前两天 is counted from the last day.
			if c.part == "ago" && prev.kind == cEnd && prev.unit == calendar.Month && c.unit == calendar.Day && c.n < 28 {
				r.edge, r.near = nil, -c.n
			} else if c.part == "ago" {
				r.unclear = true
			}
		case cClock:
			clk := c.clock
			if c.part != "" {
				clk = clk.settle(c.part)
			}
			if between && len(r.clocks) > 0 || prev.kind == cTo && len(r.clocks) > 0 {
				r.window = true
			}
			r.clocks = append(r.clocks, clk)
			between = between && !r.window
		case cPart:
			if r.part == "" {
				r.part = c.part
			} else if c.part != r.part {
				r.second = c.part
			}
		case cMinutes:
			if k > 0 && prev.kind == cFrom && len(c.nums) == 1 || k > 1 && list[k-2].kind == cFrom && len(c.nums) == 1 && r.unit == calendar.Minute {
				r.minutes = stepped(c.nums[0], 59, r.n)
				r.unit, r.n = calendar.Hour, 1
				continue
			}
			if r.unit == calendar.Minute && r.n > 1 && len(c.nums) > 1 {
				r.minutes = stepped(c.nums[0], c.nums[len(c.nums)-1], r.n)
				r.unit, r.n = calendar.Hour, 1
				continue
			}
			r.minutes = c.nums
			if r.unit == "" || r.unit == calendar.Minute {
				r.unit = calendar.Hour
			}
		case cWeekNumber:
			r.week = c.n
		case cBetween:
			between = len(r.clocks) != 2
			r.window = r.window || !between
		case cCount:
			r.count = c.n
		case cFor:
			g := gather{after: []chunk{{kind: cAfter, n: c.n, unit: c.unit}}}
			if m, ok := g.resolve(now); ok {
				r.until = m.day.Add(24*time.Hour - time.Minute)
			}
		case cUntil:
			k += r.endAt(list[k+1:], now)
		case cTo:
			// 到3月底为止; between two days, months or weekdays it is another.
			if prev.kind != cMonth && prev.kind != cDays && prev.kind != cWeekday && k > 0 && hasKind(list[k+1:min(k+2, len(list))], cMonth, cYear, cDay, cUnit, cFeast) {
				k += r.endAt(list[k+1:], now)
			}
		case cFrom:
			if c.part == "post" {
				r.offset = len(r.clocks) == 1
				continue
			}
			if k+1 < len(list) && list[k+1].kind != cMinutes && list[k+1].kind != cClock {
				k += r.startAt(list[k+1:], now)
			} else {
				r.offset = true
			}
		case cExcept:
			if k+1 < len(list) && list[k+1].kind == cHoliday {
				r.holidays = true
				continue
			}
			if days, used := exceptDays(list[k+1:]); used > 0 {
				r.notOn |= days
				k += used
				continue
			}
			rest := list[k+1:]
			for len(rest) > 0 && rest[0].kind == cAnd {
				rest = rest[1:]
			}
			if behind := len(rest) == 0 || rest[0].kind == cClock || rest[0].kind == cPart; behind && prev.kind == cWeekday && (r.set != prev.set || rank(r.unit) >= 0 && rank(r.unit) <= rank(calendar.Day)) {
				if r.set == prev.set {
					r.set = 0
				}
				r.notOn |= prev.set // 周三除外
				continue
			}
			for k+1 < len(list) && len(r.except) < 40 {
				g, used := collect(list[k+1:])
				if g.count == 0 {
					break
				}
				r.unclear = r.unclear || g.timeOnly() && len(r.except) == 0
				if next := nextDate(list[k+1 : k+1+used]); next > 0 {
					used = next
					g, _ = collect(list[k+1 : k+1+used])
				}
				if m, ok := g.resolve(now); ok && (!m.vague || g.month > 0) {
					r.except = append(r.except, m)
				}
				k += used
			}
		case cHoliday:
			// 节假日除外 has its "except" behind it.
			r.holidays = r.holidays || prev.kind == cExcept || k+1 < len(list) && list[k+1].kind == cExcept
		}
	}
	if r.edge != nil && len(r.days) > 0 && r.edge.unit == calendar.Month {
		r.days = append(r.days, map[bool]int{true: -1, false: 1}[r.edge.kind == cEnd])
		r.edge = nil
	}
	if r.notOn != 0 {
		if r.set == 0 && (r.unit == calendar.Day || r.unit == "") {
			r.set = 0b1111111
		}
		r.set &^= r.notOn
	}
	if r.unit == "" && !marked && len(r.clocks) > 0 && len(r.months) > 0 && len(r.days) == 0 {
		r.unit = calendar.Day // "At 10:15 AM, only in May"
	}
	return r
}

// exceptDays reads the weekdays behind "except".
func exceptDays(list []chunk) (set weekdays, used int) {
	for k, c := range list {
		switch {
		case c.kind == cWeekday && c.n == anyWeek:
			set, used = set|c.set, k+1
		case c.kind != cAnd:
			return set, used
		}
	}
	return set, used
}

// nextDate is where, in "today at noon and 3/9 at 5pm", the second begins.
func nextDate(list []chunk) int {
	for k, c := range list {
		if c.kind == cAnd && k > 0 && k+1 < len(list) && (list[k+1].kind == cMonth || list[k+1].kind == cYear || list[k+1].kind == cDay) && list[k-1].kind != cMonth {
			return k + 1
		}
	}
	return 0
}

func rank(unit calendar.Unit) int {
	return slices.Index([]calendar.Unit{second, calendar.Minute, calendar.Hour, calendar.Day, calendar.Week, calendar.Month, calendar.Quarter, calendar.HalfYear, calendar.Year}, unit)
}

// spanOf is Saturday through Tuesday.
func spanOf(from, to weekdays) weekdays {
	day, last := firstOf(from), firstOf(to)
	set := weekdays(0)
	for range 7 {
		set |= 1 << day
		if day == last {
			break
		}
		day = (day + 1) % 7
	}
	return set
}

// startAt reads where it starts, and behind "to" where it ends.
func (r *repeat) startAt(list []chunk, now time.Time) int {
	g, used := collect(list)
	if cut := slices.IndexFunc(list[:used], func(c chunk) bool { return c.kind == cDays }); cut > 0 && list[0].kind == cWeekday {
		g, used = collect(list[:cut])
	}
	m, ok := g.resolve(now)
	if g.count == 0 || !ok {
		return 0
	}
	r.start = m.day
	if g.clock != nil && len(r.clocks) == 0 {
		clk := *g.clock // of "starting tomorrow at 15:00"
		if g.part != "" {
			clk = clk.settle(g.part)
		}
		r.clocks = append(r.clocks, clk)
	}
	if used < len(list) && list[used].kind == cTo {
		used += 1 + r.endAt(list[used+1:], m.day)
	}
	return used
}

// endAt reads where it ends: a day is the last one, a month or a year is not
// entered any more.
func (r *repeat) endAt(list []chunk, now time.Time) int {
	g, used := collect(list)
	if cut := slices.IndexFunc(list[:used], func(c chunk) bool { return c.kind == cWeekday || c.kind == cClock }); cut > 0 && g.clock == nil {
		g, used = collect(list[:cut])
	}
	if !r.start.IsZero() && r.start.After(now) {
		now = r.start
	}
	m, ok := g.resolve(now)
	if g.count == 0 || !ok {
		return 0
	}
	switch {
	case m.vague:
		r.until = m.day.Add(-time.Minute)
	case g.clock != nil:
		r.until = m.wall(now)
	default:
		r.until = m.day.Add(24*time.Hour - time.Minute)
	}
	return used
}

// A fault is why a repeat is asked back; it has the words.
type fault struct{ en, zh string }

func (f fault) in(lang string) string {
	if lang == "zh" {
		return f.zh
	}
	return f.en
}

// spec is the schedule of a repeat, what was filled in, and what must be asked.
func (r repeat) spec(now time.Time) (spec string, defaulted bool, ask *fault) {
	if r.unit == second || r.unit == calendar.Minute && r.n < 1 {
		return "", false, &fault{"That is more often than once a minute, which I do not do. How many minutes should be between two runs?", "间隔小于一分钟，太频繁了。每隔几分钟执行一次合适？"}
	}
	if (r.unit == calendar.Minute || r.unit == calendar.Hour || len(r.minutes) > 0) && r.set|r.ordSet == 0 && len(r.days) == 0 && !r.bounded() && !r.window && len(r.clocks) == 0 && len(r.months) == 0 && r.part == "" && len(r.minutes) == 0 && !r.ordWork && r.edge == nil && r.near == 0 {
		if s, ok := plainInterval(r.unit, r.n); ok {
			return s, false, nil
		}
	}
	if r.unclear {
		return "", false, &fault{"Part of this I cannot bring into a schedule. Could you say the days in another way?", "其中一部分我没法排成日程，能换个说法告诉我是哪些天吗？"}
	}
	if r.movable {
		return "", false, &fault{"That day is another date each year. Which date do you mean?", "这一天每年的日期都不同，请问是哪一天？"}
	}
	if n := bits.OnesCount8(uint8(r.set)); r.per > 1 && r.per != n && r.per != len(r.clocks) && r.per != len(r.days) {
		return "", false, &fault{
			fmt.Sprintf("On which days, or at which times, should the %d be?", r.per),
			fmt.Sprintf("这%d次分别在哪几天、几点？", r.per),
		}
	}
	clocks, defaulted := r.times()
	minute, hour, over := r.clockFields(clocks)
	if over != nil {
		return "", false, over
	}
	if r.count == 1 && r.unit == "" {
		r.count = 0
	}
	days, weekdayField, months, rule, ask := r.dayFields(now, clocks)
	if rule == "" && r.bounded() {
		rule = r.ruleFor(days, weekdayField, months)
		if rule == "" {
			return "", false, &fault{"I cannot bring these dates into one schedule. Could you say it in two?", "这些条件合不成一个日程，能分成两句说吗？"}
		}
	}
	if strings.Contains(rule, "BYSETPOS") && len(clocks) > 1 {
		// A rule counts times, not days: its third would be the first of the second day.
		return "", false, &fault{"I cannot bring these dates into one schedule. Could you say it in two?", "这些条件合不成一个日程，能分成两句说吗？"}
	}
	if rule != "" {
		s := r.finishRule(rule, minute, hour, now, clocks)
		return s, defaulted, ask
	}
	if len(minute) == 1 {
		return fmt.Sprintf("%s %s %s %s %s", minute[0], hour[0], days, months, weekdayField), defaulted, ask
	}
	var parts []string
	for k := range minute {
		parts = append(parts, fmt.Sprintf("%s %s %s %s %s", minute[k], hour[k], days, months, weekdayField))
	}
	return strings.Join(parts, " | "), defaulted, ask
}

// bounded says whether five fields are not enough.
func (r repeat) bounded() bool {
	return !r.start.IsZero() || !r.until.IsZero() || r.count > 0 || len(r.except) > 0
}
