package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Budget is how much may be spent: on a run, by a user, in a channel or a workspace or
// for a job in one day or month, or by all in a day or a month. Days and months are
// those of Config.Zone.
type Budget struct {
	Per    string  `mapstructure:"per"`    // run, user, channel, job, workspace; day and month are for all
	Every  string  `mapstructure:"every"`  // day or month, of user, channel, job and workspace; empty: day
	Tokens int     `mapstructure:"tokens"` // in and out; 0: no limit
	USD    float64 `mapstructure:"usd"`    // by the prices of the models; 0: no limit
	Warn   float64 `mapstructure:"warn"`   // the share at which people are told; 0: 0.8
}

// WarnAt is Warn with its default.
func (b Budget) WarnAt() float64 { return cmp.Or(b.Warn, 0.8) }

// Of is for whom the budget is, empty for all, and over which period, empty for a run.
func (b Budget) Of() (per, every string) {
	switch b.Per {
	case "run":
		return b.Per, ""
	case "day", "month":
		return "", b.Per
	}
	return b.Per, cmp.Or(b.Every, "day")
}

func (c *Config) budgetFaults(fault func(key, wrong, hint string)) {
	all := []string{"run", "user", "channel", "job", "workspace", "day", "month"}
	seen := map[[2]string]bool{}
	for i, b := range c.Budgets {
		key := fmt.Sprintf("budgets[%d]", i)
		if !slices.Contains(all, b.Per) {
			fault(key+".per", fmt.Sprintf("%q is none of %s", b.Per, strings.Join(all, ", ")), "write one of them; day and month are for everything together")
			continue
		}
		switch of := []string{"run", "day", "month"}; {
		case b.Every != "" && b.Every != "day" && b.Every != "month":
			fault(key+".every", fmt.Sprintf("%q is neither day nor month", b.Every), "leave it out for day")
		case b.Every != "" && slices.Contains(of, b.Per):
			fault(key+".every", fmt.Sprintf("a budget per %s has no other period", b.Per), "leave every out, or write per: user, channel, job or workspace")
		}
		per, every := b.Of()
		if at := [2]string{per, every}; seen[at] {
			fault(key, fmt.Sprintf("there are two for %s", strings.Trim(per+" "+every, " ")), "write tokens and usd in one of them")
		} else {
			seen[at] = true
		}
		if b.Tokens == 0 && b.USD == 0 {
			fault(key, "it has neither tokens nor usd, so it limits nothing", "write one of them, or take it out")
		}
	}
}
