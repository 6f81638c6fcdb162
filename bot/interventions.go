package bot

import (
	"cmp"
	"slices"
	"time"
)

// Interventions are how often people had to come in, and why. They are counted from what
// is kept of the work anyway: questions with their answers, what was noted on runs, and
// the results of calls.
type Interventions struct {
	From time.Time      `json:"from"`
	Runs int            `json:"runs"` // more than small talk
	With int            `json:"with"` // those in which somebody came in at least once
	Rows []Intervention `json:"rows"` // the newest week first
	// Often is what people have approved again and again in the last seven days.
	Often []Often `json:"often"`
}

// Share is the share of runs in which somebody came in.
func (x Interventions) Share() float64 {
	if x.Runs == 0 {
		return 0
	}
	return float64(x.With) / float64(x.Runs)
}

// Causes adds the rows up, the most frequent Cause first; of a tie as Causes has them.
func (x Interventions) Causes() []Intervention {
	var all []Intervention
	for _, c := range Causes() {
		sum := Intervention{Cause: c}
		for _, r := range x.Rows {
			if r.Cause == c {
				sum.N += r.N
			}
		}
		if sum.N > 0 {
			all = append(all, sum)
		}
	}
	slices.SortStableFunc(all, func(a, b Intervention) int { return cmp.Compare(b.N, a.N) })
	return all
}

// An Intervention is how often people came in for one Cause in one week.
type Intervention struct {
	Week  string `json:"week"` // its Monday
	Tool  string `json:"tool"` // empty: none in particular
	Cause Cause  `json:"cause"`
	N     int    `json:"n"`
}

// A Cause is why somebody had to come in.
type Cause string

// The causes.
const (
	FirstApproval Cause = "first approval"   // the first of a run
	MoreApproval  Cause = "further approval" // any later one
	EditedBy      Cause = "edit"             // approved with other arguments
	AskedChanges  Cause = "ask for changes"
	DeniedBy      Cause = "deny"
	Unanswered    Cause = "no answer" // nobody decided in time
	AskedPerson   Cause = "question"  // a tool asked something that was answered
	StoppedBy     Cause = "stop"
	ContinuedBy   Cause = "continue"
	GivenUp       Cause = "abandon"
	Steered       Cause = "steer"          // said to a run under way
	FailedRetries Cause = "failed retries" // a call failed for good after more than one try
)

// Causes are all of them.
func Causes() []Cause {
	return []Cause{
		FirstApproval, MoreApproval, EditedBy, AskedChanges, DeniedBy, Unanswered, AskedPerson, StoppedBy, ContinuedBy, GivenUp, Steered, FailedRetries,
	}
}

// ByPerson reports whether somebody came in for a Cause: where nobody answered, or a call
// failed, somebody should have.
func (c Cause) ByPerson() bool { return c != Unanswered && c != FailedRetries }

// An Often is what one person has approved so many times.
type Often struct {
	Person string `json:"person"`
	Tool   string `json:"tool"`
	What   string `json:"what"` // what it acts on, as people know it
	N      int    `json:"n"`
}
