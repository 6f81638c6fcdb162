package anthropic_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/llm/anthropic"
	"hermes/agent/llm/llmtest"
	"hermes/internal/golden"
)

// A thought goes back with its calls as it came, to the model that had it alone.
func TestThought(t *testing.T) {
	call := []llm.Call{{ID: "c1", Name: "t", Args: json.RawMessage(`{}`)}}
	thinks := func(c *anthropic.Config) { c.ReasoningMaxTokens = 2000 }
	for _, stream := range []bool{false, true} {
		h := &llmtest.Handler{Steps: []llmtest.Step{
			{Thought: "Which tool?", Text: "Let me look.", Calls: call},
			{Calls: []llm.Call{{ID: "c2", Name: "t", Args: json.RawMessage(`{}`)}}},
			{Text: "Done."},
		}}
		m := open(t, h, thinks)
		r := hello()
		if stream {
			r = streamed(r)
		}
		r.Tools = []llm.Tool{{Name: "t"}}
		for range h.Steps {
			got, err := m.Generate(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(got.Message.Text, "Which tool?") {
				t.Errorf("the thought is said: %q", got.Message.Text)
			}
			r.Messages = append(r.Messages, got.Message, llm.Message{Role: llm.User})
			for _, c := range got.Message.Calls {
				r.Messages[len(r.Messages)-1].Results = []llm.Result{{ID: c.ID, Text: "1"}}
			}
		}
		last := h.Heard()[2]
		if got := last.Messages[1]; got.Thought != "Which tool?" || len(got.Calls) != 1 {
			t.Errorf("DEC-23 given back %+v", got)
		}
		if !strings.Contains(string(last.Body), `"budget_tokens":2000`) {
			t.Errorf("thinking ended within the loop: %s", last.Body)
		}
		if stream {
			golden.JSON(t, "thought.golden", last.Body)
		}

		// Another model, or the same without thinking, does not get it.
		for name, change := range map[string]func(*anthropic.Config){
			"another model": func(c *anthropic.Config) { thinks(c); c.Model = "other" },
			"no thinking":   nil,
		} {
			h := &llmtest.Handler{Steps: []llmtest.Step{{Text: "Done."}}}
			r := r
			r.Messages = r.Messages[:3]
			if _, err := open(t, h, change).Generate(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			if b := string(h.Heard()[0].Body); strings.Contains(b, "Which tool?") || strings.Contains(b, "budget_tokens") {
				t.Errorf("%s: sent %s", name, b)
			}
		}
	}
	t.Run("a hidden one as well", func(t *testing.T) {
		hidden := `{"type":"redacted_thinking","data":"aGlkZGVu"}`
		h := &llmtest.Handler{Steps: []llmtest.Step{
			{Fault: llmtest.Raw, Body: `{"type":"message","stop_reason":"tool_use","content":[` + hidden + `,{"type":"tool_use","id":"c1","name":"t","input":{}}]}`},
			{Text: "Done."},
		}}
		m := open(t, h, thinks)
		r := hello()
		got, err := m.Generate(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		r.Messages = append(r.Messages, got.Message, llm.Message{Role: llm.User, Results: []llm.Result{{ID: "c1", Text: "1"}}})
		if _, err := m.Generate(t.Context(), r); err != nil || !strings.Contains(string(h.Heard()[1].Body), hidden) {
			t.Errorf("error %v; sent %s", err, h.Heard()[1].Body)
		}
	})
}
