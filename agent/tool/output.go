package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Checker is a Tool that says itself whether what it returned can be used. Its
// error is for the model; then nothing is guessed from words like "error" in the
// Result. Check is not asked about a failed Result, nor about one that asks or posts.
type Checker interface {
	Tool
	Check(Result) error
}

// CheckOutput holds what a tool has returned against what it promises: its Output
// schema, its own Check, and the marks by which services say in a good answer that
// all is not well. What cannot be used is a LogicError: no later step may take it
// for data. The notes are for the model, one line each: what might have been null
// and was not returned at all, so that nobody takes it for none.
func CheckOutput(t Tool, res Result) (notes []string, err *Error) {
	if res.Failed || res.Ask != nil || res.Post != nil {
		return nil, nil
	}
	s := t.Spec()
	broken := func(format string, args ...any) *Error {
		e := Failf(LogicError, "what "+s.Name+" returned cannot be used: "+format, args...)
		e.Tool, e.Suggestion = s.Name, "take no data from it; try another way, or say that it did not work"
		return e
	}
	v, fault := parsed(res.Text)
	switch {
	case fault != nil && (len(s.Output) > 0 || strings.Contains(fault.Error(), noNumber)):
		return nil, broken("%v", fault)
	case fault == nil && len(s.Output) > 0:
		n, err := compile(s.Output)
		if err != nil {
			return nil, broken("its own schema cannot be read: %v", err)
		}
		w := &walk{exact: true, open: true, steps: new(int)}
		w.value(n, v, "", false)
		if len(w.faults) > 0 && !partly(w.faults, v) {
			return nil, broken("%s", lines(w.faults))
		}
		notes = unsaid(n, v)
	}
	if c, ok := unwrap(t).(Checker); ok {
		err := c.Check(res)
		known, own := errors.AsType[*Error](err)
		switch {
		case err == nil:
			return notes, nil
		case own:
			e := *known
			e.Tool = s.Name
			return nil, &e
		}
		e := broken("%v", err)
		e.Err = err
		return nil, e
	}
	if why := softError(v, s.Output); why != "" {
		return nil, broken("it says %s", why)
	}
	return notes, nil
}

// partly reports whether all that is wrong is some of the items of lists, and never
// all items of one: whoever reads the result leaves these out and says so.
func partly(faults []Fault, v any) bool {
	bad := map[string]map[string]bool{} // items by the path of their list
	for _, f := range faults {
		list, rest, ok := strings.Cut(f.Path, "[")
		item, _, _ := strings.Cut(rest, "]")
		if !ok {
			return false
		}
		if bad[list] == nil {
			bad[list] = map[string]bool{}
		}
		bad[list][item] = true
	}
	for list, items := range bad {
		at := v
		for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == '.' }) {
			m, ok := at.(map[string]any)
			if !ok {
				return false
			}
			at = m[name]
		}
		if all, ok := at.([]any); !ok || len(items) >= len(all) {
			return false
		}
	}
	return true
}

func lines(faults []Fault) string {
	const most = 8
	var all []string
	for _, f := range faults[:min(most, len(faults))] {
		all = append(all, f.String())
	}
	if more := len(faults) - most; more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(all, "; ")
}

// noNumber is what a result is refused for that would be JSON without it.
const noNumber = "which is no number"

// parsed reads a text as JSON. Its error holds noNumber if only numbers that are
// none keep it from being that.
func parsed(text string) (any, error) {
	v, err := decode([]byte(text))
	if err == nil {
		if n := endless(v); n != "" {
			return nil, fmt.Errorf("it has %s, %s", clip(n), noNumber)
		}
		return v, nil
	}
	for _, word := range []string{"NaN", "-Infinity", "Infinity"} {
		if bare := without(text, word); bare != text && json.Valid([]byte(without(without(without(text, "NaN"), "-Infinity"), "Infinity"))) {
			return nil, fmt.Errorf("it has %s, %s", word, noNumber)
		}
	}
	return nil, fmt.Errorf("it is not JSON: %w", err)
}

// endless returns a number in a value that no float64 can hold, which whoever counts
// with it would take for infinity; "" if there is none.
func endless(v any) string {
	switch v := v.(type) {
	case json.Number:
		if _, err := v.Float64(); err != nil {
			return v.String()
		}
	case []any:
		for _, x := range v {
			if n := endless(x); n != "" {
				return n
			}
		}
	case map[string]any:
		for _, name := range sorted(v) {
			if n := endless(v[name]); n != "" {
				return n
			}
		}
	}
	return ""
}

// without writes 0 for a word that stands outside of strings.
func without(text, word string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(text); {
		switch {
		case quoted && text[i] == '\\' && i+1 < len(text):
			b.WriteString(text[i : i+2])
			i += 2
			continue
		case text[i] == '"':
			quoted = !quoted
		case !quoted && strings.HasPrefix(text[i:], word):
			b.WriteByte('0')
			i += len(word)
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}

// unsaid names what a schema has as a value that may be null and that was not
// returned at all.
func unsaid(n *node, v any) []string {
	found := map[string][2]int{} // by path without places in lists: not returned, of how many
	missing(n, v, "", found, 0)
	var notes []string
	for _, path := range sorted(found) {
		switch c := found[path]; {
		case c[0] == 0:
		case c[1] == 1:
			notes = append(notes, path+": not returned, which does not mean that there is none")
		default:
			notes = append(notes, fmt.Sprintf("%s: not returned for %d of %d, which does not mean that there is none", path, c[0], c[1]))
		}
	}
	return notes
}

func missing(n *node, v any, at string, found map[string][2]int, depth int) {
	if depth > maxDepth {
		return
	}
	for _, part := range n.parts() {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				missing(part.rest, x, at+"[]", found, depth+1)
			}
		case map[string]any:
			for _, name := range part.order {
				of, path := part.props[name], join(at, name)
				x, given := v[name]
				if given {
					missing(of, x, path, found, depth+1)
				}
				if of.mayBeNull() {
					c := found[path]
					c[1]++
					if !given {
						c[0]++
					}
					found[path] = c
				}
			}
		}
	}
}

// parts returns n and all that it says of the same value, each once.
func (n *node) parts() []*node {
	var all []*node
	for next := []*node{n}; len(next) > 0; {
		m := next[0]
		next = next[1:]
		if m == nil || slices.Contains(all, m) {
			continue
		}
		all = append(all, m)
		next = append(next, slices.Concat([]*node{m.ref}, m.all, m.any, m.one)...)
	}
	return all
}

// mayBeNull reports whether a schema has null among its types.
func (n *node) mayBeNull() bool {
	return slices.ContainsFunc(n.parts(), func(m *node) bool { return slices.Contains(m.types, "null") })
}
