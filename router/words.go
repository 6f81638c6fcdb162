package router

import (
	"strings"
	"unicode"
)

// words are a text as the rules see it: small letters, one space between words of
// letters, none around Han characters, no marks. at has where each word begins in
// text, a Han character being one.
type words struct {
	text string
	at   []int
}

func isHan(r rune) bool { return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF }

func split(text string) words {
	var b strings.Builder
	b.Grow(len(text) + 8)
	w := words{at: make([]int, 0, 32)}
	inside, space := false, false
	for _, r := range text {
		if r >= 0xFF01 && r <= 0xFF5E {
			r -= 0xFEE0 // full width
		}
		switch {
		case isHan(r):
			w.at = append(w.at, b.Len())
			b.WriteRune(r)
			inside, space = false, false
		case r == '\'' || r == '’' || r == '‘':
			if inside {
				b.WriteByte('\'')
			}
		case r < 0x80 && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9') || r >= 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)), r >= 'A' && r <= 'Z':
			if !inside {
				if space {
					b.WriteByte(' ')
				}
				w.at = append(w.at, b.Len())
			}
			inside, space = true, true
			b.WriteRune(unicode.ToLower(r))
		default:
			inside = false
		}
	}
	w.text = b.String()
	return w
}

// word is the n-th word.
func (w words) word(n int) string { return w.text[w.at[n]:w.end(n)] }

// end is where the n-th word ends.
func (w words) end(n int) int {
	if n+1 == len(w.at) {
		return len(w.text)
	}
	next := w.at[n+1]
	if next > 0 && w.text[next-1] == ' ' {
		return next - 1
	}
	return next
}
