package slack

import (
	"context"
	"time"

	"hermes/bot"
)

// What tests of the outside need of the inside: their own clock, and the pure
// parts one by one.
var (
	Render   = render
	Split    = split
	Fallback = fallback
	Lighten  = lighten
	Trouble  = troubleOf
)

// Wait puts f in the place of waiting.
func (s *Slack) Wait(f func(context.Context, time.Duration) error) { s.wait = f }

// Silence shortens how long a socket may be silent.
func (s *Slack) Silence(d time.Duration) { s.times.silence, s.times.ping = d, d/4 }

// Overlap shortens how long an old socket lives beside the new one.
func (s *Slack) Overlap(d time.Duration) { s.times.overlap = d }

// Blocks are what a page shows, Text is what a notification does.
func (p page) Blocks() any { return p.blocks }

// Text is what a notification shows of a page.
func (p page) Text() string { return p.text }

// Plain reads a text of Slack's for a bot that is called user.
func Plain(user, text string) string { return new(Slack).plain(self{user: user}, text) }

// As makes s somebody without asking Slack.
func (s *Slack) As(team, user, botID string) {
	s.self = self{team: team, user: user, bot: botID, url: "https://fake.slack.com/"}
}

// Frame takes a frame as if a socket had brought it, and returns what would be
// acknowledged.
func (s *Slack) Frame(ctx context.Context, b []byte, to bot.Receiver) (string, error) {
	return s.frame(ctx, nil, b, to)
}
