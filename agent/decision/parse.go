package decision

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A parser reads JSON as models write it. It goes through the text once, from left
// to right: what a doubtful character means is decided by what stands around it,
// never by trying one meaning and coming back. It cannot fail; what it makes of
// noise is noise, but valid.
type parser struct {
	s     string // valid UTF-8
	i     int
	out   []byte
	stack []list

	fenced   bool // the value stands in a fence of Markdown
	deep     bool // nested too deep: all is given up
	open     int  // lists that the text never closed
	junk     int  // words that have no place in JSON and were left out
	torn     bool // a string ran to the end of the text: the next end with their line
	raw      bool // the next string is r"…" of Python
	hollow   bool // the last string was cut off before anything stood in it
	bareKeys bool // there were keys without quotation marks
	doubles  bool // keys stand in two marks on each side

	first              int  // where the text begins, without white space
	from               int  // where the value begins
	counted            bool // the brackets from there on, for surplus
	countable          bool
	curly, square      int // closing ones less opening ones
	counts             int
	widths, wideColons bool // whether the latter is known

	blocks, tags, lines finder
	braces, brackets    finder
	triples, triples1   finder
	listed              bool
	double, single      []int32 // where quotation marks stand that are not escaped
	looks               int     // at finds that may be prose
	tries               int     // characters read in the hope of strict JSON
	work                int     // characters looked at, to show that the time is linear
}

// A list is an object or an array that is being read.
type list struct {
	kind  byte // '{' or '[': what is written
	shut  byte // what closes it: '}', ']', ')', or 0 for an object that nothing opened
	extra int  // opening braces too many
	n     int  // members written
	at    int  // where it begins in out
	array int  // where the last member begins in out if it is an array, else -1
}

func newParser(s string) *parser {
	p := &parser{s: s}
	p.first = p.skip(0)
	return p
}

// reset makes the parser read from i, as if nothing had been read before.
func (p *parser) reset(i int) {
	p.i, p.out, p.stack, p.deep, p.open, p.torn, p.junk = i, nil, p.stack[:0], false, 0, false, 0
	p.from, p.counted, p.doubles, p.bareKeys = i, false, false, false
}

func (p *parser) top() *list { return &p.stack[len(p.stack)-1] }

// push opens a list. It is false where that would be too deep.
func (p *parser) push(kind, shut byte) bool {
	if len(p.stack) == maxDepth {
		p.deep = true
		return false
	}
	p.stack = append(p.stack, list{kind: kind, shut: shut, at: len(p.out), array: -1})
	p.out = append(p.out, kind)
	return true
}

func (p *parser) pop() {
	shut := byte(']')
	if p.top().kind == '{' {
		shut = '}'
	}
	p.out = append(p.out, shut)
	p.stack = p.stack[:len(p.stack)-1]
}

// value reads what stands next, if it is a value.
func (p *parser) value() bool {
	p.i = p.skip(p.i)
	if p.over(p.i) {
		return false
	}
	m, w := p.mark(p.i)
	at := len(p.out)
	switch m {
	case '{':
		if p.push('{', '}') {
			p.i += w
			p.members()
		}
	case '[':
		if p.push('[', ']') {
			p.i += w
			p.elements()
		}
	case '(':
		p.paren(w)
	case '"':
		p.text()
	case ',', '}', ']', ')', ':':
		return false
	default:
		p.bare()
	}
	return len(p.out) > at
}

// elements reads an array up to and with its end. It returns how many elements
// there are and whether a comma follows the last.
func (p *parser) elements() (n int, comma bool) {
	for {
		p.i = p.skip(p.i)
		if p.over(p.i) {
			p.open++
			break
		}
		m, w := p.mark(p.i)
		switch m {
		case '}', ']', ')':
			n = p.top().n
			if p.closer(m, w) {
				p.pop()
				return n, comma
			}
			continue
		case ',', ':':
			comma = true
			p.i += w
			continue
		}
		if dots := p.ellipsis(p.i); dots > 0 {
			p.i += dots
			continue
		}
		if p.unclosed(m) {
			break
		}
		if p.top().n > 0 {
			p.out = append(p.out, ',')
		}
		at := len(p.out)
		if p.hollow = false; !p.value() || p.hollow {
			p.forget(at)
			continue
		}
		p.top().n++
		comma = false
		if m == '"' || m == 'a' {
			p.implied(at)
		}
	}
	n = p.top().n
	p.pop()
	return n, comma
}

// unclosed reports whether the list that is being read has lost its end before the
// thing at i: a key in an array, or a brace where a key should be.
func (p *parser) unclosed(m byte) bool {
	here := len(p.stack) - 1
	if here < 1 || p.stack[here-1].kind == p.stack[here].kind {
		return false
	}
	surplus := p.surplus(p.stack[here].shut)
	switch {
	case p.stack[here].kind == '[' && (m != '"' && m != 'a' || !p.keyAt(p.i)):
		return false
	case surplus == nil || *surplus >= 0 || p.stack[here].kind == '[' && p.curly > 0:
		return false
	}
	*surplus++
	return true
}

// forget takes back a comma for which no member came.
func (p *parser) forget(at int) {
	if p.top().n > 0 {
		at--
	}
	p.out = p.out[:at]
}

// implied makes an object of an element that turns out to be a key: its opening
// brace is missing.
func (p *parser) implied(at int) {
	i := p.skip(p.i)
	m, w := p.mark(i)
	if m != ':' || p.out[at] != '"' || len(p.stack) == maxDepth {
		return
	}
	p.out = slices.Insert(p.out, at, '{')
	p.stack = append(p.stack, list{kind: '{', shut: '}', at: at, array: -1, n: 1})
	p.i = i + w
	p.member()
	p.members()
}

// paren reads what stands in parentheses: one value in them is that value, more
// are an array.
func (p *parser) paren(w int) {
	at := len(p.out)
	if !p.push('[', ')') {
		return
	}
	p.i += w
	if n, comma := p.elements(); n == 1 && !comma {
		p.work += len(p.out) - at
		p.out = slices.Delete(p.out, at, at+1)
		p.out = p.out[:len(p.out)-1]
	}
}

// ellipsis is the length of dots that stand for more of the same at i, or 0.
func (p *parser) ellipsis(i int) int {
	switch rest := p.s[i:]; {
	case strings.HasPrefix(rest, "..."):
		return 3
	case strings.HasPrefix(rest, "…"):
		return len("…")
	}
	return 0
}

func (p *parser) rune(i int) (rune, int) { return utf8.DecodeRuneInString(p.s[i:]) }
