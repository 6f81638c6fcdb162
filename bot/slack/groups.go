package slack

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// groupFresh is for how long what Slack has said of a group counts. Who was taken out of it
// decides nothing after that, also where the event that says so is lost.
const groupFresh = time.Minute

// groups are user groups, as they were when we last looked.
type groups struct {
	mu      sync.Mutex
	members map[string]members // by id
	handles map[string]string
	named   time.Time
	look    sync.Mutex // one question at a time: many press at once
}

type members struct {
	users []string
	asked time.Time
}

// forget has a group asked for anew.
func (g *groups) forget(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.members, id)
}

func (g *groups) of(id string, now time.Time) ([]string, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	m, ok := g.members[id]
	return m.users, ok && now.Sub(m.asked) < groupFresh
}

func (g *groups) keep(id string, m members) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.members == nil {
		g.members = map[string]members{}
	}
	g.members[id] = m
}

func (g *groups) handle(id string, now time.Time) (string, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.handles[id], !g.named.IsZero() && now.Sub(g.named) < groupFresh
}

func (g *groups) call(handles map[string]string, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.handles, g.named = handles, now
}

// idOf is the id of one of our groups ("slack:T1:S1"), and false if it is none.
func (s *Slack) idOf(group string) (string, bool) {
	me, ok := s.me()
	id, ours := strings.CutPrefix(group, bot.Person(platform, me.team, ""))
	return id, ok && ours && id != ""
}

// InGroup reports whether a person is in a user group (slack:T1:S1). Somebody of
// another workspace is in none of ours. What Slack does not say is an error.
func (s *Slack) InGroup(ctx context.Context, group, person string) (bool, error) {
	me, ok := s.me()
	if !ok {
		return false, errUnknownSelf
	}
	id, ours := s.idOf(group)
	if !ours || person != bot.Person(platform, me.team, bot.UserOf(person)) {
		return false, nil
	}
	users, err := s.groupMembers(ctx, id)
	return slices.Contains(users, bot.UserOf(person)), err
}

// groupMembers are the users in a group; none of one that is not there.
func (s *Slack) groupMembers(ctx context.Context, id string) ([]string, error) {
	if users, ok := s.groups.of(id, s.cfg.Now()); ok {
		return users, nil
	}
	s.groups.look.Lock()
	defer s.groups.look.Unlock()
	asked := s.cfg.Now()
	if users, ok := s.groups.of(id, asked); ok {
		return users, nil
	}
	users, err := s.api.GetUserGroupMembersContext(ctx, id)
	s.note(err)
	if code := codeOf(err); code == "no_such_subteam" || code == "subteam_not_found" {
		users, err = nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("members of group %s: %w%s", id, readTrouble(err), s.lacks("usergroups:read"))
	}
	s.groups.keep(id, members{users, asked})
	return users, nil
}

// GroupName implements bot.GroupNamer: its handle, which calls nobody.
func (s *Slack) GroupName(ctx context.Context, group string) string {
	id, ours := s.idOf(group)
	if !ours {
		return ""
	}
	if handle, ok := s.groups.handle(id, s.cfg.Now()); ok {
		return handle
	}
	all, err := s.api.GetUserGroupsContext(ctx, slack.GetUserGroupsOptionIncludeDisabled(true))
	s.note(err)
	if err != nil {
		s.log.Debug("slack groups not listed", "err", err)
		handle, _ := s.groups.handle(id, time.Time{}) // a name does no harm though it is old
		return handle
	}
	handles := map[string]string{}
	for _, g := range all {
		handles[g.ID] = "@" + g.Handle
	}
	s.groups.call(handles, s.cfg.Now())
	return handles[id]
}

var _ bot.GroupNamer = (*Slack)(nil)
