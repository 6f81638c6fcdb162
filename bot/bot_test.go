package bot_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/bot/bottest"
	"hermes/scheduler"
)

// S7: a message is answered once, however often it comes and though the program
// dies before it has noted that.
func TestS7AMessageIsAnsweredOnceHoweverOftenItComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		r.in.forget = 1
		for range 3 {
			r.hear("m1", here, "export the list")
		}
		r.in.Restart()
		r.hear("m1", here, "export the list")
		if d := cmp.Diff([]string{"done with m1"}, r.said(here)); d != "" {
			t.Errorf("said (-want +got):\n%s", d)
		}
		if n := len(r.brain.requests()); n != 1 {
			t.Errorf("the model was asked %d times, want once", n)
		}
		if left := r.in.Waiting(); len(left) != 0 {
			t.Errorf("%q has not ended", left)
		}
	})
}

// What people say to each other is kept and not answered.
func TestAnIgnoredMessageIsKeptAndSaysNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		want := bot.Message{Key: "m1", Place: here, From: ana, Text: "export the list", At: time.Now(), Raw: []byte("raw")}
		r.receive(want)
		it, ok := r.in.item("m1")
		if !ok || cmp.Diff(&want, it.Message) != "" {
			t.Errorf("kept %+v, want the message", it)
		}
		if left := r.in.Waiting(); len(left) != 0 {
			t.Errorf("%q has not ended", left)
		}
		if posts := r.chat.Posts(); len(posts)+len(r.brain.requests()) != 0 {
			t.Errorf("%d posts and %d questions to the model, want neither", len(posts), len(r.brain.requests()))
		}
	})
}

// What the router calls a message decides with what it is answered: a friendly word
// without tools, the rest with them, a command without a model.
func TestAnIntentDecidesWithWhatItIsAnswered(t *testing.T) {
	for text, want := range map[string]string{
		"good morning":                  "words",
		"早上好":                           "words",
		"what were last month's sales?": "tools",
		"export the list":               "tools",
		"把上个月的销售数据按地区汇总": "tools",
		"help":                            "nothing",
		"帮助":                              "nothing",
		"I want CSV from now on, please.": "tools",
	} {
		t.Run(text, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{})
				r.hear("m1", here, text)
				got := "nothing"
				for _, q := range r.brain.requests() {
					got = "tools"
					if len(q.Tools) == 0 {
						got = "words"
					}
				}
				if got != want {
					t.Errorf("the model was asked with %s, want %s", got, want)
				}
				if n := len(r.said(here)); n != 1 {
					t.Errorf("%d answers, want 1", n)
				}
				if want == "words" {
					if m := r.run("m1"); !m.NoTools || !m.Light {
						t.Errorf("the run may use tools: %t, has the long prompt: %t", !m.NoTools, !m.Light)
					}
				}
			})
		})
	}
}

// A command gets help in the language of its text.
func TestHelpComesInTheLanguageOfTheText(t *testing.T) {
	for text, want := range map[string]string{"help": "Call me by name", "帮助": "点名叫我"} {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, setup{})
			r.hear("m1", here, text)
			if got := r.said(here); len(got) != 1 || !strings.Contains(got[0], want) {
				t.Errorf("%s is answered with %q, want it to say %q", text, got, want)
			}
		})
	}
}

// Progress appears at once, is changed in place with a Rev that grows, and ends with
// the run. Its Stop button goes with it.
func TestProgressAppearsIsEditedAndEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		r.brain.gate = make(chan struct{})
		r.hear("m1", here, "export slowly")
		first := r.chat.Posts()[0]
		if first.Key != "m1/progress" || first.Kind != bot.Progress || !strings.HasPrefix(first.Text, "Working on it …") {
			t.Errorf("first post = %q %q %q, want the progress", first.Key, first.Kind, first.Text)
		}
		now := r.shows("m1/progress")
		if !strings.Contains(now.Text, "\n✓ ") || !strings.HasSuffix(now.Text, ": sales") {
			t.Errorf("progress = %q, want the step that is done", now.Text)
		}
		if len(now.Choices) != 1 || now.Choices[0].ID != "stop:m1" {
			t.Errorf("its buttons = %+v, want one that stops m1", now.Choices)
		}
		close(r.brain.gate)
		last := r.shows("m1/progress")
		if !strings.HasPrefix(last.Text, "Done in 2 steps\n✓ ") || len(last.Choices) != 0 || last.Rev <= now.Rev {
			t.Errorf("last = %q with %d buttons and Rev %d after %d, want it done, without any", last.Text, len(last.Choices), last.Rev, now.Rev)
		}
		rev := first.Rev
		for _, e := range r.chat.Edits() {
			if e.Rev <= rev || e.Delivered.ID != "m1/progress" {
				t.Errorf("edit of %v with Rev %d after %d", e.Delivered, e.Rev, rev)
			}
			rev = e.Rev
		}
		if got := r.shows("m1/end"); got.Text != "done with m1" || got.Footer != "script · 2 steps · trace "+run.TraceOf("m1") {
			t.Errorf("answer = %q, footer %q", got.Text, got.Footer)
		}
	})
}

