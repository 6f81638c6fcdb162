package slack_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/bot"
	"hermes/internal/fakeslack"
)

// A turn is what a Run shows in the thread of the message that asked for it.
type turn struct {
	*rig
	asked fakeslack.Message
	at    bot.Place
	run   string
	rev   int
	ref   *bot.Ref // of the Progress
}

func newTurn(t *testing.T, r *rig) *turn {
	t.Helper()
	r.t.Cleanup(func() { r.s.Rest(r.ctx()) })
	m, k := r.say("sales", "@hermes report, please")
	return &turn{rig: r, asked: m, at: place(m), run: k}
}

// plan is a Progress of so many tasks, of which the last is under way.
func (u *turn) plan(tasks int, over bool) bot.Post {
	p := bot.Post{
		Key: u.run + "/progress", Rev: u.rev, Place: u.at, Kind: bot.Progress, Of: u.run, Text: "Working on it …",
		By: bot.Person("slack", fakeslack.Team, "U0ANA0001"), Plan: &bot.Plan{Title: "Working on it …", Over: over}, Attempt: 1, Delivered: u.ref,
	}
	for i := range tasks {
		state := bot.Complete
		if i == tasks-1 && !over {
			state = bot.Underway
		}
		p.Plan.Tasks = append(p.Plan.Tasks, bot.Task{ID: fmt.Sprint("c", i), Title: fmt.Sprint("Look up ", i), State: state})
	}
	if over {
		p.Plan.Title = "Done"
	} else {
		p.Choices = []bot.Choice{{ID: "stop:" + u.run, Label: "Stop"}}
	}
	u.rev++
	return p
}

// shows says a Progress as the outbox does.
func (u *turn) shows(tasks int, over bool) {
	u.t.Helper()
	r := u.deliver(u.plan(tasks, over))
	u.ref = &r.Ref
}

func (u *turn) answer(text string) bot.Post {
	return bot.Post{Key: u.run + "/out", Place: u.at, Of: u.run, Text: text, Footer: "3 steps", Attempt: 1}
}

// deliver says a Post as the outbox does: what nobody knows is looked for twice before
// it is said again, and what is busy is said later.
func (u *turn) deliver(p bot.Post) bot.Receipt {
	u.t.Helper()
	for ; p.Attempt < 6; p.Attempt++ {
		if p.Attempt > 1 && p.Delivered == nil {
			r, ok, err := u.s.Find(u.ctx(), p)
			if err != nil {
				continue
			}
			if ok {
				return r
			}
			if p.Attempt == 2 {
				continue
			}
		}
		r, err := u.s.Post(u.ctx(), p)
		if err == nil {
			return r
		}
		if !errors.Is(err, bot.ErrUnknown) && !errors.Is(err, bot.ErrBusy) {
			u.t.Fatalf("Post %s: %v", p.Key, err)
		}
	}
	u.t.Fatalf("%s was not said", p.Key)
	return bot.Receipt{}
}

// pass lets time pass in steps, and what is done beside everything else with it.
func (u *turn) pass(d time.Duration) {
	for ; d > 0; d -= time.Second {
		u.clock.Advance(min(d, time.Second))
		u.s.Tend(u.ctx())
		u.s.Settle()
	}
}

// thread is what people see below the question.
func (u *turn) thread() []fakeslack.Message { return u.fake.Channel("sales").Thread(u.asked.TS)[1:] }

// holding are the messages that show some words.
func (u *turn) holding(words string) []fakeslack.Message {
	var out []fakeslack.Message
	for _, m := range u.thread() {
		if strings.Contains(m.Shown(), words) {
			out = append(out, m)
		}
	}
	return out
}

