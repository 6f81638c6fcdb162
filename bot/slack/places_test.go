package slack_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"hermes/bot"
	"hermes/internal/fakeslack"
)

// Where a message stands, and whether it is meant for us, in every kind of place.
func TestPlaces(t *testing.T) {
	talked := map[string]bool{}
	r := newRig(t, setup{spoken: func(_ context.Context, p bot.Place) bool { return talked[p.Thread] }})
	r.connected()
	leo := r.fake.Human("leo")
	root, _ := r.say("general", "look at this")
	ours, _ := r.say("general", "@hermes hello")
	talked[ours.TS] = true
	private := r.fake.AddChannel(fakeslack.Channel{Name: "inner", Private: true, Members: []string{fakeslack.BotUser, leo.ID()}})

	tests := map[string]struct {
		channel, thread, text       string
		addressed, inThread, direct bool
	}{
		"channel, a line":                 {"general", "", "anybody there?", false, false, false},
		"channel, a call":                 {"general", "", "@hermes hi", true, false, false},
		"a thread that is not ours":       {"general", root.TS, "indeed", false, false, false},
		"a call in such a thread":         {"general", root.TS, "@hermes you too?", true, false, false},
		"a thread in which we spoke":      {"general", ours.TS, "and by product?", false, true, false},
		"a call in which we spoke":        {"general", ours.TS, "@hermes and by region?", true, true, false},
		"a private channel":               {private, "", "@hermes hi", true, false, false},
		"a line to us":                    {"dm", "", "hi", false, false, true},
		"a line to us that calls as well": {"dm", "", "@hermes hi", true, false, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m, err := leo.Reply(tt.channel, tt.thread, tt.text)
			r.must(err)
			got := r.ears.message(t, key(m))
			want := place(m)
			if tt.direct {
				want.Thread = m.ThreadTS
			}
			if got.Place != want || got.Addressed != tt.addressed || got.InThread != tt.inThread || got.Direct != tt.direct {
				t.Errorf("heard %+v, want %+v at %+v", got, tt, want)
			}
			if wantText := strings.TrimPrefix(tt.text, "@hermes "); got.Text != wantText {
				t.Errorf("Text = %q, want %q", got.Text, wantText)
			}
		})
	}
	dm, err := leo.Say("dm", "first")
	r.must(err)
	reply, err := leo.Reply("dm", dm.TS, "in a thread")
	r.must(err)
	if got := r.ears.message(t, key(reply)); got.Place.Thread != dm.TS {
		t.Errorf("thread of a reply to us = %q, want %q", got.Place.Thread, dm.TS)
	}
}

// People's names and zones come with their messages as soon as they are known, and
// no message waits for them.
func TestPeopleAreLearned(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	r.must(r.fake.WaitCalls(r.ctx(), "users.list", 1))
	var got bot.Message
	for got.Zone == "" {
		_, k := r.say("general", "a line") // what was listed is learned a moment later
		got = r.ears.message(t, k)
	}
	if got.Zone != "Europe/Berlin" || got.Name != "ana" {
		t.Errorf("heard %q from zone %q, want ana from Europe/Berlin", got.Name, got.Zone)
	}
}

// Somebody who came later is asked for once, beside the messages.
func TestPeopleWhoComeLater(t *testing.T) {
	r := newRig(t, setup{before: func(r *rig) { r.fake.Fail(fakeslack.Fault{Method: "users.list", Error: "fatal_error"}) }})
	r.connected()
	var got bot.Message
	for got.Zone == "" {
		_, k := r.say("general", "a line")
		got = r.ears.message(t, k)
		r.must(r.fake.WaitCalls(r.ctx(), "users.info", 1))
	}
	if n := len(r.fake.Calls("users.info")); n != 1 {
		t.Errorf("asked %d times, want once", n)
	}
}

