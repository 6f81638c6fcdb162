package slack

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// Standing implements bot.Knower. What Slack has said within the hour counts; who it
// does not tell of is nobody, and that is an error.
func (s *Slack) Standing(ctx context.Context, who string) (bot.Standing, error) {
	me, known := s.me()
	if !known {
		return bot.Unsaid, errUnknownSelf
	}
	user := bot.UserOf(who)
	if who != bot.Person(platform, me.team, user) {
		return bot.Unsaid, fmt.Errorf("%s is not of workspace %s", who, me.team)
	}
	if strings.HasPrefix(user, "B") {
		return bot.Machine, nil // a bot that has no user
	}
	if p := s.people.get(user); p.standing != bot.Unsaid && s.cfg.Now().Before(p.stands) {
		return p.standing, nil
	}
	p, err := s.askWho(ctx, user)
	if err != nil {
		return bot.Unsaid, fmt.Errorf("standing of %s: %w", who, readTrouble(err))
	}
	return p.standing, nil
}

// standingOf is what Slack says of a user.
func standingOf(me self, u *slack.User) bot.Standing {
	switch {
	case u.IsBot || u.IsWorkflowBot || u.IsConnectorBot || u.ID == slackbot:
		return bot.Machine
	case u.Deleted:
		return bot.Left
	case u.IsStranger || u.TeamID != me.team:
		return bot.External
	case u.IsRestricted || u.IsUltraRestricted:
		return bot.Guest
	}
	return bot.Member
}

// told is the standing of who wrote a message, as far as the message tells: it knows
// bots and other organisations, and does not tell a member from a guest.
func (s *Slack) told(me self, e said) bot.Standing {
	switch {
	case e.machine():
		return bot.Machine
	case foreign(me, e.UserTeam), foreign(me, e.SourceTeam):
		s.stranger(e.User)
		return bot.External
	}
	return bot.Unsaid
}

func foreign(me self, team string) bool { return team != "" && team != me.team }

// stranger remembers that somebody is of another organisation: it is asked about
// them when what they have said or pressed is worked on.
func (s *Slack) stranger(user string) {
	s.people.learn(user, func(p *person) { p.standing, p.stands = bot.External, s.cfg.Now().Add(fresh) })
}

// Named implements bot.PhoneBook, of those who have been met. Whom nobody has met is
// mentioned by id.
func (s *Slack) Named(_ context.Context, _ bot.Place, name string) (found []string, err error) {
	me, known := s.me()
	if !known {
		return nil, errUnknownSelf
	}
	if id := strings.Trim(name, "<@>"); strings.HasPrefix(name, "<@") || userID.MatchString(id) {
		return []string{bot.Person(platform, me.team, id)}, nil
	}
	for _, user := range s.people.called(name) {
		found = append(found, bot.Person(platform, me.team, user))
	}
	return found, nil
}

// userID is the id of a user as people copy it from a profile.
var userID = regexp.MustCompile(`^[UW][A-Z0-9]{6,}$`)

var _ bot.PhoneBook = (*Slack)(nil)
