package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/agent/llm/llmtest"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/internal/fakeslack"
	"hermes/internal/store"
	"hermes/scheduler"
)

// mainJob is what Ana asks for.
const mainJob = "@hermes " + headline

// A blow is a moment at which the program is killed. It is arranged beforehand, and
// what it returns waits until the program is dead.
type blow func(*office) (struck func())

// atCall kills when the Slack is called so: before it hears of the call, or after it
// has done it and before it answers.
func atCall(method, channel string, after bool, more ...string) blow {
	return func(o *office) func() {
		over := o.gate.at(moment{after: after, do: o.kill, what: func(m string, args url.Values) bool {
			in := args.Get("channel") + args.Get("channel_id")
			return m == method && in == channel && !slices.ContainsFunc(more, func(s string) bool { return !strings.Contains(args.Get("metadata"), s) })
		}})
		return func() { o.waitFor("the call at which the program is killed", over) }
	}
}

// atAck kills when the next envelope of a kind has been acknowledged, and before
// anything that the program may already have made of it can be seen.
func atAck(kind string) blow {
	return func(o *office) func() {
		dead := make(chan struct{})
		o.gate.at(moment{what: writes, do: func() { <-dead }})
		before := o.acks(kind)
		return func() {
			o.until("an acknowledgement", func() bool { return o.acks(kind) > before })
			o.kill()
			close(dead)
			o.gate.clear()
		}
	}
}

// writes reports whether somebody might see a call.
func writes(method string, _ url.Values) bool {
	return strings.HasPrefix(method, "chat.") || method == "files.completeUploadExternal"
}

func (o *office) acks(kind string) int {
	n := 0
	for _, d := range o.fake.Deliveries() {
		if d.Acked && d.Type == kind {
			n++
		}
	}
	return n
}

func (o *office) waitFor(what string, done <-chan struct{}) {
	o.t.Helper()
	select {
	case <-done:
	case <-time.After(patience):
		o.t.Fatalf("waited in vain for %s", what)
	}
}

// restart starts the program again, and returns what tells how long ago that was.
func (o *office) restart() func() time.Duration {
	o.t.Helper()
	began := time.Now()
	o.start()
	return func() time.Duration { return time.Since(began).Round(10 * time.Millisecond) }
}

// A5 Killed at any moment of the main job and started again, the program goes on where
// it was: everything is there once, the buttons of before still work, and the record
// tells it as if nothing had happened.
func TestA5KilledAndStartedAgain(t *testing.T) {
	t.Parallel()
	const general, sales = "C0GENERAL", "C0SALES01"
	for name, tt := range map[string]struct {
		asking, deciding blow // one of them
	}{
		"the message is stored":                   {asking: atAck("events_api")},
		"the work was begun to be shown":          {asking: atCall("chat.startStream", general, true)},
		"a step was not shown":                    {asking: atCall("chat.stopStream", general, false)},
		"the question is on its way":              {asking: atCall("chat.postMessage", general, false, "/q1")},
		"the question is posted":                  {asking: atCall("chat.postMessage", general, true, "/q1")},
		"the press is stored":                     {deciding: atAck("interactive")},
		"the write has begun":                     {deciding: atCall("chat.postMessage", sales, false)},
		"the post is accepted and nobody knows":   {deciding: atCall("chat.postMessage", sales, true)},
		"a file is on its way":                    {deciding: atCall("files.completeUploadExternal", sales, false)},
		"a file is accepted and nobody knows":     {deciding: atCall("files.completeUploadExternal", sales, true)},
		"the answer is accepted and nobody knows": {deciding: atCall("chat.postMessage", general, true, "/end")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t, fakeslack.Options{})
			var struck func()
			if tt.asking != nil {
				struck = tt.asking(o)
			}
			root := o.says("ana", "general", mainJob)
			if struck != nil {
				struck()
				since := o.restart()
				o.card(root)
				t.Logf("the question is there %s after the restart", since())
			}
			card := o.card(root)
			if tt.deciding != nil {
				struck = tt.deciding(o)
			}
			o.press("leo", card, "Post now and monthly until")
			if tt.deciding != nil {
				struck()
				since := o.restart()
				o.until("the post in #sales", func() bool { return len(o.posts("sales")) > 0 })
				t.Logf("the post is there %s after the restart", since())
				o.answer(root, "Scheduled as")
				t.Logf("the thread knows %s after the restart", since())
			}
			o.answer(root, "Scheduled as")
			o.once(root, leo)
		})
	}
}

