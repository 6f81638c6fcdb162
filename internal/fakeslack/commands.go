package fakeslack

import (
	"encoding/json"
	"fmt"
	"slices"
)

// answerLimit is the longest answer to a command, in bytes.
const answerLimit = 20_000

// Slash uses a command in a channel. It is not there for people of other
// workspaces, and not in threads. The answer is seen by h alone unless it says
// otherwise.
func (h Human) Slash(channel, command, text string) (Delivery, error) {
	s := h.s
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := h.room(channel)
	switch {
	case err != nil:
		return Delivery{}, err
	case !slices.Contains(s.opts.Commands, command) || !s.scopes["commands"]:
		return Delivery{}, fmt.Errorf("%s is no command of the app", command)
	case s.user(h.id).stranger(s):
		return Delivery{}, fmt.Errorf("%s is of another workspace, where there is no %s", h.name, command)
	}
	place := s.wirePlace(c.ID)
	p := reply{
		"token": "fake", "team_id": s.opts.Team, "team_domain": "fake", "channel_id": c.ID, "channel_name": place["name"],
		"user_id": h.id, "user_name": h.name, "command": command, "text": s.typed(text, true), "api_app_id": App,
		"is_enterprise_install": "false", "response_url": s.hookFor(h.id, c.ID, nil), "trigger_id": s.trigger(h.id, ""),
	}
	raw, _ := json.Marshal(p)
	now := &hook{channel: c.ID, user: h.id}
	return *s.deliver("slash_commands", "", raw, func(answer json.RawMessage) string { return s.replied(now, answer) }), nil
}

// replied shows the answer to a command.
func (s *Server) replied(h *hook, answer json.RawMessage) string {
	if answer == nil {
		return ""
	}
	if len(answer) > answerLimit {
		return "the answer is too long"
	}
	var do spoken
	if json.Unmarshal(answer, &do) != nil {
		return "it is no message"
	}
	if do.Text == "" && len(do.Blocks) == 0 {
		return ""
	}
	return s.speak(h, do)
}

// Shortcut uses a shortcut on a message.
func (h Human) Shortcut(m Message, callback string) (Delivery, error) {
	s := h.s
	s.mu.Lock()
	defer s.mu.Unlock()
	o, err := h.sees(m)
	switch {
	case err != nil:
		return Delivery{}, err
	case o.Only != "":
		return Delivery{}, fmt.Errorf("%s is seen by one person, and has no shortcuts", m.TS)
	}
	p, err := h.shortcut("message_action", callback)
	if err != nil {
		return Delivery{}, err
	}
	p["channel"], p["message"], p["message_ts"] = s.wirePlace(o.Channel), s.wire(o, true), o.TS
	p["response_url"] = s.hookFor(h.id, o.Channel, nil)
	return *s.interact(p, noPayload), nil
}

// GlobalShortcut uses a shortcut that belongs to no message.
func (h Human) GlobalShortcut(callback string) (Delivery, error) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	p, err := h.shortcut("shortcut", callback)
	if err != nil {
		return Delivery{}, err
	}
	return *h.s.interact(p, noPayload), nil
}

func (h Human) shortcut(kind, callback string) (reply, error) {
	s := h.s
	switch {
	case h.id == "":
		return nil, fmt.Errorf("there is no user %s", h.name)
	case !slices.Contains(s.opts.Shortcuts, callback) || !s.scopes["commands"]:
		return nil, fmt.Errorf("%s is no shortcut of the app", callback)
	}
	p := h.payload(kind)
	p["callback_id"], p["trigger_id"], p["action_ts"] = callback, s.trigger(h.id, ""), s.ts()
	return p, nil
}
