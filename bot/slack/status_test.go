package slack_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"hermes/bot"
	"hermes/internal/fakeslack"
)

// status waits for what a person sees of the work in the thread.
func (u *turn) status(want string) {
	u.t.Helper()
	err := u.fake.Wait(u.ctx(), "status "+want, func() bool { return u.fake.Channel("sales").Status(u.asked.TS) == want })
	if err != nil {
		u.t.Fatalf("%v; it is %q after %+v", err, u.fake.Channel("sales").Status(u.asked.TS), u.fake.Statuses())
	}
}

// O6: however a Run ends, nobody is shown to be at work after it.
func TestO6NoStatusStaysAfterTheEnd(t *testing.T) {
	for name, end := range map[string]func(*turn){
		"answer":         func(u *turn) { u.shows(1, true); u.deliver(u.answer("x")) },
		"nothing to say": func(u *turn) { u.shows(1, true) },
		"only an answer": func(u *turn) { u.deliver(u.answer("x")) },
		"trouble": func(u *turn) {
			p := u.answer("It broke.")
			p.Kind = bot.Trouble
			u.deliver(p)
		},
		"an answer that Slack refuses": func(u *turn) {
			u.fake.Fail(fakeslack.Fault{Method: "chat.postMessage", Error: "restricted_action", Times: -1})
			u.fake.Fail(fakeslack.Fault{Method: "chat.stopStream", Error: "restricted_action", Times: -1})
			if _, err := u.s.Post(u.ctx(), u.answer("x")); !errors.Is(err, bot.ErrRefused) {
				u.t.Errorf("Post = %v, want ErrRefused", err)
			}
		},
		"the program ends":               func(u *turn) { u.s.Rest(u.ctx()) },
		"the program dies, the Run ends": func(u *turn) { u.s = u.build(setup{still: true}); u.shows(1, true) },
		"nobody says anything more":      func(u *turn) { u.pass(61 * time.Minute) },
		"the end fails at first": func(u *turn) {
			u.fake.Fail(fakeslack.Fault{Method: "agents.sessions.setStatus", Status: 500, Times: 3})
			u.shows(1, true)
			for range 5 { // each after what is under way
				u.pass(time.Second)
			}
		},
		"the end is limited": func(u *turn) {
			u.fake.Fail(fakeslack.Fault{Method: "agents.sessions.setStatus", Status: 429, RetryAfter: 5})
			u.shows(1, true)
			must(u.t, u.fake.WaitCalls(u.ctx(), "agents.sessions.setStatus", 2))
			u.pass(time.Minute)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{still: true, idle: true})
			u := newTurn(t, r)
			u.shows(1, false)
			u.status("processing")
			end(u)
			for range 50 {
				if u.fake.Channel("sales").Status(u.asked.TS) == "" {
					break
				}
				u.pass(time.Second)
			}
			u.status("")
		})
	}
}

// O6: a beginning that Slack takes late is never said after the end; and where nobody
// knows whether it is still on its way, the end is said once more.
func TestO6ALateStatusDoesNotFollowTheEnd(t *testing.T) {
	r := newRig(t, setup{idle: true})
	u := newTurn(t, r)
	r.fake.Fail(fakeslack.Fault{Method: "agents.sessions.setStatus", Delay: 50 * time.Millisecond})
	p := u.plan(1, false)
	p.By = "" // no stream, which would wait for the word
	u.deliver(p)
	u.shows(1, true)
	u.deliver(u.answer("x"))
	must(t, r.fake.WaitCalls(r.ctx(), "agents.sessions.setStatus", 2))
	u.status("")
	var said []string
	for _, s := range r.fake.Statuses() {
		said = append(said, s.Status)
	}
	if !slices.Equal(said, []string{"processing", "active"}) {
		t.Errorf("said %v, want the beginning and then the end", said)
	}

	r = newRig(t, setup{still: true, idle: true})
	u = newTurn(t, r)
	r.fake.Fail(fakeslack.Fault{Method: "agents.sessions.setStatus", Cut: true})
	u.shows(1, false)
	must(t, r.fake.WaitCalls(r.ctx(), "agents.sessions.setStatus", 1))
	u.shows(1, true)
	must(t, r.fake.WaitCalls(r.ctx(), "agents.sessions.setStatus", 2))
	u.status("")
	for range 40 {
		u.pass(time.Second)
	}
	must(t, r.fake.WaitCalls(r.ctx(), "agents.sessions.setStatus", 3))
	if all := r.fake.Statuses(); all[len(all)-1].Status != "active" {
		t.Errorf("said %+v, want the end twice", all)
	}
}

