package slack_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/bot"
	"hermes/internal/fakeslack"
)

func salesThread(t *testing.T, r *rig) (fakeslack.Message, bot.Place) {
	t.Helper()
	m, _ := r.say("sales", "@hermes report, please")
	return m, place(m)
}

// O1: a post that Slack took, and then cut the connection, is not posted again: its
// outcome is unknown, it is found by its key, and there is one message.
func TestO1CutAfterPosting(t *testing.T) {
	for name, f := range map[string]fakeslack.Fault{
		"connection cut":     {Cut: true},
		"answer broken off":  {Body: `{"ok":true,"channel":"C0SA`},
		"ok without a ts":    {Body: `{"ok":true}`},
		"not ok, no error":   {Body: `{"ok":false}`},
		"a page of HTML":     {Body: "<html>proxy</html>"},
		"http 500 after all": {Body: ""}, // set below: it has no effect, and nobody knows
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{idle: true})
			m, at := salesThread(t, r)
			f.Method = "chat.postMessage"
			applied := true
			if !f.Cut && f.Body == "" {
				f.Status, applied = 500, false
			}
			r.fake.Fail(f)
			p := bot.Post{Key: "run/1/answer", Place: at, Text: "The report.", Attempt: 1}
			if _, err := r.s.Post(r.ctx(), p); !errors.Is(err, bot.ErrUnknown) {
				t.Fatalf("Post = %v, want ErrUnknown", err)
			}
			rc, ok, err := r.s.Find(r.ctx(), p)
			if err != nil || ok != applied {
				t.Fatalf("Find = %+v, %v, %v; want found to be %v", rc, ok, err, applied)
			}
			if !ok {
				rc = r.post(p)
			}
			thread := r.fake.Channel("sales").Thread(m.TS)
			if len(thread) != 2 || thread[1].TS != rc.Ref.ID || rc.Ref.Place != at {
				t.Errorf("thread = %+v, receipt = %+v; want one message, pointed at", thread, rc)
			}
		})
	}
}

// O1: the same in the channel itself, and by a process that knows nothing of the
// try, with many messages after it.
func TestO1FoundAfterRestart(t *testing.T) {
	r := newRig(t, setup{idle: true})
	at := bot.Place{Platform: "slack", Workspace: fakeslack.Team, Channel: r.fake.Channel("sales").ID()}
	r.fake.Fail(fakeslack.Fault{Method: "chat.postMessage", Cut: true})
	p := bot.Post{Key: "slot/monthly/2026-10", Place: at, Text: "October.", Attempt: 1}
	_, err := r.s.Post(r.ctx(), p)
	if !errors.Is(err, bot.ErrUnknown) {
		t.Fatalf("Post = %v, want ErrUnknown", err)
	}
	for i := range 450 {
		r.say("sales", fmt.Sprint("line ", i))
	}
	r.s = r.build(setup{})
	if _, ok, err := r.s.Find(r.ctx(), p); err != nil || !ok {
		t.Errorf("Find = %v, %v, want it found", ok, err)
	}
	p.Key = "slot/monthly/2026-11"
	if _, ok, err := r.s.Find(r.ctx(), p); err != nil || ok {
		t.Errorf("Find of another = %v, %v, want certainly none", ok, err)
	}
	r.fake.Fail(fakeslack.Fault{Method: "conversations.history", Status: 500})
	if _, _, err := r.s.Find(r.ctx(), p); err == nil {
		t.Error("Find = nil although Slack cannot be read")
	}
}

// O1: what is found with an older content is changed, not posted again.
func TestO1FoundOlderRev(t *testing.T) {
	r := newRig(t, setup{idle: true})
	m, at := salesThread(t, r)
	r.fake.Fail(fakeslack.Fault{Method: "chat.postMessage", Cut: true})
	p := bot.Post{Key: "k", Place: at, Text: "Working.", Kind: bot.Progress, Attempt: 1}
	_, _ = r.s.Post(r.ctx(), p)
	p.Rev, p.Kind, p.Text, p.Attempt = 3, bot.Answer, "Done.", 2
	if _, ok, err := r.s.Find(r.ctx(), p); err != nil || !ok {
		t.Fatalf("Find = %v, %v, want it found", ok, err)
	}
	thread := r.fake.Channel("sales").Thread(m.TS)
	if len(thread) != 2 || thread[1].Shown() != "Done." {
		t.Errorf("thread = %+v, want the newer content in one message", thread)
	}
}

