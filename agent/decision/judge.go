package decision

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// valueAfterColon reports whether what follows the key at i can only be a value.
func (p *parser) valueAfterColon(i int) bool {
	colon := strings.IndexAny(p.s[i:min(len(p.s), i+maxKey)], ":：")
	if colon < 0 {
		return false
	}
	_, w := p.rune(i + colon)
	k := p.skip(i + colon + w)
	m, _ := p.mark(k)
	return m == '"' || m == '{' || m == '[' || k < len(p.s) && digits(p.s, k) > k
}

// atRoot: a string that is the whole text ends with the text.
func (s *span) atRoot(i, w, a int) verdict {
	if m, mw := s.p.mark(a); m == ',' {
		k := s.p.skip(a + mw)
		if m, _ := s.p.mark(k); m == '"' || m == 0 {
			return endAt(i, i+w)
		}
	}
	return goOn(i + w)
}

func (s *span) asKey(i, w, a int) verdict {
	p := s.p
	m, mw := p.mark(a)
	before, _, _ := p.before(i, s.start)
	switch {
	case p.s[a] == ':', m == ',', m == '}', m == ']', p.s[a] == '=':
		return endAt(i, i+w)
	case s.colon >= 0 && before >= 0 && (p.s[before] == ',' || i-s.colon < maxKey && strings.Trim(p.s[s.colon:i], "：: \t\n{[") == ""):
		return endAt(s.colon, s.colon) // the mark at i begins the value, or the next key
	case m == ':':
		return endAt(i, i+w)
	case m == '"' && a == i+w && p.colonAt(a+mw):
		return endAt(i, a+mw)
	case a > i+w && (m == '"' || m == '{' || m == '[' || p.plainAt(a)):
		return endAt(i, i+w)
	case m == '{', m == '[':
		return endAt(i, i+w)
	}
	return goOn(i + w)
}

// atComma: b is where the text goes on after the comma.
func (s *span) atComma(i, w, b int) verdict {
	p := s.p
	end := endAt(i, i+w)
	m, _ := p.mark(b)
	if p.over(b) || m == '}' || m == ']' || m == ')' || m == ',' || p.ellipsis(b) > 0 {
		return end
	}
	if s.in == inMember {
		switch {
		case p.keyAt(b):
			return end
		case s.inner:
		case m == '"', m == '{', m == '[', !s.closesLater(i + w):
			return end
		}
	} else {
		switch {
		case !s.inner, m == '{', m == '[', digits(p.s, b) > b:
			return end
		case m == '"' && p.elementAt(b):
			return end
		}
	}
	s.inner = false
	return goOn(i + w)
}

func (s *span) atCloser(i, w int, m byte, next int) verdict {
	p := s.p
	loose := m == '}' && s.braces > 0 || m == ']' && s.brackets > 0 || s.inner
	if m == ')' && !p.within(')') {
		return s.words(i, w)
	}
	if (loose || !p.closable(m, next)) && s.closesLater(i+w) {
		s.inner = false
		return goOn(i + w)
	}
	return endAt(i, i+w)
}

func (p *parser) within(m byte) bool {
	for k := range p.stack {
		if p.shuts(k, m) {
			return true
		}
	}
	return false
}

// closable reports whether a closing bracket that ends at next has a meaning.
func (p *parser) closable(m byte, next int) bool {
	here := len(p.stack) - 1
	if p.fits(here-1, next) || p.fits(here, next) {
		return true
	}
	for k := here; k >= 0; k-- {
		if p.shuts(k, m) {
			return p.fits(k-1, next)
		}
	}
	return false
}

// atQuote: another quotation mark follows at a.
func (s *span) atQuote(i, w, a, aw int) verdict {
	p := s.p
	ends := p.fits(len(p.stack)-1, a+aw) && !p.opensText(a+aw)
	if m, _ := p.mark(a + aw); m == '"' {
		ends = false
	}
	switch {
	case p.keyAt(a):
		return endAt(i, i+w)
	case s.twice && ends && (p.doubles || s.in == inKey):
		return endAt(i, a+aw)
	case s.inner:
		s.inner = false
		return goOn(i + w)
	case ends && a == i+w && s.measure(i): // 24""
		return goOn(i + w)
	case ends:
		end := i
		if strings.IndexByte(p.s[i:a], '\n') >= 0 {
			end = s.start + len(strings.TrimRight(p.s[s.start:i], "\r\n"))
		}
		return endAt(end, a+aw)
	case a == i+w: // doubled, as in CSV
		s.inner = !s.inner
		return goOn(a + aw)
	case p.elementAt(a):
		return endAt(i, i+w)
	}
	return s.words(i, w)
}

// elementAt reports whether the quotation mark at i begins a string that ends
// before a comma or the like.
func (p *parser) elementAt(i int) bool {
	if p.s[i] == '\\' {
		return false
	}
	r, w := p.rune(i)
	end := p.ahead(i+w, r)
	if end < 0 {
		return false
	}
	_, w = p.rune(end)
	k := p.skip(end + w)
	m, _ := p.mark(k)
	return p.over(k) || m == ',' || m == '}' || m == ']' || m == ')' || m == '"'
}

// words judges a mark by the words around it: an opening one has them behind, a
// closing one before it.
func (s *span) words(i, w int) verdict {
	prev, next := s.around(i, w)
	opening := prev == 0 || unicode.IsSpace(prev) || strings.ContainsRune("([{<>=:/—–-（【《，。：、", prev)
	closing := next == 0 || unicode.IsSpace(next) || unicode.IsPunct(next) || unicode.IsSymbol(next)
	switch {
	case opening && !closing:
		s.inner = true
	case closing && s.inner, !opening && !closing && (han(prev) || han(next)) && s.inner:
		s.inner = false
	case !opening && !closing && (han(prev) || han(next)):
		s.inner = true
	case closing && !opening && !s.measure(i):
		if s.in == inElement && unicode.IsSpace(next) || !s.closesLater(i+w) {
			return endAt(i, i+w)
		}
	}
	return goOn(i + w)
}

// closesLater reports whether the next mark after i looks like the end of this
// string rather than the beginning of another.
func (s *span) closesLater(i int) bool {
	p := s.p
	end := p.ahead(i, s.quote)
	if end < 0 {
		return false
	}
	before, _, _ := p.before(end, s.start)
	if before >= 0 && strings.IndexByte(",:{[(", p.s[before]) >= 0 || p.keyAt(end) {
		return false
	}
	_, w := p.rune(end)
	return p.fits(len(p.stack)-1, end+w)
}

// measure reports whether the mark at i follows a number, as inches and seconds of
// arc do.
func (s *span) measure(i int) bool {
	at := i
	for at > s.start && i-at < 12 && strings.IndexByte("0123456789.,'/", s.p.s[at-1]) >= 0 {
		at--
	}
	if at == i {
		return false
	}
	prev, _ := s.around(at, 0)
	return !unicode.IsLetter(prev) && prev != '_' || han(prev)
}

// han reports whether r is of a script that is written without spaces.
func han(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func (s *span) around(i, w int) (prev, next rune) {
	if i > s.start {
		prev, _ = utf8.DecodeLastRuneInString(s.p.s[s.start:i])
	}
	if i+w < len(s.p.s) {
		next, _ = utf8.DecodeRuneInString(s.p.s[i+w:])
	}
	return prev, next
}
