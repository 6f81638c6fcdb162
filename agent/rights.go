package agent

import (
	"context"
	"slices"

	"hermes/agent/run"
	"hermes/agent/tool"
)

// Rights say which tools somebody may use, at a place and in a profile. A tool that
// they may not use is not there for them: models are not told of it, and calls of it
// are refused as those of any name that is none. They are asked anew each time.
type Rights interface {
	// MayUse is told the Spec, so that a rule by a former name of it holds. What
	// cannot be found out is a no.
	MayUse(ctx context.Context, v tool.Viewer, s tool.Spec) bool
}

// lookup is the tool of that name if the Run may use it, or nil.
func (a *Agent) lookup(ctx context.Context, r run.Run, name string) tool.Tool {
	t := a.Tools.Lookup(name)
	if t == nil {
		return nil
	}
	if _, ok := a.catalog.Spec(ctx, t, r.Viewer()); !ok {
		return nil
	}
	return t
}

// specs are those of the tools that a Run may use.
func (a *Agent) specs(ctx context.Context, r run.Run) []tool.Spec {
	var out []tool.Spec
	for _, s := range a.Tools.Specs() {
		if a.lookup(ctx, r, s.Name) != nil {
			out = append(out, s)
		}
	}
	return out
}

// spec is that of a tool, which names no others than those that the Run may use.
func (a *Agent) spec(ctx context.Context, r run.Run, t tool.Tool) tool.Spec {
	s := t.Spec()
	s.Alternates = slices.DeleteFunc(slices.Clone(s.Alternates), func(name string) bool { return a.lookup(ctx, r, name) == nil })
	return s
}
