package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/bot"
	"hermes/internal/store"
	"hermes/memory"
	"hermes/scheduler"
)

// deliver brings the next post to where a platform names it id.
func deliver(t testing.TB, d *store.DB, id string) {
	t.Helper()
	ctx := t.Context()
	p := must[bot.Post](t)(d.Outbox().Next(ctx))
	ok(t, d.Outbox().Note(ctx, p, bot.Receipt{Ref: bot.Ref{Place: p.Place, ID: id}}))
	ok(t, d.Outbox().Done(ctx, p))
}

type seen struct {
	Key, From, Text, State  string
	Answers, Choices, Files int
}

func see(lines []bot.Line) []seen {
	var all []seen
	for _, l := range lines {
		all = append(all, seen{l.Key, l.From, l.Text, l.State, l.Answers, len(l.Choices), len(l.Files)})
	}
	return all
}

// A channel shows its own lines and how many answers they have; a thread shows what
// it began with and what followed; nobody sees what is for another.
func TestLines(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		desk := d.Desk(store.DeskConfig{})
		channel := bot.Place{Platform: "test", Workspace: "w", Channel: "C1"}
		thread := func(id string) bot.Place { p := channel; p.Thread = id; return p }
		hear := func(key, text string, p bot.Place, edits string) {
			t.Helper()
			c.pass(time.Second)
			m := &bot.Message{Key: key, Place: p, From: ann, Text: text, Edits: edits, At: c.now()}
			ok(t, d.Inbox().Add(ctx, bot.Item{Key: key, Place: p, Lane: bot.Talk, Message: m}))
		}
		say := func(p bot.Post) {
			t.Helper()
			c.pass(time.Second)
			ok(t, d.Outbox().Add(ctx, p))
		}
		must[tool.Artifact](t)(d.Artifacts().Put(ctx, tool.Artifact{ID: "f1", Kind: tool.File, Name: "s.xlsx"}))
		must[tool.Artifact](t)(d.Artifacts().Put(ctx, tool.Artifact{ID: "r1", Kind: tool.Report, Body: []byte("# Sales"), Files: []string{"f1"}}))
		hear("test/w/C1/10", "sales?", thread("10"), "")
		hear("test/w/C1/11", "hurry", thread("10"), "")
		hear("test/w/C1/11b", "please hurry", thread("10"), "test/w/C1/11")
		say(bot.Post{Key: "m10/end", Place: thread("10"), Text: "So many."})
		deliver(t, d, "12")
		say(bot.Post{Key: "no", Place: thread("10"), Text: "not yours", Only: bob})
		say(bot.Post{Key: "rep", Place: channel, Kind: bot.Report, Artifact: "r1"})
		deliver(t, d, "20") // "no": another place, so it is older
		deliver(t, d, "21")
		hear("test/w/C1/22", "thanks", thread("21"), "")
		hear("test/w/C1/30", "lunch", channel, "")
		hear("test/w/C1/30x", "", channel, "test/w/C1/30")
		hear("test/w/C1/31", "last", channel, "")
		want := []seen{
			{"test/w/C1/10", ann, "sales?", "", 2, 0, 0},
			{"rep", "", "# Sales", "sent", 1, 0, 1},
			{"test/w/C1/31", ann, "last", "", 0, 0, 0},
		}
		if diff := cmp.Diff(want, see(must[[]bot.Line](t)(desk.Lines(ctx, channel, ann, 50)))); diff != "" {
			t.Errorf("channel (-want +got):\n%s", diff)
		}
		want = []seen{
			{"test/w/C1/10", ann, "sales?", "", 0, 0, 0},
			{"test/w/C1/11", ann, "please hurry", "", 0, 0, 0},
			{"m10/end", "", "So many.", "sent", 0, 0, 0},
		}
		if diff := cmp.Diff(want, see(must[[]bot.Line](t)(desk.Lines(ctx, thread("10"), ann, 50)))); diff != "" {
			t.Errorf("thread (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(want[1:], see(must[[]bot.Line](t)(desk.Lines(ctx, thread("10"), ann, 2)))); diff != "" {
			t.Errorf("two of the thread (-want +got):\n%s", diff)
		}
		if got := see(must[[]bot.Line](t)(desk.Lines(ctx, thread("10"), bob, 50))); len(got) != 4 || got[3].Text != "not yours" {
			t.Errorf("Bob sees %+v, want his line too", got)
		}
		want = []seen{{"rep", "", "# Sales", "sent", 0, 0, 1}, {"test/w/C1/22", ann, "thanks", "", 0, 0, 0}}
		if diff := cmp.Diff(want, see(must[[]bot.Line](t)(desk.Lines(ctx, thread("21"), ann, 50)))); diff != "" {
			t.Errorf("thread of a report (-want +got):\n%s", diff)
		}
	})
}

