package decision

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzValue: what comes out is valid JSON, not too deep, and comes back as it is;
// what is JSON already is not touched; nothing panics, and the work stays in
// proportion to the text.
func FuzzValue(f *testing.F) {
	for _, c := range corpus(f) {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, mended, err := Value(text)
		if err != nil {
			if !errors.Is(err, ErrNoJSON) && !errors.Is(err, ErrTooDeep) || v != nil {
				t.Fatalf("Value(%q) = %q, %v", text, v, err)
			}
			return
		}
		if !json.Valid(v) || !utf8.Valid(v) {
			t.Fatalf("Value(%q) = %q, which is no JSON", text, v)
		}
		trimmed := strings.TrimSpace(text)
		if json.Valid([]byte(trimmed)) && utf8.ValidString(trimmed) && (mended || string(v) != trimmed) {
			t.Errorf("Value(%q) = %q, mended %v; it was JSON", text, v, mended)
		}
		again, mended, err := Value(string(v))
		if err != nil || mended || string(again) != string(v) {
			t.Errorf("Value(%q) = %q, and of that %q, mended %v, %v", text, v, again, mended, err)
		}
		if w := work(text); w > workPerByte*(len(text)+64) {
			t.Errorf("Value(%q) looks at %d characters of %d", text, w, len(text))
		}
	})
}

// FuzzRead: a decision has calls or an end; calls have a name and an object for
// arguments; what cannot be read is an error of its type.
func FuzzRead(f *testing.F) {
	for _, s := range corpus(f) {
		f.Add(s.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, o := range []Options{{Tools: tools}, {}, {Model: "deepseek"}, {Model: "qwen"}} {
			d, err := Read(said(text), o)
			if err != nil {
				var e *UnreadableError
				if !errors.As(err, &e) || e.Why == "" {
					t.Fatalf("Read(%q): %v", text, err)
				}
				continue
			}
			if len(d.Calls) == 0 && !d.Finished || d.Form == "" {
				t.Fatalf("Read(%q) = %+v, which decides nothing", text, d)
			}
			for _, c := range d.Calls {
				var args map[string]json.RawMessage
				if err := json.Unmarshal(c.Args, &args); err != nil || args == nil || c.Name == "" {
					t.Fatalf("Read(%q) calls %q with %s: %v", text, c.Name, c.Args, err)
				}
			}
		}
	})
}

// workPerByte is how often a character may be looked at, at the very worst.
const workPerByte = 2000

// work is how many characters are looked at to find the JSON in a text.
func work(text string) int {
	n := 0
	look(text, &n)
	return n
}
