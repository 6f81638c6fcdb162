package schedule

import (
	"strings"
	"testing"

	"hermes/scheduler"
)

// A schedule is found by how often it comes, and one that comes otherwise is not taken
// for it, though it be the only one.
func TestAScheduleIsFoundByItsRhythm(t *testing.T) {
	monthly := scheduler.Job{ID: "j11111111", Name: "sales by region", Spec: "0 9 1 * *"}
	weekly := scheduler.Job{ID: "j22222222", Name: "sales by region", Spec: "0 9 * * 1"}
	daily := scheduler.Job{ID: "j33333333", Name: "orders", Spec: "0 9 * * *"}
	other := scheduler.Job{ID: "j44444444", Name: "orders", Spec: "0 10 1 * *"}
	for _, tt := range []struct {
		words string
		jobs  []scheduler.Job
		want  string // an id, or part of the fault
	}{
		{"monthly", []scheduler.Job{weekly, monthly, daily}, monthly.ID},
		{"the weekly schedule", []scheduler.Job{weekly, monthly, daily}, weekly.ID},
		{"每月", []scheduler.Job{weekly, monthly, daily}, monthly.ID},
		{"每天的", []scheduler.Job{weekly, monthly, daily}, daily.ID},
		{"monthly sales", []scheduler.Job{other, monthly, weekly}, monthly.ID},
		{"monthly", []scheduler.Job{other, monthly, weekly}, "could be any of j44444444 (orders), j11111111 (sales by region); say its id"},
		{"monthly", []scheduler.Job{monthly}, monthly.ID},
		{"it", []scheduler.Job{monthly}, monthly.ID},
		{"weekly", []scheduler.Job{monthly}, "could be any of j11111111"},
		{"每周", []scheduler.Job{monthly}, "could be any of j11111111"},
		{" Orders", []scheduler.Job{{ID: "j55555555", Name: "orders by region", Spec: "0 9 * * *"}, daily}, daily.ID}, // its whole name
		{"orders", []scheduler.Job{daily, other}, "could be any of j33333333 (orders), j44444444 (orders)"},
		{"weekly", []scheduler.Job{monthly, daily}, "could be any of j11111111 (sales by region), j33333333 (orders)"},
	} {
		j, fault := pick(tt.jobs, tt.words, "en")
		if j.ID != tt.want && (fault == "" || !strings.Contains(fault, tt.want)) {
			t.Errorf("%q: %s, %q; want %s", tt.words, j.ID, fault, tt.want)
		}
	}
}
