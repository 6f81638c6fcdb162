package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"hermes/agent"
	"hermes/agent/agenttest"
	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/run"
	"hermes/agent/tool"
)

const (
	ana  = "test:w:ana"
	lee  = "test:w:lee"
	gus  = "test:w:gus"
	home = "test/w/c/t"
)

var noon = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

// A bench is an agent with a script for a model.
type bench struct {
	*agent.Agent
	store  *agenttest.Store
	script *llmtest.Script
	now    time.Time
	wrote  int // how often the Write tool ran
	facts  []llm.Fact
	seen   []run.State
	cut    func() // stops the program
}

// knower tells what the bench knows.
type knower struct{ b *bench }

func (k knower) Recall(context.Context, run.Request) ([]llm.Fact, error) { return k.b.facts, nil }

func newBench(t *testing.T, replies ...llm.Reply) *bench {
	t.Helper()
	return newBenchWith(t, &llmtest.Script{Replies: replies}, nil)
}

func newBenchWith(t *testing.T, main *llmtest.Script, spare llm.Model) *bench {
	t.Helper()
	b := &bench{store: agenttest.NewStore(), script: main, now: noon}
	tools, err := tool.NewSet(
		read("look", func() (tool.Result, error) { return tool.Result{Text: `{"n":7}`, Shows: []string{"a1"}}, nil }),
		read("panics", func() (tool.Result, error) { panic("ouch") }),
		poster{}, adder{b}, asker{}, keeper(b),
	)
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return b.now }
	members := []agent.Member{{Model: main}}
	if spare != nil {
		members = append(members, agent.Member{Model: spare, Rules: true})
	}
	b.Agent = agent.New(agent.Config{
		Deciders: guard.Deciders{Admins: []string{lee}},
		Patience: time.Hour, JobWait: 24 * time.Hour, Uses: 2,
	}, agent.Parts{
		Models: agent.NewModels(now, members...), Tools: tools, Memory: knower{b}, Store: b.store, Shelf: &shelf{},
		Now: now, Log: slog.New(slog.DiscardHandler),
	})
	return b
}

func (b *bench) start(t *testing.T, req run.Request) run.Outcome {
	t.Helper()
	out, err := b.Start(t.Context(), req, b.watch)
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	return out
}

func (b *bench) watch(_ context.Context, r run.Run) error {
	b.seen = append(b.seen, r.State)
	return nil
}

// on is what the caller does after something was noted: it starts the run again.
func (b *bench) on(t *testing.T, key string) run.Outcome {
	t.Helper()
	return b.start(t, run.Request{Key: key, Home: home})
}

func (b *bench) press(t *testing.T, q *run.Question, by, choice string) error {
	t.Helper()
	_, err := b.Settle(t.Context(), run.Answer{Key: by + choice, Question: q.ID, Choice: choice, By: by, Name: by, At: b.now})
	return err
}

func (b *bench) run(t *testing.T, key string) run.Run {
	t.Helper()
	r, ok, err := b.store.Run(t.Context(), key)
	if err != nil || !ok {
		t.Fatalf("run %s: %t, %v", key, ok, err)
	}
	return r
}

// sent tells the run that its post has arrived.
func (b *bench) sent(t *testing.T, key string) run.Outcome {
	t.Helper()
	posts := b.store.Sent()
	if err := b.Delivered(t.Context(), run.Receipt{Post: posts[len(posts)-1].Key, Run: key, Ref: "r", Link: "/link"}); err != nil {
		t.Fatal(err)
	}
	return b.on(t, key)
}

func request(key string) run.Request {
	return run.Request{Key: key, Home: home, Asker: ana, Text: "sales to #sales", Lang: "en", Now: noon, Zone: "UTC"}
}

func slot(key string) run.Request {
	r := request(key)
	r.Job = "j1"
	return r
}

func says(text string, calls ...llm.Call) llm.Reply {
	return llm.Reply{Message: llm.Message{Role: llm.Assistant, Text: text, Calls: calls}}
}

func call(name, args string) llm.Call { return llm.Call{Name: name, Args: json.RawMessage(args)} }

func read(name string, f func() (tool.Result, error)) tool.Tool {
	return tool.New(tool.Spec{Name: name, Effect: tool.Read, Unattended: true, Timeout: time.Minute},
		func(context.Context, tool.Call, struct{}) (tool.Result, error) { return f() })
}

// poster is a Send that a grant can cover.
type poster struct{}

