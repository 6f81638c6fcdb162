package fakeslack

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// target finds the channel into which the bot may write. A user's id is the
// conversation with that user.
func (s *Server) target(name string) (*Channel, *refusal) {
	if name == "" {
		return nil, no("channel_not_found")
	}
	if u := s.user(name); u != nil && !u.Bot {
		return s.dm(u.ID), nil
	}
	c, bad := s.visible(name)
	switch {
	case bad != nil:
		return nil, bad
	case c.Archived:
		return nil, no("is_archived")
	case !c.has(BotUser):
		return nil, no("not_in_channel")
	}
	return c, nil
}

// visible finds a channel that the bot can see: a private one only from inside.
func (s *Server) visible(name string) (*Channel, *refusal) {
	c := s.channel(name)
	switch {
	case c == nil, c.Private && !c.has(BotUser):
		return nil, no("channel_not_found")
	case c.Old != "":
		return nil, no(c.Old)
	}
	return c, nil
}

// content checks what a message is to say, and returns it.
func content(a args, textLimit int) (Message, *refusal) {
	m := Message{Text: a["text"]}
	if a["blocks"] != "" {
		blocks, bad := checkBlocks(a["blocks"], messageBlocks)
		if bad != nil {
			return m, bad
		}
		m.Blocks = blocks
	}
	if md := a["markdown_text"]; md != "" {
		if m.Text != "" || m.Blocks != nil {
			return m, no("markdown_text_conflict")
		}
		if utf8.RuneCountInString(md) > 12000 {
			return m, no("msg_too_long")
		}
		m.Text = md
	}
	if m.Text == "" && m.Blocks == nil {
		return m, no("no_text")
	}
	if n := utf8.RuneCountInString(m.Text); n > textLimit {
		if textLimit < 40000 {
			return m, no("msg_too_long")
		}
		m.Text = string([]rune(m.Text)[:textLimit])
	}
	if a["metadata"] != "" {
		meta, bad := checkMetadata(a["metadata"])
		if bad != nil {
			return m, bad
		}
		m.Metadata = meta
	}
	return m, nil
}

// checkMetadata checks what an app keeps with a message.
func checkMetadata(raw string) (json.RawMessage, *refusal) {
	var meta struct {
		Type    string                     `json:"event_type"`
		Payload map[string]json.RawMessage `json:"event_payload"`
	}
	if json.Unmarshal([]byte(raw), &meta) != nil || meta.Type == "" || meta.Payload == nil {
		return nil, no("invalid_metadata_format")
	}
	return json.RawMessage(raw), nil
}

func (s *Server) postMessage(a args) (reply, *refusal) {
	c, bad := s.target(a["channel"])
	if bad != nil {
		return nil, bad
	}
	m, bad := content(a, 40000)
	if bad != nil {
		return nil, bad
	}
	m.User, m.BotID, m.AppID = BotUser, BotID, App
	if a.yes("reply_broadcast") && a["thread_ts"] != "" {
		m.Subtype = "thread_broadcast"
	}
	p := s.put(c, m, a["thread_ts"])
	return reply{"channel": c.ID, "ts": p.TS, "message": s.wire(p, true)}, nil
}

// put puts a message into a channel, and tells the app. Slack posts outside the
// thread if its parent is gone, and so does this. A reply to a reply goes to the
// thread of that one.
func (s *Server) put(c *Channel, m Message, thread string) *Message {
	m.Channel, m.TS = c.ID, s.ts()
	if parent := s.message(c.ID, thread); parent != nil {
		if parent.ThreadTS == "" {
			parent.ThreadTS = parent.TS
		}
		m.ThreadTS = parent.ThreadTS
	}
	if m.Broadcast = m.Subtype == "thread_broadcast" && m.ThreadTS != ""; !m.Broadcast && m.Subtype == "thread_broadcast" {
		m.Subtype = ""
	}
	p := &m
	s.keep(p)
	s.answered(p)
	s.posted(c, p)
	return p
}

func (s *Server) postEphemeral(a args) (reply, *refusal) {
	c, bad := s.target(a["channel"])
	if bad != nil {
		return nil, bad
	}
	u := s.user(a["user"])
	if u == nil || !c.has(u.ID) {
		return nil, no("user_not_in_channel")
	}
	m, bad := content(a, 40000)
	if bad != nil {
		return nil, bad
	}
	m.User, m.BotID, m.AppID, m.Only, m.ThreadTS = BotUser, BotID, App, u.ID, a["thread_ts"]
	m.Channel, m.TS = c.ID, s.ts()
	s.keep(&m)
	return reply{"message_ts": m.TS}, nil
}

