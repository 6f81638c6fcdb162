package result

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Invented returns the numbers of a summary, as they are written there, that do not
// stand in the raw text: the summary was made by a model, and what it says of
// figures has to come from somewhere. A number may be written in another way, with
// thousands set apart, in 万 or million, as a percentage, without its sign, or
// rounded to the places that it shows; a number said to be about something, to its
// zeros as well. Numbers that are part of a name and those of a list are no claims.
// A raw text that is to include what was counted has the Brief appended.
func Invented(summary, raw string) []string {
	var known []float64
	for _, n := range numbersOf(raw) {
		known = append(known, n.value)
		if n.plain != n.value {
			known = append(known, n.plain)
		}
	}
	slices.Sort(known)
	near := func(v, within float64) bool {
		within += 1e-9 * math.Abs(v)
		i, _ := slices.BinarySearch(known, v-within)
		return i < len(known) && known[i] <= v+within
	}
	var out []string
	for _, n := range numbersOf(summary) {
		switch {
		case n.ordinal, near(n.value, n.step/2):
		case n.percent && (near(n.plain, n.step*50) || near(n.plain/100, n.step/2)):
		default:
			out = append(out, n.text)
		}
	}
	return out
}

// A numeral is a number of a text.
type numeral struct {
	text    string
	value   float64 // without its sign; of 12% 0.12
	plain   float64 // the digits alone: of 12% 12
	step    float64 // what its last place counts, in value
	percent bool
	ordinal bool // of a list: "1. …"
}

// scales are what a unit behind a number makes of it, the longer before those they
// begin with.
var scales = []struct {
	unit string
	by   float64
}{
	{"万亿", 1e12}, {"千万", 1e7}, {"百万", 1e6}, {"亿", 1e8}, {"万", 1e4}, {"千", 1e3}, {"百", 100},
	{"thousand", 1e3}, {"million", 1e6}, {"billion", 1e9}, {"trillion", 1e12},
	{"mn", 1e6}, {"bn", 1e9}, {"k", 1e3}, {"K", 1e3}, {"m", 1e6}, {"M", 1e6}, {"b", 1e9}, {"B", 1e9},
	{"percentage points", 0.01}, {"percent", 0.01}, {"per cent", 0.01}, {"个百分点", 0.01}, {"pp", 0.01}, {"%", 0.01}, {"‰", 0.001},
}

var (
	about = regexp.MustCompile(`(?i)(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|over|more than|less than|under)\s+|[~≈约近超逾]|大约|将近|超过)[$€£¥ ]*$`)
	// A number at the beginning of a line with a sign behind it counts the lines.
	listed = regexp.MustCompile(`(?m)^[ \t>*-]*\(?\d{1,2}(?:[.)] |[、）])`)
)

// numbersOf are the numbers of a text, in order. It goes through the text once.
func numbersOf(text string) []numeral {
	s := foldDigits(text)
	inList := map[int]bool{}
	for _, loc := range listed.FindAllStringIndex(s, -1) {
		inList[loc[0]+strings.IndexAny(s[loc[0]:loc[1]], "0123456789")] = true
	}
	var out []numeral
	for i := 0; i < len(s); {
		c := s[i]
		if c >= '0' && c <= '9' {
			n, end := numeralAt(s, i)
			n.ordinal = inList[i]
			if r, _ := utf8.DecodeLastRuneInString(s[:i]); r != '_' && (!unicode.IsLetter(r) || unicode.Is(unicode.Han, r)) {
				out = append(out, n)
			}
			i = end
			continue
		}
		if c >= 0xE3 {
			if n, end, ok := hanNumeral(s, i); ok {
				out = append(out, n)
				i = end
				continue
			}
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return out
}

// foldDigits writes digits and signs of full width as those of ASCII.
func foldDigits(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '０' && r <= '９':
			return r - '０' + '0'
		case r == '％' || r == '﹪':
			return '%'
		case r == '．':
			return '.'
		case r == '，':
			return ','
		case r == 0xA0 || r == 0x202F || r == 0x2009:
			return '\''
		}
		return r
	}, s)
}

