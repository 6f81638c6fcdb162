package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/tool"
)

// What a schema says and nobody could enforce keeps its tool out, with where
// it stands and what to write; none of it goes unenforced in silence.
func TestASchemaThatCannotBeEnforcedIsRefused(t *testing.T) {
	at := func(property string) string { return `{"type":"object","properties":{"a":` + property + `}}` }
	for schema, want := range map[string]string{
		at(`{"pattern":"(?<!x)y"}`):                   `#/properties/a/pattern: "(?<!x)y" is no regular expression that is known here; write it as RE2 has it`,
		at(`{"pattern":"[a-"}`):                       `#/properties/a/pattern: "[a-" is no regular expression`,
		at(`{"pattern":7}`):                           "#/properties/a/pattern: 7 is no text",
		at(`{"$ref":"#/$defs/b"}`):                    `#/properties/a/$ref: there is no "#/$defs/b" in the schema; put it there or mend the name`,
		at(`{"$ref":"#b"}`):                           `#/properties/a/$ref: there is no "#b" in the schema`,
		at(`{"$ref":"b.json#/x"}`):                    `#/properties/a/$ref: "b.json#/x" stands elsewhere and is not fetched; copy it into $defs`,
		at(`{"$dynamicRef":"#b"}`):                    "#/properties/a/$dynamicRef: it is not known here; write $ref",
		at(`{"minimum":"5"}`):                         `#/properties/a/minimum: "5" is no number`,
		at(`{"maxLength":-1}`):                        "#/properties/a/maxLength: -1 is no count",
		at(`{"minItems":1.5}`):                        "#/properties/a/minItems: 1.5 is no count",
		at(`{"multipleOf":0}`):                        "#/properties/a/multipleOf: nothing is a multiple of 0",
		at(`{"type":"strnig"}`):                       `#/properties/a/type: "strnig" is none`,
		at(`{"type":7}`):                              "#/properties/a/type: it is neither a word nor a list of words",
		at(`{"enum":"x"}`):                            "#/properties/a/enum: it is no list",
		at(`{"required":true}`):                       "#/properties/a/required: it is no list of names",
		at(`{"anyOf":{"type":"null"}}`):               "#/properties/a/anyOf: it is no list of schemas",
		at(`"string"`):                                "#/properties/a: is neither an object nor true or false",
		at(`{"unevaluatedItems":false}`):              "#/properties/a/unevaluatedItems: it is not known here",
		`{"patternProperties":{"(?=x)":{}}}`:          `#/patternProperties: "(?=x)" is no regular expression`,
		`{"unevaluatedProperties":{"type":"string"}}`: "#/unevaluatedProperties: only true and false are known",
		`{"properties":[]}`:                           "#/properties: it is no object",
		`[]`:                                          "it is no JSON Schema",
	} {
		spec := tool.Spec{Name: "f", Description: "f", Schema: json.RawMessage(schema)}
		_, err := tool.NewSet(fixed{spec})
		if err == nil || !strings.Contains(err.Error(), "tool f: its schema: ") || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "hint: ") {
			t.Errorf("NewSet with %s = %v, want %q and a hint", schema, err, want)
		}
		if c := tool.Check(spec, json.RawMessage(`{}`), tool.CheckOptions{}); len(c.Faults) != 1 {
			t.Errorf("a call of %s has faults %v, want that its schema cannot be checked", schema, c.Faults)
		}
		out := tool.Spec{Name: "f", Description: "f", Output: json.RawMessage(schema)}
		if _, err := tool.NewSet(fixed{out}); err == nil || !strings.Contains(err.Error(), "the schema of what it returns: ") {
			t.Errorf("NewSet with the output %s = %v", schema, err)
		}
	}
	for _, schema := range []string{
		`{}`, `true`, at(`true`), at(`{"type":"any"}`), at(`{"type":["string","null"],"minLength":0}`), at(`{"minimum":1,"exclusiveMinimum":true}`),
		at(`{"enum":[]}`), at(`{"required":[]}`), at(`{"pattern":""}`), at(`{"additionalProperties":{"$ref":"#"}}`), `{"unevaluatedProperties":false}`,
	} {
		if _, err := tool.NewSet(fixed{tool.Spec{Name: "f", Description: "f", Schema: json.RawMessage(schema)}}); err != nil {
			t.Errorf("NewSet with %s = %v", schema, err)
		}
	}
}

// fixed is a tool of which nothing matters but its Spec.
type fixed struct{ spec tool.Spec }

func (f fixed) Spec() tool.Spec { return f.spec }

func (fixed) Run(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, nil }
