package decision

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ahead returns the first quotation mark at or after i that would end a string
// that began with r, or -1 if there is none or, for the rarer marks, none near.
func (p *parser) ahead(i int, r rune) int {
	switch r {
	case '"':
		return p.quotes(i, &p.double)
	case '\'':
		return p.quotes(i, &p.single)
	}
	end := min(len(p.s), i+maxKey)
	p.work += end - i
	for j, c := range p.s[min(i, end):end] {
		if closes(r, c) {
			return i + j
		}
	}
	return -1
}

// maxKey is how long a key may be, in bytes, to be taken for one from afar.
const maxKey = 200

// keyAt reports whether a key and its colon stand at i.
func (p *parser) keyAt(i int) bool {
	if m, _ := p.mark(i); m != '"' {
		return p.bareKeyAt(i)
	}
	if p.s[i] == '\\' {
		end := strings.Index(p.s[i+2:min(len(p.s), i+maxKey)], p.s[i:i+2])
		p.work += maxKey
		return end >= 0 && p.colonAt(i+end+4)
	}
	r, w := p.rune(i)
	end := p.ahead(i+w, r)
	if m, _ := p.mark(p.skip(i + w)); m == ',' || m == ':' || m == '}' || m == ']' {
		return false
	}
	if end == i+w && p.opensText(end+w) && !p.colonAt(end+w) { // both marks are doubled
		i = end
		end = p.ahead(i+w, r)
		if end >= 0 {
			if _, w := p.rune(end); strings.HasPrefix(p.s[end+w:], p.s[end:end+w]) {
				end += w
			}
		}
	}
	if end < 0 {
		return false
	}
	if end-i < maxKey && strings.IndexByte(p.s[i:end], '\n') < 0 {
		p.work += end - i
		if _, w := p.rune(end); p.colonAt(end + w) {
			return true
		}
	}
	return p.halfKeyAt(i + w)
}

func (p *parser) colonAt(i int) bool {
	m, _ := p.mark(p.skip(i))
	return m == ':'
}

// name returns where the name that begins at i ends.
func (p *parser) name(i int) int {
	j := i
	for j < len(p.s) && j-i < 64 {
		r, w := p.rune(j)
		if r != '_' && r != '-' && r != '$' && r != '.' && !unicode.IsLetter(r) && (j == i || !unicode.IsDigit(r)) {
			break
		}
		j += w
	}
	p.work += j - i
	return j
}

// bareKeyAt reports whether a key without quotation marks, or without the first of
// them, and its colon stand at i.
func (p *parser) bareKeyAt(i int) bool {
	j := p.name(i)
	if j == i {
		return false
	}
	if j < len(p.s) && (p.s[j] == '"' || p.s[j] == '\'') && p.colonAt(j+1) {
		return true
	}
	j = p.skip(j)
	m, w := p.mark(j)
	return m == ':' && !strings.HasPrefix(p.s[j+w:], "//")
}

// halfKeyAt reports whether a key stands at i that has lost its second quotation
// mark. What follows its colon cannot be of one string with it.
func (p *parser) halfKeyAt(i int) bool {
	j := p.name(i)
	if j == i || j == len(p.s) {
		return false
	}
	r, w := p.rune(j)
	if r != ':' && (r != '：' || !p.wide()) {
		return false
	}
	k := p.skip(j + w)
	switch m, w := p.mark(k); m {
	case '"':
		return k > j+1 && (p.s[k] == '"' || p.s[k] == '\'') && p.opensText(k+w) && p.elementAt(k)
	case '{', '[':
		first := p.skip(k + w)
		switch next, w := p.mark(first); {
		case next == '"' && !p.opensText(first+w):
			return false
		case next == '"' && m == '{':
			return p.colonAt(p.name(first+w)) || p.colonAt(p.name(first+w)+w)
		case next == '"':
			return p.elementAt(first)
		default:
			return m == '[' && (next == '{' || next == '[')
		}
	}
	return false
}

// wide reports whether the text has full-width colons for its plain ones.
func (p *parser) wide() bool {
	if !p.widths {
		p.widths = true
		p.work += len(p.s)
		p.wideColons = strings.Contains(p.s, "\"：") && !strings.Contains(p.s, `":`)
	}
	return p.wideColons
}

// opensText reports whether a word begins right at i.
func (p *parser) opensText(i int) bool {
	m, _ := p.mark(i)
	return m == 'a' && p.skip(i) == i
}

// plainAt reports whether a number or a word of JSON stands at i, and nothing more.
func (p *parser) plainAt(i int) bool {
	j := i
	for j < len(p.s) && j-i < 32 && (p.s[j] == '+' || p.s[j] == '-' || p.s[j] == '.' || p.s[j] == '_' || digits(p.s, j) > j || 'a' <= p.s[j]|0x20 && p.s[j]|0x20 <= 'z') {
		j++
	}
	p.work += j - i
	if j == i {
		return false
	}
	if _, ok := literal(p.s[i:j]); !ok {
		if _, ok = number(p.s[i:j]); !ok {
			return false
		}
	}
	k := p.skip(j)
	m, _ := p.mark(k)
	return m != 'a' && m != ':' && m != '(' || p.over(k) || k > j && (p.s[k] == '-' || digits(p.s, k) > k)
}

// before returns where the last character before i begins and ends that is not
// white, and whether a line ends after it. at is -1 where nothing stands after
// start.
func (p *parser) before(i, start int) (at, end int, line bool) {
	for i > start {
		r, w := utf8.DecodeLastRuneInString(p.s[start:i])
		p.work++
		if !space(r) {
			return i - w, i, line
		}
		line = line || r == '\n'
		i -= w
	}
	return -1, start, line
}
