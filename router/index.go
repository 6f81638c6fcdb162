package router

import (
	"slices"
	"strings"
)

// A Rule takes every message that has one of its phrases and none of those that
// speak against it. Phrases are written in small letters without marks. One that
// begins with "^" must begin the text, but for polite words; one that begins with
// "=" must be all of it; of any other it is enough that it stands somewhere.
type Rule struct {
	Name       string
	Kind       Kind
	Confidence float64
	Any        []string
	Unless     []string
}

// An index finds the phrases of all rules in one pass over a text, so that a
// hundred phrases more cost nothing.
type index struct {
	rules   []Rule
	phrases map[string][]mark
	polite  map[string]bool
	most    int // words of the longest phrase
}

type mark struct {
	rule  int
	part  part
	where byte // '^', '=' or 0
}

// A part is the list of a rule that a phrase stands in.
type part byte

const (
	asAny part = iota
	asUnless
)

func newIndex(rules []Rule) *index {
	x := &index{rules: rules, phrases: map[string][]mark{}, polite: map[string]bool{}}
	for _, p := range politeWords {
		x.polite[p] = true
	}
	for i, r := range rules {
		x.add(i, asAny, r.Any)
		x.add(i, asUnless, r.Unless)
	}
	return x
}

func (x *index) add(rule int, as part, phrases []string) {
	for _, p := range phrases {
		m := mark{rule: rule, part: as}
		if p != "" && (p[0] == '^' || p[0] == '=') {
			m.where, p = p[0], p[1:]
		}
		w := split(p)
		if w.text == "" {
			continue
		}
		x.most = max(x.most, len(w.at))
		if !slices.Contains(x.phrases[w.text], m) {
			x.phrases[w.text] = append(x.phrases[w.text], m)
		}
	}
}

// match returns the first rule that takes the text, with the words that decided.
func (x *index) match(w words) (*Rule, []string) {
	first := x.first(w)
	hit := make([][]string, len(x.rules))
	against := make([]bool, len(x.rules))
	for i := range w.at {
		for n := i; n < len(w.at) && n < i+x.most; n++ {
			phrase := w.text[w.at[i]:w.end(n)]
			for _, m := range x.phrases[phrase] {
				r := m.rule
				switch {
				case m.where == '^' && i != first && i != 0, m.where == '=' && (i != first && i != 0 || n != len(w.at)-1):
				case m.part == asUnless:
					against[r] = true
				default:
					hit[r] = append(hit[r], phrase)
				}
			}
		}
	}
	for i := range x.rules {
		if hit[i] != nil && !against[i] {
			return &x.rules[i], hit[i]
		}
	}
	return nil, nil
}

// first is the first word that is not merely polite.
func (x *index) first(w words) int {
	i := 0
next:
	for i < len(w.at) {
		for n := min(i+3, len(w.at)-1); n >= i; n-- {
			if x.polite[w.text[w.at[i]:w.end(n)]] && n+1 < len(w.at) {
				i = n + 1
				continue next
			}
		}
		break
	}
	return i
}

// list splits a line of phrases at its bars.
func list(lines ...string) []string {
	var all []string
	for _, l := range lines {
		for p := range strings.SplitSeq(l, "|") {
			if p = strings.TrimSpace(p); p != "" {
				all = append(all, p)
			}
		}
	}
	return all
}

// each puts a prefix before every phrase.
func each(prefix string, phrases []string) []string {
	out := make([]string, len(phrases))
	for i, p := range phrases {
		out[i] = prefix + p
	}
	return out
}
