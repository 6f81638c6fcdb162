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

	"github.com/google/go-cmp/cmp"

	"hermes/agent"
	"hermes/agent/agenttest"
	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/run"
	"hermes/agent/tool"
)

const (
	moe     = "test:w:moe"
	fay     = "test:w:fay"
	finance = "group:test:w:finance"
)

// A clerk is a Roster: who is in the group and in the channel, or why nobody can say.
type clerk struct {
	group, channel string
	err            error
	asked          int
}

func (c *clerk) InGroup(_ context.Context, _, person string) (bool, error) {
	c.asked++
	return strings.Contains(c.group, person), c.err
}

func (c *clerk) InPlace(_ context.Context, place, person string) (bool, error) {
	return place == "test/w/sales/" && strings.Contains(c.channel, person), c.err
}

// toSales is a post to #sales by a member of it.
type toSales struct{ poster }

func (toSales) Plan(context.Context, tool.Call) (tool.Plan, error) {
	return tool.Plan{
		Args: json.RawMessage(`{"to":"test/w/sales/"}`), Control: "sales r1", Artifact: "a1",
		To: "test/w/sales/", ToName: "#sales", Member: true,
	}, nil
}

// A court is an agent whose deciders and roster a test may change, as a restart with
// another configuration does.
type court struct {
	t     *testing.T
	store *agenttest.Store
	now   time.Time
	model *llmtest.Script
	clerk *clerk
	*agent.Agent
	presses int
}

func newCourt(t *testing.T, d guard.Deciders, replies ...llm.Reply) *court {
	t.Helper()
	c := &court{t: t, store: agenttest.NewStore(), now: noon, model: &llmtest.Script{Replies: replies}, clerk: &clerk{group: fay, channel: ana}}
	c.restart(d)
	return c
}

func (c *court) restart(d guard.Deciders) {
	c.t.Helper()
	tools, err := tool.NewSet(toSales{}, adder{&bench{}})
	if err != nil {
		c.t.Fatal(err)
	}
	now := func() time.Time { return c.now }
	c.Agent = agent.New(agent.Config{Deciders: d, Patience: 24 * time.Hour, JobWait: 7 * 24 * time.Hour, Uses: 2}, agent.Parts{
		Models: agent.NewModels(now, agent.Member{Model: c.model}), Tools: tools, Memory: knower{&bench{}}, Store: c.store, Shelf: &shelf{},
		Roster: c.clerk, Now: now, Log: slog.New(slog.DiscardHandler),
	})
}

// asks starts a run that stops at a question.
func (c *court) asks(req run.Request) run.Question {
	c.t.Helper()
	out, err := c.Start(c.t.Context(), req, func(context.Context, run.Run) error { return nil })
	if err != nil || out.Question == nil {
		c.t.Fatalf("start = %+v, %v; want a question", out, err)
	}
	return *out.Question
}

func (c *court) press(q run.Question, by, choice string) (run.Question, error) {
	c.presses++
	return c.Settle(c.t.Context(), run.Answer{Key: fmt.Sprint("p", c.presses), Question: q.ID, Choice: choice, By: by, Name: by, At: c.now})
}

// refuses presses, and wants what comes of it.
func (c *court) wants(q run.Question, by, choice string, want error) run.Question {
	c.t.Helper()
	got, err := c.press(q, by, choice)
	if !errors.Is(err, want) {
		c.t.Errorf("%s presses %s: %v, want %v", by, choice, err, want)
	}
	return got
}

func posts() llm.Reply { return says("", call("post_message", `{"channel":"#sales"}`)) }

