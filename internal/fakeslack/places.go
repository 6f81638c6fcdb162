package fakeslack

import "slices"

// Invite brings somebody into a channel, Kick takes somebody out. The app hears of
// it where it is.
func (r Room) Invite(user string) { r.member(user, true) }

// Kick takes somebody out of a channel; the bot too.
func (r Room) Kick(user string) { r.member(user, false) }

func (r Room) member(user string, in bool) {
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	c, u := s.channel(r.id), s.user(user)
	if c == nil || u == nil || c.has(u.ID) == in {
		return
	}
	e := reply{"type": "member_joined_channel", "user": u.ID, "channel": c.ID, "channel_type": c.ID[:1], "team": u.team(s), "event_ts": s.ts()}
	if in {
		c.Members = append(slices.Clone(c.Members), u.ID)
	} else {
		e["type"] = "member_left_channel"
	}
	if c.has(BotUser) {
		s.event(e)
	}
	if !in {
		c.Members = slices.DeleteFunc(slices.Clone(c.Members), func(m string) bool { return m == u.ID })
	}
	s.touch()
}

// Archive closes a channel, and the app hears of it.
func (r Room) Archive() {
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.channel(r.id); c != nil {
		c.Archived = true
		kind := map[bool]string{true: "group_archive", false: "channel_archive"}[c.Private]
		s.event(reply{"type": kind, "channel": c.ID, "user": "U0ANA0001", "event_ts": s.ts()})
		s.touch()
	}
}

// Renumber gives a channel another id, as happens when it comes to be shared, and
// returns it with that. The old id names nothing any more.
func (r Room) Renumber() Room {
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channel(r.id)
	if c == nil {
		return r
	}
	old := c.ID
	c.ID = s.id("C")
	for _, m := range s.messages {
		if m.Channel == old {
			delete(s.index, old+"/"+m.TS)
			m.Channel = c.ID
			s.index[c.ID+"/"+m.TS] = m
			s.replies[c.ID+"/"+m.TS] = s.replies[old+"/"+m.TS]
		}
	}
	for key, v := range s.sessions {
		if len(key) > len(old) && key[:len(old)+1] == old+"/" {
			s.sessions[c.ID+key[len(old):]] = v
		}
	}
	s.event(reply{"type": "channel_id_changed", "old_channel_id": old, "new_channel_id": c.ID, "event_ts": s.ts()})
	s.touch()
	return Room{s, c.ID}
}

// Publish makes a private channel public, or Hide a public one private. The app is
// not told.
func (r Room) Publish() { r.Change(func(c *Channel) { c.Private = false }) }

// Hide makes a public channel private.
func (r Room) Hide() { r.Change(func(c *Channel) { c.Private = true }) }
