// Package anthropic speaks the messages protocol of Anthropic, with the standard
// library alone: the way to the network is agent/llm/wire.
//
// What a newcomer would break: what is the same in every request comes first and is
// marked, or each step of a run pays for the whole prompt again; and a thought is
// nobody's text: it is neither streamed nor said, only given back with its calls.
package anthropic

import (
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
	BaseURL string // up to and without "/v1/messages"; empty: Anthropic's own
	APIKey  string // may be empty for a gateway
	Model   string
	// Timeout, FirstByte and Idle are how long one answer may take, how long a
	// stream may be silent at its beginning, and in the middle; 0 is 120 s, 30 s
	// and 30 s.
	Timeout, FirstByte, Idle time.Duration
	// Temperature, from 0 to 1, is left to the vendor if nil, and while the model
	// thinks before it speaks.
	Temperature *float64
	// MaxTokens is how long an answer may be; 0 is 2048.
	MaxTokens int
	// ReasoningMaxTokens is how long the thinking before it may be; 0 is no
	// thinking, and less than 1,024 is 1,024, the least there is. It is added to
	// MaxTokens, so that thinking does not crowd out the answer. Newer models know
	// three lengths only: up to 2,048 tokens is "low", up to 8,192 "medium".
	ReasoningMaxTokens int
	HTTP               *http.Client // nil: one of its own
}

const (
	ownURL       = "https://api.anthropic.com"
	version      = "2023-06-01" // of the protocol; there is no newer one
	defaultLimit = 2048
	leastBudget  = 1024
)

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
		// With or without the version: people are told both.
		base = strings.TrimSuffix(strings.TrimRight(cfg.BaseURL, "/"), "/v1")
	}
	if cfg.MaxTokens <= 0 {
		cfg.MaxTokens = defaultLimit
	}
	if cfg.ReasoningMaxTokens > 0 {
		cfg.ReasoningMaxTokens = max(cfg.ReasoningMaxTokens, leastBudget)
	}
	m := &Model{cfg: cfg, url: base + "/v1/messages", header: http.Header{}}
	m.header.Set("Anthropic-Version", version)
	if cfg.APIKey != "" {
		m.header.Set("X-Api-Key", cfg.APIKey)
	}
	m.line = wire.New(wire.Config{
		Name: m.Name(), Secret: cfg.APIKey, Timeout: cfg.Timeout, FirstByte: cfg.FirstByte, Idle: cfg.Idle, HTTP: cfg.HTTP, Log: log,
	})
	return m
}

// Name implements llm.Model.
func (m *Model) Name() string { return "anthropic/" + m.cfg.Model }

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
			return a.reply(m.Name(), r.Messages)
		},
	}, r)
}