// S7: a thread knows at once that the work goes on after the program died in it, however
// long the next step takes, in its language; and what it shows later says no more of it.
func TestS7TheThreadKnowsThatItGoesOn(t *testing.T) {
	for text, want := range map[string]string{"export slowly": "Interrupted, and going on: ", "export slowly 数据": "中断过，现在继续："} {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, setup{})
			r.brain.gate = make(chan struct{})
			r.hear("m1", here, text)
			before := r.shows("m1/progress")
			if strings.Contains(before.Text+before.Plan.Title, want) {
				t.Errorf("it says %q before anything has happened", before.Text)
			}
			r.in.Restart() // its process has died
			synctest.Wait()
			again := r.shows("m1/progress")
			if again.Text != want+before.Text || again.Plan.Title != want+before.Plan.Title || again.Rev <= before.Rev {
				t.Errorf("it shows %q %q with Rev %d after %d, want %q before what was", again.Text, again.Plan.Title, again.Rev, before.Rev, want)
			}
			close(r.brain.gate)
			pass(time.Minute)
			if last := r.shows("m1/progress"); strings.Contains(last.Text+last.Plan.Title, want) || !last.Plan.Over || last.Rev <= again.Rev {
				t.Errorf("in the end it shows %q %q", last.Text, last.Plan.Title)
			}
		})
	}
}

// A quick answer to a question has no progress; one that had to ask shows it to its
// end, and does not wait for a decision for ever.
func TestProgressOfAQuestionThatAskedEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{says: map[string][]llm.Reply{"m1": {says("", call("ask", `{"question":"Which?","choices":["Asia","Europe"]}`)), says("seven")}}})
		r.hear("m0", there, "what were last month's sales?")
		if _, ok := r.chat.Shows("m0/progress"); ok {
			t.Error("a quick answer has progress")
		}
		r.hear("m1", here, "what were last month's sales?")
		if got := r.shows("m1/progress").Text; !strings.HasPrefix(got, "Waiting for a decision") {
			t.Errorf("progress = %q, want it to wait", got)
		}
		r.press(here, ana, "m1/q1", "c1")
		got := r.shows("m1/progress")
		if !strings.HasPrefix(got.Text, "Done in 2 steps\n✓ ") || len(got.Choices) != 0 {
			t.Errorf("progress = %q with %d buttons, want it done, without any", got.Text, len(got.Choices))
		}
	})
}

// An answer in words is noted at once, though the conversation is at work on
// something long and no more may be worked on.
func TestAnswerInWordsNeverWaitsBehindTalk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{
			cfg:  bot.Config{AtOnce: 1},
			says: map[string][]llm.Reply{"m1": {says("", call("ask", `{"question":"Which channel?"}`)), says("to that")}},
		})
		r.brain.gate = make(chan struct{})
		r.hear("m1", here, "export the list")
		if got := r.shows("m1/q1"); got.Text != "Which channel?" || len(got.Choices) != 0 {
			t.Fatalf("card = %q with %d buttons", got.Text, len(got.Choices))
		}
		r.receive(bot.Message{Key: "m2", Place: here, From: moe, Text: "export slowly", Addressed: true})
		r.hear("m3", here, "#sales")
		q, err := r.store.Question(t.Context(), "m1/q1")
		if err != nil || q.Answer == nil || q.Answer.Note != "#sales" || q.Answer.By != ana || q.Answer.Key != "m3" {
			t.Fatalf("answer = %+v, %v; want #sales by ana, while m2 is under way", q.Answer, err)
		}
		if it, _ := r.in.item("m3"); it.Lane != bot.Control || it.Answer == nil {
			t.Errorf("kept %+v, want an answer in the lane of control", it)
		}
		close(r.brain.gate)
		if d := cmp.Diff([]string{"Which channel?", "done with m2", "to that"}, r.said(here)); d != "" {
			t.Errorf("said (-want +got):\n%s", d)
		}
		if got := r.shows("m1/q1").Text; got != "Which channel?\n\n**Ana: #sales**" {
			t.Errorf("card = %q, want the answer on it", got)
		}
	})
}

