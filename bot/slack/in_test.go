package slack_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"testing"
	"time"

	"hermes/bot"
	"hermes/internal/fakeslack"
)

// S1: reconnects leak no sockets. However often the socket is cut, there is one,
// openings are five seconds apart, and what is said after each cut is heard.
func TestS1FlappingSocket(t *testing.T) {
	r := newRig(t, setup{still: true})
	for range 20 {
		r.connected()
		_, k := r.say("general", "@hermes still there?")
		r.ears.message(t, k)
		r.fake.DropSockets()
	}
	r.connected()
	if _, most := r.fake.Conns(); most != 1 {
		t.Errorf("at most %d sockets at once, want 1", most)
	}
	opens := r.fake.Opens()
	for i := 1; i < len(opens); i++ {
		if d := opens[i].Sub(opens[i-1]); d < 5*time.Second {
			t.Errorf("openings %d and %d are %s apart, want 5 s at least", i, i+1, d)
		}
	}
}

// S1: when Slack announces that it closes a socket, the next one is open before
// the old one goes, and never more than two are.
func TestS1RefreshOverlaps(t *testing.T) {
	r := newRig(t, setup{still: true})
	for _, reason := range []string{"warning", "refresh_requested", "warning"} {
		r.connected()
		r.clock.Advance(2 * time.Minute)
		r.fake.Disconnect(reason)
		r.must(r.fake.WaitConns(r.ctx(), 2))
		for range 8 { // either socket may bring it
			_, k := r.say("general", "@hermes during the refresh")
			r.ears.message(t, k)
		}
		r.fake.DropOldest()
	}
	r.connected()
	if _, most := r.fake.Conns(); most != 2 {
		t.Errorf("at most %d sockets at once, want 2", most)
	}
	r.must(r.fake.WaitAcked(r.ctx()))
}

// S1: the old socket of a refresh is closed after a while even if Slack does not.
func TestS1OldSocketEnds(t *testing.T) {
	r := newRig(t, setup{still: true, before: func(r *rig) { r.s.Overlap(50 * time.Millisecond) }})
	r.connected()
	r.fake.Disconnect("warning")
	r.must(r.fake.WaitConns(r.ctx(), 2))
	r.connected()
}

// S2: a socket that is half-open looks well and brings nothing. It is replaced
// without anybody's help.
func TestS2HalfOpenSocket(t *testing.T) {
	r := newRig(t, setup{still: true, beats: true})
	r.connected()
	_, k := r.say("general", "@hermes hello")
	r.ears.message(t, k)
	r.fake.Freeze()
	r.dies()
	r.must(r.fake.Wait(r.ctx(), "another socket", func() bool {
		now, _ := r.fake.Conns()
		return now == 1 && r.fake.Frozen() == 0
	}))
	_, k = r.say("general", "@hermes and now?")
	r.ears.message(t, k)
}

// S5: a token that is revoked does not crash anything and is not tried in a loop:
// the state says so, and when the token works again so does everything.
func TestS5RevokedAppToken(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	r.fake.Revoke(fakeslack.AppToken, "invalid_auth")
	r.s.Wait(func(ctx context.Context, d time.Duration) error {
		err := r.passes(ctx, d)
		if len(r.waited()) == 5 {
			if st := r.s.State(); st.Health != "auth_failed" || st.Why == "" {
				t.Errorf("state = %+v, want auth_failed", st)
			}
			r.fake.Revoke(fakeslack.AppToken, "")
		}
		return err
	})
	start := r.clock.Now()
	r.run()
	r.connected()
	if n, d := len(r.fake.Calls("apps.connections.open")), r.clock.Now().Sub(start); n != 6 || d < 5*time.Minute {
		t.Errorf("%d openings in %s, want 6 that are a minute apart", n, d)
	}
	_, k := r.say("general", "@hermes back?")
	r.ears.message(t, k)
	if st := r.s.State(); st.Health != "ready" {
		t.Errorf("state = %+v, want ready", st)
	}
}

