package fakeslack

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

type faultDelay = time.Duration

// A Fault is what happens to calls of a method instead of what should, or besides
// it. Of Status and Error one may be set, and then the call has no effect; after
// Cut and Body it has.
type Fault struct {
	Method     string        `json:"method"`      // any if empty
	Channel    string        `json:"channel"`     // only calls with that channel
	Times      int           `json:"times"`       // how often; 0 is once, below 0 always
	Skip       int           `json:"skip"`        // calls that go well before
	Delay      time.Duration `json:"delay"`       // before anything else
	Status     int           `json:"status"`      // of HTTP, with a page of HTML
	RetryAfter int           `json:"retry_after"` // seconds, with Status 429
	Error      string        `json:"error"`       // ok:false
	Cut        bool          `json:"cut"`         // do it, then close the connection without an answer
	Body       string        `json:"body"`        // do it, then answer this
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
	for i, f := range s.faults {
		if f.Method != "" && f.Method != name || f.Channel != "" && f.Channel != a["channel"] {
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

// before reports whether the call is not to be done.
func (f *Fault) before() bool { return f.Status != 0 || f.Error != "" }

func (f *Fault) code() string {
	if f.Error != "" {
		return f.Error
	}
	return "http " + strconv.Itoa(f.Status)
}

func (f *Fault) write(w http.ResponseWriter) {
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	switch {
	case f.Error != "":
		writeJSON(w, http.StatusOK, reply{"ok": false, "error": f.Error})
	case f.Status == http.StatusTooManyRequests:
		writeJSON(w, f.Status, reply{"ok": false, "error": "ratelimited"})
	default:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(f.Status)
		_, _ = w.Write([]byte("<html><body>Something went wrong</body></html>"))
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
