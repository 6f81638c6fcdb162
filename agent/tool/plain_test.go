package tool

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// What is read in one go is what is read token by token, errors included.
func TestPlainReadsWhatTokensRead(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, `null`, `1.50`, `"a:b"`, `{"a":1,"b":{"c":[1,2,{"d":"x:\"y:"}]}}`, `{"a:b":1,"\":":2}`, `[[],{},[{}]]`,
		`{"a":1,"a":2}`, `{"a":{"b":1,"b":2}}`, `{"a":1,"\u0061":2}`, "{\"\xff\":1,\"\xfe\":2}", `{"\\":1,"\\\\":2}`,
		strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth),
		strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1),
		strings.Repeat(`{"a":`, maxDepth+1) + "1" + strings.Repeat("}", maxDepth+1),
	} {
		dec := json.NewDecoder(bytes.NewReader([]byte(text)))
		dec.UseNumber()
		want, wantErr := value(dec, 0)
		got, err := decode([]byte(text))
		// cmp takes for ever over lists in lists.
		if !reflect.DeepEqual(got, want) || (err == nil) != (wantErr == nil) {
			t.Errorf("%.60s: %v, %v; want %v, %v", text, got, err, want, wantErr)
		}
		if _, err := decode([]byte(text + " x")); err == nil {
			t.Errorf("%.60s: what follows is not seen", text)
		}
		if _, ok := plain([]byte(text)); ok != (wantErr == nil) {
			t.Errorf("%.60s: read in one go: %t", text, ok)
		}
	}
}
