package main

import (
	"strings"
	"testing"
	"time"

	"hermes/config"
	"hermes/internal/golden"
)

// Issue 5: check says who may decide on what, in words, and of a rule in which nobody
// could that it is one.
func TestCheckSaysWhoMayDecide(t *testing.T) {
	const fay, lee = "slack:T1:U1", "slack:T1:U2"
	cfg := config.Config{
		Admins: []string{lee}, Zone: "Europe/Berlin",
		Approvals: config.Approvals{
			Rules: []config.ApprovalRule{
				{
					Name: "finance", Tools: []string{"post_message", "schedule_*"}, Channels: []string{"#finance"},
					Where: []config.ArgMatch{{Arg: "private", Is: "true"}, {Arg: "rows", Above: "1000"}, {Arg: "to", Like: "*x"}},
					By:    []string{"group:slack:T1:S1", fay}, Others: true, Quorum: 2, Escalate: config.Escalation{After: 4 * time.Hour, To: []string{"admins"}},
				},
				{Tools: []string{"deploy"}, By: []string{"group:slack:T1:S2"}},
				{Tools: []string{"delete_*"}, By: []string{"slack:T1:U9"}},
				{Tools: []string{"audit"}, By: []string{fay, lee}, Others: true, Quorum: 2},
				{Tools: []string{"other"}, By: []string{"group:slack:T9:S1"}, Quorum: 5},
			},
			Delegates: []config.Delegate{
				{Of: fay, To: lee, From: "2026-12-20", Until: "2027-01-05"},
				{Of: lee, To: fay, From: "2026-11-20", Until: "2026-11-25"},
			},
		},
	}
	known := headcount{"group:slack:T1:S1": 3, "group:slack:T1:S2": 0, fay: 1, lee: 1, "slack:T1:U9": 0}
	var b strings.Builder
	c := checking{printer: printer{w: &b}}
	c.sayApprovals(cfg, known, time.Date(2027, 1, 5, 12, 0, 0, 0, time.UTC))
	golden.Check(t, "check_approvals.golden", b.String())
	if !c.bad {
		t.Error("it passes, though nobody can decide under two rules")
	}
	b.Reset()
	c = checking{printer: printer{w: &b}}
	c.sayApprovals(config.Config{}, nil, time.Time{})
	if got := b.String(); c.bad || !strings.HasPrefix(got, "· these decide: what is only theirs, who asked; ") {
		t.Errorf("without rules check says\n%s", got)
	}
}
