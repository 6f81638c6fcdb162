package report

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Numbers in Chinese characters. Most characters for numbers are parts of words
// (一些, 万一, 十分, 第三), so only what has a unit of a number is one.
const (
	hanDigit  = `[一二两三四五六七八九]`
	hanNumber = `[零〇一二两三四五六七八九十百千万亿点]+`
)

var chinese = regexp.MustCompile(
	`(?P<cent>百分之(` + hanNumber + `))|(?P<part>([二两三四五六七八九十百千万]+)分之([一二两三四五六七八九十百]+))|` +
		`(?P<tenth>(` + hanDigit + `)成(` + hanDigit + `|半)?)|(?P<times>(` + hanNumber + `)倍(半)?)|` +
		`(?P<fold>翻(?:了)?(?:倍|(` + hanDigit + `)?番|一倍)|成倍)|(?P<half>一半|半数|过半|减半|腰斩)|(?P<plain>` + hanNumber + `)`)

// Words that only look like a number: 第三成为, 三成交; 数百, 几千, 上万.
var (
	notTenths   = regexp.MustCompile(`^(?:[为立功交员本长果绩熟型就效品年都分色因]|不变)`)
	vague       = regexp.MustCompile(`[数几上成好第]$`)
	counted     = regexp.MustCompile(`^ ?(?:元|美元|欧元|英镑|日元|人民币|个?百分点|[单件台套份笔]|人次)`)
	pointsAfter = regexp.MustCompile(`^ ?个?百分点`)
	inTime      = regexp.MustCompile(`^ ?(?:个?[年月天日号周季点分时秒岁届]|个?(?:小时|季度|星期|星|强))`)
)

// chineseNumerals finds 百分之十二, 三成五, 三分之一, 两倍, 一半, 翻番 and 一万二千.
func chineseNumerals(s string, masked []bool) []numeral {
	names := chinese.SubexpNames()
	var out []numeral
	for _, m := range chinese.FindAllStringSubmatchIndex(s, -1) {
		if masked[m[0]] {
			continue
		}
		n := numeral{start: m[0], end: m[1], word: true}
		ok := false
		for g, name := range names {
			if name == "" || m[2*g] < 0 {
				continue
			}
			var parts []string
			for k := g + 1; k < len(names) && names[k] == ""; k++ {
				part := ""
				if m[2*k] >= 0 {
					part = s[m[2*k]:m[2*k+1]]
				}
				parts = append(parts, part)
			}
			ok = n.han(name, parts, s)
		}
		if ok {
			out = append(out, n)
		}
	}
	return out
}

// han reads one match of chinese. It is false of what is no number.
func (n *numeral) han(sort string, parts []string, s string) bool {
	n.kind, n.value = percentage, math.NaN()
	before, after := s[max(0, n.start-utf8.UTFMax):n.start], s[n.end:]
	switch sort {
	case "cent":
		if v, digit, ok := fromChinese(parts[0]); ok {
			n.value, n.digit = v/100, min(digit, 1)/100
		}
		n.round = n.digit
	case "part":
		a, _, ok1 := fromChinese(parts[1])
		b, _, ok2 := fromChinese(parts[0])
		if ok1 && ok2 && b > 0 {
			n.fraction(a, b)
		}
	case "tenth":
		if parts[1] == "" && notTenths.MatchString(after) || strings.HasSuffix(before, "第") {
			return false
		}
		v, _, _ := fromChinese(parts[0])
		n.value, n.digit, n.wide = v/10, 0.05, 0.05
		if parts[1] != "" {
			n.value, n.digit = n.value+float64(one(parts[1]))/100, 0.01
		}
	case "times":
		v, digit, ok := fromChinese(parts[0])
		if !ok || vague.MatchString(before) {
			return false
		}
		if parts[0] == "一" {
			v = 2 // 多一倍 is twice as much
		}
		if parts[1] != "" {
			v, digit = v+0.5, 0.5
		}
		n.value, n.digit, n.wide = v, digit, v/4
		n.times()
	case "fold":
		n.value, n.digit, n.wide = math.Exp2(float64(max(one(parts[0]), 1))), 1, 0.5
		n.times()
	case "half":
		switch s[n.start:n.end] {
		case "过半":
			n.value, n.digit = 0.75, 0.5
		case "减半", "腰斩":
			n.value, n.kind, n.digit, n.wide = 0.5, multiple, 0.05, 0.1
		default:
			n.fraction(1, 2)
		}
	default:
		return n.hanPlain(before, s)
	}
	return true
}

