package phrase

import (
	"slices"

	"hermes/scheduler/calendar"
)

// readOrdinal reads "first", "2nd and last", "the last working day", "第一个",
// as something that counts what follows, or else as a day of the month.
func (p *parser) readOrdinal(i int) ([]chunk, int) {
	start := i
	i = p.skip(i, "the", "on", "for", "在")
	var nums []int
	written := false
	for len(nums) < 10 {
		k := 0
		switch {
		case p.at(i).kind == number && p.at(i).ordinal && i < len(p.toks):
			nums, k = append(nums, p.at(i).num), 1
			written = written || p.at(i).digits > 0 || p.at(i).zh
		case p.is(i, "second") && !p.at(i).zh && (p.at(i-1).kind == mark || p.is(i-1, "the", "every", "and", "on")):
			nums, k = append(nums, 2), 1
		case p.is(i, "firstone"):
			nums, k = append(nums, 1), 1
		case p.is(i, "last") && (len(nums) > 0 || p.ordinalTarget(i+1) != 0 || p.is(i+1, "instance")):
			nums, k = append(nums, -1), 1
		case p.is(i, "final"):
			nums, k = append(nums, -1), 1
			if p.at(i+1).kind == number && p.at(i+1).num == 1 {
				k = 2
			}
		}
		if k == 0 {
			break
		}
		i += k
		if p.is(i, "and", ",", "&") && (p.at(i+1).ordinal || p.is(i+1, "last")) {
			i++
		} else if p.is(i, ",") && p.is(i+1, "and") && p.at(i+2).ordinal {
			i += 2
		} else if p.is(i, "and") && p.is(i+1, "the") && (p.at(i+2).ordinal || p.is(i+2, "last")) {
			i += 2
		} else {
			break
		}
	}
	if len(nums) == 0 {
		return nil, 0
	}
	bare := i
	part := ""
	if p.is(i, "instance") {
		part = "instance"
	}
	i = p.skip(i, "instance", "of", "个", "的")
	switch p.ordinalTarget(i) {
	case 'w': // a weekday follows
		return []chunk{{kind: cOrdinal, nums: nums, part: part}}, i - start
	case 'b': // a working day
		_, n := p.unitAt(i)
		return []chunk{{kind: cOrdinal, nums: nums}, {kind: cWorkday}}, i + n - start
	case 'd': // a day of what comes
		return []chunk{{kind: cDays, nums: nums}}, i + 1 - start
	}
	if slices.Contains(nums, -1) && len(nums) == 1 {
		return nil, 0
	}
	// Only a day that is written with a number, or introduced and not a word's
	// companion, is one: "first of all" and "the second one" are not.
	if !written {
		next := p.at(bare)
		written = p.is(start-1, "every") || p.ofMonth(bare) || p.is(start, "the", "on", "for") && (bare >= len(p.toks) || next.kind == mark || p.is(bare, "at", "of", "and"))
	}
	if _, n := p.unitAt(bare); n > 0 {
		return nil, 0
	}
	return []chunk{{kind: cDays, nums: nums, weak: !written}}, bare - start
}

func (p *parser) ordinalTarget(i int) byte {
	unit, _ := p.unitAt(i)
	switch {
	case i >= len(p.toks):
		return 0
	case p.at(i).kind == weekday:
		return 'w'
	case unit == workday:
		return 'b'
	case unit == calendar.Day:
		return 'd'
	}
	return 0
}

// fromEnd reads 倒数第二天 and 倒数第二个工作日.
func (p *parser) fromEnd(i int) ([]chunk, int) {
	n := p.at(i + 1)
	if !p.is(i, "倒数") || n.kind != number || !n.ordinal || n.num < 1 || n.num > 20 {
		return nil, 0
	}
	unit, k := p.unitAt(i + 2)
	switch {
	case unit == workday:
		return []chunk{{kind: cOrdinal, nums: []int{-n.num}}, {kind: cWorkday}}, 2 + k
	case unit == calendar.Day && n.num == 1:
		return []chunk{{kind: cDays, nums: []int{-1}}}, 2 + k
	case unit == calendar.Day:
		return []chunk{{kind: cNear, n: 1 - n.num}}, 2 + k
	}
	return nil, 0
}

// readDayNumber reads "day 15", "on the day 31", "for the 27", "on 15", the
// working day nearest to one.
func (p *parser) readDayNumber(i int) ([]chunk, int) {
	start := i
	if list, n := p.fromEnd(i); n > 0 {
		return list, n
	}
	if p.is(i, "nearest") || p.is(i, "workday") && p.is(i+1, "nearest") {
		j := i + 1
		if p.is(i, "workday") {
			j++
		}
		j = p.skip(j, "to", "the", "day")
		d, ok := p.num(j)
		if !ok || d < 1 || d > 31 {
			return nil, 0
		}
		j = p.skip(j+1, "号", "day", "的")
		j = p.skip(j, "workday")
		return []chunk{{kind: cNear, n: d}}, j - start
	}
	if n, ok := p.num(i); ok && n > 0 && n < 31 && p.is(i+1, "day") && p.is(i+2, "before") {
		// 5 days before the last day of the month
		j := p.skip(i+3, "the")
		if k := p.skip(j+1, "-"); p.is(j, "month") && p.is(k, "end") {
			return []chunk{{kind: cNear, n: -n}}, k + 1 - start
		}
		if p.is(j, "last", "end", "final") && (p.ofMonth(j+1) || p.is(j+1, "day") && p.ofMonth(j+2)) {
			return []chunk{{kind: cNear, n: -n}}, p.skip(j+1, "day") - start
		}
	}
	if j := p.skip(i, "on", "the"); p.is(j, "day") && !p.at(j).zh && p.is(j+1, "before") {
		// the day before the last day of the month
		k := p.skip(j+2, "the")
		if p.is(k, "last", "end", "final") && (p.ofMonth(k+1) || p.is(k+1, "day") && p.ofMonth(k+2)) {
			return []chunk{{kind: cNear, n: -1}}, p.skip(k+1, "day") - start
		}
	}
	i = p.skip(i, "on", "for")
	led := i > start
	i = p.skip(i, "the")
	if p.is(i, "day") && !p.at(i).zh {
		if nums, j := p.numberList(i + 1); len(nums) > 0 && nums[len(nums)-1] <= 31 && nums[0] > 0 {
			return []chunk{{kind: cDays, nums: nums}}, j - start
		}
		return nil, 0
	}
	t := p.at(i)
	if !led || t.kind != number || t.ordinal || t.num < 1 || t.num > 31 || i >= len(p.toks) || t.digits == 0 && t.num < 13 {
		return nil, 0
	}
	if next := p.at(i + 1); i+1 < len(p.toks) && next.kind != mark && !p.is(i+1, "at") || next.glued && next.kind == mark && p.at(i+2).glued && i+2 < len(p.toks) || next.text == "-" || next.text == ":" {
		return nil, 0
	}
	return []chunk{{kind: cDays, nums: []int{t.num}}}, i + 1 - start
}
