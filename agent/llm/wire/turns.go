package wire

import (
	"encoding/json"
	"strings"

	"hermes/agent/llm"
)

// What a vendor gets where it insists on text and a run has none.
const (
	noOutput = "(no output)"
	noResult = "there is no result of this call; it was interrupted"
)

// A Turn is a message as vendors take it: it says something, and each of its calls
// has a result.
type Turn struct {
	Role    llm.Role
	Text    string // not empty if there are no calls
	Calls   []Answered
	Thought json.RawMessage
}

// Answered is a call with what the tool said. Its Args are an object, and its Name is
// Plain.
type Answered struct {
	llm.Call
	Result string // not empty
	Failed bool
}

// Turns mends a conversation, whatever a run holds: a call without a result gets one
// that says so, a result without its call is left out, and so is a message that says
// nothing. One orphan would make every later request of the run fail.
func Turns(messages []llm.Message) []Turn {
	var out []Turn
	for i, m := range messages {
		t := Turn{Role: m.Role, Text: m.Text}
		if m.Role == llm.Assistant {
			t.Thought = m.Thought
			t.Calls = answer(m.Calls, messages[i+1:])
		}
		if strings.TrimSpace(t.Text) == "" {
			t.Text = ""
		}
		if t.Text != "" || len(t.Calls) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// answer pairs calls with what the tools said up to the assistant's next message; of
// two results of one call the first.
func answer(calls []llm.Call, after []llm.Message) []Answered {
	given := map[string]llm.Result{}
	for _, m := range after {
		if m.Role == llm.Assistant {
			break
		}
		for _, r := range m.Results {
			if _, ok := given[r.ID]; !ok {
				given[r.ID] = r
			}
		}
	}
	var out []Answered
	for _, c := range calls {
		c.Name, c.Args = Plain(c.Name), Arguments(string(c.Args))
		a := Answered{Call: c, Result: noResult, Failed: true}
		if r, ok := given[c.ID]; ok {
			a.Result, a.Failed = r.Prose(), r.Failed
			if strings.TrimSpace(a.Result) == "" {
				a.Result = noOutput
			}
		}
		out = append(out, a)
	}
	return out
}

// plainMax is how long a name may be.
const plainMax = 64

// Plain makes a name of s that every vendor takes: what a model has made up may be
// none, and would make every later request fail.
func Plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, s)
	return s[:min(len(s), plainMax)]
}

// thought is how a Message.Thought stands in the store.
type thought struct {
	By string          `json:"by"`
	Is json.RawMessage `json:"is"`
}

// Thought wraps what a model wants to read again.
func Thought(by string, v any) (json.RawMessage, error) {
	is, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return json.Marshal(thought{by, is})
}

// Recall unwraps a thought into v if it is by that model.
func Recall(by string, raw json.RawMessage, v any) bool {
	var t thought
	return len(raw) > 0 && json.Unmarshal(raw, &t) == nil && t.By == by && json.Unmarshal(t.Is, v) == nil
}
