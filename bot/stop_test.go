package bot_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/guard"
	"hermes/agent/run"
	"hermes/bot"
)

// A stop that is said in a channel itself, or given there as a command, ends all that its
// person has under way in that channel and its threads, and names it; not what others have,
// admins or not, nor what they have elsewhere. Where they have nothing they are told where
// they have, and to who is alone with the bot one thing elsewhere is what is meant.
func TestAStopReachesWhatIsOfItsPersonInTheChannel(t *testing.T) {
	type asked struct {
		key, by string
		at      bot.Place
	}
	first, second := asked{"m1", ana, here}, asked{"m2", ana, there}
	others, away := asked{"g1", gus, there}, asked{"s1", ana, inside(sales, "9.0")}
	dm, other := asked{"d1", ana, alone(ana)}, asked{"p1", ana, inside(bot.Place{Platform: "slack", Workspace: "T1", Channel: "plans"}, "8.0")}
	channel := here
	channel.Thread = ""
	command := bot.Message{Place: alone(ana), Given: channel, Via: bot.ByCommand, Direct: true}
	toldMe := bot.Message{Place: alone(ana), Direct: true}
	mention := bot.Message{Key: "slack/T1/C1/7.0", Place: inside(channel, "7.0"), Addressed: true}
	for name, tt := range map[string]struct {
		goes    []asked
		m       bot.Message
		text    string
		stopped []string
		want    string
		only    string
	}{
		"a command, in a thread of it":  {[]asked{first}, command, "stop", []string{"m1"}, "Stopped: [“export slowly m1”](https://x/m1).", ana},
		"a command, Chinese":            {[]asked{first}, command, "停", []string{"m1"}, "已停止：[“export slowly m1”](https://x/m1)。", ana},
		"several":                       {[]asked{first, second, others, away}, command, "stop", []string{"m1", "m2"}, "Stopped 2 requests of yours:\n- [“export slowly m1”](https://x/m1)\n- [“export slowly m2”](https://x/m2)", ana},
		"several, Chinese":              {[]asked{first, second, others, away}, command, "停止", []string{"m1", "m2"}, "已停止您的 2 件事：\n- [“export slowly m1”](https://x/m1)\n- [“export slowly m2”](https://x/m2)", ana},
		"a mention in the channel":      {[]asked{first, others}, mention, "stop", []string{"m1"}, "Stopped: [“export slowly m1”](https://x/m1).", ""},
		"only others":                   {[]asked{others}, command, "stop", nil, "Nothing is under way here.", ana},
		"what came of another command":  {[]asked{dm, away}, command, "stop", []string{"d1"}, "Stopped: [“export slowly d1”](https://x/d1) in #ana.", ana},
		"one elsewhere":                 {[]asked{away}, command, "stop", nil, "Nothing of yours is under way here, but elsewhere:\n- [“export slowly s1”](https://x/s1) in #sales\nSay *stop* there to end it.", ana},
		"one elsewhere, in the channel": {[]asked{away}, mention, "停", nil, "这里没有您正在进行的事，别处有：\n- #sales 里的[“export slowly s1”](https://x/s1)\n要停止，请到那里说*停*。", ana},
		"alone, one elsewhere":          {[]asked{away, others}, toldMe, "stop", []string{"s1"}, "Stopped: [“export slowly s1”](https://x/s1) in #sales.", ""},
		"alone, several elsewhere":      {[]asked{first, away, other}, toldMe, "stop", nil, "Nothing of yours is under way here, but elsewhere:\n- [“export slowly m1”](https://x/m1) in #C1\n- [“export slowly s1”](https://x/s1) in #sales\n- [“export slowly p1”](https://x/p1) in #plans\nSay *stop* there to end it.", ""},
		"alone, one there too":          {[]asked{dm, away}, toldMe, "stop", []string{"d1"}, "", ""},
		"a command, alone":              {[]asked{away}, bot.Message{Place: alone(ana), Via: bot.ByCommand, Direct: true}, "stop", []string{"s1"}, "Stopped: [“export slowly s1”](https://x/s1) in #sales.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, _ := inCity(t, guard.Deciders{Admins: []string{lee}}, setup{})
				r.brain.gate = make(chan struct{})
				for _, a := range tt.goes {
					r.receive(bot.Message{Key: a.key, Place: a.at, From: a.by, Text: "export slowly " + a.key, Addressed: true, Link: "https://x/" + a.key, At: time.Now()})
				}
				pass(5 * time.Second)
				m := tt.m
				if m.Key == "" {
					m.Key = "stop"
				}
				m.From, m.Text, m.At = ana, tt.text, time.Now()
				r.receive(m)
				pass(time.Second)
				close(r.brain.gate)
				pass(time.Minute)
				var stopped []string
				for _, a := range tt.goes {
					if out := r.run(a.key).Outcome; out.Why == run.Stopped {
						stopped = append(stopped, a.key)
					}
				}
				if d := cmp.Diff(tt.stopped, stopped); d != "" {
					t.Errorf("stopped (-want +got):\n%s", d)
				}
				p, said := r.chat.Shows(m.Key + "/stop")
				if p.Text != tt.want || said != (tt.want != "") || p.Only != tt.only {
					t.Errorf("said %q to %q, want %q to %q", p.Text, p.Only, tt.want, tt.only)
				}
			})
		})
	}
}

// What its person has queued in the channel's threads is dropped too.
func TestAStopOfAChannelDropsWhatWaitsInItsThreads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := inCity(t, guard.Deciders{Admins: []string{lee}}, setup{})
		r.brain.gate = make(chan struct{})
		r.receive(bot.Message{Key: "g1", Place: here, From: gus, Text: "export slowly", Addressed: true, At: time.Now()})
		pass(5 * time.Second)
		r.hear("m2", here, "export the list")
		r.receive(bot.Message{Key: "stop", Place: alone(ana), Given: bot.Place{Platform: "slack", Workspace: "T1", Channel: "C1"}, Via: bot.ByCommand, Direct: true, From: ana, Text: "stop", At: time.Now()})
		if p := r.shows("stop/dropped"); p.Text != "1 request of yours that was queued is dropped." || p.Only != ana || p.Place.Channel != "C1" {
			t.Errorf("said %+v", p)
		}
		close(r.brain.gate)
		pass(time.Minute)
		if said := r.said(here); slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, "m2") }) {
			t.Errorf("what was dropped is answered: %q", said)
		}
	})
}

func inside(p bot.Place, thread string) bot.Place {
	p.Thread = thread
	return p
}
