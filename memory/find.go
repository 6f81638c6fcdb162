package memory

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
)

// Weights say what counts how much in recall. A part that is nought is left out, which
// is how each is measured.
type Weights struct {
	Vector  float64 // of a fact that is alike in full, as a share of what all words of the question are worth
	Pair    float64 // two terms of the question side by side, of the rarer one's weight
	Form    float64 // a word in the form that the question has, of its weight
	Near    float64 // what a turn gets of what stands beside it in its conversation
	Session float64 // what a turn gets of the words that its session has
	Speaker float64 // who is named in the question has said it
	Date    float64 // it was said in the days that the question names
	Graph   float64 // it is linked with what was found, for each step less
	Same    float64 // how much a fact loses that repeats a better one
	// Fading is the share that a fact loses with age in the end, half of it by the
	// half-life.
	Fading float64
	// HalfLife is of facts, EpisodeLife of episodes; a use makes young.
	HalfLife, EpisodeLife time.Duration
}

// DefaultWeights were found on conversations of several kinds in English and Chinese,
// and are not sensitive: half or twice each changes little.
func DefaultWeights() Weights {
	return Weights{
		Vector: 0.3, Pair: 1, Form: 0.35, Near: 1, Session: 0.1, Speaker: 0.15, Date: 0.2, Graph: 0.5, Same: 0.5,
		Fading: 0.1, HalfLife: 90 * 24 * time.Hour, EpisodeLife: 14 * 24 * time.Hour,
	}
}

// The weights of the terms themselves.
const (
	bm25K      = 1.2  // how fast a repeated term stops to count
	bm25B      = 0.5  // how much a long text is worth less; notes are short anyhow
	commonness = 0.08 // what a common word weighs of a rare one
)

// A term that more than one fact in frequent has only puts into order what other
// terms have found, in scopes of more facts than few.
const (
	frequent = 10
	few      = 3000
)

// leans is how much a turn of a conversation gets of what its neighbours have, by how
// far before (0, 1) or behind (2, 3) it they stand: the second, the first, the first,
// the second. A text of leanLength terms or fewer leans on its neighbours in full; a
// longer one speaks for itself.
var leans = [4]float32{0.12, 0.35, 0.35, 0.12}

// answers is the same of a turn that follows another's question: it may share no word with what
// it is about, and all of it stands before.
var answers = [4]float32{0.4, 0.6, 0.2, 0.05}

// leansOf is how a turn leans.
func (s *scope) leansOf(d int32) *[4]float32 {
	if p := s.prev[d]; p >= 0 && s.asks[p] && s.speaker[p] != s.speaker[d] {
		return &answers
	}
	return &leans
}

// beside are the turns on which a turn leans, in the order of leans; -1: none. What was
// said at a place on another day has nothing to do with it.
func (s *scope) beside(d int32) (at [4]int32) {
	near := func(n int32) int32 {
		if n >= 0 && s.session[n] != s.session[d] {
			return -1
		}
		return n
	}
	at = [4]int32{-1, near(s.prev[d]), near(s.next[d]), -1}
	if at[1] >= 0 {
		at[0] = near(s.prev[at[1]])
	}
	if at[2] >= 0 {
		at[3] = near(s.next[at[2]])
	}
	return at
}

const leanLength = 30

// considered is how many candidates are read from the Store at least.
const considered = 60

// A wish is a question as the index looks for it.
type wish struct {
	terms  []string // in order, as often as they come
	hashes []uint32
	vector Vector
	sketch sketch
	alike  bool // there is a vector
	names  map[uint32]bool
	forms  map[string]uint32 // words as they are spelled, and their terms
	days   []days
	now    time.Time
	asOf   int64 // Unix; what was said later is not known yet

	weight map[uint32]float32
	ideal  float64 // what all terms are worth
	apart  bool    // there are several scopes
}

// settled is of how many facts a scope must have so that what most of them say counts
// for little there.
const settled = 10

