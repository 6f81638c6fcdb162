package tool

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Upgrade reads the arguments of a call in an old history as they would be written
// now: renamed ones under their new names, those that are gone left out. It returns
// false, and the arguments as they are, if nothing of them has changed. An argument
// that was only added changes no history.
func (s Spec) Upgrade(args json.RawMessage) (json.RawMessage, bool) {
	v, err := decode(args)
	m, ok := v.(map[string]any)
	if err != nil || !ok || len(s.Changes) == 0 {
		return args, false
	}
	now := map[string]bool{}
	if n, err := compile(s.Schema); err == nil {
		now = n.known
	}
	changed := false
	for _, c := range s.Changes {
		old, given := m[c.From]
		if c.From == "" || !given || now[c.From] {
			continue
		}
		delete(m, c.From)
		if _, both := m[c.To]; c.To != "" && !both {
			m[c.To] = old
		}
		changed = true
	}
	if !changed {
		return args, false
	}
	return encode(m), true
}

// noteAge is how long a change is told.
const noteAge = 7 * 24 * time.Hour

// migration tells of the changes that are young: models go by what they did before.
func (s Spec) migration(now time.Time) string {
	var all []string
	for _, c := range s.Changes {
		if age := now.Sub(c.At); c.At.IsZero() || age < 0 || age >= noteAge {
			continue
		}
		what := ""
		switch {
		case c.From != "" && c.To != "":
			what = fmt.Sprintf("%s is now called %s", c.From, c.To)
		case c.From != "":
			what = c.From + " is gone"
		case c.To != "":
			what = c.To + " is new"
		}
		if c.Note != "" {
			what = strings.TrimPrefix(what+"; "+c.Note, "; ")
		}
		all = append(all, what)
	}
	if len(all) == 0 {
		return ""
	}
	return "Changed lately: " + strings.Join(all, ". ") + "."
}
