package fakeslack

import (
	"slices"
	"strconv"
	"strings"
)

func (s *Server) wireChannel(c *Channel) reply {
	r := reply{
		"id": c.ID, "name": c.Name, "name_normalized": c.Name, "created": 1700000000,
		"is_channel": !c.IM && !c.Private, "is_group": c.Private && !c.IM && !c.Group, "is_im": c.IM, "is_mpim": c.Group,
		"is_private": c.Private, "is_archived": c.Archived, "is_member": c.has(BotUser),
		"is_shared": c.Shared, "is_ext_shared": c.Shared, "is_org_shared": false, "context_team_id": s.opts.Team,
	}
	if c.IM {
		for _, m := range c.Members {
			if m != BotUser {
				r["user"] = m
			}
		}
	}
	return r
}

// seen reports whether a token with our scopes is told of c, which is of a kind.
func (s *Server) seen(c *Channel, kinds []string) bool {
	kind, scope := "public_channel", "channels"
	switch c.kind() {
	case "im", "mpim":
		kind, scope = c.kind(), c.kind()
	case "group":
		kind, scope = "private_channel", "groups"
	}
	return slices.Contains(kinds, kind) && s.scopes[scope+":read"] && (!c.Private || c.has(BotUser))
}

func (s *Server) conversationsList(a args) (reply, *refusal) {
	kinds := a.list("types")
	if kinds == nil {
		kinds = []string{"public_channel"}
	}
	scope := map[string]string{"public_channel": "channels:read", "private_channel": "groups:read", "im": "im:read", "mpim": "mpim:read"}
	for _, k := range kinds {
		if !s.scopes[scope[k]] {
			return nil, s.missing(scope[k])
		}
	}
	var all []reply
	for _, c := range s.channels {
		if s.seen(c, kinds) && (!c.Archived || !a.yes("exclude_archived")) {
			all = append(all, s.wireChannel(c))
		}
	}
	return paged("channels", all, a)
}

var everyKind = []string{"public_channel", "private_channel", "im", "mpim"}

func (s *Server) usersConversations(a args) (reply, *refusal) {
	kinds := a.list("types")
	if kinds == nil {
		kinds = []string{"public_channel"}
	}
	who := a["user"]
	if who == "" {
		who = BotUser
	}
	var all []reply
	for _, c := range s.channels {
		if c.has(who) && s.seen(c, kinds) && (!c.Archived || !a.yes("exclude_archived")) {
			all = append(all, s.wireChannel(c))
		}
	}
	return paged("channels", all, a)
}

// paged answers with a page of a list.
func paged(key string, all []reply, a args) (reply, *refusal) {
	if a.number("limit", 100) > 1000 {
		return nil, no("invalid_limit")
	}
	page, next, ok := pageOf(all, a, 100)
	if !ok {
		return nil, no("invalid_cursor")
	}
	out := reply{key: page, "response_metadata": reply{"next_cursor": next}}
	if key == "messages" {
		out["has_more"] = next != ""
	}
	return out, nil
}

// cursorHead begins a cursor, which is opaque to who uses it.
const cursorHead = "dXNlcjp"

// pageOf cuts a list into pages. It reports whether the cursor is one of ours.
func pageOf[T any](all []T, a args, size int) (page []T, next string, ok bool) {
	start := 0
	if cursor := a["cursor"]; cursor != "" {
		n, err := strconv.Atoi(strings.TrimPrefix(cursor, cursorHead))
		if err != nil || !strings.HasPrefix(cursor, cursorHead) || n < 0 {
			return nil, "", false
		}
		start = n
	}
	start = min(start, len(all))
	end := min(start+a.number("limit", size), len(all))
	if end < len(all) {
		next = cursorHead + strconv.Itoa(end)
	}
	return append([]T{}, all[start:end]...), next, true
}

func (s *Server) conversationsInfo(a args) (reply, *refusal) {
	c, bad := s.visible(a["channel"])
	if bad != nil {
		return nil, bad
	}
	if !s.seen(c, everyKind) {
		return nil, s.missing(map[string]string{"im": "im", "mpim": "mpim", "group": "groups", "channel": "channels"}[c.kind()] + ":read")
	}
	r := s.wireChannel(c)
	if a.yes("include_num_members") {
		r["num_members"] = len(c.Members)
	}
	return reply{"channel": r}, nil
}

func (s *Server) conversationsMembers(a args) (reply, *refusal) {
	c, bad := s.visible(a["channel"])
	if bad != nil {
		return nil, bad
	}
	page, next, ok := pageOf(c.Members, a, 100)
	if !ok {
		return nil, no("invalid_cursor")
	}
	return reply{"members": page, "response_metadata": reply{"next_cursor": next}}, nil
}

