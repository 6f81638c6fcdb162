package fakeslack

import (
	"encoding/json"
	"slices"
	"strings"
)

// A Channel is a channel, or with an empty Name a conversation of two.
type Channel struct {
	ID, Name string
	Private  bool
	Archived bool
	IM       bool
	Group    bool // a conversation of several, without a name
	Shared   bool // with another workspace
	Members  []string
	Old      string // error of every use, for a channel that went away
}

func (c *Channel) has(user string) bool { return slices.Contains(c.Members, user) }

// kind is Slack's channel_type.
func (c *Channel) kind() string {
	switch {
	case c.IM:
		return "im"
	case c.Group:
		return "mpim"
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
	AppID    string
	Subtype  string
	Text     string
	Blocks   json.RawMessage
	Metadata json.RawMessage
	Files    []File
	Reacted  []string // the emoji of the bot
	Edited   string   // when
	EditedBy string
	Revs     int    // how often it was changed
	Only     string // the user who sees it, of an ephemeral one
	Deleted  bool

	Reactions []Reaction // of all
	Broadcast bool       // a reply that stands in the channel too
	Streaming string     // state of a stream; empty of a plain message
	Tasks     []Task     // cards of a stream
	Plan      string     // title of the plan over them
}

// Root reports whether m stands in the channel itself.
func (m Message) Root() bool { return m.ThreadTS == "" || m.ThreadTS == m.TS }

// Mine reports whether the bot posted m.
func (m Message) Mine() bool { return m.BotID == BotID }

// Shown returns the words that a person sees: those of the blocks, or the text if
// there are none. A stream shows its text, its cards and its blocks.
func (m Message) Shown() string {
	if m.Streaming == "" {
		if shown := shownIn(m.Blocks); shown != "" {
			return shown
		}
		return m.Text
	}
	all := []string{m.Plan}
	for _, t := range m.Tasks {
		all = append(all, t.Title, t.Details, t.Output)
	}
	all = append(all, m.Text, shownIn(m.Blocks))
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), "\n")
}

// shownIn returns the words in blocks, or in a view.
func shownIn(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return ""
	}
	var b strings.Builder
	words(&b, v)
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
		if title, ok := v["title"].(string); ok { // of a plan or a task, not of a text object
			b.WriteString(title + "\n")
		}
		for _, k := range shownKeys {
			words(b, v[k])
		}
	}
}

// shownKeys are the keys under which more words stand, in the order of the eye.
var shownKeys = []string{
	"title", "label", "fields", "accessory", "element", "elements", "rows", "tasks", "details", "output",
	"subtitle", "body", "actions", "child_blocks", "positive_button", "negative_button", "blocks", "hint",
}

// A Button is one that can be pressed: a plain one, an icon, or one of a pair for
// feedback.
type Button struct{ ActionID, BlockID, Value, Label, Style string }

// Buttons returns the buttons of a message in their order.
func (m Message) Buttons() []Button { return buttonsOf(m.Blocks) }

func buttonsOf(raw json.RawMessage) []Button {
	var out []Button
	for _, c := range controlsOf(raw) {
		switch c.str("type") {
		case "button", "workflow_button", "icon_button":
			out = append(out, Button{c.str("action_id"), c.blockID(), c.str("value"), c.label(), c.str("style")})
		case "feedback_buttons":
			for _, k := range []string{"positive_button", "negative_button"} {
				b, _ := c.e[k].(map[string]any)
				value, _ := b["value"].(string)
				out = append(out, Button{c.str("action_id"), c.blockID(), value, plain(b["text"]), ""})
			}
		}
	}
	return out
}

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

// channel finds a channel by id or name. s.mu is held.
func (s *Server) channel(name string) *Channel {
	for _, c := range s.channels {
		if c.ID == name || c.Name != "" && c.Name == strings.TrimPrefix(name, "#") {
			return c
		}
	}
	return nil
}

func (s *Server) message(channel, ts string) *Message {
	if m := s.index[channel+"/"+ts]; m != nil && !m.Deleted {
		return m
	}
	return nil
}

// keep adds a message to those that are there.
func (s *Server) keep(m *Message) {
	s.messages = append(s.messages, m)
	s.index[m.Channel+"/"+m.TS] = m
	if !m.Root() && m.Only == "" {
		s.replies[m.Channel+"/"+m.ThreadTS]++
	}
	s.touch()
}

// dm returns the conversation of the bot and a user, and opens it if need be.
// s.mu is held.
func (s *Server) dm(user string) *Channel {
	for _, c := range s.channels {
		if c.IM && c.has(user) && c.has(BotUser) {
			return c
		}
	}
	c := &Channel{ID: s.id("D"), IM: true, Private: true, Members: []string{BotUser, user}}
	s.channels = append(s.channels, c)
	return c
}
