package slack_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/bot"
	"hermes/internal/fakeslack"
)

// seenBy is how far a Slack was heard, as the inbox knows it.
func seenBy(seen map[string]string) func(context.Context, string) (map[string]string, error) {
	return func(_ context.Context, team string) (map[string]string, error) {
		if team != fakeslack.Team {
			return nil, errors.New("not of this workspace: " + team)
		}
		return seen, nil
	}
}

// S6: after an absence that is longer than Slack's retries, what was said in direct
// messages, in channels and in the bot's own threads is heard, each once and with the
// Key that the event would have had.
func TestS6AfterAnAbsence(t *testing.T) {
	mine := "1793610000.000300"
	r := newRig(t, setup{
		still: true, idle: true,
		spoken: func(_ context.Context, p bot.Place) bool { return p.Thread == mine },
	})
	ana, leo := r.fake.Human("ana"), r.fake.Human("leo")
	before, err := ana.Say("general", "heard before")
	r.must(err)
	dm, err := ana.Say("dm", "heard before too")
	r.must(err)
	old, err := ana.Say("sales", "a thread of ours")
	r.must(err)
	mine = old.TS
	r.clock.Advance(time.Hour)

	want := map[string]bot.Message{}
	said := func(m fakeslack.Message, err error) fakeslack.Message {
		t.Helper()
		r.must(err)
		want[key(m)] = bot.Message{Place: place(m)}
		return m
	}
	call := said(leo.Say("general", "@hermes what happened?"))
	said(leo.Reply("general", call.TS, "anybody?"))
	said(leo.Say("general", "a line to nobody"))
	with := said(leo.Attach("general", "", "and a file", fakeslack.File{Name: "s.csv", Bytes: []byte("a")}))
	direct := said(ana.Say("dm", "are you there?"))
	follow := said(leo.Reply("sales", old.TS, "go on"))
	_, err = leo.Say("random", "where the bot is not") // and nobody has asked for it
	r.must(err)
	r.fake.Channel("general").Invite(r.fake.AddBot("clippy").ID())
	other := said(r.fake.Human("clippy").Say("general", "a machine"))
	r.clock.Advance(10 * time.Minute) // Slack has given up

	seen := map[string]string{
		"C0GENERAL": before.TS, dm.Channel: dm.TS, "C0SALES01/" + old.TS: old.TS, "C0GONE0001": before.TS, "odd": "x",
	}
	r.s = r.build(setup{spoken: func(_ context.Context, p bot.Place) bool { return p.Thread == mine }, seen: seenBy(seen)})
	for range 2 { // the second time all of it is known
		r.run()
		r.connected()
		for k := range want {
			m := r.ears.message(t, k)
			if !m.Missed {
				t.Errorf("%s is not marked as missed", k)
			}
		}
		r.must(r.fake.WaitCalls(r.ctx(), "conversations.replies", 2))
		r.stop()
	}
	got := r.ears.messages()
	extra := slices.DeleteFunc(slices.Clone(got), func(m bot.Message) bool { _, ok := want[m.Key]; return ok })
	for _, m := range extra {
		if m.Key != key(before) && m.Key != key(dm) && m.Key != key(old) { // within the margin
			t.Errorf("heard %+v as well", m)
		}
	}
	by := map[string]bot.Message{}
	for _, m := range got {
		by[m.Key] = m
	}
	if m := by[key(call)]; !m.Addressed || m.Text != "what happened?" || m.InThread || m.Place != place(call) {
		t.Errorf("the mention is heard as %+v", m)
	}
	if m := by[key(direct)]; !m.Direct || m.Place.Thread != "" {
		t.Errorf("the direct message is heard as %+v", m)
	}
	if m := by[key(follow)]; !m.InThread || m.Addressed {
		t.Errorf("the thread goes on with %+v", m)
	}
	if m := by[key(with)]; len(m.Files) != 1 || m.Files[0].Name != "s.csv" {
		t.Errorf("the file is heard as %+v", m)
	}
	if m := by[key(other)]; m.Standing != bot.Machine {
		t.Errorf("the other bot is heard as %+v", m)
	}
	order := []string{}
	for _, m := range got {
		if m.Place.Channel == "C0GENERAL" && m.Key != key(before) {
			order = append(order, m.Text)
		}
	}
	if i, j := slices.Index(order, "what happened?"), slices.Index(order, "anybody?"); i < 0 || j < i {
		t.Errorf("heard in the order %q", order)
	}
}