// numeralAt reads the number whose first digit is at i, and says where it ends.
func numeralAt(s string, i int) (numeral, int) {
	j := i
	digits := func() {
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			j++
		}
	}
	digits()
	text := s[i:j]
	for len(s[i:j]) <= 3 && j < len(s) || len(text) < j-i {
		if j >= len(s) || s[j] != ',' && s[j] != '\'' || !threeDigits(s[j+1:]) {
			break
		}
		text += s[j+1 : j+4]
		j += 4
	}
	places := 0
	if j+1 < len(s) && s[j] == '.' && s[j+1] >= '0' && s[j+1] <= '9' {
		point := j
		j++
		digits()
		places = j - point - 1
		text += s[point:j]
	}
	if m := exponents.FindString(s[j:min(len(s), j+6)]); m != "" {
		text += m
		j += len(m)
	}
	n := numeral{step: math.Pow10(-places)}
	// A number too large for a float is as large as one can say.
	n.value, _ = strconv.ParseFloat(text, 64) //nolint:errcheck
	n.plain = n.value
	if places == 0 && about.MatchString(s[max(0, boundary(s, i-20)):i]) {
		for t := text; len(t) > 1 && strings.HasSuffix(t, "0"); t = t[:len(t)-1] {
			n.step *= 10
		}
	}
	rest := s[j:]
	blank := len(rest) - len(strings.TrimPrefix(rest, " "))
	for _, u := range scales {
		if !strings.HasPrefix(rest[blank:], u.unit) || blank > 0 && len(u.unit) == 1 && u.unit != "%" || wordGoesOn(u.unit, rest[blank+len(u.unit):]) {
			continue
		}
		j += blank + len(u.unit)
		n.value *= u.by
		n.step *= u.by
		n.percent = u.by < 1
		break
	}
	n.text = s[i:j]
	return n, j
}

var exponents = regexp.MustCompile(`^[eE][-+]?\d{1,3}`)

// wordGoesOn reports whether a unit of letters is only the beginning of a word.
func wordGoesOn(unit, rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return unit[0] < 0x80 && unit != "%" && rest != "" && (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r)
}

func threeDigits(s string) bool {
	for i := range 3 {
		if i >= len(s) || s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) == 3 || s[3] < '0' || s[3] > '9'
}

// The signs of a number in Chinese words.
var (
	hanDigits = map[rune]float64{'零': 0, '〇': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}
	hanUnits  = map[rune]float64{'十': 10, '百': 100, '千': 1e3}
	hanLarge  = map[rune]float64{'万': 1e4, '亿': 1e8}
)

// hanNumeral reads a number in Chinese words, 三百二十万. One sign alone, one without
// a unit, and one that begins with a unit, as 千万, are words of the language and no
// figures.
func hanNumeral(s string, i int) (n numeral, end int, ok bool) {
	var sum, section, digit float64
	signs, units := 0, 0
	end = i
	if first, _ := utf8.DecodeRuneInString(s[i:]); first != '十' {
		if _, ok := hanDigits[first]; !ok {
			return n, i, false
		}
	}
	for _, r := range s[i:] {
		if d, ok := hanDigits[r]; ok {
			digit = d
		} else if u, ok := hanUnits[r]; ok {
			section += cmp.Or(digit, 1) * u
			digit = 0
			units++
		} else if u, ok := hanLarge[r]; ok {
			sum += (section + digit) * u
			section, digit = 0, 0
			units++
		} else {
			break
		}
		signs++
		end += utf8.RuneLen(r)
	}
	if units == 0 || signs < 2 {
		return n, i, false
	}
	v := sum + section + digit
	return numeral{text: s[i:end], value: v, plain: v}, end, v > 0
}
