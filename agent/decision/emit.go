package decision

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// escapes says how the backslashes in a text are to be read.
type escapes struct {
	quote rune // what the string began with
	raw   bool // they stand for themselves
	path  bool // they stand for themselves unless doubled
	torn  bool // the text was cut off; so may an escape be
}

const lowHex = "0123456789abcdef"

// emit writes the text of a string. What is good JSON is written as it is.
func (p *parser) emit(s string, e escapes) {
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		p.out = append(p.out, s[from:i]...)
		n := 1
		switch {
		case c == '"':
			p.out = append(p.out, '\\', '"')
		case c == '\\':
			n = p.backslash(s, i, e)
		default:
			p.control(c)
		}
		i += n
		from = i
	}
	p.out = append(p.out, s[from:]...)
}

func (p *parser) control(c byte) {
	switch c {
	case '\n':
		p.out = append(p.out, '\\', 'n')
	case '\r':
		p.out = append(p.out, '\\', 'r')
	case '\t':
		p.out = append(p.out, '\\', 't')
	case '\b':
		p.out = append(p.out, '\\', 'b')
	case '\f':
		p.out = append(p.out, '\\', 'f')
	default:
		p.out = append(p.out, '\\', 'u', '0', '0', lowHex[c>>4], lowHex[c&15])
	}
}

// backslash writes what the backslash at i stands for and returns how much of s
// that is. One that begins no escape stands for itself, as in a path or a regular
// expression.
func (p *parser) backslash(s string, i int, e escapes) int {
	rest := s[i+1:]
	switch {
	case e.raw, e.path && !strings.HasPrefix(rest, `\`):
		p.out = append(p.out, '\\', '\\')
		return 1
	case rest == "":
		if !e.torn {
			p.out = append(p.out, '\\', '\\')
		}
		return 1
	}
	if n := escape(s, i); n > 0 {
		p.out = append(p.out, s[i:i+n]...)
		return n
	}
	r, w := utf8.DecodeRuneInString(rest)
	switch {
	case e.torn && rest[0] == 'u' && len(rest) < 5 && (len(rest) == 1 || hexes(rest[1:])):
		return 1 + len(rest)
	case rest[0] == '\n':
		return 1
	case r == '\'' || r == '`' || quoting(r):
		return 1
	case rest[0] == 'x' && len(rest) >= 3 && hexes(rest[1:3]):
		p.code(rest[1:3])
		return 4
	case rest[0] == 'U' && len(rest) >= 9 && hexes(rest[1:9]):
		p.code(rest[1:9])
		return 10
	case strings.HasPrefix(rest, "u{"):
		if end := strings.IndexByte(rest[:min(len(rest), 10)], '}'); end > 2 && hexes(rest[2:end]) {
			p.code(rest[2:end])
			return 2 + end
		}
	case r == utf8.RuneError && w == 1:
		return 1
	}
	p.out = append(p.out, '\\', '\\')
	return 1
}

// code writes the character of that number.
func (p *parser) code(hex string) {
	n, err := strconv.ParseUint(hex, 16, 32)
	switch {
	case err != nil || n > utf8.MaxRune:
		p.out = utf8.AppendRune(p.out, utf8.RuneError)
	case n < ' ':
		p.control(byte(n))
	case n == '"' || n == '\\':
		p.out = append(p.out, '\\', byte(n))
	default:
		p.out = utf8.AppendRune(p.out, rune(n))
	}
}
