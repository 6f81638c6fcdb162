package bot_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/llm"
	"hermes/bot"
)

// others are messages of others in a thread, by key.
func others(keys ...string) []bot.Quote {
	var out []bot.Quote
	for _, k := range keys {
		out = append(out, bot.Quote{Key: k, From: "slack:T1:bo", Name: "Bo", Text: "word of " + k, At: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)})
	}
	return out
}

func texts(lines []llm.Line) (all []string) {
	for _, l := range lines {
		all = append(all, strings.TrimPrefix(l.Text, "word of "))
	}
	return all
}

func (r *rig) mentions(key, text string) {
	r.t.Helper()
	r.receive(bot.Message{Key: key, Place: here, From: ana, Name: "Ana", Text: text, Addressed: true, At: time.Now(), Zone: "UTC"})
}

// S12 The first mention in a thread brings all that was said there before, a later one
// exactly what others have said since; what is said to the bot is not among it.
func TestS12ExactlyTheNewOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &library{quotes: others("k01", "k02", "k04", "k05", "k06", "k07", "k08")}
		l.quotes = append(l.quotes, bot.Quote{Key: "k03", From: ana, Text: "sales by region"})
		ok := []llm.Reply{says("Fine.")}
		r := startWith(t, l, map[string][]llm.Reply{"k03": ok, "k09": ok, "k10": ok, "k11": ok})
		for _, step := range []struct{ key, text, want string }{
			{"k03", "look up the sales by region", "k01 k02"},
			{"k09", "look up the sales by product", "k04 k05 k06 k07 k08"},
			{"k10", "look up the orders", ""},
			{"k11", "summarise this thread", "k01 k02 k04 k05 k06 k07 k08"},
		} {
			<-time.After(time.Minute)
			r.mentions(step.key, step.text)
			if got := strings.Join(texts(r.lastAsked().Scene.Heard), " "); got != step.want {
				t.Errorf("%s: heard %q, want %q", step.key, got, step.want)
			}
		}
	})
}

// S12 What begins a thread, is said directly, or is small talk has nothing before it.
func TestS12NothingIsReadWhereNothingCanBe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &library{quotes: others("a")}
		ok := []llm.Reply{says("Fine.")}
		r := startWith(t, l, map[string][]llm.Reply{"slack/T1/C1/1.0": ok, "d1": ok, "c1": ok, "h1": ok})
		begins := bot.Message{Key: "slack/T1/C1/1.0", Place: here, From: ana, Text: "look up the sales", Addressed: true, At: time.Now()}
		direct := bot.Message{Key: "d1", Place: bot.Place{Platform: "slack", Workspace: "T1", Channel: "D1"}, From: ana, Text: "look up the sales", Direct: true, At: time.Now()}
		channel := bot.Message{Key: "c1", Place: sales, From: ana, Text: "look up the sales", Addressed: true, At: time.Now()}
		hello := bot.Message{Key: "h1", Place: here, From: ana, Text: "hello", Addressed: true, At: time.Now()}
		for _, m := range []bot.Message{begins, direct, channel, hello} {
			r.receive(m)
		}
		if len(l.asked) > 0 {
			t.Errorf("read again: %q", l.asked)
		}
	})
}

// S12 Of a long thread the newest is told, within bounds.
func TestS12Bounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &library{}
		for i := range 80 {
			l.quotes = append(l.quotes, bot.Quote{Key: fmt.Sprintf("a%02d", i), Name: "Bo", Text: strings.Repeat("北京 ", 60) + fmt.Sprint(i)})
		}
		l.quotes[79].Text = strings.Repeat("长", 5000)
		r := startWith(t, l, map[string][]llm.Reply{"m1": {says("Fine.")}})
		r.mentions("m1", "look up the sales")
		got, size := r.lastAsked().Scene.Heard, 0
		for _, h := range got {
			size += len(h.Text)
		}
		if len(got) < 5 || len(got) > 50 || size > 8<<10 || !strings.HasSuffix(got[len(got)-2].Text, "78") || !strings.HasSuffix(got[len(got)-1].Text, "长…") {
			t.Errorf("%d lines of %d bytes, the last but one %q", len(got), size, got[len(got)-2].Text)
		}
	})
}

// S12 A thread that cannot be read does not keep anybody from an answer; who asks
// about the thread itself is told.
func TestS12AThreadThatCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &library{lost: errors.New("missing_scope")}
		ok := []llm.Reply{says("Fine.")}
		r := startWith(t, l, map[string][]llm.Reply{"m1": ok, "m2": ok, "m3": ok})
		for key, tt := range map[string]struct {
			text string
			lost bool
		}{"m1": {"look up the sales", false}, "m2": {"summarise this thread", true}, "m3": {"总结一下上面的讨论", true}} {
			r.mentions(key, tt.text)
			if got := r.lastAsked().Scene.Lost; got != tt.lost {
				t.Errorf("%q: told of it %t, want %t", tt.text, got, tt.lost)
			}
			if text := r.reads(key + "/end"); text != "Fine." {
				t.Errorf("%q: answered %q", tt.text, text)
			}
		}
	})
}
