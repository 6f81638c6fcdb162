package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Fault is one thing that is wrong with the arguments of a call, or with what a
// tool has returned. Path is where, as in where[0].dimension, and empty for the
// whole; Message says what is wanted and what came.
type Fault struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// String is the Fault on one line.
func (f Fault) String() string {
	if f.Path == "" {
		return f.Message
	}
	return f.Path + ": " + f.Message
}

// CheckOptions say how arguments are checked.
type CheckOptions struct {
	// Exact leaves all as it came: what is not as the schema has it is a Fault,
	// even if it could be read in one way only.
	Exact bool
	// Partly leaves out what the schema says and is not understood, as Unread has it.
	// It is for judging other people's schemas; without it no such call passes.
	Partly bool
}

// Checked is what Check says of a call.
type Checked struct {
	// Args are the arguments as the tool gets them: other names of arguments
	// mapped, what can be read in one way only read so, defaults in. They are as
	// they came if there are Faults, and nil if they are no JSON.
	Args json.RawMessage
	// Coerced are the paths of what was not written as the schema has it and was
	// read all the same.
	Coerced []string
	// Faults are all that is wrong: of one object what is missing first, then what
	// is unknown, then what is not as it should be, in the order of the schema. With
	// one of them the call must not run.
	Faults []Fault
	// Strict are the Faults, and what was read all the same.
	Strict []Fault
	// Valid reports that there is nothing Strict.
	Valid bool
	// Missing are the paths of required arguments that are absent or blank.
	Missing []string
}

// Fault says all Faults on one line, or nothing if there are none.
func (c Checked) Fault() string { return lines(c.Faults) }

// Paths are where the Faults are.
func (c Checked) Paths() []string {
	var all []string
	for _, f := range c.Faults {
		all = append(all, f.Path)
	}
	return all
}

// Err returns the Faults as the Error that the model gets, or nil if there are none.
func (c Checked) Err(name string) *Error {
	if len(c.Faults) == 0 {
		return nil
	}
	e := Failf(InputError, "arguments of %s: %s", name, c.Fault())
	e.Tool, e.Fields, e.Suggestion = name, c.Paths(), "call it again with these arguments put right"
	if len(c.Missing) > 0 {
		e.Suggestion = "give " + strings.Join(c.Missing, ", ") + "; ask the person for what you cannot know"
	}
	return e
}

// Check holds arguments against the schema of a tool. It finds all that is wrong at
// once. Only what can be read in one way is read although it is written another
// way; the rest is refused, and so is every argument that the schema does not name
// unless it says that others may be given. What passes has been checked a second
// time, to the letter. A tool without a Schema takes any object.
func Check(s Spec, args json.RawMessage, o CheckOptions) Checked {
	v, err := decode(orEmpty(s.today(args)))
	if err != nil {
		return faulty(nil, Fault{Message: "the arguments are not JSON that can be read: " + err.Error()})
	}
	n := &node{}
	if len(s.Schema) > 0 {
		if n, err = compile(s.Schema); err != nil {
			return faulty(encode(v), Fault{Message: "the schema of " + s.Name + " cannot be read: " + err.Error()})
		}
		if len(n.unread) > 0 && !o.Partly {
			return faulty(encode(v), Fault{Message: "the schema of " + s.Name + " says what cannot be checked: " + strings.Join(n.unread, "; ")})
		}
	}
	var read []string // what the root itself was mended by
	var mended []Fault
	if text, ok := v.(string); ok && !o.Exact {
		if inner, err := decode([]byte(text)); err == nil && kind(inner) == "object" {
			v, read = inner, []string{""}
			mended = []Fault{{Message: "the arguments are a JSON object, not a string that holds one"}}
		}
	}
	m, ok := v.(map[string]any)
	if !ok {
		return faulty(encode(v), Fault{Message: "the arguments are a JSON object with names; got " + show(v)})
	}
	w := &walk{exact: o.Exact, root: len(s.Schema) > 0, coerced: read, mended: mended, steps: new(int)}
	if !o.Exact {
		m = w.rename(s, m)
	}
	got := w.settle(n, m)
	c := Checked{Faults: w.faults, Strict: append(w.faults[:len(w.faults):len(w.faults)], w.mended...), Missing: w.missing}
	c.Valid = len(c.Strict) == 0
	if c.Args = encode(v); len(w.faults) == 0 {
		c.Args, c.Coerced = encode(got), w.coerced
	}
	return c
}

func faulty(args json.RawMessage, f Fault) Checked {
	return Checked{Args: args, Faults: []Fault{f}, Strict: []Fault{f}}
}

// orEmpty reads what some models send for a call without arguments.
func orEmpty(args json.RawMessage) json.RawMessage {
	if t := bytes.TrimSpace(args); len(t) == 0 || string(t) == "null" {
		return json.RawMessage("{}")
	}
	return args
}

// rename gives arguments that came by another name their own.
func (w *walk) rename(s Spec, m map[string]any) map[string]any {
	if len(s.Aliases) == 0 {
		return m
	}
	out := make(map[string]any, len(m))
	for _, name := range sorted(m) {
		own, other := s.Aliases[name]
		if !other {
			out[name] = m[name]
			continue
		}
		_, given := m[own]
		_, again := out[own]
		if given || again {
			w.fault(name, "is another name of %s, which is given too; give one", own)
			continue
		}
		out[own] = m[name]
		w.mend(name, "is called %s", own)
	}
	return out
}

// settle walks the value and then, if anything in it was changed, walks what came
// of it once more and to the letter. Defaults that the rest of the schema does not
// bear are left out.
func (w *walk) settle(n *node, v any) any {
	w.coerced, w.mended = slices.Clip(w.coerced), slices.Clip(w.mended)
	start := *w
	for _, start.bare = range []bool{false, true} {
		*w = start
		got := w.value(n, v, "", false)
		if len(w.faults) == 0 {
			if !w.changed {
				return got
			}
			again := walk{exact: true, bare: w.bare, root: w.root, open: w.open, steps: w.steps}
			same := again.value(n, got, "", false)
			if len(again.faults) == 0 && len(again.coerced) == 0 && equal(got, same) {
				return got
			}
			if w.faults = again.faults; len(w.faults) == 0 {
				w.fault("", "the arguments can be read in more than one way; write each as the schema has it")
			}
		}
		if !w.filled {
			break
		}
	}
	return v
}

// fault notes what is wrong at a path.
func (w *walk) fault(at, format string, args ...any) {
	w.faults = append(w.faults, Fault{at, fmt.Sprintf(format, args...)})
}

// mend notes what is not as it should be and was read all the same.
func (w *walk) mend(at, format string, args ...any) {
	w.coerced = append(w.coerced, at)
	w.mended = append(w.mended, Fault{at, fmt.Sprintf(format, args...)})
	w.changed = true
}

// wrong notes that a value is not what the schema takes.
func (w *walk) wrong(n *node, v any, at string) {
	w.fault(at, "wants %s; got %s", n.want(), show(v))
}