// Words of somebody who was not asked are no answer.
func TestWordsOfAnotherAreNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{says: map[string][]llm.Reply{"m1": {says("", call("ask", `{"question":"Which channel?"}`))}}})
		r.hear("m1", here, "export the list")
		r.receive(bot.Message{Key: "m2", Place: here, From: gus, Text: "#secret"})
		if q, err := r.store.Question(t.Context(), "m1/q1"); err != nil || q.Answer != nil {
			t.Errorf("answer = %+v, %v; want none", q.Answer, err)
		}
	})
}

// Stop ends what is under way, in words and by the button, though the work does not
// wait for it; Continue goes on from there (SAFE-08).
func TestSAFE08StopAndContinue(t *testing.T) {
	for name, stop := range map[string]func(*rig){
		"in words":         func(r *rig) { r.hear("m2", here, "Stop!") },
		"in Chinese words": func(r *rig) { r.hear("m2", here, "停") },
		"by the button":    func(r *rig) { r.click(bot.Click{Place: here, From: ana, Stop: "m1"}) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{})
				r.brain.gate = make(chan struct{})
				r.hear("m1", here, "export slowly")
				stop(r)
				close(r.brain.gate)
				end := r.shows("m1/end")
				if !strings.HasPrefix(end.Text, "Stopped.\n\nWhat I have so far:") || len(end.Choices) != 2 || end.Choices[0].ID != "continue:m1" || end.Choices[1].ID != "abandon:m1" {
					t.Fatalf("end = %q with %+v, want Stopped., Continue and Abandon", end.Text, end.Choices)
				}
				if got := r.shows("m1/progress"); !strings.HasPrefix(got.Text, "Stopped.") || len(got.Choices) != 0 {
					t.Errorf("progress = %q with %d buttons", got.Text, len(got.Choices))
				}
				r.click(bot.Click{Place: desk, From: gus, Continue: "m1"})
				if got := r.whispers(desk, gus); len(got) != 1 || !strings.HasPrefix(got[0], "This is not yours to decide") {
					t.Errorf("a stranger hears %q", got)
				}
				r.click(bot.Click{Place: here, From: ana, Continue: "m1"})
				if got := r.shows("m1/end1").Text; got != "done with m1" {
					t.Errorf("after Continue = %q", got)
				}
				pass(time.Second)
				r.click(bot.Click{Place: here, From: ana, Continue: "m1"})
				if got := r.whispers(here, ana); len(got) != 1 || !strings.HasPrefix(got[0], "This is going on already") {
					t.Errorf("a second Continue hears %q", got)
				}
			})
		})
	}
}

