package agent_test

import (
	"context"
	"errors"
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

// likeThis has a post approved with one of its scopes, and returns the grant.
func likeThis(t *testing.T, p *payDesk, key string, scope int) run.Grant {
	t.Helper()
	q := p.start(t, request(key)).Question
	if q == nil || len(q.Scopes) != run.MostScopes {
		t.Fatalf("question = %+v, want %d scopes", q, run.MostScopes)
	}
	g := q.Scopes[scope]
	if err := p.settle(t, run.Answer{Question: q.ID, Choice: run.Like, Scope: g.ID, By: lee}); err != nil {
		t.Fatal(err)
	}
	p.on(t, key)
	if out := p.sent(t, key); out.State != run.Done {
		t.Fatalf("outcome = %+v", out)
	}
	return g
}

// SAFE-06: after one approval "like this" the same again runs without a question, as
// often as was said, until its end; for somebody else it is asked.
func TestSAFE06AllowedLikeThis(t *testing.T) {
	post := says("", call("post_message", `{"channel":"#sales"}`))
	p := newPayDesk(t, leeAlone, post, says("done"), post, says("done"), post, says("done"), post, post)
	likeThis(t, p, "k1", 0) // three times
	for _, key := range []string{"k2", "k3"} {
		if out := p.start(t, request(key)); out.Question != nil {
			t.Fatalf("%s is asked for: %+v", key, out.Question)
		}
		p.sent(t, key)
	}
	other := request("k4")
	other.Asker = gus
	if out := p.start(t, other); out.Question == nil {
		t.Error("somebody else's is not asked for")
	}
	all, err := p.Allowed(t.Context(), ana)
	if err != nil || len(all) != 1 || all[0].Uses != 2 || all[0].By != lee || all[0].Owner != ana {
		t.Errorf("allowed = %+v, %v; want it counted", all, err)
	}
	p.now = p.now.Add(25 * time.Hour)
	if out := p.start(t, request("k5")); out.Question == nil {
		t.Error("after its end it is not asked for")
	}
}

// SAFE-06: a grant that is not what was given lets nothing run: a person is asked, the
// operator is told which it is and what to do, nobody is told of its end, and it can be
// ended.
func TestSAFE06ABrokenGrantIsAskedFor(t *testing.T) {
	post := says("", call("post_message", `{"channel":"#sales"}`))
	p := newPayDesk(t, leeAlone, post, says("done"), post)
	g := likeThis(t, p, "k1", 2)
	p.store.Break(g.ID, "it is not what was given")
	if out := p.start(t, request("k2")); out.Question == nil {
		t.Error("a post under a broken grant is not asked for")
	}
	for _, want := range []string{"a grant is not what was given", "grant=" + g.ID, "hermes grants revoke " + g.ID} {
		if !strings.Contains(p.logs.String(), want) {
			t.Errorf("the log says %s, want %q", p.logs.String(), want)
		}
	}
	all, err := p.Allowed(t.Context(), ana)
	if err != nil || len(all) != 1 || all[0].Broken == "" {
		t.Errorf("allowed = %+v, %v; want it listed as broken", all, err)
	}
	p.now = g.Until.Add(-time.Hour)
	if ending, err := p.Ending(t.Context()); err != nil || len(ending) != 0 {
		t.Errorf("ending = %+v, %v", ending, err)
	}
	if got, err := p.Revoke(t.Context(), g.ID, lee); err != nil || got.Revoked.IsZero() {
		t.Errorf("revoked = %+v, %v", got, err)
	}
}

// A grant is ended by its owner, who gave it, or an admin, and by nobody else; from then
// on it is asked again.
func TestAGrantIsRevoked(t *testing.T) {
	post := says("", call("post_message", `{"channel":"#sales"}`))
	for who, may := range map[string]bool{ana: true, lee: true, gus: false, "": false} {
		p := newPayDesk(t, leeAlone, post, says("done"), post, says("done"))
		g := likeThis(t, p, "k1", 2)
		if all, err := p.Allowed(t.Context(), gus); err != nil || len(all) != 0 {
			t.Errorf("gus sees %+v, %v", all, err)
		}
		for range 2 { // it may come again
			_, err := p.Revoke(t.Context(), g.ID, who)
			if may != (err == nil) || !may && !errors.Is(err, run.ErrNotAllowed) {
				t.Fatalf("revoked by %q: %v", who, err)
			}
		}
		if out := p.start(t, request("k2")); (out.Question != nil) != may {
			t.Errorf("after %q revoked it: %+v", who, out)
		}
	}
	p := newPayDesk(t, leeAlone)
	if _, err := p.Revoke(t.Context(), "g0", lee); !errors.Is(err, run.ErrNoGrant) {
		t.Errorf("of one that is not there: %v", err)
	}
}

// Only a scope that was offered may be chosen, and only by who may decide.
func TestOnlyAnOfferedScopeIsGiven(t *testing.T) {
	p := newPayDesk(t, leeAlone, says("", call("post_message", `{"channel":"#sales"}`)))
	q := p.start(t, request("k")).Question
	for name, ans := range map[string]run.Answer{
		"of nobody's":           {Choice: run.Like, Scope: "g0", By: lee},
		"none":                  {Choice: run.Like, By: lee},
		"with another choice":   {Choice: run.Yes, Scope: q.Scopes[0].ID, By: lee},
		"by who has no say":     {Choice: run.Like, Scope: q.Scopes[0].ID, By: gus},
		"by who has asked only": {Choice: run.Like, Scope: q.Scopes[0].ID, By: ana},
	} {
		ans.Question = q.ID
		if err := p.settle(t, ans); err == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
	if all, err := p.Allowed(t.Context(), lee); err != nil || len(all) != 0 {
		t.Errorf("allowed = %+v, %v", all, err)
	}
}

// A grant that lives long is told of a week before its end, and not before.
func TestAGrantIsToldOfBeforeItsEnd(t *testing.T) {
	post := says("", call("post_message", `{"channel":"#sales"}`))
	p := newPayDesk(t, leeAlone, post, says("done"), post, says("done"))
	g := likeThis(t, p, "k1", 2)
	for after, want := range map[time.Duration]int{0: 0, 22 * 24 * time.Hour: 0, 23*24*time.Hour + time.Second: 1, 29 * 24 * time.Hour: 1, 31 * 24 * time.Hour: 0} {
		p.now = noon.Add(after)
		if got, err := p.Ending(t.Context()); err != nil || len(got) != want {
			t.Errorf("after %s: ending %+v, %v; want %d of the grant until %s", after, got, err, want, g.Until)
		}
	}
	p = newPayDesk(t, leeAlone, post, says("done"))
	likeThis(t, p, "k1", 0)
	p.now = noon.Add(23 * time.Hour)
	if got, err := p.Ending(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("of one for a day: %+v, %v", got, err)
	}
}

// A lamp is switched by a tool that says which of its arguments bind a grant.
type lamp struct {
	effect tool.Effect
	done   *[]string
}

type lampArgs struct {
	Lamp  string `json:"lamp"`
	State string `json:"state"`
	Note  string `json:"note,omitempty" tool:"content"`
}

func (l lamp) Spec() tool.Spec {
	return tool.Spec{
		Name: "switch_lamp", Effect: l.effect, Schema: tool.SchemaOf[lampArgs](), Content: tool.ContentOf[lampArgs](),
		Standing: []string{"lamp", "state"}, Open: []string{"lamp"},
	}
}

func (l lamp) Plan(_ context.Context, c tool.Call) (tool.Plan, error) {
	in, err := tool.Decode[lampArgs](c.Args)
	return tool.Plan{Args: c.Args, Own: in.Lamp != "theirs", Final: in.State == "broken", Lines: []string{"Switch it"}}, err
}

func (l lamp) Run(_ context.Context, c tool.Call) (tool.Result, error) {
	*l.done = append(*l.done, string(c.Args))
	return tool.Result{Text: "switched"}, nil
}

func newLampDesk(t *testing.T, effect tool.Effect, replies ...llm.Reply) (*payDesk, *[]string) {
	t.Helper()
	p := &payDesk{bench: &bench{store: agenttest.NewStore(), script: &llmtest.Script{Replies: replies}, now: noon}}
	done := &[]string{}
	tools, err := tool.NewSet(lamp{effect, done})
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return p.now }
	p.Agent = agent.New(agent.Config{Deciders: leeAlone, Patience: time.Hour, JobWait: time.Hour, Uses: 12, Words: guard.Screen{"explode"}}, agent.Parts{
		Models: agent.NewModels(now, agent.Member{Model: p.script}), Tools: tools, Memory: knower{p.bench}, Store: p.store, Shelf: &shelf{},
		Now: now, Log: slog.New(slog.NewTextHandler(&p.logs, nil)),
	})
	return p, done
}

// SAFE-06, SAFE-10: a write that is no post is allowed like this as well, by the arguments
// that its tool names: what is equal in them runs without a question and is counted, all
// else is asked, and so is what is final, holds a word of danger, or is somebody else's.
func TestSAFE06AWriteIsAllowedLikeThis(t *testing.T) {
	for name, effect := range map[string]tool.Effect{"a write": tool.Write, "a keep": tool.Keep} {
		for scope, asks := range map[int][]string{
			0: {`{"lamp":"hall","state":"on"}`, `{"lamp":"desk","state":"off"}`, `{"lamp":"theirs","state":"off"}`, `{"lamp":"desk","state":"broken"}`, `{"lamp":"explode","state":"off"}`},
			2: {`{"lamp":"theirs","state":"off"}`, `{"lamp":"hall","state":"on"}`, `{"lamp":"desk","state":"broken"}`, `{"lamp":"explode","state":"off"}`},
		} {
			first := `{"lamp":"hall","state":"off"}`
			replies := []llm.Reply{
				says("", call("switch_lamp", first)), says("done"),
				says("", call("switch_lamp", `{"lamp":"hall","state":"off","note":"again"}`)), says("done"),
			}
			for _, args := range asks {
				replies = append(replies, says("", call("switch_lamp", args)))
			}
			p, done := newLampDesk(t, effect, replies...)
			q := p.start(t, request("k1")).Question
			if q == nil || len(q.Scopes) != 3 {
				t.Fatalf("%s: question = %+v, want scopes", name, q)
			}
			if err := p.settle(t, run.Answer{Question: q.ID, Choice: run.Like, Scope: q.Scopes[scope].ID, By: ana}); err != nil {
				t.Fatal(err)
			}
			p.on(t, "k1")
			if out := p.start(t, request("k2")); out.Question != nil || len(*done) != 2 {
				t.Fatalf("%s: the same again = %+v after %q", name, out, *done)
			}
			all, err := p.Allowed(t.Context(), ana)
			if err != nil || len(all) != 1 || all[0].Uses != 1 || all[0].Tool != "switch_lamp" {
				t.Errorf("%s: allowed = %+v, %v; want one use of it", name, all, err)
			}
			for i, args := range asks {
				out := p.start(t, request("x"+args))
				if out.Question == nil || len(*done) != 2 {
					t.Errorf("%s, scope %d: %s ran without a question", name, scope, args)
				}
				if final := strings.Contains(args, "broken") || strings.Contains(args, "explode"); final && out.Question != nil && len(out.Question.Scopes) != 0 {
					t.Errorf("%s: scopes of %s = %+v (%d)", name, args, out.Question.Scopes, i)
				}
			}
		}
	}
}

// SAFE-06: the last use of a grant is one, though two look at it; the other is asked.
func TestSAFE06TheLastUseIsTakenOnce(t *testing.T) {
	again := says("", call("switch_lamp", `{"lamp":"hall","state":"off"}`))
	p, done := newLampDesk(t, tool.Write, again, says("done"), again, again)
	q := p.start(t, request("k1")).Question
	if err := p.settle(t, run.Answer{Question: q.ID, Choice: run.Like, Scope: q.Scopes[0].ID, By: ana}); err != nil {
		t.Fatal(err)
	}
	p.on(t, "k1")
	taker := &lastTaken{Store: p.store, n: q.Scopes[0].Max}
	p.Parts.Store = taker
	if out := p.start(t, request("k2")); out.Question == nil || len(*done) != 1 {
		t.Errorf("outcome = %+v, done %q; want a question, since the last use is gone", out, *done)
	}
}

// lastTaken has another be faster with what is left of a grant.
type lastTaken struct {
	*agenttest.Store
	n int
}

func (l *lastTaken) Take(ctx context.Context, u run.Use) error {
	for i := range l.n {
		other := u
		other.Run = "other" + string(rune('a'+i))
		if err := l.Store.Take(ctx, other); err != nil {
			return err
		}
	}
	return l.Store.Take(ctx, u)
}
