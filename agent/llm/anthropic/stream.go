package anthropic

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"hermes/agent/llm"
	"hermes/agent/llm/wire"
)

// The blocks that are thought.
const (
	thinkingKind = "thinking"
	redactedKind = "redacted_thinking"
)

// event is one of a stream.
type event struct {
	Type    string `json:"type"`
	Index   *int   `json:"index"`
	Message struct {
		Usage usage `json:"usage"`
	} `json:"message"`
	Block json.RawMessage `json:"content_block"`
	Delta struct {
		Type      string `json:"type"`
		Text      string `json:"text"`
		JSON      given  `json:"partial_json"`
		Thinking  string `json:"thinking"`
		Signature string `json:"signature"`
		Reason    string `json:"stop_reason"`
	} `json:"delta"`
	Usage usage `json:"usage"`
}

// given is a piece of the input of a call: a string, or JSON itself as gateways write it.
type given string

// UnmarshalJSON implements json.Unmarshaler.
func (g *given) UnmarshalJSON(b []byte) error {
	*g = given(input(b))
	return nil
}

// stream reads an answer in pieces and passes its text on.
func stream(got *wire.Answer, say func(string)) (*answer, error) {
	g := growth{answer: answer{streamed: true}, at: map[int]*part{}}
	heard, done := false, false
	for !done {
		ev, err := got.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if string(ev.Data) == "[DONE]" {
			continue // of gateways
		}
		var e event
		if err := wire.Decode(ev.Data, &e); err != nil {
			return nil, err
		}
		e.Type = cmp.Or(e.Type, ev.Name)
		done = e.Type == "message_stop"
		heard = heard || e.Type != "ping" && e.Type != ""
		if err := g.add(e, say); err != nil {
			return nil, err
		}
		if g.said.Len() > wire.MaxText {
			g.reason = atLimit // nobody waits for the rest
			break
		}
	}
	switch {
	case !heard:
		return nil, fmt.Errorf("%w: a stream without an answer", llm.ErrGarbled)
	case g.reason == "" && !done:
		return nil, llm.ErrCut
	}
	return &g.answer, nil
}

// growth is an answer on its way.
type growth struct {
	answer
	at   map[int]*part // by index, the last of each
	last *part         // for gateways that leave the index out
	size int
}

// add takes an event. One of a kind that is not known says nothing.
func (g *growth) add(e event, say func(string)) error {
	switch e.Type {
	case "message_start":
		g.usage.add(e.Message.Usage)
	case "message_delta":
		g.usage.add(e.Usage)
		g.reason = cmp.Or(e.Delta.Reason, g.reason)
	case "content_block_start":
		return g.begin(e, say)
	case "content_block_delta":
		if p := g.part(e); p != nil {
			return g.grow(p, e, say)
		}
	case "content_block_stop":
		if p := g.part(e); p != nil {
			p.done = true
		}
	}
	return nil
}

func (g *growth) part(e event) *part {
	if e.Index == nil {
		return g.last
	}
	return g.at[*e.Index]
}

// begin begins a part. Some gateways begin one a second time: what it was so far begins
// anew. Whether two calls of one id are one call is for wire.Calls to say.
func (g *growth) begin(e event, say func(string)) error {
	var b piece
	if err := wire.Decode(e.Block, &b); err != nil {
		return err
	}
	p := &part{kind: b.Type, id: b.ID, name: b.Name}
	if b.Type == redactedKind {
		p.raw = e.Block
	}
	if old := g.part(e); old != nil && old.kind == p.kind && old.id == p.id && old.name == p.name && !old.done {
		p = old
		if p.kind == toolUse {
			p.text.Reset()
		}
	} else {
		g.parts = append(g.parts, p)
	}
	if p.kind == toolUse {
		// Empty, and in pieces later; some gateways have all of it here.
		if args := input(b.Input); args != "{}" && args != "null" {
			p.text.WriteString(args)
		}
	}
	g.last = p
	if e.Index != nil {
		g.at[*e.Index] = p
	}
	if b.Type == textKind && b.Text != "" {
		g.said.WriteString(b.Text)
		say(b.Text)
	}
	return nil
}

func (g *growth) grow(p *part, e event, say func(string)) error {
	d := e.Delta
	g.size += len(d.Text) + len(d.JSON) + len(d.Thinking)
	if g.size > wire.MaxAnswer {
		return fmt.Errorf("%w: longer than any answer", llm.ErrGarbled)
	}
	p.signature.WriteString(d.Signature)
	switch {
	case d.Text != "" && p.kind == textKind:
		g.said.WriteString(d.Text)
		say(d.Text)
	case d.JSON != "" && p.kind == toolUse:
		p.text.WriteString(string(d.JSON))
	case d.Thinking != "" && p.kind == thinkingKind:
		p.text.WriteString(d.Thinking)
	}
	return nil
}
