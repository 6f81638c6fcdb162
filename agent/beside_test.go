package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/result"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/agent/tool/section"
	"hermes/agent/tool/takeback"
)

func ask(t *testing.T, g *rig, r run.Request) run.Outcome {
	t.Helper()
	out, err := g.Start(t.Context(), r, func(context.Context, run.Run) error { return nil })
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	return out
}

var notes = run.File{Name: "notes.txt", Sort: run.PlainText, Artifact: "a000000000001", Extract: "Rent is 4711.", Chars: 9000, Lines: 9}

// S12, issue 4: what others said and what came along stand before the request and
// after the turns; the tool that reads on is told with a file that has more to read.
func TestS12WhatStandsBesideIsReadBeforeTheRequest(t *testing.T) {
	g := newRig(t, []tool.Tool{section.New(&shelf{}, result.Open, nil), takeback.New(nil)}, says("The rent is 4711."), says("fine"))
	g.store.Say(home, noon.Add(-time.Hour), run.Turn{Role: llm.User, Text: "an earlier turn"})
	r := request("k1")
	r.Files, r.Heard = []run.File{notes}, []run.Line{{Name: "Bo", Text: "the lift is broken"}}
	out := ask(t, g, r)
	got := g.last()
	at := func(s string) int { return strings.Index(got, s) }
	if order := []int{at("an earlier turn"), at("Bo: the lift is broken"), at("Rent is 4711."), at("sales to #sales")}; order[0] < 0 || !slices.IsSorted(order) {
		t.Errorf("places %v in:\n%s", order, got)
	}
	heard := g.script.Heard()
	if tools := heard[0].Tools; len(tools) != 1 || tools[0].Name != section.Name {
		t.Errorf("told of %+v, want the tool that reads on and no other", tools)
	}
	if strings.Contains(heard[0].System, "4711") || strings.Contains(heard[0].System, "lift") {
		t.Error("what others wrote stands in the system prompt")
	}
	if len(out.Unproven) > 0 {
		t.Errorf("a number of the file is called unproven: %v", out.Unproven)
	}
	// The next request of the same person finds the file again; one of another does not.
	next := request("k2")
	next.Now = noon.Add(time.Hour)
	ask(t, g, next)
	if got := g.last(); !strings.Contains(got, "of an earlier request") || !strings.Contains(got, "notes.txt") {
		t.Errorf("the file is forgotten:\n%s", got)
	}
}

// Issue 4: files of before belong to who brought them, and are forgotten after a day.
func TestFilesOfBefore(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*run.Request)
		want   bool
	}{
		"of the same person":   {func(*run.Request) {}, true},
		"of somebody else":     {func(r *run.Request) { r.Asker = lee }, false},
		"elsewhere":            {func(r *run.Request) { r.Home = "slack/T/C2/9" }, false},
		"two days later":       {func(r *run.Request) { r.Now = r.Now.AddDate(0, 0, 2) }, false},
		"with a file of today": {func(r *run.Request) { r.Files = []run.File{{Name: "new.txt", Extract: "new"}} }, false},
		"in a slot":            {func(r *run.Request) { r.Job = "j1" }, false},
		"in small talk":        {func(r *run.Request) { r.Light, r.NoTools = true, true }, false},
	} {
		g := newRig(t, nil, says("one"), says("two"))
		first := request("k1")
		first.Files = []run.File{notes, {Name: "scan.pdf", Why: run.NoText}}
		if out := ask(t, g, first); len(out.Unread) != 1 || out.Unread[0].Name != "scan.pdf" {
			t.Errorf("%s: unread %+v, want the scan", name, out.Unread)
		}
		next := request("k2")
		next.Now = next.Now.Add(time.Minute)
		tt.change(&next)
		out := ask(t, g, next)
		if got := strings.Contains(g.last(), "notes.txt"); got != tt.want || len(out.Unread) > 0 {
			t.Errorf("%s: told of the file %t, want %t; unread %+v", name, got, tt.want, out.Unread)
		}
	}
}

// Issue 4: the tool that takes back is told to who speaks of it, and to nobody else.
func TestTakeBackIsToldWhereItIsWanted(t *testing.T) {
	for text, want := range map[string]bool{"take that back": true, "把刚才那条删掉": true, "sales last month": false} {
		g := newRig(t, []tool.Tool{takeback.New(nil)}, says("ok"))
		r := request("k")
		r.Text = text
		ask(t, g, r)
		if got := len(g.script.Heard()[0].Tools) == 1; got != want {
			t.Errorf("%q: told %t, want %t", text, got, want)
		}
	}
}
