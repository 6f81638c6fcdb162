//go:build race

package slack_test

// raced is set where the race detector makes everything ten times as slow.
const raced = true
