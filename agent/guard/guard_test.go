package guard_test

import (
	"testing"
	"time"

	"hermes/agent/guard"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// A17 A grant covers one job, one tool and one control, until its end.
func TestCovering(t *testing.T) {
	now := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	good := run.Grant{ID: "g", Job: "j1", Tool: "post_message", Control: "sales r1", Until: now.Add(time.Hour), Max: 12}
	with := func(f func(*run.Grant)) run.Grant { g := good; f(&g); return g }
	for name, tt := range map[string]struct {
		grant run.Grant
		job   string
		ctl   string
		want  bool
	}{
		"all the same":          {good, "j1", "sales r1", true},
		"another job":           {good, "j2", "sales r1", false},
		"no job at all":         {with(func(g *run.Grant) { g.Job = "" }), "", "sales r1", false},
		"another channel":       {good, "j1", "general r1", false},
		"another report":        {good, "j1", "sales r2", false},
		"what is never granted": {with(func(g *run.Grant) { g.Control = "" }), "j1", "", false},
		"its end has come":      {with(func(g *run.Grant) { g.Until = now }), "j1", "sales r1", false},
		"all uses are taken":    {with(func(g *run.Grant) { g.Uses = 12 }), "j1", "sales r1", false},
		"revoked":               {with(func(g *run.Grant) { g.Revoked = now }), "j1", "sales r1", false},
		"another tool":          {with(func(g *run.Grant) { g.Tool = "mail" }), "j1", "sales r1", false},
	} {
		t.Run(name, func(t *testing.T) {
			_, got := guard.Covering([]run.Grant{tt.grant}, tt.job, "post_message", tool.Plan{Control: tt.ctl}, now)
			if got != tt.want {
				t.Errorf("Covering = %t, want %t", got, tt.want)
			}
		})
	}
}

// A1 Nobody may decide but those who are named; what is one's own is one's own.
func TestMay(t *testing.T) {
	const ana, lee, gus = "test:w:ana", "test:w:lee", "test:w:gus"
	d := guard.Deciders{Admins: []string{lee}}
	approve := func(tools ...string) run.Question {
		q := run.Question{Kind: run.Approve, Asked: ana}
		for _, name := range tools {
			q.Calls = append(q.Calls, run.Planned{Name: name, Own: name == "schedule_change"})
		}
		return q
	}
	for name, tt := range map[string]struct {
		d    guard.Deciders
		q    run.Question
		by   string
		want bool
	}{
		"an admin approves a post":             {d, approve("post_message"), lee, true},
		"the asker does not":                   {d, approve("post_message"), ana, false},
		"nor does anybody else":                {d, approve("post_message"), gus, false},
		"no admins, no approval":               {guard.Deciders{}, approve("post_message"), ana, false},
		"nobody is nobody":                     {guard.Deciders{Admins: []string{""}}, approve("post_message"), "", false},
		"the asker pauses what is theirs":      {d, approve("schedule_change"), ana, true},
		"but not together with a post":         {d, approve("schedule_change", "post_message"), ana, false},
		"nor does an admin need to":            {d, approve("schedule_change"), lee, false},
		"and a stranger pauses nothing":        {d, approve("schedule_change"), gus, false},
		"an approval of nothing is an admin's": {d, approve(), ana, false},
		"a choice is the asked one's":          {d, run.Question{Kind: run.Choose, Asked: ana}, ana, true},
		"and not even an admin's":              {d, run.Question{Kind: run.Choose, Asked: ana}, lee, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tt.d.May(tt.q, tt.by); got != tt.want {
				t.Errorf("May = %t, want %t", got, tt.want)
			}
		})
	}
}

// Who asked for a post may call it off, and do no more.
func TestMayChoose(t *testing.T) {
	const ana, lee, gus = "test:w:ana", "test:w:lee", "test:w:gus"
	d := guard.Deciders{Admins: []string{lee}}
	q := run.Question{Kind: run.Approve, Asked: ana, Calls: []run.Planned{{Name: "post_message"}}}
	for name, tt := range map[string]struct {
		by, option string
		want       bool
	}{
		"the asker denies":            {ana, run.No, true},
		"and approves nothing":        {ana, run.Yes, false},
		"an admin does both":          {lee, run.Yes, true},
		"a stranger does not deny":    {gus, run.No, false},
		"nobody is nobody's question": {"", run.No, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := d.MayChoose(q, tt.by, tt.option); got != tt.want {
				t.Errorf("MayChoose = %t, want %t", got, tt.want)
			}
		})
	}
}
