package slack_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"hermes/internal/fakeslack"
)

// S6: a mention that a dead socket has taken is answered after the gap also in a channel
// that was never heard, be it of two, of some or of all, and once; nothing of before the
// gap is, and nothing of where the bot is not.
func TestS6AGapCoversChannelsNeverHeard(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	leo := r.fake.Human("leo")
	private := r.fake.AddChannel(fakeslack.Channel{Name: "inner", Private: true, Members: []string{fakeslack.BotUser, leo.ID()}})
	before, err := leo.Say("sales", "@hermes long before")
	r.must(err)
	r.clock.Advance(time.Hour)
	r.s = r.build(setup{seen: seenBy(nil)})
	r.run()
	r.connected()
	r.fake.Freeze()
	lost := map[string]fakeslack.Message{}
	for _, channel := range []string{"sales", private, "dm"} {
		m, err := leo.Say(channel, "@hermes are you there?")
		r.must(err)
		lost[key(m)] = m
	}
	elsewhere, err := leo.Say("random", "@hermes and here?")
	r.must(err)
	r.fake.DropSockets()
	for k := range lost {
		if m := r.ears.message(t, k); !m.Missed || !m.Addressed && !m.Direct {
			t.Errorf("heard %+v, want it from the history", m)
		}
	}
	for _, m := range r.ears.messages() {
		if m.Key == key(before) || m.Key == key(elsewhere) {
			t.Errorf("heard %+v as well", m)
		}
	}
}

// S6: after the program was off, what was said in channels never heard is read since
// something was heard last, however much is heard once it is back.
func TestS6AStartCoversChannelsNeverHeard(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	leo := r.fake.Human("leo")
	last, err := leo.Say("general", "a line")
	r.must(err)
	r.clock.Advance(10 * time.Minute)
	missed, err := leo.Say("sales", "@hermes are you there?")
	r.must(err)
	r.clock.Advance(10 * time.Minute)
	r.s = r.build(setup{seen: seenBy(map[string]string{"C0GENERAL": last.TS})})
	r.run()
	if m := r.ears.message(t, key(missed)); !m.Missed {
		t.Errorf("heard %+v, want it from the history", m)
	}
}

// S6: the look into channels never heard is bounded and paced, and the next gap covers
// those that one has left out.
func TestS6ChannelsNeverHeardAreReadWithinBounds(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	all := map[string]bool{}
	for i := range 75 {
		all[r.fake.AddChannel(fakeslack.Channel{Name: fmt.Sprintf("c%d", i), Members: []string{fakeslack.BotUser, "U0ANA0001"}})] = true
	}
	r.s = r.build(setup{seen: seenBy(nil)})
	r.run()
	read := map[string]bool{}
	for gap := 1; gap <= 2; gap++ {
		r.connected()
		if gap > 1 {
			r.fake.DropSockets()
		}
		r.must(r.fake.WaitCalls(r.ctx(), "conversations.history", 50*gap))
		calls := r.fake.Calls("conversations.history")
		if len(calls) != 50*gap {
			t.Errorf("%d looks after %d gaps, want 50 each", len(calls), gap)
		}
		for _, c := range calls {
			read[c.Args["channel"]] = true
		}
		if n := mostInAMinute(calls); n > 50 {
			t.Errorf("%d looks in a minute", n)
		}
	}
	maps.DeleteFunc(all, func(id string, _ bool) bool { return read[id] })
	if len(all) > 0 {
		t.Errorf("after two gaps nobody has looked into %q", slices.Sorted(maps.Keys(all)))
	}
}

// S6: a mention in a thread that was begun before the gap is heard after it, also where
// nobody of ours ever was; a thread in which nothing was said since is not looked into, nor is
// one begun further back than a page of its channel.
func TestS6AGapCoversThreadsOfBefore(t *testing.T) {
	for name, heard := range map[string]bool{"a channel never heard": false, "a channel heard before": true} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{still: true, idle: true})
			ana, leo := r.fake.Human("ana"), r.fake.Human("leo")
			begun, err := ana.Say("sales", "an old thread")
			r.must(err)
			_, err = leo.Reply("sales", begun.TS, "@hermes before the gap")
			r.must(err)
			quiet, err := ana.Say("sales", "a quiet thread")
			r.must(err)
			_, err = leo.Reply("sales", quiet.TS, "nothing since")
			r.must(err)
			r.clock.Advance(8 * 24 * time.Hour)
			last, err := leo.Say("general", "a line")
			r.must(err)
			r.clock.Advance(10 * time.Minute)
			missed, err := leo.Reply("sales", begun.TS, "@hermes are you there?")
			r.must(err)
			r.clock.Advance(10 * time.Minute)
			seen := map[string]string{"C0GENERAL": last.TS}
			if heard {
				seen["C0SALES01"] = last.TS
			}
			r.s = r.build(setup{seen: seenBy(seen)})
			r.run()
			m := r.ears.message(t, key(missed))
			if !m.Missed || !m.Addressed || m.Place.Thread != begun.TS {
				t.Errorf("heard %+v, want it from the history", m)
			}
			r.stop()
			if calls := r.fake.Calls("conversations.replies"); len(calls) != 1 || calls[0].Args["ts"] != begun.TS {
				t.Errorf("threads looked into: %+v, want the one with an answer since", calls)
			}
			for _, m := range r.ears.messages() {
				if m.Text == "before the gap" || m.Text == "an old thread" {
					t.Errorf("heard %+v as well", m)
				}
			}
		})
	}
}

