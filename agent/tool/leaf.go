package tool

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
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
		switch days := Days(s); {
		case len(days) > 1:
			w.fault(at, "wants %s; got %s, which may be %s; ask the person which one is meant", n.want(), show(s), strings.Join(days, " or "))
			return s
		case len(days) == 1 && days[0] != s:
			w.mend(at, "wants %s; got %s, read as %s", n.want(), show(s), days[0])
			s = days[0]
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
// that came as a word, a number where a string is wanted, one thing where a list of
// such is wanted, and a list of one where the thing itself is.
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
		if n.lists("string") && strings.TrimSpace(v) != "" && !strings.ContainsAny(v, several) {
			return []any{v}, true
		}
	case []any:
		if len(v) == 1 && len(n.types) == 1 && n.types[0] == kind(v[0]) && !blank(v[0]) {
			return v[0], true
		}
	}
	return nil, false
}

// several are signs that a text may be more than one thing, or a list that is broken.
const several = ",;|[{\n，；、"

// lists reports whether a schema is for lists of values of a type and nothing else.
func (n *node) lists(kind string) bool {
	return slices.Equal(n.types, []string{"array"}) && n.rest != nil && slices.Contains(n.rest.types, kind) && len(n.first) == 0
}

func blank(v any) bool {
	s, ok := v.(string)
	return ok && strings.TrimSpace(s) == ""
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
