package llmtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"hermes/agent/llm"
)

// chatCompletions is OpenAI's protocol.
type chatCompletions struct{}

func (chatCompletions) read(header http.Header, body []byte) (Chat, string, error) {
	var in struct {
		Model               string        `json:"model"`
		Messages            []wireMessage `json:"messages"`
		Tools               []wireTool    `json:"tools"`
		Stream              bool          `json:"stream"`
		MaxTokens           int           `json:"max_tokens"`
		MaxCompletionTokens int           `json:"max_completion_tokens"`
		StreamOptions       struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Chat{}, "", err
	}
	c := Chat{
		Model: in.Model, Stream: in.Stream, Usage: in.StreamOptions.IncludeUsage, Body: body,
		MaxTokens: max(in.MaxTokens, in.MaxCompletionTokens),
		Key:       strings.TrimPrefix(header.Get("Authorization"), "Bearer "),
	}
	for _, m := range in.Messages {
		text, err := m.text()
		if err != nil {
			return Chat{}, "", err
		}
		cm := ChatMessage{Role: m.Role, Text: text, ID: m.ToolCallID, Thought: m.ReasoningContent}
		for _, call := range m.ToolCalls {
			cm.Calls = append(cm.Calls, llm.Call{ID: call.ID, Name: call.Function.Name, Args: json.RawMessage(call.Function.Arguments)})
		}
		c.Messages = append(c.Messages, cm)
	}
	for _, t := range in.Tools {
		c.Tools = append(c.Tools, llm.Tool{Name: t.Function.Name, Description: t.Function.Description, Schema: t.Function.Parameters})
	}
	return c, orphan(c.Messages), nil
}

type wireMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCallID string          `json:"tool_call_id"`
	ToolCalls  []wireCall      `json:"tool_calls"`

	ReasoningContent string `json:"reasoning_content"`
}

type wireCall struct {
	Index    *int     `json:"index,omitempty"`
	ID       string   `json:"id,omitempty"`
	Type     string   `json:"type,omitempty"`
	Function wireFunc `json:"function"`
}

type wireFunc struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
	bare      bool   // they stand there as JSON and in no string
}

// MarshalJSON implements json.Marshaler.
func (f wireFunc) MarshalJSON() ([]byte, error) {
	m := map[string]any{"arguments": f.Arguments}
	if f.bare {
		m["arguments"] = json.RawMessage(f.Arguments)
	}
	if f.Name != "" {
		m["name"] = f.Name
	}
	return json.Marshal(m)
}

type wireTool struct {
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// text returns the content of a message: a string, or the text of its parts.
func (m wireMessage) text() (string, error) {
	if len(m.Content) == 0 || string(m.Content) == "null" {
		return "", nil
	}
	var s string
	if json.Unmarshal(m.Content, &s) == nil {
		return s, nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(m.Content, &parts); err != nil {
		return "", fmt.Errorf("content of a message: %w", err)
	}
	for _, p := range parts {
		s += p.Text
	}
	return s, nil
}

// orphan says what is wrong with the pairing of calls and tool messages, in the
// words of OpenAI.
func orphan(messages []ChatMessage) string {
	open := map[string]bool{}
	for i, m := range messages {
		if m.Role != "tool" && len(open) > 0 {
			return "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
		}
		if m.Role == "tool" {
			if !open[m.ID] {
				return "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
			}
			delete(open, m.ID)
		}
		for _, c := range m.Calls {
			if c.ID == "" || open[c.ID] || !json.Valid(c.Args) {
				return fmt.Sprintf("messages.%d: tool call is not valid", i)
			}
			open[c.ID] = true
		}
		if m.Role != "assistant" && m.Text == "" {
			return fmt.Sprintf("messages.%d: content is required", i)
		}
	}
	if len(open) > 0 {
		return "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
	}
	return ""
}

func (chatCompletions) failure(s Step) any {
	return map[string]any{"error": map[string]any{
		"message": cmp.Or(s.Message, http.StatusText(s.Status)), "type": cmp.Or(s.Code, "error"), "code": s.Code, "param": nil,
	}}
}

// whole answers in one piece.
func (chatCompletions) whole(c Chat, s Step) any {
	m := map[string]any{"role": "assistant", "content": nil}
	if s.Text != "" {
		m["content"] = s.Text
	}
	if s.Refusal != "" {
		m["refusal"] = s.Refusal
	}
	if s.Thought != "" {
		m["reasoning_content"] = s.Thought
	}
	var calls []wireCall
	for _, call := range s.calls() {
		calls = append(calls, wireCall{ID: call.ID, Type: "function", Function: wireFunc{call.Name, string(call.Args), s.Style == Bare && json.Valid(call.Args)}})
	}
	if calls != nil {
		m["tool_calls"] = calls
	}
	body := map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": c.Model,
		"choices": []any{map[string]any{"index": 0, "message": m, "finish_reason": finish(s)}},
	}
	if s.Fault != NoUsage {
		body["usage"] = usage(s.Usage)
	}
	return body
}

func finish(s Step) string {
	if s.Finish == "" && len(s.Calls) > 0 {
		return "tool_calls"
	}
	return cmp.Or(s.Finish, "stop")
}

func usage(u llm.Usage) map[string]any {
	return map[string]any{
		"prompt_tokens": u.In, "completion_tokens": u.Out, "total_tokens": u.In + u.Out,
		"prompt_tokens_details": map[string]any{"cached_tokens": u.Cached},
	}
}
