package agenttest

import (
	"context"
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
)

// home is a place as package bot writes it, since a store turns it into a post's.
const (
	home  = "test/w/c/t"
	other = "test/w/d/"
	asker = "test:w:ana"
)

var noon = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

// TestStore checks the promises of agent.Store on empty ones.
func TestStore(t *testing.T, open func(*testing.T) agent.Store) {
	for name, check := range map[string]func(*testing.T, agent.Store){
		"a run comes back as it was saved":                  saved,
		"a save of an old version fails":                    stale,
		"A3 questions are a list and each has its answer":   list,
		"A9 of fifty answers one wins, and wins again":      race,
		"A8 an answer after the end of time is refused":     late,
		"several agree, each once":                          agreements,
		"a grant stands from its answer on and is used up":  grants,
		"a use of a grant is taken once for a call":         taking,
		"a delivery and its receipt come back with the run": delivery,
		"a stop is noted and a resume takes it away":        stopAndResume,
		"A4 a stop is heard with the next save":             stopHeard,
		"a question that nobody answered is overdue":        overdue,
		"open questions come the newest first":              openQuestions,
		"what is under way at a home, and for whom":         underWay,
		"what is said to a run under way is not lost":       steers,
		"what people asked for lately at a home":            lately,
	} {
		t.Run(name, func(t *testing.T) { check(t, open(t)) })
	}
}

func fresh(key string) run.Run {
	return run.Run{
		Request: run.Request{Key: key, Home: home, Asker: asker, Text: "sales", Lang: "en", Now: noon, Zone: "UTC"},
		State:   run.Working, Created: noon,
	}
}

func save(t *testing.T, s agent.Store, r run.Run) run.Run {
	t.Helper()
	r, err := s.Save(t.Context(), r)
	if err != nil {
		t.Fatalf("save: %v", err)
	}
	return r
}

func load(t *testing.T, s agent.Store, key string) run.Run {
	t.Helper()
	r, ok, err := s.Run(t.Context(), key)
	if err != nil || !ok {
		t.Fatalf("run %s = %t, %v", key, ok, err)
	}
	return r
}

func step(text string, calls ...llm.Call) llm.Reply {
	return llm.Reply{Message: llm.Message{Role: llm.Assistant, Text: text, Calls: calls}, Model: "script"}
}

func asking(r run.Run) run.Run {
	args := json.RawMessage(`{"a":1}`)
	hash, _ := run.HashArgs("post_message", args)
	return r.Ask(run.Question{
		Kind:    run.Approve,
		Calls:   []run.Planned{{ID: "s1c1", Name: "post_message", Args: args, Hash: hash, Control: "here r1", Artifact: "a1"}},
		Options: []run.Option{{ID: run.Always, Calls: []string{"s1c1"}, Grant: true}, {ID: run.No}},
		Grant:   &run.Grant{Owner: asker, Job: "j1", Tool: "post_message", Control: "here r1", Until: noon.AddDate(1, 0, 0), Max: 2},
	}, noon.Add(time.Hour))
}

func saved(t *testing.T, s agent.Store) {
	if _, ok, err := s.Run(t.Context(), "none"); ok || err != nil {
		t.Fatalf("an unknown run = %t, %v", ok, err)
	}
	r := fresh("k").Heard(step("", llm.Call{Name: "query", Args: json.RawMessage(`{"x":"<&>"}`)}), noon, time.Second)
	r = r.With(run.Result{Result: llm.Result{ID: "s1c1", Text: "7"}, Shows: []string{"a1"}})
	want := save(t, s, r)
	want = save(t, s, want.Heard(step("seven"), noon, time.Second))
	got := load(t, s, "k")
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("loaded run differs (-saved +loaded):\n%s", diff)
	}
	if len(got.Steps) != 2 || got.Steps[0].Results[0].Text != "7" {
		t.Errorf("steps = %+v", got.Steps)
	}
}

func stale(t *testing.T, s agent.Store) {
	r := save(t, s, fresh("k"))
	save(t, s, r)
	if _, err := s.Save(t.Context(), r); !errors.Is(err, run.ErrStale) {
		t.Errorf("second save of one version = %v, want ErrStale", err)
	}
	if _, err := s.Save(t.Context(), fresh("k")); !errors.Is(err, run.ErrStale) {
		t.Errorf("new run over a known one = %v, want ErrStale", err)
	}
}

