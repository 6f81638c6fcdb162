package agent

import (
	"encoding/json"
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

// often is after how many failures in a row a model rests that may be well.
const often = 3

// A Member is one of the models that do the work.
type Member struct {
	Model llm.Model
	// Form is how it is told to decide: by its own tool calls, or in text.
	Form decision.Form
	// Rules is set for the built-in rules. They read values and no prose, and go
	// on with nobody else's work, nor does anybody with theirs.
	Rules bool
	// Revise returns the arguments of a call as a person wants them who was asked to
	// approve it, and false for a wish that the model could not follow: then they are
	// told so before anything is settled. nil: the model is left to see.
	Revise func(c llm.Call, wish string, at time.Time, lang string) (json.RawMessage, bool)
	// Price adds to a Usage what it costs; nil: nobody knows.
	Price func(llm.Usage) llm.Usage
}

// Models are those that do the work, the first first; while one is not to be had
// the next takes over.
type Models struct {
	members []Member
	now     func() time.Time

	mu   sync.Mutex
	down map[string]time.Time // a model is not asked before
	row  map[string]int       // how often in a row it has failed
	why  map[string]run.Why   // why the last call of one that is down has failed
}

// NewModels returns Models. There must be one at least.
func NewModels(now func() time.Time, members ...Member) *Models {
	return &Models{members: members, now: now, down: map[string]time.Time{}, row: map[string]int{}, why: map[string]run.Why{}}
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

// revising is what a model says of wishes for changes; nil if it has nothing to say.
func (m *Models) revising(name string) func(llm.Call, string, time.Time, string) (json.RawMessage, bool) {
	for _, x := range m.members {
		if x.Model.Name() == name {
			return x.Revise
		}
	}
	return nil
}

// failed notes that a model has failed and returns who takes over the Run, if
// anybody can. A model that is busy or does not let us in is not asked for a while;
// any other trouble may be of this one Run alone, until it comes often in a row. What
// is too long is the Run's own.
func (m *Models) failed(who Member, r run.Run, cause error) (Member, bool) {
	name := who.Model.Name()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.why[name] = reasonOf(cause)
	switch {
	case errors.Is(cause, llm.ErrTooLong), errors.Is(cause, llm.ErrRefused):
	case errors.Is(cause, llm.ErrBusy) && !errors.Is(cause, llm.ErrSlow) && !errors.Is(cause, llm.ErrCut), errors.Is(cause, llm.ErrRejected):
		m.down[name] = m.now().Add(rest)
	default:
		if m.row[name]++; m.row[name] >= often {
			m.down[name] = m.now().Add(rest)
		}
	}
	i := slices.IndexFunc(m.members, func(x Member) bool { return x.Model.Name() == name })
	for _, x := range m.members[i+1:] {
		if (len(r.Steps) == 0 || !x.Rules) && !who.Rules && !m.now().Before(m.down[x.Model.Name()]) {
			return x, true
		}
	}
	return Member{}, false
}

// instead is why the first model is not asked: what it has failed of last.
func (m *Models) instead() run.Why {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.why[m.members[0].Model.Name()]
}

// reasonOf is what a model's failure is to people.
func reasonOf(cause error) run.Why {
	switch {
	case errors.Is(cause, llm.ErrRejected), errors.Is(cause, llm.ErrUnfit):
		return run.Misset
	case errors.Is(cause, llm.ErrRefused):
		return run.Declined
	case errors.Is(cause, llm.ErrTooLong):
		return run.TooBig
	}
	return run.ModelGone
}

// well notes that a model has answered.
func (m *Models) well(who Member) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.row, who.Model.Name())
	delete(m.why, who.Model.Name())
}

// none reports whether no language model is set up at all.
func (m *Models) none() bool {
	return !slices.ContainsFunc(m.members, func(x Member) bool { return !x.Rules })
}

// rules reports whether a model is the built-in rules.
func (m *Models) rules(name string) bool {
	return slices.ContainsFunc(m.members, func(x Member) bool { return x.Rules && x.Model.Name() == name })
}
