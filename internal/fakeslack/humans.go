package fakeslack

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"time"
)

// A Human is a person who uses Slack.
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
// what could be taken for one is escaped.
func (s *Server) typed(text string) string {
	text = escaping.ReplaceAllStringFunc(text, func(c string) string {
		return map[string]string{"&": "&amp;", "<": "&lt;", ">": "&gt;"}[c]
	})
	text = atName.ReplaceAllStringFunc(text, func(at string) string {
		if u := s.user(at[1:]); u != nil {
			return "<@" + u.ID + ">"
		}
		return at
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
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	c, err := h.room(channel)
	if err != nil {
		return Message{}, err
	}
	return *h.s.put(c, Message{User: h.id, Text: h.s.typed(text)}, thread), nil
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

// Edit changes a message of one's own.
func (h Human) Edit(m Message, text string) error {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	o := h.s.message(m.Channel, m.TS)
	if o == nil || o.User != h.id {
		return fmt.Errorf("%s has no message %s", h.name, m.TS)
	}
	before := *o
	o.Text, o.Edited, o.EditedBy, o.Revs = h.s.typed(text), h.s.ts(), h.id, o.Revs+1
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
	o := h.s.message(m.Channel, m.TS)
	if o == nil || o.User != h.id {
		return fmt.Errorf("%s has no message %s", h.name, m.TS)
	}
	o.Deleted = true
	h.s.deletedMessage(h.s.channel(o.Channel), o)
	return nil
}

// Press presses a button of a message, by its action_id or by what stands on it.
func (h Human) Press(m Message, button string) (Delivery, error) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	o := h.s.message(m.Channel, m.TS)
	if h.id == "" || o == nil || o.Only != "" && o.Only != h.id {
		return Delivery{}, fmt.Errorf("%s sees no message %s", h.name, m.TS)
	}
	for _, b := range o.Buttons() {
		if b.ActionID == button || b.Label == button {
			return *h.press(o, b), nil
		}
	}
	return Delivery{}, fmt.Errorf("message %s has no button %q: %+v", m.TS, button, o.Buttons())
}

func (h Human) press(m *Message, b Button) *Delivery {
	s := h.s
	c := s.channel(m.Channel)
	container := reply{"type": "message", "message_ts": m.TS, "channel_id": m.Channel, "is_ephemeral": m.Only != ""}
	if m.ThreadTS != "" {
		container["thread_ts"] = m.ThreadTS
	}
	name := c.Name
	if c.IM {
		name = "directmessage"
	}
	action := reply{
		"type": "button", "action_id": b.ActionID, "block_id": b.BlockID, "action_ts": s.ts(),
		"text": reply{"type": "plain_text", "text": b.Label, "emoji": true},
	}
	if b.Value != "" {
		action["value"] = b.Value
	}
	hookID := s.id("hook")
	s.hooks[hookID] = &hook{at: s.clock.Now(), message: m, user: h.id}
	p := reply{
		"type": "block_actions", "api_app_id": App, "token": "fake",
		"user":      reply{"id": h.id, "username": h.name, "name": h.name, "team_id": Team},
		"team":      reply{"id": Team, "domain": "fake"},
		"container": container, "channel": reply{"id": c.ID, "name": name},
		"trigger_id": s.trigger(h.id), "response_url": s.URL() + "/actions/" + hookID,
		"actions": []reply{action}, "state": reply{"values": reply{}}, "enterprise": nil, "is_enterprise_install": false,
	}
	if m.Only == "" {
		p["message"] = s.wire(m, true)
	}
	raw, _ := json.Marshal(p)
	return s.deliver("interactive", "", raw)
}

// A hook is a response_url: five uses within half an hour.
type hook struct {
	at      time.Time
	message *Message
	user    string
	uses    int
}

func (s *Server) serveHook(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var do struct {
		Text    string          `json:"text"`
		Blocks  json.RawMessage `json:"blocks"`
		Type    string          `json:"response_type"`
		Replace bool            `json:"replace_original"`
		Delete  bool            `json:"delete_original"`
		Thread  string          `json:"thread_ts"`
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.hooks[r.PathValue("hook")]
	switch {
	case h == nil:
		http.Error(w, "no_service", http.StatusNotFound)
		return
	case h.uses >= 5 || s.clock.Now().Sub(h.at) > 30*time.Minute:
		http.Error(w, "expired_url", http.StatusNotFound)
		return
	case json.Unmarshal(body, &do) != nil:
		http.Error(w, "invalid_payload", http.StatusBadRequest)
		return
	}
	h.uses++
	m := Message{Text: do.Text, User: BotUser, BotID: BotID, ThreadTS: do.Thread}
	if len(do.Blocks) > 0 && string(do.Blocks) != "null" {
		blocks, bad := checkBlocks(string(do.Blocks), 50)
		if bad != nil {
			http.Error(w, bad.Code, http.StatusBadRequest)
			return
		}
		m.Blocks = blocks
	}
	switch {
	case do.Delete:
		h.message.Deleted = true
	case do.Replace:
		h.message.Text, h.message.Blocks, h.message.Revs = m.Text, m.Blocks, h.message.Revs+1
	case do.Type == "in_channel":
		s.put(s.channel(h.message.Channel), m, do.Thread)
	default:
		m.Channel, m.TS, m.Only = h.message.Channel, s.ts(), h.user
		s.messages = append(s.messages, &m)
	}
	s.touch()
	_, _ = io.WriteString(w, "ok")
}
