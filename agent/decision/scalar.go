package decision

import (
	"strconv"
	"strings"
)

// scalar writes a value that stood without quotation marks. last says that the
// text ends with it, so that the end of it may be missing.
func (p *parser) scalar(token string, last bool) {
	word, ok := literal(token)
	if !ok {
		word, ok = number(token)
	}
	if !ok && last && len(p.stack) > 0 {
		for _, w := range []string{"true", "false", "null"} {
			if strings.HasPrefix(w, token) {
				word, ok = w, true
			}
		}
	}
	if ok {
		p.out = append(p.out, word...)
		return
	}
	if len(p.stack) == 0 {
		p.junk++
	}
	p.out = append(p.out, '"')
	p.emit(token, escapes{raw: true})
	p.out = append(p.out, '"')
}

// literal is what a word of JSON, Python or JavaScript is in JSON. What JSON
// cannot say is null, as in JavaScript.
func literal(token string) (string, bool) {
	switch token {
	case "true", "True", "TRUE":
		return "true", true
	case "false", "False", "FALSE":
		return "false", true
	case "null", "Null", "NULL", "None", "nil", "undefined",
		"NaN", "nan", "Infinity", "-Infinity", "+Infinity", "inf", "-inf", "Inf", "-Inf":
		return "null", true
	}
	return "", false
}

// number is a token as a number of JSON, with all its digits. What only begins
// like one (a date, 1/3, 007) is none.
func number(token string) (string, bool) {
	t := strings.TrimPrefix(token, "+")
	if t == "" || t[0] != '-' && t[0] != '.' && (t[0] < '0' || '9' < t[0]) {
		return "", false
	}
	if len(t) <= 18 && len(t) > 2 && t[0] == '0' && t[1]|0x20 == 'x' && hexes(t[2:]) {
		n, err := strconv.ParseUint(t[2:], 16, 64)
		return strconv.FormatUint(n, 10), err == nil
	}
	if strings.Contains(t, "_") && underscored(t) {
		t = strings.ReplaceAll(t, "_", "")
	}
	sign, t := "", t
	if rest, ok := strings.CutPrefix(t, "-"); ok {
		sign, t = "-", rest
	}
	if t == "" {
		return "0", token == "-" // cut off after its sign
	}
	if t[0] == '.' {
		t = "0" + t
	}
	whole := digits(t, 0)
	if rest, ok := strings.CutPrefix(t[whole:], "."); ok && digits(rest, 0) == 0 {
		t = t[:whole] + ".0" + rest
	}
	// An exponent that was cut off.
	if n := strings.IndexAny(t, "eE"); n > 0 && (n == len(t)-1 || n == len(t)-2 && (t[n+1] == '+' || t[n+1] == '-')) {
		t = t[:n]
	}
	t = sign + t
	end, ok := strictNumber(t, 0)
	return t, ok && end == len(t)
}

// underscored reports whether all underscores of a number stand between digits.
func underscored(t string) bool {
	for i := range len(t) {
		if t[i] == '_' && (i == 0 || i+1 == len(t) || digits(t, i-1) == i-1 || digits(t, i+1) == i+1) {
			return false
		}
	}
	return true
}
