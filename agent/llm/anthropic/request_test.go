package anthropic_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/llm/anthropic"
	"hermes/agent/llm/llmtest"
	"hermes/internal/golden"
)

// body is what the vendor hears of a request.
func body(t *testing.T, r llm.Request, change func(*anthropic.Config)) []byte {
	t.Helper()
	h := &llmtest.Handler{Steps: []llmtest.Step{{Text: "ok"}}}
	if _, err := open(t, h, change).Generate(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return h.Heard()[0].Body
}

func value[T any](v T) *T { return &v }

func TestRequest(t *testing.T) {
	t.Run("DEC-21 DEC-22 a conversation with calls", func(t *testing.T) {
		golden.JSON(t, "calls.golden", body(t, streamed(llmtest.Conversation()), func(c *anthropic.Config) { c.Temperature = value(0.3) }))
	})
	t.Run("words alone, after calls", func(t *testing.T) {
		r := llmtest.Conversation()
		r.Tools = nil
		golden.JSON(t, "words.golden", body(t, r, nil))
	})
}

// options decodes what stands in a body beside the conversation.
func options(t *testing.T, body []byte) map[string]any {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(body, &all); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"model", "messages", "system", "tools"} {
		delete(all, name)
	}
	return all
}

func TestOptions(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*anthropic.Config)
		want   map[string]any
	}{
		"DEC-22 the limit of tokens has a default": {nil, map[string]any{"max_tokens": 2048.0}},
		"DEC-22 another limit":                     {func(c *anthropic.Config) { c.MaxTokens = 1024 }, map[string]any{"max_tokens": 1024.0}},
		"DEC-21 temperature":                       {func(c *anthropic.Config) { c.Temperature = value(0.3) }, map[string]any{"max_tokens": 2048.0, "temperature": 0.3}},
		"a temperature of zero is one":             {func(c *anthropic.Config) { c.Temperature = value(0.0) }, map[string]any{"max_tokens": 2048.0, "temperature": 0.0}},
		"DEC-23 thinking does not crowd out the answer, and has a temperature of its own": {
			func(c *anthropic.Config) { c.ReasoningMaxTokens, c.Temperature = 4000, value(0.3) },
			map[string]any{"max_tokens": 6048.0, "thinking": map[string]any{"type": "enabled", "budget_tokens": 4000.0}},
		},
		"DEC-23 the least budget": {
			func(c *anthropic.Config) { c.ReasoningMaxTokens = 10 },
			map[string]any{"max_tokens": 3072.0, "thinking": map[string]any{"type": "enabled", "budget_tokens": 1024.0}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, options(t, body(t, hello(), c.change))); d != "" {
				t.Errorf("options (-want +got):\n%s", d)
			}
		})
	}
}

// An option that a newer model has dropped is left out from then on, and nobody
// notices but the log.
func TestDroppedOptions(t *testing.T) {
	refuse := func(text string) llmtest.Step {
		return llmtest.Step{Status: 400, Code: "invalid_request_error", Message: text}
	}
	const (
		noTemperature = "`temperature` is deprecated for this model."
		noBudget      = `"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`
		noEffort      = "output_config: Extra inputs are not permitted"
	)
	for name, c := range map[string]struct {
		change  func(*anthropic.Config)
		refuses []string
		want    map[string]any // at last
	}{
		"DEC-21 temperature": {func(c *anthropic.Config) { c.Temperature = value(0.3) }, []string{noTemperature}, map[string]any{"max_tokens": 2048.0}},
		"DEC-23 a budget": {
			func(c *anthropic.Config) { c.ReasoningMaxTokens = 4000 }, []string{noBudget},
			map[string]any{"max_tokens": 6048.0, "thinking": map[string]any{"type": "adaptive"}, "output_config": map[string]any{"effort": "medium"}},
		},
		"DEC-23 thinking": {
			func(c *anthropic.Config) { c.ReasoningMaxTokens, c.Temperature = 4000, value(0.3) }, []string{noBudget, noEffort},
			map[string]any{"max_tokens": 2048.0, "temperature": 0.3},
		},
		"all": {
			func(c *anthropic.Config) { c.ReasoningMaxTokens, c.Temperature = 4000, value(0.3) }, []string{noBudget, noEffort, noTemperature},
			map[string]any{"max_tokens": 2048.0},
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := &llmtest.Handler{}
			for _, text := range c.refuses {
				h.Steps = append(h.Steps, refuse(text))
			}
			h.Steps = append(h.Steps, llmtest.Step{Text: "one"}, llmtest.Step{Text: "two"})
			m := open(t, h, c.change)
			for _, want := range []string{"one", "two"} {
				if r, err := m.Generate(t.Context(), hello()); err != nil || r.Message.Text != want {
					t.Fatalf("reply %+v, %v", r, err)
				}
			}
			heard := h.Heard()
			if len(heard) != len(h.Steps) {
				t.Errorf("%d requests, want %d: what was refused once is not sent again", len(heard), len(h.Steps))
			}
			if d := cmp.Diff(c.want, options(t, heard[len(heard)-1].Body)); d != "" {
				t.Errorf("options (-want +got):\n%s", d)
			}
		})
	}
	for name, text := range map[string]string{
		"a word in what was said":    "messages.0.content.0.text: temperature is not supported",
		"a temperature that is none": "temperature: range: 0..1",
		"something else":             "top_k: Extra inputs are not permitted",
	} {
		t.Run("no option is refused by "+name, func(t *testing.T) {
			h := &llmtest.Handler{Steps: []llmtest.Step{refuse(text), {Text: "ok"}}}
			m := open(t, h, func(c *anthropic.Config) { c.Temperature = value(0.3) })
			if _, err := m.Generate(t.Context(), hello()); err == nil || len(h.Heard()) != 1 {
				t.Errorf("error %v after %d requests", err, len(h.Heard()))
			}
			if _, err := m.Generate(t.Context(), hello()); err != nil || !strings.Contains(string(h.Heard()[1].Body), "temperature") {
				t.Errorf("error %v; body %s", err, h.Heard()[1].Body)
			}
		})
	}
}
