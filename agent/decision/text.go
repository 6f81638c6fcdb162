package decision

import (
	"strings"
	"unicode/utf8"
)

// A place is what a string stands in.
type place int

const (
	inRoot place = iota
	inKey
	inMember // the value of a key
	inElement
)

func (p *parser) place() place {
	switch {
	case len(p.stack) == 0:
		return inRoot
	case p.top().kind == '{':
		return inMember
	default:
		return inElement
	}
}

// text reads a string that is a value, and what is added to it (with +, or because
// it goes on in the next line).
func (p *parser) text() {
	if p.embedded() {
		return
	}
	in := p.place()
	p.str(in)
	for {
		i := p.skip(p.i)
		if i >= len(p.s) {
			return
		}
		plus := p.s[i] == '+'
		if plus {
			i = p.skip(i + 1)
		} else if in != inMember || i == p.i {
			return
		}
		if m, _ := p.mark(i); m != '"' || p.over(i) || !plus && p.keyAt(i) {
			return
		}
		p.i = i
		p.out = p.out[:len(p.out)-1]
		p.read(in)
		p.out = append(p.out, '"')
	}
}

// str reads the string at i.
func (p *parser) str(in place) {
	p.out = append(p.out, '"')
	p.read(in)
	p.out = append(p.out, '"')
}

// embedded reads JSON that was put in quotation marks without escaping its own:
// "{"a": 1}" is a string, "```json {"a": 1}```" is what is fenced.
func (p *parser) embedded() bool {
	i := p.i + 1
	if p.s[p.i] != '"' || i >= len(p.s) {
		return false
	}
	fenced := strings.HasPrefix(p.s[i:], "```")
	if fenced {
		i += 3
		for i < len(p.s) && 'a' <= p.s[i] && p.s[i] <= 'z' {
			i++
		}
		i = blank(p.s, i)
	}
	if i >= len(p.s) || p.s[i] != '{' && p.s[i] != '[' {
		return false
	}
	k := blank(p.s, i+1)
	if k >= len(p.s) || p.s[k] != '"' || p.tries > 4*len(p.s) {
		return false
	}
	whole := span{p: p, in: p.place(), quote: '"'}
	if after := p.skip(k + 1); after >= len(p.s) || whole.clean(after) {
		return false // a string that is a bracket
	}
	end, ok := strict(p.s, i)
	p.tries += end - i
	p.work += end - i
	if !ok {
		return false
	}
	next := end
	if fenced {
		if next = blank(p.s, next); !strings.HasPrefix(p.s[next:], "```") {
			return false
		}
		next += 3
	}
	if next >= len(p.s) || p.s[next] != '"' || !p.fits(len(p.stack)-1, next+1) {
		return false
	}
	if fenced {
		p.out = append(p.out, p.s[i:end]...)
	} else {
		p.out = append(p.out, '"')
		p.emit(p.s[i:end], escapes{raw: true})
		p.out = append(p.out, '"')
	}
	p.i = next + 1
	return true
}

// read reads the string at i without writing the quotation marks around it.
func (p *parser) read(in place) {
	s := span{p: p, in: in, colon: -1}
	raw := p.raw
	p.raw = false
	if p.s[p.i] == '\\' {
		s.escaped = true
		p.i++
	}
	q, w := p.rune(p.i)
	s.quote, s.start = q, p.i+w
	if p.triple(q) {
		return
	}
	s.path = drive(p.s[s.start:])
	if s.doubled() {
		return
	}
	end, next, torn := s.find()
	p.work += end - s.start + 1
	p.hollow = torn && end <= s.start
	if in == inKey {
		end = s.start + len(strings.TrimRight(p.s[s.start:end], "\r\n"))
	}
	p.emit(p.s[s.start:end], escapes{quote: q, raw: raw, path: s.path, torn: torn})
	p.i = next
}

// triple reads a string of Python in three quotation marks.
func (p *parser) triple(q rune) bool {
	if q != '"' && q != '\'' {
		return false
	}
	three := strings.Repeat(string(q), 3)
	if !strings.HasPrefix(p.s[p.i:], three) {
		return false
	}
	f := &p.triples
	if q == '\'' {
		f = &p.triples1
	}
	end := f.after(p, p.i+3, three)
	if end >= len(p.s) {
		return false
	}
	p.emit(p.s[p.i+3:end], escapes{quote: q})
	p.i = end + 3
	return true
}

// drive reports whether s begins as a path of Windows whose backslashes are not
// escaped: one of them begins no escape, or there are several and nothing but names
// between them.
func drive(s string) bool {
	if len(s) < 4 || s[1] != ':' || s[2] != '\\' || s[3] == '\\' || s[3] == '"' || s[0]|0x20 < 'a' || 'z' < s[0]|0x20 {
		return false
	}
	n, names := 0, 'C' <= s[0] && s[0] <= 'Z'
	for i := 2; i < len(s) && i < 260; i++ {
		switch c := s[i]; {
		case c == '"' || c == '\n':
			return names && n > 1
		case c == '\\':
			n++
			switch {
			case i+1 == len(s) || s[i+1] == '"':
			case s[i+1] == '\\':
				return false
			case escape(s, i) == 0:
				return true
			}
		case c < utf8.RuneSelf && strings.IndexByte("._-()", c) < 0 && digits(s, i) == i && (c|0x20 < 'a' || 'z' < c|0x20):
			names = false
		}
	}
	return false
}

// doubled reads a string that is empty, or skips the second of two quotation marks
// at the start of one. It is true for the former.
func (s *span) doubled() bool {
	p := s.p
	r, w := p.rune(s.start)
	if r != s.quote || s.start >= len(p.s) || s.escaped {
		return false
	}
	i := p.skip(s.start + w)
	m, _ := p.mark(i)
	switch {
	case s.in == inMember && i > s.start+w && p.bareKeyAt(i), p.over(i), m == ',', m == ':', m == '}', m == ']', m == ')', m == '"' && i > s.start+w, i < len(p.s) && p.s[i] == '+':
		p.i = s.start + w
		return true
	}
	s.twice, s.inner = true, true
	return false
}
