package fakeslack

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// patience is how long Slack waits for an acknowledgement, and again when it
// tries once more with an event: at once, after a minute, after five. A press, a
// command or a form is never tried again: the person sees that it failed.
const patience = 3 * time.Second

var again = []time.Duration{0, time.Minute, 5 * time.Minute}

// A Delivery is one envelope on its way to the app, over a socket or by HTTP.
type Delivery struct {
	EnvelopeID string
	EventID    string
	Type       string // events_api, interactive, slash_commands
	Payload    json.RawMessage
	Attempts   int
	Failed     int       // attempts that failed
	Sent       time.Time // the last attempt, by the Clock
	Acked      bool
	Took       time.Duration   // from the last attempt to the acknowledgement, by the wall's clock
	Answer     json.RawMessage // payload of the acknowledgement
	GivenUp    bool
	Late       bool   // acknowledged after it was given up, which helps nobody
	Reason     string // why the last attempt failed, as a retry says it
	Refused    string // why Slack took no notice of the Answer; empty if it did

	wall  time.Time
	echo  bool // it was acknowledged before; what it led to has been done
	on    *conn
	stop  func()
	acked func(json.RawMessage) string // what the answer leads to; s.mu is held
}

// Deliver sends the app an envelope of any kind.
func (s *Server) Deliver(kind string, payload any) Delivery {
	raw, _ := json.Marshal(payload)
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.deliver(kind, "", raw, nil)
}

// deliver begins a delivery. s.mu is held, as in all that follows.
func (s *Server) deliver(kind, event string, payload json.RawMessage, acked func(json.RawMessage) string) *Delivery {
	d := &Delivery{EnvelopeID: s.id("env-"), EventID: event, Type: kind, Payload: payload, acked: acked}
	s.deliveries = append(s.deliveries, d)
	s.envelopes[d.EnvelopeID] = d
	s.pending++
	s.attempt(d)
	s.touch()
	return d
}

func (s *Server) attempt(d *Delivery) {
	if d.Acked {
		return
	}
	d.Attempts++
	d.Sent, d.wall = s.clock.Now(), time.Now()
	if s.lose > 0 {
		s.lose--
		s.failed(d, "timeout")
		return
	}
	if s.endpoints != nil {
		s.request(d)
		return
	}
	c := s.pick()
	if c == nil {
		s.failed(d, "timeout")
		return
	}
	d.on = c
	s.frame(c, d.envelope())
	s.watch(d, "timeout", nil)
}

// watch fails an attempt that is not acknowledged in time.
func (s *Server) watch(d *Delivery, reason string, then func()) {
	n := d.Attempts
	d.stop = s.clock.AfterFunc(patience, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if d.Attempts == n {
			if then != nil {
				then()
			}
			s.failed(d, reason)
		}
	})
}

func (d *Delivery) envelope() []byte {
	env := reply{"envelope_id": d.EnvelopeID, "type": d.Type, "payload": d.Payload, "accepts_response_payload": d.Type != "events_api"}
	if d.Type == "events_api" {
		env["retry_attempt"], env["retry_reason"] = d.Attempts-1, ""
		if d.Attempts > 1 {
			env["retry_reason"] = d.Reason
		}
	}
	b, _ := json.Marshal(env)
	return b
}

// frame sends an envelope, with what was arranged for the next one: copies, or to
// come after the one after it.
func (s *Server) frame(c *conn, b []byte) {
	if s.swap {
		s.swap = false
		s.held = func() { c.send(b) }
		return
	}
	for range s.dupe + 1 {
		c.send(b)
	}
	s.dupe = 0
	if s.held != nil {
		s.held()
		s.held = nil
	}
}