// S5: who gives a token back soon does not wait for more than a minute, whichever of the
// two it is; after half an hour Slack is asked every five minutes.
func TestS5ATokenGivenBackIsTriedSoon(t *testing.T) {
	for name, token := range map[string]string{"app": fakeslack.AppToken, "bot": fakeslack.BotToken} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{still: true, idle: true})
			r.fake.Revoke(token, "token_revoked")
			start := r.clock.Now()
			var early, late int
			r.s.Wait(func(ctx context.Context, d time.Duration) error {
				switch since := r.clock.Now().Sub(start); {
				case d < time.Minute: // the five seconds between two openings
				case since < 30*time.Minute:
					if early++; d != time.Minute {
						t.Errorf("waits for %s after %s, want a minute", d, since)
					}
				default:
					if late++; d != 5*time.Minute {
						t.Errorf("waits for %s after %s, want five minutes", d, since)
					}
					r.fake.Revoke(token, "")
				}
				return r.passes(ctx, d)
			})
			r.run()
			r.connected()
			if early != 30 || late != 1 {
				t.Errorf("%d tries within half an hour and %d after it, want 30 and one", early, late)
			}
		})
	}
}

// S5: a bot token that is revoked while we run shows in the state as well.
func TestS5RevokedBotToken(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	m, k := r.say("general", "@hermes hello")
	r.ears.message(t, k)
	r.fake.Revoke(fakeslack.BotToken, "token_revoked")
	if _, err := r.s.Post(r.ctx(), bot.Post{Key: "a", Place: place(m), Text: "hi"}); !errors.Is(err, bot.ErrShut) {
		t.Errorf("Post = %v, want ErrShut", err)
	}
	if st := r.s.State(); st.Health != "auth_failed" {
		t.Errorf("state = %+v, want auth_failed", st)
	}
	r.fake.Revoke(fakeslack.BotToken, "")
	r.post(bot.Post{Key: "a", Place: place(m), Text: "hi"})
	if st := r.s.State(); st.Health != "ready" {
		t.Errorf("state = %+v, want ready", st)
	}
}

// S5: Socket Mode that somebody switched off is not asked for in a loop either.
func TestS5SocketModeSwitchedOff(t *testing.T) {
	r := newRig(t, setup{still: true})
	r.connected()
	r.fake.Disconnect("link_disabled")
	r.must(r.fake.Wait(r.ctx(), "the next socket", func() bool { return len(r.fake.Opens()) > 1 }))
	if o := r.fake.Opens(); o[1].Sub(o[0]) < time.Minute {
		t.Errorf("asked again after %s, want a minute", o[1].Sub(o[0]))
	}
}

// S6: an event that only its retry brings is heard, and so is one that was refused
// before a restart and comes again after it.
func TestS6OnlyTheRetryArrives(t *testing.T) {
	r := newRig(t, setup{still: true})
	r.connected()
	r.fake.Lose(1)
	_, k := r.say("general", "lost at first")
	r.ears.message(t, k)
	r.must(r.fake.WaitAcked(r.ctx()))
	if d := r.fake.Deliveries()[0]; d.Attempts != 2 {
		t.Fatalf("delivered %d times, want 2", d.Attempts)
	}

	r.ears.refuses(errors.New("going down"))
	_, k = r.say("general", "before the restart")
	r.ears.wait(t, "the first try", func() bool { return r.ears.times[k] == 1 })
	r.stop()
	r.must(r.fake.WaitConns(r.ctx(), 0))
	r.ears.refuses(nil)
	r.s = r.build(setup{})
	r.run()
	r.connected()
	r.clock.Advance(6 * time.Minute)
	r.ears.message(t, k)
	r.must(r.fake.WaitAcked(r.ctx()))
	if ms := r.ears.messages(); len(ms) != 2 {
		t.Errorf("heard %d messages, want 2", len(ms))
	}
}

