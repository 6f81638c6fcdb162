package config

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"hermes/internal/slip"
)

// A Fault is one thing wrong with the configuration.
type Fault struct{ Key, Wrong, Hint string }

// Error names the key, what is wrong, and what to do.
func (f Fault) Error() string {
	s := "config: " + f.Key + ": " + f.Wrong
	if f.Hint != "" {
		s += "\n  hint: " + f.Hint
	}
	return s
}

var person = regexp.MustCompile(`^[a-z]+:[^:\s]+:[^:\s]+$`)

// CheckPerson says what is wrong with the name of a person that a key has.
func CheckPerson(key, name string) error {
	if f, bad := personFault(key, name); bad {
		return f
	}
	return nil
}

func personFault(key, name string) (Fault, bool) {
	return Fault{key, fmt.Sprintf("%q is not a person", name), "write platform:workspace:user, for example slack:T0123ABC:U0456DEF"}, !person.MatchString(name)
}

// validate returns every fault at once.
func (c *Config) validate() []Fault {
	var faults []Fault
	fault := func(key, wrong, hint string) { faults = append(faults, Fault{key, wrong, hint}) }
	if c.Zone == "" {
		c.Zone = "UTC"
	}
	databaseFaults(string(c.Database), fault)
	if _, err := time.LoadLocation(c.Zone); err != nil {
		fault("zone", fmt.Sprintf("%q is not a time zone", c.Zone), "use an IANA name such as Europe/Berlin or Asia/Shanghai")
	}
	for i, a := range c.Admins {
		if f, bad := personFault(fmt.Sprintf("admins[%d]", i), a); bad {
			faults = append(faults, f)
		}
	}
	c.webFaults(fault)
	c.Slack.faults(fault)
	c.Model.faults("model", true, fault)
	for i, f := range c.Model.Fallbacks {
		f.faults(fmt.Sprintf("model.fallbacks[%d]", i), false, fault)
	}
	c.loopFaults(fault)
	c.detailFaults(fault)
	c.Policy.faults(fault)
	c.approvalFaults(fault)
	c.rightFaults(fault)
	c.budgetFaults(fault)
	c.spotFaults(fault)
	c.scheduleFaults(fault)
	c.auditFaults(fault)
	c.boundFaults(fault)
	c.routerFaults(fault)
	c.termFaults(fault)
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, c.Log.Level) {
		fault("log.level", fmt.Sprintf("%q is not a level", c.Log.Level), "debug, info, warn or error")
	}
	slices.SortFunc(faults, func(a, b Fault) int { return strings.Compare(a.Error(), b.Error()) })
	return faults
}

// loopFaults are those of the loop; what a profile as a whole must be, its own room
// says when the program is built.
func (c *Config) loopFaults(fault func(key, wrong, hint string)) {
	onCap := func(key, v string) {
		if v != "suspend" && v != "end" && v != "" {
			fault(key, fmt.Sprintf("%q is neither suspend nor end", v), "suspend lets people press Continue")
		}
	}
	onCap("loop.on_cap", c.Loop.OnCap)
	names := map[string]bool{}
	for i, p := range c.Loop.Profiles {
		key := fmt.Sprintf("loop.profiles[%d]", i)
		if p.Name == "" || names[p.Name] {
			fault(key+".name", fmt.Sprintf("%q is empty or used twice", p.Name), strings.Join(builtinProfiles, ", ")+", or a name of your own")
		}
		names[p.Name] = true
		onCap(key+".on_cap", p.OnCap)
		c.endFaults(key+".ends", p, fault)
	}
	c.profileFaults(fault)
}

// endNames are the statuses that run.Ends has, endOthers the names that run.ReadStatus
// reads as suspended.
var (
	endNames  = []string{"done", "partial", "suspended", "stalled", "repeated", "timeout", "budget_exceeded", "config_blocked", "cancelled", "failed"}
	endOthers = []string{"max_rounds_exceeded", "max_iteration_reached"}
)

// endFaults are statuses that are no end, and those that are missing though no rule can
// prevent them.
func (c *Config) endFaults(key string, p Profile, fault func(key, wrong, hint string)) {
	if len(p.Ends) == 0 {
		return
	}
	ends := slices.Clone(p.Ends)
	for i, e := range p.Ends {
		switch {
		case slices.Contains(endOthers, e):
			ends[i] = "suspended"
		case strings.TrimSpace(e) != "" && !slices.Contains(endNames, e):
			fault(fmt.Sprintf("%s[%d]", key, i), fmt.Sprintf("%q is no status in which a task may end", e), "write "+strings.Join(endNames, ", "))
		}
	}
	atCap := "suspended"
	if cmp.Or(p.OnCap, c.Loop.OnCap) == "end" {
		atCap = "partial"
	}
	var lacks []string
	for _, must := range []string{"done", "cancelled", "failed", atCap} {
		if !slices.Contains(ends, must) {
			lacks = append(lacks, must)
		}
	}
	if len(lacks) > 0 {
		fault(key, "it lacks "+strings.Join(lacks, ", ")+", which no rule can prevent", "write done, cancelled, failed, and "+atCap+" for the end at max_rounds")
	}
}

// builtinProfiles are the names that guard.Builtin has.
var builtinProfiles = []string{"default", "qa", "report", "research", "code"}

// profileFaults are names of profiles that nothing has, or that nothing uses: what
// was written for them would not hold, in silence.
func (c *Config) profileFaults(fault func(key, wrong, hint string)) {
	known, used, seen := slices.Clone(builtinProfiles), slices.Clone(builtinProfiles), map[string]bool{}
	for _, p := range c.Loop.Profiles {
		known = append(known, p.Name)
	}
	for i, ch := range c.Loop.Channels {
		key := fmt.Sprintf("loop.channels[%d]", i)
		if !person.MatchString(ch.Channel) || named.MatchString(ch.Channel) {
			fault(key+".channel", fmt.Sprintf("%q is not a channel", ch.Channel), "write platform:workspace:channel with ids, for example slack:T0123ABC:C0456DEF")
		}
		if seen[ch.Channel] {
			fault(key+".channel", fmt.Sprintf("%q is there twice", ch.Channel), "a channel has one profile; take one of them away")
		}
		seen[ch.Channel] = true
		if !slices.Contains(known, ch.Profile) {
			fault(key+".profile", fmt.Sprintf("there is no profile %q", ch.Profile), "write "+strings.Join(builtinProfiles, ", ")+", or a name that stands under loop.profiles")
		}
		used = append(used, ch.Profile)
	}
	for i, p := range c.Loop.Profiles {
		if p.Name != "" && !slices.Contains(used, p.Name) {
			fault(fmt.Sprintf("loop.profiles[%d].name", i), fmt.Sprintf("%q is none of %s, and no channel has it", p.Name, strings.Join(builtinProfiles, ", ")),
				"write one of these, or name the channels that have it under loop.channels")
		}
	}
}

// nearest returns the known key that looks most like one that is not: first of its
// own section, then of any.
func nearest(key string) string {
	section := key[:strings.LastIndexByte(key, '.')+1]
	last := strings.ToLower(key[len(section):])
	best, least := "", 5
	for _, known := range slices.Sorted(maps.Keys(defaults)) {
		at := strings.LastIndexByte(known, '.') + 1
		d := slip.Between([]byte(last), []byte(known[at:]))
		if known[:at] != section {
			d += 2
		}
		if d < least {
			best, least = known, d
		}
	}
	return best
}
