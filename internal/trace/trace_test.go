package trace_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/internal/trace"
)

// Each step and each result is one line, once, however often a state is seen.
func TestEachStepIsOneLine(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)
	l, err := trace.Open(dir, func() time.Time { return now })
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
	see(func(r run.Run) run.Run { return r.With(run.Result{Result: llm.Result{ID: "s1c2", Text: "2"}}) })
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
		if line.Done != nil {
			what += " " + line.Done.Text
		}
		got = append(got, what)
	}
	want := []string{"begun", "step", "result 1", "result 2", "step", "ended"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines differ (-want +got):\n%s", diff)
	}
}
