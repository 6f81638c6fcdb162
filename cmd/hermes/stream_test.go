package main

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/internal/fakeslack"
)

// An answer is read while the model writes it, and is said once in the end.
func TestTheAnswerIsSeenWhileItIsWritten(t *testing.T) {
	t.Parallel()
	for _, vendor := range []string{"OPENAI", "ANTHROPIC"} {
		t.Run(strings.ToLower(vendor), func(t *testing.T) {
			t.Parallel()
			gate := make(chan struct{})
			first, second := strings.Repeat("The regions did well, each in its own way. ", 8), strings.Repeat("And the rest is as it was in the year before. ", 8)+finalWord
			h := &llmtest.Handler{Key: llmtest.Secret, Reply: func(c llmtest.Chat) llmtest.Step {
				if len(c.Results("query_metric")) == 0 {
					return llmtest.Step{Calls: []llm.Call{{ID: "c1", Name: "query_metric", Args: json.RawMessage(`{"measure":"sales","by":["region"],"period":"last_month"}`)}}}
				}
				return llmtest.Step{Text: first + second, Gate: gate}
			}}
			o := newOffice(t, fakeslack.Options{}, vendor+"_BASE_URL="+llmtest.Serve(t, h), vendor+"_API_KEY="+llmtest.Secret, "HERMES_MODEL_NAME=scripted")
			root := o.says("ana", "general", "@hermes what were last month's sales by region?")
			o.until("half of the answer", func() bool {
				for _, m := range o.mine(root) {
					if m.Streaming == fakeslack.Streaming && strings.Contains(m.Shown(), "The regions did well") {
						return true
					}
				}
				return false
			})
			close(gate)
			o.answer(root, finalWord)
			var all strings.Builder
			for _, m := range o.mine(root) {
				all.WriteString(m.Shown() + "\n")
			}
			if n := strings.Count(all.String(), "The regions did well"); n != 8 {
				t.Errorf("the answer is there %g times:\n%s", float64(n)/8, all.String())
			}
		})
	}
}