// EXIT-03 Beside Continue stands Abandon, for who may press the other: it ends the run
// for good, takes both buttons away, and a second press of either is told so.
func TestEXIT03Abandon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		r.brain.gate = make(chan struct{})
		r.hear("m1", here, "export slowly")
		r.click(bot.Click{Place: here, From: ana, Stop: "m1"})
		close(r.brain.gate)
		r.click(bot.Click{Place: desk, From: gus, Abandon: "m1"})
		if got := r.whispers(desk, gus); len(got) != 1 || !strings.HasPrefix(got[0], "This is not yours to decide") {
			t.Errorf("a stranger hears %q", got)
		}
		if end := r.shows("m1/end"); len(end.Choices) != 2 {
			t.Fatalf("after a stranger's press there are %d buttons", len(end.Choices))
		}
		r.click(bot.Click{Place: here, From: ana, Abandon: "m1"})
		end := r.shows("m1/end")
		if !strings.HasPrefix(end.Text, "Given up") || len(end.Choices) != 0 || !strings.Contains(end.Footer, "stopped") {
			t.Errorf("end = %q, %q with %d buttons", end.Text, end.Footer, len(end.Choices))
		}
		got, _, err := r.store.Run(t.Context(), "m1")
		if err != nil || got.State != run.Done || got.Status() != run.StatusCancelled {
			t.Errorf("run is %s, %s, %v", got.State, got.Status(), err)
		}
		for i, c := range []bot.Click{{Abandon: "m1"}, {Continue: "m1"}} {
			pass(time.Second)
			c.Place, c.From = here, ana
			r.click(c)
			if got := r.whispers(here, ana); len(got) != i+1 || !strings.HasPrefix(got[i], "This is going on already, or it has ended") {
				t.Errorf("press %d hears %q", i+2, got)
			}
		}
		if got := r.said(here); len(got) != 3 {
			t.Errorf("said %q, want the end and what was whispered", got)
		}
	})
}

// A4: a stop that stops nothing is answered: words where they were said, a press to
// who pressed.
func TestA4AStopOfNothingIsAnswered(t *testing.T) {
	const nothing = "Nothing is under way here."
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		r.hear("m0", here, "stop")
		if d := cmp.Diff([]string{nothing}, r.said(here)); d != "" {
			t.Errorf("said (-want +got):\n%s", d)
		}
		r.hear("m1", here, "export the list")
		r.click(bot.Click{Place: here, From: ana, Stop: "m1"})
		if d := cmp.Diff([]string{nothing}, r.whispers(here, ana)); d != "" {
			t.Errorf("who pressed hears (-want +got):\n%s", d)
		}
		r.brain.gate = make(chan struct{})
		r.hear("m2", there, "export slowly")
		r.click(bot.Click{Place: there, From: gus, Stop: "m2"})
		if got := r.whispers(there, gus); len(got) != 1 || !strings.HasPrefix(got[0], "This is not yours to decide") {
			t.Errorf("a stranger hears %q", got)
		}
		close(r.brain.gate)
		if got := r.shows("m2/end").Text; got != "done with m2" {
			t.Errorf("m2 ended with %q", got)
		}
	})
}

// Two conversations do not wait for each other; two messages in one do.
func TestPlacesDoNotWaitForEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		r.brain.gate = make(chan struct{})
		r.hear("m1", here, "export slowly")
		r.hear("m2", here, "export the list")
		r.hear("m3", there, "export the list")
		if got := append(r.said(here), r.said(there)...); !slices.Equal(got, []string{"done with m3"}) {
			t.Errorf("said %q while m1 is under way, want m3 alone", got)
		}
		close(r.brain.gate)
		if d := cmp.Diff([]string{"done with m1", "done with m2"}, r.said(here)); d != "" {
			t.Errorf("said (-want +got):\n%s", d)
		}
	})
}

// As many conversations are in work as it was told, 256 if nothing was said.
func TestAsManyConversationsAreInWorkAsTold(t *testing.T) {
	for told, want := range map[int]int{0: 256, 2: 2} {
		t.Run(strconv.Itoa(told), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{cfg: bot.Config{AtOnce: told}})
				r.brain.gate = make(chan struct{})
				for i := range want + 3 {
					p := here
					p.Thread = strconv.Itoa(i)
					r.hear("m"+p.Thread, p, "export slowly")
				}
				if got := r.brain.runs(); got != want {
					t.Errorf("%d conversations in work, want %d", got, want)
				}
				close(r.brain.gate)
				synctest.Wait()
				if got := r.brain.runs(); got != want+3 {
					t.Errorf("%d were answered, want %d", got, want+3)
				}
			})
		})
	}
}

