package slack

import (
	"context"
	"fmt"
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

// standingOf is what Slack says of a user. Who has left, and who is of another
// workspace, is of ours no more.
func standingOf(me self, u *slack.User) bot.Standing {
	switch {
	case u.IsBot || u.IsWorkflowBot || u.IsConnectorBot || u.ID == slackbot:
		return bot.Machine
	case u.IsStranger || u.Deleted || u.TeamID != me.team:
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
