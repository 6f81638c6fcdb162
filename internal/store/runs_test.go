package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hermes/agent"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/bot"
	"hermes/internal/store"
)

const ann, bob = "test:w:ann", "test:w:bob"

var (
	home  = bot.Place{Platform: "test", Workspace: "w", Channel: "C1", Thread: "17.1"}
	sales = bot.Place{Platform: "test", Workspace: "w", Channel: "C2"}
)

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// begun is a Run that is not on disk.
func begun(key string, now time.Time) run.Run {
	return run.Run{
		Request: run.Request{Key: key, Home: home.String(), Asker: ann, Text: "sales of " + key, Lang: "en", Now: now, Zone: "Asia/Shanghai"},
		State:   run.Working, Created: now,
	}
}

func heard(r run.Run, tools ...string) run.Run {
	reply := llm.Reply{Message: llm.Message{Role: llm.Assistant}, Usage: llm.Usage{In: 10, Out: 2}, Model: "rules"}
	for _, name := range tools {
		reply.Message.Calls = append(reply.Message.Calls, llm.Call{Name: name, Args: json.RawMessage(`{"a":1}`)})
	}
	if len(tools) == 0 {
		reply.Message.Text = "so many"
	}
	return r.Heard(reply, r.Created, time.Second)
}

// asking is a saved Run that waits for an answer to an approval with a grant.
func asking(t testing.TB, d *store.DB, key string, now time.Time) run.Run {
	t.Helper()
	r := heard(begun(key, now), "post_message")
	call := r.OpenCalls()[0]
	hash := must[string](t)(run.HashArgs(call.Name, call.Args))
	r = r.Ask(run.Question{
		Kind:    run.Approve,
		Calls:   []run.Planned{{ID: call.ID, Name: call.Name, Args: call.Args, Hash: hash, Job: "j1"}},
		Options: []run.Option{{ID: run.Always, Calls: []string{call.ID}, Grant: true}, {ID: run.No}},
		Grant:   &run.Grant{Owner: ann, Job: "j1", Tool: "post_message", Control: "c", Until: now.Add(24 * time.Hour), Max: 2},
	}, now.Add(time.Hour))
	return must[run.Run](t)(d.Runs().Save(t.Context(), r))
}

func answer(r run.Run, key, by, choice string, at time.Time) run.Answer {
	return run.Answer{Key: key, Question: r.Questions[0].ID, Choice: choice, By: by, At: at}
}

// A Run comes back as it was saved, and a save writes over nothing newer.
func TestSave(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		runs := open(t, store.Config{DSN: dsn, Now: c.now}).Runs()
		if r, found, err := runs.Run(ctx, "m1"); found || err != nil || r.Version != 0 {
			t.Fatalf("an unknown run = %+v, %v, %v", r, found, err)
		}
		shanghai := must[*time.Location](t)(time.LoadLocation("Asia/Shanghai"))
		r := begun("m1", c.now().In(shanghai))
		r.Turns = []run.Turn{{Role: llm.User, Text: "hi"}}
		save := func(next run.Run) {
			t.Helper()
			saved := must[run.Run](t)(runs.Save(ctx, next))
			if saved.Version != next.Version+1 {
				t.Errorf("version %d after %d", saved.Version, next.Version)
			}
			got, found, err := runs.Run(ctx, "m1")
			if err != nil || !found {
				t.Fatalf("run = %v, %v", found, err)
			}
			if d := cmp.Diff(saved, got, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("saved (-) and loaded (+):\n%s", d)
			}
			if d := cmp.Diff(next, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(run.Run{}, "Version")); d != "" {
				t.Errorf("given (-) and loaded (+):\n%s", d)
			}
			r = got
		}
		save(r)
		if r.Now.Location().String() != "Asia/Shanghai" {
			t.Errorf("Now is in %s", r.Now.Location())
		}
		save(heard(r, "query_metric", "make_report"))
		save(r.With(run.Result{Result: llm.Result{ID: "s1c1", Text: "7"}, Took: time.Second, Shows: []string{"a1"}, Under: "q"}))
		save(r.With(run.Result{Result: llm.Result{ID: "s1c2", Text: "8", Failed: true}}))
		stale := r
		save(heard(r))
		save(r.End(run.Done, "so many", ""))
		if _, err := runs.Save(ctx, stale); !errors.Is(err, run.ErrStale) {
			t.Errorf("save of an old version = %v, want ErrStale", err)
		}
		if _, err := runs.Save(ctx, begun("m1", c.now())); !errors.Is(err, run.ErrStale) {
			t.Errorf("a second beginning = %v, want ErrStale", err)
		}
		if got, _, _ := runs.Run(ctx, "m1"); len(got.Steps) != 2 || got.State != run.Done {
			t.Errorf("after stale saves: %d steps, %s", len(got.Steps), got.State)
		}
	})
}

