package config

import (
	"fmt"
	"regexp"
	"slices"
)

// named are the people and channels of Slack that are written by a name: names change
// hands.
var named = regexp.MustCompile(`^slack:[^:]*:(?:[^:]*[^A-Z0-9:][^:]*)?$`)

// Policy says for whom the bot works, and where.
type Policy struct {
	Guests   string   `mapstructure:"guests"`    // of a workspace: none, chat, all
	External string   `mapstructure:"external"`  // people of other organisations: none, chat, all
	Bots     string   `mapstructure:"bots"`      // other bots: none, mentions, all
	BotTurns int      `mapstructure:"bot_turns"` // answers to them in a thread, until a person writes
	Users    []string `mapstructure:"users"`     // persons: platform:workspace:user; none: all
	Channels []string `mapstructure:"channels"`  // platform:workspace:channel; none: all
}

func (p Policy) faults(fault func(key, wrong, hint string)) {
	for key, is := range map[string]struct {
		value string
		may   []string
		hint  string
	}{
		"policy.guests":   {p.Guests, []string{"none", "chat", "all"}, "none, chat (words without tools) or all"},
		"policy.external": {p.External, []string{"none", "chat", "all"}, "none, chat (words without tools) or all"},
		"policy.bots":     {p.Bots, []string{"none", "mentions", "all"}, "none, mentions (what calls it by name) or all"},
	} {
		if !slices.Contains(is.may, is.value) {
			fault(key, fmt.Sprintf("%q is no access", is.value), is.hint)
		}
	}
	if p.BotTurns < 1 {
		fault("policy.bot_turns", fmt.Sprintf("%d is less than 1", p.BotTurns), "leave the key out for the default, or set policy.bots: none")
	}
	for i, u := range p.Users {
		if f, bad := personFault(fmt.Sprintf("policy.users[%d]", i), u); bad || named.MatchString(u) {
			fault(f.Key, f.Wrong, f.Hint)
		}
	}
	for i, c := range p.Channels {
		if !person.MatchString(c) || named.MatchString(c) {
			fault(fmt.Sprintf("policy.channels[%d]", i), fmt.Sprintf("%q is not a channel", c), "write platform:workspace:channel with ids, for example slack:T0123ABC:C0456DEF")
		}
	}
}
