package web

import (
	"context"
	"strings"

	"hermes/bot"
)

var _ bot.Knower = (*Console)(nil)

// Standing implements bot.Knower.
func (c *Console) Standing(_ context.Context, person string) (bot.Standing, error) {
	u, ok := c.home.user(bot.UserOf(person))
	switch {
	case !ok || c.person(u) != person:
		return bot.Left, nil
	case u.Guest:
		return bot.Guest, nil
	}
	return bot.Member, nil
}

// Named implements bot.PhoneBook.
func (c *Console) Named(_ context.Context, _ bot.Place, name string) (found []string, err error) {
	for _, u := range c.home.Users {
		if strings.EqualFold(u.ID, name) || strings.EqualFold(u.Name, name) {
			found = append(found, c.person(u))
		}
	}
	return found, nil
}

var _ bot.PhoneBook = (*Console)(nil)
