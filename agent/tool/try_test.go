package tool_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/tool"
)

// Of a schema that is understood in part, `hermes try args` judges by that part and
// says which is not.
func TestTrySaysWhatIsNotChecked(t *testing.T) {
	var in tool.TrialInput
	if err := json.Unmarshal([]byte(`{"tools":[{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string","pattern":"(?=x)"}}}}],"call":{"name":"f","arguments":{"a":"b"}}}`), &in); err != nil {
		t.Fatal(err)
	}
	if got := tool.Try(in); !got.Valid || len(got.Unchecked) != 1 || !strings.HasPrefix(got.Unchecked[0], "#/properties/a/pattern: ") {
		t.Errorf("Try = %+v", got)
	}
}

// What `hermes try args` says: the strict verdict, all that is wrong, and the
// arguments as the tool would get them.
func TestTry(t *testing.T) {
	const tools = `[{"name":"add_event","parameters":{"type":"object","properties":{"title":{"type":"string"},"hours":{"type":"integer","default":1},"private":{"type":"boolean"}},"required":["title"]}},{"name":"ping"}]`
	for call, want := range map[string]string{
		`{"name":"add_event","arguments":{"title":"a","hours":2}}`:         `{"valid":true,"errors":[],"arguments":{"hours":2,"title":"a"},"coerced":[]}`,
		`{"name":"add_event","arguments":{"title":"a"}}`:                   `{"valid":true,"errors":[],"arguments":{"hours":1,"title":"a"},"coerced":[]}`,
		`{"name":"add_event","arguments":{"title":"a","hours":"2"}}`:       `{"valid":false,"errors":[{"path":"hours","message":"wants a whole number; got \"2\", read as 2"}],"arguments":{"hours":2,"title":"a"},"coerced":["hours"]}`,
		`{"name":"add_event","arguments":"{\"title\":\"a\",\"hours\":2}"}`: `{"valid":false,"errors":[{"path":"","message":"the arguments are a JSON object, not a string that holds one"}],"arguments":{"hours":2,"title":"a"},"coerced":[""]}`,
		`{"name":"add_event","arguments":{"hours":"x"}}`:                   `{"valid":false,"errors":[{"path":"title","message":"is missing; wants a string"},{"path":"hours","message":"wants a whole number; got \"x\""}],"arguments":{"hours":"x"},"coerced":[]}`,
		`{"name":"add_events","arguments":{"title":"a"}}`:                  `{"valid":false,"errors":[{"path":"","message":"there is no tool \"add_events\"; did you mean add_event? There are: add_event, ping"}],"arguments":{"title":"a"},"coerced":[]}`,
		`{"name":"ping"}`: `{"valid":true,"errors":[],"arguments":{},"coerced":[]}`,
		`{}`:              `{"valid":false,"errors":[{"path":"","message":"there is no tool \"\"; there are: add_event, ping"}],"arguments":{},"coerced":[]}`,
	} {
		var in tool.TrialInput
		if err := json.Unmarshal([]byte(`{"tools":`+tools+`,"call":`+call+`}`), &in); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(tool.Try(in))
		if err != nil || string(got) != want {
			t.Errorf("%s = %s, %v\nwant %s", call, got, err, want)
		}
	}
}
