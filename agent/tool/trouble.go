package tool

import (
	"slices"
	"strings"
	"time"
)

// A tool is warned of at an argument that was wrong that often within that time, and
// no more when it has been used well that often since.
const (
	manyFaults = 3
	faultsAge  = 24 * time.Hour
	manyGood   = 10
)

// trouble is what went wrong with a tool lately.
type trouble struct {
	At   map[string][]time.Time `json:"at"`             // by argument; "" is the tool itself
	Good int                    `json:"good,omitempty"` // calls that went well since
}

// Failed notes a call whose arguments were wrong, at the Fields of the Error, or that
// ran and gave nothing of use. What is wrong again and again is warned of when the
// tool is told. Failures of other types say nothing of how to call it.
func (c *Catalog) Failed(name string, e *Error) {
	t := c.set.Lookup(name)
	if t == nil || e.Type != InputError && e.Type != LogicError {
		return // a name that a model made up, or nothing to learn
	}
	name = t.Spec().Name
	fields := e.Fields
	if len(fields) == 0 {
		fields = []string{""}
	}
	schema := schemaNode(t.Spec())
	c.mu.Lock()
	defer c.mu.Unlock()
	tr := c.troubles[name]
	if tr == nil {
		tr = &trouble{At: map[string][]time.Time{}}
		c.troubles[name] = tr
	}
	tr.Good, c.news = 0, true
	c.revision++
	seen := map[string]bool{}
	for _, f := range fields {
		path, _ := schema.argument(f)
		if path == "" && f != "" || seen[path] {
			continue
		}
		seen[path] = true
		times := append(tr.At[path], c.now())
		tr.At[path] = times[max(0, len(times)-manyFaults):]
	}
}

// schemaNode is the schema of a tool, or one that says nothing.
func schemaNode(s Spec) *node {
	if n, err := compile(s.Schema); err == nil {
		return n
	}
	return &node{}
}

// Succeeded notes that a call went well.
func (c *Catalog) Succeeded(name string) {
	if t := c.set.Lookup(name); t != nil {
		name = t.Spec().Name
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if tr := c.troubles[name]; tr != nil {
		if tr.Good++; tr.Good >= manyGood {
			delete(c.troubles, name)
			c.revision++
		}
		c.news = true
	}
}

// warning says which arguments of a tool were wrong again and again. It says what is
// wanted, never what somebody wrote. It is called under the lock.
func (c *Catalog) warning(s Spec, now time.Time) string {
	tr := c.troubles[s.Name]
	if tr == nil {
		return ""
	}
	var all []string
	for _, path := range sorted(tr.At) {
		times := slices.DeleteFunc(slices.Clone(tr.At[path]), func(t time.Time) bool { return now.Sub(t) >= faultsAge })
		switch {
		case len(times) < manyFaults:
		case path == "":
			all = append(all, "**WARNING: calls have failed again and again lately; check the arguments twice, or try another way.**")
		default:
			_, n := schemaNode(s).argument(path)
			all = append(all, "**WARNING: "+path+" was wrong again and again lately; it wants "+n.want()+".**")
		}
	}
	return strings.Join(all, "\n")
}

// argument is a path without places in lists, the third item is wrong in the same
// way as the first, and the schema of what is there. It is "" if a name in it is not
// the schema's own: what a model or a document wrote is told to nobody else.
func (n *node) argument(path string) (string, *node) {
	var names []string
	for _, step := range strings.Split(path, ".") {
		step, places, listed := strings.Cut(step, "[")
		n = n.part(func(m *node) *node { return m.props[step] })
		if listed {
			for range 1 + strings.Count(places, "[") {
				n = n.part(func(m *node) *node { return m.rest })
			}
		}
		if n == nil {
			return "", nil
		}
		names = append(names, step)
	}
	return strings.Join(names, "."), n
}

// part is the first that one of n's parts has, or nil.
func (n *node) part(of func(*node) *node) *node {
	for _, m := range n.parts() {
		if got := of(m); got != nil {
			return got
		}
	}
	return nil
}
