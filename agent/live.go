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

	telling telling
	scene   scene
	system  string // that of the scene
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

// toldOf returns what the model of a Run at work was told of the tools.
func (l *live) toldOf(key string) telling {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.runs[key]; m != nil {
		return m.telling
	}
	return telling{}
}

// tells notes what the model of a Run at work is told of the tools.
func (l *live) tells(key string, t telling) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.runs[key]; m != nil {
		m.telling = t
	}
}

// systemOf returns the system prompt that was written for a Run at work, if it is of
// that scene.
func (l *live) systemOf(key string, s scene) (string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.runs[key]
	if m == nil || m.system == "" || m.scene != s {
		return "", false
	}
	return m.system, true
}

// writes notes the system prompt of a Run at work.
func (l *live) writes(key string, s scene, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.runs[key]; m != nil {
		m.scene, m.system = s, text
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
