package result

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A quantity in words says how one number stands to another: half, a third, twice, most.
// It is made up as easily as a number, and looks less so.

// A quantity is one in a text.
type quantity struct {
	text     string
	low, top float64 // of the ratio that it says; above 1 it is a multiple
}

// Tolerances of a ratio in words: said as it is, and with "about".
const (
	exactly = 0.03
	roughly = 0.12
)

var (
	fractions = map[string]float64{
		"half": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4, "fifth": 5, "fifths": 5, "sixth": 6, "eighth": 8, "tenth": 10, "tenths": 10,
	}
	counts = map[string]float64{
		"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	}
	hedge = `((?:about|around|roughly|nearly|almost|approximately|some|just over|just under|over|more than|less than)[ -])?`

	// Half an hour, the first half and the third quarter are no shares of anything.
	shares  = regexp.MustCompile(`(?i)\b` + hedge + `(?:(one|two|three|four|five|six|seven|eight|nine|a)[ -])?(half|thirds?|quarters?|fourths?|fifths?|sixth|eighth|tenths?)(?: of (?:the|them|these|those|our|all|it|its|total|sales|revenue|orders|customers|\p{L}+s\b)| the\b| as (?:much|many))`)
	ordinal = regexp.MustCompile(`(?i)\b(?:first|second|last|latter|other|better)[ -]$`)
	halves  = regexp.MustCompile(`(?i)\b(?:(?:fell|dropped|down|cut|declined|shrank|rose|grew|up|increased) by ` + hedge + `(half|a third|a quarter|a fifth|two thirds)\b|(halved)\b)`)
	double  = regexp.MustCompile(`(?i)\b` + hedge + `(?:(twice|thrice|double|triple|quadruple) (?:as|the|what|that|last)\b|(doubled|tripled|quadrupled)\b|(two|three|four|five|six|seven|eight|nine|ten|\d+(?:\.\d+)?)(?: times (?:as|the|more|higher|larger|bigger)|x (?:as|the|more|higher)|-?fold)\b)`)
	most    = regexp.MustCompile(`(?i)\b(?:most of (?:the|them|these|those|our|all|it|its)\b|(?:the |a )?(?:vast |great |clear )?majority(?: of)?\b|most (?:orders|customers|deliveries|sales|people|users|regions|items|shipments|tickets|projects|teams|products)\b)`)

	hanShares = regexp.MustCompile(`(大约|约|近|将近|接近|差不多|超过|不到)?(?:([一二两三四五六七八九十])分之([一二三四五六七八九]|十)|(一半|半数|过半)|([一二两三四五六七八九])成(?:[的多以左，。、；！]|$))`)
	hanTimes  = regexp.MustCompile(`(大约|约|近|将近|接近|差不多|超过|不到)?(?:([一二两三四五六七八九十]|\d+(?:\.\d+)?)倍|(翻倍|翻番|翻了一番|翻了一倍))`)
	hanMost   = regexp.MustCompile(`绝大多数|大多数|绝大部分|大部分|多半`)
)

// quantitiesOf are the quantities in words of a text, in their order.
func quantitiesOf(text string) []quantity {
	type placed struct {
		at int
		quantity
	}
	var all []placed
	add := func(at int, said string, ratio float64, about bool) {
		within := exactly
		if about {
			within = roughly
		}
		if ratio > 0 {
			all = append(all, placed{at, quantity{strings.TrimSpace(said), ratio * (1 - within), ratio * (1 + within)}})
		}
	}
	each := func(p *regexp.Regexp, do func(at int, said string, m []string)) {
		for _, loc := range p.FindAllStringSubmatchIndex(text, -1) {
			m := make([]string, len(loc)/2)
			for i := range m {
				if loc[2*i] >= 0 {
					m[i] = strings.ToLower(text[loc[2*i]:loc[2*i+1]])
				}
			}
			do(loc[0], text[loc[0]:loc[1]], m)
		}
	}
	each(shares, func(at int, said string, m []string) {
		if ordinal.MatchString(text[:at]) {
			return // the first half of a year
		}
		n := 1.0
		if m[2] != "" {
			n = counts[m[2]]
		}
		if m[2] == "" && m[3] != "half" {
			return // "the third of the rows": a place in a list
		}
		// What it is a share of is no part of it.
		end := strings.Index(strings.ToLower(said), m[3]) + len(m[3])
		add(at, said[:end], n/fractions[m[3]], m[1] != "")
	})
	each(halves, func(at int, said string, m []string) {
		ratio := map[string]float64{"half": 2, "a third": 3, "a quarter": 4, "a fifth": 5, "two thirds": 1.5}[m[2]]
		if m[3] != "" {
			ratio = 2
		}
		add(at, said, 1/ratio, m[1] != "")
	})
	each(double, func(at int, said string, m []string) {
		ratio := map[string]float64{"twice": 2, "double": 2, "doubled": 2, "thrice": 3, "triple": 3, "tripled": 3, "quadruple": 4, "quadrupled": 4}[m[2]+m[3]]
		if m[4] != "" {
			if ratio = counts[m[4]]; ratio == 0 {
				ratio = floatOf(m[4])
			}
		}
		add(at, said, ratio, m[1] != "")
	})
	han := func(s string) float64 {
		if s == "十" {
			return 10
		}
		r, _ := utf8.DecodeRuneInString(s)
		if v, ok := hanDigits[r]; ok {
			return v
		}
		return floatOf(s)
	}
	each(hanShares, func(at int, said string, m []string) {
		switch {
		case m[4] != "":
			add(at, said, 0.5, m[1] != "" || m[4] == "过半")
		case m[5] != "":
			add(at, strings.TrimRight(said, "的多以左，。、；！"), han(m[5])/10, m[1] != "")
		default:
			add(at, said, han(m[3])/han(m[2]), m[1] != "")
		}
	})
	each(hanTimes, func(at int, said string, m []string) {
		if m[3] != "" {
			add(at, said, 2, false)
			return
		}
		add(at, said, han(m[2]), m[1] != "")
	})
	for _, p := range []*regexp.Regexp{most, hanMost} {
		each(p, func(at int, said string, _ []string) {
			all = append(all, placed{at, quantity{strings.TrimSpace(said), 0.5 + 1e-9, 1 - 1e-9}})
		})
	}
	slices.SortStableFunc(all, func(a, b placed) int { return a.at - b.at })
	out := make([]quantity, len(all))
	for i, p := range all {
		out[i] = p.quantity
	}
	return out
}

func floatOf(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return v
}

// bookkeeping are numbers of a result that count nothing of what it is about: 1 row of 2
// places is no half. Ids go with the dates.
var bookkeeping = regexp.MustCompile(`"(?:scale|row_count|rows_total|total_rows|total_count|truncated|top|limit|offset|page|pages|version|days|took|took_ms)"\s*:\s*\d+`)

// mostKnown is up to how many numbers each is held against each other: among more some
// pair has any ratio, and proves nothing.
const mostKnown = 60

// Unfounded returns the quantities in words of a text that nothing in the raw text bears
// out: neither the same words, nor a percentage, nor two numbers that stand so to each
// other. Among many numbers only a percentage, or one that stands so to the largest or to
// the sum of all, counts.
func Unfounded(text, raw string) []string {
	found := quantitiesOf(text)
	if len(found) == 0 {
		return nil
	}
	low := strings.ToLower(raw)
	said := quantitiesOf(raw)
	var known []float64
	var percents []float64
	for _, n := range numbersOf(bookkeeping.ReplaceAllString(dates.ReplaceAllString(raw, " "), " ")) {
		if n.percent {
			percents = append(percents, n.value)
		} else if n.value > 0 {
			known = append(known, n.value)
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	sum := 0.0
	for _, v := range known {
		sum += v
	}
	fits := func(q quantity) bool {
		in := func(ratio float64) bool { return ratio >= q.low && ratio <= q.top }
		if strings.Contains(low, strings.ToLower(q.text)) || slices.ContainsFunc(said, func(s quantity) bool { return math.Abs(s.low-q.low) < 0.15*q.low }) {
			return true
		}
		if slices.ContainsFunc(percents, func(p float64) bool {
			return in(p) || in(1-p) && q.top < 1 || q.low > 1 && in(1+p)
		}) {
			return true
		}
		for i, a := range known {
			if len(known) > mostKnown {
				if last := known[len(known)-1]; in(a/last) || in(a/sum) || in(last/a) {
					return true
				}
				continue
			}
			for _, b := range known[i+1:] {
				if in(a/b) || in(b/a) {
					return true
				}
			}
		}
		return false
	}
	var out []string
	for _, q := range found {
		if !fits(q) && !slices.Contains(out, q.text) {
			out = append(out, q.text)
		}
	}
	return out
}

// dates are no amounts that stand to each other in any way.
var dates = regexp.MustCompile(`\d{4}-\d{2}(?:-\d{2})?(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?|\b(?:19|20)\d{2}\b|\b\d{1,2}:\d{2}\b|[0-9a-f]{8,}`)
