// Package memorytest has a memory.Store in memory, for tests of what stands on
// one, and the suite that every Store passes.
//
// What a newcomer would break: the suite is the contract. A Store that needs an
// exception from it is a Store that forgets too little or shows too much.
package memorytest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"hermes/memory"
)

// Store is a memory.Store in memory.
type Store struct {
	mu        sync.Mutex
	facts     []memory.Fact // in the order they came
	conflicts map[string]memory.Conflict
	episodes  []memory.Episode
	seqs      map[string]int64 // by the id of a fact
	signs     map[int64]memory.Signed
	seq       int64
	asked     map[string]bool
}

var _ memory.Store = (*Store)(nil)

// New returns an empty Store.
func New() *Store {
	return &Store{conflicts: map[string]memory.Conflict{}, seqs: map[string]int64{}, signs: map[int64]memory.Signed{}, asked: map[string]bool{}}
}

// Len is how many facts there are, of any status.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.facts)
}

func (s *Store) at(id string) int {
	return slices.IndexFunc(s.facts, func(f memory.Fact) bool { return f.ID == id })
}

func current(f memory.Fact) bool {
	return f.Status == memory.Active || f.Status == memory.Disputed
}

// newest returns the facts that pass, the newest first; of two said at one time
// the one that came later.
func (s *Store) newest(pass func(memory.Fact) bool) []memory.Fact {
	var found []memory.Fact
	for _, f := range slices.Backward(s.facts) {
		if current(f) && pass(f) {
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, func(a, b memory.Fact) int { return b.Said.Compare(a.Said) })
	return found
}

// Current implements memory.Store.
func (s *Store) Current(_ context.Context, a memory.Audience, subject, predicate string) ([]memory.Fact, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newest(func(f memory.Fact) bool {
		return f.Audience == a && f.Subject == subject && f.Predicate == predicate
	}), nil
}

// Fact implements memory.Store.
func (s *Store) Fact(_ context.Context, id string) (memory.Fact, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.at(id); i >= 0 {
		return s.facts[i], true, nil
	}
	return memory.Fact{}, false, nil
}

// Put implements memory.Store.
func (s *Store) Put(_ context.Context, f memory.Fact) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(f)
	return nil
}

func (s *Store) put(f memory.Fact) {
	if s.at(f.ID) >= 0 {
		return
	}
	f.Status = cmp.Or(f.Status, memory.Active)
	s.facts = append(s.facts, f)
	s.seq++
	s.seqs[f.ID] = s.seq
}

// Dispute implements memory.Store.
func (s *Store) Dispute(_ context.Context, c memory.Conflict) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.conflicts[c.ID]; ok {
		return nil
	}
	s.put(c.New)
	for _, id := range []string{c.Old.ID, c.New.ID} {
		if i := s.at(id); i >= 0 && current(s.facts[i]) {
			s.facts[i].Status = memory.Disputed
		}
	}
	s.conflicts[c.ID] = c
	return nil
}

// Close implements memory.Store.
func (s *Store) Close(_ context.Context, id string, choice memory.Choice, by string, at time.Time) (memory.Conflict, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.conflicts[id]
	if !ok {
		return memory.Conflict{}, memory.ErrNoConflict
	}
	if c.Settled != "" {
		return s.withFacts(c), memory.ErrSettled
	}
	c.Settled, c.By, c.At = string(choice), by, at
	s.conflicts[id] = c
	switch choice {
	case memory.KeepOld:
		s.supersede(c.New.ID, c.Old.ID, at)
		s.calm(c.Old.ID)
	case memory.TakeNew:
		s.supersede(c.Old.ID, c.New.ID, at)
		s.calm(c.New.ID)
	case memory.KeepBoth:
		s.calm(c.Old.ID)
		s.calm(c.New.ID)
	}
	return s.withFacts(c), nil
}

// withFacts returns c with its facts as they are now.
func (s *Store) withFacts(c memory.Conflict) memory.Conflict {
	if i := s.at(c.Old.ID); i >= 0 {
		c.Old = s.facts[i]
	}
	if i := s.at(c.New.ID); i >= 0 {
		c.New = s.facts[i]
	}
	return c
}

func (s *Store) calm(id string) {
	if i := s.at(id); i >= 0 && s.facts[i].Status == memory.Disputed {
		s.facts[i].Status = memory.Active
	}
}

func (s *Store) supersede(id, successor string, at time.Time) {
	if i := s.at(id); i >= 0 && current(s.facts[i]) {
		s.facts[i].Status, s.facts[i].ReplacedBy, s.facts[i].Closed = memory.Superseded, successor, at
	}
}

