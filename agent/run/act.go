package run

// An Act is a kind of thing done whose effect outlasts the answer.
type Act string

// The acts, in the order in which people are told of them.
const (
	Posted     Act = "posted"     // or sent to somebody
	Scheduled  Act = "scheduled"  // for later, once or again and again; a reminder too
	Remembered Act = "remembered" // or saved
	Deleted    Act = "deleted"    // or forgotten
	Changed    Act = "changed"    // anything else that lasts
)

// Doubt begins what people read under an answer that says more than was done. What
// stands above it proves nothing later.
const Doubt = "⚠"

// Acts are all of them, in order.
func Acts() []Act { return []Act{Posted, Scheduled, Remembered, Deleted, Changed} }