// inRow is true of three digits or more that stand one after another; of 一二三, which
// counts up, it is not.
func inRow(text string) bool {
	digits := []rune(text)
	up := true
	for i, r := range digits {
		if hanUnits[r] > 0 || r == '点' {
			return false
		}
		up = up && (i == 0 || one(string(r)) == one(string(digits[i-1]))+1)
	}
	return len(digits) >= 3 && !up
}

// hanPlain reads 一万二千 and, before what is counted, 三十五.
func (n *numeral) hanPlain(before, s string) bool {
	text, after := s[n.start:n.end], s[n.end:]
	if inRow(text) && !inTime.MatchString(after) {
		// 一三八零零: one after another, as a number is told on the telephone.
		n.value, n.digit, n.kind = 0, 1, plainNumber
		for _, r := range text {
			n.value = n.value*10 + float64(one(string(r)))
		}
		return true
	}
	v, digit, ok := fromChinese(text)
	// 一百, 三千, 十万: a digit and a unit. 百 and 万 alone are parts of words.
	large := strings.ContainsAny(text, "百千万亿") && !strings.ContainsRune("百千万亿", firstRune(text))
	switch {
	case !ok, vague.MatchString(before), inTime.MatchString(after):
		return false
	case large:
	case !counted.MatchString(after), !strings.Contains(text, "十") && !pointsAfter.MatchString(after):
		return false // 一元, 两件: as often a way of speaking
	}
	n.value, n.digit, n.kind = v, digit, plainNumber
	n.coarse()
	n.bare = strconv.FormatFloat(v, 'f', -1, 64)
	first, read := n.start, n.end
	n.before(s)
	n.after(s)
	if n.end > read || n.start < first {
		n.bare = ""
	}
	return true
}

// fraction is a of b: a third is said of 0.32 and of 0.35.
func (n *numeral) fraction(a, b float64) {
	n.kind, n.value, n.digit, n.round, n.wide = percentage, a/b, 0.04, 0.04, 0.1
	if b > 20 {
		n.digit, n.wide = 1/b, 1/b
	}
}

func one(s string) int {
	switch s {
	case "":
		return 0
	case "两":
		return 2
	case "半":
		return 5
	case "〇", "零":
		return 0
	}
	return max(0, strings.Index("零一二三四五六七八九", s)/len("零"))
}

var hanUnits = map[rune]float64{'十': 10, '百': 100, '千': 1000, '万': 1e4, '亿': 1e8}

// fromChinese reads 十二, 一百二十, 三十五点六, 一万二. digit is what the last one
// counts.
func fromChinese(s string) (v, digit float64, ok bool) {
	whole, rest, _ := strings.Cut(s, "点")
	var total, part, last float64 // of 一亿 and of 二千三百万 before their unit
	digit, have, zero := 1, false, false
	unit := 1.0
	for _, r := range whole {
		switch u := hanUnits[r]; {
		case u >= 1e4:
			part += last
			if part == 0 && total == 0 {
				return 0, 0, false
			}
			if total > 0 && part == 0 {
				total *= u // 万亿
			} else {
				total += part * u
			}
			part, last, have, unit, digit = 0, 0, false, u, digit*u
		case u > 0:
			if !have {
				last = 1 // 十二
			}
			part += last * u
			last, have, unit, digit = 0, false, u, u
		case r == '零' || r == '〇':
			zero, have = true, true
		default:
			last, have, digit = float64(one(string(r))), true, 1
		}
	}
	if have && !zero && unit > 10 && last > 0 {
		last, digit = last*unit/10, unit/10 // 一万二
	}
	v = total + part + last
	if rest == "" {
		return v, digit, whole != "" && !strings.HasSuffix(s, "点")
	}
	for _, r := range rest {
		if hanUnits[r] > 0 || r == '点' {
			return 0, 0, false
		}
		digit /= 10
		v += float64(one(string(r))) * digit
	}
	return v, digit, whole != ""
}
