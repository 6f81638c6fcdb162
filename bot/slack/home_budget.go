package slack

import (
	"context"
	"strings"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// pursesOf are the budgets that a home shows: what its viewer may still spend, and what
// all may.
func (s *Slack) pursesOf(ctx context.Context, viewer string) ([]bot.PurseView, error) {
	t, ok := s.cfg.Desk.(bot.Treasurer)
	if !ok {
		return nil, nil
	}
	all, err := t.Purses(ctx, viewer, "")
	if err != nil {
		return nil, err
	}
	var mine []bot.PurseView
	for _, p := range all {
		if p.Of == viewer || p.Of == "" {
			mine = append(mine, p)
		}
	}
	return mine, nil
}

// budgets is one line of them, if there are any.
func (d desk) budgets() []slack.Block {
	var lines []string
	for _, p := range d.purses {
		lines = append(lines, bot.PurseLine(d.lang, p))
	}
	if len(lines) == 0 {
		return nil
	}
	return []slack.Block{small(escaped.Replace(d.say("Budget: ", "预算：") + strings.Join(lines, " · ")))}
}
