package openai

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sashabaranov/go-openai"

	"hermes/agent/llm"
	"hermes/agent/llm/wire"
)

// An answer is what came of one request, in pieces or at once.
type answer struct {
	text, thought, refusal strings.Builder
	calls                  []*call
	finish                 openai.FinishReason
	usage                  openai.Usage
}

// A call grows with the pieces of a stream.
type call struct {
	id, name string
	index    *int
	args     strings.Builder
}

// whole reads an answer that came at once.
func whole(body []byte, say func(string)) (*answer, error) {
	var res openai.ChatCompletionResponse
	if err := decode(body, &res); err != nil {
		return nil, err
	}
	if len(res.Choices) == 0 {
		return nil, fmt.Errorf("%w: no choices", llm.ErrGarbled)
	}
	c := res.Choices[0]
	a := &answer{finish: c.FinishReason, usage: res.Usage}
	a.text.WriteString(c.Message.Content)
	for _, p := range c.Message.MultiContent {
		a.text.WriteString(p.Text)
	}
	a.refusal.WriteString(c.Message.Refusal)
	a.thought.WriteString(c.Message.ReasoningContent)
	for _, tc := range c.Message.ToolCalls {
		c := &call{}
		c.add(tc)
		a.calls = append(a.calls, c)
	}
	if f := c.Message.FunctionCall; f != nil && len(a.calls) == 0 {
		a.calls = []*call{{}}
		a.calls[0].add(openai.ToolCall{Function: *f})
	}
	if a.text.Len() > 0 {
		say(a.text.String())
	}
	return a, nil
}

// stream reads an answer in pieces and passes its text on.
func stream(got *wire.Answer, say func(string)) (*answer, error) {
	a := &answer{}
	heard, done := false, false
	for {
		ev, err := got.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if done = string(ev.Data) == "[DONE]"; done {
			break
		}
		var chunk openai.ChatCompletionStreamResponse
		if err := decode(ev.Data, &chunk); err != nil {
			return nil, err
		}
		heard = true
		if err := a.add(chunk, say); err != nil {
			return nil, err
		}
		if a.text.Len() > wire.MaxText {
			a.finish = openai.FinishReasonLength // nobody waits for the rest
			break
		}
	}
	switch {
	case !heard:
		return nil, fmt.Errorf("%w: a stream without an answer", llm.ErrGarbled)
	case a.finish == "" && !done:
		return nil, llm.ErrCut
	}
	return a, nil
}

func (a *answer) add(chunk openai.ChatCompletionStreamResponse, say func(string)) error {
	if chunk.Usage != nil {
		a.usage = *chunk.Usage
	}
	if len(chunk.Choices) == 0 {
		return nil
	}
	c := chunk.Choices[0]
	a.text.WriteString(c.Delta.Content)
	a.refusal.WriteString(c.Delta.Refusal)
	a.thought.WriteString(c.Delta.ReasoningContent)
	size := a.text.Len() + a.thought.Len()
	pieces := c.Delta.ToolCalls
	if f := c.Delta.FunctionCall; f != nil && len(pieces) == 0 {
		pieces = []openai.ToolCall{{Function: *f}} // the protocol of before
	}
	for _, d := range pieces {
		to := a.grow(d)
		to.add(d)
		size += to.args.Len()
	}
	if size > wire.MaxAnswer {
		return fmt.Errorf("%w: longer than any answer", llm.ErrGarbled)
	}
	if c.FinishReason != "" && c.FinishReason != openai.FinishReasonNull {
		a.finish = c.FinishReason
	}
	if c.Delta.Content != "" {
		say(c.Delta.Content)
	}
	return nil
}

