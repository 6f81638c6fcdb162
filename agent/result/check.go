package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hermes/agent/tool"
)

// A schema is the part of JSON Schema that says what a row looks like. What else a
// schema says is let pass, and a property that it does not know is no fault: a
// service may learn to say more.
type schema struct {
	Type       types              `json:"type"`
	Enum       []json.RawMessage  `json:"enum"`
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	Minimum    *float64           `json:"minimum"`
	Maximum    *float64           `json:"maximum"`
	MinLength  int                `json:"minLength"`
	AnyOf      []*schema          `json:"anyOf"`
	OneOf      []*schema          `json:"oneOf"`
	Ref        string             `json:"$ref"`
	Defs       map[string]*schema `json:"$defs"`
	Old        map[string]*schema `json:"definitions"`

	root *schema
}

type types []string

// UnmarshalJSON takes one name or several.
func (t *types) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = types{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(t))
}

// UnmarshalJSON takes what is no object, as true and a list of items, for a schema
// that says nothing.
func (s *schema) UnmarshalJSON(b []byte) error {
	type plain schema
	if b = bytes.TrimSpace(b); len(b) == 0 || b[0] != '{' {
		return nil
	}
	return json.Unmarshal(b, (*plain)(s))
}

// rootSchema reads the schema of a tool's output, or nil.
func rootSchema(raw json.RawMessage) *schema {
	if len(raw) == 0 || !json.Valid(raw) {
		return nil
	}
	s := &schema{}
	if err := json.Unmarshal(raw, s); err != nil {
		// A schema that cannot be read says nothing of a row. Who registers the
		// tool is told elsewhere.
		return nil
	}
	s.root = s
	return s.resolve(s)
}

// resolve goes from a name of a schema to the schema, and makes it know its root.
func (s *schema) resolve(t *schema) *schema {
	for range 8 {
		if t == nil {
			return &schema{root: s.root}
		}
		if def, ok := strings.CutPrefix(t.Ref, "#/$defs/"); ok {
			t = s.root.Defs[def]
		} else if def, ok := strings.CutPrefix(t.Ref, "#/definitions/"); ok {
			t = s.root.Old[def]
		} else {
			break
		}
	}
	if t == nil {
		t = &schema{}
	}
	t.root = s.root
	return t
}

// maxNested is how deep a value is looked into.
const maxNested = 20

// fault is what a value breaks, or empty.
func (s *schema) fault(raw string, depth int) string {
	if depth > maxNested {
		return ""
	}
	kind := kindOf(raw)
	if len(s.Type) > 0 && !slices.ContainsFunc(s.Type, func(t string) bool { return t == kind || t == "number" && kind == "integer" }) {
		return fmt.Sprintf("it is %s, not %s", kind, strings.Join(s.Type, " or "))
	}
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(e json.RawMessage) bool { return same(string(e), raw) }) {
		return "it is none of the values that there are"
	}
	for _, any := range [][]*schema{s.AnyOf, s.OneOf} {
		if len(any) > 0 && !slices.ContainsFunc(any, func(a *schema) bool { return s.resolve(a).fault(raw, depth+1) == "" }) {
			return "it is none of the kinds that there are"
		}
	}
	switch kind {
	case "integer", "number":
		n, err := strconv.ParseFloat(raw, 64)
		if err != nil {
			return "it is too large"
		}
		if s.Minimum != nil && n < *s.Minimum || s.Maximum != nil && n > *s.Maximum {
			return "it is out of range"
		}
	case "string":
		if s.MinLength > 0 && utf8.RuneCountInString(decode(raw)) < s.MinLength {
			return "it is too short"
		}
	case "object":
		return s.objectFault(raw, depth)
	case "array":
		if s.Items == nil {
			break
		}
		of, n := s.resolve(s.Items), 0
		for v := range items(raw) {
			if why := of.fault(v, depth+1); why != "" {
				return fmt.Sprintf("item %d: %s", n+1, why)
			}
			n++
		}
	}
	return ""
}

func (s *schema) objectFault(raw string, depth int) string {
	has := map[string]bool{}
	for k, v := range members(raw) {
		key := keyOf(k)
		has[key] = true
		if p, ok := s.Properties[key]; ok {
			if why := s.resolve(p).fault(v, depth+1); why != "" {
				return name(key) + ": " + why
			}
		}
	}
	for _, key := range s.Required {
		if !has[key] {
			return name(key) + " is missing"
		}
	}
	return ""
}

func kindOf(raw string) string {
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	if strings.ContainsAny(raw, ".eE") {
		if d, ok := parseDecimal(raw); !ok || !d.whole() {
			return "number"
		}
	}
	return "integer"
}

// same reports whether two scalars are one.
func same(a, b string) bool {
	if a[0] == '"' && b[0] == '"' {
		return decode(a) == decode(b)
	}
	return a == b
}

// check leaves out the rows that break the schema of the tool. If none is left, or
// what is around them breaks it, the result cannot be used.
func (r *reader) check(raw string) (string, error) {
	s := rootSchema(r.in.Spec.Output)
	if s == nil {
		return raw, nil
	}
	kept, err := r.sieve(raw, s, "", 0)
	if err != nil {
		return raw, err
	}
	if why := s.fault(kept, 0); why != "" {
		return raw, r.fault("what it returned is not what the tool declares: " + why)
	}
	return kept, nil
}

// sieve leaves out the bad items of an array, and of the arrays in an object.
func (r *reader) sieve(raw string, s *schema, at string, depth int) (string, *tool.Error) {
	switch {
	case raw[0] == '[' && s.Items != nil:
		return r.sieveArray(raw, s.resolve(s.Items), at)
	case raw[0] != '{' || depth == 2:
		return raw, nil
	}
	var b strings.Builder
	changed := false
	for k, v := range members(raw) {
		out := v
		if p, ok := s.Properties[keyOf(k)]; ok && (v[0] == '[' || v[0] == '{') {
			var err *tool.Error
			if out, err = r.sieve(v, s.resolve(p), at+pointer([]string{decode(k)}), depth+1); err != nil {
				return raw, err
			}
			changed = changed || len(out) != len(v)
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(k + ":" + out)
	}
	if !changed {
		return raw, nil
	}
	return "{" + b.String() + "}", nil
}

func (r *reader) sieveArray(raw string, row *schema, at string) (string, *tool.Error) {
	var good []string
	n, bad, first := 0, 0, ""
	for v := range items(raw) {
		n++
		if why := row.fault(v, 0); why != "" {
			if bad++; bad == 1 {
				first = fmt.Sprintf("item %d: %s", n, why)
			}
			continue
		}
		good = append(good, v)
	}
	switch {
	case bad == 0:
		return raw, nil
	case len(good) == 0:
		return raw, r.fault(fmt.Sprintf("none of the %d items%s is what the tool declares; %s", n, where(at), first))
	}
	r.dropped += bad
	r.notes = append(r.notes, fmt.Sprintf("%d of %d items%s left out because they are not what the tool declares (the stored text has them); %s", bad, n, where(at), first))
	return "[" + strings.Join(good, ",") + "]", nil
}
