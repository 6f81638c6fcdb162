package router

import "slices"

// A Term is a word of the team: the name of a system or a report, or what people call
// a figure.
type Term struct {
	Name string   // as people say it, in any language
	Tags []string // what it stands for, such as "source:crm" or "report:R2"
}

// terms finds words of the team in a text. They count as whole words in English; in
// Chinese there are none.
type terms struct {
	tags map[string][]string
	most int // words of the longest
}

// Name tells the Router the words of the team, in place of those it was told before.
func (r *Router) Name(all []Term) {
	t := &terms{tags: map[string][]string{}}
	for _, term := range all {
		if w := split(term.Name); len(w.at) > 0 {
			t.tags[w.text] = append(t.tags[w.text], term.Tags...)
			t.most = max(t.most, len(w.at))
		}
	}
	r.terms.Store(t)
}

// in are the words of the team in a text, and what they stand for.
func (t *terms) in(w words) (named, tags []string) {
	for i := 0; i < len(w.at); i++ {
		for n := min(i+t.most, len(w.at)) - 1; n >= i; n-- {
			name := w.text[w.at[i]:w.end(n)]
			stands, ok := t.tags[name]
			if !ok {
				continue
			}
			if !slices.Contains(named, name) {
				named = append(named, name)
			}
			for _, tag := range stands {
				if !slices.Contains(tags, tag) {
					tags = append(tags, tag)
				}
			}
			i = n
			break
		}
	}
	return named, tags
}

// Names reports whether a text holds a name as Route finds it.
func Names(text, name string) bool {
	n := split(name)
	if len(n.at) == 0 {
		return false
	}
	t := terms{tags: map[string][]string{n.text: nil}, most: len(n.at)}
	named, _ := t.in(split(head(text)))
	return len(named) > 0
}