// here is what a term is worth in a scope, of whose facts n have it. What all of a
// conversation is about tells its turns not apart, however rare it is elsewhere.
func (w *wish) here(s *scope, h uint32, n int) float32 {
	if !w.apart {
		return w.weight[h]
	}
	return w.weight[h] * float32(s.size()-n+settled) / float32(s.size()+settled)
}

// A place in a scope, with what it is worth.
type candidate struct {
	in  int // scope
	doc int32
	own float32 // by its own words
	sum float32 // and by what is around
}

// scores are reused, since each is as long as a scope.
var scores = sync.Pool{New: func() any { return new([]float32) }}

// wishOf reads a question.
func wishOf(text string, now time.Time) wish {
	w := wish{terms: terms(text), names: map[uint32]bool{}, forms: map[string]uint32{}, now: now, asOf: math.MaxInt64, weight: map[uint32]float32{}}
	if len(w.terms) > widest {
		w.terms = w.terms[:widest]
	}
	seen := map[uint32]bool{}
	for _, t := range w.terms {
		if h := hash(t); !seen[h] {
			seen[h] = true
			w.hashes = append(w.hashes, h)
		}
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n,.?!:;\"'’“”()，。？！：；、", r) })
	for i, word := range words {
		w.names[hash(fold(word))] = true
		if form := strings.ToLower(word); ascii(form) && !common[form] && len(w.forms) < widest {
			w.forms[form] = hash(Stem(form))
		}
		if i > 0 {
			w.names[hash(fold(words[i-1]+" "+word))] = true
		}
	}
	w.days = daysIn(text, now)
	return w
}

// looksLike adds what a text like the question would look like.
func (w *wish) looksLike(ctx context.Context, x *index, text string) {
	w.vector, w.alike = x.vectorOf(ctx, text, w)
	w.sketch = w.vector.sketch()
}

// widest is how many terms of a question are looked for: a pasted page is not searched
// for each of its words.
const widest = 64

// patience is how long a question waits for a model far away to say what it is like.
const patience = 400 * time.Millisecond

