package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Right says who may use some tools or sources, and where. As soon as one names a tool
// or a source only those may use it who fit one that does; of Users, Channels and
// Profiles all must fit, and an empty list fits all.
type Right struct {
	Tools    []string `mapstructure:"tools"`    // globs of names
	Sources  []string `mapstructure:"sources"`  // globs of sources[].name
	Users    []string `mapstructure:"users"`    // persons, group:slack:T1:S1, admins, members, guests
	Channels []string `mapstructure:"channels"` // globs of slack:T1:C1, or direct
	Profiles []string `mapstructure:"profiles"` // names of loop.profiles
}

// Who a Right may name beside persons and groups, and which place beside channels.
var (
	rightUsers = []string{"admins", "members", "guests"}
	rightGroup = regexp.MustCompile(`^group:slack:[A-Z0-9]+:[A-Z0-9]+$`)
	rightPlace = regexp.MustCompile(`^(direct|[a-z*?\[\]]+:[^:\s]+:[^:\s#]+)$`)
)

func (c *Config) rightFaults(fault func(key, wrong, hint string)) {
	profiles := slices.Clone(builtinProfiles)
	for _, p := range c.Loop.Profiles {
		profiles = append(profiles, p.Name)
	}
	for i, r := range c.Rights {
		key := fmt.Sprintf("rights[%d]", i)
		if len(r.Tools)+len(r.Sources) == 0 {
			fault(key, "it names no tool and no source, so it says nothing", "write names or globs under tools or sources")
		}
		globs(key+".tools", r.Tools, toolNames+", or a glob such as schedule_*", nil, fault)
		globs(key+".sources", r.Sources, "the name of a source, or a glob such as hr_*", nil, fault)
		globs(key+".channels", r.Channels, "slack:T0123ABC:C0456DEF, a glob such as slack:T0123ABC:*, or direct for conversations with one person", rightPlace, fault)
		for j, ch := range r.Channels {
			if named.MatchString(ch) && !strings.ContainsAny(ch, "*?[") {
				fault(fmt.Sprintf("%s.channels[%d]", key, j), fmt.Sprintf("%q is a name, and names change hands", ch), "write the channel's id, as in slack:T0123ABC:C0456DEF")
			}
		}
		for j, u := range r.Users {
			key := fmt.Sprintf("%s.users[%d]", key, j)
			switch {
			case slices.Contains(rightUsers, u), rightGroup.MatchString(u):
			case strings.HasPrefix(u, groupPrefix):
				fault(key, fmt.Sprintf("%q is no group", u), "write group:slack:T0123ABC:S0789DEF, with the ids of workspace and user group")
			case !person.MatchString(u) || named.MatchString(u):
				fault(key, fmt.Sprintf("%q is nobody", u), "write slack:T0123ABC:U0456DEF, group:slack:T0123ABC:S0789DEF, admins, members or guests")
			}
		}
		for j, p := range r.Profiles {
			if !slices.Contains(profiles, p) {
				fault(fmt.Sprintf("%s.profiles[%d]", key, j), fmt.Sprintf("there is no profile %q", p), "write "+strings.Join(builtinProfiles, ", ")+", or a name that stands under loop.profiles")
			}
		}
		for name, list := range map[string][]string{"users": r.Users, "profiles": r.Profiles} {
			wordsOf(key+"."+name, list, "a name", fault)
		}
	}
}
