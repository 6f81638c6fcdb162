package bot

import "strings"

// A Span is a part of a text, in bytes.
type Span struct{ From, To int }

// A phrase is words of ours with the names of people in them. What models, tools and
// people write stands in it as well, and names nobody.
type phrase struct {
	text  string
	names []Span
}

// naming is a sentence of ours that has the names in it, in that order. Each is looked
// for after the one before it, so they stand before what is not ours.
func naming(text string, names ...string) phrase {
	p := phrase{text: text}
	at := 0
	for _, n := range names {
		i := strings.Index(text[at:], n)
		if n == "" || i < 0 {
			continue
		}
		p.names = append(p.names, Span{at + i, at + i + len(n)})
		at += i + len(n)
	}
	return p
}

// Alone is where a person can be told something that is for nobody else; false if their
// platform has no such place.
func (b *Bot) Alone(person string) (Place, bool) {
	platform, _, _ := strings.Cut(person, ":")
	c, ok := b.Chats[platform].(Confidant)
	if !ok {
		return Place{}, false
	}
	return c.Alone(person), true
}

// then is the phrase with more after it.
func (p phrase) then(more phrase) phrase {
	return phrase{p.text + more.text, append(p.names[:len(p.names):len(p.names)], shifted(more.names, len(p.text))...)}
}

// shifted are spans of a text after n bytes of another.
func shifted(spans []Span, n int) []Span {
	var out []Span
	for _, s := range spans {
		out = append(out, Span{s.From + n, s.To + n})
	}
	return out
}

// after puts a phrase under the text of a Post, and before over it.
func (p *Post) after(q phrase) {
	all := phrase{p.Text, p.Names}.then(q)
	p.Text, p.Names = all.text, all.names
}

func (p *Post) before(q phrase) {
	all := q.then(phrase{p.Text, p.Names})
	p.Text, p.Names = all.text, all.names
}
