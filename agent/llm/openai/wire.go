package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"

	"hermes/agent/llm"
)

// The deadlines, as causes of a context.
var (
	errSlow   = errors.New("no complete answer in time")
	errSilent = errors.New("no first byte in time")
)

// How much is read of what a vendor sends: far more than any answer, and enough
// of an error.
const (
	maxBody  = 32 << 20
	maxError = 64 << 10
)

// wire is the SDK's way to the network. It keeps what the SDK drops (headers of
// errors), ends a silent stream, and reads an answer at once to its end, so that
// what fails later is the answer and not the network.
type wire struct {
	http      *http.Client
	firstByte time.Duration
}

// Do implements openai.HTTPDoer.
func (w wire) Do(req *http.Request) (*http.Response, error) {
	streams := req.Header.Get("Accept") == "text/event-stream"
	ctx, cancel := context.WithCancelCause(req.Context())
	silence := time.AfterFunc(w.firstByte, func() { cancel(errSilent) })
	if !streams {
		silence.Stop()
	}
	end := func() { silence.Stop(); cancel(nil) }
	res, err := w.http.Do(req.WithContext(ctx))
	if err != nil {
		err = because(ctx, err)
		end()
		return nil, err
	}
	body := &watched{io.LimitReader(res.Body, maxBody), res.Body, ctx, silence, end}
	res.Body = body
	kind := res.Header.Get("Content-Type")
	switch {
	case res.StatusCode != http.StatusOK:
		defer func() { _ = body.Close() }()
		text, err := io.ReadAll(io.LimitReader(body, maxError))
		if err != nil {
			text = nil // the status says enough
		}
		return nil, &statusError{res.StatusCode, res.Header, text}
	case streams && strings.Contains(kind, "event-stream"):
		res.Body = &events{lines: bufio.NewReader(body), Closer: body}
		return res, nil
	}
	defer func() { _ = body.Close() }()
	text, err := io.ReadAll(body)
	switch {
	case err != nil:
		return nil, err
	case strings.Contains(kind, "html"):
		return nil, fmt.Errorf("%w: a page of HTML", llm.ErrGarbled)
	case streams && !strings.Contains(kind, "json") && bytes.HasPrefix(bytes.TrimSpace(text), []byte("data:")):
		// A stream under a wrong name, all of it here by now.
		res.Body = &events{lines: bufio.NewReader(bytes.NewReader(text)), Closer: body}
		return res, nil
	case streams:
		return nil, &plainAnswer{text}
	}
	if err := inBody(text); err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(text))
	return res, nil
}

// because returns why a context ended, if it did, beside err.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}

// watched is the body of a response. Its first byte ends the wait for it.
type watched struct {
	r       io.Reader
	body    io.Closer
	ctx     context.Context // of this body alone; it ends with it
	silence *time.Timer
	end     func()
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if n > 0 {
		w.silence.Stop()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: %w", llm.ErrBusy, because(w.ctx, err))
	}
	return n, err
}

func (w *watched) Close() error {
	w.end()
	return w.body.Close()
}

// events is the data of a stream of events, without what else may stand there:
// the SDK takes a comment for a part of the error that comes after it, and loses
// both.
type events struct {
	lines *bufio.Reader
	rest  []byte
	err   error
	io.Closer
}

func (e *events) Read(p []byte) (int, error) {
	for len(e.rest) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		var line []byte
		line, e.err = e.lines.ReadBytes('\n')
		if bytes.HasPrefix(line, []byte("data:")) {
			e.rest = line
		}
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// A statusError is an answer that HTTP calls an error.
type statusError struct {
	status int
	header http.Header
	body   []byte
}

func (e *statusError) Error() string { return fmt.Sprintf("HTTP %d", e.status) }

// A plainAnswer came at once although a stream was asked for.
type plainAnswer struct{ body []byte }

func (e *plainAnswer) Error() string { return "answered at once" }

func (e *plainAnswer) read() (answer, error) {
	if err := inBody(e.body); err != nil {
		return answer{}, err
	}
	var res openai.ChatCompletionResponse
	if err := json.Unmarshal(e.body, &res); err != nil {
		return answer{}, fmt.Errorf("%w: not JSON of an answer", llm.ErrGarbled)
	}
	return whole(res)
}

// inBody returns the error that stands in the body of an answer with status 200,
// as some gateways have it.
func inBody(body []byte) error {
	var in struct {
		Error   json.RawMessage   `json:"error"`
		Choices []json.RawMessage `json:"choices"`
	}
	// What is no JSON is no error of the vendor's either; who decodes it will say so.
	if err := json.Unmarshal(body, &in); err == nil && len(in.Choices) > 0 {
		return nil
	}
	if len(in.Error) == 0 || string(in.Error) == "null" {
		return nil
	}
	return &statusError{http.StatusOK, nil, body}
}
