package result_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"hermes/agent/result"
	"hermes/agent/tool"
)

// rowSchema wants an id and an amount of each item.
var rowSchema = json.RawMessage(`{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}}}}}`)

// RES-02 Rows that break the schema are left out and counted; if all do, the result
// has failed.
func TestRES02BadRows(t *testing.T) {
	in := input("look", `{"items":[`+join(50, ",", func(i int) string {
		if i%20 == 5 {
			return fmt.Sprintf(`{"id":"x%d"}`, i)
		}
		return fmt.Sprintf(`{"id":%d}`, i)
	})+`]}`)
	in.Spec.Output = rowSchema
	out := read(t, in, result.Config{ArrayMax: 100})
	var kept struct{ Items []any }
	if err := json.Unmarshal([]byte(body(in, out)), &kept); err != nil {
		t.Fatal(err)
	}
	if out.Dropped != 3 || len(kept.Items) != 47 || out.Complete || !out.Keep || !strings.Contains(out.Note, "3 of 50 items at /items left out") {
		t.Errorf("dropped %d, kept %d, complete %v, keep %v, note %s", out.Dropped, len(kept.Items), out.Complete, out.Keep, out.Note)
	}

	in.Text = `{"items":[{"id":"x"},{"id":null},{}]}`
	in.Spec.Alternates = []string{"find"}
	out, err := result.Read(in, result.Config{})
	var fault *tool.Error
	if !errors.As(err, &fault) || fault.Type != tool.LogicError || fault.Tool != "look" || fault.Message == "" || !strings.Contains(fault.Suggestion, "find") {
		t.Fatalf("err = %v, want a LogicError", err)
	}
	if !strings.HasPrefix(out.Brief, "LOGIC_ERROR of look") || strings.Contains(out.Note, "complete") || !out.Keep {
		t.Errorf("what is read of it: %s\n%s", out.Brief, out.Note)
	}

	for name, text := range map[string]string{"no object": `[1,2]`, "items no array": `{"items":5}`} {
		in.Text = text
		if _, err := result.Read(in, result.Config{}); !errors.As(err, &fault) {
			t.Errorf("%s: err = %v, want a LogicError", name, err)
		}
	}
	for name, schema := range map[string]string{"no schema": ``, "broken schema": `{"type":`, "schema true": `true`, "odd schema": `{"type":7}`} {
		in.Text, in.Spec.Output = `{"items":[5]}`, json.RawMessage(schema)
		if _, err := result.Read(in, result.Config{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What of a schema is looked at in a row.
func TestSchemaOfRows(t *testing.T) {
	for name, tt := range map[string]struct {
		row       string
		good, bad []string
	}{
		"type":        {`{"type":"integer"}`, []string{"5", "5.0", "5e2"}, []string{"5.5", `"5"`, "null", "true", "[]", "{}"}},
		"types":       {`{"type":["null","string"]}`, []string{"null", `"x"`}, []string{"1"}},
		"number":      {`{"type":"number","minimum":0,"maximum":1}`, []string{"0", "0.5", "1"}, []string{"-1", "2", "1e400"}},
		"enum":        {`{"enum":["a",1,null]}`, []string{`"a"`, `"\u0061"`, "1", "null"}, []string{`"b"`, "2"}},
		"required":    {`{"required":["a"]}`, []string{`{"a":null}`, `{"\u0061":1}`, "5"}, []string{`{}`, `{"b":1}`}},
		"properties":  {`{"properties":{"a":{"type":"string","minLength":2}}}`, []string{`{}`, `{"b":1}`, `{"a":"数据"}`}, []string{`{"a":1}`, `{"a":"x"}`}},
		"any of":      {`{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"number"}}]}`, []string{`"x"`, "[1,2]"}, []string{"1", `["x"]`}},
		"one of":      {`{"oneOf":[{"type":"string"}]}`, []string{`"x"`}, []string{"1"}},
		"definitions": {`{"$ref":"#/definitions/x"}`, []string{"true"}, []string{"1"}},
		"a circle":    {`{"$ref":"#/$defs/x"}`, []string{"1", `"x"`}, nil},
		"unknown":     {`{"$ref":"https://elsewhere/x"}`, []string{"1"}, nil},
		"itself":      {`{"$ref":"#/$defs/tree"}`, []string{`{"kids":[{"kids":[]}]}`}, []string{`{"kids":[{"kids":5}]}`}},
	} {
		t.Run(name, func(t *testing.T) {
			in := input("look", "")
			in.Spec.Output = json.RawMessage(`{"type":"array","items":` + tt.row + `,"definitions":{"x":{"type":"boolean"}},"$defs":{"x":{"$ref":"#/$defs/x"},"tree":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/tree"}}}}}}`)
			for _, row := range tt.good {
				in.Text = "[" + row + "]"
				if _, err := result.Read(in, result.Config{}); err != nil {
					t.Errorf("%s: %v", row, err)
				}
			}
			for _, row := range tt.bad {
				in.Text = "[" + row + "]"
				if _, err := result.Read(in, result.Config{}); err == nil {
					t.Errorf("%s is let through", row)
				}
			}
		})
	}
}