// O5: the answer of a Run that was shown as a stream is that stream, sealed: with its
// tasks, the text, the footer and the buttons, under the ts that is pointed at.
func TestO5TheSealedStreamIsTheAnswer(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	u := newTurn(t, r)
	u.shows(1, false)
	u.pass(2 * time.Second)
	u.shows(2, false)
	u.pass(2 * time.Second)
	u.shows(2, true)
	p := u.answer("**Europe** sold 12.\n\n| region | sold |\n|---|---|\n| EU | 12 |\n\nThat is all.")
	rc := u.deliver(p)
	thread := u.thread()
	if len(thread) != 1 || thread[0].Streaming != fakeslack.Streamed || thread[0].TS != rc.Ref.ID || *u.ref != rc.Ref {
		t.Fatalf("thread = %+v, receipt = %+v, progress at %+v; want the one sealed stream", thread, rc, u.ref)
	}
	m := thread[0]
	for _, want := range []string{"Look up 0", "Look up 1", "Europe", "region", "That is all.", "3 steps", "Good answer", "Why this answer?"} {
		if !strings.Contains(m.Shown(), want) {
			t.Errorf("shown: %q, want %q in it", m.Shown(), want)
		}
	}
	if m.Plan != "Done" || slices.ContainsFunc(m.Tasks, func(x fakeslack.Task) bool { return x.Status != "complete" }) {
		t.Errorf("plan %q, tasks %+v; want them done", m.Plan, m.Tasks)
	}
	if got, ok, err := r.s.Find(r.ctx(), p); err != nil || !ok || got.Ref != rc.Ref {
		t.Errorf("Find = %+v, %v, %v; want the stream", got, ok, err)
	}
	if calls := len(r.fake.Calls("chat.postMessage")) + len(r.fake.Calls("chat.update")) + len(r.fake.Calls("chat.delete")); calls != 0 {
		t.Errorf("%d other calls, want only the stream's", calls)
	}
	// A last word on the work that comes late changes nothing of it.
	late := u.plan(2, true)
	late.Delivered = u.ref
	if again := u.deliver(late); again.Ref != rc.Ref || len(u.thread()) != 1 {
		t.Errorf("late progress at %+v, %d messages; want the answer alone", again.Ref, len(u.thread()))
	}
	// A later Rev changes it in place.
	p.Rev, p.Delivered, p.Text = 1, &rc.Ref, "Europe sold 13."
	u.deliver(p)
	if thread := u.thread(); len(thread) != 1 || !strings.Contains(thread[0].Shown(), "sold 13") {
		t.Errorf("thread = %+v, want the change in place", thread)
	}
}

// O4: whatever goes wrong with a stream, the full text is there once, nothing is left
// open, and nothing beside it but what was done.
func TestO4AStreamThatFails(t *testing.T) {
	faults := map[string]fakeslack.Fault{
		"no recipient":           {}, // set below
		"start: user_not_found":  {Method: "chat.startStream", Error: "user_not_found"},
		"start: no such feature": {Method: "chat.startStream", Error: "unknown_method"},
		"start: cut":             {Method: "chat.startStream", Cut: true},
		"start: no ts":           {Method: "chat.startStream", Body: `{"ok":true}`},
		"start: 500":             {Method: "chat.startStream", Status: 500},
		"start: 429":             {Method: "chat.startStream", Status: 429, RetryAfter: 20},
		"append: ended":          {Method: "chat.appendStream", Error: "message_not_in_streaming_state"},
		"append: too long":       {Method: "chat.appendStream", Error: "msg_too_long"},
		"append: cut":            {Method: "chat.appendStream", Cut: true},
		"append: 429":            {Method: "chat.appendStream", Status: 429, RetryAfter: 20},
		"append: 500, always":    {Method: "chat.appendStream", Status: 500, Times: -1},
		"stop: ended":            {Method: "chat.stopStream", Error: "message_not_in_streaming_state"},
		"stop: too long":         {Method: "chat.stopStream", Error: "msg_too_long"},
		"stop: refused, always":  {Method: "chat.stopStream", Error: "invalid_blocks", Times: -1},
		"stop: by the reader":    {Method: "chat.stopStream", Error: "stopped_by_user"},
		"stop: cut":              {Method: "chat.stopStream", Cut: true},
		"stop: no ts":            {Method: "chat.stopStream", Body: `{"ok":true}`},
		"stop: 500":              {Method: "chat.stopStream", Status: 500},
		"stop: 429":              {Method: "chat.stopStream", Status: 429, RetryAfter: 20},
	}
	for name, f := range faults {
		for _, c := range []struct {
			n       int
			drafted bool
		}{{200, false}, {20000, false}, {700, true}, {20000, true}} {
			n := c.n
			t.Run(fmt.Sprint(name, ", ", n, ", drafted ", c.drafted), func(t *testing.T) {
				r := newRig(t, setup{still: true, idle: true})
				u := newTurn(t, r)
				first := u.plan(1, false)
				if f.Method == "" {
					first.By = ""
				} else {
					r.fake.Fail(f)
				}
				rc := u.deliver(first)
				u.ref = &rc.Ref
				u.pass(2 * time.Second)
				u.shows(2, false)
				text := prose(n)
				if c.drafted {
					u.drafts(2, text[:n/4], text[:n/3], text[:n/2])
				}
				u.pass(2 * time.Second)
				u.shows(3, true)
				u.deliver(u.answer(text))
				if name == "stop: refused, always" {
					r.fake.Mend()
				}
				u.pass(6 * time.Minute)
				var all strings.Builder
				for _, m := range u.thread() {
					all.WriteString(m.Shown() + "\n\n")
					if m.Streaming == fakeslack.Streaming {
						t.Errorf("%s is still open", m.TS)
					}
				}
				if missing := lacks(all.String(), text); missing != "" {
					t.Errorf("%q is not shown", missing)
				}
				for _, want := range []string{"Paragraph 0 says", "Look up 2", "3 steps"} {
					if c.drafted && name == "stop: by the reader" && want == "Paragraph 0 says" {
						continue // what the reader stopped stays as it was
					}
					if k := strings.Count(all.String(), want); k != 1 && !(k == 0 && want == "Look up 2" && strings.HasPrefix(name, "stop")) {
						t.Errorf("%q is shown %d times in\n%.800s", want, k, all.String())
					}
				}
			})
		}
	}
}

