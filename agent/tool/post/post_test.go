package post_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
	"hermes/agent/tool/post"
)

const hash = "0123456789abcdef0123"

// A shelf has artifacts by id.
type shelf map[string]tool.Artifact

func (s shelf) Put(context.Context, tool.Artifact) (tool.Artifact, error) {
	return tool.Artifact{}, errors.New("nothing is put here")
}

func (s shelf) Artifact(_ context.Context, id string) (tool.Artifact, error) {
	if id == "away" {
		return tool.Artifact{}, errors.New("disk is away")
	}
	a, ok := s[id]
	if !ok {
		return a, tool.ErrNoArtifact
	}
	return a, nil
}

func artifacts() shelf {
	return shelf{
		"a1": {ID: "a1", Kind: tool.Report, Title: "Sales", Hash: hash, Run: "k", Recipe: "r1"},
		"a2": {ID: "a2", Kind: tool.Table, Hash: hash, Run: "k"},
		"a3": {ID: "a3", Kind: tool.Report, Title: "Sales", Hash: hash, Run: "other", Recipe: "r1"},
		"a4": {ID: "a4", Kind: tool.Report, Title: "Sales", Hash: hash, Run: "k"},
	}
}

func find(_ context.Context, home, name string) (post.Target, error) {
	switch name {
	case "#sales", "sales":
		return post.Target{Place: "slack/T/C1/", Name: "#sales", Member: true}, nil
	case "#secret":
		return post.Target{Place: "slack/T/C2/", Name: "#secret", Private: true}, nil
	case "#board":
		return post.Target{Place: "slack/T/C3/", Name: "#board", Private: true, Member: true}, nil
	case "#broken":
		return post.Target{}, errors.New("slack is away")
	}
	return post.Target{}, post.ErrNoChannel
}

func call(args, lang string) tool.Call {
	return tool.Call{Args: json.RawMessage(args), Run: "k", Home: "slack/T/C0/1", Lang: lang}
}

// A person approves these bytes at that place: the plan names both by id and hash,
// in the words of the asker.
func TestAPlanNamesTheBytesAndThePlace(t *testing.T) {
	x := post.New(artifacts(), find, nil)
	for lang, line := range map[string]string{
		"en": "Post **Sales** to **#sales** (exactly the report below)",
		"zh": "把**Sales**发到 **#sales**（就是下面这份报告）",
	} {
		got, err := x.Plan(t.Context(), call(`{"report":"a1","channel":"sales"}`, lang))
		if err != nil {
			t.Fatal(err)
		}
		want := tool.Plan{
			Args:    json.RawMessage(`{"artifact":"a1","hash":"` + hash + `","to":"slack/T/C1/","channel":"#sales"}`),
			Control: "slack/T/C1/ r1", Lines: []string{line}, Artifact: "a1", To: "slack/T/C1/", ToName: "#sales",
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("plan (-want +got):\n%s", d)
		}
		res, err := x.Run(t.Context(), tool.Call{Args: got.Args})
		if err != nil || res.Failed || res.Post == nil || *res.Post != (tool.Post{To: "slack/T/C1/", Artifact: "a1", Hash: hash}) {
			t.Errorf("run = %+v, %v; want just that post", res, err)
		}
	}
}

// Issue 5: a plan says whether who asks is a member of the channel. Where nobody can
// say, and where nobody asks, they are not.
func TestAPlanSaysWhetherTheAskerIsAMember(t *testing.T) {
	const ana = "slack:T:ana"
	for name, tt := range map[string]struct {
		asker   string
		members post.Members
		want    bool
	}{
		"in it": {ana, func(_ context.Context, person, place string) (bool, error) {
			return person == ana && place == "slack/T/C1/", nil
		}, true},
		"not":                                {"slack:T:gus", func(_ context.Context, person, _ string) (bool, error) { return person == ana, nil }, false},
		"Slack cannot say, and yet says yes": {ana, func(context.Context, string, string) (bool, error) { return true, errors.New("away") }, false},
		"nobody to ask":                      {ana, nil, false},
		"nobody asks":                        {"", func(context.Context, string, string) (bool, error) { return true, nil }, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := call(`{"report":"a1","channel":"#sales"}`, "en")
			c.Asker = tt.asker
			p, err := post.New(artifacts(), find, tt.members).Plan(t.Context(), c)
			if err != nil || p.Fault != "" || p.Member != tt.want {
				t.Errorf("plan = member %t, %q, %v; want %t", p.Member, p.Fault, err, tt.want)
			}
		})
	}
}

