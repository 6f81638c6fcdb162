package llmtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Handler is a server of OpenAI's protocol and of Anthropic's, each at its own
// path, that answers as it is told. It is as strict as the real ones: a result
// without its call, or a call without its result, is refused. It is a plain
// http.Handler and safe for concurrent use.
type Handler struct {
	// Reply, if set, answers each request. It sees the whole conversation with
	// the results of the tools.
	Reply func(Chat) Step
	// Steps are the answers in order if Reply is not set. After the last every
	// request is refused.
	Steps []Step
	// Key, if set, is the one that is let in.
	Key string

	mu    sync.Mutex
	heard []Chat
}

// Serve returns the base URL of a Handler on loopback, which stops with the test:
// that of an OpenAI-compatible server, which Anthropic's client takes as well.
func Serve(t testing.TB, h *Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections() // a Hang would wait for ever
		s.Close()
	})
	return s.URL + "/v1"
}

// Heard returns the requests so far.
func (h *Handler) Heard() []Chat {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Chat(nil), h.heard...)
}

// A dialect is the protocol of one vendor.
type dialect interface {
	// read reads a request as leniently as it may come from other clients, and
	// says what the vendor would find wrong with it.
	read(header http.Header, body []byte) (c Chat, fault string, err error)
	whole(c Chat, s Step) any // the body of an answer at once
	// stream sends an answer as events, and calls broken, if that is not nil, when
	// half of it is sent.
	stream(w http.ResponseWriter, c Chat, s Step, broken func())
	failure(s Step) any // the body of an error
}

// next notes a request and returns what to answer.
func (h *Handler) next(c Chat, fault string) Step {
	h.mu.Lock()
	n := len(h.heard)
	h.heard = append(h.heard, c)
	h.mu.Unlock()
	if fault != "" {
		return Step{Status: http.StatusBadRequest, Code: "invalid_request_error", Message: fault}
	}
	if h.Reply != nil {
		return h.Reply(c)
	}
	if n >= len(h.Steps) {
		return Step{Status: http.StatusBadRequest, Code: "script_over", Message: fmt.Sprintf("script has %d steps", len(h.Steps))}
	}
	return h.Steps[n]
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/models") {
		writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []any{map[string]any{"id": "scripted", "object": "model"}}})
		return
	}
	var d dialect = chatCompletions{}
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/chat/completions"):
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/v1/messages"):
		d = messages{}
	default:
		writeError(w, d, Step{Status: http.StatusNotFound, Code: "not_found", Message: "no such endpoint"})
		return
	}
	h.serve(w, r, d)
}

func (h *Handler) serve(w http.ResponseWriter, r *http.Request, d dialect) {
	invalid := func(why string) {
		writeError(w, d, Step{Status: http.StatusBadRequest, Code: "invalid_request_error", Message: why})
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, 16<<20))
	if err != nil {
		invalid(err.Error())
		return
	}
	c, fault, err := d.read(r.Header, body)
	if err != nil {
		invalid(err.Error())
		return
	}
	if h.Key != "" && c.Key != h.Key {
		writeError(w, d, Step{Status: http.StatusUnauthorized, Code: "invalid_api_key", Message: "Incorrect API key provided: " + c.Key})
		return
	}
	s := h.next(c, fault)
	switch {
	case s.Fault == Hang:
		<-r.Context().Done()
	case s.Fault == Mute, s.Fault == Drip:
		idle(w, r, c, s.Fault == Drip)
	case s.Fault == Reset:
		panic(http.ErrAbortHandler)
	case s.Fault == Raw:
		w.Header().Set("Content-Type", cmp.Or(s.Mime, "application/json"))
		w.WriteHeader(cmp.Or(s.Status, http.StatusOK))
		_, _ = io.WriteString(w, s.Body)
	case s.Status != 0 && s.Fault != Late:
		writeError(w, d, s)
	case c.Stream:
		d.stream(w, c, s, broken(w, r, s.Fault))
	default:
		whole(w, d.whole(c, s), broken(w, r, s.Fault))
	}
}

// idle sends headers and then nothing that is an answer.
func idle(w http.ResponseWriter, r *http.Request, c Chat, drip bool) {
	w.Header().Set("Content-Type", "application/json")
	piece := " "
	if c.Stream {
		w.Header().Set("Content-Type", "text/event-stream")
		piece = ": wait\n\n"
	}
	w.WriteHeader(http.StatusOK)
	flush(w)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
			if drip {
				_, _ = io.WriteString(w, piece)
				flush(w)
			}
		}
	}
}

func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func writeError(w http.ResponseWriter, d dialect, s Step) {
	if s.RetryAfter != "" {
		w.Header().Set("Retry-After", s.RetryAfter)
	}
	writeJSON(w, s.Status, d.failure(s))
}

// broken is how an answer ends in its middle, or nil. It does not return.
func broken(w http.ResponseWriter, r *http.Request, f Fault) func() {
	if f != Cut && f != Stall {
		return nil
	}
	return func() {
		flush(w)
		if f == Stall {
			<-r.Context().Done()
		}
		panic(http.ErrAbortHandler)
	}
}

// whole sends an answer at once, or its first half.
func whole(w http.ResponseWriter, answer any, broken func()) {
	if broken == nil {
		writeJSON(w, http.StatusOK, answer)
		return
	}
	b, _ := json.Marshal(answer)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(b)))
	_, _ = w.Write(b[:len(b)/2])
	broken()
}

// pause waits before the piece i of n, for the length of a Step's Pause and until its
// Gate is open.
func (s Step) pause(i, n int) {
	if s.Pause > 0 {
		<-time.After(s.Pause)
	}
	if s.Gate != nil && i == n/2 {
		<-s.Gate
	}
}

// pieces cuts s into pieces of n characters.
func pieces(s string, n int) []string {
	var out []string
	for r := []rune(s); len(r) > 0; {
		k := min(n, len(r))
		out, r = append(out, string(r[:k])), r[k:]
	}
	return out
}

// pieceSize is how many characters of the arguments of a call a Style sends at once.
func pieceSize(style Style) int {
	switch style {
	case Crumbs:
		return 1
	case Whole, Bare:
		return 1 << 20
	}
	return 6
}