// failed plans the next attempt, if there is to be one.
func (s *Server) failed(d *Delivery, reason string) {
	if d.Acked || d.GivenUp {
		return
	}
	if d.stop != nil {
		d.stop()
	}
	d.on, d.Reason = nil, reason
	d.Failed = d.Attempts
	s.tried(d, true)
	s.touch()
	if d.Attempts > len(again) || d.Type != "events_api" {
		d.GivenUp = true
		return
	}
	wait := again[d.Attempts-1]
	n := d.Attempts
	if wait == 0 {
		s.attempt(d)
		return
	}
	s.clock.AfterFunc(wait, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if d.Attempts == n {
			s.attempt(d)
		}
	})
}

// pick returns a live connection. Slack may use any, and so does this.
func (s *Server) pick() *conn {
	if len(s.conns) == 0 {
		return nil
	}
	return s.conns[s.rand.IntN(len(s.conns))]
}

// ack notes an acknowledgement that came over a socket.
func (s *Server) ack(id string, answer json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.envelopes[id]
	if d == nil {
		s.complain("an acknowledgement of the unknown envelope %q", id)
		return
	}
	s.accept(d, answer)
}

// accept takes an acknowledgement, and does what it asks for.
func (s *Server) accept(d *Delivery, answer json.RawMessage) {
	defer s.touch()
	if d.Acked {
		return
	}
	if d.GivenUp && d.Type != "events_api" {
		d.Late = true
		s.complain("%s %s was acknowledged too late", d.Type, d.EnvelopeID)
		return
	}
	s.tried(d, false)
	d.Acked, d.Answer, d.Took = true, answer, time.Since(d.wall)
	s.pending--
	if d.stop != nil {
		d.stop()
	}
	if slices.Contains(nothing, string(answer)) {
		answer = nil
	}
	switch {
	case d.echo:
	case d.acked != nil:
		d.Refused = d.acked(answer)
	case answer != nil && d.Type == "events_api":
		d.Refused = "an event takes no payload"
	}
	if d.Refused != "" {
		s.complain("answer to %s %s: %s", d.Type, d.EnvelopeID, d.Refused)
	}
}

// nothing are payloads that say nothing. Slack's own client sends them with every
// acknowledgement.
var nothing = []string{"", "null", "{}", `""`}

// lost fails whatever was under way on a connection that is gone.
func (s *Server) lost(c *conn) {
	for _, d := range slices.Clone(s.deliveries) {
		if d.on == c && !d.Acked {
			s.failed(d, "timeout")
		}
	}
}

// Deliveries returns all deliveries so far.
func (s *Server) Deliveries() []Delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Delivery, 0, len(s.deliveries))
	for _, d := range s.deliveries {
		out = append(out, *d)
	}
	return out
}

// Delivered returns a delivery as it stands, by the id of its envelope.
func (s *Server) Delivered(d Delivery) Delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.envelopes[d.EnvelopeID]; o != nil {
		return *o
	}
	return d
}

// WaitAnswer returns a delivery once it is acknowledged or given up.
func (s *Server) WaitAnswer(ctx context.Context, d Delivery) (Delivery, error) {
	err := s.Wait(ctx, "an answer to "+d.EnvelopeID, func() bool {
		d = s.Delivered(d)
		return d.Acked || d.GivenUp
	})
	return d, err
}

// WaitAcked returns once everything delivered so far is acknowledged.
func (s *Server) WaitAcked(ctx context.Context) error {
	return s.Wait(ctx, "all envelopes to be acknowledged", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.pending == 0
	})
}

// Lose loses the next n attempts to deliver.
func (s *Server) Lose(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lose = n
}

// Duplicate sends the next envelope n times more.
func (s *Server) Duplicate(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dupe = n
}

// Swap sends the envelope after the next one before it.
func (s *Server) Swap() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.swap = true
}

// Redeliver sends an envelope again that was acknowledged, as Slack does when the
// acknowledgement came too late.
func (s *Server) Redeliver(d Delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.envelopes[d.EnvelopeID]; o != nil {
		if o.Acked {
			s.pending++
			o.echo = true
		}
		o.Acked, o.GivenUp = false, false
		if o.Reason == "" {
			o.Reason = "timeout"
		}
		s.attempt(o)
	}
	s.touch()
}
