package fakeslack

import (
	"encoding/json"
	"time"
)

// Slack's limits of views: bytes of one, views on top of each other, how long a
// trigger is good.
const (
	viewLimit   = 250_000
	stackLimit  = 3
	triggerLife = 3 * time.Second
)

// A View is a modal or a home that the app showed.
type View struct {
	ID, User, Trigger, Hash string
	View                    json.RawMessage // as the app sent it, its blocks with ids
	Type                    string          // modal or home
	CallbackID, ExternalID  string
	Root, Previous          string            // ids, of the modals below
	Closed                  bool              // nobody sees it any more
	Errors                  map[string]string // by block_id, after a submission that was not taken

	state state
}

// A trigger lets the app open one view, within three seconds.
type trigger struct {
	at   time.Time
	user string
	used bool
	view string // from which it came; empty if from none
}

func (s *Server) trigger(user, view string) string {
	id := s.id("1.2.")
	s.triggers[id] = &trigger{at: s.clock.Now(), user: user, view: view}
	return id
}

// pull checks a trigger. It is used once the view that it opens is in order.
func (s *Server) pull(id string) (*trigger, *refusal) {
	t := s.triggers[id]
	switch {
	case t == nil:
		return nil, no("invalid_trigger_id")
	case t.used:
		return nil, no("exchanged_trigger_id")
	case s.clock.Now().Sub(t.at) > triggerLife:
		return nil, no("expired_trigger_id")
	}
	return t, nil
}

func (s *Server) checkView(a args, kind string) (View, *refusal) {
	if len(a["view"]) > viewLimit {
		return View{}, no("view_too_large")
	}
	raw, bad := checkViewJSON(a["view"], kind)
	if bad != nil {
		return View{}, bad
	}
	var v struct {
		Type       string `json:"type"`
		CallbackID string `json:"callback_id"`
		ExternalID string `json:"external_id"`
	}
	_ = json.Unmarshal(raw, &v)
	for _, o := range s.views {
		if v.ExternalID != "" && o.ExternalID == v.ExternalID && !o.Closed && o.ID != a["view_id"] && v.ExternalID != a["external_id"] {
			return View{}, no("duplicate_external_id")
		}
	}
	return View{View: raw, Type: v.Type, CallbackID: v.CallbackID, ExternalID: v.ExternalID}, nil
}

func (s *Server) viewsOpen(a args) (reply, *refusal) {
	t, bad := s.pull(a["trigger_id"])
	if bad != nil {
		return nil, bad
	}
	v, bad := s.checkView(a, "modal")
	if bad != nil {
		return nil, bad
	}
	t.used = true
	// There is one stack for each person: what stood there goes.
	s.closeAll(t.user)
	v.ID, v.User, v.Trigger = s.id("V"), t.user, a["trigger_id"]
	v.Root = v.ID
	return reply{"view": s.wireView(s.show(&v))}, nil
}

func (s *Server) viewsPush(a args) (reply, *refusal) {
	t, bad := s.pull(a["trigger_id"])
	if bad != nil {
		return nil, bad
	}
	below := s.view(t.view)
	if below == nil || below.Type != "modal" {
		return nil, no("invalid_trigger_id", "[ERROR] the trigger does not come from a modal")
	}
	v, bad := s.checkView(a, "modal")
	if bad != nil {
		return nil, bad
	}
	if bad := s.push(&v, below); bad != nil {
		return nil, bad
	}
	t.used = true
	v.Trigger = a["trigger_id"]
	return reply{"view": s.wireView(&v)}, nil
}

// push puts a modal on top of the stack in which another is.
func (s *Server) push(v, below *View) *refusal {
	stack := s.stack(below.User)
	if len(stack) >= stackLimit {
		return no("push_limit_reached")
	}
	v.ID, v.User, v.Root, v.Previous = s.id("V"), below.User, below.Root, stack[len(stack)-1].ID
	s.show(v)
	return nil
}

func (s *Server) viewsUpdate(a args) (reply, *refusal) {
	if (a["view_id"] == "") == (a["external_id"] == "") {
		return nil, no("invalid_arguments", "[ERROR] view_id or external_id is required, not both")
	}
	var old *View
	for _, o := range s.views {
		if !o.Closed && (o.ID == a["view_id"] || o.ExternalID != "" && o.ExternalID == a["external_id"]) {
			old = o
		}
	}
	if old == nil {
		return nil, no("not_found")
	}
	v, bad := s.checkView(a, old.Type)
	if bad != nil {
		return nil, bad
	}
	if a["hash"] != "" && a["hash"] != old.Hash {
		return nil, no("hash_conflict")
	}
	s.replace(old, v)
	return reply{"view": s.wireView(old)}, nil
}

func (s *Server) viewsPublish(a args) (reply, *refusal) {
	v, bad := s.checkView(a, "home")
	if bad != nil {
		return nil, bad
	}
	u := s.user(a["user_id"])
	if u == nil || u.ID != a["user_id"] || u.Bot {
		return nil, no("invalid_arguments", "[ERROR] user_id is not a user")
	}
	id := homeOf(u.ID)
	if old := s.view(id); old != nil {
		if a["hash"] != "" && a["hash"] != old.Hash {
			return nil, no("hash_conflict")
		}
		s.replace(old, v)
		return reply{"view": s.wireView(old)}, nil
	}
	v.ID, v.User, v.Root = id, u.ID, id
	return reply{"view": s.wireView(s.show(&v))}, nil
}

func homeOf(user string) string { return "Vhome" + user }

// show puts a new view before its user.
func (s *Server) show(v *View) *View {
	v.Hash = s.id("h")
	v.state = newState(v.View, nil)
	s.views = append(s.views, v)
	s.touch()
	return v
}

// replace gives a view other content. What was typed into inputs that stay, stays.
func (s *Server) replace(old *View, v View) {
	old.View, old.CallbackID, old.ExternalID, old.Errors = v.View, v.CallbackID, v.ExternalID, nil
	old.Hash, old.state = s.id("h"), newState(v.View, old.state)
	s.touch()
}

func (s *Server) view(id string) *View {
	for _, v := range s.views {
		if v.ID == id && !v.Closed {
			return v
		}
	}
	return nil
}

// stack returns the open modals of a user, the one on top last.
func (s *Server) stack(user string) []*View {
	var out []*View
	for _, v := range s.views {
		if v.User == user && v.Type == "modal" && !v.Closed {
			out = append(out, v)
		}
	}
	return out
}

func (s *Server) closeAll(user string) {
	for _, v := range s.stack(user) {
		v.Closed = true
	}
	s.touch()
}

// wireView is a view as answers and payloads show it.
func (s *Server) wireView(v *View) reply {
	r := reply{
		"private_metadata": "", "callback_id": "", "title": nil, "submit": nil, "close": nil,
		"clear_on_close": false, "notify_on_close": false, "external_id": "",
	}
	_ = json.Unmarshal(v.View, &r)
	r["id"], r["team_id"], r["hash"] = v.ID, s.opts.Team, v.Hash
	r["state"] = reply{"values": v.state}
	r["app_id"], r["bot_id"], r["app_installed_team_id"] = App, BotID, s.opts.Team
	r["root_view_id"], r["previous_view_id"] = v.Root, nil
	if v.Previous != "" {
		r["previous_view_id"] = v.Previous
	}
	return r
}

// Views returns all that the app showed, what was closed too.
func (s *Server) Views() []View {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []View
	for _, v := range s.views {
		out = append(out, *v)
	}
	return out
}