// S7: however often Slack delivers an envelope, on one socket or after a restart,
// its key is the same, and it is acknowledged each time.
func TestS7DeliveredThrice(t *testing.T) {
	r := newRig(t, setup{still: true})
	r.connected()
	r.fake.Duplicate(1)
	_, k := r.say("general", "@hermes once")
	r.ears.message(t, k)
	r.must(r.fake.WaitAcked(r.ctx()))
	r.stop()
	r.must(r.fake.WaitConns(r.ctx(), 0))

	r.s = r.build(setup{})
	r.run()
	r.connected()
	for _, d := range r.fake.Deliveries() {
		r.fake.Redeliver(d)
	}
	r.must(r.fake.WaitAcked(r.ctx()))
	if ms := r.ears.messages(); len(ms) != 1 {
		t.Errorf("heard %d messages, want 1: %+v", len(ms), ms)
	}
	if n := r.ears.times[k]; n != 5 { // message, its duplicate, app_mention; and two again
		t.Errorf("the Receiver was given the key %d times, want 5", n)
	}
}

// S8: a mention is two events; whichever comes first, it is one message, and both
// say the same.
func TestS8MentionComesTwice(t *testing.T) {
	for name, first := range map[string]bool{"message first": false, "app_mention first": true} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{opts: fakeslack.Options{MentionFirst: first}})
			r.connected()
			m, k := r.say("sales", "hey @hermes, what now?")
			got := r.ears.message(t, k)
			r.must(r.fake.WaitAcked(r.ctx()))
			if len(r.ears.messages()) != 1 || r.ears.times[k] != 2 {
				t.Errorf("%d messages, key given %d times; want 1 and 2", len(r.ears.messages()), r.ears.times[k])
			}
			if got.Text != "hey , what now?" || !got.Addressed || got.Place != place(m) {
				t.Errorf("heard %+v", got)
			}
		})
	}
}

// S9: a person's edit of what they said to us, or by which they call us, is an edit of
// that message, be it the first or the fifth. Previews that Slack adds, changes of our own
// posts, and what people mend in their own talk are none.
func TestS9Edits(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	ana := r.fake.Human("ana")

	mentioned, k1 := r.say("general", "@hermes look at https://example.com")
	plain, k2 := r.say("general", "what was it?")
	r.fake.Unfurl(mentioned)
	r.must(ana.Edit(mentioned, "@hermes look at https://example.org"))
	rc := r.post(bot.Post{Key: "p", Place: place(mentioned), Text: "looking"})
	r.post(bot.Post{Key: "p", Rev: 1, Place: place(mentioned), Text: "ask <@" + fakeslack.BotUser + ">", Delivered: &rc.Ref})
	r.must(ana.Edit(plain, "what was it again?"))
	r.must(ana.Edit(plain, "@hermes what was it?"))
	r.must(r.fake.WaitAcked(r.ctx()))

	ms := r.ears.messages()
	if len(ms) != 4 {
		t.Fatalf("heard %d messages, want 4", len(ms))
	}
	if e := ms[2]; e.Edits != k1 || e.Text != "look at https://example.org" || !e.Addressed {
		t.Errorf("edit = %+v, want one of %s", e, k1)
	}
	if n := r.ears.times[k2]; n != 1 {
		t.Errorf("the plain line was given %d times, want once: its edit is another message", n)
	}
	edit := ms[3]
	if edit.Edits != k2 || edit.Text != "what was it?" || !edit.Addressed || edit.Place != place(plain) {
		t.Errorf("edit = %+v, want one of %s at %s", edit, k2, place(plain))
	}
	now := r.fake.Channel("general").Thread(plain.TS)[0]
	if want := k2 + "@" + now.Edited; edit.Key != want {
		t.Errorf("key of the edit = %q, want %q", edit.Key, want)
	}

	r.must(ana.Delete(mentioned))
	r.must(r.fake.WaitAcked(r.ctx()))
	back := r.ears.messages()[4]
	if back.Edits != k1 || back.Text != "" || back.Key != k1+"@deleted" || back.Addressed {
		t.Errorf("taken back = %+v, want one without text that edits %s", back, k1)
	}
}

