package slack_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"hermes/bot"
	"hermes/internal/fakeslack"
)

// S18: a command is acknowledged at once with words of where the answer comes, in
// both languages, over either transport; nobody but who gave it sees anything.
func TestS18Command(t *testing.T) {
	for name, byHTTP := range map[string]bool{"socket": false, "http": true} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{http: byHTTP})
			if !byHTTP {
				r.connected()
			}
			ana := r.fake.Human("ana")
			for i, tt := range []struct{ text, want, says string }{
				{"what were @leo's sales? a < b", "what were @leo's sales? a < b", "see <"},
				{"上个月销售额是多少？", "上个月销售额是多少？", "请看<"},
			} {
				d, err := ana.Slash("sales", "/hermes", tt.text)
				r.must(err)
				d, err = r.fake.WaitAnswer(r.ctx(), d)
				r.must(err)
				var answer struct {
					Type string `json:"response_type"`
					Text string `json:"text"`
				}
				if err := json.Unmarshal(d.Answer, &answer); err != nil || answer.Type != "ephemeral" || !strings.Contains(answer.Text, tt.says) || d.Refused != "" {
					t.Errorf("answer = %s (%s), want an ephemeral one with %q", d.Answer, d.Refused, tt.says)
				}
				if d.Took > time.Second {
					t.Errorf("acknowledged after %s, want less than a second", d.Took)
				}
				var sent struct {
					Trigger string `json:"trigger_id"`
				}
				r.must(json.Unmarshal(d.Payload, &sent))
				got := r.ears.message(t, "slack/"+fakeslack.Team+"/command/"+sent.Trigger)
				if got.Text != tt.want || got.Via != bot.ByCommand || !got.Direct || got.From != "slack:"+fakeslack.Team+":"+ana.ID() {
					t.Errorf("heard %+v, want %q", got, tt.want)
				}
				// The place is the conversation, so that what is said there goes on with it.
				m, err := ana.Say("dm", "yes")
				r.must(err)
				if in := r.ears.message(t, key(m)); in.Place != got.Place {
					t.Errorf("%d: place = %s, of what is said in the conversation %s", i, got.Place, in.Place)
				}
			}
			if ms := r.fake.Channel("sales").Messages(); len(ms) != 0 {
				t.Errorf("the channel sees %+v", ms)
			}
		})
	}
}

// S18: what a command only looks up is answered there, to who gave it, also in a channel
// that we are no member of; nothing else is said of it.
func TestS18ACommandThatLooksUpIsAnsweredThere(t *testing.T) {
	for text, is := range map[string]string{"": "help", "help": "help", "帮助": "帮助", "status": "status", "stop": "stop", "停": "停"} {
		r := newRig(t, setup{})
		r.connected()
		gus := r.fake.Human("gus")
		d, err := gus.Slash("random", "/hermes", text)
		r.must(err)
		d, err = r.fake.WaitAnswer(r.ctx(), d)
		r.must(err)
		if len(d.Answer) > 0 && strings.Contains(string(d.Answer), "text") {
			t.Errorf("%q is acknowledged with %s, want no words", text, d.Answer)
		}
		var sent struct {
			Trigger string `json:"trigger_id"`
		}
		r.must(json.Unmarshal(d.Payload, &sent))
		m := r.ears.message(t, "slack/"+fakeslack.Team+"/command/"+sent.Trigger)
		if m.Text != is || m.Given.Channel != r.fake.Channel("random").ID() {
			t.Fatalf("heard %+v, want %q", m, is)
		}
		r.post(bot.Post{Key: m.Key + "/status", Place: m.Given, Only: m.From, Text: "Nothing is under way.", Attempt: 1})
		seen := ""
		for _, c := range r.fake.Calls("response_url") {
			if c.Error == "" {
				seen += c.Args["body"]
			}
		}
		if len(r.fake.Channel("random").Messages()) != 0 || !strings.Contains(seen, `"response_type":"ephemeral"`) {
			t.Errorf("%q is answered to all with %s", text, seen)
		}
		if !strings.Contains(seen, "Nothing is under way.") {
			t.Errorf("%q: gus sees %q", text, seen)
		}
	}
}

