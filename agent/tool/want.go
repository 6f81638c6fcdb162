package tool

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// want says in words what a schema takes: "a whole number from 1 to 20". It is what
// every fault of a value says, so that a rule changed in a struct tag changes the
// words too.
func (n *node) want() string {
	if s := n.words(0); s != "" {
		return s
	}
	return "a fitting value"
}

// words is want, or nothing where there is nothing to say. It looks no deeper than
// a reader would: a schema may refer to itself.
func (n *node) words(depth int) string {
	switch {
	case n == nil || depth > 3:
		return ""
	case n.never:
		return "nothing here"
	case n.enum != nil:
		return n.choices()
	case len(n.types) > 0:
		var all []string
		for _, t := range n.types {
			if s := n.typed(t, depth); s != "" && !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
		return strings.Join(all, " or ")
	}
	var all []string
	for _, of := range slices.Concat([]*node{n.ref}, n.any, n.one, n.all) {
		if s := of.words(depth + 1); s != "" && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	if len(all) == 0 && len(n.order) > 0 {
		return n.typed("object", depth)
	}
	return strings.Join(all, " or ")
}

func (n *node) choices() string {
	var all []string
	for _, v := range n.enum {
		all = append(all, string(encode(v)))
	}
	const most = 20
	if len(all) > most {
		all = append(all[:most], fmt.Sprintf("… (%d in all)", len(n.enum)))
	}
	switch {
	case len(all) == 0:
		return "nothing: no value is allowed"
	case len(all) == 1:
		return all[0]
	}
	return "one of " + strings.Join(all, ", ")
}

func (n *node) typed(t string, depth int) string {
	switch t {
	case "object":
		if len(n.order) == 0 {
			return "an object"
		}
		return "an object with " + strings.Join(n.order[:min(12, len(n.order))], ", ")
	case "array":
		return n.wantList(depth)
	case "string":
		return n.wantText()
	case "integer":
		return n.wantNumber("a whole number")
	case "number":
		return n.wantNumber("a number")
	case "boolean":
		return "true or false"
	}
	return ""
}

func (n *node) wantList(depth int) string {
	s := "a list" + between(n.least, n.most, "item", "items")
	if of := n.rest.words(depth + 1); of != "" {
		s += " (each: " + of + ")"
	}
	if n.unique {
		s += ", all different"
	}
	return s
}

// forms are the words for the formats that are checked.
var forms = map[string]string{
	"date":      "a date as YYYY-MM-DD",
	"date-time": "a time as 2026-01-31T09:00:00+08:00",
	"time":      "a time of day as 09:00:00Z",
	"email":     "an e-mail address as name@example.com",
	"uri":       "an address as https://example.com/page",
	"uuid":      "a UUID",
	"ipv4":      "an IPv4 address",
	"ipv6":      "an IPv6 address",
}

func (n *node) wantText() string {
	s := "a string"
	if form, ok := forms[n.format]; ok {
		s = form
	}
	if n.match != nil {
		s += " that matches " + n.match.String()
	}
	return s + between(n.shortest, n.longest, "character", "characters")
}

func between(least, most *int, one, many string) string {
	unit := func(n int) string {
		if n == 1 {
			return one
		}
		return many
	}
	switch {
	case least != nil && *least > 0 && most != nil:
		return fmt.Sprintf(" of %d to %d %s", *least, *most, unit(*most))
	case least != nil && *least > 0:
		return fmt.Sprintf(" of at least %d %s", *least, unit(*least))
	case most != nil:
		return fmt.Sprintf(" of at most %d %s", *most, unit(*most))
	}
	return ""
}

func (n *node) wantNumber(s string) string {
	switch {
	case n.min != nil && n.max != nil:
		s += " from " + plainRat(n.min) + " to " + plainRat(n.max)
	case n.min != nil:
		s += " of at least " + plainRat(n.min)
	case n.max != nil:
		s += " of at most " + plainRat(n.max)
	}
	if n.above != nil {
		s += " above " + plainRat(n.above)
	}
	if n.below != nil {
		s += " below " + plainRat(n.below)
	}
	if n.multiple != nil {
		s += ", a multiple of " + plainRat(n.multiple)
	}
	return s
}

func plainRat(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(12), "0")
}
