package memory

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// An Entry is what the index takes in of a fact.
type Entry struct {
	Seq     int64 // grows with each fact that a Store keeps
	Place   string
	Speaker string // Subject of what was said
	Said    time.Time

	Model string // Name of the Embedder of Vector; empty: there is none
	Sign  []byte // Sign.Bytes; empty: the fact was not signed yet
}

// A Signed is what was read in a fact's words, for a Store to keep beside it.
type Signed struct {
	Seq    int64
	Model  string
	Sign   []byte
	Vector []byte

	From, To string    // nodes of the graph that the fact joins
	Says     Statement // of a note that is one
}

// A Numbered is a Fact with its Seq and what was read in its words.
type Numbered struct {
	Fact
	Seq    int64
	Model  string
	Vector []byte
	Says   Statement
}

// An index holds the scopes that were asked lately, at most so many bytes of them;
// the others are read from the Store when they are asked.
type index struct {
	store Store
	now   func() time.Time
	model Embedder
	most  int // bytes

	mu     sync.Mutex
	scopes map[Audience]*held
	loads  int
}

// held is a scope in memory. Whoever reads it holds mu shared, whoever changes it alone.
type held struct {
	mu     sync.RWMutex
	scope  *scope
	bytes  int
	loaded time.Time
	used   time.Time
}

const (
	// bunch is how many entries are read at once.
	bunch = 5000
	// overlap is how many numbers before the newest are looked at again: of two
	// replicas that write at once the later may come first.
	overlap = 64
	// stale is how old a scope gets before it is read anew: what another replica
	// has restored is not in it.
	stale = time.Hour
)

// open returns the scope of an audience as it is now. The caller unlocks it.
func (x *index) open(ctx context.Context, a Audience) (*held, error) {
	now := x.now()
	x.mu.Lock()
	h := x.scopes[a]
	if h == nil {
		h = &held{}
		x.scopes[a] = h
	}
	h.used = now
	x.mu.Unlock()

	h.mu.Lock()
	if h.scope == nil || now.Sub(h.loaded) > stale || h.scope.died > 1000 && h.scope.died > h.scope.size()/2 {
		h.scope, h.loaded = newScope(), now
		x.mu.Lock()
		x.loads++
		x.mu.Unlock()
	}
	err := x.refresh(ctx, a, h.scope)
	size := h.scope.bytes()
	if err != nil {
		h.scope = nil // half of it would hide the rest
	}
	h.mu.Unlock()
	if err != nil {
		return nil, err
	}
	x.mu.Lock()
	h.bytes = size
	x.evict(h)
	x.mu.Unlock()
	h.mu.RLock()
	if h.scope == nil { // somebody else could not read on
		h.mu.RUnlock()
		return nil, fmt.Errorf("index of %s %s is gone", a.Kind, a.ID)
	}
	return h, nil
}

// evict drops what was asked longest ago until the rest fits.
func (x *index) evict(keep *held) {
	total := 0
	for _, h := range x.scopes {
		total += h.bytes
	}
	for total > x.most && len(x.scopes) > 1 {
		var oldest Audience
		var found *held
		for a, h := range x.scopes {
			if h != keep && (found == nil || h.used.Before(found.used)) {
				oldest, found = a, h
			}
		}
		if found == nil {
			return
		}
		total -= found.bytes
		delete(x.scopes, oldest)
	}
}

// drop has a scope be read anew.
func (x *index) drop(a Audience) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.scopes, a)
}

// idle drops the scopes that nobody has asked since.
func (x *index) idle(since time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for a, h := range x.scopes {
		if h.used.Before(since) {
			delete(x.scopes, a)
		}
	}
}