// What is read after an absence is bounded: so many channels, so far back, one call
// after the other, and no more than Slack gives.
func TestTheAbsenceIsReadWithinBounds(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	now := r.clock.Now()
	ts := func(ago time.Duration) string { return fmt.Sprintf("%d.000100", now.Add(-ago).Unix()) }
	seen := map[string]string{}
	for i := range 30 {
		id := r.fake.AddChannel(fakeslack.Channel{Name: fmt.Sprintf("c%d", i), Members: []string{fakeslack.BotUser, "U0ANA0001"}})
		seen[id] = ts(time.Duration(i) * time.Hour)
		seen[id+"/"+ts(50*time.Hour)] = ts(48 * time.Hour)
	}
	r.fake.Fail(fakeslack.Fault{Method: "conversations.history", Status: 429, RetryAfter: 60, Times: 1})
	r.s = r.build(setup{seen: seenBy(seen)})
	r.run()
	r.connected()
	// After those that were heard lately come the other twelve that the bot is in.
	r.must(r.fake.WaitCalls(r.ctx(), "conversations.history", 33))
	r.stop()
	calls := r.fake.Calls("conversations.history")
	if len(calls) != 33 || len(r.fake.Calls("conversations.replies")) != 0 {
		t.Fatalf("%d channels and %d threads are read, want 32 with one try more, and none", len(calls), len(r.fake.Calls("conversations.replies")))
	}
	channels, lately := map[string]bool{}, 0
	for i, c := range calls {
		channels[c.Args["channel"]] = true
		if i < 21 && seen[c.Args["channel"]] >= ts(20*time.Hour) {
			lately++
		}
		if limit := c.Args["limit"]; limit != map[bool]string{true: "15", false: "200"}[i == 1] {
			t.Errorf("call %d asks for %s messages", i, limit)
		}
		if oldest := c.Args["oldest"]; oldest < ts(31*24*time.Hour+time.Minute) {
			t.Errorf("call %d goes back to %s", i, oldest)
		}
	}
	if n := mostInAMinute(calls); n > 50 {
		t.Errorf("%d calls in a minute, want the fifty of its tier at most", n)
	}
	if d := calls[1].At.Sub(calls[0].At); d < time.Minute || lately != 21 || len(channels) != 32 {
		t.Errorf("after a 429 it waits %s; %d of the first 21 looks are into the 20 heard last, and %d channels are read", d, lately, len(channels))
	}
}

func mostInAMinute(calls []fakeslack.Call) int {
	most := 0
	for i := range calls {
		n := 0
		for _, c := range calls[i:] {
			if c.At.Sub(calls[i].At) < time.Minute {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// A few conversations are read at once after an absence, within what Slack gives: who wrote
// to the bot alone first, then what is new in channels, also those never heard, and then
// what was added to old threads. Of many no more are read in a minute than their tier has.
func TestAFewConversationsAreCaughtUpWithAtOnce(t *testing.T) {
	for name, tt := range map[string]struct {
		channels int
		within   time.Duration
	}{"ten": {10, 0}, "many": {17, time.Minute}} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{still: true, idle: true})
			r.fake.LimitRates(true)
			now := r.clock.Now()
			ts := func(ago time.Duration) string { return fmt.Sprintf("%d.000100", now.Add(-ago).Unix()) }
			leo := r.fake.Human("leo")
			dm, err := leo.Say("dm", "hello")
			r.must(err)
			root, err := leo.Say("general", "@hermes a request")
			r.must(err)
			seen := map[string]string{dm.Channel: ts(0), "C0GENERAL": ts(time.Minute), "C0GENERAL/" + root.TS: ts(time.Minute)}
			for i := range tt.channels {
				seen[r.fake.AddChannel(fakeslack.Channel{Name: fmt.Sprintf("c%d", i), Members: []string{fakeslack.BotUser}})] = ts(time.Minute)
			}
			r.s = r.build(setup{seen: seenBy(seen)})
			r.run()
			r.connected()
			r.must(r.fake.WaitCalls(r.ctx(), "conversations.replies", 1))
			r.must(r.fake.WaitCalls(r.ctx(), "conversations.history", tt.channels))
			r.stop()
			calls, threads := r.fake.Calls("conversations.history"), r.fake.Calls("conversations.replies")
			if first := calls[0].Args["channel"]; first != dm.Channel {
				t.Errorf("the first look is into %s, want the conversation of two", first)
			}
			if !slices.ContainsFunc(calls, func(c fakeslack.Call) bool { return c.Args["channel"] == "C0SALES01" && !c.At.After(threads[0].At) }) && tt.within == 0 {
				t.Error("a thread is looked into before the channel that was never heard")
			}
			if took := threads[0].At.Sub(calls[0].At); took > tt.within {
				t.Errorf("it takes %s, want %s at most", took, tt.within)
			}
			for _, c := range append(calls, threads...) {
				if c.Error == "ratelimited" {
					t.Errorf("%s is refused: too many", c.Method)
				}
			}
			if n := mostInAMinute(calls); n > 50 {
				t.Errorf("%d calls in a minute", n)
			}
		})
	}
}

