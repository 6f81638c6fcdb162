package result

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// A decimal is a number as it is written: digits that are divided by ten so often.
type decimal struct {
	text  string
	mant  int64
	scale int // 0 to maxScale
}

// maxScale is how many places after the point can be added up, maxDigits how many a
// number may have.
const (
	maxScale  = 12
	maxDigits = 18
)

// parseDecimal reads a number, 1234.5, -3e2 or 1,234.50. It reports false for what
// is none, for what has a zero before it as codes have, and for what is too large to
// be added up without loss.
func parseDecimal(s string) (decimal, bool) {
	d := decimal{text: s}
	rest, negative := strings.CutPrefix(s, "-")
	if strings.Contains(rest, ",") {
		if !grouped(rest) {
			return d, false
		}
		rest = strings.ReplaceAll(rest, ",", "")
	}
	digits, point, seen := 0, false, 0
	i := 0
	for ; i < len(rest); i++ {
		c := rest[i]
		if c == '.' && !point && i > 0 && i+1 < len(rest) {
			point = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		seen++
		if point {
			d.scale++
		}
		if digits > 0 || c != '0' {
			digits++
		}
		if digits > maxDigits {
			return d, false
		}
		d.mant = d.mant*10 + int64(c-'0')
	}
	if seen == 0 || seen > 1 && rest[0] == '0' && rest[1] != '.' || rest[i-1] == '.' {
		return d, false
	}
	if negative {
		d.mant = -d.mant
	}
	if i < len(rest) && !d.exponent(rest[i:]) {
		return d, false
	}
	return d, d.scale <= maxScale
}

// exponent takes in e3, E-2.
func (d *decimal) exponent(s string) bool {
	if len(s) < 2 || len(s) > 4 || s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = strings.TrimPrefix(s[1:], "+")
	s, negative := strings.CutPrefix(s, "-")
	exp := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
		exp = exp*10 + int(s[i]-'0')
	}
	if s == "" {
		return false
	}
	if negative {
		d.scale += exp
		return true
	}
	for d.scale -= exp; d.scale < 0; d.scale++ {
		if d.mant > math.MaxInt64/10 || d.mant < math.MinInt64/10 {
			return false
		}
		d.mant *= 10
	}
	return true
}

// grouped reports whether the commas of a number stand between thousands.
func grouped(s string) bool {
	whole, _, _ := strings.Cut(s, ".")
	groups := strings.Split(whole, ",")
	for i, g := range groups {
		if len(g) != 3 && (i > 0 || g == "" || len(g) > 3) {
			return false
		}
	}
	return !strings.Contains(s[len(whole):], ",")
}

func (d decimal) less(e decimal) bool {
	a, b := float64(d.mant)/math.Pow10(d.scale), float64(e.mant)/math.Pow10(e.scale)
	if a != b {
		return a < b
	}
	return d.at(maxScale).Cmp(e.at(maxScale)) < 0
}

// at is the number in units of the place that many after the point.
func (d decimal) at(scale int) *big.Int {
	return new(big.Int).Mul(big.NewInt(d.mant), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale-d.scale)), nil))
}

// A total adds up numbers without loss.
type total struct {
	small [maxScale + 1]int64 // by scale
	large big.Int             // what did not fit, in units of maxScale
	scale int                 // the largest
}

func (t *total) add(d decimal) {
	t.scale = max(t.scale, d.scale)
	sum := t.small[d.scale] + d.mant
	if (sum > t.small[d.scale]) != (d.mant > 0) && d.mant != 0 {
		t.large.Add(&t.large, decimal{mant: t.small[d.scale], scale: d.scale}.at(maxScale))
		sum = d.mant
	}
	t.small[d.scale] = sum
}

// String writes the sum with as many places as the number that has most.
func (t *total) String() string {
	if sum, ok := t.plain(); ok {
		return sum
	}
	sum := new(big.Int).Set(&t.large)
	for scale, n := range t.small {
		sum.Add(sum, decimal{mant: n, scale: scale}.at(maxScale))
	}
	s := new(big.Int).Abs(sum).String()
	if len(s) <= maxScale {
		s = strings.Repeat("0", maxScale+1-len(s)) + s
	}
	whole, places := s[:len(s)-maxScale], s[len(s)-maxScale:][:t.scale]
	if places != "" {
		whole += "." + places
	}
	if sum.Sign() < 0 {
		whole = "-" + whole
	}
	return whole
}

// plain is the sum if all numbers have as many places as the one that has most, as
// those of a column mostly do.
func (t *total) plain() (string, bool) {
	if t.large.Sign() != 0 {
		return "", false
	}
	for scale, n := range t.small {
		if n != 0 && scale != t.scale {
			return "", false
		}
	}
	n := t.small[t.scale]
	if n == math.MinInt64 {
		return "", false
	}
	s := strconv.FormatInt(max(n, -n), 10)
	if t.scale > 0 {
		s = strings.Repeat("0", max(0, t.scale+1-len(s))) + s
		s = s[:len(s)-t.scale] + "." + s[len(s)-t.scale:]
	}
	if n < 0 {
		s = "-" + s
	}
	return s, true
}

// whole reports whether there is nothing but zeros after the point.
func (d decimal) whole() bool {
	n := d.mant
	for range d.scale {
		if n%10 != 0 {
			return false
		}
		n /= 10
	}
	return true
}
