package llmtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"hermes/agent/llm"
)

// whole answers in one piece.
func whole(w http.ResponseWriter, c Chat, s Step) {
	m := map[string]any{"role": "assistant", "content": nil}
	if s.Text != "" {
		m["content"] = s.Text
	}
	if s.Refusal != "" {
		m["refusal"] = s.Refusal
	}
	var calls []wireCall
	for _, call := range s.Calls {
		calls = append(calls, wireCall{ID: call.ID, Type: "function", Function: wireFunc{call.Name, string(call.Args)}})
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
	if s.Fault != Cut {
		writeJSON(w, http.StatusOK, body)
		return
	}
	b, _ := json.Marshal(body)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(b)))
	_, _ = w.Write(b[:len(b)/2])
	flush(w)
	panic(http.ErrAbortHandler)
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

// stream answers as server-sent events.
func stream(w http.ResponseWriter, c Chat, s Step) {
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
		if s.Fault == Cut && i >= len(pieces)/2 {
			panic(http.ErrAbortHandler)
		}
		delta(d, nil)
	}
	switch s.Fault {
	case Cut:
		panic(http.ErrAbortHandler)
	case Late:
		send(errorBody(s))
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
	for _, p := range pieces(s.Text, 7) {
		out = append(out, map[string]any{"content": p})
	}
	for _, p := range pieces(s.Refusal, 7) {
		out = append(out, map[string]any{"refusal": p})
	}
	size := 6
	switch s.Style {
	case Crumbs:
		size = 1
	case Whole:
		size = 1 << 20
	}
	var byCall [][]wireCall
	for i, call := range s.Calls {
		byCall = append(byCall, callDeltas(i, call, size, s.Style))
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
func callDeltas(i int, call llm.Call, size int, style Style) []wireCall {
	index := i
	if style == SameIndex {
		index = 0
	}
	args := pieces(string(call.Args), size)
	if style != Whole {
		args = append([]string{""}, args...)
	}
	if len(args) == 0 {
		args = []string{""}
	}
	var out []wireCall
	for n, p := range args {
		d := wireCall{Index: &index, Function: wireFunc{Arguments: p}}
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

// pieces cuts s into pieces of n characters.
func pieces(s string, n int) []string {
	var out []string
	for r := []rune(s); len(r) > 0; {
		k := min(n, len(r))
		out, r = append(out, string(r[:k])), r[k:]
	}
	return out
}