// O4: what the reader stops stays as it is, and what is said about it is a post.
func TestO4AStreamStoppedByItsReader(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	u := newTurn(t, r)
	u.shows(2, false)
	must(t, r.fake.Wait(r.ctx(), "a Stop", func() bool { return r.fake.Channel("sales").Status(u.asked.TS) == "processing" }))
	if _, err := r.fake.Human("ana").PressStop("sales", u.asked.TS); err != nil {
		t.Fatal(err)
	}
	u.pass(time.Second)
	u.shows(2, true)
	u.deliver(u.answer("Stopped."))
	thread := u.thread()
	if len(thread) != 2 || !strings.Contains(thread[0].Shown(), "Look up 1") || !strings.Contains(thread[1].Shown(), "Stopped.") {
		t.Errorf("thread = %+v, want what was done and the word of its end", thread)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A stream that grows old, or long, goes on as the same message, with a Stop of ours;
// what comes after it is a post.
func TestAStreamRollsOver(t *testing.T) {
	for name, grow := range map[string]func(*turn){
		"four minutes": func(u *turn) { u.pass(4 * time.Minute) },
		"9,000 characters": func(u *turn) {
			p := u.plan(3, false)
			for i := range p.Plan.Tasks {
				p.Plan.Tasks[i].Title = strings.Repeat("x", 250)
			}
			for i := range 14 {
				p.Plan.Tasks[0].Title = fmt.Sprint(i) + p.Plan.Tasks[0].Title[2:]
				p.Plan.Tasks[1].Title, p.Plan.Tasks[2].Title = p.Plan.Tasks[0].Title, p.Plan.Tasks[0].Title
				p.Rev++
				u.pass(time.Second)
				u.deliver(p)
			}
			u.rev = p.Rev + 1
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{still: true, idle: true})
			u := newTurn(t, r)
			u.shows(1, false)
			grow(u)
			u.pass(2 * time.Second)
			thread := u.thread()
			if len(thread) != 1 || thread[0].Streaming == fakeslack.Streaming || !strings.Contains(fmt.Sprint(thread[0].Buttons()), "Stop") {
				t.Fatalf("thread = %+v, want one message that can be stopped", thread)
			}
			u.shows(4, false)
			u.pass(5 * time.Second)
			u.shows(4, true)
			u.deliver(u.answer("All of it."))
			thread = u.thread()
			if len(thread) != 2 || len(thread[0].Buttons()) != 0 || !strings.Contains(thread[0].Shown(), "Look up 3") || !strings.Contains(thread[1].Shown(), "All of it.") {
				t.Errorf("thread = %+v, want the work and the answer", thread)
			}
		})
	}
}

