package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// A Set is a group of tools with different names.
type Set struct{ tools []Tool }

// NewSet returns an error if two tools share a name, be it a former one, or if a
// schema says what nobody could enforce.
func NewSet(tools ...Tool) (*Set, error) {
	s := &Set{}
	for _, t := range tools {
		spec := t.Spec()
		for _, name := range spec.names() {
			if s.Lookup(name) != nil {
				return nil, fmt.Errorf("two tools are named %q", name)
			}
		}
		if unread := spec.unread(); len(unread) > 0 {
			return nil, fmt.Errorf("tool %s: %s\n  hint: mend the schema or leave that rule out; one that nobody checks would hold for nobody", spec.Name, strings.Join(unread, "; "))
		}
		s.tools = append(s.tools, t)
	}
	return s, nil
}

// unread is what the schemas of a tool say and nobody can enforce.
func (s Spec) unread() (all []string) {
	for _, line := range Unread(s.Schema) {
		all = append(all, "its schema: "+line)
	}
	for _, line := range Unread(s.Output) {
		all = append(all, "the schema of what it returns: "+line)
	}
	return all
}

// Lookup returns the tool of that name, or nil. By a name that it had it is the tool
// of today, whose Spec says so.
func (s *Set) Lookup(name string) Tool {
	for _, t := range s.tools {
		spec := t.Spec()
		if spec.Name == name {
			return t
		}
		if said, ok := spec.Formerly[name]; ok {
			return former{t, said}
		}
	}
	return nil
}

// Version names the tools with all that is told of them for good: it changes when one
// of them does.
func (s *Set) Version() string {
	h := sha256.New()
	for _, spec := range s.Specs() {
		fmt.Fprintf(h, "%q %d %q %s\n", spec.Name, spec.Version, spec.Text(), spec.Schema)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// Specs returns the specs in the order of NewSet.
func (s *Set) Specs() []Spec {
	var specs []Spec
	for _, t := range s.tools {
		specs = append(specs, t.Spec())
	}
	return specs
}
