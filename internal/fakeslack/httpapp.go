package fakeslack

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
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
)

// Endpoints are the addresses of an app that takes events by HTTP. Interactivity
// and Commands are Events if they are empty.
type Endpoints struct {
	Events, Interactivity, Commands string
	Secret                          string        // with which requests are signed
	Skew                            time.Duration // by which our clock is wrong
}

// redirects is how many Slack follows.
const redirects = 2

var errRedirects = errors.New("too many redirects")

// UseHTTP delivers by HTTP from now on, once the address of events has answered
// the challenge. Sockets stay open and hear nothing.
func (s *Server) UseHTTP(ctx context.Context, e Endpoints) error {
	if e.Interactivity == "" {
		e.Interactivity = e.Events
	}
	if e.Commands == "" {
		e.Commands = e.Events
	}
	s.mu.Lock()
	challenge := s.id("challenge")
	s.mu.Unlock()
	body, _ := json.Marshal(reply{"type": "url_verification", "token": "fake", "challenge": challenge})
	within, stop := context.WithTimeout(ctx, patience)
	defer stop()
	status, _, answer, err := s.send(within, e, e.Events, "application/json", body, nil)
	if err != nil {
		return fmt.Errorf("url_verification: %w", err)
	}
	var in struct{ Challenge string }
	_ = json.Unmarshal(answer, &in)
	if status != http.StatusOK || strings.TrimSpace(string(answer)) != challenge && in.Challenge != challenge {
		return fmt.Errorf("url_verification: the answer is %d %q, want the challenge", status, answer)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.endpoints != nil {
		s.endpoints.stop()
	}
	base, end := context.WithCancel(context.WithoutCancel(ctx))
	s.endpoints = &line{Endpoints: e, ctx: base, stop: end}
	return nil
}

// A line is a way to an app by HTTP, until stop.
type line struct {
	Endpoints
	ctx  context.Context
	stop func()
}

// UseSockets delivers over sockets, as at the start.
func (s *Server) UseSockets() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.endpoints != nil {
		s.endpoints.stop()
	}
	s.endpoints = nil
}

// request makes one attempt by HTTP.
func (s *Server) request(d *Delivery) {
	on := s.endpoints
	if on.ctx.Err() != nil {
		return
	}
	e := on.Endpoints
	address, kind, body := e.form(d)
	headers := map[string]string{}
	if d.Attempts > 1 {
		headers["X-Slack-Retry-Num"], headers["X-Slack-Retry-Reason"] = strconv.Itoa(d.Attempts-1), d.Reason
	}
	n := d.Attempts
	copies := s.dupe
	s.dupe = 0
	ctx, stop := context.WithCancel(on.ctx)
	s.watch(d, "http_timeout", stop)
	for range copies {
		s.waiting.Go(func() { _, _, _, _ = s.send(on.ctx, e, address, kind, body, headers) })
	}
	s.waiting.Go(func() {
		defer stop()
		status, head, answer, err := s.send(ctx, e, address, kind, body, headers)
		s.mu.Lock()
		defer s.mu.Unlock()
		if d.Attempts != n || d.GivenUp {
			return
		}
		switch {
		case err != nil:
			s.failed(d, reasonOf(err))
		case status/100 == 2:
			s.accept(d, answerOf(d, answer))
		case head.Get("X-Slack-No-Retry") == "1":
			d.stop()
			s.tried(d, true)
			d.GivenUp, d.Reason = true, "http_error"
			s.touch()
		default:
			s.failed(d, "http_error")
		}
	})
}

// form is what a delivery looks like on its way: events as JSON, what people do as
// a form.
func (e Endpoints) form(d *Delivery) (address, kind string, body []byte) {
	switch d.Type {
	case "events_api":
		return e.Events, "application/json", d.Payload
	case "slash_commands":
		var fields map[string]any
		_ = json.Unmarshal(d.Payload, &fields)
		form := url.Values{}
		for k, v := range fields {
			form.Set(k, fmt.Sprint(v))
		}
		return e.Commands, "application/x-www-form-urlencoded", []byte(form.Encode())
	default:
		form := url.Values{"payload": {string(d.Payload)}}
		return e.Interactivity, "application/x-www-form-urlencoded", []byte(form.Encode())
	}
}

// answerOf is the payload in the body of an answer. A command may be answered with
// plain words.
func answerOf(d *Delivery, body []byte) json.RawMessage {
	body = bytes.TrimSpace(body)
	switch {
	case len(body) == 0 || d.Type == "events_api":
		return nil
	case json.Valid(body):
		return body
	}
	text, _ := json.Marshal(reply{"text": string(body)})
	return text
}

// send sends one signed request.
func (s *Server) send(ctx context.Context, e Endpoints, address, kind string, body []byte, headers map[string]string) (int, http.Header, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	at := strconv.FormatInt(s.clock.Now().Add(e.Skew).Unix(), 10)
	req.Header.Set("Content-Type", kind)
	req.Header.Set("User-Agent", "Slackbot 1.0 (+https://api.slack.com/robots)")
	req.Header.Set("X-Slack-Request-Timestamp", at)
	req.Header.Set("X-Slack-Signature", Sign(e.Secret, at, body))
	for k, v := range headers {
		req.Header.Set(k, v)
	}
	client := http.Client{CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if len(via) > redirects {
			return errRedirects
		}
		return nil
	}}
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, nil, err
	}
	defer func() { _ = resp.Body.Close() }() // it has been read
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return resp.StatusCode, resp.Header, answer, err
}

// Sign is the signature of a body at a time in Unix seconds.
func Sign(secret, at string, body []byte) string {
	h := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(h, "v0:%s:%s", at, body)
	return "v0=" + hex.EncodeToString(h.Sum(nil))
}

// reasonOf names what went wrong with a request as Slack does.
func reasonOf(err error) string {
	var network *net.OpError
	switch {
	case errors.Is(err, errRedirects):
		return "too_many_redirects"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return "http_timeout"
	case errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "connection_failed"
	}
	return "unknown_error"
}
