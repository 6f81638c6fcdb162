package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/playbook"
	"hermes/agent/prompt"
	"hermes/agent/run"
	"hermes/bot"
	"hermes/config"
	"hermes/internal/redact"
	"hermes/memory"
	"hermes/router"
	"hermes/router/train"
)

// H-03, ROUT-04: what the router saves on the published mix, counted in what a model
// would read: small talk is one request with the short prompt and no tools, all else at
// the least two with the long one and the tools. Without a router all would be of the
// second kind.
func TestH03TheRouterSavesOnThePublishedMix(t *testing.T) {
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), atOnce)
	scene := llm.Scene{Lang: "en", Now: in.time(), Zone: "UTC"}
	size := func(about prompt.About) int {
		system, err := prompt.Writer{}.System(scene, about)
		if err != nil {
			t.Fatal(err)
		}
		return len(system)
	}
	tools := 0
	for _, s := range in.tools.Specs() {
		tools += len(s.Name) + len(s.Description) + len(s.Schema)
	}
	const rounds = 2 // a call, and an answer
	f, err := os.Open("../../router/testdata/mix.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	mix, err := train.Read("mix.jsonl", f)
	if err != nil {
		t.Fatal(err)
	}
	with, without, right := 0, 0, 0
	for _, l := range mix {
		loop := rounds * (size(prompt.About{}) + tools + len(l.Text))
		without += loop
		d := in.router.Route(t.Context(), router.Message{Text: l.Text, Direct: true})
		switch {
		case d.Kind == router.Chitchat && l.Label == router.Task:
			t.Errorf("%q is lost", l.Text)
		case d.Kind == router.Chitchat:
			with += size(prompt.About{Light: true}) + len(l.Text)
		default:
			with += loop
		}
		if d.Kind == l.Label {
			right++
		}
	}
	saving := 1 - float64(with)/float64(without)
	t.Logf("%d messages, %d right: %.1f%% saved (%d of %d bytes read)", len(mix), right, 100*saving, with, without)
	if saving < 0.45 || right*100 < 95*len(mix) {
		t.Errorf("saved %.1f%% with %d of %d right, want 45%% and 95%%", 100*saving, right, len(mix))
	}
}