// What fails each time has failed after five tries, or at once when it was refused.
// The person hears one sentence with the trace, and the conversation goes on.
func TestWhatCannotBeAnsweredIsSaidInOneSentence(t *testing.T) {
	for name, tt := range map[string]struct {
		err   error
		text  string
		tries int
		after time.Duration
		says  string
	}{
		"broken":            {errors.New("no such table"), "export the list", 5, 15 * time.Second, "I could not answer: something is broken here. An operator can see what."},
		"busy":              {run.ErrBusy, "export the list", 5, 15 * time.Second, "I could not answer: too much is going on. Please ask again later."},
		"saved by another":  {run.ErrStale, "export the list", 5, 15 * time.Second, "I could not answer: something is broken here. An operator can see what."},
		"refused":           {run.ErrRefused, "export the list", 1, 0, "I could not answer: I was refused what I need. Asking again will not help; an operator must look."},
		"broken in Chinese": {errors.New("no such table"), "导出数据", 5, 15 * time.Second, "没能回答：我这里出了故障，管理员可以查到原因。"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &poisoned{err: tt.err, until: 1000}
				r := start(t, setup{agent: p.around})
				r.hear("m1", here, tt.text)
				r.hear("m2", here, "export the list")
				if tt.after > 0 {
					pass(tt.after - time.Second)
					if got := r.said(here); len(got) != 0 {
						t.Errorf("said %q before the last try", got)
					}
					pass(time.Second)
				}
				if d := cmp.Diff([]string{tt.says, "done with m2"}, r.said(here)); d != "" {
					t.Errorf("said (-want +got):\n%s", d)
				}
				got := r.shows("m1/failed")
				if got.Kind != bot.Trouble || !strings.HasSuffix(got.Footer, run.TraceOf("m1")) {
					t.Errorf("failure is a %q with footer %q, want trouble with the trace", got.Kind, got.Footer)
				}
				if p.tries != tt.tries || !slices.Equal(r.in.failed, []string{"m1"}) {
					t.Errorf("tried %d times, failed %q; want %d and m1", p.tries, r.in.failed, tt.tries)
				}
			})
		})
	}
}

// A message that took the program down five times is not tried a sixth time.
func TestAMessageThatKillsIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := bottest.NewInbox()
		if err := in.Add(t.Context(), bot.Item{Key: "m1", Place: here, Lane: bot.Talk, Message: &bot.Message{Key: "m1", Place: here, From: ana, Text: "export", Addressed: true}}); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			if _, err := in.Next(t.Context(), bot.Talk); err != nil {
				t.Fatal(err)
			}
			in.Restart()
		}
		p := &poisoned{}
		chat := &bottest.Platform{}
		b := bot.New(bot.Config{}, bot.Parts{
			Agent: p.around(idle{}), Inbox: in, Outbox: bottest.NewOutbox(), Slots: &slots{}, Chats: map[string]bot.Poster{"slack": chat},
			Now: time.Now, Log: discard,
		})
		ctx, stop := context.WithCancel(t.Context())
		end := make(chan error)
		go func() { end <- b.Run(ctx) }()
		synctest.Wait()
		if got, ok := chat.Shows("m1/failed"); !ok || !strings.HasPrefix(got.Text, "I could not answer") || p.tries != 0 {
			t.Errorf("shows %q after %d more tries, want a sentence and no try", got.Text, p.tries)
		}
		stop()
		if err := <-end; err != nil {
			t.Error(err)
		}
	})
}

// To give up is tried again when it fails: nobody waits for ever.
func TestGivingUpIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &poisoned{err: run.ErrRefused, until: 1000, failFails: 2}
		r := start(t, setup{agent: p.around})
		r.hear("m1", here, "export the list")
		r.hear("m2", here, "export the list")
		pass(10 * time.Second)
		if got := r.said(here); len(got) != 2 || !strings.HasPrefix(got[0], "I could not answer") || got[1] != "done with m2" {
			t.Errorf("said %q, want a sentence and then the other answer", got)
		}
	})
}

// A run that has begun ends when it is given up: its progress too, in its language,
// though what failed was only to go on.
func TestAGivenUpRunEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{says: map[string][]llm.Reply{"m1": {says("", call("ask", `{"question":"哪个频道？"}`)), says("", call("break", `{}`))}}})
		r.store.broken = "break"
		r.hear("m1", here, "导出数据")
		r.hear("m2", here, "#销售")
		pass(15 * time.Second)
		end := r.shows("m1/end")
		if end.Text != "没能完成：我这里出了故障，管理员可以查到原因。" || !strings.Contains(end.Footer, "追踪号 "+run.TraceOf("m1")) || end.Kind != bot.Trouble {
			t.Errorf("end = %q, %q, kind %q", end.Text, end.Footer, end.Kind)
		}
		if got := r.shows("m1/progress"); !strings.HasPrefix(got.Text, "没能完成") || len(got.Choices) != 0 {
			t.Errorf("progress = %q with %d buttons", got.Text, len(got.Choices))
		}
		if got := r.run("m1").State; got != run.Failed {
			t.Errorf("run is %s", got)
		}
	})
}

