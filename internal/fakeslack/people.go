package fakeslack

import (
	"slices"
	"time"
)

// A User is a person, or a bot.
type User struct {
	ID, Name, Zone string
	Locale         string // BCP 47; Slack tells it only who asks for it
	Bot, Guest     bool
	Single         bool   // a guest of one channel
	Team           string // of another workspace; empty for one of ours
	Email          string
	Deleted        bool
	BotID          string // of another bot
}

// stranger reports whether u is of another workspace.
func (u *User) stranger(s *Server) bool { return u != nil && u.Team != "" && u.Team != s.opts.Team }

// team is the workspace of u.
func (u *User) team(s *Server) string {
	if u != nil && u.Team != "" {
		return u.Team
	}
	return s.opts.Team
}

// AddUser adds a person, who is in no channel yet.
func (s *Server) AddUser(u User) Human {
	s.mu.Lock()
	if u.ID == "" {
		u.ID = s.id("U")
	}
	s.users = append(s.users, &u)
	s.mu.Unlock()
	return s.Human(u.ID)
}

// ChangeUser changes a person, as an owner of the workspace does.
func (s *Server) ChangeUser(name string, f func(*User)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.user(name)
	if u == nil {
		return
	}
	f(u)
	s.event(reply{"type": "user_change", "user": s.wireUser(u, true), "event_ts": s.ts()})
	s.touch()
}

// user finds a person by id or name. s.mu is held.
func (s *Server) user(name string) *User {
	for _, u := range s.users {
		if u.ID == name || u.Name == name {
			return u
		}
	}
	return nil
}

func (s *Server) wireUser(u *User, locale bool) reply {
	r := reply{
		"id": u.ID, "team_id": u.team(s), "name": u.Name, "real_name": u.Name, "deleted": u.Deleted, "is_bot": u.Bot,
		"is_restricted": u.Guest || u.Single, "is_ultra_restricted": u.Single,
	}
	profile := reply{"real_name": u.Name, "display_name": u.Name}
	if u.stranger(s) {
		// Of people elsewhere Slack tells neither address nor language.
		r["is_stranger"] = true
	} else if u.Email != "" && s.scopes["users:read.email"] {
		profile["email"] = u.Email
	}
	if locale && u.Locale != "" && !u.stranger(s) {
		r["locale"] = u.Locale
	}
	r["profile"] = profile
	if loc, err := time.LoadLocation(u.Zone); u.Zone != "" && err == nil {
		_, offset := s.clock.Now().In(loc).Zone()
		r["tz"], r["tz_offset"] = u.Zone, offset
	}
	return r
}

func (s *Server) usersInfo(a args) (reply, *refusal) {
	for _, u := range s.users {
		if u.ID == a["user"] {
			return reply{"user": s.wireUser(u, a.yes("include_locale"))}, nil
		}
	}
	return nil, no("user_not_found")
}

func (s *Server) usersList(a args) (reply, *refusal) {
	var all []reply
	for _, u := range s.users {
		if !u.stranger(s) {
			all = append(all, s.wireUser(u, a.yes("include_locale")))
		}
	}
	return paged("members", all, a)
}

func (s *Server) usersLookup(a args) (reply, *refusal) {
	for _, u := range s.users {
		if u.Email == a["email"] && u.Email != "" && !u.Deleted && !u.stranger(s) {
			return reply{"user": s.wireUser(u, a.yes("include_locale"))}, nil
		}
	}
	return nil, no("users_not_found")
}

// A Group is a group of users that can be mentioned.
type Group struct {
	ID, Handle, Name string
	Users            []string
	Disabled         bool
}

// SetGroup adds a group, or changes the one with its id, and returns the id. The app
// hears who came and went.
func (s *Server) SetGroup(g Group) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g.ID == "" {
		g.ID = s.id("S")
	}
	var before []string
	for i, o := range s.groups {
		if o.ID == g.ID {
			before = o.Users
			s.groups = slices.Delete(s.groups, i, i+1)
			break
		}
	}
	s.groups = append(s.groups, &g)
	came := slices.DeleteFunc(slices.Clone(g.Users), func(u string) bool { return slices.Contains(before, u) })
	went := slices.DeleteFunc(slices.Clone(before), func(u string) bool { return slices.Contains(g.Users, u) })
	if len(came)+len(went) > 0 && s.scopes["usergroups:read"] {
		s.event(reply{
			"type": "subteam_members_changed", "subteam_id": g.ID, "team_id": s.opts.Team, "event_ts": s.ts(),
			"added_users": came, "added_users_count": len(came), "removed_users": went, "removed_users_count": len(went),
		})
	}
	s.touch()
	return g.ID
}

func (s *Server) groupsList(a args) (reply, *refusal) {
	all := []reply{}
	for _, g := range s.groups {
		if g.Disabled && !a.yes("include_disabled") {
			continue
		}
		r := reply{
			"id": g.ID, "team_id": s.opts.Team, "is_usergroup": true, "is_subteam": true, "name": g.Name, "handle": g.Handle,
			"description": "", "is_external": false, "date_delete": 0,
		}
		if g.Disabled {
			r["date_delete"] = s.clock.Now().Unix()
		}
		if a.yes("include_users") {
			r["users"] = g.Users
		}
		if a.yes("include_count") {
			r["user_count"] = len(g.Users)
		}
		all = append(all, r)
	}
	return reply{"usergroups": all}, nil
}

func (s *Server) groupUsers(a args) (reply, *refusal) {
	for _, g := range s.groups {
		if g.ID == a["usergroup"] {
			if g.Disabled && !a.yes("include_disabled") {
				return reply{"users": []string{}}, nil
			}
			return reply{"users": append([]string{}, g.Users...)}, nil
		}
	}
	return nil, no("no_such_subteam")
}

func (s *Server) teamInfo(a args) (reply, *refusal) {
	if a["team"] != "" && a["team"] != s.opts.Team {
		return nil, no("team_not_found")
	}
	return reply{"team": reply{"id": s.opts.Team, "name": "Fake", "domain": "fake", "email_domain": "example.com", "icon": reply{}}}, nil
}

func (s *Server) botsInfo(a args) (reply, *refusal) {
	if a["bot"] == "" || a["bot"] == BotID {
		return reply{"bot": reply{"id": BotID, "deleted": false, "name": "hermes", "app_id": App, "user_id": BotUser, "icons": reply{}}}, nil
	}
	for _, u := range s.users {
		if u.BotID == a["bot"] {
			return reply{"bot": reply{"id": u.BotID, "deleted": u.Deleted, "name": u.Name, "app_id": appOf(u), "user_id": u.ID, "icons": reply{}}}, nil
		}
	}
	return nil, no("bot_not_found")
}

func appOf(u *User) string { return "A" + u.BotID }

// AddBot adds another bot, which speaks as a Human does but is none.
func (s *Server) AddBot(name string) Human {
	s.mu.Lock()
	id := s.id("B")
	s.mu.Unlock()
	return s.AddUser(User{Name: name, Bot: true, BotID: id})
}
