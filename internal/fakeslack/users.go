package fakeslack

import (
	"encoding/json"
	"time"
)

func (s *Server) wireUser(u *User) reply {
	r := reply{
		"id": u.ID, "team_id": Team, "name": u.Name, "real_name": u.Name, "deleted": false, "is_bot": u.Bot,
		"is_restricted": u.Guest, "is_ultra_restricted": false,
		"profile": reply{"real_name": u.Name, "display_name": u.Name},
	}
	if loc, err := time.LoadLocation(u.Zone); u.Zone != "" && err == nil {
		_, offset := s.clock.Now().In(loc).Zone()
		r["tz"], r["tz_offset"] = u.Zone, offset
	}
	return r
}

func (s *Server) usersInfo(a args) (reply, *refusal) {
	for _, u := range s.users {
		if u.ID == a["user"] {
			return reply{"user": s.wireUser(u)}, nil
		}
	}
	return nil, no("user_not_found")
}

func (s *Server) usersList(a args) (reply, *refusal) {
	var all []reply
	for _, u := range s.users {
		all = append(all, s.wireUser(u))
	}
	page, next := pageOf(all, a, 100)
	return reply{"members": page, "response_metadata": reply{"next_cursor": next}}, nil
}

// A trigger lets the app open one view, within three seconds.
type trigger struct {
	at   time.Time
	user string
	used bool
}

func (s *Server) trigger(user string) string {
	id := s.id("1.2.")
	s.triggers[id] = &trigger{at: s.clock.Now(), user: user}
	return id
}

func checkView(a args) (json.RawMessage, *refusal) {
	var v struct {
		Type   string          `json:"type"`
		Blocks json.RawMessage `json:"blocks"`
	}
	if json.Unmarshal([]byte(a["view"]), &v) != nil || v.Type != "modal" && v.Type != "home" {
		return nil, no("invalid_arguments")
	}
	if len(a["view"]) > 250_000 {
		return nil, no("view_too_large")
	}
	if _, bad := checkBlocks(string(v.Blocks), 100); bad != nil {
		return nil, bad
	}
	return json.RawMessage(a["view"]), nil
}

func (s *Server) viewsOpen(a args) (reply, *refusal) {
	t := s.triggers[a["trigger_id"]]
	switch {
	case t == nil:
		return nil, no("invalid_trigger_id")
	case t.used:
		return nil, no("exchanged_trigger_id")
	case s.clock.Now().Sub(t.at) > 3*time.Second:
		return nil, no("expired_trigger_id")
	}
	v, bad := checkView(a)
	if bad != nil {
		return nil, bad
	}
	t.used = true
	return s.show(View{ID: s.id("V"), User: t.user, Trigger: a["trigger_id"], View: v}), nil
}

func (s *Server) show(v View) reply {
	v.Hash = s.id("h")
	for i := range s.views {
		if s.views[i].ID == v.ID {
			s.views[i] = v
			return reply{"view": reply{"id": v.ID, "hash": v.Hash}}
		}
	}
	s.views = append(s.views, v)
	return reply{"view": reply{"id": v.ID, "hash": v.Hash}}
}

func (s *Server) viewsUpdate(a args) (reply, *refusal) {
	v, bad := checkView(a)
	if bad != nil {
		return nil, bad
	}
	for _, old := range s.views {
		if old.ID != a["view_id"] {
			continue
		}
		if a["hash"] != "" && a["hash"] != old.Hash {
			return nil, no("hash_conflict")
		}
		old.View = v
		return s.show(old), nil
	}
	return nil, no("not_found")
}

func (s *Server) viewsPublish(a args) (reply, *refusal) {
	v, bad := checkView(a)
	if bad != nil {
		return nil, bad
	}
	if s.user(a["user_id"]) == nil {
		return nil, no("invalid_arguments")
	}
	return s.show(View{ID: "Vhome" + a["user_id"], User: a["user_id"], View: v}), nil
}

func (s *Server) threadStatus(a args) (reply, *refusal) {
	return s.status("assistant.threads.setStatus", a)
}

func (s *Server) sessionStatus(a args) (reply, *refusal) {
	switch a["status"] {
	case "active", "processing", "suspended", "closed":
		return s.status("agents.sessions.setStatus", a)
	}
	return nil, no("invalid_arguments")
}

func (s *Server) status(method string, a args) (reply, *refusal) {
	c, bad := s.visible(a["channel_id"])
	if bad != nil {
		return nil, bad
	}
	s.statuses = append(s.statuses, Status{method, c.ID, a["thread_ts"], a["status"]})
	return nil, nil
}
