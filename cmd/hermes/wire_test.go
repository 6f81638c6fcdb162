package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
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
// for what a database holds; of those told only where a request wants them with the one
// that finds approvals. zones bytes are kept free for longer names of zones and days.
func TestPromptAndTwelveToolsTakeSixKB(t *testing.T) {
	unset(t)
	h, end := raise(t, t.TempDir())
	defer end()
	system, err := prompt.Writer{}.System(llm.Scene{Lang: "en", Now: time.Now(), Zone: "Europe/Berlin"}, prompt.About{})
	if err != nil {
		t.Fatal(err)
	}
	full := llm.Request{System: system, Fixed: prompt.Fixed(system)}
	// What others add is theirs.
	ours := []string{
		"query_metric", "query_database", "make_report", "post_message", "ask", "schedule_add", "schedule_list", "schedule_change",
		"remember", "memory_list", "memory_forget", "audit_find",
	}
	for _, spec := range tool.NewCatalog(h.tools, time.Now).For(t.Context(), tool.Viewer{}, "sales by region, post it to #sales every month", 12, []string{"audit_find"}) {
		if slices.Contains(ours, spec.Name) {
			spec.Live = ""
			spec.Description, _, _ = strings.Cut(spec.Description, "\nSource ")
			full.Tools = append(full.Tools, llm.Tool{Name: spec.Name, Description: spec.Text(), Schema: spec.Schema})
		}
	}
	if len(full.Tools) != len(ours) {
		t.Errorf("%d tools are told, want all %d", len(full.Tools), len(ours))
	}
	const zones = 0
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
		size := weigh(full) - weigh(llm.Request{})
		t.Logf("%s: prompt and %d tools take %d bytes", m.Name(), len(full.Tools), size)
		if size > 6144-zones {
			t.Errorf("%s: prompt and %d tools take %d bytes, want at most %d", m.Name(), len(full.Tools), size, 6144-zones)
		}
	}
}
