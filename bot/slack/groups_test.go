package slack_test

import (
	"testing"
	"time"

	"hermes/internal/fakeslack"
)

// Issue 5, A1: who is in a user group Slack says; who was taken out of it is in it no
// longer, at once where Slack tells of it and else within a minute. Of what nobody can
// say nobody is a member.
func TestWhoIsInAGroup(t *testing.T) {
	r := newRig(t, setup{idle: true})
	const (
		team = "slack:" + fakeslack.Team + ":"
		ana  = team + "U0ANA0001"
		leo  = team + "U0LEO0001"
	)
	if ok, err := r.s.InGroup(r.ctx(), team+"S0FINANCE", ana); ok || err == nil {
		t.Errorf("before we know who we are: %t, %v; want an error", ok, err)
	}
	r.run()
	r.connected()
	finance := r.fake.SetGroup(fakeslack.Group{Handle: "finance", Users: []string{"U0ANA0001"}})
	closed := r.fake.SetGroup(fakeslack.Group{Handle: "closed", Users: []string{"U0ANA0001"}, Disabled: true})
	r.must(r.fake.WaitAcked(r.ctx())) // each tells of its members
	for name, c := range map[string]struct {
		group, who string
		want       bool
	}{
		"a member":                                {team + finance, ana, true},
		"somebody else":                           {team + finance, leo, false},
		"a group that was closed":                 {team + closed, ana, false},
		"a group that nobody knows":               {team + "S0NOWHERE", ana, false},
		"no group at all":                         {team, ana, false},
		"a group of another workspace":            {"slack:T0OTHER01:" + finance, ana, false},
		"who has the same id elsewhere":           {team + finance, "slack:T0OTHER01:U0ANA0001", false},
		"who has the same id on another platform": {team + finance, "web:demo:U0ANA0001", false},
	} {
		if got, err := r.s.InGroup(r.ctx(), c.group, c.who); got != c.want || err != nil {
			t.Errorf("%s: %t, %v; want %t", name, got, err, c.want)
		}
	}
	if got := r.s.GroupName(r.ctx(), team+finance); got != "@finance" {
		t.Errorf("it is called %q, want @finance", got)
	}
	if got := r.s.GroupName(r.ctx(), "slack:T0OTHER01:"+finance); got != "" {
		t.Errorf("a group of another workspace is called %q", got)
	}

	asked := func() int { return len(r.fake.Calls("usergroups.users.list")) }
	before := asked()
	for range 20 {
		if ok, err := r.s.InGroup(r.ctx(), team+finance, ana); !ok || err != nil {
			t.Fatalf("in group = %t, %v", ok, err)
		}
	}
	if n := asked() - before; n != 0 {
		t.Errorf("Slack was asked %d times for what it has just said", n)
	}

	r.fake.SetGroup(fakeslack.Group{ID: finance, Handle: "finance", Users: []string{"U0LEO0001"}})
	r.must(r.fake.WaitAcked(r.ctx()))
	for who, want := range map[string]bool{ana: false, leo: true} {
		if got, err := r.s.InGroup(r.ctx(), team+finance, who); got != want || err != nil {
			t.Errorf("after the members have changed %s: %t, %v; want %t", who, got, err, want)
		}
	}

	r.fake.Forbid("usergroups:read")
	if ok, err := r.s.InGroup(r.ctx(), team+closed, leo); err != nil || ok {
		t.Errorf("what was just said: %t, %v", ok, err)
	}
	if ok, err := r.s.InGroup(r.ctx(), team+"S0OTHER01", leo); ok || err == nil {
		t.Errorf("without the scope: %t, %v; want an error", ok, err)
	}
}

// An event that never came is made up for within a minute, and a Slack that is down
// says of nobody that they are a member.
func TestAGroupIsBelievedForAMinute(t *testing.T) {
	r := newRig(t, setup{still: true})
	r.connected()
	const leo = "slack:" + fakeslack.Team + ":U0LEO0001"
	group := "slack:" + fakeslack.Team + ":" + r.fake.SetGroup(fakeslack.Group{Handle: "finance", Users: []string{"U0LEO0001"}})
	r.must(r.fake.WaitAcked(r.ctx()))
	in := func(want bool) {
		t.Helper()
		if got, err := r.s.InGroup(r.ctx(), group, leo); got != want || err != nil {
			t.Errorf("in the group: %t, %v; want %t", got, err, want)
		}
	}
	in(true)
	r.fake.Fail(fakeslack.Fault{Method: "usergroups.users.list", Status: 500, Times: -1})
	r.clock.Advance(59 * time.Second)
	in(true)
	r.clock.Advance(time.Second)
	if ok, err := r.s.InGroup(r.ctx(), group, leo); ok || err == nil {
		t.Errorf("of a Slack that is down: %t, %v; want an error", ok, err)
	}
	r.fake.Mend()
	in(true)
}