func list(t *testing.T, s agent.Store) {
	r := save(t, s, asking(fresh("k")))
	r = save(t, s, asking(r))
	ids := []string{r.Questions[0].ID, r.Questions[1].ID}
	if ids[0] == ids[1] {
		t.Fatalf("both questions are %s", ids[0])
	}
	// A2: the answer belongs to the one that was pressed.
	q, err := s.Settle(t.Context(), run.Answer{Key: "press", Question: ids[1], Choice: run.No, By: asker, At: noon})
	if err != nil || q.ID != ids[1] || q.Answer == nil {
		t.Fatalf("settle = %+v, %v", q, err)
	}
	r = load(t, s, "k")
	if r.Questions[0].Answer != nil || r.Questions[1].Answer == nil {
		t.Errorf("answers = %v, %v; want only the second", r.Questions[0].Answer, r.Questions[1].Answer)
	}
	if _, err := s.Question(t.Context(), "none"); !errors.Is(err, run.ErrNoQuestion) {
		t.Errorf("unknown question = %v", err)
	}
}

func race(t *testing.T, s agent.Store) {
	r := save(t, s, asking(fresh("k")))
	id := r.Questions[0].ID
	errs := make([]error, 50)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			_, errs[i] = s.Settle(context.WithoutCancel(t.Context()), run.Answer{Key: fmt.Sprint("press", i), Question: id, Choice: run.No, By: asker, At: noon})
		})
	}
	all.Wait()
	winner := -1
	for i, err := range errs {
		switch {
		case err == nil && winner >= 0:
			t.Errorf("answers %d and %d both won", winner, i)
		case err == nil:
			winner = i
		case !errors.Is(err, run.ErrAnswered):
			t.Errorf("answer %d = %v, want ErrAnswered", i, err)
		}
	}
	if winner < 0 {
		t.Fatal("no answer won")
	}
	again := run.Answer{Key: fmt.Sprint("press", winner), Question: id, Choice: run.No, By: asker, At: noon}
	if q, err := s.Settle(t.Context(), again); err != nil || q.Answer == nil {
		t.Errorf("the winner again = %v", err)
	}
	again.Key = "somebody else"
	if q, err := s.Settle(t.Context(), again); !errors.Is(err, run.ErrAnswered) || q.Answer == nil {
		t.Errorf("a later one = %+v, %v; want the question as it was answered", q.Answer, err)
	}
}

func late(t *testing.T, s agent.Store) {
	r := save(t, s, asking(fresh("k")))
	q := r.Questions[0]
	if _, err := s.Settle(t.Context(), run.Answer{Key: "p", Question: q.ID, Choice: run.No, By: asker, At: q.Expires.Add(time.Second)}); !errors.Is(err, run.ErrExpired) {
		t.Errorf("late press = %v, want ErrExpired", err)
	}
	if _, err := s.Settle(t.Context(), run.Answer{Key: "p2", Question: q.ID, Choice: run.No, By: asker, At: q.Expires}); err != nil {
		t.Errorf("press at the last moment = %v", err)
	}
}

