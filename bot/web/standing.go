package web

import (
	"context"

	"hermes/bot"
)

var _ bot.Knower = (*Console)(nil)

// Standing implements bot.Knower.
func (c *Console) Standing(_ context.Context, person string) (bot.Standing, error) {
	u, ok := c.home.user(bot.UserOf(person))
	switch {
	case !ok || c.person(u) != person:
		return bot.External, nil
	case u.Guest:
		return bot.Guest, nil
	}
	return bot.Member, nil
}
