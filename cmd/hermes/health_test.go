package main

import "testing"

// A workspace that refuses us is not said to have answered a moment ago: that reads as if
// all were well.
func TestHealthDoesNotCallARefusalAnAnswer(t *testing.T) {
	age := 2.0
	for state, want := range map[string]string{"ready": ", answered 2 s ago", "deaf": ", last answer 2 s ago", "auth_failed": "", "connecting": ", last answer 2 s ago"} {
		if got := lastHeard(aspect{State: state, Ready: state == "ready", Age: &age}); got != want {
			t.Errorf("%s: %q, want %q", state, got, want)
		}
	}
	if got := lastHeard(aspect{State: "ready", Ready: true}); got != "" {
		t.Errorf("without an age: %q", got)
	}
}