// What fails for a while is answered when it works again, without a word about it.
func TestWhatFailsForAWhileIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &poisoned{err: run.ErrBusy, until: 3}
		r := start(t, setup{agent: p.around})
		r.hear("m1", here, "export the list")
		pass(7 * time.Second)
		if d := cmp.Diff([]string{"done with m1"}, r.said(here)); d != "" {
			t.Errorf("said (-want +got):\n%s", d)
		}
	})
}

// Run ends in peace with its context, and with an error when it can hear no more.
func TestRunEnds(t *testing.T) {
	gone := errors.New("disk is gone")
	for name, tt := range map[string]struct {
		inbox bot.Inbox
		want  error
		after time.Duration
	}{
		"with its context":           {nil, nil, time.Hour},
		"at once, without its inbox": {deaf{err: gone}, gone, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithTimeout(t.Context(), time.Hour)
				defer stop()
				in := tt.inbox
				if in == nil {
					in = bottest.NewInbox()
				}
				b := bot.New(bot.Config{}, bot.Parts{Agent: idle{}, Inbox: in, Outbox: bottest.NewOutbox(), Now: time.Now, Log: discard})
				began := time.Now()
				if err := b.Run(ctx); !errors.Is(err, tt.want) || time.Since(began) != tt.after {
					t.Errorf("Run = %v after %v, want %v after %v", err, time.Since(began), tt.want, tt.after)
				}
			})
		})
	}
}

// C1, C26: one slot is one run, however often it fires. It answers where its job was
// made, its time is the slot's own in the slot's zone, and it knows its period.
func TestC26ASlotIsOneRunAtItsNominalTime(t *testing.T) {
	shanghai, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(1999, 12, 1, 1, 0, 0, 0, time.UTC) // 9:00 in Shanghai, a month ago
	f := scheduler.Firing{
		Job: scheduler.Job{ID: "j1", Origin: here.String(), To: sales.String(), Owner: ana, Request: "汇总销售", Lang: "zh", Profile: "p"},
		Slot: scheduler.Slot{
			Job: "j1", Zone: "Asia/Shanghai", At: at,
			From: time.Date(1999, 10, 31, 16, 0, 0, 0, time.UTC), To: time.Date(1999, 11, 30, 16, 0, 0, 0, time.UTC),
		},
		Key: "job/j1@1999-12-01T09:00@Asia/Shanghai",
	}
	want := run.Request{
		Key: f.Key, Home: here.String(), Asker: ana, Profile: "p", Text: "汇总销售", Lang: "zh", Zone: "Asia/Shanghai", Job: "j1", Intent: "task",
		Now: time.Date(1999, 12, 1, 9, 0, 0, 0, shanghai), Expect: sales.String(),
		Period: run.Period{From: time.Date(1999, 11, 1, 0, 0, 0, 0, shanghai), To: time.Date(1999, 12, 1, 0, 0, 0, 0, shanghai)},
	}
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		for range 2 {
			if err := r.bot.Fire(t.Context(), f); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		it, _ := r.in.item(f.Key)
		if d := cmp.Diff(&want, it.Request, cmp.Comparer(func(a, b *time.Location) bool { return a.String() == b.String() })); d != "" {
			t.Errorf("request (-want +got):\n%s", d)
		}
		if got := it.Request.Now.Format(time.DateTime); got != "1999-12-01 09:00:00" {
			t.Errorf("its now is %s on the wall, want nine", got)
		}
		if d := cmp.Diff([]string{"done with " + f.Key}, r.said(here)); d != "" {
			t.Errorf("said (-want +got):\n%s", d)
		}
		f.Key, f.Rehearse = f.Key+"/rehearsal/1", true
		if err := r.bot.Fire(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		if it, _ = r.in.item(f.Key); !it.Request.Rehearse || it.Request.Expect != "" {
			t.Errorf("request of a rehearsal = %+v, want it to expect no post", it.Request)
		}
		for _, bad := range []func(*scheduler.Firing){
			func(f *scheduler.Firing) { f.Job.Origin = "general" },
			func(f *scheduler.Firing) { f.Slot.Zone = "Mars/Olympus" },
		} {
			g := f
			bad(&g)
			if err := r.bot.Fire(t.Context(), g); err == nil {
				t.Errorf("fire with origin %q and zone %q = nil, want an error", g.Job.Origin, g.Slot.Zone)
			}
		}
	})
}

