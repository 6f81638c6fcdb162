package bot_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/guard"
	"hermes/bot"
)

// overview is a desk with much on it.
type overview struct {
	bot.Desk
	runs      []bot.RunView
	questions []bot.OpenQuestion
	jobs      []bot.JobView
}

func (o overview) Runs(context.Context, string, int) ([]bot.RunView, error) { return o.runs, nil }
func (o overview) Questions(context.Context, string) ([]bot.OpenQuestion, error) {
	return o.questions, nil
}
func (o overview) Jobs(context.Context, string) ([]bot.JobView, error) { return o.jobs, nil }

// Whoever asks for the status, by word or by command, reads in a few lines what is under
// way, what waits for a decision, what is queued and which schedules come next; in a
// channel alone, since some of it is of other places.
func TestStatusSaysWhatGoesOn(t *testing.T) {
	day := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	full := overview{
		runs: []bot.RunView{
			{Text: "export **all** the lists", State: "working", Steps: 3, Asker: gus, Home: there, Created: day},
			{Text: "ended", State: "done", Asker: ana, Home: here, Created: day},
			{Text: "of another, elsewhere", State: "working", Asker: lee, Home: sales, Created: day},
			{Text: "post it", State: "waiting", Steps: 1, Asker: ana, Home: sales, Created: day.Add(-24 * time.Hour)},
		},
		questions: []bot.OpenQuestion{{ID: "q", Text: "**May I do this?**\n- Post **Sales** to **#sales**\n- Do it again", Mine: true}},
		jobs: []bot.JobView{
			{Name: "Later", Owner: ana, Next: []time.Time{day.Add(48 * time.Hour)}},
			{Name: "Sales", Owner: ana, To: "#sales", Next: []time.Time{day.Add(24 * time.Hour)}},
			{Name: "Paused", Owner: ana},
			{Name: "Of another", Owner: lee, Next: []time.Time{day}},
			{Name: "C", Owner: ana, Next: []time.Time{day.Add(72 * time.Hour)}}, {Name: "D", Owner: ana, Next: []time.Time{day.Add(73 * time.Hour)}},
		},
	}
	const en = "**Under way: 2**\n- “export all the lists”: working, 3 steps, since 08:00\n- “post it”: elsewhere, waiting for a decision, 1 step, since 1999-12-31 08:00\n" +
		"**Waiting for a decision: 1**\n- Post Sales to #sales\nNothing is queued.\n" +
		"**Your schedules: 4, the next:**\n- Sales: 2000-01-02 08:00 → #sales\n- Later: 2000-01-03 08:00\n- C: 2000-01-04 08:00\n- … and 1 more"
	const zh = "**正在进行：2 件**\n- “export all the lists”：处理中，3 步，从 08:00 开始\n- “post it”：在别处，等待决定，1 步，从 1999-12-31 08:00 开始\n" +
		"**等待决定：1 件**\n- Post Sales to #sales\n没有排队的事。\n" +
		"**你的定时任务：4 个，接下来是：**\n- Sales：2000-01-02 08:00 → #sales\n- Later：2000-01-03 08:00\n- C：2000-01-04 08:00\n- …和另外 1 个"
	const none = "Nothing is under way here.\nNothing waits for a decision.\nNothing is queued.\nYou have no schedules."
	for name, tt := range map[string]struct {
		text   string
		via    bot.Via
		direct bool
		desk   bot.Desk
		want   string
	}{
		"a word":           {"status", "", false, full, en},
		"a word, Chinese":  {"状态", "", false, full, zh},
		"with a mark":      {"Status?", "", true, full, en},
		"with a slash":     {"/status", "", true, full, en},
		"by command":       {"status", bot.ByCommand, true, full, en},
		"nothing goes on":  {"status", "", true, overview{}, none},
		"without a desk":   {"status", "", true, nil, none},
		"nothing, Chinese": {"状态", bot.ByCommand, true, overview{}, "这里没有正在进行的事。\n没有等待决定的事。\n没有排队的事。\n你没有定时任务。"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, setup{desk: tt.desk})
				r.receive(bot.Message{Key: "m1", Place: here, From: ana, Text: tt.text, Via: tt.via, Direct: tt.direct, Addressed: true, At: time.Now(), Zone: "Asia/Shanghai"})
				got := r.shows("m1/status")
				if d := cmp.Diff(tt.want, got.Text); d != "" {
					t.Errorf("status (-want +got):\n%s", d)
				}
				if alone := got.Only == ana; alone == tt.direct {
					t.Errorf("only %q sees it", got.Only)
				}
			})
		})
	}
}

