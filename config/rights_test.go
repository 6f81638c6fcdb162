package config_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/config"
)

// Rights and budgets are lists that are read as they are written, ids in capitals and all.
func TestRightsAndBudgets(t *testing.T) {
	cfg, err := config.Load(write(t, `
loop: {channels: [{channel: "slack:T1:C9", profile: research}]}
rights:
  - {tools: [schedule_*], users: [members, "group:slack:T1:S1", "slack:T1:U1", admins, guests]}
  - {sources: [pay*], channels: ["slack:T1:*", "slack:T1:C2", direct], profiles: [research]}
budgets:
  - {per: run, tokens: 200000}
  - {per: user, usd: 5}
  - {per: user, every: month, usd: 50, warn: 0.5}
  - {per: day, usd: 20}
`))
	if err != nil {
		t.Fatal(err)
	}
	rights := []config.Right{
		{Tools: []string{"schedule_*"}, Users: []string{"members", "group:slack:T1:S1", "slack:T1:U1", "admins", "guests"}},
		{Sources: []string{"pay*"}, Channels: []string{"slack:T1:*", "slack:T1:C2", "direct"}, Profiles: []string{"research"}},
	}
	if diff := cmp.Diff(rights, cfg.Rights); diff != "" {
		t.Errorf("rights (-want +got):\n%s", diff)
	}
	type of struct {
		per, every string
		warn       float64
	}
	var got []of
	for _, b := range cfg.Budgets {
		per, every := b.Of()
		got = append(got, of{per, every, b.WarnAt()})
	}
	if diff := cmp.Diff([]of{{"run", "", 0.8}, {"user", "day", 0.8}, {"user", "month", 0.5}, {"", "day", 0.8}}, got, cmp.AllowUnexported(of{})); diff != "" {
		t.Errorf("budgets (-want +got):\n%s", diff)
	}
}