// C19, C23: a slot ends as its run does: without the post that was promised it has
// failed, and so it has when the run never began.
func TestC19ASlotEndsAsItsRunDoes(t *testing.T) {
	const key = "job/j1@x"
	post := says("", call("post_message", `{"channel":"#sales"}`))
	for name, tt := range map[string]struct {
		says  []llm.Reply
		agent func(bot.Agent) bot.Agent
		press string
		fails error
		want  []string
	}{
		"said that it is done, and posted nothing": {says: []llm.Reply{says("Posted!")}, want: []string{key + " failed nothing was posted where it should be"}},
		"waits, then is approved and posted": {
			says: []llm.Reply{post}, press: run.Yes,
			want: []string{key + " blocked waits for a decision", key + " ran https://chat.test/job/j1@x/s1c1"},
		},
		"waits, then is denied": {
			says: []llm.Reply{post}, press: run.No,
			want: []string{key + " blocked waits for a decision", key + " failed nothing was posted where it should be"},
		},
		"was approved and refused there": {
			says: []llm.Reply{post}, press: run.Yes, fails: bot.ErrRefused,
			want: []string{key + " blocked waits for a decision", key + " failed not posted: I may not post there, or what was approved has changed"},
		},
		"was busy too often": {agent: (&poisoned{err: run.ErrBusy, until: 1000}).around, want: []string{key + " may pass, anew true busy"}},
		"never began":        {agent: (&poisoned{err: run.ErrRefused, until: 1000}).around, want: []string{key + " failed refused"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				refuses := &refuser{at: sales, err: tt.fails}
				r := start(t, setup{says: map[string][]llm.Reply{key: tt.says}, agent: tt.agent, poster: refuses.around})
				f := scheduler.Firing{
					Job:  scheduler.Job{ID: "j1", Origin: here.String(), To: sales.String(), Owner: ana, Request: "sales", Lang: "en"},
					Slot: scheduler.Slot{Job: "j1", Zone: "UTC", At: time.Now()}, Key: key,
				}
				if err := r.bot.Fire(t.Context(), f); err != nil {
					t.Fatal(err)
				}
				pass(time.Hour)
				if tt.press != "" {
					r.press(here, lee, key+"/q1", tt.press)
				}
				if strings.Contains(strings.Join(tt.want, ""), "may pass") {
					if got := r.shows(key + "/failed").Text; !strings.Contains(got, "I try again by myself at 09:01") {
						t.Errorf("its owner hears %q", got)
					}
				}
				if d := cmp.Diff(tt.want, r.slots.all()); d != "" {
					t.Errorf("slot (-want +got):\n%s", d)
				}
			})
		})
	}
}

// All that is said is text that people can read.
func readable(t *testing.T, posts []bot.Post) {
	t.Helper()
	for _, p := range posts {
		if !utf8.ValidString(p.Text) || strings.ContainsRune(p.Text, utf8.RuneError) {
			t.Errorf("%s is not text: %q", p.Key, p.Text)
		}
	}
}

// A panic over one message is that message's failure: who wrote it is told, and
// everybody else is answered.
func TestAPanicIsOneMessagesFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{agent: func(a bot.Agent) bot.Agent { return mad{a} }})
		r.hear("m1", here, "export the list")
		pass(time.Minute)
		if got := r.shows("m1/failed").Text; !strings.HasPrefix(got, "I could not answer") {
			t.Errorf("who asked hears %q", got)
		}
		r.hear("m2", desk, "export the list")
		pass(time.Second)
		if got := r.shows("m2/end").Text; got == "" {
			t.Error("nobody else is answered")
		}
	})
}
