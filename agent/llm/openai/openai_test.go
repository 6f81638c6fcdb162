package openai_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/llm/openai"
	"hermes/agent/llm/wire"
)

func open(t *testing.T, h *llmtest.Handler, change func(*openai.Config)) *openai.Model {
	t.Helper()
	cfg := openai.Config{BaseURL: llmtest.Serve(t, h), APIKey: llmtest.Secret, Model: "scripted"}
	if change != nil {
		change(&cfg)
	}
	return openai.New(cfg, nil)
}

func TestModel(t *testing.T) {
	llmtest.TestModel(t, func(t *testing.T, steps ...llmtest.Step) (llm.Model, func() []llmtest.Chat) {
		h := &llmtest.Handler{Steps: steps}
		return open(t, h, nil), h.Heard
	})
}

func TestDeadlines(t *testing.T) {
	llmtest.TestDeadlines(t, func(c *http.Client) llm.Model {
		return openai.New(openai.Config{BaseURL: "http://model.example", APIKey: llmtest.Secret, Model: "m", HTTP: c}, nil)
	})
}

// The deadlines can be set.
func TestOtherDeadlines(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*openai.Config)
		fault  llmtest.Fault
		after  time.Duration
	}{
		"L9 to the first byte":            {func(c *openai.Config) { c.FirstByte = 7 * time.Second }, llmtest.Mute, 7 * time.Second},
		"L9 between two pieces":           {func(c *openai.Config) { c.Idle = 8 * time.Second }, llmtest.Stall, 8 * time.Second},
		"L9 to the end":                   {func(c *openai.Config) { c.Timeout = 9 * time.Second }, llmtest.Drip, 9 * time.Second},
		"one that thinks may be silent":   {func(c *openai.Config) { c.Model = "gpt-5" }, llmtest.Mute, 120 * time.Second},
		"as long as it is given":          {func(c *openai.Config) { c.Model, c.Timeout = "gpt-5", time.Hour }, llmtest.Mute, time.Hour},
		"unless it is told when to begin": {func(c *openai.Config) { c.Model, c.FirstByte = "gpt-5", time.Minute }, llmtest.Mute, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &llmtest.Handler{Steps: []llmtest.Step{{Text: "Sales rose by a lot", Fault: c.fault}}}
				cfg := openai.Config{BaseURL: "http://model.example", Model: "m", HTTP: llmtest.Pipe(t, h)}
				c.change(&cfg)
				began := time.Now()
				_, err := openai.New(cfg, nil).Generate(t.Context(), streamed(hello()))
				if took := time.Since(began); !errors.Is(err, llm.ErrSlow) || took != c.after {
					t.Errorf("error %v after %s, want %s", err, took, c.after)
				}
			})
		})
	}
}

func hello() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}}
}

func streamed(r llm.Request) llm.Request {
	r.Stream = func(string) {}
	return r
}

// Servers that cannot stream answer at once, and some under another type.
func TestStreamThatIsNone(t *testing.T) {
	whole := `{"choices":[{"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`
	events := "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	for name, s := range map[string]llmtest.Step{
		"an answer at once":         {Fault: llmtest.Raw, Body: whole, Mime: "application/json"},
		"events of the wrong type":  {Fault: llmtest.Raw, Body: events, Mime: "text/plain"},
		"events with CR":            {Fault: llmtest.Raw, Body: strings.ReplaceAll(events, "\n", "\r\n"), Mime: "text/event-stream"},
		"events without a space":    {Fault: llmtest.Raw, Body: strings.ReplaceAll(events, "data: ", "data:"), Mime: "text/event-stream"},
		"no empty line at the end":  {Fault: llmtest.Raw, Body: strings.TrimSpace(strings.ReplaceAll(events, "data: [DONE]", "")), Mime: "text/event-stream"},
		"no empty line between":     {Fault: llmtest.Raw, Body: strings.ReplaceAll(events, "\n\n", "\n"), Mime: "text/event-stream"},
		"done without a reason":     {Fault: llmtest.Raw, Body: strings.ReplaceAll(events, `"stop"`, "null"), Mime: "text/event-stream"},
		"many comments before them": {Fault: llmtest.Raw, Body: strings.Repeat(": wait\n\n", 900) + events, Mime: "text/event-stream"},
	} {
		t.Run(name, func(t *testing.T) {
			m := open(t, &llmtest.Handler{Steps: []llmtest.Step{s}}, nil)
			var b strings.Builder
			r := hello()
			r.Stream = func(p string) { b.WriteString(p) }
			got, err := m.Generate(t.Context(), r)
			if err != nil || got.Message.Text != "ok" || b.String() != "ok" {
				t.Errorf("reply %+v, %v, streamed %q", got, err, b.String())
			}
		})
	}
}

