package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/guard"
	"hermes/agent/run"
	"hermes/config"
)

// LOOP-17, PRIN-11 A tool that there is not, and an end that is none, keep the program
// from starting: what they should do would not be done, in silence.
func TestLOOP17NamesOfTheConfigurationAreLookedUp(t *testing.T) {
	for want, configure := range map[string]func(*config.Config){
		"did you mean query_metric?":   func(c *config.Config) { c.Loop.Interrupt = []string{"query_metrc"} },
		"exec.tools[0].name":           func(c *config.Config) { c.Exec.Tools = []config.ToolRunning{{Name: "send_mail"}} },
		"loop.profiles[0].interrupt_b": func(c *config.Config) { c.Loop.Profiles = []config.Profile{{Name: "qa", Interrupt: []string{"nope"}}} },
		`there is no status "happy"`:   func(c *config.Config) { c.Loop.Profiles = []config.Profile{{Name: "qa", Ends: []string{"happy"}}} },
	} {
		cfg, err := config.Load("")
		if err != nil {
			t.Fatal(err)
		}
		cfg.Data = t.TempDir()
		configure(&cfg)
		if _, err := build(t.Context(), cfg, slog.New(slog.DiscardHandler), time.Now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("build = %v, want an error that says %q", err, want)
		}
	}
}

// LOOP-17 The configuration knows every status in which a run may end, and its other
// names, without the room that has them.
func TestLOOP17TheConfigurationKnowsAllEnds(t *testing.T) {
	var ends []string
	for _, e := range run.Ends() {
		ends = append(ends, string(e))
	}
	for _, other := range []string{"max_rounds_exceeded", "max_iteration_reached"} {
		if _, ok := run.ReadStatus(other); !ok {
			t.Errorf("%s is no status", other)
		}
		ends = append(ends, other)
	}
	for _, onCap := range []string{"suspend", "end"} {
		name := filepath.Join(t.TempDir(), "hermes.yaml")
		text := fmt.Sprintf("loop: {profiles: [{name: qa, on_cap: %s, ends: [%s]}]}\n", onCap, strings.Join(ends, ", "))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := profiles(cfg.Loop); err != nil {
			t.Error(err)
		}
	}
}

// TOOL-26 A configuration that names a tool as it was called before means the tool of
// today: what should stop before it does, whichever name a model calls it by.
func TestTOOL26AConfigurationMayHaveFormerNames(t *testing.T) {
	unset(t)
	h, end := raise(t, t.TempDir())
	defer end()
	specs := h.tools.Specs()
	cfg := config.Config{
		Loop: config.Loop{Interrupt: []string{"schedule_pause", "ask"}, Profiles: []config.Profile{{Name: "qa", Interrupt: []string{"schedule_change"}}, {Name: "code"}}},
		Exec: config.Exec{Tools: []config.ToolRunning{{Name: "schedule_delete", Attempts: 2}}},
	}
	if wrong := misnamed(cfg, specs); len(wrong) > 0 {
		t.Errorf("refused: %v", wrong)
	}
	got := inTodaysNames(cfg, specs)
	all := []string{"schedule_change", "schedule_delete", "schedule_pause", "schedule_resume"}
	want := config.Config{
		Loop: config.Loop{Interrupt: append([]string{"ask"}, all...), Profiles: []config.Profile{{Name: "qa", Interrupt: all}, {Name: "code"}}},
		Exec: config.Exec{Tools: []config.ToolRunning{{Name: "schedule_change", Attempts: 2}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("configuration (-want +got):\n%s", d)
	}
	if cfg.Exec.Tools[0].Name != "schedule_delete" {
		t.Error("what was given has changed")
	}
	cfg.Exec.Tools = append(cfg.Exec.Tools, config.ToolRunning{Name: "schedule_pause"})
	if wrong := misnamed(cfg, specs); len(wrong) != 1 || wrong[0].key != "exec.tools[1].name" || !strings.Contains(wrong[0].err.Error(), "schedule_change") {
		t.Errorf("two names of one tool: %v", wrong)
	}
}

// EXIT-11 Each built-in profile may be changed and may be that of a channel, by the
// names that the agent has for them; one of one's own too.
func TestEXIT11ChannelsHaveProfiles(t *testing.T) {
	unset(t)
	var text, channels strings.Builder
	want := map[string]string{"C9": "press"}
	for i, p := range guard.Builtin() {
		id := fmt.Sprintf("C%d", i)
		want[id] = p.Name
		fmt.Fprintf(&text, "{name: %s, max_rounds: 3}, ", p.Name)
		fmt.Fprintf(&channels, "{channel: 'slack:T:%s', profile: %s}, ", id, p.Name)
	}
	name := filepath.Join(t.TempDir(), "hermes.yaml")
	file := "loop: {profiles: [" + text.String() + "{name: press, max_rounds: 2}], channels: [" + channels.String() + "{channel: 'slack:T:C9', profile: press}]}\n"
	if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, channelProfiles(cfg.Loop.Channels)); d != "" {
		t.Errorf("profiles of channels (-want +got):\n%s", d)
	}
	all, err := profiles(cfg.Loop)
	if err != nil || len(all) != len(want) {
		t.Fatalf("profiles = %+v, %v", all, err)
	}
	if p := all.For(run.Request{Profile: "press"}); p.Name != "press" || p.Rounds != 2 {
		t.Errorf("press = %+v", p)
	}
}
