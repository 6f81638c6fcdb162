package bot_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
)

const robot = "slack:T1:B7"

// O11: who may not have work done is told why, and whom to ask; nothing is done.
func TestO11WhoMayNotIsToldWhyAndWhomToAsk(t *testing.T) {
	for name, tt := range map[string]struct {
		standing bot.Standing
		policy   bot.Policy
		text     string
		says     string // part of the only post; none if empty
		asks     string // with what the model was asked
	}{
		"a member":                      {bot.Member, bot.Policy{}, "export the list", "done with m1", "tools"},
		"a guest who chats":             {bot.Guest, bot.Policy{}, "good morning", "done with m1", "words"},
		"a guest who may have nothing":  {bot.Guest, bot.Policy{Guests: bot.Nothing}, "good morning", "I do not work for guests here. Please ask Lee or Moe.", "nothing"},
		"a guest who may have all":      {bot.Guest, bot.Policy{Guests: bot.Everything}, "export the list", "done with m1", "tools"},
		"somebody from outside":         {bot.External, bot.Policy{}, "export the list", "I work only for people of this workspace. Please ask Lee or Moe.", "nothing"},
		"from outside, Chinese":         {bot.External, bot.Policy{}, "导出数据", "我只为本工作区的人工作。请联系Lee 或 Moe。", "nothing"},
		"from outside, a friendly word": {bot.External, bot.Policy{}, "hi", "I work only for people of this workspace.", "nothing"},
		"from outside, help":            {bot.External, bot.Policy{}, "help", "I work only for people of this workspace.", "nothing"},
		"from outside, allowed":         {bot.External, bot.Policy{External: bot.Everything}, "export the list", "done with m1", "tools"},
		"not on the list":               {bot.Member, bot.Policy{Users: []string{lee}}, "export the list", "You are not among those I work for here. Please ask Lee or Moe.", "nothing"},
		"on the list":                   {bot.Member, bot.Policy{Users: []string{lee, ana}}, "export the list", "done with m1", "tools"},
		"in another channel":            {bot.Member, bot.Policy{Channels: []string{"slack:T1:C9"}}, "export the list", "I do not work in this channel. Write to me directly, or ask Lee or Moe.", "nothing"},
		"in another channel, Chinese":   {bot.Member, bot.Policy{Channels: []string{"slack:T1:C9"}}, "导出数据", "我不在这个频道工作。请私聊我，或联系Lee 或 Moe。", "nothing"},
		"in a channel of the list":      {bot.Member, bot.Policy{Channels: []string{"slack:T1:C1"}}, "export the list", "done with m1", "tools"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, policed(tt.policy))
				r.chat.Knows(ana, tt.standing)
				r.hear("m1", here, tt.text)
				said := r.said(here)
				if len(said) != 1 || !strings.Contains(said[0], tt.says) {
					t.Errorf("said %q, want one with %q", said, tt.says)
				}
				if got := r.asked(); got != tt.asks {
					t.Errorf("the model was asked with %s, want %s", got, tt.asks)
				}
			})
		})
	}
}

func policed(p bot.Policy) setup {
	return setup{
		cfg:    bot.Config{Policy: p, Approvers: []string{lee, moe, "web:demo:lead"}},
		poster: func(p bot.Poster) bot.Poster { return knowing{p, p.(bot.Knower)} },
	}
}

// knowing is a platform that knows names and standings.
type knowing struct {
	bot.Poster
	bot.Knower
}

func (knowing) NameOf(person string) string { return nameOf(person) }

// asked is with what the model was asked so far.
func (r *rig) asked() string {
	synctest.Wait()
	got := "nothing"
	for _, q := range r.brain.requests() {
		if got = "words"; len(q.Tools) > 0 {
			return "tools"
		}
	}
	return got
}