// Killed while the model is being asked, the program asks it again, and what it has
// already heard it does not ask again.
func TestKilledWhileTheModelThinks(t *testing.T) {
	t.Parallel()
	for name, nth := range map[string]int32{"for the first time": 1, "about the report": 2, "for its last words": 4} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var o *office
			var asked atomic.Int32
			struck := make(chan struct{})
			h := &llmtest.Handler{Key: llmtest.Secret, Reply: func(c llmtest.Chat) llmtest.Step {
				if asked.Add(1) == nth {
					o.kill()
					close(struck)
					return llmtest.Step{Fault: llmtest.Reset}
				}
				return colleague(c)
			}}
			o = newOffice(t, fakeslack.Options{}, "OPENAI_BASE_URL="+llmtest.Serve(t, h), "OPENAI_API_KEY="+llmtest.Secret, "HERMES_MODEL_NAME=scripted")
			root := o.says("ana", "general", mainJob)
			if nth < 4 {
				o.waitFor("the model to be asked", struck)
				since := o.restart()
				o.card(root)
				t.Logf("the question is there %s after the restart", since())
			}
			o.press("leo", o.card(root), "Post now and monthly until")
			if nth == 4 {
				o.waitFor("the model to be asked", struck)
				since := o.restart()
				o.answer(root, "it stands in #sales")
				t.Logf("the thread knows %s after the restart", since())
			}
			o.answer(root, "it stands in #sales")
			if n := len(h.Heard()); n != 5 {
				t.Errorf("the model was asked %d times, want 4 and once more", n)
			}
			o.once(root, leo)
		})
	}
}

// A slot that is killed between Slack's yes and our note of it has posted once, and
// taken one use of its grant.
func TestSlotKilledUnderItsGrant(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	root := o.says("ana", "general", mainJob)
	o.press("leo", o.card(root), "Post now and monthly until")
	o.answer(root, "Scheduled as")
	job := o.once(root, leo)

	// The program was away on the first of this month.
	o.inStore(func(db *store.DB) {
		job.Since = time.Now().AddDate(0, 0, -40)
		if _, err := db.Jobs().Update(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	})
	struck := atCall("chat.postMessage", "C0SALES01", true)(o)
	o.start()
	struck()
	since := o.restart()
	o.until("two posts in #sales with their files", func() bool {
		posts := o.posts("sales")
		return len(posts) == 2 && o.files("sales", posts[1].TS) == "png xlsx"
	})
	t.Logf("the report is there %s after the restart", since())
	key := "job/" + job.ID
	o.until("the answer of the slot", func() bool {
		return slices.ContainsFunc(o.mine(root), func(m fakeslack.Message) bool {
			return strings.HasPrefix(keyOf(m), key) && strings.HasSuffix(keyOf(m), "/end")
		})
	})
	o.settle(root, key)
	o.inStore(func(db *store.DB) {
		slots, err := db.Jobs().Slots(t.Context(), job.ID, 10)
		if err != nil || len(slots) == 0 || slots[0].State != scheduler.Late || slots[0].Link == "" {
			t.Errorf("slots = %+v, %v; want a late one with a link first", slots, err)
		}
		grants, err := db.Runs().Grants(t.Context(), job.ID)
		if err != nil || len(grants) != 1 || grants[0].Uses != 1 {
			t.Errorf("grants = %+v, %v; want one use of one", grants, err)
		}
	})
	o.unique()
}

// Killed again and again at random moments, and started again each time, the job
// ends as if that never had been. Nothing is killed more often than it may be: what
// takes the program down five times is given up.
func TestKilledAtRandomMoments(t *testing.T) {
	t.Parallel()
	const jobs, kills = 4, 3
	seed := uint64(time.Now().UnixNano())
	for n := range uint64(jobs) {
		t.Run(fmt.Sprint("job ", n+1), func(t *testing.T) {
			t.Parallel()
			t.Logf("seed %d", seed)
			dice := rand.New(rand.NewPCG(seed, n))
			o := newOffice(t, fakeslack.Options{Seed: seed + n})
			leave := o.decides("leo")
			defer leave()
			root := o.says("ana", "general", mainJob)
			o.until("an acknowledgement", o.acknowledged)
			done := func() bool {
				return slices.ContainsFunc(o.mine(root), func(m fakeslack.Message) bool { return keyOf(m) == runOf(root)+"/end" })
			}
			for range kills {
				over, how := o.somewhere(dice)
				if !o.either(over, done) && o.gate.clear() {
					break // it is done, and nothing may happen any more at which to kill
				}
				o.waitFor("the kill", over)
				t.Logf("killed %s", how)
				o.start()
			}
			o.answer(root, "Scheduled as")
			leave()
			o.once(root, leo)
		})
	}
}

// decides has a person press whatever card is open, once in each life of the
// program, until the person leaves.
func (o *office) decides(who string) (leave func()) {
	ctx, cancel := context.WithCancel(o.t.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for lives := 0; ; {
			err := o.fake.Wait(ctx, "an open card", func() bool {
				now, _ := o.fake.Conns()
				return now > 0 && len(o.fake.Opens()) > lives && slices.ContainsFunc(o.fake.Messages(), isCard)
			})
			if err != nil {
				return
			}
			lives = len(o.fake.Opens())
			for _, m := range o.fake.Messages() {
				if isCard(m) {
					_, _ = o.fake.Human(who).Press(m, m.Buttons()[0].ActionID) // it may have been settled just now
				}
			}
		}
	}()
	return func() {
		cancel()
		<-gone
	}
}

// somewhere sets a random moment at which the program is killed: before or after a
// call that the Slack hears, or at an acknowledgement. The first three calls after a
// start say who we are and open the socket.
func (o *office) somewhere(dice *rand.Rand) (over <-chan struct{}, how string) {
	n, kind, count := 3+dice.IntN(15), dice.IntN(5), 0
	if kind == 0 {
		n = o.acks("events_api") + 1 + dice.IntN(5)
		return o.gate.at(moment{do: o.kill, what: func(string, url.Values) bool { return o.acks("events_api") >= n }}),
			"at the first call after an acknowledgement"
	}
	after := kind%2 == 0
	return o.gate.at(moment{after: after, do: o.kill, what: func(string, url.Values) bool { count++; return count > n }}),
		fmt.Sprintf("at call %d, accepted: %t", n+1, after)
}

// either waits until the program is dead or a fact is there, and reports whether it
// is dead.
func (o *office) either(dead <-chan struct{}, fact func() bool) bool {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), patience)
	defer cancel()
	there := make(chan error, 1)
	go func() { there <- o.fake.Wait(ctx, "a kill or the end", fact) }()
	select {
	case <-dead:
		return true
	case err := <-there:
		if err != nil {
			o.t.Fatal(err)
		}
		return false
	}
}

