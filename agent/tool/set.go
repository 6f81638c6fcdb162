package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// A Set is a group of tools with different names.
type Set struct{ tools []Tool }

// NewSet returns an error if two tools share a name.
func NewSet(tools ...Tool) (*Set, error) {
	s := &Set{}
	for _, t := range tools {
		if s.Lookup(t.Spec().Name) != nil {
			return nil, fmt.Errorf("two tools are named %q", t.Spec().Name)
		}
		s.tools = append(s.tools, t)
	}
	return s, nil
}

// Lookup returns the tool of that name, or nil.
func (s *Set) Lookup(name string) Tool {
	i := slices.IndexFunc(s.tools, func(t Tool) bool { return t.Spec().Name == name })
	if i < 0 {
		return nil
	}
	return s.tools[i]
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
