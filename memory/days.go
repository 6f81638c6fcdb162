package memory

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// days are the time that a question names, in Unix seconds. They end a week later than
// what is named: people tell afterwards.
type days struct{ from, to int64 }

var (
	monthNames = `jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`
	dayMonth   = regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? (` + monthNames + `)\b,?(?: (\d{4}))?`)
	monthDay   = regexp.MustCompile(`(?i)\b(` + monthNames + `)\b\.?(?: (\d{1,2})(?:st|nd|rd|th)?\b)?,?(?: (\d{4})\b)?`)
	isoDay     = regexp.MustCompile(`\b(\d{4})-(\d{2})(?:-(\d{2}))?\b`)
	hanDay     = regexp.MustCompile(`(?:(\d{4})年)?(\d{1,2})月(?:(\d{1,2})[日号])?`)
)

// daysIn finds the dates of a text. A month without a year is the last one before now.
func daysIn(text string, now time.Time) []days {
	var all []days
	add := func(year, month, day string) {
		if d, ok := daysOf(year, month, day, now); ok {
			all = append(all, d)
		}
	}
	for _, m := range isoDay.FindAllStringSubmatch(text, 4) {
		add(m[1], m[2], m[3])
	}
	for _, m := range hanDay.FindAllStringSubmatch(text, 4) {
		add(m[1], m[2], m[3])
	}
	for _, m := range dayMonth.FindAllStringSubmatch(text, 4) {
		add(m[3], m[2], m[1])
	}
	if len(all) > 0 {
		return all
	}
	for _, m := range monthDay.FindAllStringSubmatch(text, 4) {
		if strings.EqualFold(m[1], "may") && m[1] == "may" || strings.EqualFold(m[1], "mar") {
			continue // "may I"
		}
		add(m[3], m[1], m[2])
	}
	return all
}

func daysOf(year, month, day string, now time.Time) (days, bool) {
	m, err := strconv.Atoi(month)
	if err != nil {
		const names = "janfebmaraprmayjunjulaugsepoctnovdec"
		m = strings.Index(names, strings.ToLower(month)[:3])/3 + 1
	}
	y, _ := strconv.Atoi(year)
	d, _ := strconv.Atoi(day)
	if m < 1 || m > 12 || d > 31 {
		return days{}, false
	}
	if y == 0 {
		if now.IsZero() {
			return days{}, false
		}
		y = now.Year()
		if time.Date(y, time.Month(m), max(1, d), 0, 0, 0, 0, time.UTC).After(now) {
			y--
		}
	}
	from := time.Date(y, time.Month(m), max(1, d), 0, 0, 0, 0, time.UTC)
	to := from.AddDate(0, 0, 1)
	if d == 0 {
		to = from.AddDate(0, 1, 0)
	}
	return days{from.Unix(), to.AddDate(0, 0, 7).Unix()}, true
}