// A line shows what was written, the call of the bot's name in its place; a call
// without a word begins its thread like any other.
func TestLinesShowTheCall(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx := t.Context()
		d := open(t, store.Config{DSN: dsn, Now: newClock().now})
		desk := d.Desk(store.DeskConfig{})
		channel := home
		channel.Thread = ""
		for id, m := range map[string]bot.Message{"10": {Said: "@hermes"}, "11": {Text: "hi", Said: "hi @hermes"}, "12": {Text: "lunch?"}} {
			m.Key, m.Place, m.From, m.Addressed = "test/w/C1/"+id, channel, ann, m.Said != ""
			m.Place.Thread = id
			ok(t, d.Inbox().Add(ctx, bot.Item{Key: m.Key, Place: m.Place, Lane: bot.Talk, Message: &m}))
		}
		got := map[string]string{}
		for _, l := range must[[]bot.Line](t)(desk.Lines(ctx, channel, ann, 9)) {
			got[l.Key] = l.Text
		}
		want := map[string]string{"test/w/C1/10": "@hermes", "test/w/C1/11": "hi @hermes", "test/w/C1/12": "lunch?"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("lines (-want +got):\n%s", diff)
		}
	})
}

// A question is on the desk of who may answer it, in the words of its card, until it
// is answered; then its card has no buttons.
func TestDeskQuestions(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		desk := d.Desk(store.DeskConfig{
			MayAnswer: func(_ context.Context, _ run.Question, person string) bool { return true },
			MayChoose: func(_ context.Context, _ run.Question, option, person string) bool {
				return person == bob || option == run.No
			},
			Awaited: func(context.Context, run.Question) []string { return []string{bob} },
		})
		r := asking(t, d, "m1", c.now())
		q := r.Questions[0]
		ok(t, d.Outbox().Add(ctx, bot.Post{
			Key: q.ID, Place: home, Kind: bot.Card, Question: q.ID, Text: "May I?", Choices: []bot.Choice{{ID: run.Yes, Label: "Yes"}, {ID: run.No, Label: "No"}},
		}))
		for person, mine := range map[string]bool{ann: false, bob: true} {
			qs := must[[]bot.OpenQuestion](t)(desk.Questions(ctx, person))
			// Who may only call it off has no other button, and it waits for somebody else.
			buttons, waits := 1, 1
			if mine {
				buttons, waits = 2, 0
			}
			if len(qs) != 1 || qs[0].Text != "May I?" || len(qs[0].Choices) != buttons || len(qs[0].Waits) != waits || qs[0].Mine != mine || qs[0].Home != home {
				t.Errorf("%s sees %+v", person, qs)
			}
		}
		alone := d.Desk(store.DeskConfig{MayAnswer: func(_ context.Context, _ run.Question, person string) bool { return person == bob }})
		if qs := must[[]bot.OpenQuestion](t)(alone.Questions(ctx, "test:w:guest")); len(qs) != 0 {
			t.Errorf("a guest sees %+v", qs)
		}
		if ls := must[[]bot.Line](t)(desk.Lines(ctx, home, ann, 9)); len(ls) != 1 || len(ls[0].Choices) != 2 {
			t.Errorf("card = %+v", ls)
		}
		// Who has the card before them in another language reads it in that here, too.
		copied := bot.Post{Key: bot.CopyKey(q.ID, bob), Place: bot.Place{Platform: "test", Workspace: "w", Channel: "D1"}, Kind: bot.Card, Question: q.ID, Lang: q.Lang, Text: "Ann asks. May I?", Choices: []bot.Choice{{ID: run.Yes, Label: "Yes"}}}
		for _, tt := range []struct{ lang, want string }{{q.Lang, "May I?"}, {"zh", "可以吗？"}} {
			if copied.Lang = tt.lang; tt.lang != q.Lang {
				copied.Rev, copied.Text = 1, tt.want
			}
			ok(t, d.Outbox().Add(ctx, copied))
			for person, want := range map[string]string{ann: "May I?", bob: tt.want} {
				if qs := must[[]bot.OpenQuestion](t)(desk.Questions(ctx, person)); len(qs) != 1 || qs[0].Text != want {
					t.Errorf("with a copy in %q %s sees %+v, want %q", tt.lang, person, qs, want)
				}
			}
		}
		must[run.Question](t)(d.Runs().Settle(ctx, answer(r, "press", bob, run.No, c.now())))
		if qs := must[[]bot.OpenQuestion](t)(desk.Questions(ctx, bob)); len(qs) != 0 {
			t.Errorf("after the answer: %+v", qs)
		}
		if ls := must[[]bot.Line](t)(desk.Lines(ctx, home, ann, 9)); len(ls) != 1 || len(ls[0].Choices) != 0 {
			t.Errorf("card after the answer = %+v", ls)
		}
	})
}

