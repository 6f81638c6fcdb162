// Command hermes is a chat bot that gets work done, remembers, and keeps
// appointments. One file a command; build.go is the wiring on one page.
//
// What a newcomer would break: a command never opens the store beside a running
// daemon. It asks at the daemon's door (door.go), or holds the daemon's lock.
package main

import (
	"context"
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
		code = 1
	}
	stop()
	os.Exit(code)
}
