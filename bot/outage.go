package bot

import "sync"

// An outage remembers where people have been told that the language model does not
// answer: once in each place, until it answers again. Its zero value is ready for
// use. It is no more than a courtesy, so a restart may tell once more.
type outage struct {
	mu     sync.Mutex
	places map[Place]bool
	runs   map[string]string // by key: the Post that told it, or empty
}

// mostRuns is how many are remembered before it begins anew.
const mostRuns = 10_000

// tells reports whether a Post of a Run that the rules have answered is the one to
// tell of it. Asked again about that Post it says the same.
func (o *outage) tells(place Place, runKey, post string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if told, ok := o.runs[runKey]; ok {
		return told == post
	}
	if o.runs == nil || len(o.runs) >= mostRuns {
		o.runs, o.places = map[string]string{}, map[Place]bool{}
	}
	o.runs[runKey] = ""
	if o.places[place] {
		return false
	}
	o.places[place], o.runs[runKey] = true, post
	return true
}

// over notes that the model has answered.
func (o *outage) over() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.places)
}
