package agent

import (
	"errors"
	"slices"
	"sync"
	"time"

	"hermes/agent/decision"
	"hermes/agent/llm"
	"hermes/agent/run"
)

// rest is how long a model that has failed is not asked: long enough that a dead
// endpoint is not paid for with every message, short enough that people notice its
// return.
const rest = 30 * time.Second

// A Member is one of the models that do the work.
type Member struct {
	Model llm.Model
	// Form is how it is told to decide: by its own tool calls, or in text.
	Form decision.Form
	// Rules is set for the built-in rules. They read values and no prose, and go
	// on with nobody else's work, nor does anybody with theirs.
	Rules bool
}

// Models are those that do the work, the first first; while one is not to be had
// the next takes over.
type Models struct {
	members []Member
	now     func() time.Time

	mu   sync.Mutex
	down map[string]time.Time // a model is not asked before
}

// NewModels returns Models. There must be one at least.
func NewModels(now func() time.Time, members ...Member) *Models {
	return &Models{members: members, now: now, down: map[string]time.Time{}}
}

var errNoModel = errors.New("no model that could go on with this run is to be had")

// pick returns who does the next step of a Run: the one that did the last, if it is
// to be had.
func (m *Models) pick(r run.Run) (Member, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	resting := func(x Member) bool { return m.now().Before(m.down[x.Model.Name()]) }
	i := slices.IndexFunc(m.members, func(x Member) bool { return x.Model.Name() == r.Model })
	if i >= 0 && (m.members[i].Rules || !resting(m.members[i])) {
		return m.members[i], nil
	}
	fits := func(x Member) bool { return len(r.Steps) == 0 || !x.Rules }
	for _, x := range m.members {
		if fits(x) && !resting(x) {
			return x, nil
		}
	}
	// All rest: the one that was at it is tried rather than nobody.
	switch {
	case i >= 0:
		return m.members[i], nil
	case len(r.Steps) == 0:
		return m.members[0], nil
	}
	return Member{}, errNoModel
}

// failed notes that a model has failed and reports whether another can take over
// the Run.
func (m *Models) failed(who Member, r run.Run) bool {
	m.mu.Lock()
	m.down[who.Model.Name()] = m.now().Add(rest)
	m.mu.Unlock()
	if who.Rules {
		return false
	}
	next, err := m.pick(r)
	return err == nil && next.Model.Name() != who.Model.Name()
}

// rules reports whether a model is the built-in rules.
func (m *Models) rules(name string) bool {
	return slices.ContainsFunc(m.members, func(x Member) bool { return x.Rules && x.Model.Name() == name })
}
