package fakeslack

import (
	"errors"
	"fmt"
	"regexp"
)

// A Human is a person who uses Slack, or another bot that speaks.
type Human struct {
	s    *Server
	id   string
	name string
}

// Human returns a person by name or id. One who is not there is nobody, and does
// nothing.
func (s *Server) Human(name string) Human {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.user(name); u != nil {
		return Human{s, u.ID, u.Name}
	}
	return Human{s: s, name: name}
}

// ID returns the user's id.
func (h Human) ID() string { return h.id }

var (
	atName   = regexp.MustCompile(`@([a-z][a-z0-9_.-]*)`)
	hashName = regexp.MustCompile(`#([\p{L}\p{N}_-]+)`)
	escaping = regexp.MustCompile(`[&<>]`)
)

// typed is what Slack makes of what a person types: names become references, and
// what could be taken for one is escaped. In commands people are named beside their
// ids.
func (s *Server) typed(text string, named bool) string {
	text = escaping.ReplaceAllStringFunc(text, func(c string) string {
		return map[string]string{"&": "&amp;", "<": "&lt;", ">": "&gt;"}[c]
	})
	text = atName.ReplaceAllStringFunc(text, func(at string) string {
		if at == "@here" || at == "@channel" || at == "@everyone" {
			return "<!" + at[1:] + ">"
		}
		for _, g := range s.groups {
			if g.Handle == at[1:] {
				return "<!subteam^" + g.ID + ">"
			}
		}
		u := s.user(at[1:])
		switch {
		case u == nil:
			return at
		case named:
			return "<@" + u.ID + "|" + u.Name + ">"
		}
		return "<@" + u.ID + ">"
	})
	return hashName.ReplaceAllStringFunc(text, func(hash string) string {
		if c := s.channel(hash); c != nil && !c.Private {
			return "<#" + c.ID + "|" + c.Name + ">"
		}
		return hash
	})
}

// Say posts in a channel, or in the conversation with the bot if it is "dm". In
// the text @hermes and #sales are references, as in Slack.
func (h Human) Say(channel, text string) (Message, error) { return h.Reply(channel, "", text) }

// Reply posts in a thread.
func (h Human) Reply(channel, thread, text string) (Message, error) {
	return h.Send(channel, thread, Message{Text: text})
}

// Broadcast posts in a thread and shows it in the channel too.
func (h Human) Broadcast(channel, thread, text string) (Message, error) {
	return h.Send(channel, thread, Message{Text: text, Subtype: "thread_broadcast"})
}

// Send posts a message with all that it says of itself: blocks of any kind, a
// subtype, metadata. Who posts it and where is h's.
func (h Human) Send(channel, thread string, m Message) (Message, error) {
	s := h.s
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := h.room(channel)
	if err != nil {
		return Message{}, err
	}
	if c.Archived {
		return Message{}, fmt.Errorf("%s is archived", channel)
	}
	u := s.user(h.id)
	m.User, m.Text = h.id, s.typed(m.Text, false)
	if u.Bot {
		m.BotID, m.AppID = u.BotID, appOf(u)
	}
	return *s.put(c, m, thread), nil
}

// DM returns the id of the conversation with the bot alone.
func (h Human) DM() (string, error) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	c, err := h.room("dm")
	if err != nil {
		return "", err
	}
	return c.ID, nil
}

func (h Human) room(channel string) (*Channel, error) {
	if h.id == "" {
		return nil, fmt.Errorf("there is no user %s", h.name)
	}
	if channel == "dm" {
		return h.s.dm(h.id), nil
	}
	c := h.s.channel(channel)
	if c == nil || !c.has(h.id) {
		return nil, fmt.Errorf("%s is in no channel %s", h.name, channel)
	}
	return c, nil
}

var errNoMessage = errors.New("there is no such message of one's own")

// own finds a message that h posted.
func (h Human) own(m Message) (*Message, error) {
	o := h.s.message(m.Channel, m.TS)
	if o == nil || o.User != h.id {
		return nil, fmt.Errorf("%s, %s: %w", h.name, m.TS, errNoMessage)
	}
	return o, nil
}

// Edit changes a message of one's own.
func (h Human) Edit(m Message, text string) error {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	o, err := h.own(m)
	if err != nil {
		return err
	}
	before := *o
	o.Text, o.Edited, o.EditedBy, o.Revs = h.s.typed(text, false), h.s.ts(), h.id, o.Revs+1
	h.s.changedMessage(h.s.channel(o.Channel), before, o)
	h.s.touch()
	return nil
}

// Unfurl lets Slack add a preview to a message: an edit of nobody, in which the
// text stays.
func (s *Server) Unfurl(m Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.message(m.Channel, m.TS); o != nil {
		s.changedMessage(s.channel(o.Channel), *o, o)
	}
}

// Delete takes a message of one's own back.
func (h Human) Delete(m Message) error {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	o, err := h.own(m)
	if err != nil {
		return err
	}
	h.s.remove(o)
	return nil
}

// remove takes a message away, whoever posted it.
func (s *Server) remove(m *Message) {
	m.Deleted = true
	s.deletedMessage(s.channel(m.Channel), m)
}

// Remove takes any message away, as an owner of the workspace does.
func (s *Server) Remove(m Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.message(m.Channel, m.TS); o != nil {
		s.remove(o)
	}
}

// OpenThread begins a conversation in the app's pane, as a person of a workspace
// with the older kind of assistant does, and returns the message that begins it.
func (h Human) OpenThread() (Message, error) {
	s := h.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.id == "" {
		return Message{}, fmt.Errorf("there is no user %s", h.name)
	}
	c := s.dm(h.id)
	m := &Message{Channel: c.ID, TS: s.ts(), User: BotUser, BotID: BotID, AppID: App, Subtype: "assistant_app_thread"}
	m.ThreadTS = m.TS
	s.keep(m)
	s.event(reply{"type": "assistant_thread_started", "event_ts": s.ts(), "assistant_thread": reply{
		"user_id": h.id, "channel_id": c.ID, "thread_ts": m.TS, "context": reply{},
	}})
	return *m, nil
}

// Looks tells the app at which channel a person looks while its pane is open.
func (h Human) Looks(channel string) (Delivery, error) {
	s := h.s
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := h.room(channel)
	if err != nil {
		return Delivery{}, err
	}
	return s.heard(reply{"type": "app_context_changed", "user": h.id, "channel": s.dm(h.id).ID, "event_ts": s.ts(), "context": reply{
		"entities": []reply{{"type": "slack#/types/channel_id", "value": c.ID, "team_id": s.opts.Team}},
	}})
}

// Rename gives a thread another title.
func (h Human) Rename(channel, thread, title string) (Delivery, error) {
	s := h.s
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := h.room(channel)
	if err != nil {
		return Delivery{}, err
	}
	v := s.session(c, thread)
	e := reply{
		"type": "agent_session_title_changed", "channel": c.ID, "thread_ts": thread, "user": h.id, "team_id": s.opts.Team,
		"title": title, "event_ts": s.ts(),
	}
	if v.title != "" {
		e["previous_title"] = v.title
	}
	v.title = title
	return s.heard(e)
}
