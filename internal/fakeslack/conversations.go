package fakeslack

import (
	"slices"
	"strconv"
	"strings"
)

func (s *Server) wireChannel(c *Channel) reply {
	r := reply{
		"id": c.ID, "name": c.Name, "name_normalized": c.Name, "created": 1700000000,
		"is_channel": !c.IM && !c.Private, "is_group": c.Private && !c.IM, "is_im": c.IM, "is_mpim": false,
		"is_private": c.Private, "is_archived": c.Archived, "is_member": c.has(BotUser),
		"num_members": len(c.Members),
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
	case "im":
		kind, scope = "im", "im"
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
	page, next := pageOf(all, a, 100)
	return reply{"channels": page, "response_metadata": reply{"next_cursor": next}}, nil
}

func (s *Server) usersConversations(a args) (reply, *refusal) {
	var all []reply
	for _, c := range s.channels {
		if c.has(BotUser) && s.seen(c, []string{"public_channel", "private_channel", "im"}) {
			all = append(all, s.wireChannel(c))
		}
	}
	page, next := pageOf(all, a, 100)
	return reply{"channels": page, "response_metadata": reply{"next_cursor": next}}, nil
}

// pageOf cuts a list into pages. Its cursor is opaque to who uses it.
func pageOf[T any](all []T, a args, size int) ([]T, string) {
	start, _ := strconv.Atoi(strings.TrimPrefix(a["cursor"], "dXNlcjp"))
	start = min(max(start, 0), len(all))
	end := min(start+min(a.number("limit", size), 1000), len(all))
	next := ""
	if end < len(all) {
		next = "dXNlcjp" + strconv.Itoa(end)
	}
	if all == nil {
		return []T{}, next
	}
	return all[start:end], next
}

func (s *Server) conversationsInfo(a args) (reply, *refusal) {
	c, bad := s.visible(a["channel"])
	if bad != nil {
		return nil, bad
	}
	if !s.seen(c, []string{"public_channel", "private_channel", "im"}) {
		return nil, s.missing("im:read")
	}
	return reply{"channel": s.wireChannel(c)}, nil
}

func (s *Server) conversationsMembers(a args) (reply, *refusal) {
	c, bad := s.visible(a["channel"])
	if bad != nil {
		return nil, bad
	}
	page, next := pageOf(c.Members, a, 100)
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
	scope := map[string]string{"im": "im:history", "group": "groups:history", "channel": "channels:history"}[c.kind()]
	if !s.scopes[scope] {
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
	page, next := pageOf(all, a, 100)
	return reply{"messages": page, "has_more": next != "", "response_metadata": reply{"next_cursor": next}}, nil
}

func (s *Server) conversationsHistory(a args) (reply, *refusal) {
	c, bad := s.readable(a["channel"])
	if bad != nil {
		return nil, bad
	}
	var all []reply
	for _, m := range s.messages {
		if m.Channel == c.ID && m.Root() && !m.Deleted && m.Only == "" && between(m.TS, a) {
			all = append(all, s.wire(m, a.yes("include_all_metadata")))
		}
	}
	slices.Reverse(all)
	page, next := pageOf(all, a, 100)
	return reply{"messages": page, "has_more": next != "", "response_metadata": reply{"next_cursor": next}}, nil
}

func (s *Server) conversationsOpen(a args) (reply, *refusal) {
	users := a.list("users")
	if len(users) != 1 || s.user(users[0]) == nil {
		return nil, no("user_not_found")
	}
	return reply{"channel": reply{"id": s.dm(users[0]).ID}}, nil
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
