package anthropic_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hermes/agent/llm"
	"hermes/agent/llm/anthropic"
	"hermes/agent/llm/llmtest"
	"hermes/agent/llm/wire"
)

// A stream that begins again after a broken connection makes no call twice, and none
// out of pieces of two.
func TestCallOnceL13(t *testing.T) {
	const (
		start = `data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"post","input":{}}}` + "\n\n"
		one   = `data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"to\":"}}` + "\n\n"
		two   = `data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\"#sales\"}"}}` + "\n\n"
		stop  = `data: {"type":"content_block_stop","index":1}` + "\n\n"
		end   = `data: {"type":"message_delta","delta":{"stop_reason":"tool_use"}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n"
	)
	for name, body := range map[string]string{
		"after the call":        start + one + two + stop + start + one + two + stop + end,
		"within the call":       start + one + start + one + two + stop + end,
		"within the second":     start + one + two + stop + start + one + end,
		"under another index":   start + one + two + stop + strings.ReplaceAll(start+one+two+stop, `"index":1`, `"index":2`) + end,
		"after the whole":       start + one + two + stop + end + start + one + two + stop + end,
		"without the last stop": start + one + two + end,
	} {
		t.Run(name, func(t *testing.T) {
			h := &llmtest.Handler{Steps: []llmtest.Step{{Fault: llmtest.Raw, Mime: "text/event-stream", Body: body}}}
			got, err := open(t, h, nil).Generate(t.Context(), streamed(hello()))
			if err != nil || len(got.Message.Calls) != 1 || string(got.Message.Calls[0].Args) != `{"to":"#sales"}` {
				t.Errorf("reply %+v, %v; want one call", got, err)
			}
		})
	}
}

// A stream that ends like any other, but in the middle, is no answer, nor is one that
// never ends.
func TestStreamThatIsNoAnswer(t *testing.T) {
	const start = `data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n"
	const stop = `data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}` + "\n\n"
	piece := func(s string) string {
		return `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + s + `"}}` + "\n\n"
	}
	for name, c := range map[string]struct {
		body string
		want error
	}{
		"it ends in the middle":  {start + piece("Sales rose by"), llm.ErrBusy},
		"it says nothing":        {"event: ping\ndata: {\"type\":\"ping\"}\n\n", llm.ErrGarbled},
		"it is over at once":     {stop, llm.ErrGarbled},
		"it is no JSON":          {"event: content_block_start\ndata: Sales\n\n", llm.ErrGarbled},
		"a block without a kind": {`data: {"type":"content_block_start","index":0}` + "\n\n", llm.ErrGarbled},
		"it thinks too long":     {start + strings.Repeat(strings.Replace(piece(strings.Repeat("x", 500_000)), `"text":`, `"thinking":`, 1), 12) + stop, llm.ErrGarbled},
	} {
		t.Run(name, func(t *testing.T) {
			h := &llmtest.Handler{Steps: []llmtest.Step{{Fault: llmtest.Raw, Body: c.body, Mime: "text/event-stream"}}}
			if r, err := open(t, h, nil).Generate(t.Context(), streamed(hello())); !errors.Is(err, c.want) {
				t.Errorf("reply of %d bytes, error %v; want %v", len(r.Message.Text), err, c.want)
			}
		})
	}
	t.Run("L9 one that never ends is cut where nobody reads on", func(t *testing.T) {
		body := start + strings.Repeat(piece(strings.Repeat("x", 100_000)), 600) // without a stop
		h := &llmtest.Handler{Steps: []llmtest.Step{{Fault: llmtest.Raw, Body: body, Mime: "text/event-stream"}}}
		r, err := open(t, h, nil).Generate(t.Context(), streamed(hello()))
		if err != nil || !r.Cut || len(r.Message.Text) != wire.MaxText || r.Usage.Out < 10_000 {
			t.Errorf("%d bytes, cut %t, %+v, %v", len(r.Message.Text), r.Cut, r.Usage, err)
		}
	})
	t.Run("what is not known is passed over", func(t *testing.T) {
		body := start + `data: {"type":"news","index":0}` + "\n\n" + piece("ok") +
			`data: {"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":"of nothing"}}` + "\n\n" +
			`data: {"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{}}}` + "\n\n" + stop + "data: [DONE]\n\n"
		h := &llmtest.Handler{Steps: []llmtest.Step{{Fault: llmtest.Raw, Body: body, Mime: "text/event-stream"}}}
		if r, err := open(t, h, nil).Generate(t.Context(), streamed(hello())); err != nil || r.Message.Text != "ok" {
			t.Errorf("reply %+v, %v", r, err)
		}
	})
}

// Whatever events come in whatever order, an answer is one or an error: what was
// streamed is its text, and no call is there twice, without a name, or with arguments
// that are no object.
func TestAnyStreamL13(t *testing.T) {
	var body string
	h := &llmtest.Handler{Reply: func(llmtest.Chat) llmtest.Step {
		return llmtest.Step{Fault: llmtest.Raw, Body: body, Mime: "text/event-stream"}
	}}
	m := anthropic.New(anthropic.Config{BaseURL: "http://model.example", Model: "m", HTTP: llmtest.Pipe(t, h)}, nil)
	event := rapid.Custom(func(t *rapid.T) string {
		e := map[string]any{"type": rapid.SampledFrom([]string{
			"message_start", "content_block_start", "content_block_start", "content_block_delta", "content_block_delta", "content_block_delta",
			"content_block_stop", "message_delta", "ping",
		}).Draw(t, "type")}
		if rapid.Bool().Draw(t, "indexed") {
			e["index"] = rapid.IntRange(0, 2).Draw(t, "index")
		}
		switch e["type"] {
		case "content_block_start":
			e["content_block"] = rapid.SampledFrom([]map[string]any{
				{"type": "text", "text": ""}, {"type": "text", "text": "a"}, {"type": "thinking"}, {"type": "redacted_thinking", "data": "x"},
				{"type": "tool_use", "id": "a", "name": "t"}, {"type": "tool_use", "id": "b", "name": "t"}, {"type": "tool_use"}, {},
			}).Draw(t, "block")
		case "content_block_delta":
			e["delta"] = rapid.SampledFrom([]map[string]any{
				{"type": "text_delta", "text": "b"}, {"type": "input_json_delta", "partial_json": `{"n":`}, {"type": "input_json_delta", "partial_json": `1}`},
				{"type": "thinking_delta", "thinking": "c"}, {"type": "signature_delta", "signature": "s"}, {},
			}).Draw(t, "delta")
		case "message_delta":
			e["delta"] = map[string]any{"stop_reason": rapid.SampledFrom([]any{nil, "end_turn", "tool_use", "max_tokens", "new"}).Draw(t, "reason")}
		}
		b, _ := json.Marshal(e)
		return "data: " + string(b) + "\n\n"
	})
	rapid.Check(t, func(rt *rapid.T) {
		body = strings.Join(rapid.SliceOfN(event, 0, 12).Draw(rt, "events"), "")
		var said strings.Builder
		r := hello()
		r.Stream = func(s string) { said.WriteString(s) }
		got, err := m.Generate(t.Context(), r)
		if err != nil {
			return
		}
		if got.Message.Text != said.String() {
			rt.Errorf("text %q, streamed %q", got.Message.Text, said.String())
		}
		if strings.TrimSpace(got.Message.Text) == "" && len(got.Message.Calls) == 0 {
			rt.Errorf("an answer that says nothing")
		}
		seen := map[string]bool{}
		for _, c := range got.Message.Calls {
			var object map[string]any
			if seen[c.ID] || c.Name == "" || json.Unmarshal(c.Args, &object) != nil {
				rt.Errorf("call %+v", c)
			}
			seen[c.ID] = true
		}
		// Of two under one id none is the other, or what a stream has left of it.
		for i, c := range got.Message.Calls {
			for _, d := range got.Message.Calls[:i] {
				if id, _, _ := strings.Cut(c.ID, "-"); (id == "a" || id == "b") && strings.HasPrefix(d.ID, id) && (strings.HasPrefix(wrote(c), wrote(d)) || strings.HasPrefix(wrote(d), wrote(c))) {
					rt.Errorf("L13 a call twice: %s with %s, %s with %s", d.ID, d.Args, c.ID, c.Args)
				}
			}
		}
	})
}

// wrote is what a model wrote as arguments.
func wrote(c llm.Call) string {
	var not map[string]string
	if json.Unmarshal(c.Args, &not) == nil && not[llm.Unreadable] != "" {
		text, _, _ := strings.Cut(not[llm.Unreadable], " … (cut off")
		return text
	}
	if string(c.Args) == "{}" {
		return ""
	}
	return string(c.Args)
}

// L13 What a stream has left of a call, under its id, is no second call, at the limit of
// tokens neither; two calls to which a vendor gives one id are two.
func TestL13RemainsOfACallAreNoCall(t *testing.T) {
	start := func(index string) string {
		return `data: {"type":"content_block_start",` + index + `"content_block":{"type":"tool_use","id":"a","name":"t","input":{}}}` + "\n\n"
	}
	piece := func(index, json string) string {
		return `data: {"type":"content_block_delta",` + index + `"delta":{"type":"input_json_delta","partial_json":` + json + `}}` + "\n\n"
	}
	end := func(reason string) string {
		return `data: {"type":"message_delta","delta":{"stop_reason":"` + reason + `"}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n"
	}
	const zero, one = `"index":0,`, `"index":1,`
	for name, tt := range map[string]struct {
		body string
		want string // arguments, what is not readable as ?
	}{
		"begun twice, then cut off":          {start("") + start(zero) + end("max_tokens"), "?"},
		"begun, then cut off within it":      {start("") + start(zero) + piece(zero, `"{\"n\":"`) + end("max_tokens"), "?"},
		"whole, and again within the next":   {start(zero) + piece(zero, `"{\"n\":1}"`) + start(one) + piece(one, `"{\"n\":1}"`) + piece(one, `"{\"n\":1}"`) + end("tool_use"), `{"n":1}`},
		"whole, and begun once more with it": {start(zero) + piece(zero, `"{\"n\":1}"`) + start(one) + piece(one, `"{\"n\":1}"`) + piece(one, `"{\"n\":"`) + end("tool_use"), `{"n":1}`},
		"two calls":                          {start(zero) + piece(zero, `"{\"n\":1}"`) + start(one) + piece(one, `"{\"n\":2}"`) + end("tool_use"), `{"n":1} {"n":2}`},
		"two calls, the second cut off":      {start(zero) + piece(zero, `"{\"n\":1}"`) + start(one) + piece(one, `"{\"m\":"`) + end("max_tokens"), `{"n":1} ?`},
	} {
		t.Run(name, func(t *testing.T) {
			h := &llmtest.Handler{Steps: []llmtest.Step{{Fault: llmtest.Raw, Mime: "text/event-stream", Body: tt.body}}}
			got, err := open(t, h, nil).Generate(t.Context(), streamed(hello()))
			var args []string
			for _, c := range got.Message.Calls {
				if strings.Contains(string(c.Args), llm.Unreadable) {
					args = append(args, "?")
					continue
				}
				args = append(args, string(c.Args))
			}
			if got := strings.Join(args, " "); err != nil || got != tt.want {
				t.Errorf("calls with %s, %v; want %s", got, err, tt.want)
			}
		})
	}
}
