package slack

import (
	"context"
	"fmt"
	"slices"

	"github.com/slack-go/slack"

	"hermes/bot"
)

var _ bot.Roster = (*Slack)(nil)

// rosterPages is how many pages of members are read: 50,000 people.
const (
	rosterPages = 50
	rosterPage  = 1000
)

// In implements bot.Roster. Slack is asked each time: who was taken out of a channel
// hears nothing of it any more.
func (s *Slack) In(ctx context.Context, person string, p bot.Place) (bool, error) {
	me, known := s.me()
	user := bot.UserOf(person)
	switch {
	case !known:
		return false, errUnknownSelf
	case p.Platform != platform || p.Workspace != me.team || person != bot.Person(platform, me.team, user):
		return false, nil
	}
	in := slack.GetUsersInConversationParameters{ChannelID: p.Channel, Limit: rosterPage}
	for range rosterPages {
		members, next, err := s.api.GetUsersInConversationContext(ctx, &in)
		s.note(err)
		switch code := codeOf(err); {
		case code == "channel_not_found":
			return false, nil
		case err != nil:
			return false, fmt.Errorf("members of %s: %w", p.Channel, readTrouble(err))
		case slices.Contains(members, user):
			return true, nil
		case next == "":
			return false, nil
		}
		in.Cursor = next
	}
	return false, fmt.Errorf("members of %s: more than %d pages", p.Channel, rosterPages)
}
