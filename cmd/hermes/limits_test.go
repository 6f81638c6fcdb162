package main

import (
	"log/slog"
	"strings"
	"testing"
	"time"

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
