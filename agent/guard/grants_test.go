package guard_test

import (
	"encoding/json"
	"testing"
	"time"

	"hermes/agent/guard"
	"hermes/agent/run"
	"hermes/agent/tool"
)

const owner = "test:w:ana"

// A17 A grant covers one owner, one job or none, one tool and one control, from where it
// says, until its end; SAFE-10 what is of high risk none covers.
func TestA17SAFE10AGrantCovers(t *testing.T) {
	now := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	good := run.Grant{ID: "g", Owner: owner, Job: "j1", Tool: "post_message", Control: "sales r1", Until: now.Add(time.Hour), Max: 12}
	with := func(f func(*run.Grant)) run.Grant { g := good; f(&g); return g }
	adHoc := with(func(g *run.Grant) { g.Job = "" })
	slot := run.Request{Asker: owner, Job: "j1", Home: "test/w/c/t"}
	asked := run.Request{Asker: owner, Home: "test/w/c/t"}
	post := tool.Spec{Name: "post_message"}
	for name, tt := range map[string]struct {
		grant run.Grant
		req   run.Request
		spec  tool.Spec
		ctl   string
		marks []string
		want  bool
	}{
		"all the same":                 {good, slot, post, "sales r1", nil, true},
		"another job":                  {good, run.Request{Asker: owner, Job: "j2"}, post, "sales r1", nil, false},
		"of a job, and asked for":      {good, asked, post, "sales r1", nil, false},
		"another owner's slot":         {good, run.Request{Asker: "test:w:gus", Job: "j1"}, post, "sales r1", nil, false},
		"another channel":              {good, slot, post, "general r1", nil, false},
		"another report":               {good, slot, post, "sales r2", nil, false},
		"what is never granted":        {with(func(g *run.Grant) { g.Control = "" }), slot, post, "", nil, false},
		"its end has come":             {with(func(g *run.Grant) { g.Until = now }), slot, post, "sales r1", nil, false},
		"all uses are taken":           {with(func(g *run.Grant) { g.Uses = 12 }), slot, post, "sales r1", nil, false},
		"revoked":                      {with(func(g *run.Grant) { g.Revoked = now }), slot, post, "sales r1", nil, false},
		"not what was given":           {with(func(g *run.Grant) { g.Broken = "it is not" }), slot, post, "sales r1", nil, false},
		"another tool":                 {with(func(g *run.Grant) { g.Tool = "mail" }), slot, post, "sales r1", nil, false},
		"high risk":                    {good, slot, tool.Spec{Name: "post_message", Risk: tool.HighRisk}, "sales r1", nil, false},
		"an argument out of a file":    {good, slot, post, "sales r1", []string{"file"}, false},
		"asked for":                    {adHoc, asked, post, "sales r1", nil, true},
		"asked for by somebody else":   {adHoc, run.Request{Asker: "test:w:gus", Home: "test/w/c/t"}, post, "sales r1", nil, false},
		"asked for by nobody":          {with(func(g *run.Grant) { g.Job, g.Owner = "", "" }), run.Request{}, post, "sales r1", nil, false},
		"without a job, in a slot":     {adHoc, slot, post, "sales r1", nil, false},
		"asked for there":              {with(func(g *run.Grant) { g.Job, g.Home = "", "test/w/c/" }), asked, post, "sales r1", nil, true},
		"asked for elsewhere":          {with(func(g *run.Grant) { g.Job, g.Home = "", "test/w/d/" }), asked, post, "sales r1", nil, false},
		"asked for in a like channel":  {with(func(g *run.Grant) { g.Job, g.Home = "", "test/w/c2/" }), asked, post, "sales r1", nil, false},
		"asked for where nobody knows": {with(func(g *run.Grant) { g.Job, g.Home = "", "test/w/c/" }), run.Request{Asker: owner}, post, "sales r1", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, got := guard.Covering([]run.Grant{tt.grant}, tt.req, tt.spec, tool.Plan{Control: tt.ctl}, tt.marks, now)
			if got != tt.want {
				t.Errorf("Covering = %t, want %t", got, tt.want)
			}
		})
	}
}

