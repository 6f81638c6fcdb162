package run

import (
	"slices"

	"hermes/agent/llm"
)

// An Effect is something that must have been done before a Run may count as done.
type Effect struct {
	Act Act `json:"act,omitempty"` // empty: it is a check that the profile asks for
	// Tools are those of which any does it, by all their names; none: there is no tool
	// for it here, so that it can only be said.
	Tools []string `json:"tools,omitempty"`
}

// A Mark is how far an Effect has come.
type Mark string

// The marks. All but Open and Missed are lawful ends of what was asked for: it is
// done, it may be, somebody has said no, it is not for who asks, or nothing here can.
const (
	Open    Mark = "open"    // nothing has been tried
	Asked   Mark = "asked"   // it waits for a person, or is on its way
	Met     Mark = "done"    // a tool says so
	Unclear Mark = "unclear" // it may have taken effect: nobody can tell
	Missed  Mark = "failed"  // it was tried, and did not work
	Vetoed  Mark = "denied"  // a person has said no
	Barred  Mark = "barred"  // it is not for who asks
	NoWay   Mark = "no_tool" // there is no tool for it
)

// Lawful reports whether a Run may end so.
func (m Mark) Lawful() bool { return m != Open && m != Missed && m != Asked }

// A Tick is an Effect with its Mark, and who has denied it.
type Tick struct {
	Effect
	Mark Mark
	By   string
}

// Ticks are the Effects of the Run's Goal as they stand. It goes by the results of
// tools alone: no word of a model ticks anything.
func (r Run) Ticks() []Tick {
	var out []Tick
	for _, e := range r.Goal {
		out = append(out, r.tick(e))
	}
	return out
}

func (r Run) tick(e Effect) Tick {
	t := Tick{Effect: e, Mark: Open}
	if len(e.Tools) == 0 {
		t.Mark = NoWay
		return t
	}
	does := func(c llm.Call) bool { return slices.Contains(e.Tools, c.Name) }
	for _, s := range r.Steps {
		for c, res := range s.Pairs() {
			if !does(c) {
				continue
			}
			switch {
			case res.Unknown:
				t.Mark = Unclear
			case !res.Failed && res.Ran():
				t.Mark = Met
				return t
			case t.Mark == Unclear || res.Unrun == Repeated:
			case res.Denied != "":
				t.Mark, t.By = Vetoed, res.Denied
			case res.Hidden:
				t.Mark = Barred
			case res.Unrun == Ended:
			default:
				t.Mark = Missed
			}
		}
	}
	if !r.Ended() && slices.ContainsFunc(r.OpenCalls(), does) {
		t.Mark = Asked
	}
	return t
}