// O7: over a long turn the status never goes away, in whichever way the workspace
// shows it.
func TestO7TheStatusNeverGaps(t *testing.T) {
	for name, refused := range map[string][]string{
		"session": nil, "thread": {"agents.sessions.setStatus"}, "reaction": {"agents.sessions.setStatus", "assistant.threads.setStatus"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{still: true, idle: true})
			u := newTurn(t, r)
			for _, m := range refused {
				r.fake.Fail(fakeslack.Fault{Method: m, Error: "unknown_method", Times: -1})
			}
			shown := func() bool {
				for _, m := range r.fake.Channel("sales").Messages() {
					if m.TS == u.asked.TS && slices.Contains(m.Reacted, "eyes") {
						return true
					}
				}
				return r.fake.Channel("sales").Status(u.asked.TS) != ""
			}
			u.shows(1, false)
			must(t, r.fake.Wait(r.ctx(), "a status", shown))
			for i := range 300 {
				u.pass(time.Second)
				if i%60 == 59 {
					u.shows(1+i/60, false)
				}
				must(t, r.fake.Wait(r.ctx(), "a status", shown))
			}
			calls := len(r.fake.Calls("agents.sessions.setStatus")) + len(r.fake.Calls("assistant.threads.setStatus"))
			if name != "reaction" && (calls < 4 || calls > 20) {
				t.Errorf("said %d times in five minutes", calls)
			}
			u.shows(5, true)
			u.deliver(u.answer("x"))
			must(t, r.fake.Wait(r.ctx(), "no status", func() bool { return !shown() }))
			// What Slack has refused once is not asked for again.
			v := newTurn(t, r)
			before := map[string]int{}
			for _, m := range refused {
				before[m] = len(r.fake.Calls(m))
			}
			v.shows(1, false)
			v.shows(1, true)
			for _, m := range refused {
				if n := len(r.fake.Calls(m)) - before[m]; n != 0 {
					t.Errorf("%s was asked %d times more", m, n)
				}
			}
		})
	}
}

// While a person is asked, nobody is at work; when they have answered, somebody is.
func TestTheStatusWaitsWithTheCard(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	u := newTurn(t, r)
	u.shows(1, false)
	u.status("processing")
	card := bot.Post{Key: "q1", Place: u.at, Kind: bot.Card, Question: "q1", Text: "May I?", Choices: []bot.Choice{{ID: "yes", Label: "Yes"}}, Attempt: 1}
	rc := u.deliver(card)
	u.status("")
	u.pass(10 * time.Minute)
	card.Rev, card.Choices, card.Delivered = 1, nil, &rc.Ref
	u.deliver(card)
	u.shows(2, false)
	u.status("processing")
	u.shows(2, true)
	u.deliver(u.answer("Done."))
	u.status("")
	if got := u.holding("Look up 1"); len(got) != 1 {
		t.Errorf("the work is shown %d times, want once", len(got))
	}
}

// O6: in a conversation of two, where answers stand in no thread, Slack is told of which
// message's thread it shows the work: a session has one. What was begun for a message
// is ended there before it is begun for the next.
func TestO6AConversationOfTwoShowsTheWorkUnderItsMessage(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	t.Cleanup(func() { r.s.Rest(r.ctx()) })
	ask := func(text string) *turn {
		m, k := r.say("dm", text)
		return &turn{rig: r, asked: m, at: bot.Place{Platform: "slack", Workspace: fakeslack.Team, Channel: m.Channel}, run: k}
	}
	shown := func(u *turn, want string) {
		t.Helper()
		must(t, r.fake.Wait(r.ctx(), "status "+want, func() bool { return r.fake.Channel(u.at.Channel).Status(u.asked.TS) == want }))
	}
	r.run()
	r.connected()
	one := ask("report, please")
	one.shows(1, false)
	shown(one, "processing")
	d, err := r.fake.Human("ana").PressStop(one.at.Channel, one.asked.TS)
	r.must(err)
	r.ears.wait(t, "the press", func() bool { return len(r.ears.clicks) == 1 })
	if _, err := r.fake.WaitAnswer(r.ctx(), d); err != nil {
		t.Error(err)
	}
	if c := r.ears.clicked()[0]; !c.Halt || c.Place != one.at {
		t.Errorf("Slack's own Stop is heard as %+v, want one at %s", c, one.at)
	}
	two := ask("and another")
	two.shows(1, false) // before anybody has said that the first is over
	shown(one, "")
	shown(two, "processing")
	two.pass(5 * time.Minute)
	shown(two, "processing")
	two.shows(2, true)
	two.deliver(two.answer("Done."))
	shown(two, "")
	calls := len(r.fake.Calls("agents.sessions.setStatus"))
	by := &turn{rig: r, at: two.at, run: "slack/" + fakeslack.Team + "/command/1.2.abc"}
	by.shows(1, false) // a command is no message
	by.shows(1, true)
	r.s.Settle()
	for i, c := range r.fake.Calls("agents.sessions.setStatus") {
		if c.Args["thread_ts"] == "" || c.Error != "" || i >= calls {
			t.Errorf("call %d = %+v", i, c)
		}
	}
}
