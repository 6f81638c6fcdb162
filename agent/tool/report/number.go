package report

import (
	"math"
	"strconv"
	"strings"
)

var symbols = map[string]string{"USD": "$", "EUR": "€", "GBP": "£", "CNY": "¥"}

// number writes v with so many digits after the point and commas between the
// thousands. What is too large to read is written with an exponent, and what is
// too small to be seen gets the digits that it needs.
func number(v float64, places int) string {
	a := math.Abs(v)
	switch {
	case a >= 1e15:
		return strconv.FormatFloat(v, 'e', 3, 64)
	case a != 0 && a < math.Pow10(-places)/2:
		if a < 1e-6 {
			return strconv.FormatFloat(v, 'e', 2, 64)
		}
		places = int(math.Ceil(-math.Log10(a))) + 1
	}
	s := strconv.FormatFloat(a, 'f', places, 64)
	whole, rest, found := strings.Cut(s, ".")
	var b strings.Builder
	if v < 0 && strings.Trim(s, "0.") != "" {
		b.WriteByte('-')
	}
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	if found {
		b.WriteString("." + rest)
	}
	return b.String()
}

// amount writes v in a unit: "-$1,200", "3,400 JPY", "12.5%".
func amount(v float64, places int, unit string) string {
	s := number(v, places)
	if sym := symbols[unit]; sym != "" {
		if rest, neg := strings.CutPrefix(s, "-"); neg {
			return "-" + sym + rest
		}
		return sym + s
	}
	switch unit {
	case "":
		return s
	case "%":
		return s + "%"
	}
	return s + " " + unit
}

// signed puts a plus before what is not negative.
func signed(s string) string {
	if strings.HasPrefix(s, "-") {
		return s
	}
	return "+" + s
}

// percent writes a fraction as a percentage. Large ones need no digit after the
// point.
func percent(v float64) string {
	p := v * 100
	places := 1
	if math.Abs(p) >= 1000 {
		places = 0
	}
	if math.Abs(p) < 0.05 {
		return number(0, 1) + "%"
	}
	return number(p, places) + "%"
}

// short writes v for an axis or a bar: "1.2M", "850K". In Chinese as in English:
// axes of most tools there do the same.
func short(v float64) string {
	a := math.Abs(v)
	for _, s := range []struct {
		over float64
		name string
	}{{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "K"}} {
		// 999,950 is 1M, not 1000K.
		if a >= s.over*0.99995 {
			if a >= 1e15 {
				return strconv.FormatFloat(v, 'e', 1, 64)
			}
			return trimZeros(number(v/s.over, digits(a/s.over))) + s.name
		}
	}
	if a != 0 && a < 0.01 {
		return strconv.FormatFloat(v, 'g', 2, 64)
	}
	return trimZeros(number(v, digits(a)))
}

// digits after the point that show three figures in all.
func digits(a float64) int {
	switch {
	case a >= 100:
		return 0
	case a >= 10:
		return 1
	}
	return 2
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// shortAmount is short in a unit.
func shortAmount(v float64, unit string) string {
	s := short(v)
	if sym := symbols[unit]; sym != "" {
		if rest, neg := strings.CutPrefix(s, "-"); neg {
			return "-" + sym + rest
		}
		return sym + s
	}
	if unit == "%" {
		return s + "%"
	}
	return s
}