// S18: a Slack that does not answer does not keep a command waiting: the user's own id
// stands for the conversation then.
func TestS18CommandWithASilentSlack(t *testing.T) {
	r := newRig(t, setup{before: func(r *rig) { r.s.Patience(50 * time.Millisecond) }})
	r.connected()
	r.fake.Fail(fakeslack.Fault{Delay: time.Hour, Times: -1})
	d, err := r.fake.Human("gus").Slash("general", "/hermes", "status")
	r.must(err)
	d, err = r.fake.WaitAnswer(r.ctx(), d)
	r.must(err)
	if ms := r.ears.messages(); len(ms) != 1 || ms[0].Place.Channel != r.fake.Human("gus").ID() || !d.Acked {
		t.Errorf("heard %+v, acknowledged %t", ms, d.Acked)
	}
}

// A command that the Receiver refuses is not acknowledged: Slack says that it failed.
func TestCommandThatIsNotTaken(t *testing.T) {
	r := newRig(t, setup{still: true})
	r.connected()
	r.ears.refuses(errors.New("disk full"))
	d, err := r.fake.Human("ana").Slash("general", "/hermes", "status")
	r.must(err)
	r.ears.wait(t, "the try", func() bool { return len(r.ears.times) == 1 })
	r.clock.Advance(3 * time.Second)
	if d = r.fake.Delivered(d); d.Acked || !d.GivenUp {
		t.Errorf("delivery = %+v, want it given up", d)
	}
}

// The shortcut on a message is about that message, wherever it stands and whoever
// said it; the answer goes into its thread.
func TestShortcut(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	leo := r.fake.Human("leo")
	other := r.fake.AddBot("clippy")
	r.fake.Channel("sales").Invite(other.ID())
	root, k := r.say("sales", "sales fell &amp; nobody knows why")
	r.ears.message(t, k)
	reply, err := r.fake.Human("ana").Reply("sales", root.TS, "in Asia only")
	r.must(err)
	byBot, err := other.Say("sales", "alarm")
	r.must(err)
	mine := r.post(bot.Post{Key: "own", Place: place(root), Text: "I looked."})
	with, err := r.fake.Human("ana").Attach("sales", "", "see", fakeslack.File{Name: "s.csv", Bytes: []byte("a,b")})
	r.must(err)
	r.must(r.fake.WaitAcked(r.ctx()))

	for name, tt := range map[string]struct {
		on    fakeslack.Message
		from  string
		files int
	}{
		"a root":      {root, r.fake.Human("ana").ID(), 0},
		"a reply":     {reply, r.fake.Human("ana").ID(), 0},
		"a bot's":     {byBot, other.ID(), 0},
		"our own":     {r.fake.Channel("sales").Thread(root.TS)[2], "", 0},
		"with a file": {with, r.fake.Human("ana").ID(), 1},
	} {
		d, err := leo.Shortcut(tt.on, "ask_about_message")
		r.must(err)
		_, err = r.fake.WaitAnswer(r.ctx(), d)
		r.must(err)
		var got bot.Message
		for _, m := range r.ears.messages() {
			if strings.HasPrefix(m.Key, key(tt.on)+"/ask_about_message/"+leo.ID()+"/") {
				got = m
			}
		}
		if got.Via != bot.ByShortcut || got.Text != "" || got.Place != place(tt.on) || got.From != "slack:"+fakeslack.Team+":"+leo.ID() || got.Edits != "" {
			t.Errorf("%s: heard %+v", name, got)
			continue
		}
		q := got.About
		if q == nil || q.Key != key(tt.on) || bot.UserOf(q.From) != tt.from || q.At.IsZero() || q.Link == "" || len(got.Files) != tt.files {
			t.Errorf("%s: about %+v with %d files, want one of %q with %d", name, q, len(got.Files), tt.from, tt.files)
		}
		if name == "a root" && q.Text != "sales fell &amp; nobody knows why" {
			t.Errorf("about %q", q.Text)
		}
	}
	if mine.Ref.ID == "" {
		t.Error("own post has no id")
	}
	// Another shortcut is none of ours.
	n := len(r.ears.messages())
	r.fake.Deliver("interactive", map[string]any{"type": "message_action", "callback_id": "other"})
	r.must(r.fake.WaitAcked(r.ctx()))
	if len(r.ears.messages()) != n {
		t.Error("another shortcut was heard")
	}
}