// Issue 5, A1: a member of a channel lets their own post go there, and nothing that
// lasts; and only as long as they are one, and that can be found out.
func TestAMemberMayPostAndGrantsNothing(t *testing.T) {
	c := newCourt(t, guard.Deciders{Admins: []string{lee}}, both(), both(), both(), both())
	q := c.asks(request("k1"))
	c.wants(q, ana, run.Always, run.ErrNotAllowed)
	c.wants(q, gus, run.Once, run.ErrNotAllowed)
	if diff := cmp.Diff([]string{lee}, c.Deciders(q, run.Always)); diff != "" {
		t.Errorf("who may for long (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{lee, ana}, c.Deciders(q, run.Once)); diff != "" {
		t.Errorf("who may once (-want +got):\n%s", diff)
	}
	c.wants(q, ana, run.Once, nil)

	q = c.asks(request("k2"))
	c.clerk.channel = ""
	c.wants(q, ana, run.Once, run.ErrNotAllowed)
	c.clerk.err = errors.New("Slack is down")
	c.wants(q, ana, run.Once, run.ErrUnsure)
	c.wants(q, lee, run.Once, nil) // nobody has to be asked for an admin

	c.clerk.err = nil
	q = c.asks(request("k3"))
	c.wants(q, lee, run.Always, nil)

	// Who asked for it may have anything called off.
	c.clerk.err = errors.New("Slack is down")
	q = c.asks(request("k4"))
	c.wants(q, ana, run.No, nil)
}

// Issue 5: two must agree. The same one twice is one, a stranger none, and one who was
// taken from the list between two presses is none either.
func TestTwoMustAgree(t *testing.T) {
	two := guard.Deciders{Approvals: []guard.Approval{{By: []string{lee, moe, finance}, Others: true, Quorum: 2}}}
	c := newCourt(t, two, posts(), posts(), posts(), posts())
	q := c.asks(request("k1"))
	if q.Quorum != 2 {
		t.Errorf("the card says that %d must agree, want 2", q.Quorum)
	}
	first := c.wants(q, lee, run.Yes, run.ErrMore)
	if len(first.Agreed) != 1 || first.Agreed[0].By != lee || len(first.Lacks) != 1 || first.Lacks[0].N != 1 {
		t.Errorf("after the first %+v lacks %+v", first.Agreed, first.Lacks)
	}
	c.wants(q, lee, run.Yes, run.ErrMore)
	c.wants(q, ana, run.Yes, run.ErrNotAllowed)
	c.wants(q, gus, run.Yes, run.ErrNotAllowed)
	settled := c.wants(q, fay, run.Yes, nil)
	if len(settled.Agreed) != 2 || settled.Answer == nil || settled.Answer.By != fay {
		t.Errorf("settled by %+v, answered %+v; want both named", settled.Agreed, settled.Answer)
	}
	if late := c.wants(q, moe, run.Yes, run.ErrAnswered); late.Answer == nil || late.Answer.By != fay {
		t.Errorf("who comes later hears of %+v, want what it was settled by", late.Answer)
	}

	q = c.asks(request("k2"))
	c.wants(q, lee, run.Yes, run.ErrMore)
	c.restart(guard.Deciders{Approvals: []guard.Approval{{By: []string{moe, finance}, Others: true, Quorum: 2}}})
	c.wants(q, lee, run.Yes, run.ErrNotAllowed)
	if got := c.wants(q, moe, run.Yes, run.ErrMore); len(got.Agreed) != 1 || got.Agreed[0].By != moe || got.Noted != 2 {
		t.Errorf("%+v have agreed of %d, want moe of 2", got.Agreed, got.Noted)
	}
	c.wants(q, fay, run.Yes, nil)

	// One no is enough.
	q = c.asks(request("k3"))
	c.wants(q, moe, run.Yes, run.ErrMore)
	c.wants(q, fay, run.No, nil)

	// A group that nobody can look up makes no yes count and loses none.
	q = c.asks(request("k4"))
	c.wants(q, fay, run.Yes, run.ErrMore)
	c.clerk.err = errors.New("Slack is down")
	c.wants(q, moe, run.Yes, run.ErrUnsure)
	c.clerk.err = nil
	c.wants(q, moe, run.Yes, nil)
}

// Issue 5: who stands in, and who may once it has waited: each press is judged by its
// own time, though it is read later.
func TestWhoMayDecideLaterAndInTheirPlace(t *testing.T) {
	d := guard.Deciders{
		Approvals: []guard.Approval{{By: []string{lee}, After: 4 * time.Hour, To: []string{finance}}},
		Delegates: []guard.Delegate{{Of: lee, To: moe, From: noon.Add(time.Hour), Until: noon.Add(2 * time.Hour)}},
	}
	for name, tt := range map[string]struct {
		by       string
		pressed  time.Duration
		readAt   time.Duration
		want     error
		decision bool
	}{
		"before they stand in":              {moe, 59 * time.Minute, 90 * time.Minute, run.ErrNotAllowed, false},
		"while they stand in":               {moe, time.Hour, time.Hour, nil, true},
		"in time, and read later":           {moe, 2*time.Hour - 1, 5 * time.Hour, nil, true},
		"when they do no more":              {moe, 2 * time.Hour, 2 * time.Hour, run.ErrNotAllowed, false},
		"before more may, and read later":   {fay, 4*time.Hour - 1, 5 * time.Hour, run.ErrNotAllowed, false},
		"once more may":                     {fay, 4 * time.Hour, 4 * time.Hour, nil, true},
		"with a clock that is ahead":        {fay, 4 * time.Hour, time.Hour, run.ErrNotAllowed, false},
		"and who was asked first still may": {lee, 5 * time.Hour, 5 * time.Hour, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCourt(t, d, posts())
			q := c.asks(request("k"))
			c.now = noon.Add(tt.readAt)
			_, err := c.Settle(t.Context(), run.Answer{Key: "p", Question: q.ID, Choice: run.Yes, By: tt.by, At: noon.Add(tt.pressed)})
			if !errors.Is(err, tt.want) {
				t.Errorf("settle = %v, want %v", err, tt.want)
			}
			got, err := c.store.Question(t.Context(), q.ID)
			if err != nil || (got.Answer != nil) != tt.decision {
				t.Errorf("answer = %+v, %v; want one: %t", got.Answer, err, tt.decision)
			}
		})
	}
}

