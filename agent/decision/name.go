package decision

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// named finds the name of a tool in an object, and the object that its arguments
// are in: the same, or {"function": {…}} in it.
func (s shape) named(o object) (string, object, bool) {
	for _, k := range s.names {
		v, ok := o.get(k)
		if !ok {
			continue
		}
		if isString(v) {
			return words(v), o, true
		}
		if inner, ok := fields(v); ok && inner.has(s.names...) {
			if id, ok := o.get("id"); ok && !inner.has("id") {
				inner.members["id"], inner.written["id"] = id, "id"
			}
			return s.named(inner)
		}
	}
	return "", o, false
}

// loose reads an object that names a tool and says nothing of an action.
func (s shape) loose(d *Decision, name string, o object) (bool, error) {
	_, known := s.known(name)
	switch {
	case s.sure(), known && (s.whole || s.hasArgs(o)), among(name, s.finish) && s.hasArgs(o):
	case known || len(s.tools) > 0 && !s.whole || !plainName.MatchString(name):
		return false, nil
	default:
		if args, _ := o.get(s.aliases...); !strings.HasPrefix(strings.TrimSpace(words(args)), "{") {
			return false, nil
		}
	}
	return s.call(d, name, o, s.object)
}

// plainName is what the name of a tool looks like.
var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.:/-]{0,63}$`)

// spoken takes the name of a tool out of a text that may hold its arguments as well:
// look({"q": 1}).
func (r *reader) spoken(text string) (tool string, args json.RawMessage, ok bool) {
	text = strings.Trim(strings.TrimSpace(text), "`\"'“”*")
	if name, ok := r.known(text); ok {
		return name, nil, true
	}
	if plainName.MatchString(text) || among(text, r.finish) {
		return text, nil, true
	}
	n := strings.IndexAny(text, " ({:\n\t")
	if n <= 0 {
		return "", nil, false
	}
	name, known := r.known(text[:n])
	if !known && (len(r.tools) > 0 || !plainName.MatchString(text[:n])) {
		return "", nil, false
	}
	if !known {
		name = text[:n]
	}
	rest := strings.Trim(text[n:], " \t\n():")
	if rest == "" {
		return name, nil, true
	}
	l := look(rest, nil)
	if len(l.finds) != 1 || !l.whole || l.finds[0].raw[0] != '{' || l.finds[0].open > 0 {
		return "", nil, false
	}
	return name, l.finds[0].raw, true
}

// known returns the registered tool that a model means. Without a list of tools
// none is known.
func (r *reader) known(name string) (string, bool) {
	name = strings.TrimSpace(name)
	if slices.Contains(r.tools, name) {
		return name, true
	}
	for _, prefix := range []string{"functions.", "tools.", "tool.", "function."} {
		name = strings.TrimPrefix(name, prefix)
	}
	name = strings.TrimSuffix(name, "()")
	found := ""
	for _, t := range r.tools {
		if t == name {
			return t, true
		}
		if key(t) == key(name) {
			if found != "" {
				return "", false
			}
			found = t
		}
	}
	return found, found != ""
}

func short(s string) string {
	if runes := []rune(s); len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return s
}
