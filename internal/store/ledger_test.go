package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/run"
	"hermes/bot"
	"hermes/bot/bottest"
	"hermes/internal/store"
)

func TestLedger(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		bottest.TestLedger(t, open(t, store.Config{DSN: dsn}).Ledger())
	})
}

// The last judgement of each person counts, whichever comes last, and a run shows how
// many found it useful.
func TestTheLastJudgementCounts(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		must[run.Run](t)(d.Runs().Save(ctx, run.Run{Request: run.Request{Key: "k", Home: "test/w/c/", Asker: ann, Now: c.now()}, State: run.Working}))
		first := c.now()
		for _, r := range []bot.Rating{
			{Run: "k", Person: ann, Good: true, At: first.Add(2 * time.Second)},
			{Run: "k", Person: ann, Good: false, At: first}, // pressed before, heard later
			{Run: "k", Person: bob, Good: true, At: first.Add(time.Second)},
			{Run: "k", Person: bob, Good: false, At: first.Add(3 * time.Second)},
		} {
			ok(t, d.Ledger().Rate(ctx, r))
		}
		want := []bot.Rating{{Run: "k", Person: ann, Good: true, At: first.Add(2 * time.Second)}, {Run: "k", Person: bob, At: first.Add(3 * time.Second)}}
		if diff := cmp.Diff(want, must[[]bot.Rating](t)(d.Journal().Ratings(ctx, "k"))); diff != "" {
			t.Errorf("judgements (-want +got):\n%s", diff)
		}
		v, _, err := d.Desk(store.DeskConfig{}).Run(ctx, ann, run.TraceOf("k"))
		if err != nil || v.Good != 1 || v.Bad != 1 {
			t.Errorf("run shows %d and %d, %v", v.Good, v.Bad, err)
		}
	})
}

// O8: a run is not done for people until its answer has arrived: it is being
// delivered, or that has failed, also while it is tried again.
func TestO8ARunIsNotDoneBeforeItsAnswerArrives(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		desk, out := d.Desk(store.DeskConfig{}), d.Outbox()
		r := run.Run{Request: run.Request{Key: "k", Home: "test/w/c/", Asker: ann, Now: c.now()}, State: run.Working}
		r = must[run.Run](t)(d.Runs().Save(ctx, r))
		shows := func(when string, want run.Status, arrival store.Arrival) {
			t.Helper()
			v, _, err := desk.Run(ctx, ann, run.TraceOf("k"))
			if err != nil || v.Status != string(want) {
				t.Errorf("%s: status %q, %v; want %q", when, v.Status, err, want)
			}
			if list := must[[]bot.RunView](t)(desk.Runs(ctx, ann, 5)); len(list) != 1 || list[0].Status != string(want) {
				t.Errorf("%s: the list shows %+v", when, list)
			}
			if diff := cmp.Diff(arrival, must[store.Arrival](t)(d.Journal().Arrival(ctx, r))); diff != "" {
				t.Errorf("%s: arrival (-want +got):\n%s", when, diff)
			}
		}
		shows("at work", run.StatusWorking, store.Arrival{})
		r = must[run.Run](t)(d.Runs().Save(ctx, r.End(run.Done, "seven", "")))
		post := bot.Post{Key: "k/end", Place: bot.Place{Platform: "test", Workspace: "w", Channel: "c"}, Text: "seven"}
		ok(t, out.Add(ctx, post))
		shows("in the outbox", run.StatusDelivering, store.Arrival{Status: run.StatusDelivering})
		p := must[bot.Post](t)(out.Next(ctx))
		ok(t, out.Retry(ctx, p, "the place is busy", c.now()))
		shows("after a failed try", run.StatusUndelivered, store.Arrival{Status: run.StatusUndelivered, Tries: 1, Reason: "the place is busy"})
		p = must[bot.Post](t)(out.Next(ctx))
		ok(t, out.Note(ctx, p, bot.Receipt{Failed: "not a member"}))
		ok(t, out.Done(ctx, p))
		shows("after the last try", run.StatusUndelivered, store.Arrival{Status: run.StatusUndelivered, Tries: 2, Reason: "not a member"})
		post.Rev = 1
		ok(t, out.Add(ctx, post))
		p = must[bot.Post](t)(out.Next(ctx))
		ok(t, out.Note(ctx, p, bot.Receipt{Ref: bot.Ref{Place: post.Place, ID: "1"}, Link: "https://x"}))
		ok(t, out.Done(ctx, p))
		shows("once it is there", run.StatusDone, store.Arrival{Link: "https://x"})
	})
}