// O2, SLK-07: an answer of any length is visible in whole, over several messages or as a
// file, with its footer.
func TestO2AnswersOfAnyLength(t *testing.T) {
	for _, n := range []int{1, 2900, 3100, 12100, 13300, 44000, 60000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			r := newRig(t, setup{idle: true})
			m, at := salesThread(t, r)
			text := prose(n)
			rc := r.post(bot.Post{Key: "long", Place: at, Text: text, Footer: "7 steps", Attempt: 1})
			thread := r.fake.Channel("sales").Thread(m.TS)[1:]
			if thread[0].TS != rc.Ref.ID {
				t.Errorf("Ref = %s, want the first part", rc.Ref.ID)
			}
			var shown strings.Builder
			for _, p := range thread {
				shown.WriteString(p.Shown())
			}
			for _, f := range r.fake.Files() {
				shown.Write(f.Bytes)
				if f.Thread != m.TS {
					t.Errorf("file %s in thread %q, want %s", f.Name, f.Thread, m.TS)
				}
			}
			if missing := lacks(shown.String(), text); missing != "" {
				t.Errorf("%q is not shown", missing)
			}
			if !strings.Contains(shown.String(), "7 steps") {
				t.Error("the footer is not shown")
			}
			if wantFile := n > 44000; wantFile != (len(r.fake.Files()) == 1) {
				t.Errorf("%d files, want one: %v", len(r.fake.Files()), wantFile)
			}
		})
	}
}

// O2: a long answer that was cut off between two parts goes on where it was, also
// with its file.
func TestO2PartsAreNotRepeated(t *testing.T) {
	for _, n := range []int{30000, 60000} {
		r := newRig(t, setup{idle: true})
		m, at := salesThread(t, r)
		p := bot.Post{Key: "long", Place: at, Text: prose(n), Attempt: 1}
		method, skip := "chat.postMessage", 1
		if n > 46000 {
			method, skip = "files.completeUploadExternal", 0
		}
		r.fake.Fail(fakeslack.Fault{Method: method, Skip: skip, Cut: true})
		if _, err := r.s.Post(r.ctx(), p); !errors.Is(err, bot.ErrUnknown) {
			t.Fatalf("Post = %v, want ErrUnknown", err)
		}
		p.Attempt = 2
		if _, ok, err := r.s.Find(r.ctx(), p); err != nil {
			t.Fatal(err)
		} else if !ok {
			r.post(p)
		}
		shown := map[string]int{}
		for _, m := range r.fake.Channel("sales").Thread(m.TS)[1:] {
			shown[m.Shown()]++
		}
		for text, times := range shown {
			if times != 1 {
				t.Errorf("%d characters: a part is there %d times: %.40q", n, times, text)
			}
		}
		if n == 30000 && len(shown) != 3 {
			t.Errorf("%d parts, want 3", len(shown))
		}
	}
}

// prose is n characters of paragraphs, each of which is there once.
func prose(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "Paragraph %d says that region %d sold %d.\n\n", i, i%7, i*i)
	}
	return b.String()[:n]
}

// lacks returns a paragraph of text that shown lacks.
func lacks(shown, text string) string {
	for p := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if !strings.Contains(shown, strings.TrimSpace(p)) {
			return p
		}
	}
	return ""
}

// A change of what is gone is said anew, except for what was only under way.
func TestChangeOfWhatIsGone(t *testing.T) {
	r := newRig(t, setup{idle: true})
	m, at := salesThread(t, r)
	gone := bot.Ref{Place: at, ID: "1700000000.000001"}
	rc := r.post(bot.Post{Key: "a", Rev: 1, Place: at, Text: "Done.", Delivered: &gone})
	if thread := r.fake.Channel("sales").Thread(m.TS); len(thread) != 2 || thread[1].TS != rc.Ref.ID {
		t.Errorf("thread = %+v, want the answer anew", thread)
	}
	r.post(bot.Post{Key: "b", Rev: 1, Place: at, Text: "Step 2.", Kind: bot.Progress, Delivered: &gone})
	if thread := r.fake.Channel("sales").Thread(m.TS); len(thread) != 2 {
		t.Errorf("thread = %+v, want no new progress", thread)
	}
}

