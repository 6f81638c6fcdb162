package anthropic

import (
	"encoding/json"

	"hermes/agent/llm"
	"hermes/agent/llm/wire"
)

// What stands where the vendor insists on a message of the user and a run has none.
const (
	before = "(what was said before is left out)"
	goOn   = "Go on."
)

// messages puts turns into the vendor's words: roles alternate from a user's to a
// user's message, and the results of calls come first in the message after them.
func (m *Model) messages(turns []wire.Turn, thinks bool) []message {
	var out []message
	say := func(role llm.Role, pieces ...any) {
		if len(out) == 0 && role == llm.Assistant {
			out = append(out, message{llm.User, []any{words(before)}})
		}
		if n := len(out); n == 0 || out[n-1].Role != role {
			out = append(out, message{Role: role})
		}
		last := &out[len(out)-1]
		last.Content = append(last.Content, pieces...)
	}
	used := map[string]bool{}
	for _, t := range turns {
		role := llm.User
		if t.Role == llm.Assistant {
			role = llm.Assistant
		}
		if thinks && len(t.Calls) > 0 {
			say(role, m.thought(t)...)
		}
		if t.Text != "" {
			say(role, words(t.Text))
		}
		var results []any
		for _, c := range t.Calls {
			// The vendor takes an id once, and of its own alphabet.
			id := wire.Fresh(wire.Plain(c.ID), used)
			say(role, &block{Type: "tool_use", ID: id, Name: c.Name, Input: c.Args})
			results = append(results, &block{Type: "tool_result", ToolUseID: id, Content: c.Result, IsError: c.Failed})
		}
		if len(results) > 0 {
			say(llm.User, results...)
		}
	}
	if n := len(out); n == 0 || out[n-1].Role != llm.User {
		say(llm.User, words(goOn))
	}
	return out
}

// thought returns the blocks of thought that led to the calls of a turn, none if it
// was not this model that made them.
func (m *Model) thought(t wire.Turn) []any {
	var blocks []json.RawMessage
	if !wire.Recall(m.Name(), t.Thought, &blocks) {
		return nil
	}
	var out []any
	for _, b := range blocks {
		out = append(out, b)
	}
	return out
}

// mayThink reports whether thinking can be asked for: not in the middle of a loop of
// calls that another model began, for the vendor wants to see the thought that led to
// them.
func (m *Model) mayThink(turns []wire.Turn) bool {
	if m.cfg.ReasoningMaxTokens <= 0 {
		return false
	}
	var first *wire.Turn
	for i := len(turns) - 1; i >= 0; i-- {
		switch {
		case turns[i].Role != llm.Assistant:
		case len(turns[i].Calls) > 0:
			first = &turns[i]
		default:
			return first == nil || m.thought(*first) != nil
		}
	}
	return first == nil || m.thought(*first) != nil
}