// once says what must be there of the main job, once and not more, and returns the
// one schedule. by is who has approved it.
func (o *office) once(root fakeslack.Message, by string) scheduler.Job {
	o.t.Helper()
	key := runOf(root)
	o.until("all that belongs to the job", func() bool {
		posts, shown := o.posts("sales"), o.files("general", root.TS)
		return len(posts) == 1 && o.files("sales", posts[0].TS) == "png xlsx" && strings.Contains(shown, "png") && strings.Contains(shown, "xlsx")
	})
	kinds := map[string]int{}
	for _, m := range o.mine(root) {
		if kind, ok := strings.CutPrefix(keyOf(m), key+"/"); ok {
			kinds[kind]++
		}
	}
	if len(kinds) != 3 || kinds["progress"] != 1 || kinds["q1"] != 1 || kinds["end"] != 1 {
		o.t.Errorf("posts of the run in its thread = %v, want one progress, one card and one answer", kinds)
	}

	// The record tells the whole story.
	story := o.command("trace", traceOf(root))
	for _, part := range []string{
		"asked by slack:" + fakeslack.Team + ":" + ana, "query_metric", "make_report", "post_message", "schedule_add",
		"always by slack:" + fakeslack.Team + ":" + by, `"posted":true`, "\ndone, ended by finish",
	} {
		if !strings.Contains(story, part) {
			o.t.Errorf("the trace does not say %q:\n%s", part, story)
		}
	}
	if list := o.command("schedule", "list"); strings.Count(list, "#sales (") > 1 || strings.Count(list, "active") != 1 {
		o.t.Errorf("schedules:\n%s", list)
	}
	o.settle(root, key)
	o.unique()
	var jobs []scheduler.Job
	var grants []run.Grant
	o.inStore(func(db *store.DB) {
		var err, err2 error
		if jobs, err = db.Jobs().Jobs(o.t.Context()); len(jobs) == 1 {
			grants, err2 = db.Runs().Grants(o.t.Context(), jobs[0].ID)
		}
		if err := errors.Join(err, err2); err != nil {
			o.t.Fatal(err)
		}
	})
	if len(jobs) != 1 || len(grants) != 1 || grants[0].Uses != 0 || bot.UserOf(grants[0].By) != by {
		o.t.Fatalf("jobs = %+v, grants = %+v; want one with one unused grant by %s", jobs, grants, by)
	}
	return jobs[0]
}

