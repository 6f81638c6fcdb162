package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/bot"
)

// missed is what ana wrote a while ago, and the platform has only now found.
func missed(key, text string, ago time.Duration) bot.Message {
	return bot.Message{Key: key, Place: here, From: ana, Name: "Ana", Text: text, Addressed: true, Missed: true, At: time.Now().Add(-ago), Zone: "Asia/Shanghai"}
}

// What was missed a moment ago is worked on as if it came now. What is older is asked
// about, and done once if who wrote it says so; a friendly word of then is past.
func TestWhatWasMissedLongAgoIsAskedAbout(t *testing.T) {
	const asked = "I was away when you wrote this at 07:39 (Asia/Shanghai). Shall I do it now?"
	for name, tt := range map[string]struct {
		text  string
		ago   time.Duration
		says  []string
		yes   string
		after []string
	}{
		"fresh":          {"export the list", 14 * time.Minute, []string{"done with m1"}, "", nil},
		"old":            {"export the list", 21 * time.Minute, []string{asked}, "yes", []string{"done with m1"}},
		"old, no":        {"export the list", 21 * time.Minute, []string{asked}, "no", nil},
		"old, Chinese":   {"导出数据", 21 * time.Minute, []string{"您在 07:39 (Asia/Shanghai) 写这条消息时我不在线。现在做吗？"}, "yes", []string{"done with m1"}},
		"old small talk": {"good morning", 21 * time.Minute, nil, "", nil},
		"fresh greeting": {"good morning", time.Minute, []string{"done with m1"}, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{})
				r.receive(missed("m1", tt.text, tt.ago))
				pass(3 * time.Second)
				if d := cmp.Diff(tt.says, r.said(here)); d != "" {
					t.Fatalf("said (-want +got):\n%s", d)
				}
				if tt.yes == "" {
					return
				}
				card := r.shows("m1/missed")
				if len(card.Choices) != 2 || card.Question == "" {
					t.Fatalf("card = %+v", card)
				}
				r.click(bot.Click{Place: here, From: gus, Name: "Gus", Question: card.Question, Choice: "yes"})
				if got := r.whispers(here, gus); len(got) != 1 || r.brain.runs() != 0 {
					t.Errorf("another hears %q, and %d runs", got, r.brain.runs())
				}
				pass(20 * time.Hour)
				r.click(bot.Click{Place: here, From: ana, Name: "Ana", Question: card.Question, Choice: tt.yes})
				if card = r.shows("m1/missed"); len(card.Choices) != 0 || !strings.HasPrefix(card.Text, "**Ana") {
					t.Errorf("card = %q with %d buttons", card.Text, len(card.Choices))
				}
				if d := cmp.Diff(append(tt.says, tt.after...), without(r.said(here), r.whispers(here, gus))); d != "" {
					t.Errorf("said in the end (-want +got):\n%s", d)
				}
				r.click(bot.Click{Place: here, From: ana, Name: "Ana", Question: card.Question, Choice: "yes"})
				pass(time.Second)
				if n := r.brain.runs(); n != len(tt.after) {
					t.Errorf("%d runs after a second press, want %d", n, len(tt.after))
				}
			})
		})
	}
}

// without leaves out what only one person sees.
func without(all, whispers []string) []string {
	var left []string
	for _, s := range all {
		if len(whispers) == 0 || s != whispers[0] {
			left = append(left, s)
		}
	}
	return left
}

// Several that were missed in one place are asked about together, and done in order.
func TestSeveralMissedOfOnePlaceAreOneQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{cfg: bot.Config{Gather: time.Second}})
		for i := range 3 {
			r.receive(missed(fmt.Sprint("m", i), fmt.Sprint("export list ", i), time.Duration(60-i)*time.Minute))
			pass(time.Second)
		}
		elsewhere := missed("x", "export the list", time.Hour)
		elsewhere.Place = there
		r.receive(elsewhere)
		pass(10 * time.Second)
		want := []string{"I was away when you wrote these 3 messages, from 07:00 to 07:02 (Asia/Shanghai). Shall I do them now?"}
		if d := cmp.Diff(want, r.said(here)); d != "" || len(r.said(there)) != 1 {
			t.Fatalf("said %q there, here (-want +got):\n%s", r.said(there), d)
		}
		r.click(bot.Click{Place: here, From: ana, Name: "Ana", Question: r.shows("m0/missed").Question, Choice: "yes"})
		if d := cmp.Diff(append(want, "done with m0", "done with m1", "done with m2"), r.said(here)); d != "" {
			t.Errorf("said in the end (-want +got):\n%s", d)
		}
		if got := r.run("m1"); got.Text != "export list 1" || !got.Now.Equal(time.Date(1999, 12, 31, 23, 1, 1, 0, time.UTC)) {
			t.Errorf("the second asks for %q at %s", got.Text, got.Now)
		}
	})
}

// The question about what was missed is over after a day.
func TestTheQuestionAboutWhatWasMissedExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		r.receive(missed("m1", "export the list", time.Hour))
		pass(25 * time.Hour)
		r.click(bot.Click{Place: here, From: ana, Question: r.shows("m1/missed").Question, Choice: "yes"})
		if got := r.whispers(here, ana); len(got) != 1 || !strings.HasPrefix(got[0], "I asked this more than a day ago") || r.brain.runs() != 0 {
			t.Errorf("who pressed hears %q, and %d runs", got, r.brain.runs())
		}
	})
}