func grants(t *testing.T, s agent.Store) {
	r := save(t, s, asking(fresh("k")))
	if got, err := s.Grants(t.Context(), "j1"); err != nil || len(got) != 0 {
		t.Fatalf("grants before the answer = %v, %v", got, err)
	}
	if _, err := s.Settle(t.Context(), run.Answer{Key: "p", Question: r.Questions[0].ID, Choice: run.Always, By: "test:w:lee", At: noon}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Grants(t.Context(), "j1")
	if err != nil || len(got) != 1 || got[0].By != "test:w:lee" {
		t.Fatalf("grants = %+v, %v", got, err)
	}
	if all, err := s.Standing(t.Context(), got[0].Owner); err != nil || len(all) != 1 || all[0].ID != got[0].ID {
		t.Errorf("standing = %+v, %v; want it", all, err)
	}
	for i := range 3 {
		slot := fresh(fmt.Sprint("slot", i))
		slot.Job = "j1"
		slot = slot.Heard(step("", llm.Call{Name: "post_message", Args: json.RawMessage(`{}`)}), noon, 0)
		slot = slot.Send("s1c1", tool.Post{To: other, Artifact: "a1", Hash: "h"}, got[0].ID, got[0].ID)
		_, err := s.Deliver(t.Context(), slot)
		if i < 2 && err != nil {
			t.Fatalf("use %d = %v", i+1, err)
		}
		if i == 2 && !errors.Is(err, agent.ErrNoGrant) {
			t.Errorf("third use of two = %v, want ErrNoGrant", err)
		}
	}
	if _, ok, err := s.Run(t.Context(), "slot2"); ok || err != nil {
		t.Errorf("a refused delivery left a run: %t, %v", ok, err)
	}
	for owner, want := range map[string]int{"": 0, got[0].Owner: 0, "test:w:nobody": 0} {
		if all, err := s.Standing(t.Context(), owner); err != nil || len(all) != want {
			t.Errorf("standing of %q after the last use = %v, %v", owner, all, err)
		}
	}
	for range 2 {
		if g, err := s.Revoke(t.Context(), got[0].ID, "test:w:lee"); err != nil || g.ID != got[0].ID || g.Revoked.IsZero() {
			t.Errorf("revoke = %+v, %v", g, err)
		}
	}
	if g, err := s.Grant(t.Context(), got[0].ID); err != nil || g.Revoked.IsZero() || g.Uses != 2 {
		t.Errorf("grant = %+v, %v; want it revoked, with its uses", g, err)
	}
	if _, err := s.Grant(t.Context(), "g0"); !errors.Is(err, run.ErrNoGrant) {
		t.Errorf("grant of no id = %v", err)
	}
	if got, err := s.Grants(t.Context(), "j1"); err != nil || len(got) != 0 {
		t.Errorf("grants after the last use = %v, %v", got, err)
	}
}

func taking(t *testing.T, s agent.Store) {
	r := save(t, s, asking(fresh("k")))
	if _, err := s.Settle(t.Context(), run.Answer{Key: "p", Question: r.Questions[0].ID, Choice: run.Always, By: "test:w:lee", At: noon}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Grants(t.Context(), "j1")
	if err != nil || len(got) != 1 {
		t.Fatalf("grants = %+v, %v", got, err)
	}
	use := run.Use{Grant: got[0].ID, Run: "k", Call: "s1c1", Hash: "h", By: "test:w:ana", Home: "test/w/c/t"}
	for range 3 { // after a crash it comes again
		if err := s.Take(t.Context(), use); err != nil {
			t.Fatal(err)
		}
	}
	if g, err := s.Grant(t.Context(), use.Grant); err != nil || g.Uses != 1 {
		t.Fatalf("grant = %+v, %v; want one use", g, err)
	}
	use.Hash = "other"
	if err := s.Take(t.Context(), use); err != nil {
		t.Fatal(err)
	}
	use.Call = "s1c2"
	if err := s.Take(t.Context(), use); !errors.Is(err, agent.ErrNoGrant) {
		t.Errorf("third use of two = %v, want ErrNoGrant", err)
	}
	use.Grant = "g0"
	if err := s.Take(t.Context(), use); !errors.Is(err, agent.ErrNoGrant) {
		t.Errorf("a use of none = %v, want ErrNoGrant", err)
	}
}

func delivery(t *testing.T, s agent.Store) {
	r := fresh("k").Heard(step("", llm.Call{Name: "post_message", Args: json.RawMessage(`{}`)}), noon, 0)
	r = save(t, s, r)
	r, err := s.Deliver(t.Context(), r.Send("s1c1", tool.Post{To: other, Artifact: "a1", Hash: "h"}, "q1", ""))
	if err != nil {
		t.Fatalf("deliver: %v", err)
	}
	if r.Sending.Receipt != nil {
		t.Fatal("a receipt before anything was sent")
	}
	for _, ref := range []string{"first", "second"} {
		if err := s.Receive(t.Context(), run.Receipt{Post: r.Sending.Key, Run: "k", Ref: ref, Link: "l"}); err != nil {
			t.Fatalf("receive: %v", err)
		}
	}
	r = load(t, s, "k")
	if r.Sending.Receipt == nil || r.Sending.Receipt.Ref != "first" {
		t.Errorf("receipt = %+v, want the first", r.Sending.Receipt)
	}
}

func stopAndResume(t *testing.T, s agent.Store) {
	save(t, s, fresh("k"))
	stopped, err := s.Stop(t.Context(), run.Stop{Run: "k", By: asker})
	if err != nil || len(stopped) != 1 || stopped[0].Key != "k" || stopped[0].Home != home {
		t.Fatalf("stop = %+v, %v", stopped, err)
	}
	r := load(t, s, "k")
	if r.Stopped != asker {
		t.Fatalf("stopped by %q", r.Stopped)
	}
	if _, err := s.Resume(t.Context(), "k", "press", asker); !errors.Is(err, run.ErrAnswered) {
		t.Errorf("resume of a run at work = %v, want ErrAnswered", err)
	}
	save(t, s, r.End(run.Suspended, "", run.Stopped))
	if stopped, err := s.Stop(t.Context(), run.Stop{Run: "k", By: asker}); err != nil || len(stopped) != 0 {
		t.Errorf("stop of what has ended = %v, %v", stopped, err)
	}
	for range 2 {
		if req, err := s.Resume(t.Context(), "k", "press", asker); err != nil || req.Key != "k" {
			t.Errorf("resume = %+v, %v", req, err)
		}
	}
	if _, err := s.Resume(t.Context(), "k", "another press", asker); !errors.Is(err, run.ErrAnswered) {
		t.Errorf("second press = %v, want ErrAnswered", err)
	}
	r = load(t, s, "k")
	if r.Stopped != "" || r.Resumed != 1 {
		t.Errorf("after the resume: stopped %q, resumed %d", r.Stopped, r.Resumed)
	}
	if stopped, err := s.Stop(t.Context(), run.Stop{Run: "yet to begin", By: asker}); err != nil || len(stopped) != 0 {
		t.Fatalf("stop before the beginning = %v, %v", stopped, err)
	}
	if r, ok, err := s.Run(t.Context(), "yet to begin"); ok || err != nil || r.Stopped != asker {
		t.Errorf("run that was stopped before it began: %t, %q, %v", ok, r.Stopped, err)
	}
}

func overdue(t *testing.T, s agent.Store) {
	r := save(t, s, asking(fresh("k")))
	q := r.Questions[0]
	if over, err := s.Overdue(t.Context(), q.Expires); err != nil || len(over) != 0 {
		t.Errorf("overdue at its last moment = %v, %v", over, err)
	}
	over, err := s.Overdue(t.Context(), q.Expires.Add(time.Second))
	if err != nil || len(over) != 1 || over[0].ID != q.ID {
		t.Errorf("overdue = %v, %v", over, err)
	}
}

func agreements(t *testing.T, s agent.Store) {
	r := save(t, s, asking(fresh("k1")))
	q := r.Questions[0]
	agree := func(by, choice string, at time.Time, want ...string) error {
		t.Helper()
		all, err := s.Agree(t.Context(), run.Answer{Key: by + choice, Question: q.ID, By: by, Name: by, Choice: choice, At: at})
		var got []string
		for _, x := range all {
			got = append(got, x.By+" "+x.Choice)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("agreed, %v (-want +got):\n%s", err, diff)
		}
		return err
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	must(agree("lee", run.Yes, noon, "lee approve"))
	must(agree("lee", run.Yes, noon.Add(time.Minute), "lee approve"))
	must(agree("moe", run.Yes, noon, "lee approve", "moe approve"))
	must(agree("moe", run.Once, noon, "lee approve", "moe approve", "moe once"))
	if got, err := s.Question(t.Context(), q.ID); err != nil || got.Answer != nil {
		t.Errorf("question = %+v, %v; agreeing settles nothing", got, err)
	}
	if err := agree("kim", run.Yes, q.Expires.Add(time.Second)); !errors.Is(err, run.ErrExpired) {
		t.Errorf("agreed too late: %v", err)
	}
	if _, err := s.Settle(t.Context(), run.Answer{Key: "a", Question: q.ID, Choice: run.Yes, By: "lee", At: noon}); err != nil {
		t.Error(err)
	}
	if err := agree("kim", run.Yes, noon); !errors.Is(err, run.ErrAnswered) {
		t.Errorf("agreed to what is answered: %v", err)
	}
	if _, err := s.Agree(t.Context(), run.Answer{Question: "none", By: "lee", At: noon}); !errors.Is(err, run.ErrNoQuestion) {
		t.Errorf("agreed to nothing: %v", err)
	}
}

func openQuestions(t *testing.T, s agent.Store) {
	open := func(where string, want ...string) {
		t.Helper()
		qs, err := s.Open(t.Context(), where)
		var got []string
		for _, q := range qs {
			got = append(got, q.ID)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("open at %s, %v (-want +got):\n%s", where, err, diff)
		}
	}
	open(home)
	first, second := save(t, s, asking(fresh("k1"))), save(t, s, asking(fresh("k2")))
	open(home, second.Questions[0].ID, first.Questions[0].ID)
	open(other)
	save(t, s, second.End(run.Suspended, "", run.Expired))
	open(home, first.Questions[0].ID)
	if _, err := s.Settle(t.Context(), run.Answer{Key: "p", Question: first.Questions[0].ID, Choice: run.No, By: asker, At: noon}); err != nil {
		t.Fatal(err)
	}
	open(home)
}

func lately(t *testing.T, s agent.Store) {
	job, light, elsewhere := fresh("k2"), fresh("k3"), fresh("k4")
	job.Job, light.Light, elsewhere.Home = "j1", true, other
	first := fresh("k1")
	first.Files = []run.File{{Name: "sales.csv", Artifact: "a1"}}
	save(t, s, save(t, s, first).End(run.Done, "seven", ""))
	for _, r := range []run.Run{job, light, elsewhere, fresh("k5"), fresh("k6")} {
		save(t, s, r)
	}
	for n, want := range map[int][]string{9: {"k6", "k5", "k1"}, 2: {"k6", "k5"}, 0: nil} {
		runs, err := s.Lately(t.Context(), home, n)
		var got []string
		for _, r := range runs {
			got = append(got, r.Key)
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("the last %d, %v (-want +got):\n%s", n, err, diff)
		}
		if n == 9 && err == nil && !cmp.Equal(runs[2].Files, first.Files) {
			t.Errorf("the first came back with files %+v, want %+v", runs[2].Files, first.Files)
		}
	}
}

func underWay(t *testing.T, s agent.Store) {
	under := func(where string, want ...string) {
		t.Helper()
		reqs, err := s.Under(t.Context(), where)
		var got []string
		for _, r := range reqs {
			got = append(got, r.Key)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("under way at %s, %v (-want +got):\n%s", where, err, diff)
		}
	}
	under(home)
	first := save(t, s, fresh("k1"))
	save(t, s, asking(fresh("k2")))
	elsewhere := fresh("k3")
	elsewhere.Home, elsewhere.Asker = other, "test:w:gus"
	save(t, s, elsewhere)
	under(home, "k1", "k2")
	under(other, "k3")
	moved := fresh("k4")
	moved.Home = other
	save(t, s, moved)
	save(t, s, first.End(run.Done, "seven", ""))
	under(home, "k2")
	under(other, "k3", "k4")
	for who, want := range map[string][]string{asker: {"k2", "k4"}, "test:w:gus": {"k3"}, "": nil} {
		reqs, err := s.Theirs(t.Context(), who)
		var got []string
		for _, r := range reqs {
			got = append(got, r.Key)
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("under way for %q, %v (-want +got):\n%s", who, err, diff)
		}
	}
	for who, want := range map[string]bool{asker: true, "test:w:gus": false, "": false} {
		if got, err := s.Serves(t.Context(), home, who); err != nil || got != want {
			t.Errorf("serves %q there = %t, %v; want %t", who, got, err, want)
		}
	}
}

// stopHeard: who works on a run elsewhere hears of a stop with the next save, and so
// before the next move.
func stopHeard(t *testing.T, s agent.Store) {
	r := save(t, s, fresh("k")) // what the other has in hand
	if _, err := s.Stop(t.Context(), run.Stop{Run: "k", By: asker}); err != nil {
		t.Fatal(err)
	}
	if r.Stopped != "" {
		t.Fatal("it knows of the stop before it saves")
	}
	r = save(t, s, r.Heard(step("", llm.Call{Name: "query", Args: json.RawMessage(`{}`)}), noon, time.Second))
	if r.Stopped != asker || len(r.OpenCalls()) != 1 {
		t.Errorf("after the save: stopped by %q, %d calls to run", r.Stopped, len(r.OpenCalls()))
	}
}

func steers(t *testing.T, s agent.Store) {
	said := func(key, text string, want bool) {
		t.Helper()
		if noted, err := s.Steer(t.Context(), "k", run.Steer{Key: key, By: asker, Text: text, At: noon}); err != nil || noted != want {
			t.Errorf("steer %s = %t, %v; want %t", key, noted, err, want)
		}
	}
	said("early", "only Asia", false)
	r := save(t, s, fresh("k"))
	said("m2", "only Asia", true)
	said("m2", "only Asia", true)
	said("m3", "by product", true)
	if _, err := s.Save(t.Context(), r.End(run.Done, "seven", "")); !errors.Is(err, run.ErrUnheard) {
		t.Errorf("the end of a run that has not heard all = %v, want ErrUnheard", err)
	}
	r = load(t, s, "k")
	if r.State != run.Working || len(r.Steered) != 2 || r.Steered[0].Text != "only Asia" || !r.Steered[1].At.Equal(noon) || !r.Unheard() {
		t.Fatalf("run is %s with %+v", r.State, r.Steered)
	}
	r = save(t, s, r.Take())
	if r.Unheard() || len(r.Taken) != 2 {
		t.Errorf("after it was taken in: %+v of %+v", r.Taken, r.Steered)
	}
	r = save(t, s, r.End(run.Done, "seven", ""))
	said("m4", "and Europe", false)
	said("m3", "by product", true)
	if r = load(t, s, "k"); len(r.Steered) != 2 || len(r.Taken) != 2 {
		t.Errorf("after the end: %+v of %+v", r.Taken, r.Steered)
	}
}
