package llmtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"hermes/agent/llm"
)

// messages is Anthropic's protocol.
type messages struct{}

// messagesIn is a request of it.
type messagesIn struct {
	Model       string         `json:"model"`
	MaxTokens   int            `json:"max_tokens"`
	Temperature *float64       `json:"temperature"`
	Stream      bool           `json:"stream"`
	System      content        `json:"system"`
	Messages    []messageIn    `json:"messages"`
	Tools       []messagesTool `json:"tools"`
	Thinking    struct {
		Type   string `json:"type"`
		Budget int    `json:"budget_tokens"`
	} `json:"thinking"`
}

type messageIn struct {
	Role    string  `json:"role"`
	Content content `json:"content"`
}

type messagesTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"input_schema"`
	Cache       json.RawMessage `json:"cache_control"`
}

// block is a piece of a message.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   content         `json:"content"`
	IsError   bool            `json:"is_error"`
	Cache     json.RawMessage `json:"cache_control"`
}

// content is a list of blocks, or a text for one of them.
type content []block

func (c *content) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*c = content{{Type: "text", Text: s}}
		return nil
	}
	var list []block
	if err := json.Unmarshal(b, &list); err != nil {
		return fmt.Errorf("content: %w", err)
	}
	*c = list
	return nil
}

// text is all that the blocks of text say.
func (c content) text() string {
	var b strings.Builder
	for _, x := range c {
		b.WriteString(x.Text)
	}
	return b.String()
}

func (messages) read(header http.Header, body []byte) (Chat, string, error) {
	var in messagesIn
	if err := json.Unmarshal(body, &in); err != nil {
		return Chat{}, "", err
	}
	c := Chat{
		Model: in.Model, Stream: in.Stream, Usage: true, Body: body,
		MaxTokens: in.MaxTokens, Key: header.Get("X-Api-Key"),
	}
	if in.System.text() != "" {
		c.Messages = append(c.Messages, ChatMessage{Role: "system", Text: in.System.text()})
	}
	for _, m := range in.Messages {
		c.Messages = append(c.Messages, m.chat()...)
	}
	for _, t := range in.Tools {
		c.Tools = append(c.Tools, llm.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
	}
	if header.Get("Anthropic-Version") == "" {
		return c, "anthropic-version: header is required", nil
	}
	return c, in.fault(), nil
}

// chat is a message in the words of OpenAI.
func (m messageIn) chat() []ChatMessage {
	var out []ChatMessage
	if m.Role == "assistant" {
		said := ChatMessage{Role: m.Role, Text: m.Content.text()}
		for _, b := range m.Content {
			said.Thought += b.Thinking
			if b.Type == "tool_use" {
				said.Calls = append(said.Calls, llm.Call{ID: b.ID, Name: b.Name, Args: b.Input})
			}
		}
		return append(out, said)
	}
	for _, b := range m.Content {
		switch b.Type {
		case "tool_result":
			out = append(out, ChatMessage{Role: "tool", ID: b.ToolUseID, Text: b.Content.text(), Failed: b.IsError})
		default:
			out = append(out, ChatMessage{Role: m.Role, Text: b.Text})
		}
	}
	return out
}

func (messages) failure(s Step) any {
	byStatus := map[int]string{
		http.StatusUnauthorized: "authentication_error", http.StatusForbidden: "permission_error", http.StatusNotFound: "not_found_error",
		http.StatusRequestEntityTooLarge: "request_too_large", http.StatusTooManyRequests: "rate_limit_error",
		http.StatusInternalServerError: "api_error", 529: "overloaded_error",
	}
	return map[string]any{"type": "error", "request_id": "req_1", "error": map[string]any{
		"type": cmp.Or(s.Code, byStatus[s.Status], "error"), "message": cmp.Or(s.Message, http.StatusText(s.Status), "Overloaded"),
	}}
}

// whole answers in one piece.
func (messages) whole(c Chat, s Step) any {
	list := []any{}
	for _, b := range s.blocks() {
		list = append(list, b.full)
	}
	body := map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": c.Model,
		"content": list, "stop_reason": s.stopReason(), "stop_sequence": nil,
	}
	if s.Fault != NoUsage {
		body["usage"] = messagesUsage(s.Usage)
	}
	return body
}

func (s Step) stopReason() string {
	switch {
	case s.Refusal != "", s.Finish == "content_filter":
		return "refusal"
	case s.Finish == "length":
		return "max_tokens"
	case s.Finish == "" && len(s.Calls) > 0, s.Finish == "tool_calls":
		return "tool_use"
	case s.Finish == "", s.Finish == "stop":
		return "end_turn"
	}
	return s.Finish
}

// messagesUsage counts what was read from the cache beside the rest of the input.
func messagesUsage(u llm.Usage) map[string]any {
	return map[string]any{
		"input_tokens": u.In - u.Cached, "cache_read_input_tokens": u.Cached, "cache_creation_input_tokens": 0, "output_tokens": u.Out,
	}
}
