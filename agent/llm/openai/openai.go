// Package openai speaks the chat completions protocol of OpenAI, which many
// others serve too. It is the only room of that SDK.
//
// What a newcomer would break: nothing that a vendor sends is taken for an answer
// because it came with status 200. What is not an answer is one of the errors of
// package llm, and no error holds the key or the words of the conversation.
package openai

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"

	"hermes/agent/llm"
)

// Config says which model to ask, and how long to wait.
type Config struct {
	BaseURL string // up to and without "/chat/completions"; empty: OpenAI's own
	APIKey  string // may be empty for a local server
	Model   string
	// Timeout is how long one Generate may take with all its tries; 0 is 120 s.
	Timeout time.Duration
	// FirstByte is how long a stream may be silent at its beginning; 0 is 30 s.
	// An answer that is not streamed is silent until it is complete, and has
	// only Timeout.
	FirstByte time.Duration
	MaxTokens int          // of an answer; 0: the vendor's default
	HTTP      *http.Client // nil: one of its own

	// Now and Sleep are the clock between two tries; nil is the real one.
	// Sleep returns early, with the error of ctx, when that ends.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
}

// The tries of one Generate. A wait longer than patience is for the caller, who
// can keep it on disk; the first pause is short since most 500s pass at once.
const (
	tries    = 3
	pause    = 500 * time.Millisecond
	patience = 10 * time.Second
)

// Model is an llm.Model, safe for concurrent use.
type Model struct {
	cfg    Config
	client *openai.Client
	log    *slog.Logger
}

var _ llm.Model = (*Model)(nil)

// New returns a Model. The logger may be nil.
func New(cfg Config, log *slog.Logger) *Model {
	if cfg.Timeout <= 0 {
		cfg.Timeout = 120 * time.Second
	}
	if cfg.FirstByte <= 0 {
		cfg.FirstByte = 30 * time.Second
	}
	if cfg.HTTP == nil {
		cfg.HTTP = &http.Client{}
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Sleep == nil {
		cfg.Sleep = sleep
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	c := openai.DefaultConfig(cfg.APIKey)
	if cfg.BaseURL != "" {
		c.BaseURL = strings.TrimRight(cfg.BaseURL, "/")
	}
	c.HTTPClient = wire{cfg.HTTP, cfg.FirstByte}
	return &Model{cfg, openai.NewClientWithConfig(c), log}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Name implements llm.Model.
func (m *Model) Name() string { return "openai/" + m.cfg.Model }

// Generate implements llm.Model. Arguments of a call that are no JSON object come
// as {"$unreadable": "<what the model wrote>"}, which no tool takes: the loop
// reports the call as failed and the model can write it again.
func (m *Model) Generate(ctx context.Context, r llm.Request) (llm.Reply, error) {
	total, cancel := context.WithTimeoutCause(ctx, m.cfg.Timeout, errSlow)
	defer cancel()
	body := request(m.cfg, r)
	for try := 1; ; try++ {
		a, err := m.once(total, body, r.Stream)
		if err == nil {
			return a.reply(m.Name(), body.Messages)
		}
		if gone := ctx.Err(); gone != nil {
			return llm.Reply{}, m.failed(gone, r)
		}
		err = classify(total, err, m.cfg.Now())
		wait, again := m.again(err, try, a.streamed)
		if !again {
			return llm.Reply{}, m.failed(err, r)
		}
		m.log.Warn("model call will be tried again", "model", m.Name(), "try", try, "wait", wait, "err", m.failed(err, r))
		if m.cfg.Sleep(total, wait) != nil {
			return llm.Reply{}, m.failed(err, r)
		}
	}
}

// again says whether another try may help, and when. What people have seen
// cannot be taken back, so a stream that has begun is not begun again.
func (m *Model) again(err error, try int, streamed bool) (time.Duration, bool) {
	if try >= tries || streamed || errors.Is(err, errSlow) || errors.Is(err, errSilent) {
		return 0, false
	}
	if !errors.Is(err, llm.ErrBusy) && !errors.Is(err, llm.ErrGarbled) {
		return 0, false
	}
	wait := pause << (try - 1)
	var named *llm.WaitError
	if errors.As(err, &named) {
		if named.After > patience {
			return 0, false
		}
		wait = named.After
	}
	return wait, true
}

// once asks one time.
func (m *Model) once(ctx context.Context, body openai.ChatCompletionRequest, stream func(string)) (answer, error) {
	if stream != nil {
		return m.stream(ctx, body, stream)
	}
	res, err := m.client.CreateChatCompletion(ctx, body)
	if err != nil {
		return answer{}, err
	}
	return whole(res)
}
