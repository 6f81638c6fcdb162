package decision

import (
	"encoding/json"
	"strings"

	"hermes/agent/llm"
)

// arguments makes an object of what stands for arguments: the object itself, one in
// a string, nothing at all. What cannot be one is kept under llm.Unreadable, for
// the model to see. cut says that the text of a string was cut off.
func arguments(raw json.RawMessage) (args json.RawMessage, mended, cut bool) {
	text := strings.TrimSpace(string(raw))
	switch {
	case text == "" || text == "null" || text == `""` || text == "[]":
		return json.RawMessage(`{}`), false, false
	case text[0] == '{':
		if lost, ok := unread(raw); ok {
			args, cut = rescued(lost)
			return args, true, cut
		}
		return json.RawMessage(text), false, false
	case text[0] == '"':
		args, cut = rescued(words(raw))
		return args, true, cut
	}
	args, cut = rescued(text)
	return args, true, cut
}

// unread is the text of arguments that a provider could not read.
func unread(raw json.RawMessage) (string, bool) {
	var o map[string]json.RawMessage
	if json.Unmarshal(raw, &o) != nil || len(o) != 1 {
		return "", false
	}
	v, ok := o[llm.Unreadable]
	return words(v), ok && isString(v)
}

// rescued reads an object out of a text.
func rescued(text string) (json.RawMessage, bool) {
	if strings.TrimSpace(text) == "" {
		return json.RawMessage(`{}`), false
	}
	l := look(text, nil)
	if len(l.finds) == 1 && l.finds[0].raw[0] == '"' {
		l = look(words(l.finds[0].raw), nil) // twice in a string
	}
	if len(l.finds) > 0 {
		if best := l.best(); best.raw[0] == '{' && !l.deep {
			return best.raw, best.open > 0
		}
	}
	b, err := json.Marshal(map[string]string{llm.Unreadable: text})
	if err != nil {
		b = []byte(`{"` + llm.Unreadable + `":""}`)
	}
	return b, false
}

// given is a call whose arguments stand in a text of their own.
func (r *reader) given(name, args string) (llm.Call, bool) {
	if tool, ok := r.known(name); ok {
		name = tool
	}
	raw, cut := rescued(args)
	return llm.Call{Name: name, Args: raw}, cut
}
