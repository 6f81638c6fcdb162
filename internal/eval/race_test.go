//go:build race

package eval

// race says whether the race detector looks on.
const race = true
