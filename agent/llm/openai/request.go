package openai

import (
	"encoding/json"
	"strings"

	"github.com/sashabaranov/go-openai"

	"hermes/agent/llm"
)

// What a vendor gets where it insists on text and a run has none.
const (
	noOutput = "(no output)"
	noResult = "failed: there is no result of this call; it was interrupted"
	failed   = "failed: "
)

// request puts a Request into the vendor's words.
func request(cfg Config, r llm.Request) openai.ChatCompletionRequest {
	body := openai.ChatCompletionRequest{Model: cfg.Model, Messages: messages(r)}
	for _, t := range r.Tools {
		schema := t.Schema
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		body.Tools = append(body.Tools, openai.Tool{
			Type:     openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: schema},
		})
	}
	if r.Stream != nil {
		body.Stream = true
		body.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	if newTokens(cfg.Model) {
		body.MaxCompletionTokens = cfg.MaxTokens
	} else {
		body.MaxTokens = cfg.MaxTokens //nolint:staticcheck // old models and most compatible servers know no other name
	}
	return body
}

// newTokens reports whether a model takes max_completion_tokens only. Other
// servers of the protocol know only the older max_tokens.
func newTokens(model string) bool {
	for _, p := range []string{"o1", "o3", "o4", "gpt-5", "gpt-6"} {
		if strings.HasPrefix(model, p) {
			return true
		}
	}
	return false
}

// messages puts a conversation into the vendor's words. An assistant's calls are
// followed by one tool message each, whatever the run holds: a call without a
// result gets one that says so, a result without a call is left out. One orphan
// would make every later request of the run fail.
func messages(r llm.Request) []openai.ChatCompletionMessage {
	var out []openai.ChatCompletionMessage
	say := func(role, text string) {
		if strings.TrimSpace(text) != "" {
			out = append(out, openai.ChatCompletionMessage{Role: role, Content: text})
		}
	}
	say(openai.ChatMessageRoleSystem, r.System)
	for i, m := range r.Messages {
		if m.Role != llm.Assistant {
			say(openai.ChatMessageRoleUser, m.Text)
			continue
		}
		if len(m.Calls) == 0 {
			say(openai.ChatMessageRoleAssistant, m.Text)
			continue
		}
		out = append(out, openai.ChatCompletionMessage{
			Role: openai.ChatMessageRoleAssistant, Content: m.Text, ToolCalls: toolCalls(m.Calls),
		})
		given := results(r.Messages[i+1:])
		for _, c := range m.Calls {
			text, ok := given[c.ID]
			if !ok {
				text = noResult
			}
			out = append(out, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleTool, ToolCallID: c.ID, Content: text})
		}
	}
	return out
}

// results returns what the tools said up to the assistant's next message, by the
// id of the call; of two results of one call the first.
func results(after []llm.Message) map[string]string {
	given := map[string]string{}
	for _, m := range after {
		if m.Role == llm.Assistant {
			break
		}
		for _, r := range m.Results {
			if _, ok := given[r.ID]; ok {
				continue
			}
			text := r.Prose()
			if strings.TrimSpace(text) == "" {
				text = noOutput
			}
			if r.Failed {
				text = failed + text
			}
			given[r.ID] = text
		}
	}
	return given
}

func toolCalls(calls []llm.Call) []openai.ToolCall {
	var out []openai.ToolCall
	for _, c := range calls {
		out = append(out, openai.ToolCall{
			ID: c.ID, Type: openai.ToolTypeFunction,
			Function: openai.FunctionCall{Name: c.Name, Arguments: string(arguments(string(c.Args)))},
		})
	}
	return out
}
