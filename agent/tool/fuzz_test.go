package tool_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
)

// TOOL-12: whatever a model or a server writes, Check ends and what it returns is
// JSON. What it lets through it lets through a second time, valid to the letter and
// without reading anything; what it refuses it leaves as it came.
func FuzzCheck(f *testing.F) {
	schemas := []string{
		string(booking.Schema),
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"integer"},{"type":"null"},{"type":"object","properties":{"b":{"type":"boolean","default":true}}}]}}}`,
		`{"$ref":"#/$defs/x","$defs":{"x":{"properties":{"a":{"$ref":"#/$defs/x"},"b":{"type":["string","array"],"default":"[]"}},"additionalProperties":{"type":"number"}}}}`,
		`{"type":"dict","properties":{"a":{"type":"float","default":1.0},"b":{"const":"x"}},"allOf":[{"required":["a"]},{"if":{"required":["b"]},"then":{"properties":{"c":{"type":"integer","default":5.0}}}}]}`,
		`{"oneOf":[{"required":["a"]},{"properties":{"b":{"default":{"c":1}}}}],"not":{"required":["z"]},"patternProperties":{"^x":{"type":"boolean"}},"minProperties":1}`,
		`true`,
	}
	calls := []string{
		`{"query":"a","max_results":"5","ids":"[1,\"2\"]","shared":"yes","day":"2024/1/1","guest":"{\"name\":\"x\"}"}`,
		`{"q":"a","rate":1.50,"labels":{"a":null},"size":""}`, `{"a":{"b":"no"},"c":"1"}`, `{"a":5.0,"b":"x","xy":"true"}`, `{"a":null}`, `"{}"`, `[]`, `{"a":1e400}`, "",
	}
	for _, s := range schemas {
		for _, c := range calls {
			f.Add([]byte(s), []byte(c))
		}
	}
	f.Fuzz(func(t *testing.T, schema, args []byte) {
		s := tool.Spec{Name: "x", Schema: schema, Aliases: map[string]string{"q": "query"}}
		first := tool.Check(s, args, tool.CheckOptions{})
		if first.Args == nil {
			if len(first.Faults) == 0 {
				t.Fatal("no arguments and no faults")
			}
			return
		}
		if !json.Valid(first.Args) {
			t.Fatalf("arguments %q came out as %q", args, first.Args)
		}
		again := tool.Check(s, first.Args, tool.CheckOptions{})
		if !bytes.Equal(first.Args, again.Args) || len(again.Coerced) > 0 && len(first.Faults) == 0 {
			t.Fatalf("%s came out as %s, and that as %s, read at %v", args, first.Args, again.Args, again.Coerced)
		}
		if len(first.Faults) > 0 {
			if d := cmp.Diff(first.Faults, again.Faults); d != "" {
				t.Fatalf("faults of %s (-first +again):\n%s", args, d)
			}
			return
		}
		if !again.Valid || len(again.Faults) > 0 {
			t.Fatalf("%s came out as %s, which is refused: %v", args, first.Args, again.Strict)
		}
		if exact := tool.Check(s, first.Args, tool.CheckOptions{Exact: true}); !exact.Valid || !bytes.Equal(exact.Args, first.Args) {
			t.Fatalf("%s came out as %s, which to the letter is %s: %v", args, first.Args, exact.Args, exact.Faults)
		}
	})
}
