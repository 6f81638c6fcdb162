package querydb

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/tool"
	"hermes/scheduler/calendar"
)

// days are a period as the calendar on the wall has it, without a zone: the
// first day, and the one after the last, as midnights in UTC.
type days struct{ from, to time.Time }

func wallDay(t time.Time, loc *time.Location) time.Time {
	y, m, d := t.In(loc).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

func (d days) last() string  { return d.to.AddDate(0, 0, -1).Format(time.DateOnly) }
func (d days) first() string { return d.from.Format(time.DateOnly) }
func (d days) count() int    { return int(d.to.Sub(d.from).Hours()) / 24 }

// An asked period is what was said and which days that is.
type asked struct {
	words string         // canonical; the same for every slot of a job
	span  calendar.Range // what Shift and Label go by
	now   time.Time      // what the words count from
	loc   *time.Location
	today time.Time // the asker's, as a wall day
	days  days
}

// wholeUnits are the units that a slot's period may be one of.
var wholeUnits = []calendar.Unit{calendar.Day, calendar.Week, calendar.Month, calendar.Quarter, calendar.HalfYear, calendar.Year}

// askedPeriod reads the period of a call. Without words it is that of the slot,
// and outside a slot last month. "The last month" of a slot whose period is a
// month is that period, whenever the slot is worked on; all other words count
// from the time of the call, which for a slot is its nominal one.
func askedPeriod(words string, c tool.Call) (asked, error) {
	loc := c.Now.Location()
	if c.Zone != "" {
		zone, err := time.LoadLocation(c.Zone)
		if err != nil {
			return asked{}, fmt.Errorf("zone of call %s: %w", c.ID, err)
		}
		loc = zone
	}
	a := asked{now: c.Now, loc: loc, today: wallDay(c.Now, loc)}
	unit, inSlot := slotUnit(c.Period, loc)
	switch {
	case words == "" && inSlot:
		a.span, a.now = calendar.Ago(unit, 1), c.Period.To
	case words == "" && !c.Period.From.IsZero():
		// Two weeks, or six hours: no words say it, so the days do, and they are
		// no part of what is alike in every slot.
		slot := days{wallDay(c.Period.From, loc), wallDay(c.Period.To.Add(-1), loc).AddDate(0, 0, 1)}
		r, err := calendar.ParseRange(slot.first() + ".." + slot.last())
		if err != nil {
			return asked{}, fmt.Errorf("period of call %s: %w", c.ID, err)
		}
		a.span, a.words = r, "slot"
	case words == "":
		a.span = calendar.Ago(calendar.Month, 1)
	default:
		days, err := inDays(words)
		if err != nil {
			return asked{}, err
		}
		r, err := calendar.ParseRange(days)
		if err != nil {
			return asked{}, fault(err.Error())
		}
		a.span = r
	}
	if inSlot && a.span == calendar.Ago(unit, 1) {
		a.now = c.Period.To
	}
	if a.words == "" {
		a.words = a.span.String()
	}
	a.days = a.wall(a.span)
	return a, nil
}

// inDays writes a day, or two with one of the usual signs between them, as the
// calendar reads them; other words stay. A day that may be another is a fault.
func inDays(words string) (string, error) {
	parts := []string{words}
	for _, sign := range []string{"..", " to ", " - ", "至", "/"} {
		from, to, two := strings.Cut(words, sign)
		if two && len(tool.Days(from)) > 0 && len(tool.Days(to)) > 0 {
			parts = []string{from, to}
			break
		}
	}
	for i, part := range parts {
		switch days := tool.Days(part); len(days) {
		case 0:
			return words, nil
		case 1:
			parts[i] = days[0]
		default:
			return "", fault(fmt.Sprintf("%q may be %s; ask the person which one is meant", part, strings.Join(days, " or ")))
		}
	}
	return strings.Join(parts, ".."), nil
}

// slotUnit says which unit a period is exactly one of.
func slotUnit(p tool.Period, loc *time.Location) (calendar.Unit, bool) {
	if p.From.IsZero() || p.To.IsZero() {
		return "", false
	}
	i := slices.IndexFunc(wholeUnits, func(u calendar.Unit) bool {
		whole := calendar.Ago(u, 1).Resolve(p.To, loc)
		return whole.From.Equal(p.From) && whole.To.Equal(p.To)
	})
	if i < 0 {
		return "", false
	}
	return wholeUnits[i], true
}

func (a asked) wall(r calendar.Range) days {
	p := r.Resolve(a.now, a.loc)
	return days{wallDay(p.From, a.loc), wallDay(p.To, a.loc)}
}

func (a asked) label(lang string) string { return a.span.Label(lang, a.now, a.loc) }

func (a asked) period() tool.Period {
	p := a.span.Resolve(a.now, a.loc)
	return tool.Period{From: p.From, To: p.To}
}

// A comparison is a period beside the one that was asked for.
type comparison struct {
	name  string // as in the arguments
	role  tool.Role
	days  days
	label string
}

// The comparisons that may be asked for.
const (
	previousPeriod = "previous_period"
	yearBefore     = "year_before"
)

func (a asked) comparison(name, lang string) comparison {
	c := comparison{name: name, role: tool.RolePrevious}
	if name == yearBefore {
		c.role = tool.RoleYear
		c.days = days{a.yearBack(a.days.from), a.yearBack(a.days.to)}
		if !c.days.from.Before(c.days.to) { // 29 February
			c.days.to = c.days.from.AddDate(0, 0, 1)
		}
	} else {
		c.days = a.wall(a.span.Shift(-1))
	}
	// Half a month is compared with half a month.
	if a.running() {
		soFar := c.days.from.AddDate(0, 0, days{a.days.from, a.today.AddDate(0, 0, 1)}.count())
		if soFar.Before(c.days.to) {
			c.days.to = soFar
		}
	}
	if r, err := calendar.ParseRange(c.days.first() + ".." + c.days.last()); err == nil {
		c.label = r.Label(lang, a.now, a.loc)
	}
	return c
}

// running says whether today is in the period and not its last day.
func (a asked) running() bool {
	tomorrow := a.today.AddDate(0, 0, 1)
	return a.days.from.Before(tomorrow) && tomorrow.Before(a.days.to)
}

// yearBack is the same date a year before, or for weeks the same day of the week.
func (a asked) yearBack(day time.Time) time.Time {
	if a.span.Unit() == calendar.Week {
		return day.AddDate(0, 0, -364)
	}
	back := day.AddDate(-1, 0, 0)
	if back.Day() != day.Day() {
		back = back.AddDate(0, 0, -back.Day())
	}
	return back
}

// buckets are the words for each part of the days, in order.
func (d days) buckets(unit string) []string {
	var all []string
	for day := d.from; day.Before(d.to); day = day.AddDate(0, 0, 1) {
		if b := bucketOf(day, unit); len(all) == 0 || all[len(all)-1] != b {
			all = append(all, b)
		}
	}
	return all
}

func bucketOf(day time.Time, unit string) string {
	switch unit {
	case "week":
		year, week := day.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	case "month":
		return day.Format("2006-01")
	case "quarter":
		return fmt.Sprintf("%04d-Q%d", day.Year(), (day.Month()-1)/3+1)
	case "year":
		return day.Format("2006")
	}
	return day.Format(time.DateOnly)
}
