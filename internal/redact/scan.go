package redact

import (
	"slices"
	"strings"
)

// A scan is one pass over a text.
type scan struct {
	text  string
	spans []span
	runs  [classes]struct{ from, to int } // the last run of each class
	keys  int                             // behind the last private key
	open  int                             // end of a run in which no key ends
	told  []int                           // behind the words that commands of each kind were looked at
	steps int                             // bytes that runs have gone over
}

// A class is a set of characters of which a secret is made.
type class int

const (
	digits   class = iota // 0-9
	capitals              // and digits
	hexes
	letters // and digits
	token   // letters, digits, _ and -
	dotted  // token and .
	base64s // letters, digits, + / = _ -
	opaque  // what tokens of vendors are made of: token . ~ + / = % *
	path    // of a URL
	bare    // a value without quotes
	line    // up to the end of a line
	solid   // up to a blank or a quote
	host    // and who is there: what stands between :// and the path
	key     // of a private key: base64, blanks, and the signs of escaped ends of lines
	classes
)

// members says which bytes are in a class.
var members = func() (m [classes][256]bool) {
	set := func(c class, of string) {
		for i := range len(of) {
			m[c][of[i]] = true
		}
	}
	const (
		num  = "0123456789"
		high = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		low  = "abcdefghijklmnopqrstuvwxyz"
	)
	set(digits, num)
	set(capitals, num+high)
	set(hexes, num+"abcdefABCDEF")
	set(letters, num+high+low)
	set(token, num+high+low+"_-")
	set(dotted, num+high+low+"_-.")
	set(base64s, num+high+low+"+/=_-")
	set(opaque, num+high+low+"_-.~+/=%*")
	set(path, num+high+low+"_-.~+/=%*&?:@!$#,;")
	set(key, num+high+low+"+/=_-\\ \r\n\t:,.")
	for c := range 256 {
		m[line][c] = c != '\n' && c != '\r'
		m[solid][c] = c > ' ' && !strings.ContainsRune("\"'`\\", rune(c)) && c != 0x7f
		m[host][c] = m[solid][c] && !strings.ContainsRune("/?#<>|", rune(c))
		m[bare][c] = c > ' ' && !strings.ContainsRune("\"'`,;&<>()[]{}|\\", rune(c)) && c != 0x7f
	}
	return m
}()

// run returns where the characters of a class end that stand from i on. Asked for
// places inside one run it counts them once.
func (s *scan) run(c class, i int) int {
	r := &s.runs[c]
	if i >= r.from && i < r.to {
		return r.to
	}
	to := i
	for to < len(s.text) && members[c][s.text[to]] {
		to++
	}
	s.steps += to - i
	r.from, r.to = i, to
	return to
}

// before returns the place before a few of these signs that end a sentence, not a word.
func (s *scan) before(to, least int, signs string) int {
	for n := 0; n < 8 && to > least && strings.IndexByte(signs, s.text[to-1]) >= 0; n++ {
		to--
	}
	return to
}

// at returns the byte at i, or 0.
func (s *scan) at(i int) byte {
	if i < 0 || i >= len(s.text) {
		return 0
	}
	return s.text[i]
}

// has reports whether w stands at i, in this case of letters.
func (s *scan) has(i int, w string) bool {
	return i >= 0 && i <= len(s.text) && strings.HasPrefix(s.text[i:], w)
}

// begins reports whether a word may begin at i: the letter before it is none, belongs
// to an escape (\n, \u003c, %20), or to a secret that was found.
func (s *scan) begins(i int) bool {
	c := s.at(i - 1)
	switch {
	case !members[letters][c] && c != '_':
		return true
	case strings.IndexByte("nrtbf", c) >= 0 && s.at(i-2) == '\\':
		return true
	case i >= 6 && s.text[i-6] == '\\' && s.text[i-5] == 'u' && allHex(s.text[i-4:i]):
		return true
	case i >= 3 && s.text[i-3] == '%' && allHex(s.text[i-2:i]):
		return true
	}
	return slices.ContainsFunc(s.spans[max(0, len(s.spans)-8):], func(f span) bool { return f.to == i })
}

func allHex(w string) bool {
	for i := range len(w) {
		if !members[hexes][w[i]] {
			return false
		}
	}
	return true
}

// add notes a secret.
func (s *scan) add(anchor, from, to int, kind string) {
	if to > from {
		s.spans = append(s.spans, span{anchor: anchor, from: from, to: to, kind: kind})
	}
}

// marker returns the place after the marker that stands at i, or i if none does.
func (s *scan) marker(i int) int {
	if !s.has(i, open) {
		return i
	}
	rest := s.text[i+len(open):]
	n := strings.IndexByte(rest[:min(len(rest), longestKind+1)], ']')
	if n <= 0 || !kinds[rest[:n]] {
		return i
	}
	return i + len(open) + n + 1
}

// marked reports whether a span lies in a marker.
func (s *scan) marked(f span) bool {
	n := strings.LastIndex(s.text[max(0, f.from-len(open)-longestKind):f.from+1], "[")
	if n < 0 {
		return false
	}
	i := max(0, f.from-len(open)-longestKind) + n
	return s.marker(i) >= f.to && s.marker(i) > i
}

// mixed reports whether a word has both letters and digits.
func mixed(w string) bool {
	return strings.ContainsAny(w, "0123456789") && strings.ContainsFunc(w, isLetter)
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
