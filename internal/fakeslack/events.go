package fakeslack

import (
	"encoding/json"
	"strings"
)

// event tells the app what happened.
func (s *Server) event(e reply) *Delivery {
	id := s.id("Ev")
	raw, _ := json.Marshal(reply{
		"token": "fake", "team_id": Team, "api_app_id": App, "type": "event_callback",
		"event": e, "event_id": id, "event_time": s.clock.Now().Unix(),
		"event_context":         "4-fake",
		"is_ext_shared_channel": false,
		"authorizations":        []reply{{"enterprise_id": nil, "team_id": Team, "user_id": BotUser, "is_bot": true, "is_enterprise_install": false}},
	})
	return s.deliver("events_api", id, raw)
}

// hears reports whether the app is told of what is said in c.
func (s *Server) hears(c *Channel) bool {
	scope := map[string]string{"im": "im:history", "group": "groups:history", "channel": "channels:history"}[c.kind()]
	return c.has(BotUser) && s.scopes[scope]
}

// posted tells the app of a new message: a mention in a channel is two events of
// one ts. The app's own come back to it.
func (s *Server) posted(c *Channel, m *Message) {
	mention := strings.Contains(m.Text, "<@"+BotUser) && !c.IM && c.has(BotUser) && m.BotID == "" && s.scopes["app_mentions:read"]
	said := func() {
		if s.hears(c) {
			e := s.wire(m, true)
			e["channel"], e["channel_type"], e["event_ts"] = c.ID, c.kind(), m.TS
			if m.BotID == "" {
				e["client_msg_id"] = "cm-" + m.TS
			}
			s.event(e)
		}
	}
	called := func() {
		if !mention {
			return
		}
		e := reply{"type": "app_mention", "user": m.User, "text": m.Text, "ts": m.TS, "channel": c.ID, "event_ts": m.TS}
		if m.ThreadTS != "" {
			e["thread_ts"] = m.ThreadTS
		}
		s.event(e)
	}
	if s.opts.MentionFirst {
		called()
		said()
		return
	}
	said()
	called()
}

// changedMessage tells the app of an edit; one that adds a mention is an
// app_mention too.
func (s *Server) changedMessage(c *Channel, before Message, m *Message) {
	ts := s.ts()
	if s.hears(c) {
		s.event(reply{
			"type": "message", "subtype": "message_changed", "hidden": true, "channel": c.ID, "channel_type": c.kind(),
			"message": s.wire(m, true), "previous_message": s.wire(&before, true), "ts": ts, "event_ts": ts,
		})
	}
	call := "<@" + BotUser
	if m.BotID == "" && !c.IM && strings.Contains(m.Text, call) && !strings.Contains(before.Text, call) && c.has(BotUser) {
		s.event(reply{
			"type": "app_mention", "user": m.User, "text": m.Text, "ts": m.TS, "channel": c.ID, "event_ts": ts,
			"edited": reply{"user": m.EditedBy, "ts": m.Edited},
		})
	}
}

func (s *Server) deletedMessage(c *Channel, m *Message) {
	if s.hears(c) {
		ts := s.ts()
		s.event(reply{
			"type": "message", "subtype": "message_deleted", "hidden": true, "channel": c.ID, "channel_type": c.kind(),
			"deleted_ts": m.TS, "previous_message": s.wire(m, true), "ts": ts, "event_ts": ts,
		})
	}
	s.touch()
}