// A18 The scopes that are offered are few, each covers the same again with new content,
// and A17 none covers another channel, another kind of report, or another person.
func TestA18ScopesAreSafeAndFew(t *testing.T) {
	now := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	asked := run.Request{Asker: owner, Home: "test/w/c/t"}
	post := tool.Spec{Name: "post_message", Effect: tool.Send}
	plan := tool.Plan{Control: "sales r1", ToName: "#sales"}
	got := guard.Scopes(asked, post, plan, nil, 12, now)
	if len(got) != run.MostScopes {
		t.Fatalf("%d scopes, want %d", len(got), run.MostScopes)
	}
	for _, g := range got {
		soon := now.Add(time.Minute)
		g.By = "test:w:lee"
		one := []run.Grant{g}
		if g.Max < 1 || g.Max > 12 || g.Until.After(now.Add(30*24*time.Hour)) || g.Until.IsZero() {
			t.Errorf("scope %+v lasts for ever", g)
		}
		if _, ok := guard.Covering(one, asked, post, plan, nil, soon); !ok {
			t.Errorf("scope %+v does not cover the same again", g)
		}
		for what, other := range map[string]tool.Plan{"channel": {Control: "board r1"}, "report": {Control: "sales r2"}, "nothing known": {}} {
			if _, ok := guard.Covering(one, asked, post, other, nil, soon); ok {
				t.Errorf("scope %+v covers another %s", g, what)
			}
		}
		if _, ok := guard.Covering(one, run.Request{Asker: "test:w:gus", Home: asked.Home}, post, plan, nil, soon); ok {
			t.Errorf("scope %+v covers another person", g)
		}
	}
	slot := asked
	slot.Job = "j1"
	if got := guard.Scopes(slot, post, plan, nil, 12, now); len(got) != 1 || got[0].Job != "j1" || !got[0].Until.Equal(now.AddDate(0, 13, 0)) || got[0].Max != 12 {
		t.Errorf("scopes of a slot = %+v, want the job's alone, for 12 uses or 13 months", got)
	}
	for name, none := range map[string][]run.Grant{
		"SAFE-10 high risk":        guard.Scopes(asked, tool.Spec{Name: "x", Effect: tool.Send, Risk: tool.HighRisk}, plan, nil, 12, now),
		"without a control":        guard.Scopes(asked, post, tool.Plan{}, nil, 12, now),
		"an argument out of a web": guard.Scopes(asked, post, plan, []string{"web"}, 12, now),
		"what cannot be counted":   guard.Scopes(asked, tool.Spec{Name: "x", Effect: tool.Write}, plan, nil, 12, now),
		"one's own":                guard.Scopes(asked, post, tool.Plan{Control: "c", Own: true}, nil, 12, now),
		"a schedule":               guard.Scopes(asked, post, tool.Plan{Control: "c", Job: "j"}, nil, 12, now),
	} {
		if len(none) != 0 {
			t.Errorf("%s: scopes = %+v, want none", name, none)
		}
	}
}