// Where the bot cannot answer, who uses the shortcut is told so at once.
func TestShortcutWhereTheBotIsNot(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	ana := r.fake.Human("ana")
	for _, channel := range []string{"random", "board"} { // no member, and not to be seen
		m, err := ana.Say(channel, "hm")
		r.must(err)
		_, err = ana.Shortcut(m, "ask_about_message")
		r.must(err)
		r.must(r.fake.Wait(r.ctx(), "the excuse", func() bool {
			ms := r.fake.Channel(channel).Private(ana.ID())
			return len(ms) == 1 && strings.Contains(ms[0].Text, "/invite")
		}))
	}
}

// Slack's own Stop is a Click that ends what is under way in its place.
func TestHalt(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	m, k := r.say("sales", "@hermes everything, please")
	r.ears.message(t, k)
	progress := bot.Post{Key: k + "/steps", Of: k, Place: place(m), Kind: bot.Progress, Text: "…", Plan: &bot.Plan{Title: "Working"}}
	r.post(progress)
	r.must(r.fake.Wait(r.ctx(), "a status", func() bool { return r.fake.Channel("sales").Status(m.TS) != "" }))
	_, err := r.fake.Human("leo").PressStop("sales", m.TS)
	r.must(err)
	r.ears.wait(t, "the stop", func() bool { return len(r.ears.clicks) == 1 })
	for k, c := range r.ears.clicks {
		if !c.Halt || c.Place != place(m) || c.From != "slack:"+fakeslack.Team+":"+r.fake.Human("leo").ID() || c.At.IsZero() ||
			!strings.HasPrefix(k, "slack/"+fakeslack.Team+"/"+m.Channel+"/"+m.TS+"/halt/") {
			t.Errorf("%s = %+v", k, c)
		}
	}
}

// In a conversation of two Slack names the message as the thread of a Stop; it is the
// conversation that is stopped.
func TestHaltInADirectMessage(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	m, err := r.fake.Human("ana").Say("dm", "everything, please")
	r.must(err)
	at := r.ears.message(t, key(m)).Place
	r.post(bot.Post{Key: "steps", Of: key(m), Place: at, Kind: bot.Progress, Text: "…", Plan: &bot.Plan{Title: "Working"}})
	r.must(r.fake.Wait(r.ctx(), "a status", func() bool { return len(r.fake.Statuses()) > 0 }))
	r.fake.Event(map[string]any{
		"type": "agent_session_stopped", "channel": m.Channel, "thread_ts": m.TS, "user": m.User, "event_ts": "1800000000.000100",
	})
	r.ears.wait(t, "the stop", func() bool { return len(r.ears.clicks) == 1 })
	for _, c := range r.ears.clicks {
		if c.Place != at {
			t.Errorf("stops at %s, want %s", c.Place, at)
		}
	}
}

// Who opens the conversation or a thread of the pane for the first time is shown four
// things to say, in the language of their Slack; later openings change nothing.
func TestGreeting(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	r.fake.Fail(fakeslack.Fault{Method: "users.info", Times: -1, Body: `{"ok":true,"user":{"id":"U0LEO0001","team_id":"` + fakeslack.Team + `","name":"leo","locale":"zh-CN"}}`})
	leo := r.fake.Human("leo")
	for range 3 {
		_, err := leo.OpenMessages()
		r.must(err)
		r.must(r.fake.WaitAcked(r.ctx()))
	}
	thread, err := leo.OpenThread()
	r.must(err)
	r.must(r.fake.WaitCalls(r.ctx(), "assistant.threads.setSuggestedPrompts", 2))
	room := r.fake.Channel(thread.Channel)
	for _, in := range []string{"", thread.TS} {
		if ps := room.Prompts(in); len(ps) != 4 || ps[0].Title != "你能做什么？" || ps[0].Message == "" {
			t.Errorf("prompts of %q = %+v, want four in Chinese", in, ps)
		}
	}
	if n := len(r.fake.Calls("assistant.threads.setSuggestedPrompts")); n != 2 {
		t.Errorf("%d calls, want one for each pane", n)
	}
	for _, c := range r.fake.Calls("") {
		if strings.HasPrefix(c.Method, "chat.") {
			t.Errorf("it calls %s unasked", c.Method)
		}
	}
}

