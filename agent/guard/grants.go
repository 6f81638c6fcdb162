package guard

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"hermes/agent/run"
	"hermes/agent/tool"
)

// Control is what a grant for a planned call would hold for: what its Plan says or, of a
// tool that says which arguments bind one, these as they are. It is empty for what is never
// granted: what is of high risk or final, and a call that nothing binds.
func Control(s tool.Spec, p tool.Plan) string {
	switch {
	case s.Risk >= tool.HighRisk, p.Final, s.Effect == tool.Read:
		return ""
	case p.Control != "":
		return p.Control
	}
	return pattern(s, p, nil)
}

// pattern is the Control of all calls that are like a planned one but for some arguments.
func pattern(s tool.Spec, p tool.Plan, open []string) string {
	var args map[string]json.RawMessage
	if len(s.Standing) == 0 || json.Unmarshal(p.Args, &args) != nil {
		return ""
	}
	like := run.Pattern{Args: map[string]json.RawMessage{}, Own: p.Own}
	for name, v := range args {
		switch {
		case slices.Contains(s.Content, name):
		case !slices.Contains(s.Standing, name):
			return ""
		case slices.Contains(open, name):
			like.Open = append(like.Open, name)
		default:
			like.Args[name] = v
		}
	}
	if len(like.Args) == 0 || len(like.Open) != len(open) {
		return "" // it would be for anything that the tool can do
	}
	return like.Control()
}

// holdsFor reports whether the Control of a grant is that of a planned call. What a tool
// leaves open, it says now: a grant of before is none for more.
func holdsFor(control string, s tool.Spec, p tool.Plan) bool {
	if control == p.Control {
		return true
	}
	like, is := run.PatternOf(control)
	if !is || p.Control == "" || pattern(s, p, nil) != p.Control {
		return false
	}
	for _, name := range like.Open {
		if !slices.Contains(s.Open, name) || !like.Own {
			return false
		}
	}
	return len(like.Args) > 0 && like.Covers(p.Args, s.Content, p.Own)
}

// Covering returns the grant that covers a planned call of a Run: one of its job's
// slots, or of what its asker asks for. What is of high risk, and what holds arguments
// that nobody here has said, none covers; and one that is Broken covers nothing.
func Covering(grants []run.Grant, r run.Request, s tool.Spec, p tool.Plan, marks []string, now time.Time) (run.Grant, bool) {
	p.Control = Control(s, p)
	if p.Control == "" || len(marks) > 0 {
		return run.Grant{}, false
	}
	for _, g := range grants {
		if g.Tool == s.Name && holdsFor(g.Control, s, p) && concerns(g, r) &&
			now.Before(g.Until) && g.Uses < g.Max && g.Revoked.IsZero() && g.Broken == "" {
			return g, true
		}
	}
	return run.Grant{}, false
}

// concerns reports whether a grant is about what a Request is: its owner's, in the
// slots of its job alone or in none, and from where it says.
func concerns(g run.Grant, r run.Request) bool {
	return r.Asker != "" && g.Owner == r.Asker && g.Job == r.Job && (g.Home == "" || g.Home == channelOf(r.Home))
}

// channelOf is a home without its thread.
func channelOf(home string) string { return home[:strings.LastIndexByte(home, '/')+1] }

// How much a Scope allows: in the place where it was asked for only for a day, for all
// that its owner asks for a month, and for the slots of a job as long as a grant that
// is given with one.
const (
	briefUses  = 3
	brief      = 24 * time.Hour
	adHoc      = 30 * 24 * time.Hour
	slotMonths = 13
)

// Scopes are the grants that a person may choose from beside their yes to one call, the
// narrowest first. They are made of the resolved arguments and of what the tool says of
// them alone: each holds for that tool and that Control, and only what the tool names as
// Open, of what is the asker's own, is left open. uses is how often the widest may be used.
func Scopes(r run.Request, s tool.Spec, p tool.Plan, marks []string, uses int, now time.Time) []run.Grant {
	control := Control(s, p)
	if control == "" || p.Job != "" || (p.Own || s.Effect != tool.Send) && len(s.Standing) == 0 || len(marks) > 0 || uses < 1 {
		return nil
	}
	g := run.Grant{Owner: r.Asker, Job: r.Job, Tool: s.Name, Control: control, Label: p.ToName, Given: now}
	if r.Job != "" {
		g.Until, g.Max = now.AddDate(0, slotMonths, 0), uses
		return []run.Grant{g}
	}
	here := g
	here.Home, here.Until, here.Max = channelOf(r.Home), now.Add(brief), min(briefUses, uses)
	all := g
	all.Until, all.Max = now.Add(adHoc), uses
	scopes := []run.Grant{here}
	if from := all; !p.Own {
		from.Home = here.Home
		scopes = append(scopes, from)
	}
	scopes = append(scopes, all)
	if wide := all; p.Own && len(s.Open) > 0 && pattern(s, p, nil) == control {
		if wide.Control = pattern(s, p, s.Open); wide.Control != "" {
			scopes = append(scopes, wide)
		}
	}
	return scopes[:min(len(scopes), run.MostScopes)]
}
