package querydb

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a piece of SQL that an engine would read as one.
type token struct {
	kind tokenKind
	text string // of a word in capitals, of a quoted name without quotes, else as it stands
	end  int    // byte after it
}

type tokenKind int

const (
	word   tokenKind = iota + 1 // keyword or bare name
	quoted                      // quoted name, and in MySQL "text" too
	text                        // string literal, left out
	number
	mark // one character of punctuation
)

func (t token) is(s string) bool {
	return (t.kind == word || t.kind == mark) && t.text == s
}

func (t token) isName() bool { return t.kind == word || t.kind == quoted }

// lex cuts SQL into tokens as the dialect's engine does. What two engines, or
// two settings of one, would read differently, and what hides text from a
// reader, is a fault: the second result says which.
func lex(sql, dialect string) ([]token, string) { return lexAs(sql, dialect, false) }

func lexAs(sql, dialect string, plain bool) ([]token, string) {
	if !utf8.ValidString(sql) || strings.ContainsRune(sql, 0) {
		return nil, "the text is not valid UTF-8"
	}
	l := &lexer{sql: sql, dialect: dialect, plain: plain, pos: len(sql) - len(strings.TrimPrefix(sql, bom))}
	for l.fault == "" && l.skipBlank() {
		l.next()
	}
	return l.toks, l.fault
}

// bom may lead a text that came out of a file. Anywhere else it hides.
const bom = "\ufeff"

type lexer struct {
	sql     string
	dialect string
	plain   bool // a backslash in a text of MySQL is one
	pos     int
	toks    []token
	fault   string
}

func (l *lexer) rest() string { return l.sql[l.pos:] }

func (l *lexer) fail(why string) bool {
	l.fault = why
	return false
}

// skipBlank goes behind blanks and comments; it returns false at the end.
func (l *lexer) skipBlank() bool {
	for l.pos < len(l.sql) {
		rest := l.rest()
		switch c := rest[0]; {
		case c == ' ' || c >= '\t' && c <= '\r':
			// SQLite does not know the vertical tab and says so itself.
			l.pos++
		case strings.HasPrefix(rest, "--") && (l.dialect != MySQL || len(rest) == 2 || rest[2] <= ' '),
			c == '#' && l.dialect == MySQL:
			ends := "\n"
			if l.dialect == Postgres {
				ends = "\r\n"
			}
			n := strings.IndexAny(rest, ends)
			if n < 0 {
				n = len(rest)
			}
			l.pos += n
		case strings.HasPrefix(rest, "/*"):
			if !l.skipComment() {
				return false
			}
		default:
			return true
		}
	}
	return false
}

func (l *lexer) skipComment() bool {
	rest := l.rest()
	if l.dialect == MySQL {
		upper := strings.ToUpper(rest[:min(len(rest), 4)])
		if strings.HasPrefix(rest, "/*!") || strings.HasPrefix(upper, "/*M!") {
			return l.fail("a comment of the kind /*! … */ is run by the server")
		}
	}
	depth, i := 1, 2
	for depth > 0 {
		n := strings.IndexAny(rest[i:], "*/")
		if n < 0 {
			return l.fail("a comment does not end")
		}
		i += n
		switch {
		case strings.HasPrefix(rest[i:], "*/"):
			depth--
			i += 2
		case strings.HasPrefix(rest[i:], "/*") && l.dialect == Postgres:
			depth++
			i += 2
		default:
			i++
		}
	}
	if l.dialect == MySQL && strings.HasPrefix(rest, "/*+") && strings.Contains(strings.ToUpper(rest[:i]), "SET_VAR") {
		return l.fail("a hint in a comment sets a variable")
	}
	l.pos += i
	return true
}

func (l *lexer) add(kind tokenKind, text string, length int) {
	l.pos += length
	l.toks = append(l.toks, token{kind, text, l.pos})
}