func TestDeskJobsRunsFacts(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		desk := d.Desk(store.DeskConfig{When: func(scheduler.Job) string { return "on the 1st" }})
		ok(t, d.Jobs().Add(ctx, job("j1", c)))
		s := slot("2026-12-01T09:00", time.Date(2026, 12, 1, 1, 0, 0, 0, time.UTC))
		s.Run = "slot1"
		must[bool](t)(d.Jobs().Claim(ctx, s))
		r := asking(t, d, "m1", c.now())
		must[run.Question](t)(d.Runs().Settle(ctx, answer(r, "press", bob, run.Always, c.now())))
		js := must[[]bot.JobView](t)(desk.Jobs(ctx, ann))
		if len(js) != 1 || js[0].When != "on the 1st" || js[0].To != "#sales" || js[0].Grant == nil || js[0].Grant.Until.Format("2 Jan 2006") != "2 Dec 2026" || js[0].Grant.Left != 2 || js[0].Grant.Max != 2 || js[0].Grant.Once ||
			len(js[0].Slots) != 1 || js[0].Slots[0].Period != "2026-11" || js[0].Slots[0].Trace != run.TraceOf("slot1") {
			t.Errorf("jobs = %+v", js)
		}
		if js = must[[]bot.JobView](t)(desk.Jobs(ctx, bob)); len(js) != 0 {
			t.Errorf("Bob sees %+v", js)
		}

		r = must[run.Run](t)(d.Runs().Save(ctx, r.With(run.Result{Result: llm.Result{ID: "s1c1", Text: "posted"}, Under: "g"})))
		rs := must[[]bot.RunView](t)(desk.Runs(ctx, ann, 5))
		if len(rs) != 1 || rs[0].Trace != r.Trace() || rs[0].Steps != 1 || rs[0].In != 10 || rs[0].Out != 2 || rs[0].Home != home {
			t.Errorf("runs = %+v", rs)
		}
		v, steps, err := desk.Run(ctx, ann, r.Trace())
		if err != nil || v.Key != "m1" || len(steps) != 1 || steps[0].Result != "posted" || steps[0].Under != "g" || steps[0].Call != `post_message {"a":1}` {
			t.Errorf("run = %+v, %+v, %v", v, steps, err)
		}
		if _, _, err := desk.Run(ctx, bob, r.Trace()); !errors.Is(err, store.ErrNoRun) {
			t.Errorf("another's run = %v, want ErrNoRun", err)
		}
		if got := must[run.Run](t)(d.Journal().Trace(ctx, r.Trace())); got.Key != "m1" {
			t.Errorf("trace = %+v", got)
		}

		ok(t, d.Facts().Put(ctx, memory.Fact{ID: "f", Predicate: memory.Note, Object: "tea", By: ann, Said: c.now(), Status: memory.Active, Audience: memory.Audience{Kind: memory.ForUser, ID: ann}}))
		if fs := must[[]bot.FactView](t)(desk.Facts(ctx, ann)); len(fs) != 1 || fs[0].Text != "note: tea" {
			t.Errorf("facts = %+v", fs)
		}
		if fs := must[[]bot.FactView](t)(desk.Facts(ctx, bob)); len(fs) != 0 {
			t.Errorf("Bob sees %+v", fs)
		}
	})
}

