// Package wire is what the clients of a vendor's HTTP share: one request with its
// deadlines, the reading of what comes back, the putting of its errors into the words
// of package llm, and the mending of a conversation into one that every vendor takes.
// What a vendor's JSON looks like stands in the client's own folder.
//
// What a newcomer would break: an error leaves a client through Line.Error alone,
// which takes the key and the words of the conversation out of it. Vendors like to
// quote both.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"hermes/agent/llm"
	"hermes/internal/redact"
)

// The deadlines, as causes of a context.
var (
	errSilent   = fmt.Errorf("%w: no first byte", llm.ErrSilent)
	errStalled  = fmt.Errorf("%w: it stopped in the middle", llm.ErrSlow)
	errUnending = fmt.Errorf("%w: no complete answer", llm.ErrSlow)
)

// MaxAnswer is how many bytes an answer may have: far more than any model writes.
// maxStream is the same with all that stands around the pieces of a stream, which
// for some vendors is forty times as long; maxError is enough of an error.
const (
	MaxAnswer = 5 << 20
	maxStream = 64 << 20
	// MaxText is how many bytes of its words are taken: several times what a chat shows of
	// a message. A longer answer ends there, as at a limit of tokens.
	MaxText  = 256 << 10
	maxError = 64 << 10
)

// Config says how long to wait, and what no error may hold.
type Config struct {
	Name   string // of the model, provider/model; every error begins with it
	Secret string // the key; may be empty
	// Timeout is how long one answer may take to its end; 0 is 120 s. It is what
	// ends an answer that drips for ever.
	Timeout time.Duration
	// FirstByte is how long a stream may be silent at its beginning; 0 is 30 s. An
	// answer at once is silent until it is complete, and has only Timeout.
	FirstByte time.Duration
	// Idle is how long an answer that has begun may be silent; 0 is 30 s. A
	// comment or a ping is a sign of life.
	Idle time.Duration
	HTTP *http.Client // nil: one of its own
	Log  *slog.Logger // nil: nobody
}

// A Line leads to one model of a vendor. It is safe for concurrent use.
type Line struct {
	Options
	cfg    Config
	http   http.Client
	redact *redact.Redactor
}

// New returns a Line.
func New(cfg Config) *Line {
	if cfg.Timeout <= 0 {
		cfg.Timeout = 120 * time.Second
	}
	if cfg.FirstByte <= 0 {
		cfg.FirstByte = 30 * time.Second
	}
	if cfg.Idle <= 0 {
		cfg.Idle = 30 * time.Second
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	l := &Line{cfg: cfg, http: http.Client{Transport: transport()}, redact: redact.New(cfg.Secret)}
	if cfg.HTTP != nil {
		l.http = *cfg.HTTP
	}
	if l.http.CheckRedirect == nil {
		// Who follows takes the key along to another host.
		l.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	return l
}

// transport is made for many conversations with one host. Pings find a connection
// that has died: over HTTP/2 all of them share it.
func transport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
		HTTP2:               &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 15 * time.Second},
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     90 * time.Second,
	}
}

// Words are what an answer says, cut where they are longer than anybody reads.
func Words(text string) (words string, cut bool) {
	if len(text) <= MaxText {
		return text, false
	}
	return strings.ToValidUTF8(text[:MaxText], ""), true
}

// A Letter is one request to a vendor.
type Letter struct {
	URL    string
	Header http.Header // credentials and the like
	Body   any         // becomes JSON
	Stream bool        // the answer is wanted in pieces
}

// An Answer is what came with a status of success: Whole at once, or as events. It
// must be closed.
type Answer struct {
	Whole  []byte // nil if it comes as events
	events *events
	body   *watched
}

