package fakeslack

import (
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// Slack's limits of a response_url.
const (
	hookUses = 5
	hookLife = 30 * time.Minute
)

// A hook is a response_url: five uses within half an hour.
type hook struct {
	at      time.Time
	channel string
	message *Message // that was used; nil of a command
	user    string
	uses    int
}

func (s *Server) hookFor(user, channel string, m *Message) string {
	id := s.id("hook")
	s.hooks[id] = &hook{at: s.clock.Now(), channel: channel, message: m, user: user}
	return s.URL() + "/actions/" + id
}

// spoken is a message as it stands in an answer to a command or goes to a
// response_url.
type spoken struct {
	Text    string          `json:"text"`
	Blocks  json.RawMessage `json:"blocks"`
	Type    string          `json:"response_type"`
	Replace bool            `json:"replace_original"`
	Delete  bool            `json:"delete_original"`
	Thread  string          `json:"thread_ts"`
}

func (do spoken) args() args {
	a := args{"text": do.Text}
	if len(do.Blocks) > 0 && string(do.Blocks) != "null" {
		a["blocks"] = string(do.Blocks)
	}
	return a
}

func (s *Server) serveHook(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f := s.faultFor("response_url", nil)
	if f != nil && f.stops(w, r, s) {
		return
	}
	s.mu.Lock()
	status, code := s.useHook(r.PathValue("hook"), body)
	s.mu.Unlock()
	s.record(Call{Method: "response_url", Args: args{"body": string(body)}, Error: code})
	if f != nil && f.Cut {
		cut(w)
		return
	}
	if code != "" {
		http.Error(w, code, status)
		return
	}
	_, _ = io.WriteString(w, "ok")
}

func (s *Server) useHook(id string, body []byte) (int, string) {
	h := s.hooks[id]
	var do spoken
	switch {
	case h == nil:
		return http.StatusNotFound, "no_service"
	case h.uses >= hookUses:
		return http.StatusNotFound, "used_url"
	case s.clock.Now().Sub(h.at) > hookLife:
		return http.StatusNotFound, "expired_url"
	case json.Unmarshal(body, &do) != nil:
		return http.StatusBadRequest, "invalid_payload"
	}
	if code := s.speak(h, do); code != "" {
		return http.StatusBadRequest, code
	}
	h.uses++
	s.touch()
	return http.StatusOK, ""
}

// speak does what was sent to a response_url, and returns why not.
func (s *Server) speak(h *hook, do spoken) string {
	m := h.message
	if (do.Delete || do.Replace) && (m == nil || m.Deleted) {
		return "no_original"
	}
	if do.Delete {
		m.Deleted = true
		if m.Only == "" {
			s.deletedMessage(s.channel(m.Channel), m)
		}
		return ""
	}
	next, bad := content(do.args(), 40000)
	if bad != nil {
		return bad.Code
	}
	if do.Replace {
		before := *m
		m.Text, m.Blocks, m.Revs = next.Text, next.Blocks, m.Revs+1
		delete(s.inputs, m)
		if m.Only == "" {
			m.Edited, m.EditedBy = s.ts(), BotUser
			s.changedMessage(s.channel(m.Channel), before, m)
		}
		return ""
	}
	next.User, next.BotID, next.AppID = BotUser, BotID, App
	c := s.channel(h.channel)
	switch do.Type {
	case "in_channel":
		s.put(c, next, do.Thread)
	case "ephemeral", "":
		next.Channel, next.TS, next.Only, next.ThreadTS = c.ID, s.ts(), h.user, do.Thread
		s.keep(&next)
	default:
		return "invalid_response_type"
	}
	return ""
}
