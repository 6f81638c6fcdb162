package store

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// mostWords is how many words of a question are looked for: a pasted page is not
// searched for each of its words.
const mostWords = 48

// A token is a word, or a run of characters of a script that has no spaces.
type token struct {
	text  string
	solid bool
}

// tokens cuts text into words that both databases take for words: lower case,
// letters and digits alone.
func tokens(text string) []token {
	var all []token
	var word strings.Builder
	solid := false
	end := func() {
		if word.Len() > 0 {
			all = append(all, token{word.String(), solid})
			word.Reset()
		}
	}
	for _, r := range norm.NFKC.String(strings.ToLower(text)) {
		is := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
		switch {
		case unicode.IsMark(r):
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
		default:
			if is != solid {
				end()
			}
			solid = is
			word.WriteRune(r)
		}
	}
	end()
	return all
}

// indexed is text as it goes into the index: each solid character is a word, since
// nothing tells where the words are.
func indexed(text string) string {
	var words []string
	for _, t := range tokens(text) {
		if !t.solid {
			words = append(words, t.text)
			continue
		}
		for _, r := range t.text {
			words = append(words, string(r))
		}
	}
	return strings.Join(words, " ")
}

// A term is what is looked for: one word, which may go on, or two solid characters
// beside each other.
type term struct {
	text, next string
	prefix     bool
}

// terms are the different words of text.
func terms(text string) []term {
	var all []term
	seen := map[term]bool{}
	add := func(t term) {
		if !seen[t] && len(all) < mostWords {
			seen[t] = true
			all = append(all, t)
		}
	}
	for _, t := range tokens(text) {
		runes := []rune(t.text)
		switch {
		case !t.solid && len(runes) > 3:
			// "reports" finds "report", and the other way round.
			add(term{text: strings.TrimSuffix(t.text, "s"), prefix: true})
		case !t.solid || len(runes) == 1:
			add(term{text: t.text})
		default:
			for i := range len(runes) - 1 {
				add(term{text: string(runes[i]), next: string(runes[i+1])})
			}
		}
	}
	return all
}

// sqlite is the term in a query of FTS5.
func (t term) sqlite() string {
	switch {
	case t.next != "":
		return `"` + t.text + " " + t.next + `"`
	case t.prefix:
		return `"` + t.text + `" *`
	}
	return `"` + t.text + `"`
}

// postgres is the term in a query of to_tsquery.
func (t term) postgres() string {
	switch {
	case t.next != "":
		return "('" + t.text + "' <-> '" + t.next + "')"
	case t.prefix:
		return "'" + t.text + "':*"
	}
	return "'" + t.text + "'"
}