// Channels are found by what people call them.
func TestChannel(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	home := bot.Place{Platform: "slack", Workspace: fakeslack.Team}
	sales, random := r.fake.Channel("sales").ID(), r.fake.Channel("random").ID()
	secret := r.fake.AddChannel(fakeslack.Channel{Name: "秘密", Private: true, Members: []string{fakeslack.BotUser}})
	tests := map[string]bot.Channel{
		"#sales":                 {Place: bot.Place{Channel: sales}, Name: "#sales", Member: true},
		"Sales":                  {Place: bot.Place{Channel: sales}, Name: "#sales", Member: true},
		"<#" + sales + "|sales>": {Place: bot.Place{Channel: sales}, Name: "#sales", Member: true},
		"<#" + sales + ">":       {Place: bot.Place{Channel: sales}, Name: "#sales", Member: true},
		sales:                    {Place: bot.Place{Channel: sales}, Name: "#sales", Member: true},
		" #random ":              {Place: bot.Place{Channel: random}, Name: "#random"},
		"#秘密":                    {Place: bot.Place{Channel: secret}, Name: "#秘密", Private: true, Member: true},
	}
	for name, want := range tests {
		got, err := r.s.Channel(r.ctx(), home, name)
		want.Place.Platform = "slack"
		want.Place.Workspace = got.Place.Workspace
		if err != nil || got != want {
			t.Errorf("Channel(%q) = %+v, %v; want %+v", name, got, err, want)
		}
	}
	for _, name := range []string{"#nowhere", "", "#", "C0NOWHERE", "#board"} {
		if _, err := r.s.Channel(r.ctx(), home, name); !errors.Is(err, bot.ErrNoChannel) {
			t.Errorf("Channel(%q) = %v, want ErrNoChannel", name, err)
		}
	}
	if n := len(r.fake.Calls("conversations.list")); n != 1 {
		t.Errorf("listed %d times, want once", n)
	}

	// O13: what changed is told, not what was.
	r.fake.Channel("sales").Change(func(c *fakeslack.Channel) { c.Private = true })
	r.clock.Advance(time.Minute)
	if got, err := r.s.Channel(r.ctx(), home, "#sales"); err != nil || !got.Private {
		t.Errorf("Channel = %+v, %v; want it private now", got, err)
	}
	fresh := r.fake.AddChannel(fakeslack.Channel{Name: "fresh", Members: []string{fakeslack.BotUser}})
	if got, err := r.s.Channel(r.ctx(), home, "#fresh"); err != nil || got.Place.Channel != fresh {
		t.Errorf("Channel(#fresh) = %+v, %v; want the new one", got, err)
	}
	r.fake.Fail(fakeslack.Fault{Method: "conversations.list", Status: 429, RetryAfter: 30})
	r.clock.Advance(time.Minute)
	if _, err := r.s.Channel(r.ctx(), home, "#later"); !errors.Is(err, bot.ErrBusy) {
		t.Errorf("Channel = %v, want ErrBusy", err)
	}
}

// A post for one person is seen by that one alone, and changes once it was pressed.
func TestOnlyOnePersonSees(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	m, at := salesThread(t, r)
	leo := r.fake.Human("leo")
	only := bot.Person("slack", fakeslack.Team, leo.ID())
	p := bot.Post{Key: "k", Place: at, Text: "You may not.", Only: only, Question: "q", Choices: []bot.Choice{{ID: "ok", Label: "OK"}}}
	rc := r.post(p)
	if n := len(r.fake.Channel("sales").Thread(m.TS)); n != 1 {
		t.Errorf("%d messages for all, want 1", n)
	}
	seen := r.fake.Channel("sales").Private(leo.ID())
	if len(seen) != 1 || seen[0].Shown() != "You may not.\nOK" || seen[0].ThreadTS != m.TS {
		t.Fatalf("leo sees %+v", seen)
	}
	p.Rev, p.Text, p.Delivered = 1, "Nothing yet.", &rc.Ref
	r.post(p)
	if got := r.fake.Channel("sales").Private(leo.ID())[0].Shown(); got != "You may not.\nOK" {
		t.Errorf("leo sees %q, want it as it was", got)
	}
	_, err := leo.Press(seen[0], "OK")
	r.must(err)
	r.must(r.fake.WaitAcked(r.ctx()))
	p.Rev, p.Text, p.Choices = 2, "Noted.", nil
	r.post(p)
	if got := r.fake.Channel("sales").Private(leo.ID())[0].Shown(); got != "Noted." {
		t.Errorf("leo sees %q, want it changed", got)
	}
}