// settle says that nothing of a run is under way any more. A place keeps its order,
// so what is asked in the thread now is answered last. It leaves the program dead.
func (o *office) settle(root fakeslack.Message, key string) {
	o.t.Helper()
	o.end(o.replies("ana", root, "@hermes show my schedules"))
	o.kill()
	o.inStore(func(db *store.DB) {
		ctx, cancel := context.WithTimeout(o.t.Context(), 100*time.Millisecond)
		defer cancel()
		for {
			p, err := db.Outbox().Next(ctx)
			if err != nil {
				break
			}
			if strings.HasPrefix(p.Key, key+"/") {
				o.t.Errorf("post %s is still under way after %d attempts", p.Key, p.Attempt)
			}
		}
	})
}

// inStore looks into the store of a program that was killed.
func (o *office) inStore(look func(*store.DB)) {
	o.t.Helper()
	later := func() time.Time { return time.Now().Add(time.Hour) }
	db, err := store.Open(o.t.Context(), store.Config{DSN: filepath.Join(o.data, "hermes.db"), Now: later, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		o.t.Fatal(err)
	}
	look(db)
	if err := db.Close(); err != nil {
		o.t.Fatal(err)
	}
}

// unique says that no post of the bot stands in the Slack twice, and no file.
func (o *office) unique() {
	o.t.Helper()
	seen := map[string]bool{}
	for _, m := range o.fake.Messages() {
		if !m.Mine() || m.Only != "" || m.Streaming == fakeslack.Streaming {
			continue // a stream has its key when it ends
		}
		keys := []string{keyOf(m)}
		if len(m.Files) > 0 {
			keys = nil
			for _, f := range m.Files {
				keys = append(keys, f.Name)
			}
		}
		for _, key := range keys {
			if key == "" || seen[key] {
				o.t.Errorf("%q stands in the Slack twice, or is nobody's", key)
			}
			seen[key] = true
		}
	}
}

// The same of a saved report, walk E: killed after its post was taken and before that was
// noted, it has posted once, about its own month, under one use of its grant.
func TestASavedReportKilledUnderItsGrant(t *testing.T) {
	t.Parallel()
	o := newOffice(t, fakeslack.Options{})
	root := o.says("ana", "general", "@hermes summarise last month's sales by region")
	o.answer(root, "Here is the report")
	o.replies("ana", root, "save this as report numbers")
	o.answer(root, "Saved as the report")
	o.replies("ana", root, "every month on the 1st at 9:00 run the numbers report and post it to #sales")
	o.press("leo", o.card(root), "Allow monthly until")
	o.answer(root, "Scheduled as")
	o.kill()
	var job scheduler.Job
	o.inStore(func(db *store.DB) {
		jobs, err := db.Jobs().Jobs(t.Context())
		if err != nil || len(jobs) != 1 || jobs[0].Report != "numbers" {
			t.Fatalf("jobs = %+v, %v; want one of the report", jobs, err)
		}
		job = jobs[0]
		job.Since = time.Now().AddDate(0, 0, -40)
		if _, err := db.Jobs().Update(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	})
	struck := atCall("chat.postMessage", "C0SALES01", true)(o)
	o.start()
	struck()
	o.restart()
	o.until("one post in #sales with its files", func() bool {
		posts := o.posts("sales")
		return len(posts) == 1 && o.files("sales", posts[0].TS) == "png xlsx"
	})
	key := "job/" + job.ID
	o.until("the answer of the slot", func() bool {
		return slices.ContainsFunc(o.mine(root), func(m fakeslack.Message) bool {
			return strings.HasPrefix(keyOf(m), key) && strings.HasSuffix(keyOf(m), "/end")
		})
	})
	o.settle(root, key)
	o.inStore(func(db *store.DB) {
		slots, err := db.Jobs().Slots(t.Context(), job.ID, 10)
		if err != nil || len(slots) == 0 || slots[0].State != scheduler.Late || slots[0].Link == "" {
			t.Errorf("slots = %+v, %v; want a late one with a link first", slots, err)
			return
		}
		grants, err := db.Runs().Grants(t.Context(), job.ID)
		if err != nil || len(grants) != 1 || grants[0].Uses != 1 {
			t.Errorf("grants = %+v, %v; want one use of one", grants, err)
		}
		again, found, err := db.Runs().Delivered(t.Context(), job.ID, run.Period{From: slots[0].From, To: slots[0].To})
		if err != nil || !found || again.Revision != 2 {
			t.Errorf("the next post would be revision %d (%t), %v; want 2", again.Revision, found, err)
		}
	})
	o.unique()
}
