package router_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"hermes/router"
	"hermes/router/train"
)

func read(t *testing.T, name string) []train.Line {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := train.Read(name, f)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// Lines of another hand than the training's, in English, Chinese and both (ROUT-06):
// what people write whom nobody has trained for.
func TestHeldOutLines(t *testing.T) {
	r := router.New(router.Config{}, nil)
	by := map[string][]train.Line{}
	for _, l := range read(t, "heldout.jsonl") {
		by["all"] = append(by["all"], l)
		by[l.Lang] = append(by[l.Lang], l)
	}
	for _, lang := range []string{"all", "en", "zh", "mixed"} {
		s := train.ScoreOf(t.Context(), r, by[lang])
		t.Logf("%-5s %3d lines: %s", lang, len(by[lang]), s)
		if s.F1() < 0.90 {
			t.Errorf("%s: macro-F1 %.3f, want at least 0.90", lang, s.F1())
		}
	}
}

// None of the held out lines is among those that train, nor is a task of the test.
func TestTrainingHasNotSeenTheTests(t *testing.T) {
	trained := map[string]bool{}
	for _, l := range train.Own() {
		trained[l.Text] = true
	}
	both := 0
	for _, name := range []string{"heldout.jsonl", "tasks.jsonl"} {
		for _, l := range read(t, name) {
			if trained[l.Text] {
				both++
				t.Logf("%s: %q is trained with", name, l.Text)
			}
		}
	}
	if most := 20; both > most { // some things are said in one way
		t.Errorf("%d lines are in both, want at most %d", both, most)
	}
}

// H-03: no task of 500 is lost. What is taken for a question gets the same tools.
func TestNoTaskIsLost(t *testing.T) {
	var all []string
	for _, name := range []string{"heldout.jsonl", "tasks.jsonl"} {
		for _, l := range read(t, name) {
			if l.Label == router.Task {
				all = append(all, l.Text)
			}
		}
	}
	for _, name := range []string{"ask", "ask_blind", "ask_blind2", "ask_blind3"} {
		b, err := os.ReadFile("../agent/llm/rules/testdata/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for s := bufio.NewScanner(bytes.NewReader(b)); s.Scan(); {
			var row struct {
				Text           string
				Calls, Missing []json.RawMessage
				Unclaimed      bool
			}
			if err := json.Unmarshal(s.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			if len(row.Calls)+len(row.Missing) > 0 || row.Unclaimed {
				all = append(all, row.Text)
			}
		}
	}
	if len(all) < 500 {
		t.Fatalf("%d tasks, want 500", len(all))
	}
	r := router.New(router.Config{}, nil)
	asked := 0
	for _, text := range all {
		switch d := r.Route(t.Context(), router.Message{Text: text, Addressed: true}); d.Kind {
		case router.Question:
			asked++
		case router.Task:
		default:
			t.Errorf("Route(%q) = %+v: it is lost", text, d)
		}
	}
	t.Logf("%d tasks: none lost, %d taken for questions", len(all), asked)
}
