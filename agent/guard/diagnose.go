package guard

import (
	"strings"

	"hermes/agent/run"
)

// A Cause is why a Run went round without an end, as far as rules can tell.
type Cause string

// The causes, in the order in which they are looked for.
const (
	NoCause      Cause = ""               // it did not
	LostContext  Cause = "lost_context"   // what it had found was no longer told
	PoorResults  Cause = "poor_results"   // what it asked again was empty, failed or cut
	NoFinishRule Cause = "no_finish_rule" // its prompt does not say when to end
	BadCalls     Cause = "bad_calls"      // it wrote nothing that could be run or read
	WeakModel    Cause = "weak_model"     // it was told that the call is done, and made it again
	NoGoalCheck  Cause = "no_goal_check"  // it found something new each time and never compared it with the request
)

// Loose marks the version of a prompt that does not say when to end.
const Loose = "-loose"

// Diagnose says why a Run ended at a guard instead of with its answer.
func Diagnose(r run.Run) Cause {
	if r.State == run.Done && r.Outcome.Why == "" {
		return NoCause
	}
	if inARow(withoutClosing(r), misfit) >= 2 {
		return BadCalls
	}
	switch r.Outcome.Why {
	case run.InCircle, run.Stalled, run.TooLong, run.OverBudget, run.TimeUp:
	default:
		return NoCause
	}
	var repeated, poor, told, gained int
	seen := map[string]run.Result{}
	for _, s := range r.Steps {
		if s.Gained() {
			gained++
		}
		for c, res := range s.Pairs() {
			sig := run.Likeness(c)
			first, again := seen[sig]
			switch {
			case !again:
				seen[sig] = res
				continue
			case isPoor(first):
				poor++
			}
			repeated++
			if res.Unrun == run.Repeated {
				told++
			}
		}
	}
	switch {
	case r.Short > 0:
		return LostContext
	case poor > 0:
		return PoorResults
	case strings.Contains(r.Contract, Loose):
		return NoFinishRule
	case told > 0 || repeated > 0:
		return WeakModel
	case gained > 0:
		return NoGoalCheck
	default:
		return PoorResults
	}
}

// isPoor reports whether a result leaves a model in doubt.
func isPoor(res run.Result) bool {
	text := strings.TrimSpace(res.Text)
	return res.Failed || res.Kept != "" || text == "" || text == "[]" || text == "{}" || text == "null"
}

func withoutClosing(r run.Run) []run.Step {
	steps := r.Steps
	for len(steps) > 0 && (steps[len(steps)-1].Closing || r.Outcome.Why == run.InCircle && ended(steps[len(steps)-1])) {
		steps = steps[:len(steps)-1]
	}
	return steps
}

// ended reports whether a step's calls were not run because the run came to an end.
func ended(s run.Step) bool {
	for _, res := range s.Results {
		if res.Unrun != run.Ended {
			return false
		}
	}
	return len(s.Results) > 0
}
