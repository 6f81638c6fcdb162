package bot_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
)

const noted = "Noted: taken into the work under way."

// Words that correct or add to what is under way are taken into it, from whom it
// works for; the model reads them before it goes on, and one answer comes of it.
func TestWordsSteerWhatIsUnderWay(t *testing.T) {
	for text, want := range map[string]string{
		"only Asia": noted, "also by product": noted, "instead use EUR": noted, "actually last quarter": noted, "by product too": noted,
		"make it a table": noted, "without the returns": noted, "no wait, last quarter": noted,
		"只看亚洲": "收到：已加到正在做的事情里。", "再加上产品": "收到：已加到正在做的事情里。", "改成欧元": "收到：已加到正在做的事情里。", "不对，上个季度": "收到：已加到正在做的事情里。",
	} {
		t.Run(text, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{cfg: bot.Config{Gather: time.Second}})
				r.brain.gate = make(chan struct{})
				r.hear("m1", here, "export slowly")
				pass(5 * time.Second)
				for range 2 {
					r.says("m2", ana, here, text)
				}
				if d := cmp.Diff([]string{want}, r.said(here)); d != "" {
					t.Errorf("said (-want +got):\n%s", d)
				}
				close(r.brain.gate)
				if d := cmp.Diff([]string{want, "done with m1"}, r.said(here)); d != "" {
					t.Errorf("said in the end (-want +got):\n%s", d)
				}
				reqs := r.brain.requests()
				if last := reqs[len(reqs)-1].Messages; last[len(last)-1].Text != text {
					t.Errorf("the model did not read it: %+v", last)
				}
				m1 := r.run("m1")
				if len(m1.Taken) != 1 || m1.Taken[0].Key != "m2" || m1.Taken[0].By != ana || m1.Taken[0].Text != text {
					t.Errorf("the record has %+v", m1.Taken)
				}
				if r.brain.runs() != 1 {
					t.Errorf("%d runs, want one", r.brain.runs())
				}
			})
		})
	}
}

// A line right after a request that did not wait is one more line of it, whatever it
// says; later it is a request of its own.
func TestAQuickLineGoesIntoWhatIsUnderWay(t *testing.T) {
	for after, want := range map[time.Duration]int{500 * time.Millisecond: 1, 1500 * time.Millisecond: 2} {
		t.Run(after.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{cfg: bot.Config{Gather: time.Second}})
				r.brain.gate = make(chan struct{})
				r.hear("m1", here, "export slowly the list of customers.")
				pass(after)
				r.says("m2", ana, here, "export the returns of May, please.")
				close(r.brain.gate)
				pass(time.Second)
				if n := r.brain.runs(); n != want {
					t.Errorf("%d runs, want %d", n, want)
				}
			})
		})
	}
}

// What steers nothing waits its turn: words of another, a request of its own, a
// question, and what is said when nothing is under way, or when that has its answer.
func TestWhatSteersNothingIsATurnOfItsOwn(t *testing.T) {
	for name, tt := range map[string]struct{ by, text string }{
		"of another":       {lee, "only Asia"},
		"a request":        {ana, "export the list"},
		"a question":       {ana, "and what about last quarter?"},
		"a question, also": {ana, "also what about Asia?"},
		"a long one":       {ana, "also " + strings.Repeat("export the list of all the products ", 4)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{})
				r.brain.gate = make(chan struct{})
				r.hear("m1", here, "export slowly")
				r.receive(bot.Message{Key: "m2", Place: here, From: tt.by, Text: tt.text, Addressed: true, At: time.Now()})
				close(r.brain.gate)
				if d := cmp.Diff([]string{"done with m1", "done with m2"}, r.said(here)); d != "" {
					t.Errorf("said (-want +got):\n%s", d)
				}
			})
		})
	}
	t.Run("after the answer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, setup{agent: func(a bot.Agent) bot.Agent { return &finished{Agent: a} }})
			r.brain.gate = make(chan struct{})
			r.hear("m1", here, "export slowly")
			r.says("m2", ana, here, "only Asia")
			if got := r.said(here); len(got) != 0 {
				t.Errorf("said %q", got)
			}
			close(r.brain.gate)
			if d := cmp.Diff([]string{"done with m1", "done with m2"}, r.said(here)); d != "" {
				t.Errorf("said (-want +got):\n%s", d)
			}
		})
	})
}

