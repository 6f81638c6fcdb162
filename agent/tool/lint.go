package tool

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lint returns what keeps models from using tools well, one line each: names of
// more than one style, descriptions that say too little, arguments that nobody
// explains. A description has three parts: what the tool is for, when to use it, and
// where another does better or what it does not do.
func Lint(specs []Spec) []string {
	l := linter{specs: specs}
	for _, s := range specs {
		l.name(s)
		l.description(s)
		l.arguments(s)
		l.references(s)
	}
	return l.found
}

type linter struct {
	specs []Spec
	found []string
}

func (l *linter) say(s Spec, format string, args ...any) {
	l.found = append(l.found, s.Name+": "+fmt.Sprintf(format, args...))
}

var snake = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// maxName is what providers take.
const maxName = 64

func (l *linter) name(s Spec) {
	for _, line := range s.misnamed() {
		l.say(s, "%s", line)
	}
}

func snaked(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case unicode.IsUpper(r) && i > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
			b.WriteRune(unicode.ToLower(r))
		case unicode.IsLetter(r), unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
		case !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	return strings.Trim(b.String(), "_")
}

var (
	vague = regexp.MustCompile(`(?i)\b(stuff|things|various|etc|misc|and so on|and more|helper|utility|useful|handles? (data|requests?|things))\b|等等|各种|之类`)
	usage = regexp.MustCompile(`(?i)\b(use|when|whenever|if|for|before|after|until|once|instead|to)\b|用于|用来|适用|当|如果|时|之前|之后|以便`)
	limit = regexp.MustCompile(`(?i)\b(not|no|never|nothing|only|instead|else|cannot|does ?n't|unless|without|except|at most)\b|不|仅|只|除|而非|至多`)
)

// A description shorter than that, in letters, says too little; a Han character
// says as much as four.
const leastWords, hanWeight = 40, 4

func (l *linter) description(s Spec) {
	text := strings.TrimSpace(s.Description)
	whole := text + " " + s.Restrictions
	size := 0
	for _, r := range text {
		if size++; unicode.Is(unicode.Han, r) {
			size += hanWeight - 1
		}
	}
	switch {
	case text == "":
		l.say(s, "there is no description")
		return
	case size < leastWords:
		l.say(s, "the description is too short to say what it is for, when to use it and when not")
	}
	if m := vague.FindString(whole); m != "" {
		l.say(s, "%q is vague; say what exactly", m)
	}
	if !usage.MatchString(whole) {
		l.say(s, "the description does not say when to use it")
	}
	if !limit.MatchString(whole) && !l.namesOther(s, whole) {
		l.say(s, "the description has no boundary: say what it does not do, or name the tool that does better")
	}
	for _, other := range s.Alternates {
		if !strings.Contains(whole, other) {
			l.say(s, "the description does not say when %s does better", other)
		}
	}
	if size := len(s.Text()); size > maxLive {
		l.say(s, "the description has %d bytes; every request pays for them, keep it under %d", size, maxLive)
	}
	if !utf8.ValidString(whole) {
		l.say(s, "the description is not UTF-8")
	}
}

func (l *linter) namesOther(s Spec, text string) bool {
	return slices.ContainsFunc(l.specs, func(o Spec) bool { return o.Name != s.Name && strings.Contains(text, o.Name) })
}

// small are the words of one or two letters that say something as a name.
var small = []string{"at", "by", "id", "in", "of", "on", "to", "up"}

func (l *linter) arguments(s Spec) {
	if len(s.Schema) == 0 {
		l.say(s, "there is no schema of its arguments")
		return
	}
	for _, line := range s.broken() {
		l.say(s, "%s", line)
	}
	n, err := compile(s.Schema)
	if err != nil {
		return
	}
	l.properties(s, n, "", false, map[*node]bool{})
	for _, e := range s.Examples {
		if c := Check(s, e, CheckOptions{}); !c.Valid {
			l.say(s, "the example %s is no good call: %s", e, lines(c.Strict))
		}
	}
}

// properties looks at the properties of a schema and of what it is made of. Told
// says that what stands above explains them.
func (l *linter) properties(s Spec, n *node, at string, told bool, seen map[*node]bool) {
	for _, part := range n.parts() {
		if seen[part] {
			continue
		}
		seen[part] = true
		if part.rest != nil {
			l.properties(s, part.rest, at, told, seen)
		}
		for _, name := range part.order {
			p, path := part.props[name], join(at, name)
			if utf8.RuneCountInString(name) <= 2 && !slices.Contains(small, name) {
				l.say(s, "argument %s: write a whole word; the short one can be another name of it", path)
			}
			// A choice of words says what it is.
			explained := told || p.describe != "" || p.ref != nil && p.ref.describe != "" || p.chooses()
			if !explained {
				l.say(s, "argument %s: there is no description", path)
			}
			if _, known := formats[p.format]; !known && p.format != "" {
				l.say(s, "argument %s: the format %s is not checked; write a pattern, or say it in the description", path, p.format)
			}
			if p.format == "date" && !strings.Contains(p.describe, "YYYY-MM-DD") {
				l.say(s, "argument %s: the description does not say YYYY-MM-DD", path)
			}
			l.properties(s, p, path, explained, seen)
		}
	}
}

// chooses reports whether a schema, or that of the items of a list, is a choice of
// words.
func (n *node) chooses() bool {
	if n.rest != nil && n.enum == nil {
		n = n.rest
	}
	return len(n.enum) > 0 && !slices.ContainsFunc(n.enum, func(v any) bool { return kind(v) != "string" })
}

// references looks for names that the Spec has and nobody else knows.
func (l *linter) references(s Spec) {
	for _, name := range s.Alternates {
		if !slices.ContainsFunc(l.specs, func(o Spec) bool { return o.Name == name }) {
			l.say(s, "there is no tool %s to be its alternate", name)
		}
	}
	n, err := compile(s.Schema)
	if err != nil {
		return
	}
	for _, name := range s.Screen {
		if !n.known[name] {
			l.say(s, "there is no argument %s to screen", name)
		}
	}
	for _, other := range sorted(s.Aliases) {
		if own := s.Aliases[other]; !n.known[own] || n.known[other] {
			l.say(s, "%s cannot be another name of %s", other, own)
		}
	}
	for _, former := range sorted(s.Formerly) {
		said, _ := decode(orEmpty(s.Formerly[former])) //nolint:errcheck // what cannot be read says nothing
		more, ok := said.(map[string]any)
		if !ok {
			l.say(s, "what the former name %s said is no object", former)
		}
		for _, name := range sorted(more) {
			if !n.known[name] {
				l.say(s, "there is no argument %s, which the former name %s said", name, former)
			}
		}
	}
	for _, c := range s.Changes {
		if c.To != "" && !n.known[c.To] {
			l.say(s, "the change to %s has no such argument", c.To)
		}
	}
}
