package openai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/llm/openai"
)

var noon = time.Date(2026, 11, 3, 12, 0, 0, 0, time.UTC)

// naps notes how long a Model would have slept.
type naps struct {
	mu  sync.Mutex
	all []time.Duration
}

func (n *naps) sleep(ctx context.Context, d time.Duration) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = append(n.all, d)
	return ctx.Err()
}

func open(t *testing.T, h *llmtest.Handler, change func(*openai.Config)) (*openai.Model, *naps) {
	n := &naps{}
	cfg := openai.Config{
		BaseURL: llmtest.Serve(t, h), APIKey: llmtest.Secret, Model: "scripted",
		Now: func() time.Time { return noon }, Sleep: n.sleep,
	}
	if change != nil {
		change(&cfg)
	}
	return openai.New(cfg, nil), n
}

func TestModel(t *testing.T) {
	llmtest.TestModel(t, func(t *testing.T, steps ...llmtest.Step) (llm.Model, func() []llmtest.Chat) {
		h := &llmtest.Handler{Steps: steps}
		m, _ := open(t, h, nil)
		return m, h.Heard
	})
}

func hello() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}}
}

func streamed(r llm.Request) llm.Request {
	r.Stream = func(string) {}
	return r
}

func TestDeadlines(t *testing.T) {
	short := func(c *openai.Config) { c.FirstByte = 20 * time.Millisecond }
	total := func(c *openai.Config) { c.Timeout = 40 * time.Millisecond }
	for name, c := range map[string]struct {
		fault  llmtest.Fault
		change func(*openai.Config)
		r      llm.Request
		want   string
	}{
		"L9 a stream without headers":      {llmtest.Hang, short, streamed(hello()), "first byte"},
		"L9 a stream without a first byte": {llmtest.Mute, short, streamed(hello()), "first byte"},
		"L9 a stream that drips":           {llmtest.Drip, total, streamed(hello()), "complete answer"},
		"L9 an answer that never comes":    {llmtest.Hang, total, hello(), "complete answer"},
		"L9 an answer that drips":          {llmtest.Drip, total, hello(), "complete answer"},
	} {
		t.Run(name, func(t *testing.T) {
			h := &llmtest.Handler{Reply: func(llmtest.Chat) llmtest.Step { return llmtest.Step{Fault: c.fault} }}
			m, _ := open(t, h, c.change)
			_, err := m.Generate(t.Context(), c.r)
			if !errors.Is(err, llm.ErrBusy) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error = %v, want ErrBusy for want of a %s", err, c.want)
			}
			if n := len(h.Heard()); n != 1 {
				t.Errorf("asked %d times: who has waited in vain does not wait again", n)
			}
		})
	}
	t.Run("a stream may be slow once it has begun", func(t *testing.T) {
		h := &llmtest.Handler{Reply: func(llmtest.Chat) llmtest.Step { return llmtest.Step{Text: strings.Repeat("word ", 50)} }}
		m, _ := open(t, h, func(c *openai.Config) { c.FirstByte = time.Minute })
		if _, err := m.Generate(t.Context(), streamed(hello())); err != nil {
			t.Error(err)
		}
	})
}

func TestRetryAfter(t *testing.T) {
	for name, c := range map[string]struct {
		header string
		slept  []time.Duration
		wait   time.Duration // of the WaitError
	}{
		"seconds":        {"3", []time.Duration{3 * time.Second, 3 * time.Second}, 3 * time.Second},
		"a date":         {noon.Add(7 * time.Second).Format(http.TimeFormat), []time.Duration{7 * time.Second, 7 * time.Second}, 7 * time.Second},
		"a date long by": {noon.Add(-time.Hour).Format(http.TimeFormat), []time.Duration{0, 0}, 0},
		"ten seconds":    {"10", []time.Duration{10 * time.Second, 10 * time.Second}, 10 * time.Second},
		"eleven":         {"11", nil, 11 * time.Second},
		"a date too far": {noon.Add(time.Hour).Format(http.TimeFormat), nil, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			h := &llmtest.Handler{Reply: func(llmtest.Chat) llmtest.Step { return llmtest.Step{Status: 429, RetryAfter: c.header} }}
			m, n := open(t, h, nil)
			_, err := m.Generate(t.Context(), hello())
			var wait *llm.WaitError
			if !errors.As(err, &wait) || wait.After != c.wait || !errors.Is(err, llm.ErrBusy) {
				t.Errorf("error = %v", err)
			}
			if len(n.all) != len(c.slept) || len(c.slept) > 0 && (n.all[0] != c.slept[0] || n.all[1] != c.slept[1]) {
				t.Errorf("slept %v, want %v", n.all, c.slept)
			}
		})
	}
	t.Run("without one the pauses grow", func(t *testing.T) {
		h := &llmtest.Handler{Reply: func(llmtest.Chat) llmtest.Step { return llmtest.Step{Status: 503, RetryAfter: "soon"} }}
		m, n := open(t, h, nil)
		_, err := m.Generate(t.Context(), hello())
		if !errors.Is(err, llm.ErrBusy) || len(n.all) != 2 || n.all[0] >= n.all[1] {
			t.Errorf("error %v, slept %v", err, n.all)
		}
	})
}

