package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sashabaranov/go-openai"

	"hermes/agent/llm"
)

// Unreadable is the one property of arguments that were no JSON object.
const Unreadable = "$unreadable"

// unreadableMax is how much of them is kept, in bytes: enough for the model to
// see what it did.
const unreadableMax = 2000

// An answer is what came of one request, in pieces or at once.
type answer struct {
	text, refusal string
	calls         []openai.ToolCall
	finish        openai.FinishReason
	usage         openai.Usage
	streamed      bool // people have seen some of it
}

func whole(res openai.ChatCompletionResponse) (answer, error) {
	if len(res.Choices) == 0 {
		return answer{}, fmt.Errorf("%w: no choices", llm.ErrGarbled)
	}
	c := res.Choices[0]
	a := answer{text: c.Message.Content, refusal: c.Message.Refusal, calls: c.Message.ToolCalls, finish: c.FinishReason, usage: res.Usage}
	for _, p := range c.Message.MultiContent {
		a.text += p.Text
	}
	if f := c.Message.FunctionCall; f != nil && len(a.calls) == 0 {
		a.calls = []openai.ToolCall{{Function: *f}}
	}
	return a, a.fault()
}

// stream asks for an answer in pieces and passes its text on.
func (m *Model) stream(ctx context.Context, body openai.ChatCompletionRequest, say func(string)) (answer, error) {
	s, err := m.client.CreateChatCompletionStream(ctx, body)
	var plain *plainAnswer
	if errors.As(err, &plain) {
		// A server that cannot stream answers at once.
		a, err := plain.read()
		if err == nil && a.text != "" {
			say(a.text)
		}
		return a, err
	}
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = s.Close() }()
	var a answer
	heard := false
	for {
		chunk, err := s.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return a, err
		}
		heard = true
		if chunk.Usage != nil {
			a.usage = *chunk.Usage
		}
		if len(chunk.Choices) == 0 {
			continue
		}
		c := chunk.Choices[0]
		a.text += c.Delta.Content
		a.refusal += c.Delta.Refusal
		for _, d := range c.Delta.ToolCalls {
			a.calls = grow(a.calls, d)
		}
		if c.FinishReason != "" && c.FinishReason != openai.FinishReasonNull {
			a.finish = c.FinishReason
		}
		if c.Delta.Content != "" {
			a.streamed = true
			say(c.Delta.Content)
		}
	}
	switch {
	case !heard:
		return a, fmt.Errorf("%w: a stream without an answer", llm.ErrGarbled)
	case a.finish == "":
		return a, fmt.Errorf("%w: the stream was cut off", llm.ErrBusy)
	}
	return a, a.fault()
}

// grow adds a piece of a call to the calls. A piece belongs to the call of its
// index; but some vendors give no index, some give 0 to every call, and some
// repeat id and name with every piece. An id that is not the call's own begins a
// new one.
func grow(calls []openai.ToolCall, d openai.ToolCall) []openai.ToolCall {
	at := len(calls) - 1
	if d.ID != "" {
		for i := range calls {
			if calls[i].ID == d.ID {
				return add(calls, i, d)
			}
		}
	}
	if d.Index != nil {
		at = -1
		for i := range calls {
			if calls[i].Index != nil && *calls[i].Index == *d.Index {
				at = i // the last of that index
			}
		}
	}
	if at < 0 || d.ID != "" && calls[at].ID != "" {
		return append(calls, d)
	}
	return add(calls, at, d)
}

func add(calls []openai.ToolCall, i int, d openai.ToolCall) []openai.ToolCall {
	c := &calls[i]
	if c.ID == "" {
		c.ID = d.ID
	}
	if c.Function.Name != d.Function.Name {
		c.Function.Name += d.Function.Name
	}
	c.Function.Arguments += d.Function.Arguments
	return calls
}

// fault returns why a is no answer, or nil.
func (a answer) fault() error {
	switch {
	case a.finish == openai.FinishReasonContentFilter:
		return fmt.Errorf("%w: content filter", llm.ErrRefused)
	case a.refusal != "" && strings.TrimSpace(a.text) == "" && len(a.calls) == 0:
		return llm.ErrRefused
	case strings.TrimSpace(a.text) == "" && len(a.calls) == 0:
		if a.finish == openai.FinishReasonLength {
			return fmt.Errorf("%w: no text before the limit of tokens", llm.ErrGarbled)
		}
		return fmt.Errorf("%w: empty", llm.ErrGarbled)
	}
	for _, c := range a.calls {
		if c.Function.Name == "" {
			return fmt.Errorf("%w: a call without a name", llm.ErrGarbled)
		}
	}
	return nil
}

// reply makes a Reply of a, with ids that the conversation does not have yet.
func (a answer) reply(model string, before []openai.ChatCompletionMessage) (llm.Reply, error) {
	used := map[string]bool{}
	for _, m := range before {
		for _, c := range m.ToolCalls {
			used[c.ID] = true
		}
	}
	r := llm.Reply{
		Message: llm.Message{Role: llm.Assistant, Text: a.text},
		Usage:   llm.Usage{In: a.usage.PromptTokens, Out: a.usage.CompletionTokens},
		Model:   model,
	}
	if d := a.usage.PromptTokensDetails; d != nil {
		r.Usage.Cached = d.CachedTokens
	}
	for _, c := range a.calls {
		r.Message.Calls = append(r.Message.Calls, llm.Call{
			ID: fresh(c.ID, used), Name: c.Function.Name, Args: arguments(c.Function.Arguments),
		})
	}
	return r, nil
}

// fresh returns id, or one made of it that is not used. Some vendors number the
// calls of each answer from 0.
func fresh(id string, used map[string]bool) string {
	if id == "" {
		id = "call"
	}
	free := id
	for n := 2; used[free]; n++ {
		free = id + "-" + strconv.Itoa(n)
	}
	used[free] = true
	return free
}

// arguments returns what a model wrote as arguments as a JSON object: nothing is
// an empty one, an object within a string is that object, and anything else is
// kept under Unreadable.
func arguments(s string) json.RawMessage {
	t := strings.TrimSpace(s)
	if t == "" || t == "null" {
		return json.RawMessage(`{}`)
	}
	if object(t) {
		return json.RawMessage(t)
	}
	var inner string
	if json.Unmarshal([]byte(t), &inner) == nil && object(strings.TrimSpace(inner)) {
		return json.RawMessage(strings.TrimSpace(inner))
	}
	if len(s) > unreadableMax {
		s = s[:unreadableMax]
	}
	b, err := json.Marshal(map[string]string{Unreadable: strings.ToValidUTF8(s, "")})
	if err != nil {
		return json.RawMessage(`{"` + Unreadable + `":""}`)
	}
	return b
}

func object(s string) bool { return strings.HasPrefix(s, "{") && json.Valid([]byte(s)) }