// Supersede implements memory.Store.
func (s *Store) Supersede(_ context.Context, old string, successor memory.Fact) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(successor)
	s.supersede(old, successor.ID, successor.Said)
	return nil
}

// List implements memory.Store.
func (s *Store) List(_ context.Context, v memory.Viewer, limit int) ([]memory.Fact, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.newest(func(f memory.Fact) bool { return v.Sees(f.Audience) })
	return found[:min(max(limit, 0), len(found))], nil
}

// Fresh implements memory.Store.
func (s *Store) Fresh(_ context.Context, a memory.Audience, after int64, limit int) ([]memory.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []memory.Entry
	for _, f := range s.facts { // which are by seq
		if seq := s.seqs[f.ID]; seq > after && f.Audience == a && current(f) && len(all) < limit {
			sign := s.signs[seq]
			all = append(all, memory.Entry{Seq: seq, Place: f.Place, Speaker: f.Subject, Said: f.Said, Model: sign.Model, Sign: sign.Sign})
		}
	}
	return all, nil
}

// At implements memory.Store.
func (s *Store) At(_ context.Context, as []memory.Audience, seqs []int64) ([]memory.Numbered, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := map[int64]bool{}
	for _, seq := range seqs {
		wanted[seq] = true
	}
	var all []memory.Numbered
	for _, f := range s.facts {
		if seq := s.seqs[f.ID]; wanted[seq] && slices.Contains(as, f.Audience) && current(f) {
			all = append(all, memory.Numbered{Fact: f, Seq: seq, Model: s.signs[seq].Model, Vector: s.signs[seq].Vector, Says: s.signs[seq].Says})
		}
	}
	return all, nil
}

// Sign implements memory.Store.
func (s *Store) Sign(_ context.Context, signed []memory.Signed) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range signed {
		s.signs[x.Seq] = x
	}
	return nil
}

// Linked implements memory.Store.
func (s *Store) Linked(_ context.Context, as []memory.Audience, nodes []string, depth, limit int) ([]memory.Link, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []memory.Link
	seen := map[int64]bool{}
	for d := 1; d <= depth; d++ {
		var next []string
		for _, f := range s.facts {
			if seq := s.seqs[f.ID]; s.signs[seq].From != "" && slices.Contains(nodes, s.signs[seq].From) && slices.Contains(as, f.Audience) && current(f) && !seen[seq] && len(all) < limit {
				seen[seq] = true
				all, next = append(all, memory.Link{Seq: seq, Depth: d}), append(next, s.signs[seq].To)
			}
		}
		nodes = next
	}
	return all, nil
}

// Touch implements memory.Store.
func (s *Store) Touch(_ context.Context, uses []memory.Use) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range uses {
		if i := s.at(u.ID); i >= 0 && current(s.facts[i]) {
			f := &s.facts[i]
			f.Used, f.Hits, f.Expires = u.At, f.Hits+u.Times, u.Expires
		}
	}
	return nil
}

// Sweep implements memory.Store.
func (s *Store) Sweep(_ context.Context, w memory.Sweep) (memory.Swept, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out memory.Swept
	last := func(f memory.Fact) time.Time {
		if f.Used.After(f.Said) {
			return f.Used
		}
		return f.Said
	}
	end := func(f *memory.Fact, as memory.Status, n *int) {
		f.Status, f.Closed = as, w.Now
		*n++
	}
	for i := range s.facts {
		f := &s.facts[i]
		switch {
		case current(*f) && !f.Expires.IsZero() && !f.Expires.After(w.Now):
			end(f, memory.Expired, &out.Expired)
		case f.Status == memory.Active && !last(*f).After(w.Unused):
			end(f, memory.Archived, &out.Archived)
		}
	}
	scopes := map[memory.Audience][]int{}
	for i, f := range s.facts {
		if f.Status == memory.Active {
			scopes[f.Audience] = append(scopes[f.Audience], i)
		}
	}
	for _, at := range scopes {
		slices.SortStableFunc(at, func(a, b int) int { return cmp.Or(last(s.facts[b]).Compare(last(s.facts[a])), b-a) })
		for _, i := range at[min(w.PerScope, len(at)):] {
			end(&s.facts[i], memory.Archived, &out.Over)
		}
	}
	for id, c := range s.conflicts {
		if c.Settled == "" && (!s.isCurrent(c.Old.ID) || !s.isCurrent(c.New.ID)) {
			c.Settled, c.At = "expired", w.Now
			s.conflicts[id] = c
			s.calmAlone(c.Old.ID)
			s.calmAlone(c.New.ID)
		}
	}
	s.facts = slices.DeleteFunc(s.facts, func(f memory.Fact) bool {
		over := !current(f) && !f.Closed.IsZero() && !f.Closed.After(w.History)
		if over {
			out.Deleted++
			for id, c := range s.conflicts {
				if c.Old.ID == f.ID || c.New.ID == f.ID {
					delete(s.conflicts, id)
				}
			}
		}
		return over
	})
	s.episodes = slices.DeleteFunc(s.episodes, func(e memory.Episode) bool { return !e.Expires.IsZero() && !e.Expires.After(w.Now) })
	return out, nil
}

