package slack

import (
	"context"
	"time"

	"hermes/bot"
)

// What tests of the outside need of the inside: their own clock, and the pure
// parts one by one.
var (
	Split    = split
	Fallback = fallback
	Lighten  = lighten
	Trouble  = troubleOf
)

// Wait puts f in the place of waiting.
func (s *Slack) Wait(f func(context.Context, time.Duration) error) { s.wait = f }

// Overlap shortens how long an old socket lives beside the new one.
func (s *Slack) Overlap(d time.Duration) { s.times.overlap = d }

// Render is what Slack shows of a Post, in the usual way.
func Render(p bot.Post) ([]page, []extra, error) {
	r, err := render(p, usual)
	return r.pages, r.extras, err
}

// Tend does at once what is done some time beside everything else; Rest ends it.
func (s *Slack) Tend(ctx context.Context) { s.tend(ctx) }

// Settle waits for what is being said of who is at work.
func (s *Slack) Settle() { s.statuses.work.Wait() }

// Rest says that nobody is at work.
func (s *Slack) Rest(ctx context.Context) { s.rest(ctx) }

// Name and Data are those of an extra.
func (x extra) Name() string { return x.name }

// Data are its bytes.
func (x extra) Data() []byte { return x.data }

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
	a, err := s.frame(ctx, nil, b, to)
	return a.Envelope, err
}

// Probe shortens how often Slack is asked whether it still knows us.
func (s *Slack) Probe(d time.Duration) { s.times.probe = d }

// Patience shortens how long a command waits for its conversation.
func (s *Slack) Patience(d time.Duration) { s.times.open = d }

// Hurry shortens how long a goodbye and an acknowledgement may take.
func (s *Slack) Hurry(d time.Duration) { s.times.teardown, s.times.ack = d, d }

// Pong is how long our pings may go without an answer, Ping how often they go.
func (s *Slack) Pong() time.Duration { return s.times.pong }

// Ping is how often we ping.
func (s *Slack) Ping() time.Duration { return s.times.ping }

// Forget forgets when it was asked last whether a token is good again.
func (s *Slack) Forget() {
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	s.health.asked = time.Time{}
}

// Shut notes that the bot token is refused, Note what an answer says about it.
func (s *Slack) Shut(why string) { s.refused(why) }

// Note notes what an answer says about the token.
func (s *Slack) Note(err error) { s.note(err) }

// Live is how many sockets are read.
func (s *Slack) Live() int {
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	return s.health.live
}

// Tick puts f in the place of time that passes.
func (s *Slack) Tick(f func(time.Duration) (<-chan time.Time, func())) { s.tick = f }

// Hello shortens how long a socket may take to say hello.
func (s *Slack) Hello(d time.Duration) { s.times.hello = d }

// Needs are the scopes of which Check knows what they are for.
func Needs() (all []string) {
	for _, n := range needs {
		all = append(all, n.scope)
	}
	return all
}

// Events are those of which Check knows what they are for.
func Events() (all []string) {
	for _, e := range heardOf {
		all = append(all, e.event)
	}
	return all
}