// Issue 5: a card that waits is told of at half of its time, and when more may decide.
func TestNudges(t *testing.T) {
	c := newCourt(t, guard.Deciders{Approvals: []guard.Approval{{By: []string{lee}, After: 4 * time.Hour, To: []string{moe}}}}, posts())
	q := c.asks(request("k"))
	told := func() (all []string) {
		t.Helper()
		ns, err := c.Nudges(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range ns {
			all = append(all, fmt.Sprint(n.Wider, " ", n.Due.Sub(noon), " ", strings.Join(n.People, ",")))
		}
		return all
	}
	for _, step := range []struct {
		at   time.Duration
		want []string
	}{
		{0, nil},
		{4*time.Hour - 1, nil},
		{4 * time.Hour, []string{"true 4h0m0s " + lee + "," + moe}},
		{12 * time.Hour, []string{"true 4h0m0s " + lee + "," + moe, "false 12h0m0s " + lee + "," + moe}},
		{24 * time.Hour, nil}, // it is over
	} {
		c.now = noon.Add(step.at)
		if diff := cmp.Diff(step.want, told()); diff != "" {
			t.Errorf("after %s (-want +got):\n%s", step.at, diff)
		}
	}
	c.now = noon.Add(13 * time.Hour)
	c.wants(q, moe, run.Yes, nil)
	if got := told(); got != nil {
		t.Errorf("after the answer people are told %q", got)
	}
}

// Issue 5: a person's question is open for a day; a slot's until the next one, a week at
// most; and once that one has come, who has pressed Continue is there.
func TestHowLongAQuestionIsOpen(t *testing.T) {
	for name, tt := range map[string]struct {
		job  bool
		next time.Duration // 0: none
		want time.Duration
	}{
		"a person's":                   {false, 0, 24 * time.Hour},
		"a daily slot's":               {true, 23 * time.Hour, 23 * time.Hour},
		"a monthly slot's":             {true, 30 * 24 * time.Hour, 7 * 24 * time.Hour},
		"the last slot's":              {true, 0, 7 * 24 * time.Hour},
		"a slot's whose next has come": {true, -time.Minute, 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCourt(t, guard.Deciders{Admins: []string{lee}}, posts())
			req := request("k")
			if tt.job {
				req.Job = "j1"
			}
			if tt.next != 0 {
				req.Next = noon.Add(tt.next)
			}
			req.Zone = "Asia/Shanghai"
			q := c.asks(req)
			if got := q.Expires.Sub(noon); got != tt.want || !q.At.Equal(noon) || q.Expires.Location().String() != "Asia/Shanghai" {
				t.Errorf("open for %s from %s, told in %s; want %s in the zone of who asked", got, q.At, q.Expires.Location(), tt.want)
			}
		})
	}
}

// Issue 5: when a slot's question has run out nothing of what hangs on it has run, and
// the run stands there to be gone on with.
func TestASlotWhoseQuestionRanOut(t *testing.T) {
	c := newCourt(t, guard.Deciders{Admins: []string{lee}}, both())
	req := slot("k")
	req.Next = noon.Add(time.Hour)
	q := c.asks(req)
	c.now = req.Next
	if _, err := c.Expire(t.Context(), q.ID); err != nil {
		t.Fatal(err)
	}
	c.wants(q, lee, run.Yes, run.ErrAnswered)
	out, err := c.Start(t.Context(), run.Request{Key: "k", Home: home}, func(context.Context, run.Run) error { return nil })
	if err != nil || out.State != run.Suspended || out.Why != run.Expired {
		t.Errorf("outcome = %s, %s, %v; want it suspended", out.State, out.Why, err)
	}
	if n := len(c.store.Sent()); n != 0 {
		t.Errorf("%d posts were sent", n)
	}
}

// Issue 5: whom a question waits for: nobody but who asked, where they may decide.
func TestAwaited(t *testing.T) {
	for name, tt := range map[string]struct {
		d    guard.Deciders
		say  llm.Reply
		want []string
	}{
		"a member":        {guard.Deciders{Admins: []string{lee}}, posts(), nil},
		"of what lasts":   {guard.Deciders{Admins: []string{lee}}, both(), []string{lee}},
		"an admin":        {guard.Deciders{Admins: []string{ana, lee}}, both(), nil},
		"two":             {guard.Deciders{Approvals: []guard.Approval{{By: []string{guard.Requester, lee}, Quorum: 2}}}, posts(), []string{ana, lee}},
		"somebody else":   {guard.Deciders{Approvals: []guard.Approval{{By: []string{ana, moe, finance}, Others: true}}}, posts(), []string{moe, finance}},
		"nobody there is": {guard.Deciders{}, both(), nil},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCourt(t, tt.d, tt.say)
			if diff := cmp.Diff(tt.want, c.Awaited(t.Context(), c.asks(request("k")))); diff != "" {
				t.Errorf("awaited (-want +got):\n%s", diff)
			}
		})
	}
}
