package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A bit is a piece of a line that is not broken.
type bit struct {
	text string
	look look
	wide float64
	glue bool // no line ends before it
}

// bits takes a text in the Markdown of a page apart where a line may end: at blanks, and
// between Chinese characters.
func (p *press) bits(md string, l look) []bit {
	var all []bit
	for _, s := range tones(md) {
		look := l
		look.bold, look.struck = l.bold || s.bold, s.struck
		text := legible(s.text)
		for i, word := range atoms(text) {
			glue := i == 0 && len(all) > 0 && !strings.HasSuffix(all[len(all)-1].text, " ")
			first, _ := utf8.DecodeRuneInString(word)
			if i > 0 {
				glue = strings.ContainsRune(closing, first)
			}
			all = append(all, bit{text: word, look: look, wide: p.measure(word, look), glue: glue})
		}
	}
	return all
}

// closing are signs that no line begins with, opening those that none ends with.
const (
	closing = "，。、；：？！）》」』”’】%,.;:?!)]…"
	opening = "（《「『“‘【(["
)

// atoms are words with the blank behind them, and single characters of scripts that have
// no blanks.
func atoms(s string) []string {
	var all []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			all = append(all, word.String())
			word.Reset()
		}
	}
	for _, r := range s {
		if r >= 0x2E80 && (word.Len() == 0 || !strings.ContainsRune(opening, lastRune(word.String()))) {
			end()
		}
		word.WriteRune(r)
		if r == ' ' || r >= 0x2E80 && !strings.ContainsRune(opening, r) {
			end()
		}
	}
	end()
	return all
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// wrap puts bits into lines of a width. What is wider than a line is broken anywhere.
func (p *press) wrap(all []bit, width float64) [][]bit {
	var lines [][]bit
	var line []bit
	used := 0.0
	end := func() {
		if len(line) > 0 {
			lines = append(lines, line)
			line, used = nil, 0
		}
	}
	for _, b := range all {
		if bare := p.measure(strings.TrimRight(b.text, " "), b.look); used+bare > width && len(line) > 0 {
			var with []bit // what must not be torn from it
			if b.glue && len(line) > 1 {
				with = append(with, line[len(line)-1])
				line = line[:len(line)-1]
			}
			end()
			for _, w := range with {
				line, used = append(line, w), used+w.wide
			}
		}
		for used+p.measure(strings.TrimRight(b.text, " "), b.look) > width && utf8.RuneCountInString(b.text) > 1 {
			head := b
			head.text = p.head(b.text, width-used, b.look)
			line = append(line, head)
			end()
			b.text = b.text[len(head.text):]
			b.wide = p.measure(b.text, b.look)
		}
		line, used = append(line, b), used+b.wide
	}
	end()
	return lines
}

// head is as much of a text as fits, a letter at least.
func (p *press) head(s string, width float64, l look) string {
	n := 0
	for i, r := range s {
		if next := i + utf8.RuneLen(r); n > 0 && p.measure(s[:next], l) > width {
			break
		}
		n = i + utf8.RuneLen(r)
	}
	return s[:n]
}

// A tone is text of one look.
type tone struct {
	text         string
	bold, struck bool
}

// tones reads the Markdown within a line as far as pages have it: strong, struck out,
// and signs that are escaped. Everything else is text.
func tones(md string) []tone {
	var all []tone
	var b strings.Builder
	at := tone{}
	end := func() {
		if at.text = b.String(); at.text != "" {
			all = append(all, at)
		}
		b.Reset()
	}
	for i := 0; i < len(md); {
		rest := md[i:]
		switch {
		case rest[0] == '\\' && len(rest) > 1 && strings.IndexByte("\\`*_[]~|<>#-+.!(){}", rest[1]) >= 0:
			b.WriteByte(rest[1])
			i += 2
		case strings.HasPrefix(rest, "**"):
			end()
			at.bold = !at.bold
			i += 2
		case strings.HasPrefix(rest, "~~"):
			end()
			at.struck = !at.struck
			i += 2
		case strings.HasPrefix(rest, "&lt;"):
			b.WriteByte('<')
			i += 4
		case strings.HasPrefix(rest, "&#47;"):
			b.WriteByte('/')
			i += 5
		case rest[0] == '_' && edge(md, i):
			i++ // slanted, which no font here is
		default:
			_, n := utf8.DecodeRuneInString(rest)
			b.WriteString(rest[:n])
			i += n
		}
	}
	end()
	return all
}

// edge reports whether a sign stands where a word begins or ends.
func edge(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+1:])
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return i == 0 || i+1 == len(s) || word(before) != word(after)
}
