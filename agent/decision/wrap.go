package decision

import (
	"strings"
	"unicode/utf8"
)

// quoted reports whether the text is one string.
func quoted(text string) bool {
	if len(text) < 2 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	return quoting(first) && closes(first, last)
}

// trifle reports whether what stands between values says nothing: marks, tags, the
// lines of fences, comments.
func trifle(s string) bool {
	for s = strings.TrimLeftFunc(s, space); s != ""; s = strings.TrimLeftFunc(s, space) {
		switch {
		case strings.IndexByte(",;)}]>`'\"", s[0]) >= 0:
			if rest, ok := strings.CutPrefix(s, "```"); ok {
				s = strings.TrimLeftFunc(rest, func(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' })
				continue
			}
			s = s[1:]
		case strings.HasPrefix(s, "/*"):
			_, rest, _ := strings.Cut(s[2:], "*/")
			s = rest
		case strings.HasPrefix(s, "//"), s[0] == '#':
			_, rest, _ := strings.Cut(s, "\n")
			s = rest
		case s[0] == '<':
			n := strings.IndexByte(s, '>')
			if n < 0 || n > 64 || strings.ContainsAny(s[1:n], "<\n") {
				return false
			}
			s = s[n+1:]
		default:
			return false
		}
	}
	return true
}

// unescaped takes one layer of backslashes from a text that was escaped as if it
// stood in a string: {\"a\": \"b\"}.
func unescaped(text string) (string, bool) {
	head := text[:min(len(text), 64)]
	n := strings.IndexByte(head, '"')
	if n < 1 || head[n-1] != '\\' || strings.Trim(strings.ReplaceAll(head[:n-1], `\n`, ""), "{[ \t\r\n") != "" {
		return text, false
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
			switch text[i] {
			case 'n':
				b.WriteByte('\n')
				continue
			case 'r':
				b.WriteByte('\r')
				continue
			case 't':
				b.WriteByte('\t')
				continue
			case '"', '\\', '/':
			default:
				b.WriteByte('\\')
			}
		}
		b.WriteByte(text[i])
	}
	return b.String(), true
}
