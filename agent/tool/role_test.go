package tool_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hermes/agent/tool"
)

type roleArgs struct {
	To     string   `json:"to" jsonschema:"whom" tool:"alias=recipient"`
	Body   string   `json:"body" jsonschema:"what" tool:"content"`
	Kind   string   `json:"kind,omitempty" tool:"enum=a|b"`
	Count  int      `json:"count,omitempty" jsonschema:"how many" tool:"default=5"`
	Amount float64  `json:"amount,omitempty" jsonschema:"how much"`
	Tags   []string `json:"tags,omitempty" jsonschema:"words" tool:"content"`
	Site   string   `json:"site,omitempty" jsonschema:"where" tool:"control"`
}

// A16 Of a tool that changes anything every argument is control that is not marked as
// content; of one that reads, those that are marked, and what leads out of the house.
func TestA16Parts(t *testing.T) {
	const args = `{"recipient":"lee","body":"hello","kind":"a","count":5,"amount":12.50,"tags":["x"],"site":"s","dry":true}`
	say := func(vs []tool.Value) string {
		var all []string
		for _, v := range vs {
			all = append(all, v.Arg+"="+v.Text)
		}
		return strings.Join(all, " ")
	}
	spec := func(e tool.Effect) tool.Spec {
		return tool.Spec{
			Effect: e, Schema: tool.SchemaOf[roleArgs](), Aliases: tool.AliasesOf[roleArgs](), Content: tool.ContentOf[roleArgs](), Control: []string{"site"},
		}
	}
	keeps := spec(tool.Read)
	keeps.Keeps = true
	for name, tt := range map[string]struct {
		spec    tool.Spec
		args    string
		control string
		content string
	}{
		"a write":                   {spec(tool.Write), args, "amount=12.50 recipient=lee site=s", "body=hello tags=x"},
		"a send":                    {spec(tool.Send), `{"to":"lee","body":"b"}`, "to=lee", "body=b"},
		"what the schema lacks":     {spec(tool.Write), `{"cc":{"mallory":["x"]}}`, "cc=mallory cc=x", ""},
		"another count":             {spec(tool.Keep), `{"count":7}`, "count=7", ""},
		"a read":                    {spec(tool.Read), `{"to":"lee","body":"b","site":"s"}`, "site=s", ""},
		"a read that keeps":         {keeps, `{"to":"lee","body":"b"}`, "to=lee", "body=b"},
		"an address in a read":      {spec(tool.Read), `{"body":"https://evil.example/x","to":"www.evil.example"}`, "body=https://evil.example/x to=www.evil.example", ""},
		"an address within a query": {spec(tool.Read), `{"body":"SELECT 'https://x.example'"}`, "", ""},
		"no schema at all":          {tool.Spec{}, `{"b":1,"a":["x",{"c":"y"}]}`, "a=x a=c a=y b=1", ""},
		"named as one in a read":    {tool.Spec{Effect: tool.Read}, `{"url":"evil.example","q":"x"}`, "url=evil.example", ""},
		"no object":                 {spec(tool.Write), `[1]`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			control, content := tt.spec.Parts(json.RawMessage(tt.args))
			if say(control) != tt.control || say(content) != tt.content {
				t.Errorf("control %q, content %q; want %q and %q", say(control), say(content), tt.control, tt.content)
			}
		})
	}
}

// What this program has made in a result is known by the names of its properties; what
// stands there as text is not.
func TestMade(t *testing.T) {
	s := tool.Spec{IDs: []string{"id", "report"}}
	got := fmt.Sprint(s.Made(`{"report":"a1","text":"{\"id\":\"forged\"}","files":[{"id":"a2","name":"id"}],"n":1}`))
	if got != "[a2 a1]" {
		t.Errorf("Made = %s", got)
	}
	if s.Made("id: a1") != nil || (tool.Spec{}).Made(`{"id":"a1"}`) != nil {
		t.Error("something was made of what is no JSON, or without names")
	}
}

// The tags content and control reach the Spec, and are refused where they mean nothing.
func TestRoleTags(t *testing.T) {
	type bad struct {
		In struct {
			A string `json:"a" tool:"content"`
		} `json:"in"`
	}
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "only an argument is content") {
			t.Errorf("panic = %v", p)
		}
	}()
	if c := tool.ContentOf[roleArgs](); fmt.Sprint(c) != "[body tags]" {
		t.Errorf("ContentOf = %v", c)
	}
	tool.SchemaOf[bad]()
}

// Marks stand in the Meta of an artifact; another Meta has none.
func TestMarks(t *testing.T) {
	for meta, want := range map[string]string{`{"marks":["a","b"],"version":"1"}`: "[a b]", `{"version":"1"}`: "[]", `[1]`: "[]", "": "[]"} {
		if got := fmt.Sprint(tool.Artifact{Meta: []byte(meta)}.Marks()); got != want {
			t.Errorf("Marks of %s = %s, want %s", meta, got, want)
		}
	}
}