// S6: of other people's threads no more are looked into than there may be of ours, those
// that were answered last.
func TestS6ThreadsOfBeforeAreReadWithinBounds(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	ana := r.fake.Human("ana")
	var begun []fakeslack.Message
	for i := range 30 {
		m, err := ana.Say("sales", fmt.Sprint("thread ", i))
		r.must(err)
		begun = append(begun, m)
	}
	r.clock.Advance(time.Hour)
	last, err := ana.Say("general", "a line")
	r.must(err)
	r.clock.Advance(10 * time.Minute)
	for _, m := range begun {
		_, err := ana.Reply("sales", m.TS, "an answer")
		r.must(err)
	}
	r.s = r.build(setup{seen: seenBy(map[string]string{"C0GENERAL": last.TS})})
	r.run()
	r.must(r.fake.WaitCalls(r.ctx(), "conversations.replies", 20))
	r.stop()
	calls := r.fake.Calls("conversations.replies")
	if len(calls) != 20 || calls[0].Args["ts"] != begun[29].TS {
		t.Errorf("%d threads are looked into, first %s; want 20, first the one answered last", len(calls), calls[0].Args["ts"])
	}
	if n := mostInAMinute(calls); n > 50 {
		t.Errorf("%d looks in a minute", n)
	}
}

// A drawer is a Keeper.
type drawer struct {
	mu   sync.Mutex
	kept map[string]string
}

func (d *drawer) Get(_ context.Context, workspace, name string) (string, bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	v, ok := d.kept[workspace+" "+name]
	return v, ok, nil
}

func (d *drawer) Set(_ context.Context, workspace, name, value string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept[workspace+" "+name] = value
	return nil
}

// S6: a thread whose first message is gone is not asked for again by the next process
// either; a channel that was closed is, since it may be open by then.
func TestWhatIsGoneIsNotAskedForAfterARestart(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	ana := r.fake.Human("ana")
	root, err := ana.Say("sales", "a thread")
	r.must(err)
	random, err := ana.Say("random", "where the bot was once")
	r.must(err)
	r.must(ana.Delete(root))
	d := &drawer{kept: map[string]string{}}
	for n := 1; n <= 3; n++ {
		r.s = r.build(setup{keeper: d, seen: seenBy(map[string]string{"C0SALES01/" + root.TS: root.TS, random.Channel: random.TS, "C0GENERAL": root.TS})})
		r.run()
		r.connected()
		r.until("a look into #sales, and the thread, which comes last", func() bool {
			d.mu.Lock()
			defer d.mu.Unlock()
			return len(r.callsFor("C0SALES01")) == n && len(d.kept) == 1
		})
		r.stop()
		if n := len(r.fake.Calls("conversations.replies")); n != 1 {
			t.Errorf("the thread is asked for %d times, want once", n)
		}
		if got := len(r.callsFor(random.Channel)); got != n {
			t.Errorf("#random is asked for %d times after %d starts", got, n)
		}
	}
	if len(d.kept) != 1 {
		t.Errorf("kept %q", d.kept)
	}
}

// S6: a thread whose first message is gone is asked for once, and so is a channel that
// the bot was taken out of, until it is back.
func TestWhatIsGoneIsNotAskedForAgain(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	ana := r.fake.Human("ana")
	root, err := ana.Say("sales", "a thread")
	r.must(err)
	random, err := ana.Say("random", "where the bot was once")
	r.must(err)
	r.must(ana.Delete(root))
	r.s = r.build(setup{seen: seenBy(map[string]string{"C0SALES01/" + root.TS: root.TS, random.Channel: random.TS, "C0GENERAL": root.TS})})
	r.run()
	gap := func(n int) {
		t.Helper()
		r.until("a look", func() bool { return r.looks() == n })
		r.connected()
		if n := len(r.fake.Calls("conversations.replies")); n > 1 {
			t.Errorf("the thread is asked for %d times, want once", n)
		}
	}
	gap(1)
	for n := 2; n < 4; n++ {
		r.fake.DropSockets()
		gap(n)
	}
	if n := len(r.callsFor(random.Channel)); n != 1 {
		t.Errorf("#random is asked for %d times, want once", n)
	}
	r.connected()
	r.fake.Channel("random").Invite(fakeslack.BotUser)
	_, k := r.say("random", "@hermes welcome") // what is said in it comes after the invitation
	r.ears.message(t, k)
	r.fake.DropSockets()
	gap(4)
	r.until("a look into #random", func() bool { return len(r.callsFor(random.Channel)) > 1 })
}
