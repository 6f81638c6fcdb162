package report

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A measureKind is how a number in a text wants to be read.
type measureKind int

const (
	plainNumber measureKind = iota
	percentage              // "12.3%": value 0.123
	points                  // "1.5 percentage points": value 0.015
	multiple                // "2.3 times"
)

// A numeral is a number as somebody wrote it.
type numeral struct {
	start, end int // bytes of the folded text, with sign, currency and unit
	value      float64
	digit      float64 // what the last digit shown counts: 0.001 in "12.3%"
	round      float64 // the same of the last digit that is no zero: 100 in "1,200"
	kind       measureKind
	sign       int     // written before it: -1, 0, +1
	currency   string  // "$", "EUR", or empty
	ordinal    bool    // "3rd"
	bare       string  // the digits, if there is nothing else
	word       bool    // in words or characters: coarse, so it must mean what it plainly says
	wide       float64 // how far "about", "over" and "nearly" reach, if not as digits let them
}

// folded is a text whose digits, signs and spaces are ASCII, with the way back.
type folded struct {
	s    string
	back []int // byte of the original for each byte of s, and its length
}

// fold makes the many ways to write a digit one. Full-width digits are digits to
// people, so they are to us; and so is a letter that looks like another, and what nobody
// sees is not there.
func fold(text string) folded {
	var b strings.Builder
	var back []int
	for i, r := range text {
		n := b.Len()
		switch {
		case r >= '0' && r <= '9' || r < 0x80:
			b.WriteRune(r)
		case unicode.Is(unicode.Nd, r):
			b.WriteByte(byte('0' + digitOf(r)))
		case r == '−' || r == '－' || r == '﹣':
			b.WriteByte('-')
		case r == '＋':
			b.WriteByte('+')
		case r == '％' || r == '﹪':
			b.WriteByte('%')
		case r == '．':
			b.WriteByte('.')
		case r == '￥':
			b.WriteRune('¥')
		case r == '＄':
			b.WriteByte('$')
		case r == 0x00A0 || r == 0x202F || r == 0x2009 || r == 0x3000:
			b.WriteByte(0x1F) // a space that may stand between thousands
		default:
			b.WriteString(readsAs(r))
		}
		for range b.Len() - n {
			back = append(back, i)
		}
	}
	return folded{b.String(), append(back, len(text))}
}

// digitOf is the value of a decimal digit of any script: their blocks of ten are
// contiguous.
func digitOf(r rune) int {
	n := 0
	for n < 9 && unicode.Is(unicode.Nd, r-1) {
		// Blocks may touch; of those that do each starts at a multiple of
		// ten from the first.
		r, n = r-1, n+1
	}
	return n
}

// numerals finds the numbers of a folded text outside of what is masked, in their
// order.
func numerals(s string, masked []bool) []numeral {
	out := append(chineseNumerals(s, masked), spelled(s, masked)...)
	taken := func(i int) bool {
		for _, n := range out {
			if i >= n.start && i < n.end {
				return true
			}
		}
		return masked[i]
	}
	for i := 0; i < len(s); {
		if !isDigit(s[i]) || taken(i) {
			i++
			continue
		}
		// A letter before it makes it a name: Q3, B2B, SKU_12.
		if r, _ := utf8.DecodeLastRuneInString(s[:i]); r == '_' || unicode.IsLetter(r) && r < 0x2E80 {
			if _, _, ok := currencyBefore(s, i); !ok {
				for i < len(s) && isDigit(s[i]) {
					i++
				}
				continue
			}
		}
		n, end := numeralAt(s, i)
		out = append(out, n)
		i = max(end, i+1)
	}
	return apart(out)
}

