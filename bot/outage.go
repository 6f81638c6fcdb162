package bot

import (
	"sync"

	"hermes/agent/run"
)

// An outage remembers where people have been told why the language model does not
// answer: once in each place, until it answers again, or for another reason. What it
// would not answer alone is told of each time. Its zero value is ready for
// use. It is no more than a courtesy, so a restart may tell once more.
type outage struct {
	mu     sync.Mutex
	places map[Place]run.Why
	runs   map[string]string // by key: the Post that told it, or empty
}

// mostRuns is how many are remembered before it begins anew.
const mostRuns = 10_000

// tells reports whether a Post of a Run that the rules have answered is the one to
// tell of it. Asked again about that Post it says the same.
func (o *outage) tells(place Place, runKey, post string, why run.Why) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if told, ok := o.runs[runKey]; ok {
		return told == post
	}
	if o.runs == nil || len(o.runs) >= mostRuns {
		o.runs, o.places = map[string]string{}, map[Place]run.Why{}
	}
	o.runs[runKey] = ""
	if why != run.Declined && why != run.TooBig {
		if last, told := o.places[place]; told && last == why {
			return false
		}
		o.places[place] = why
	}
	o.runs[runKey] = post
	return true
}

// over notes that the model has answered.
func (o *outage) over() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.places)
}
