package report

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Numbers in English words. "One" and the small ones are as often a way of
// speaking ("one of the", "the two", "three things"), so those need a unit; and
// what names a part of the year or a place in a row ("second half", "a third
// party") is no number.

var cardinals = map[string]float64{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

var scales = map[string]float64{"dozen": 12, "hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}

var parts = map[string]float64{
	"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4, "fifth": 5, "fifths": 5,
	"sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8, "ninth": 9, "ninths": 9, "tenth": 10, "tenths": 10,
}

// verbs and their like are multiples by themselves.
var multiples = map[string]float64{
	"doubled": 2, "doubles": 2, "doubling": 2, "double": 2, "twice": 2, "twofold": 2, "tripled": 3, "triples": 3, "tripling": 3, "triple": 3,
	"thrice": 3, "threefold": 3, "fourfold": 4, "fivefold": 5, "tenfold": 10,
	"quadrupled": 4, "quadrupling": 4, "halved": 0.5, "halves": 0.5, "halving": 0.5,
}

var glyphs = map[string][2]float64{
	"½": {1, 2}, "⅓": {1, 3}, "⅔": {2, 3}, "¼": {1, 4}, "¾": {3, 4}, "⅕": {1, 5}, "⅖": {2, 5}, "⅗": {3, 5}, "⅘": {4, 5}, "⅙": {1, 6}, "⅛": {1, 8}, "⅜": {3, 8}, "⅝": {5, 8}, "⅞": {7, 8},
}

func oneOf[V any](words map[string]V) string {
	all := slices.SortedFunc(maps.Keys(words), func(a, b string) int { return len(b) - len(a) })
	return "(?:" + strings.Join(all, "|") + ")"
}

var (
	cardinal = oneOf(cardinals)
	number3  = `(?:` + cardinal + `|an?(?: |-)` + oneOf(scales) + `)(?:(?: and |[ -])(?:` + cardinal + `|` + oneOf(scales) + `)\b)*`
	words    = regexp.MustCompile(`(?i)\b(?:` +
		`(?P<in>(` + cardinal + `) (?:in|out of)(?: every)? (` + cardinal + `))|` +
		`(?P<halfof>half an? (` + oneOf(scales) + `))|` +
		`(?P<part>(?:(an?|` + cardinal + `)[ -])?(` + oneOf(parts) + `))|` +
		`(?P<verb>` + oneOf(multiples) + `)|` +
		`(?P<plain>(` + number3 + `)( and a half)?))\b|(?P<glyph>` + oneOf(glyphs) + `)|\b(?P<slash>([1-9])/([2-9]|10)) (?:of|as)\b`)
)

// What stands beside a fraction.
var (
	notPartBefore = regexp.MustCompile(`(?i)\b(?:first|second|latter|last|this|that|each|every|next|previous|prior|current|same|the|per|better|early|late|1st|2nd|H[12])[ -]$`)
	notPartAfter  = regexp.MustCompile(`(?i)^(?:[ -](?:an? |the )?(?:years?|yearly|time|way|hours?|days?|months?|weeks?|hearted|baked|quarters?|life|term|point)\b| of (?:the )?(?:year|month|week|quarter|day|period|time|(?:19|20)\d\d|` + monthNames + `)\b)`)
	ofSomething   = regexp.MustCompile(`(?i)^[*_]*(?: (?:of|more|less|fewer|higher|lower|larger|smaller|bigger|above|below|as|than|from|to|on|up|down|in total)\b|[.;:!?)]|\s*$)`)
	ofOnly        = regexp.MustCompile(`(?i)^[*_]*(?: (?:of|more|less|fewer|higher|lower|larger|smaller|bigger|above|below|as)\b)`)
	byBefore      = regexp.MustCompile(`(?i)\b(?:by|up|down|rose|fell|grew|dropped|shrank|gained|lost)(?: (?:about|around|roughly|nearly|almost|over|more than|less than|some))?[ *_]*$`)
	comparing     = regexp.MustCompile(`(?i)^[*_]* (?:as|the|that|those|what|its|their|his|her|our|more|higher|larger|bigger|greater|less|of|(?:last|this) \w+['’]s)\b`)
	setApart      = regexp.MustCompile(`(?i)\b(?:the|these|those|both|other|all|no|any|some|each|which|every|another|for|into)(?: other)? $`)
	periodOf      = regexp.MustCompile(`(?i)^[ -](?:[a-z]+ )?(?:hours?|days?|weeks?|weekends?|months?|quarters?|years?|minutes?|decades?)\b`)
	numbered      = regexp.MustCompile(`(?i)\b(?:week|day|quarter|month|step|table|figure|section|page|version|phase|tier|option|part) $`)
)

// spelled finds the numbers in words of a folded text outside of what is masked.
func spelled(s string, masked []bool) []numeral {
	names := words.SubexpNames()
	var out []numeral
	for _, m := range words.FindAllStringSubmatchIndex(s, -1) {
		for g, name := range names {
			if name == "" || m[2*g] < 0 || masked[m[2*g]] {
				continue
			}
			var parts []string
			for k := g + 1; k < len(names) && names[k] == ""; k++ {
				part := ""
				if m[2*k] >= 0 {
					part = strings.ToLower(s[m[2*k]:m[2*k+1]])
				}
				parts = append(parts, part)
			}
			n := numeral{start: m[2*g], end: m[2*g+1], word: true}
			if n.english(name, parts, s) {
				out = append(out, n)
			}
		}
	}
	return out
}

// english reads one match of words. It is false of what is no claim.
func (n *numeral) english(sort string, p []string, s string) bool {
	before, after := s[max(0, n.start-24):n.start], s[n.end:]
	switch sort {
	case "in":
		a, b := cardinals[p[0]], cardinals[p[1]]
		if b < 2 || a >= b || strings.HasPrefix(after, "-") {
			return false
		}
		n.fraction(a, b)
	case "halfof":
		n.value = scales[p[0]] / 2
		n.digit, n.round = n.value/5, n.value/5
		n.after(s)
	case "part":
		return n.part(p[0], p[1], before, after)
	case "glyph":
		f := glyphs[s[n.start:n.end]]
		n.fraction(f[0], f[1])
	case "slash":
		a, _ := strconv.ParseFloat(p[0], 64) //nolint:errcheck // One digit.
		b, _ := strconv.ParseFloat(p[1], 64) //nolint:errcheck // A digit, or ten.
		if a >= b {
			return false
		}
		n.fraction(a, b)
	case "verb":
		word := strings.ToLower(s[n.start:n.end])
		if (word == "double" || word == "triple" || word == "twice" || word == "thrice" || word == "halves" || word == "doubles" || word == "triples") && !comparing.MatchString(after) {
			return false // "twice in October", "both halves", "double-digit"
		}
		n.value = multiples[word]
		n.digit, n.wide = n.value, n.value/4
		n.times()
	default:
		return n.cardinal(p[0], p[1] != "", s)
	}
	return true
}

// part reads "half", "a third", "two-thirds".
func (n *numeral) part(of, word, before, after string) bool {
	b := parts[word]
	a := cardinals[of]
	if of == "a" || of == "an" {
		a = 1
	}
	quarter := b == 4 && strings.HasPrefix(word, "q")
	switch {
	case b == 2 && of == "":
		a = 1
		if word == "halves" || notPartBefore.MatchString(before) {
			return false
		}
	case of == "", a >= b, a > 1 && !strings.HasSuffix(word, "s"):
		return false // "third", "the fifth"; "three quarter"
	}
	if notPartAfter.MatchString(after) || strings.HasPrefix(after, "-") {
		return false
	}
	if by := byBefore.MatchString(before); b > 2 && !by && (quarter && !ofOnly.MatchString(after) || !ofSomething.MatchString(after)) {
		return false // "a third party", "in three quarters"
	}
	n.fraction(a, b)
	return true
}

// cardinal reads "twelve thousand" and, with a unit, "three percent".
func (n *numeral) cardinal(text string, half bool, s string) bool {
	if !n.sum(text) {
		return false
	}
	if half {
		n.value, n.digit = n.value+n.digit/2, n.digit/2
	}
	end := n.end
	if strings.HasPrefix(s[end:], " ") && half { // two and a half million
		for w, v := range scales {
			if rest := s[end+1:]; len(rest) >= len(w) && strings.EqualFold(rest[:len(w)], w) {
				n.scaled(v, plainNumber)
				n.end += 1 + len(w)
			}
		}
	}
	before := s[max(0, n.start-24):n.start]
	n.bare = strconv.FormatFloat(n.value, 'f', -1, 64)
	first, read := n.start, n.end
	n.before(s)
	n.after(s)
	if n.end > read || n.start < first {
		n.bare = ""
	}
	after := s[n.end:]
	switch {
	case n.kind == multiple:
		return comparing.MatchString(after) || strings.Contains(s[read:n.end], "fold")
	case n.kind != plainNumber || n.currency != "":
		return true
	case strings.HasPrefix(after, "-"), periodOf.MatchString(after), numbered.MatchString(before):
		return false // "twenty-first", "two-way", "thirty days", "week two"
	case n.value > 12:
		return true
	}
	return thingAfter.MatchString(after) && !setApart.MatchString(before)
}

// coarse keeps "a hundred" from being said of 150.
func (n *numeral) coarse() {
	if n.digit > 1 {
		n.digit = min(n.digit, n.value/10)
	}
	n.round = n.digit
}

// sum adds up the words of a number. It is false of a mere "one".
func (n *numeral) sum(text string) bool {
	var total, part float64
	n.digit = 1
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == '-' }) {
		v, small := cardinals[w]
		scale := scales[w]
		switch {
		case small && part > 0 && (v >= 10 || math.Mod(part, 10) > 0):
			return false // fifty-fifty
		case small:
			part, n.digit = part+v, 1
		case scale == 100 || scale == 12:
			part, n.digit = math.Max(part, 1)*scale, n.digit*scale
		case scale > 0:
			total += math.Max(part, 1) * scale
			part, n.digit = 0, n.digit*scale
		}
	}
	n.value = total + part
	n.coarse()
	return n.value > 0
}
