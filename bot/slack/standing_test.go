package slack_test

import (
	"strings"
	"testing"

	"hermes/bot"
	"hermes/bot/slack"
	"hermes/internal/fakeslack"
)

// S14: who somebody is is told for certain or not at all: a Slack that does not answer
// makes nobody a member.
func TestS14Standing(t *testing.T) {
	r := newRig(t, setup{idle: true})
	add := func(u fakeslack.User) string { return "slack:" + fakeslack.Team + ":" + r.fake.AddUser(u).ID() }
	want := map[string]bot.Standing{
		"slack:" + fakeslack.Team + ":U0ANA0001":                bot.Member,
		add(fakeslack.User{Name: "guest", Guest: true}):         bot.Guest,
		add(fakeslack.User{Name: "single", Single: true}):       bot.Guest,
		add(fakeslack.User{Name: "partner", Team: "T0PARTNER"}): bot.External,
		add(fakeslack.User{Name: "left", Deleted: true}):        bot.Left,
		add(fakeslack.User{Name: "robot", Bot: true}):           bot.Machine,
		"slack:" + fakeslack.Team + ":B0HOOK001":                bot.Machine,
	}
	for who := range want {
		if st, err := r.s.Standing(r.ctx(), who); st != bot.Unsaid || err == nil {
			t.Errorf("Standing(%s) = %v, %v before we know who we are; want an error", who, st, err)
		}
	}
	r.run()
	r.connected()
	for who, st := range want {
		if got, err := r.s.Standing(r.ctx(), who); got != st || err != nil {
			t.Errorf("Standing(%s) = %v, %v; want %s", who, got, err, st)
		}
	}
	calls := len(r.fake.Calls("users.info"))
	for who := range want {
		if _, err := r.s.Standing(r.ctx(), who); err != nil {
			t.Error(err)
		}
	}
	if n := len(r.fake.Calls("users.info")); n != calls {
		t.Errorf("%d more calls for what is known", n-calls)
	}
	r.fake.Fail(fakeslack.Fault{Method: "users.info", Status: 500, Times: -1})
	for _, who := range []string{add(fakeslack.User{Name: "new"}), "slack:" + fakeslack.Team + ":U0NOBODY1", "slack:T0OTHER01:U0ANA0001", "web:demo:lead", ""} {
		if st, err := r.s.Standing(r.ctx(), who); st != bot.Unsaid || err == nil {
			t.Errorf("Standing(%q) = %v, %v; want an error", who, st, err)
		}
	}
}

// S14: people of another organisation are told by what they say and by what they
// press, without a call.
func TestS14StrangersInASharedChannel(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	partner := r.fake.AddUser(fakeslack.User{Name: "partner", Team: "T0PARTNER"})
	other := r.fake.AddUser(fakeslack.User{Name: "other", Team: "T0PARTNER"})
	sales := r.fake.Channel("sales")
	sales.Change(func(c *fakeslack.Channel) {
		c.Shared = true
		c.Members = append(c.Members, partner.ID(), other.ID())
	})
	m, err := partner.Say("sales", "@hermes last month's sales?")
	r.must(err)
	if got := r.ears.message(t, key(m)); got.Standing != bot.External {
		t.Errorf("heard %+v, want one of a stranger", got)
	}
	mine, k := r.say("sales", "@hermes same question")
	if got := r.ears.message(t, k); got.Standing != bot.Unsaid {
		t.Errorf("Standing = %s of a member's message, want it unsaid: it does not tell guests", got.Standing)
	}
	r.post(bot.Post{Key: "q", Place: place(mine), Text: "Post it?", Kind: bot.Card, Question: "q7", Choices: []bot.Choice{{ID: "yes", Label: "Post now"}}})
	r.fake.Fail(fakeslack.Fault{Method: "users.info", Status: 500, Times: -1})
	_, err = other.Press(sales.Thread(mine.TS)[1], "Post now")
	r.must(err)
	r.ears.wait(t, "the press", func() bool { return len(r.ears.clicks) == 1 })
	for _, c := range r.ears.clicks {
		if st, err := r.s.Standing(r.ctx(), c.From); st != bot.External || err != nil {
			t.Errorf("Standing of who pressed = %v, %v; want a stranger", st, err)
		}
	}
}