// O11: who may have words alone and wants more reads one text, and it is right for
// their kind. Where a language model answers, the notice stands under its words, once an
// hour in each place; the built-in rules have none but of what they do for others, so
// the notice stands alone.
func TestO11WhoGetsWordsReadsOneText(t *testing.T) {
	const guestEn, outsideEn = "With guests I only talk: I look nothing up and do nothing. For more, please ask Lee or Moe.",
		"With people of other organisations I only talk: I look nothing up and do nothing. For more, please ask Lee or Moe."
	const guestZh, outsideZh = "和访客我只聊天：不查数据，也不做事。需要更多请联系Lee 或 Moe。", "和其他组织的人我只聊天：不查数据，也不做事。需要更多请联系Lee 或 Moe。"
	for _, tt := range []struct {
		standing bot.Standing
		text     string
		want     string
	}{
		{bot.Guest, "export the list", guestEn}, {bot.Guest, "导出数据", guestZh},
		{bot.External, "export the list", outsideEn}, {bot.External, "导出数据", outsideZh},
		{bot.Guest, "what were the sales last month?", guestEn}, {bot.Guest, "what can you do?", guestEn}, {bot.Guest, "你能做什么？", guestZh},
		{bot.Guest, "help", guestEn}, {bot.Guest, "status", guestEn}, {bot.External, "帮助", outsideZh},
	} {
		for _, model := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.standing, " ", tt.text, " ", model), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := policed(bot.Policy{External: bot.Chat})
					s.cfg.HasModel = model
					r := start(t, s)
					r.chat.Knows(ana, tt.standing)
					for i, at := range []bot.Place{here, here, there} {
						r.hear(fmt.Sprint("m", i), at, tt.text)
					}
					pass(time.Hour)
					r.hear("m3", here, tt.text)
					want, elsewhere, asked := []string{tt.want, tt.want, tt.want}, []string{tt.want}, "nothing"
					switch alone := tt.text == "help" || tt.text == "status" || tt.text == "帮助"; {
					case model && !alone && strings.Contains(tt.text, "can you do"), model && strings.Contains(tt.text, "你能"):
						// A language model says what it is for by itself.
						want, elsewhere, asked = []string{"done with m0", "done with m1", "done with m3"}, []string{"done with m2"}, "words"
					case model && !alone:
						want = []string{"done with m0\n\n" + tt.want, "done with m1", "done with m3\n\n" + tt.want}
						elsewhere, asked = []string{"done with m2\n\n" + tt.want}, "words"
					}
					if d := cmp.Diff(want, r.said(here)); d != "" {
						t.Errorf("said (-want +got):\n%s", d)
					}
					if d := cmp.Diff(elsewhere, r.said(there)); d != "" {
						t.Errorf("said elsewhere (-want +got):\n%s", d)
					}
					if got := r.asked(); got != asked {
						t.Errorf("the model was asked with %s, want %s", got, asked)
					}
				})
			})
		}
	}
}

// O11: whoever asks again within the hour is not told again, and still gets nothing.
// A channel is one place, though each line in it begins a thread.
func TestO11ADenialIsSaidOnceAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, policed(bot.Policy{}))
		r.chat.Knows(ana, bot.External)
		for i := range 4 {
			p := bot.Place{Platform: "slack", Workspace: "T1", Channel: "C1", Thread: fmt.Sprint(i)}
			r.hear("slack/T1/C1/"+p.Thread, p, "export the list")
		}
		r.receive(bot.Message{Key: "g1", Place: here, From: gus, Text: "export", Addressed: true, Standing: bot.External, At: time.Now()})
		if n := len(r.chat.Posts()); n != 2 {
			t.Errorf("%d posts, want one for each person", n)
		}
		if got := r.heard.ignored(); len(got) != 3 || got[0] != "denied, and told so before" {
			t.Errorf("ignored %q", got)
		}
		pass(time.Hour)
		r.hear("m9", bot.Place{Platform: "slack", Workspace: "T1", Channel: "C1"}, "export the list")
		if n := len(r.chat.Posts()); n != 3 || r.asked() != "nothing" {
			t.Errorf("%d posts after an hour, and the model was asked with %s", n, r.asked())
		}
	})
}

// S14: while nobody can say what a person is, nothing is done for them: it is tried
// again, and then said in one sentence.
func TestS14WithoutAStandingThereIsNoWork(t *testing.T) {
	for name, tt := range map[string]struct {
		text, says string
		mends      bool
	}{
		"never":             {"export the list", "I could not find out whether I may work for you, so I have done nothing. Please ask again later.", false},
		"never, Chinese":    {"导出数据", "没能确认我是否可以为你工作，所以什么也没有做。请稍后再问。", false},
		"after a while":     {"export the list", "done with m1", true},
		"a friendly word":   {"hi", "I could not find out whether I may work for you", false},
		"a press of theirs": {"", "I could not find out whether I may work for you", false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, policed(bot.Policy{}))
				r.chat.Forget(errors.New("auth.test failed"))
				if tt.text == "" {
					r.click(bot.Click{Place: here, From: ana, Question: "m0/q1", Choice: run.Yes})
				} else {
					r.hear("m1", here, tt.text)
				}
				pass(2 * time.Second)
				if got := r.said(here); len(got) != 0 {
					t.Errorf("said %q while nobody knows", got)
				}
				if tt.mends {
					r.chat.Forget(nil)
				}
				pass(time.Minute)
				if got := r.said(here); len(got) != 1 || !strings.HasPrefix(got[0], tt.says) {
					t.Errorf("said %q, want %q", got, tt.says)
				}
				if asked := r.asked() != "nothing"; asked != tt.mends {
					t.Errorf("the model was asked: %t", asked)
				}
			})
		})
	}
	t.Run("a platform that cannot tell has no members", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, setup{poster: func(p bot.Poster) bot.Poster { return struct{ bot.Poster }{p} }})
			r.hear("m1", here, "export the list")
			if got := r.said(here); len(got) != 1 || !strings.HasPrefix(got[0], "I work only for people") || r.asked() != "nothing" {
				t.Errorf("said %q", got)
			}
		})
	})
}