// apart sorts numbers, and gives what two of them have taken to the first: the € of
// "19x€5" stands behind the one and before the other.
func apart(all []numeral) []numeral {
	slices.SortFunc(all, func(a, b numeral) int { return a.start - b.start })
	out := all[:0]
	end := 0
	for _, n := range all {
		if n.end <= end {
			continue
		}
		if n.start < end {
			n.start, n.currency = end, ""
		}
		out, end = append(out, n), n.end
	}
	return out
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// numeralAt reads the number whose first digit is at i.
func numeralAt(s string, i int) (numeral, int) {
	j := i
	for j < len(s) && isDigit(s[j]) {
		j++
	}
	text := s[i:j]
	grouped := false
	for len(text) <= 3 || grouped {
		if j+3 < len(s)+0 && strings.IndexByte(",'\x1f", s[j]) >= 0 && threeDigits(s, j+1) {
			text += s[j+1 : j+4]
			j, grouped = j+4, true
			continue
		}
		break
	}
	places := 0
	if j+1 < len(s) && s[j] == '.' && isDigit(s[j+1]) {
		k := j + 1
		for k < len(s) && isDigit(s[k]) {
			k++
		}
		places = k - j - 1
		text += s[j:k]
		j = k
	}
	broken := j+1 < len(s) && s[j] == '.' && isDigit(s[j+1]) // 1.234.567, or a version
	for broken && j < len(s) && (isDigit(s[j]) || s[j] == '.' && j+1 < len(s) && isDigit(s[j+1])) {
		j++
	}
	exp := 0
	if m := exponent.FindStringSubmatch(s[j:]); m != nil {
		exp, _ = strconv.Atoi(m[1]) //nolint:errcheck // Three digits at most.
		j += len(m[0])
	}
	n := numeral{start: i, end: j}
	v, err := strconv.ParseFloat(text+"e"+strconv.Itoa(exp), 64)
	if err != nil || broken {
		v = math.NaN()
	}
	n.value, n.digit = v, math.Pow(10, float64(exp-places))
	n.round = n.digit
	for t := strings.TrimRight(text, "."); places == 0 && strings.HasSuffix(t, "0") && len(t) > 1; t = t[:len(t)-1] {
		n.round *= 10
	}
	if !grouped && places == 0 && exp == 0 {
		n.bare = text
	}
	n.before(s)
	n.after(s)
	if n.start < i || n.end > j {
		n.bare = ""
	}
	return n, n.end
}

func threeDigits(s string, i int) bool {
	return i+3 <= len(s) && isDigit(s[i]) && isDigit(s[i+1]) && isDigit(s[i+2]) && (i+3 == len(s) || !isDigit(s[i+3]))
}

var exponent = regexp.MustCompile(`^[eE]([-+]?\d{1,3})\b`)

// codes are the currencies before a number. Letters before it make a code part of
// a word; a sign is one wherever it stands: "5m$1".
var codes = regexp.MustCompile(`(?i)(?:(?:^|[^a-z])(USD|EUR|GBP|CNY|RMB|JPY|HKD|AUD|CAD|SGD|CHF|INR|KRW|US\$|HK\$)|([$€£¥])) ?$`)

// currencyBefore finds the currency that ends at i, and where it starts.
func currencyBefore(s string, i int) (name string, start int, ok bool) {
	base := max(0, i-8)
	m := codes.FindStringSubmatchIndex(s[base:i])
	if m == nil {
		return "", 0, false
	}
	from, to := m[2], m[3]
	if from < 0 {
		from, to = m[4], m[5]
	}
	return strings.ToUpper(s[base+from : base+to]), base + from, true
}

// before takes the sign and the currency that stand before the digits.
func (n *numeral) before(s string) {
	n.takeSign(s)
	if name, start, ok := currencyBefore(s, n.start); ok {
		n.currency, n.start = name, start
		n.takeSign(s)
	}
}

func (n *numeral) takeSign(s string) {
	if n.sign != 0 || n.start == 0 {
		return
	}
	c := s[n.start-1]
	if c != '-' && c != '+' {
		return
	}
	// Between two digits or letters it is a hyphen or a range.
	if r, _ := utf8.DecodeLastRuneInString(s[:n.start-1]); n.start > 1 && (unicode.IsDigit(r) || strings.ContainsRune(")%~", r) || unicode.IsLetter(r) && r < 0x2E80) {
		return
	}
	n.start--
	n.sign = map[byte]int{'-': -1, '+': 1}[c]
}

// The units that may follow a number. The first that fits is taken, so the
// longer come first. A blank may stand before those that start with one.
var unitsAfter = []struct {
	re   *regexp.Regexp
	take func(n *numeral)
}{
	{regexp.MustCompile(`^ ?(?:pp\b|ppts?\b|pts\b|percentage[ -]points?\b|个?百分点)`), func(n *numeral) { n.scaled(0.01, points) }},
	{regexp.MustCompile(`(?i)^ ?(?:%-points?\b|% points?\b)`), func(n *numeral) { n.scaled(0.01, points) }},
	{regexp.MustCompile(`(?i)^ ?(?:%|percent\b|per cent\b|pct\b)`), func(n *numeral) { n.scaled(0.01, percentage) }},
	{regexp.MustCompile(`^ ?‰`), func(n *numeral) { n.scaled(0.001, percentage) }},
	{regexp.MustCompile(`^ ?万亿`), func(n *numeral) { n.scaled(1e12, plainNumber) }},
	{regexp.MustCompile(`^ ?亿`), func(n *numeral) { n.scaled(1e8, plainNumber) }},
	{regexp.MustCompile(`^ ?千万`), func(n *numeral) { n.scaled(1e7, plainNumber) }},
	{regexp.MustCompile(`^ ?百万`), func(n *numeral) { n.scaled(1e6, plainNumber) }},
	{regexp.MustCompile(`^ ?万`), func(n *numeral) { n.scaled(1e4, plainNumber) }},
	{regexp.MustCompile(`^ ?千`), func(n *numeral) { n.scaled(1e3, plainNumber) }},
	{regexp.MustCompile(`(?i)^(?:k\b| ?thousand\b)`), func(n *numeral) { n.scaled(1e3, plainNumber) }},
	{regexp.MustCompile(`(?i)^(?:m\b|mn\b|mio\b| ?million\b)`), func(n *numeral) { n.scaled(1e6, plainNumber) }},
	{regexp.MustCompile(`(?i)^(?:b\b|bn\b| ?billion\b)`), func(n *numeral) { n.scaled(1e9, plainNumber) }},
	{regexp.MustCompile(`(?i)^(?:t\b|tn\b| ?trillion\b)`), func(n *numeral) { n.scaled(1e12, plainNumber) }},
	{regexp.MustCompile(`(?i)^(?:x\b|×| ?times\b|-?fold\b| ?倍)`), func(n *numeral) { n.times() }},
	{regexp.MustCompile(`^(?:st|nd|rd|th)\b`), func(n *numeral) { n.ordinal = true }},
}

var currencyAfter = regexp.MustCompile(`^ ?(?:(USD|EUR|GBP|CNY|RMB|JPY|HKD|AUD|CAD|SGD|CHF|INR|KRW)\b|(€|£)|(美元)|(欧元)|(英镑)|(日元)|(人民币)|(元))`)

var currencyNames = []string{"", "", "", "USD", "EUR", "GBP", "JPY", "CNY", ""}

func (n *numeral) scaled(by float64, kind measureKind) {
	n.value *= by
	n.digit *= by
	n.round *= by
	n.kind = kind
}

// times makes a number a multiple. "2x" is said of 1.8 and of 2.2, not of 1.5.
func (n *numeral) times() {
	n.kind = multiple
	if n.digit >= 1 {
		n.digit = min(n.digit, math.Abs(n.value)/5)
	}
}

func (n *numeral) after(s string) {
	for _, u := range unitsAfter {
		if loc := u.re.FindStringIndex(s[n.end:]); loc != nil {
			n.end += loc[1]
			u.take(n)
			break
		}
	}
	if m := currencyAfter.FindStringSubmatchIndex(s[n.end:]); m != nil {
		for g := 1; 2*g < len(m); g++ {
			if m[2*g] >= 0 && n.currency == "" {
				n.currency = currencyNames[g]
				if g <= 2 {
					n.currency = s[n.end+m[2*g] : n.end+m[2*g+1]]
				}
			}
		}
		n.end += m[1]
	}
}

// inUnit says whether a number of this currency may be an amount in the unit.
func (n *numeral) inUnit(unit string) bool {
	switch n.currency {
	case "":
		return true
	case "$":
		return unit == "" || strings.HasSuffix(unit, "D") || unit == "$"
	case "US$":
		return unit == "" || unit == "USD"
	case "HK$":
		return unit == "" || unit == "HKD"
	case "¥":
		return unit == "" || unit == "CNY" || unit == "JPY" || unit == "RMB"
	case "€":
		return unit == "" || unit == "EUR"
	case "£":
		return unit == "" || unit == "GBP"
	case "RMB":
		return unit == "" || unit == "CNY" || unit == "RMB"
	}
	return unit == "" || unit == n.currency
}
