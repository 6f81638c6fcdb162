package rules

import "strings"

// A noun is a declared word in Latin letters that people may misspell.
type noun struct {
	word  string
	entry entry
}

// shortest is how long a word must be for one wrong letter in it to be a slip.
const shortest = 5

// nounsOf are the single words that mean measures and dimensions. Verbs and names
// are none: a slip in "post" or in a customer must not decide what is done.
func nounsOf(v Vocabulary) []noun {
	var all []noun
	collect := func(t Term, k kind) {
		for _, w := range append([]string{t.Name, t.Label.En}, t.Words...) {
			w = strings.ToLower(w)
			if len(w) >= shortest && ascii(w) && !strings.ContainsAny(w, " -_") {
				all = append(all, noun{w, entry{kind: k, name: t.Name}})
			}
		}
	}
	for _, t := range v.Measures {
		collect(t, measure)
	}
	for _, t := range v.Dimensions {
		if !timeDimension(t.Name) {
			collect(t, dimension)
		}
	}
	return all
}

// spelled makes an unknown word what it would be but for one slip of the pen, if
// that can only be one thing.
func (s scanner) spelled(word string, t token) token {
	if len(word) < shortest || !ascii(word) {
		return t
	}
	var found *entry
	for i, n := range s.nouns {
		if n.word[0] != word[0] || !oneSlip(word, n.word) && !oneSlip(word, n.word+"s") {
			continue
		}
		if found != nil && *found != n.entry {
			return t
		}
		found = &s.nouns[i].entry
	}
	if found != nil {
		t.kind, t.name, t.in = found.kind, found.name, found.in
	}
	return t
}

// oneSlip says whether a letter too many, too few, another, or two swapped, is all
// the difference.
func oneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) {
		return true
	}
	return a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
