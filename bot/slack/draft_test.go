package slack_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/fakeslack"
)

// drafts shows a Progress with more and more of the answer, as the bot does while it is
// written, and lets each be seen.
func (u *turn) drafts(tasks int, drafts ...string) {
	u.t.Helper()
	p := u.plan(tasks, false)
	for _, d := range drafts {
		p.Draft = d
		if !u.s.Show(p) {
			u.t.Error("the draft was not taken")
		}
		u.pass(2 * time.Second)
	}
}

const drafted = "**Sales** rose in Europe.\n\nMost of it came from headsets, as before."

// An answer that is streamed as it is written is said once: what is left of it ends the
// stream.
func TestADraftBecomesTheAnswer(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	u := newTurn(t, r)
	u.shows(1, false)
	u.drafts(1, drafted[:30], drafted[:50])
	thread := u.thread()
	if len(thread) != 1 || thread[0].Streaming != fakeslack.Streaming || !strings.Contains(thread[0].Shown(), "Most of it") || strings.Contains(thread[0].Shown(), "as before") {
		t.Fatalf("thread = %+v, want what is written so far", thread)
	}
	u.shows(1, true)
	text := drafted + "\n\n| region | sold |\n|---|---|\n| EU | 12 |"
	rc := u.deliver(u.answer(text))
	thread = u.thread()
	if len(thread) != 1 || thread[0].Streaming != fakeslack.Streamed || thread[0].TS != rc.Ref.ID {
		t.Fatalf("thread = %+v, want the sealed stream", thread)
	}
	for _, once := range []string{"rose in Europe", "Most of it came", "as before.", "region", "Look up 0", "3 steps"} {
		if n := strings.Count(thread[0].Shown(), once); n != 1 {
			t.Errorf("%q is there %d times:\n%s", once, n, thread[0].Shown())
		}
	}
	if n := len(r.fake.Calls("chat.update")); n != 0 {
		t.Errorf("%d changes, want the stream alone", n)
	}
}

// Where the answer is another than what was written first, it takes its place, with
// what was done; and who asks Slack for it finds it.
func TestAnAnswerReplacesAnotherDraft(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	u := newTurn(t, r)
	u.shows(1, false)
	u.drafts(1, "I have posted it to everybody in #sales just now. ")
	u.shows(1, true)
	p := u.answer("Nothing was posted yet.")
	rc := u.deliver(p)
	thread := u.thread()
	if len(thread) != 1 || thread[0].TS != rc.Ref.ID || thread[0].Streaming == fakeslack.Streaming {
		t.Fatalf("thread = %+v, want one message that is the answer", thread)
	}
	shown := thread[0].Shown()
	if strings.Contains(shown, "I have posted") || !strings.Contains(shown, "Nothing was posted yet.") || !strings.Contains(shown, "Look up 0") {
		t.Errorf("shown:\n%s\nwant the answer and what was done, and not the draft", shown)
	}
	if got, ok, err := r.s.Find(r.ctx(), p); err != nil || !ok || got.Ref != rc.Ref {
		t.Errorf("Find = %+v, %v, %v; want the message", got, ok, err)
	}
	u.pass(time.Minute)
	if again := u.thread(); len(again) != 1 || again[0].Shown() != shown {
		t.Errorf("thread = %+v, want it left alone", again)
	}
}

// What a model says before it calls a tool does not keep its answer from being seen as it
// is written; in the end the answer stands alone.
func TestADraftBehindWordsBeforeACall(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	u := newTurn(t, r)
	u.shows(1, false)
	u.drafts(1, "Let me look up the sales.")
	u.drafts(2, "Sales rose", "Sales rose in Europe")
	thread := u.thread()
	if got := thread[0].Shown(); len(thread) != 1 || strings.Count(got, "Let me look up") != 1 || strings.Count(got, "Sales rose in Europe") != 1 || strings.Count(got, "Sales rose") != 1 {
		t.Fatalf("thread = %+v, want both, each once", thread)
	}
	u.shows(2, true)
	u.deliver(u.answer("Sales rose in Europe, most of all."))
	u.pass(time.Minute)
	thread = u.thread()
	if got := thread[0].Shown(); len(thread) != 1 || strings.Contains(got, "Let me look up") || strings.Count(got, "Sales rose in Europe") != 1 {
		t.Errorf("thread = %+v, want the answer alone", thread)
	}
}

