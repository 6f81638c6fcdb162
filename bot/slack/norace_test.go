//go:build !race

package slack_test

const raced = false
