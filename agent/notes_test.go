package agent_test

import (
	"context"
	"errors"
	"testing"

	"hermes/agent"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// A1: a stop of all that is under way at a home ends what the person may end; one who
// may end nothing there is told so.
func TestA1AStopAtAHomeEndsWhatThePersonMayEnd(t *testing.T) {
	b := newBench(t, both(), both())
	b.start(t, request("k1"))
	other := request("k2")
	other.Asker = gus
	b.start(t, other)
	for _, who := range []string{"test:w:moe", ""} {
		if stopped, err := b.Stop(t.Context(), run.Stop{Home: home, By: who}); !errors.Is(err, run.ErrNotAllowed) || len(stopped) != 0 {
			t.Errorf("stop by %q = %v, %v; want ErrNotAllowed", who, stopped, err)
		}
	}
	for _, tt := range []struct{ by, want string }{{gus, "k2"}, {lee, "k1"}} {
		stopped, err := b.Stop(t.Context(), run.Stop{Home: home, By: tt.by})
		if err != nil || len(stopped) != 1 || stopped[0].Key != tt.want {
			t.Errorf("stop by %s = %v, %v; want %s", tt.by, stopped, err, tt.want)
		}
		b.on(t, tt.want)
	}
	if stopped, err := b.Stop(t.Context(), run.Stop{Home: home, By: gus}); err != nil || len(stopped) != 0 {
		t.Errorf("stop of nothing = %v, %v", stopped, err)
	}
}

// A15: words of who may decide are heard, too; those of others are not, but for a verdict
// by name, which is refused.
func TestA15WordsOfWhoMayDecideAreHeard(t *testing.T) {
	b := newBench(t, both())
	b.start(t, request("k"))
	for _, tt := range []struct{ by, text, want string }{
		{lee, "no", run.No}, {lee, "同意", run.Said}, {lee, "cancel", run.No}, {lee, "wait", ""},
		{ana, "cancel", run.Ceased}, {ana, "ok", run.Said}, {gus, "no", ""}, {gus, "ok", ""}, {"", "no", ""},
		{gus, "Approve!", run.Said}, {gus, "批准吧", run.Said}, {gus, "deny", run.No}, {gus, "approve the leave of Moe", ""}, {"", "approve", ""},
	} {
		ans, ok, err := b.Hear(t.Context(), home, tt.by, tt.text)
		if err != nil || ok != (tt.want != "") || ans.Choice != tt.want || ok && ans.By != tt.by {
			t.Errorf("hear %q by %q = %+v, %t, %v; want %q", tt.text, tt.by, ans, ok, err, tt.want)
		}
	}
	if _, ok, err := b.Hear(t.Context(), "test/w/c/elsewhere", lee, "no"); ok || err != nil {
		t.Errorf("words elsewhere = %t, %v", ok, err)
	}
}

// A verdict in words is refused to who has no say, and to whoever has one they are words.
func TestAVerdictInWordsIsRefusedToWhoHasNoSay(t *testing.T) {
	b := newBench(t, both())
	q := b.start(t, request("k")).Question
	for by, want := range map[string]error{gus: run.ErrNotAllowed, "": run.ErrNotAllowed, lee: run.ErrSaid, ana: run.ErrSaid} {
		if _, err := b.Settle(t.Context(), run.Answer{Key: "by " + by, Question: q.ID, Choice: run.Said, By: by, At: noon}); !errors.Is(err, want) {
			t.Errorf("said by %q: %v, want %v", by, err, want)
		}
	}
}

// Who asked calls off what waits, and nobody else does by those words: the card is
// settled at once, however often it is said, and nothing can be pressed any more.
func TestWhoAskedCallsItOff(t *testing.T) {
	b := newBench(t, both())
	q := b.start(t, request("k")).Question
	off := func(key, by string) error {
		_, err := b.Settle(t.Context(), run.Answer{Key: key, Question: q.ID, Choice: run.Ceased, By: by, At: noon})
		return err
	}
	for _, who := range []string{gus, lee, ""} {
		if err := off("by "+who, who); !errors.Is(err, run.ErrNotAllowed) {
			t.Errorf("called off by %q: %v, want ErrNotAllowed", who, err)
		}
	}
	for range 2 {
		if err := off("said", ana); err != nil {
			t.Fatal(err)
		}
	}
	if err := off("said again", ana); !errors.Is(err, run.ErrAnswered) {
		t.Errorf("called off again: %v, want ErrAnswered", err)
	}
	if err := b.press(t, q, lee, run.Always); !errors.Is(err, run.ErrAnswered) {
		t.Errorf("press after that = %v, want ErrAnswered", err)
	}
	if out := b.on(t, "k"); out.Why != run.Stopped || b.wrote != 0 {
		t.Errorf("outcome = %+v", out)
	}
}

// What is called off for another request is what its asker waits for there, and with
// a likeness only the same once more.
func TestCallOff(t *testing.T) {
	b := newBench(t, both(), both(), both())
	first := b.start(t, request("k1")).Question
	second := b.start(t, request("k2")).Question
	other := request("k3")
	other.Asker = gus
	b.start(t, other)
	keys := func(reqs []run.Request, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		all := ""
		for _, r := range reqs {
			all += r.Key + " "
		}
		return all
	}
	if !second.Same(*first) {
		t.Fatalf("%+v and %+v are not the same", first.Calls, second.Calls)
	}
	if got := keys(b.CallOff(t.Context(), home, ana, second)); got != "k1 " {
		t.Errorf("called off as the same: %q, want k1", got)
	}
	b.on(t, "k1")
	unlike := *second
	unlike.Run, unlike.Calls = "k4", nil
	if got := keys(b.CallOff(t.Context(), home, ana, &unlike)); got != "" {
		t.Errorf("called off as the same: %q, want none", got)
	}
	if got := keys(b.CallOff(t.Context(), home, ana, nil)); got != "k2 " {
		t.Errorf("called off: %q, want k2", got)
	}
}

// What came of a run is told once it has ended.
func TestOutcomeIsOfWhatHasEnded(t *testing.T) {
	b := newBench(t, both(), says("not posted"))
	q := b.start(t, request("k")).Question
	for _, key := range []string{"k", "never"} {
		if out, ended, err := b.Outcome(t.Context(), key); ended || err != nil {
			t.Errorf("outcome of %s = %+v, %t, %v; want none", key, out, ended, err)
		}
	}
	if err := b.press(t, q, lee, run.No); err != nil {
		t.Fatal(err)
	}
	want := b.on(t, "k")
	out, ended, err := b.Outcome(t.Context(), "k")
	if err != nil || !ended || out.Key != want.Key || out.Text != "not posted" || out.Steps != want.Steps || out.Lang != "en" {
		t.Errorf("outcome = %+v, %t, %v; want %+v", out, ended, err, want)
	}
}

// EXIT-03 Who may let a suspended run go on may give it up, once and for good; the
// same press finds it again, and any other is told.
func TestEXIT03Abandon(t *testing.T) {
	b := newBench(t, both())
	b.start(t, request("k"))
	if _, _, err := b.Abandon(t.Context(), "k", "early", ana); !errors.Is(err, run.ErrAnswered) {
		t.Errorf("abandon of a run that waits = %v", err)
	}
	if _, err := b.Stop(t.Context(), run.Stop{Run: "k", By: ana}); err != nil {
		t.Fatal(err)
	}
	b.on(t, "k")
	for who, want := range map[string]error{gus: run.ErrNotAllowed, "": run.ErrNotAllowed} {
		if _, _, err := b.Abandon(t.Context(), "k", "p0", who); !errors.Is(err, want) {
			t.Errorf("abandon by %q = %v", who, err)
		}
	}
	if _, _, err := b.Abandon(t.Context(), "nothing", "p0", ana); !errors.Is(err, run.ErrNoQuestion) {
		t.Errorf("abandon of nothing = %v", err)
	}
	for range 2 {
		req, out, err := b.Abandon(t.Context(), "k", "p1", ana)
		if err != nil || req.Home != home || out.State != run.Done || out.Why != run.Abandoned {
			t.Fatalf("abandon = %+v, %+v, %v", req, out, err)
		}
	}
	if _, _, err := b.Abandon(t.Context(), "k", "p2", ana); !errors.Is(err, run.ErrAnswered) {
		t.Errorf("a second press = %v", err)
	}
	if _, err := b.Resume(t.Context(), "k", "p3", ana); !errors.Is(err, run.ErrAnswered) {
		t.Errorf("to go on = %v", err)
	}
	if out := b.on(t, "k"); out.Why != run.Abandoned || b.run(t, "k").Status() != run.StatusCancelled {
		t.Errorf("in the end: %+v", out)
	}
}

// EXIT-03 Of Continue and Abandon the first press counts.
func TestEXIT03ContinueIsFaster(t *testing.T) {
	b := newBench(t, both(), says("done"))
	b.start(t, request("k"))
	if _, err := b.Stop(t.Context(), run.Stop{Run: "k", By: ana}); err != nil {
		t.Fatal(err)
	}
	b.on(t, "k")
	if _, err := b.Resume(t.Context(), "k", "p1", ana); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Abandon(t.Context(), "k", "p2", ana); !errors.Is(err, run.ErrAnswered) {
		t.Errorf("abandon of what goes on = %v", err)
	}
}

// A4, EXIT-21 A stop that another process has noted is obeyed before the next move: the
// reply that was under way is kept, what it calls does not run.
func TestA4AStopReachesAnotherProcess(t *testing.T) {
	ran := 0
	look := reader("look", func(context.Context, tool.Call, query) (tool.Result, error) {
		ran++
		return tool.Result{Text: "seven"}, nil
	})
	other := newRig(t, nil)
	m := modelFunc(func(ctx context.Context, _ llm.Request) (llm.Reply, error) {
		stopped, err := other.Stop(ctx, run.Stop{Run: "k", By: ana})
		if err != nil || len(stopped) != 1 {
			t.Errorf("stop = %v, %v", stopped, err)
		}
		if ctx.Err() != nil {
			t.Error("another process has cut off what is under way here")
		}
		return says("", q("look", "a")), nil
	})
	g := rigWith(t, agent.Config{}, []tool.Tool{look}, nil, agent.Member{Model: m})
	other.Store = g.store
	if out := g.start(t, "k"); out.Why != run.Stopped || ran != 0 || len(g.run(t, "k").Steps) != 1 {
		t.Errorf("outcome = %+v, the tool ran %d times", out, ran)
	}
}
