package tool

import "context"

// A Discreet is a Tool that is not the same for everybody: there may be things in it
// that some may not know of.
type Discreet interface {
	Tool
	// For returns the Spec as somebody may read it, and false if there is nothing in
	// the tool for them: then they have no such tool.
	For(context.Context, Viewer) (Spec, bool)
}

// Viewer is for whom the tool is called.
func (c Call) Viewer() Viewer {
	return Viewer{Person: c.Asker, Home: c.Home, Lang: c.Lang, Profile: c.Profile, Unattended: c.Job != ""}
}

// Usable counts the tools that a Viewer may use.
func (c *Catalog) Usable(ctx context.Context, v Viewer) int {
	n := 0
	for _, t := range c.set.tools {
		if _, ok := c.Spec(ctx, t, v); ok {
			n++
		}
	}
	return n
}

// Spec is that of a tool as a Viewer may read it, without its Live part; false if they
// may not use it.
func (c *Catalog) Spec(ctx context.Context, t Tool, v Viewer) (Spec, bool) {
	s := t.Spec()
	if c.May != nil && !c.May(ctx, v, s) {
		return s, false
	}
	if d, ok := unwrap(t).(Discreet); ok {
		mine, ok := d.For(ctx, v)
		if s.said == nil {
			s = mine
		}
		return s, ok
	}
	return s, true
}
