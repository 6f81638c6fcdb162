package bot_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
)

// says has somebody say something in a thread, without calling the bot.
func (r *rig) says(key, by string, p bot.Place, text string) {
	r.t.Helper()
	r.receive(bot.Message{Key: key, Place: p, From: by, Name: nameOf(by), Text: text, InThread: true, At: time.Now(), Zone: "Asia/Shanghai"})
}

// A1: words stop no more than the button does: what is under way in a thread ends by
// who asked for it and by admins, and others are told that it is not theirs.
func TestA1WordsStopNoMoreThanTheButton(t *testing.T) {
	for name, tt := range map[string]struct {
		by, text, told string
	}{
		"a guest":            {gus, "stop", "This is not yours to decide."},
		"a guest in Chinese": {gus, "停", "这件事不由您决定。"},
		"who asked":          {ana, "stop", ""},
		"an admin":           {lee, "停止", ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{})
				r.brain.gate = make(chan struct{})
				r.hear("m1", here, "export slowly")
				r.says("m2", tt.by, here, tt.text)
				close(r.brain.gate)
				end, want := r.shows("m1/end"), "Stopped."
				if tt.told != "" {
					want = "done with m1"
				}
				if got, _, _ := strings.Cut(end.Text, "\n"); got != want {
					t.Errorf("the work ended with %q, want %q", end.Text, want)
				}
				if got := strings.Join(r.whispers(here, tt.by), "|"); got != tt.told {
					t.Errorf("who said it hears %q, want %q", got, tt.told)
				}
			})
		})
	}
}

// A stop in words ends what the person may end, and leaves the work of others.
func TestAStopEndsWhatIsTheirs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{says: map[string][]llm.Reply{"m1": {both()}, "m2": {both()}}})
		r.hear("m1", here, monthly)
		r.receive(bot.Message{Key: "m2", Place: here, From: gus, Name: "Gus", Text: monthly, Addressed: true, At: time.Now()})
		r.says("m3", gus, here, "stop")
		if got := r.shows("m2/end").Text; got != "Stopped." {
			t.Errorf("m2 ended with %q", got)
		}
		if got := r.shows("m1/q1"); len(got.Choices) == 0 {
			t.Errorf("the card of m1 is closed: %q", got.Text)
		}
		if got := r.whispers(here, gus); len(got) != 0 {
			t.Errorf("who said it hears %q", got)
		}
	})
}

// A15, A16: an open card is called off in words by who asked, denied by who may
// decide, and approved by nobody: who tries is told to press.
func TestA15WordsOnAnOpenCard(t *testing.T) {
	const press = "Words approve nothing here: please press a button on the card."
	for name, tt := range map[string]struct {
		by    string
		texts []string
		card  string // what the card begins with
		told  string
	}{
		"called off by who asked":   {ana, []string{"never mind", "cancel", "算了", "取消", "wait"}, "**Called off by Ana**", ""},
		"refused by who asked":      {ana, []string{"no", "不要"}, "**Denied by Ana**", ""},
		"denied by who may decide":  {lee, []string{"no", "不同意", "never mind", "取消"}, "**Denied by Lee**", ""},
		"approved by who asked":     {ana, []string{"yes", "ok", "同意"}, "**May I do this?**", press},
		"approved by who may":       {lee, []string{"ok", "approve", "yes, go ahead", "同意"}, "**May I do this?**", press},
		"by who has no say in it":   {gus, []string{"ok", "no", "never mind", "算了", "yes please"}, "**May I do this?**", ""},
		"thought about by who may":  {lee, []string{"hm, let me look", "wait"}, "**May I do this?**", ""},
		"talked about by bystander": {gus, []string{"nice numbers Ana", "这个数字不错"}, "**May I do this?**", ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, text := range tt.texts {
				synctest.Test(t, func(t *testing.T) {
					r := start(t, asksBoth())
					r.hear("m1", here, monthly)
					before := len(r.brain.requests())
					r.says("m2", tt.by, here, text)
					card := r.shows("m1/q1")
					if !strings.HasPrefix(card.Text, tt.card) || (len(card.Choices) > 0) != strings.Contains(tt.card, "?") {
						t.Errorf("after %q the card = %.60q with %d buttons, want %q", text, card.Text, len(card.Choices), tt.card)
					}
					if got := strings.Join(r.whispers(here, tt.by), "|"); got != tt.told {
						t.Errorf("after %q who said it hears %q, want %q", text, got, tt.told)
					}
					for _, q := range r.brain.requests()[before:] {
						if q.Scene.Run != "m1" {
							t.Errorf("%q has begun a run of its own", text)
						}
					}
					r.press(here, moe, "m1/q1", run.Always)
					if posted := len(r.said(sales)) > 0; posted != strings.Contains(tt.card, "?") {
						t.Errorf("after %q a press has posted: %t", text, posted)
					}
				})
			}
		})
	}
}