// A place that is a person is the conversation with that person.
func TestPlaceOfAPerson(t *testing.T) {
	r := newRig(t, setup{idle: true})
	leo := r.fake.Human("leo")
	p := bot.Post{Key: "k", Place: bot.Place{Platform: "slack", Workspace: fakeslack.Team, Channel: leo.ID()}, Text: "Your job is paused."}
	rc := r.post(p)
	if !strings.HasPrefix(rc.Ref.Place.Channel, "D") {
		t.Errorf("Ref = %+v, want the conversation", rc.Ref)
	}
	p.Rev, p.Text, p.Delivered = 1, "Your job goes on.", &rc.Ref
	r.post(p)
	if _, ok, err := r.s.Find(r.ctx(), p); !ok || err != nil {
		t.Errorf("Find = %v, %v", ok, err)
	}
	if ms := r.fake.Channel(rc.Ref.Place.Channel).Messages(); len(ms) != 1 || ms[0].Shown() != "Your job goes on." {
		t.Errorf("leo sees %+v", ms)
	}
}

// A file goes into the thread of its post, can be found again by its key, and is
// not brought twice.
func TestFile(t *testing.T) {
	r := newRig(t, setup{idle: true, shelf: shelf{"f1": []byte("a,b\n1,2\n"), "empty": {}}})
	at := bot.Place{Platform: "slack", Workspace: fakeslack.Team, Channel: r.fake.Channel("sales").ID()}
	report := r.post(bot.Post{Key: "report", Place: at, Text: "October", Kind: bot.Report})
	p := bot.Post{Key: "report/f1", Place: at, File: &bot.File{ID: "f1"}, After: "report", Thread: report.Ref, Attempt: 1}
	if _, ok, err := r.s.Find(r.ctx(), p); ok || err != nil {
		t.Fatalf("Find = %v, %v, want none", ok, err)
	}
	r.fake.Fail(fakeslack.Fault{Method: "files.completeUploadExternal", Cut: true})
	if _, err := r.s.Post(r.ctx(), p); !errors.Is(err, bot.ErrUnknown) {
		t.Fatalf("Post = %v, want ErrUnknown", err)
	}
	rc, ok, err := r.s.Find(r.ctx(), p)
	if !ok || err != nil || rc.Ref.ID == "" {
		t.Fatalf("Find = %+v, %v, %v; want it found", rc, ok, err)
	}
	files := r.fake.Files()
	if len(files) != 1 || string(files[0].Bytes) != "a,b\n1,2\n" || files[0].Thread != report.Ref.ID || files[0].Title != "f1.csv" {
		t.Errorf("files = %+v", files)
	}
	if !strings.HasPrefix(files[0].Name, "f1-") || !strings.HasSuffix(files[0].Name, ".csv") {
		t.Errorf("name = %q, want f1-….csv", files[0].Name)
	}
	p.Delivered = &rc.Ref
	r.post(p)
	for _, f := range []fakeslack.Fault{
		{Method: "files.getUploadURLExternal", Cut: true},
		{Method: "files.getUploadURLExternal", Status: 500},
	} {
		r.fake.Fail(f)
		if _, err := r.s.Post(r.ctx(), bot.Post{Key: "x", Place: at, File: &bot.File{ID: "f1"}}); !errors.Is(err, bot.ErrBusy) {
			t.Errorf("Post = %v, want ErrBusy: nobody has seen anything", err)
		}
	}
	if _, err := r.s.Post(r.ctx(), bot.Post{Key: "x", Place: at, File: &bot.File{ID: "empty"}}); !errors.Is(err, bot.ErrRefused) {
		t.Errorf("Post of an empty file = %v, want ErrRefused", err)
	}
	leo := r.fake.Human("leo").ID()
	rc = r.post(bot.Post{Key: "y", Place: at, File: &bot.File{ID: "f1"}, After: "report", Thread: report.Ref, Only: bot.Person("slack", fakeslack.Team, leo)})
	if n := len(r.fake.Channel(rc.Ref.Place.Channel).Messages()); n != 1 {
		t.Errorf("leo has %d files, want 1", n)
	}
	if n := len(r.fake.Channel("sales").Messages()); n != 2 {
		t.Errorf("%d messages, want 2", n)
	}
}
