package tool

import (
	"encoding/json"
	"slices"
)

// A TrialInput is one line of `hermes try args`: a call, and the tools it may be of.
type TrialInput struct {
	Tools []struct {
		Name       string          `json:"name"`
		Parameters json.RawMessage `json:"parameters"` // JSON Schema
	} `json:"tools"`
	Call struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"call"`
}

// A Trial is what Check says of it. Valid is the strict verdict, and Errors are all
// that speaks against it; what is Coerced would run all the same, if nothing else is
// wrong, with the Arguments as they stand here. Unchecked is what the schema says and
// is not understood.
type Trial struct {
	Valid     bool            `json:"valid"`
	Errors    []Fault         `json:"errors"`
	Arguments json.RawMessage `json:"arguments"`
	Coerced   []string        `json:"coerced"`
	Unchecked []string        `json:"unchecked,omitempty"`
}

// Try answers one line of `hermes try args`.
func Try(in TrialInput) Trial {
	var names []string
	for _, t := range in.Tools {
		if t.Name != in.Call.Name {
			names = append(names, t.Name)
			continue
		}
		c := Check(Spec{Name: t.Name, Schema: t.Parameters}, in.Call.Arguments, CheckOptions{Partly: true})
		return Trial{c.Valid, append([]Fault{}, c.Strict...), c.Args, append([]string{}, c.Coerced...), Unread(t.Parameters)}
	}
	f := Fault{Message: Unknown(in.Call.Name, names)}
	out := Trial{Errors: []Fault{f}, Coerced: []string{}}
	if v, err := decode(orEmpty(in.Call.Arguments)); err == nil {
		out.Arguments = encode(v)
	}
	return out
}

// Unknown says that there is no tool of a name, which one may have been meant, and
// which there are.
func Unknown(name string, names []string) string {
	names = slices.Clone(names)
	slices.Sort(names)
	return "there is no tool " + quote(name) + among(name, names)
}
