// Package guard says when a Run must stop, what must be asked, and who may answer.
// Profile holds the numbers, Check the order in which they count.
// It reads what it is given and nothing else, so its tests are tables.
//
// What a newcomer would break: a guard looks at resolved arguments and ids, never
// at what a model or a person says about them.
package guard

import (
	"slices"
	"time"

	"hermes/agent/run"
	"hermes/agent/tool"
)

// Covering returns the grant that covers a planned call of a job's slot.
func Covering(grants []run.Grant, job, toolName string, p tool.Plan, now time.Time) (run.Grant, bool) {
	if job == "" || p.Control == "" {
		return run.Grant{}, false
	}
	for _, g := range grants {
		if g.Job == job && g.Tool == toolName && g.Control == p.Control &&
			now.Before(g.Until) && g.Uses < g.Max && g.Revoked.IsZero() {
			return g, true
		}
	}
	return run.Grant{}, false
}

// Deciders say who may answer a Question. The zero value lets nobody approve.
type Deciders struct {
	Admins []string // persons who may approve what others will see
}

// May reports whether a person may answer a Question. A choice and words are for
// the one who was asked, and so is an approval of what is their own; any other
// approval is for admins.
func (d Deciders) May(q run.Question, person string) bool {
	if person == "" {
		return false
	}
	if q.Kind != run.Approve || own(q) {
		return person == q.Asked
	}
	return slices.Contains(d.Admins, person)
}

// MayChoose is May for one option: who asked for a thing may always call it off.
func (d Deciders) MayChoose(q run.Question, person, option string) bool {
	return d.May(q, person) || q.Kind == run.Approve && option == run.No && person != "" && person == q.Asked
}

// own reports whether every call of a Question touches only what is the asker's.
func own(q run.Question) bool {
	return len(q.Calls) > 0 && !slices.ContainsFunc(q.Calls, func(c run.Planned) bool { return !c.Own })
}

// MaySteer reports whether a person may stop a Run or let it go on: who asked for
// it, and admins.
func (d Deciders) MaySteer(r run.Request, person string) bool {
	return person != "" && (person == r.Asker || slices.Contains(d.Admins, person))
}