func (x *index) vectorOf(ctx context.Context, text string, w *wish) (v Vector, ok bool) {
	if h, here := x.model.(Hashing); here {
		top := float32(0)
		for _, idf := range w.weight {
			top = max(top, idf)
		}
		raw := h.of(w.terms, func(t string) float64 { return float64(w.weight[hash(t)] / max(top, 1e-9)) })
		v = vectorOf(raw[:])
		return v, v != Vector{}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	raw, err := x.model.Embed(ctx, []string{text})
	if err != nil || len(raw) != 1 {
		return v, false // words will do
	}
	v = vectorOf(raw[0])
	return v, v != Vector{}
}

// weigh says what each term is worth, by how few of all facts have it.
func (w *wish) weigh(in []*held) (average float32) {
	n, length := 0, 0
	for _, h := range in {
		n += h.scope.size()
		length += h.scope.total
	}
	for _, t := range w.terms {
		h := hash(t)
		if _, ok := w.weight[h]; ok {
			continue
		}
		df := 0
		for _, s := range in {
			old, late := s.scope.of(h)
			df += len(old) + len(late)
		}
		idf := math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
		if common[t] {
			idf *= commonness
		}
		w.weight[h] = float32(idf)
		w.ideal += idf
	}
	return float32(max(1, length)) / float32(max(1, n))
}

// find returns the best candidates of one scope, best first.
func (w *wish) find(in int, s *scope, average float32, k Weights, most int, skip func(int32) bool) []candidate {
	buf := scores.Get().(*[]float32)
	defer scores.Put(buf)
	if cap(*buf) < s.size() {
		*buf = make([]float32, s.size())
	}
	own := (*buf)[:s.size()]
	// A text is long or short beside those of its kind.
	average = (float32(s.total) + settled*average) / float32(s.size()+settled)
	touched := w.byWords(s, average, own)
	if w.alike && k.Vector > 0 {
		touched = w.byLikeness(s, float32(k.Vector*w.ideal), own, touched)
	}
	defer func() {
		for _, d := range touched {
			own[d] = 0
		}
	}()
	sessions := w.bySession(s, k)
	fits := func(d int32) bool { return !s.dead[d] && s.said[d] <= w.asOf && !skip(d) }
	best := anchors(touched, own, fits)
	all := make([]candidate, 0, 3*len(best))
	take := func(d int32) {
		if !fits(d) {
			return
		}
		c := candidate{in: in, doc: d, own: own[d], sum: own[d]}
		c.sum += w.around(s, d, own, k) + w.besides(s, d, k)
		if sessions != nil {
			c.sum += sessions[s.session[d]]
		}
		all = append(all, c)
	}
	for _, d := range best {
		take(d)
	}
	if k.Near > 0 {
		for d := range neighbours(s, best, own) {
			take(d)
		}
	}
	slices.SortFunc(all, bySum)
	return all[:min(most, len(all))]
}

// anchored is how many facts are looked at with what stands around them.
const anchored = 1500

// anchors returns the best of what was found, and has them stand first.
func anchors(touched []int32, own []float32, fits func(int32) bool) []int32 {
	n := 0
	for i, d := range touched {
		if fits(d) {
			touched[i], touched[n] = touched[n], d
			n++
		}
	}
	touched = touched[:n]
	if n <= anchored {
		return touched
	}
	// Quickselect: what it has to put in order halves each time.
	for from, to := 0, len(touched); to-from > 1; {
		pivot := own[touched[from+(to-from)/2]]
		i, j := from, to-1
		for i <= j {
			for own[touched[i]] > pivot {
				i++
			}
			for own[touched[j]] < pivot {
				j--
			}
			if i <= j {
				touched[i], touched[j] = touched[j], touched[i]
				i++
				j--
			}
		}
		switch {
		case anchored <= j:
			to = j + 1
		case anchored >= i:
			from = i
		default:
			from = to
		}
	}
	return touched[:anchored]
}

func bySum(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.sum, a.sum), cmp.Compare(b.doc, a.doc))
}

// byWords adds up the terms: rare ones first, which find; those that many have then
// only add to what was found.
func (w *wish) byWords(s *scope, average float32, own []float32) []int32 {
	type list struct {
		weight    float32
		old, late []posting
	}
	var lists []list
	for _, h := range w.hashes {
		old, late := s.of(h)
		if len(old)+len(late) > 0 {
			lists = append(lists, list{w.here(s, h, len(old)+len(late)), old, late})
		}
	}
	slices.SortStableFunc(lists, func(a, b list) int { return cmp.Compare(len(a.old)+len(a.late), len(b.old)+len(b.late)) })
	var touched []int32
	for i, l := range lists {
		n := len(l.old) + len(l.late)
		only := s.size() > few && n > s.size()/frequent && (i > 0 || len(lists) > 1)
		if only && len(touched) == 0 {
			only = false // there is nothing rarer to go by
		}
		if only && n > 4*len(touched) {
			w.reorder(s, l.old, l.weight, average, own, touched)
			w.reorder(s, l.late, l.weight, average, own, touched)
			continue
		}
		for _, ps := range [2][]posting{l.old, l.late} {
			for _, p := range ps {
				d := p.doc()
				if own[d] == 0 {
					if only {
						continue
					}
					touched = append(touched, d)
				}
				own[d] += l.weight * saturate(p.count(), s.length[d], average)
			}
		}
	}
	return touched
}

// reorder adds a term to what was found, looking each up in its postings.
func (w *wish) reorder(s *scope, ps []posting, weight, average float32, own []float32, touched []int32) {
	for _, d := range touched {
		i, _ := slices.BinarySearchFunc(ps, d, func(p posting, d int32) int { return cmp.Compare(p.doc(), d) })
		if i < len(ps) && ps[i].doc() == d {
			own[d] += weight * saturate(ps[i].count(), s.length[d], average)
		}
	}
}

