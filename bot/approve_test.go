package bot_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/internal/golden"
)

// look is a post as people see it.
func look(p bot.Post) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", p.Whole(""))
	for _, c := range p.Choices {
		fmt.Fprintf(&b, "[%s]%s %s\n", c.Label, [...]string{"", " primary", " danger"}[c.Style], c.ID)
	}
	if p.Footer != "" {
		fmt.Fprintf(&b, "(%s)\n", p.Footer)
	}
	b.WriteString(small(p.Record))
	return b.String()
}

// small is a Record as it is read.
func small(r bot.Record) string {
	if len(r.Details) == 0 {
		return ""
	}
	text := "~ " + r.Head + "\n"
	for _, d := range r.Details {
		text += "~ " + d.Label + " | " + d.Text + "\n"
	}
	return text
}

const monthly = "summarise sales, post it to #sales, and do this every month on the 1st"

func asksBoth() setup { return setup{says: map[string][]llm.Reply{"m1": {both()}}} }

// quoted is what the model says for itself: one line, labelled, that can call nobody.
var quoted = regexp.MustCompile("(?m)^(?:Why, in the model's words: |理由（模型的原话）：)` .* `$")

// A15: the card of an approval is written from the calls that are stored, whatever
// the model says of them. It has three buttons, and says afterwards who pressed
// which: in both languages.
func TestA15TheCardIsWrittenFromTheStoredCalls(t *testing.T) {
	for lang, text := range map[string]string{"en": monthly, "zh": "把销售数据汇总，发到 #sales，以后每个月1号都做一次"} {
		t.Run(lang, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, asksBoth())
				r.hear("m1", here, text)
				card := r.shows("m1/q1")
				if strings.Contains(quoted.ReplaceAllString(card.Text, ""), "#general") {
					t.Errorf("the card says what the model said: %q", card.Text)
				}
				if card.Kind != bot.Card || card.Question != "m1/q1" || card.Place != here || card.Artifact != "a1" {
					t.Errorf("card = %q for %q at %v with %q", card.Kind, card.Question, card.Place, card.Artifact)
				}
				seen := look(card)
				for _, choice := range []string{run.Always, run.Once, run.No} {
					q, err := r.store.Question(t.Context(), "m1/q1")
					if err != nil {
						t.Fatal(err)
					}
					// What the card would say if this was pressed.
					q.Answer = &run.Answer{Choice: choice, Name: "李雷"}
					seen += "\n--- " + choice + "\n" + look(bot.Settled(here, q))
				}
				q, err := r.store.Question(t.Context(), "m1/q1")
				if err != nil {
					t.Fatal(err)
				}
				q.Answer = &run.Answer{Choice: run.Late}
				seen += "\n--- nobody\n" + look(bot.Settled(here, q))
				golden.Check(t, "card."+lang+".golden", seen)
				r.press(here, lee, "m1/q1", run.Always)
				readable(t, append(r.chat.Posts(), r.chat.Edits()...))
			})
		})
	}
}

// A12: a write that cannot say what it would do is shown with its arguments, whole: on
// the card, or in a file beside it if they are long, whose hash stands on the card.
func TestA12AWriteWithoutAPlanShowsItsArguments(t *testing.T) {
	for name, n := range map[string]int{"short": 3, "long": 3000} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				args := `{"note":"` + strings.Repeat("long ", n) + "\n```\",\"to\":\"prod\"}"
				args = strings.ReplaceAll(args, "\n", `\n`)
				r := start(t, setup{says: map[string][]llm.Reply{"m1": {says("", call("deploy", args))}}})
				r.hear("m1", here, "export the list")
				card := r.shows("m1/q1")
				hash, err := run.HashArgs("deploy", json.RawMessage(args))
				if err != nil {
					t.Fatal(err)
				}
				if !strings.HasPrefix(card.Text, "**May I do this?**\n- `` deploy ``") && !strings.HasPrefix(card.Text, "**May I do this?**\n- ` deploy `") || !strings.Contains(card.Record.Details[0].Label, " "+hash[:12]) {
					t.Errorf("card = %.200q … with %q, want the tool and the hash of its arguments", card.Text, card.Record)
				}
				if n < 10 {
					if want := "`: ```` " + args + " ````"; !strings.Contains(card.Text, want) || card.Record.Details[0].Text != args || len(card.Files) != 0 {
						t.Errorf("card = %.400q …, want all of the arguments between marks that they cannot close", card.Text)
					}
					return
				}
				if len(card.Files) != 1 || card.Files[0].Name != "arguments.json" || len(card.Text) > 1000 {
					t.Fatalf("card = %.400q … with files %+v, want the arguments in a file", card.Text, card.Files)
				}
				var file bytes.Buffer
				if err := json.Compact(&file, r.files.of(card.Files[0].ID).Body); err != nil || file.String() != args {
					t.Errorf("the file has %.80q …, %v; want all of the arguments", file.String(), err)
				}
				if got := r.shows("m1/q1/file1"); got.File == nil || got.File.ID != card.Files[0].ID {
					t.Errorf("below the card stands %+v, want the file", got.File)
				}
			})
		})
	}
}

