package llmtest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

var (
	idPattern   = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	namePattern = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)
)

// fault says what Anthropic would refuse in a request.
func (in messagesIn) fault() string {
	if in.MaxTokens < 1 {
		return "max_tokens: field required"
	}
	if fault := in.thinkingFault(); fault != "" {
		return fault
	}
	marks := 0
	for _, t := range in.Tools {
		var schema struct{ Type string }
		if json.Unmarshal(t.Schema, &schema) != nil || schema.Type != "object" || !namePattern.MatchString(t.Name) {
			return fmt.Sprintf("tools: %q needs a valid name and a schema of an object", t.Name)
		}
		marks += mark(t.Cache)
	}
	for _, b := range in.System {
		if strings.TrimSpace(b.Text) == "" {
			return "system: text content blocks must contain non-whitespace text"
		}
		marks += mark(b.Cache)
	}
	for _, m := range in.Messages {
		for _, b := range m.Content {
			marks += mark(b.Cache)
		}
	}
	if marks > 4 {
		return fmt.Sprintf("a maximum of 4 blocks with cache_control may be provided, found %d", marks)
	}
	return in.pairFault()
}

func mark(cache json.RawMessage) int {
	if len(cache) == 0 {
		return 0
	}
	return 1
}

// pairFault says what is wrong with turns, calls and results.
func (in messagesIn) pairFault() string {
	if len(in.Messages) == 0 {
		return "messages: at least one message is required"
	}
	if last := in.Messages[len(in.Messages)-1]; last.Role != "user" {
		return "messages: the conversation must end with a user message"
	}
	used := map[string]bool{}
	var open []string // ids of the message before that want a result
	for i, m := range in.Messages {
		if want := []string{"user", "assistant"}[i%2]; m.Role != want {
			return fmt.Sprintf("messages.%d: roles must alternate, found %q", i, m.Role)
		}
		if len(m.Content) == 0 {
			return fmt.Sprintf("messages.%d: all messages must have non-empty content", i)
		}
		results := map[string]bool{}
		for j, b := range m.Content {
			at := fmt.Sprintf("messages.%d.content.%d", i, j)
			switch {
			case b.Type == "text" && strings.TrimSpace(b.Text) == "":
				return at + ": text content blocks must contain non-whitespace text"
			case b.Type == "tool_use":
				var object map[string]json.RawMessage
				if json.Unmarshal(b.Input, &object) != nil || !idPattern.MatchString(b.ID) || !namePattern.MatchString(b.Name) || used[b.ID] {
					return at + ": tool_use needs an input that is an object, a valid name and a unique id"
				}
				used[b.ID] = true
			case b.Type == "tool_result":
				if j != len(results) {
					return at + ": tool_result blocks must come first"
				}
				results[b.ToolUseID] = true
				if len(results) != j+1 {
					return at + ": each tool_use must have a single result"
				}
			}
		}
		for _, id := range open {
			if !results[id] {
				return fmt.Sprintf("messages.%d: tool_use ids were found without tool_result blocks immediately after: %s", i-1, id)
			}
		}
		if len(results) != len(open) {
			return fmt.Sprintf("messages.%d: unexpected tool_use_id found in tool_result blocks", i)
		}
		open = nil
		for _, b := range m.Content {
			if b.Type == "tool_use" {
				open = append(open, b.ID)
			}
		}
	}
	if len(used) > 0 && len(in.Tools) == 0 {
		return "requests which include tool blocks must define tools"
	}
	return ""
}

// thinkingFault says what is wrong with a request that asks for thinking: among it
// that calls come back without the thought that led to them.
func (in messagesIn) thinkingFault() string {
	if in.Thinking.Type != "enabled" {
		return ""
	}
	switch {
	case in.Thinking.Budget < 1024:
		return "thinking.budget_tokens: must be at least 1024"
	case in.Thinking.Budget >= in.MaxTokens:
		return "max_tokens: must be greater than thinking.budget_tokens"
	case in.Temperature != nil && *in.Temperature != 1:
		return "temperature: may only be set to 1 when thinking is enabled"
	}
	for i := len(in.Messages) - 1; i > 0; i -= 2 {
		if said := in.Messages[i].Content; len(said) == 0 || said[0].Type != "tool_result" {
			break
		}
		for _, b := range in.Messages[i-1].Content {
			if b.Type == "thinking" && b.Signature != sign(b.Thinking) {
				return fmt.Sprintf("messages.%d: thinking blocks cannot be modified", i-1)
			}
		}
		first := in.Messages[i-1].Content[0]
		if i >= 2 && in.Messages[i-2].Content[0].Type == "tool_result" {
			continue // in the middle of the loop
		}
		if first.Type != "thinking" && first.Type != "redacted_thinking" {
			return fmt.Sprintf("messages.%d.content.0.type: Expected `thinking`, but found `%s`", i-1, first.Type)
		}
	}
	return ""
}

// sign is the signature of a thought.
func sign(thought string) string { return fmt.Sprintf("sig-%d", len(thought)) }
