// Package openai speaks the chat completions protocol of OpenAI, which many
// others serve too. It is the only room of that SDK, of which it uses the types: the
// way to the network is agent/llm/wire.
//
// What a newcomer would break: nothing that a vendor sends is taken for an answer
// because it came with status 200. What is not an answer is one of the errors of
// package llm, and no error holds the key or the words of the conversation.
package openai

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/wire"
)

// Config says which model to ask, and how.
type Config struct {
	BaseURL string // up to and without "/chat/completions"; empty: OpenAI's own
	APIKey  string // may be empty for a local server
	Model   string
	// Timeout, FirstByte and Idle are how long one answer may take, how long a
	// stream may be silent at its beginning, and in the middle; 0 is 120 s, 30 s
	// (as long as Timeout for a model that thinks before it speaks) and 30 s.
	Timeout, FirstByte, Idle time.Duration
	// Temperature is left to the vendor if nil, and to models that take none.
	Temperature *float64
	// MaxTokens is how long an answer may be; 0 leaves it to the vendor.
	MaxTokens int
	// ReasoningMaxTokens is how long the thinking before it may be; 0 leaves it to
	// the vendor. It is added to MaxTokens, so that thinking does not crowd out the
	// answer. OpenAI's own models know three lengths only: up to 2,048 tokens is
	// "low", up to 8,192 "medium".
	ReasoningMaxTokens int
	HTTP               *http.Client // nil: one of its own
}

// ownURL is where OpenAI itself serves.
const ownURL = "https://api.openai.com/v1"

// Model is an llm.Model, safe for concurrent use.
type Model struct {
	cfg    Config
	url    string
	header http.Header
	line   *wire.Line
}

var _ llm.Model = (*Model)(nil)

// New returns a Model. The logger may be nil.
func New(cfg Config, log *slog.Logger) *Model {
	base := ownURL
	if cfg.BaseURL != "" {
		base = strings.TrimRight(cfg.BaseURL, "/")
	}
	if cfg.FirstByte <= 0 && reasons(cfg.Model) {
		cfg.FirstByte = cmp.Or(max(cfg.Timeout, 0), 120*time.Second)
	}
	m := &Model{cfg: cfg, url: base + "/chat/completions", header: http.Header{}}
	if cfg.APIKey != "" {
		m.header.Set("Authorization", "Bearer "+cfg.APIKey)
	}
	m.line = wire.New(wire.Config{
		Name: m.Name(), Secret: cfg.APIKey, Timeout: cfg.Timeout, FirstByte: cfg.FirstByte, Idle: cfg.Idle, HTTP: cfg.HTTP, Log: log,
	})
	return m
}

// Name implements llm.Model.
func (m *Model) Name() string { return "openai/" + m.cfg.Model }

// Generate implements llm.Model. It tries once, and again only without an option that
// the vendor does not take.
func (m *Model) Generate(ctx context.Context, r llm.Request) (llm.Reply, error) {
	return wire.Generate(ctx, m.line, wire.Vendor[*answer]{
		Letter: func(r llm.Request) (wire.Letter, []string) {
			body, options := m.request(r)
			return wire.Letter{URL: m.url, Header: m.header, Body: body, Stream: body.Stream}, options
		},
		Whole: whole, Stream: stream,
		Reply: func(a *answer, r llm.Request) (llm.Reply, error) {
			return a.reply(m.Name(), r.Messages, m.cfg.ReasoningMaxTokens)
		},
	}, r)
}
