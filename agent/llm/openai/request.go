package openai

import (
	"encoding/json"
	"strings"

	"github.com/sashabaranov/go-openai"

	"hermes/agent/llm"
	"hermes/agent/llm/wire"
)

// failed begins the text of a failed result: the protocol has no other mark.
const failed = "failed: "

// request is the SDK's with the fields that it lacks or gets wrong: its temperature
// cannot be 0.
type request struct {
	openai.ChatCompletionRequest
	Temperature *float64   `json:"temperature,omitempty"`
	Reasoning   *reasoning `json:"reasoning,omitempty"`
}

// reasoning is how gateways to many vendors take a ceiling of thought.
type reasoning struct {
	MaxTokens int `json:"max_tokens"`
}

// The options that a vendor may refuse.
const (
	temperature         = "temperature"
	maxTokens           = "max_tokens"
	maxCompletionTokens = "max_completion_tokens"
	reasoningEffort     = "reasoning_effort"
	reasoningObject     = "reasoning"
	streamOptions       = "stream_options"
)

// request puts a Request into the vendor's words, and tells which options stand in it.
func (m *Model) request(r llm.Request) (request, []string) {
	body := request{ChatCompletionRequest: openai.ChatCompletionRequest{
		Model: m.cfg.Model, Messages: m.messages(r), Tools: tools(r.Tools), Stream: r.Stream != nil,
	}}
	var used []string
	option := func(name string, wanted bool, set func()) {
		if wanted && m.line.Takes(name) {
			used = append(used, name)
			set()
		}
	}
	thinks, ceiling := reasons(m.cfg.Model), m.cfg.ReasoningMaxTokens
	option(streamOptions, body.Stream, func() { body.StreamOptions = &openai.StreamOptions{IncludeUsage: true} })
	option(temperature, m.cfg.Temperature != nil && !thinks, func() { body.Temperature = m.cfg.Temperature })
	option(reasoningEffort, ceiling > 0 && thinks, func() { body.ReasoningEffort = wire.Effort(ceiling) })
	option(reasoningObject, ceiling > 0 && !thinks, func() { body.Reasoning = &reasoning{ceiling} })
	if m.cfg.MaxTokens > 0 {
		limit := m.cfg.MaxTokens + ceiling
		newer := thinks || !m.line.Takes(maxTokens)
		option(maxCompletionTokens, newer, func() { body.MaxCompletionTokens = limit })
		option(maxTokens, body.MaxCompletionTokens == 0, func() {
			body.MaxTokens = limit //nolint:staticcheck // most compatible servers know no other name
		})
	}
	return body, used
}

// reasons reports whether a model is one of OpenAI's that think before they speak.
// They take the newer name of the limit of tokens only, and no temperature.
func reasons(model string) bool {
	for _, p := range []string{"o1", "o3", "o4", "gpt-5", "gpt-6"} {
		if strings.HasPrefix(model, p) {
			return true
		}
	}
	return false
}

func tools(list []llm.Tool) []openai.Tool {
	var out []openai.Tool
	for _, t := range list {
		schema := t.Schema
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		out = append(out, openai.Tool{
			Type:     openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: schema},
		})
	}
	return out
}

// messages puts a conversation into the vendor's words: an assistant's calls are
// followed by one tool message each.
func (m *Model) messages(r llm.Request) []openai.ChatCompletionMessage {
	var out []openai.ChatCompletionMessage
	if strings.TrimSpace(r.System) != "" {
		out = append(out, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: r.System})
	}
	for _, t := range wire.Turns(r.Messages) {
		msg := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: t.Text}
		if t.Role == llm.Assistant {
			msg.Role = openai.ChatMessageRoleAssistant
		}
		if len(t.Calls) > 0 {
			// Some vendors refuse calls without the thought that led to them.
			wire.Recall(m.Name(), t.Thought, &msg.ReasoningContent)
		}
		for _, c := range t.Calls {
			msg.ToolCalls = append(msg.ToolCalls, openai.ToolCall{
				ID: c.ID, Type: openai.ToolTypeFunction,
				Function: openai.FunctionCall{Name: c.Name, Arguments: string(c.Args)},
			})
		}
		out = append(out, msg)
		for _, c := range t.Calls {
			text := c.Result
			if c.Failed {
				text = failed + text
			}
			out = append(out, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleTool, ToolCallID: c.ID, Content: text})
		}
	}
	return out
}
