package web_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/bot"
	"hermes/bot/web"
)

// A channel is found by what people call it, a direct message only from inside.
func TestChannelIsFound(t *testing.T) {
	t.Parallel()
	con := web.New(web.Config{Demo: web.NewDemo()}, &desk{}, shelf{}, nil, time.Now)
	sales := bot.Channel{Place: place("sales", ""), Name: "#sales", Member: true}
	tests := map[string]struct {
		home bot.Place
		name string
		want bot.Channel
		err  error
	}{
		"by name":                   {place("general", "t"), "#sales", sales, nil},
		"by id":                     {place("general", ""), "sales", sales, nil},
		"as people write it":        {place("general", ""), " #Sales ", sales, nil},
		"with a wide sign":          {place("general", ""), "＃sales", sales, nil},
		"none":                      {place("general", ""), "#marketing", bot.Channel{}, bot.ErrNoChannel},
		"from another platform":     {bot.Place{Platform: "slack", Workspace: "demo", Channel: "C1"}, "#sales", bot.Channel{}, bot.ErrNoChannel},
		"another's direct messages": {place("general", ""), "dm-lead", bot.Channel{}, bot.ErrNoChannel},
		"one's own":                 {place("dm-lead", ""), "dm-lead", bot.Channel{Place: place("dm-lead", ""), Name: "#dm-lead", Private: true, Member: true}, nil},
	}
	for name, tt := range tests {
		got, err := con.Channel(t.Context(), tt.home, tt.name)
		if d := cmp.Diff(tt.want, got); d != "" || !errors.Is(err, tt.err) {
			t.Errorf("%s: error %v, want %v (-want +got):\n%s", name, err, tt.err, d)
		}
	}
}
