package guard

import (
	"strings"
	"time"

	"hermes/agent/run"
	"hermes/agent/tool"
)

// Covering returns the grant that covers a planned call of a Run: one of its job's
// slots, or of what its asker asks for. What is of high risk, and what holds arguments
// that nobody here has said, none covers; and one that is Broken covers nothing.
func Covering(grants []run.Grant, r run.Request, s tool.Spec, p tool.Plan, marks []string, now time.Time) (run.Grant, bool) {
	if p.Control == "" || s.Risk >= tool.HighRisk || len(marks) > 0 {
		return run.Grant{}, false
	}
	for _, g := range grants {
		if g.Tool == s.Name && g.Control == p.Control && concerns(g, r) &&
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
// narrowest first. They are made of the resolved arguments alone: each holds for that
// tool and that Control, so no part that says where or what kind is ever left open.
// uses is how often the widest may be used.
func Scopes(r run.Request, s tool.Spec, p tool.Plan, marks []string, uses int, now time.Time) []run.Grant {
	if p.Control == "" || p.Job != "" || p.Own || s.Effect != tool.Send || s.Risk >= tool.HighRisk || len(marks) > 0 || uses < 1 {
		return nil
	}
	g := run.Grant{Owner: r.Asker, Job: r.Job, Tool: s.Name, Control: p.Control, Label: p.ToName, Given: now}
	if r.Job != "" {
		g.Until, g.Max = now.AddDate(0, slotMonths, 0), uses
		return []run.Grant{g}
	}
	here := g
	here.Home, here.Until, here.Max = channelOf(r.Home), now.Add(brief), min(briefUses, uses)
	all := g
	all.Until, all.Max = now.Add(adHoc), uses
	from := all
	from.Home = here.Home
	return []run.Grant{here, from, all}[:run.MostScopes]
}
