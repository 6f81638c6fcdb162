package decision

import (
	"encoding/json"

	"hermes/agent/llm"
)

// A TrialInput is one line of `hermes try decision`: what a model wrote, and the
// names of the tools there are, if they are to be known.
type TrialInput struct {
	Text  string   `json:"text"`
	Tools []string `json:"tools"`
	Model string   `json:"model"`
}

// A Trial is what is made of it. OK says that there is JSON; the Decision does not
// need any. Error says what could not be read.
type Trial struct {
	OK       bool            `json:"ok"`
	Value    json.RawMessage `json:"value"`
	Repaired bool            `json:"repaired"`
	Decision *Decision       `json:"decision"`
	Error    string          `json:"error,omitempty"`
}

// Try answers one line of `hermes try decision`.
func Try(in TrialInput) Trial {
	var t Trial
	v, mended, err := Value(in.Text)
	if err != nil {
		t.Error = err.Error()
	} else {
		t.OK, t.Value, t.Repaired = true, v, mended
	}
	d, err := Read(llm.Message{Role: llm.Assistant, Text: in.Text}, Options{Tools: in.Tools, Model: in.Model})
	if err != nil {
		t.Error = err.Error()
		return t
	}
	t.Decision = &d
	return t
}
