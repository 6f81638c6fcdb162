package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// SchemaOf returns the JSON Schema of a struct of arguments, for a tool that is a
// type of its own. The json tag names an argument, omitempty makes it optional, the
// jsonschema tag describes it, and the tool tag says what it may be:
//
//	Top   int      `json:"top" jsonschema:"how many rows" tool:"min=1,max=20,default=5"`
//	Kind  string   `json:"kind" tool:"enum=bar|line|none,alias=chart|k"`
//	Days  []string `json:"days,omitempty" tool:"min=1,max=31,format=date"`
//
// min and max are of a number, or of how many characters or items there are; min=0
// lets a required string be blank. enum and format of a list are of its items. An
// argument with a default is optional. alias gives other names that it may come by;
// AliasesOf returns them. content and control put an argument into a Spec's Content or
// Control; ContentOf returns the former. SchemaOf panics if the struct has no schema, or one that no
// arguments could fulfil, which the first test of a tool shows.
func SchemaOf[In any]() json.RawMessage { return schemaOf(reflect.TypeFor[In](), false).text }

// AliasesOf returns the other names that SchemaOf's arguments may come by.
func AliasesOf[In any]() map[string]string { return schemaOf(reflect.TypeFor[In](), false).aliases }

// ContentOf returns which of SchemaOf's arguments are content.
func ContentOf[In any]() []string { return schemaOf(reflect.TypeFor[In](), false).content }

// OutputOf returns the JSON Schema of what a tool returns, by the same tags. A pointer
// may be null in it, but for one that is left out when it is nil. Of a field whose
// tool tag has nullable the model is told when it was not returned at all:
//
//	Email *string `json:"email,omitempty" tool:"nullable"`
//
// OutputOf panics where SchemaOf does.
func OutputOf[Out any]() json.RawMessage { return schemaOf(reflect.TypeFor[Out](), true).text }

type inferred struct {
	text             json.RawMessage
	aliases          map[string]string
	content, control []string
}

type inferKey struct {
	t   reflect.Type
	out bool
}

// schemas holds what was inferred: a tool is asked for its Spec again and again.
var schemas sync.Map // of inferKey to inferred

func schemaOf(t reflect.Type, out bool) inferred {
	got, err := infer(t, out)
	if err != nil {
		panic(err.Error())
	}
	return got
}

// infer makes the schema of a type, or returns the one that it has made before.
func infer(t reflect.Type, out bool) (inferred, error) {
	key := inferKey{t, out}
	if known, ok := schemas.Load(key); ok {
		return known.(inferred), nil
	}
	got, err := inferAnew(t, out)
	if err != nil {
		return got, fmt.Errorf("schema of %s: %w", t, err)
	}
	schemas.Store(key, got)
	return got, nil
}

func inferAnew(t reflect.Type, out bool) (inferred, error) {
	schema, err := jsonschema.ForType(t, &jsonschema.ForOptions{})
	if err != nil {
		return inferred{}, err
	}
	if !out && schema.Type != "object" {
		return inferred{}, errors.New("arguments are a struct with a field for each; write one")
	}
	d := dresser{out: out, aliases: map[string]string{}, roles: &roles{}}
	if err := d.dress(schema, t, true); err != nil {
		return inferred{}, err
	}
	text, err := json.Marshal(schema)
	if err != nil {
		return inferred{}, err
	}
	if wrong := slices.Concat(Unread(text), absurd(text)); len(wrong) > 0 {
		return inferred{}, errors.New(strings.Join(wrong, "; "))
	}
	if schema.Type == "object" && len(schema.Properties) == 0 && schema.AdditionalProperties == nil {
		text = json.RawMessage(`{"type":"object","properties":{}}`) // some providers want to see that there are none
	}
	if len(d.aliases) == 0 {
		d.aliases = nil
	}
	return inferred{text, d.aliases, d.roles.content, d.roles.control}, nil
}

// roles are the names of arguments by what they are.
type roles struct{ content, control []string }

// A dresser puts into an inferred schema what the tags say, and takes out what some
// providers refuse.
type dresser struct {
	out     bool
	aliases map[string]string
	roles   *roles
}

func (d dresser) dress(s *jsonschema.Schema, t reflect.Type, top bool) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[time.Time]() {
		s.Format = "date-time"
		return nil
	}
	switch {
	case t.Kind() == reflect.Struct && (s.Type == "object" || slices.Contains(s.Types, "object")):
		// That nothing else may be given goes without saying: Check refuses it.
		s.AdditionalProperties = nil
		if err := fieldsOf(t); err != nil {
			return err
		}
		for _, f := range reflect.VisibleFields(t) {
			name, optional, ok := jsonName(f)
			p := s.Properties[name]
			if !ok || p == nil {
				continue
			}
			if err := d.dress(p, f.Type, false); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
			if err := d.field(s, p, f, name, optional, top); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
	case t.Kind() == reflect.Slice && s.Items != nil, t.Kind() == reflect.Array && s.Items != nil:
		return d.dress(s.Items, t.Elem(), false)
	case t.Kind() == reflect.Map && s.AdditionalProperties != nil:
		return d.dress(s.AdditionalProperties, t.Elem(), false)
	}
	return nil
}

