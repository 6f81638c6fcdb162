package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/internal/store"
)

// ended is a saved Run of a home that has its answer.
func ended(t *testing.T, d *store.DB, key, home string, now time.Time, change func(*run.Run)) {
	t.Helper()
	r := begun(key, now)
	r.Home = home
	if change != nil {
		change(&r)
	}
	r = r.Heard(llm.Reply{Message: llm.Message{Role: llm.Assistant, Text: "x"}}, now, time.Second)
	must[run.Run](t)(d.Runs().Save(t.Context(), r.End(run.Done, "x", "")))
}

// SAFE-11: however many ask at once, a week is drawn once, of what has ended in it and
// may be shown; a restart changes nothing.
func TestSAFE11AWeekIsDrawnOnce(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		ended(t, d, "early", "test/w/C1/", c.now(), nil)
		c.pass(48 * time.Hour)
		from := c.now()
		for i := range 12 {
			c.pass(time.Minute)
			ended(t, d, fmt.Sprint("open", i), "test/w/C1/"+fmt.Sprint(i), c.now(), nil)
			ended(t, d, fmt.Sprint("alone", i), "test/w/D1/", c.now(), nil)
		}
		ended(t, d, "small", "test/w/C1/", c.now(), func(r *run.Run) { r.Light = true })
		ended(t, d, "dry", "test/w/C1/", c.now(), func(r *run.Run) { r.Rehearse = true })
		r := begun("works", c.now())
		r.Home = "test/w/C1/"
		must[run.Run](t)(d.Runs().Save(ctx, r))
		c.pass(time.Minute)
		draw := bot.Draw{
			Week: "2026-12-07", Place: bot.Place{Platform: "test", Workspace: "w", Channel: "C9"}, From: from, Until: c.now(), N: 5,
			Fits: func(_ context.Context, p bot.Place) bool { return strings.HasPrefix(p.Channel, "C") },
		}
		ended(t, d, "late", "test/w/C1/", c.now(), nil)
		var mu sync.Mutex
		var drawn [][]string
		var work sync.WaitGroup
		for range 8 {
			work.Go(func() {
				got, err := d.Spots().Draw(ctx, draw)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				var keys []string
				for _, x := range got {
					keys = append(keys, x.Run)
				}
				drawn = append(drawn, keys)
			})
		}
		work.Wait()
		for _, keys := range drawn {
			if !slices.Equal(keys, drawn[0]) {
				t.Fatalf("drawn %q and %q", drawn[0], keys)
			}
		}
		slices.Sort(drawn[0])
		if len(slices.Compact(drawn[0])) != 5 || slices.ContainsFunc(drawn[0], func(k string) bool { return !strings.HasPrefix(k, "open") }) {
			t.Errorf("drawn %q", drawn[0])
		}
		empty := draw
		empty.Week, empty.Fits = "2026-12-14", func(context.Context, bot.Place) bool { return false }
		for range 2 {
			if got := must[[]bot.Sample](t)(d.Spots().Draw(ctx, empty)); len(got) != 0 {
				t.Errorf("drawn of nothing: %+v", got)
			}
			empty.Fits = draw.Fits // it was drawn, and of nothing
		}
	})
}

// SAFE-11: a verdict is kept with who and when, counts once for each press, gives way to a
// later one of the same person, and is in the audit.
func TestSAFE11VerdictsAreKept(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		ended(t, d, "m1", "test/w/C1/", c.now(), nil)
		c.pass(time.Minute)
		s := d.Spots()
		must[[]bot.Sample](t)(s.Draw(ctx, bot.Draw{
			Week: "2026-12-07", Place: bot.Place{Platform: "test", Workspace: "w", Channel: "C1"}, From: c.now().Add(-time.Hour), Until: c.now(), N: 5,
			Fits: func(context.Context, bot.Place) bool { return true },
		}))
		v := bot.Verdict{Week: "2026-12-07", N: 1, Person: ann, Name: "Ann", Says: bot.Wrong, Press: "p1", At: c.now()}
		for range 2 {
			if x := must[bot.Sample](t)(s.Judge(ctx, v)); x.Rev != 1 || len(x.Verdicts) != 1 || x.Run != "m1" || x.Verdicts[0].Says != bot.Wrong || !x.Verdicts[0].At.Equal(c.now()) {
				t.Errorf("after a press: %+v", x)
			}
		}
		other := v
		other.Person, other.Press, other.Says = bob, "p2", bot.Right
		must[bot.Sample](t)(s.Judge(ctx, other))
		c.pass(time.Minute)
		v.Press, v.Says, v.At = "p3", bot.Unclear, c.now()
		if x := must[bot.Sample](t)(s.Judge(ctx, v)); x.Rev != 3 || len(x.Verdicts) != 2 || x.Verdicts[1].Says != bot.Unclear {
			t.Errorf("after another: %+v", x)
		}
		v.N = 9
		if _, err := s.Judge(ctx, v); !errors.Is(err, bot.ErrNoRun) {
			t.Errorf("of what was never drawn = %v", err)
		}
		all := must[[]bot.Sample](t)(s.Judged(ctx, c.now().Add(-time.Hour)))
		if len(all) != 1 || len(all[0].Verdicts) != 2 {
			t.Errorf("judged = %+v", all)
		}
		rows := must[[]store.Entry](t)(d.Journal().AuditFrom(ctx, store.AuditFilter{}, 100))
		var said []string
		for _, e := range rows {
			if e.What == store.Found {
				said = append(said, e.Who+" "+e.Subject+" "+e.Part+" "+e.Outcome)
			}
		}
		want := []string{ann + " 2026-12-07/1 m1 wrong", bob + " 2026-12-07/1 m1 right", ann + " 2026-12-07/1 m1 unclear"}
		if !slices.Equal(said, want) {
			t.Errorf("audit = %q, want %q", said, want)
		}
	})
}

