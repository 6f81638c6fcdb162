package exec

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"hermes/agent/tool"
)

// A Tally is what one tool has done since the start of the program. Calls whose
// context ended are not in it.
type Tally struct {
	Tool  string
	Calls int
	// Failed are the calls that failed in the end, by type; a failed Result is an
	// InputError. Refused of them were not tried at all.
	Failed   map[tool.ErrorType]int
	Refused  int
	Tries    int
	Timeouts int // of Tries
	// P50 and P95 are how long a try takes: half of the last 128 took no longer,
	// and 95 of a hundred. One that was left took as long as it was waited for.
	P50, P95 time.Duration
	Resting  time.Duration // how much longer its circuit is open; 0: it is not

	late float64
}

// Slow returns the Tallies of all tools, the worst first: the tool that was late
// with most of its last tries, and of two such the one whose P95 is longer.
func (e *Executor) Slow() []Tally {
	e.mu.Lock()
	all := make([]Tally, 0, len(e.meters))
	rings := make([][]sample, 0, len(e.meters))
	for name, m := range e.meters {
		all = append(all, Tally{
			Tool: name, Calls: m.calls, Failed: maps.Clone(m.failed), Refused: m.refused,
			Tries: m.tries, Timeouts: m.timeouts, Resting: max(time.Until(m.until), 0),
		})
		rings = append(rings, slices.Clone(m.ring[:min(m.tries, recent)]))
	}
	e.mu.Unlock()
	for i := range all {
		all[i].measure(rings[i])
	}
	slices.SortFunc(all, func(a, b Tally) int {
		return cmp.Or(cmp.Compare(b.late, a.late), cmp.Compare(b.P95, a.P95), cmp.Compare(a.Tool, b.Tool))
	})
	return all
}

// measure works out what the last tries say.
func (t *Tally) measure(tries []sample) {
	n := len(tries)
	if n == 0 {
		return
	}
	late := 0
	for _, s := range tries {
		if s.late {
			late++
		}
	}
	// Four tries in time are added to each, so that one bad try of a new tool is
	// not worse than many of an old one.
	t.late = float64(late) / float64(n+4)
	slices.SortFunc(tries, func(a, b sample) int { return cmp.Compare(a.took, b.took) })
	nearest := func(share float64) time.Duration { return tries[int(math.Ceil(share*float64(n)))-1].took }
	t.P50, t.P95 = nearest(0.50), nearest(0.95)
}
