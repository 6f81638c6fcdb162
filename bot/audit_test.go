package bot_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
)

// tried keeps what was refused.
type tried struct {
	mu  sync.Mutex
	all []bot.Refusal
}

func (t *tried) Refused(_ context.Context, r bot.Refusal) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, r)
	return nil
}

func (t *tried) has(who, try string, about func(string) bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.ContainsFunc(t.all, func(r bot.Refusal) bool { return r.Who == who && r.Try == try && r.Key != "" && about(r.About) })
}

// Issue 5, audit: who presses what is not theirs, stops the work of others, or asks
// though the bot does not work for them, is told to the audit; who may is not.
func TestWhatIsRefusedIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept := &tried{}
		s := policed(bot.Policy{})
		s.says, s.audit = map[string][]llm.Reply{"m1": {both()}}, kept
		r := start(t, s)
		for _, who := range []string{ana, lee, gus} {
			r.chat.Knows(who, bot.Member)
		}
		r.chat.Knows(robot, bot.External)
		r.hear("m1", here, "export the list")
		q := r.run("m1").Questions[0].ID
		r.press(here, gus, q, "approve")
		r.click(bot.Click{Key: "c1", Place: here, From: gus, Stop: "m1", At: r.run("m1").Created})
		r.click(bot.Click{Key: "c2", Place: here, From: robot, Question: q, Choice: "approve", At: r.run("m1").Created})
		is := func(want string) func(string) bool { return func(got string) bool { return got == want } }
		for _, c := range []struct {
			who, try, about string
		}{{gus, "approve", q}, {gus, "stop", "m1"}, {robot, "press", "policy"}} {
			if !kept.has(c.who, c.try, is(c.about)) {
				t.Errorf("%s tried %s on %s, and nobody was told: %+v", c.who, c.try, c.about, kept.all)
			}
		}
		if s, err := r.bot.Sheet(t.Context(), gus, q, run.Change); err != nil || len(s.Fields) != 0 || !kept.has(gus, run.Change, is(q)) {
			t.Errorf("a form for who may not decide = %+v, %v; told %+v", s, err, kept.all)
		}
		if err := r.bot.Decide(t.Context(), bot.Click{Key: "view/1", Place: here, From: gus, Question: q, Choice: bot.ReasonChoice, At: r.run("m1").Created}, map[string]string{bot.FieldNote: "x"}); err == nil || !kept.has(gus, bot.ReasonChoice, is(q)) {
			t.Errorf("a form of who may not decide = %v; told %+v", err, kept.all)
		}
		for lang, want := range map[string]string{"en": "This is not yours to decide. It waits for Lee", "zh": "这件事不由您决定。要等 Lee"} {
			c := bot.Click{Key: "view/2" + lang, From: gus, Question: q, Choice: "approve"}
			if got, err := r.bot.Barred(t.Context(), c, lang); err != nil || !strings.HasPrefix(got, want) || !kept.has(gus, "approve", is(q)) || kept.all[len(kept.all)-1].Key != c.Key {
				t.Errorf("a press on what they are not shown = %q, %v; told %+v", got, err, kept.all)
			}
		}
		if got, err := r.bot.Barred(t.Context(), bot.Click{From: lee, Question: q, Choice: "approve"}, "en"); got != "" || err != nil {
			t.Errorf("who may decide is told %q, %v", got, err)
		}
		r.press(here, lee, q, "approve")
		r.press(here, lee, q, run.No)
		if got, err := r.bot.Barred(t.Context(), bot.Click{From: gus, Question: q, Choice: "approve"}, "en"); got != "" || err != nil {
			t.Errorf("of what is settled gus is told %q, %v", got, err)
		}
		if kept.has(lee, "approve", func(s string) bool { return strings.TrimSpace(s) != "" }) || len(kept.all) != 7 {
			t.Errorf("told %+v, want seven", kept.all)
		}
	})
}