func (l *lexer) next() {
	rest := l.rest()
	c := rest[0]
	switch {
	case c == '\'':
		l.quote(text, 0, '\'', l.dialect == MySQL && !l.plain)
	case c == '"':
		l.quote(quoted, 0, '"', l.dialect == MySQL && !l.plain)
	case c == '`' && l.dialect != Postgres:
		l.quote(quoted, 0, '`', false)
	case c == '[' && l.dialect == SQLite:
		n := strings.IndexByte(rest, ']')
		if n < 0 {
			l.fail("a name in [ ] does not end")
			return
		}
		l.add(quoted, rest[1:n], n+1)
	case l.dialect == Postgres && len(rest) > 1 && (c == 'E' || c == 'e') && rest[1] == '\'':
		l.quote(text, 1, '\'', true)
	case l.dialect == Postgres && len(rest) > 2 && (c == 'U' || c == 'u') && rest[1] == '&' && rest[2] == '"':
		l.fail(`a name of the kind U&"…" hides what it says`)
	case c == '$':
		l.dollar()
	case c >= '0' && c <= '9' || c == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		l.number()
	case startsName(c):
		l.name()
	case strings.ContainsRune("?:@#", rune(c)) && l.isParameter(rest):
		l.fail("it has a parameter (" + cut(rest, 12) + ") and no value for it")
	case c == '\\':
		l.fail("it has a backslash outside a text")
	case c < ' ':
		l.fail("it has a control character")
	default:
		l.add(mark, rest[:1], 1)
	}
}

// isParameter says whether the engine takes a mark for the start of a parameter.
// In PostgreSQL all of them are operators.
func (l *lexer) isParameter(rest string) bool {
	switch l.dialect {
	case SQLite:
		return rest[0] != '#' || len(rest) > 1
	case MySQL:
		return rest[0] == '?'
	}
	return false
}

// quote reads from a quote to its end; two of them are one inside.
func (l *lexer) quote(kind tokenKind, start int, q byte, backslash bool) {
	rest := l.rest()
	for i := start + 1; i < len(rest); i++ {
		switch {
		case rest[i] == '\\' && backslash:
			i++
		case rest[i] == q && i+1 < len(rest) && rest[i+1] == q:
			i++
		case rest[i] == q:
			inside := ""
			if kind == quoted {
				inside = strings.ReplaceAll(rest[start+1:i], string([]byte{q, q}), string(q))
			}
			l.add(kind, inside, i+1)
			return
		}
	}
	l.fail(unending)
}

const unending = "a text or name in quotes does not end"

// dollar reads $tag$ … $tag$ of PostgreSQL.
func (l *lexer) dollar() {
	rest := l.rest()
	i := 1
	for i < len(rest) && isNamePart(rest[i]) && rest[i] != '$' {
		i++
	}
	switch {
	case l.dialect != Postgres || i < len(rest) && rest[1] >= '0' && rest[1] <= '9':
		l.fail("it has a parameter (" + cut(rest, 12) + ") and no value for it")
	case i == len(rest) || rest[i] != '$':
		l.fail("it has a $ that starts nothing")
	default:
		tag := rest[:i+1]
		n := strings.Index(rest[i+1:], tag)
		if n < 0 {
			l.fail("a text in " + tag + " does not end")
			return
		}
		l.add(text, "", i+1+n+len(tag))
	}
}

// number ends where the digits do: "1INTO t" is a number and a word to some
// engines, and never one name.
func (l *lexer) number() {
	rest := l.rest()
	i := digits(rest, 0)
	if i < len(rest) && rest[i] == '.' {
		i = digits(rest, i+1)
	}
	if i < len(rest) && (rest[i] == 'e' || rest[i] == 'E') {
		j := i + 1
		if j < len(rest) && (rest[j] == '+' || rest[j] == '-') {
			j++
		}
		if k := digits(rest, j); k > j {
			i = k
		}
	}
	l.add(number, rest[:i], i)
}

func digits(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

func startsName(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

func isNamePart(c byte) bool { return startsName(c) || c >= '0' && c <= '9' || c == '$' }

func (l *lexer) name() {
	rest := l.rest()
	i := 1
	for i < len(rest) && isNamePart(rest[i]) {
		i++
	}
	for _, r := range rest[:i] {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zs, r) || unicode.IsControl(r) {
			l.fail(fmt.Sprintf("it has an invisible or unusual blank (U+%04X) outside a text", r))
			return
		}
	}
	l.add(word, asciiUpper(rest[:i]), i)
}

// asciiUpper folds as engines do. strings.ToUpper would make an I of a dotless ı,
// which no engine takes for one.
func asciiUpper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// balance says whether every bracket has its partner.
func balance(toks []token) string {
	depth := 0
	for _, t := range toks {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		}
		if depth < 0 {
			return "a ) has no ("
		}
	}
	if depth > 0 {
		return "a ( has no )"
	}
	return ""
}

func cut(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n]) + "…"
}
