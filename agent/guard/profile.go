package guard

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"hermes/agent/run"
)

// A Profile is how far a sort of task may go. A number that is 0 is no limit. A
// person who presses Continue gives it all once more.
type Profile struct {
	Name   string
	Rounds int           // replies of the model
	Time   time.Duration // of work; to wait for people and posts is none
	Tokens int           // in and out
	Nanos  int64         // billionths of a dollar

	NoGain   int // rounds in a row that bring nothing new
	Window   int // in how many rounds a call is looked for again,
	Hits     int // and how often it may stand there, less one
	Same     int // executions of one call
	SameTool int // executions of one tool
	Misfits  int // rounds in a row of which nothing could be run

	// Before names tools before which the run stops until somebody lets it go on.
	Before []string
	// Verify names a tool that must have succeeded before an answer counts.
	Verify string
	// End says that at a limit the run ends with what it has, and cannot go on.
	End bool
	// Ends are the statuses in which the run may end. At least done, cancelled
	// and failed must be among them: no rule can prevent these.
	Ends []run.Status
}

// Default is the Profile of a task; the other numbers are measured against it.
var Default = Profile{
	Name: "default", Rounds: 8, Time: 2 * time.Minute, Tokens: 60_000,
	NoGain: 2, Window: 5, Hits: 3, Same: 5, SameTool: 10, Misfits: 3,
	Ends: run.Ends(),
}

// Builtin are the Profiles that there are without any configuration.
func Builtin() []Profile {
	with := func(name string, rounds int, t time.Duration) Profile {
		p := Default
		p.Name, p.Rounds, p.Time, p.Ends = name, rounds, t, run.Ends()
		return p
	}
	return []Profile{
		with("default", 8, 2*time.Minute), with("qa", 5, 2*time.Minute), with("report", 8, 10*time.Minute),
		with("research", 20, 10*time.Minute), with("code", 20, 10*time.Minute),
	}
}

// Ceiling is the most rounds that any Profile may allow.
const Ceiling = 30

// Profiles are all that there are. The first is for what fits no other.
type Profiles []Profile

// NewProfiles returns an error for Profiles by which a run could not end.
func NewProfiles(all ...Profile) (Profiles, error) {
	var faults []error
	seen := map[string]bool{}
	for _, p := range all {
		if seen[p.Name] {
			faults = append(faults, fmt.Errorf("profile %q: there are two of that name", p.Name))
		}
		seen[p.Name] = true
		faults = append(faults, p.faults()...)
	}
	if len(all) == 0 {
		faults = append(faults, errors.New("there is no profile"))
	}
	return all, errors.Join(faults...)
}

func (p Profile) faults() []error {
	var faults []error
	bad := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("profile %q: "+format, append([]any{p.Name}, args...)...))
	}
	if p.Rounds < 1 || p.Rounds > Ceiling {
		bad("max_rounds is %d; it must be 1 to %d", p.Rounds, Ceiling)
	}
	if p.Time <= 0 {
		bad("task_timeout is %s; without one nothing ends a task that hangs", p.Time)
	}
	known := append(run.Ends(), run.StatusWorking, run.StatusAwaiting)
	for _, e := range p.Ends {
		switch {
		case !slices.Contains(known, e):
			bad("there is no status %q; the ends are %v", e, run.Ends())
		case !slices.Contains(run.Ends(), e):
			bad("%q is no end; the ends are %v", e, run.Ends())
		}
	}
	for _, e := range []run.Status{run.StatusDone, run.StatusCancelled, run.StatusFailed} {
		if !slices.Contains(p.Ends, e) {
			bad("ends lacks %q, which no rule can prevent", e)
		}
	}
	if !slices.Contains(p.Ends, p.capped()) {
		bad("ends lacks %q, in which a run ends at max_rounds", p.capped())
	}
	return faults
}

// capped is the status at the most rounds.
func (p Profile) capped() run.Status {
	if p.End {
		return run.StatusPartial
	}
	return run.StatusSuspended
}

// Unfinished is how a Run ends that has an answer and not all that was asked for. It is
// never done; a profile that does not know an end with a part of it has failed.
func (p Profile) Unfinished() Verdict {
	v := Verdict{Guard: "hook", State: run.Done, Why: run.Unfinished}
	if len(p.Ends) > 0 && !slices.Contains(p.Ends, run.StatusPartial) {
		v.State = run.Failed
	}
	return v
}

// For returns the Profile of a request: the one that it names, or by what it is. One
// that is not there is the first.
func (all Profiles) For(r run.Request) Profile {
	name := r.Profile
	switch {
	case name != "":
	case r.Job != "":
		name = "report"
	case r.Intent == "question":
		name = "qa"
	}
	for _, p := range all {
		if p.Name == name {
			return p
		}
	}
	return all[0]
}