// The whole way: a card, a press, the post where it was approved for, and the run
// that says so at home, though the press was made elsewhere.
func TestAPressElsewhereSettlesTheCardAndTheRunGoesOnAtHome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, asksBoth())
		r.hear("m1", here, monthly)
		if got := r.said(sales); len(got) != 0 {
			t.Fatalf("posted %q before anybody said yes", got)
		}
		r.press(desk, lee, "m1/q1", run.Always)
		card := r.shows("m1/q1")
		if card.Delivered == nil || card.Place != here || len(card.Choices) != 0 || !strings.HasPrefix(card.Text, "**Approved, now and as scheduled, by Lee**\n- Post **Sales**") {
			t.Errorf("card = %q at %v with %d buttons, want it changed in its place", card.Text, card.Place, len(card.Choices))
		}
		posts := r.said(sales)
		if len(posts) != 3 || posts[0] != "# Sales\n\n| a | b |" {
			t.Errorf("posted %q, want the report and its two files", posts)
		}
		if r.tools.added != 1 {
			t.Errorf("%d schedules, want 1", r.tools.added)
		}
		if got := r.shows("m1/end"); got.Text != "done with m1" || got.Place != here {
			t.Errorf("end = %q at %v, want it at home", got.Text, got.Place)
		}
		if got := r.said(desk); len(got) != 0 {
			t.Errorf("said %q where it was pressed", got)
		}
		q, err := r.store.Question(t.Context(), "m1/q1")
		if err != nil || !slices.Equal(q.Cards, []string{bot.Ref{Place: here, ID: "m1/q1"}.String()}) {
			t.Errorf("cards = %q, %v; want where it is shown", q.Cards, err)
		}
	})
}

// What each button allows is what it says.
func TestEachButtonDoesWhatItSays(t *testing.T) {
	for choice, want := range map[string][2]int{run.Always: {1, 1}, run.Once: {1, 0}, run.No: {0, 0}} {
		t.Run(choice, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, asksBoth())
				r.hear("m1", here, monthly)
				r.press(here, lee, "m1/q1", choice)
				posted := min(1, len(r.said(sales)))
				if got := [2]int{posted, r.tools.added}; got != want {
					t.Errorf("posts and schedules = %v, want %v", got, want)
				}
				got := r.shows("m1/end").Text
				if !strings.HasPrefix(got, "done with m1") {
					t.Errorf("end = %q: work goes on after any answer", got)
				}
				// PRIN-02, FAIL-09 What was denied is said, whatever the model says.
				if denied := strings.Count(got, "⚠ Not done: "); denied != 2-want[0]-want[1] {
					t.Errorf("end = %q names %d things that were not done", got, denied)
				}
			})
		})
	}
}

// A1, A4: a press by a stranger gets a plain answer that only they see, where they
// pressed, and changes nothing; the button still works.
func TestA4APressByAStrangerIsAnsweredAndChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, asksBoth())
		r.hear("m1", here, monthly)
		for _, who := range []string{gus, ana} {
			pass(time.Second)
			r.press(desk, who, "m1/q1", run.Always)
			got := r.whispers(desk, who)
			want := []string{"This is not yours to decide. It waits for lee or moe; who asked may deny it."}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s hears (-want +got):\n%s", who, d)
			}
		}
		if got := r.shows("m1/q1"); len(got.Choices) != 6 || got.Delivered != nil {
			t.Errorf("the card has changed: %q with %d buttons", got.Text, len(got.Choices))
		}
		if n := len(r.said(sales)) + r.tools.added; n != 0 {
			t.Errorf("%d things were done", n)
		}
		r.press(here, lee, "m1/q1", run.No)
		if got := r.shows("m1/q1").Text; !strings.HasPrefix(got, "**Denied by Lee**") {
			t.Errorf("card = %q", got)
		}
	})
}

// named is a platform that knows how people are called.
type named struct {
	bot.Poster
	members
}

func (named) NameOf(person string) string { return nameOf(person) }