// S9: an edit that takes the call away, one of a direct message and one in a thread are
// edits too.
func TestS9EditsWithoutACall(t *testing.T) {
	r := newRig(t, setup{spoken: func(context.Context, bot.Place) bool { return true }})
	r.connected()
	ana := r.fake.Human("ana")
	called, _ := r.say("general", "@hermes by region")
	direct, err := ana.Say("dm", "by region")
	r.must(err)
	follow, err := ana.Reply("general", called.TS, "and by month")
	r.must(err)
	for _, m := range []fakeslack.Message{called, direct, follow} {
		for _, text := range []string{"by product", "by product and month"} {
			r.must(ana.Edit(m, text))
			at := r.fake.Channel(m.Channel).Messages()
			i := slices.IndexFunc(at, func(now fakeslack.Message) bool { return now.TS == m.TS })
			got := r.ears.message(t, key(m)+"@"+at[i].Edited)
			if got.Edits != key(m) || got.Text != text {
				t.Errorf("heard %q of %s, want %q", got.Text, got.Edits, text)
			}
		}
	}
}

// S10: what we say ourselves is never heard, in whatever form it comes back; what
// another bot says is heard as a machine's, and notes of Slack's own as nobody's.
func TestS10OwnVoiceAndOtherBots(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	m, k := r.say("general", "@hermes hello")
	r.ears.message(t, k)
	r.post(bot.Post{Key: "own", Place: place(m), Text: "hello <@" + fakeslack.BotUser + ">"})
	call := "<@" + fakeslack.BotUser + "> hello"
	for i, own := range []map[string]any{
		{"user": fakeslack.BotUser},
		{"bot_id": fakeslack.BotID, "subtype": "bot_message", "streaming_state": "in_progress"},
		{"user": "U0SOMEONE", "bot_id": "B0SOMEONE", "app_id": fakeslack.App},
		{"user": "USLACKBOT"},
		{"user": "U0ANA0001", "subtype": "channel_join"},
		{"user": "U0ANA0001", "subtype": "channel_topic"},
		{"user": "U0ANA0001", "subtype": "pinned_item"},
	} {
		maps.Copy(own, map[string]any{
			"type": "message", "channel": m.Channel, "channel_type": "channel", "ts": fmt.Sprintf("1800000000.%06d", i), "text": call,
		})
		r.fake.Event(own)
	}
	other := r.fake.AddBot("clippy")
	r.fake.Channel("general").Invite(other.ID())
	said, err := other.Say("general", "@hermes hello you")
	r.must(err)
	r.fake.Event(map[string]any{
		"type": "message", "subtype": "bot_message", "channel": m.Channel, "channel_type": "channel", "ts": "1800000000.000100",
		"username": "old hook", "bot_id": "B0OLDHOOK", "text": "build failed",
	})
	r.must(r.fake.WaitAcked(r.ctx()))

	ms := r.ears.messages()
	if len(ms) != 3 {
		t.Fatalf("heard %d messages, want 3: %+v", len(ms), ms)
	}
	if got := ms[1]; got.Key != key(said) || got.Standing != bot.Machine || got.Name != "clippy" || !got.Addressed || got.From != "slack:"+fakeslack.Team+":"+other.ID() {
		t.Errorf("another bot is heard as %+v", got)
	}
	if got := ms[2]; got.Standing != bot.Machine || got.Name != "old hook" || got.From != "slack:"+fakeslack.Team+":B0OLDHOOK" || got.Addressed {
		t.Errorf("a hook is heard as %+v", got)
	}
	if st, err := r.s.Standing(r.ctx(), ms[2].From); st != bot.Machine || err != nil {
		t.Errorf("Standing of a hook = %v, %v; want a machine", st, err)
	}
}

// S14: who does not know who he is hears nothing: no socket is opened before
// auth.test has answered.
func TestS14AuthTestFails(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	r.fake.Fail(fakeslack.Fault{Method: "auth.test", Status: 500, Times: 3})
	r.run()
	r.connected()
	calls := r.fake.Calls("")
	for i, c := range calls {
		if c.Method == "apps.connections.open" && i < 4 {
			t.Errorf("call %d opens a socket, want that after the fourth auth.test", i+1)
		}
	}
	for _, d := range r.waited() {
		if d < 5*time.Second {
			t.Errorf("waited %s between tries, want 5 s at least", d)
		}
	}
}

