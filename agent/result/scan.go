package result

import (
	"encoding/json"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The functions below go through JSON that is known to be valid without making a
// tree of it: a value is the text that it has in the whole.

// structure returns the JSON object or array that a text is, out of the string that
// it may be wrapped in.
func structure(text string) (string, bool) {
	for range 3 {
		s := strings.TrimSpace(text)
		if s == "" || !strings.ContainsRune(`{["`, rune(s[0])) || !json.Valid([]byte(s)) {
			return "", false
		}
		if s[0] != '"' {
			return s, true
		}
		text = decode(s)
	}
	return "", false
}

// looksJSON reports whether a text was to be JSON: it begins as JSON does.
func looksJSON(text string) bool {
	s := strings.TrimSpace(text)
	switch {
	case s == "":
		return false
	case s[0] == '{':
		return strings.Contains(s[:min(len(s), 200)], `":`) || strings.Contains(s[:min(len(s), 200)], `" :`)
	case s[0] == '[':
		rest := strings.TrimSpace(s[1:])
		return rest != "" && strings.ContainsRune(`{["`, rune(rest[0]))
	}
	return false
}

// inner returns the JSON that a string of JSON holds once more as text.
func inner(s string) (string, bool) {
	t := strings.TrimSpace(s)
	if len(t) < 2 || t[0] != '{' && t[0] != '[' || !looksJSON(t) || !json.Valid([]byte(t)) {
		return "", false
	}
	return t, true
}

func space(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// skip returns where the value ends that begins at i.
func skip(s string, i int) int {
	switch s[i] {
	case '"':
		for i++; s[i] != '"'; i++ {
			if s[i] == '\\' {
				i++
			}
		}
		return i + 1
	case '{', '[':
		for depth := 0; ; i++ {
			switch s[i] {
			case '"':
				i = skip(s, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	for i < len(s) && strings.IndexByte(",]} \n\t\r", s[i]) < 0 {
		i++
	}
	return i
}

// items goes through an array.
func items(raw string) iter.Seq[string] {
	return func(yield func(string) bool) {
		i := space(raw, 1)
		for raw[i] != ']' {
			end := skip(raw, i)
			if !yield(raw[i:end]) {
				return
			}
			if i = space(raw, end); raw[i] == ',' {
				i = space(raw, i+1)
			}
		}
	}
}

// members goes through an object: the key in its quotes, and the value.
func members(raw string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		i := space(raw, 1)
		for raw[i] != '}' {
			end := skip(raw, i)
			key := raw[i:end]
			i = space(raw, end)
			i = space(raw, i+1) // past the colon
			end = skip(raw, i)
			if !yield(key, raw[i:end]) {
				return
			}
			if i = space(raw, end); raw[i] == ',' {
				i = space(raw, i+1)
			}
		}
	}
}

// pairs goes through an object: each key with its value, as one text.
func pairs(raw string) iter.Seq[string] {
	return func(yield func(string) bool) {
		i := space(raw, 1)
		for raw[i] != '}' {
			end := skip(raw, space(raw, space(raw, skip(raw, i))+1))
			if !yield(raw[i:end]) {
				return
			}
			if i = space(raw, end); raw[i] == ',' {
				i = space(raw, i+1)
			}
		}
	}
}

// member returns the value of a key, or nothing. Of two that share it the first
// counts.
func member(raw, key string) string {
	for k, v := range members(raw) {
		// A key is compared as it is shown, without our signs.
		if keyOf(k) == key || len(k) > len(key) && clean(keyOf(k)) == key {
			return v
		}
	}
	return ""
}

// keyOf is a key as it is compared: what stands between its quotes.
func keyOf(raw string) string {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	return decode(raw)
}

// decode returns the text of a JSON string, clean.
func decode(raw string) string {
	bare := raw[1 : len(raw)-1]
	if strings.IndexByte(bare, '\\') < 0 {
		return clean(bare)
	}
	var s string
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		return clean(bare)
	}
	return clean(s)
}

// quote writes a text as a JSON string.
func quote(s string) string {
	return string(appendQuoted(make([]byte, 0, len(s)+2), s))
}

func appendQuoted(out []byte, s string) []byte {
	out = append(out, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, '\\', 'n')
		case c == '\t':
			out = append(out, '\\', 't')
		case c < ' ':
			out = append(out, `\u00`...)
			out = append(out, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}

var (
	toPointer = strings.NewReplacer("~", "~0", "/", "~1")
	ofPointer = strings.NewReplacer("~1", "/", "~0", "~")
)

// pointer is the JSON pointer of a way through keys and places.
func pointer(way []string) string {
	var b strings.Builder
	for _, k := range way {
		b.WriteByte('/')
		b.WriteString(toPointer.Replace(k))
	}
	return b.String()
}

// follow returns the value at a JSON pointer, also through JSON that is wrapped in
// strings. It reports false if there is none.
func follow(raw, at string) (string, bool) {
	if at == "" {
		return raw, true
	}
	if at[0] != '/' {
		return "", false
	}
	for key := range strings.SplitSeq(at[1:], "/") {
		key = ofPointer.Replace(key)
		if raw[0] == '"' {
			in, ok := inner(decode(raw))
			if !ok {
				return "", false
			}
			raw = in
		}
		found := ""
		switch raw[0] {
		case '{':
			found = member(raw, key)
		case '[':
			n, err := strconv.Atoi(key)
			if err != nil || n < 0 {
				return "", false
			}
			for v := range items(raw) {
				if n == 0 {
					found = v
					break
				}
				n--
			}
		}
		if found == "" {
			return "", false
		}
		raw = found
	}
	return raw, true
}

// boundary is the last place at or before i where a character begins.
func boundary(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return min(i, len(s))
}
