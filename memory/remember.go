package memory

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Errors of Remember.
var (
	ErrNoAudience = errors.New("fact has no audience")   // nobody may see it, so it is not kept
	ErrNobody     = errors.New("fact is said by nobody") // no identity, no memory
	ErrEmpty      = errors.New("fact says nothing")
)

// longest is how many bytes of words a fact may have: a Slack message is at most
// 40,000 characters, and a fact is a sentence of it, not a pasted log.
const longest = 4000

// Memory is safe for concurrent use.
type Memory struct {
	store   Store
	now     func() time.Time
	index   *index
	weights Weights
	keeping Keeping
	quota   quota  // under mu
	queue   []Fact // under uses
	uses    struct {
		sync.Mutex
		by map[string]Use
	}
	// mu makes one step of "look what is there, then keep": two statements of
	// one person at the same time must see each other.
	mu sync.Mutex
}

// Options are what a Memory can be told.
type Options struct {
	Embedder Embedder // Hashing if nil
	Weights  *Weights // DefaultWeights if nil
	Keeping  *Keeping // DefaultKeeping if nil
	// Index is how many bytes of the index are in memory at most, but for the one
	// scope that is asked: 256 MB if 0.
	Index int
}

// New returns a Memory over a Store.
func New(store Store, now func() time.Time) *Memory { return NewWith(store, now, Options{}) }

// NewWith is New with options.
func NewWith(store Store, now func() time.Time, o Options) *Memory {
	if o.Embedder == nil {
		o.Embedder = Hashing{}
	}
	weights := DefaultWeights()
	if o.Weights != nil {
		weights = *o.Weights
	}
	keeping := DefaultKeeping()
	if o.Keeping != nil {
		keeping = *o.Keeping
	}
	m := &Memory{
		store: store, now: now, weights: weights, keeping: keeping,
		index: &index{store: store, now: now, model: o.Embedder, most: cmp.Or(o.Index, 256<<20), scopes: map[Audience]*held{}},
	}
	m.uses.by = map[string]Use{}
	return m
}

// Resident says how much of the index is in memory.
func (m *Memory) Resident() Resident { return m.index.resident() }

// A Receipt is what became of a Fact.
type Receipt struct {
	Fact Fact // as kept
	// Conflict is set if the fact contradicts a current one: both are kept and
	// a person should be asked.
	Conflict *Conflict
	// Known is set if the same was said before and is now confirmed.
	Known bool
	// Queued is set if the store cannot write now and it is kept as soon as it can.
	Queued bool
	// Again is set if this very fact was kept before: the step is done again.
	Again bool
}

// IDOf returns the id of a fact: the same for the same source, subject, predicate
// and object, so that a step that is done again adds nothing.
func IDOf(source, subject, predicate, object string) string {
	return "f" + short(source, fold(subject), predicate, Normalize(predicate, object))
}

// ConflictID returns the id of the conflict between two facts.
func ConflictID(oldFact, newFact string) string { return "c" + short(oldFact, newFact) }

