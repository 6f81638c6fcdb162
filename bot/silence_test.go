package bot_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
)

// O10: whatever becomes of something that was said, there is a post, with a trace id
// where something has failed, or a reason in the log why there is none. Nothing ends
// in both or in neither.
func TestO10NothingEndsInSilence(t *testing.T) {
	said := func(change func(*bot.Message)) bot.Message {
		m := bot.Message{Key: "m1", Place: here, From: ana, Name: "Ana", Text: "export the list", Addressed: true, At: time.Now()}
		change(&m)
		return m
	}
	empty := map[string][]llm.Reply{"m1": {says(""), says(""), says("")}}
	for name, tt := range map[string]struct {
		setup  setup
		m      func(*bot.Message)
		after  func(*rig)
		post   string // key of the post
		text   string // part of it
		trace  bool
		ignore string
	}{
		"an answer":             {post: "m1/end", text: "done with"},
		"small talk":            {m: func(m *bot.Message) { m.Text = "hi" }, post: "m1/end", text: "done with"},
		"a command":             {m: func(m *bot.Message) { m.Text = "help" }, post: "m1/help"},
		"called without a word": {m: func(m *bot.Message) { m.Text = "" }, post: "m1/help"},
		"an empty completion, three times": {
			setup: setup{says: empty}, post: "m1/end", text: "The model gave no answer, and its tools found nothing.", trace: true,
		},
		"empty small talk":      {setup: setup{says: empty}, m: func(m *bot.Message) { m.Text = "hi" }, post: "m1/end", text: "The model gave no answer", trace: true},
		"an error of the agent": {setup: setup{agent: (&poisoned{err: errors.New("no such table"), until: 1000}).around}, post: "m1/failed", text: "I could not answer", trace: true},
		"refused":               {setup: setup{agent: (&poisoned{err: run.ErrRefused, until: 1000}).around}, post: "m1/failed", text: "I could not answer", trace: true},
		"a card":                {setup: setup{says: map[string][]llm.Reply{"m1": {both()}}}, post: "m1/q1", text: "May I"},
		"stopped":               {m: func(m *bot.Message) { m.Text = "stop" }, post: "m1/stop", text: "Nothing is under way"},
		"not allowed":           {m: func(m *bot.Message) { m.Standing = bot.External }, post: "m1/denied", text: "I work only for"},
		"a standing nobody knows": {
			after: func(r *rig) { r.chat.Forget(errors.New("down")) }, post: "m1/failed", text: "I could not find out", trace: true,
		},
		"missed long ago":            {m: func(m *bot.Message) { m.Missed, m.At = true, m.At.Add(-time.Hour) }, post: "m1/missed", text: "I was away"},
		"missed small talk":          {m: func(m *bot.Message) { m.Missed, m.At, m.Text = true, m.At.Add(-time.Hour), "hi" }, ignore: "of long ago, and past"},
		"a missed command":           {m: func(m *bot.Message) { m.Missed, m.At, m.Text = true, m.At.Add(-time.Hour), "help" }, ignore: "of long ago, and past"},
		"a missed stop of nothing":   {m: func(m *bot.Message) { m.Missed, m.At, m.Text = true, m.At.Add(-time.Hour), "stop" }, ignore: "of long ago, and past"},
		"people talk in a channel":   {m: func(m *bot.Message) { m.Addressed = false }, ignore: "not for the bot"},
		"people talk to another":     {m: func(m *bot.Message) { m.Addressed, m.InThread, m.Text = false, true, "<@U5> see?" }, ignore: "not for the bot"},
		"people talk in its thread":  {m: func(m *bot.Message) { m.Addressed, m.InThread, m.Text, m.From = false, true, "nice numbers", gus }, ignore: "colleagues talk"},
		"another bot":                {m: func(m *bot.Message) { m.Standing = bot.Machine }, ignore: "of another bot"},
		"an edit of what is unknown": {m: func(m *bot.Message) { m.Edits, m.Text = "m0", "" }, ignore: "nothing is left of it"},
		"a command of the platform":  {m: func(m *bot.Message) { m.Via, m.Text, m.Addressed = bot.ByCommand, "", false }, post: "m1/help"},
		"a message of somebody": {
			m: func(m *bot.Message) {
				m.Via, m.Text, m.Addressed, m.About = bot.ByShortcut, "", false, &bot.Quote{Text: "x"}
			}, post: "m1/end",
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, tt.setup)
				if tt.after != nil {
					tt.after(r)
				}
				if tt.m == nil {
					tt.m = func(*bot.Message) {}
				}
				r.receive(said(tt.m))
				pass(time.Minute)
				posts := r.chat.Posts()
				if tt.ignore != "" {
					if got := r.heard.ignored(); len(posts) != 0 || len(got) != 1 || got[0] != tt.ignore {
						t.Errorf("%d posts, ignored %q; want %q", len(posts), got, tt.ignore)
					}
					return
				}
				got := r.shows(tt.post)
				if !strings.Contains(got.Text, tt.text) || len(r.heard.ignored()) != 0 {
					t.Errorf("%s = %q, ignored %q; want %q", tt.post, got.Text, r.heard.ignored(), tt.text)
				}
				if tt.trace && !strings.Contains(got.Footer, run.TraceOf("m1")) {
					t.Errorf("its footer %q has no trace", got.Footer)
				}
				if left := r.in.Waiting(); len(left) != 0 {
					t.Errorf("%q has not ended", left)
				}
			})
		})
	}
}

// S17: ten messages in each of five threads, all at once: each thread keeps its order,
// and threads do not wait for each other.
func TestS17ThreadsKeepTheirOrderAndRunSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		r.brain.gate = make(chan struct{})
		places := make([]bot.Place, 5)
		for i := range places {
			places[i] = bot.Place{Platform: "slack", Workspace: "T1", Channel: "C1", Thread: fmt.Sprint(i)}
		}
		for n := range 10 {
			for i, p := range places {
				m := bot.Message{Key: fmt.Sprintf("t%d/%d", i, n), Place: p, From: ana, Text: "export slowly", Addressed: true, At: time.Now()}
				if err := r.bot.Receive(t.Context(), m); err != nil {
					t.Fatal(err)
				}
			}
		}
		synctest.Wait()
		if n := r.brain.runs(); n != len(places) {
			t.Errorf("%d at work at once, want one of each thread", n)
		}
		close(r.brain.gate)
		for i, p := range places {
			got := slices.DeleteFunc(r.said(p), func(text string) bool { return strings.HasPrefix(text, "Queued") })
			if len(got) != 10 {
				t.Fatalf("thread %d has %d answers: %q", i, len(got), got)
			}
			for n, text := range got {
				if want := fmt.Sprintf("done with t%d/%d", i, n); text != want {
					t.Errorf("answer %d of thread %d = %q, want %q", n, i, text, want)
				}
			}
		}
	})
}
