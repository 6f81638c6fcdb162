package tool

import (
	"fmt"
	"math/big"
	"slices"
)

// reserved are the names by which a model says that its work is done, or that it wants
// no tool: with a tool of such a name nobody could tell which of the two it means.
var reserved = []string{
	"finish", "finished", "final", "final_answer", "done", "end", "complete", "none", "null", "no_action",
}

// misnamed says what is wrong with the names of a tool and what to do, or returns
// nothing.
func (s Spec) misnamed() (all []string) {
	switch {
	case s.Name == "":
		return []string{"its name is empty; give it one of words in small letters joined by _, such as get_orders"}
	case !snake.MatchString(s.Name):
		line := "names are words in small letters joined by _"
		if better := snaked(s.Name); snake.MatchString(better) && !slices.Contains(reserved, better) {
			line += ": call it " + better
		}
		all = append(all, line)
	case len(s.Name) > maxName:
		all = append(all, fmt.Sprintf("the name has %d letters; providers take %d", len(s.Name), maxName))
	}
	for _, name := range s.names() {
		switch {
		case name == "":
			all = append(all, "a former name of it is empty; leave it out")
		case slices.Contains(reserved, name):
			all = append(all, fmt.Sprintf("the name %s is reserved: by it a model ends its work or asks for no tool; name it by what it does, such as close_order", name))
		}
	}
	return all
}

// broken is what the schemas of a tool say and nobody can enforce or fulfil.
func (s Spec) broken() (all []string) {
	for _, line := range slices.Concat(Unread(s.Schema), absurd(s.Schema)) {
		all = append(all, "its schema: "+line)
	}
	for _, line := range slices.Concat(Unread(s.Output), absurd(s.Output)) {
		all = append(all, "the schema of what it returns: "+line)
	}
	if n, err := compile(orEmpty(s.Schema)); err == nil && len(n.types) > 0 && !slices.Contains(n.types, "object") {
		all = append(all, "its schema: arguments are an object, not "+n.want()+"; make it a struct with a field for each")
	}
	return all
}

// absurd is what a schema says and nothing can fulfil: bounds that cross, a choice or
// a default that its own rules refuse. A line each, with the argument and what to do.
func absurd(schema []byte) []string {
	if len(schema) == 0 {
		return nil
	}
	n, err := compile(schema)
	if err != nil {
		return nil // Unread says so
	}
	a := &absurdities{seen: map[*node]bool{}}
	a.look(n, "")
	return a.found
}

type absurdities struct {
	seen  map[*node]bool
	found []string
}

func (a *absurdities) say(at, format string, args ...any) {
	if at != "" {
		at += ": "
	}
	a.found = append(a.found, at+fmt.Sprintf(format, args...))
}

func (a *absurdities) look(n *node, at string) {
	if n == nil || a.seen[n] {
		return
	}
	a.seen[n] = true
	if n.min != nil && n.max != nil && n.min.Cmp(n.max) > 0 {
		a.crossed(at, short(n.min), short(n.max))
	}
	for _, b := range [][2]*int{{n.shortest, n.longest}, {n.least, n.most}, {n.leastKeys, n.mostKeys}} {
		if b[0] != nil && b[1] != nil && *b[0] > *b[1] {
			a.crossed(at, fmt.Sprint(*b[0]), fmt.Sprint(*b[1]))
		}
	}
	for _, v := range n.enum {
		if why := refused(n, v); why != "" {
			a.say(at, "the choice %s can never be made: it %s; leave it out, or change the rule", show(v), why)
		}
	}
	if n.hasDef && n.def != nil {
		if why := refused(n, n.def); why != "" {
			a.say(at, "the default %s is refused by its own rule: it %s; give another default, or change the rule", show(n.def), why)
		}
	}
	for _, name := range n.order {
		a.look(n.props[name], join(at, name))
	}
	a.look(n.extra, join(at, "*"))
	a.look(n.rest, at+"[]")
	for i, of := range n.first {
		a.look(of, fmt.Sprintf("%s[%d]", at, i))
	}
	a.look(n.ref, at)
	for _, of := range slices.Concat(n.all, n.any, n.one) {
		a.look(of, at)
	}
}

func (a *absurdities) crossed(at, least, most string) {
	a.say(at, "min %s is above max %s, so nothing can be given; swap them, or leave one out", least, most)
}

// refused is what a schema has against a value, or nothing.
func refused(n *node, v any) string {
	w := &walk{exact: true, bare: true, steps: new(int)}
	w.value(n, v, "", false)
	if len(w.faults) == 0 {
		return ""
	}
	return w.faults[0].Message
}

func short(r *big.Rat) string {
	f, _ := r.Float64()
	return fmt.Sprint(f)
}
