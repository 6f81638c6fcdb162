package file

import (
	"context"
	"time"
)

// SetLimit is how long a reader may take.
func (g *Guard) SetLimit(d time.Duration) {
	g.limits = func([]byte) time.Duration { return d }
}

// Read is what a Clerk has a Guard do.
func (g *Guard) Read(ctx context.Context, name, mime string, b []byte) (Text, error) {
	return g.read(ctx, name, mime, b)
}

// Dangerous is what a Guard reads in a process of its own.
var Dangerous = dangerous

// Limit is how long a reader may take.
func (g *Guard) Limit(b []byte) time.Duration { return g.limits(b) }
