package slack

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/bot"
)

// EXIT-03, A4 The buttons of a run are presses with its key, whatever stands in that;
// any other is a choice of the question whose name it carries.
func TestEXIT03ButtonsOfARun(t *testing.T) {
	for action, want := range map[string]bot.Click{
		"choice:stop:slack/T/C/1.2":     {Stop: "slack/T/C/1.2"},
		"choice:continue:slack/T/C/1.2": {Continue: "slack/T/C/1.2"},
		"choice:abandon:slack/T/C/1:2":  {Abandon: "slack/T/C/1:2"},
		"choice:why:slack/T/C/1.2":      {Why: "slack/T/C/1.2"},
		"choice:abandon:":               {Question: "q", Choice: "abandon:"},
		"choice:approve":                {Question: "q", Choice: "approve"},
	} {
		got, ok := pressed(action, "q")
		if d := cmp.Diff(want, got); d != "" || !ok {
			t.Errorf("%s: %t (-want +got):\n%s", action, ok, d)
		}
	}
	if _, ok := pressed("another app's", "q"); ok {
		t.Error("a button of another app is ours")
	}
}