// S14: also a Slack that is sent something before it knows takes none of it.
func TestS14NothingIsTaken(t *testing.T) {
	r := newRig(t, setup{idle: true})
	_, err := r.s.Frame(r.ctx(), []byte(`{"type":"events_api","envelope_id":"e1","payload":{}}`), r.ears)
	if err == nil || len(r.ears.messages()) != 0 {
		t.Errorf("Frame = %v with %d messages, want an error and none", err, len(r.ears.messages()))
	}
}

// What the Receiver refuses is not acknowledged, and comes again.
func TestRefusedIsDeliveredAgain(t *testing.T) {
	r := newRig(t, setup{still: true})
	r.connected()
	r.ears.refuses(errors.New("disk full"))
	_, k := r.say("general", "just a line")
	r.ears.wait(t, "the first try", func() bool { return r.ears.times[k] == 1 })
	if d := r.fake.Deliveries()[0]; d.Acked {
		t.Fatal("acknowledged what was refused")
	}
	r.ears.refuses(nil)
	r.clock.Advance(3 * time.Second) // Slack's patience
	r.ears.message(t, k)
	r.must(r.fake.WaitAcked(r.ctx()))
}

// SLK-01: a message is acknowledged before anything is asked of Slack: with a Web API that
// hangs it is heard all the same.
func TestNoCallBeforeTheAck(t *testing.T) {
	r := newRig(t, setup{still: true})
	r.connected()
	r.must(r.fake.WaitCalls(r.ctx(), "users.list", 1))
	before := len(r.fake.Calls(""))
	r.fake.Fail(fakeslack.Fault{Delay: time.Hour, Times: -1})
	_, k := r.say("sales", "@hermes quick")
	r.ears.message(t, k)
	r.must(r.fake.WaitAcked(r.ctx()))
	if n := len(r.fake.Calls("")); n != before {
		t.Errorf("%d calls were made, want none", n-before)
	}
}

// During a refresh the old socket may go before the new one is there: then we are
// not ready, and what is said meanwhile is heard later.
func TestOldSocketGoesFirst(t *testing.T) {
	gone := make(chan struct{})
	r := newRig(t, setup{still: true, before: func(r *rig) {
		r.s.Wait(func(ctx context.Context, d time.Duration) error {
			<-gone
			return r.passes(ctx, d)
		})
	}})
	r.connected()
	r.clock.Advance(2 * time.Minute)
	r.fake.Fail(fakeslack.Fault{Method: "apps.connections.open", Status: 503, Times: 2})
	r.fake.Disconnect("warning")
	r.must(r.fake.WaitCalls(r.ctx(), "apps.connections.open", 2))
	r.fake.DropOldest()
	for ctx := r.ctx(); r.s.State().Health == "ready"; { // our side learns it a moment later
		if ctx.Err() != nil {
			t.Fatal("ready without a socket")
		}
		runtime.Gosched()
	}
	_, k := r.say("general", "@hermes anybody?")
	close(gone)
	r.connected()
	r.clock.Advance(2 * time.Minute)
	r.ears.message(t, k)
}

// A Slack that has been without a socket for long says that it is deaf, and which
// error keeps it so.
func TestDeaf(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	r.fake.Fail(fakeslack.Fault{Method: "apps.connections.open", Status: 503, Times: 6})
	var seen []string
	r.s.Wait(func(ctx context.Context, d time.Duration) error {
		st := r.s.State()
		seen = append(seen, string(st.Health))
		if st.Health == "deaf" && st.Why == "" {
			t.Error("deaf without a cause")
		}
		return r.passes(ctx, d)
	})
	if st := r.s.State(); st.Health != "connecting" {
		t.Errorf("state = %+v before anything, want connecting", st)
	}
	r.run()
	r.connected()
	if len(seen) != 6 || seen[0] != "connecting" || seen[5] != "deaf" {
		t.Errorf("states = %v, want connecting and in the end deaf", seen)
	}
}
