package anthropic

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/llm/wire"
)

// The reasons to stop that are not the end of an answer.
const (
	atLimit  = "max_tokens"
	refused  = "refusal"
	fullUp   = "model_context_window_exceeded"
	toolUse  = "tool_use"
	textKind = "text"
)

// An answer is what came of one request, in pieces or at once.
type answer struct {
	said     strings.Builder // the text of all parts, in the order in which it came
	parts    []*part
	reason   string
	usage    usage
	streamed bool
}

// A part is a block of an answer. It grows with the pieces of a stream.
type part struct {
	kind      string
	id, name  string          // of a call
	text      strings.Builder // the input of a call, or a thought
	signature strings.Builder // of a thought
	raw       json.RawMessage // a thought that came whole
	done      bool
}

// usage counts the input that came from the cache, and that went into it, beside the
// rest of it.
type usage struct {
	In      *int `json:"input_tokens"`
	Read    *int `json:"cache_read_input_tokens"`
	Written *int `json:"cache_creation_input_tokens"`
	Out     *int `json:"output_tokens"`
}

// add takes over what a later count says: each is of the whole answer so far.
func (u *usage) add(v usage) {
	for _, n := range []struct{ to, from **int }{{&u.In, &v.In}, {&u.Read, &v.Read}, {&u.Written, &v.Written}, {&u.Out, &v.Out}} {
		if *n.from != nil {
			*n.to = *n.from
		}
	}
}

func (u usage) tokens() llm.Usage {
	count := func(n *int) int {
		if n == nil {
			return 0
		}
		return *n
	}
	return llm.Usage{In: count(u.In) + count(u.Read) + count(u.Written), Out: count(u.Out), Cached: count(u.Read)}
}

// piece is a block of an answer as it came.
type piece struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// whole reads an answer that came at once.
func whole(body []byte, say func(string)) (*answer, error) {
	var res struct {
		Content []json.RawMessage `json:"content"`
		Reason  string            `json:"stop_reason"`
		Usage   usage             `json:"usage"`
	}
	if err := wire.Decode(body, &res); err != nil {
		return nil, err
	}
	a := &answer{reason: res.Reason, usage: res.Usage}
	for _, raw := range res.Content {
		var b piece
		if err := wire.Decode(raw, &b); err != nil {
			return nil, err
		}
		p := &part{kind: b.Type, id: b.ID, name: b.Name, done: true}
		switch b.Type {
		case textKind:
			a.said.WriteString(b.Text)
		case toolUse:
			p.text.WriteString(input(b.Input))
		default:
			p.raw = raw
		}
		a.parts = append(a.parts, p)
	}
	if a.said.Len() > 0 {
		say(a.said.String())
	}
	return a, nil
}

// input is the input of a call as text. Gateways put it in a string if the model
// wrote no JSON.
func input(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// fault returns why a is no answer, or nil.
func (a *answer) fault() error {
	silent := llm.Blank(a.said.String())
	for _, p := range a.parts {
		silent = silent && p.kind != toolUse
	}
	switch {
	case a.reason == refused:
		return llm.ErrRefused
	case silent && a.reason == fullUp:
		return llm.ErrTooLong
	case silent && a.reason == atLimit:
		return fmt.Errorf("%w: no text before the limit of tokens", llm.ErrEmpty)
	case silent:
		return llm.ErrEmpty
	}
	return nil
}

// reply makes a Reply of a.
func (a *answer) reply(name string, before []llm.Message) (llm.Reply, error) {
	if err := a.fault(); err != nil {
		return llm.Reply{Usage: a.usage.tokens(), Model: name}, err
	}
	var wishes []wire.Wish
	for i, p := range a.parts {
		if p.kind != toolUse {
			continue
		}
		w := wire.Wish{ID: p.id, Name: p.name, Args: p.text.String()}
		if args := readable(w.Args); args != "" {
			w.Args = args // a stream that is sent again within a call doubles it
		}
		// At once, the vendor closes what the model has left open.
		w.Cut = i == len(a.parts)-1 && (a.reason == atLimit || a.reason == fullUp) && (!a.streamed || !wire.Object(w.Args))
		wishes = append(wishes, w)
	}
	calls, err := wire.Calls(withoutRemains(wishes), before)
	if err != nil {
		return llm.Reply{}, err
	}
	words, long := wire.Words(a.said.String())
	r := llm.Reply{
		Message: llm.Message{Role: llm.Assistant, Text: words, Calls: calls},
		Usage:   a.usage.tokens(),
		Model:   name,
		Cut:     long || a.reason == atLimit || a.reason == fullUp,
		Called:  a.reason == toolUse,
	}
	if long {
		// What it has cost comes at its end, for which nobody has waited.
		r.Usage.Out = max(r.Usage.Out, llm.Estimate(llm.Request{}, r).Out)
	}
	if thought := a.thought(); len(thought) > 0 && len(calls) > 0 {
		if r.Message.Thought, err = wire.Thought(name, thought); err != nil {
			return llm.Reply{}, err
		}
	}
	return r, nil
}

// readable is the one object that arguments come to; empty if they are none, or nothing.
func readable(args string) string {
	if strings.TrimSpace(args) == "" {
		return ""
	}
	got := wire.Arguments(args)
	var object map[string]json.RawMessage
	if json.Unmarshal(got, &object) != nil || object[llm.Unreadable] != nil {
		return ""
	}
	return string(got)
}

// withoutRemains takes out what a stream that was sent again has left of a call under the
// id of it: what begins as a call that is whole, and goes on. What was begun before the
// call that the limit has cut off was cut off as well, if it is no more than its
// beginning. Other calls with one id are calls of their own.
func withoutRemains(wishes []wire.Wish) []wire.Wish {
	same := func(a, b wire.Wish) bool { return a.ID != "" && a.ID == b.ID && a.Name == b.Name }
	var kept []wire.Wish
	for _, w := range wishes {
		last := wishes[len(wishes)-1]
		remains := readable(w.Args) == "" && slices.ContainsFunc(wishes, func(x wire.Wish) bool {
			return same(w, x) && readable(x.Args) != "" && strings.HasPrefix(strings.TrimSpace(w.Args), strings.TrimSpace(x.Args))
		})
		if remains {
			continue
		}
		if last.Cut && same(w, last) && readable(w.Args) == "" && strings.HasPrefix(last.Args, w.Args) {
			w.Cut = true
		}
		kept = append(kept, w)
	}
	return kept
}

// thought returns the blocks of thought as the vendor wants them back: untouched. One
// without a signature is of no use to it.
func (a *answer) thought() []json.RawMessage {
	var out []json.RawMessage
	for _, p := range a.parts {
		switch {
		case p.kind != thinkingKind && p.kind != redactedKind:
		case p.raw != nil:
			out = append(out, p.raw)
		case p.signature.Len() > 0:
			b, err := json.Marshal(map[string]string{"type": p.kind, "thinking": p.text.String(), "signature": p.signature.String()})
			if err == nil {
				out = append(out, b)
			}
		}
	}
	return out
}