// Of many answers the first counts, and counts again; its grant stands from then on
// and the run comes back with it.
func TestSettleOnce(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		runs := d.Runs()
		r := asking(t, d, "m1", c.now())
		var mu sync.Mutex
		var wg sync.WaitGroup
		winners := map[string]bool{}
		for i := range 50 {
			wg.Go(func() {
				key := fmt.Sprint("press", i)
				q, err := runs.Settle(ctx, answer(r, key, bob, run.Always, c.now()))
				switch {
				case err == nil:
					mu.Lock()
					winners[key] = true
					mu.Unlock()
				case !errors.Is(err, run.ErrAnswered):
					t.Errorf("%s = %v, want ErrAnswered", key, err)
				case q.Answer == nil:
					t.Errorf("%s is not told who was faster", key)
				}
			})
		}
		wg.Wait()
		if len(winners) != 1 {
			t.Fatalf("%d winners, want 1", len(winners))
		}
		for key := range winners {
			q, err := runs.Settle(ctx, answer(r, key, bob, run.Always, c.now()))
			if err != nil || q.Answer == nil || q.Answer.Key != key {
				t.Errorf("the winner again = %+v, %v", q.Answer, err)
			}
		}
		grants := must[[]run.Grant](t)(runs.Grants(ctx, "j1"))
		if len(grants) != 1 || grants[0].By != bob || grants[0].Uses != 0 || grants[0].Question != r.Questions[0].ID {
			t.Errorf("grants = %+v, want one, by Bob", grants)
		}
		saved := must[run.Run](t)(runs.Save(ctx, r))
		if saved.Questions[0].Answer == nil || saved.Outcome.Question == nil || saved.Outcome.Question.Answer == nil {
			t.Errorf("a save has lost the answer: %+v", saved.Questions[0])
		}
	})
}

// An answer is late by its own time, and overdue is what nobody has answered.
func TestExpiry(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		runs := d.Runs()
		asked := c.now()
		first, second, third := asking(t, d, "m1", asked), asking(t, d, "m2", asked), asking(t, d, "m3", asked)
		if qs := must[[]run.Question](t)(runs.Overdue(ctx, asked.Add(time.Hour))); len(qs) != 0 {
			t.Errorf("%d overdue at the last moment, want none", len(qs))
		}
		c.pass(2 * time.Hour)
		if qs := must[[]run.Question](t)(runs.Overdue(ctx, c.now())); len(qs) != 3 {
			t.Errorf("%d overdue, want 3", len(qs))
		}
		if _, err := runs.Settle(ctx, answer(first, "late", ann, run.Always, c.now())); !errors.Is(err, run.ErrExpired) {
			t.Errorf("a late press = %v, want ErrExpired", err)
		}
		if _, err := runs.Settle(ctx, answer(second, "read late", ann, run.No, asked.Add(time.Minute))); err != nil {
			t.Errorf("a press in time that was read late = %v, want nil", err)
		}
		late := run.Answer{Key: "x/expired", Question: third.Questions[0].ID, Choice: run.Late, At: asked.Add(time.Hour)}
		for range 2 {
			if q, err := runs.Settle(ctx, late); err != nil || q.Answer == nil || q.Answer.Choice != run.Late {
				t.Errorf("the house's own answer = %+v, %v", q.Answer, err)
			}
		}
		if q, err := runs.Settle(ctx, answer(third, "after", ann, run.Always, asked.Add(time.Minute))); !errors.Is(err, run.ErrAnswered) || q.Answer.Choice != run.Late {
			t.Errorf("a press after it = %+v, %v; want ErrAnswered with it", q.Answer, err)
		}
		if qs := must[[]run.Question](t)(runs.Overdue(ctx, c.now())); len(qs) != 1 || qs[0].ID != first.Questions[0].ID {
			t.Errorf("overdue = %v, want the first alone", qs)
		}
		if _, err := runs.Settle(ctx, run.Answer{Key: "k", Question: "none"}); !errors.Is(err, run.ErrNoQuestion) {
			t.Errorf("answer to no question = %v", err)
		}
		if gs := must[[]run.Grant](t)(runs.Grants(ctx, "j1")); len(gs) != 0 {
			t.Errorf("grants of nothing allowed: %+v", gs)
		}
	})
}

// sending is the run of a slot that posts under a grant.
func sending(t testing.TB, d *store.DB, key, grant, to string, now time.Time) run.Run {
	t.Helper()
	r := heard(begun(key, now), "post_message")
	r.Job = "j1"
	r = must[run.Run](t)(d.Runs().Save(t.Context(), r))
	return r.Send("s1c1", tool.Post{To: to, Artifact: "a1", Hash: "h1"}, grant, grant)
}

