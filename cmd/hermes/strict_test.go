package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Whatever holds commands refuses what is none of them, and names the near one.
func TestAnUnknownCommandIsAnError(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	for args, want := range map[string]string{
		"foo":               "there is no command `hermes foo`\n  hint: there are `hermes audit`, ",
		"srve":              "did you mean `hermes serve`",
		"try foo":           "there is no command `hermes try foo`\n  hint: there are `hermes try args`, ",
		"try rout":          "did you mean `hermes try route`",
		"schedule lsit":     "did you mean `hermes schedule list`",
		"schedule rehaerse": "did you mean `hermes schedule rehearse`",
		"help try rout":     "did you mean `hermes try route`",
		"help nothing":      "there is no command `hermes nothing`",
	} {
		if got, err := hermesIn(t, "", strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) || got != "" {
			t.Errorf("%s = %q, %v; want %q", args, got, err, want)
		}
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.HasSubCommands() && c.RunE == nil {
			t.Errorf("%s shows its help, whatever it is asked", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(command(strings.NewReader(""), nil, nil))
	for _, args := range []string{"", "try", "schedule", "help", "help try", "help schedule list"} {
		if got, err := hermesIn(t, "", strings.Fields(args)...); err != nil || !strings.Contains(got, "Usage:") {
			t.Errorf("%q = %q, %v; want its help", args, got, err)
		}
	}
}
