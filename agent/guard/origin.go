package guard

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"hermes/agent/tool"
)

// A Text is something that a Run has read. By is who is answerable for it: empty for the
// words of the one whom the Run works for and for what this program has made, of which
// control may be taken; else what it is called by people. Kept says that it was known
// before the Run.
type Text struct {
	By, Body string
	Kept     bool
}

// Origins says where the values of arguments come from. It is for one goroutine.
type Origins struct{ own, foreign []*corpus }

type corpus struct {
	by   string
	text string // folded
	said string // the words alone, once they are asked for
}

// NewOrigins reads the texts of a Run.
func NewOrigins(texts []Text) *Origins {
	o := &Origins{}
	for _, t := range texts {
		body := fold(t.Body)
		if strings.TrimSpace(body) == "" {
			continue
		}
		c := &corpus{by: t.By, text: body}
		if t.By == "" {
			o.own = append(o.own, c)
		} else {
			o.foreign = append(o.foreign, c)
		}
	}
	return o
}

// Foreign reports whether the Run has read anything that is not of whom it works for.
func (o *Origins) Foreign() bool { return len(o.foreign) > 0 }

// A Finding is a part of a value that has come from elsewhere: By says from where.
type Finding struct{ Part, By string }

// Foreigners are the parts of a value that only what others have written holds: the
// names, addresses, ids and amounts in it, and of plain words a run of some that stand
// together there. A short value is one part.
func (o *Origins) Foreigners(value string) []Finding {
	var out []Finding
	for _, p := range o.parts(value) {
		if holdsIn(o.own, p) {
			continue
		}
		if by, ok := whose(o.foreign, p); ok && !slices.ContainsFunc(out, func(f Finding) bool { return f.Part == p }) {
			out = append(out, Finding{p, by})
		}
	}
	return trimmed(out)
}

// ForeignNames are Foreigners among the distinct parts alone: the links, addresses, names
// and amounts of a text that is only shown.
func (o *Origins) ForeignNames(value string) []Finding {
	var out []Finding
	for _, p := range distinct(fold(value)) {
		if holdsIn(o.own, p) {
			continue
		}
		if by, ok := whose(o.foreign, p); ok && !slices.ContainsFunc(out, func(f Finding) bool { return f.Part == p }) {
			out = append(out, Finding{p, by})
		}
	}
	return out
}

// Founded reports whether a value rests on the words of whom the Run works for: all its
// distinct parts stand there, and so does at least half of its other words.
func (o *Origins) Founded(value string) bool {
	v := fold(value)
	if strings.TrimSpace(v) == "" || holdsIn(o.own, strings.TrimSpace(v)) {
		return true
	}
	for _, p := range distinct(v) {
		if !holdsIn(o.own, p) {
			return false
		}
	}
	words, known := tokens(v), 0
	for _, w := range words {
		if holdsIn(o.own, w) {
			known++
		}
	}
	return 2*known >= len(words) && known > 0
}

// window is how many words in a row are no chance: two people who speak of one thing do
// not write the same five.
const window = 5

// parts are what is looked for of a value.
func (o *Origins) parts(value string) []string {
	v := strings.TrimSpace(fold(value))
	if v == "" || trivial(v) || holdsIn(o.own, v) {
		return nil
	}
	out := distinct(v)
	words := tokens(v)
	if len(words) <= window {
		return append(out, v)
	}
	for i := 0; i+window <= len(words); i++ {
		out = append(out, strings.Join(words[i:i+window], " "))
	}
	return out
}

// trivial is what stands everywhere by chance: a sign, or a number of one digit.
func trivial(v string) bool {
	letters := 0
	for _, r := range v {
		switch {
		case unicode.Is(unicode.Han, r):
			letters += 2
		case unicode.IsLetter(r), unicode.IsNumber(r):
			letters++
		}
	}
	return letters < 2
}

// names are what tells one thing from another, and what harm is done with: links,
// addresses, people, channels, ids and amounts.
var names = []*regexp.Regexp{
	regexp.MustCompile(`[a-z][a-z0-9+.-]*://[^\s<>"'|)\]]+`),
	regexp.MustCompile(`[a-z0-9._%+-]+@[\p{L}0-9-]+(?:\.[\p{L}0-9-]+)+`),
	regexp.MustCompile(`(?:[\p{L}0-9](?:[\p{L}0-9-]*[\p{L}0-9])?\.)+(?:[a-z]{2,24}|xn--[a-z0-9-]+)(?:/[^\s<>"'|)\]]*)?`),
	regexp.MustCompile(`[@#＃][\p{L}0-9_.-]+`),
	regexp.MustCompile(`\b[a-z]*[0-9][a-z0-9_-]{5,}\b`),
	regexp.MustCompile(`[0-9][0-9.,]*[0-9]`),
}

// distinct are the names in a folded text.
func distinct(v string) []string {
	var out []string
	for _, re := range names {
		for _, m := range re.FindAllString(v, -1) {
			m = strings.TrimRight(m, ".,;:!?。，；：！？")
			if m = strings.TrimLeft(m, "#@＃"); m != "" && !trivial(m) && !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

// tokens are the words of a text; a Han character is one.
func tokens(v string) []string {
	var out []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	for _, r := range v {
		switch {
		case unicode.Is(unicode.Han, r):
			flush()
			out = append(out, string(r))
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r):
			word.WriteRune(r)
		default:
			flush()
		}
	}
	flush()
	return out
}

// fold is a text as it is compared: one form for letters that look alike by design, small
// letters, nothing that cannot be seen, and entities as what they are shown as.
func fold(s string) string {
	s = strings.ToLower(norm.NFKC.String(tool.Decoded(s)))
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, s)
}

// holdsIn reports whether a part stands in one of the texts.
func holdsIn(in []*corpus, part string) bool {
	_, ok := whose(in, part)
	return ok
}

func whose(in []*corpus, part string) (by string, ok bool) {
	for _, c := range in {
		if stands(c.text, part) || spaced(part) && stands(c.words(), part) {
			return c.by, true
		}
	}
	return "", false
}

func spaced(part string) bool { return strings.Contains(part, " ") }

// words is the text as its tokens alone, so that other marks between them hide nothing.
func (c *corpus) words() string {
	if c.said == "" {
		c.said = strings.Join(tokens(c.text), " ")
	}
	return c.said
}

// stands reports whether a part stands in a text as a thing of its own: the letters and
// digits at its ends do not go on.
func stands(text, part string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return false
		}
		i += from
		if !goesOn(text[:i], part, true) && !goesOn(text[i+len(part):], part, false) {
			return true
		}
		from = i + 1
	}
}

// trimmed leaves out what is a part of another finding.
func trimmed(all []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f Finding) bool {
		return slices.ContainsFunc(all, func(g Finding) bool { return g.Part != f.Part && strings.Contains(g.Part, f.Part) })
	})
}
