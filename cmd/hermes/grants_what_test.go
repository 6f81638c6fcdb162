package main

import (
	"encoding/json"
	"testing"

	"hermes/agent/run"
)

// What a grant holds for is listed: a channel, or arguments, in one line that nothing in
// them can break.
func TestGrantsAreListedWithWhatTheyHoldFor(t *testing.T) {
	like := run.Pattern{Args: map[string]json.RawMessage{"action": json.RawMessage(`"pause"`), "note": json.RawMessage(`"a\nb\u202e"`)}, Open: []string{"job"}, Own: true}
	for want, g := range map[string]run.Grant{
		"#sales": {Label: "#sales", Control: "slack/T/C/ r1"},
		`action="pause" note="a\nb⟨U+202E⟩" job=any of their own`: {Label: "other", Control: like.Control()},
	} {
		if got := grantWhat(g); got != want {
			t.Errorf("says %q, want %q", got, want)
		}
	}
}