// grow returns the call that a piece belongs to, the last with its id and its index. But
// some vendors give no index, some give 0 to every call, some give one id to every call,
// and some repeat id and name with every piece: what cannot be more of a call begins
// another. wire.Calls makes one of two that are the same.
func (a *answer) grow(d openai.ToolCall) *call {
	for i := len(a.calls) - 1; i >= 0; i-- {
		if c := a.calls[i]; c.takes(d) {
			return c
		} else if d.ID == "" && d.Index == nil {
			break // it is of the last, or of none
		}
	}
	c := &call{index: d.Index}
	a.calls = append(a.calls, c)
	return c
}

// takes reports whether a piece is more of c.
func (c *call) takes(d openai.ToolCall) bool {
	piece, so := strings.TrimSpace(d.Function.Arguments), strings.TrimSpace(c.args.String())
	begins := piece == "" || piece[0] == '{' // as the first of a call does
	switch {
	case d.ID != "" && c.id != "" && d.ID != c.id:
		return false
	case d.Index != nil && c.index != nil && *d.Index != *c.index:
		return d.ID != "" && d.ID == c.id && !begins // the vendor counts pieces
	case d.Function.Name == "", !begins, !wire.Object(so):
		return true
	case d.Function.Name != c.name:
		return false
	}
	return so == "{}" || piece == "" && d.ID == ""
}

func (c *call) add(d openai.ToolCall) {
	if c.id == "" {
		c.id = d.ID
	}
	if c.name != d.Function.Name {
		c.name += d.Function.Name
	}
	c.args.WriteString(d.Function.Arguments)
}

// fault returns why a is no answer, or nil.
func (a *answer) fault() error {
	silent := llm.Blank(a.text.String()) && len(a.calls) == 0
	switch {
	case a.finish == openai.FinishReasonContentFilter:
		return fmt.Errorf("%w: content filter", llm.ErrRefused)
	case silent && a.refusal.Len() > 0:
		return llm.ErrRefused
	case silent && a.finish == openai.FinishReasonLength:
		return fmt.Errorf("%w: no text before the limit of tokens", llm.ErrEmpty)
	case silent:
		return llm.ErrEmpty
	}
	return nil
}

// thoughtMax is how many bytes of a thought are kept if nothing else is said, and
// perToken how many there are in a token at most.
const (
	thoughtMax = 64 << 10
	perToken   = 4
)

// reply makes a Reply of a. A thought longer than ceiling tokens is cut: the end of
// it led to the calls.
func (a *answer) reply(name string, before []llm.Message, ceiling int) (llm.Reply, error) {
	usage := llm.Usage{In: a.usage.PromptTokens, Out: a.usage.CompletionTokens}
	if d := a.usage.PromptTokensDetails; d != nil {
		usage.Cached = d.CachedTokens
	}
	if err := a.fault(); err != nil {
		return llm.Reply{Usage: usage, Model: name}, err
	}
	var wishes []wire.Wish
	for i, c := range a.calls {
		args := c.args.String()
		cut := a.finish == openai.FinishReasonLength && i == len(a.calls)-1 && !wire.Object(args)
		wishes = append(wishes, wire.Wish{ID: c.id, Name: c.name, Args: args, Cut: cut})
	}
	calls, err := wire.Calls(wishes, before)
	if err != nil {
		return llm.Reply{}, err
	}
	words, long := wire.Words(a.text.String())
	r := llm.Reply{
		Message: llm.Message{Role: llm.Assistant, Text: words, Calls: calls},
		Usage:   usage,
		Model:   name,
		Cut:     long || a.finish == openai.FinishReasonLength,
		Called:  a.finish == openai.FinishReasonToolCalls || a.finish == openai.FinishReasonFunctionCall,
	}
	if text := a.thought.String(); text != "" && len(calls) > 0 {
		most := thoughtMax
		if ceiling > 0 {
			most = min(most, ceiling*perToken)
		}
		text = strings.ToValidUTF8(text[max(0, len(text)-most):], "")
		if r.Message.Thought, err = wire.Thought(name, text); err != nil {
			return llm.Reply{}, err
		}
	}
	return r, nil
}