func (poster) Spec() tool.Spec {
	return tool.Spec{Name: "post_message", Effect: tool.Send, Unattended: true}
}

func (poster) Plan(_ context.Context, c tool.Call) (tool.Plan, error) {
	if strings.Contains(string(c.Args), "nowhere") {
		return tool.Plan{Fault: "there is no channel nowhere"}, nil
	}
	return tool.Plan{Args: json.RawMessage(`{"to":"test/w/sales/"}`), Control: "sales r1", Artifact: "a1"}, nil
}

func (poster) Run(context.Context, tool.Call) (tool.Result, error) {
	return tool.Result{Post: &tool.Post{To: "test/w/sales/", Artifact: "a1", Hash: "h"}}, nil
}

// adder is a Write that adds a job.
type adder struct{ b *bench }

func (adder) Spec() tool.Spec { return tool.Spec{Name: "schedule_add", Effect: tool.Write} }

func (adder) Plan(_ context.Context, c tool.Call) (tool.Plan, error) {
	return tool.Plan{
		Args: c.Args, Job: "j1", Until: noon.AddDate(1, 0, 0), Cadence: "monthly",
		GrantTool: "post_message", GrantControl: "sales r1",
	}, nil
}

func (a adder) Run(context.Context, tool.Call) (tool.Result, error) {
	a.b.wrote++
	return tool.Result{Text: "planned"}, nil
}

// keeper is a Keep that the program is stopped in the first time.
func keeper(b *bench) tool.Tool {
	return tool.New(tool.Spec{Name: "keep", Effect: tool.Keep}, func(ctx context.Context, _ tool.Call, _ struct{}) (tool.Result, error) {
		if b.wrote++; b.wrote == 1 && b.cut != nil {
			b.cut()
			return tool.Result{}, ctx.Err()
		}
		return tool.Result{Text: "kept"}, nil
	})
}

// asker is a Chooser.
type asker struct{}

func (asker) Spec() tool.Spec { return tool.Spec{Name: "ask", Effect: tool.Read} }

func (asker) Run(context.Context, tool.Call) (tool.Result, error) {
	return tool.Result{Ask: &tool.Ask{Token: "tok", Text: "Which?", Choices: []tool.Choice{{ID: "x", Label: "X"}, {ID: "y", Label: "Y"}}}}, nil
}

func (asker) Choose(_ context.Context, _ tool.Call, p tool.Pick) (tool.Result, error) {
	return tool.Result{Text: fmt.Sprintf("%s %s by %s", p.Token, p.Choice, p.By)}, nil
}

func both() llm.Reply {
	return says("", call("post_message", `{"channel":"#sales"}`), call("schedule_add", `{"when":"monthly"}`))
}

// A question is answered with what the tools found, and asked a second time it is
// answered from the store, without the model.
func TestAnswerOnce(t *testing.T) {
	b := newBench(t, says("", call("look", `{}`)), says("seven"))
	first := b.start(t, request("k"))
	second := b.start(t, request("k"))
	if first.Text != "seven" || first.Key != second.Key || second.Text != "seven" {
		t.Errorf("outcomes = %+v and %+v", first, second)
	}
	if len(first.Shows) != 1 || first.Shows[0] != "a1" {
		t.Errorf("shows = %v, want a1", first.Shows)
	}
	if n := len(b.script.Heard()); n != 2 {
		t.Errorf("model was asked %d times, want 2", n)
	}
}

// Post and schedule wait on one card; what each button does is what it says.
func TestOneCardForPostAndSchedule(t *testing.T) {
	for name, tt := range map[string]struct {
		choice       string
		posts, wrote int
		grants       int
		deniedCalls  int
	}{
		"now and always": {run.Always, 1, 1, 1, 0},
		"only now":       {run.Once, 1, 0, 0, 1},
		"deny":           {run.No, 0, 0, 0, 2},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, both(), says("done"))
			out := b.start(t, request("k"))
			if out.Question == nil || len(out.Question.Calls) != 2 || len(out.Question.Options) != 4 {
				t.Fatalf("question = %+v", out.Question)
			}
			if len(b.store.Sent()) != 0 || b.wrote != 0 {
				t.Fatal("something was done before anybody said yes")
			}
			if err := b.press(t, out.Question, lee, tt.choice); err != nil {
				t.Fatal(err)
			}
			if out = b.on(t, "k"); tt.posts > 0 {
				out = b.sent(t, "k")
			}
			if out.Text != "done" || len(b.store.Sent()) != tt.posts || b.wrote != tt.wrote {
				t.Errorf("outcome %q, %d posts, %d writes; want done, %d, %d", out.Text, len(b.store.Sent()), b.wrote, tt.posts, tt.wrote)
			}
			grants, err := b.store.Grants(t.Context(), "j1")
			if err != nil || len(grants) != tt.grants {
				t.Errorf("grants = %v, %v; want %d", grants, err, tt.grants)
			}
			denied := 0
			for _, res := range b.run(t, "k").Steps[0].Results {
				if res.Failed && strings.HasPrefix(res.Text, "denied") {
					denied++
				}
			}
			if denied != tt.deniedCalls {
				t.Errorf("%d calls denied, want %d", denied, tt.deniedCalls)
			}
		})
	}
}