// Who may not have work done decides nothing either: a press does not count, nor do
// words. Stopping one's own is for everybody.
func TestO11PressesOfWhoMayNotDoNotCount(t *testing.T) {
	for name, s := range map[string]bot.Standing{"a guest": bot.Guest, "from outside": bot.External} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s0 := policed(bot.Policy{})
				s0.says = map[string][]llm.Reply{"m1": {both()}}
				r := start(t, s0)
				r.hear("m1", here, monthly)
				r.chat.Knows(lee, s)
				r.chat.Knows(ana, s)
				r.press(here, lee, "m1/q1", run.Once)
				if got := r.whispers(here, lee); len(got) != 1 || !strings.Contains(got[0], "lease ask Lee or Moe") {
					t.Errorf("who pressed hears %q", got)
				}
				r.says("m2", ana, here, "no")
				if q, err := r.store.Question(t.Context(), "m1/q1"); err != nil || q.Answer != nil || len(r.said(sales)) != 0 {
					t.Errorf("answer = %+v, %v", q.Answer, err)
				}
				r.chat.Knows(lee, bot.Member)
				pass(time.Second)
				r.press(here, lee, "m1/q1", run.Once)
				if len(r.said(sales)) == 0 {
					t.Error("a member's press does not count")
				}
			})
		})
	}
}

// S10: other bots are answered as far as the policy has it, and hear nothing
// otherwise.
func TestS10OtherBotsAreHeardAsFarAsAllowed(t *testing.T) {
	for _, tt := range []struct {
		bots      bot.Access
		addressed bool
		answered  bool
	}{
		{"", true, false}, {bot.Nothing, true, false}, {bot.Mentions, true, true}, {bot.Mentions, false, false}, {bot.Everything, false, true},
	} {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, policed(bot.Policy{Bots: tt.bots}))
				r.receive(bot.Message{Key: "m1", Place: here, From: robot, Text: "export the list", Standing: bot.Machine, Addressed: tt.addressed, InThread: true, At: time.Now()})
				want, ignored := []string(nil), []string{"of another bot"}
				if tt.answered {
					want, ignored = []string{"done with m1"}, nil
				}
				if d := cmp.Diff(want, r.said(here)); d != "" {
					t.Errorf("said (-want +got):\n%s", d)
				}
				if d := cmp.Diff(ignored, r.heard.ignored()); d != "" {
					t.Errorf("ignored (-want +got):\n%s", d)
				}
			})
		})
	}
}

// A bot that is on no list is told nothing: it would only answer.
func TestS10ABotThatIsDeniedHearsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, policed(bot.Policy{Bots: bot.Everything, Users: []string{ana}}))
		r.receive(bot.Message{Key: "m1", Place: here, From: robot, Text: "export the list", Standing: bot.Machine, Addressed: true, At: time.Now()})
		if posts, ignored := r.chat.Posts(), r.heard.ignored(); len(posts) != 0 || len(ignored) != 1 {
			t.Errorf("%d posts, ignored %q", len(posts), ignored)
		}
	})
}

// S10: two bots that answer each other in one thread stop at the cap, and it is said
// once. A person who writes lets them go on.
func TestS10TwoBotsInOneThreadStopAtTheCap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, policed(bot.Policy{Bots: bot.Everything, BotTurns: 4}))
		other := start(t, policed(bot.Policy{Bots: bot.Everything, BotTurns: 4}))
		relayed := map[*rig]int{}
		relay := func() {
			// Each hears what the other says, until neither says more.
			for range 50 {
				moved := false
				for from, to := range map[*rig]*rig{r: other, other: r} {
					for _, p := range from.chat.Posts()[relayed[from]:] {
						relayed[from]++
						if p.Kind != bot.Progress {
							moved = true
							to.receive(bot.Message{Key: p.Key + "<", Place: here, From: robot, Text: p.Text, Standing: bot.Machine, InThread: true, At: time.Now()})
						}
					}
				}
				if !moved {
					return
				}
			}
			t.Error("they never stop")
		}
		notices := func() (n int) {
			for _, text := range append(r.said(here), other.said(here)...) {
				if strings.HasPrefix(text, "I stop here: this would be more than 4 answers in a row") {
					n++
				}
			}
			return n
		}
		r.hear("m1", here, "export the list")
		relay()
		if n := notices(); n != 1 {
			t.Errorf("%d notices, want one; said %q and %q", n, r.said(here), other.said(here))
		}
		before := len(r.said(here)) + len(other.said(here))
		if before > 12 {
			t.Errorf("%d posts before they stopped", before)
		}
		for i := range 3 {
			r.receive(bot.Message{Key: fmt.Sprint("more", i), Place: here, From: robot, Text: "export the list", Standing: bot.Machine, InThread: true, At: time.Now()})
		}
		if after := len(r.said(here)) + len(other.said(here)); after != before {
			t.Errorf("%d more posts after the cap", after-before)
		}
		if !slices.Contains(r.heard.ignored(), "turns with another bot are used") {
			t.Errorf("ignored %q", r.heard.ignored())
		}
		r.receive(bot.Message{Key: "human", Place: here, From: gus, Text: "thanks both", InThread: true, At: time.Now()})
		r.receive(bot.Message{Key: "again", Place: here, From: robot, Text: "export the list", Standing: bot.Machine, InThread: true, At: time.Now()})
		if _, ok := r.chat.Shows("again/end"); !ok {
			t.Error("a person in between does not begin a new row")
		}
	})
}
