package fakeslack

import (
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"
)

// Slack's limits of a stream: how long it lives, characters of all that it says,
// blocks of one chunk, the title of a task or a plan.
const (
	streamLife  = 5 * time.Minute
	streamLimit = 12_000
	chunkBlocks = 50
	chunkTitle  = 256
)

// A Task is a card in a stream.
type Task struct {
	ID, Title, Status, Details, Output string
	Sources                            []string // addresses
}

// States of Message.Streaming.
const (
	Streaming = "in_progress" // it may be appended to
	Streamed  = "completed"   // it was stopped
	Broken    = "errored"     // it was cut off: too old, or stopped by its reader
)

// A stream is a message that is still being written.
type stream struct {
	mode    string // markdown_text or chunks, by what came first; empty before
	said    int    // characters
	byUser  bool   // stopped by its reader
	expires func()
}

// chunk is a part of what a stream says.
type chunk struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	ID      string          `json:"id"`
	Title   string          `json:"title"`
	Status  string          `json:"status"`
	Details string          `json:"details"`
	Output  string          `json:"output"`
	Sources []source        `json:"sources"`
	Blocks  json.RawMessage `json:"blocks"`
}

type source struct {
	Type string `json:"type"`
	URL  string `json:"url"`
	Text string `json:"text"`
}

func (s *Server) startStream(a args) (reply, *refusal) {
	c, bad := s.target(a["channel"])
	if bad != nil {
		return nil, bad
	}
	parent := s.message(c.ID, a["thread_ts"])
	if parent == nil || !parent.Root() {
		return nil, no("invalid_thread_ts")
	}
	if !c.IM {
		if bad := s.recipient(a); bad != nil {
			return nil, bad
		}
	}
	if mode := a["task_display_mode"]; mode != "" && mode != "timeline" && mode != "plan" {
		return nil, no("invalid_arguments", "[ERROR] task_display_mode is timeline or plan")
	}
	m := Message{User: BotUser, BotID: BotID, AppID: App, Subtype: "bot_message", Streaming: Streaming}
	st := &stream{}
	if bad := st.say(&m, a, true); bad != nil {
		return nil, bad
	}
	p := s.put(c, m, a["thread_ts"])
	s.streams[p] = st
	st.expires = s.clock.AfterFunc(streamLife, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.seal(p, Broken)
	})
	return reply{"channel": c.ID, "ts": p.TS}, nil
}

// recipient checks for whom a stream in a channel is.
func (s *Server) recipient(a args) *refusal {
	if a["recipient_team_id"] == "" {
		return no("missing_recipient_team_id")
	}
	if a["recipient_user_id"] == "" {
		return no("missing_recipient_user_id")
	}
	u := s.user(a["recipient_user_id"])
	if u == nil || u.ID != a["recipient_user_id"] {
		return no("user_not_found")
	}
	if team := u.team(s); team != a["recipient_team_id"] {
		return no("team_not_found")
	}
	return nil
}

// live finds a stream that can be written to.
func (s *Server) live(a args) (*Channel, *Message, *stream, *refusal) {
	c, bad := s.visible(a["channel"])
	if bad != nil {
		return nil, nil, nil, bad
	}
	m := s.message(c.ID, a["ts"])
	switch {
	case m == nil || m.Only != "":
		return nil, nil, nil, no("message_not_found")
	case m.BotID != BotID:
		return nil, nil, nil, no("message_not_owned_by_app")
	case s.streams[m] == nil:
		return nil, nil, nil, no("message_not_in_streaming_state")
	}
	st := s.streams[m]
	switch {
	case st.byUser:
		return nil, nil, nil, no("stopped_by_user")
	case m.Streaming != Streaming:
		return nil, nil, nil, no("message_not_in_streaming_state")
	case c.Archived:
		return nil, nil, nil, no("is_archived")
	}
	return c, m, st, nil
}

func (s *Server) appendStream(a args) (reply, *refusal) {
	c, m, st, bad := s.live(a)
	if bad != nil {
		return nil, bad
	}
	if a["markdown_text"] == "" && a["chunks"] == "" {
		return nil, no("no_text")
	}
	if bad := st.say(m, a, false); bad != nil {
		return nil, bad
	}
	m.Revs++
	return reply{"channel": c.ID, "ts": m.TS}, nil
}

func (s *Server) stopStream(a args) (reply, *refusal) {
	c, m, st, bad := s.live(a)
	if bad != nil {
		return nil, bad
	}
	next := *m
	after := *st
	if bad := after.say(&next, a, false); bad != nil {
		return nil, bad
	}
	if a["blocks"] != "" {
		blocks, bad := checkBlocks(a["blocks"], messageBlocks)
		if bad != nil {
			return nil, bad
		}
		next.Blocks = joinBlocks(next.Blocks, blocks)
	}
	if a["metadata"] != "" {
		if next.Metadata, bad = checkMetadata(a["metadata"]); bad != nil {
			return nil, bad
		}
	}
	if a["session_status"] != "" {
		if bad := s.setSession(c, m.ThreadTS, a["session_status"], ""); bad != nil {
			return nil, bad
		}
	}
	*st, *m = after, next
	s.seal(m, Streamed)
	return reply{"channel": c.ID, "ts": m.TS, "message": s.wire(m, true)}, nil
}