// A long answer begins in the stream and goes on in posts; nothing is said twice.
func TestALongAnswerGoesOnAfterTheStream(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	u := newTurn(t, r)
	u.shows(1, false)
	u.shows(1, true)
	text := prose(25000)
	rc := u.deliver(u.answer(text))
	thread := u.thread()
	var all strings.Builder
	for _, m := range thread {
		all.WriteString(m.Shown())
	}
	if missing := lacks(all.String(), text); missing != "" || len(thread) != 3 || thread[0].TS != rc.Ref.ID || strings.Count(all.String(), "Paragraph 0 ") != 1 {
		t.Errorf("%d messages, %q is missing", len(thread), missing)
	}
}

// A stream that is open from before a restart is ended and goes on as a message; one
// that has become an answer is left alone, and the Run that goes on shows itself anew.
func TestAfterARestart(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	u := newTurn(t, r)
	u.shows(1, false)
	r.s = r.build(setup{still: true})
	u.pass(2 * time.Second)
	u.shows(2, false)
	u.pass(2 * time.Second)
	thread := u.thread()
	if len(thread) != 1 || thread[0].Streaming == fakeslack.Streaming || !strings.Contains(thread[0].Shown(), "Look up 1") {
		t.Fatalf("thread = %+v, want the stream ended and changed", thread)
	}
	u.shows(2, true)
	u.deliver(u.answer("First."))
	if n := len(u.thread()); n != 2 {
		t.Errorf("%d messages, want the work and the answer", n)
	}

	v := newTurn(t, r)
	v.shows(1, false)
	v.shows(1, true)
	v.deliver(v.answer("Stopped at the limit."))
	r.s = r.build(setup{still: true})
	v.shows(2, false)
	v.shows(2, true)
	if got := v.holding("Stopped at the limit."); len(got) != 1 || len(v.thread()) != 2 {
		t.Errorf("thread = %+v, want the answer untouched and the work after it", v.thread())
	}
}

// O12: what is shown of the work is changed once a second at most, once in three
// seconds if it lasts, also after a 429, and the last of it is shown.
func TestO12TheWorkIsShownOnceASecond(t *testing.T) {
	for _, limited := range []bool{false, true} {
		r := newRig(t, setup{still: true, idle: true, opts: fakeslack.Options{Without: []string{"agent_session_stopped"}}})
		u := newTurn(t, r)
		u.shows(1, false)
		if limited {
			r.fake.Fail(fakeslack.Fault{Method: "chat.update", Status: 429, RetryAfter: 10})
		}
		for i := range 400 {
			r.clock.Advance(100 * time.Millisecond)
			u.shows(1+i/10, false)
			r.s.Tend(r.ctx())
		}
		u.shows(42, true)
		u.deliver(u.answer("All."))
		u.pass(20 * time.Second)
		calls := r.fake.Calls("chat.update")
		for i, c := range calls[1:] {
			if gap := c.At.Sub(calls[i].At); gap < time.Second {
				t.Errorf("limited %v: change %d came %s after the one before", limited, i+1, gap)
			}
			if gap := c.At.Sub(calls[i].At); limited && i == 0 && gap < 10*time.Second {
				t.Errorf("a change %s after a 429 of 10 s", gap)
			}
		}
		if len(calls) < 20 {
			t.Errorf("limited %v: %d changes in 40 s, want them live", limited, len(calls))
		}
		thread := u.thread()
		if len(thread) != 2 || !strings.Contains(thread[0].Shown(), "Done") || !strings.Contains(thread[0].Shown(), "Look up 41") || len(thread[0].Buttons()) != 0 {
			t.Errorf("limited %v: %d messages, the first %.300q; want the last of the work", limited, len(thread), thread[0].Shown())
		}
	}
	r := newRig(t, setup{still: true, idle: true, opts: fakeslack.Options{Without: []string{"agent_session_stopped"}}})
	u := newTurn(t, r)
	u.shows(1, false)
	for i := range 150 {
		u.pass(time.Second)
		u.shows(1+i/5, false)
	}
	late := 0
	calls := r.fake.Calls("chat.update")
	for i, c := range calls[1:] {
		if c.At.Sub(calls[0].At) > 70*time.Second {
			if late++; c.At.Sub(calls[i].At) < 3*time.Second {
				t.Errorf("change %d came %s after the one before, in long work", i+1, c.At.Sub(calls[i].At))
			}
		}
	}
	if late < 15 {
		t.Errorf("%d changes in the long run", late)
	}
}

