package slack

import (
	"context"
	"encoding/json"

	"github.com/coder/websocket"

	"hermes/bot"
)

// A frame is what Slack sends over a socket: an envelope, or a word about the
// socket itself.
type frame struct {
	Type     string          `json:"type"`
	Reason   string          `json:"reason"`
	Envelope string          `json:"envelope_id"`
	Payload  json.RawMessage `json:"payload"`
}

// What an envelope holds: one of them is set, or none if it is nothing to us.
type content struct {
	message *bot.Message
	clicks  []bot.Click
}

// take works on one frame: what it holds goes to the Receiver, and it is
// acknowledged if that has taken it. An envelope that is refused is sent again by
// Slack; one that we cannot read would come again for ever, so it is kept and
// acknowledged.
func (s *Slack) take(ctx context.Context, l *link, b []byte, to bot.Receiver) {
	id, err := s.frame(ctx, l, b, to)
	if err != nil {
		s.log.Warn("slack event not taken", "envelope", id, "err", err)
		return
	}
	if id == "" {
		return
	}
	ack, err := json.Marshal(map[string]string{"envelope_id": id})
	if err == nil {
		// What is stored is acknowledged even when we are stopping.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.times.ack)
		defer cancel()
		err = l.ws.Write(ctx, websocket.MessageText, ack)
	}
	if err != nil {
		s.log.Warn("slack event not acknowledged", "envelope", id, "err", err)
		l.end(err)
	}
}

// frame hands what a frame holds to the Receiver, and returns what to acknowledge.
func (s *Slack) frame(ctx context.Context, l *link, b []byte, to bot.Receiver) (string, error) {
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
		return "", nil
	}
	if f.Envelope == "" {
		return "", nil
	}
	me, known := s.me()
	if !known {
		return f.Envelope, errUnknownSelf
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.times.ack)
	defer cancel()
	return f.Envelope, s.hand(ctx, me, f, to)
}

// hand gives what an envelope holds to the Receiver.
func (s *Slack) hand(ctx context.Context, me self, f frame, to bot.Receiver) error {
	c, err := s.read(me, f)
	if err != nil {
		s.log.Warn("slack event not readable", "envelope", f.Envelope, "type", f.Type, "err", err)
		c = content{message: s.unread(me, f)}
	}
	for _, click := range c.clicks {
		if err := to.Click(ctx, click); err != nil {
			return err
		}
	}
	if c.message == nil {
		return nil
	}
	m := *c.message
	m.InThread = m.InThread && s.cfg.Spoken(ctx, m.Place)
	return to.Receive(ctx, m)
}

// read finds out what an envelope holds. It makes no call.
func (s *Slack) read(me self, f frame) (content, error) {
	switch f.Type {
	case "events_api":
		m, err := s.event(me, f.Payload)
		return content{message: m}, err
	case "interactive":
		clicks, err := s.press(me, f.Payload)
		return content{clicks: clicks}, err
	case "unreadable":
		return content{}, errShape
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
