package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// A Set is a group of tools with different names.
type Set struct {
	tools []Tool
	named map[string]Tool // by each name that one has, or had
}

// NewSet returns an error if two tools share a name, be it a former one, if a name is of
// another style than words_in_small_letters or reserved, or if a schema says what nobody
// could enforce or fulfil.
func NewSet(tools ...Tool) (*Set, error) {
	s := &Set{named: map[string]Tool{}}
	for _, t := range tools {
		spec := t.Spec()
		if wrong := spec.misnamed(); len(wrong) > 0 {
			return nil, fmt.Errorf("tool %q: %s", spec.Name, strings.Join(wrong, "; "))
		}
		for _, name := range spec.names() {
			if s.Lookup(name) != nil {
				return nil, fmt.Errorf("two tools are named %q", name)
			}
		}
		if broken := spec.broken(); len(broken) > 0 {
			return nil, fmt.Errorf("tool %s: %s\n  hint: mend the schema or leave that rule out; one that nobody checks would hold for nobody", spec.Name, strings.Join(broken, "; "))
		}
		s.tools = append(s.tools, t)
		for name, said := range spec.Formerly {
			s.named[name] = former{t, said}
		}
		s.named[spec.Name] = t
	}
	return s, nil
}

// Lookup returns the tool of that name, or nil. By a name that it had it is the tool
// of today, whose Spec says so.
func (s *Set) Lookup(name string) Tool { return s.named[name] }

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
