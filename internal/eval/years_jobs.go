package eval

import (
	"fmt"
	"time"

	"hermes/scheduler"
)

// A wish is a report that somebody wants again and again, as they say it and as an oracle
// understands it that knows nothing of the scheduler: by the days on which it comes and the
// time of day, or by a length of time.
type wish struct {
	id      string // stands in what is asked for, so that its runs are known
	owner   string
	channel string
	zone    string
	lang    string
	when    string // in words, or as an expression
	on      func(day time.Time) bool
	hour    int
	minute  int
	every   time.Duration // if not 0, it comes so often, counted from 1970
	fort    bool          // every other one of its days, from the first after it was made
	policy  scheduler.Policy
	period  string // what the model asks the figures for
	about   func(day time.Time) (from, to time.Time)
}

// zones are where the people of the two years are. Most change their clocks, some at
// midnight, one by half an hour.
var zones = []string{
	"Europe/Berlin", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe", "America/Santiago", "Africa/Cairo",
	"Asia/Kolkata", "America/Havana", "Europe/London", "Pacific/Auckland", "America/Sao_Paulo", "UTC",
}

// hours are times of day of which some fall into the hour that a zone leaves out or has
// twice.
var hours = [][2]int{{9, 0}, {8, 30}, {2, 30}, {0, 15}, {17, 45}, {1, 30}, {7, 0}, {2, 0}, {12, 20}, {0, 0}, {23, 50}, {3, 0}}

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func monthBefore(d time.Time) (from, to time.Time) {
	to = day(d.Year(), d.Month(), 1)
	return day(d.Year(), d.Month()-1, 1), to
}

// monthOf is the month that ends with a day.
func monthOf(d time.Time) (from, to time.Time) {
	return day(d.Year(), d.Month(), 1), day(d.Year(), d.Month()+1, 1)
}

func quarterBefore(d time.Time) (from, to time.Time) {
	first := (d.Month()-1)/3*3 + 1
	return day(d.Year(), first-3, 1), day(d.Year(), first, 1)
}

func weekBefore(d time.Time) (from, to time.Time) {
	for to = d; to.Weekday() != time.Monday; to = to.AddDate(0, 0, -1) {
	}
	return to.AddDate(0, 0, -7), to
}

func dayBefore(d time.Time) (from, to time.Time) { return d.AddDate(0, 0, -1), d }

func workday(d time.Time) bool {
	return d.Weekday() != time.Saturday && d.Weekday() != time.Sunday
}

// lastWorkday reports whether no working day of the month comes after a day.
func lastWorkday(d time.Time) bool {
	for e := d.AddDate(0, 0, 1); e.Month() == d.Month(); e = e.AddDate(0, 0, 1) {
		if workday(e) {
			return false
		}
	}
	return workday(d)
}

var weekdays = []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
var weekdaysZh = []string{"日", "一", "二", "三", "四", "五", "六"}