// S15: a file that a person attaches comes with its message, and its bytes when they
// are asked for, also where Slack tells no more than its id.
func TestS15Files(t *testing.T) {
	r := newRig(t, setup{opts: fakeslack.Options{Scopes: fakeslack.AllScopes}})
	r.connected()
	partner := r.fake.AddUser(fakeslack.User{Name: "partner", Team: "T0PARTNER"})
	r.fake.Channel("sales").Change(func(c *fakeslack.Channel) {
		c.Shared = true
		c.Members = append(c.Members, partner.ID())
	})
	page := "<!DOCTYPE html><html><body>a report of ours</body></html>"
	for who, files := range map[string][]fakeslack.File{
		"ana":     {{Name: "s.csv", Bytes: []byte("a,b\n1,2\n")}, {Name: "report.html", Bytes: []byte(page)}},
		"partner": {{Name: "p.txt", Bytes: []byte("from elsewhere")}},
	} {
		m, err := r.fake.Human(who).Attach("sales", "", "@hermes look", files...)
		r.must(err)
		got := r.ears.message(t, key(m))
		if len(got.Files) != len(files) {
			t.Fatalf("%s: files = %+v, want %d", who, got.Files, len(files))
		}
		for i, a := range got.Files {
			if who == "ana" && (a.Name != files[i].Name || a.Size != int64(len(files[i].Bytes)) || a.Mime == "" || a.URL == "") {
				t.Errorf("attachment = %+v, want one of %s", a, files[i].Name)
			}
			b, err := r.s.Fetch(r.ctx(), got.Place, a, 1000)
			if err != nil || string(b) != string(files[i].Bytes) {
				t.Errorf("%s: Fetch(%+v) = %q, %v", who, a, b, err)
			}
			if _, err := r.s.Fetch(r.ctx(), got.Place, a, 3); !isErr(err, bot.ErrTooLarge) {
				t.Errorf("Fetch of at most 3 bytes = %v, want ErrTooLarge", err)
			}
			a.Size = 0
			if _, err := r.s.Fetch(r.ctx(), got.Place, a, 3); !isErr(err, bot.ErrTooLarge) {
				t.Errorf("Fetch of at most 3 bytes of a file without a size = %v, want ErrTooLarge", err)
			}
		}
	}
}

// A file that was deleted since is no file, and one that cannot be read spoils no
// message.
func TestFilesThatAreNot(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	m, err := r.fake.Human("ana").Attach("sales", "", "look", fakeslack.File{Name: "s.csv", Bytes: []byte("a")})
	r.must(err)
	a := r.ears.message(t, key(m)).Files[0]
	r.fake.DeleteFile(a.ID)
	if _, err := r.s.Fetch(r.ctx(), place(m), a, 1000); !isErr(err, bot.ErrNoAccess) {
		t.Errorf("Fetch = %v, want ErrNoAccess", err)
	}
	a.URL = ""
	if _, err := r.s.Fetch(r.ctx(), place(m), a, 1000); !isErr(err, bot.ErrNoAccess) {
		t.Errorf("Fetch = %v, want ErrNoAccess", err)
	}
	r.fake.Event(map[string]any{
		"type": "message", "subtype": "file_share", "channel": m.Channel, "channel_type": "channel", "ts": "1800000000.000100", "user": m.User,
		"text": "odd", "files": []any{nil, 7, map[string]any{"id": 3}, map[string]any{"id": "F1", "mode": "tombstone"}, map[string]any{"id": "F2", "name": "x"}},
	})
	got := r.ears.message(t, "slack/"+fakeslack.Team+"/"+m.Channel+"/1800000000.000100")
	if got.Text != "odd" || len(got.Files) != 1 || got.Files[0].ID != "F2" {
		t.Errorf("heard %+v, want one file", got)
	}
}

func TestStateNamesTheWorkspace(t *testing.T) {
	s := slack.New(slack.Config{Name: "acme", AppToken: "xapp", BotToken: "xoxb"}, nil, nil)
	s.As("T111", "U1", "B1")
	if st := s.State(); st.Name != "acme" || st.Team != "T111" || st.Health != slack.Connecting || strings.Contains(st.Why, "xoxb") {
		t.Errorf("state = %+v", st)
	}
}
