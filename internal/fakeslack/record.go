package fakeslack

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// A Call is one call of the Web API, without its token. What goes to a response_url
// is one too, of the method "response_url", with all of it in "body".
type Call struct {
	Method string
	Args   map[string]string // what is not text is JSON
	At     time.Time
	Error  string // as answered; empty if it was ok
	Fault  bool   // answered by a Fault
	App    bool   // with the app's token
	JSON   bool   // not a form
}

func (s *Server) record(c Call) {
	s.mu.Lock()
	c.At = s.clock.Now()
	s.calls = append(s.calls, c)
	s.counts[c.Method]++
	hooks := s.onRequest
	s.touch()
	s.mu.Unlock()
	for _, f := range hooks {
		f(c)
	}
}

// OnRequest lets f look at every call from now on, before it is answered. It is
// called from many goroutines, and may use the Server.
func (s *Server) OnRequest(f func(Call)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onRequest = append(slices.Clone(s.onRequest), f)
}

// Calls returns the calls of a method so far, or of all if it is empty.
func (s *Server) Calls(method string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Call
	for _, c := range s.calls {
		if method == "" || c.Method == method {
			out = append(out, c)
		}
	}
	return out
}

// WaitCalls returns once a method was called n times.
func (s *Server) WaitCalls(ctx context.Context, method string, n int) error {
	return s.Wait(ctx, fmt.Sprintf("%d calls of %s", n, method), func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.counts[method] >= n
	})
}

// complain notes what the app did wrong and Slack would be silent about.
func (s *Server) complain(format string, v ...any) {
	s.complaints = append(s.complaints, fmt.Sprintf(format, v...))
}

// Complaints returns what the app did wrong where Slack has no answer to say so in:
// answers that were not understood, or came too late.
func (s *Server) Complaints() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.complaints)
}

// Refusals returns the calls that were refused by Slack's rules, not by a Fault.
func (s *Server) Refusals() []Call {
	return slices.DeleteFunc(s.Calls(""), func(c Call) bool { return c.Error == "" || c.Fault })
}

// AckTimes says how fast envelopes were acknowledged, by the wall's clock.
type AckTimes struct {
	N             int
	P50, P99, Max time.Duration
	Late          int // not within three seconds, or never
}

// AckTimes returns how fast all envelopes so far were acknowledged.
func (s *Server) AckTimes() AckTimes {
	var took []time.Duration
	var out AckTimes
	for _, d := range s.Deliveries() {
		if !d.Acked || d.Took > patience {
			out.Late++
		}
		if d.Acked {
			took = append(took, d.Took)
		}
	}
	slices.Sort(took)
	if out.N = len(took); out.N > 0 {
		out.P50, out.P99, out.Max = took[out.N/2], took[out.N*99/100], took[out.N-1]
	}
	return out
}

// OpensApart returns the shortest time between two openings of a socket, and an hour
// if there were not two.
func (s *Server) OpensApart() time.Duration {
	least := time.Hour
	opens := s.Opens()
	for i := 1; i < len(opens); i++ {
		least = min(least, opens[i].Sub(opens[i-1]))
	}
	return least
}
