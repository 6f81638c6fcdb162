package slack_test

import (
	"fmt"
	"slices"
	"testing"

	"hermes/bot"
	"hermes/internal/fakeslack"
)

// Issue 5, audit: who is in a channel Slack says, page by page; of what nobody can say
// nobody hears.
func TestWhoIsInAChannel(t *testing.T) {
	r := newRig(t, setup{idle: true})
	const ana = "slack:" + fakeslack.Team + ":U0ANA0001"
	in := func(channel string) bot.Place {
		return bot.Place{Platform: "slack", Workspace: fakeslack.Team, Channel: channel, Thread: "1.0"}
	}
	if ok, err := r.s.In(r.ctx(), ana, in("C1")); ok || err == nil {
		t.Errorf("before we know who we are: %t, %v; want an error", ok, err)
	}
	r.run()
	r.connected()
	var crowd []string
	for i := range 1100 {
		crowd = append(crowd, fmt.Sprintf("U0CROWD%04d", i))
	}
	with := r.fake.AddChannel(fakeslack.Channel{Name: "with", Members: slices.Concat(crowd, []string{"U0ANA0001", fakeslack.BotUser})})
	without := r.fake.AddChannel(fakeslack.Channel{Name: "without", Members: slices.Concat(crowd, []string{fakeslack.BotUser})})
	for name, c := range map[string]struct {
		who  string
		at   bot.Place
		want bool
	}{
		"on the second page":           {ana, in(with), true},
		"not there":                    {ana, in(without), false},
		"a channel that nobody sees":   {ana, in("C0NOWHERE"), false},
		"somebody of another platform": {"web:demo:U0ANA0001", in(with), false},
		"another workspace":            {ana, bot.Place{Platform: "slack", Workspace: "T0OTHER01", Channel: with}, false},
	} {
		if got, err := r.s.In(r.ctx(), c.who, c.at); got != c.want || err != nil {
			t.Errorf("%s: %t, %v; want %t", name, got, err, c.want)
		}
	}
	r.fake.Fail(fakeslack.Fault{Method: "conversations.members", Status: 500, Times: -1})
	if ok, err := r.s.In(r.ctx(), ana, in(with)); ok || err == nil {
		t.Errorf("of a Slack that is down: %t, %v; want an error", ok, err)
	}
}
