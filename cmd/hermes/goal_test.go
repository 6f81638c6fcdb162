package main

import (
	"bytes"
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/config"
)

// VER-05, VER-10 `hermes trace` shows what was asked for with ticks, what a round wanted to
// end without, and what it cites wrongly or not at all.
func TestVER10TraceShowsWhatWasAskedFor(t *testing.T) {
	r := run.Run{
		Request: run.Request{Key: "k"}, State: run.Done, Goal: []run.Effect{{Act: run.Posted, Tools: []string{"post_message"}}},
		Steps: []run.Step{
			{Reply: llm.Reply{Message: llm.Message{Text: "The query says so."}}, Lacks: []string{"posted"}, Fault: "send it", Miscites: []string{"step 7"}, Uncited: true},
			{Claimed: true, Fault: "it is not"},
		},
	}
	var out bytes.Buffer
	if err := (&shell{out: &out}).tell(traced{Run: r}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"asked for: ○ posted (not done)\n", "  wants to end without: posted\n  was told: send it\n", "  claims what was not done\n  was told: it is not\n",
		"cites what had not run: step 7", "without saying which",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("lacks %q:\n%s", want, out.String())
		}
	}
}

// VER-07 The check of a profile is configuration, and a tool that there is not is refused.
func TestVER07TheCheckOfAProfileIsConfigured(t *testing.T) {
	got, err := profiles(config.Loop{OnCap: "suspend", Profiles: []config.Profile{{Name: "report", VerifyStep: "query_metric"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range got {
		if want := map[string]string{"report": "query_metric"}[p.Name]; p.Verify != want {
			t.Errorf("%s is checked by %q, want %q", p.Name, p.Verify, want)
		}
	}
	var c config.Config
	c.Loop.Profiles = []config.Profile{{Name: "report", VerifyStep: "query_metrc"}}
	if err := namesTools(c, nil); err == nil || !strings.Contains(err.Error(), "loop.profiles[0].verify_step") {
		t.Errorf("a tool that there is not: %v", err)
	}
}
