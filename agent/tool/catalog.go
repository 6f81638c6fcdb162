package tool

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// A Viewer is for whom tools are described.
type Viewer struct {
	Person string // platform:workspace:user
	Home   string // place
	Lang   string // "en" or "zh"
	// Profile is how far the request may go, by the name of it.
	Profile string
	// Unattended is for a request at which no person is: only tools that may be
	// used so are told.
	Unattended bool
}

// A Describer is a Tool with something to add to its Description that only it knows
// now: the tables of a database, what this person may do. Best is one line for each
// thing, the most important first, for a long text is cut. An error means that the
// tool cannot be used right now.
type Describer interface {
	Tool
	Describe(context.Context, Viewer) (string, error)
}

const (
	mostTold    = 12               // tools, by default
	fresh       = time.Minute      // how long a description holds
	freshFault  = 10 * time.Second // how long it is believed that a tool cannot be reached
	describing  = 2 * time.Second  // how long a tool may take to describe itself
	maxLive     = 1600             // bytes that it may add, some 400 tokens
	maxLiveKept = 1024             // descriptions that are kept
)

// A Catalog tells a model which tools there are, as they are now: with what they
// say of themselves, what went wrong with them lately, and what has changed. It is
// safe for concurrent use.
type Catalog struct {
	// Log, if it is set before the first use, is told of tools that cannot be
	// reached.
	Log *slog.Logger
	// May, if it is set before the first use, says who may use a tool.
	May func(context.Context, Viewer, Spec) bool

	set *Set
	now func() time.Time

	mu       sync.Mutex
	live     map[liveKey]live
	troubles map[string]*trouble // by name
	told     map[string]*told    // by name
	news     bool                // since Lessons
	revision int64
}

// Revision is another number once a tool is to be told anew before its time: since
// Changed, or since what is warned of at one may have changed.
func (c *Catalog) Revision() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.revision
}

type liveKey struct {
	name string
	v    Viewer
}

type live struct {
	text  string
	until time.Time
}

// NewCatalog returns the Catalog of a Set.
func NewCatalog(set *Set, now func() time.Time) *Catalog {
	return &Catalog{set: set, now: now, live: map[liveKey]live{}, troubles: map[string]*trouble{}, told: map[string]*told{}}
}

// For returns the Specs of the tools to be told for a request, in the order of the
// Set and with their Live part: all that the Viewer may use, or if there are more than max (0 is 12), those
// that fit the text of the request best. Those that are Always told count, and so do
// those to keep, which the request has used; they come even if there are more.
func (c *Catalog) For(ctx context.Context, v Viewer, text string, max int, keep []string) []Spec {
	keep = slices.Clone(keep)
	for i, name := range keep {
		if t := c.set.Lookup(name); t != nil {
			keep[i] = t.Spec().Name // it may be a former one
		}
	}
	tools, all := make([]Tool, 0, len(c.set.tools)), make([]Spec, 0, len(c.set.tools))
	for _, t := range c.set.tools {
		s := t.Spec()
		if v.Unattended && !s.Unattended || s.Later && !slices.Contains(keep, s.Name) {
			continue
		}
		if mine, ok := c.Spec(ctx, t, v); ok {
			tools, all = append(tools, t), append(all, mine)
		}
	}
	chosen := shortlist(tools, text, max, keep)
	specs := make([]Spec, len(chosen))
	var wg sync.WaitGroup
	for i, at := range chosen {
		specs[i] = all[at]
		if d, ok := tools[at].(Describer); ok {
			wg.Go(func() { specs[i].Live = c.describe(ctx, d, v) })
		}
	}
	wg.Wait()
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, s := range specs {
		specs[i].Live = paragraphs(s.Live, s.migration(c.toldOf(s), now), c.warning(s, now))
	}
	return specs
}

// Changed forgets what tools of that name have said of themselves: the next request
// is told anew. It is for whoever changes what they would say.
func (c *Catalog) Changed(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.revision++
	for key := range c.live {
		if key.name == name {
			delete(c.live, key)
		}
	}
}

// Text is all that a model is told of a tool in words, beside its Schema.
func (s Spec) Text() string {
	text := s.Description
	if s.Restrictions != "" {
		text += " " + s.Restrictions
	}
	if s.Limit > 0 {
		kept := "its middle is left out"
		switch s.Truncate {
		case Head:
			kept = "the beginning is kept"
		case Tail:
			kept = "the end is kept"
		}
		text += fmt.Sprintf(" A result over %d bytes is cut: %s.", s.Limit, kept)
	}
	for _, e := range s.Examples {
		text += " Example: " + string(e)
	}
	return paragraphs(text, s.Live)
}

func paragraphs(texts ...string) string {
	var all []string
	for _, t := range texts {
		if t != "" {
			all = append(all, t)
		}
	}
	return strings.Join(all, "\n")
}

// describe is what a tool says of itself now, or said within the last minute.
func (c *Catalog) describe(ctx context.Context, d Describer, v Viewer) string {
	key := liveKey{d.Spec().Name, v}
	c.mu.Lock()
	l, ok := c.live[key]
	c.mu.Unlock()
	now := c.now()
	if ok && now.Before(l.until) {
		return l.text
	}
	text, err := safely(ctx, d, v)
	l = live{cutLines(text, maxLive), now.Add(fresh)}
	switch {
	case err != nil && ctx.Err() != nil:
		return "" // nobody waits for it any more
	case err != nil:
		if c.Log != nil {
			c.Log.WarnContext(ctx, "tool cannot be reached", "tool", key.name, "error", err)
		}
		l = live{"WARNING: it cannot be reached right now, so calls will fail. Use it only if nothing else will do.", now.Add(freshFault)}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.live) >= maxLiveKept {
		clear(c.live)
	}
	c.live[key] = l
	return l.text
}

// safely asks a tool to describe itself, within its time. A panic is an error.
func safely(ctx context.Context, d Describer, v Viewer) (text string, err error) {
	ctx, cancel := context.WithTimeout(ctx, describing)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it panicked: %v", p)
		}
	}()
	if text, err = d.Describe(ctx, v); err == nil && ctx.Err() != nil {
		err = errors.New("it took too long")
	}
	return strings.TrimSpace(text), err
}

// cutLines keeps as many whole lines as have room, and says how many it left out.
func cutLines(text string, most int) string {
	if len(text) <= most {
		return text
	}
	const note = 24 // bytes that the last line takes
	lines := strings.Split(text, "\n")
	size, kept := 0, 0
	for kept < len(lines) && size+len(lines[kept])+1 <= most-note {
		size += len(lines[kept]) + 1
		kept++
	}
	if kept == 0 {
		end := most - note
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		return text[:end] + "…"
	}
	return strings.Join(lines[:kept], "\n") + fmt.Sprintf("\n… and %d more", len(lines)-kept)
}
