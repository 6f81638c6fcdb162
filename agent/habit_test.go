package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"hermes/agent"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
)

type habits []run.Habit

func (h habits) Habit(context.Context, string, string, string, time.Time) ([]run.Habit, error) {
	return h, nil
}

// habitual is a payDesk whose people have approved the like so often, and whose model
// can follow one wish alone.
func habitual(t *testing.T, offerAfter int, h habits, replies ...llm.Reply) *payDesk {
	t.Helper()
	p := newPayDesk(t, leeAlone, replies...)
	tools, err := tool.NewSet(till{paid: &p.paid}, poster{}, adder{p.bench})
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return p.now }
	revise := func(c llm.Call, wish string, _ time.Time, _ string) (json.RawMessage, bool) {
		return c.Args, wish == "to #ops"
	}
	p.Agent = agent.New(agent.Config{Deciders: leeAlone, Patience: time.Hour, JobWait: time.Hour, Uses: 12, OfferAfter: offerAfter}, agent.Parts{
		Models: agent.NewModels(now, agent.Member{Model: p.script, Revise: revise}), Tools: tools, Memory: knower{p.bench}, Store: p.store, Shelf: &shelf{},
		Habits: h, Now: now, Log: slog.New(slog.NewTextHandler(&p.logs, nil)),
	})
	return p
}

// A20: a wish that cannot be followed is told to who has it before anything is settled:
// the card stays open. One that can be is taken.
func TestA20AWishThatNobodyCanFollowLeavesTheCardOpen(t *testing.T) {
	p := habitual(t, 0, nil, says("", call("post_message", `{"channel":"#sales"}`)), says("done"))
	q := p.start(t, request("k")).Question
	err := p.settle(t, run.Answer{Question: q.ID, Choice: run.Change, By: lee, Note: "shorter"})
	var unfit *run.Unfitting
	if !errors.As(err, &unfit) || !strings.Contains(unfit.Text, "without a language model") {
		t.Fatalf("= %v", err)
	}
	if r := p.run(t, "k"); r.Questions[0].Answer != nil || r.State != run.Waiting {
		t.Errorf("it is settled: %+v", r.Questions[0].Answer)
	}
	if err := p.settle(t, run.Answer{Question: q.ID, Choice: run.Change, By: lee, Note: "to #ops"}); err != nil {
		t.Error(err)
	}
}

// A18: who has approved the same kind often enough is offered a scope, and nobody else;
// what is of high risk never.
func TestA18WhatIsApprovedAgainAndAgainIsOffered(t *testing.T) {
	post, pay := call("post_message", `{"channel":"#sales"}`), call("pay", payment)
	many := habits{{By: lee, Name: "Lee", N: 2}, {By: ana, N: 6}, {By: gus, N: 5}}
	for name, tt := range map[string]struct {
		after int
		h     habits
		call  llm.Call
		want  int
	}{
		"often":         {5, many, post, 6},
		"not so often":  {7, many, post, 0},
		"never":         {0, many, post, 0},
		"nobody":        {5, nil, post, 0},
		"of high risk":  {5, many, pay, 0},
		"at the number": {6, many, post, 6},
	} {
		q := habitual(t, tt.after, tt.h, says("", tt.call)).start(t, request("k")).Question
		switch {
		case q == nil:
			t.Errorf("%s: it is not asked for", name)
		case tt.want == 0 && q.Habit != nil, tt.want > 0 && (q.Habit == nil || q.Habit.N != tt.want || q.Habit.By != ana || len(q.Scopes) == 0):
			t.Errorf("%s: habit = %+v, %d scopes; want %d", name, q.Habit, len(q.Scopes), tt.want)
		}
	}
}