func short(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// Remember keeps a Fact, whose ID and Status it sets. The same object as before
// confirms what is known; another object of a single-valued predicate opens a
// Conflict and replaces nothing. The same Fact again adds nothing.
func (m *Memory) Remember(ctx context.Context, f Fact) (Receipt, error) {
	f, err := m.ready(f)
	if err != nil {
		return Receipt{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	current, err := m.store.Current(ctx, f.Audience, f.Subject, f.Predicate)
	if err != nil {
		return Receipt{}, fmt.Errorf("look up %s of %s: %w", f.Predicate, f.Subject, err)
	}
	known, ok, err := m.store.Fact(ctx, f.ID)
	if err != nil {
		return Receipt{}, fmt.Errorf("look up fact %s: %w", f.ID, err)
	}
	if ok {
		return Receipt{Fact: known, Conflict: openConflict(known, current), Again: true}, nil
	}
	if err := m.spend(f.By); err != nil {
		return Receipt{}, err
	}
	return m.keep(ctx, f, m.living(current))
}

// Before returns the Fact that is used now and that f would take the place of, contradict
// or confirm, and f as it would be kept; false if there is none. It changes nothing, and
// its errors are those of Remember.
func (m *Memory) Before(ctx context.Context, f Fact) (is, was Fact, ok bool, err error) {
	if is, err = m.ready(f); err != nil {
		return is, was, false, err
	}
	current, err := m.store.Current(ctx, is.Audience, is.Subject, is.Predicate)
	if err != nil {
		return is, was, false, fmt.Errorf("look up %s of %s: %w", is.Predicate, is.Subject, err)
	}
	if !Single(is.Predicate) {
		current = slices.DeleteFunc(current, func(g Fact) bool { return !sameObject(g, is) })
	}
	was = InUse(current)
	return is, was, len(current) > 0, nil
}

// ready checks a Fact and fills in what follows from the rest.
func (m *Memory) ready(f Fact) (Fact, error) {
	f.Subject, f.Object, f.Text = strings.TrimSpace(f.Subject), strings.TrimSpace(f.Object), strings.TrimSpace(f.Text)
	switch {
	case f.By == "":
		return f, ErrNobody
	case !f.Audience.Valid():
		return f, ErrNoAudience
	case f.Subject == "" || f.Predicate == "" || fold(f.Object) == "":
		return f, ErrEmpty
	}
	if slices.Contains(preferences, f.Predicate) {
		f.Object = Normalize(f.Predicate, f.Object)
	}
	// Subjects are compared by the store, byte by byte; a person's name is not
	// touched, since ids keep their case.
	if !strings.Contains(f.Subject, ":") {
		f.Subject = fold(f.Subject)
	}
	f.Object, f.Text = clip(f.Object), clip(f.Text)
	f.Said = cmp.Or(f.Said, m.now()).UTC()
	f.Kind = cmp.Or(f.Kind, Stated)
	if f.Confidence == 0 {
		f.Confidence = 1
	}
	switch {
	case f.Confidence < m.keeping.Floor:
		return f, ErrUnsure
	case f.Kind != Stated && f.Source == "" && len(f.Evidence) == 0:
		return f, ErrEvidence
	}
	f.Status, f.ReplacedBy, f.Closed, f.Hits, f.Used = Active, "", time.Time{}, 0, time.Time{}
	f.Expires = m.now().UTC().Add(m.keeping.FactLife)
	f.ID = IDOf(f.Source, f.Subject, f.Predicate, f.Object)
	return f, nil
}

// clip shortens s to a length that a fact may have, at the start of a rune.
func clip(s string) string {
	if len(s) <= longest {
		return s
	}
	return strings.ToValidUTF8(s[:longest], "") + "…"
}

// The kinds of Fact.
const (
	Stated   = "stated"   // a person said so in words
	Observed = "observed" // a person did so
	Inferred = "inferred" // follows from something else
)

// keep decides between put, confirm and dispute.
func (m *Memory) keep(ctx context.Context, f Fact, current []Fact) (Receipt, error) {
	var same, other []Fact
	for _, g := range current {
		switch {
		case sameObject(g, f):
			same = append(same, g)
		case Single(f.Predicate):
			other = append(other, g)
		}
	}
	// The same was said before and nobody disputes it: the newer words take
	// its place, so that "you said so on …" names the last time.
	confirms := len(same) > 0 && !slices.ContainsFunc(same, func(g Fact) bool { return g.Status == Disputed })
	switch {
	case confirms:
		for _, g := range same {
			if err := m.store.Supersede(ctx, g.ID, f); err != nil {
				return Receipt{}, fmt.Errorf("confirm fact %s: %w", g.ID, err)
			}
		}
		return Receipt{Fact: f, Known: true}, nil
	case len(other) == 0:
		if err := m.store.Put(ctx, f); err != nil {
			return Receipt{}, fmt.Errorf("keep fact %s: %w", f.ID, err)
		}
		return Receipt{Fact: f}, nil
	}
	used := InUse(current)
	if sameObject(used, f) {
		// Said again while it waits for an answer: nothing new to keep, but
		// a good moment to ask.
		return Receipt{Fact: used, Conflict: openConflict(used, current), Known: true}, nil
	}
	f.Status = Disputed
	used.Status = Disputed
	c := Conflict{ID: ConflictID(used.ID, f.ID), Old: used, New: f}
	if err := m.store.Dispute(ctx, c); err != nil {
		return Receipt{}, fmt.Errorf("dispute fact %s: %w", used.ID, err)
	}
	return Receipt{Fact: f, Conflict: &c}, nil
}

func sameObject(a, b Fact) bool {
	return Normalize(a.Predicate, a.Object) == Normalize(b.Predicate, b.Object)
}

// openConflict returns the conflict in which a disputed fact stands, or nil.
func openConflict(f Fact, current []Fact) *Conflict {
	if f.Status != Disputed {
		return nil
	}
	var others []Fact
	for _, g := range current {
		if g.Status == Disputed && !sameObject(f, g) {
			others = append(others, g)
		}
	}
	if len(others) == 0 {
		return nil
	}
	older, newer := InUse(others), f
	if preferred(f, older) > 0 {
		older, newer = f, older
	}
	return &Conflict{ID: ConflictID(older.ID, newer.ID), Old: older, New: newer}
}

// When returns the time by which facts are newer or older than each other: what
// they are about, else when it was said.
func (f Fact) When() time.Time {
	if !f.Event.IsZero() {
		return f.Event
	}
	return f.Said
}

// InUse returns the one of several facts on one thing that is used: what somebody
// said in words before what was observed, the newer before the older.
func InUse(facts []Fact) Fact {
	if len(facts) == 0 {
		return Fact{}
	}
	return slices.MinFunc(facts, preferred)
}

// preferred is negative if a is used before b.
func preferred(a, b Fact) int {
	stated := func(f Fact) int {
		if f.Kind == Stated || f.Kind == "" {
			return 0
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(stated(a), stated(b)),
		b.When().Compare(a.When()),
		b.Said.Compare(a.Said),
	)
}
