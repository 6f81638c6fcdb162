package anthropic

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"hermes/agent/llm"
	"hermes/agent/llm/wire"
)

// request is the body of a request.
type request struct {
	Model        string    `json:"model"`
	MaxTokens    int       `json:"max_tokens"`
	Temperature  *float64  `json:"temperature,omitempty"`
	Thinking     *thinking `json:"thinking,omitempty"`
	OutputConfig *output   `json:"output_config,omitempty"`
	Tools        []tool    `json:"tools,omitempty"`
	ToolChoice   *choice   `json:"tool_choice,omitempty"`
	System       []*block  `json:"system,omitempty"`
	Messages     []message `json:"messages"`
	Stream       bool      `json:"stream,omitempty"`
}

type thinking struct {
	Type   string `json:"type"`
	Budget int    `json:"budget_tokens,omitempty"`
}

type output struct {
	Effort string `json:"effort"`
}

type choice struct {
	Type string `json:"type"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"input_schema"`
	Cache       *cache          `json:"cache_control,omitempty"`
}

// cache marks the end of a part of the prompt that the vendor keeps for some minutes:
// all that comes before it, tools first, then the system prompt, then the messages.
type cache struct {
	Type string `json:"type"`
}

type message struct {
	Role    llm.Role `json:"role"`
	Content []any    `json:"content"` // *block, or a thought as it was
}

// block is a piece of a message.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   string          `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
	Cache     *cache          `json:"cache_control,omitempty"`
}

func words(s string) *block { return &block{Type: "text", Text: s} }

// The options that a vendor may refuse. Older models take a budget of thought, newer
// ones an effort.
const (
	temperature = "temperature"
	budget      = "thinking"
	effort      = "output_config"
	adaptive    = "adaptive"
)

// request puts a Request into the vendor's words, and tells which options stand in it.
func (m *Model) request(r llm.Request) (request, []string) {
	turns := wire.Turns(r.Messages)
	body := request{
		Model: m.cfg.Model, MaxTokens: m.cfg.MaxTokens, Stream: r.Stream != nil,
		Tools: tools(r.Tools), System: system(r),
	}
	var used []string
	switch {
	case m.mayThink(turns) && m.line.Takes(budget):
		used = []string{budget}
		body.Thinking = &thinking{Type: "enabled", Budget: m.cfg.ReasoningMaxTokens}
	case m.cfg.ReasoningMaxTokens > 0 && !m.line.Takes(budget) && m.line.Takes(effort) && m.line.Takes(adaptive):
		used = []string{effort, adaptive}
		body.Thinking = &thinking{Type: "adaptive"}
		body.OutputConfig = &output{wire.Effort(m.cfg.ReasoningMaxTokens)}
	case m.cfg.Temperature != nil && m.line.Takes(temperature):
		used = []string{temperature}
		body.Temperature = m.cfg.Temperature
	}
	if body.Thinking != nil {
		body.MaxTokens += m.cfg.ReasoningMaxTokens
	}
	body.Messages = m.messages(turns, body.Thinking != nil)
	if len(r.Tools) > 0 {
		mark(&body)
	} else if body.Tools = called(turns); len(body.Tools) > 0 {
		body.ToolChoice = &choice{"none"}
	}
	return body, used
}

// mark sets the marks of the cache: after what is the same in every request, and
// after all that the next step of this run will say again.
func mark(body *request) {
	kept := &cache{"ephemeral"}
	body.Tools[len(body.Tools)-1].Cache = kept
	last := body.Messages[len(body.Messages)-1].Content
	if b, ok := last[len(last)-1].(*block); ok {
		b.Cache = kept
	}
}

// system is the system prompt: what is the same in every request, and the rest.
func system(r llm.Request) []*block {
	fixed := r.Fixed
	if fixed < 0 || fixed > len(r.System) || fixed < len(r.System) && !utf8.RuneStart(r.System[fixed]) {
		fixed = 0
	}
	var out []*block
	if s := r.System[:fixed]; strings.TrimSpace(s) != "" {
		out = append(out, &block{Type: "text", Text: s, Cache: &cache{"ephemeral"}})
	}
	if s := r.System[fixed:]; strings.TrimSpace(s) != "" {
		out = append(out, words(s))
	}
	return out
}

var emptySchema = json.RawMessage(`{"type":"object","properties":{}}`)

func tools(list []llm.Tool) []tool {
	var out []tool
	for _, t := range list {
		if len(t.Schema) == 0 {
			t.Schema = emptySchema
		}
		out = append(out, tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
	}
	return out
}

// called are the tools of a conversation whose next message is to be words: the
// vendor refuses calls of tools that it is not told of.
func called(turns []wire.Turn) []tool {
	var out []tool
	seen := map[string]bool{}
	for _, t := range turns {
		for _, c := range t.Calls {
			if !seen[c.Name] {
				seen[c.Name] = true
				out = append(out, tool{Name: c.Name, Schema: emptySchema})
			}
		}
	}
	return out
}