// A4: who may not decide hears by name who may: whoever asked, for what is their own.
func TestA4WhoMayDecideIsNamed(t *testing.T) {
	own := []llm.Reply{says("", call("schedule_change", `{}`))}
	for name, tt := range map[string]struct {
		text, by string
		says     []llm.Reply
		want     string
	}{
		"what others will see":         {monthly, gus, []llm.Reply{both()}, "This is not yours to decide. It waits for Lee or Moe; who asked may deny it."},
		"in Chinese":                   {"把销售数据汇总，发到 #sales", gus, []llm.Reply{both()}, "这件事不由您决定。要等 Lee 或 Moe 决定；提出的人可以拒绝。"},
		"what is the asker's":          {"pause it", lee, own, "This is not yours to decide. It waits for Ana."},
		"what is the asker's, Chinese": {"暂停它", gus, own, "这件事不由您决定。要等 Ana 决定。"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{
					cfg: bot.Config{Approvers: []string{lee, moe, "web:demo:lead"}}, says: map[string][]llm.Reply{"m1": tt.says},
					poster: func(p bot.Poster) bot.Poster { return named{Poster: p} },
				})
				r.hear("m1", here, tt.text)
				r.click(bot.Click{Place: here, From: tt.by, Question: "m1/q1", Choice: r.shows("m1/q1").Choices[0].ID})
				if d := cmp.Diff([]string{tt.want}, r.whispers(here, tt.by)); d != "" {
					t.Errorf("who pressed hears (-want +got):\n%s", d)
				}
			})
		})
	}
}

// A4: who may not decide hears all that who asked may: what they may have done themselves,
// and that they may deny it. What is theirs among others' they are named for.
func TestA4ARefusalSaysWhatWhoAskedMay(t *testing.T) {
	for name, tt := range map[string]struct{ text, choice, want string }{
		"the schedule, too":          {monthly, run.Always, "This is not yours to decide. It waits for lee or moe; who asked may press “Post only now”, or deny it."},
		"the schedule, too, Chinese": {"把销售数据汇总，发到 #sales，以后每个月1号都做一次", run.Always, "这件事不由您决定。要等 lee 或 moe 决定；提出的人可以按“只发这一次”，也可以拒绝。"},
		"the post alone":             {monthly, run.Once, "This is not yours to decide. It waits for lee or moe or sal."},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, asksBoth())
				r.receive(bot.Message{Key: "m1", Place: here, From: sal, Text: tt.text, Addressed: true, At: time.Now()})
				r.press(desk, gus, "m1/q1", tt.choice)
				if d := cmp.Diff([]string{tt.want}, r.whispers(desk, gus)); d != "" {
					t.Errorf("gus hears (-want +got):\n%s", d)
				}
			})
		})
	}
}

// A8, A9, A10: a press that comes second, too late, or on what nobody knows is
// answered to who pressed, in the language of the question, and does nothing.
func TestA8A10APressThatDoesNotCountIsAnsweredToWhoPressed(t *testing.T) {
	const expired = "This question expired at 2000-01-01 09:00 CST; nothing was done. Press Continue below it, or ask again."
	for name, tt := range map[string]struct {
		text  string
		press func(*rig)
		by    string
		want  string
		cards string // what the card begins with
		posts int
	}{
		"second": {monthly, func(r *rig) {
			r.press(here, lee, "m1/q1", run.Once)
			pass(time.Second)
			r.press(desk, moe, "m1/q1", run.No)
		}, moe, "This is settled already: approved for this one time by Lee.", "**Approved for this one time by Lee**", 3},
		"second, of the same person": {monthly, func(r *rig) {
			r.press(here, lee, "m1/q1", run.Once)
			pass(time.Second)
			r.press(desk, lee, "m1/q1", run.Once)
		}, lee, "This is settled already: approved for this one time by Lee.", "**Approved for this one time by Lee**", 3},
		"second, in Chinese": {"把销售数据汇总，发到 #sales", func(r *rig) {
			r.press(here, lee, "m1/q1", run.No)
			pass(time.Second)
			r.press(desk, moe, "m1/q1", run.Always)
		}, moe, "这件事已经定了：Lee 已拒绝。", "**Lee 已拒绝**", 0},
		"a second too late": {monthly, func(r *rig) {
			pass(patience + time.Second)
			r.press(desk, lee, "m1/q1", run.Always)
		}, lee, expired, "**Expired: nobody decided in time**", 0},
		"after it was closed": {monthly, func(r *rig) {
			pass(patience + time.Minute)
			r.press(desk, lee, "m1/q1", run.Always)
		}, lee, expired, "**Expired: nobody decided in time**", 0},
		"on what nobody knows": {monthly, func(r *rig) {
			r.press(desk, lee, "m0/q7", run.Always)
		}, lee, "I do not know this question any more. Please ask again.", "**May I do this?**", 0},
		"on a button that it does not have": {monthly, func(r *rig) {
			r.press(desk, lee, "m1/q1", run.Yes)
		}, lee, "I do not know this question any more. Please ask again.", "**May I do this?**", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, asksBoth())
				r.hear("m1", here, tt.text)
				tt.press(r)
				if d := cmp.Diff([]string{tt.want}, r.whispers(desk, tt.by)); d != "" {
					t.Errorf("who pressed hears (-want +got):\n%s", d)
				}
				if got := r.shows("m1/q1").Text; !strings.HasPrefix(got, tt.cards) {
					t.Errorf("card = %q, want %q", got, tt.cards)
				}
				if got := len(r.said(sales)); got != tt.posts {
					t.Errorf("%d posts, want %d", got, tt.posts)
				}
			})
		})
	}
}