// refresh takes in what came since.
func (x *index) refresh(ctx context.Context, a Audience, s *scope) error {
	for after := s.newest() - overlap; ; {
		entries, err := x.store.Fresh(ctx, a, after, bunch)
		if err != nil {
			return fmt.Errorf("read index: %w", err)
		}
		if len(entries) == 0 {
			return nil
		}
		after = entries[len(entries)-1].Seq
		full := len(entries) == bunch
		entries = slices.DeleteFunc(entries, func(e Entry) bool { return s.has(e.Seq) })
		all, err := x.read(ctx, a, entries)
		if err != nil {
			return err
		}
		if len(all) > 0 && all[0].Seq < s.newest() {
			// It came late; it goes behind the others, and the order is kept
			// by reading all anew.
			*s = *newScope()
			after = 0
			continue
		}
		s.add(all)
		if !full {
			return nil
		}
	}
}

// read reads the signs of entries, and signs what has none yet.
func (x *index) read(ctx context.Context, a Audience, entries []Entry) ([]indexed, error) {
	all := make([]indexed, 0, len(entries))
	var missing []int64
	for _, e := range entries {
		sign, ok := readSign(e.Sign)
		if !ok {
			missing = append(missing, e.Seq)
		} else if e.Model != x.model.Name() {
			sign.sketch = sketch{}
		}
		all = append(all, indexed{e, sign})
	}
	at := make(map[int64]*indexed, len(missing))
	for i := range all {
		at[all[i].Seq] = &all[i]
	}
	for chunk := range slices.Chunk(missing, 500) {
		if err := x.sign(ctx, a, chunk, at); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// sign reads the words of facts and keeps what they are found by. A model far away is
// not waited for: what it has to say is fetched by Reembed.
func (x *index) sign(ctx context.Context, a Audience, seqs []int64, into map[int64]*indexed) error {
	facts, err := x.store.At(ctx, []Audience{a}, seqs)
	if err != nil {
		return fmt.Errorf("read facts to index: %w", err)
	}
	h, here := x.model.(Hashing)
	var signed []Signed
	for _, f := range facts {
		words := termsOf(f.Fact)
		s := Signed{Seq: f.Seq}
		s.From, s.To, s.Says = read(f.Fact)
		var sign Sign
		if here {
			raw := h.of(words, nil)
			v := vectorOf(raw[:])
			sign = signOf(f.Text, words, &v)
			s.Model, s.Vector = h.Name(), v.bytes()
		} else {
			sign = signOf(f.Text, words, nil)
		}
		s.Sign = sign.Bytes()
		signed = append(signed, s)
		if e := into[f.Seq]; e != nil {
			e.sign = sign
		}
	}
	if err := x.store.Sign(ctx, signed); err != nil {
		return fmt.Errorf("keep index: %w", err)
	}
	return nil
}

func (v *Vector) bytes() []byte {
	b := make([]byte, Dim)
	for i, n := range v {
		b[i] = byte(n)
	}
	return b
}

func readVector(b []byte) (v Vector, ok bool) {
	if len(b) != Dim {
		return v, false
	}
	for i, n := range b {
		v[i] = int8(n)
	}
	return v, true
}

// Resident says how much of the index is in memory: scopes, facts in them, bytes, and
// how often a scope was read since the start.
type Resident struct {
	Scopes, Facts, Bytes, Loads int
}

func (x *index) resident() Resident {
	x.mu.Lock()
	defer x.mu.Unlock()
	r := Resident{Loads: x.loads}
	for _, h := range x.scopes {
		h.mu.RLock()
		if h.scope != nil {
			r.Scopes++
			r.Facts += h.scope.size()
			r.Bytes += h.scope.bytes()
		}
		h.mu.RUnlock()
	}
	return r
}

// read returns what a fact joins in the graph: its subject and its object, or those of
// the statement that a note is. What is too long to be a name joins nothing.
func read(f Fact) (from, to string, says Statement) {
	if f.Predicate == Note {
		says, _ = ReadStatement(f.Text)
	}
	from, to = Scored{Fact: f, says: says}.ends()
	if len(from) > longestName || len(to) > longestName {
		return "", "", says
	}
	return from, to, says
}

// longestName is how many bytes a node has at most.
const longestName = 120
