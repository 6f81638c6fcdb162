package guard_test

import (
	"testing"
	"time"

	"hermes/agent/guard"
	"hermes/agent/run"
)

// A1, SAFE-02: nobody may decide but those who are named; what is one's own is one's own.
func TestA1SAFE02NobodyDecidesButWhoIsNamed(t *testing.T) {
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
			if got := tt.d.Say(tt.q, "", time.Time{}).May(tt.by, nil); got != tt.want {
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
			if got := d.Say(q, tt.option, time.Time{}).May(tt.by, nil) || guard.MayCallOff(q, tt.by, tt.option); got != tt.want {
				t.Errorf("MayChoose = %t, want %t", got, tt.want)
			}
		})
	}
}
