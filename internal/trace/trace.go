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
	"slices"
	"sync"
	"time"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/internal/redact"
)

// A Log writes runs into a folder. It is safe for concurrent use.
type Log struct {
	dir    string
	now    func() time.Time
	redact *redact.Redactor

	mu   sync.Mutex
	seen map[string]state
}

// most is how many runs are remembered; ended ones are forgotten beyond it. One
// forgotten may be written again, which harms nobody.
const most = 4096

// A state is how much of a run has been written.
type state struct {
	steps    int
	results  map[string]bool // of the last step
	observed bool            // the last step
	version  int64
	ended    bool
}

// Open returns a Log that writes into a folder, which it makes, what the Redactor leaves.
func Open(dir string, now func() time.Time, r *redact.Redactor) (*Log, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	return &Log{dir: dir, now: now, redact: r, seen: map[string]state{}}, nil
}

// A Line is one line of a file. A run is an init, then four events a round, each
// with how long it took, then its end:
//
//	perceive  what the model reads was gathered
//	decide    the model has said what to do
//	act       a tool has been run, once for each call: status, data and error
//	observe   what the tools said was taken in
type Line struct {
	At       time.Time  `json:"at"`
	Trace    string     `json:"trace"`
	Run      string     `json:"run"`
	Event    string     `json:"event"` // init, perceive, decide, act, observe, ended; state for any other change
	State    run.State  `json:"state"`
	MS       float64    `json:"ms"`
	N        int        `json:"n,omitempty"` // of the round, from 1
	Home     string     `json:"home,omitempty"`
	Asker    string     `json:"asker,omitempty"`
	Text     string     `json:"text,omitempty"`     // of what was asked, or answered
	Contract string     `json:"contract,omitempty"` // versions of prompt and tools
	Why      run.Why    `json:"why,omitempty"`
	Status   run.Status `json:"status,omitempty"`
	Guard    string     `json:"guard,omitempty"` // the rule that ended it
	Step     *run.Step  `json:"step,omitempty"`
	Act      *Act       `json:"act,omitempty"`
	New      *bool      `json:"new,omitempty"` // whether the round has brought anything new
	Usage    *llm.Usage `json:"usage,omitempty"`
}

// An Act is one call and what came of it. Status, Data and Error are always there.
type Act struct {
	Tool   string          `json:"tool"`
	Args   json.RawMessage `json:"args"`
	Status string          `json:"status"` // ok or error
	Data   string          `json:"data"`
	Error  *tool.Error     `json:"error"`
	Result run.Result      `json:"result"`
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
		text = append(append(text, l.redact.JSON(b)...), '\n')
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
		begun := line("init")
		begun.Home, begun.Asker, begun.Text, begun.Contract = r.Home, r.Asker, r.Text, r.Contract
		lines = append(lines, begun)
	}
	if !known && len(r.Steps) > 0 {
		was.steps, was.observed, was.results = len(r.Steps)-1, true, map[string]bool{}
		for _, s := range r.Steps[:was.steps] {
			for _, res := range s.Results {
				was.results[res.ID] = true
			}
		}
	}
	for n := max(was.steps, 1); n <= len(r.Steps); n++ {
		s := r.Steps[n-1]
		round := func(event string, d time.Duration) Line {
			l := line(event)
			l.N, l.MS = n, float64(d)/float64(time.Millisecond)
			return l
		}
		if n > was.steps {
			decide := round("decide", s.Took)
			bare := s
			bare.Results = nil
			decide.Step, decide.Usage = &bare, &s.Reply.Usage
			lines = append(lines, round("perceive", s.Began), decide)
			was.results, was.observed = map[string]bool{}, false
		}
		open := 0
		for _, c := range s.Reply.Message.Calls {
			i := slices.IndexFunc(s.Results, func(x run.Result) bool { return x.ID == c.ID })
			if i < 0 {
				open++
				continue
			}
			if res := s.Results[i]; !was.results[c.ID] {
				was.results[c.ID] = true
				act := round("act", res.Took)
				act.Act = acted(c, res)
				lines = append(lines, act)
			}
		}
		if open == 0 && !was.observed {
			was.observed = true
			observe := round("observe", s.Read)
			gained := s.Gained()
			observe.New = &gained
			lines = append(lines, observe)
		}
	}
	switch {
	case r.Ended():
		ended := line("ended")
		ended.Text, ended.Why, ended.Status, ended.Guard = r.Outcome.Text, r.Outcome.Why, r.Status(), r.Outcome.Guard
		usage := r.Usage()
		ended.Usage = &usage
		lines = append(lines, ended)
	case r.State != run.Working:
		lines = append(lines, line("state"))
	}
	if len(l.seen) >= most {
		maps.DeleteFunc(l.seen, func(_ string, s state) bool { return s.ended })
	}
	l.seen[r.Key] = state{len(r.Steps), was.results, was.observed, r.Version, r.Ended()}
	return lines
}

func acted(c llm.Call, res run.Result) *Act {
	a := &Act{Tool: c.Name, Args: c.Args, Status: "ok", Data: res.Text, Error: res.Error, Result: res}
	if !json.Valid(a.Args) {
		a.Args = nil
	}
	if res.Failed {
		a.Status = "error"
	}
	return a
}
