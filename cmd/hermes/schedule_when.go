package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"hermes/agent/tool/schedule"
	"hermes/config"
	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

// whenFlags say how the words for a time are read.
type whenFlags struct {
	zone, lang, holidays, short string
	known                       string // file of the holidays, where words except them; from the configuration
	given                       bool   // the words are for a preview: what they leave open is filled in and said
}

func (f *whenFlags) on(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.zone, "zone", "", "IANA name of the zone in which the times are, such as Europe/Berlin (default: the configuration's)")
	cmd.Flags().StringVar(&f.lang, "lang", "", "en or zh, in which it is said back (default: that of the words)")
	cmd.Flags().StringVar(&f.holidays, "holidays", "", "iCalendar file (.ics) of the days off, which are left out; events named a working day (补班) are put in")
	cmd.Flags().StringVar(&f.short, "short-months", "", "last or skip: what is done in months that lack the day")
}

// An understood is a schedule as it was read.
type understood struct {
	spec  calendar.Schedule
	loc   *time.Location
	lang  string
	notes []string
	off   bool // the words except holidays
}

// when reads words, in English or Chinese, an expression or a rule. What cannot be
// meant, or can mean two things, is an error that asks.
func (f whenFlags) when(text, zone string, now time.Time) (understood, error) {
	t := understood{lang: f.lang}
	if t.lang == "" {
		if t.lang = "en"; strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			t.lang = "zh"
		}
	}
	if t.lang != "en" && t.lang != "zh" {
		return t, fmt.Errorf("--lang %q is no language of ours\n  hint: en or zh", f.lang)
	}
	if f.zone != "" {
		zone = f.zone
	}
	var err error
	if t.loc, err = time.LoadLocation(zone); err != nil || zone == "" || strings.EqualFold(zone, "local") {
		return t, fmt.Errorf("--zone %q is no time zone\n  hint: use an IANA name such as Europe/Berlin or Asia/Shanghai", zone)
	}
	if t.spec, err = f.read(&t, text, now); err != nil {
		return t, err
	}
	if zone := t.spec.Zone(); zone != nil {
		t.loc = zone
	}
	file := f.holidays
	if file == "" && t.off {
		file = f.known
	}
	if file != "" {
		if err := t.leaveOut(file, now); err != nil {
			return t, err
		}
	}
	if _, ok := t.spec.Next(now, t.loc); !ok {
		return t, fmt.Errorf("%q: no time of this is still to come\n  hint: name a later one", text)
	}
	return t, nil
}

func (f whenFlags) read(t *understood, text string, now time.Time) (calendar.Schedule, error) {
	exact, fault := calendar.Parse(text)
	if fault == nil {
		return exact, nil
	}
	r := phrase.Read(text, now, t.loc, t.lang)
	none := calendar.Schedule{}
	switch {
	case !r.Skip.IsZero() && f.short == "skip":
		return r.Skip, nil
	case !r.Skip.IsZero() && f.short == "last" && !r.Spec.IsZero():
		return r.Spec, nil
	case !r.Skip.IsZero() && f.short != "":
		return none, fmt.Errorf("--short-months %q\n  hint: last (the last day of such a month) or skip (none in it)", f.short)
	case !r.Skip.IsZero():
		return none, fmt.Errorf("%q: %s\n  hint: --short-months last, or --short-months skip", text, r.Question)
	case r.Question != "":
		return none, fmt.Errorf("%q: %s\n  hint: `hermes schedule preview` shows how words are understood", text, r.Question)
	case r.Kind != phrase.Recurring && r.Kind != phrase.Once:
		if strings.ContainsAny(text, "*@;=") || strings.HasPrefix(strings.ToUpper(text), "RRULE") {
			return none, fault
		}
		return none, fmt.Errorf("%q names no time\n  hint: such as \"every month on the 1st at 9:00\", 每月1号上午9点 or \"0 9 1 * *\"", text)
	case r.SkipHolidays && f.holidays == "" && f.known == "":
		return none, fmt.Errorf("%q: which days are holidays is not known\n  hint: --holidays, or schedules.holidays in the configuration, names an iCalendar file", text)
	case (r.NoDay || r.NoTime) && !f.given:
		return none, fmt.Errorf("%q does not say %s\n  hint: say it in the words, such as \"every month on the 1st at 9:00\" or 每月1号上午9点", text, leftOpen(r, "which day", "what time", " and "))
	case r.NoDay || r.NoTime:
		t.notes = append(t.notes, t.pick(
			"not said: "+leftOpen(r, "which day", "what time", " and ")+"; `add` would ask for it",
			"没有说："+leftOpen(r, "哪一天", "几点", "、")+"；add 会先问清楚",
		))
	}
	t.off = r.SkipHolidays
	return r.Spec, nil
}

