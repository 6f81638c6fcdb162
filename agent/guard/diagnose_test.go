package guard_test

import (
	"testing"

	"hermes/agent/guard"
	"hermes/agent/run"
)

// FAIL-01, FAIL-07 Five ways to go round without an end, each with its own cause.
func TestFAIL01Diagnose(t *testing.T) {
	ended := func(why run.Why, r run.Run) run.Run { return r.End(run.Suspended, "", why) }
	blocked := func(r run.Run) run.Run {
		r.Steps[len(r.Steps)-1].Results[0].Unrun = run.Repeated
		return r
	}
	short := made(false, "a {} x", "a {} x")
	short.Short = 1
	loose := made(false, "a {} x", "a {} x", "a {} x")
	loose.Contract = "p123" + guard.Loose + " t456"
	for name, tt := range map[string]struct {
		run  run.Run
		want guard.Cause
	}{
		"what it found was no longer told":    {ended(run.InCircle, short), guard.LostContext},
		"what it asked again was empty":       {ended(run.InCircle, made(false, "a {} []", "a {} []", "a {} []")), guard.PoorResults},
		"what it asked again had failed":      {ended(run.Stalled, made(false, "?a {} down", "?a {} down")), guard.PoorResults},
		"nothing told it when to end":         {ended(run.InCircle, loose), guard.NoFinishRule},
		"it was told and did it again":        {ended(run.InCircle, blocked(made(false, "a {} x", "a {} x"))), guard.WeakModel},
		"five identical queries of good data": {ended(run.InCircle, made(false, "a {} x", "a {} x", "a {} x", "a {} x", "a {} x")), guard.WeakModel},
		"it found more and more":              {ended(run.TooLong, made(false, `a {"n":1}`, `a {"n":2}`, `a {"n":3}`)), guard.NoGoalCheck},
		"it invented tools":                   {ended(run.Misfit, made(false, "!a", "!b", "!c")), guard.BadCalls},
		"it has its answer":                   {made(false, "a").End(run.Done, "seven", ""), guard.NoCause},
		"a person stopped it":                 {ended(run.Stopped, made(false, "a {} []", "a {} []")), guard.NoCause},
	} {
		t.Run(name, func(t *testing.T) {
			if got := guard.Diagnose(tt.run); got != tt.want {
				t.Errorf("Diagnose = %q, want %q", got, tt.want)
			}
		})
	}
}
