// Command serve is a Slack to play with: it serves the Web API and Socket Mode, and
// over /_fake/ what people do in Slack, so that a person with curl or a script can
// talk to the bot. The Slack itself is internal/fakeslack; here is only the door.
//
//	go run ./internal/fakeslack/serve -addr 127.0.0.1:8899
//	SLACK_APP_TOKEN=… SLACK_BOT_TOKEN=… hermes serve     # with slack.api_url as printed
//	curl -d '{"user":"ana","channel":"sales","text":"@hermes hi"}' 127.0.0.1:8899/_fake/say
//	curl 127.0.0.1:8899/_fake/state
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"hermes/internal/fakeslack"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "fakeslack:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("fakeslack", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8899", "where to listen; port 0 takes a free one")
	if err := flags.Parse(args); err != nil {
		return err
	}
	s, err := fakeslack.Start(fakeslack.Options{Addr: *addr})
	if err != nil {
		return err
	}
	defer s.Close()
	s.Handle("/_fake/", control(s))
	if _, err := fmt.Fprintf(out, "api_url   %s\nSLACK_APP_TOKEN=%s\nSLACK_BOT_TOKEN=%s\ncontrol   %s/_fake/{say,edit,delete,press,state,fault,mend,drop,disconnect,freeze,revoke}\n",
		s.APIURL(), fakeslack.AppToken, fakeslack.BotToken, s.URL()); err != nil {
		return fmt.Errorf("say where it listens: %w", err)
	}
	<-ctx.Done()
	return nil
}
