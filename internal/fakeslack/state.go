package fakeslack

import (
	"encoding/json"
	"slices"
	"strings"
)

// A User is a person, or the bot.
type User struct {
	ID, Name, Zone string
	Bot, Guest     bool
}

// A Channel is a channel, or with an empty Name a conversation of two.
type Channel struct {
	ID, Name string
	Private  bool
	Archived bool
	IM       bool
	Members  []string
	Old      string // error of every use, for a channel that went away
}

func (c *Channel) has(user string) bool { return slices.Contains(c.Members, user) }

// kind is Slack's channel_type.
func (c *Channel) kind() string {
	switch {
	case c.IM:
		return "im"
	case c.Private:
		return "group"
	default:
		return "channel"
	}
}

// A Message is what stands in a channel.
type Message struct {
	Channel  string
	TS       string
	ThreadTS string // empty outside threads; that of a parent is its own TS
	User     string
	BotID    string
	Subtype  string
	Text     string
	Blocks   json.RawMessage
	Metadata json.RawMessage
	Files    []File
	Reacted  []string
	Edited   string // when
	EditedBy string
	Revs     int    // how often it was changed
	Only     string // the user who sees it, of an ephemeral one
	Deleted  bool
}

// Root reports whether m stands in the channel itself.
func (m Message) Root() bool { return m.ThreadTS == "" || m.ThreadTS == m.TS }

// Mine reports whether the bot posted m.
func (m Message) Mine() bool { return m.BotID != "" }

// Shown returns the words that a person sees: those of the blocks, or the text if
// there are none.
func (m Message) Shown() string {
	var blocks []any
	if json.Unmarshal(m.Blocks, &blocks) != nil || len(blocks) == 0 {
		return m.Text
	}
	var b strings.Builder
	for _, bl := range blocks {
		words(&b, bl)
	}
	return strings.TrimSpace(b.String())
}

// words writes whatever is text in a block.
func words(b *strings.Builder, v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			words(b, e)
		}
	case map[string]any:
		switch t := v["text"].(type) {
		case string:
			b.WriteString(t)
			b.WriteString("\n")
		case map[string]any:
			words(b, t)
		}
		for _, k := range []string{"fields", "elements"} {
			words(b, v[k])
		}
	}
}

// A Button is one that can be pressed.
type Button struct{ ActionID, BlockID, Value, Label, Style string }

// Buttons returns the buttons of a message in their order.
func (m Message) Buttons() []Button {
	var blocks []struct {
		ID       string `json:"block_id"`
		Elements []struct {
			Type     string          `json:"type"`
			ActionID string          `json:"action_id"`
			Value    string          `json:"value"`
			Style    string          `json:"style"`
			Text     json.RawMessage `json:"text"`
		} `json:"elements"`
	}
	if json.Unmarshal(m.Blocks, &blocks) != nil {
		return nil
	}
	var out []Button
	for _, bl := range blocks {
		for _, e := range bl.Elements {
			if e.Type != "button" {
				continue
			}
			var label struct{ Text string }
			_ = json.Unmarshal(e.Text, &label)
			out = append(out, Button{e.ActionID, bl.ID, e.Value, label.Text, e.Style})
		}
	}
	return out
}

// A File is what was uploaded.
type File struct {
	ID, Name, Title string
	Size            int
	Bytes           []byte
	Channel, Thread string // where it was shared; empty if it was not
	Length          int    // as announced
}

// A View is a modal or a home that the app showed.
type View struct {
	ID, User, Trigger, Hash string
	View                    json.RawMessage
}

// A Status is what the app said about what it does.
type Status struct{ Method, Channel, Thread, Status string }

// Messages returns all messages that are there, in the order of their time.
func (s *Server) Messages() []Message {
	return s.look(func(*Message) bool { return true })
}

func (s *Server) look(want func(*Message) bool) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Message
	for _, m := range s.messages {
		if !m.Deleted && want(m) {
			out = append(out, *m)
		}
	}
	return out
}

// Room is a channel as tests look at it.
type Room struct {
	s  *Server
	id string
}

// Channel returns a channel by its id or its name.
func (s *Server) Channel(name string) Room {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.channel(name); c != nil {
		return Room{s, c.ID}
	}
	return Room{s, name}
}

// ID returns the channel's id.
func (r Room) ID() string { return r.id }

// Messages returns all messages of a channel, those of its threads too.
func (r Room) Messages() []Message {
	return r.s.look(func(m *Message) bool { return m.Channel == r.id && m.Only == "" })
}

// Roots returns the messages that stand in the channel itself.
func (r Room) Roots() []Message {
	return r.s.look(func(m *Message) bool { return m.Channel == r.id && m.Only == "" && m.Root() })
}

// Thread returns a thread with the message that began it.
func (r Room) Thread(ts string) []Message {
	return r.s.look(func(m *Message) bool {
		return m.Channel == r.id && m.Only == "" && (m.TS == ts || m.ThreadTS == ts)
	})
}

// Private returns what only one user sees.
func (r Room) Private(user string) []Message {
	return r.s.look(func(m *Message) bool { return m.Channel == r.id && m.Only == user })
}

// Change changes a channel, as an owner of the workspace does.
func (r Room) Change(f func(*Channel)) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if c := r.s.channel(r.id); c != nil {
		f(c)
	}
	r.s.touch()
}

// Files returns the files that were uploaded in full.
func (s *Server) Files() []File {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []File
	for _, f := range s.files {
		if f.Bytes != nil {
			out = append(out, *f)
		}
	}
	return out
}

// Views returns what the app showed, Statuses what it said about itself.
func (s *Server) Views() []View {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.views)
}

// Statuses returns what the app said about what it does.
func (s *Server) Statuses() []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.statuses)
}

// AddChannel adds a channel and returns its id.
func (s *Server) AddChannel(c Channel) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.ID == "" {
		c.ID = s.id("C")
	}
	s.channels = append(s.channels, &c)
	return c.ID
}

// channel finds a channel by id or name, user a person. s.mu is held.
func (s *Server) channel(name string) *Channel {
	for _, c := range s.channels {
		if c.ID == name || c.Name != "" && c.Name == strings.TrimPrefix(name, "#") {
			return c
		}
	}
	return nil
}

func (s *Server) user(name string) *User {
	for _, u := range s.users {
		if u.ID == name || u.Name == name {
			return u
		}
	}
	return nil
}

func (s *Server) message(channel, ts string) *Message {
	for _, m := range s.messages {
		if m.Channel == channel && m.TS == ts && !m.Deleted {
			return m
		}
	}
	return nil
}

// dm returns the conversation of the bot and a user, and opens it if need be.
// s.mu is held.
func (s *Server) dm(user string) *Channel {
	for _, c := range s.channels {
		if c.IM && c.has(user) {
			return c
		}
	}
	c := &Channel{ID: s.id("D"), IM: true, Private: true, Members: []string{BotUser, user}}
	s.channels = append(s.channels, c)
	return c
}
