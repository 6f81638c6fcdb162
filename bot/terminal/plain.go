package terminal

import (
	"html"
	"regexp"
	"strings"
	"unicode"

	"hermes/bot"
)

// What the bot says is Markdown. A terminal shows it as plain text: tables in
// columns, links with their address, and no marks but those that say something.
// Struck text keeps its marks, since without them it would be claimed.

// A look is how a text is shown: bold is for terminals alone.
type look struct{ bold bool }

func (k look) strong(s string) string {
	if !k.bold || s == "" {
		return s
	}
	return "\x1b[1m" + s + "\x1b[22m"
}

// faint is for what only somebody who looks twice reads.
func (k look) faint(s string) string {
	if !k.bold || s == "" {
		return s
	}
	return "\x1b[2m" + s + "\x1b[22m"
}

// record is what exactly is done on a yes: last before the buttons, as a terminal folds
// nothing and people read what stands where they type.
func (k look) record(r bot.Record) string {
	if len(r.Details) == 0 {
		return ""
	}
	lines := []string{r.Head}
	for _, d := range r.Details {
		line := "  " + d.Label
		if d.Text != "" {
			line += ": " + d.Text
		}
		lines = append(lines, oneLine.Replace(line))
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString("  " + k.faint(harmless(line)) + "\n")
	}
	return b.String()
}

// oneLine keeps what is not ours from beginning a line.
var oneLine = strings.NewReplacer("\r", " ", "\n", " ")

var (
	fence   = regexp.MustCompile("^ {0,3}(```+|~~~+)")
	heading = regexp.MustCompile(`^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$`)
	bullet  = regexp.MustCompile(`^([ \t]*)[*+]([ \t]+)`)
	address = regexp.MustCompile(`^<((?:https?|mailto):[^\s<>]+)>`)
	target  = regexp.MustCompile(`^\(\s*<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`)
)

// plain is a text of Markdown for a terminal.
func (k look) plain(markdown string) string {
	lines := strings.Split(harmless(markdown), "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if m := fence.FindStringSubmatch(line); m != nil {
			for i++; i < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[i]), m[1]); i++ {
				out = append(out, lines[i])
			}
			continue
		}
		if n := tableAt(lines[i:]); n > 0 {
			out = append(out, k.table(lines[i:i+n])...)
			i += n - 1
			continue
		}
		if m := heading.FindStringSubmatch(line); m != nil {
			out = append(out, k.strong(look{}.inline(m[1])))
			continue
		}
		line = strings.TrimSuffix(strings.TrimRight(line, " \t"), `\`)
		out = append(out, k.inline(bullet.ReplaceAllString(line, "$1-$2")))
	}
	return strings.Join(out, "\n")
}

// inline is one line without its marks.
func (k look) inline(s string) string {
	var b strings.Builder
	text := 0 // what is before it is written
	write := func(to int) { b.WriteString(harmless(html.UnescapeString(s[text:to]))) }
	for i := 0; i < len(s); {
		shown, n := k.mark(s, i)
		if n == 0 {
			i++
			continue
		}
		write(i)
		b.WriteString(shown)
		i += n
		text = i
	}
	write(len(s))
	return b.String()
}

// mark is what is shown for the mark at s[i], and how long the mark is; none has 0.
func (k look) mark(s string, i int) (shown string, n int) {
	rest := s[i:]
	switch s[i] {
	case '\\':
		if len(rest) > 1 && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", rest[1]) >= 0 {
			return rest[1:2], 2
		}
	case '`':
		return code(rest)
	case '<':
		if m := address.FindStringSubmatch(rest); m != nil {
			return m[1], len(m[0])
		}
	case '!', '[':
		label := strings.TrimPrefix(rest, "!")
		if shown, n = k.link(label); n > 0 {
			return shown, n + len(rest) - len(label)
		}
	case '*', '_':
		return k.emphasis(s, i)
	}
	return "", 0
}

// code is what stands between as many ticks as it begins with.
func code(s string) (string, int) {
	ticks := len(s) - len(strings.TrimLeft(s, "`"))
	for at := ticks; at < len(s); {
		next := strings.IndexByte(s[at:], '`')
		if next < 0 {
			break
		}
		at += next
		run := len(s[at:]) - len(strings.TrimLeft(s[at:], "`"))
		if run == ticks {
			inner := s[ticks:at]
			if strings.HasPrefix(inner, " ") && strings.HasSuffix(inner, " ") && strings.TrimSpace(inner) != "" {
				inner = inner[1 : len(inner)-1]
			}
			return inner, at + run
		}
		at += run
	}
	return s[:ticks], ticks
}

// link is [words](address): the words, and the address where it says more.
func (k look) link(s string) (string, int) {
	if !strings.HasPrefix(s, "[") {
		return "", 0
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth > 0 {
			continue
		}
		m := target.FindStringSubmatch(s[i+1:])
		if m == nil {
			return "", 0
		}
		words, to := k.inline(s[1:i]), strings.ReplaceAll(m[1], `\`, "")
		if words == "" || words == to || to == "" {
			return words + strings.TrimPrefix(to, words), i + 1 + len(m[0])
		}
		return words + " (" + to + ")", i + 1 + len(m[0])
	}
	return "", 0
}

// emphasis is *words*, _words_, **words** or __words__. Within a word only stars
// count: names have underscores.
func (k look) emphasis(s string, i int) (string, int) {
	sign := s[i : i+1]
	if strings.HasPrefix(s[i:], sign+sign) {
		sign += sign
	}
	from := i + len(sign)
	if from >= len(s) || s[from] == ' ' || sign[0] == '_' && letterBefore(s, i) {
		return "", 0
	}
	for at := from + 1; at < len(s); at++ {
		if s[at] == '`' { // code has no emphasis
			if _, n := code(s[at:]); n > 1 {
				at += n - 1
				continue
			}
		}
		if !strings.HasPrefix(s[at:], sign) || s[at-1] == ' ' || s[at-1] == '\\' || sign[0] == '_' && letterAt(s, at+len(sign)) {
			continue
		}
		if len(sign) == 1 && strings.HasPrefix(s[at:], sign+sign) {
			at++ // belongs to what is strong within
			continue
		}
		if len(sign) == 2 {
			return k.strong(look{}.inline(s[from:at])), at + len(sign) - i
		}
		return k.inline(s[from:at]), at + len(sign) - i
	}
	return "", 0
}

func letterBefore(s string, i int) bool {
	r := []rune(s[:i])
	return len(r) > 0 && (unicode.IsLetter(r[len(r)-1]) || unicode.IsDigit(r[len(r)-1]))
}

func letterAt(s string, i int) bool {
	for _, r := range s[min(i, len(s)):] {
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return false
}

// harmless is a text without what would steer the terminal or turn its order round.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case unicode.IsControl(r), r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
			return -1
		}
		return r
	}, s)
}
