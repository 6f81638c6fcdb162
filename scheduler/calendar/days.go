package calendar

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A dayRule is a day of a month that a set of numbers cannot say.
type dayRule struct {
	kind    dayKind
	day     int // day of the month, days before its end, or weekday
	ordinal int // of a weekday in its month
}

type dayKind int

const (
	lastDay     dayKind = iota // L, L-2
	lastWorkday                // LW
	nearWorkday                // 15W
	nthWeekday                 // MON#1
	lastWeekday                // FRIL, FRI#L
)

func (r dayRule) ofWeekday() bool { return r.kind == nthWeekday || r.kind == lastWeekday }

// parseDayRule reads the items that the library does not know. It is false for
// every other item.
func parseDayRule(field int, item string) (dayRule, bool, error) {
	switch field {
	case 3:
		return parseMonthDay(item)
	case 5:
		return parseMonthWeekday(item)
	}
	return dayRule{}, false, nil
}

func parseMonthDay(item string) (dayRule, bool, error) {
	switch {
	case item == "L":
		return dayRule{kind: lastDay}, true, nil
	case item == "LW" || item == "WL":
		return dayRule{kind: lastWorkday}, true, nil
	case strings.HasPrefix(item, "L-"):
		before, err := strconv.Atoi(item[2:])
		if err != nil || before < 0 || before > 30 {
			return dayRule{}, false, fmt.Errorf("%q must be L- and a number up to 30", item)
		}
		return dayRule{kind: lastDay, day: before}, true, nil
	case strings.HasSuffix(item, "W"):
		day, err := strconv.Atoi(strings.TrimSuffix(item, "W"))
		if err != nil || day < 1 || day > 31 {
			return dayRule{}, false, fmt.Errorf("%q must be a day from 1 to 31 and W", item)
		}
		return dayRule{kind: nearWorkday, day: day}, true, nil
	}
	return dayRule{}, false, nil
}

func parseMonthWeekday(item string) (dayRule, bool, error) {
	if name, ordinal, ok := strings.Cut(item, "#"); ok {
		day, known := weekdayNumber(name)
		if !known {
			return dayRule{}, false, fmt.Errorf("%q is no weekday; use MON to SUN or 0 to 7", name)
		}
		if ordinal == "L" {
			return dayRule{kind: lastWeekday, day: day % 7}, true, nil
		}
		n, err := strconv.Atoi(ordinal)
		if err != nil || n < 1 || n > 5 {
			return dayRule{}, false, fmt.Errorf("%q must count from 1 to 5", item)
		}
		return dayRule{kind: nthWeekday, day: day % 7, ordinal: n}, true, nil
	}
	if item == "L" {
		return dayRule{}, false, errors.New("the L needs a weekday before it, such as FRI#L for the last Friday")
	}
	if name, ok := strings.CutSuffix(item, "L"); ok {
		if day, known := weekdayNumber(name); known {
			return dayRule{kind: lastWeekday, day: day % 7}, true, nil
		}
	}
	return dayRule{}, false, nil
}

func (r dayRule) matches(day time.Time) bool {
	end := daysIn(day.Year(), day.Month())
	switch r.kind {
	case lastDay:
		return day.Day() == end-r.day
	case lastWorkday:
		return day.Day() == workdayNear(day.Year(), day.Month(), end)
	case nearWorkday:
		return r.day <= end && day.Day() == workdayNear(day.Year(), day.Month(), r.day)
	case nthWeekday:
		return int(day.Weekday()) == r.day && (day.Day()-1)/7+1 == r.ordinal
	default:
		return int(day.Weekday()) == r.day && day.Day() > end-7
	}
}

func daysIn(year int, month time.Month) int {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// workdayNear is the day from Monday to Friday nearest to the given one within
// its month.
func workdayNear(year int, month time.Month, day int) int {
	switch time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Weekday() {
	case time.Saturday:
		if day == 1 {
			return 3
		}
		return day - 1
	case time.Sunday:
		if day == daysIn(year, month) {
			return day - 2
		}
		return day + 1
	default:
		return day
	}
}
