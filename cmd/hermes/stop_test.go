package main

import (
	"strings"
	"testing"
)

// An operator's stop ends well, leaves no socket that nobody answers, and the next
// start finds a store that was closed.
func TestAStopIsClean(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	d.stop()
	if out, err := d.hermes(t.Context(), "", "schedule", "list"); err != nil || !strings.Contains(out, "no schedules yet") {
		t.Errorf("a command without the daemon = %q, %v", out, err)
	}
	d.start()
	if out, err := d.hermes(t.Context(), "", "url"); err != nil || !pageURL.MatchString(out) {
		t.Errorf("url = %q, %v", out, err)
	}
	d.kill()
	if out, err := d.hermes(t.Context(), "", "url"); err == nil || !strings.Contains(out, "hint: start one with `hermes serve`") {
		t.Errorf("url without a daemon = %q, %v; want a hint", out, err)
	}
}
