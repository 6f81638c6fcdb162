// Package trace writes what runs do into files for people and programs outside:
// one JSON object a line, one file a day. The store has the same and is what
// `hermes trace` reads.
//
// What a newcomer would break: a trace holds what models and tools said, so its
// files are for the owner of the data alone; the program's own log holds none of
// it.
package trace

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"hermes/agent/run"
)

// A Log writes runs into a folder. It is safe for concurrent use.
type Log struct {
	dir string
	now func() time.Time

	mu   sync.Mutex
	seen map[string]state
}

// most is how many runs are remembered; ended ones are forgotten beyond it. One
// forgotten may be written again, which harms nobody.
const most = 4096

// A state is how much of a run has been written.
type state struct {
	steps, results int
	version        int64
	ended          bool
}

// Open returns a Log that writes into a folder, which it makes.
func Open(dir string, now func() time.Time) (*Log, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	return &Log{dir: dir, now: now, seen: map[string]state{}}, nil
}

// A Line is one line of a file.
type Line struct {
	At    time.Time   `json:"at"`
	Trace string      `json:"trace"`
	Run   string      `json:"run"`
	Event string      `json:"event"` // begun, step, result, ended, state
	State run.State   `json:"state"`
	Home  string      `json:"home,omitempty"`
	Asker string      `json:"asker,omitempty"`
	Text  string      `json:"text,omitempty"` // of what was asked, or answered
	Why   run.Why     `json:"why,omitempty"`
	N     int         `json:"n,omitempty"` // of the step, from 1
	Step  *run.Step   `json:"step,omitempty"`
	Done  *run.Result `json:"result,omitempty"`
}

// Saved writes what is new of a run since it was last seen. After a restart a run
// that goes on is written from its current step on.
func (l *Log) Saved(_ context.Context, r run.Run) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := l.news(r)
	if len(lines) == 0 {
		return nil
	}
	name := filepath.Join(l.dir, l.now().UTC().Format(time.DateOnly)+".jsonl")
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	var text []byte
	for _, line := range lines {
		b, err := json.Marshal(line)
		if err != nil {
			return fmt.Errorf("trace %s: %w", r.Key, err)
		}
		text = append(append(text, b...), '\n')
	}
	// One write, so that lines of several processes do not run into each other.
	if _, err := f.Write(text); err != nil {
		_ = f.Close() // the write's error says more
		return fmt.Errorf("trace %s: %w", r.Key, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("trace %s: %w", r.Key, err)
	}
	return nil
}

// news returns the lines of a run that have not been written, and remembers them.
func (l *Log) news(r run.Run) []Line {
	line := func(event string) Line {
		return Line{At: l.now().UTC(), Trace: r.Trace(), Run: r.Key, Event: event, State: r.State}
	}
	was, known := l.seen[r.Key]
	if known && was.version == r.Version {
		return nil
	}
	var lines []Line
	if !known && len(r.Steps) == 0 {
		begun := line("begun")
		begun.Home, begun.Asker, begun.Text = r.Home, r.Asker, r.Text
		lines = append(lines, begun)
	}
	if !known && len(r.Steps) > 0 {
		was.steps = len(r.Steps) - 1
	}
	for n := max(was.steps, 1); n <= len(r.Steps); n++ {
		s := r.Steps[n-1]
		if n > was.steps {
			step := line("step")
			bare := s
			bare.Results = nil
			step.N, step.Step = n, &bare
			lines = append(lines, step)
			was.results = 0
		}
		for ; was.results < len(s.Results); was.results++ {
			done := line("result")
			done.N, done.Done = n, &s.Results[was.results]
			lines = append(lines, done)
		}
	}
	switch {
	case r.Ended():
		ended := line("ended")
		ended.Text, ended.Why = r.Outcome.Text, r.Outcome.Why
		lines = append(lines, ended)
	case r.State != run.Working:
		lines = append(lines, line("state"))
	}
	if len(l.seen) >= most {
		maps.DeleteFunc(l.seen, func(_ string, s state) bool { return s.ended })
	}
	l.seen[r.Key] = state{len(r.Steps), was.results, r.Version, r.Ended()}
	return lines
}