// Send sends a letter. Whether the answer comes as events is the vendor's choice:
// some cannot stream, some always do.
func (l *Line) Send(ctx context.Context, letter Letter) (*Answer, error) {
	text, err := json.Marshal(letter.Body)
	if err != nil {
		return nil, fmt.Errorf("write request: %w", err)
	}
	body := l.watch(ctx, letter.Stream)
	req, err := http.NewRequestWithContext(body.ctx, http.MethodPost, letter.URL, bytes.NewReader(text))
	if err != nil {
		body.end()
		return nil, fmt.Errorf("the model's URL cannot be used: %w", err)
	}
	for k, v := range letter.Header {
		req.Header[k] = v
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if letter.Stream {
		req.Header.Set("Accept", "text/event-stream")
	}
	res, err := l.http.Do(req) //nolint:bodyclose // watched closes it
	if err != nil {
		err = body.because(err)
		body.end()
		return nil, err
	}
	body.body = res.Body
	a, err := read(res, body)
	if err != nil || a.events == nil {
		body.close()
	}
	return a, err
}

func read(res *http.Response, body *watched) (*Answer, error) {
	kind := res.Header.Get("Content-Type")
	switch {
	case res.StatusCode < 200 || res.StatusCode > 299:
		text, err := io.ReadAll(io.LimitReader(body, maxError))
		if err != nil {
			text = nil // the status says enough
		}
		return nil, faultOf(res.StatusCode, res.Header, text, time.Now())
	case strings.Contains(kind, "event-stream"):
		return &Answer{events: newEvents(body), body: body}, nil
	}
	text, err := io.ReadAll(io.LimitReader(body, MaxAnswer+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > MaxAnswer:
		return nil, errTooBig
	case strings.Contains(kind, "html"):
		return nil, fmt.Errorf("%w: a page of HTML", llm.ErrGarbled)
	case !strings.Contains(kind, "json") && looksLikeEvents(text):
		// A stream under a wrong name, all of it here by now.
		return &Answer{events: newEvents(bytes.NewReader(text)), body: body}, nil
	}
	return &Answer{Whole: text}, nil
}

// Streams reports whether the answer comes as events.
func (a *Answer) Streams() bool { return a.events != nil }

// Next returns the next event, and io.EOF after the last.
func (a *Answer) Next() (Event, error) { return a.events.next() }

// Close gives up what has not been read.
func (a *Answer) Close() {
	if a.body != nil {
		a.body.close()
	}
}

// watched is the body of an answer. Its context ends with the deadlines.
type watched struct {
	ctx     context.Context // of this answer alone; it ends with it
	cancel  context.CancelCauseFunc
	begun   atomic.Bool
	total   *time.Timer
	silence *time.Timer
	idle    time.Duration
	body    io.ReadCloser // nil until there is an answer
}

func (l *Line) watch(ctx context.Context, streams bool) *watched {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watched{ctx: ctx, cancel: cancel, idle: l.cfg.Idle}
	w.total = time.AfterFunc(l.cfg.Timeout, func() { cancel(errUnending) })
	w.silence = time.AfterFunc(l.cfg.FirstByte, func() {
		if w.begun.Load() {
			cancel(errStalled)
			return
		}
		cancel(errSilent)
	})
	if !streams {
		w.silence.Stop()
	}
	return w
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.body.Read(p)
	if n > 0 {
		w.begun.Store(true)
		w.silence.Reset(w.idle)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		kind := llm.ErrBusy
		if w.begun.Load() {
			kind = llm.ErrCut
		}
		err = fmt.Errorf("%w: %w", kind, w.because(err))
	}
	return n, err
}

// because returns why the context ended, if it did, beside err.
func (w *watched) because(err error) error {
	if cause := context.Cause(w.ctx); cause != nil {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}

func (w *watched) end() {
	w.total.Stop()
	w.silence.Stop()
	w.cancel(nil)
}

func (w *watched) close() {
	w.end()
	_ = w.body.Close()
}

// errTooBig is what a vendor gets that sends without an end.
var errTooBig = fmt.Errorf("%w: longer than any answer", llm.ErrGarbled)

// Decode reads JSON of an answer or of one event of it. An error in its place is
// that error: some vendors send one with a status of success.
func Decode(text []byte, v any) error {
	if err := inside(text); err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%w: not JSON of an answer", llm.ErrGarbled)
	}
	return nil
}