// A1 Who may not decide changes nothing, whatever is pressed.
func TestOnlyDecidersDecide(t *testing.T) {
	b := newBench(t, both())
	out := b.start(t, request("k"))
	for _, by := range []string{ana, gus, ""} {
		if err := b.press(t, out.Question, by, run.Always); !errors.Is(err, run.ErrNotAllowed) {
			t.Errorf("press by %q = %v, want ErrNotAllowed", by, err)
		}
	}
	if err := b.press(t, out.Question, lee, "no such button"); err == nil {
		t.Error("a button that is not on the card was accepted")
	}
	if r := b.run(t, "k"); !r.Open() {
		t.Error("the question is answered")
	}
}

// A15, A16 Words never approve: a model that claims, and a person who writes it.
func TestWordsApproveNothing(t *testing.T) {
	b := newBench(t, both())
	b.start(t, request("k"))
	for _, text := range []string{"approve", "yes", "1", "批准"} {
		ans, ok, err := b.Hear(t.Context(), home, ana, text)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		ans.Key, ans.At = "said "+text, noon
		if _, err := b.Settle(t.Context(), ans); !errors.Is(err, run.ErrSaid) {
			t.Errorf("%q settled the card: %v", text, err)
		}
	}
	if r := b.run(t, "k"); !r.Open() || b.wrote != 0 {
		t.Error("words have approved something")
	}
}

// Who asked may call it off, by the button and in words.
func TestTheAskerMayDeny(t *testing.T) {
	b := newBench(t, both(), says("not posted"), both(), says("not posted either"))
	out := b.start(t, request("k"))
	if err := b.press(t, out.Question, ana, run.No); err != nil {
		t.Fatal(err)
	}
	if out := b.on(t, "k"); out.Text != "not posted" {
		t.Errorf("outcome = %+v", out)
	}
	b.start(t, request("k2"))
	ans, ok, err := b.Hear(t.Context(), home, ana, "No.")
	if err != nil || !ok {
		t.Fatalf("hear = %t, %v", ok, err)
	}
	ans.Key, ans.At = "said", noon
	if _, err := b.Settle(t.Context(), ans); err != nil {
		t.Fatal(err)
	}
	if out := b.on(t, "k2"); out.Text != "not posted either" {
		t.Errorf("outcome = %+v", out)
	}
}

// A stop calls off the open card: a later press does nothing, and Continue asks
// anew.
func TestStopCallsOffTheCard(t *testing.T) {
	b := newBench(t, both(), says("done"))
	first := b.start(t, request("k")).Question
	if _, err := b.Stop(t.Context(), run.Stop{Home: home, By: ana}); err != nil {
		t.Fatal(err)
	}
	if out := b.on(t, "k"); out.Why != run.Stopped {
		t.Fatalf("outcome = %+v", out)
	}
	if err := b.press(t, first, lee, run.Always); !errors.Is(err, run.ErrAnswered) {
		t.Errorf("press after the stop = %v, want ErrAnswered", err)
	}
	if _, err := b.Resume(t.Context(), "k", "press", ana); err != nil {
		t.Fatal(err)
	}
	out := b.on(t, "k")
	if out.Question == nil || out.Question.ID == first.ID || b.wrote != 0 {
		t.Fatalf("after Continue = %+v, want a new card", out)
	}
	if err := b.press(t, out.Question, lee, run.No); err != nil {
		t.Fatal(err)
	}
	if out := b.on(t, "k"); out.Text != "done" {
		t.Errorf("outcome = %+v", out)
	}
}