// readable finds a channel whose history the bot may read.
func (s *Server) readable(name string) (*Channel, *refusal) {
	c, bad := s.visible(name)
	if bad != nil {
		return nil, bad
	}
	if !c.has(BotUser) {
		return nil, no("not_in_channel")
	}
	if scope := historyScopes[c.kind()]; !s.scopes[scope] {
		return nil, s.missing(scope)
	}
	return c, nil
}

// between reports whether ts lies between the bounds of a call. Timestamps have
// one length, so they compare as text.
func between(ts string, a args) bool {
	in := a.yes("inclusive")
	oldest, latest := stamp(a["oldest"]), stamp(a["latest"])
	if oldest != "" && (ts < oldest || ts == oldest && !in) {
		return false
	}
	return latest == "" || ts < latest || ts == latest && in
}

// stamp writes a bound as a timestamp: Slack takes "1700000000" and "0" too.
func stamp(bound string) string {
	if bound == "" || bound == "0" {
		return ""
	}
	sec, micro, _ := strings.Cut(bound, ".")
	return sec + "." + (micro + "000000")[:6]
}

func (s *Server) conversationsReplies(a args) (reply, *refusal) {
	c, bad := s.readable(a["channel"])
	if bad != nil {
		return nil, bad
	}
	parent := s.message(c.ID, a["ts"])
	if parent == nil || parent.Only != "" {
		return nil, no("thread_not_found")
	}
	all := []reply{s.wire(parent, a.yes("include_all_metadata"))}
	for _, m := range s.messages {
		if m.Channel == c.ID && m.ThreadTS == parent.TS && m != parent && !m.Deleted && m.Only == "" && between(m.TS, a) {
			all = append(all, s.wire(m, a.yes("include_all_metadata")))
		}
	}
	return paged("messages", all, a)
}

func (s *Server) conversationsHistory(a args) (reply, *refusal) {
	c, bad := s.readable(a["channel"])
	if bad != nil {
		return nil, bad
	}
	var all []reply
	for _, m := range s.messages {
		if m.Channel == c.ID && (m.Root() || m.Broadcast) && !m.Deleted && m.Only == "" && between(m.TS, a) {
			all = append(all, s.wire(m, a.yes("include_all_metadata")))
		}
	}
	slices.Reverse(all)
	return paged("messages", all, a)
}

func (s *Server) conversationsOpen(a args) (reply, *refusal) {
	if id := a["channel"]; id != "" {
		c, bad := s.visible(id)
		if bad != nil || !c.IM && !c.Group {
			return nil, no("channel_not_found")
		}
		return s.opened(c, a), nil
	}
	users := a.list("users")
	if len(users) == 0 {
		return nil, no("users_list_not_supplied")
	}
	if len(users) > mostInGroup {
		return nil, no("too_many_users")
	}
	for _, id := range users {
		u := s.user(id)
		switch {
		case u == nil || u.ID != id:
			return nil, no("user_not_found")
		case u.Deleted:
			return nil, no("user_disabled")
		case u.Bot:
			return nil, no("cannot_dm_bot")
		}
	}
	if len(users) > 1 {
		if !s.scopes["mpim:write"] {
			return nil, s.missing("mpim:write")
		}
		return s.opened(s.group(users), a), nil
	}
	if !s.scopes["im:write"] {
		return nil, s.missing("im:write")
	}
	return s.opened(s.dm(users[0]), a), nil
}

// mostInGroup is how many people a conversation without a name takes, beside us.
const mostInGroup = 8

func (s *Server) opened(c *Channel, a args) reply {
	if a.yes("return_im") {
		return reply{"channel": s.wireChannel(c)}
	}
	return reply{"channel": reply{"id": c.ID}}
}

// group returns the conversation of the bot and several people.
func (s *Server) group(users []string) *Channel {
	members := append([]string{BotUser}, users...)
	slices.Sort(members)
	for _, c := range s.channels {
		if c.Group && slices.Equal(c.Members, members) {
			return c
		}
	}
	c := &Channel{ID: s.id("G"), Group: true, Private: true, Members: members}
	s.channels = append(s.channels, c)
	return c
}

func (s *Server) conversationsJoin(a args) (reply, *refusal) {
	c, bad := s.visible(a["channel"])
	switch {
	case bad != nil:
		return nil, bad
	case c.Archived:
		return nil, no("is_archived")
	case c.Private:
		return nil, no("method_not_supported_for_channel_type")
	}
	if !c.has(BotUser) {
		c.Members = append(c.Members, BotUser)
	}
	return reply{"channel": s.wireChannel(c)}, nil
}
