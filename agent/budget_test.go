package agent_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/agent"
	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// benchOf is a bench whose agent is made another way.
func benchOf(t *testing.T, script *llmtest.Script, change func(*agent.Config, *agent.Parts)) *bench {
	t.Helper()
	b := newBenchWith(t, script, nil)
	tools, err := tool.NewSet(
		read("look", func() (tool.Result, error) { return tool.Result{Text: `{"n":7}`}, nil }),
		poster{}, adder{b}, asker{}, keeper(b),
	)
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return b.now }
	cfg := agent.Config{Deciders: guard.Deciders{Admins: []string{lee}}, Patience: time.Hour, JobWait: 24 * time.Hour, Uses: 2}
	price := func(u llm.Usage) llm.Usage {
		u.Nanos = int64(u.In+u.Out) * 1000
		return u
	}
	parts := agent.Parts{
		Models: agent.NewModels(now, agent.Member{Model: script, Price: price}), Tools: tools, Memory: knower{b}, Store: b.store, Treasury: b.store,
		Shelf: &shelf{}, Now: now, Log: slog.New(slog.DiscardHandler),
	}
	change(&cfg, &parts)
	b.Agent = agent.New(cfg, parts)
	return b
}

// costs is a reply with its cost.
func costs(in, out int, text string, calls ...llm.Call) llm.Reply {
	r := says(text, calls...)
	r.Usage = llm.Usage{In: in, Out: out, Nanos: int64(in+out) * 1000}
	return r
}

func perUser(tokens int64) guard.Budgets {
	return guard.Budgets{{Per: guard.PerUser, Every: guard.EveryDay, Limit: run.Amount{Tokens: tokens}, Warn: 0.8}}
}

// X8, SAFE-04 At the limit of a budget no call is made: the run says what it has, which
// budget it was and until when, and Continue goes on once an admin has raised it.
func TestX8SAFE04ABudgetEndsARun(t *testing.T) {
	script := &llmtest.Script{Replies: []llm.Reply{
		costs(9_000, 300, "", call("look", `{}`)),
		costs(400, 20, "What I have: seven."), // the closing words
		costs(400, 20, "Seven."),
	}}
	b := benchOf(t, script, func(c *agent.Config, _ *agent.Parts) { c.Budgets = perUser(10_000) })
	out := b.start(t, request("k"))
	if out.Why != run.Spent || out.State != run.Suspended || out.Guard != "budget" || out.Text != "What I have: seven." {
		t.Fatalf("outcome = %+v", out)
	}
	if p := out.Purse; p == nil || p.Name() != "user/day:"+ana || p.Spent.Tokens != 9_300 || p.Limit.Tokens != 10_000 || !p.Until.Equal(noon.Truncate(24*time.Hour).AddDate(0, 0, 1)) {
		t.Errorf("purse = %+v", out.Purse)
	}
	if status := b.run(t, "k").Status(); status != run.StatusBudget {
		t.Errorf("status = %s", status)
	}
	if n := len(script.Heard()[1].Tools); n != 0 {
		t.Errorf("the closing call is told of %d tools", n)
	}

	// Continue alone changes nothing, and costs nothing.
	if _, err := b.Resume(t.Context(), "k", "p1", ana); err != nil {
		t.Fatal(err)
	}
	if out = b.on(t, "k"); out.Why != run.Spent || len(script.Heard()) != 2 {
		t.Fatalf("after Continue: %+v, %d calls", out, len(script.Heard()))
	}

	raise := run.Raise{Key: "m1", Purse: out.Purse.Name(), Limit: run.Amount{Tokens: 50_000}, By: gus}
	if _, err := b.RaiseBudget(t.Context(), raise); !errors.Is(err, run.ErrNotAllowed) {
		t.Errorf("raised by whoever: %v", err)
	}
	raise.By = lee
	p, err := b.RaiseBudget(t.Context(), raise)
	if err != nil || p.Limit.Tokens != 50_000 || p.Raised != lee {
		t.Fatalf("raise = %+v, %v", p, err)
	}
	if p, err = b.RaiseBudget(t.Context(), raise); err != nil || p.Limit.Tokens != 50_000 {
		t.Errorf("the same again = %+v, %v", p, err)
	}
	if _, err := b.Resume(t.Context(), "k", "p2", ana); err != nil {
		t.Fatal(err)
	}
	if out = b.on(t, "k"); out.State != run.Done || out.Text != "Seven." {
		t.Errorf("after the raise: %+v", out)
	}
}

