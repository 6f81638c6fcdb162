package trace_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/internal/trace"
)

// LOOP-01, TOOL-16 A run is an init, then four phases a round, each once however
// often a state is seen, with how long it took; an act has status, data and error.
func TestLOOP01EachPhaseIsOneLine(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)
	l, err := trace.Open(dir, func() time.Time { return now }, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := run.Run{Request: run.Request{Key: "k", Text: "sales?"}, State: run.Working}
	see := func(move func(run.Run) run.Run) {
		t.Helper()
		r = move(r)
		for range 2 {
			if err := l.Saved(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		r.Version++
	}
	see(func(r run.Run) run.Run { return r })
	see(func(r run.Run) run.Run {
		return r.Heard(llm.Reply{Message: llm.Message{Calls: []llm.Call{{Name: "a"}, {Name: "b"}}}}, now, 0)
	})
	see(func(r run.Run) run.Run { return r.With(run.Result{Result: llm.Result{ID: "s1c1", Text: "1"}}) })
	see(func(r run.Run) run.Run {
		return r.With(run.Result{Result: llm.Result{ID: "s1c2", Text: "2", Failed: true}})
	})
	see(func(r run.Run) run.Run { return r.Heard(llm.Reply{Message: llm.Message{Text: "three"}}, now, 0) })
	see(func(r run.Run) run.Run { return r.End(run.Done, "three", "") })

	name := filepath.Join(dir, "2026-11-30.jsonl")
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode = %v, want 0600", info.Mode())
	}
	var got []string
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var line trace.Line
		if err := json.Unmarshal(s.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		what := line.Event
		if line.Act != nil {
			what += " " + line.Act.Status + " " + line.Act.Data
			for _, key := range []string{`"status":`, `"data":`, `"error":`} {
				if !strings.Contains(s.Text(), key) {
					t.Errorf("%s has no %s", s.Text(), key)
				}
			}
		}
		if !strings.Contains(s.Text(), `"ms":`) {
			t.Errorf("%s does not say how long it took", s.Text())
		}
		if line.New != nil {
			what += fmt.Sprint(" new ", *line.New)
		}
		got = append(got, what)
	}
	want := []string{
		"init", "perceive", "decide", "act ok 1", "act error 2", "observe new true", "perceive", "decide", "observe new false", "ended",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines differ (-want +got):\n%s", diff)
	}
}

// After a restart a run that goes on is written from its current step on.
func TestARunThatGoesOnIsWrittenFromItsLastStep(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)
	l, err := trace.Open(dir, func() time.Time { return now }, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := run.Run{Request: run.Request{Key: "k"}, State: run.Working}
	r = r.Heard(llm.Reply{Message: llm.Message{Calls: []llm.Call{{ID: "a", Name: "old"}}}}, now, 0).With(run.Result{Result: llm.Result{ID: "a"}})
	r = r.Heard(llm.Reply{Message: llm.Message{Calls: []llm.Call{{ID: "b", Name: "new"}}}}, now, 0).With(run.Result{Result: llm.Result{ID: "b"}})
	if err := l.Saved(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "2026-11-30.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(text), "\n"); got != 4 || strings.Contains(string(text), `"old"`) {
		t.Errorf("%d lines, want the 4 of the last round:\n%s", got, text)
	}
}
