package llm

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Legible is what a model wrote without the signs that nobody reads and that a screen, a
// database or the eye obeys: control characters other than tab and line break, and what
// turns the direction of writing around. Marks that writing needs stay: joiners, and the
// marks of direction of Arabic and Hebrew.
func Legible(s string) string {
	if strings.IndexFunc(s, commands) < 0 {
		return s
	}
	s = colours.ReplaceAllString(s, "")
	return strings.Map(func(r rune) rune {
		if commands(r) {
			return -1
		}
		return r
	}, s)
}

// colours are what a terminal is told by: all of it is a command, not the first sign alone.
var colours = regexp.MustCompile(`(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]`)

func commands(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return false
	case r < ' ', r >= 0x7f && r <= 0x9f: // C0, DEL, C1
		return true
	}
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x206f
}

// LegibleArgs is Legible for the strings of arguments. All else of them stays as it is
// written, what stands twice too.
func LegibleArgs(args json.RawMessage) json.RawMessage {
	return json.RawMessage(escaped.ReplaceAllStringFunc(Legible(string(args)), func(m string) string {
		if m[1] != 'u' {
			return m // a backslash that is escaped itself begins no other escape
		}
		n, err := strconv.ParseInt(m[2:], 16, 32)
		if err == nil && commands(rune(n)) {
			return ""
		}
		return m
	}))
}

// escaped is an escape of JSON.
var escaped = regexp.MustCompile(`\\(?:u[0-9a-fA-F]{4}|[^u])`)

// Blank reports whether a text says nothing: what is in it cannot be seen, or is markup
// or JSON around nothing.
func Blank(s string) bool {
	s = strings.TrimSpace(Legible(s))
	if s == "" {
		return true
	}
	if len(s) > longestBlank {
		return false
	}
	s = strings.TrimSpace(fences.ReplaceAllString(s, ""))
	var v any
	if json.Unmarshal([]byte(s), &v) == nil {
		return hollow(v)
	}
	return unseen(s)
}

// longestBlank bounds the look at a text: one that says nothing is short.
const longestBlank = 16 << 10

// fences are the lines around code.
var fences = regexp.MustCompile("(?m)^[ \t]*(?:`{3,}|~{3,})[ \t]*[A-Za-z0-9_+-]*[ \t]*$")

// hollow reports whether JSON holds no value. Zero and false are some.
func hollow(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return unseen(v)
	case []any:
		for _, item := range v {
			if !hollow(item) {
				return false
			}
		}
		return true
	case map[string]any:
		for _, item := range v {
			if !hollow(item) {
				return false
			}
		}
		return true
	}
	return false
}

// unseen reports whether a text has no sign that leaves ink, but those of markup.
func unseen(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		switch r {
		case 0x115f, 0x1160, 0x2800, 0x3164, 0xffa0: // fillers, which count as letters and signs
			return false
		}
		return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.M, r) && !strings.ContainsRune("`*_~#>", r)
	}) < 0
}