// X8 The next day has its budget anew, and a raise of the day before is over with it.
func TestX8ThePeriodBeginsAnew(t *testing.T) {
	script := &llmtest.Script{Replies: []llm.Reply{costs(9_900, 0, "One."), costs(9_900, 0, "Two."), costs(9_900, 0, "Three.")}}
	b := benchOf(t, script, func(c *agent.Config, _ *agent.Parts) { c.Budgets = perUser(10_000) })
	b.start(t, request("a"))
	raise := run.Raise{Key: "m", Purse: "user/day:" + ana, Limit: run.Amount{Tokens: 30_000}, By: lee}
	if _, err := b.RaiseBudget(t.Context(), raise); err != nil {
		t.Fatal(err)
	}
	if out := b.start(t, request("b")); out.Text != "Two." {
		t.Fatalf("with a raise: %+v", out)
	}
	b.now = noon.AddDate(0, 0, 1)
	if out := b.start(t, request("c")); out.Text != "Three." {
		t.Errorf("on the next day: %+v", out)
	}
	if out := b.start(t, request("d")); out.Why != run.Spent || out.Purse.Limit.Tokens != 10_000 {
		t.Errorf("the raise of the day before still counts: %+v", out)
	}
}

// X8 A run that finds nothing left makes no call at all, not even a last one.
func TestX8NothingIsAskedWhereNothingIsLeft(t *testing.T) {
	script := &llmtest.Script{Replies: []llm.Reply{costs(9_999, 0, "One.")}}
	b := benchOf(t, script, func(c *agent.Config, _ *agent.Parts) { c.Budgets = perUser(10_000) })
	b.start(t, request("a"))
	if out := b.start(t, request("b")); out.Why != run.Spent || out.Text != "" || len(script.Heard()) != 1 {
		t.Errorf("outcome = %+v after %d calls", out, len(script.Heard()))
	}
	other := request("c")
	other.Asker = gus
	script.Replies = append(script.Replies, costs(10, 10, "Hello."))
	if out := b.start(t, other); out.Text != "Hello." {
		t.Errorf("somebody else pays for it: %+v", out)
	}
}

// X8 Every budget that a run draws on is held, each for whom it is: of a job its own and
// its owner's, by tokens and by money.
func TestX8EachBudgetHolds(t *testing.T) {
	for _, tt := range []struct {
		per, every, of string
		limit          run.Amount
	}{
		{guard.PerRun, "", "k", run.Amount{Tokens: 9_000}},
		{guard.PerJob, guard.EveryMonth, "j1", run.Amount{Tokens: 9_000}},
		{guard.PerUser, guard.EveryDay, ana, run.Amount{Nanos: 9_000_000}},
		{guard.PerChannel, guard.EveryDay, "test:w:c", run.Amount{Tokens: 9_000}},
		{guard.PerWorkspace, guard.EveryMonth, "test:w", run.Amount{Tokens: 9_000}},
		{"", guard.EveryDay, "", run.Amount{Nanos: 9_000_000}},
		{"", guard.EveryMonth, "", run.Amount{Tokens: 9_000}},
	} {
		name := guard.Budget{Per: tt.per, Every: tt.every}.Name()
		t.Run(name, func(t *testing.T) {
			script := &llmtest.Script{Replies: []llm.Reply{costs(8_900, 0, "", call("look", `{}`))}}
			b := benchOf(t, script, func(c *agent.Config, _ *agent.Parts) {
				c.Budgets = guard.Budgets{{Per: tt.per, Every: tt.every, Limit: tt.limit, Warn: 0.5}}
			})
			req := slot("k")
			out := b.start(t, req)
			if out.Why != run.Spent || out.Purse.Of != tt.of || out.Purse.Budget != name {
				t.Fatalf("outcome = %+v, purse %+v", out, out.Purse)
			}
			near, err := b.Near(t.Context(), req)
			if err != nil || len(near) != 1 || near[0].Of != tt.of {
				t.Errorf("near = %+v, %v", near, err)
			}
			all, err := b.Purses(t.Context(), lee, home)
			if err != nil || len(all) == 0 || !strings.Contains(fmt.Sprint(names(all)), out.Purse.Name()) {
				t.Errorf("an admin sees %v, %v; want %s", names(all), err, out.Purse.Name())
			}
			if _, err := b.RaiseBudget(t.Context(), run.Raise{Key: "r", Purse: out.Purse.Name(), By: lee, Limit: run.Amount{Tokens: 5 * tt.limit.Tokens, Nanos: 5 * tt.limit.Nanos}}); err != nil {
				t.Errorf("raise = %v", err)
			}
		})
	}
}