func saturate(n float32, length uint16, average float32) float32 {
	return n * (bm25K + 1) / (n + bm25K*(1-bm25B+bm25B*float32(length)/average))
}

// likely is how alike two texts must be to count: by chance one in a hundred is.
const likely = 0.23

// byLikeness adds what sketches promise, and finds what shares no word.
func (w *wish) byLikeness(s *scope, weight float32, own []float32, touched []int32) []int32 {
	limit := Dim
	for i, c := range alike {
		if c < likely {
			limit = i
			break
		}
	}
	for i := range s.sketches {
		n := s.sketches[i].apart(&w.sketch)
		if n >= limit {
			continue
		}
		if s.sketches[i] == (sketch{}) {
			continue
		}
		if own[i] == 0 {
			touched = append(touched, int32(i))
		}
		own[i] += weight * (alike[n] - likely)
	}
	return touched
}

// bySession returns what each session is worth by the terms that it has.
func (w *wish) bySession(s *scope, k Weights) []float32 {
	if k.Session == 0 || s.sessions == 0 || s.sessions > s.size()*9/10 {
		return nil
	}
	sum := make([]float32, s.sessions)
	last := make([]int32, s.sessions)
	for i, h := range w.hashes {
		old, late := s.of(h)
		for _, ps := range [2][]posting{old, late} {
			if len(ps) > s.size()/frequent && s.size() > few {
				continue
			}
			for _, p := range ps {
				n := s.session[p.doc()]
				if last[n] != int32(i+1) {
					last[n] = int32(i + 1)
					sum[n] += w.weight[h] * float32(k.Session)
				}
			}
		}
	}
	return sum
}

// around is what a fact gets of its neighbours: not more than the best of them has by
// its own words, behind which it stands if it has none.
func (w *wish) around(s *scope, d int32, own []float32, k Weights) float32 {
	if k.Near == 0 {
		return 0
	}
	share := float32(k.Near) * min(1, leanLength/float32(max(1, s.length[d])))
	var sum, top float32
	by := s.leansOf(d)
	for i, n := range s.beside(d) {
		if n >= 0 && s.said[n] <= w.asOf {
			sum += by[i] * own[n]
			top = max(top, own[n])
		}
	}
	return min(share*sum, behind*top)
}

// behind is how much of what it leans on a neighbour has at most. What has by its own
// words less than slight of the best that was found is found by what stands beside it,
// and left out where it has less than far of the best.
const (
	behind = 0.95
	slight = 0.05
	far    = 0.33
)

// neighbours returns what stands beside what was found and was not found itself. Only
// where people talk with each other does what is said next belong to what was said.
func neighbours(s *scope, touched []int32, own []float32) map[int32]bool {
	out := map[int32]bool{}
	for _, d := range touched {
		for _, n := range s.beside(d) {
			if n >= 0 && own[n] == 0 && s.talks(n) {
				out[n] = true
			}
		}
	}
	return out
}

// talks reports whether somebody else spoke just before or after a turn, or asked.
func (s *scope) talks(d int32) bool {
	at := s.beside(d)
	for _, n := range at[1:3] {
		if n >= 0 && (s.speaker[n] != s.speaker[d] || n < d && s.asks[n]) {
			return true
		}
	}
	return false
}

// besides is what who said it, and when, adds.
func (w *wish) besides(s *scope, d int32, k Weights) float32 {
	var sum float64
	if w.names[s.speaker[d]] {
		sum += k.Speaker
	}
	for _, span := range w.days {
		if s.said[d] >= span.from && s.said[d] < span.to {
			sum += k.Date
			break
		}
	}
	return float32(sum * w.ideal)
}

