package playbook_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/playbook"
	"hermes/scheduler"
)

const withPolicy = `name: sales
period: month
steps:
  - id: report
    tool: make_report
    args: {tables: [], format: xlsx}
formats: [pdf]
policy:
  catch_up: 6h
  quiet: "22:00-07:00"
  retries: "2"
`

// The format of its file and the policy of its schedules stand in a saved report, and what is
// wrong with them, or with its contract, is told with the line.
func TestFormatsAndPolicyOfAReport(t *testing.T) {
	p, err := playbook.Read([]byte(withPolicy))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(scheduler.Wishes{CatchUp: "6h", Quiet: "22:00-07:00", Retries: "2"}, p.Policy); d != "" {
		t.Errorf("policy (-want +got):\n%s", d)
	}
	text, err := playbook.Write(p)
	if err != nil {
		t.Fatal(err)
	}
	again, err := playbook.Read(text)
	if err != nil || !cmp.Equal(p, again) {
		t.Errorf("written and read again: %v\n%s", err, cmp.Diff(p, again))
	}
	// Reports of before have the hash that they had: what was allowed for them stands.
	plain, err := playbook.Read([]byte(withPolicy[:strings.Index(withPolicy, "formats:")]))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := plain.Canonical(); err != nil || strings.Contains(string(b), "Policy") || strings.Contains(string(b), "Formats") {
		t.Errorf("canonical text = %s, %v; want nothing new in it", b, err)
	}
	for change, want := range map[[2]string]string{
		{"catch_up: 6h", "catch_up: soon"}:        `line 9: policy: catch-up "soon"`,
		{"catch_up: 6h", "catchup: 6h"}:           `line 9: there is no key "catchup" in policy; the nearest is catch_up`,
		{`"22:00-07:00"`, `"25:00-07:00"`}:        "line 10: policy: quiet hours",
		{`retries: "2"`, `retries: many`}:         "line 11: policy: retries",
		{"formats: [pdf]", "formats: [pfd]"}:      `line 7: formats: "pfd" is none of`,
		{"formats: [pdf]", "formats: [pdf, csv]"}: "line 7: formats: pdf, csv are too many",
		{"formats: [pdf]", "contract:\n  rows:\n    - {step: report}\n    - {step: repot, min: 1}"}: `line 10: contract.rows[1]: there is no step "repot"`,
		{"id: report", "id: report\n    xyz: 1"}:                                                    "line 5: there is no key",
		{"tables: []", "tables: ['{{steps.none.artifact}}']"}:                                       "line 4: step report",
	} {
		_, err := playbook.Read([]byte(strings.Replace(withPolicy, change[0], change[1], 1)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", change[1], err, want)
		}
	}
}