func names(all []run.Purse) (out []string) {
	for _, p := range all {
		out = append(out, p.Name())
	}
	return out
}

// X8 Runs side by side do not each take the last that is left: what a call will cost is
// held from the moment it is made.
func TestX8RunsSideBySideShareWhatIsLeft(t *testing.T) {
	gate := &heldModel{asked: make(chan struct{}, 8), open: make(chan struct{})}
	b := benchOf(t, &llmtest.Script{}, func(c *agent.Config, p *agent.Parts) {
		c.Budgets = guard.Budgets{{Every: guard.EveryDay, Limit: run.Amount{Tokens: 100_000}, Warn: 0.8}} // two calls of some 41,000
		p.Models = agent.NewModels(p.Now, agent.Member{Model: gate})
	})
	outs := make([]run.Outcome, 5)
	begin := func(of *sync.WaitGroup, i int) {
		of.Go(func() {
			req := request(fmt.Sprint("k", i))
			req.NoTools, req.Home, req.Text = true, fmt.Sprintf("test/w/c/t%d", i), strings.Repeat("sales ", 27_000)
			out, err := b.Start(t.Context(), req, b.silent)
			if err != nil {
				t.Error(err)
			}
			outs[i] = out
		})
	}
	var first, rest sync.WaitGroup
	for i := range 2 {
		begin(&first, i)
		<-gate.asked
	}
	for i := 2; i < len(outs); i++ {
		begin(&rest, i)
	}
	over := make(chan struct{})
	go func() { rest.Wait(); close(over) }()
	select {
	case <-over:
	case <-gate.asked:
		t.Error("a third call is made while two are under way")
	}
	close(gate.open)
	first.Wait()
	<-over
	for i, out := range outs {
		if want := i >= 2; (out.Why == run.Spent) != want {
			t.Errorf("run %d ends with %q", i, out.Why)
		}
	}
	// What was held and not used is free again.
	again := request("again")
	again.NoTools, again.Text = true, strings.Repeat("sales ", 27_000)
	if out := b.start(t, again); out.Why != "" {
		t.Errorf("later: %+v", out)
	}
}

func (b *bench) silent(_ context.Context, _ run.Run) error { return nil }

// X8 A person sees what is theirs and what is for all; nobody else's.
func TestX8WhoSeesWhichBudgets(t *testing.T) {
	script := &llmtest.Script{Replies: []llm.Reply{costs(100, 0, "One."), costs(200, 0, "Two.")}}
	b := benchOf(t, script, func(c *agent.Config, _ *agent.Parts) {
		c.Budgets = append(perUser(10_000), guard.Budget{Every: guard.EveryMonth, Limit: run.Amount{Nanos: 1e9}, Warn: 0.8})
	})
	b.start(t, request("a"))
	other := request("b")
	other.Asker = gus
	b.start(t, other)
	for who, want := range map[string]string{
		ana: "[user/day:" + ana + " month]", lee: "[user/day:" + lee + " user/day:" + gus + " user/day:" + ana + " month]",
	} {
		got, err := b.Purses(t.Context(), who, home)
		if err != nil || fmt.Sprint(names(got)) != want {
			t.Errorf("%s sees %v, %v; want %s", who, names(got), err, want)
		}
	}
	for name, want := range map[string]error{"user/day": run.ErrNoPurse, "month:" + ana: run.ErrNoPurse, "job/day:j": run.ErrNoPurse, "run:nope": run.ErrNoPurse} {
		if _, err := b.RaiseBudget(t.Context(), run.Raise{Key: name, Purse: name, Limit: run.Amount{Tokens: 1e6}, By: lee}); !errors.Is(err, want) {
			t.Errorf("raise of %s = %v, want %v", name, err, want)
		}
	}
}

// A heldModel answers once it is let.
type heldModel struct{ asked, open chan struct{} }

func (*heldModel) Name() string { return "held" }

func (m *heldModel) Generate(ctx context.Context, _ llm.Request) (llm.Reply, error) {
	m.asked <- struct{}{}
	select {
	case <-m.open:
		return costs(300, 50, "Done."), nil
	case <-ctx.Done():
		return llm.Reply{}, ctx.Err()
	}
}
