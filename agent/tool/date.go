package tool

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	yearFirst = regexp.MustCompile(`^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?$`)
	yearLast  = regexp.MustCompile(`^(\d{1,2})([-/.])(\d{1,2})([-/.])(\d{4})$`)
	wide      = strings.NewReplacer("０", "0", "１", "1", "２", "2", "３", "3", "４", "4", "５", "5", "６", "6", "７", "7", "８", "8", "９", "9", "／", "/", "－", "-")
	dayWays   = []string{"2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006", "January 2 2006", "Jan 2 2006", "20060102"}
)

// Days are the days that a text may mean, as YYYY-MM-DD: one where it can be read in
// one way only, two where nobody can say which number is the month (02/03/2024, the
// day first before the month first), and none where it is no day with all digits of
// its year. 01/02/24 is three different days, and none here.
func Days(text string) []string {
	text = strings.TrimSpace(wide.Replace(text))
	if m := yearFirst.FindStringSubmatch(text); m != nil {
		return daysOf(m[1] + "-" + m[2] + "-" + m[3])
	}
	if m := yearLast.FindStringSubmatch(text); m != nil && m[2] == m[4] {
		return daysOf(m[5]+"-"+m[3]+"-"+m[1], m[5]+"-"+m[1]+"-"+m[3])
	}
	for _, way := range dayWays {
		if day, err := time.Parse(way, text); err == nil {
			return []string{day.Format(time.DateOnly)}
		}
	}
	return nil
}

// daysOf are those of some days that the calendar has, each once.
func daysOf(texts ...string) (days []string) {
	for _, text := range texts {
		if day, err := time.Parse("2006-1-2", text); err == nil {
			days = append(days, day.Format(time.DateOnly))
		}
	}
	return slices.Compact(days)
}