// callsFor are the looks into the history of a channel, looks how many there were into
// that of #general.
func (r *rig) callsFor(channel string) []fakeslack.Call {
	return slices.DeleteFunc(r.fake.Calls("conversations.history"), func(c fakeslack.Call) bool { return c.Args["channel"] != channel })
}

func (r *rig) looks() int { return len(r.callsFor("C0GENERAL")) }

// S6: a gap in which there was no socket is an absence too, however short; a refresh is
// none.
func TestAGapIsAnAbsence(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	r.s = r.build(setup{seen: seenBy(map[string]string{"C0GENERAL": "1793600000.000100"})})
	r.run()
	r.connected()
	r.until("a look into the history", func() bool { return r.looks() == 1 })
	r.clock.Advance(2 * time.Minute)
	r.fake.Disconnect("warning")
	r.until("a second socket", func() bool { return r.s.Live() == 2 })
	r.fake.DropOldest()
	r.until("the end of the first", func() bool { return r.s.Live() == 1 })
	_, k := r.say("general", "@hermes still there?")
	r.ears.message(t, k)
	if n := r.looks(); n != 1 {
		t.Errorf("%d looks into the history after a refresh, want 1", n)
	}
	r.clock.Advance(2 * time.Minute)
	r.fake.Freeze() // what is said now goes into a socket on which nothing comes out
	lost, err := r.fake.Human("ana").Say("general", "@hermes and now?")
	r.must(err)
	r.fake.DropSockets()
	if m := r.ears.message(t, key(lost)); !m.Missed {
		t.Errorf("heard %+v, want it from the history", m)
	}
	if n := r.looks(); n != 2 {
		t.Errorf("%d looks into the history, want one more after a gap of no time", n)
	}
	r.fake.Fail(fakeslack.Fault{Method: "apps.connections.open", Status: 503, Times: 5})
	r.fake.DropSockets()
	r.until("a third look", func() bool { return r.looks() == 3 })
}

// S6, O12: what Slack holds back, since there was too much in a minute, is read when the
// minute is over.
func TestWhatSlackHeldBackIsRead(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	r.s = r.build(setup{seen: seenBy(map[string]string{"C0GENERAL": "1793600000.000100"})})
	r.run()
	r.connected()
	r.must(r.fake.WaitCalls(r.ctx(), "conversations.history", 1))
	r.clock.Advance(10*time.Minute + 20*time.Second) // twenty seconds into a minute
	r.fake.LimitEvents(1)
	_, k := r.say("general", "a line")
	r.ears.message(t, k)
	minute := r.clock.Now().Truncate(time.Minute)
	held, err := r.fake.Human("ana").Say("general", "@hermes do you hear me?")
	r.must(err)
	if m := r.ears.message(t, key(held)); !m.Missed || !m.Addressed {
		t.Errorf("heard %+v, want it from the history", m)
	}
	calls := r.fake.Calls("conversations.history")
	// A socket that a slow machine has lost is a gap of its own, and so is a second word of
	// Slack's that it holds something back: each looks once more.
	most := 2 + len(r.fake.Opens())
	if last := calls[len(calls)-1]; len(calls) < 2 || len(calls) > most || last.At.Before(minute.Add(time.Minute)) {
		t.Errorf("%d looks, the last at %s; want 2 to %d, the last after the minute of %s", len(calls), last.At, most, minute)
	}
}

