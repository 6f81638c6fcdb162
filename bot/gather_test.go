package bot_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/router"
)

// quickly is a bot that waits a second for more lines.
func quickly() setup { return setup{cfg: bot.Config{Gather: time.Second}} }

// line is a message in a channel, which begins a thread of its own, or in a direct
// message.
func line(n int, text string, addressed, direct bool) bot.Message {
	ts := fmt.Sprint(n)
	m := bot.Message{
		Key: "slack/T1/C1/" + ts, Place: bot.Place{Platform: "slack", Workspace: "T1", Channel: "C1", Thread: ts},
		From: ana, Name: "Ana", Text: text, Addressed: addressed, At: time.Now(),
	}
	if direct {
		m.Place = bot.Place{Platform: "slack", Workspace: "T1", Channel: "D1"}
		m.Direct = true
	}
	return m
}

// Three quick lines are one turn, answered where the first was said: in a direct
// message, in a thread, and in a channel, where only the first calls the bot.
func TestThreeQuickLinesAreOneTurn(t *testing.T) {
	for name, direct := range map[string]bool{"in a channel": false, "directly": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, quickly())
				first := line(1, "export the list", true, direct)
				for i, text := range []string{"", "of last month", "by product, please"} {
					m := first
					if i > 0 {
						m = line(i+1, text, false, direct)
						pass(600 * time.Millisecond)
					}
					r.receive(m)
					r.receive(m) // S7: it comes twice
				}
				if n := r.brain.runs(); n != 0 {
					t.Errorf("%d runs begun before the last line", n)
				}
				pass(time.Second)
				if got := r.run(first.Key).Text; got != "export the list\nof last month\nby product, please" {
					t.Errorf("asked for %q", got)
				}
				if d := cmp.Diff([]string{"Taken together with your 2 other messages:\n\ndone with " + first.Key}, r.said(first.Place)); d != "" {
					t.Errorf("said (-want +got):\n%s", d)
				}
				if n := r.brain.runs(); n != 1 || len(r.in.Waiting()) != 0 {
					t.Errorf("%d runs, %q left", n, r.in.Waiting())
				}
				pass(time.Minute)
				r.receive(line(2, "of last month", false, direct))
				if n := r.brain.runs(); n != 1 {
					t.Errorf("a line that came again began a run")
				}
			})
		})
	}
}

// Who mentions the bot several times at once reads on the plan and on the answer that
// these are one turn, also when it had to wait for a decision; one message says nothing.
func TestWhatWasTakenTogetherIsSaid(t *testing.T) {
	for lang, tt := range map[string]struct{ first, more, title, answer string }{
		"en": {"export the list", "of all customers", "export the list of all customers of all customers of all customers · taken together with your 3 other messages", "Taken together with your 3 other messages:\n\ndone"},
		"zh": {"导出名单", "所有客户的", "导出名单 所有客户的 所有客户的 所有客户的 · 与您另外 3 条消息一并处理", "与您另外 3 条消息一并处理：\n\ndone"},
	} {
		t.Run(lang, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := quickly()
				first := line(1, tt.first, true, false)
				s.says = map[string][]llm.Reply{first.Key: {both(), says("done")}}
				r := start(t, s)
				r.receive(first)
				for i := range 3 {
					r.receive(line(i+2, tt.more, true, false))
				}
				pass(time.Second)
				if got := r.shows(first.Key + "/progress").Plan.Title; !strings.HasSuffix(got, tt.title) {
					t.Errorf("title of the plan %q, want %q", got, tt.title)
				}
				r.press(first.Place, lee, first.Key+"/q1", run.Once)
				if got := r.shows(first.Key + "/end").Text; !strings.HasPrefix(got, tt.answer) {
					t.Errorf("answer %q, want it to begin with %q", got, tt.answer)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		r := start(t, quickly())
		r.receive(line(1, "export the list", true, false))
		pass(time.Second)
		if got := r.said(line(1, "", true, false).Place); len(got) != 1 || strings.Contains(got[0], "together") {
			t.Errorf("said of one message: %q", got)
		}
	})
}

// A request that says all begins at once, and takes a line with it that waits. A line
// right after it goes into what is under way.
func TestAWholeRequestWaitsForNobody(t *testing.T) {
	for text, whole := range map[string]bool{
		"export the list of all customers":     true,
		"export the list.":                     true,
		"把上个月各个地区的客户名单导出来":                     true,
		"export the list":                      false,
		"导出名单":                                 false,
		"export the list of all customers and": false,
		"export all of the following lists:":   false,
		"把上个月各个地区的客户名单和":                       false,
	} {
		t.Run(text, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, quickly())
				r.receive(line(1, text, true, true))
				if n := r.brain.runs(); (n == 1) != whole {
					t.Errorf("%d runs at once", n)
				}
				pass(time.Second)
				if n := r.brain.runs(); n != 1 {
					t.Errorf("%d runs after a second", n)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		r := start(t, quickly())
		r.receive(line(1, "export the list", true, true))
		r.receive(line(2, "of all customers, sorted by region.", true, true))
		if got := r.run("slack/T1/C1/1").Text; got != "export the list\nof all customers, sorted by region." {
			t.Errorf("asked for %q", got)
		}
	})
}

// A line waits for more no longer than three times, and what comes then is a turn of
// its own.
func TestLinesWaitNoLongerThanThreeTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, quickly())
		began := time.Now()
		for i := range 5 {
			r.receive(line(i, fmt.Sprint("export list ", i), true, true))
			if i < 4 {
				pass(800 * time.Millisecond)
			}
		}
		if took := time.Since(began); r.brain.runs() != 1 {
			t.Errorf("%d runs after %s, want the first", r.brain.runs(), took)
		}
		pass(time.Second)
		if got := r.run("slack/T1/C1/0").Text; got != "export list 0\nexport list 1\nexport list 2\nexport list 3" {
			t.Errorf("the first turn is %q", got)
		}
		if got := r.run("slack/T1/C1/4").Text; got != "export list 4" {
			t.Errorf("the second turn is %q", got)
		}
	})
}

