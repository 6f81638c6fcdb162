package tool

import (
	"encoding/json"
	"fmt"
	"time"
)

// How long, and to how many runs at most, a change is told.
const (
	noteAge  = 7 * 24 * time.Hour
	noteRuns = 20
)

// told is which version of a tool is told, and how often its changes were.
type told struct {
	Version int       `json:"version"`
	From    int       `json:"from,omitempty"` // the version before it; 0: it was the first here
	Since   time.Time `json:"since,omitzero"` // when it took that one's place here
	Runs    int       `json:"runs,omitempty"` // that were told of its changes
}

// young reports whether a change is still told: so long since its release, or since
// this program has it in the place of what was told before.
func (t told) young(c Change, now time.Time) bool {
	at := c.At
	if t.From > 0 && c.Version > t.From {
		at = t.Since
	}
	age := now.Sub(at)
	return !at.IsZero() && age >= 0 && age < noteAge && t.Runs < noteRuns
}

// lessons are what a Catalog has learned, as it is kept: by name.
type lessons struct {
	Troubles map[string]*trouble `json:"troubles,omitempty"`
	Told     map[string]*told    `json:"told,omitempty"`
}

// Learn takes in what Lessons has returned, if anything, before the first use: what
// went wrong before a restart is warned of after it, and a version that is new since
// then is known for that. A text that cannot be read is an error, and nothing is
// learned from it.
func (c *Catalog) Learn(text string) error {
	var was lessons
	if text != "" {
		if err := json.Unmarshal([]byte(text), &was); err != nil {
			return fmt.Errorf("lessons of tools: %w", err)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, tr := range was.Troubles {
		if t := c.set.Lookup(name); t != nil && tr != nil && tr.At != nil {
			c.troubles[t.Spec().Name] = tr
		}
	}
	for name, of := range was.Told {
		if t := c.set.Lookup(name); t != nil && of != nil {
			c.told[t.Spec().Name] = of
		}
	}
	for _, t := range c.set.tools {
		s := t.Spec()
		of, version := c.told[s.Name], max(1, s.Version)
		switch {
		case of == nil:
			c.told[s.Name] = &told{Version: version}
		case of.Version < version:
			*of = told{Version: version, From: of.Version, Since: c.now()}
		case of.Version > version: // an older program than the last
			*of = told{Version: version}
		default:
			continue
		}
		c.news = true
	}
	return nil
}

// Lessons returns what Learn reads, and false if that has not changed since it was
// returned last.
func (c *Catalog) Lessons() (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.news {
		return "", false
	}
	c.news = false
	return string(encode(lessons{c.troubles, c.told})), true
}

// Told notes that one more run was told of these tools.
func (c *Catalog) Told(specs []Spec) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range specs {
		if s.migration(c.toldOf(s), now) != "" {
			c.toldOf(s).Runs++
			c.news = true
		}
	}
}

// toldOf is what is known of how a tool was told. It is called under the lock.
func (c *Catalog) toldOf(s Spec) *told {
	of := c.told[s.Name]
	if of == nil {
		of = &told{Version: max(1, s.Version)}
		c.told[s.Name] = of
	}
	return of
}