// A file that holds no weights, or is not there, is said with what to do.
func TestBadRouterWeightsAreSaid(t *testing.T) {
	unset(t)
	dir := t.TempDir()
	t.Chdir(dir)
	bad := filepath.Join(dir, "bad.bin")
	if err := os.WriteFile(bad, []byte("hermes router 1\nshort"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{bad: "not a file of router weights", filepath.Join(dir, "gone"): "no such file"} {
		t.Setenv("HERMES_ROUTER_WEIGHTS", name)
		out, err := hermesIn(t, `{"text":"hi"}`, "try", "route")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "hermes router train") {
			t.Errorf("with %s: %s, %v; want %q and what to do", name, out, err, want)
		}
	}
}

// Somebody's own lines change what their words are, by the two commands that the help
// tells of.
func TestRouterIsTrainedWithOwnLines(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	lines := `{"text":"the usual, my friend","label":"task"}
{"text":"/status","label":"command"}
`
	if err := os.WriteFile("own.jsonl", []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := hermesIn(t, "", "router", "train", "--in", "own.jsonl", "--out", "w.bin"); err != nil || !strings.Contains(out, "of 1 lines given") {
		t.Fatalf("train: %s, %v", out, err)
	}
	t.Setenv("HERMES_ROUTER_WEIGHTS", "w.bin")
	out, err := hermesIn(t, "", "router", "test", "--in", "own.jsonl")
	if err != nil || !strings.Contains(out, "task 1 of 1") {
		t.Errorf("test: %s, %v", out, err)
	}
	for want, args := range map[string][]string{
		"--out is missing":  {"router", "train", "--in", "own.jsonl"},
		"no such file":      {"router", "train", "--in", "gone.jsonl", "--out", "x"},
		"there are no line": {"router", "test"},
	} {
		if out, err := hermesIn(t, "", args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %s, %v; want %q", args, out, err, want)
		}
	}
}

// What people correct is kept without secrets, for them alone, as training reads it.
func TestCorrectionsAreKeptAsTrainingReadsThem(t *testing.T) {
	name := filepath.Join(t.TempDir(), correctionsFile)
	k := &tutor{name: name, redact: redact.New("hunter2secret")}
	for _, text := range []string{"log in with hunter2secret", "看一下"} {
		if err := k.Corrected(t.Context(), bot.Correction{Text: text, Was: router.Chitchat, Is: router.Task}); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(name)
	if err != nil || strings.Contains(string(b), "hunter2") {
		t.Errorf("kept %s, %v", b, err)
	}
	lines, err := train.Read(name, strings.NewReader(string(b)))
	if err != nil || len(lines) != 2 || lines[1].Label != router.Task || lines[1].Lang != "zh" {
		t.Errorf("read %+v, %v", lines, err)
	}
	if info, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
}

// ROUT-05: a word of the team in the configuration is known to whoever works on a text
// that holds it, unless somebody has said in chat that it means something else.
func TestROUT05TermsAreFactsOfWhatNamesThem(t *testing.T) {
	terms := []config.Term{{Name: "GMV", Measure: "sales"}, {Name: "CRM", Source: "shop"}, {Name: "看板", Means: "the weekly table"}}
	for text, want := range map[string]string{
		"上个月的GMV":           "GMV means sales",
		"把 CRM 里的客户导出":      "CRM means the source shop",
		"看板上的 gmv 是多少":      "GMV means sales; 看板 means the weekly table",
		"what were the DAU": "",
	} {
		var got []string
		for _, f := range termFacts(terms, text) {
			got = append(got, f.Subject+" "+f.Predicate+" "+f.Object)
		}
		if g := strings.Join(got, "; "); g != want {
			t.Errorf("%q: %q, want %q", text, g, want)
		}
	}
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), atOnce)
	recall := recaller{memory.New(in.db.Facts(), in.time), memory.NewWorking(in.time), in.see, in.time, terms}
	req := run.Request{Key: "k", Asker: anaInDemo, Home: room("general", "t1").String(), Text: "GMV last month", Now: in.time()}
	facts, err := recall.Recall(t.Context(), req)
	if err != nil || len(facts) != 1 || facts[0].Object != "sales" {
		t.Errorf("recalled %+v, %v", facts, err)
	}
}

// The model is asked only where rules and classifier are not sure, the same words once,
// and so often an hour and no more; an answer that names no kind, or two, is none.
func TestTheModelIsAskedWhereNobodyIsSure(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	m := &arbiterModel{says: "Question."}
	a := &arbiter{model: m, now: func() time.Time { return now }}
	r := router.New(router.Config{Sure: 0.999}, a)
	ask := func(text string) router.Decision {
		return r.Route(t.Context(), router.Message{Text: text, Direct: true})
	}
	for range 3 {
		if d := ask("zorb the frimple maybe"); d.Kind != router.Question && d.Confidence < arbiterSure {
			t.Errorf("Route = %+v", d)
		}
	}
	if m.asked != 1 {
		t.Errorf("asked %d times for one text, want 1", m.asked)
	}
	for i := range 2 * arbiterHourly {
		ask("zorb " + strings.Repeat("x", i+1))
	}
	if m.asked > arbiterHourly {
		t.Errorf("asked %d times within an hour, want at most %d", m.asked, arbiterHourly)
	}
	for said, ok := range map[string]bool{"task": true, "It is Chitchat.": true, "task or question": false, "no idea": false} {
		if _, err := kindIn(said); (err == nil) != ok {
			t.Errorf("kindIn(%q): %v", said, err)
		}
	}
	// ROUT-02: on the clear four fifths no model is asked.
	asked := m.asked
	sure := router.New(router.Config{Sure: 0.5}, a)
	now = now.Add(2 * time.Hour)
	f, err := os.Open("../../router/testdata/heldout.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	held, err := train.Read("heldout.jsonl", f)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range held {
		sure.Route(t.Context(), router.Message{Text: l.Text, Direct: true})
	}
	t.Logf("asked about %d of %d lines", m.asked-asked, len(held))
	if 5*(m.asked-asked) > len(held) {
		t.Errorf("asked about %d of %d lines, want at most a fifth", m.asked-asked, len(held))
	}
}

type arbiterModel struct {
	says  string
	asked int
}

func (*arbiterModel) Name() string { return "script/arbiter" }

func (m *arbiterModel) Generate(context.Context, llm.Request) (llm.Reply, error) {
	m.asked++
	return llm.Reply{Message: llm.Message{Role: llm.Assistant, Text: m.says}}, nil
}

// The name of a saved report is a word of the team as soon as it is saved.
func TestSavedReportsAreWordsOfTheTeam(t *testing.T) {
	in := newInsideOf(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), atOnce)
	m := router.Message{Text: "you are a lovely north star", Direct: true}
	if d := in.router.Route(t.Context(), m); d.Kind != router.Chitchat || d.Tags != nil {
		t.Fatalf("before it is saved: %+v", d)
	}
	k := playbook.Kept{Owner: demoLead, Home: room("general", "").String(), Origin: playbook.Chat, By: demoLead, Playbook: playbook.Playbook{
		Name: "north-star", Period: "month", Steps: []playbook.Step{{ID: "a", Tool: "query_metric", Args: map[string]any{"measure": "sales", "period": "{{period}}"}}},
	}}
	if _, err := in.saveReport(t.Context(), k, true); err != nil {
		t.Fatal(err)
	}
	if d := in.router.Route(t.Context(), m); d.Kind == router.Chitchat || !slices.Equal(d.Tags, []string{"report:north-star"}) {
		t.Errorf("after it is saved: %+v", d)
	}
}