// S6: where sockets break again and again the history is looked at no more often than
// every five seconds.
func TestManyGapsAreReadOneAfterTheOther(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	r.s = r.build(setup{seen: seenBy(map[string]string{"C0GENERAL": "1793600000.000100"})})
	r.run()
	for n := range 5 {
		r.until("the next look", func() bool { return r.looks() == n+1 })
		r.connected()
		r.fake.DropSockets()
	}
	r.until("the last look", func() bool { return r.looks() == 6 })
	calls := r.callsFor("C0GENERAL")
	for i := 1; i < len(calls); i++ {
		if d := calls[i].At.Sub(calls[i-1].At); d < 5*time.Second {
			t.Errorf("looks %d and %d are %s apart", i, i+1, d)
		}
	}
}

// What the Receiver refuses while the history is read is given to it again.
func TestTheAbsenceIsReadAgain(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	m, err := r.fake.Human("ana").Say("general", "@hermes hello?")
	r.must(err)
	r.clock.Advance(10 * time.Minute)
	r.s = r.build(setup{seen: seenBy(map[string]string{"C0GENERAL": "1793600000.000100"})})
	failed := false
	r.s.Wait(func(ctx context.Context, d time.Duration) error {
		r.ears.mu.Lock()
		if r.ears.times[key(m)] > 0 && !failed {
			failed, r.ears.refuse = true, nil
		}
		r.ears.mu.Unlock()
		return r.passes(ctx, d)
	})
	r.ears.refuses(errors.New("disk full"))
	r.run()
	r.ears.message(t, key(m))
	if !failed {
		t.Error("nothing was refused")
	}
}

// S12: a thread that the bot is called into is read: what others said in it, after
// what the bot knows and before what it is asked, and nothing of its own.
func TestS12Reread(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	leo := r.fake.Human("leo")
	root, k := r.say("sales", "sales fell")
	r.ears.message(t, k)
	keys := []string{k}
	reply := func(text string) string {
		t.Helper()
		m, err := leo.Reply("sales", root.TS, text)
		r.must(err)
		keys = append(keys, key(m))
		return key(m)
	}
	reply("in Asia")
	reply("and in EMEA")
	r.post(bot.Post{Key: "own", Place: place(root), Text: "I said this."})
	call := reply("@hermes why?")
	for i := range 5 {
		reply(fmt.Sprintf("line %d", i))
	}
	again := reply("@hermes and now?")
	r.must(r.fake.WaitAcked(r.ctx()))

	for name, tt := range map[string]struct {
		after, before string
		n             int
		want          string
	}{
		"all before the call": {"", call, 10, "sales fell|in Asia|and in EMEA"},
		"the newest of them":  {"", call, 2, "in Asia|and in EMEA"},
		"what is new":         {call, again, 10, "line 0|line 1|line 2|line 3|line 4"},
		"by an edit's key":    {call + "@1.2", again, 10, "line 0|line 1|line 2|line 3|line 4"},
		"everything":          {"", "", 20, "sales fell|in Asia|and in EMEA|why?|line 0|line 1|line 2|line 3|line 4|and now?"},
	} {
		qs, err := r.s.Reread(r.ctx(), place(root), tt.after, tt.before, tt.n)
		var texts []string
		for _, q := range qs {
			texts = append(texts, q.Text)
			if q.From == "" || !slices.Contains(keys, q.Key) || q.At.IsZero() {
				t.Errorf("%s: quote = %+v", name, q)
			}
		}
		if got := strings.Join(texts, "|"); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, tt.want)
		}
	}
	r.fake.Fail(fakeslack.Fault{Method: "conversations.replies", Status: 500})
	if qs, err := r.s.Reread(r.ctx(), place(root), "", "", 5); err == nil {
		t.Errorf("Reread = %+v of a Slack that fails, want an error", qs)
	}
}
