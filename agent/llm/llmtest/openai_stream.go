package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"hermes/agent/llm"
)

// stream answers as server-sent events.
func (d chatCompletions) stream(w http.ResponseWriter, c Chat, s Step, broken func()) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	send := func(v any) {
		b, _ := json.Marshal(v)
		_, _ = fmt.Fprintf(w, "data: %s\n\n", b)
		flush(w)
	}
	chunk := func(choices []any, use any) map[string]any {
		return map[string]any{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": c.Model, "choices": choices, "usage": use}
	}
	delta := func(d map[string]any, reason any) {
		send(chunk([]any{map[string]any{"index": 0, "delta": d, "finish_reason": reason}}, nil))
	}
	_, _ = io.WriteString(w, ": comments are allowed\n\n")
	delta(map[string]any{"role": "assistant", "content": ""}, nil)
	pieces := deltas(s)
	for i, d := range pieces {
		if broken != nil && i >= len(pieces)/2 {
			broken()
		}
		s.pause(i, len(pieces))
		delta(d, nil)
	}
	if broken != nil {
		broken()
	}
	if s.Fault == Late {
		send(d.failure(s))
		return
	}
	delta(map[string]any{}, finish(s))
	if c.Usage && s.Fault != NoUsage {
		send(chunk([]any{}, usage(s.Usage)))
	}
	if s.Fault != NoDone {
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}
}

// deltas cuts the content of a step in pieces.
func deltas(s Step) []map[string]any {
	var out []map[string]any
	for _, p := range pieces(s.Thought, 7) {
		out = append(out, map[string]any{"reasoning_content": p})
	}
	for _, p := range pieces(s.Text, 7) {
		out = append(out, map[string]any{"content": p})
	}
	for _, p := range pieces(s.Refusal, 7) {
		out = append(out, map[string]any{"refusal": p})
	}
	var byCall [][]wireCall
	for i, call := range s.calls() {
		byCall = append(byCall, callDeltas(i, call, s.Style))
	}
	add := func(p wireCall) { out = append(out, map[string]any{"tool_calls": []wireCall{p}}) }
	if s.Style == Interleaved {
		for n := 0; ; n++ {
			some := false
			for _, ps := range byCall {
				if n < len(ps) {
					add(ps[n])
					some = true
				}
			}
			if !some {
				return out
			}
		}
	}
	for _, ps := range byCall {
		for _, p := range ps {
			add(p)
		}
	}
	return out
}

// callDeltas cuts one call in pieces: the first has id and name.
func callDeltas(i int, call llm.Call, style Style) []wireCall {
	index := i
	if style == SameIndex {
		index = 0
	}
	args := pieces(string(call.Args), pieceSize(style))
	if style != Whole && style != Bare {
		args = append([]string{""}, args...)
	}
	if len(args) == 0 {
		args = []string{""}
	}
	var out []wireCall
	for n, p := range args {
		d := wireCall{Index: &index, Function: wireFunc{Arguments: p, bare: style == Bare && json.Valid(call.Args)}}
		if style == NoIndex {
			d.Index = nil
		}
		if n == 0 || style == Repeats {
			d.ID, d.Type, d.Function.Name = call.ID, "function", call.Name
		}
		out = append(out, d)
	}
	return out
}