// fieldsOf looks for fields that would be lost without a word: encoding/json leaves out
// those that are not exported, and one of two with one name, or both.
func fieldsOf(t reflect.Type) error {
	type place struct {
		name  string
		depth int
	}
	names, hidden := map[place]string{}, ""
	for _, f := range reflect.VisibleFields(t) {
		if !f.IsExported() && !f.Anonymous {
			hidden = f.Name
			if tag := f.Tag.Get("json"); f.Tag.Get("tool") != "" || tag != "" && tag != "-" {
				return fmt.Errorf("%s: it has a tag and is not exported, so it is never filled in; begin its name with a capital", f.Name)
			}
		}
		name, _, ok := jsonName(f)
		if !ok {
			continue
		}
		at := place{name, len(f.Index)}
		if other, twice := names[at]; twice {
			return fmt.Errorf("%s: it has the json name %q of %s, so not both are filled in; give it another", f.Name, name, other)
		}
		names[at] = f.Name
	}
	if hidden != "" && len(names) == 0 {
		return fmt.Errorf("%s: no field of %s is exported, so none is ever filled in; begin their names with capitals, or leave them out", hidden, t)
	}
	return nil
}

// jsonName is the name of a field in JSON. It returns false for one that has none.
func jsonName(f reflect.StructField) (name string, optional, ok bool) {
	name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
	if !f.IsExported() || f.Anonymous && name == "" || name == "-" && rest == "" {
		return "", false, false
	}
	if name == "" {
		name = f.Name
	}
	options := strings.Split(rest, ",")
	return name, slices.Contains(options, "omitempty") || slices.Contains(options, "omitzero"), true
}

// field puts what the tags of a field say into its schema.
func (d dresser) field(of, p *jsonschema.Schema, f reflect.StructField, name string, optional, top bool) error {
	// Null is for what a tool returns: in arguments what is not given is left out,
	// and what is left out when it is nil cannot come as null either.
	if len(p.Types) == 2 && p.Types[0] == "null" && (!d.out || optional) {
		p.Type, p.Types = p.Types[1], nil
	}
	tag := f.Tag.Get("tool")
	if tag == "" {
		return nil
	}
	item := p
	if p.Items != nil {
		item = p.Items
	}
	said := map[string]bool{}
	for _, rule := range strings.Split(tag, ",") {
		key, text, _ := strings.Cut(strings.TrimSpace(rule), "=")
		var err error
		if said[key] {
			return fmt.Errorf("tag %q: %s is there twice; leave one out", tag, key)
		}
		said[key] = true
		switch key {
		case "min", "max":
			err = bound(p, key, text)
		case "default":
			if p.Default, err = literal(typeOf(p), text); err == nil {
				of.Required = slices.DeleteFunc(of.Required, func(n string) bool { return n == name })
			}
		case "enum":
			for _, word := range strings.Split(text, "|") {
				var v json.RawMessage
				if v, err = literal(typeOf(item), word); err != nil {
					break
				}
				item.Enum = append(item.Enum, v)
			}
		case "format":
			item.Format = text
			if text == "date" && !strings.Contains(p.Description, "YYYY-MM-DD") {
				p.Description = strings.TrimPrefix(p.Description+", YYYY-MM-DD", ", ")
			}
		case "nullable":
			if !d.out || p.Type == "" {
				return fmt.Errorf("tag %q: only what a tool returns is nullable, and only once", tag)
			}
			p.Type, p.Types = "", []string{"null", p.Type}
		case "content", "control":
			if !top || d.out || text != "" {
				return fmt.Errorf("tag %q: only an argument is %s, without a value", tag, key)
			}
			if key == "content" {
				d.roles.content = append(d.roles.content, name)
			} else {
				d.roles.control = append(d.roles.control, name)
			}
		case "alias":
			if !top {
				return fmt.Errorf("tag %q: only an argument has other names", tag)
			}
			for _, other := range strings.Split(text, "|") {
				if own, taken := d.aliases[other]; taken || other == "" {
					return fmt.Errorf("tag %q: alias %q cannot be another name of %s; it is empty or one of %q, give another", tag, other, name, own)
				}
				d.aliases[other] = name
			}
		default:
			return fmt.Errorf("tag %q: there is no %q; there are min, max, default, enum, format, alias, content, control, nullable", tag, key)
		}
		if err != nil {
			return fmt.Errorf("tag %q: %s: %w", tag, key, err)
		}
	}
	return nil
}

// typeOf is the type of a schema beside null.
func typeOf(s *jsonschema.Schema) string {
	if len(s.Types) == 2 {
		return s.Types[1]
	}
	return s.Type
}

func bound(p *jsonschema.Schema, key, text string) error {
	t := typeOf(p)
	if t == "number" || t == "integer" {
		f, err := strconv.ParseFloat(text, 64)
		if key == "min" {
			p.Minimum = &f
		} else {
			p.Maximum = &f
		}
		return err
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return err
	case t == "string" && key == "min":
		p.MinLength = &n
	case t == "string":
		p.MaxLength = &n
	case t == "array" && key == "min":
		p.MinItems = &n
	case t == "array":
		p.MaxItems = &n
	default:
		return fmt.Errorf("a %s has no bounds", t)
	}
	return nil
}

// literal is a word of a tag as a value of a type.
func literal(t, text string) (json.RawMessage, error) {
	if t == "string" {
		return json.Marshal(text)
	}
	if v, err := decode([]byte(text)); err == nil && (kind(v) == t || kind(v) == "integer" && t == "number") {
		return json.RawMessage(text), nil
	}
	return nil, fmt.Errorf("%q is no %s", text, t)
}
