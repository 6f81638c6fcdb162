package fakeslack

import (
	"fmt"
	"regexp"
	"slices"
)

// A Reaction is an emoji on a message, with those who put it there.
type Reaction struct {
	Name  string
	Users []string
}

// mostReactions is how many different emoji a message takes.
const mostReactions = 50

var emojiName = regexp.MustCompile(`^[a-z0-9_+'-]{1,100}(::skin-tone-[2-6])?$`)

// react puts an emoji on a message or takes it away. Slices that were handed out
// are not changed.
func (m *Message) react(user, name string, on bool) {
	var next []Reaction
	found := false
	for _, r := range m.Reactions {
		if r.Name == name {
			found = true
			users := slices.DeleteFunc(slices.Clone(r.Users), func(u string) bool { return u == user })
			if on {
				users = append(users, user)
			}
			r.Users = users
		}
		if len(r.Users) > 0 {
			next = append(next, r)
		}
	}
	if on && !found {
		next = append(next, Reaction{name, []string{user}})
	}
	m.Reactions, m.Reacted = next, nil
	for _, r := range next {
		if slices.Contains(r.Users, BotUser) {
			m.Reacted = append(m.Reacted, r.Name)
		}
	}
}

func (m *Message) reacted(user, name string) bool {
	return slices.ContainsFunc(m.Reactions, func(r Reaction) bool { return r.Name == name && slices.Contains(r.Users, user) })
}

// reactable finds the message of a call.
func (s *Server) reactable(a args) (*Message, *refusal) {
	c, bad := s.visible(a["channel"])
	if bad != nil {
		return nil, bad
	}
	m := s.message(c.ID, a["timestamp"])
	switch {
	case !emojiName.MatchString(a["name"]):
		return nil, no("invalid_name")
	case m == nil || m.Only != "":
		return nil, no("message_not_found")
	case !c.has(BotUser):
		return nil, no("not_in_channel")
	case c.Archived:
		return nil, no("is_archived")
	}
	return m, nil
}

func (s *Server) reactionsAdd(a args) (reply, *refusal) {
	m, bad := s.reactable(a)
	switch {
	case bad != nil:
		return nil, bad
	case m.reacted(BotUser, a["name"]):
		return nil, no("already_reacted")
	case len(m.Reactions) >= mostReactions:
		return nil, no("too_many_emoji")
	}
	m.react(BotUser, a["name"], true)
	s.reactionEvent("reaction_added", m, BotUser, a["name"])
	return nil, nil
}

func (s *Server) reactionsRemove(a args) (reply, *refusal) {
	m, bad := s.reactable(a)
	if bad != nil {
		return nil, bad
	}
	if !m.reacted(BotUser, a["name"]) {
		return nil, no("no_reaction")
	}
	m.react(BotUser, a["name"], false)
	s.reactionEvent("reaction_removed", m, BotUser, a["name"])
	return nil, nil
}

func (s *Server) reactionEvent(kind string, m *Message, user, name string) {
	if !s.channel(m.Channel).has(BotUser) {
		return
	}
	s.event(reply{
		"type": kind, "user": user, "reaction": name, "item_user": m.User, "event_ts": s.ts(),
		"item": reply{"type": "message", "channel": m.Channel, "ts": m.TS},
	})
}

// React puts an emoji on a message, Unreact takes it away.
func (h Human) React(m Message, emoji string) error { return h.react(m, emoji, true) }

// Unreact takes an emoji of one's own away.
func (h Human) Unreact(m Message, emoji string) error { return h.react(m, emoji, false) }

func (h Human) react(m Message, emoji string, on bool) error {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	o, err := h.sees(m)
	if err != nil {
		return err
	}
	if o.reacted(h.id, emoji) == on {
		return fmt.Errorf("%s on %s is already so", emoji, m.TS)
	}
	o.react(h.id, emoji, on)
	h.s.reactionEvent(map[bool]string{true: "reaction_added", false: "reaction_removed"}[on], o, h.id, emoji)
	h.s.touch()
	return nil
}