// A run that goes on while its card is open waits for the card again.
func TestOpenCardIsWaitedFor(t *testing.T) {
	b := newBench(t, both(), says("done"))
	q := b.start(t, request("k")).Question
	if _, err := b.store.Save(t.Context(), b.run(t, "k").GoOn()); err != nil {
		t.Fatal(err)
	}
	if out := b.on(t, "k"); out.Question == nil || out.Question.ID != q.ID {
		t.Errorf("outcome = %+v, want the card of before", out)
	}
}

// C25, R5 A write that was begun and has no result is not run again.
func TestC25C28ABegunWriteIsNotRepeated(t *testing.T) {
	b := newBench(t, says("", call("schedule_add", `{}`)), says("look first"))
	out := b.start(t, request("k"))
	if err := b.press(t, out.Question, lee, run.Always); err != nil {
		t.Fatal(err)
	}
	r := b.run(t, "k").GoOn().Start("s1c1", "")
	if _, err := b.store.Save(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	out = b.on(t, "k")
	if b.wrote != 0 || out.Text != "look first" {
		t.Errorf("wrote %d times, said %q", b.wrote, out.Text)
	}
	if res := b.run(t, "k").Steps[0].Results[0]; !res.Failed || !strings.HasPrefix(res.Text, "unknown") {
		t.Errorf("the model hears %q", res.Text)
	}
}

// What only keeps something of our own, under a name that it was approved with, is
// done again if it was cut off, and not asked about again.
func TestKeepThatWasCutOffIsRepeated(t *testing.T) {
	b := newBench(t, says("", call("keep", `{}`)), says("done"))
	out := b.start(t, request("k"))
	if err := b.press(t, out.Question, lee, run.Yes); err != nil {
		t.Fatal(err)
	}
	ctx, cut := context.WithCancel(t.Context())
	b.cut = cut
	if _, err := b.Start(ctx, request("k"), b.watch); err == nil {
		t.Fatal("the keep was not cut off")
	}
	out = b.on(t, "k")
	res := b.run(t, "k").Steps[0].Results[0]
	if b.wrote != 2 || out.Text != "done" || res.Text != "kept" || res.Under != b.run(t, "k").Questions[0].ID {
		t.Errorf("ran %d times, said %q, result %+v", b.wrote, out.Text, res)
	}
}

// A slot posts under its grant, as often as that allows, and asks after that.
func TestSlotPostsUnderItsGrant(t *testing.T) {
	b := newBench(t, says("", call("schedule_add", `{}`)), says("ok"),
		says("", call("post_message", `{}`)), says("posted"),
		says("", call("post_message", `{}`)), says("posted"),
		says("", call("post_message", `{}`)))
	out := b.start(t, request("k"))
	if err := b.press(t, out.Question, lee, run.Always); err != nil {
		t.Fatal(err)
	}
	b.on(t, "k")
	for i := range 2 {
		key := fmt.Sprint("slot", i)
		if out := b.start(t, slot(key)); out.Key != "" {
			t.Fatalf("slot %d = %+v, want a delivery", i, out)
		}
		if out := b.sent(t, key); out.Text != "posted" {
			t.Errorf("slot %d = %+v", i, out)
		}
	}
	if out := b.start(t, slot("slot2")); out.Question == nil || len(b.store.Sent()) != 2 {
		t.Errorf("slot after the last use = %+v, %d posts; want a question", out, len(b.store.Sent()))
	}
}

// C30 A scheduled run makes no schedules, and a rehearsal posts nothing.
func TestSlotsAndRehearsalsKeepToThemselves(t *testing.T) {
	b := newBench(t, says("", call("schedule_add", `{}`)), says("no"), says("", call("post_message", `{}`)), says("shown"))
	b.start(t, slot("slot"))
	if res := b.run(t, "slot").Steps[0].Results[0]; !res.Failed || b.wrote != 0 {
		t.Errorf("schedule_add in a slot = %+v", res)
	}
	req := slot("dry")
	req.Rehearse = true
	out := b.start(t, req)
	if out.Text != "shown" || len(b.store.Sent()) != 0 || len(out.Shows) != 1 {
		t.Errorf("rehearsal = %+v, %d posts", out, len(b.store.Sent()))
	}
}

// A6, A7, SAFE-15: nobody answers: the run is suspended, and Continue asks again.
func TestA7SAFE15AnExpiredQuestionIsAskedAgainOnContinue(t *testing.T) {
	b := newBench(t, both(), says("done"))
	b.start(t, request("k"))
	b.now = noon.Add(2 * time.Hour)
	expired, err := b.Overdue(t.Context())
	if err != nil || len(expired) != 1 {
		t.Fatalf("overdue = %v, %v", expired, err)
	}
	for range 2 {
		if q, err := b.Expire(t.Context(), expired[0].ID); err != nil || q.Answer.Choice != run.Late {
			t.Fatalf("expire = %+v, %v", q.Answer, err)
		}
	}
	if again, err := b.Overdue(t.Context()); err != nil || len(again) != 0 {
		t.Errorf("overdue again = %v, %v", again, err)
	}
	if out := b.on(t, "k"); out.State != run.Suspended || out.Why != run.Expired {
		t.Fatalf("outcome = %+v", out)
	}
	if err := b.press(t, &expired[0], lee, run.Always); !errors.Is(err, run.ErrAnswered) {
		t.Errorf("late press = %v", err)
	}
	if _, err := b.Resume(t.Context(), "k", "press", gus); !errors.Is(err, run.ErrNotAllowed) {
		t.Errorf("a stranger's Continue = %v", err)
	}
	if _, err := b.Resume(t.Context(), "k", "press", ana); err != nil {
		t.Fatal(err)
	}
	out := b.on(t, "k")
	if out.Question == nil || out.Question.ID == expired[0].ID || b.wrote != 0 {
		t.Errorf("after Continue = %+v", out)
	}
}

// What a model has begun that is configured no more waits for an operator, and is not
// said to have no answer just now.
func TestARunWhoseModelIsConfiguredNoMoreSaysSo(t *testing.T) {
	main := &llmtest.Script{Replies: []llm.Reply{says("", call("look", `{}`))}, Errs: map[int]error{1: llm.ErrBusy}}
	b := newBench(t)
	b.Models = agent.NewModels(time.Now, agent.Member{Model: main})
	b.start(t, request("k"))
	b.Models = agent.NewModels(time.Now, agent.Member{Model: named{&llmtest.Script{Replies: []llm.Reply{says("rules")}}}, Rules: true})
	if _, err := b.Resume(t.Context(), "k", "p", ana); err != nil {
		t.Fatal(err)
	}
	if out := b.on(t, "k"); out.State != run.Suspended || out.Why != run.Misset || out.Detail != "model.provider" {
		t.Errorf("outcome = %+v", out)
	}
}

// The spare takes over for a run that has yet to begin; one that the model has
// begun waits for it, with Continue.
func TestSpareTakesOverForNewRunsOnly(t *testing.T) {
	main := &llmtest.Script{
		Replies: []llm.Reply{says("", call("look", `{}`)), says("seven")},
		Errs:    map[int]error{1: llm.ErrBusy},
	}
	spare := named{&llmtest.Script{Replies: []llm.Reply{says("from the spare"), says("spare again")}}}
	b := newBenchWith(t, main, spare)
	out := b.start(t, request("begun"))
	if out.State != run.Suspended || out.Why != run.ModelGone {
		t.Fatalf("begun run = %+v", out)
	}
	if out := b.start(t, request("new")); out.Text != "from the spare" || out.Model != "spare" {
		t.Errorf("new run while the model rests = %+v", out)
	}
	if _, err := b.Resume(t.Context(), "begun", "press", ana); err != nil {
		t.Fatal(err)
	}
	if out := b.on(t, "begun"); out.Text != "seven" || out.Model != "script" {
		t.Errorf("after Continue = %+v", out)
	}
	main.Errs[3] = llm.ErrBusy
	b.now = noon.Add(time.Hour)
	if out := b.start(t, request("first step fails")); out.Text != "spare again" {
		t.Errorf("first step fails = %+v", out)
	}
}

type named struct{ *llmtest.Script }

func (named) Name() string { return "spare" }

// A question of a tool is answered by a button or by the label, in words.
func TestChoiceComesBackToItsTool(t *testing.T) {
	b := newBench(t, says("", call("ask", `{}`)), says("thanks"))
	out := b.start(t, request("k"))
	if out.Question == nil || out.Question.Kind != run.Choose {
		t.Fatalf("outcome = %+v", out)
	}
	if err := b.press(t, out.Question, lee, "x"); !errors.Is(err, run.ErrNotAllowed) {
		t.Errorf("somebody else's choice = %v", err)
	}
	ans, ok, err := b.Hear(t.Context(), home, ana, "y")
	if err != nil || !ok {
		t.Fatalf("hear = %t, %v", ok, err)
	}
	ans.Key, ans.At = "said", noon
	if _, err := b.Settle(t.Context(), ans); err != nil {
		t.Fatal(err)
	}
	if out := b.on(t, "k"); out.Text != "thanks" {
		t.Errorf("outcome = %+v", out)
	}
	if got := b.run(t, "k").Steps[0].Results[0].Text; got != "tok y by "+ana {
		t.Errorf("the tool heard %q", got)
	}
}

// What a model may mend is a result; nothing of it ends the run or the program.
func TestFaultsOfCallsAreResults(t *testing.T) {
	for name, tt := range map[string]struct {
		call llm.Call
		want string
	}{
		"a tool that is not there":     {call("nope", `{}`), `there is no tool "nope"`},
		"arguments that are no object": {call("look", `[1]`), "the arguments are not"},
		"arguments nobody can read":    {call("look", `{"`+llm.Unreadable+`":"???"}`), "not JSON"},
		"a panic":                      {call("panics", `{}`), "panicked"},
		"a plan that cannot be":        {call("post_message", `{"channel":"nowhere"}`), "no channel nowhere"},
		"unknown arguments":            {call("look", `{"x":1}`), "x: is unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, says("", tt.call), says("mended"))
			if out := b.start(t, request("k")); out.Text != "mended" {
				t.Fatalf("outcome = %+v", out)
			}
			if res := b.run(t, "k").Steps[0].Results[0]; !res.Failed || !strings.Contains(res.Text, tt.want) {
				t.Errorf("result = %+v, want a failure with %q", res, tt.want)
			}
		})
	}
}

