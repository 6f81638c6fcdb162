package llmtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/agent/llm"
)

// A Handler is a server of the OpenAI protocol that answers as it is told. It is
// as strict as the real one: a tool message without its call, or a call without
// its tool message, is refused. It is a plain http.Handler and safe for
// concurrent use.
type Handler struct {
	// Reply, if set, answers each request. It sees the whole conversation with
	// the results of the tools.
	Reply func(Chat) Step
	// Steps are the answers in order if Reply is not set. After the last every
	// request is refused.
	Steps []Step
	// Key, if set, is the one that is let in.
	Key string

	mu    sync.Mutex
	heard []Chat
}

// Serve returns the base URL of an OpenAI-compatible server on loopback, which
// stops with the test.
func Serve(t testing.TB, h *Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections() // a Hang would wait for ever
		s.Close()
	})
	return s.URL + "/v1"
}

// Heard returns the requests so far.
func (h *Handler) Heard() []Chat {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Chat(nil), h.heard...)
}

// next notes a request and returns what to answer.
func (h *Handler) next(c Chat) Step {
	h.mu.Lock()
	n := len(h.heard)
	h.heard = append(h.heard, c)
	h.mu.Unlock()
	if fault := orphan(c.Messages); fault != "" {
		return Step{Status: http.StatusBadRequest, Code: "invalid_request_error", Message: fault}
	}
	if h.Reply != nil {
		return h.Reply(c)
	}
	if n >= len(h.Steps) {
		return Step{Status: http.StatusBadRequest, Code: "script_over", Message: fmt.Sprintf("script has %d steps", len(h.Steps))}
	}
	return h.Steps[n]
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

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/models") {
		writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []any{map[string]any{"id": "scripted", "object": "model"}}})
		return
	}
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		writeError(w, Step{Status: http.StatusNotFound, Code: "not_found", Message: "no such endpoint"})
		return
	}
	c, err := readChat(r)
	if err != nil {
		writeError(w, Step{Status: http.StatusBadRequest, Code: "invalid_request_error", Message: err.Error()})
		return
	}
	if h.Key != "" && c.Key != h.Key {
		writeError(w, Step{Status: http.StatusUnauthorized, Code: "invalid_api_key", Message: "Incorrect API key provided: " + c.Key})
		return
	}
	s := h.next(c)
	switch s.Fault {
	case Hang:
		<-r.Context().Done()
	case Mute, Drip:
		idle(w, r, c, s.Fault == Drip)
	case Reset:
		panic(http.ErrAbortHandler)
	case Raw:
		w.Header().Set("Content-Type", cmp.Or(s.Mime, "application/json"))
		w.WriteHeader(cmp.Or(s.Status, http.StatusOK))
		_, _ = io.WriteString(w, s.Body)
	default:
		switch {
		case s.Status != 0 && s.Fault != Late:
			writeError(w, s)
		case c.Stream:
			stream(w, c, s)
		default:
			whole(w, c, s)
		}
	}
}

// idle sends headers and then nothing that is an answer.
func idle(w http.ResponseWriter, r *http.Request, c Chat, drip bool) {
	w.Header().Set("Content-Type", "application/json")
	piece := " "
	if c.Stream {
		w.Header().Set("Content-Type", "text/event-stream")
		piece = ": wait\n\n"
	}
	w.WriteHeader(http.StatusOK)
	flush(w)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
			if drip {
				_, _ = io.WriteString(w, piece)
				flush(w)
			}
		}
	}
}

func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func writeError(w http.ResponseWriter, s Step) {
	if s.RetryAfter != "" {
		w.Header().Set("Retry-After", s.RetryAfter)
	}
	writeJSON(w, s.Status, errorBody(s))
}

func errorBody(s Step) map[string]any {
	return map[string]any{"error": map[string]any{
		"message": cmp.Or(s.Message, http.StatusText(s.Status)), "type": cmp.Or(s.Code, "error"), "code": s.Code, "param": nil,
	}}
}

// readChat reads a request as leniently as it may come from other clients.
func readChat(r *http.Request) (Chat, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, 16<<20))
	if err != nil {
		return Chat{}, err
	}
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
		return Chat{}, err
	}
	c := Chat{
		Model: in.Model, Stream: in.Stream, Usage: in.StreamOptions.IncludeUsage, Body: body,
		MaxTokens: max(in.MaxTokens, in.MaxCompletionTokens),
		Key:       strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "),
	}
	for _, m := range in.Messages {
		text, err := m.text()
		if err != nil {
			return Chat{}, err
		}
		cm := ChatMessage{Role: m.Role, Text: text, ID: m.ToolCallID}
		for _, call := range m.ToolCalls {
			cm.Calls = append(cm.Calls, llm.Call{ID: call.ID, Name: call.Function.Name, Args: json.RawMessage(call.Function.Arguments)})
		}
		c.Messages = append(c.Messages, cm)
	}
	for _, t := range in.Tools {
		c.Tools = append(c.Tools, llm.Tool{Name: t.Function.Name, Description: t.Function.Description, Schema: t.Function.Parameters})
	}
	return c, nil
}

type wireMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCallID string          `json:"tool_call_id"`
	ToolCalls  []wireCall      `json:"tool_calls"`
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
