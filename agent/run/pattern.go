package run

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// A Pattern is the Control of a Grant as it is said of arguments: which calls of its tool
// it covers.
type Pattern struct {
	// Args are the arguments, as they are planned, that every such call has exactly so.
	Args map[string]json.RawMessage `json:"args"`
	Open []string                   `json:"open,omitempty"` // those that may be anything; sorted
	Own  bool                       `json:"own,omitempty"`  // of calls alone that touch only what is the asker's
}

// PatternOf returns the Pattern that a Control says, and false for one that says none, such
// as that of a post.
func PatternOf(control string) (Pattern, bool) {
	var p Pattern
	d := json.NewDecoder(bytes.NewReader([]byte(control)))
	d.DisallowUnknownFields() // it would say less than it means
	if d.Decode(&p) != nil || p.Args == nil || p.Control() != control {
		return Pattern{}, false
	}
	return p, true
}

// Control is the Pattern as a text, for ever equal for equal ones; empty if its arguments
// are no JSON.
func (p Pattern) Control() string {
	slices.Sort(p.Open)
	b, err := json.Marshal(p)
	if err != nil {
		return ""
	}
	canon, err := canonical(b)
	if err != nil {
		return ""
	}
	return string(canon)
}

// Covers reports whether a call is one of those: all of its arguments but content are
// bound or open, and what is bound is as it was.
func (p Pattern) Covers(args json.RawMessage, content []string, own bool) bool {
	var all map[string]json.RawMessage
	if json.Unmarshal(args, &all) != nil || p.Own && !own {
		return false
	}
	maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool {
		return slices.Contains(content, name) || slices.Contains(p.Open, name)
	})
	if len(all) != len(p.Args) {
		return false
	}
	for name, is := range p.Args {
		got, there := all[name]
		if !there {
			return false
		}
		a, err := canonical(is)
		b, fault := canonical(got)
		if err != nil || fault != nil || !bytes.Equal(a, b) {
			return false
		}
	}
	return true
}