// What needs no work is answered at once: a friendly word, a command, a stop. Lines of
// others, to others, and alone in a channel are not joined.
func TestWhatIsNotGathered(t *testing.T) {
	for name, tt := range map[string]struct {
		m    bot.Message
		says string
	}{
		"a friendly word": {line(2, "hi", true, true), "done with "},
		"in Chinese":      {line(2, "早上好", true, true), "done with "},
		"a command":       {line(2, "help", true, true), "I get work done"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, quickly())
				r.receive(tt.m)
				if got := r.said(tt.m.Place); len(got) != 1 || !strings.HasPrefix(got[0], tt.says) {
					t.Errorf("said at once: %q, want %q", got, tt.says)
				}
			})
		})
	}
	other := line(2, "of last month", false, false)
	other.From = gus
	for name, m := range map[string]bot.Message{
		"by another":         other,
		"to another":         line(2, "<@U5> of last month", false, false),
		"to another by name": line(2, "Gus, did you see it", false, false),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, quickly())
				first := line(1, "export the list", true, false)
				r.receive(first)
				r.receive(m)
				pass(time.Second)
				if got := r.run(first.Key).Text; got != "export the list" || r.brain.runs() != 1 {
					t.Errorf("asked for %q in %d runs", got, r.brain.runs())
				}
			})
		})
	}
}

// What is gathered survives the end of the program, and is joined once.
func TestGatheredLinesSurviveARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, quickly())
		r.in.forget = 1
		r.receive(line(1, "export the list", true, true))
		r.receive(line(2, "by product", true, true))
		pass(time.Second)
		r.in.Restart()
		r.receive(line(2, "by product", true, true))
		pass(5 * time.Second)
		if d := cmp.Diff([]string{"Taken together with your other message:\n\ndone with slack/T1/C1/1"}, r.said(line(1, "", true, true).Place)); d != "" {
			t.Errorf("said (-want +got):\n%s", d)
		}
	})
}

