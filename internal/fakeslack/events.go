package fakeslack

import (
	"encoding/json"
	"slices"
	"strings"
)

const eventContext = "4-fake"

// eventScopes are the scopes without which an app does not hear of something. What
// is in no row needs none. Messages and mentions are in hears and posted.
var eventScopes = map[string]string{
	"reaction_added": "reactions:read", "reaction_removed": "reactions:read", "user_change": "users:read",
	"channel_archive": "channels:read", "channel_unarchive": "channels:read", "channel_rename": "channels:read",
	"subteam_members_changed": "usergroups:read",
}

// subscribed reports whether the app subscribes to an event.
func (s *Server) subscribed(kind string) bool { return !slices.Contains(s.opts.Without, kind) }

func (s *Server) authorizations() []reply {
	return []reply{{"enterprise_id": nil, "team_id": s.opts.Team, "user_id": BotUser, "is_bot": true, "is_enterprise_install": false}}
}

// event tells the app what happened. It returns nil if the app does not listen, or is
// not told.
func (s *Server) event(e reply) *Delivery {
	kind, _ := e["type"].(string)
	scope := eventScopes[kind]
	if kind != "message" && !s.subscribed(kind) || scope != "" && !s.scopes[scope] {
		return nil
	}
	if !s.tells() {
		return nil
	}
	id := s.id("Ev")
	raw, _ := json.Marshal(reply{
		"token": "fake", "team_id": s.opts.Team, "api_app_id": App, "type": "event_callback",
		"event": e, "event_id": id, "event_time": s.clock.Now().Unix(), "event_context": eventContext,
		"context_team_id": s.opts.Team, "context_enterprise_id": nil,
		"is_ext_shared_channel": s.shared(e), "authorizations": s.authorizations(),
	})
	return s.deliver("events_api", id, raw, nil)
}

// heard tells the app what happened, for who wants to know how that goes.
func (s *Server) heard(e reply) (Delivery, error) {
	if d := s.event(e); d != nil {
		return *d, nil
	}
	return Delivery{}, nil
}

// shared reports whether an event is from a channel that another workspace shares.
func (s *Server) shared(e reply) bool {
	id, _ := e["channel"].(string)
	c := s.channel(id)
	return c != nil && c.Shared
}

// Event tells the app of an event of any kind, "type" among its fields.
func (s *Server) Event(e map[string]any) Delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.event(reply(e)); d != nil {
		return *d
	}
	return Delivery{}
}

var messageEvents = map[string]string{"im": "message.im", "mpim": "message.mpim", "group": "message.groups", "channel": "message.channels"}

var historyScopes = map[string]string{"im": "im:history", "mpim": "mpim:history", "group": "groups:history", "channel": "channels:history"}

// hears reports whether the app is told of what is said in c.
func (s *Server) hears(c *Channel) bool {
	return c.has(BotUser) && s.scopes[historyScopes[c.kind()]] && s.subscribed(messageEvents[c.kind()])
}

// mentioned reports whether the text of m calls the app.
func (s *Server) mentioned(c *Channel, m *Message) bool {
	return strings.Contains(m.Text, "<@"+BotUser) && !c.IM && c.has(BotUser) && m.BotID != BotID && s.scopes["app_mentions:read"]
}

// posted tells the app of a new message: a mention in a channel is two events of
// one ts. The app's own come back to it.
func (s *Server) posted(c *Channel, m *Message) {
	said := func() {
		if s.hears(c) {
			e := s.wire(m, true)
			e["channel"], e["channel_type"], e["event_ts"] = c.ID, c.kind(), m.TS
			if m.BotID == "" {
				e["client_msg_id"] = "cm-" + m.TS
			}
			s.foreign(c, e, m.User)
			s.event(e)
		}
	}
	called := func() {
		if !s.mentioned(c, m) {
			return
		}
		e := reply{"type": "app_mention", "user": m.User, "text": m.Text, "ts": m.TS, "channel": c.ID, "event_ts": m.TS}
		if m.ThreadTS != "" {
			e["thread_ts"] = m.ThreadTS
		}
		if m.BotID != "" {
			e["bot_id"] = m.BotID
		}
		if len(m.Files) > 0 {
			e["files"] = s.wireFiles(m, c)
		}
		s.foreign(c, e, m.User)
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

// foreign adds where a person of another workspace comes from.
func (s *Server) foreign(c *Channel, e reply, user string) {
	if !c.Shared {
		return
	}
	team := s.user(user).team(s)
	e["user_team"], e["source_team"], e["team"] = team, team, team
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
	if s.mentioned(c, m) && !s.mentioned(c, &before) {
		e := reply{
			"type": "app_mention", "user": m.User, "text": m.Text, "ts": m.TS, "channel": c.ID, "event_ts": ts,
			"edited": reply{"user": m.EditedBy, "ts": m.Edited},
		}
		if m.ThreadTS != "" {
			e["thread_ts"] = m.ThreadTS
		}
		s.foreign(c, e, m.User)
		s.event(e)
	}
}

func (s *Server) deletedMessage(c *Channel, m *Message) {
	if !m.Root() && m.Only == "" {
		s.replies[m.Channel+"/"+m.ThreadTS]--
	}
	if s.hears(c) {
		ts := s.ts()
		s.event(reply{
			"type": "message", "subtype": "message_deleted", "hidden": true, "channel": c.ID, "channel_type": c.kind(),
			"deleted_ts": m.TS, "previous_message": s.wire(m, true), "ts": ts, "event_ts": ts,
		})
	}
	s.touch()
}