// A9: of fifty presses at once one counts, and each other is answered.
func TestA9OfFiftyPressesOneCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, asksBoth())
		r.hear("m1", here, monthly)
		for i := range 50 {
			c := bot.Click{Key: fmt.Sprint("click/", i), Place: here, From: lee, Name: "Lee", Question: "m1/q1", Choice: run.Always, At: time.Now()}
			if err := r.bot.Click(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(r.whispers(here, lee)); n != 49 {
			t.Errorf("%d were told that it is settled, want 49", n)
		}
		if n := len(r.said(sales)); n != 3 || r.tools.added != 1 {
			t.Errorf("%d posts and %d schedules, want the report with its files, and 1", n, r.tools.added)
		}
	})
}

// A23: the same press again, after a crash too, is the same answer.
func TestA23ThePressAgainIsTheSameAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, asksBoth())
		r.hear("m1", here, monthly)
		r.in.forget = 1
		c := bot.Click{Key: "click/1", Place: here, From: lee, Name: "Lee", Question: "m1/q1", Choice: run.Always, At: time.Now()}
		for range 2 {
			if err := r.bot.Click(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			r.in.Restart()
		}
		if got := r.whispers(here, lee); len(got) != 0 {
			t.Errorf("who pressed hears %q", got)
		}
		if n := len(r.said(sales)); n != 3 || r.tools.added != 1 {
			t.Errorf("%d posts and %d schedules, want the report with its files, and 1", n, r.tools.added)
		}
	})
}

// A2, A3: of several cards in a thread the pressed one is answered.
func TestA2A3ThePressedCardIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		post := []llm.Reply{says("", call("post_message", `{"channel":"#sales"}`))}
		r := start(t, setup{says: map[string][]llm.Reply{"m1": post, "m2": post, "m3": post}})
		for _, m := range []string{"m1", "m2", "m3"} {
			r.hear(m, here, "export the list")
		}
		r.press(here, lee, "m2/q1", run.Yes)
		for q, open := range map[string]bool{"m1/q1": true, "m2/q1": false, "m3/q1": true} {
			if got := len(r.shows(q).Choices) > 0; got != open {
				t.Errorf("%s is open: %t, want %t", q, got, open)
			}
		}
		if _, ok := r.chat.Shows("m2/s1c1"); !ok {
			t.Error("the post of m2 is not there")
		}
	})
}

// A6, A7: a question that nobody answers runs out without a press: its card says so,
// nothing was done, and Continue asks again.
func TestA6A7AQuestionRunsOutByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, asksBoth())
		r.hear("m1", here, monthly)
		pass(patience + 30*time.Second)
		if got := r.shows("m1/q1"); !strings.HasPrefix(got.Text, "**Expired: nobody decided in time**") || len(got.Choices) != 0 {
			t.Errorf("card = %q with %d buttons", got.Text, len(got.Choices))
		}
		end := r.shows("m1/end")
		if !strings.HasPrefix(end.Text, "Nobody decided in time, so nothing was done.") || len(end.Choices) != 2 {
			t.Errorf("end = %q with %d buttons", end.Text, len(end.Choices))
		}
		r.click(bot.Click{Place: here, From: ana, Continue: "m1"})
		again := r.shows("m1/q2")
		if len(again.Choices) != 6 {
			t.Fatalf("after Continue = %q with %d buttons, want the card again", again.Text, len(again.Choices))
		}
		r.press(here, lee, "m1/q2", run.Once)
		if n := len(r.said(sales)); n != 3 || r.tools.added != 0 {
			t.Errorf("%d posts and %d schedules, want the report with its files, and none", n, r.tools.added)
		}
	})
}
