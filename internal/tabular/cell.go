package tabular

import (
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Blank reports whether a cell says that there is nothing.
func Blank(s string) bool {
	switch strings.ToLower(s) {
	case "", "-", "—", "n/a", "na", "null", "none", "nil", "无", "空":
		return true
	}
	return false
}

// A Number is a cell that is one.
type Number struct {
	Value  *big.Rat
	Digits int    // after the point
	Unit   string // $, €, £, ¥ or %
}

var (
	pointed   = regexp.MustCompile(`^\(?([-+−])?\s?([$€£¥￥])?\s?([-+−])?(\d{1,3}(?:,\d{3})+|\d{1,3}(?:['’]\d{3})+|\d+)(?:\.(\d+))?\s?((?:万|亿)?(?:%|元)?)\)?$`)
	commaed   = regexp.MustCompile(`^\(?([-+−])?\s?([$€£¥￥])?\s?([-+−])?(\d{1,3}(?:[. ]\d{3})+|\d+)(?:,(\d+))?\s?(%|€)?\)?$`)
	exponents = regexp.MustCompile(`^[-+]?\d+(?:\.\d+)?[eE][-+]?\d{1,2}$`)
)

var groups = strings.NewReplacer(",", "", ".", "", " ", "", "'", "", "’", "")

// narrow makes the signs of numbers that Chinese keyboards and typesetters have those
// that everybody has.
var narrow = strings.NewReplacer("０", "0", "１", "1", "２", "2", "３", "3", "４", "4", "５", "5", "６", "6", "７", "7", "８", "8", "９", "9",
	"．", ".", "，", ",", "－", "-", "％", "%", "＋", "+", "＄", "$", "（", "(", "）", ")", "\u00a0", " ", "\u202f", " ", "\u2009", " ")

// NumberOf reads a cell, with comma as the sign before the decimals or with a point.
func NumberOf(s string, comma bool) (Number, bool) {
	if len(s) > 40 || s == "" || s[0] > '9' && s[0] < 0x80 {
		return Number{}, false
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && s[0] != '+' {
		return Number{Value: new(big.Rat).SetInt64(n)}, true
	}
	if s[len(s)-1] >= 0x80 || strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) {
		s = narrow.Replace(s)
	}
	pattern := pointed
	if comma {
		pattern = commaed
	} else if exponents.MatchString(s) {
		v, ok := new(big.Rat).SetString(s)
		if !ok {
			return Number{}, false
		}
		_, decimals, _ := strings.Cut(strings.TrimRight(v.FloatString(9), "0"), ".")
		return Number{Value: v, Digits: len(decimals)}, true
	}
	m := pattern.FindStringSubmatch(s)
	if m == nil || strings.HasPrefix(s, "(") != strings.HasSuffix(s, ")") {
		return Number{}, false
	}
	digits := groups.Replace(m[4])
	if m[5] != "" {
		digits += "." + m[5]
	}
	v, ok := new(big.Rat).SetString(digits)
	if !ok {
		return Number{}, false
	}
	if m[1] == "-" || m[1] == "−" || m[3] == "-" || m[3] == "−" || strings.HasPrefix(s, "(") {
		v.Neg(v)
	}
	decimals := len(m[5])
	for word, zeros := range map[string]int{"万": 4, "亿": 8} {
		if strings.Contains(m[6], word) {
			v.Mul(v, new(big.Rat).SetInt64(int64(math.Pow10(zeros))))
			decimals = max(0, decimals-zeros)
		}
	}
	unit := m[2] + strings.Trim(m[6], "万亿")
	if unit == "￥" || unit == "元" || unit == "¥元" || unit == "￥元" {
		unit = "¥"
	}
	return Number{Value: v, Digits: decimals, Unit: unit}, true
}

// layouts are the ways to write a day that are read. Of 3/4/2026 nobody knows which is
// the month: it is read if the other days of the column tell.
var layouts = []string{
	"2006-01-02", "2006/1/2", "2006.1.2", "2006年1月2日", "20060102", "2006-01-02 15:04", "2006-01-02 15:04:05", "2006/1/2 15:04", "2006/1/2 15:04:05",
	time.RFC3339, "2006-01-02T15:04:05", "2.1.2006", "2 Jan 2006", "2 January 2006", "Jan 2, 2006", "January 2, 2006", "1/2/2006", "2/1/2006", "2006-01", "2006年1月",
}

// LayoutOf is how all cells write a day; empty if they do not, or if two ways fit.
func LayoutOf(cells []string) string {
	found := ""
	for _, l := range layouts {
		if slices.ContainsFunc(cells, func(s string) bool {
			d, err := time.Parse(l, s)
			return err != nil || d.Year() < 1900 || d.Year() > 2200
		}) {
			continue
		}
		if found != "" {
			return ""
		}
		found = l
	}
	return found
}
