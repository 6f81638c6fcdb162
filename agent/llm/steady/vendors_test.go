package steady_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/anthropic"
	"hermes/agent/llm/llmtest"
	"hermes/agent/llm/openai"
	"hermes/agent/llm/steady"
)

// The whole way, from a request to HTTP and back: what a vendor does in its bad hours
// is slept through, to the second.
func TestVendors(t *testing.T) {
	vendors := map[string]func(*http.Client) llm.Model{
		"openai": func(c *http.Client) llm.Model {
			return openai.New(openai.Config{BaseURL: "http://model.example/v1", Model: "m", HTTP: c}, nil)
		},
		"anthropic": func(c *http.Client) llm.Model {
			return anthropic.New(anthropic.Config{BaseURL: "http://model.example", Model: "m", HTTP: c}, nil)
		},
	}
	text := llmtest.Step{Text: "Sales rose.", Usage: llm.Usage{In: 1000, Out: 100}}
	for name, c := range map[string]struct {
		steps []llmtest.Step
		took  time.Duration
		asked int
		fails bool
	}{
		"ERR-22 503 twice":                        {[]llmtest.Step{{Status: 503}, {Status: 503}, text}, 3 * time.Second, 3, false},
		"ERR-22 no connection twice":              {[]llmtest.Step{{Fault: llmtest.Reset}, {Fault: llmtest.Reset}, text}, 3 * time.Second, 3, false},
		"ERR-12 Retry-After wins":                 {[]llmtest.Step{{Status: 429, RetryAfter: "7"}, text}, 7 * time.Second, 2, false},
		"a body that is no answer":                {[]llmtest.Step{{Fault: llmtest.Raw, Body: "all is well"}, text}, time.Second, 2, false},
		"an empty answer is the caller's to mend": {[]llmtest.Step{{}, text}, 0, 1, true},
		"L2 429 for ever":                         {[]llmtest.Step{{Status: 429}, {Status: 429}, {Status: 429}, {Status: 429}}, 3 * time.Second, 3, true},
		"L9 a server that hangs":                  {[]llmtest.Step{{Fault: llmtest.Hang}, text}, 30 * time.Second, 1, true},
		"credentials":                             {[]llmtest.Step{{Status: 401}, text}, 0, 1, true},
		"cut off after some words":                {[]llmtest.Step{{Text: "Sales rose by a lot, really", Fault: llmtest.Cut}, text}, time.Second, 2, false},
	} {
		for vendor, open := range vendors {
			t.Run(name+": "+vendor, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					h := &llmtest.Handler{Steps: c.steps}
					m := steady.New(open(llmtest.Pipe(t, h)), steady.Config{Price: steady.Price{In: 0.003, Out: 0.015}}, nil)
					var said strings.Builder
					began := time.Now()
					r, err := m.Generate(t.Context(), llm.Request{
						Messages: []llm.Message{{Role: llm.User, Text: "sales?"}},
						Stream: func(s string) {
							if s == "" {
								said.Reset()
							}
							said.WriteString(s)
						},
					})
					if took := time.Since(began); took != c.took || len(h.Heard()) != c.asked {
						t.Errorf("%d requests in %s, want %d in %s", len(h.Heard()), took, c.asked, c.took)
					}
					if c.fails {
						if err == nil || r.Message.Text != "" {
							t.Errorf("reply %+v, no error", r)
						}
						return
					}
					if err != nil || r.Message.Text != text.Text || said.String() != text.Text || r.Usage.Nanos != 4_500_000 {
						t.Errorf("reply %+v, %v, streamed %q", r, err, said.String())
					}
				})
			})
		}
	}
}

// Issue 3: an answer that breaks off in its middle, try after try, is told from a model
// that is not there: it may be of this one request.
func TestAnAnswerThatBreaksOffIsNoOutage(t *testing.T) {
	for name, open := range map[string]func(*http.Client) llm.Model{
		"openai": func(c *http.Client) llm.Model {
			return openai.New(openai.Config{BaseURL: "http://model.example/v1", Model: "m", HTTP: c}, nil)
		},
		"anthropic": func(c *http.Client) llm.Model {
			return anthropic.New(anthropic.Config{BaseURL: "http://model.example", Model: "m", HTTP: c}, nil)
		},
	} {
		for fault, want := range map[llmtest.Fault]bool{llmtest.Cut: true, llmtest.Reset: false} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					cut := llmtest.Step{Text: "Sales rose by a lot, really", Fault: fault}
					m := steady.New(open(llmtest.Pipe(t, &llmtest.Handler{Steps: []llmtest.Step{cut, cut, cut}})), steady.Config{}, nil)
					_, err := m.Generate(t.Context(), llm.Request{
						Messages: []llm.Message{{Role: llm.User, Text: "sales?"}}, Stream: func(string) {},
					})
					if !errors.Is(err, llm.ErrBusy) || errors.Is(err, llm.ErrCut) != want {
						t.Errorf("fault %v: error %v, cut off %t; want %t", fault, err, errors.Is(err, llm.ErrCut), want)
					}
				})
			})
		}
	}
}
