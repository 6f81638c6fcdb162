package tool

import (
	"encoding/json"
	"fmt"
	"slices"
)

// A walk goes through a value with its schema. It never changes what it is given:
// what it returns is another value where something was read or filled in.
type walk struct {
	exact bool // read nothing, fill in defaults only
	bare  bool // fill in no defaults
	open  bool // names that the schema does not know are no fault
	root  bool // an object at the root takes named arguments alone

	faults  []Fault
	mended  []Fault
	coerced []string
	missing []string
	changed bool // something was read or filled in
	filled  bool // a default was filled in
	depth   int
	steps   *int // of this walk and all that it tries
}

// maxSteps ends a walk through a schema that has it try too much.
const maxSteps = 100_000

// try is a walk of its own, for a value that may have to fit.
func (w *walk) try(exact bool) *walk {
	return &walk{exact: exact, bare: w.bare, open: w.open, root: w.root, depth: w.depth, steps: w.steps}
}

// take goes on with what a try has found.
func (w *walk) take(t *walk) {
	w.faults = append(w.faults, t.faults...)
	w.mended = append(w.mended, t.mended...)
	w.coerced = append(w.coerced, t.coerced...)
	w.missing = append(w.missing, t.missing...)
	w.changed, w.filled = w.changed || t.changed, w.filled || t.filled
}

// fits reports whether a value is as a schema has it, to the letter.
func (w *walk) fits(n *node, v any, at string, part bool) bool {
	t := w.try(true)
	t.value(n, v, at, part)
	return len(t.faults) == 0
}

// value checks one value. Part says that n is only a part of what is said of the
// value, so that names it does not know may stand in another part.
func (w *walk) value(n *node, v any, at string, part bool) any {
	if n == nil {
		return v
	}
	if *w.steps++; *w.steps > maxSteps || w.depth > 2*maxDepth {
		w.fault(at, "cannot be checked: its schema has too many ways to read it")
		return v
	}
	w.depth++
	defer func() { w.depth-- }()
	if n.never {
		w.fault(at, "must not be given")
		return v
	}
	v, ok := w.typed(n, v, at)
	if !ok {
		return v
	}
	if n.enum != nil && !slices.ContainsFunc(n.enum, func(e any) bool { return equal(e, v) }) {
		w.noChoice(n, v, at)
		return v
	}
	switch of := v.(type) {
	case map[string]any:
		v = w.object(n, of, at, part)
	case []any:
		v = w.list(n, of, at)
	case string:
		v = w.text(n, of, at)
	case json.Number:
		w.number(n, of, at)
	}
	return w.parts(n, v, at)
}

// typed checks the type, and reads a value of another type if it can be read in one
// way. It returns false if the value is not of the type.
func (w *walk) typed(n *node, v any, at string) (any, bool) {
	if num, ok := v.(json.Number); ok && rat(num) == nil {
		w.fault(at, "is a number with too many places")
		return v, false
	}
	k := kind(v)
	if len(n.types) == 0 || slices.Contains(n.types, k) || k == "integer" && slices.Contains(n.types, "number") {
		if k != "integer" || slices.Contains(n.types, "number") || !slices.Contains(n.types, "integer") {
			return v, true
		}
		// 5.0 is a whole number, and many a reader of whole numbers fails on it.
		num, _ := v.(json.Number)
		if whole := json.Number(rat(num).Num().String()); whole != num {
			w.coerced, w.changed = append(w.coerced, at), true
			return whole, true
		}
		return v, true
	}
	if !w.exact {
		if read, ok := readAs(n, v); ok {
			w.mend(at, "wants %s; got %s, read as %s", n.want(), show(v), show(read))
			return read, true
		}
	}
	w.wrong(n, v, at)
	return v, false
}

func (w *walk) noChoice(n *node, v any, at string) {
	var names []string
	for _, e := range n.enum {
		if s, ok := e.(string); ok {
			names = append(names, s)
		}
	}
	message := fmt.Sprintf("wants %s; got %s", n.want(), show(v))
	if s, ok := v.(string); ok {
		if guess := near(s, names); guess != "" {
			message += "; did you mean " + quote(guess) + "?"
		}
	}
	w.fault(at, "%s", message)
}

// parts checks what other schemas say of the same value.
func (w *walk) parts(n *node, v any, at string) any {
	if n.ref != nil {
		v = w.value(n.ref, v, at, true)
	}
	for _, of := range n.all {
		v = w.value(of, v, at, true)
	}
	if len(n.any) > 0 {
		v = w.choose(n, n.any, v, at, false)
	}
	if len(n.one) > 0 {
		v = w.choose(n, n.one, v, at, true)
	}
	if n.not != nil && w.fits(n.not, v, at, true) {
		w.fault(at, "must not be %s; got %s", n.not.want(), show(v))
	}
	if n.cond != nil {
		if w.fits(n.cond, v, at, true) {
			v = w.value(n.then, v, at, true)
		} else {
			v = w.value(n.other, v, at, true)
		}
	}
	return v
}

// choose takes the first of some schemas that a value fits: to the letter if it
// can, else as it can be read. With alone no second one may fit to the letter.
func (w *walk) choose(n *node, of []*node, v any, at string, alone bool) any {
	var fit *walk
	var got any
	for _, m := range of {
		t := w.try(true)
		x := t.value(m, v, at, true)
		switch {
		case len(t.faults) > 0:
		case fit != nil:
			w.fault(at, "fits more than one of: %s", (&node{one: of}).want())
			return v
		default:
			if fit, got = t, x; !alone {
				w.take(fit)
				return got
			}
		}
	}
	if fit != nil {
		w.take(fit)
		return got
	}
	// Nothing fits to the letter: what can be read, or what comes closest of those
	// that are for such values at all.
	var closest *walk
	for _, m := range of {
		t := w.try(w.exact)
		x := t.value(m, v, at, true)
		if len(t.faults) == 0 {
			w.take(t)
			return x
		}
		if m.takes(kind(v), 0) && (closest == nil || len(t.faults) < len(closest.faults)) {
			closest = t
		}
	}
	if closest == nil {
		w.wrong(&node{any: of}, v, at)
		return v
	}
	w.faults, w.missing = append(w.faults, closest.faults...), append(w.missing, closest.missing...)
	return v
}

// takes reports whether a schema is for values of a type.
func (n *node) takes(kind string, depth int) bool {
	if n.ref != nil && depth < maxDepth && !n.ref.takes(kind, depth+1) {
		return false
	}
	return len(n.types) == 0 || slices.Contains(n.types, kind) || kind == "integer" && slices.Contains(n.types, "number")
}
