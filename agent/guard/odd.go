package guard

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"hermes/agent/tool"
)

// goesOn reports whether the word at an end of a part goes on in the text beside it. Han
// characters and signs stand by themselves.
func goesOn(beside, part string, before bool) bool {
	in, _ := utf8.DecodeRuneInString(part)
	out, _ := utf8.DecodeLastRuneInString(beside)
	if !before {
		in, _ = utf8.DecodeLastRuneInString(part)
		out, _ = utf8.DecodeRuneInString(beside)
	}
	word := func(r rune) bool {
		return r != utf8.RuneError && !unicode.Is(unicode.Han, r) && (unicode.IsLetter(r) || unicode.IsNumber(r))
	}
	return word(in) && word(out)
}

// invisible is what nobody sees and a program reads: joiners, marks of direction, fillers,
// tags and selectors.
func invisible(r rune) bool {
	switch {
	case r == '\n', r == '\t', r == '\r':
		return false
	case unicode.Is(unicode.Cf, r), unicode.IsControl(r):
		return true
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0100 && r <= 0xE01EF:
		return true
	}
	switch r {
	case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0:
		return true
	}
	return false
}

// directed are the marks that turn the direction of writing around.
func directed(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x061C
}

// An Odd is what makes a text look like another: the sign at fault, and how it is at
// fault.
type Odd struct {
	Kind OddKind
	Sign rune
	Word string // in which it stands, of Mixed and Alike
}

// An OddKind is how a text deceives.
type OddKind int

// The kinds.
const (
	Hidden OddKind = iota + 1 // a sign that nobody sees
	Turned                    // a mark that turns the direction of writing around
	Mixed                     // letters of several scripts in one word
	Alike                     // a word of another script, all of whose letters look Latin
	Styled                    // letters of mathematics, which look like others
)

// Oddity is the first thing in a text that would deceive the eye, and false if there is
// none. Emoji may be joined as they are; Han, kana and Hangul go with any script.
func Oddity(s string) (Odd, bool) {
	s = tool.Decoded(s)
	var before rune
	for _, r := range s {
		switch {
		case directed(r):
			return Odd{Kind: Turned, Sign: r}, true
		case r == 0xFE0F || r == 0x200D:
			if !pictured(before) {
				return Odd{Kind: Hidden, Sign: r}, true
			}
			continue
		case invisible(r):
			return Odd{Kind: Hidden, Sign: r}, true
		case r >= 0x1D400 && r <= 0x1D7FF:
			return Odd{Kind: Styled, Sign: r}, true
		}
		before = r
	}
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) }) {
		if odd, ok := mixed(w); ok {
			return odd, true
		}
	}
	return Odd{}, false
}

// pictured is true of what may be joined to a picture.
func pictured(r rune) bool {
	return unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) || r == '#' || r == '*' || r >= '0' && r <= '9' || r >= 0x1F000
}

// scripts are those whose letters pass for one another.
var scripts = []struct {
	name  string
	table *unicode.RangeTable
}{
	{"Latin", unicode.Latin}, {"Cyrillic", unicode.Cyrillic}, {"Greek", unicode.Greek}, {"Armenian", unicode.Armenian},
	{"Cherokee", unicode.Cherokee}, {"Coptic", unicode.Coptic}, {"Lisu", unicode.Lisu}, {"Georgian", unicode.Georgian},
}

// Script is the name of the script of a letter, of those that pass for one another.
func Script(r rune) string {
	for _, s := range scripts {
		if unicode.Is(s.table, r) {
			return s.name
		}
	}
	return ""
}

// latinLike are letters of Cyrillic and Greek that look like Latin ones.
const latinLike = "аеорсухіјѕһԁԛԝӏьгпкмнтвАВЕКМНОРСТУХІЈЅҺԚԜαικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳ"

func mixed(w string) (Odd, bool) {
	first, alike, letters := "", true, 0
	var sign rune
	for _, r := range w {
		s := Script(r)
		if s == "" {
			continue
		}
		letters++
		switch {
		case first == "":
			first = s
		case s != first:
			if s == "Latin" {
				// The sign at fault is the other one.
				for _, x := range w {
					if Script(x) == first {
						return Odd{Mixed, x, w}, true
					}
				}
			}
			return Odd{Mixed, r, w}, true
		}
		if s == "Latin" || !strings.ContainsRune(latinLike, r) {
			alike = false
		} else if sign == 0 {
			sign = r
		}
	}
	if letters > 1 && alike && sign != 0 {
		return Odd{Alike, sign, w}, true
	}
	return Odd{}, false
}

// Shown is a text in which everything can be seen that is there: for cards.
func Shown(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case invisible(r), r == '\n', r == '\r', r == '\t':
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		case r == '`':
			b.WriteByte('\'')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
