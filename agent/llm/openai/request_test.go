package openai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/llm/openai"
	"hermes/internal/golden"
)

// body is what the vendor hears of a request.
func body(t *testing.T, r llm.Request, change func(*openai.Config)) []byte {
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
		golden.JSON(t, "calls.golden", body(t, streamed(llmtest.Conversation()), func(c *openai.Config) { c.Temperature, c.MaxTokens = value(0.3), 2048 }))
	})
	t.Run("a tool without a schema has an empty one", func(t *testing.T) {
		r := hello()
		r.Tools = []llm.Tool{{Name: "t"}}
		if b := string(body(t, r, nil)); !strings.Contains(b, `"parameters":{"type":"object","properties":{}}`) {
			t.Errorf("body %s", b)
		}
	})
}

// options decodes what stands in a body beside the conversation.
func options(t *testing.T, body []byte) map[string]any {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(body, &all); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"model", "messages", "tools"} {
		delete(all, name)
	}
	return all
}

func TestOptions(t *testing.T) {
	set := func(model string, limit, ceiling int) func(*openai.Config) {
		return func(c *openai.Config) {
			c.Model, c.MaxTokens, c.ReasoningMaxTokens, c.Temperature = model, limit, ceiling, value(0.3)
		}
	}
	for name, c := range map[string]struct {
		r      llm.Request
		change func(*openai.Config)
		want   map[string]any
	}{
		"nothing set":                     {hello(), nil, map[string]any{"stream": false}},
		"a stream says what it costs":     {streamed(hello()), nil, map[string]any{"stream": true, "stream_options": map[string]any{"include_usage": true}}},
		"DEC-21 DEC-22 as for decisions":  {hello(), set("qwen3", 2048, 0), map[string]any{"stream": false, "temperature": 0.3, "max_tokens": 2048.0}},
		"a temperature of zero is one":    {hello(), func(c *openai.Config) { c.Temperature = value(0.0) }, map[string]any{"stream": false, "temperature": 0.0}},
		"one that thinks, nothing set":    {hello(), set("gpt-5-mini", 0, 0), map[string]any{"stream": false}},
		"DEC-22 one that thinks":          {hello(), set("gpt-5-mini", 2048, 0), map[string]any{"stream": false, "max_completion_tokens": 2048.0}},
		"DEC-23 one that thinks, bounded": {hello(), set("o3", 2048, 4000), map[string]any{"stream": false, "max_completion_tokens": 6048.0, "reasoning_effort": "medium"}},
		"DEC-23 a gateway": {hello(), set("deepseek/deepseek-v4", 2048, 4000), map[string]any{
			"stream": false, "temperature": 0.3, "max_tokens": 6048.0, "reasoning": map[string]any{"max_tokens": 4000.0},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, options(t, body(t, c.r, c.change))); d != "" {
				t.Errorf("options (-want +got):\n%s", d)
			}
		})
	}
}

// An option that a model has dropped, or that a server does not know, is left out
// from then on.
func TestDroppedOptions(t *testing.T) {
	for name, c := range map[string]struct {
		model   string
		refuses []string
		want    map[string]any // at last
	}{
		"temperature": {"m", []string{`{"error":{"message":"Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`},
			map[string]any{"stream": false, "max_tokens": 6048.0, "reasoning": map[string]any{"max_tokens": 4000.0}}},
		"the older name of the limit": {"m", []string{`{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`},
			map[string]any{"stream": false, "temperature": 0.3, "max_completion_tokens": 6048.0, "reasoning": map[string]any{"max_tokens": 4000.0}}},
		"the newer name of the limit": {"gpt-5-of-a-gateway", []string{`{"error":"Unrecognized request argument supplied: max_completion_tokens"}`},
			map[string]any{"stream": false, "max_tokens": 6048.0, "reasoning_effort": "medium"}},
		"thought": {"m", []string{`{"error":{"message":"Unrecognized request argument supplied: reasoning","type":"invalid_request_error","param":null,"code":null}}`},
			map[string]any{"stream": false, "temperature": 0.3, "max_tokens": 6048.0}},
		"one after the other": {"m", []string{`{"detail":"Extra inputs are not permitted: reasoning"}`, `{"message":"invalid temperature: only 1 is allowed for this model"}`},
			map[string]any{"stream": false, "max_tokens": 6048.0}},
	} {
		t.Run(name, func(t *testing.T) {
			h := &llmtest.Handler{}
			for _, text := range c.refuses {
				h.Steps = append(h.Steps, llmtest.Step{Fault: llmtest.Raw, Status: 400, Body: text})
			}
			h.Steps = append(h.Steps, llmtest.Step{Text: "one"}, llmtest.Step{Text: "two"})
			m := open(t, h, func(cfg *openai.Config) {
				cfg.Model, cfg.Temperature, cfg.MaxTokens, cfg.ReasoningMaxTokens = c.model, value(0.3), 2048, 4000
			})
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
	t.Run("a limit that is too high is the operator's to mend", func(t *testing.T) {
		h := &llmtest.Handler{Steps: []llmtest.Step{{Status: 400, Code: "invalid_value", Message: "max_tokens is too large: 100000. This model supports at most 16384 completion tokens"}}}
		m := open(t, h, func(c *openai.Config) { c.MaxTokens = 100000 })
		if _, err := m.Generate(t.Context(), hello()); err == nil || !strings.Contains(err.Error(), "at most 16384") || len(h.Heard()) != 1 {
			t.Errorf("error %v after %d requests", err, len(h.Heard()))
		}
	})
}

// A thought goes back with its calls, cut to its ceiling, to the model that had it
// alone: some vendors refuse calls that come without.
func TestThought(t *testing.T) {
	const thought = "First one thing, then another, and so it is the tool."
	for _, stream := range []bool{false, true} {
		for name, c := range map[string]struct {
			change func(*openai.Config)
			want   string
		}{
			"whole":             {nil, thought},
			"DEC-23 cut":        {func(c *openai.Config) { c.ReasoningMaxTokens = 3 }, "is the tool."},
			"to another, never": {func(c *openai.Config) { c.Model = "other" }, ""},
		} {
			h := &llmtest.Handler{Steps: []llmtest.Step{{Thought: thought, Calls: []llm.Call{{ID: "c1", Name: "t", Args: json.RawMessage(`{}`)}}}, {Text: "Done."}}}
			r := hello()
			if stream {
				r = streamed(r)
			}
			from := c.change
			if c.want == "" {
				from = nil
			}
			m := open(t, h, from)
			got, err := m.Generate(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			r.Messages = append(r.Messages, got.Message, llm.Message{Role: llm.User, Results: []llm.Result{{ID: "c1", Text: "1"}}})
			if _, err := open(t, h, c.change).Generate(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			if got := h.Heard()[1].Messages[1].Thought; got != c.want {
				t.Errorf("%s: given back %q, want %q", name, got, c.want)
			}
		}
	}
}