// C20: what cannot be posted is told to the model before anybody is asked.
func TestC20WhatCannotBePostedIsToldBeforeAnybodyIsAsked(t *testing.T) {
	x := post.New(artifacts(), find, nil)
	for args, want := range map[string]string{
		`{"report":"a9","channel":"#sales"}`:            `there is no report "a9"`,
		`{"report":"a2","channel":"#sales"}`:            "only a report can be posted",
		`{"report":"a3","channel":"#sales"}`:            "made for another request",
		`{"report":"a1","channel":"#nowhere"}`:          `there is no channel "#nowhere"`,
		`{"report":"a1","channel":"#secret"}`:           "not a member of #secret",
		`{"report":"a1","channel":"#sales","text":"x"}`: `unknown field "text"`,
		`[]`: "arguments of post_message",
	} {
		plan, err := x.Plan(t.Context(), call(args, "en"))
		if err != nil || !strings.Contains(plan.Fault, want) || plan.Args != nil {
			t.Errorf("plan of %s = %+v, %v; want the fault %q", args, plan, err, want)
		}
	}
	// Who edits a card reads it in their language.
	for args, want := range map[string]string{`{"report":"a1","channel":"#nowhere"}`: "没有我能看到的频道“#nowhere”", `{"report":"a1","channel":"#secret"}`: "我不在 #secret 里"} {
		if plan, err := x.Plan(t.Context(), call(args, "zh")); err != nil || !strings.Contains(plan.Fault, want) {
			t.Errorf("plan of %s in Chinese = %+v, %v; want the fault %q", args, plan, err, want)
		}
	}
	for _, args := range []string{`{"report":"away","channel":"#sales"}`, `{"report":"a1","channel":"#broken"}`} {
		if _, err := x.Plan(t.Context(), call(args, "en")); err == nil {
			t.Errorf("plan of %s = nil, want an error: the model cannot mend it", args)
		}
	}
}

// A12: a report that is not any more what was approved is not posted.
func TestA12AnotherReportThanTheApprovedIsNotPosted(t *testing.T) {
	s := artifacts()
	x := post.New(s, find, nil)
	plan, err := x.Plan(t.Context(), call(`{"report":"a1","channel":"#sales"}`, "en"))
	if err != nil {
		t.Fatal(err)
	}
	a := s["a1"]
	a.Hash = "another"
	s["a1"] = a
	if res, err := x.Run(t.Context(), tool.Call{Args: plan.Args}); err != nil || !res.Failed || res.Post != nil {
		t.Errorf("run = %+v, %v; want it to fail", res, err)
	}
	delete(s, "a1")
	if res, err := x.Run(t.Context(), tool.Call{Args: plan.Args}); err == nil {
		t.Errorf("run without its artifact = %+v, want an error", res)
	}
	// What a model would write is not what a plan resolves to.
	if res, err := x.Run(t.Context(), call(`{"report":"a1","channel":"#sales","text":"x"}`, "en")); err != nil || !res.Failed {
		t.Errorf("run of unplanned arguments = %+v, %v; want it to fail", res, err)
	}
}

// O13: what was allowed while a channel was private does not count for it when it is
// public: an approved report is held, a grant does not cover it, and the card says who
// would read it.
func TestO13APrivateChannelThatBecamePublic(t *testing.T) {
	public, gone := false, false
	now := func(_ context.Context, _, name string) (post.Target, error) {
		if gone {
			return post.Target{}, post.ErrNoChannel
		}
		to, err := find(t.Context(), "", name)
		to.Private = to.Private && !public
		return to, err
	}
	x := post.New(artifacts(), now, nil)
	const args = `{"report":"a1","channel":"#board"}`
	before, err := x.Plan(t.Context(), call(args, "en"))
	if err != nil || !strings.Contains(strings.Join(before.Lines, "\n"), "**#board** is private") {
		t.Fatalf("plan = %+v, %v; want it to say that the channel is private", before, err)
	}
	if res, err := x.Run(t.Context(), tool.Call{Args: before.Args}); err != nil || res.Failed || res.Post == nil {
		t.Errorf("run while it is private = %+v, %v; want the post", res, err)
	}
	public = true
	res, err := x.Run(t.Context(), tool.Call{Args: before.Args})
	if err != nil || !res.Failed || res.Post != nil || !strings.Contains(res.Text, "is public now") {
		t.Errorf("run when it is public = %+v, %v; want it held, with the reason", res, err)
	}
	slot := call(args, "en")
	slot.Job = "j1"
	after, err := x.Plan(t.Context(), slot)
	if err != nil || after.Control == before.Control || !strings.Contains(strings.Join(after.Lines, "\n"), "**#board** is public") {
		t.Errorf("plan of a slot = %+v, %v; want another control than %q, and who reads it", after, err, before.Control)
	}
	gone = true
	if res, err := x.Run(t.Context(), tool.Call{Args: before.Args}); err != nil || !res.Failed {
		t.Errorf("run when it is gone = %+v, %v; want it to fail", res, err)
	}
	away := post.New(artifacts(), func(context.Context, string, string) (post.Target, error) { return post.Target{}, errors.New("away") }, nil)
	if res, err := away.Run(t.Context(), tool.Call{Args: before.Args}); err == nil {
		t.Errorf("run when nobody knows = %+v, want an error", res)
	}
}

