package agent

import (
	"context"
	"errors"
	"sync"
	"time"

	"hermes/agent/llm"
)

// errStopped is why the context of a move ends when a person stops its Run.
var errStopped = errors.New("stopped by a person")

// live are the Runs that this process is working on, so that a stop reaches what is
// under way. One that another process works on stops before its next move.
type live struct {
	mu   sync.Mutex
	runs map[string]*moving
	said map[string]string // by key of the Run: the answer that people see being written
}

// A moving is a Run at work. It is held while a Write runs: what may have an effect
// is waited for, not cut off.
type moving struct {
	cancel context.CancelCauseFunc
	held   bool
	facts  []llm.Fact // as they were recalled last
	until  time.Time  // for so long they hold
}

// recalled returns what was recalled for a Run, if that still holds.
func (l *live) recalled(key string, now time.Time) ([]llm.Fact, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.runs[key]
	if m == nil || !now.Before(m.until) {
		return nil, false
	}
	return m.facts, true
}

// recalls notes what was recalled for a Run at work; until in the past takes it back.
func (l *live) recalls(key string, facts []llm.Fact, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.runs[key]; m != nil {
		m.facts, m.until = facts, until
	}
}

// begin returns the context for the next moves of a Run, and what ends it.
func (l *live) begin(ctx context.Context, key string) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	m := &moving{cancel: cancel}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.runs == nil {
		l.runs = map[string]*moving{}
	}
	l.runs[key] = m
	return ctx, func() {
		cancel(nil)
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.runs[key] == m {
			delete(l.runs, key)
		}
	}
}

// stop cuts off what a Run is at.
func (l *live) stop(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.runs[key]; m != nil && !m.held {
		m.cancel(errStopped)
	}
}

// hold keeps a Run from being cut off until the function that it returns is called.
// It reports false if it has been already.
func (l *live) hold(ctx context.Context, key string) (func(), bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ctx.Err() != nil {
		return func() {}, false
	}
	m := l.runs[key]
	if m == nil {
		return func() {}, true
	}
	m.held = true
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		m.held = false
	}, true
}

// says notes what has come of an answer that people see being written; nothing takes it
// back.
func (l *live) says(key, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if text == "" {
		delete(l.said, key)
		return
	}
	if l.said == nil {
		l.said = map[string]string{}
	}
	l.said[key] = text
}

// written returns what has come of an answer that is not at its end.
func (l *live) written(key string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return inWords(l.said[key])
}
