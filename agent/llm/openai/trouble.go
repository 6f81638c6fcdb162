package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sashabaranov/go-openai"

	"hermes/agent/llm"
)

// classify puts what went wrong into the words of package llm.
func classify(ctx context.Context, err error, now time.Time) error {
	var (
		status *statusError
		api    *openai.APIError
		net    net.Error
		page   *url.Error
		syntax *json.SyntaxError
		kind   *json.UnmarshalTypeError
	)
	switch {
	case errors.Is(err, llm.ErrGarbled), errors.Is(err, llm.ErrRefused), errors.Is(err, llm.ErrBusy):
		return err
	case errors.Is(context.Cause(ctx), errSlow):
		return fmt.Errorf("%w: %w", llm.ErrBusy, errSlow)
	case errors.Is(err, errSilent):
		return fmt.Errorf("%w: %w", llm.ErrBusy, errSilent)
	case errors.As(err, &status):
		return status.classify(now)
	case errors.As(err, &api):
		return fromAPI(api, api.HTTPStatusCode).classify()
	case errors.As(err, &syntax), errors.As(err, &kind), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: not JSON of an answer", llm.ErrGarbled)
	case errors.As(err, &page), errors.As(err, &net):
		return fmt.Errorf("%w: %w", llm.ErrBusy, err)
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%w: empty body", llm.ErrGarbled)
	}
	return err
}

func (e *statusError) classify(now time.Time) error {
	var body struct {
		Error json.RawMessage `json:"error"`
	}
	f := fault{status: e.status}
	var api openai.APIError
	var text string
	switch {
	case json.Unmarshal(e.body, &body) != nil:
		f.message = http.StatusText(e.status) // a page of a proxy
	case json.Unmarshal(body.Error, &api) == nil:
		f = fromAPI(&api, e.status)
	case json.Unmarshal(body.Error, &text) == nil:
		f.message = text
	}
	err := f.classify()
	if !errors.Is(err, llm.ErrBusy) {
		return err
	}
	if after, ok := retryAfter(e.header, now); ok {
		return &llm.WaitError{After: after, Err: err}
	}
	return err
}

// A fault is what a vendor says of an error.
type fault struct {
	status              int
	code, kind, message string
}

func fromAPI(e *openai.APIError, status int) fault {
	f := fault{status: status, kind: e.Type, message: e.Message}
	if e.Code != nil {
		f.code = fmt.Sprint(e.Code)
	}
	// Gateways write the status of the vendor behind them as code.
	if n, err := strconv.Atoi(f.code); err == nil && n >= 400 && (status == 0 || status == http.StatusOK) {
		f.status = n
	}
	return f
}

// classify decides by code and words first, since one status means many things:
// 429 is "wait" and "pay", 400 is "too long" and "refused".
func (f fault) classify() error {
	all := strings.ToLower(f.code + " " + f.kind + " " + f.message)
	says := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(all, w) {
				return true
			}
		}
		return false
	}
	err := errors.New(f.text())
	as := func(kind error) error { return fmt.Errorf("%w: %w", kind, err) }
	switch {
	case f.status == http.StatusRequestEntityTooLarge,
		says("context_length", "maximum context", "context window", "context size", "context length", "prompt is too long",
			"too many tokens", "reduce the length", "request too large", "input is too long", "string_above_max_length"):
		return as(llm.ErrTooLong)
	case says("content_filter", "content_policy", "content management policy", "content policy", "safety system", "responsibleai"):
		return as(llm.ErrRefused)
	case says("insufficient_quota", "billing", "invalid_api_key", "invalid api key", "incorrect api key"),
		f.status == http.StatusUnauthorized, f.status == http.StatusForbidden, f.status == http.StatusPaymentRequired:
		return as(llm.ErrRejected)
	case says("overloaded", "rate_limit", "rate limit", "server_error", "temporarily unavailable"),
		f.status == http.StatusTooManyRequests, f.status == http.StatusRequestTimeout, f.status == http.StatusTooEarly, f.status >= 500:
		return as(llm.ErrBusy)
	}
	return err
}

// text says a fault to an operator.
func (f fault) text() string {
	var parts []string
	if f.status > 0 {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("HTTP %d %s", f.status, http.StatusText(f.status))))
	}
	if code := cmp.Or(f.code, f.kind); code != "" {
		parts = append(parts, code)
	}
	if f.message != "" {
		parts = append(parts, f.message)
	}
	return strings.Join(parts, ": ")
}

// retryAfter reads how long the vendor wants us to wait.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return max(0, time.Duration(ms*float64(time.Millisecond))), true
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		return max(0, time.Duration(s*float64(time.Second))), true
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, at.Sub(now)), true
	}
	return 0, false
}

// failed is err as it leaves this package: of the same kinds, with a text that
// has neither the key nor words of the conversation, which vendors like to quote.
func (m *Model) failed(err error, r llm.Request) error {
	kept := &trouble{text: m.scrub(err.Error(), r)}
	for _, kind := range []error{
		llm.ErrBusy, llm.ErrTooLong, llm.ErrRefused, llm.ErrRejected, llm.ErrGarbled, context.Canceled, context.DeadlineExceeded,
	} {
		if errors.Is(err, kind) {
			kept.kinds = append(kept.kinds, kind)
		}
	}
	var wait *llm.WaitError
	if errors.As(err, &wait) {
		return &llm.WaitError{After: wait.After, Err: kept}
	}
	return kept
}

// A trouble is an error whose causes were taken away.
type trouble struct {
	text  string
	kinds []error
}

func (t *trouble) Error() string   { return t.text }
func (t *trouble) Unwrap() []error { return t.kinds }

// How long the text of an error may be, and how many bytes in a row must be the
// conversation's to be a quotation.
const (
	maxText   = 300
	quotation = 16
)

func (m *Model) scrub(text string, r llm.Request) string {
	text = m.Name() + ": " + strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "")
	if m.cfg.APIKey != "" {
		text = strings.ReplaceAll(text, m.cfg.APIKey, "[redacted]")
	}
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	start := len(m.Name()) + 2
	if i := quoted(text[start:], r); i >= 0 {
		text = text[:start+i] + "… (the rest quotes the conversation)"
	}
	return text
}

// quoted returns where in text words of the conversation begin, or -1.
func quoted(text string, r llm.Request) int {
	var said bytes.Buffer
	for _, m := range r.Messages {
		said.WriteString(m.Text + "\n")
		for _, res := range m.Results {
			said.WriteString(res.Text + "\n")
		}
		for _, c := range m.Calls {
			said.Write(append(c.Args, '\n'))
		}
	}
	all := strings.Join(strings.Fields(said.String()), " ")
	for i := 0; i+quotation <= len(text); i++ {
		if utf8.RuneStart(text[i]) && strings.Contains(all, text[i:i+quotation]) {
			return i
		}
	}
	return -1
}
