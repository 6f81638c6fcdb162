package post_test

import (
	"context"
	"errors"
	"testing"

	"hermes/agent/tool"
	"hermes/agent/tool/post"
)

// X7 What a channel may not read is told before anybody is asked, and again before it goes
// out: a rule that came meanwhile holds. Where that cannot be known nothing goes out.
func TestX7AnAudienceIsAskedTwice(t *testing.T) {
	why, fail := "", error(nil)
	var asked []string
	p := post.New(artifacts(), find, nil).For(func(_ context.Context, c tool.Call, a tool.Artifact, to post.Target) (string, error) {
		asked = append(asked, a.ID+" "+to.Place+" "+to.Name)
		return why, fail
	})
	plan, err := p.Plan(t.Context(), call(`{"report":"a1","channel":"#sales"}`, "en"))
	if err != nil || plan.Fault != "" {
		t.Fatalf("plan = %+v, %v", plan, err)
	}
	approved := call(string(plan.Args), "en")
	if res, err := p.Run(t.Context(), approved); err != nil || res.Post == nil {
		t.Errorf("run = %+v, %v", res, err)
	}
	for _, got := range asked {
		if got != "a1 slack/T/C1/ #sales" {
			t.Errorf("asked about %q", got)
		}
	}
	why = "not for #sales"
	if res, err := p.Run(t.Context(), approved); err != nil || !res.Failed || res.Text != why || res.Post != nil {
		t.Errorf("run after the rule = %+v, %v", res, err)
	}
	if plan, err := p.Plan(t.Context(), call(`{"report":"a1","channel":"#sales"}`, "en")); err != nil || plan.Fault != why {
		t.Errorf("plan after the rule = %+v, %v", plan, err)
	}
	why, fail = "", errors.New("the store is away")
	if res, err := p.Run(t.Context(), approved); err == nil || res.Post != nil {
		t.Errorf("run without an answer = %+v, %v", res, err)
	}
}
