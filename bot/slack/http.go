package slack

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"hermes/bot"
)

const (
	// bodyLimit is the longest request that is taken. Slack names no limit; an event
	// with long blocks has some hundred kilobytes.
	bodyLimit = 4 << 20
	// skew is how old a signature may be, and how far ahead its clock: Slack's own
	// bound.
	skew = 5 * time.Minute
)

// The headers of a request from Slack, and the one by which it is told not to try
// again.
const (
	signatureHeader = "X-Slack-Signature"
	timeHeader      = "X-Slack-Request-Timestamp"
	noRetryHeader   = "X-Slack-No-Retry"
)

var (
	errNoSecret  = errors.New("there is no signing secret")
	errUnsigned  = errors.New("the signature is not slack's")
	errOld       = errors.New("the signature is of another time")
	errNotOfHTTP = errors.New("neither an event, a press nor a command")
)

// Handler takes what Slack sends by HTTP: events, presses and commands, all at one
// address. What is not signed with the SigningSecret is refused, and so is everything
// if there is none. It answers 2xx once the Receiver has what came, as with a socket;
// what Slack sends again for want of that has the same Keys. It may be called before
// Run, and then asks Slack to try again until Run knows who we are.
func (s *Slack) Handler(to bot.Receiver) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serveHTTP(w, r, to) })
}

func (s *Slack) serveHTTP(w http.ResponseWriter, r *http.Request, to bot.Receiver) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "POST only", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyLimit))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		s.log.Warn("slack request refused: it is too long")
		w.Header().Set(noRetryHeader, "1") // it will be no shorter
		http.Error(w, "too long", http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, "cut off", http.StatusBadRequest)
		return
	}
	if err := s.verify(r.Header, body); err != nil {
		s.log.Warn("slack request refused", "err", err)
		http.Error(w, "not signed", http.StatusUnauthorized)
		return
	}
	s.happened()
	f, answer, err := envelope(r.Header.Get("Content-Type"), body)
	switch {
	case err != nil:
		s.log.Warn("slack request not taken", "err", err)
		w.Header().Set(noRetryHeader, "1")
		http.Error(w, "not of slack's kinds", http.StatusUnsupportedMediaType)
		return
	case f.Type == "":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, answer) // if it gets lost, Slack asks again
		return
	}
	c, err := s.hand(r.Context(), f, to)
	if err != nil {
		s.log.Warn("slack event not taken", "envelope", f.Envelope, "err", err)
		http.Error(w, "try again", http.StatusServiceUnavailable)
		return
	}
	if c.answer != nil && f.Answerable {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		if err := json.NewEncoder(w).Encode(c.answer); err != nil {
			s.log.Warn("slack event not acknowledged", "envelope", f.Envelope, "err", err)
		}
	}
	s.beside(c.then)
}

// verify reports whether a request is Slack's, from its body as it came.
func (s *Slack) verify(h http.Header, body []byte) error {
	if s.cfg.SigningSecret == "" {
		return errNoSecret
	}
	at := h.Get(timeHeader)
	sec, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return errUnsigned
	}
	if !hmac.Equal([]byte(h.Get(signatureHeader)), []byte(sign(s.cfg.SigningSecret, at, body))) {
		return errUnsigned
	}
	if off := s.cfg.Now().Sub(time.Unix(sec, 0)).Abs(); off > skew {
		return fmt.Errorf("%w: %s off; is this machine's clock right?", errOld, off.Round(time.Second))
	}
	return nil
}

// sign is Slack's signature of a body at a time in Unix seconds.
func sign(secret, at string, body []byte) string {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte("v0:" + at + ":"))
	h.Write(body)
	return "v0=" + hex.EncodeToString(h.Sum(nil))
}

// envelope puts a body into the envelope in which a socket would have brought it. One
// that only wants an answer has no Type.
func envelope(kind string, body []byte) (f frame, answer string, err error) {
	// Slack sends a body again as it was, so its name stays.
	f = frame{Envelope: "http-" + shortKey(string(body)), Payload: body, Answerable: true}
	media, _, _ := mime.ParseMediaType(kind)
	switch media {
	case "application/json":
		var only struct {
			Type      string `json:"type"`
			Challenge string `json:"challenge"`
		}
		if json.Unmarshal(body, &only) == nil && only.Type == "url_verification" {
			return frame{}, only.Challenge, nil
		}
		f.Type, f.Answerable = "events_api", false
		if !json.Valid(body) {
			f.Type = "unreadable"
		}
		return f, "", nil
	case "application/x-www-form-urlencoded":
		return formed(f, body)
	}
	return frame{}, "", fmt.Errorf("%w: %q", errNotOfHTTP, media)
}

// formed reads a form: a press has its JSON in one field, a command is all fields.
func formed(f frame, body []byte) (frame, string, error) {
	form, err := url.ParseQuery(string(body))
	switch {
	case err != nil:
		f.Type = "unreadable"
	case form.Get("ssl_check") == "1":
		return frame{}, "", nil
	case form.Has("payload"):
		f.Type, f.Payload = "interactive", []byte(form.Get("payload"))
		if !json.Valid(f.Payload) {
			f.Type = "unreadable"
		}
	case strings.HasPrefix(form.Get("command"), "/"):
		fields := map[string]string{}
		for k := range form {
			fields[k] = form.Get(k)
		}
		f.Type = "slash_commands"
		if f.Payload, err = json.Marshal(fields); err != nil {
			return frame{}, "", err
		}
	default:
		return frame{}, "", errNotOfHTTP
	}
	return f, "", nil
}