// L1, L2 A model that never ends is ended, and Continue gives it no more than as
// much again.
func TestEndlessModelIsEnded(t *testing.T) {
	var replies []llm.Reply
	for range 20 {
		replies = append(replies, says("", call("look", `{}`)))
	}
	b := newBench(t, replies...)
	out := b.start(t, request("k"))
	if out.Why != run.InCircle || len(b.script.Heard()) != 4 { // three rounds and the closing call
		t.Errorf("outcome = %+v after %d calls", out, len(b.script.Heard()))
	}
	if ran := len(out.Found); ran != 1 {
		t.Errorf("the call ran %d times", ran)
	}
}

// A stop ends the run before its next step.
func TestStop(t *testing.T) {
	b := newBench(t, both())
	b.start(t, request("k"))
	if _, err := b.Stop(t.Context(), run.Stop{Run: "k", By: gus}); !errors.Is(err, run.ErrNotAllowed) {
		t.Errorf("a stranger's stop = %v", err)
	}
	stopped, err := b.Stop(t.Context(), run.Stop{Home: home, By: ana})
	if err != nil || len(stopped) != 1 {
		t.Fatalf("stop = %v, %v", stopped, err)
	}
	if out := b.on(t, "k"); out.Why != run.Stopped || out.State != run.Suspended {
		t.Errorf("outcome = %+v", out)
	}
}

