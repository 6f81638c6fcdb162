package tool

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// A Value is one text or number of the arguments of a call, with the argument that it
// stands in. A number is a Value as it is written.
type Value struct{ Arg, Text string }

// Parts takes the arguments of a call apart into control and content, each in the order
// in which they are written. What is one of a few words that the schema itself names, a
// boolean or the schema's default says nothing of where it comes from and is in neither.
// Arguments that are no JSON object have no parts.
func (s Spec) Parts(args json.RawMessage) (control, content []Value) {
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.UseNumber()
	var all map[string]any
	if dec.Decode(&all) != nil {
		return nil, nil
	}
	schema := schemaNode(s)
	for _, name := range sorted(all) {
		known := name
		if to, ok := s.Aliases[name]; ok {
			known = to
		}
		p := schema.part(func(m *node) *node { return m.props[known] })
		values := collect(nil, name, all[name], p)
		switch {
		case s.controls(known, p):
			control = append(control, values...)
		case s.Effect != Read || s.Keeps:
			content = append(content, values...)
		default:
			// Whoever has made the tool: an address that is asked tells its owner something.
			for _, v := range values {
				if strings.ContainsAny(v.Text, ":/.") && address.MatchString(v.Text) {
					control = append(control, v)
				}
			}
		}
	}
	return control, content
}

// controls reports whether an argument is control. One that the schema does not know is,
// where anything is changed.
func (s Spec) controls(name string, p *node) bool {
	switch {
	case slices.Contains(s.Control, name):
		return true
	case slices.Contains(s.Content, name):
		return false
	case s.Effect != Read || s.Keeps:
		return true
	}
	return p != nil && slices.Contains(outward, p.format) || slices.Contains(outwardNames, strings.ToLower(name))
}

// address is a value that leads out of the house as a whole.
var address = regexp.MustCompile(`(?i)^\s*(?:[a-z][a-z0-9+.-]*:)?//\S|^\s*www\.\S|^\s*(?:mailto|tel|data|javascript):\S`)

// outward are the formats of what leads out of the house: in a Read they are control
// whether somebody has thought of it or not.
var outward = []string{"uri", "uri-reference", "iri", "url", "email", "hostname", "ipv4", "ipv6"}

// outwardNames are what such arguments are called where nobody has given a format.
var outwardNames = []string{"url", "urls", "uri", "link", "links", "href", "endpoint", "webhook", "host", "hostname", "domain", "email", "recipient", "recipients"}

func collect(into []Value, arg string, v any, of *node) []Value {
	if of != nil && (len(of.enum) > 0 || of.hasDef && string(encode(of.def)) == string(encode(v))) {
		return into
	}
	switch v := v.(type) {
	case string:
		return append(into, Value{arg, v})
	case json.Number:
		return append(into, Value{arg, v.String()})
	case []any:
		for _, x := range v {
			var item *node
			if of != nil {
				item = of.rest
			}
			into = collect(into, arg, x, item)
		}
	case map[string]any:
		for _, k := range sorted(v) {
			var p *node
			if of != nil {
				p = of.part(func(m *node) *node { return m.props[k] })
			}
			if p == nil {
				into = append(into, Value{arg, k}) // a name that the schema does not know
			}
			into = collect(into, arg, v[k], p)
		}
	}
	return into
}

// Made are the values of a result that this program has made itself, by its IDs.
func (s Spec) Made(text string) []string {
	if len(s.IDs) == 0 {
		return nil
	}
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return nil
	}
	return made(nil, v, s.IDs)
}

func made(into []string, v any, names []string) []string {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			into = made(into, x, names)
		}
	case map[string]any:
		for _, k := range sorted(v) {
			if s, ok := v[k].(string); ok && slices.Contains(names, k) {
				into = append(into, s)
			} else {
				into = made(into, v[k], names)
			}
		}
	}
	return into
}