// A search is a wish in several scopes, which it holds open.
type search struct {
	wish
	x       *index
	as      []Audience
	in      []*held
	average float32
	weights Weights
	gone    []map[int32]bool // not given out by the Store, or not fit
	dead    []map[int32]bool // not given out by the Store
}

func (x *index) search(ctx context.Context, as []Audience, text string, now, asOf time.Time, k Weights) (*search, error) {
	as = slices.Clone(as)
	// In one order, so that no two wait for each other.
	slices.SortFunc(as, func(a, b Audience) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID)) })
	as = slices.Compact(as)
	s := &search{wish: wishOf(text, now), x: x, as: as, weights: k}
	if !asOf.IsZero() {
		s.asOf = asOf.Unix()
	}
	for _, a := range as {
		h, err := x.open(ctx, a)
		if err != nil {
			s.close()
			return nil, err
		}
		s.in = append(s.in, h)
		s.gone = append(s.gone, map[int32]bool{})
		s.dead = append(s.dead, map[int32]bool{})
	}
	s.apart = len(s.in) > 1
	s.average = s.weigh(s.in)
	if k.Vector > 0 {
		s.looksLike(ctx, x, text)
	}
	return s, nil
}

// close lets go of the scopes and tells them what was not there any more.
func (s *search) close() {
	for i, h := range s.in {
		h.mu.RUnlock()
		if len(s.dead[i]) == 0 {
			continue
		}
		h.mu.Lock()
		if h.scope != nil {
			for d := range s.dead[i] {
				if int(d) < h.scope.size() {
					h.scope.kill(d)
				}
			}
		}
		h.mu.Unlock()
	}
	s.in = nil
}

// A found is a candidate with its fact.
type found struct {
	candidate
	Numbered
	vector Vector
	known  bool // there is a vector
}

// best returns the best candidates that the Store has and that fit, with what their
// words in order add. It looks again as long as what it found is not there any more.
func (s *search) best(ctx context.Context, most int, fits func(Fact) bool) ([]found, error) {
	var got []found
	for range 6 {
		var all []candidate
		for i, h := range s.in {
			all = append(all, s.find(i, h.scope, s.average, s.weights, most, func(d int32) bool { return s.gone[i][d] })...)
		}
		slices.SortStableFunc(all, bySum)
		all = all[:min(most, len(all))]
		var err error
		missing := 0
		if got, missing, err = s.read(ctx, all, fits); err != nil {
			return nil, err
		}
		if missing == 0 || len(got) >= most/2 {
			break
		}
	}
	return s.refine(got), nil
}

// read fetches candidates.
func (s *search) read(ctx context.Context, all []candidate, fits func(Fact) bool) (got []found, missing int, err error) {
	seqs := make([]int64, len(all))
	at := make(map[int64]candidate, len(all))
	for i, c := range all {
		seqs[i] = s.in[c.in].scope.seqs[c.doc]
		at[seqs[i]] = c
	}
	if len(seqs) == 0 {
		return nil, 0, nil
	}
	facts, err := s.x.store.At(ctx, s.as, seqs)
	if err != nil {
		return nil, 0, fmt.Errorf("read what was found: %w", err)
	}
	there := make(map[int64]bool, len(facts))
	for _, f := range facts {
		c, ok := at[f.Seq]
		there[f.Seq] = true
		if !ok || !slices.Contains(s.as, f.Audience) || !fits(f.Fact) {
			if ok {
				s.gone[c.in][c.doc] = true
				missing++
			}
			continue
		}
		e := found{candidate: c, Numbered: f}
		if f.Model == s.x.model.Name() {
			e.vector, e.known = readVector(f.Vector)
		}
		got = append(got, e)
	}
	for seq, c := range at {
		if !there[seq] {
			s.gone[c.in][c.doc], s.dead[c.in][c.doc] = true, true
			missing++
		}
	}
	return got, missing, nil
}

