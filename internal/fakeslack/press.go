package fakeslack

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Press presses a button of a message, by its action_id or by what stands on it. Of
// feedback buttons the words of one of the two are meant.
func (h Human) Press(m Message, button string) (Delivery, error) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	o, err := h.sees(m)
	if err != nil {
		return Delivery{}, err
	}
	c, action, err := h.pressed(o.Blocks, button)
	if err != nil {
		return Delivery{}, fmt.Errorf("message %s: %w", m.TS, err)
	}
	return *h.act(o, c, action), nil
}

// Choose enters or chooses something in a control of a message, by its action_id or
// label. An option is named by its value or by what stands on it.
func (h Human) Choose(m Message, control, value string) (Delivery, error) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	o, err := h.sees(m)
	if err != nil {
		return Delivery{}, err
	}
	c, entry, err := chosen(o.Blocks, control, value)
	if err != nil {
		return Delivery{}, fmt.Errorf("message %s: %w", m.TS, err)
	}
	if c.str("type") != "overflow" {
		h.s.inputsOf(o).set(c, entry)
	}
	return *h.act(o, c, reply(entry)), nil
}

// sees finds a message that h can see.
func (h Human) sees(m Message) (*Message, error) {
	o := h.s.message(m.Channel, m.TS)
	if h.id == "" || o == nil || o.Only != "" && o.Only != h.id || !h.s.channel(m.Channel).has(h.id) {
		return nil, fmt.Errorf("%s sees no message %s", h.name, m.TS)
	}
	return o, nil
}

// pressed finds a button and what it says when it is pressed.
func (h Human) pressed(raw json.RawMessage, button string) (control, reply, error) {
	var known []string
	for _, c := range controlsOf(raw) {
		switch c.str("type") {
		case "button", "workflow_button":
			if c.str("action_id") == button || c.label() == button {
				a := reply{"text": c.e["text"]}
				for _, k := range []string{"value", "style", "url"} {
					if c.e[k] != nil && c.e[k] != "" {
						a[k] = c.e[k]
					}
				}
				return c, a, nil
			}
			known = append(known, c.label())
		case "icon_button":
			if to, ok := c.e["visible_to_user_ids"].([]any); ok && !slices.Contains(to, any(h.id)) {
				continue
			}
			if c.str("action_id") == button || c.label() == button || c.str("icon") == button {
				a := reply{}
				if c.e["value"] != nil {
					a["value"] = c.e["value"]
				}
				return c, a, nil
			}
			known = append(known, c.label())
		case "feedback_buttons":
			for _, k := range []string{"positive_button", "negative_button"} {
				b, _ := c.e[k].(map[string]any)
				if plain(b["text"]) == button || b["value"] == button {
					return c, reply{"text": b["text"], "value": b["value"]}, nil
				}
				known = append(known, plain(b["text"]))
			}
		}
	}
	return control{}, nil, fmt.Errorf("there is no button %q, there are %q", button, known)
}

// chosen finds a control and what is in it once value is entered.
func chosen(raw json.RawMessage, name, value string) (control, map[string]any, error) {
	var known []string
	for _, c := range controlsOf(raw) {
		_, ok := valueKeys[c.str("type")]
		if over := c.str("type") == "overflow"; over && c.is(name) {
			o, err := c.option(value)
			return c, map[string]any{"type": "overflow", "selected_option": o}, err
		}
		if ok && c.is(name) {
			entry, err := c.entered(value)
			return c, entry, err
		}
		known = append(known, c.str("action_id"))
	}
	return control{}, nil, fmt.Errorf("there is no input %q, there are %q", name, known)
}

// act tells the app that a control of a message was used.
func (h Human) act(m *Message, c control, action reply) *Delivery {
	s := h.s
	container := reply{"type": "message", "message_ts": m.TS, "channel_id": m.Channel, "is_ephemeral": m.Only != ""}
	if m.ThreadTS != "" {
		container["thread_ts"] = m.ThreadTS
	}
	p := h.payload("block_actions")
	p["container"], p["channel"] = container, s.wirePlace(m.Channel)
	p["trigger_id"] = s.trigger(h.id, "")
	p["response_url"] = s.hookFor(h.id, m.Channel, m)
	p["actions"], p["state"] = []reply{s.action(c, action)}, reply{"values": s.inputsOf(m)}
	if m.Only == "" {
		p["message"] = s.wire(m, true)
	}
	return s.interact(p, noPayload)
}

// inputsOf returns what stands in the inputs of a message.
func (s *Server) inputsOf(m *Message) state {
	if s.inputs[m] == nil {
		s.inputs[m] = newState(m.Blocks, nil)
	}
	return s.inputs[m]
}

// action is what an app is told of a control that was used.
func (s *Server) action(c control, a reply) reply {
	a["type"], a["action_id"], a["block_id"], a["action_ts"] = c.str("type"), c.str("action_id"), c.blockID(), s.ts()
	return a
}

// payload is what every interaction begins with.
func (h Human) payload(kind string) reply {
	s := h.s
	team := s.opts.Team
	if u := s.user(h.id); u != nil && u.Team != "" {
		team = u.Team
	}
	return reply{
		"type": kind, "api_app_id": App, "token": "fake", "enterprise": nil, "is_enterprise_install": false,
		"user": reply{"id": h.id, "username": h.name, "name": h.name, "team_id": team},
		"team": reply{"id": s.opts.Team, "domain": "fake"},
	}
}

func (s *Server) wirePlace(channel string) reply {
	c := s.channel(channel)
	name := c.Name
	if c.IM {
		name = "directmessage"
	}
	return reply{"id": c.ID, "name": name}
}

func (s *Server) interact(p reply, acked func(json.RawMessage) string) *Delivery {
	raw, _ := json.Marshal(p)
	return s.deliver("interactive", "", raw, acked)
}

// noPayload is for what is acknowledged with nothing.
func noPayload(answer json.RawMessage) string {
	if answer != nil {
		return "this takes no payload"
	}
	return ""
}
