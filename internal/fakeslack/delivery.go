package fakeslack

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// patience is how long Slack waits for an acknowledgement, and again when it
// tries once more: at once, after a minute, after five.
const patience = 3 * time.Second

var again = []time.Duration{0, time.Minute, 5 * time.Minute}

// A Delivery is one envelope on its way to the app.
type Delivery struct {
	EnvelopeID string
	EventID    string
	Type       string // events_api, interactive, slash_commands
	Payload    json.RawMessage
	Attempts   int
	Sent       time.Time // the last attempt, by the Clock
	Acked      bool
	Took       time.Duration   // from the last attempt to the acknowledgement, by the wall's clock
	Answer     json.RawMessage // payload of the acknowledgement
	GivenUp    bool

	wall time.Time
	on   *conn
	stop func()
}

// Deliver sends the app an envelope of any kind.
func (s *Server) Deliver(kind string, payload any) Delivery {
	raw, _ := json.Marshal(payload)
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.deliver(kind, "", raw)
}

// deliver begins a delivery. s.mu is held, as in all that follows.
func (s *Server) deliver(kind, event string, payload json.RawMessage) *Delivery {
	d := &Delivery{EnvelopeID: s.id("env-"), EventID: event, Type: kind, Payload: payload}
	s.deliveries = append(s.deliveries, d)
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
	c := s.pick()
	if s.lose > 0 {
		s.lose--
		c = nil
	}
	if c == nil {
		s.failed(d)
		return
	}
	env := reply{"envelope_id": d.EnvelopeID, "type": d.Type, "payload": d.Payload, "accepts_response_payload": d.Type != "events_api"}
	if d.Type == "events_api" {
		env["retry_attempt"], env["retry_reason"] = d.Attempts-1, ""
		if d.Attempts > 1 {
			env["retry_reason"] = "timeout"
		}
	}
	b, _ := json.Marshal(env)
	d.on = c
	c.send(b)
	for ; s.dupe > 0; s.dupe-- {
		c.send(b)
	}
	n := d.Attempts
	d.stop = s.clock.AfterFunc(patience, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if d.Attempts == n {
			s.failed(d)
		}
	})
}

// failed plans the next attempt, if there is to be one.
func (s *Server) failed(d *Delivery) {
	if d.Acked || d.GivenUp {
		return
	}
	if d.stop != nil {
		d.stop()
	}
	d.on = nil
	if d.Attempts > len(again) {
		d.GivenUp = true
		s.touch()
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

// acked notes an acknowledgement.
func (s *Server) acked(id string, answer json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range slices.Backward(s.deliveries) {
		if d.EnvelopeID != id {
			continue
		}
		if !d.Acked {
			d.Acked, d.Answer, d.Took = true, answer, time.Since(d.wall)
			if d.stop != nil {
				d.stop()
			}
		}
		s.touch()
		return
	}
}

// lost fails whatever was under way on a connection that is gone.
func (s *Server) lost(c *conn) {
	for _, d := range slices.Clone(s.deliveries) {
		if d.on == c && !d.Acked {
			s.failed(d)
		}
	}
}

// Deliveries returns all deliveries so far.
func (s *Server) Deliveries() []Delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Delivery
	for _, d := range s.deliveries {
		out = append(out, *d)
	}
	return out
}

// WaitAcked returns once everything delivered so far is acknowledged.
func (s *Server) WaitAcked(ctx context.Context) error {
	return s.Wait(ctx, "all envelopes to be acknowledged", func() bool {
		for _, d := range s.Deliveries() {
			if !d.Acked {
				return false
			}
		}
		return true
	})
}

// Lose loses the first attempt of the next n deliveries.
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

// Redeliver sends an envelope again that was acknowledged, as Slack does when the
// acknowledgement came too late.
func (s *Server) Redeliver(d Delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.deliveries {
		if o.EnvelopeID == d.EnvelopeID {
			o.Acked = false
			s.attempt(o)
		}
	}
	s.touch()
}