func TestRequest(t *testing.T) {
	heard := func(t *testing.T, model string, r llm.Request) map[string]any {
		h := &llmtest.Handler{Steps: []llmtest.Step{{Text: "ok"}}}
		m, _ := open(t, h, func(c *openai.Config) { c.MaxTokens, c.Model = 500, model })
		if _, err := m.Generate(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		var body map[string]any
		if err := json.Unmarshal(h.Heard()[0].Body, &body); err != nil {
			t.Fatal(err)
		}
		return body
	}
	t.Run("a stream says what it costs", func(t *testing.T) {
		body := heard(t, "m", streamed(hello()))
		if o, _ := body["stream_options"].(map[string]any); body["stream"] != true || o["include_usage"] != true {
			t.Errorf("body %v", body)
		}
	})
	t.Run("without a stream there are no options of one", func(t *testing.T) {
		if body := heard(t, "m", hello()); body["stream"] == true || body["stream_options"] != nil {
			t.Errorf("body %v", body)
		}
	})
	t.Run("the limit of tokens has two names", func(t *testing.T) {
		if body := heard(t, "qwen3", hello()); body["max_tokens"] != 500.0 || body["max_completion_tokens"] != nil {
			t.Errorf("body %v", body)
		}
		if body := heard(t, "gpt-5-mini", hello()); body["max_tokens"] != nil || body["max_completion_tokens"] != 500.0 {
			t.Errorf("body %v", body)
		}
	})
	t.Run("a tool without a schema has an empty one", func(t *testing.T) {
		r := hello()
		r.Tools = []llm.Tool{{Name: "t"}}
		b, _ := json.Marshal(heard(t, "m", r)["tools"])
		if !strings.Contains(string(b), `"type":"object"`) {
			t.Errorf("tools %s", b)
		}
	})
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
		"many comments before them": {Fault: llmtest.Raw, Body: strings.Repeat(": wait\n\n", 900) + events, Mime: "text/event-stream"},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := open(t, &llmtest.Handler{Steps: []llmtest.Step{s}}, nil)
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

func TestLogHasNoSecret(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug}))
	h := &llmtest.Handler{Reply: func(c llmtest.Chat) llmtest.Step {
		return llmtest.Step{Status: 500, Message: "cannot serve " + c.Key + " who says " + c.Last("user")}
	}}
	m := openai.New(openai.Config{
		BaseURL: llmtest.Serve(t, h), APIKey: llmtest.Secret, Model: "scripted", Sleep: (&naps{}).sleep,
	}, log)
	_, err := m.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "我的工资是三万五千元，请保密"}}})
	for _, s := range []string{llmtest.Secret, "三万五千", "保密"} {
		if strings.Contains(b.String(), s) || strings.Contains(err.Error(), s) {
			t.Errorf("%q stands in %s or in %v", s, b.String(), err)
		}
	}
	if b.Len() == 0 {
		t.Error("tries are not logged")
	}
}

func TestUnreachable(t *testing.T) {
	m := openai.New(openai.Config{BaseURL: "http://127.0.0.1:1/v1?key=" + llmtest.Secret, APIKey: llmtest.Secret, Model: "m", Sleep: (&naps{}).sleep}, nil)
	if _, err := m.Generate(t.Context(), hello()); !errors.Is(err, llm.ErrBusy) || strings.Contains(err.Error(), llmtest.Secret) {
		t.Errorf("error = %v, want ErrBusy", err)
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
	m, _ := open(t, h, nil)
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
