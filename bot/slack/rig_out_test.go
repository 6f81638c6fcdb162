package slack_test

import (
	"encoding/json"

	"hermes/bot"
	"hermes/internal/fakeslack"
)

// plainly is what stands in a message, without what has a name for each message: the
// ids of its blocks. The text of a stream is as good as a block of its own.
func plainly(m fakeslack.Message) string {
	var blocks []map[string]any
	_ = json.Unmarshal(m.Blocks, &blocks)
	if m.Streaming != "" && m.Text != "" {
		blocks = append([]map[string]any{{"type": "markdown", "text": m.Text}}, blocks...)
	}
	for _, b := range blocks {
		delete(b, "block_id")
	}
	out, _ := json.Marshal(blocks)
	return string(out)
}

// clicked are the Clicks so far.
func (e *ears) clicked() []bot.Click {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []bot.Click
	for _, c := range e.clicks {
		out = append(out, c)
	}
	return out
}
