package tool

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// shortlist returns which tools fit a request best, in their own order. A model
// that is told of too many chooses worse, and reads long.
func shortlist(tools []Tool, text string, most int, keep []string) []int {
	if most <= 0 {
		most = mostTold
	}
	ranks := make([]int, len(tools))
	for i := range tools {
		ranks[i] = i
	}
	if len(tools) <= most {
		return ranks
	}
	bags := make([]map[string]float64, len(tools))
	spread := map[string]int{} // in how many tools a word stands
	for i, t := range tools {
		bags[i] = bag(t.Spec())
		for w := range bags[i] {
			spread[w]++
		}
	}
	request := map[string]bool{}
	for _, w := range terms(text) {
		request[w] = true
	}
	score := make([]float64, len(tools))
	for i, t := range tools {
		for w := range request {
			if weight := bags[i][w]; weight > 0 {
				score[i] += weight * math.Log(1+float64(len(tools))/float64(spread[w]))
			}
		}
		if s := t.Spec(); s.Always || slices.Contains(keep, s.Name) {
			score[i] = math.Inf(1)
		}
	}
	slices.SortStableFunc(ranks, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	var chosen []int
	bytes := 0
	for rank, i := range ranks {
		size := weight(tools[i].Spec())
		fits := len(chosen) < most && (rank < surely || bytes+size <= maxTold)
		if fits || math.IsInf(score[i], 1) {
			chosen, bytes = append(chosen, i), bytes+size
		}
	}
	slices.Sort(chosen)
	return chosen
}

// Of more tools than are told, those that fit worse stay out where all together would
// take more than maxTold bytes, which is what 6 KB leave beside the system prompt. The
// first ones are told however large they are.
const (
	maxTold = 5000
	surely  = 4
)

// weight is what a tool takes of what a model reads, without its Live part, about as a
// vendor's protocol writes it.
func weight(s Spec) int {
	s.Live = ""
	const around = 70
	return len(s.Name) + len(s.Text()) + len(s.Schema) + around
}

// bag is the words of a tool with what they weigh: a name says more than a remark.
func bag(s Spec) map[string]float64 {
	b := map[string]float64{}
	add := func(text string, weight float64) {
		for _, w := range terms(text) {
			b[w] = max(b[w], weight)
		}
	}
	add(s.Description+" "+s.Restrictions, 1)
	if n, err := compile(s.Schema); err == nil {
		add(strings.Join(n.order, " "), 2)
		for _, p := range n.props {
			add(p.describe, 1)
		}
	}
	add(s.Name+" "+strings.Join(s.Words, " "), 3)
	return b
}

// hollow are words that say nothing of what is wanted.
var hollow = map[string]bool{
	"the": true, "a": true, "an": true, "of": true, "to": true, "in": true, "on": true, "for": true, "and": true, "or": true, "is": true,
	"are": true, "it": true, "its": true, "me": true, "my": true, "we": true, "our": true, "you": true, "your": true, "please": true,
	"with": true, "this": true, "that": true, "what": true, "how": true, "can": true, "do": true, "be": true, "not": true, "at": true,
	"by": true, "from": true, "as": true, "if": true, "use": true, "tool": true,
}

// terms are the words of a text: in Latin letters without the s of a plural, and of
// Han each character with the next.
func terms(text string) []string {
	var all []string
	var latin, han []rune
	flush := func() {
		if w := strings.TrimSuffix(string(latin), "s"); len(w) > 1 && !hollow[string(latin)] {
			all = append(all, w)
		}
		if len(han) == 1 {
			all = append(all, string(han))
		}
		for i := 0; i+1 < len(han); i++ {
			all = append(all, string(han[i:i+2]))
		}
		latin, han = nil, nil
	}
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.Is(unicode.Han, r):
			if len(latin) > 0 {
				flush()
			}
			han = append(han, r)
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if len(han) > 0 {
				flush()
			}
			latin = append(latin, r)
		default:
			flush()
		}
	}
	flush()
	return all
}