// A correction by who asked takes the place of what waits: the card of before is
// called off and says so, and only the new one can be pressed.
func TestACorrectionCallsOffTheCardBefore(t *testing.T) {
	for _, text := range []string{
		"wait, post it to #sales instead", "no wait, make it tuesday", "no, send it to #sales", "post it to #sales instead", "actually make it every month",
		"等等，发到 #sales", "不对，改成周二", "改成发到 #sales",
	} {
		t.Run(text, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{says: map[string][]llm.Reply{"m1": {both()}, "m2": {both()}}})
				r.hear("m1", here, monthly)
				r.says("m2", ana, here, text)
				if got := r.shows("m1/q1"); !strings.HasPrefix(got.Text, "**Called off by ana**") || len(got.Choices) != 0 {
					t.Errorf("the first card = %.60q with %d buttons", got.Text, len(got.Choices))
				}
				end := r.shows("m1/end")
				if !strings.Contains(end.Text, "is called off and does nothing any more") || len(end.Choices) != 0 {
					t.Errorf("the first ends with %q and %d buttons", end.Text, len(end.Choices))
				}
				for _, q := range []string{"m1/q1", "m2/q1"} {
					pass(time.Second)
					r.press(here, lee, q, run.Once)
				}
				if n := len(r.said(sales)); n != 3 {
					t.Errorf("%d posts, want the report of the second card and its two files", n)
				}
			})
		})
	}
}

// What is no correction, or not by who asked, leaves the card.
func TestWhatIsNoCorrectionLeavesTheCard(t *testing.T) {
	for name, tt := range map[string]struct{ by, text string }{
		"a request beside it": {ana, "export the list"},
		"a question":          {ana, "actually, what about Europe?"},
		"no haste":            {ana, "no rush"},
		"somebody else's":     {lee, "no wait, post it to #ops instead"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, asksBoth())
				r.hear("m1", here, monthly)
				r.says("m2", tt.by, here, tt.text)
				if got := r.shows("m1/q1"); len(got.Choices) != 6 {
					t.Errorf("the card = %.60q with %d buttons", got.Text, len(got.Choices))
				}
			})
		})
	}
}

// The same asked twice leaves one card: the first is called off and says so.
func TestTheSameAskedTwiceLeavesOneCard(t *testing.T) {
	again := func(args string) []llm.Reply { return []llm.Reply{says("", call("deploy", args))} }
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{says: map[string][]llm.Reply{"m1": again(`{"to":"prod"}`), "m2": again(`{"to":"prod"}`), "m3": again(`{"to":"test"}`)}})
		r.hear("m1", here, "deploy it to prod")
		r.hear("m2", here, "deploy it to prod")
		r.hear("m3", here, "deploy it to test")
		r.hear("m2", there, "deploy it to prod")
		open := map[string]bool{}
		for _, q := range []string{"m1/q1", "m2/q1", "m3/q1"} {
			open[q] = len(r.shows(q).Choices) > 0
		}
		if d := cmp.Diff(map[string]bool{"m1/q1": false, "m2/q1": true, "m3/q1": true}, open); d != "" {
			t.Errorf("open cards (-want +got):\n%s", d)
		}
		if got := r.shows("m1/end").Text; !strings.Contains(got, "is called off") {
			t.Errorf("m1 ends with %q", got)
		}
	})
}