// refine puts what was read into a better order: by the vectors in full, by pairs of
// terms side by side, by words as they are spelled, and by all of the neighbours.
func (s *search) refine(got []found) []found {
	pairs := make([]map[[2]string]float32, len(s.in))
	own := make([]map[int32]float32, len(s.in))
	for i := range own {
		pairs[i], own[i] = s.pairs(s.in[i].scope), map[int32]float32{}
	}
	weight := float32(s.weights.Vector * s.ideal)
	for _, f := range got {
		var more float32
		if s.alike && f.known && weight > 0 {
			sk := &s.in[f.in].scope.sketches[f.doc]
			promised := max(0, alike[sk.apart(&s.sketch)]-likely)
			if *sk == (sketch{}) {
				promised = 0
			}
			more += weight * (max(0, float32(s.vector.cosine(&f.vector))-likely) - promised)
		}
		if s.weights.Pair > 0 && len(pairs[f.in]) > 0 {
			more += float32(s.weights.Pair) * pairsIn(pairs[f.in], termsOf(f.Fact))
		}
		if s.weights.Form > 0 {
			more += float32(s.weights.Form) * s.formsIn(s.in[f.in].scope, strings.ToLower(f.Text))
		}
		own[f.in][f.doc] = more
	}
	for i := range got {
		f := &got[i]
		sc := s.in[f.in].scope
		f.own += own[f.in][f.doc]
		f.sum += own[f.in][f.doc]
		if s.weights.Near > 0 {
			share := float32(s.weights.Near) * min(1, leanLength/float32(max(1, sc.length[f.doc])))
			by := sc.leansOf(f.doc)
			var sum, top float32
			for i, n := range sc.beside(f.doc) {
				if n >= 0 {
					sum += by[i] * own[f.in][n]
					top = max(top, own[f.in][n])
				}
			}
			f.sum += min(share*sum, behind*top)
		}
	}
	slices.SortStableFunc(got, func(a, b found) int { return bySum(a.candidate, b.candidate) })
	if len(got) == 0 {
		return got
	}
	best, most := got[0].sum, float32(0)
	for _, f := range got {
		most = max(most, f.own)
	}
	return slices.DeleteFunc(got, func(f found) bool { return f.own < slight*most && f.sum < far*best })
}

// pairs are the terms of the question that stand side by side, with what they are
// worth in a scope.
func (s *search) pairs(in *scope) map[[2]string]float32 {
	worth := func(t string) float32 {
		h := hash(t)
		old, late := in.of(h)
		return s.here(in, h, len(old)+len(late))
	}
	out := map[[2]string]float32{}
	for i := 1; i < len(s.terms); i++ {
		a, b := s.terms[i-1], s.terms[i]
		if w := min(worth(a), worth(b)); w > 0 {
			out[[2]string{a, b}] = w
		}
	}
	return out
}

// formsIn is what the words of the question are worth that stand in a text as they are
// spelled: a stem is shared by words that mean something else, like live and living.
func (s *search) formsIn(in *scope, text string) float32 {
	var sum float32
	for form, h := range s.forms {
		if hasWord(text, form) {
			old, late := in.of(h)
			sum += s.here(in, h, len(old)+len(late))
		}
	}
	return sum
}

// hasWord reports whether a text in small letters has a word of ASCII.
func hasWord(text, word string) bool {
	in := func(i int) bool {
		return i >= 0 && i < len(text) && ('a' <= text[i] && text[i] <= 'z' || '0' <= text[i] && text[i] <= '9')
	}
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		if from = i + len(word); !in(i-1) && !in(from) {
			return true
		}
	}
}

func pairsIn(pairs map[[2]string]float32, words []string) float32 {
	var sum float32
	var seen map[[2]string]bool
	for i := 1; i < len(words); i++ {
		p := [2]string{words[i-1], words[i]}
		if w, ok := pairs[p]; ok && !seen[p] {
			if seen == nil {
				seen = map[[2]string]bool{}
			}
			seen[p] = true
			sum += w
		}
	}
	return sum
}
