package memory

import (
	"cmp"
	"slices"
	"time"
)

// A scope is the index of the current facts of one Audience: which of them has which
// terms, their sketches, and which was said beside which. Facts are numbered in the
// order of their Seq. It holds no words.
//
// What a newcomer would break: a fact that is superseded, deleted or expired stays in
// a scope until it is asked for from the Store and does not come back; then it is
// dead here. So nothing but the Store decides what is current.
type scope struct {
	seqs     []int64
	length   []uint16
	sketches []sketch
	said     []int64 // Unix seconds
	speaker  []uint32
	prev     []int32 // said before it at the same place; -1: none
	next     []int32
	session  []int32 // what was said at one place without a long pause
	sessions int
	total    int // of length
	asks     []bool
	dead     []bool
	died     int

	last map[uint32]int32 // the latest at a place

	// The postings of a term are its facts and how often each has it, in order.
	// Most stand in one array by sorted terms; what came lately in a map beside it.
	terms  []uint32
	from   []uint32
	posts  []posting
	lately map[uint32][]posting
	late   int
}

// A posting is the number of a fact and, in the last eight bits, a count.
type posting uint32

func post(doc int32, n uint8) posting { return posting(doc)<<8 | posting(n) }

func (p posting) doc() int32     { return int32(p >> 8) }
func (p posting) count() float32 { return float32(p & 0xff) }

// mostFacts is how many facts a scope takes: what a posting can number. The newest
// count; there are quotas far below it.
const mostFacts = 1<<24 - 1

// pause is how long a place is silent between two sessions.
const pause = 3 * time.Hour

func newScope() *scope { return &scope{last: map[uint32]int32{}, lately: map[uint32][]posting{}} }

func (s *scope) size() int { return len(s.seqs) }

// newest is the Seq up to which a scope knows its facts.
func (s *scope) newest() int64 {
	if len(s.seqs) == 0 {
		return 0
	}
	return s.seqs[len(s.seqs)-1]
}

// has reports whether a Seq was taken in.
func (s *scope) has(seq int64) bool {
	_, ok := slices.BinarySearch(s.seqs, seq)
	return ok
}

// An indexed is an Entry with its Sign read.
type indexed struct {
	Entry
	sign Sign
}

// add takes facts in, which are new and in order.
func (s *scope) add(all []indexed) {
	for _, e := range all {
		if len(s.seqs) >= mostFacts {
			return
		}
		doc := int32(len(s.seqs))
		s.seqs = append(s.seqs, e.Seq)
		s.length = append(s.length, e.sign.length)
		s.sketches = append(s.sketches, e.sign.sketch)
		s.said = append(s.said, e.Said.Unix())
		s.speaker = append(s.speaker, hash(fold(e.Speaker)))
		s.asks, s.dead = append(s.asks, e.sign.asks), append(s.dead, false)
		s.total += int(e.sign.length)
		s.link(doc, e.Place)
		for _, t := range e.sign.terms {
			s.lately[t.term] = append(s.lately[t.term], post(doc, t.n))
			s.late++
		}
	}
	if s.late > 4096 && s.late > len(s.posts)/8 {
		s.merge()
	}
}

// link puts a fact behind what was said last at its place.
func (s *scope) link(doc int32, place string) {
	before, session := int32(-1), int32(s.sessions)
	if place != "" {
		h := hash(place)
		if b, ok := s.last[h]; ok {
			before = b
			s.next[b] = doc
			if gap := s.said[doc] - s.said[b]; gap <= int64(pause.Seconds()) {
				session = s.session[b]
			}
		}
		s.last[h] = doc
	}
	if int(session) == s.sessions {
		s.sessions++
	}
	s.prev, s.next, s.session = append(s.prev, before), append(s.next, -1), append(s.session, session)
}

// merge moves what came lately into the array.
func (s *scope) merge() {
	type both struct {
		term uint32
		p    posting
	}
	more := make([]both, 0, s.late)
	for t, ps := range s.lately {
		for _, p := range ps {
			more = append(more, both{t, p})
		}
	}
	slices.SortFunc(more, func(a, b both) int { return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(a.p, b.p)) })
	var terms, from []uint32
	posts := make([]posting, 0, len(s.posts)+len(more))
	at := 0 // in more
	take := func(below uint64) {
		for at < len(more) && uint64(more[at].term) < below {
			t := more[at].term
			terms, from = append(terms, t), append(from, uint32(len(posts)))
			for ; at < len(more) && more[at].term == t; at++ {
				posts = append(posts, more[at].p)
			}
		}
	}
	for i, t := range s.terms {
		take(uint64(t))
		terms, from = append(terms, t), append(from, uint32(len(posts)))
		posts = append(posts, s.posts[s.from[i]:s.end(i)]...)
		for ; at < len(more) && more[at].term == t; at++ {
			posts = append(posts, more[at].p)
		}
	}
	take(1 << 32)
	s.terms, s.from, s.posts = slices.Clip(terms), slices.Clip(from), posts
	clear(s.lately)
	s.late = 0
}

func (s *scope) end(i int) uint32 {
	if i+1 < len(s.from) {
		return s.from[i+1]
	}
	return uint32(len(s.posts))
}

// of returns the postings of a term, in two parts.
func (s *scope) of(term uint32) (old, late []posting) {
	if i, ok := slices.BinarySearch(s.terms, term); ok {
		old = s.posts[s.from[i]:s.end(i)]
	}
	return old, s.lately[term]
}

// kill marks a fact that its Store does not give out any more.
func (s *scope) kill(doc int32) {
	if !s.dead[doc] {
		s.dead[doc] = true
		s.died++
	}
}

// bytes is about how much memory a scope takes.
func (s *scope) bytes() int {
	const perFact = 8 + 2 + Dim/8 + 8 + 4 + 4 + 4 + 4 + 2
	return perFact*cap(s.seqs) + 4*cap(s.posts) + 8*len(s.terms) + 24*len(s.last) + 12*s.late + 64*len(s.lately)
}