// A post is queued, a use is taken and the run waits: all or nothing.
func TestDeliver(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		runs := d.Runs()
		asked := asking(t, d, "m1", c.now())
		must[run.Question](t)(runs.Settle(ctx, answer(asked, "press", bob, run.Always, c.now())))
		grant := must[[]run.Grant](t)(runs.Grants(ctx, "j1"))[0].ID
		for i := range 2 {
			r := must[run.Run](t)(runs.Deliver(ctx, sending(t, d, fmt.Sprint("slot", i), grant, sales.String(), c.now())))
			if _, err := runs.Deliver(ctx, run.Run{Request: r.Request, Sending: r.Sending, State: run.Delivering, Version: r.Version - 1}); !errors.Is(err, run.ErrStale) {
				t.Errorf("deliver again = %v, want ErrStale", err)
			}
			p := must[bot.Post](t)(d.Outbox().Next(ctx))
			want := bot.Post{
				Key: r.Sending.Key, Place: sales, Artifact: "a1", Hash: "h1", Run: r.Key, Home: home, Kind: bot.Report, Lang: "en", Trace: r.Trace(),
				Attempt: 1, Fence: 1,
			}
			if d := cmp.Diff(want, p); d != "" {
				t.Errorf("post (-want +got):\n%s", d)
			}
			ok(t, d.Outbox().Done(ctx, p))
			for range 2 {
				ok(t, runs.Receive(ctx, run.Receipt{Post: p.Key, Run: r.Key, Ref: "there", Link: "https://x"}))
			}
			ok(t, runs.Receive(ctx, run.Receipt{Post: p.Key, Run: r.Key, Failed: "no"}))
			got, _, err := runs.Run(ctx, r.Key)
			if err != nil || got.Sending.Receipt == nil || got.Sending.Receipt.Ref != "there" || got.Sending.Receipt.Failed != "" {
				t.Errorf("receipt = %+v, %v; want the first", got.Sending.Receipt, err)
			}
		}
		third := sending(t, d, "slot3", grant, sales.String(), c.now())
		if _, err := runs.Deliver(ctx, third); !errors.Is(err, agent.ErrNoGrant) {
			t.Errorf("a third use of two = %v, want ErrNoGrant", err)
		}
		if got, _, _ := runs.Run(ctx, "slot3"); got.State != run.Working || got.Version != third.Version {
			t.Errorf("after a delivery that was refused: %s, version %d", got.State, got.Version)
		}
		if gs := must[[]run.Grant](t)(runs.Grants(ctx, "j1")); len(gs) != 0 {
			t.Errorf("a grant that is used up is listed: %+v", gs)
		}
		lost := must[run.Run](t)(runs.Deliver(ctx, sending(t, d, "slot4", "", "sales", c.now())))
		if lost.Sending.Receipt == nil || lost.Sending.Receipt.Failed == "" || lost.Idle() {
			t.Errorf("to a place that is none = %+v, want a receipt that tells why", lost.Sending.Receipt)
		}
		if v := must[store.Verified](t)(d.Journal().Verify(ctx)); v.Rows == 0 {
			t.Error("nothing was audited")
		}
	})
}

// What people want of a run is noted beside it, and no save loses it.
func TestNotes(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		runs := open(t, store.Config{DSN: dsn, Now: c.now}).Runs()
		if got := must[[]run.Request](t)(runs.Stop(ctx, run.Stop{Run: "m1", By: bob})); len(got) != 0 {
			t.Errorf("stopped = %v before it began", got)
		}
		if r, found, err := runs.Run(ctx, "m1"); found || err != nil || r.Stopped != bob {
			t.Errorf("a run that has yet to begin = %+v, %v, %v; want the note alone", r, found, err)
		}
		r := must[run.Run](t)(runs.Save(ctx, begun("m1", c.now())))
		if r.Stopped != bob {
			t.Errorf("stopped by %q after the first save, want Bob", r.Stopped)
		}
		if _, err := runs.Resume(ctx, "m1", "press1", ann); !errors.Is(err, run.ErrAnswered) {
			t.Errorf("resume of a run at work = %v, want ErrAnswered", err)
		}
		r = must[run.Run](t)(runs.Save(ctx, r.End(run.Suspended, "", run.Stopped)))
		if got := must[[]run.Request](t)(runs.Stop(ctx, run.Stop{Run: "m1", By: bob})); len(got) != 0 {
			t.Errorf("stop of what has ended = %v", got)
		}
		for range 2 {
			if req := must[run.Request](t)(runs.Resume(ctx, "m1", "press1", ann)); req.Key != "m1" || req.Text == "" {
				t.Errorf("resumed = %+v", req)
			}
		}
		r, _, err := runs.Run(ctx, "m1")
		if err != nil || r.Stopped != "" || r.Resumed != 1 || r.Idle() {
			t.Fatalf("resumed: stopped by %q, resumed %d, idle %v, %v", r.Stopped, r.Resumed, r.Idle(), err)
		}
		r = must[run.Run](t)(runs.Save(ctx, r.Resume()))
		must[run.Run](t)(runs.Save(ctx, begun("m2", c.now())))
		elsewhere := begun("m3", c.now())
		elsewhere.Home = sales.String()
		must[run.Run](t)(runs.Save(ctx, elsewhere))
		if got := must[[]run.Request](t)(runs.Under(ctx, home.String())); len(got) != 2 || got[0].Key != "m1" || got[1].Key != "m2" {
			t.Errorf("under way at a home = %v, want m1 and m2", got)
		}
		if got := must[[]run.Request](t)(runs.Stop(ctx, run.Stop{Run: "m1", By: ann})); len(got) != 1 || got[0].Key != "m1" {
			t.Errorf("stopped = %v, want m1", got)
		}
		if r = must[run.Run](t)(runs.Save(ctx, r)); r.Stopped != ann {
			t.Errorf("a save has lost a stop: %q", r.Stopped)
		}
	})
}

