package tool

import (
	"context"
	"encoding/json"
	"slices"
)

// former is a tool that was looked up by a name that it had: what the name said goes
// without saying in its arguments. It is a Planner, a Chooser and a Describer as a
// Lazy tool is.
type former struct {
	Tool
	said json.RawMessage
}

var (
	_ Planner = former{}
	_ Chooser = former{}
)

// Spec implements Tool. It has the name of today.
func (f former) Spec() Spec {
	s := f.Tool.Spec()
	s.said = f.said
	return s
}

// Run implements Tool.
func (f former) Run(ctx context.Context, c Call) (Result, error) {
	c.Args = f.Spec().today(c.Args)
	return f.Tool.Run(ctx, c)
}

// Plan implements Planner.
func (f former) Plan(ctx context.Context, c Call) (Plan, error) {
	c.Args = f.Spec().today(c.Args)
	return planOf(ctx, f.Tool, c)
}

// Choose implements Chooser.
func (f former) Choose(ctx context.Context, c Call, p Pick) (Result, error) {
	c.Args = f.Spec().today(c.Args)
	return chosen(ctx, f.Tool, c, p)
}

// today are arguments with what the former name said, as far as they do not say it
// themselves. What is no object stays as it is.
func (s Spec) today(args json.RawMessage) json.RawMessage {
	if len(s.said) == 0 {
		return args
	}
	v, err := decode(orEmpty(args))
	m, ok := v.(map[string]any)
	said, fault := decode(s.said)
	if err != nil || fault != nil || !ok {
		return args
	}
	changed := false
	more, _ := said.(map[string]any)
	for name, v := range more {
		if _, given := m[name]; !given {
			m[name], changed = v, true
		}
	}
	if !changed {
		return args
	}
	return encode(m)
}

// Names are all names that tools answer to, former ones too, each with the one of
// today.
func Names(specs []Spec) map[string]string {
	all := map[string]string{}
	for _, s := range specs {
		for _, name := range s.names() {
			all[name] = s.Name
		}
	}
	return all
}

func (s Spec) names() []string { return slices.Concat([]string{s.Name}, sorted(s.Formerly)) }
