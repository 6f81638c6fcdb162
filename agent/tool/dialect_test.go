package tool_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/tool"
)

// Schemas come from people, from other languages and from servers that speak any
// draft. Each is read as it is meant.
func TestSchemasAreReadAsTheyAreMeant(t *testing.T) {
	const (
		ref = `{"type":"object","properties":{"at":{"$ref":"#/$defs/point"}},"required":["at"],
			"$defs":{"point":{"type":"object","properties":{"x":{"type":"number"},"next":{"$ref":"#/$defs/point"}},"required":["x"]}}}`
		pydantic = `{"type":"object","properties":{"limit":{"anyOf":[{"type":"integer","maximum":9},{"type":"null"}],"default":null,"title":"Limit"}}}`
		shapes   = `{"type":"object","properties":{"shape":{"oneOf":[
			{"type":"object","properties":{"kind":{"const":"circle"},"radius":{"type":"number"}},"required":["kind","radius"]},
			{"type":"object","properties":{"kind":{"const":"square"},"side":{"type":"number"}},"required":["kind","side"]}]}},"required":["shape"]}`
		whole = `{"type":"object","allOf":[{"$ref":"#/definitions/page"},{"properties":{"query":{"type":"string"}},"required":["query"]}],
			"definitions":{"page":{"properties":{"page":{"type":"integer","default":1}}}}}`
		when = `{"type":"object","properties":{"mode":{"type":"string"},"file":{"type":"string"}},"if":{"properties":{"mode":{"const":"file"}},"required":["mode"]},"then":{"required":["file"]}}`
		four = `{"type":"object","properties":{"n":{"type":"integer","minimum":0,"exclusiveMinimum":true},"pair":{"type":"array","items":[{"type":"string"},{"type":"integer"}],"additionalItems":false}}}`
		wild = `{"type":"dict","properties":{"size":{"type":"float"},"pair":{"type":"tuple","items":{"type":"integer"}},"of":{"type":"dict"},"on":{"type":"Boolean"},"x":{"type":"any"},"note":{"type":"string","nullable":true}},"required":["size"]}`
		open = `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`
		name = `{"type":"object","patternProperties":{"^x_":{"type":"integer"}},"propertyNames":{"maxLength":4}}`
		goes = `{"type":"object","properties":{"card":{"type":"string"},"address":{"type":"string"}},"dependentRequired":{"card":["address"]}}`
	)
	for name, tt := range map[string]struct{ schema, given, fault string }{
		"a reference":                          {ref, `{"at":{"x":1,"next":{"x":2}}}`, ""},
		"a reference to itself":                {ref, `{"at":{"x":1,"next":{"x":"two"}}}`, `at.next.x: wants a number; got "two"`},
		"an unknown name behind a reference":   {ref, `{"at":{"x":1,"y":2}}`, "at.y: is unknown"},
		"null where null is declared":          {pydantic, `{"limit":null}`, ""},
		"one of two types":                     {pydantic, `{"limit":12}`, "limit: wants a whole number of at most 9; got 12"},
		"none of two types":                    {pydantic, `{"limit":true}`, "limit: wants a whole number of at most 9; got true"},
		"one of two shapes":                    {shapes, `{"shape":{"kind":"square","side":2}}`, ""},
		"the shape that comes closest":         {shapes, `{"shape":{"kind":"square","side":"wide"}}`, "shape.side: wants a number"},
		"parts of one object":                  {whole, `{"query":"a","page":2}`, ""},
		"an unknown name beside parts":         {whole, `{"query":"a","pages":2}`, "pages: is unknown; did you mean page?"},
		"what a condition asks for":            {when, `{"mode":"file"}`, "file: is missing"},
		"what a condition does not ask for":    {when, `{"mode":"text"}`, ""},
		"draft 4, above the bound":             {four, `{"n":0}`, "n: wants a whole number above 0; got 0"},
		"draft 7, a list by places":            {four, `{"pair":["a","b"]}`, `pair[1]: wants a whole number; got "b"`},
		"draft 7, no further place":            {four, `{"pair":["a",1,2]}`, "pair[2]: must not be given"},
		"types of other languages":             {wild, `{"size":1,"pair":[1,2],"of":{"a":1},"on":true,"x":[],"note":null}`, ""},
		"types of other languages, wrong":      {wild, `{"size":"wide"}`, `size: wants a number; got "wide"`},
		"other names are let in":               {open, `{"a":"x","b":1}`, ""},
		"other names are let in, but not so":   {open, `{"a":"x","b":"one"}`, `b: wants a whole number; got "one"`},
		"names of a form":                      {name, `{"x_a":1}`, ""},
		"names of no form":                     {name, `{"y_a":1}`, "y_a: is unknown"},
		"names that are too long":              {name, `{"x_abc":1}`, "x_abc: is no name that is allowed here"},
		"what goes with another":               {goes, `{"card":"1"}`, "address: is missing; it goes with card"},
		"no arguments at all":                  {`{"type":"object"}`, `{"a":1}`, "a: is unknown; none may be given"},
		"no arguments at all, and none":        {`{"type":"object"}`, ` `, ""},
		"no arguments, sent as null":           {`{"type":"object","properties":{}}`, `null`, ""},
		"a default that is no value":           {`{"type":"object","properties":{"a":{"type":"string","default":null},"b":{"type":"integer","default":"any"}}}`, `{}`, ""},
		"a default that is null is an answer":  {`{"type":"object","properties":{"a":{"type":"string","default":null}}}`, `{"a":null}`, ""},
		"a choice among numbers":               {`{"type":"object","properties":{"a":{"enum":[1,2]}}}`, `{"a":3}`, "a: wants one of 1, 2; got 3"},
		"must not be":                          {`{"type":"object","properties":{"a":{"not":{"type":"string"}}}}`, `{"a":"x"}`, `a: must not be a string; got "x"`},
		"nothing fits":                         {`{"type":"object","properties":{"a":false}}`, `{"a":1}`, "a: must not be given"},
		"a list that holds one of a kind":      {`{"type":"object","properties":{"a":{"contains":{"type":"string"}}}}`, `{"a":[1]}`, "a: has 0 of a string"},
		"a form of letters":                    {`{"type":"object","properties":{"a":{"type":"string","pattern":"^[a-z]+$"}}}`, `{"a":"B"}`, `a: wants a string that matches ^[a-z]+$; got "B"`},
		"a form that Go cannot read":           {`{"type":"object","properties":{"a":{"type":"string","pattern":"(?=x)"}}}`, `{"a":"B"}`, "#/properties/a/pattern: \"(?=x)\" is no regular expression"},
		"a character by its number":            {`{"type":"object","properties":{"a":{"type":"string","pattern":"^[\\u4e00-\\u{9fff}]+$"}}}`, `{"a":"x"}`, "a: wants a string that matches"},
		"a backslash before a letter":          {`{"type":"object","properties":{"a":{"type":"string","pattern":"^\\\\u0041$"}}}`, `{"a":"\\u0041"}`, ""},
		"an address in the network":            {`{"type":"object","properties":{"a":{"type":"string","format":"uri"}}}`, `{"a":"example"}`, "a: wants an address as https://example.com/page"},
		"a reference to another place":         {`{"type":"object","properties":{"a":{"$ref":"https://example.com/s"}}}`, `{"a":1}`, `"https://example.com/s" stands elsewhere and is not fetched`},
		"a reference that nothing stands for":  {`{"type":"object","properties":{"a":{"$ref":"#/nowhere/1"}}}`, `{"a":1}`, `there is no "#/nowhere/1" in the schema`},
		"a reference by a name":                {`{"type":"object","properties":{"a":{"$ref":"#n"}},"$defs":{"x":{"$anchor":"n","type":"integer"}}}`, `{"a":true}`, "a: wants a whole number"},
		"a schema that is only a reference":    {`{"$ref":"#/$defs/x","$defs":{"x":{"type":"object","properties":{"a":{"type":"integer"}}}}}`, `{"b":1}`, "b: is unknown"},
		"two kinds of number fit, one is ask":  {`{"type":"object","properties":{"a":{"oneOf":[{"type":"integer"},{"type":"number"}]}}}`, `{"a":1}`, "a: fits more than one of: a whole number or a number"},
		"a schema that chases its own tail":    {`{"$ref":"#"}`, `{"a":1}`, "cannot be checked"},
		"a default that would break the rules": {`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer","default":1}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`, `{"a":1}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := check(t, tool.Spec{Name: "x", Schema: json.RawMessage(tt.schema)}, tt.given)
			switch {
			case tt.fault == "" && !c.Valid:
				t.Errorf("refused: %v", c.Strict)
			case tt.fault != "" && !strings.Contains(c.Fault(), tt.fault):
				t.Errorf("faults %v, want %s", c.Faults, tt.fault)
			}
		})
	}
}

// What is read where several schemas apply is what they all bear: what one of them
// would read one way and another another way is refused.
func TestWhatIsReadTwoWaysIsRefused(t *testing.T) {
	s := tool.Spec{Name: "x", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"allOf":[{"type":"integer"},{"type":"string"}]}}}`)}
	if c := check(t, s, `{"a":"1"}`); len(c.Faults) == 0 || len(c.Coerced) > 0 || string(c.Args) != `{"a":"1"}` {
		t.Errorf("%+v, want it refused and left as it came", c)
	}
	s.Schema = json.RawMessage(`{"type":"object","properties":{"a":{"anyOf":[{"type":"integer"},{"type":"boolean"}]}}}`)
	if c := check(t, s, `{"a":"5"}`); len(c.Faults) > 0 || string(c.Args) != `{"a":5}` || c.Valid {
		t.Errorf("%+v, want 5 read as a number", c)
	}
}

// A schema that has a reader try without end ends, and refuses.
func TestASchemaWithTooManyWaysIsGivenUp(t *testing.T) {
	s := tool.Spec{Name: "x", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"$ref":"#/$defs/t"}},"$defs":{"t":{"anyOf":[
		{"type":"array","items":{"$ref":"#/$defs/t"},"minItems":2},{"type":"array","items":{"$ref":"#/$defs/t"},"minItems":3},{"type":"array","items":{"$ref":"#/$defs/t"},"minItems":4}]}}}`)}
	if c := check(t, s, `{"a":`+strings.Repeat("[", 60)+strings.Repeat("]", 60)+`}`); len(c.Faults) == 0 || len(c.Faults) > 100 {
		t.Errorf("%d faults", len(c.Faults))
	}
}
