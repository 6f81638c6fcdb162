package phrase

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hermes/scheduler/calendar"
)

func stepped(from, to, step int) []int {
	var nums []int
	for n := from; n <= to; n += max(1, step) {
		nums = append(nums, n)
	}
	return nums
}

// plainInterval is "every 20 minutes" with nothing else said.
func plainInterval(unit calendar.Unit, n int) (string, bool) {
	anchor := func(text string) string {
		return fmt.Sprintf("@every %s from %%", text)
	}
	switch {
	case unit == calendar.Minute && n == 1:
		return "* * * * *", true
	case unit == calendar.Minute && n <= 30 && 60%n == 0:
		return fmt.Sprintf("*/%d * * * *", n), true
	case unit == calendar.Minute && n%60 != 0:
		return anchor(fmt.Sprintf("%dm", n)), true
	case unit == calendar.Minute:
		return plainInterval(calendar.Hour, n/60)
	case unit == calendar.Hour && n == 1:
		return "0 * * * *", true
	case unit == calendar.Hour && 24%n == 0 && n < 24:
		return fmt.Sprintf("0 */%d * * *", n), true
	case unit == calendar.Hour:
		return anchor(fmt.Sprintf("%dh", n)), true
	}
	return "", false
}

// times are the times of day meant, with the default where none was said.
func (r repeat) times() (clocks []clock, defaulted bool) {
	if r.second != "" && r.unit != calendar.Minute && r.unit != calendar.Hour {
		switch {
		case len(r.clocks) == 0:
			return []clock{{hour: dayparts[r.part].hour, sure: true}, {hour: dayparts[r.second].hour, sure: true}}, true
		case len(r.clocks) == 1 && !r.clocks[0].sure:
			return []clock{r.clocks[0].settle(r.part), r.clocks[0].settle(r.second)}, false
		}
	}
	for _, c := range r.clocks {
		c.sure = c.sure || r.part == "" && !r.window // 每天2:30 is an hour of 24; from 9 to 5 is a day's work
		c = c.settle(r.part)
		if c.hour >= 24 {
			c.hour -= 24
		}
		clocks = append(clocks, c)
	}
	if len(clocks) == 0 && r.unit != calendar.Minute && r.unit != calendar.Hour {
		if r.part != "" {
			return []clock{{hour: dayparts[r.part].hour, sure: true}}, true
		}
		return []clock{{hour: defaultHour, sure: true}}, true
	}
	return clocks, false
}

// noDay says whether a repeat goes by weeks or longer and its day is for us to
// fill in.
func (r repeat) noDay() bool {
	if r.edge != nil || r.near != 0 || r.week > 0 || r.ordWork || len(r.ordinals) > 0 || len(r.days) > 0 || r.set != 0 || !r.start.IsZero() {
		return false
	}
	switch r.unit {
	case calendar.Week, calendar.Month, calendar.Quarter, calendar.Year:
		return true
	}
	return false
}

// clockFields are pairs of a minute and an hour field.
func (r repeat) clockFields(clocks []clock) (minute, hour []string, over *fault) {
	within := r.unit == calendar.Minute || r.unit == calendar.Hour
	if within {
		m, h := "0", "*"
		if r.unit == calendar.Minute {
			m = "*"
			if r.n > 1 {
				m = "*/" + strconv.Itoa(min(r.n, 59))
			}
		}
		if len(r.minutes) > 0 {
			m = numbers(r.minutes)
		}
		switch {
		case r.window && len(clocks) >= 2:
			from, to := clocks[0], clocks[1]
			h = fmt.Sprintf("%d-%d", from.hour, max(from.hour, to.hour))
			if from.hour == to.hour {
				h = strconv.Itoa(from.hour)
				if r.unit == calendar.Minute && (from.minute > 0 || to.minute < 59) && len(r.minutes) == 0 {
					m = fmt.Sprintf("%d-%d", from.minute, max(from.minute, to.minute))
					if r.n > 1 {
						m += "/" + strconv.Itoa(r.n)
					}
				}
			} else if to.minute == 0 && r.unit == calendar.Hour && len(r.minutes) == 0 {
				h = fmt.Sprintf("%d-%d", from.hour, max(from.hour, to.hour))
			} else if to.minute == 0 && to.hour > from.hour+1 {
				h = fmt.Sprintf("%d-%d", from.hour, to.hour-1)
			}
			if r.unit == calendar.Hour && r.n > 1 {
				h += "/" + strconv.Itoa(r.n)
			}
		case len(clocks) == 1 && r.offset:
			h = fmt.Sprintf("%d-23", clocks[0].hour)
			if r.unit == calendar.Hour {
				h += "/" + strconv.Itoa(r.n)
			}
		case len(clocks) > 0:
			var hours []int
			for _, c := range clocks {
				hours = append(hours, c.hour)
			}
			h = numbers(hours)
			if r.unit == calendar.Hour && len(r.minutes) == 0 {
				m = strconv.Itoa(clocks[0].minute)
			}
		case r.unit == calendar.Hour && r.n > 1:
			h = "*/" + strconv.Itoa(min(r.n, 23))
		}
		return []string{m}, []string{h}, nil
	}
	if r.window && len(clocks) == 2 {
		clocks = clocks[:1]
	}
	if len(r.minutes) > 0 {
		var hours []int
		for _, c := range clocks {
			hours = append(hours, c.hour)
		}
		return []string{numbers(r.minutes)}, []string{numbers(hours)}, nil
	}
	byMinute := map[int][]int{}
	var order []int
	for _, c := range clocks {
		if c.second != 0 {
			return nil, nil, &fault{"I run on whole minutes. Which minute do you mean?", "我只能精确到分钟，请问是几点几分？"}
		}
		if _, ok := byMinute[c.minute]; !ok {
			order = append(order, c.minute)
		}
		byMinute[c.minute] = append(byMinute[c.minute], c.hour)
	}
	for _, m := range order {
		minute, hour = append(minute, strconv.Itoa(m)), append(hour, numbers(byMinute[m]))
	}
	return minute, hour, nil
}

func numbers(nums []int) string {
	nums = slices.Clone(nums)
	slices.Sort(nums)
	nums = slices.Compact(nums)
	if len(nums) > 2 && nums[len(nums)-1]-nums[0] == len(nums)-1 {
		return fmt.Sprintf("%d-%d", nums[0], nums[len(nums)-1])
	}
	var text []string
	for _, n := range nums {
		text = append(text, strconv.Itoa(n))
	}
	return strings.Join(text, ",")
}
