package config

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// SpotCheck is a weekly look of people at what was done.
type SpotCheck struct {
	Channel string `mapstructure:"channel"` // platform:workspace:channel; empty: there is none
	Count   int    `mapstructure:"count"`   // runs drawn by lot
	When    string `mapstructure:"when"`    // a day of the week and a time, in Config.Zone: mon 09:00
}

// On reports whether there is one.
func (s SpotCheck) On() bool { return s.Channel != "" }

// At is its day, and its time of that day.
func (s SpotCheck) At() (time.Weekday, time.Duration, error) {
	day, clock, _ := strings.Cut(strings.TrimSpace(s.When), " ")
	at, err := time.Parse("15:04", strings.TrimSpace(clock))
	if err != nil {
		return 0, 0, fmt.Errorf("%q is no time of day", strings.TrimSpace(clock))
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		name := strings.ToLower(d.String())
		if day = strings.ToLower(day); day == name || day == name[:3] {
			return d, time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute, nil
		}
	}
	return 0, 0, fmt.Errorf("%q is no day of the week", day)
}

var aChannel = regexp.MustCompile(`^[a-z]+:[^:#@\s]+:[^:#@\s]+$`)

func (c *Config) spotFaults(fault func(key, wrong, hint string)) {
	s := c.SpotCheck
	if s.On() && !aChannel.MatchString(s.Channel) {
		fault("spot_check.channel", fmt.Sprintf("%q is not a channel", s.Channel), "write platform:workspace:channel with the channel's id, for example slack:T0123ABC:C0456DEF")
	}
	if _, _, err := s.At(); err != nil {
		fault("spot_check.when", err.Error(), "write a day and a time, such as mon 09:00")
	}
}
