package prompt

import (
	"strings"
	"unicode/utf8"

	"hermes/agent/llm"
)

// kept is how much of a text stays at each level of Shorten, in bytes.
var kept = []int{0, 2000, 400, 120}

// Levels is how often Shorten can make a conversation shorter.
const Levels = 3

// Shorten makes what a model reads shorter, for one that found it too long: the
// request and the last round stay as they are up to the last level, older results and
// what was said before are cut. Level 0 changes nothing. No call loses its result and
// none its call.
func Shorten(messages []llm.Message, request string, level int) []llm.Message {
	if level <= 0 {
		return messages
	}
	limit := kept[min(level, Levels)]
	last := len(messages) - 1
	if level >= Levels {
		last = len(messages)
	}
	var out []llm.Message
	before := true // what was said before the request
	for i, m := range messages {
		asked := m.Role == llm.User && m.Text == request && len(m.Results) == 0
		if asked {
			before = false
		}
		switch {
		case before && level >= 2:
			continue
		case !asked:
			m.Text = cut(m.Text, limit)
		}
		if len(m.Results) > 0 && i < last {
			results := make([]llm.Result, len(m.Results))
			for j, r := range m.Results {
				r.Brief = cut(prose(r), limit)
				results[j] = r
			}
			m.Results = results
		}
		out = append(out, m)
	}
	return out
}

func prose(r llm.Result) string {
	if r.Brief != "" {
		return r.Brief
	}
	return r.Text
}

const shortened = " … (shortened)"

// cut keeps the beginning of a text, at the border of a character.
func cut(s string, limit int) string {
	if len(s) <= limit+len(shortened) {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return strings.TrimRight(s[:limit], " \n") + shortened
}
