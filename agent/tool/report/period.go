package report

import (
	"fmt"
	"time"

	"hermes/agent/tool"
)

// A span is what part of the calendar a period is.
type span int

const (
	noSpan span = iota
	aDay
	aMonth
	aQuarter
	aYear
	someMonths
	someDays
)

// local puts the period into its zone. A machine without zone data reads it in
// the zone it came with.
func local(p tool.Period, zone string) tool.Period {
	if loc, err := time.LoadLocation(zone); zone != "" && err == nil {
		return tool.Period{From: p.From.In(loc), To: p.To.In(loc)}
	}
	return p
}

func spanOf(p tool.Period) span {
	if p.From.IsZero() || !p.From.Before(p.To) {
		return noSpan
	}
	y, m, d := p.From.Date()
	at := func(y int, m time.Month, d int) bool {
		return p.To.Equal(time.Date(y, m, d, 0, 0, 0, 0, p.From.Location()))
	}
	switch midnight := p.From.Equal(time.Date(y, m, d, 0, 0, 0, 0, p.From.Location())); {
	case !midnight:
		return someDays
	case d == 1 && m == 1 && at(y+1, 1, 1):
		return aYear
	case d == 1 && m%3 == 1 && at(y, m+3, 1):
		return aQuarter
	case d == 1 && at(y, m+1, 1):
		return aMonth
	case d == 1 && p.To.Day() == 1 && at(p.To.Year(), p.To.Month(), 1):
		return someMonths
	case at(y, m, d+1):
		return aDay
	}
	return someDays
}

// lastDay is the last day that belongs to the period.
func lastDay(p tool.Period) time.Time { return p.To.Add(-time.Nanosecond) }

// periodName is the period as a person says it: "October 2026", 2026年10月.
func periodName(p tool.Period, zone, lang string) string {
	p = local(p, zone)
	from, last := p.From, lastDay(p)
	switch s := spanOf(p); {
	case s == noSpan:
		return ""
	case s == aDay && lang == zh:
		return from.Format("2006年1月2日")
	case s == aDay:
		return from.Format("2 January 2006")
	case s == aMonth && lang == zh:
		return from.Format("2006年1月")
	case s == aMonth:
		return from.Format("January 2006")
	case s == aQuarter && lang == zh:
		return fmt.Sprintf("%d年第%s季度", from.Year(), [...]string{"一", "二", "三", "四"}[from.Month()/3])
	case s == aQuarter:
		return fmt.Sprintf("Q%d %d", from.Month()/3+1, from.Year())
	case s == aYear && lang == zh:
		return from.Format("2006年")
	case s == aYear:
		return from.Format("2006")
	case s == someMonths && lang == zh && from.Year() == last.Year():
		return from.Format("2006年1月") + "至" + last.Format("1月")
	case s == someMonths && lang == zh:
		return from.Format("2006年1月") + "至" + last.Format("2006年1月")
	case s == someMonths && from.Year() == last.Year():
		return from.Format("January") + " to " + last.Format("January 2006")
	case s == someMonths:
		return from.Format("January 2006") + " to " + last.Format("January 2006")
	case lang == zh:
		return from.Format("2006年1月2日") + "至" + last.Format("2006年1月2日")
	}
	return from.Format("2 January 2006") + " to " + last.Format("2 January 2006")
}

// periodSlug is the period in a file name: "2026-10", "2026-q3".
func periodSlug(p tool.Period, zone string) string {
	p = local(p, zone)
	switch spanOf(p) {
	case noSpan:
		return ""
	case aDay:
		return p.From.Format("2006-01-02")
	case aMonth:
		return p.From.Format("2006-01")
	case aQuarter:
		return fmt.Sprintf("%d-q%d", p.From.Year(), p.From.Month()/3+1)
	case aYear:
		return p.From.Format("2006")
	}
	if spanOf(p) == someMonths {
		return p.From.Format("2006-01") + "_" + lastDay(p).Format("2006-01")
	}
	return p.From.Format("2006-01-02") + "_" + lastDay(p).Format("2006-01-02")
}

// daySpellings are the ways to write a day of the form 2026-10-31.
func daySpellings(day string) []string {
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return nil
	}
	return []string{
		d.Format("January 2"), d.Format("Jan 2"), d.Format("2 January"), d.Format("2 Jan"),
		d.Format("1月2日"), d.Format("1月2号"),
	}
}