// S9: a line that is edited or taken back changes the turn that it is in, while that
// waits for more, while it is under way, and not once it is answered. A later edit
// changes what the first has made of it.
func TestS9AnEditedLineBeginsItsTurnAnew(t *testing.T) {
	edit := func(of, n int, text string) bot.Message {
		m := line(of, text, true, true)
		m.Edits, m.Key = m.Key, fmt.Sprintf("%s@%d", m.Key, n)
		return m
	}
	for name, tt := range map[string]struct {
		edits []bot.Message
		when  time.Duration
		run   string // key of the last run, if it is a new one
		want  string
	}{
		"while it waits for more": {[]bot.Message{edit(2, 1, "by region")}, 0, "@1", "export slowly\nby region"},
		"while it is under way":   {[]bot.Message{edit(2, 1, "by region")}, time.Second, "@1", "export slowly\nby region"},
		"the first of them":       {[]bot.Message{edit(1, 1, "export the list")}, time.Second, "@1", "export the list\nby product"},
		"one is taken back":       {[]bot.Message{edit(2, 1, "")}, time.Second, "@1", "export slowly"},
		"twice":                   {[]bot.Message{edit(2, 1, "by region"), edit(1, 2, "export slowly of May")}, time.Second, "@2", "export slowly of May\nby region"},
		"all are taken back":      {[]bot.Message{edit(2, 1, ""), edit(1, 2, "")}, time.Second, "", ""},
		"once it is answered":     {[]bot.Message{edit(2, 1, "by region")}, time.Minute, "", "export slowly\nby product"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, quickly())
				gate := make(chan struct{})
				r.brain.gate = gate
				if tt.when > time.Second {
					close(gate)
				}
				r.receive(line(1, "export slowly", true, true))
				r.receive(line(2, "by product", true, true))
				pass(tt.when)
				for _, e := range tt.edits {
					r.receive(e)
					r.receive(e)
					pass(time.Millisecond)
				}
				if tt.when <= time.Second {
					close(gate)
				}
				pass(5 * time.Second)
				key := "slack/T1/C1/1"
				if tt.run != "" {
					last := tt.edits[len(tt.edits)-1]
					key = last.Key
				}
				if tt.want == "" {
					if got := r.shows(key + "/end").Text; got != "Stopped." {
						t.Errorf("it ended with %q", got)
					}
					return
				}
				if got := r.run(key); got.Text != tt.want || got.State != run.Done {
					t.Errorf("%s asks for %q and is %s, want %q", key, got.Text, got.State, tt.want)
				}
				done := 0
				for _, text := range r.said(line(1, "", true, true).Place) {
					if strings.Contains(text, "done with") {
						done++
					}
				}
				if done != 1 {
					t.Errorf("%d answers, want one", done)
				}
			})
		})
	}
}

// A stop ends what waits for more lines too, where it is said.
func TestAStopEndsWhatWaitsForMoreLines(t *testing.T) {
	for name, stop := range map[string]func(*rig, bot.Message){
		"in a direct message": func(r *rig, _ bot.Message) { r.receive(line(2, "stop", true, true)) },
		"by the platform's button": func(r *rig, m bot.Message) {
			r.click(bot.Click{Place: m.Place, From: ana, Halt: true})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, quickly())
				m := line(1, "export the list", true, true)
				r.receive(m)
				stop(r, m)
				pass(time.Minute)
				if got := r.said(m.Place); len(got) != 1 || got[0] != "Stopped." || r.brain.runs() != 0 {
					t.Errorf("said %q in %d runs", got, r.brain.runs())
				}
			})
		})
	}
	for name, where := range map[string]bot.Place{
		"in the channel": line(2, "", true, false).Place, "in its thread": line(1, "", true, false).Place,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, quickly())
				r.receive(line(1, "export the list", true, false))
				m := line(2, "stop", true, false)
				m.Place = where
				r.receive(m)
				pass(time.Minute)
				if got := r.said(where); len(got) != 1 || got[0] != "Stopped." || r.brain.runs() != 0 {
					t.Errorf("said %q in %d runs", got, r.brain.runs())
				}
			})
		})
	}
}

// S9: an edit that first calls the bot begins something, as the text now reads.
func TestS9AnEditThatCallsTheBotBeginsSomething(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		m := line(1, "export the list", false, false)
		r.receive(m)
		e := m
		e.Edits, e.Key, e.Addressed, e.Text = m.Key, m.Key+"@1", true, "export the list by product"
		r.receive(e)
		r.receive(e)
		if got := r.run(e.Key).Text; got != e.Text || r.brain.runs() != 1 {
			t.Errorf("asked for %q in %d runs", got, r.brain.runs())
		}
	})
}

// S18: a model that says what a message is, and is slow, keeps nobody's message from being
// taken: it is asked once the message is in the inbox.
func TestS18ASlowRouterHoldsUpNoMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{router: router.New(router.Config{Sure: 1.1}, slowly{})})
		began := time.Now()
		for i, text := range []string{"周报模板", "Berlin?", "explain this please"} {
			r.hear(fmt.Sprint("m", i), bot.Place{Platform: "slack", Workspace: "T1", Channel: "C1", Thread: fmt.Sprint(i)}, text)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("three messages were taken after %s", took)
		}
		pass(time.Minute)
		for i := range 3 {
			if got := r.run(fmt.Sprint("m", i)); got.Routed == nil || !strings.Contains(got.Routed.Reason, "too slow") {
				t.Errorf("m%d was routed by %+v", i, got.Routed)
			}
		}
	})
}

type slowly struct{}

func (slowly) Classify(ctx context.Context, _ router.Message) (router.Decision, error) {
	<-time.After(4 * time.Second)
	return router.Decision{}, errors.New("too slow")
}
