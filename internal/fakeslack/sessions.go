package fakeslack

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"
)

// How long Slack shows what an app does if nobody says that it ended, and its
// limits.
const (
	threadStatusLife = 2 * time.Minute
	sessionLife      = time.Hour
	titleLimit       = 200
	loadingLimit     = 10
	promptLimit      = 4
)

// A Status is what the app said about what it does.
type Status struct{ Method, Channel, Thread, Status string }

// A session is what stands over a thread.
type session struct {
	status  string // of agents.sessions.setStatus
	since   time.Time
	shown   string // of assistant.threads.setStatus
	shownAt time.Time
	title   string
	prompts []Prompt
}

// A Prompt is one that the app suggests to a person.
type Prompt struct {
	Title   string `json:"title"`
	Message string `json:"message"`
}

// Statuses returns what the app said about what it does.
func (s *Server) Statuses() []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.statuses)
}

// Status returns what a person sees of what the app does in a thread: the state of
// its session, or its own words. It is empty if there is nothing to see.
func (r Room) Status(thread string) string {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	v := r.s.sessions[r.id+"/"+thread]
	now := r.s.clock.Now()
	switch {
	case v == nil:
		return ""
	case v.shown != "" && now.Sub(v.shownAt) < threadStatusLife:
		return v.shown
	case v.status == "processing" && now.Sub(v.since) < sessionLife:
		return v.status
	}
	return ""
}

// Title returns the title that the app gave a thread, Prompts what it suggests.
func (r Room) Title(thread string) string {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if v := r.s.sessions[r.id+"/"+thread]; v != nil {
		return v.title
	}
	return ""
}

// Prompts returns what the app suggests in a thread; the empty thread is the
// conversation itself.
func (r Room) Prompts(thread string) []Prompt {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if v := r.s.sessions[r.id+"/"+thread]; v != nil {
		return slices.Clone(v.prompts)
	}
	return nil
}

func (s *Server) session(c *Channel, thread string) *session {
	key := c.ID + "/" + thread
	if s.sessions[key] == nil {
		s.sessions[key] = &session{}
	}
	return s.sessions[key]
}

// threadOf finds the thread of a call: of a message that is there, and stands in the
// channel itself.
func (s *Server) threadOf(a args, must bool) (*Channel, *refusal) {
	c, bad := s.visible(a["channel_id"])
	if bad != nil {
		return nil, bad
	}
	if !c.has(BotUser) {
		return nil, no("not_in_channel")
	}
	if a["thread_ts"] == "" && !must {
		return c, nil
	}
	if m := s.message(c.ID, a["thread_ts"]); m == nil || !m.Root() {
		return nil, no("invalid_thread_ts")
	}
	return c, nil
}

func (s *Server) sessionStatus(a args) (reply, *refusal) {
	if a["thread_ts"] == "" {
		return nil, no("invalid_arguments", "[ERROR] missing required field: thread_ts")
	}
	c, bad := s.threadOf(a, true)
	if bad != nil {
		return nil, bad
	}
	if utf8.RuneCountInString(a["title"]) > titleLimit {
		return nil, no("invalid_arguments", "[ERROR] title is too long")
	}
	if bad := s.setSession(c, a["thread_ts"], a["status"], a["title"]); bad != nil {
		return nil, bad
	}
	s.statuses = append(s.statuses, Status{"agents.sessions.setStatus", c.ID, a["thread_ts"], a["status"]})
	if a["status"] == "processing" && !s.subscribed("agent_session_stopped") {
		return reply{"warning": "missing_agent_session_stopped_event_subscription", "response_metadata": reply{
			"warnings": []string{"missing_agent_session_stopped_event_subscription"},
		}}, nil
	}
	return nil, nil
}

func (s *Server) setSession(c *Channel, thread, status, title string) *refusal {
	switch status {
	case "active", "processing", "suspended", "closed":
	default:
		return no("invalid_arguments", fmt.Sprintf("[ERROR] status %q is unknown", status))
	}
	v := s.session(c, thread)
	if v.status == "" && title != "" {
		v.title = title
	}
	v.status, v.since = status, s.clock.Now()
	return nil
}

func (s *Server) sessionRename(a args) (reply, *refusal) {
	return s.entitle(a, false)
}

func (s *Server) threadTitle(a args) (reply, *refusal) {
	return s.entitle(a, true)
}

func (s *Server) entitle(a args, must bool) (reply, *refusal) {
	c, bad := s.threadOf(a, must)
	if bad != nil {
		return nil, bad
	}
	if n := utf8.RuneCountInString(a["title"]); n < 1 || n > titleLimit {
		return nil, no("invalid_arguments", fmt.Sprintf("[ERROR] title must be 1 to %d characters", titleLimit))
	}
	s.session(c, a["thread_ts"]).title = a["title"]
	return nil, nil
}

func (s *Server) threadStatus(a args) (reply, *refusal) {
	c, bad := s.threadOf(a, true)
	if bad != nil {
		return nil, bad
	}
	if len(a.words("loading_messages")) > loadingLimit {
		return nil, no("invalid_arguments", fmt.Sprintf("[ERROR] no more than %d loading_messages", loadingLimit))
	}
	v := s.session(c, a["thread_ts"])
	v.shown, v.shownAt = a["status"], s.clock.Now()
	s.statuses = append(s.statuses, Status{"assistant.threads.setStatus", c.ID, a["thread_ts"], a["status"]})
	return nil, nil
}

func (s *Server) threadPrompts(a args) (reply, *refusal) {
	c, bad := s.threadOf(a, false)
	if bad != nil {
		return nil, bad
	}
	var prompts []Prompt
	if json.Unmarshal([]byte(a["prompts"]), &prompts) != nil || len(prompts) == 0 || len(prompts) > promptLimit {
		return nil, no("invalid_arguments", fmt.Sprintf("[ERROR] prompts must be 1 to %d", promptLimit))
	}
	for _, p := range prompts {
		if p.Title == "" || p.Message == "" {
			return nil, no("invalid_arguments", "[ERROR] a prompt needs title and message")
		}
	}
	s.session(c, a["thread_ts"]).prompts = prompts
	return nil, nil
}

// answered takes away what an answer of the app ends: its own words of what it does,
// not the state of its session.
func (s *Server) answered(m *Message) {
	if v := s.sessions[m.Channel+"/"+m.ThreadTS]; v != nil && m.BotID == BotID {
		v.shown = ""
	}
}

// PressStop stops what the app does in a thread. The button is there while the
// session is processing, if the app listens to it. Streams in the thread end.
func (h Human) PressStop(channel, thread string) (Delivery, error) {
	s := h.s
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := h.room(channel)
	if err != nil {
		return Delivery{}, err
	}
	v := s.sessions[c.ID+"/"+thread]
	if v == nil || v.status != "processing" || s.clock.Now().Sub(v.since) >= sessionLife || !s.subscribed("agent_session_stopped") {
		return Delivery{}, fmt.Errorf("there is no Stop in thread %s of %s", thread, channel)
	}
	streams := []string{}
	for _, m := range s.messages {
		if m.Channel == c.ID && m.ThreadTS == thread && m.Streaming == Streaming {
			s.streams[m].byUser = true
			streams = append(streams, m.TS)
			s.seal(m, Broken)
		}
	}
	return s.heard(reply{
		"type": "agent_session_stopped", "channel": c.ID, "thread_ts": thread, "user": h.id,
		"streaming_message_ts": streams, "event_ts": s.ts(),
	})
}