// SAFE-12: interventions are counted by cause, tool and week from the rows of the work,
// and each once; A18: what one person approves again and again is seen.
func TestSAFE12InterventionsAreCounted(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock() // Tuesday, 1 December 2026
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		settle := func(key, choice string, more func(*run.Answer)) {
			r := likely(t, d, key, c.now())
			a := answer(r, "press/"+key, bob, choice, c.now())
			if choice == run.Like {
				a.Scope = r.Questions[0].Scopes[0].ID
			}
			if more != nil {
				more(&a)
			}
			for range 2 {
				must[run.Question](t)(d.Runs().Settle(ctx, a))
			}
		}
		settle("yes1", run.Yes, nil)
		settle("yes2", run.Like, nil)
		c.pass(7*24*time.Hour + time.Minute)
		settle("no", run.No, nil)
		settle("late", run.Late, func(a *run.Answer) { a.By = "" })
		works := begun("works", c.now())
		works = works.Heard(llm.Reply{Message: llm.Message{Role: llm.Assistant, Calls: []llm.Call{{ID: "a", Name: "look", Args: []byte(`{}`)}}}}, c.now(), time.Second)
		works = works.With(run.Result{Result: llm.Result{ID: "a", Failed: true}, Attempts: 3})
		must[run.Run](t)(d.Runs().Save(ctx, works))
		for i := range 2 {
			_, err := d.Runs().Steer(ctx, "works", run.Steer{Key: fmt.Sprint("s", i/2), By: ann, Text: "by product", At: c.now()})
			ok(t, err)
			_, err = d.Runs().Stop(ctx, run.Stop{Run: "works", By: ann})
			ok(t, err)
		}
		ended(t, d, "fine", "test/w/C1/", c.now(), nil)
		ended(t, d, "small", "test/w/C1/", c.now(), func(r *run.Run) { r.Light = true })
		got := must[bot.Interventions](t)(d.Journal().Interventions(ctx, c.now().Add(-30*24*time.Hour), time.UTC))
		want := []bot.Intervention{
			{Week: "2026-12-07", Tool: "", Cause: bot.Steered, N: 1},
			{Week: "2026-12-07", Tool: "", Cause: bot.StoppedBy, N: 1},
			{Week: "2026-12-07", Tool: "look", Cause: bot.FailedRetries, N: 1},
			{Week: "2026-12-07", Tool: "post_message", Cause: bot.DeniedBy, N: 1},
			{Week: "2026-12-07", Tool: "post_message", Cause: bot.Unanswered, N: 1},
			{Week: "2026-11-30", Tool: "post_message", Cause: bot.FirstApproval, N: 2},
		}
		less := func(a, b bot.Intervention) int {
			return strings.Compare(b.Week+a.Tool+string(a.Cause), a.Week+b.Tool+string(b.Cause))
		}
		slices.SortFunc(got.Rows, less)
		slices.SortFunc(want, less)
		if !slices.Equal(got.Rows, want) {
			t.Errorf("rows = %+v\nwant %+v", got.Rows, want)
		}
		if got.Runs != 6 || got.With != 4 {
			t.Errorf("%d of %d runs, want 4 of 6", got.With, got.Runs)
		}
		if len(got.Often) != 0 {
			t.Errorf("often = %+v; that was more than a week ago", got.Often)
		}
		for i := range 3 {
			settle(fmt.Sprint("again", i), run.Yes, nil)
		}
		got = must[bot.Interventions](t)(d.Journal().Interventions(ctx, c.now().Add(-24*time.Hour), time.UTC))
		if len(got.Often) != 1 || got.Often[0].N != 3 || got.Often[0].Person != bob || got.Often[0].Tool != "post_message" {
			t.Errorf("often = %+v", got.Often)
		}
		habits := must[[]run.Habit](t)(d.Runs().Habit(ctx, ann, "post_message", "", c.now().Add(-7*24*time.Hour)))
		if len(habits) != 1 || habits[0].By != bob || habits[0].N != 3 {
			t.Errorf("habits = %+v", habits)
		}
		for _, other := range [][3]string{{bob, "post_message", ""}, {ann, "look", ""}, {ann, "post_message", "elsewhere"}} {
			if h := must[[]run.Habit](t)(d.Runs().Habit(ctx, other[0], other[1], other[2], c.now().Add(-7*24*time.Hour))); len(h) != 0 {
				t.Errorf("habits of %q = %+v", other, h)
			}
		}
	})
}
