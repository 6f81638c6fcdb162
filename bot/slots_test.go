package bot

import (
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/scheduler"
)

// Issue 6: a slot that began when its policy wanted it is in time, and says so.
func TestADeferredSlotIsNotLate(t *testing.T) {
	three := time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		due, began time.Duration // after its time
		want       scheduler.SlotState
		reason     string
	}{
		"at its time":         {0, time.Minute, scheduler.Ran, ""},
		"deferred":            {4 * time.Hour, 4*time.Hour + time.Minute, scheduler.Ran, "deferred to 07:00"},
		"deferred, and late":  {4 * time.Hour, 5 * time.Hour, scheduler.Late, "late by 1h0m0s"},
		"spread by a moment":  {20 * time.Second, time.Minute, scheduler.Ran, ""},
		"of before, no due":   {-1, 2 * time.Hour, scheduler.Late, "late by 2h0m0s"},
		"of before, and soon": {-1, time.Minute, scheduler.Ran, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := run.Run{Request: run.Request{Now: three}, State: run.Done, Created: three.Add(tt.began)}
			if tt.due >= 0 {
				r.Due = three.Add(tt.due)
			}
			if state, reason, _ := slotState(r); state != tt.want || reason != tt.reason {
				t.Errorf("slot %s, %q; want %s, %q", state, reason, tt.want, tt.reason)
			}
		})
	}
}

// C5, C25: only what may be otherwise the next time is tried again, and nothing that has
// changed something begins anew.
func TestC25WhatIsTriedAgain(t *testing.T) {
	failed := func(kind tool.ErrorType, did ...run.Deed) run.Run {
		res := run.Result{Result: llm.Result{ID: "a"}, Error: &tool.Error{Type: kind}}
		return run.Run{State: run.Done, Steps: []run.Step{{Did: did, Results: []run.Result{res}}, {}}}
	}
	ended := func(s run.State, why run.Why, steps ...run.Step) run.Run {
		return run.Run{State: s, Steps: steps, Outcome: run.Outcome{Why: why}}
	}
	did := run.Step{Did: []run.Deed{{}}}
	for name, tt := range map[string]struct {
		run  run.Run
		want bool
	}{
		"the model is away":                        {ended(run.Suspended, run.ModelGone), true},
		"the model is away, after a write":         {ended(run.Suspended, run.ModelGone, did), true}, // it goes on, and begins nothing anew
		"too many rounds":                          {ended(run.Suspended, run.TooLong), false},
		"nobody has decided":                       {ended(run.Suspended, run.Expired), false},
		"busy":                                     {ended(run.Failed, run.Busy), true},
		"busy, after a write":                      {ended(run.Failed, run.Busy, did), false},
		"refused":                                  {ended(run.Failed, run.Refused), false},
		"a source cannot be reached":               {failed(tool.NetworkError), true},
		"a source asks to wait":                    {failed(tool.RateError), true},
		"a source cannot be reached, but a write":  {failed(tool.NetworkError, run.Deed{}), false},
		"a wrong argument":                         {failed(tool.InputError), false},
		"nothing was posted, and nothing was away": {ended(run.Done, ""), false},
	} {
		if got := mayPass(tt.run); got != tt.want {
			t.Errorf("%s: tried again %v, want %v", name, got, tt.want)
		}
	}
}
