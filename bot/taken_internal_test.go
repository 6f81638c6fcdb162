package bot

import (
	"fmt"
	"testing"
)

// What was kept lately is known, and what is remembered of it is bounded: the oldest is
// forgotten first.
func TestWhatWasTakenIsKnownAndBounded(t *testing.T) {
	var k taken
	if k.has("m0") {
		t.Error("a key is known that was never taken")
	}
	for i := range mostTaken + 10 {
		k.note(fmt.Sprint("m", i))
		k.note(fmt.Sprint("m", i))
	}
	for i := range mostTaken + 10 {
		if got, want := k.has(fmt.Sprint("m", i)), i >= 10; got != want {
			t.Fatalf("m%d is known: %t, want %t", i, got, want)
		}
	}
	if len(k.keys) != mostTaken || len(k.ring) != mostTaken {
		t.Errorf("%d and %d are remembered, want %d", len(k.keys), len(k.ring), mostTaken)
	}
}
