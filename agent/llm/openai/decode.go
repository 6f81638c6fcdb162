package openai

import (
	"bytes"
	"encoding/json"

	"hermes/agent/llm/wire"
)

// argsKey is where the arguments of a call stand.
var argsKey = []byte(`"arguments"`)

// decode reads an answer, or a piece of one. The protocol has arguments in a string that
// holds JSON; some vendors write the JSON itself.
func decode(text []byte, v any) error {
	if bytes.Contains(text, argsKey) && json.Valid(text) {
		text = stringed(text)
	}
	return wire.Decode(text, v)
}

// stringed is valid JSON with all arguments in strings.
func stringed(text []byte) []byte {
	var out []byte
	at := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		end := i + 1
		for ; text[end] != '"'; end++ {
			if text[end] == '\\' {
				end++
			}
		}
		key := bytes.Equal(text[i:end+1], argsKey)
		i = end
		rest, colon := bytes.CutPrefix(bytes.TrimLeft(text[end+1:], " \t\r\n"), []byte(":"))
		rest = bytes.TrimLeft(rest, " \t\r\n")
		if !key || !colon || rest[0] != '{' && rest[0] != '[' {
			continue
		}
		var raw json.RawMessage
		if json.NewDecoder(bytes.NewReader(rest)).Decode(&raw) != nil {
			return text
		}
		quoted, err := json.Marshal(string(raw))
		if err != nil {
			return text
		}
		from := len(text) - len(rest)
		out = append(append(out, text[at:from]...), quoted...)
		at = from + len(raw)
		i = at - 1
	}
	return append(out, text[at:]...)
}
