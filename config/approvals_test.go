package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/config"
)

const wholeApprovals = `
zone: Europe/Berlin
admins: [slack:T1:U9]
approvals:
  rules:
    - name: finance
      tools: [post_message, "schedule_*"]
      channels: ["#finance", "slack:T1:C*"]
      where: [{arg: private, is: true}, {arg: amount, above: 1000}, {arg: to, like: "*@example.com"}]
      by: ["group:slack:T1:S1", slack:T1:U1, requester, admins]
      others: true
      quorum: 2
      escalate: {after: 4h, to: [slack:T1:U2]}
    - by: [requester]
  delegates:
    - {of: slack:T1:U1, to: slack:T1:U2, from: 2026-12-20, until: 2027-01-05}
    - {of: slack:T1:U1, to: slack:T1:U3, from: 2026-12-20T18:00, until: 2026-12-21T09:30:00Z}
`

// Issue 5: a rule is read whole, also where YAML takes a value for more than a text.
func TestApprovalsAreReadWhole(t *testing.T) {
	cfg, err := config.Load(write(t, wholeApprovals))
	if err != nil {
		t.Fatal(err)
	}
	want := []config.ApprovalRule{{
		Name: "finance", Tools: []string{"post_message", "schedule_*"}, Channels: []string{"#finance", "slack:T1:C*"},
		Where: []config.ArgMatch{{Arg: "private", Is: "true"}, {Arg: "amount", Above: "1000"}, {Arg: "to", Like: "*@example.com"}},
		By:    []string{"group:slack:T1:S1", "slack:T1:U1", "requester", "admins"}, Others: true, Quorum: 2,
		Escalate: config.Escalation{After: 4 * time.Hour, To: []string{"slack:T1:U2"}},
	}, {By: []string{"requester"}}}
	if diff := cmp.Diff(want, cfg.Approvals.Rules); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	zone, err := time.LoadLocation(cfg.Zone)
	if err != nil {
		t.Fatal(err)
	}
	var spans []string
	for _, d := range cfg.Approvals.Delegates {
		from, until, err := d.Span(zone)
		if err != nil {
			t.Fatal(err)
		}
		spans = append(spans, d.To+" "+from.Format(time.RFC3339)+" "+until.Format(time.RFC3339))
	}
	if diff := cmp.Diff([]string{
		"slack:T1:U2 2026-12-20T00:00:00+01:00 2027-01-06T00:00:00+01:00", // both days counted in
		"slack:T1:U3 2026-12-20T18:00:00+01:00 2026-12-21T09:30:00Z",
	}, spans); diff != "" {
		t.Errorf("delegates (-want +got):\n%s", diff)
	}
	for i, want := range []string{"finance", "rule 2"} {
		if got := cfg.Approvals.Rules[i].Label(i); got != want {
			t.Errorf("rule %d is called %q, want %q", i, got, want)
		}
	}
}

// A1 A rule in which nobody could decide, and one that nothing reaches, are told of
// when the file is read; one that somebody may yet fill is not.
func TestApprovalsThatNobodyCouldGive(t *testing.T) {
	for text, want := range map[string]string{
		rule(`by: [admins]}, {by: ["slack:T1:U1"]`):                                "it is never reached: rule 1 before it",
		rule(`tools: ["*"]}, {name: late, tools: [a]`):                             "it is never reached",
		rule(`where: [{arg: a, is: b}]`):                                           "arguments mean something for a tool alone",
		rule(`by: [requester], others: true`):                                      "nobody could decide: who asked may not",
		rule(`by: [requester, "slack:T1:U1"], others: true, quorum: 2`):            "it takes 2 who say yes and names 1",
		"admins: [slack:T1:U9]\n" + rule(`by: [admins, "slack:T1:U9"], quorum: 2`): "it takes 2 who say yes and names 1",
		away(`until: 2026-12-19`):                                                  "2026-12-19 is before 2026-12-20",
		away(`until: 2026-12-20`):                                                  "", // one day
		rule(`by: [requester, "slack:T1:U1"], quorum: 2`):                          "",
		rule(`by: ["group:slack:T1:S1"], quorum: 5, others: true`):                 "",
		rule(`quorum: 2, escalate: {after: 1h, to: ["slack:T1:U2"]}`):              "",
		rule(`by: ["slack:T1:U1"], tools: [a]}, {by: [admins]`):                    "",
		// A question of a person is over after a day, one of a schedule after seven.
		rule(`by: [admins], escalate: {after: 24h, to: ["slack:T1:U2"]}`):                                    "a question is over after 24h (agent.question_ttl), before 24h are",
		"agent: {question_ttl: 1h}\n" + rule(`by: [admins], escalate: {after: 2h, to: ["slack:T1:U2"]}`):     "(agent.question_ttl), before 2h are",
		"agent: {job_question_ttl: 1h}\n" + rule(`by: [admins], escalate: {after: 2h, to: ["slack:T1:U2"]}`): "(agent.job_question_ttl), before 2h are",
		"agent: {question_ttl: 3h}\n" + rule(`by: [admins], escalate: {after: 2h, to: ["slack:T1:U2"]}`):     "",
	} {
		_, err := config.Load(write(t, text))
		switch {
		case want == "" && err != nil:
			t.Errorf("%s = %v, want it to load", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "hint: ")):
			t.Errorf("%s = %v, want %q with a hint", text, err, want)
		}
	}
}
