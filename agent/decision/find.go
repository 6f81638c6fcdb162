package decision

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// look finds the values in a text, each once and in order. Those inside of others
// are not listed.
func look(text string, work *int) sight {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	if inner, ok := unescaped(text); ok {
		text = inner
	}
	l := sight{text: text, whole: true}
	p := newParser(text)
	if work != nil {
		defer func() { *work = p.work }()
	}
	rest := 0 // where what has not been looked at begins
	for i := 0; i < len(text); {
		j := p.candidate(i)
		if j < 0 {
			break
		}
		f, ok := p.find(j)
		if p.deep {
			return sight{deep: true}
		}
		if f.mended && p.junk > 0 && !f.fenced && !trifle(text[rest:j]) {
			f = p.better(f)
		}
		i = f.end
		if !ok {
			continue
		}
		j = f.start
		f.line = f.fenced || trifle(strings.TrimLeft(text[rest+strings.LastIndexByte(text[rest:j], '\n')+1:j], " \t-*"))
		l.whole = l.whole && trifle(text[rest:j])
		l.finds = append(l.finds, f)
		rest = f.end
	}
	l.whole = l.whole && trifle(text[rest:])
	if len(l.finds) == 0 || !l.whole && quoted(text) && text[1] != '{' {
		if f, ok := p.scalars(); ok {
			return sight{text: text, finds: f, whole: true}
		}
	}
	return l
}

// candidate returns the next place at or after i at which a value begins, or -1.
func (p *parser) candidate(i int) int {
	if i <= p.first && p.first < len(p.s) && !p.over(p.first) {
		// An object whose first brace is missing, as where the prompt had it.
		if m, _ := p.mark(p.first); m == '"' && p.keyAt(p.first) {
			return p.first
		}
	}
	for ; i < len(p.s); i++ {
		p.work++
		switch c := p.s[i]; {
		case c == '{' || c == '[':
		case c == "｛"[0] && (strings.HasPrefix(p.s[i:], "｛") || strings.HasPrefix(p.s[i:], "［")):
		default:
			continue
		}
		if p.begins(i) {
			return i
		}
	}
	return -1
}

// begins reports whether the bracket at i is that of a value rather than of prose.
func (p *parser) begins(i int) bool {
	m, w := p.mark(i)
	k := p.skip(i + w)
	if k >= len(p.s) || p.ellipsis(k) > 0 {
		return p.first == i || p.fencedAt(i)
	}
	next, _ := p.mark(k)
	if m == '{' {
		switch next {
		case '"', '}', '{':
			return true
		case 'a':
			return p.keyAt(k) || p.numberedKeyAt(k) || p.first == i && strings.HasSuffix(strings.TrimRight(p.s, " \n`"), "}")
		}
		return strings.HasPrefix(p.s[k:], "```")
	}
	switch next {
	case '{', '[', '"', ']', '(':
		return true
	case 'a':
		if c := p.s[k]; c == '-' || c == '.' || digits(p.s, k) > k {
			return true
		}
		if _, ok := literal(p.s[k:p.name(k)]); ok {
			return true
		}
		// Words in brackets are a list only if they are all there is.
		end := strings.TrimRight(p.s, " \t\r\n,;`")
		return p.first == i && strings.HasSuffix(end, "]")
	}
	return p.first == i
}

// numberedKeyAt reports whether a key made of digits stands at i.
func (p *parser) numberedKeyAt(i int) bool {
	end := digits(p.s, i)
	return end > i && p.colonAt(end)
}

// find reads the value at i. It is false where there is none.
func (p *parser) find(i int) (find, bool) {
	f := find{start: i, fenced: p.fencedAt(i)}
	if p.s[i] != '"' && p.tries <= 4*len(p.s) {
		end, ok := strict(p.s, i)
		p.tries += end - i
		p.work += end - i
		if ok && !p.goesOn(i, end) {
			f.raw, f.end = json.RawMessage(p.s[i:end]), end
			return f, true
		}
	}
	p.reset(i)
	p.fenced, f.mended = f.fenced, true
	if m, _ := p.mark(i); m == '"' {
		p.push('{', 0)
		p.members()
	} else {
		p.value()
	}
	f.raw, f.end, f.open = json.RawMessage(p.out), max(p.i, i+1), p.open
	return f, len(f.raw) > 0
}

// better returns the good JSON in a find that began with a bracket of prose, or the
// find. Few are looked into.
func (p *parser) better(f find) find {
	for n, k := 0, f.start; n < 4 && p.looks < 32 && p.tries <= 4*len(p.s); n++ {
		at := strings.IndexByte(p.s[k+1:f.end], '{')
		if at < 0 {
			break
		}
		k += 1 + at
		p.looks++
		end, ok := strict(p.s, k)
		p.tries += end - k
		p.work += end - k
		if ok && end > k+2 {
			return find{raw: json.RawMessage(p.s[k:end]), start: k, end: end}
		}
	}
	return f
}

// goesOn reports whether members follow an object that is closed already.
func (p *parser) goesOn(i, end int) bool {
	if p.s[i] != '{' {
		return false
	}
	k := p.skip(end)
	m, w := p.mark(k)
	if m != ',' {
		return false
	}
	k = p.skip(k + w)
	m, _ = p.mark(k)
	return m == '"' && p.keyAt(k)
}

// fencedAt reports whether a fence of Markdown opens right before i.
func (p *parser) fencedAt(i int) bool {
	s := strings.TrimRight(p.s[max(0, i-64):i], " \t\r\n")
	n := strings.LastIndex(s, "```")
	return n >= 0 && strings.IndexFunc(s[n+3:], func(r rune) bool {
		return (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r) && (r < '0' || '9' < r) && r != '_'
	}) < 0
}

// scalars reads values that are no lists: only if they are all there is.
func (p *parser) scalars() ([]find, bool) {
	var finds []find
	p.reset(0)
	for {
		p.i = p.skip(p.i)
		if p.i >= len(p.s) {
			return finds, len(finds) > 0
		}
		m, w := p.mark(p.i)
		if len(finds) > 0 && (m == ',' || p.s[p.i] == ';' || m == ')') {
			p.i += w
			continue
		}
		if m == '{' || m == '[' || p.over(p.i) {
			return nil, false
		}
		p.out, p.hollow = nil, false
		began := p.i
		if !p.value() || p.hollow || p.deep || p.junk > 0 || p.i <= began {
			return nil, false
		}
		finds = append(finds, find{raw: json.RawMessage(p.out), start: began, end: p.i, mended: true, open: p.open})
	}
}
