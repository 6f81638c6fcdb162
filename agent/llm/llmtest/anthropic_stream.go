package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// A sent block is one of an answer: as it begins, in pieces, and in full.
type sent struct {
	first  map[string]any
	deltas []map[string]any
	full   map[string]any
	id     string // of a call
}

// blocks cuts the content of a step into blocks.
func (s Step) blocks() []sent {
	var out []sent
	if s.Thought != "" {
		b := sent{
			first: map[string]any{"type": "thinking", "thinking": "", "signature": ""},
			full:  map[string]any{"type": "thinking", "thinking": s.Thought, "signature": sign(s.Thought)},
		}
		for _, p := range pieces(s.Thought, 7) {
			b.deltas = append(b.deltas, map[string]any{"type": "thinking_delta", "thinking": p})
		}
		b.deltas = append(b.deltas, map[string]any{"type": "signature_delta", "signature": sign(s.Thought)})
		out = append(out, b)
	}
	if s.Text != "" {
		b := sent{first: map[string]any{"type": "text", "text": ""}, full: map[string]any{"type": "text", "text": s.Text}}
		for _, p := range pieces(s.Text, 7) {
			b.deltas = append(b.deltas, map[string]any{"type": "text_delta", "text": p})
		}
		out = append(out, b)
	}
	for _, call := range s.calls() {
		b := sent{id: call.ID}
		b.first = map[string]any{"type": "tool_use", "id": call.ID, "name": call.Name, "input": map[string]any{}}
		var input any = call.Args
		switch {
		case len(call.Args) == 0:
			input = map[string]any{}
		case !json.Valid(call.Args):
			input = string(call.Args) // as gateways do
		}
		b.full = map[string]any{"type": "tool_use", "id": call.ID, "name": call.Name, "input": input}
		for _, p := range pieces(string(call.Args), pieceSize(s.Style)) {
			if s.Style == Bare && json.Valid(call.Args) {
				b.first["input"] = call.Args
				break
			}
			b.deltas = append(b.deltas, map[string]any{"type": "input_json_delta", "partial_json": p})
		}
		out = append(out, b)
	}
	return out
}

// events are the events of the blocks in the order in which a Style sends them.
func (s Step) events() []map[string]any {
	var out []map[string]any
	add := func(index int, e map[string]any) {
		switch {
		case s.Style == SameIndex:
			e["index"] = 0
		case s.Style != NoIndex:
			e["index"] = index
		}
		out = append(out, e)
	}
	blocks := s.blocks()
	times := 1
	if s.Style == Repeats {
		times = 2
	}
	begin := func(i int) {
		for range times {
			add(i, map[string]any{"type": "content_block_start", "content_block": blocks[i].first})
		}
	}
	delta := func(i, n int) { add(i, map[string]any{"type": "content_block_delta", "delta": blocks[i].deltas[n]}) }
	end := func(i int) { add(i, map[string]any{"type": "content_block_stop"}) }
	for i := 0; i < len(blocks); i++ {
		if s.Style == Interleaved && blocks[i].id != "" {
			// From here on there are calls alone.
			for k := i; k < len(blocks); k++ {
				begin(k)
			}
			for n, some := 0, true; some; n++ {
				some = false
				for k := i; k < len(blocks); k++ {
					if n < len(blocks[k].deltas) {
						delta(k, n)
						some = true
					}
				}
			}
			for k := i; k < len(blocks); k++ {
				end(k)
			}
			return out
		}
		begin(i)
		for n := range blocks[i].deltas {
			delta(i, n)
		}
		end(i)
	}
	return out
}

// stream answers as server-sent events.
func (d messages) stream(w http.ResponseWriter, c Chat, s Step, broken func()) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	send := func(e map[string]any) {
		b, _ := json.Marshal(e)
		_, _ = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e["type"], b)
		flush(w)
	}
	begin := map[string]any{"id": "msg_1", "type": "message", "role": "assistant", "model": c.Model, "content": []any{}, "stop_reason": nil}
	end := map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": s.stopReason(), "stop_sequence": nil}}
	if s.Fault != NoUsage {
		use := messagesUsage(s.Usage)
		end["usage"] = map[string]any{"output_tokens": use["output_tokens"]}
		use["output_tokens"] = 1
		begin["usage"] = use
	}
	send(map[string]any{"type": "message_start", "message": begin})
	send(map[string]any{"type": "ping"})
	_, _ = io.WriteString(w, ": comments are allowed\n\n")
	events := s.events()
	for i, e := range events {
		if broken != nil && i >= len(events)/2 {
			broken()
		}
		s.pause(i, len(events))
		send(e)
	}
	if broken != nil {
		broken()
	}
	if s.Fault == Late {
		b, _ := json.Marshal(d.failure(s))
		_, _ = fmt.Fprintf(w, "event: error\ndata: %s\n\n", b)
		flush(w)
		return
	}
	send(end)
	if s.Fault != NoDone {
		send(map[string]any{"type": "message_stop"})
	}
}