// A command that was given in a channel is answered elsewhere, and is about that channel:
// what is under way there is not "elsewhere", and what is in another is said to be in that.
func TestStatusByCommandIsOfItsChannel(t *testing.T) {
	day := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	desk := overview{runs: []bot.RunView{
		{Text: "of another, here", State: "working", Steps: 1, Asker: gus, Home: there, Created: day},
		{Text: "mine, there", State: "waiting", Steps: 1, Asker: ana, Home: sales, Created: day},
	}}
	for lang, want := range map[string]string{
		"status": "**Under way: 2**\n- “of another, here”: working, 1 step, since 08:00\n- “mine, there”: in #sales, waiting for a decision, 1 step, since 08:00\nNothing waits for a decision.\nNothing is queued.\nYou have no schedules.",
		"状态":     "**正在进行：2 件**\n- “of another, here”：处理中，1 步，从 08:00 开始\n- “mine, there”：在 #sales，等待决定，1 步，从 08:00 开始\n没有等待决定的事。\n没有排队的事。\n你没有定时任务。",
	} {
		synctest.Test(t, func(t *testing.T) {
			r, _ := inCity(t, guard.Deciders{Admins: []string{moe}}, setup{desk: desk})
			r.receive(bot.Message{
				Key: "m1", Place: alone(ana), Given: here, From: ana, Text: lang, Via: bot.ByCommand, Direct: true, At: time.Now(), Zone: "Asia/Shanghai",
			})
			if d := cmp.Diff(want, r.shows("m1/status").Text); d != "" {
				t.Errorf("status (-want +got):\n%s", d)
			}
		})
	}
}

// People who say "status" to each other are not answered, and who may not have work done
// is told that alone.
func TestStatusIsForWhomTheBotWorks(t *testing.T) {
	for name, tt := range map[string]struct {
		m    bot.Message
		want []string
	}{
		"not called":         {bot.Message{From: ana}, nil},
		"colleagues":         {bot.Message{From: gus, InThread: true}, nil},
		"who has asked here": {bot.Message{From: ana, InThread: true}, []string{"done with m1", "Nothing is under way here.\nNothing waits for a decision.\nNothing is queued.\nYou have no schedules."}},
		"from outside":       {bot.Message{From: gus, Addressed: true, Standing: bot.External}, []string{"I work only for people of this workspace. Please ask Lee or Moe."}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, policed(bot.Policy{}))
				if tt.m.InThread {
					r.hear("m1", here, "export the list")
				}
				tt.m.Key, tt.m.Place, tt.m.Text, tt.m.At = "s", here, "status", time.Now()
				r.receive(tt.m)
				want := tt.want
				if tt.m.From == gus && tt.m.InThread {
					want = []string{"done with m1"}
				}
				if d := cmp.Diff(want, r.said(here)); d != "" {
					t.Errorf("said (-want +got):\n%s", d)
				}
			})
		})
	}
}

// A status waits for nobody: while something long is under way it says so, and how much
// is queued behind it.
func TestStatusIsAnsweredWhileWorkGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, setup{})
		r.brain.gate = make(chan struct{})
		r.hear("m1", here, "export slowly")
		pass(3 * time.Second)
		r.hear("m2", here, "export the list")
		r.hear("s", here, "status")
		want := "**Under way: 1**\n- “export slowly”: working, 1 step, since 08:00\nNothing waits for a decision.\n**Queued: 1**\n- “export the list”\nYou have no schedules."
		if d := cmp.Diff(want, r.shows("s/status").Text); d != "" {
			t.Errorf("status (-want +got):\n%s", d)
		}
		close(r.brain.gate)
	})
}

// What waits its turn is in the status wherever it is asked for: what who asks has said in
// any place, and what others have said to the bot in the channel; not what people say to
// each other.
func TestStatusListsWhatIsQueuedFromAnyPlace(t *testing.T) {
	for text, want := range map[string]string{
		"status": "**Queued: 2**\n- [“export the list”](https://x/m2) in #C1\n- “export the rest” in #C1",
		"状态":     "**排队：2 件**\n- #C1 里的[“export the list”](https://x/m2)\n- #C1 里的“export the rest”",
	} {
		synctest.Test(t, func(t *testing.T) {
			r, _ := inCity(t, guard.Deciders{Admins: []string{moe}}, setup{})
			r.brain.gate = make(chan struct{})
			r.hear("m1", here, "export slowly")
			pass(500 * time.Millisecond)
			say := func(m bot.Message) {
				if m.At = time.Now(); m.From == "" {
					m.From = ana
				}
				r.receive(m)
			}
			say(bot.Message{Key: "m2", Place: here, Text: "export the list", Addressed: true, Link: "https://x/m2"})
			say(bot.Message{Key: "m3", Place: here, Text: "export the rest", Addressed: true})
			say(bot.Message{Key: "m4", Place: here, Text: "see you at lunch then", From: gus, InThread: true})
			say(bot.Message{Key: "s1", Place: alone(ana), Text: text, Direct: true})
			if got := r.shows("s1/status").Text; !strings.Contains(got, want) {
				t.Errorf("from elsewhere the status is\n%s\nwant in it\n%s", got, want)
			}
			say(bot.Message{Key: "s2", Place: alone(gus), Given: sales, Text: text, From: gus, Via: bot.ByCommand, Direct: true})
			if got := r.shows("s2/status").Text; strings.Contains(got, "export the list") {
				t.Errorf("gus reads in another channel what ana waits for:\n%s", got)
			}
			close(r.brain.gate)
		})
	}
}
