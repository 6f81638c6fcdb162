package slack

import "hermes/bot"

var _ bot.Caller = (*Slack)(nil)

// Called implements bot.Caller.
func (s *Slack) Called(person string) string {
	user := bot.UserOf(person)
	if person != bot.Person(platform, s.Team(), user) {
		return ""
	}
	name, _ := s.people.known(user)
	return name
}
