package slack

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/coder/websocket"

	"hermes/bot"
)

// A frame is what Slack sends over a socket: an envelope, or a word about the
// socket itself. What comes over HTTP is put into an envelope as well.
type frame struct {
	Type       string          `json:"type"`
	Reason     string          `json:"reason"`
	Envelope   string          `json:"envelope_id"`
	Payload    json.RawMessage `json:"payload"`
	Answerable bool            `json:"accepts_response_payload"`
}

// content is what an envelope holds; of what is nothing to us, nothing.
type content struct {
	message *bot.Message
	clicks  []bot.Click
	// take does what is no word for a Receiver, before the envelope is acknowledged;
	// what it returns is the answer.
	take   func(context.Context) (any, error)
	answer any                   // goes back with the acknowledgement, where Slack takes one
	then   func(context.Context) // is done beside, once the envelope is acknowledged
}

// An ack is what Slack is told of an envelope that was taken.
type ack struct {
	Envelope string `json:"envelope_id"`
	Answer   any    `json:"payload,omitempty"`
	then     func(context.Context)
}

// take works on one frame: what it holds goes to the Receiver, and it is
// acknowledged if that has taken it. An envelope that is refused is sent again by
// Slack; one that we cannot read would come again for ever, so it is kept and
// acknowledged.
func (s *Slack) take(ctx context.Context, l *link, b []byte, to bot.Receiver) {
	a, err := s.frame(ctx, l, b, to)
	if err != nil {
		s.log.Warn("slack event not taken", "envelope", a.Envelope, "err", err)
		return
	}
	if a.Envelope == "" {
		return
	}
	word, err := json.Marshal(a)
	if err == nil {
		// What is stored is acknowledged even when we are stopping.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.times.ack)
		defer cancel()
		err = l.ws.Write(ctx, websocket.MessageText, word)
	}
	if err != nil {
		s.log.Warn("slack event not acknowledged", "envelope", a.Envelope, "err", err)
		l.end(err)
		return // it comes again
	}
	s.beside(a.then)
}

// frame hands what a frame holds to the Receiver, and returns what to acknowledge.
func (s *Slack) frame(ctx context.Context, l *link, b []byte, to bot.Receiver) (ack, error) {
	var f frame
	if err := json.Unmarshal(b, &f); err != nil {
		// Perhaps only one field is not as expected; the name is all we need.
		var only struct {
			Envelope string `json:"envelope_id"`
		}
		_ = json.Unmarshal(b, &only)
		f = frame{Type: "unreadable", Envelope: only.Envelope, Payload: b}
	}
	if f.Type == "disconnect" {
		s.log.Info("slack closes the socket", "reason", f.Reason)
		if l != nil {
			l.leave.Do(func() {
				l.reason = f.Reason
				close(l.leaving)
			})
		}
		return ack{}, nil
	}
	if f.Envelope == "" {
		return ack{}, nil
	}
	c, err := s.hand(ctx, f, to)
	if err != nil {
		return ack{Envelope: f.Envelope}, err
	}
	a := ack{Envelope: f.Envelope, then: c.then}
	if f.Answerable {
		a.Answer = c.answer
	}
	return a, nil
}

// hand gives what an envelope holds to the Receiver, on the way of every transport.
func (s *Slack) hand(ctx context.Context, f frame, to bot.Receiver) (content, error) {
	me, known := s.me()
	if !known {
		return content{}, errUnknownSelf
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.times.ack)
	defer cancel()
	c, err := s.unwrap(ctx, me, f)
	if err != nil {
		if n := s.unreadable.tell(f.Type, s.cfg.Now()); n > 0 {
			s.log.Warn("slack event not readable", "envelope", f.Envelope, "type", f.Type, "count", n, "err", err)
		}
		c = content{message: s.unread(me, f)}
	}
	for _, click := range c.clicks {
		if err := to.Click(ctx, click); err != nil {
			return content{}, err
		}
	}
	if c.message != nil {
		if err := s.receive(ctx, *c.message, to); err != nil {
			return content{}, err
		}
	}
	if c.take != nil {
		if c.answer, err = c.take(ctx); err != nil {
			return content{}, err
		}
	}
	return c, nil
}

// A rarely counts what happens too often to be logged each time.
type rarely struct {
	mu  sync.Mutex
	all map[string]*told
}

type told struct {
	at time.Time // it was told last
	n  int       // how often it has happened since
}

// rare is how often the same kind is told; mostKinds bounds those of whoever sends us any.
const (
	rare      = time.Minute
	mostKinds = 32
)

// tell counts something of a kind, and returns how often it has happened since it was
// told last, 0 if that is not to be told yet.
func (r *rarely) tell(kind string, now time.Time) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = map[string]*told{}
	}
	t := r.all[kind]
	if t == nil && len(r.all) >= mostKinds {
		kind = "" // one kind for the rest
		t = r.all[kind]
	}
	if t == nil {
		t = &told{at: now.Add(-rare)}
		r.all[kind] = t
	}
	t.n++
	if now.Sub(t.at) < rare {
		return 0
	}
	n := t.n
	t.at, t.n = now, 0
	return n
}

// receive gives a Message to the Receiver.
func (s *Slack) receive(ctx context.Context, m bot.Message, to bot.Receiver) error {
	m.InThread = m.InThread && s.cfg.Spoken(ctx, m.Place)
	if m.Edits != "" && m.Text != "" && !m.Addressed && !m.Direct && !m.InThread {
		return nil // people mend their own talk
	}
	return to.Receive(ctx, m)
}

// unwrap finds out what an envelope holds. It makes no call, but for one of a command.
func (s *Slack) unwrap(ctx context.Context, me self, f frame) (content, error) {
	switch f.Type {
	case "events_api":
		return s.event(me, f.Payload)
	case "interactive":
		return s.interaction(me, f.Payload)
	case "slash_commands":
		return s.command(ctx, me, f.Payload)
	case "unreadable":
		return content{}, errShape
	default:
		return content{}, nil
	}
}

// interaction reads what somebody did with a part of Slack that we have made.
func (s *Slack) interaction(me self, payload json.RawMessage) (content, error) {
	var kind struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(payload, &kind); err != nil {
		return content{}, err
	}
	switch kind.Type {
	case "block_actions":
		return s.press(me, payload)
	case "message_action":
		return s.shortcut(me, payload)
	case "view_submission":
		return s.submitted(me, payload)
	default:
		return content{}, nil
	}
}

// unread is what an envelope becomes that cannot be read: it is kept, and nobody
// has said anything in it.
func (s *Slack) unread(me self, f frame) *bot.Message {
	return &bot.Message{
		Key:   "slack/" + me.team + "/envelope/" + f.Envelope,
		Place: bot.Place{Platform: platform, Workspace: me.team, Channel: "envelope"},
		At:    s.cfg.Now(),
		Raw:   f.Payload,
	}
}

// errandsAtOnce is how many things are done beside at a time, mostErrands how many
// wait for that.
const (
	errandsAtOnce = 16
	mostErrands   = 256
)

// beside has something done that an envelope has led to and that needs a call:
// Slack has its acknowledgement by then.
func (s *Slack) beside(do func(context.Context)) {
	if do == nil {
		return
	}
	select {
	case s.errands <- do:
	default:
		s.log.Warn("slack errand left out: too many at a time")
	}
}

// runErrands does them until ctx ends.
func (s *Slack) runErrands(ctx context.Context) {
	for {
		select {
		case do := <-s.errands:
			do(ctx)
		case <-ctx.Done():
			return
		}
	}
}