// sorts are the ways in which the reports of the two years come, with how many of
// two hundred there are of each: few come often, since each slot costs as much as another.
var sorts = []struct {
	of   int
	make func(n int, w *wish)
}{
	{74, func(n int, w *wish) {
		d := []int{1, 1, 2, 5, 10, 15, 28, 1, 3}[n%9]
		w.when = fmt.Sprintf("every month on the %s at %d:%02d", ordinal(d), w.hour, w.minute)
		if n%5 == 1 {
			w.lang, w.when = "zh", fmt.Sprintf("每月%d号%d点%d分", d, w.hour, w.minute)
		}
		w.on, w.about, w.period = func(t time.Time) bool { return t.Day() == d }, monthBefore, "last_month"
	}},
	{12, func(_ int, w *wish) {
		w.when = fmt.Sprintf("on the last working day of every month at %d:%02d", w.hour, w.minute)
		w.on, w.about, w.period = lastWorkday, monthOf, "last_month"
	}},
	{10, func(_ int, w *wish) {
		w.when = fmt.Sprintf("every first Monday of the month at %d:%02d", w.hour, w.minute)
		w.on, w.about, w.period = func(t time.Time) bool { return t.Weekday() == time.Monday && t.Day() <= 7 }, monthBefore, "last_month"
	}},
	{8, func(_ int, w *wish) { // where a month is too short, its last day
		w.when = fmt.Sprintf("%d %d L * *", w.minute, w.hour)
		w.on, w.about, w.period = func(t time.Time) bool { return t.AddDate(0, 0, 1).Day() == 1 }, monthOf, "last_month"
	}},
	{6, func(n int, w *wish) {
		d := []int{5, 1, 0, 0, 3, 5, 2, 6}[n%8] // Sunday is when the clocks are changed
		w.when = fmt.Sprintf("every %s at %d:%02d", weekdays[d], w.hour, w.minute)
		if n%6 == 2 {
			w.lang, w.when = "zh", fmt.Sprintf("每周%s%d点%d分", weekdaysZh[d], w.hour, w.minute)
		}
		w.on, w.about, w.period = func(t time.Time) bool { return int(t.Weekday()) == d }, weekBefore, "last_week"
	}},
	{8, func(n int, w *wish) {
		d := []int{3, 0, 5}[n%3]
		w.when = fmt.Sprintf("every other %s at %d:%02d", weekdays[d], w.hour, w.minute)
		w.on, w.fort, w.period = func(t time.Time) bool { return int(t.Weekday()) == d }, true, "last_14_days"
	}},
	{75, func(_ int, w *wish) {
		w.when = fmt.Sprintf("quarterly on the first day at %d:%02d", w.hour, w.minute)
		w.on, w.about, w.period = func(t time.Time) bool { return t.Day() == 1 && (t.Month()-1)%3 == 0 }, quarterBefore, "last_quarter"
	}},
	{1, func(_ int, w *wish) {
		w.when = fmt.Sprintf("every weekday at %d:%02d", w.hour, w.minute)
		w.on, w.about, w.period = workday, dayBefore, "yesterday"
	}},
	{6, func(n int, w *wish) {
		w.every = []time.Duration{252 * time.Hour, 100 * time.Hour, 1000 * time.Hour}[n%3]
		w.when, w.period = "@every "+w.every.String(), "last_7_days"
	}},
}

// policies are what people want of slots whose time is no good one; most want nothing.
var policies = []scheduler.Policy{
	{}, {}, {Stagger: 20 * time.Minute}, {}, {Quiet: scheduler.Quiet{From: "22:00", To: "06:30"}}, {}, {CatchUp: scheduler.Never},
	{}, {CatchUp: scheduler.Within, Window: 6 * time.Hour}, {}, {Overlap: scheduler.Wait}, {}, {Stagger: 5 * time.Minute, Overlap: scheduler.Wait},
}

func ordinal(n int) string {
	switch {
	case n%10 == 1 && n != 11:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2 && n != 12:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3 && n != 13:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

// wishes are n of them, mixed as sorts say.
func wishes(n int) []wish {
	var all []wish
	of := 0
	for _, s := range sorts {
		of += s.of
		for i := 0; len(all) < (of*n+YearsJobs/2)/YearsJobs; i++ {
			k := len(all)
			w := wish{
				id: fmt.Sprintf("K%03d", k), owner: person(fmt.Sprintf("u%02d", k%17)), channel: fmt.Sprintf("c%02d", k%23), lang: "en",
				zone: zones[k*5%len(zones)], hour: hours[(k*7+k/len(zones))%len(hours)][0], minute: hours[(k*7+k/len(zones))%len(hours)][1],
			}
			s.make(i, &w)
			w.policy = policies[k%len(policies)]
			all = append(all, w)
		}
	}
	return all
}

// request is what is asked for, again and again.
func (w wish) request() string {
	if w.lang == "zh" {
		return fmt.Sprintf("按地区汇总销售额，做成报告 %s，发到 #%s", w.id, w.channel)
	}
	return fmt.Sprintf("Make report %s of the sales by region and post it to #%s", w.id, w.channel)
}
