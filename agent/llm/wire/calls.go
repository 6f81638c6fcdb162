package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"hermes/agent/llm"
)

// unreadableMax is how much of unreadable arguments is kept, in bytes: enough for
// the model to see what it did.
const unreadableMax = 2000

// cutOff is added to arguments that ended with the answer's limit of tokens.
const cutOff = " … (cut off: the answer reached its limit of tokens)"

// A Wish is a call as a model wrote it.
type Wish struct {
	ID, Name, Args string
	Cut            bool // it was not written to its end
}

// Calls makes calls of wishes. Each has an id that neither the conversation nor the
// answer has yet: some vendors number the calls of each answer from 0, and some give one
// id to all. What an answer holds twice, with one id, is one call; so is what
// stands under an id once as a beginning and once whole.
func Calls(wishes []Wish, before []llm.Message) ([]llm.Call, error) {
	used := map[string]bool{}
	for _, m := range before {
		for _, c := range m.Calls {
			used[c.ID] = true
		}
	}
	var calls []llm.Call
	seen := map[Wish]bool{}
	for i, w := range wishes {
		if w.Name == "" {
			return nil, fmt.Errorf("%w: a call without a name", llm.ErrGarbled)
		}
		if w.ID != "" && (seen[w] || part(i, wishes)) {
			continue
		}
		seen[w] = true
		args := Arguments(w.Args)
		if w.Cut {
			args = unreadable(w.Args, cutOff)
		}
		calls = append(calls, llm.Call{ID: Fresh(w.ID, used), Name: w.Name, Args: args})
	}
	return calls, nil
}

// part reports whether the i-th wish is only the beginning of another.
func part(i int, wishes []Wish) bool {
	w := wishes[i]
	if Object(w.Args) {
		return false
	}
	for _, x := range wishes {
		if x.ID == w.ID && x.Name == w.Name && len(x.Args) > len(w.Args) && strings.HasPrefix(x.Args, w.Args) {
			return true
		}
	}
	return false
}

// Fresh returns id, or one made of it that is not used, and uses it.
func Fresh(id string, used map[string]bool) string {
	if id == "" {
		id = "call"
	}
	free := id
	for n := 2; used[free]; n++ {
		free = id + "-" + strconv.Itoa(n)
	}
	used[free] = true
	return free
}

// Arguments returns what a model wrote as arguments as a JSON object: nothing is an
// empty one, an object within a string or written twice is that object, and anything
// else is kept under llm.Unreadable.
func Arguments(s string) json.RawMessage {
	t := strings.TrimSpace(s)
	if t == "" || t == "null" {
		return json.RawMessage(`{}`)
	}
	if Object(t) {
		return json.RawMessage(t)
	}
	var inner string
	if json.Unmarshal([]byte(t), &inner) == nil && Object(strings.TrimSpace(inner)) {
		return json.RawMessage(strings.TrimSpace(inner))
	}
	if one := once(t); one != nil {
		return one
	}
	return unreadable(s, "")
}

// Object reports whether s is a JSON object, written to its end.
func Object(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "{") && json.Valid([]byte(s))
}

// once returns the object that s repeats, or nil. A stream that is sent again after a
// broken connection doubles its pieces, and some gateways send an empty object before
// the true one.
func once(s string) json.RawMessage {
	dec := json.NewDecoder(strings.NewReader(s))
	var one json.RawMessage
	for dec.More() {
		var next json.RawMessage
		if dec.Decode(&next) != nil || !Object(string(next)) {
			return nil
		}
		switch {
		case one == nil || string(one) == "{}":
			one = next
		case !bytes.Equal(one, next):
			return nil
		}
	}
	return one
}

func unreadable(s, note string) json.RawMessage {
	if len(s) > unreadableMax {
		s = s[:unreadableMax]
	}
	b, err := json.Marshal(map[string]string{llm.Unreadable: strings.ToValidUTF8(s, "") + note})
	if err != nil {
		return json.RawMessage(`{"` + llm.Unreadable + `":""}`)
	}
	return b
}