// SAFE-06, A18 Of a tool that says which of its arguments bind a grant, one covers calls
// that are equal in these; a wider one leaves open what the tool says, of what is the
// asker's own. SAFE-10 What is final or of high risk has none, and neither has a call with
// an argument of which the tool says nothing.
func TestSAFE06GrantsByPatterns(t *testing.T) {
	now := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	asked := run.Request{Asker: owner, Home: "test/w/c/t"}
	change := tool.Spec{Name: "change", Effect: tool.Keep, Standing: []string{"job", "action"}, Open: []string{"job"}, Content: []string{"note"}}
	plan := func(args string, own bool) tool.Plan { return tool.Plan{Args: json.RawMessage(args), Own: own} }
	pause := plan(`{"action":"pause","job":"j1","note":"for now"}`, true)
	scopes := guard.Scopes(asked, change, pause, nil, 12, now)
	if len(scopes) != 3 || scopes[0].Control != scopes[1].Control || scopes[2].Control == scopes[0].Control || scopes[0].Home == "" {
		t.Fatalf("scopes = %+v", scopes)
	}
	if theirs := guard.Scopes(asked, change, plan(string(pause.Args), false), nil, 12, now); len(theirs) != 3 || theirs[2].Control != theirs[0].Control {
		t.Errorf("scopes of somebody else's = %+v, want none that is wider", theirs)
	}
	narrow, wide := scopes[1], scopes[2]
	final, shut := pause, change
	final.Final, shut.Open = true, nil
	risky, silent := change, change
	risky.Risk, silent.Standing = tool.HighRisk, nil
	for name, tt := range map[string]struct {
		grant run.Grant
		spec  tool.Spec
		plan  tool.Plan
		marks []string
		want  bool
	}{
		"the same":                    {narrow, change, pause, nil, true},
		"the same, written otherwise": {narrow, change, plan(`{ "job":"j1", "action":"pause" }`, true), nil, true},
		"other content":               {narrow, change, plan(`{"action":"pause","job":"j1","note":"again"}`, true), nil, true},
		"another job":                 {narrow, change, plan(`{"action":"pause","job":"j2"}`, true), nil, false},
		"another action":              {narrow, change, plan(`{"action":"resume","job":"j1"}`, true), nil, false},
		"one argument less":           {narrow, change, plan(`{"action":"pause"}`, true), nil, false},
		"an argument that the tool does not name": {narrow, change, plan(`{"action":"pause","job":"j1","to":"#hr"}`, true), nil, false},
		"open: another job":                       {wide, change, plan(`{"action":"pause","job":"j2"}`, true), nil, true},
		"open: somebody else's":                   {wide, change, plan(`{"action":"pause","job":"j2"}`, false), nil, false},
		"open: another action":                    {wide, change, plan(`{"action":"resume","job":"j2"}`, true), nil, false},
		"open: what the tool has closed since":    {wide, shut, plan(`{"action":"pause","job":"j2"}`, true), nil, false},
		"final":                                   {narrow, change, final, nil, false},
		"high risk":                               {narrow, risky, pause, nil, false},
		"what the tool does not grant any more":   {narrow, silent, pause, nil, false},
		"marked":                                  {narrow, change, pause, []string{"file"}, false},
		"a control that is no pattern":            {run.Grant{Owner: owner, Tool: "change", Control: `{"args":{}}`, Until: now.Add(time.Hour), Max: 1}, change, pause, nil, false},
		"one that is open for everything":         {run.Grant{Owner: owner, Tool: "change", Control: `{"args":{},"open":["action","job"],"own":true}`, Until: now.Add(time.Hour), Max: 1}, change, pause, nil, false},
		"one that says more than it means":        {run.Grant{Owner: owner, Tool: "change", Control: `{"args":{"action":"pause"},"open":["job"],"own":true,"x":1}`, Until: now.Add(time.Hour), Max: 1}, change, pause, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, got := guard.Covering([]run.Grant{tt.grant}, asked, tt.spec, tt.plan, tt.marks, now); got != tt.want {
				t.Errorf("Covering = %t, want %t", got, tt.want)
			}
		})
	}
	for name, got := range map[string][]run.Grant{
		"final": guard.Scopes(asked, change, final, nil, 12, now), "high risk": guard.Scopes(asked, risky, pause, nil, 12, now),
		"not named": guard.Scopes(asked, silent, pause, nil, 12, now), "nothing bound": guard.Scopes(asked, change, plan(`{"note":"n"}`, true), nil, 12, now),
		"not told of": guard.Scopes(asked, change, plan(`{"action":"pause","job":"j1","to":"#hr"}`, true), nil, 12, now),
	} {
		if len(got) != 0 {
			t.Errorf("%s: scopes = %+v", name, got)
		}
	}
}
