package agent

import (
	"errors"
	"sync"
	"time"

	"hermes/agent/llm"
)

// rest is how long a model that has failed is not asked for new Runs: long enough
// that a dead endpoint is not paid for with every message, short enough that
// people notice its return.
const rest = 30 * time.Second

// Models are the model that does the work and the one that takes over for new Runs
// while the first is not to be had.
type Models struct {
	main, spare llm.Model
	now         func() time.Time

	mu   sync.Mutex
	down time.Time // main is not asked for new Runs before
}

// NewModels returns Models. spare may be nil: then nobody takes over.
func NewModels(main, spare llm.Model, now func() time.Time) *Models {
	return &Models{main: main, spare: spare, now: now}
}

var errNoModel = errors.New("the model that began this run is not configured any more")

// pick returns the model for a Run that was begun by the named one, or by none yet.
func (m *Models) pick(name string) (llm.Model, error) {
	switch {
	case name == m.main.Name():
		return m.main, nil
	case m.spare != nil && name == m.spare.Name():
		return m.spare, nil
	case name != "":
		return nil, errNoModel
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.spare != nil && m.now().Before(m.down) {
		return m.spare, nil
	}
	return m.main, nil
}

// failed notes that a model has failed, and returns who takes over for a Run that
// has yet to begin; nil if nobody does.
func (m *Models) failed(who llm.Model) llm.Model {
	if who != m.main || m.spare == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.down = m.now().Add(rest)
	return m.spare
}
