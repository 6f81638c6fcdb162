package decision

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// bare reads a value without quotation marks: a number, a word of JSON, Python or
// JavaScript, a call such as ObjectId("…"), or a text.
func (p *parser) bare() {
	if n := p.prefix(); n > 0 {
		p.raw = strings.ContainsAny(p.s[p.i:p.i+n], "rR")
		p.i += n
		p.str(p.place())
		return
	}
	if n := p.callee(); n > 0 {
		p.i += n
		p.paren(1)
		return
	}
	began := p.i
	end, next := p.bareEnd()
	if next <= began {
		// A character that nothing can begin with.
		_, w := p.rune(p.i)
		p.i += w
		p.junk++
		return
	}
	p.work += next - began
	p.i = next
	token := strings.TrimFunc(p.s[began:end], space)
	if token == "" {
		p.junk++
		return
	}
	if next > end && p.s[end] == '"' {
		// It has lost its first quotation mark only.
		if _, ok := literal(token); !ok {
			if _, ok = number(token); !ok {
				p.out = append(p.out, '"')
				p.emit(token, escapes{quote: '"'})
				p.out = append(p.out, '"')
				return
			}
		}
	}
	p.scalar(token, end == len(p.s))
}

// bareEnd returns where a value without quotation marks ends, and where to read on.
func (p *parser) bareEnd() (end, next int) {
	in := p.place()
	var nest []byte // brackets opened in the value
	i := p.i
	if p.s[i] == '/' {
		if end := p.regexp(i); end > 0 {
			return end, end
		}
	}
	if in == inElement && p.bareKeyAt(i) {
		// The key of an object whose brace is missing.
		colon := strings.IndexAny(p.s[i:min(len(p.s), i+maxKey)], ":：")
		return i + colon, i + colon
	}
	for i < len(p.s) {
		if i > p.i && p.over(i) {
			break
		}
		if p.s[i] == '\n' {
			k := p.skip(i)
			if p.lineEnds(in, k) {
				break
			}
			i = k
			continue
		}
		if i > p.i && p.commentAt(i) {
			break
		}
		if p.s[i] == '\\' && i+1 < len(p.s) {
			_, w := p.rune(i + 1)
			i += 1 + w
			continue
		}
		m, w := p.mark(i)
		if p.s[i] == ' ' && p.parted(in, i) {
			return i, i
		}
		switch m {
		case ',':
			if p.commaEnds(in, i, i+w, len(nest) > 0) {
				return i, i
			}
		case '{', '[', '(':
			nest = append(nest, m)
		case '}', ']', ')':
			if len(nest) > 0 && opener(m) == nest[len(nest)-1] {
				nest = nest[:len(nest)-1]
			} else if m != ')' || p.within(')') {
				return i, i
			}
		case '"':
			if end, next := p.quoteEnds(in, i, w); next > 0 {
				p.junk += len(nest)
				return end, next
			}
		case 'a':
			if p.s[i] == ';' && in != inRoot && i > p.i && p.fits(len(p.stack)-1, i+1) {
				return i, i + 1
			}
		}
		i += w
	}
	return i, i
}

// parted reports whether a number or a word of JSON ends at i, with another value
// after it: the comma is missing.
func (p *parser) parted(in place, i int) bool {
	if i-p.i > 32 || in == inRoot {
		return false
	}
	_, word := literal(p.s[p.i:i])
	_, num := number(p.s[p.i:i])
	if !word && !num || in == inMember {
		return (word || num) && p.bareKeyAt(i+1)
	}
	m, _ := p.mark(i + 1)
	return m == '{' || m == '[' || p.plainAt(i+1)
}

func opener(m byte) byte {
	switch m {
	case '}':
		return '{'
	case ']':
		return '['
	default:
		return '('
	}
}

// lineEnds reports whether a value ends with its line; the text goes on at k.
func (p *parser) lineEnds(in place, k int) bool {
	if in != inMember {
		return true
	}
	m, _ := p.mark(k)
	return p.over(k) || m == '}' || m == ']' || m == '"' || m == ',' || p.keyAt(k)
}

// commentAt reports whether a comment ends a value at i: not the slashes of an
// address.
func (p *parser) commentAt(i int) bool {
	rest := p.s[i:]
	switch rest[0] {
	case '/':
		return strings.HasPrefix(rest, "/*") || strings.HasPrefix(rest, "//") && space(rune(p.s[i-1]))
	case '<':
		return strings.HasPrefix(rest, "<!--")
	case '#':
		return space(rune(p.s[i-1])) && len(rest) > 1 && rest[1] == ' '
	}
	return false
}

// commaEnds reports whether a value ends at the comma at i, and is not a text that
// has one.
func (p *parser) commaEnds(in place, i, next int, nested bool) bool {
	b := p.skip(next)
	m, _ := p.mark(b)
	switch {
	case in == inElement, in == inRoot:
		return !nested || p.over(b)
	case p.over(b), m == '}', m == ']', m == ',', m == '"' && (!nested || p.keyAt(b)), p.ellipsis(b) > 0, p.keyAt(b):
		return true
	case nested:
		return false
	case m == '{', m == '[', strings.IndexByte(p.s[next:b], '\n') >= 0:
		return true
	}
	if i-p.i > 40 {
		return false
	}
	token := strings.TrimFunc(p.s[p.i:i], space)
	if _, ok := literal(token); ok {
		return true
	}
	if _, ok := number(token); !ok {
		return false
	}
	// 1,234 is a text, for nobody knows what it was to be.
	k := digits(p.s, next)
	return k-next != 3
}

// quoteEnds says what a quotation mark is to a value that did not begin with one:
// the beginning of the next key, or an end without beginning. next is 0 if it is
// neither.
func (p *parser) quoteEnds(in place, i, w int) (end, next int) {
	if i == p.i {
		return 0, 0
	}
	if in == inRoot {
		if p.skip(i+w) == len(p.s) {
			return i, i + w
		}
		return 0, 0
	}
	if p.keyAt(i) {
		return i, i
	}
	prev, _ := utf8.DecodeLastRuneInString(p.s[p.i:i])
	following, _ := p.rune(i + w)
	if p.fits(len(p.stack)-1, i+w) && !(p.s[i] == '\'' && in == inMember && p.ahead(i+w, '\'') >= 0) {
		return i, i + w
	}
	if p.s[i] != '"' {
		return 0, 0
	}
	switch {
	case space(prev):
		if in == inElement && p.elementAt(i) {
			return i, i
		}
	case !space(following) && !unicode.IsDigit(prev):
		// What stands between this mark and the next is of nobody.
		p.junk++
		if k := p.ahead(i+w, '"'); k >= 0 && k-i < maxKey && p.fits(len(p.stack)-1, k+1) {
			return i, k + 1
		}
		return i, i + w
	}
	return 0, 0
}
