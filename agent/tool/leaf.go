package tool

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

func (w *walk) list(n *node, l []any, at string) any {
	got := make([]any, len(l))
	for i, v := range l {
		of := n.rest
		if i < len(n.first) {
			of = n.first[i]
		}
		got[i] = w.value(of, v, fmt.Sprintf("%s[%d]", at, i), false)
	}
	if n.least != nil && len(l) < *n.least || n.most != nil && len(l) > *n.most {
		w.fault(at, "wants %s; got %d items", n.want(), len(l))
	}
	if n.unique {
		w.twice(got, at)
	}
	if n.contains != nil {
		hits, least := 0, 1
		if n.fewest != nil {
			least = *n.fewest
		}
		for i, v := range got {
			if w.fits(n.contains, v, fmt.Sprintf("%s[%d]", at, i), false) {
				hits++
			}
		}
		if hits < least || n.mostOf != nil && hits > *n.mostOf {
			w.fault(at, "has %d of %s, which is not as many as it wants", hits, n.contains.want())
		}
	}
	return got
}

// twice notes the first value that stands in a list a second time.
func (w *walk) twice(l []any, at string) {
	seen := map[string]bool{}
	for _, v := range l {
		key := string(encode(v))
		if r := rat(v); r != nil {
			key = r.RatString()
		}
		if seen[key] {
			w.fault(at, "has %s twice; all must be different", show(v))
			return
		}
		seen[key] = true
	}
}

func (w *walk) text(n *node, s, at string) any {
	if n.format == "date" && !w.exact {
		if day, ok := readDate(s); ok && day != s {
			w.mend(at, "wants %s; got %s, read as %s", n.want(), show(s), day)
			s = day
		}
	}
	long := utf8.RuneCountInString(s)
	form, known := formats[n.format]
	switch {
	case n.shortest != nil && long < *n.shortest, n.longest != nil && long > *n.longest:
		w.fault(at, "wants %s; got %d characters", n.want(), long)
	case n.match != nil && !n.match.MatchString(s), known && !form(s):
		w.wrong(n, s, at)
	}
	return s
}

func (w *walk) number(n *node, num json.Number, at string) {
	r := rat(num)
	if r == nil {
		return
	}
	out := n.min != nil && r.Cmp(n.min) < 0 || n.max != nil && r.Cmp(n.max) > 0 ||
		n.above != nil && r.Cmp(n.above) <= 0 || n.below != nil && r.Cmp(n.below) >= 0 ||
		n.multiple != nil && !new(big.Rat).Quo(r, n.multiple).IsInt()
	if out {
		w.wrong(n, num, at)
	}
}

// formats are those that are checked; of any other every string is good.
var formats = map[string]func(string) bool{
	"date":      func(s string) bool { _, err := time.Parse(time.DateOnly, s); return err == nil },
	"date-time": func(s string) bool { _, err := time.Parse(time.RFC3339, s); return err == nil },
	"time": func(s string) bool {
		_, err := time.Parse("15:04:05Z07:00", s)
		return err == nil
	},
	"email": func(s string) bool {
		a, err := mail.ParseAddress(s)
		return err == nil && a.Address == s
	},
	"uri": func(s string) bool {
		u, err := url.Parse(s)
		return err == nil && u.Scheme != ""
	},
	"uuid": uuidForm.MatchString,
	"ipv4": func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() },
	"ipv6": func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is6() },
}

var uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// readAs reads a value of one type as one of another, where nothing is lost and it
// can be read in one way only: a number or a list that came as a string, a boolean
// that came as a word, a number where a string is wanted.
func readAs(n *node, v any) (any, bool) {
	switch v := v.(type) {
	case json.Number:
		if len(n.types) == 1 && n.types[0] == "string" {
			return v.String(), true
		}
	case string:
		for _, t := range n.types {
			if got, ok := readText(t, strings.TrimSpace(v)); ok {
				return got, true
			}
		}
	}
	return nil, false
}

var numeral = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// truths are the words for true and false.
var truths = map[string]bool{
	"true": true, "yes": true, "on": true, "false": false, "no": false, "off": false,
	"是": true, "对": true, "否": false, "不是": false,
}

func readText(as, s string) (any, bool) {
	switch as {
	case "integer", "number":
		if !numeral.MatchString(s) {
			return nil, false
		}
		num := json.Number(s)
		r := rat(num)
		if r == nil || as == "integer" && !r.IsInt() {
			return nil, false
		}
		if as == "integer" {
			num = json.Number(r.Num().String())
		}
		return num, true
	case "boolean":
		b, ok := truths[strings.ToLower(s)]
		return b, ok
	case "array", "object":
		v, err := decode([]byte(s))
		return v, err == nil && kind(v) == as
	}
	return nil, false
}

var (
	dayForm = regexp.MustCompile(`^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?$`)
	wide    = strings.NewReplacer("０", "0", "１", "1", "２", "2", "３", "3", "４", "4", "５", "5", "６", "6", "７", "7", "８", "8", "９", "9", "／", "/", "－", "-")
	dayWays = []string{"2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006", "January 2 2006", "Jan 2 2006", "20060102"}
)

// readDate reads a day that can be meant in one way: the year first with all its
// digits, or the month as a word. 01/02/24 is three different days.
func readDate(s string) (string, bool) {
	s = strings.TrimSpace(wide.Replace(s))
	if m := dayForm.FindStringSubmatch(s); m != nil {
		day, err := time.Parse("2006-1-2", m[1]+"-"+m[2]+"-"+m[3])
		return day.Format(time.DateOnly), err == nil
	}
	for _, way := range dayWays {
		if day, err := time.Parse(way, s); err == nil {
			return day.Format(time.DateOnly), true
		}
	}
	return "", false
}