// In a thread with the bot people talk to each other: what is not for the bot is not
// answered, and whoever it works for there need not call it again.
func TestInAThreadTheBotAnswersWhoItWorksFor(t *testing.T) {
	for name, tt := range map[string]struct {
		by, text string
		answered bool
	}{
		"praise of a colleague":             {gus, "nice numbers Ana", false},
		"in Chinese":                        {gus, "这个数字不错", false},
		"thanks to a colleague":             {gus, "thanks", false},
		"a question to a colleague":         {gus, "Ana, did you see Lee?", false},
		"a follow-up of who asked":          {ana, "by product please", true},
		"a follow-up of who asked, Chinese": {ana, "按产品看", true},
		"a clear question of another":       {gus, "what were last month's sales in Asia?", true},
		"a clear question, Chinese":         {gus, "上个月亚洲的销售额是多少？", true},
		"a short question of another":       {gus, "and the month before?", true},
		"a clear task of another":           {gus, "post it to #sales", true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{})
				r.hear("m1", here, "what were last month's sales?")
				r.says("m2", tt.by, here, tt.text)
				if _, got := r.chat.Shows("m2/end"); got != tt.answered {
					t.Errorf("answered: %t, want %t", got, tt.answered)
				}
				r.receive(bot.Message{Key: "m3", Place: here, From: tt.by, Name: nameOf(tt.by), Text: tt.text, Addressed: true, At: time.Now()})
				if _, got := r.chat.Shows("m3/end"); !got {
					t.Error("the same words to the bot by name are not answered")
				}
			})
		})
	}
}

// S9: a message that is edited while it is worked on is begun anew as it now reads;
// one that is taken back, or has been answered, is not.
func TestS9AnEditBeginsAnew(t *testing.T) {
	for name, tt := range map[string]struct {
		text    string
		early   bool
		old     string
		answers bool
	}{
		"while it is under way": {"export the list by product", true, "Stopped.", true},
		"in Chinese":            {"按产品导出", true, "Stopped.", true},
		"taken back":            {"", true, "The request was taken back, so nothing is done.", false},
		"changed to a stop":     {"stop", true, "Stopped.", false},
		"after it was answered": {"export the list by product", false, "done with m1", false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{})
				r.brain.gate = make(chan struct{})
				r.hear("m1", here, "export slowly")
				if !tt.early {
					close(r.brain.gate)
					r.shows("m1/end") // it is over before the edit comes
				}
				for range 2 {
					r.receive(bot.Message{Key: "m1@2", Edits: "m1", Place: here, From: ana, Name: "Ana", Text: tt.text, Addressed: tt.text != "", At: time.Now()})
				}
				if tt.early {
					close(r.brain.gate)
				}
				if got, _, _ := strings.Cut(r.shows("m1/end").Text, "\n"); got != tt.old {
					t.Errorf("the old one ended with %q, want %q", got, tt.old)
				}
				told := r.whispers(here, ana)
				if late := !tt.early; late != (len(told) == 1 && strings.HasPrefix(told[0], "I have answered this already")) {
					t.Errorf("who has edited is told %q", told)
				}
				_, answered := r.chat.Shows("m1@2/end")
				if answered != tt.answers {
					t.Errorf("the new text is answered: %t, want %t", answered, tt.answers)
				}
				if tt.answers && r.run("m1@2").Text != tt.text {
					t.Errorf("the new run is about %q", r.run("m1@2").Text)
				}
			})
		})
	}
}

// A question that takes any words takes those that could answer it. A request that is
// plainly another one is begun, and the question stays open.
func TestANewRequestIsNoAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		text      string
		addressed bool
		answers   bool
	}{
		"an answer":                   {"#sales", true, true},
		"an answer in a sentence":     {"every Monday at 9", true, true},
		"an answer without the name":  {"summarise last month's sales by region and post it", false, true},
		"another request":             {"summarise last month's sales by region and post it to #ops", true, false},
		"another request, in Chinese": {"把上个月的销售数据按地区汇总，发到 #ops", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{says: map[string][]llm.Reply{"m1": {says("", call("ask", `{"question":"Which channel?"}`))}}})
				r.hear("m1", here, "export the list")
				r.receive(bot.Message{Key: "m2", Place: here, From: ana, Name: "Ana", Text: tt.text, Addressed: tt.addressed, InThread: true, At: time.Now()})
				q, err := r.store.Question(t.Context(), "m1/q1")
				if err != nil || (q.Answer != nil) != tt.answers {
					t.Errorf("answer = %+v, %v; want one: %t", q.Answer, err, tt.answers)
				}
				if _, begun := r.chat.Shows("m2/end"); begun == tt.answers {
					t.Errorf("begun as a request: %t, want %t", begun, !tt.answers)
				}
			})
		})
	}
}