// own finds a message that the bot may change.
func (s *Server) own(a args, code string) (*Channel, *Message, *refusal) {
	c, bad := s.visible(a["channel"])
	if bad != nil {
		return nil, nil, bad
	}
	if strings.HasPrefix(a["channel"], "U") {
		return nil, nil, no("channel_not_found")
	}
	m := s.message(c.ID, a["ts"])
	switch {
	case m == nil, m.Only != "":
		return nil, nil, no("message_not_found")
	case m.BotID != BotID:
		return nil, nil, no(code)
	case c.Archived:
		return nil, nil, no("is_archived")
	}
	return c, m, nil
}

func (s *Server) updateMessage(a args) (reply, *refusal) {
	c, m, bad := s.own(a, "cant_update_message")
	if bad != nil {
		return nil, bad
	}
	if m.Streaming == Streaming {
		return nil, no("streaming_state_conflict")
	}
	next, bad := content(a, 4000)
	if bad != nil {
		return nil, bad
	}
	before := *m
	// Text without blocks takes the blocks away; blocks without text leave the text.
	if next.Text != "" {
		m.Text = next.Text
	}
	m.Blocks = next.Blocks
	delete(s.inputs, m)
	if m.Streaming != "" {
		m.Streaming, m.Subtype, m.Tasks, m.Plan = "", "", nil, ""
	}
	if a["metadata"] != "" {
		m.Metadata = next.Metadata
	}
	m.Edited, m.EditedBy, m.Revs = s.ts(), BotUser, m.Revs+1
	s.changedMessage(c, before, m)
	return reply{"channel": c.ID, "ts": m.TS, "text": m.Text, "message": s.wire(m, true)}, nil
}

func (s *Server) deleteMessage(a args) (reply, *refusal) {
	c, m, bad := s.own(a, "cant_delete_message")
	if bad != nil {
		return nil, bad
	}
	s.remove(m)
	return reply{"channel": c.ID, "ts": m.TS}, nil
}

func (s *Server) getPermalink(a args) (reply, *refusal) {
	c, bad := s.visible(a["channel"])
	if bad != nil {
		return nil, bad
	}
	m := s.message(c.ID, a["message_ts"])
	if m == nil {
		return nil, no("message_not_found")
	}
	link := "https://fake.slack.com/archives/" + c.ID + "/p" + strings.ReplaceAll(m.TS, ".", "")
	if !m.Root() {
		link += "?" + url.Values{"thread_ts": {m.ThreadTS}, "cid": {c.ID}}.Encode()
	}
	return reply{"channel": c.ID, "permalink": link}, nil
}

// wire is a message as the Web API and events show it.
func (s *Server) wire(m *Message, metadata bool) reply {
	r := reply{"type": "message", "ts": m.TS, "user": m.User, "text": m.Text, "team": s.opts.Team}
	if m.BotID != "" {
		name := "hermes"
		if u := s.user(m.User); u != nil {
			name = u.Name
		}
		r["bot_id"], r["app_id"] = m.BotID, m.AppID
		r["bot_profile"] = reply{"id": m.BotID, "app_id": m.AppID, "name": name, "team_id": s.opts.Team, "deleted": false}
	}
	for key, v := range map[string]string{"subtype": m.Subtype, "thread_ts": m.ThreadTS, "streaming_state": m.Streaming} {
		if v != "" {
			r[key] = v
		}
	}
	if m.ThreadTS == m.TS {
		r["reply_count"] = s.replies[m.Channel+"/"+m.TS]
		for _, x := range slices.Backward(s.messages) {
			if x.Channel == m.Channel && x.ThreadTS == m.TS && x != m && !x.Deleted && x.Only == "" {
				r["latest_reply"] = x.TS
				break
			}
		}
	}
	if root := s.message(m.Channel, m.ThreadTS); m.Broadcast && root != nil {
		r["root"] = s.wire(root, false)
	}
	if m.Blocks != nil {
		r["blocks"] = m.Blocks
	}
	if m.Metadata != nil && metadata {
		r["metadata"] = m.Metadata
	}
	if m.Edited != "" {
		r["edited"] = reply{"user": m.EditedBy, "ts": m.Edited}
	}
	if len(m.Reactions) > 0 {
		var all []reply
		for _, e := range m.Reactions {
			all = append(all, reply{"name": e.Name, "users": e.Users, "count": len(e.Users)})
		}
		r["reactions"] = all
	}
	if len(m.Files) > 0 {
		r["files"], r["upload"] = s.wireFiles(m, s.channel(m.Channel)), true
	}
	return r
}