func TestSettings(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx := t.Context()
		s := open(t, store.Config{DSN: dsn}).Settings()
		for _, v := range []string{"1", "2"} {
			ok(t, s.Set(ctx, "test:w", "paused", v))
		}
		if v, found, err := s.Get(ctx, "test:w", "paused"); v != "2" || !found || err != nil {
			t.Errorf("get = %q, %v, %v", v, found, err)
		}
		if _, found, err := s.Get(ctx, "", "paused"); found || err != nil {
			t.Errorf("get of another workspace = %v, %v", found, err)
		}
	})
}

// J8: a step says whose word it came under: who pressed, who had allowed it for the
// schedule, who said no.
func TestAStepSaysWhoseWordItCameUnder(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		desk := d.Desk(store.DeskConfig{})
		done := func(r run.Run, res run.Result) run.Run {
			t.Helper()
			res.ID = "s1c1"
			return must[run.Run](t)(d.Runs().Save(ctx, r.With(res)))
		}
		pressed := asking(t, d, "m1", c.now())
		pressed.Questions[0] = must[run.Question](t)(d.Runs().Settle(ctx, answer(pressed, "p1", bob, run.Always, c.now())))
		pressed = done(pressed, run.Result{Under: pressed.Questions[0].ID})
		refused := asking(t, d, "m2", c.now())
		refused.Questions[0] = must[run.Question](t)(d.Runs().Settle(ctx, answer(refused, "p2", ann, run.No, c.now())))
		refused = done(refused, run.Result{Result: llm.Result{Failed: true}, Unrun: run.Forbidden})
		g := must[[]run.Grant](t)(d.Runs().Grants(ctx, "j1"))[0]
		slot := done(heard(begun("m3", c.now()), "post_message"), run.Result{Under: g.ID})
		free := done(heard(begun("m4", c.now()), "query_metric"), run.Result{})
		asked := heard(begun("m5", c.now()), "ask")
		asked = must[run.Run](t)(d.Runs().Save(ctx, asked.Ask(run.Question{Kind: run.Say, Calls: []run.Planned{{ID: "s1c1"}}}, c.now().Add(time.Hour))))
		asked.Questions[0] = must[run.Question](t)(d.Runs().Settle(ctx, answer(asked, "p5", ann, "", c.now())))
		asked = done(asked, run.Result{Under: asked.Questions[0].ID})
		type ruling struct {
			By string
			As bot.Ruling
		}
		for _, tt := range []struct {
			run  run.Run
			want ruling
		}{
			{pressed, ruling{bob, bot.Approved}}, {refused, ruling{ann, bot.Denied}}, {slot, ruling{bob, bot.Granted}},
			{free, ruling{}}, {asked, ruling{ann, bot.Answered}},
		} {
			_, steps, err := desk.Run(ctx, ann, tt.run.Trace())
			if err != nil || len(steps) != 1 {
				t.Fatalf("steps of %s = %+v, %v", tt.run.Key, steps, err)
			}
			if got := (ruling{steps[0].By, steps[0].Ruling}); got != tt.want {
				t.Errorf("%s came under %+v, want %+v", tt.run.Key, got, tt.want)
			}
		}
	})
}

// The list of runs, and one of them, know what has become of the work: not only that it is
// over. The row of a run has none of its steps.
func TestDeskKnowsWhatBecameOfTheWork(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		desk := d.Desk(store.DeskConfig{})
		for key, tt := range map[string]struct {
			tool string
			res  run.Result
			want bot.Fate
		}{
			"m1": {"post_message", run.Result{Result: llm.Result{Failed: true}, Unrun: run.Forbidden, Denied: "Bob"}, bot.Fate{Steps: 1, Refused: []string{"post_message"}}},
			"m2": {"query_metric", run.Result{Result: llm.Result{Failed: true}}, bot.Fate{Steps: 1, Broken: []string{"query_metric"}, Missed: []string{"query_metric"}}},
			"m3": {"query_metric", run.Result{}, bot.Fate{Steps: 1, Did: true}},
		} {
			tt.res.ID = "s1c1"
			r := must[run.Run](t)(d.Runs().Save(ctx, heard(begun(key, c.now()), tt.tool).With(tt.res).End(run.Done, "That is it.", "")))
			v, _, err := desk.Run(ctx, ann, r.Trace())
			if err != nil {
				t.Fatal(err)
			}
			rs := must[[]bot.RunView](t)(desk.Runs(ctx, ann, 1))
			for _, got := range []bot.Fate{v.Fate, rs[0].Fate} {
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", key, diff)
				}
			}
		}
	})
}