// A stream that ends like any other, but in the middle, is no answer, nor is one that
// never ends.
func TestStreamThatIsNoAnswer(t *testing.T) {
	piece := func(s string) string { return `data: {"choices":[{"delta":{"content":"` + s + `"}}]}` + "\n\n" }
	for name, c := range map[string]struct {
		body string
		want error
	}{
		"it ends in the middle": {piece("Sales rose by"), llm.ErrBusy},
		"it says nothing":       {": wait\n\n", llm.ErrGarbled},
		"it is done at once":    {"data: [DONE]\n\n", llm.ErrGarbled},
		"it is no JSON":         {"data: Sales\n\n", llm.ErrGarbled},
		"it thinks too long":    {strings.Repeat(strings.Replace(piece(strings.Repeat("x", 500_000)), `"content":`, `"reasoning_content":`, 1), 12) + "data: [DONE]\n\n", llm.ErrGarbled},
	} {
		t.Run(name, func(t *testing.T) {
			h := &llmtest.Handler{Steps: []llmtest.Step{{Fault: llmtest.Raw, Body: c.body, Mime: "text/event-stream"}}}
			if r, err := open(t, h, nil).Generate(t.Context(), streamed(hello())); !errors.Is(err, c.want) {
				t.Errorf("reply of %d bytes, error %v; want %v", len(r.Message.Text), err, c.want)
			}
		})
	}
	t.Run("L9 one that never ends is cut where nobody reads on", func(t *testing.T) {
		body := strings.Repeat(piece(strings.Repeat("x", 100_000)), 600) // without a stop
		h := &llmtest.Handler{Steps: []llmtest.Step{{Fault: llmtest.Raw, Body: body, Mime: "text/event-stream"}}}
		r, err := open(t, h, nil).Generate(t.Context(), streamed(hello()))
		if err != nil || !r.Cut || len(r.Message.Text) != wire.MaxText {
			t.Errorf("%d bytes, cut %t, %v", len(r.Message.Text), r.Cut, err)
		}
	})
}

// What a vendor quotes of a conversation, or of the key, is in no error and no log.
func TestNothingIsTold(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug}))
	h := &llmtest.Handler{Reply: func(c llmtest.Chat) llmtest.Step {
		return llmtest.Step{Status: 500, Message: "cannot serve " + c.Key + " who says " + c.Last("user")}
	}}
	m := openai.New(openai.Config{BaseURL: llmtest.Serve(t, h), APIKey: llmtest.Secret, Model: "scripted"}, log)
	_, err := m.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "我的工资是三万五千元，请保密"}}})
	for _, s := range []string{llmtest.Secret, "三万五千", "保密"} {
		if strings.Contains(b.String(), s) || strings.Contains(err.Error(), s) {
			t.Errorf("%q stands in %s or in %v", s, b.String(), err)
		}
	}
}

func TestUnreachable(t *testing.T) {
	m := openai.New(openai.Config{BaseURL: "http://someone:password@127.0.0.1:1/v1?token=hush&key=" + llmtest.Secret, APIKey: llmtest.Secret, Model: "m"}, nil)
	_, err := m.Generate(t.Context(), hello())
	if !errors.Is(err, llm.ErrBusy) || strings.Contains(err.Error(), llmtest.Secret) || strings.Contains(err.Error(), "password") || strings.Contains(err.Error(), "hush") || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Errorf("ERR-22 error = %v, want ErrBusy with the host alone", err)
	}
}

// A conversation with tools, as the loop has it.
func TestRound(t *testing.T) {
	h := &llmtest.Handler{Reply: func(c llmtest.Chat) llmtest.Step {
		if r := c.Results("add"); len(r) > 0 {
			return llmtest.Step{Text: "It is " + r[0] + "."}
		}
		return llmtest.Step{Calls: []llm.Call{{ID: "c1", Name: "add", Args: json.RawMessage(`{"a":2,"b":3}`)}}}
	}}
	m := open(t, h, nil)
	r := streamed(hello())
	first, err := m.Generate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	r.Messages = append(r.Messages, first.Message, llm.Message{Role: llm.User, Results: []llm.Result{{ID: first.Message.Calls[0].ID, Text: "5"}}})
	if got, err := m.Generate(t.Context(), r); err != nil || got.Message.Text != "It is 5." {
		t.Errorf("reply %+v, %v", got, err)
	}
}