// The work has a Stop: Slack's where it has one, else ours.
func TestTheWorkCanBeStopped(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true, opts: fakeslack.Options{Without: []string{"agent_session_stopped"}}})
	u := newTurn(t, r)
	u.shows(1, false)
	thread := u.thread()
	if len(thread) != 1 || thread[0].Streaming != "" || len(thread[0].Buttons()) != 1 {
		t.Errorf("thread = %+v, want a message with a Stop", thread)
	}
}

// Where Slack refuses plans or tables, the same words are shown in plain blocks.
func TestBlocksThatSlackRefuses(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true, opts: fakeslack.Options{Without: []string{"agent_session_stopped"}}})
	u := newTurn(t, r)
	r.fake.Fail(fakeslack.Fault{Method: "chat.postMessage", Error: "invalid_blocks"})
	u.shows(1, false)
	u.pass(2 * time.Second)
	u.shows(2, false)
	r.fake.Fail(fakeslack.Fault{Method: "chat.postMessage", Error: "invalid_attachments"})
	u.deliver(u.answer("Sold:\n\n| region | sold |\n|---|---|\n| 华东 | 12 |"))
	thread := u.thread()
	if len(thread) != 2 || strings.Contains(string(thread[0].Blocks), `"plan"`) || !strings.Contains(thread[0].Shown(), "Working on it …") {
		t.Errorf("work = %+v", thread)
	}
	if got := thread[1].Shown(); !strings.Contains(got, "region  sold\n------  ----\n华东      12") {
		t.Errorf("answer = %q, want the table as text", got)
	}
}

// Who deletes the message that the thread begins with while its Run works leaves neither an
// open stream nor a session at work: Slack takes no state of such a thread, but with the end
// of the stream it does, which waits for no answer that never comes.
func TestADeletedRequestEndsItsStreamAndSessionAtOnce(t *testing.T) {
	for name, streamed := range map[string]bool{"a stream": true, "a message": false} {
		t.Run(name, func(t *testing.T) {
			u := newTurn(t, newRig(t, setup{still: true, idle: true}))
			if !streamed {
				u.fake.Fail(fakeslack.Fault{Method: "chat.startStream", Error: "not_allowed_token_type", Times: -1})
			}
			u.shows(1, false)
			u.s.Settle()
			if got := u.fake.Channel("sales").Status(u.asked.TS); got != "processing" {
				t.Fatalf("the session is %q, want it at work", got)
			}
			u.must(u.fake.Human("ana").Delete(u.asked))
			p := u.plan(1, true)
			p.Plan, p.Text = &bot.Plan{Title: "The request was taken back.", Over: true}, "The request was taken back."
			u.deliver(p)
			u.deliver(bot.Post{Key: u.run + "/out", Rev: 1, Place: u.at, Of: u.run, Gone: true, Attempt: 1})
			u.s.Settle()
			for _, m := range u.fake.Channel("sales").Messages() {
				if m.Streaming == fakeslack.Streaming {
					t.Errorf("the stream is open: %+v", m)
				}
			}
			want := "" // at rest
			if !streamed {
				want = "processing" // there is no way; the log says so
			}
			if got := u.fake.Channel("sales").Status(u.asked.TS); got != want {
				t.Errorf("the session is %q, want %q", got, want)
			}
			calls := len(u.fake.Calls("agents.sessions.setStatus"))
			u.pass(5 * time.Minute)
			if more := len(u.fake.Calls("agents.sessions.setStatus")) - calls; more != 0 {
				t.Errorf("the state of the thread is said %d times more", more)
			}
		})
	}
}
