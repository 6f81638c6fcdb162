package decision

import (
	"strings"
	"unicode/utf8"
)

// A span finds where a string ends. Models forget to escape quotation marks inside
// of strings, and forget the one at the end; each mark is judged once, by what
// stands before and after it.
type span struct {
	p       *parser
	in      place
	quote   rune
	start   int
	escaped bool // began with \"
	path    bool // a path of Windows: backslashes stand for themselves
	twice   bool // began with two marks instead of one
	inner   bool // a quotation inside the string is open
	curly   bool // one with typographic marks is open
	colon   int  // the first one in a key, or -1
	// Brackets in the text of the string, opening less closing.
	braces, brackets int
}

// A verdict on a quotation mark: the string ends at end and what follows it begins
// at next, or it goes on at next.
type verdict struct {
	ends      bool
	end, next int
}

func goOn(next int) verdict       { return verdict{false, 0, next} }
func endAt(end, next int) verdict { return verdict{true, end, next} }

// find returns where the text of the string ends and where to read on. torn says
// that it was cut off by the end of the whole text.
func (s *span) find() (end, next int, torn bool) {
	p := s.p
	plain := s.quote == '"' || s.quote == '\''
	for i := s.start; i < len(p.s); {
		c, w := p.s[i], 1
		candidate := false
		switch {
		case c == '\\':
			if i+1 >= len(p.s) {
				return i, len(p.s), true
			}
			_, n := p.rune(i + 1)
			w = 1 + n
			if rune(p.s[i+1]) == s.quote && (s.escaped || s.path) && p.fits(len(p.stack)-1, i+2) {
				if s.path {
					return i + 1, i + 2, false
				}
				return i, i + 2, false
			}
			if s.escaped && rune(p.s[i+1]) == s.quote && s.in == inKey && p.colonAt(i+2) {
				return i, i + 2, false
			}
		case c == '{':
			s.braces++
		case c == '}':
			s.braces--
		case c == '[':
			s.brackets++
		case c == ']':
			s.brackets--
		case c == ':':
			if s.colon < 0 {
				s.colon = i
			}
		case c == '\n':
			if p.torn {
				return s.tornLine(i), i, false
			}
		case c < utf8.RuneSelf:
			candidate = closes(s.quote, rune(c))
		default:
			var r rune
			r, w = p.rune(i)
			if r == '：' && s.colon < 0 && p.wide() {
				s.colon = i
			}
			candidate = !plain && closes(s.quote, r) || s.quote == '"' && s.mixed(r, i, w)
		}
		if !candidate {
			i += w
			continue
		}
		v := s.judge(i, w)
		if v.ends {
			return s.once(v.end), v.next, false
		}
		p.work += v.next - i
		i = v.next
	}
	end, next = s.unended()
	return end, next, true
}

// once takes back the second of two marks at the beginning of a string if no
// quotation began with it.
func (s *span) once(end int) int {
	if s.twice && (s.inner || s.in == inKey || s.p.doubles) && end > s.start {
		_, w := s.p.rune(s.start)
		s.start += w
		s.p.doubles = s.p.doubles || s.in == inKey
	}
	return max(end, s.start)
}

// mixed reports whether a string that began with a plain mark ends with a
// typographic one: only if it was not opened in the string and nothing else fits.
func (s *span) mixed(r rune, i, w int) bool {
	switch r {
	case '“':
		s.curly = true
		return false
	case '”':
		if s.curly {
			s.curly = false
			return false
		}
	case '＂':
	default:
		return false
	}
	if s.in == inKey {
		return s.p.colonAt(i + w)
	}
	if a := blank(s.p.s, i+w); s.in == inRoot || a >= len(s.p.s) || !s.clean(a) {
		return false
	}
	end := s.p.ahead(i+w, '"')
	if end < 0 {
		return true
	}
	a := s.p.skip(end + 1)
	return a < len(s.p.s) && !s.clean(a)
}

// judge says what the quotation mark at i is.
func (s *span) judge(i, w int) verdict {
	p := s.p
	a := p.skip(i + w)
	if a >= len(p.s) {
		return endAt(i, a)
	}
	if s.clean(a) {
		return endAt(i, i+w)
	}
	if s.in != inRoot {
		if end, ok := s.lost(i); ok {
			return endAt(end, end)
		}
	}
	m, mw := p.mark(a)
	if p.over(a) {
		if s.inner || s.closesLater(i+w) {
			return s.words(i, w)
		}
		return endAt(i, i+w)
	}
	if p.s[a] == '+' {
		if k := p.skip(a + 1); !s.inner && k < len(p.s) && !p.over(k) {
			if m, _ := p.mark(k); m == '"' {
				return endAt(i, a)
			}
		}
	}
	switch s.in {
	case inRoot:
		return s.atRoot(i, w, a)
	case inKey:
		return s.asKey(i, w, a)
	}
	switch m {
	case ',':
		return s.atComma(i, w, p.skip(a+mw))
	case '}', ']', ')':
		return s.atCloser(i, w, m, a+mw)
	case ':':
		if s.inner {
			s.inner = false
			return goOn(i + w)
		}
		return endAt(i, i+w)
	case '"':
		return s.atQuote(i, w, a, mw)
	case '{', '[', '(':
		if !s.inner && a > i+w && s.in == inElement && m != '(' {
			return endAt(i, i+w)
		}
	case 'a':
		if !s.inner && a > i+w && p.plainAt(a) && (s.in == inElement || !s.closesLater(i+w)) {
			return endAt(i, i+w)
		}
		line := strings.IndexByte(p.s[i+w:a], '\n') >= 0
		if s.in == inMember && (line || !s.inner) && p.bareKeyAt(a) && (line || p.valueAfterColon(a)) {
			return endAt(i, i+w)
		}
	}
	return s.words(i, w)
}

// clean reports whether what follows a mark, at a, follows the end of a string in
// good JSON, and good JSON comes after that.
func (s *span) clean(a int) bool {
	p := s.p
	m := p.s[a]
	if s.in == inKey || s.in == inRoot {
		return s.in == inKey && m == ':'
	}
	top := p.top()
	b := p.skip(a + 1)
	if m == ',' && b < len(p.s) {
		if q := p.s[b]; q == '"' || q == '\'' {
			end := p.ahead(b+1, rune(q))
			if end < 0 {
				return false
			}
			after, _ := p.mark(p.skip(end + 1))
			if s.in == inMember {
				return after == ':' && end-b <= maxKey
			}
			return after == ',' || after == ']' && top.shut == ']'
		}
		return s.in == inElement && (p.s[b] == '{' || p.s[b] == '[' || p.plainAt(b))
	}
	if m != top.shut {
		return false
	}
	here := len(p.stack) - 1
	if p.over(b) {
		return true
	}
	if here == 0 {
		return false
	}
	return p.s[b] == p.stack[here-1].shut || p.s[b] == ',' && p.fits(here-1, b)
}
