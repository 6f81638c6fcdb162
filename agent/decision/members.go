package decision

import (
	"slices"
	"strings"
)

// members reads an object up to and with its end.
func (p *parser) members() {
	for {
		p.i = p.skip(p.i)
		top := p.top()
		if top.n == 0 && p.fence() {
			continue
		}
		if p.over(p.i) {
			if top.shut != 0 {
				p.open++
			}
			break
		}
		m, w := p.mark(p.i)
		switch m {
		case '}', ']', ')':
			if p.closer(m, w) {
				p.pop()
				return
			}
			continue
		case ',', ':', '(':
			p.i += w
			continue
		case '{': // written twice, or where a member should be: what is in it is taken
			if top.n > 0 && p.unclosed(m) {
				p.pop()
				return
			}
			top.extra++
			p.i += w
			continue
		case '[':
			p.stray()
			continue
		}
		if n := p.ellipsis(p.i); n > 0 {
			p.i += n
			continue
		}
		if !p.key() {
			continue
		}
		if p.top().kind == '[' {
			p.elements()
			return
		}
		p.member()
	}
	p.pop()
}

// key reads a key and its colon. It is false where no key stands. If it was the
// first element of a set ({'a', 'b'}) the list has become an array.
func (p *parser) key() bool {
	top, at := p.top(), len(p.out)
	if top.n > 0 {
		p.out = append(p.out, ',')
	}
	m, _ := p.mark(p.i)
	p.hollow = false
	if m == '"' {
		p.str(inKey)
		if p.hollow {
			p.out = p.out[:at]
			return false
		}
	} else if !p.bareKey() {
		p.out = p.out[:at]
		return false
	}
	p.i = p.skip(p.i)
	next, w := p.mark(p.i)
	switch {
	case next == ':':
		p.i += w
	case strings.HasPrefix(p.s[p.i:], "=>"):
		p.i += 2
	case strings.HasPrefix(p.s[p.i:], "="):
		p.i++
	case m != '"' && (next != '"' || p.keyAt(p.i)) && next != '{' && next != '[':
		// Words that are no key and have no value: left out.
		p.out = p.out[:at]
		p.junk++
		return false
	case next == ',' && top.n == 0 && top.shut == '}':
		p.out[top.at], top.kind = '[', '['
	}
	top.n++
	return true
}

// member reads the value of a key that has just been written. What is missing is
// null.
func (p *parser) member() {
	if p.top().n == 0 {
		p.top().n = 1
	}
	p.out = append(p.out, ':')
	at := len(p.out)
	if !p.value() {
		p.out = append(p.out, "null"...)
	}
	p.top().array = -1
	if p.out[at] == '[' {
		p.top().array = at
	}
}

// stray reads an array that stands where a member should. After another array it
// is more of that; a row, where that one has rows.
func (p *parser) stray() {
	top := p.top()
	_, w := p.mark(p.i)
	if top.array < 0 || p.out[len(p.out)-1] != ']' {
		p.i += w // what is in it may have keys
		p.junk++
		return
	}
	array := top.array
	p.out = p.out[:len(p.out)-1]
	rows := p.out[array+1:]
	if len(rows) > 0 {
		p.out = append(p.out, ',')
	}
	at := len(p.out)
	p.value()
	if p.deep {
		return
	}
	if len(rows) == 0 || rows[0] != '[' || p.out[at+1] == '[' {
		p.work += len(p.out) - at
		p.out = slices.Delete(p.out, at, at+1)
		p.out = p.out[:len(p.out)-1]
		if len(p.out) == at && len(rows) > 0 {
			p.out = p.out[:at-1]
		}
	}
	p.out = append(p.out, ']')
}

// fence skips the start of a fence inside of braces.
func (p *parser) fence() bool {
	if !strings.HasPrefix(p.s[p.i:], "```") {
		return false
	}
	i := p.i + 3
	for i < len(p.s) && ('a' <= p.s[i]|0x20 && p.s[i]|0x20 <= 'z') {
		i++
	}
	if m, _ := p.mark(p.skip(i)); m != '{' && m != '"' {
		return false
	}
	p.i = i
	return true
}

// bareKey reads a key without quotation marks. It is false if it is none.
func (p *parser) bareKey() bool {
	i := p.i
loop:
	for i < len(p.s) && !p.over(i) {
		c := p.s[i]
		m, w := p.mark(i)
		switch {
		case c == '\n', m != 'a', c == '=', i > p.i && p.commentAt(i):
			break loop
		}
		i += w
	}
	p.work += i - p.i + 1
	token := strings.TrimFunc(p.s[p.i:i], space)
	if i == p.i {
		_, w := p.rune(i)
		i += w
	}
	p.i = i
	if token == "" {
		p.junk++
		return false
	}
	p.bareKeys = true
	p.out = append(p.out, '"')
	p.emit(token, escapes{raw: true})
	p.out = append(p.out, '"')
	// The second of two quotation marks may be there.
	if m, w := p.mark(p.i); m == '"' && !space(rune(p.s[p.i-1])) && p.colonAt(p.i+w) {
		p.i += w
	}
	return true
}
