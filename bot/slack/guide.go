package slack

import (
	"context"
	"strings"

	"hermes/bot"
)

var _ bot.Guide = (*Slack)(nil)

// Alone implements bot.Guide: a user's id stands for the conversation with that user.
func (s *Slack) Alone(person string) bot.Place {
	return bot.Place{Platform: platform, Workspace: s.Team(), Channel: bot.UserOf(person)}
}

var _ bot.Linguist = (*Slack)(nil)

// Speaks implements bot.Linguist by the language that somebody has chosen in Slack. Who is
// not known yet is asked for beside that.
func (s *Slack) Speaks(person string) string {
	user := bot.UserOf(person)
	lang := s.speaks(user)
	if lang == "" && s.people.due(user, s.cfg.Now()) {
		s.people.ask(user)
	}
	return lang
}

// PlaceName implements bot.Guide. A channel that we never saw is asked for, also where
// we may post nothing any more.
func (s *Slack) PlaceName(ctx context.Context, p bot.Place) string {
	if !strings.HasPrefix(p.Channel, "C") && !strings.HasPrefix(p.Channel, "G") {
		return ""
	}
	name := s.rooms.nameOf(p.Channel)
	if name == "" {
		c, err := s.channelByID(ctx, p.Channel)
		if err != nil {
			s.log.Debug("slack channel has no name", "channel", p.Channel, "err", err)
			return ""
		}
		name = strings.TrimPrefix(c.Name, "#")
	}
	if name == "" {
		return "" // a conversation of several
	}
	return "#" + name
}
