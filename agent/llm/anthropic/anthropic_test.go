package anthropic_test

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
	"hermes/agent/llm/anthropic"
	"hermes/agent/llm/llmtest"
)

func open(t *testing.T, h *llmtest.Handler, change func(*anthropic.Config)) *anthropic.Model {
	t.Helper()
	cfg := anthropic.Config{BaseURL: llmtest.Serve(t, h), APIKey: llmtest.Secret, Model: "scripted"}
	if change != nil {
		change(&cfg)
	}
	return anthropic.New(cfg, nil)
}

func TestModel(t *testing.T) {
	llmtest.TestModel(t, func(t *testing.T, steps ...llmtest.Step) (llm.Model, func() []llmtest.Chat) {
		h := &llmtest.Handler{Steps: steps}
		return open(t, h, nil), h.Heard
	})
}

func TestDeadlines(t *testing.T) {
	llmtest.TestDeadlines(t, func(c *http.Client) llm.Model {
		return anthropic.New(anthropic.Config{BaseURL: "http://model.example", APIKey: llmtest.Secret, Model: "m", HTTP: c}, nil)
	})
}

// The deadlines can be set.
func TestOtherDeadlines(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*anthropic.Config)
		fault  llmtest.Fault
		after  time.Duration
	}{
		"L9 to the first byte":  {func(c *anthropic.Config) { c.FirstByte = 7 * time.Second }, llmtest.Mute, 7 * time.Second},
		"L9 between two pieces": {func(c *anthropic.Config) { c.Idle = 8 * time.Second }, llmtest.Stall, 8 * time.Second},
		"L9 to the end":         {func(c *anthropic.Config) { c.Timeout = 9 * time.Second }, llmtest.Drip, 9 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &llmtest.Handler{Steps: []llmtest.Step{{Text: "Sales rose by a lot", Fault: c.fault}}}
				cfg := anthropic.Config{BaseURL: "http://model.example", Model: "m", HTTP: llmtest.Pipe(t, h)}
				c.change(&cfg)
				began := time.Now()
				_, err := anthropic.New(cfg, nil).Generate(t.Context(), streamed(hello()))
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

// The errors of the vendor, as it writes them.
func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		status     int
		kind, text string
		want       error
	}{
		"overloaded":               {529, "overloaded_error", "Overloaded", llm.ErrBusy},
		"ERR-12 rate limit":        {429, "rate_limit_error", "This request would exceed your organization's rate limit", llm.ErrBusy},
		"its own trouble":          {500, "api_error", "Internal server error", llm.ErrBusy},
		"timeout":                  {504, "timeout_error", "Request timed out", llm.ErrBusy},
		"prompt too long":          {400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", llm.ErrTooLong},
		"prompt and answer":        {400, "invalid_request_error", "input length and `max_tokens` exceed context limit: 199000 + 2048 > 200000", llm.ErrTooLong},
		"request too large":        {413, "request_too_large", "Request exceeds the maximum size", llm.ErrTooLong},
		"key":                      {401, "authentication_error", "invalid x-api-key", llm.ErrRejected},
		"no access":                {403, "permission_error", "Your API key does not have permission to use the resource", llm.ErrRejected},
		"no money":                 {400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API", llm.ErrRejected},
		"spending limit":           {400, "invalid_request_error", "You have reached your specified API usage limits.", llm.ErrRejected},
		"content filter":           {400, "invalid_request_error", "Output blocked by content filtering policy", llm.ErrRefused},
		"a model that there isn't": {404, "not_found_error", "model: claude-nobody", llm.ErrUnfit},
		"a request that is wrong":  {400, "invalid_request_error", "tools.0.name: String should match pattern", llm.ErrUnfit},
	} {
		t.Run(name, func(t *testing.T) {
			body, _ := json.Marshal(map[string]any{"type": "error", "error": map[string]string{"type": c.kind, "message": c.text}})
			h := &llmtest.Handler{Reply: func(llmtest.Chat) llmtest.Step {
				return llmtest.Step{Fault: llmtest.Raw, Status: c.status, Body: string(body)}
			}}
			check := func(err error) {
				t.Helper()
				if c.want != nil && !errors.Is(err, c.want) || err == nil || !strings.Contains(err.Error(), c.kind) {
					t.Errorf("error = %v, want %v", err, c.want)
				}
				for _, kind := range []error{llm.ErrBusy, llm.ErrTooLong, llm.ErrRejected, llm.ErrRefused, llm.ErrUnfit, llm.ErrGarbled} {
					if errors.Is(err, kind) && !errors.Is(c.want, kind) {
						t.Errorf("error = %v, is %v as well", err, kind)
					}
				}
			}
			m := open(t, h, nil)
			_, err := m.Generate(t.Context(), hello())
			check(err)
			_, err = m.Generate(t.Context(), streamed(hello()))
			check(err)
			if len(h.Heard()) != 2 {
				t.Errorf("%d requests for two tries", len(h.Heard()))
			}
			if c.want == nil {
				return
			}
			// The same in the middle of a stream.
			events := "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{}}\n\nevent: error\ndata: " + string(body) + "\n\n"
			h.Reply = func(llmtest.Chat) llmtest.Step {
				return llmtest.Step{Fault: llmtest.Raw, Body: events, Mime: "text/event-stream"}
			}
			if _, err := m.Generate(t.Context(), streamed(hello())); c.kind != "invalid_request_error" && !errors.Is(err, c.want) {
				t.Errorf("late in a stream: error = %v, want %v", err, c.want)
			}
		})
	}
}

// The reasons to stop that are not the end of an answer.
func TestReasons(t *testing.T) {
	for name, c := range map[string]struct {
		step llmtest.Step
		want error
	}{
		"an answer that reached its limit is one": {llmtest.Step{Text: "Sales rose", Finish: "max_tokens"}, nil},
		"the limit before any text":               {llmtest.Step{Finish: "max_tokens"}, llm.ErrGarbled},
		"the limit within the thought":            {llmtest.Step{Thought: "Well,", Finish: "max_tokens"}, llm.ErrGarbled},
		"refusal":                                 {llmtest.Step{Finish: "refusal"}, llm.ErrRefused},
		"refusal after some words":                {llmtest.Step{Text: "To begin", Finish: "refusal"}, llm.ErrRefused},
		"the window is full":                      {llmtest.Step{Finish: "model_context_window_exceeded"}, llm.ErrTooLong},
		"a stop sequence":                         {llmtest.Step{Text: "ok", Finish: "stop_sequence"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []llm.Request{hello(), streamed(hello())} {
				m := open(t, &llmtest.Handler{Steps: []llmtest.Step{c.step}}, nil)
				got, err := m.Generate(t.Context(), r)
				if !errors.Is(err, c.want) || c.want == nil && got.Message.Text != c.step.Text {
					t.Errorf("reply %+v, error %v, want %v", got, err, c.want)
				}
			}
		})
	}
	t.Run("a call of the limit may be half of one", func(t *testing.T) {
		// At once, the vendor closes what the model has left open.
		step := llmtest.Step{Finish: "max_tokens", Calls: []llm.Call{{ID: "a", Name: "t", Args: json.RawMessage(`{"text":"half"}`)}}}
		for i, r := range []llm.Request{hello(), streamed(hello())} {
			m := open(t, &llmtest.Handler{Steps: []llmtest.Step{step}}, nil)
			got, err := m.Generate(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if unread := strings.Contains(string(got.Message.Calls[0].Args), llm.Unreadable); unread != (i == 0) {
				t.Errorf("%d: arguments %s", i, got.Message.Calls[0].Args)
			}
		}
	})
}

// Input is all input: what was read from the cache, what went into it, and the rest.
func TestUsage(t *testing.T) {
	const use = `{"input_tokens":7,"cache_read_input_tokens":1000,"cache_creation_input_tokens":200,"output_tokens":30}`
	want := llm.Usage{In: 1207, Out: 30, Cached: 1000}
	for name, s := range map[string]llmtest.Step{
		"at once": {Fault: llmtest.Raw, Body: `{"type":"message","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn","usage":` + use + `}`},
		"streamed, the answer's at its end": {Fault: llmtest.Raw, Mime: "text/event-stream", Body: `data: {"type":"message_start","message":{"usage":` + strings.Replace(use, "30", "1", 1) + `}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"ok"}}

data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":30}}

`},
		"streamed, all at its end": {Fault: llmtest.Raw, Mime: "text/event-stream", Body: `data: {"type":"message_start","message":{"usage":{"input_tokens":9}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"ok"}}

data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":` + use + `}

data: {"type":"message_stop"}`},
	} {
		t.Run(name, func(t *testing.T) {
			r := hello()
			if s.Mime != "" {
				r = streamed(r)
			}
			got, err := open(t, &llmtest.Handler{Steps: []llmtest.Step{s}}, nil).Generate(t.Context(), r)
			if err != nil || got.Usage != want || got.Message.Text != "ok" {
				t.Errorf("EXIT-16 reply %+v, %v; want %+v", got, err, want)
			}
		})
	}
}

// What a vendor quotes of a conversation, or of the key, is in no error and no log.
func TestNothingIsTold(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug}))
	h := &llmtest.Handler{Reply: func(c llmtest.Chat) llmtest.Step {
		return llmtest.Step{Status: 500, Message: "cannot serve " + c.Key + " who says " + c.Last("user") + " to " + c.Last("system")}
	}}
	m := anthropic.New(anthropic.Config{BaseURL: llmtest.Serve(t, h), APIKey: llmtest.Secret, Model: "scripted"}, log)
	for _, r := range []llm.Request{
		{Messages: []llm.Message{{Role: llm.User, Text: "我的工资是三万五千元，请保密"}}},
		{System: "You are Hermes. Known: 我的工资是三万五千元，请保密", Fixed: 16, Messages: []llm.Message{{Role: llm.User, Text: "q"}}},
	} {
		_, err := m.Generate(t.Context(), r)
		if !errors.Is(err, llm.ErrBusy) {
			t.Errorf("error = %v", err)
		}
		for _, s := range []string{llmtest.Secret, "三万五千", "保密"} {
			if strings.Contains(b.String(), s) || strings.Contains(err.Error(), s) {
				t.Errorf("%q stands in %s or in %v", s, b.String(), err)
			}
		}
	}
}

// The URL may be written with the version or without.
func TestBaseURL(t *testing.T) {
	h := &llmtest.Handler{Reply: func(llmtest.Chat) llmtest.Step { return llmtest.Step{Text: "ok"} }}
	base := llmtest.Serve(t, h)
	for _, url := range []string{base, base + "/", strings.TrimSuffix(base, "/v1"), strings.TrimSuffix(base, "v1")} {
		m := anthropic.New(anthropic.Config{BaseURL: url, Model: "m"}, nil)
		if _, err := m.Generate(t.Context(), hello()); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
}
