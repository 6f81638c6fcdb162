package agent

import (
	"testing"
	"time"

	"hermes/agent/run"
)

// SLK-06: people are told in time that what a schedule may post ends: a week before, of what
// comes each day at half its life, and by its uses where these are up sooner.
func TestPeopleAreToldInTimeThatAGrantEnds(t *testing.T) {
	given := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	day := 24 * time.Hour
	for name, tt := range map[string]struct {
		grant run.Grant
		on    int // days after it was given
	}{
		"daily":            {run.Grant{Job: "j1", Until: given.Add(12 * day), Max: 12}, 6},
		"weekly":           {run.Grant{Job: "j1", Until: given.Add(84 * day), Max: 12}, 77},
		"monthly":          {run.Grant{Job: "j1", Until: given.Add(360 * day), Max: 12}, 353},
		"weekly, few uses": {run.Grant{Job: "j1", Until: given.Add(84 * day), Max: 5}, 28},
		"asked for":        {run.Grant{Until: given.Add(30 * day), Max: 12}, 23},
		"short, asked for": {run.Grant{Until: given.Add(day), Max: 3}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			told := -1
			for d := range 400 {
				g := tt.grant
				g.Given = given
				if g.Job != "" { // one use each slot
					g.Uses = min(g.Max, int(time.Duration(d)*day/(g.Until.Sub(given)/slotsOf)))
				}
				if isEnding(g, given.Add(time.Duration(d)*day)) {
					told = d
					break
				}
			}
			if told != tt.on {
				t.Errorf("told on day %d, want %d", told, tt.on)
			}
		})
	}
}
