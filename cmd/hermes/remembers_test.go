package main

import (
	"strings"
	"testing"
	"time"

	"hermes/agent/run"
	"hermes/memory"
)

// What a run is told of what is remembered: labelled, what is for this once before what is
// kept, and nothing that is over.
func TestWhatARunIsTold(t *testing.T) {
	t.Parallel()
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), atOnce)
	mem, working := memory.New(in.db.Facts(), in.time), memory.NewWorking(in.time)
	alone := memory.Audience{Kind: memory.ForUser, ID: anaInDemo}
	for _, f := range []memory.Fact{
		{Predicate: memory.PrefersFormat, Object: "xlsx", Source: "m1", Kind: memory.Stated},
		{Predicate: "previews", Object: "reports before they are posted", Source: "m2", Kind: memory.Inferred, Confidence: 0.7, Evidence: []string{"m0", "m1"}},
	} {
		f.Subject, f.Text, f.By, f.Audience, f.Said = anaInDemo, f.Object, anaInDemo, alone, in.time()
		if _, err := mem.Remember(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	home := room("dm-ana", "").String()
	if err := working.Hold(memory.Fact{Subject: anaInDemo, Predicate: memory.PrefersFormat, Object: "PDF", By: anaInDemo, Place: home, Said: in.time()}); err != nil {
		t.Fatal(err)
	}
	told := func() string {
		facts, err := recaller{mem, working, in.see, in.time, nil}.Recall(t.Context(), run.Request{Asker: anaInDemo, Home: home, Text: "post the reports"})
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, f := range facts {
			lines = append(lines, f.Predicate+" "+f.Object+" ("+f.Label+")")
		}
		return strings.Join(lines, "; ")
	}
	if got, want := told(), "prefers-format pdf (stated 2026-11-20, confidence 1); previews reports before they are posted (inferred 2026-11-20, confidence 0.7)"; got != want {
		t.Errorf("MEM-20 MEM-10 MEM-02 told %q, want %q", got, want)
	}
	working.End(home)
	if got := told(); !strings.HasPrefix(got, "prefers-format xlsx") || strings.Contains(got, "pdf") {
		t.Errorf("MEM-02 in the next session: %q", got)
	}
	if all, err := in.db.Facts().List(t.Context(), memory.Viewer{Person: anaInDemo, Direct: true}, 9); err != nil || len(all) != 2 {
		t.Errorf("MEM-02 a row is left: %v, %v", all, err)
	}
}
