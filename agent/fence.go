package agent

import (
	"cmp"

	"hermes/agent/llm"
	"hermes/agent/result"
	"hermes/agent/run"
)

// fenced is the conversation of a Run as a model may read it. What others have asked
// before stands in marks that it cannot close, as files, memory and results of tools do
// by their own writers; and nobody's words, the asker's neither, hold what a chat
// template takes for the border of a message.
func fenced(r run.Run, messages []llm.Message) []llm.Message {
	for i := range messages {
		m := &messages[i]
		switch {
		case i < len(r.Turns) && m.Role == llm.User && r.Turns[i].By != r.Asker:
			m.Text = result.Quote("what somebody else asked you here before", m.Text)
		default:
			m.Text = result.Clean(m.Text)
		}
		for j, res := range m.Results {
			if res.Mark != "" {
				continue // it was read by package result
			}
			m.Results[j].Brief = result.Clean(cmp.Or(res.Brief, res.Text))
		}
	}
	return messages
}
