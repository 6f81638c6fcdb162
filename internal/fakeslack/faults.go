package fakeslack

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// A Fault is what happens to calls of a method instead of what should, or besides
// it. Of Status, Error, Silent, Hang and Redirect one may be set, and then the call
// has no effect; after Cut, Body, Truncate and Late it has. The methods are those of
// the Web API, and "upload", "download" and "response_url".
type Fault struct {
	Method     string        `json:"method"`      // any if empty
	Channel    string        `json:"channel"`     // only calls with that channel
	Times      int           `json:"times"`       // how often; 0 is once, below 0 always
	Skip       int           `json:"skip"`        // calls that go well before
	Delay      time.Duration `json:"delay"`       // before anything else
	Status     int           `json:"status"`      // of HTTP, with a page of HTML
	RetryAfter int           `json:"retry_after"` // seconds, with Status 429
	Error      string        `json:"error"`       // ok:false
	Silent     bool          `json:"silent"`      // ok:false without an error
	Hang       bool          `json:"hang"`        // no answer as long as the caller waits
	Redirect   string        `json:"redirect"`    // 302 to there
	Cut        bool          `json:"cut"`         // do it, then close the connection without an answer
	Body       string        `json:"body"`        // do it, then answer this
	Truncate   bool          `json:"truncate"`    // do it, then answer half of it
	Late       time.Duration `json:"late"`        // do it, then wait with the answer
}

// Fail arranges for a Fault.
func (s *Server) Fail(f Fault) {
	if f.Times == 0 {
		f.Times = 1
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// Mend ends all Faults.
func (s *Server) Mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// Revoke makes a token useless: every call with it is answered with code. An empty
// code gives it back.
func (s *Server) Revoke(token, code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revoked[token] = code
	s.touch()
}

// Forbid takes a scope from the app.
func (s *Server) Forbid(scope string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.scopes, scope)
}

func (s *Server) faultFor(name string, a args) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	channel := a["channel"]
	if channel == "" {
		channel = a["channel_id"]
	}
	for i, f := range s.faults {
		if f.Method != "" && f.Method != name || f.Channel != "" && f.Channel != channel {
			continue
		}
		if f.Skip > 0 {
			f.Skip--
			continue
		}
		if f.Times > 0 {
			if f.Times--; f.Times == 0 {
				s.faults = slices.Delete(s.faults, i, i+1)
			}
		}
		return f
	}
	return nil
}

// stops does what a Fault does before a call, and reports whether that was all.
func (f *Fault) stops(w http.ResponseWriter, r *http.Request, s *Server) bool {
	if f.Delay > 0 && !s.hold(r, f.Delay) {
		return true
	}
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	switch {
	case f.Hang:
		<-r.Context().Done()
	case f.Redirect != "":
		http.Redirect(w, r, f.Redirect, http.StatusFound)
	case f.Silent:
		writeJSON(w, http.StatusOK, reply{"ok": false})
	case f.Error != "":
		writeJSON(w, http.StatusOK, reply{"ok": false, "error": f.Error})
	case f.Status == http.StatusTooManyRequests:
		writeJSON(w, f.Status, reply{"ok": false, "error": "ratelimited"})
	case f.Status != 0:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(f.Status)
		_, _ = io.WriteString(w, "<html><body>Something went wrong</body></html>")
	default:
		return false
	}
	return true
}

// after does what a Fault does to the answer of a call that was done, and reports
// whether that was the answer.
func (f *Fault) after(w http.ResponseWriter, r *http.Request, s *Server, out reply) bool {
	if f.Late > 0 && !s.hold(r, f.Late) {
		return true
	}
	switch {
	case f.Cut:
		cut(w)
	case f.Body != "":
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, f.Body)
	case f.Truncate:
		b, _ := json.Marshal(out)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(b[:len(b)/2])
	default:
		return false
	}
	return true
}

func (f *Fault) code() string {
	switch {
	case f.Error != "":
		return f.Error
	case f.Status != 0:
		return "http " + strconv.Itoa(f.Status)
	case f.Redirect != "":
		return "http 302"
	}
	return "fault"
}

// hold lets a call wait, by the Server's clock, and reports whether the caller is
// still there.
func (s *Server) hold(r *http.Request, d time.Duration) bool {
	over := make(chan struct{})
	stop := s.clock.AfterFunc(d, func() { close(over) })
	defer stop()
	select {
	case <-over:
		return true
	case <-r.Context().Done():
		return false
	}
}

// cut closes the connection of a request without an answer.
func cut(w http.ResponseWriter) {
	if h, ok := w.(http.Hijacker); ok {
		if c, _, err := h.Hijack(); err == nil {
			_ = c.Close()
		}
	}
}
