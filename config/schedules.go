package config

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Schedules say what becomes of slots whose time is not a good one; a schedule may say
// otherwise for itself.
type Schedules struct {
	CatchUp string        `mapstructure:"catch_up"` // once, none, or how late a slot may still run: 6h
	Overlap string        `mapstructure:"overlap"`  // skip or wait
	Stagger time.Duration `mapstructure:"stagger"`  // over how long those are spread that are due at once
	Quiet   string        `mapstructure:"quiet"`    // 22:00-07:00, on the wall of each schedule; empty: never
	Retries int           `mapstructure:"retries"`  // after a failure that may pass
	// Holidays is an iCalendar file of the days off, for schedules whose words except
	// holidays; empty: it is not known which days those are.
	Holidays string `mapstructure:"holidays"`
}

var (
	quietHours = regexp.MustCompile(`^(?:[01]\d|2[0-3]):[0-5]\d\s*[-–]\s*(?:[01]\d|2[0-3]):[0-5]\d$`)
	shortest   = 5 * time.Minute // what is no later is in time anyway
)

func (c *Config) scheduleFaults(fault func(key, wrong, hint string)) {
	s := c.Schedules
	if d, err := time.ParseDuration(s.CatchUp); s.CatchUp != "once" && s.CatchUp != "none" && (err != nil || d < shortest) {
		fault("schedules.catch_up", fmt.Sprintf("%q is no way to catch up", s.CatchUp), "write once, none, or how late a slot may still run, such as 6h (5m or more)")
	}
	if s.Overlap != "skip" && s.Overlap != "wait" {
		fault("schedules.overlap", fmt.Sprintf("%q is no way to overlap", s.Overlap), "write skip or wait")
	}
	from, to, _ := strings.Cut(strings.ReplaceAll(s.Quiet, "–", "-"), "-")
	if s.Quiet != "" && (!quietHours.MatchString(s.Quiet) || strings.TrimSpace(from) == strings.TrimSpace(to)) {
		fault("schedules.quiet", fmt.Sprintf("%q are no quiet hours", s.Quiet), "write two times of a day, such as 22:00-07:00, or leave it empty")
	}
}