// Whatever goes wrong with the change, the answer is there once and no draft is.
func TestADraftNeverStaysBesideItsAnswer(t *testing.T) {
	for name, f := range map[string]fakeslack.Fault{
		"update: refused":  {Method: "chat.update", Error: "edit_window_closed"},
		"update: cut":      {Method: "chat.update", Cut: true},
		"update: 500":      {Method: "chat.update", Status: 500},
		"update: 429":      {Method: "chat.update", Status: 429, RetryAfter: 5},
		"update: no ts":    {Method: "chat.update", Body: `{"ok":true}`},
		"stop: 429":        {Method: "chat.stopStream", Status: 429, RetryAfter: 5},
		"stop: cut":        {Method: "chat.stopStream", Cut: true},
		"stop: 500":        {Method: "chat.stopStream", Status: 500},
		"append: cut":      {Method: "chat.appendStream", Cut: true},
		"stop: not a one":  {Method: "chat.stopStream", Error: "message_not_in_streaming_state"},
		"blocks: no plans": {Method: "chat.update", Error: "invalid_blocks"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{still: true, idle: true})
			u := newTurn(t, r)
			u.shows(1, false)
			if strings.HasPrefix(name, "append") {
				r.fake.Fail(f)
			}
			u.drafts(1, "I have posted it to everybody in #sales just now. ", "I have posted it to everybody in #sales just now. And more.")
			u.shows(1, true)
			if !strings.HasPrefix(name, "append") {
				r.fake.Fail(f)
			}
			u.deliver(u.answer("Nothing was posted yet."))
			u.pass(3 * time.Minute)
			var all string
			for _, m := range u.thread() {
				all += m.Shown() + "\n"
				if m.Streaming == fakeslack.Streaming {
					t.Errorf("%s is still open", m.TS)
				}
			}
			if strings.Count(all, "Nothing was posted yet.") != 1 || strings.Contains(all, "I have posted") {
				t.Errorf("shown:\n%s\nwant the answer once and no draft", all)
			}
		})
	}
}

// Where there is no stream the message of the work shows the draft, until the answer is
// there.
func TestADraftInAMessage(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	r.fake.Fail(fakeslack.Fault{Method: "chat.startStream", Error: "unknown_method", Times: -1})
	u := newTurn(t, r)
	u.shows(1, false)
	u.drafts(1, drafted[:30], drafted+" <@U0LEO0001> <!here>")
	thread := u.thread()
	if len(thread) != 1 || !strings.Contains(thread[0].Shown(), "as before. ") || strings.Contains(thread[0].Shown(), "<@U0LEO0001>") || strings.Contains(thread[0].Shown(), "<!here>") {
		t.Fatalf("thread = %+v, want what is written so far, calling nobody", thread)
	}
	u.drafts(1, "")
	if thread = u.thread(); strings.Contains(thread[0].Shown(), "as before") {
		t.Errorf("thread = %+v, want no draft that began anew", thread)
	}
	u.drafts(1, drafted)
	u.shows(1, true)
	u.deliver(u.answer(drafted))
	u.pass(5 * time.Second)
	thread = u.thread()
	if len(thread) != 2 || strings.Contains(thread[0].Shown(), "as before") || !strings.Contains(thread[1].Shown(), "as before") {
		t.Errorf("thread = %+v, want the work and then the answer", thread)
	}
}

// Of a run that another process has shown, nothing can be shown here.
func TestShowsOnlyItsOwn(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	u := newTurn(t, r)
	if u.s.Show(u.plan(1, false)) {
		t.Error("shown without a first post")
	}
	if len(u.thread()) != 0 {
		t.Errorf("thread = %+v", u.thread())
	}
	u.shows(1, false)
	old := u.plan(1, false)
	old.Rev = 0
	newer := u.plan(3, false)
	if !u.s.Show(newer) || !u.s.Show(old) {
		t.Error("not shown")
	}
	u.pass(2 * time.Second)
	if got := u.thread()[0].Shown(); !strings.Contains(got, "Look up 2") {
		t.Errorf("shown %q, want the newest", got)
	}
}
