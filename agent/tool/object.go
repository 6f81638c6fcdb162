package tool

import (
	"maps"
	"slices"
	"strings"
)

// object checks the properties of an object and returns it with what was read and
// filled in.
func (w *walk) object(n *node, m map[string]any, at string, part bool) any {
	m = maps.Clone(m)
	w.absent(n, m, at)
	w.require(n, m, at)
	w.strangers(n, m, at, part)
	for _, name := range inOrder(n, m) {
		m[name] = w.property(n, name, m[name], join(at, name))
	}
	w.fill(n, m, at)
	switch {
	case n.leastKeys != nil && len(m) < *n.leastKeys:
		w.fault(at, "wants at least %d properties; got %d", *n.leastKeys, len(m))
	case n.mostKeys != nil && len(m) > *n.mostKeys:
		w.fault(at, "wants at most %d properties; got %d", *n.mostKeys, len(m))
	}
	var v any = m
	for _, name := range sorted(n.brings) {
		if _, given := m[name]; given {
			v = w.value(n.brings[name], v, at, true)
		}
	}
	return v
}

// absent leaves out what was given and says nothing: null, and blanks where a blank
// cannot be meant, for what need not be given.
func (w *walk) absent(n *node, m map[string]any, at string) {
	if w.exact {
		return
	}
	for _, name := range sorted(m) {
		of := n.props[name]
		if of == nil || slices.Contains(n.required, name) {
			continue
		}
		v, where := m[name], join(at, name)
		if s, ok := v.(string); v != nil && (!ok || strings.TrimSpace(s) != "") || w.fits(of, v, where, false) {
			continue
		}
		delete(m, name)
		if v == nil && of.hasDef && of.def == nil {
			// Who declares null as the default takes it for an answer.
			w.coerced, w.changed = append(w.coerced, where), true
			continue
		}
		w.mend(where, "wants %s; got %s, read as left out", of.want(), show(v))
	}
}

// require notes what is missing: not there, null, or a blank.
func (w *walk) require(n *node, m map[string]any, at string) {
	missing := func(name, why string) {
		of, where := n.props[name], join(at, name)
		w.missing = append(w.missing, where)
		message := why
		if of != nil {
			message += "; wants " + of.want()
			if of.describe != "" {
				message += " (" + clipTo(of.describe, 120) + ")"
			}
		}
		w.fault(where, "%s", message)
		delete(m, name) // one fault is enough
	}
	for _, name := range n.required {
		v, given := m[name]
		s, text := v.(string)
		switch {
		case !given:
			missing(name, "is missing")
		case w.open: // what a tool returns may well be empty
		case v == nil && !w.fits(n.props[name], v, name, false):
			missing(name, "is required and null")
		case text && strings.TrimSpace(s) == "" && !n.props[name].mayBeBlank(s):
			missing(name, "is required and blank")
		}
	}
	for _, name := range sorted(n.needs) {
		if _, given := m[name]; !given {
			continue
		}
		for _, other := range n.needs[name] {
			if _, given := m[other]; !given {
				w.missing = append(w.missing, join(at, other))
				w.fault(join(at, other), "is missing; it goes with %s", name)
			}
		}
	}
}

// mayBeBlank reports whether a schema says in so many words that a blank is a value.
func (n *node) mayBeBlank(s string) bool {
	if n == nil {
		return false
	}
	return n.shortest != nil && *n.shortest == 0 || slices.ContainsFunc(n.enum, func(v any) bool { return v == s })
}

// strangers refuses names that the schema does not know. JSON Schema lets them in
// unless it says otherwise; a model makes them up, so here it is the other way
// round. An object of which nothing is said takes any.
func (w *walk) strangers(n *node, m map[string]any, at string, part bool) {
	known := func(name string) bool {
		return n.known[name]
	}
	switch {
	case n.closed:
		known = func(name string) bool { return n.props[name] != nil }
	case w.open || part || n.open:
		known = nil
	case len(n.known) == 0 && len(n.patterns) == 0 && (at != "" || !w.root):
		known = nil
	}
	for _, name := range sorted(m) {
		if n.names != nil && !w.fits(n.names, name, join(at, name), false) {
			w.fault(join(at, name), "is no name that is allowed here; wants %s", n.names.want())
		}
		if known == nil || known(name) || slices.ContainsFunc(n.patterns, func(p pattern) bool { return p.re.MatchString(name) }) {
			continue
		}
		w.fault(join(at, name), "%s", n.stranger(name))
		delete(m, name)
	}
}

func (n *node) stranger(name string) string {
	names := n.order
	if len(names) == 0 {
		names = sorted(n.known)
	}
	if len(names) == 0 {
		return "is unknown; none may be given"
	}
	return "is unknown" + among(name, names)
}

func (w *walk) property(n *node, name string, v any, at string) any {
	of, named := n.props[name]
	if named {
		v = w.value(of, v, at, false)
	}
	for _, p := range n.patterns {
		if p.re.MatchString(name) {
			v, named = w.value(p.of, v, at, false), true
		}
	}
	if !named {
		v = w.value(n.extra, v, at, false)
	}
	return v
}

// fill puts in the defaults of what is not given. One that its own schema does not
// take is only a remark: "any", null.
func (w *walk) fill(n *node, m map[string]any, at string) {
	if w.bare || w.open {
		return
	}
	for _, name := range n.order {
		of := n.props[name]
		if _, given := m[name]; given || !of.hasDef || of.def == nil || slices.Contains(n.required, name) {
			continue
		}
		t := w.try(true)
		v := t.value(of, of.def, join(at, name), false)
		if len(t.faults) == 0 {
			m[name] = v
			w.changed, w.filled = true, true
		}
	}
}

// inOrder returns the names of m as the schema has them, and then the others.
func inOrder(n *node, m map[string]any) []string {
	names := make([]string, 0, len(m))
	for _, name := range n.order {
		if _, given := m[name]; given {
			names = append(names, name)
		}
	}
	for _, name := range sorted(m) {
		if n.props[name] == nil {
			names = append(names, name)
		}
	}
	return names
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}
