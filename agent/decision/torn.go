package decision

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lost reports whether the mark at i begins the next string, because the one that
// is being read has lost its end, and where that was.
func (s *span) lost(i int) (int, bool) {
	p := s.p
	at, end, line := p.before(i, s.start)
	if at < 0 {
		return s.start, line && p.keyAt(i)
	}
	comma := p.s[at] == ','
	if p.s[at] == '/' && at > s.start && p.s[at-1] == '*' {
		// A comment stands in between.
		from := strings.LastIndex(p.s[max(s.start, at-maxKey):at], "/*")
		if from < 0 {
			return 0, false
		}
		at, end, _ = p.before(max(s.start, at-maxKey)+from, s.start)
		if at < 0 {
			return 0, false
		}
		line, comma = true, p.s[at] == ','
		if p.s[at] == '+' {
			return at, s.in == inElement && p.elementAt(i)
		}
	}
	if s.in == inElement && (p.s[at] == '[' || p.s[at] == '{') {
		// The first string of a list that comes after the comma.
		if k, _, _ := p.before(at, s.start); k >= 0 && p.s[k] == ',' && p.keyAt(i) == (p.s[at] == '{') && p.elementAt(i) && s.even(i) {
			end, _ = s.shorn(k)
			return s.plainEnd(end), true
		}
	}
	if s.in == inMember && p.bareKeys {
		if k := s.keysBefore(i); k >= 0 {
			end, _ = s.shorn(k)
			return end, true
		}
	}
	switch {
	case !comma && !line:
		return 0, false
	case p.keyAt(i) && s.in != inKey:
	case s.in == inKey && p.keyAt(i) && s.colon >= 0:
		return s.colon, true
	case s.in == inElement && (line || at+1 == i) && p.elementAt(i) && p.opensText(i+1):
	case s.in == inElement && comma && p.elementAt(i) && s.even(i):
	default:
		return 0, false
	}
	if comma {
		end = at
	}
	if s.in == inElement {
		end = s.plainEnd(end)
	}
	end, _ = s.shorn(end)
	return end, true
}

// keysBefore returns the comma before i if only bare keys and opening brackets stand
// between it and i, or -1.
func (s *span) keysBefore(i int) int {
	p, keys := s.p, false
	start := max(s.start, i-maxKey)
	for {
		at, _, _ := p.before(i, start)
		if at < 0 {
			return -1
		}
		switch c := p.s[at]; {
		case c == ',' && keys:
			return at
		case c == '{' || c == '[':
			i = at
			continue
		case c != ':':
			return -1
		}
		_, end, _ := p.before(at, start)
		for i = end; i > start; {
			r, w := utf8.DecodeLastRuneInString(p.s[start:i])
			if r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				break
			}
			i -= w
		}
		if p.work += end - i; i == end {
			return -1
		}
		keys = true
	}
}

// even reports whether the quotation marks from i to the next closing bracket come
// in pairs: then the one at i opens a string, and the one that is missing was to
// close the string before it.
func (s *span) even(i int) bool {
	p := s.p
	if s.quote != '"' {
		return false
	}
	end := p.brackets.after(p, i, "]")
	return (p.rank(end)-p.rank(i))%2 == 0
}

// plainEnd takes from the end of an element those that must have come after it:
// numbers, words of JSON, empty lists.
func (s *span) plainEnd(end int) int {
	p := s.p
	for n := 0; n < 16; n++ {
		comma := strings.LastIndexByte(p.s[max(s.start, end-48):end], ',')
		if comma < 0 {
			break
		}
		comma += max(s.start, end-48)
		tail := strings.TrimSpace(p.s[comma+1 : end])
		shut := strings.TrimRight(tail, "]} ")
		_, word := literal(shut)
		_, num := number(shut)
		if !word && !num && tail != "[]" && tail != "{}" {
			break
		}
		end = comma
	}
	return end
}

// tornLine is the end of a string that has to end with its line, at i.
func (s *span) tornLine(i int) int {
	at, end, _ := s.p.before(i, s.start)
	if at >= 0 && s.p.s[at] == ',' {
		end = at
	}
	end, _ = s.shorn(end)
	return end
}

// unended returns where the text of a string ends that is still open at the end of
// everything, and where to read on. What looks like the end of lists, of a fence or
// of a line of JSON is no part of it.
func (s *span) unended() (end, next int) {
	p := s.p
	if s.in == inKey && s.colon >= 0 {
		return s.colon, s.colon
	}
	for i := s.start; s.in != inRoot; {
		n := strings.IndexByte(p.s[i:], '\n')
		if n < 0 {
			break
		}
		line := i + n
		p.work += n
		if i = p.skip(line); p.keyAt(i) {
			p.torn = true
			return s.tornLine(line), line
		}
	}
	end, next = len(p.s), len(p.s)
	s.once(end)
	if n := strings.LastIndex(p.s[s.start:], "\n```"); n >= 0 && p.fenced {
		end, next = s.start+n, s.start+n+1
	}
	for again := true; again; {
		again = false
		end = s.start + len(strings.TrimRight(p.s[s.start:end], "\n\r"))
		text := strings.TrimRight(p.s[s.start:end], " \t\n\r")
		if cut, ok := strings.CutSuffix(text, "```"); ok && s.start < s.start+len(cut) {
			end, again = s.start+len(cut), true
		} else if n := strings.LastIndexByte(text, '<'); n >= 0 && strings.HasSuffix(text, ">") && (strings.HasPrefix(text[n:], "</") || strings.HasPrefix(text[n:], "<|")) {
			end, again = s.start+n, true
		}
	}
	if s.in == inRoot {
		return end, next
	}
	shorn, cut := s.shorn(end)
	if cut && s.in == inElement && p.ahead(s.start, s.quote) < 0 {
		// The elements after it are in it.
		if n := strings.IndexByte(p.s[s.start:shorn], ','); n >= 0 {
			return s.start + n, s.start + n
		}
	}
	return shorn, next
}

// shorn takes from the text before end the closing brackets that are not opened in
// it and that close what is open around it. It reports whether there were any.
func (s *span) shorn(end int) (int, bool) {
	p := s.p
	braces, brackets := s.braces, s.brackets
	var run []byte // from right to left
	at := end
	for len(run) < len(p.stack) {
		i, _, _ := p.before(at, s.start)
		if i < 0 || p.s[i] == '}' && braces >= 0 || p.s[i] == ']' && brackets >= 0 {
			break
		}
		switch p.s[i] {
		case '}':
			braces++
		case ']':
			brackets++
		default:
			i = -1
		}
		if i < 0 {
			break
		}
		run, at = append(run, p.s[i]), i
	}
	for k := range run {
		if !p.shuts(len(p.stack)-1-k, run[len(run)-1-k]) {
			return end, false
		}
	}
	if len(run) == 0 {
		return end, false
	}
	_, end, _ = p.before(at, s.start)
	return end, true
}
