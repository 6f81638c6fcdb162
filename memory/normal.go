package memory

import (
	"strings"
	"unicode"
)

// The predicates with a meaning of their own. Any other word is one too and may
// have many objects.
const (
	PrefersFormat   = "prefers-format"
	PrefersLanguage = "prefers-language"
	ReportsTo       = "reports-to"
	Means           = "means"
	Likes           = "likes"
	Note            = "note"
)

// Preferences are the predicates that Memory.Preferences answers.
var preferences = []string{PrefersFormat, PrefersLanguage}

// single lists the predicates of which a subject has one object at a time. Only
// these can contradict: a person may like many things and note many more, and two
// similar notes are two notes.
var single = map[string]bool{
	PrefersFormat: true, PrefersLanguage: true, ReportsTo: true, Means: true,
}

// Single reports whether two different objects of the predicate contradict each
// other.
func Single(predicate string) bool { return single[predicate] }

// synonyms are, by predicate, the words that people use for one thing. A word of
// letters must stand alone in the text; one of Han characters may stand anywhere.
var synonyms = map[string][]synonym{
	PrefersFormat: {
		{"xlsx", []string{"xlsx", "xls", "excel", "spreadsheet", "spreadsheets", "电子表格", "工作簿"}},
		{"csv", []string{"csv", "comma separated", "comma-separated", "逗号分隔"}},
		{"pdf", []string{"pdf", "pdfs"}},
		{"markdown", []string{"markdown", "md"}},
		{"json", []string{"json"}},
		{"html", []string{"html"}},
		{"docx", []string{"docx", "doc", "word"}},
		{"pptx", []string{"pptx", "ppt", "powerpoint", "slides", "幻灯片"}},
		{"png", []string{"png"}},
	},
	PrefersLanguage: {
		{"zh-hant", []string{"zh-hant", "zh-tw", "zh-hk", "traditional chinese", "繁体中文", "繁體中文", "繁体", "繁體"}},
		{"zh", []string{"zh", "zh-cn", "zh-hans", "cn", "chinese", "mandarin", "中文", "汉语", "漢語", "普通话", "简体", "华语"}},
		{"en", []string{"en", "en-us", "en-gb", "english", "英文", "英语", "英語"}},
		{"ja", []string{"ja", "jp", "japanese", "日语", "日文", "日本語"}},
		{"ko", []string{"ko", "kr", "korean", "韩语", "韩文", "한국어"}},
		{"de", []string{"de", "german", "deutsch", "德语", "德文"}},
		{"fr", []string{"fr", "french", "français", "francais", "法语", "法文"}},
		{"es", []string{"es", "spanish", "español", "espanol", "西班牙语", "西班牙文"}},
	},
}

type synonym struct {
	name  string
	words []string
}

// Normalize returns the one form of an object by which two are compared: "Excel
// 表格" and "xlsx" are one format, "中文" and "Chinese" one language, and in all
// else case, width, outer punctuation and white space do not count.
func Normalize(predicate, object string) string {
	return named(synonyms[predicate], fold(object))
}

// named returns the name of the one thing that s speaks of, or s if that is none
// or several ("Excel and CSV" is a wish of its own).
func named(list []synonym, s string) string {
	found, rest := "", s
	for _, syn := range list {
		hit := false
		for _, w := range syn.words {
			if cut, ok := without(rest, w); ok {
				// What is taken out cannot be found again by a shorter
				// word: "traditional chinese" is not "chinese" too.
				rest, hit = cut, true
			}
		}
		if !hit {
			continue
		}
		if found != "" {
			return s
		}
		found = syn.name
	}
	if found == "" {
		return s
	}
	return found
}

// Mentions reports whether a text speaks of an object, by any of its words.
func Mentions(predicate, text, object string) bool {
	said, want := fold(text), Normalize(predicate, object)
	for _, syn := range synonyms[predicate] {
		for _, w := range syn.words {
			cut, ok := without(said, w)
			if ok && syn.name == want {
				return true
			}
			said = cut
		}
	}
	if want == "" {
		return false
	}
	_, ok := without(said, want)
	return ok
}

// without takes every occurrence of the word w out of s.
func without(s, w string) (string, bool) {
	found, from := false, 0
	for {
		i := strings.Index(s[from:], w)
		if i < 0 {
			return s, found
		}
		i += from
		if before, after := s[:i], s[i+len(w):]; wordEnd(before, after, w) {
			s, found = before+" "+after, true
		} else {
			from = i + len(w)
		}
	}
}

// wordEnd reports whether w, found between before and after, is not the middle of
// a longer word of letters.
func wordEnd(before, after, w string) bool {
	if isHan([]rune(w)[0]) {
		return true
	}
	b, a := []rune(before), []rune(after)
	letter := func(r rune) bool { return !isHan(r) && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	return (len(b) == 0 || !letter(b[len(b)-1])) && (len(a) == 0 || !letter(a[0]))
}

func isHan(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// fold lowers case, makes full-width characters narrow and single spaces of all
// white space, and strips quotes and punctuation at both ends.
func fold(s string) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		switch {
		case r >= 0xFF01 && r <= 0xFF5E:
			r -= 0xFEE0
		case r == 0x3000:
			r = ' '
		}
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Trim(b.String(), " .,;:!?\"'`“”‘’。，；：！？、「」『』《》()")
}