func TestOpenQuestion(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		runs := d.Runs()
		asking(t, d, "m1", c.now())
		r := asking(t, d, "m2", c.now())
		ok(t, runs.Receive(ctx, run.Receipt{Post: r.Questions[0].ID, Question: r.Questions[0].ID, Ref: "card"}))
		qs := must[[]run.Question](t)(runs.Open(ctx, home.String()))
		if len(qs) != 2 || qs[0].ID != r.Questions[0].ID || len(qs[0].Cards) != 1 || qs[0].Cards[0] != "card" {
			t.Errorf("open = %+v, want both, the newest first with its card", qs)
		}
		must[run.Run](t)(runs.Save(ctx, r.End(run.Suspended, "", run.Stopped)))
		if qs = must[[]run.Question](t)(runs.Open(ctx, home.String())); len(qs) != 1 || qs[0].Run != "m1" {
			t.Errorf("open = %+v, want that of the run which has not ended", qs)
		}
	})
}

// A11: an answer and what lets the run go on are one transaction: whoever brought the
// answer may die right after it. It is there once, also if they live; an answer that does
// not count brings none.
func TestA11AnAnswerLetsItsRunGoOn(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, c := t.Context(), newClock()
		d := open(t, store.Config{DSN: dsn, Now: c.now})
		r := asking(t, d, "m1", c.now())
		late := answer(r, "late", bob, run.Always, c.now().Add(48*time.Hour))
		if _, err := d.Runs().Settle(ctx, late); err == nil {
			t.Error("an answer after its time counts")
		}
		must[run.Question](t)(d.Runs().Settle(ctx, answer(r, "press", bob, run.Always, c.now())))
		if _, err := d.Runs().Settle(ctx, answer(r, "second", ann, run.No, c.now())); err == nil {
			t.Error("a second answer counts")
		}
		it := must[bot.Item](t)(d.Inbox().Next(ctx, bot.Talk))
		if it.Key != bot.ResumeKey("press", "m1") || it.Request == nil || it.Request.Key != "m1" || !it.First || it.Place.String() != r.Home {
			t.Errorf("what goes on is %+v", it)
		}
		ok(t, d.Inbox().Add(ctx, bot.Item{Key: it.Key, Place: it.Place, Lane: bot.Talk, First: true, Request: it.Request}))
		ok(t, d.Inbox().Done(ctx, it))
		in, _, err := d.Untaken(ctx, c.now().Add(time.Minute))
		if err != nil || in.N != 0 {
			t.Errorf("%d more items wait, %v", in.N, err)
		}
	})
}

// Small talk waits for the disk once, with its answer: its record goes before it, and is
// there for whoever reads. Whatever else comes to an end waits by itself.
func TestSmallTalkGoesToTheDiskWithItsAnswer(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		d := open(t, store.Config{DSN: dsn})
		runs, before := d.Runs(), d.Commits()
		talk := begun("m1", time.Now())
		talk.Light, talk.State = true, run.Done
		must[run.Run](t)(runs.Save(t.Context(), talk))
		if n := d.Commits() - before; n != 0 {
			t.Errorf("the record of small talk waits %d times for the disk", n)
		}
		if r, is, err := runs.Run(t.Context(), "m1"); err != nil || !is || r.State != run.Done {
			t.Errorf("it reads as %+v, %t, %v", r.State, is, err)
		}
		work := begun("m2", time.Now())
		work.State = run.Done
		must[run.Run](t)(runs.Save(t.Context(), work))
		if n := d.Commits() - before; n != 1 {
			t.Errorf("work that has ended waits %d times for the disk, want 1", n)
		}
	})
}
