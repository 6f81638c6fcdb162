package decision

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What `hermes try decision` says of a text.
func TestTry(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"good JSON":     {`{"a": 1}`, `{"ok":true,"value":{"a":1},"repaired":false,"decision":{"finished":true,"result":"{\"a\": 1}","form":"text"}}`},
		"mended":        {`{a: 1,}`, `{"ok":true,"value":{"a":1},"repaired":true,"decision":{"finished":true,"result":"{a: 1,}","form":"text"}}`},
		"a decision":    {`{"thought":"x","action":{"name":"look","args":{q: 'y'}}}`, `{"ok":true,"value":{"thought":"x","action":{"name":"look","args":{"q":"y"}}},"repaired":true,"decision":{"thought":"x","calls":[{"id":"","name":"look","args":{"q":"y"}}],"finished":false,"form":"nested","mended":true}}`},
		"words":         {"Hello.", `{"ok":false,"value":null,"repaired":false,"decision":{"finished":true,"result":"Hello.","form":"text"},"error":"no JSON in the text"}`},
		"nothing":       {"", `{"ok":false,"value":null,"repaired":false,"decision":null,"error":"decision cannot be read: it was empty"}`},
		"no decision":   {`{"thought":"x"}`, `{"ok":true,"value":{"thought":"x"},"repaired":false,"decision":null,"error":"decision cannot be read: there is no \"action\", and no end either"}`},
		"nested deeply": {strings.Repeat("[", 300), `{"ok":false,"value":null,"repaired":false,"decision":null,"error":"decision cannot be read: its JSON is nested too deep"}`},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := json.Marshal(Try(TrialInput{Text: tt.text}))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(json.RawMessage(tt.want), json.RawMessage(b), sameArgs); diff != "" {
				t.Errorf("Try (-want +got):\n%s", diff)
			}
		})
	}
}
