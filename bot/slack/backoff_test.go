package slack_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/fakeslack"
)

// O6: an end that Slack does not take is tried ever more seldom, in many threads
// together no more than fifty times a minute, and is said in the end.
func TestO6AnEndThatFailsBacksOff(t *testing.T) {
	const method = "agents.sessions.setStatus"
	r := newRig(t, setup{still: true, idle: true})
	var turns []*turn
	for range 8 {
		u := newTurn(t, r)
		u.shows(1, false)
		u.status("processing")
		turns = append(turns, u)
	}
	r.fake.Fail(fakeslack.Fault{Method: method, Error: "internal_error", Times: -1})
	u := turns[0]
	before := len(r.fake.Calls(method))
	u.shows(1, true)
	u.pass(15 * time.Second)
	if n := len(r.fake.Calls(method)) - before; n < 3 || n > 6 {
		t.Errorf("one end was tried %d times in 15 s, want about 5", n)
	}
	for _, v := range turns[1:] {
		v.shows(1, true)
	}
	before = len(r.fake.Calls(method))
	u.pass(time.Minute)
	if n := len(r.fake.Calls(method)) - before; n > 55 {
		t.Errorf("the ends were tried %d times in a minute, want 50 at most", n)
	}
	u.pass(5 * time.Minute)
	before = len(r.fake.Calls(method))
	u.pass(3 * time.Minute)
	if n := len(r.fake.Calls(method)) - before; n < 8 || n > 24 {
		t.Errorf("8 ends were tried %d times in three minutes, want each in 90 s", n)
	}
	r.fake.Mend()
	u.pass(2 * time.Minute)
	for _, v := range turns {
		v.status("")
	}
}

// O4: what Slack holds for an open stream is stopped until it is, and then changed.
func TestO4AStreamThatDoesNotEndIsStoppedAgain(t *testing.T) {
	for name, times := range map[string]int{"twice": 2, "long": 12} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{still: true, idle: true})
			u := newTurn(t, r)
			u.shows(1, false)
			r.fake.Fail(fakeslack.Fault{Method: "chat.appendStream", Status: 500, Times: -1})
			r.fake.Fail(fakeslack.Fault{Method: "chat.stopStream", Status: 500, Times: times})
			u.pass(2 * time.Second)
			u.shows(2, true)
			u.pass(9 * time.Minute)
			thread := u.thread()
			if len(thread) != 1 || thread[0].Streaming == fakeslack.Streaming || !strings.Contains(thread[0].Shown(), "Done") {
				t.Errorf("%d messages, the first %s with %q; want the plan done", len(thread), thread[0].Streaming, thread[0].Shown())
			}
			if n := len(r.fake.Calls("chat.stopStream")); n > times+3 {
				t.Errorf("stopped %d times, want as often as it failed", n)
			}
		})
	}
}