// A17: a grant binds the place and how the report is made; what has no recipe is
// never granted.
func TestA17AGrantBindsPlaceAndRecipe(t *testing.T) {
	for _, tt := range []struct {
		place, recipe string
		private       bool
		want          string
	}{
		{"slack/T/C1/", "r1", false, "slack/T/C1/ r1"},
		{"slack/T/C1/", "r1", true, "slack/T/C1/ r1 private"},
		{"slack/T/C1/", "", true, ""}, {"", "r1", false, ""}, {"", "", false, ""},
	} {
		if got := post.Control(tt.place, tt.recipe, tt.private); got != tt.want {
			t.Errorf("Control(%q, %q, %v) = %q, want %q", tt.place, tt.recipe, tt.private, got, tt.want)
		}
	}
	plan, err := post.New(artifacts(), find, nil).Plan(t.Context(), call(`{"report":"a4","channel":"#sales"}`, "en"))
	if err != nil || plan.Control != "" || plan.Args == nil {
		t.Errorf("plan of a report without a recipe = %+v, %v; want it without a control", plan, err)
	}
}

// The model never gives text: there is no property for it. The tool is a Send that a
// slot may use.
func TestTheModelGivesNoText(t *testing.T) {
	s := post.New(nil, nil, nil).Spec()
	var schema struct{ Properties map[string]any }
	if err := json.Unmarshal(s.Schema, &schema); err != nil {
		t.Fatal(err)
	}
	if len(schema.Properties) != 2 || schema.Properties["report"] == nil || schema.Properties["channel"] == nil {
		t.Errorf("properties = %v, want report and channel", schema.Properties)
	}
	if s.Effect != tool.Send || !s.Unattended || s.Name != post.Name {
		t.Errorf("spec = %+v", s)
	}
}

// TOOL-06, TOOL-26 What is posted is called report, as make_report calls it; artifact,
// which it was called before, is understood.
func TestTOOL26WhatIsPostedIsCalledReport(t *testing.T) {
	s, old := post.New(nil, nil, nil).Spec(), json.RawMessage(`{"artifact":"a1","channel":"#sales"}`)
	const want = `{"channel":"#sales","report":"a1"}`
	if c := tool.Check(s, old, tool.CheckOptions{}); len(c.Faults) > 0 || string(c.Args) != want {
		t.Errorf("Check = %s, %v; want %s", c.Args, c.Faults, want)
	}
	if args, changed := s.Upgrade(old); !changed || string(args) != want {
		t.Errorf("an old call is told as %s, want %s", args, want)
	}
}

// A20: who edits a card in Chinese reads in Chinese why that cannot be.
func TestA20FaultsAreInTheReadersLanguage(t *testing.T) {
	x := post.New(artifacts(), find, nil)
	for args, want := range map[string]string{
		`{"report":"a9","channel":"#sales"}`:   "没有报告“a9”",
		`{"report":"a2","channel":"#sales"}`:   "不是报告",
		`{"report":"a3","channel":"#sales"}`:   "另一个请求",
		`{"report":"a1","channel":"#nowhere"}`: "没有我能看到的频道",
		`{"report":"a1","channel":"#secret"}`:  "我不在 #secret 里",
	} {
		if plan, err := x.Plan(t.Context(), call(args, "zh")); err != nil || !strings.Contains(plan.Fault, want) {
			t.Errorf("%s: %q, %v; want %q in it", args, plan.Fault, err, want)
		}
	}
}