// Whoever wants to be answered in a language is, whatever they write in; what others
// want counts for nothing.
func TestThePreferredLanguageIsAnsweredIn(t *testing.T) {
	b := newBench(t, says("好"), says("fine"))
	b.facts = []llm.Fact{{Subject: gus, Predicate: "prefers-language", Object: "en"}, {Subject: ana, Predicate: "prefers-language", Object: "zh"}}
	if out := b.start(t, request("k")); out.Lang != "zh" || b.script.Heard()[0].Scene.Lang != "zh" {
		t.Errorf("answered in %q", out.Lang)
	}
	b.facts = b.facts[:1]
	if out := b.start(t, request("k2")); out.Lang != "en" {
		t.Errorf("answered in %q", out.Lang)
	}
}

// What stood beside a card is not shown once more with the last words.
func TestWhatWasShownIsShownOnce(t *testing.T) {
	b := newBench(t, says("", call("look", `{}`)), says("", call("keep", `{}`)), says("done"))
	out := b.start(t, request("k"))
	if out.Question == nil || len(out.Shows) != 1 {
		t.Fatalf("card = %+v, want the artifact beside it", out)
	}
	if err := b.press(t, out.Question, lee, run.No); err != nil {
		t.Fatal(err)
	}
	if out := b.on(t, "k"); out.Text != "done" || len(out.Shows) != 0 {
		t.Errorf("end = %+v, want nothing shown again", out)
	}
}
