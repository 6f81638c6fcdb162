package slack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hermes/bot"
)

// Checks are what Check looks at beyond the workspace itself.
type Checks struct {
	Channels    []bot.Place // where something is to be posted; those of other workspaces do not count
	Approvers   []string    // Persons who may approve
	Groups      []string    // whose members may (slack:T1:S1); those of other workspaces do not count
	ConfigToken string      // of the app's configuration, to look at its events; may be empty
	Endpoint    string      // where Handler listens, to be asked whether it does; empty for a socket
}

// A Finding is one thing that Check has looked at. A nil Err is well, unless it is Open:
// then nobody can tell from here. The Hint says what to do.
type Finding struct {
	What string
	Err  error
	Hint string
	Open bool
}

// Check asks Slack whether all is there that s needs, and says of what is missing what
// that breaks. It hears nothing and posts nothing; for a moment it opens a socket.
func (s *Slack) Check(ctx context.Context, c Checks) []Finding {
	me, err := s.api.AuthTestContext(ctx)
	if err != nil {
		return []Finding{
			{What: "bot token", Err: fmt.Errorf("auth.test: %w", err), Hint: "copy the Bot User OAuth Token from OAuth & Permissions, after installing the app"},
			s.checkEvents(ctx, c.Endpoint),
		}
	}
	s.mu.Lock()
	s.self = self{team: me.TeamID, user: me.UserID, bot: me.BotID, url: me.URL}
	s.mu.Unlock()
	s.grants(me.Header)
	all := []Finding{{What: fmt.Sprintf("bot token: %s in %s (%s)", me.User, me.Team, me.TeamID)}}
	all = append(all, s.checkScopes()...)
	all = append(all, s.checkEvents(ctx, c.Endpoint))
	all = append(all, s.checkSubscriptions(ctx, c.ConfigToken)...)
	for _, p := range c.Channels {
		if p.Workspace == me.TeamID {
			all = append(all, s.checkChannel(ctx, p.Channel))
		}
	}
	for _, who := range c.Approvers {
		if f, ok := s.checkApprover(ctx, who); ok {
			all = append(all, f)
		}
	}
	for _, group := range c.Groups {
		if f, ok := s.checkGroup(ctx, group); ok {
			all = append(all, f)
		}
	}
	return all
}

// checkGroup looks whether somebody is in a group; false of groups of other workspaces.
func (s *Slack) checkGroup(ctx context.Context, group string) (Finding, bool) {
	id, ours := s.idOf(group)
	if !ours {
		return Finding{}, false
	}
	what := "may approve: group " + group
	if name := s.GroupName(ctx, group); name != "" {
		what += " (" + name + ")"
	}
	users, err := s.groupMembers(ctx, id)
	if err == nil && len(users) == 0 {
		err = errors.New("nobody is in it, or there is none")
	}
	if err != nil {
		return Finding{What: what, Err: err, Hint: "approvals.rules[].by: group:slack:TEAM:GROUP; the group's ⋮ → Copy group ID has the GROUP, and its members stand there"}, true
	}
	return Finding{What: fmt.Sprintf("%s, which has %d", what, len(users))}, true
}

// checkScopes holds what the token may do against what is needed.
func (s *Slack) checkScopes() []Finding {
	const hint = "add what is missing under OAuth & Permissions, or paste the manifest of `hermes init slack`; then install the app again"
	s.mu.Lock()
	known := s.scopes != nil
	s.mu.Unlock()
	if !known {
		return []Finding{{What: "scopes", Err: errors.New("slack does not say which the token has")}}
	}
	var missing []Finding
	for _, n := range needs {
		if s.lacks(n.scope) != "" {
			missing = append(missing, Finding{What: "scope " + n.scope, Err: errors.New("missing: " + n.without), Hint: ""})
		}
	}
	if len(missing) == 0 {
		return []Finding{{What: fmt.Sprintf("scopes: all %d", len(needs))}}
	}
	missing[len(missing)-1].Hint = hint // one for all of them
	return missing
}