// finished is an agent whose runs have always just ended.
type finished struct{ bot.Agent }

func (*finished) Steer(context.Context, string, string, string, string, time.Time) (string, bool, error) {
	return "", false, nil
}

// Halt, a platform's own Stop, ends what is under way at its place for whom it is.
func TestHaltEndsWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		r.brain.gate = make(chan struct{})
		r.hear("m1", here, "export slowly")
		r.click(bot.Click{Place: here, From: gus, Halt: true})
		if got := r.whispers(here, gus); len(got) != 1 || !strings.HasPrefix(got[0], "This is not yours to decide") {
			t.Errorf("a stranger hears %q", got)
		}
		r.click(bot.Click{Place: there, From: ana, Halt: true})
		if d := cmp.Diff([]string{"Nothing is under way here."}, r.whispers(there, ana)); d != "" {
			t.Errorf("elsewhere (-want +got):\n%s", d)
		}
		r.click(bot.Click{Place: here, From: ana, Halt: true})
		if got := r.shows("m1/end").Text; !strings.HasPrefix(got, "Stopped.\n\nWhat I have so far:") {
			t.Errorf("it ended with %q", got)
		}
		close(r.brain.gate)
	})
}

// A Plan shows the calls as tasks, and its last one says that nothing more comes. It
// and the answer say which run they are of.
func TestProgressComesAsAPlan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{says: map[string][]llm.Reply{"m1": {
			says("", call("query_metric", `{"measure":"sales"}`)), both(), says("ready"),
		}}})
		r.hear("m1", here, monthly)
		got := r.shows("m1/progress")
		want := &bot.Plan{Title: "Waiting for a decision: " + monthly, Tasks: []bot.Task{
			{ID: "s1c1", Title: "Look up figures: sales", State: bot.Complete},
			{ID: "s2c1", Title: "Post: #sales", State: bot.Pending},
			{ID: "s2c2", Title: "Schedule: monthly", State: bot.Pending},
		}}
		if d := cmp.Diff(want, got.Plan); d != "" || got.Of != "m1" || got.By != ana {
			t.Errorf("of %q for %q, plan (-want +got):\n%s", got.Of, got.By, d)
		}
		r.press(here, lee, "m1/q1", run.No)
		got = r.shows("m1/progress")
		want.Title, want.Over = "Ended after 3 steps, denied (Post, Schedule): "+monthly, true
		if d := cmp.Diff(want, got.Plan); d != "" {
			t.Errorf("last plan (-want +got):\n%s", d)
		}
		if end := r.shows("m1/end"); end.Of != "m1" || end.By != ana || end.Plan != nil {
			t.Errorf("the answer is of %q for %q", end.Of, end.By)
		}
		if card := r.shows("m1/q1"); card.Of != "" {
			t.Errorf("the card is of %q", card.Of)
		}
		for _, p := range append(r.chat.Posts(), r.chat.Edits()...) {
			if p.Plan != nil && p.Plan.Over != (len(p.Choices) == 0 && strings.HasPrefix(p.Text, "Ended")) {
				t.Errorf("plan over %t of %q", p.Plan.Over, p.Text)
			}
		}
	})
}

// "Cancel" ends work of its own person while it is under way; of somebody else's it is a
// request like others.
func TestCancelEndsWhatIsUnderWay(t *testing.T) {
	for _, text := range []string{"cancel", "Please cancel it!", "取消", "算了"} {
		for who, ends := range map[string]bool{ana: true, lee: false} {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{})
				r.brain.gate = make(chan struct{})
				r.hear("m1", here, "export slowly")
				pass(5 * time.Second)
				r.says("m2", who, here, text)
				synctest.Wait()
				if got := r.run("m1").Stopped != ""; got != ends {
					t.Errorf("%q of %s: ended %t, want %t", text, who, got, ends)
				}
				close(r.brain.gate)
			})
		}
	}
}
