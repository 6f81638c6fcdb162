package memory

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// The weights of Rank. They were found on questions of several kinds in English
// and Chinese and are not sensitive: half or twice each changes little.
const (
	bm25K      = 1.2  // how fast a repeated term stops to count
	bm25B      = 0.5  // how much a long text is worth less; notes are short anyhow
	commonness = 0.08 // what a common word weighs of a rare one
	pairBonus  = 1.0  // two terms of the question side by side in the text
	storeShare = 0.25 // what the store's own order is worth
)

// widest is how many words Widen gives: a Store looks for so many and no more.
const widest = 40

// Widen returns text as a question for a Store, which compares words as they are
// written: without the words that say nothing, and then with their stems and
// irregular forms.
func Widen(text string) string {
	var out, more []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '\'' && r != '’' && r != '-'
	}) {
		w = strings.TrimSuffix(strings.Trim(w, "'’-"), "'s")
		if w == "" || common[w] {
			continue
		}
		out = append(out, w)
		if len(w) < 3 || !ascii(w) {
			continue
		}
		s := Stem(w)
		for _, f := range append([]string{s}, irregularOf[s]...) {
			if f != w {
				more = append(more, f)
			}
		}
		if len(s) == 3 && s != w {
			more = append(more, s+"e", s+"es", s+"ed", s+"ing", s+"s")
		}
	}
	if len(out) == 0 {
		return text
	}
	out = append(out, more...)
	return strings.Join(out[:min(widest, len(out))], " ")
}

// Rank puts what a Store found into a better order and gives it new scores: by
// terms and pairs of terms that it shares with the text, each weighed by how rare
// it is among what was found.
func Rank(text string, found []Scored) []Scored { return rank(text, found, termsOf) }

// rank is Rank with a way to get the terms of a Fact.
func rank(text string, found []Scored, read func(Fact) []string) []Scored {
	if len(found) == 0 {
		return found
	}
	docs := make([][]string, len(found))
	for i, s := range found {
		docs[i] = read(s.Fact)
	}
	score := bm25(terms(text), docs)
	best, top := found[0].Score, slices.Max(score)
	for _, s := range found {
		best = max(best, s.Score)
	}
	out := slices.Clone(found)
	for i := range out {
		own := score[i]
		if best > 0 {
			own += storeShare * top * max(0, out[i].Score/best)
		}
		out[i].Score = own
	}
	slices.SortStableFunc(out, byScore)
	return out
}

func byScore(a, b Scored) int { return cmp.Compare(b.Score, a.Score) }

// termsOf returns the terms of a Fact: its words, with the object and a subject
// that is a word where the words do not have them.
func termsOf(f Fact) []string {
	text := f.Text
	if !strings.Contains(text, f.Object) {
		text += " " + f.Object
	}
	if !strings.Contains(f.Subject, ":") {
		text += " " + f.Subject
	}
	return terms(text)
}

// bm25 scores texts by the terms of a question.
func bm25(question []string, docs [][]string) []float64 {
	// asked numbers the terms of the question.
	asked := map[string]int{}
	var names []string
	pairs := map[[2]int]bool{}
	before := -1
	for _, t := range question {
		if _, ok := asked[t]; !ok {
			asked[t] = len(names)
			names = append(names, t)
		}
		if before >= 0 {
			pairs[[2]int{before, asked[t]}] = true
		}
		before = asked[t]
	}
	type seen struct {
		counts []int
		pairs  [][2]int
	}
	hits, df, length := make([]seen, len(docs)), make([]int, len(names)), 0
	for i, d := range docs {
		h := seen{counts: make([]int, len(names))}
		before := -1
		for _, t := range d {
			n, ok := asked[t]
			if !ok {
				before = -1
				continue
			}
			h.counts[n]++
			if p := [2]int{before, n}; pairs[p] && !slices.Contains(h.pairs, p) {
				h.pairs = append(h.pairs, p)
			}
			before = n
		}
		for n, c := range h.counts {
			if c > 0 {
				df[n]++
			}
		}
		hits[i] = h
		length += len(d)
	}
	weight := make([]float64, len(names))
	for n, t := range names {
		weight[n] = math.Log(1 + (float64(len(docs)-df[n])+0.5)/(float64(df[n])+0.5))
		if common[t] {
			weight[n] *= commonness
		}
	}
	average := float64(max(1, length)) / float64(len(docs))
	score := make([]float64, len(docs))
	for i, h := range hits {
		norm := bm25K * (1 - bm25B + bm25B*float64(len(docs[i]))/average)
		for n, c := range h.counts {
			if c > 0 {
				score[i] += weight[n] * float64(c) * (bm25K + 1) / (float64(c) + norm)
			}
		}
		for _, p := range h.pairs {
			score[i] += pairBonus * min(weight[p[0]], weight[p[1]])
		}
	}
	return score
}
