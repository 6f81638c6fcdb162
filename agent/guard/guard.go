// Package guard says when a Run must stop, what must be asked, and who may answer.
// Profile holds the numbers, Check the order in which they count.
// It reads what it is given and nothing else, so its tests are tables.
//
// What a newcomer would break: a guard looks at resolved arguments and ids, never
// at what a model or a person says about them.
package guard

import (
	"slices"

	"hermes/agent/run"
)

// Deciders say who may answer a Question. The zero value lets nobody approve.
type Deciders struct {
	Admins []string // persons who may approve what others will see
	// Approvers may approve where no Approval says otherwise, as Admins do, and may
	// nothing else that these may.
	Approvers []string
	// Approvals say otherwise for some calls, the first that fits.
	Approvals []Approval
	Delegates []Delegate
}

// MayCallOff reports whether a person may say no, or not like this, without a say in a
// Question: who asked for a thing may always call it off or want another.
func MayCallOff(q run.Question, person, option string) bool {
	return q.Kind == run.Approve && (option == run.No || option == run.Change) && person != "" && person == q.Asked
}

// MaySteer reports whether a person may stop a Run or let it go on: who asked for
// it, and admins.
func (d Deciders) MaySteer(r run.Request, person string) bool {
	return person != "" && (person == r.Asker || slices.Contains(d.Admins, person))
}
