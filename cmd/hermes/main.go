// Command hermes is a chat bot that gets work done, remembers, and keeps
// appointments. One file a command; build.go is the wiring on one page.
//
// What a newcomer would break: a command never opens the store beside a running
// daemon. It asks at the daemon's door (door.go), or holds the daemon's lock.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // an image without zones must still keep appointments
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := 0
	if err := command(os.Stdin, os.Stdout, os.Stderr).ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "hermes:", err)
		code = codeOf(err)
	}
	stop()
	os.Exit(code)
}

// An unsure says that nothing wrong was found, and that not all could be looked at: a
// program of its own status, so that a script can tell it from a failure.
type unsure struct{ error }

const (
	failure = 1
	unsaid  = 3 // of an unsure
)

func codeOf(err error) int {
	var u unsure
	if errors.As(err, &u) {
		return unsaid
	}
	return failure
}