// checkEvents looks whether what happens would come.
func (s *Slack) checkEvents(ctx context.Context, endpoint string) Finding {
	if s.cfg.AppToken == "" {
		return Finding{What: "events by HTTP at " + endpoint, Err: s.challenge(ctx, endpoint), Hint: "start `hermes serve`; the request URL in the app's settings must lead there, with this app's signing secret"}
	}
	const hint = "make an app-level token with connections:write under Basic Information, and switch Socket Mode on"
	l, err := s.open(ctx)
	if err != nil {
		return Finding{What: "events over a socket", Err: err, Hint: hint}
	}
	l.end(errDone)
	return Finding{What: "events over a socket: Slack says hello"}
}

// challenge asks Handler what Slack asks it when its address is set.
func (s *Slack) challenge(ctx context.Context, endpoint string) error {
	const word = "hermes check"
	body := []byte(`{"type":"url_verification","challenge":` + strconv.Quote(word) + `}`)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	at := strconv.FormatInt(s.cfg.Now().Unix(), 10)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(timeHeader, at)
	req.Header.Set(signatureHeader, sign(s.cfg.SigningSecret, at, body))
	resp, err := s.http.Do(req)
	if err != nil {
		return errors.New("nobody listens")
	}
	defer func() { _ = resp.Body.Close() }() // it has been read
	got, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	if err != nil || resp.StatusCode != http.StatusOK || string(got) != word {
		return fmt.Errorf("it answers %s, which is not what a Hermes with this secret says", resp.Status)
	}
	return nil
}

// checkChannel looks whether we may post to a channel.
func (s *Slack) checkChannel(ctx context.Context, id string) Finding {
	c, err := s.channelByID(ctx, id)
	switch {
	case errors.Is(err, bot.ErrNoChannel):
		return Finding{What: "channel " + id, Err: errors.New("there is none that it can see, and a schedule posts there"), Hint: "invite it there, or change the schedule"}
	case err != nil:
		return Finding{What: "channel " + id, Err: err, Hint: ""}
	case !c.Member:
		return Finding{What: "channel " + c.Name, Err: errors.New("it is no member, and a schedule posts there"), Hint: "invite it there with /invite"}
	}
	return Finding{What: "channel " + c.Name + ": it may post there"}
}

// noSuchUser is what Slack says of one.
var noSuchUser = []string{"user_not_found", "user_not_visible"}

// checkApprover looks who somebody is that may approve; false of people of other
// workspaces and platforms.
func (s *Slack) checkApprover(ctx context.Context, who string) (Finding, bool) {
	me, _ := s.me()
	if !strings.HasPrefix(who, bot.Person(platform, me.team, "")) {
		return Finding{}, false
	}
	what := "may approve: " + who
	p, err := s.askWho(ctx, bot.UserOf(who))
	if p.name != "" {
		what += " (" + p.name + ")"
	}
	if slices.Contains(noSuchUser, codeOf(err)) {
		err = errors.New("there is no such person")
	}
	switch {
	case err != nil:
		return Finding{What: what, Err: err, Hint: "admins and approvals: slack:TEAM:USER; a profile's ⋮ → Copy member ID has the USER"}, true
	case p.standing != bot.Member:
		return Finding{What: what, Err: fmt.Errorf("is no member of the workspace but %s", standingWords[p.standing]), Hint: "name a member there"}, true
	}
	return Finding{What: what}, true
}

// Heads is 1 for a member of our workspace and 0 for one who is none; false of people of
// others, and where Slack does not say.
func (s *Slack) Heads(ctx context.Context, who string) (int, bool) {
	me, _ := s.me()
	if !strings.HasPrefix(who, bot.Person(platform, me.team, "")) {
		return 0, false
	}
	p, err := s.askWho(ctx, bot.UserOf(who))
	switch {
	case err != nil:
		return 0, slices.Contains(noSuchUser, codeOf(err))
	case p.standing == bot.Member:
		return 1, true
	}
	return 0, true
}

// HeadsOf is how many are in a group of our workspace; false of others, and where Slack
// does not say.
func (s *Slack) HeadsOf(ctx context.Context, group string) (int, bool) {
	id, ours := s.idOf(group)
	if !ours {
		return 0, false
	}
	users, err := s.groupMembers(ctx, id)
	return len(users), err == nil
}

var standingWords = map[bot.Standing]string{
	bot.Guest: "a guest", bot.External: "somebody of another organisation, or who has left", bot.Machine: "a bot",
}
