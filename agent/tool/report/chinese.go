package report

import (
	"math"
	"regexp"
	"strings"
)

var chinese = regexp.MustCompile(`百分之([零〇一二两三四五六七八九十百点]+)|([一二两三四五六七八九])成([一二三四五六七八九半])?`)

// chineseNumerals finds 百分之十二 and 三成五. Other numbers in characters are
// words, as "twelve" is.
func chineseNumerals(s string, masked []bool) []numeral {
	var out []numeral
	for _, m := range chinese.FindAllStringSubmatchIndex(s, -1) {
		if masked[m[0]] {
			continue
		}
		n := numeral{start: m[0], end: m[1], kind: percentage}
		if m[2] >= 0 {
			v, places, ok := fromChinese(s[m[2]:m[3]])
			if !ok {
				v = math.NaN()
			}
			n.value, n.digit = v/100, math.Pow10(-2-places)
		} else {
			n.value, n.digit = float64(one(s[m[4]:m[5]]))/10, 0.1
			if m[6] >= 0 {
				n.value, n.digit = n.value+float64(one(s[m[6]:m[7]]))/100, 0.01
			}
		}
		n.round = n.digit
		out = append(out, n)
	}
	return out
}

func one(s string) int {
	switch s {
	case "两":
		return 2
	case "半":
		return 5
	case "〇", "零":
		return 0
	}
	return strings.Index("零一二三四五六七八九", s) / len("零")
}

// fromChinese reads 十二, 一百二十, 三十五点六.
func fromChinese(s string) (v float64, places int, ok bool) {
	whole, rest, _ := strings.Cut(s, "点")
	total, digit := 0, -1
	for _, r := range whole {
		switch r {
		case '百', '十':
			unit := map[rune]int{'百': 100, '十': 10}[r]
			total += max(digit, 0) * unit
			if digit < 0 {
				total += unit
			}
			digit = -1
		default:
			digit = one(string(r))
		}
	}
	total += max(digit, 0)
	v = float64(total)
	for _, r := range rest {
		if r == '十' || r == '百' || r == '点' {
			return 0, 0, false
		}
		places++
		v += float64(one(string(r))) * math.Pow10(-places)
	}
	return v, places, whole != ""
}
