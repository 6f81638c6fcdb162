package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
	"hermes/internal/golden"
)

// The schema of a tool comes from its struct: names, what they mean, which may be
// left out. No provider that refuses null has anything to refuse.
func TestTheSchemaComesFromTheStruct(t *testing.T) {
	var b bytes.Buffer
	if err := json.Indent(&b, tool.SchemaOf[args](), "", "  "); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "schema.golden", string(append(b.Bytes(), '\n')))
	run := func(context.Context, tool.Call, args) (tool.Result, error) { return tool.Result{}, nil }
	s := tool.New(tool.Spec{Name: "x"}, run).Spec()
	if !bytes.Equal(s.Schema, tool.SchemaOf[args]()) || !cmp.Equal(s.Aliases, map[string]string{"m": "measure", "metric": "measure"}) {
		t.Errorf("schema of the tool = %s, other names %v", s.Schema, s.Aliases)
	}
	own := json.RawMessage(`{"type":"object"}`)
	if s := tool.New(tool.Spec{Name: "x", Schema: own}, run).Spec(); !bytes.Equal(s.Schema, own) {
		t.Errorf("schema = %s, want the tool's own", s.Schema)
	}
}

type tagged struct {
	Max    int       `json:"max_results" jsonschema:"how many" tool:"min=1,max=20,default=5"`
	Ratio  float64   `json:"ratio" tool:"min=0.5,default=1"`
	Name   string    `json:"name" tool:"min=0,max=8"`
	Kind   string    `json:"kind,omitempty" tool:"enum=bar|line"`
	Level  int       `json:"level,omitempty" tool:"enum=1|2"`
	Day    string    `json:"day,omitempty" jsonschema:"first day" tool:"format=date"`
	Days   []string  `json:"days,omitempty" tool:"min=1,max=3,format=date"`
	Sort   []string  `json:"sort,omitempty" tool:"enum=up|down"`
	Dry    bool      `json:"dry" tool:"default=true"`
	At     time.Time `json:"at,omitzero"`
	Labels map[string]struct {
		Weight int `json:"weight" tool:"max=3"`
	} `json:"labels,omitempty"`
	base
	Skipped string `json:"-"`
}

type base struct {
	Source string `json:"source" tool:"enum=a|b"`
}

// TOOL-02, TOOL-07, TOOL-08: ranges, defaults, choices and forms stand in the tags,
// and the schema, which the model and the validator read, has them.
func TestTOOL08TagsBecomeSchema(t *testing.T) {
	var b bytes.Buffer
	if err := json.Indent(&b, tool.SchemaOf[tagged](), "", "  "); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "tags.golden", string(append(b.Bytes(), '\n')))
}

// TOOL-02: a range that is changed in the tag changes what the model is told and what
// it is refused with.
func TestTOOL02OneTagChangesPromptAndRefusal(t *testing.T) {
	type five struct {
		Max int `json:"max_results" tool:"min=1,max=5"`
	}
	type nine struct {
		Max int `json:"max_results" tool:"min=1,max=9"`
	}
	for most, schema := range map[string]json.RawMessage{"5": tool.SchemaOf[five](), "9": tool.SchemaOf[nine]()} {
		c := tool.Check(tool.Spec{Name: "x", Schema: schema}, json.RawMessage(`{"max_results":10}`), tool.CheckOptions{})
		if !strings.Contains(string(schema), `"maximum":`+most) || c.Fault() != "max_results: wants a whole number from 1 to "+most+"; got 10" {
			t.Errorf("schema %s refuses with %q", schema, c.Fault())
		}
	}
}

// What has no schema, and a tag that says nothing or nonsense, is found by the first
// test of its tool.
func TestWhatHasNoSchemaPanics(t *testing.T) {
	for name, make := range map[string]func(){
		"a function": func() { tool.SchemaOf[struct{ F func() }]() },
		"an unknown rule": func() {
			tool.SchemaOf[struct {
				F int `tool:"least=1"`
			}]()
		},
		"a default of words": func() {
			tool.SchemaOf[struct {
				F int `tool:"default=x"`
			}]()
		},
		"a bound of words": func() {
			tool.SchemaOf[struct {
				F int `tool:"min=x"`
			}]()
		},
		"a bound of a string": func() {
			tool.SchemaOf[struct {
				F string `tool:"min=0.5"`
			}]()
		},
		"a bound of a bool": func() {
			tool.SchemaOf[struct {
				F bool `tool:"min=1"`
			}]()
		},
		"null in arguments": func() {
			tool.SchemaOf[struct {
				F *int `tool:"nullable"`
			}]()
		},
		"a choice of words": func() {
			tool.SchemaOf[struct {
				F int `tool:"enum=1|x"`
			}]()
		},
		"a nested alias": func() {
			tool.SchemaOf[struct {
				F struct {
					G int `tool:"alias=h"`
				}
			}]()
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s has a schema", name)
				}
			}()
			make()
		}()
	}
}

// What a tool returns may have nulls where it has pointers, and lists that are nil.
func TestTheOutputHasNullsWhereTheStructHasPointers(t *testing.T) {
	type user struct {
		Email *string  `json:"email,omitempty" tool:"nullable"`
		Title *string  `json:"title,omitempty"`
		Phone *string  `json:"phone"`
		Tags  []string `json:"tags"`
		Notes []string `json:"notes,omitempty"`
		Boss  *struct {
			Name *string `json:"name" tool:"max=9"`
		} `json:"boss"`
	}
	var s struct {
		Properties map[string]struct {
			Type any `json:"type"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(tool.OutputOf[user](), &s); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{"email": []any{"null", "string"}, "title": "string", "phone": []any{"null", "string"}, "tags": []any{"null", "array"}, "notes": "array"} {
		if d := cmp.Diff(want, s.Properties[name].Type); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	if !slices.Equal(tool.OutputOf[user](), tool.OutputOf[user]()) {
		t.Error("the schema differs from call to call")
	}
}

// A tool without arguments says that there are none.
func TestNoArgumentsAreSaid(t *testing.T) {
	if s := tool.SchemaOf[struct{}](); string(s) != `{"type":"object","properties":{}}` {
		t.Errorf("schema = %s", s)
	}
	if s := tool.SchemaOf[map[string]int](); string(s) != `{"type":"object","additionalProperties":{"type":"integer"}}` {
		t.Errorf("schema of any names = %s", s)
	}
}