// seal ends a stream, and tells the app what the message came to be.
func (s *Server) seal(m *Message, as string) {
	st := s.streams[m]
	if st == nil || m.Streaming != Streaming {
		return
	}
	st.expires()
	before := *m
	m.Streaming = as
	if !m.Deleted {
		s.changedMessage(s.channel(m.Channel), before, m)
	}
	s.touch()
}

// say adds what a call brings to a message. Nothing is added if part of it is not in
// order.
func (st *stream) say(m *Message, a args, first bool) *refusal {
	mode := ""
	switch {
	case a["markdown_text"] != "" && a["chunks"] != "":
		return no("invalid_arguments", "[ERROR] markdown_text and chunks exclude each other")
	case a["markdown_text"] != "":
		mode = "markdown_text"
	case a["chunks"] != "":
		mode = "chunks"
	default:
		return nil
	}
	if st.mode != "" && mode != st.mode {
		return no("streaming_mode_mismatch")
	}
	next := *m
	said := st.said
	if mode == "markdown_text" {
		next.Text += a["markdown_text"]
		said += utf8.RuneCountInString(a["markdown_text"])
	} else {
		chunks, bad := checkChunks(a["chunks"])
		if bad != nil {
			return bad
		}
		for _, c := range chunks {
			next.Tasks = append([]Task(nil), next.Tasks...)
			said += next.take(c)
		}
	}
	if said > streamLimit {
		return no("msg_too_long")
	}
	st.mode, st.said, *m = mode, said, next
	if first {
		m.Revs = 0
	}
	return nil
}

// take adds a chunk, and returns its size in characters.
func (m *Message) take(c chunk) int {
	size := 0
	for _, t := range []string{c.Text, c.Title, c.Details, c.Output} {
		size += utf8.RuneCountInString(t)
	}
	switch c.Type {
	case "markdown_text":
		m.Text += c.Text
	case "plan_update":
		m.Plan = c.Title
	case "blocks":
		m.Blocks = joinBlocks(m.Blocks, c.Blocks)
		size += len(c.Blocks)
	case "task_update":
		t := Task{ID: c.ID, Title: c.Title, Status: c.Status, Details: c.Details, Output: c.Output}
		for _, src := range c.Sources {
			t.Sources = append(t.Sources, src.URL)
		}
		for i, o := range m.Tasks {
			if o.ID == t.ID {
				// What an update leaves out stays, and details and output grow.
				t.Details, t.Output = o.Details+t.Details, o.Output+t.Output
				t.Sources = append(append([]string(nil), o.Sources...), t.Sources...)
				m.Tasks[i] = t
				return size
			}
		}
		m.Tasks = append(m.Tasks, t)
	}
	return size
}

func checkChunks(raw string) ([]chunk, *refusal) {
	var chunks []chunk
	if json.Unmarshal([]byte(raw), &chunks) != nil || len(chunks) == 0 {
		return nil, no("invalid_chunks", "[ERROR] chunks is no list of chunks")
	}
	for i, c := range chunks {
		at := func(format string, v ...any) *refusal {
			return no("invalid_chunks", fmt.Sprintf("[ERROR] "+format, v...)+fmt.Sprintf(" [json-pointer:/chunks/%d]", i))
		}
		switch c.Type {
		case "markdown_text":
			if c.Text == "" {
				return nil, at("text must not be empty")
			}
		case "plan_update":
			if c.Title == "" || utf8.RuneCountInString(c.Title) > chunkTitle {
				return nil, at("title must be 1 to %d characters", chunkTitle)
			}
		case "task_update":
			if c.ID == "" || c.Title == "" || utf8.RuneCountInString(c.Title) > chunkTitle {
				return nil, at("a task needs an id and a title of at most %d characters", chunkTitle)
			}
			if !taskStates[c.Status] {
				return nil, at("status %q is unknown", c.Status)
			}
			for _, src := range c.Sources {
				if src.Type != "url" || src.URL == "" || src.Text == "" {
					return nil, at("a source needs type url, url and text")
				}
			}
		case "blocks":
			blocks, bad := checkBlocks(string(c.Blocks), chunkBlocks)
			if bad != nil {
				return nil, bad
			}
			chunks[i].Blocks = blocks
		default:
			return nil, at("unsupported type: %s", c.Type)
		}
	}
	return chunks, nil
}

var taskStates = map[string]bool{"pending": true, "in_progress": true, "complete": true, "error": true}

// joinBlocks puts blocks under others.
func joinBlocks(above, below json.RawMessage) json.RawMessage {
	var all, more []json.RawMessage
	_ = json.Unmarshal(above, &all)
	_ = json.Unmarshal(below, &more)
	out, _ := json.Marshal(append(all, more...))
	return out
}