// leftOpen names what words do not say.
func leftOpen(r phrase.Reading, day, hour, and string) string {
	switch {
	case r.NoDay && r.NoTime:
		return day + and + hour
	case r.NoDay:
		return day
	default:
		return hour
	}
}

func (t understood) pick(en, zh string) string {
	if t.lang == "zh" {
		return zh
	}
	return en
}

// yearly is how far a calendar's yearly days are followed.
const yearly = 5

// readHolidays reads the days off of a file.
func readHolidays(name string, now time.Time) (h *calendar.Holidays, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("holidays: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if h, err = calendar.ParseHolidays(file, now.AddDate(yearly, 0, 0)); err != nil {
		return nil, fmt.Errorf("holidays %s: %w", name, err)
	}
	return h, nil
}

// daysOff reads the holidays of the configuration each time, since the file is renewed
// every year; nil if it names none.
func daysOff(c config.Schedules) func(now time.Time) (*calendar.Holidays, error) {
	if c.Holidays == "" {
		return nil
	}
	return func(now time.Time) (*calendar.Holidays, error) { return readHolidays(c.Holidays, now) }
}

// leaveOut takes the days off of a file out.
func (t *understood) leaveOut(name string, now time.Time) (err error) {
	wall := now.In(t.loc)
	h, err := readHolidays(name, wall)
	if err != nil {
		return err
	}
	if t.spec, err = t.spec.Without(h, wall); err != nil {
		return fmt.Errorf("--holidays %s: %w", name, err)
	}
	t.notes = append(t.notes, t.pick("holidays are known until ", "假日已知至")+h.Until().Format(time.DateOnly))
	return nil
}

// tell says a schedule back, with its next times, its zone and what each is about.
func (t understood) tell(p *printer, now time.Time) {
	p.f("%s\n", phrase.Say(t.spec, t.lang))
	p.f("%s%s\n%s%s\n", t.pick("zone: ", "时区："), t.loc, t.pick("expression: ", "表达式："), t.spec)
	for _, n := range t.notes {
		p.f("%s%s\n", t.pick("note: ", "注意："), n)
	}
	p.f("%s\n", t.pick("next:", "接下来："))
	for _, next := range t.spec.NextN(now, t.loc, nextShown) {
		p.f("  %s", schedule.Date(next.At.In(t.loc), t.lang))
		if period := t.spec.Period(next.At, t.loc); !t.spec.Once() && period.To.Sub(period.From) >= shortestDay {
			from, last := period.From.In(t.loc).Format(time.DateOnly), period.To.In(t.loc).Add(-time.Second).Format(time.DateOnly)
			if from == last {
				p.f(t.pick("  about %s", "  关于%s"), from)
			} else {
				p.f(t.pick("  about %s to %s", "  关于%s至%s"), from, last)
			}
		}
		p.f("\n")
	}
}

func (s *shell) previewSchedule() *cobra.Command {
	f, at, ical := whenFlags{given: true}, "", false
	cmd := &cobra.Command{
		Use: "preview WHEN", Short: "Say how words, an expression or a rule are understood, with the next five times; keeps nothing",
		Example: `  hermes schedule preview "last working day of the month at 5pm" --zone Europe/Berlin
  hermes schedule preview 每两周的周三下午三点
  hermes schedule preview "weekdays at 8:30 except holidays" --holidays holidays.ics`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			cfg, err := s.config()
			if err != nil {
				return err
			}
			now := time.Now()
			if at != "" {
				if now, err = time.Parse(time.RFC3339, at); err != nil {
					return fmt.Errorf("--now %q is no time\n  hint: write 2026-12-01T09:00:00+01:00", at)
				}
			}
			f.known = cfg.Schedules.Holidays
			t, err := f.when(strings.Join(args, " "), cfg.Zone, now)
			if err != nil {
				return err
			}
			p := printer{w: s.out}
			if !ical {
				t.tell(&p, now)
				return p.err
			}
			lines, ok := t.spec.ICal(now, t.loc)
			if !ok {
				return fmt.Errorf("%s is no single rule of a calendar\n  hint: without --ical it is shown with its next times", t.spec)
			}
			p.f("%s\n", strings.Join(lines, "\n"))
			return p.err
		},
	}
	f.on(cmd)
	cmd.Flags().BoolVar(&ical, "ical", false, "as lines of an iCalendar event instead: DTSTART, RRULE, EXDATE (RFC 5545)")
	cmd.Flags().StringVar(&at, "now", "", "as if it were said at this time (RFC 3339)")
	return cmd
}