// O12: a 429 is waited out, for this method and channel alone; nothing is lost, and
// after it the channel gets no more than one post and one change a second.
func TestO12TooManyRequests(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	m, at := salesThread(t, r)
	rc := r.post(bot.Post{Key: "a", Place: at, Text: "one"})
	for _, method := range []string{"chat.postMessage", "chat.update"} {
		r.fake.Fail(fakeslack.Fault{Method: method, Channel: at.Channel, Status: 429, RetryAfter: 10})
	}
	start := r.clock.Now()
	r.post(bot.Post{Key: "b", Place: at, Text: "two"})
	if d := r.clock.Now().Sub(start); d < 10*time.Second {
		t.Errorf("posted after %s, want 10 s at least", d)
	}
	start = r.clock.Now()
	r.post(bot.Post{Key: "a", Rev: 1, Place: at, Text: "one and", Delivered: &rc.Ref})
	if d := r.clock.Now().Sub(start); d < 10*time.Second {
		t.Errorf("changed after %s, want 10 s at least", d)
	}
	start = r.clock.Now()
	for i := range 10 {
		r.post(bot.Post{Key: "a", Rev: 2 + i, Place: at, Text: fmt.Sprint("one and ", i), Delivered: &rc.Ref})
	}
	if d := r.clock.Now().Sub(start); d < 9*time.Second {
		t.Errorf("ten changes in %s, want one a second", d)
	}
	// Another channel does not wait.
	start = r.clock.Now()
	r.post(bot.Post{Key: "c", Place: bot.Place{Platform: "slack", Workspace: fakeslack.Team, Channel: r.fake.Channel("general").ID()}, Text: "hi"})
	if d := r.clock.Now().Sub(start); d != 0 {
		t.Errorf("another channel waited %s", d)
	}
	thread := r.fake.Channel("sales").Thread(m.TS)
	if len(thread) != 3 || thread[1].Shown() != "one and 9" || thread[2].Shown() != "two" {
		t.Errorf("thread = %+v", thread)
	}
}

// O12: what Slack wants later than we wait goes back to the outbox as busy, though
// not before half a minute, and nobody asks Slack meanwhile.
func TestO12LongWaitIsBusy(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	_, at := salesThread(t, r)
	r.fake.Fail(fakeslack.Fault{Method: "chat.postMessage", Status: 429, RetryAfter: 80})
	for range 2 {
		if _, err := r.s.Post(r.ctx(), bot.Post{Key: "a", Place: at, Text: "x"}); !errors.Is(err, bot.ErrBusy) {
			t.Errorf("Post = %v, want ErrBusy", err)
		}
	}
	if n := len(r.fake.Calls("chat.postMessage")); n != 1 {
		t.Errorf("%d calls, want 1", n)
	}
	if w := r.waited(); len(w) != 2 || w[0] != 30*time.Second || w[1] != 30*time.Second {
		t.Errorf("waited %v, want twice 30 s", w)
	}
	r.post(bot.Post{Key: "a", Place: at, Text: "x"})
}

// A post is never held back for caution in a conversation of common pace; a flood
// goes at one a second.
func TestPaceOfAFlood(t *testing.T) {
	r := newRig(t, setup{still: true, idle: true})
	_, at := salesThread(t, r)
	for i := range 60 {
		r.post(bot.Post{Key: fmt.Sprint(i), Place: at, Text: "x"})
	}
	if w := r.waited(); len(w) != 0 {
		t.Errorf("waited %v in a burst, want no wait", w)
	}
	for i := range 5 {
		r.post(bot.Post{Key: fmt.Sprint("more", i), Place: at, Text: "x"})
	}
	if w := r.waited(); len(w) != 5 {
		t.Errorf("waited %v after a burst, want a second each", w)
	}
}

