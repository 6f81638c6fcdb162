package phrase

import "hermes/scheduler/calendar"

// readMinutes reads minutes past the hour: "at 2 and 4 through 5 minutes past
// the hour", 在每小时的 5 分.
func (p *parser) readMinutes(i int) ([]chunk, int) {
	start := i
	i = p.skip(i, "at", "on")
	if p.is(i, "every") && p.is(i+1, "hour") {
		j := p.skip(i+2, "的", "at")
		if nums, k := p.numberList(j); len(nums) > 0 && p.is(k, "minute") {
			return []chunk{{kind: cEvery, n: 1, unit: calendar.Hour, weak: true}, {kind: cMinutes, nums: nums}}, k + 1 - start
		}
		return nil, 0
	}
	named := p.is(i, "minute")
	if named {
		i++
	}
	nums, j := p.numberList(i)
	if len(nums) == 0 {
		return nil, 0
	}
	if !named {
		if !p.is(j, "minute") {
			return nil, 0
		}
		j++
	}
	if !p.is(j, "past", "after") {
		return nil, 0
	}
	j++
	j = p.skip(j, "the", "every")
	if !p.is(j, "hour") {
		return nil, 0
	}
	return []chunk{{kind: cMinutes, nums: nums}}, j + 1 - start
}

// numberList reads "2 and 26 through 28" as all the numbers meant.
func (p *parser) numberList(i int) ([]int, int) {
	var nums []int
	for len(nums) < 60 {
		n, ok := p.num(i)
		if !ok || n > 59 || p.at(i).ordinal {
			return nil, i
		}
		i++
		if last, ok := p.num(i + 1); ok && p.is(i, "to", "-") && last > n && last <= 59 {
			for ; n < last; n++ {
				nums = append(nums, n)
			}
			i += 2
		}
		nums = append(nums, n)
		j := p.skip(i, ",", "and")
		if j == i || p.at(j).kind != number {
			break
		}
		i = j
	}
	return nums, i
}
