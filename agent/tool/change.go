package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Upgrade reads the arguments of a call in an old history as they would be written
// now: renamed ones under their new names, those that are gone left out, and what a
// former name of the tool said. It returns false, and the arguments as they are, if
// nothing of them has changed. An argument that was only added changes no history.
func (s Spec) Upgrade(args json.RawMessage) (json.RawMessage, bool) {
	today := s.today(args)
	changed := !bytes.Equal(args, today)
	if len(s.Changes) == 0 {
		return today, changed
	}
	v, err := decode(today)
	m, ok := v.(map[string]any)
	if err != nil || !ok {
		return today, changed
	}
	now := map[string]bool{}
	if n, err := compile(s.Schema); err == nil {
		now = n.known
	}
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

// migration tells of the changes that are young: models go by what they did before.
func (s Spec) migration(of *told, now time.Time) string {
	var all []string
	for _, c := range s.Changes {
		if !of.young(c, now) {
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