// What changes in the workspace is taken in, and heard by nobody.
func TestChangesOfTheWorkspace(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	for _, e := range []map[string]any{
		{"type": "agent_session_title_changed", "channel": "C0GENERAL", "title": "x"},
		{"type": "app_context_changed", "context": []any{1}},
		{"type": "member_joined_channel", "user": "U0LEO0001", "channel": "C0GENERAL"},
		{"type": "channel_id_changed", "old_channel_id": "C0GENERAL", "new_channel_id": "C0NEW0001"},
		{"type": "channel_archive", "channel": "C0GENERAL"},
		{"type": "subteam_members_changed", "subteam_id": "S1"},
		{"type": "reaction_added", "user": "U0LEO0001", "item": map[string]any{"channel": "C0GENERAL"}},
		{"type": "app_home_opened", "tab": "home", "user": 7},
		{"type": "agent_session_stopped", "channel": []any{}},
		{"type": "assistant_thread_started", "assistant_thread": "?"},
	} {
		r.fake.Event(e)
	}
	r.must(r.fake.WaitAcked(r.ctx()))
	if n := len(r.ears.messages()) + len(r.ears.clicks); n != 0 {
		t.Errorf("heard %d things", n)
	}
}

// What is known of a channel ends with what changes it: that the bot was let in, and
// that it has another id. Nobody is greeted.
func TestChannelsChange(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	here := bot.Place{Platform: "slack", Workspace: fakeslack.Team, Channel: "C0GENERAL"}
	look := func(name string) bot.Channel {
		t.Helper()
		c, err := r.s.Channel(r.ctx(), here, name)
		r.must(err)
		return c
	}
	if c := look("#random"); c.Member {
		t.Fatalf("channel = %+v, want the bot outside", c)
	}
	r.fake.Channel("random").Invite(fakeslack.BotUser)
	r.must(r.fake.WaitAcked(r.ctx()))
	if c := look("#random"); !c.Member {
		t.Errorf("channel = %+v, want the bot inside", c)
	}
	before := look("#sales").Place.Channel
	after := r.fake.Channel("sales").Renumber().ID()
	r.must(r.fake.WaitAcked(r.ctx()))
	if c := look("#sales"); c.Place.Channel != after || after == before {
		t.Errorf("channel = %+v, want it by its new id %s", c, after)
	}
	if n := len(r.fake.Calls("chat.postMessage")); n != 0 || len(r.ears.messages()) != 0 {
		t.Errorf("%d posts and %d messages for what nobody said", n, len(r.ears.messages()))
	}
}

// Who keeps groups of people is told when the members of one change.
func TestGroupChange(t *testing.T) {
	told := make(chan string, 1)
	r := newRig(t, setup{group: func(_ context.Context, id string) { told <- id }})
	r.connected()
	id := r.fake.SetGroup(fakeslack.Group{Handle: "leads", Users: []string{"U0LEO0001"}})
	select {
	case got := <-told:
		if got != id {
			t.Errorf("told of %s, want %s", got, id)
		}
	case <-r.ctx().Done():
		t.Fatal("nobody is told")
	}
}

// Who has changed is asked for anew: a new name shows, and a new standing counts.
func TestUserChange(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	leo := "slack:" + fakeslack.Team + ":" + r.fake.Human("leo").ID()
	if st, err := r.s.Standing(r.ctx(), leo); st != bot.Member || err != nil {
		t.Fatalf("Standing = %v, %v; want a member", st, err)
	}
	r.fake.ChangeUser("leo", func(u *fakeslack.User) { u.Guest = true })
	r.must(r.fake.WaitAcked(r.ctx()))
	if st, err := r.s.Standing(r.ctx(), leo); st != bot.Guest || err != nil {
		t.Errorf("Standing = %v, %v; want a guest", st, err)
	}
}