// What Slack refuses is refused, with Slack's own word for it.
func TestRefusals(t *testing.T) {
	r := newRig(t, setup{idle: true})
	in := func(channel string) bot.Place {
		return bot.Place{Platform: "slack", Workspace: fakeslack.Team, Channel: channel}
	}
	old := r.fake.AddChannel(fakeslack.Channel{Name: "old", Archived: true, Members: []string{fakeslack.BotUser}})
	general := r.fake.Channel("general").ID()
	tests := map[string]struct {
		post  bot.Post
		fault string
		word  string
		want  error
	}{
		"no such channel":    {bot.Post{Place: in("C0NOWHERE"), Text: "x"}, "", "channel_not_found", bot.ErrRefused},
		"private, not in it": {bot.Post{Place: in("C0BOARD01"), Text: "x"}, "", "channel_not_found", bot.ErrRefused},
		"not a member":       {bot.Post{Place: in(r.fake.Channel("random").ID()), Text: "x"}, "", "not_in_channel", bot.ErrRefused},
		"archived":           {bot.Post{Place: in(old), Text: "x"}, "", "is_archived", bot.ErrRefused},
		"scope":              {bot.Post{Place: in(general), Text: "x"}, "missing_scope", "missing_scope", bot.ErrRefused},
		"token":              {bot.Post{Place: in(general), Text: "x"}, "invalid_auth", "invalid_auth", bot.ErrShut},
		"token revoked":      {bot.Post{Place: in(general), Text: "x"}, "token_revoked", "token_revoked", bot.ErrShut},
		"unheard of":         {bot.Post{Place: in(general), Text: "x"}, "restricted_action", "restricted_action", bot.ErrRefused},
		"Slack is down":      {bot.Post{Place: in(general), Text: "x"}, "service_unavailable", "service_unavailable", bot.ErrBusy},
		"Slack broke":        {bot.Post{Place: in(general), Text: "x"}, "internal_error", "internal_error", bot.ErrUnknown},
		"nothing to say":     {bot.Post{Place: in(general)}, "", "empty", bot.ErrRefused},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.fault != "" {
				r.fake.Fail(fakeslack.Fault{Method: "chat.postMessage", Error: tt.fault})
			}
			tt.post.Key = name
			_, err := r.s.Post(r.ctx(), tt.post)
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.word) {
				t.Errorf("Post = %v, want %v and the word %s", err, tt.want, tt.word)
			}
		})
	}
}

// A house that cannot be reached has certainly heard nothing.
func TestUnreachableIsBusy(t *testing.T) {
	r := newRig(t, setup{idle: true})
	_, at := salesThread(t, r)
	r.fake.Close()
	if _, err := r.s.Post(r.ctx(), bot.Post{Key: "a", Place: at, Text: "x"}); !errors.Is(err, bot.ErrBusy) {
		t.Errorf("Post = %v, want ErrBusy", err)
	}
}

// What Slack puts into its answer and the library cannot read makes no failure of a
// post that was made.
func TestUnknownBlocksInTheAnswer(t *testing.T) {
	r := newRig(t, setup{idle: true})
	_, at := salesThread(t, r)
	r.fake.Fail(fakeslack.Fault{Method: "chat.postMessage", Body: `{"ok":true,"channel":"` + at.Channel + `","ts":"1800000000.000100",
		"message":{"ts":"1800000000.000100","thread_ts":"` + at.Thread + `","blocks":[{"type":"actions","elements":[{"type":"hologram"}]}],
		"attachments":[{"blocks":[{"type":"actions","elements":[{"type":"hologram"}]}]}]},"errors":{"odd":1}}`})
	rc := r.post(bot.Post{Key: "a", Place: at, Text: "x"})
	if rc.Ref.ID != "1800000000.000100" || rc.Ref.Place != at {
		t.Errorf("receipt = %+v", rc)
	}
}

// A link that Slack does not give fails no post.
func TestLinkIsNoReasonToFail(t *testing.T) {
	r := newRig(t, setup{})
	r.connected()
	_, at := salesThread(t, r)
	r.fake.Fail(fakeslack.Fault{Method: "chat.getPermalink", Status: 500})
	rc := r.post(bot.Post{Key: "a", Place: at, Text: "x", Run: "run/1"})
	again := r.post(bot.Post{Key: "b", Place: at, Text: "x", Run: "run/1"})
	if len(r.fake.Calls("chat.getPermalink")) != 2 || rc.Link == "" || strings.Count(again.Link, "/") != strings.Count(rc.Link, "/") {
		t.Errorf("links = %q and %q, want our own and Slack's alike", rc.Link, again.Link)
	}
}