func (s *Store) isCurrent(id string) bool {
	i := s.at(id)
	return i >= 0 && current(s.facts[i])
}

// Restore implements memory.Store.
func (s *Store) Restore(_ context.Context, id string, at, expires time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.at(id); i >= 0 && (s.facts[i].Status == memory.Archived || s.facts[i].Status == memory.Expired) {
		f := &s.facts[i]
		f.Status, f.Closed, f.Used, f.Expires = memory.Active, time.Time{}, at, expires
	}
	return nil
}

// Disputes implements memory.Store.
func (s *Store) Disputes(_ context.Context, before time.Time) ([]memory.Conflict, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var open []memory.Conflict
	for _, c := range s.conflicts {
		// A conflict is as old as its newer side.
		if c.Settled == "" && !s.asked[c.ID] && !c.New.Said.After(before) {
			open = append(open, s.withFacts(c))
		}
	}
	slices.SortFunc(open, func(a, b memory.Conflict) int { return cmp.Compare(a.ID, b.ID) })
	return open, nil
}

// Asked implements memory.Store.
func (s *Store) Asked(_ context.Context, conflict string, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[conflict] = true
	return nil
}

// Delete implements memory.Store.
func (s *Store) Delete(_ context.Context, ids []string) ([]memory.Fact, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	dead := map[string]bool{}
	for _, id := range ids {
		dead[id] = true
	}
	for grown := true; grown; {
		grown = false
		for _, f := range s.facts {
			if dead[f.ReplacedBy] && !dead[f.ID] {
				dead[f.ID], grown = true, true
			}
		}
	}
	var gone []memory.Fact
	s.facts = slices.DeleteFunc(s.facts, func(f memory.Fact) bool {
		if dead[f.ID] {
			gone = append(gone, f)
			delete(s.signs, s.seqs[f.ID])
			delete(s.seqs, f.ID)
		}
		return dead[f.ID]
	})
	for id, c := range s.conflicts {
		if dead[c.Old.ID] || dead[c.New.ID] {
			delete(s.conflicts, id)
			s.calmAlone(c.Old.ID)
			s.calmAlone(c.New.ID)
		}
	}
	return gone, nil
}

// calmAlone makes a fact active that stands in no open conflict any more.
func (s *Store) calmAlone(id string) {
	for _, c := range s.conflicts {
		if c.Settled == "" && (c.Old.ID == id || c.New.ID == id) {
			return
		}
	}
	s.calm(id)
}

// PutEpisode implements memory.Store.
func (s *Store) PutEpisode(_ context.Context, e memory.Episode) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.ContainsFunc(s.episodes, func(o memory.Episode) bool { return o.ID == e.ID }) {
		s.episodes = append(s.episodes, e)
	}
	return nil
}

// Episodes implements memory.Store.
func (s *Store) Episodes(_ context.Context, v memory.Viewer, text string, limit int) ([]memory.Episode, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	words := wordsOf(text)
	var found []memory.Episode
	for _, e := range slices.Backward(s.episodes) {
		if v.Sees(e.Audience) && (text == "" || common(words, wordsOf(e.Text)) > 0) {
			found = append(found, e)
		}
	}
	slices.SortStableFunc(found, func(a, b memory.Episode) int {
		return cmp.Or(cmp.Compare(common(words, wordsOf(b.Text)), common(words, wordsOf(a.Text))), b.At.Compare(a.At))
	})
	return found[:min(max(limit, 0), len(found))], nil
}

// common counts the words that two sets share.
func common(a, b map[string]bool) int {
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}

// wordsOf returns the words of letters and digits, and the pairs of neighbouring
// Han characters, of which Chinese words mostly are.
func wordsOf(s string) map[string]bool {
	words := map[string]bool{}
	var word []rune
	var before rune
	flush := func() {
		if len(word) > 0 {
			words[string(word)] = true
		}
		word = word[:0]
	}
	for _, r := range strings.ToLower(s) {
		switch {
		case unicode.Is(unicode.Han, r):
			flush()
			if before != 0 {
				words[string([]rune{before, r})] = true
			}
			before = r
			continue
		case unicode.IsLetter(r), unicode.IsDigit(r):
			word = append(word, r)
		default:
			flush()
		}
		before = 0
	}
	flush()
	return words
}
