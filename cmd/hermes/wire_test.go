package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/anthropic"
	"hermes/agent/llm/openai"
	"hermes/agent/prompt"
	"hermes/agent/tool"
)

// A scale weighs what a model is sent, and answers nothing.
type scale struct{ body int }

func (s *scale) RoundTrip(r *http.Request) (*http.Response, error) {
	b, err := io.ReadAll(r.Body)
	s.body = len(bytes.TrimSpace(b))
	return nil, errors.Join(err, errors.New("only weighed"))
}

// Issue 3: the system prompt and up to twelve tools take at most 6 KB as they are sent,
// with all that the protocol puts around them, without memory, history and the words
// for what a database holds, on the longest day in the zone with the longest name: for a
// common request, and for one that wants all that there is.
func TestPromptAndTwelveToolsTakeSixKB(t *testing.T) {
	unset(t)
	h, end := raise(t, t.TempDir())
	defer end()
	system, err := prompt.Writer{}.System(llm.Scene{Lang: "en", Now: time.Date(2026, 9, 30, 10, 0, 0, 0, time.UTC), Zone: "America/Argentina/ComodRivadavia"}, prompt.About{})
	if err != nil {
		t.Fatal(err)
	}
	catalog := tool.NewCatalog(h.tools, time.Now)
	told := func(wish string, needed ...string) llm.Request {
		full := llm.Request{System: system, Fixed: prompt.Fixed(system)}
		for _, spec := range catalog.For(t.Context(), tool.Viewer{}, wish, 12, needed) {
			spec.Live = ""
			spec.Description, _, _ = strings.Cut(spec.Description, "\nSource ")
			full.Tools = append(full.Tools, llm.Tool{Name: spec.Name, Description: spec.Text(), Schema: spec.Schema})
		}
		return full
	}
	common := told("sales by region, post it to #sales every month", "audit_find")
	if len(common.Tools) != 12 {
		t.Errorf("%d tools are told, want 12", len(common.Tools))
	}
	var all []string
	for _, spec := range h.tools.Specs() {
		all = append(all, spec.Name)
	}
	most := told(strings.Join(all, " "), "audit_find", "read_file_section", "take_back", "schedule_edit")
	s := &scale{}
	wire := &http.Client{Transport: s}
	for _, m := range []llm.Model{
		openai.New(openai.Config{Model: "m", BaseURL: "http://model.example/v1", HTTP: wire}, nil),
		anthropic.New(anthropic.Config{Model: "m", BaseURL: "http://model.example", HTTP: wire}, nil),
	} {
		weigh := func(r llm.Request) int {
			r.Messages = []llm.Message{{Role: llm.User, Text: "hi"}}
			s.body = 0
			if _, err := m.Generate(t.Context(), r); err == nil || s.body == 0 {
				t.Fatalf("%s: %v, %d bytes sent", m.Name(), err, s.body)
			}
			return s.body
		}
		for _, full := range []llm.Request{common, most} {
			size := weigh(full) - weigh(llm.Request{})
			t.Logf("%s: prompt and %d tools take %d bytes", m.Name(), len(full.Tools), size)
			if size > 6144 {
				t.Errorf("%s: prompt and %d tools take %d bytes, want at most %d", m.Name(), len(full.Tools), size, 6144)
			}
		}
	}
}
