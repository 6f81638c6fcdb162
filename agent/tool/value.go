package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"hermes/internal/slip"
)

// maxDepth is how deep a value may nest: more is no argument of anything.
const maxDepth = 100

var errDeep = fmt.Errorf("it nests deeper than %d levels", maxDepth)

// decode reads one JSON value. Numbers keep their digits. A name that is given
// twice is an error: readers do not agree which of the two counts.
func decode(text []byte) (any, error) {
	if v, ok := plain(text); ok {
		return v, nil
	}
	if !json.Valid(text) {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			return nil, err
		}
		return nil, errors.New("it is not JSON")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return value(dec, 0)
}

// plain reads JSON in one go, several times as fast as token by token, and reports
// false where that is not enough: what is not valid or nested too deep, or has fewer
// members than the text has colons, since one that is given twice is read once.
func plain(text []byte) (v any, ok bool) {
	colons, numbers := glance(text)
	if !numbers {
		if json.Unmarshal(text, &v) != nil {
			return nil, false
		}
	} else {
		if !json.Valid(text) { // what follows a value is nothing to a Decoder
			return nil, false
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		if dec.Decode(&v) != nil {
			return nil, false
		}
	}
	n, ok := members(v, 0)
	return v, ok && n == colons
}

// members counts those of all objects, and reports false if they are nested too deep.
func members(v any, depth int) (n int, ok bool) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			k, ok := members(item, depth+1)
			if n += k; !ok {
				return n, false
			}
		}
	case map[string]any:
		n = len(v)
		for _, item := range v {
			k, ok := members(item, depth+1)
			if n += k; !ok {
				return n, false
			}
		}
	default:
		return 0, true
	}
	return n, depth < maxDepth
}

// glance counts the colons that stand in no string, and reports whether any digit does.
func glance(text []byte) (colons int, numbers bool) {
	in := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case in && c == '\\':
			i++
		case c == '"':
			in = !in
		case in:
		case c == ':':
			colons++
		case c >= '0' && c <= '9':
			numbers = true
		}
	}
	return colons, numbers
}

func value(dec *json.Decoder, depth int) (any, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, err
	}
	open, ok := tok.(json.Delim)
	if !ok {
		return tok, nil
	}
	if depth >= maxDepth {
		return nil, errDeep
	}
	if open == '[' {
		list := []any{}
		for dec.More() {
			v, err := value(dec, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := dec.Token()
		return list, err
	}
	object := map[string]any{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name, _ := key.(string)
		if _, twice := object[name]; twice {
			return nil, fmt.Errorf("%s is given twice", quote(name))
		}
		if object[name], err = value(dec, depth+1); err != nil {
			return nil, err
		}
	}
	_, err = dec.Token()
	return object, err
}

// encode writes a value that decode has read: names sorted, so that equal values
// are equal text.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil // none of the types of decode fails
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// kind is the type of a value in the words of JSON Schema; of a number it is
// integer if it is whole.
func kind(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		if r := rat(v); r != nil && r.IsInt() {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	default:
		return "object"
	}
}

// equal compares two values; 1 and 1.0 are one number.
func equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		if !ok {
			return false
		}
		x, y := rat(a), rat(b)
		return a == b || x != nil && y != nil && x.Cmp(y) == 0
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, equal)
	default:
		switch b.(type) {
		case []any, map[string]any:
			return false
		}
		return a == b
	}
}

// show is a value in a message: enough to know it again.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing (null)"
	case string:
		return quote(v)
	case []any:
		return "a list " + clip(string(encode(v)))
	case map[string]any:
		return "an object " + clip(string(encode(v)))
	case json.Number:
		return clip(v.String())
	default:
		return string(encode(v))
	}
}

func quote(s string) string { return string(encode(clip(s))) }

// clip cuts a text that is too long for a message, at the end of a character.
func clip(s string) string { return clipTo(s, 60) }

func clipTo(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := most
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

func sorted[V any](m map[string]V) []string {
	keys := slices.Collect(maps.Keys(m))
	slices.Sort(keys)
	return keys
}

// near returns the name that a slip of the pen would have made of this one, or "".
func near(name string, names []string) string {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(s))
	}
	best, least := "", 1+max(1, len(plain(name))/3)
	for _, n := range names {
		if d := slips(plain(name), plain(n)); d < least {
			best, least = n, d
		}
	}
	return best
}

// among says which of some names may have been meant, and which there are.
func among(name string, names []string) string {
	if len(names) == 0 {
		return "; there is none"
	}
	const most = 40
	list := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		list += ", …"
	}
	if guess := near(name, names); guess != "" {
		return "; did you mean " + guess + "? There are: " + list
	}
	return "; there are: " + list
}

// slips is how many letters must be put in, left out or changed to make b of a.
func slips(a, b string) int {
	x, y := []rune(a), []rune(b)
	const most = 64 // what is longer is no slip
	if len(x) > most || len(y) > most {
		return most
	}
	return slip.Between(x, y)
}
