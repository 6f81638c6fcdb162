// Command serve is a Slack to play with: it serves the Web API and Socket Mode, and
// over /_fake/ what people do in Slack, so that a person with curl or a script can
// talk to the bot. The Slack itself is internal/fakeslack; here is only the door.
//
//	go run ./internal/fakeslack/serve -addr 127.0.0.1:8899
//	SLACK_APP_TOKEN=… SLACK_BOT_TOKEN=… hermes serve     # with slack.api_url as printed
//	curl -d '{"user":"ana","channel":"sales","text":"@hermes hi"}' 127.0.0.1:8899/_fake/say
//	curl 127.0.0.1:8899/_fake/state
//
// The people are ana, leo and gus (members of T0FAKE001: U0ANA0001, U0LEO0001,
// U0GUS0001), a guest, a stranger of another workspace and a robot, which is another
// bot; the channels general and sales, where the bot is, and random and board,
// where it is not. Each of these is posted as one JSON object:
//
//	say         {"user","channel","text","thread"}   channel is a name, an id, or "dm": to the bot alone;
//	                                                 thread is the ts of the message to answer, or left out
//	edit        {"user","channel","ts","text"}       of a message of that user
//	delete      {"user","channel","ts"}
//	press       {"user","channel","button","ts"}     button is a label or how it begins, an action_id or the end of one after a colon,
//	                                                 or a style (primary, danger); without ts it is on the last message that has it;
//	                                                 with "view":"home" or "modal" it is there; with "value" it is a menu or an input
//	react       {"user","channel","ts","emoji"}
//	attach      {"user","channel","thread","name","text"}   a file of that name and content
//	slash       {"user","channel","command","text"}
//	shortcut    {"user","channel","ts","callback"}
//	home        {"user"}                             opens the app's home
//	submit      {"user","values"}                    sends the modal on top; values by action_id, block_id or label
//	dismiss     {"user","all"}                       closes it, or all of them
//	stop        {"user","channel","thread"}          presses Stop
//	change      {"user","locale","zone"}             which language and time zone a person has chosen
//	http        {"events","interactivity","commands","secret"}   delivers by HTTP from now on
//	limits      {"all":true}                         turns the rate limits on
//	events      {"most","least","all":true}          so many events in an hour, 0 any number; from how many on failures by HTTP
//	                                                 switch them off, 0 never; with all on again. It says whether they are off
//	refresh     {}                                   closes the sockets as Slack does every few hours
//	fault       {"method","status","retry_after",…}  what the next call of a method comes to: see fakeslack.Fault
//	mend        {}                                   takes all faults away
//	drop        {}                                   cuts the sockets off
//	freeze      {}                                   leaves them open and says nothing more on them
//	disconnect  {"reason"}                           asks the app to connect anew
//	revoke      {"token":"app|bot","code"}           refuses a token with that code; an empty code gives it back
//
// GET /_fake/state has what stands there, in one channel with ?channel=NAME or its id, or
// in the conversations with the bot alone with ?channel=dm, one of them with &user=NAME:
// messages with their ts, buttons and files, views that are open, how often each method was called, and how
// many events the app has acknowledged. Every answer is {"ok","result"} or, with status
// 400, {"ok":false,"error"}.
package main

import (
	"context"
	"errors"
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

// others are those whom a bot treats in another way than members: they are in #general
// and #sales.
func others(s *fakeslack.Server) {
	for _, h := range []fakeslack.Human{
		s.AddUser(fakeslack.User{ID: "U0GUEST01", Name: "guest", Guest: true}),
		s.AddUser(fakeslack.User{ID: "U0STRANG1", Name: "stranger", Team: "T0OTHER01"}),
		s.AddBot("robot"),
	} {
		s.Channel("general").Invite(h.ID())
		s.Channel("sales").Invite(h.ID())
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("fakeslack", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8899", "where to listen; port 0 takes a free one")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil // it has been printed
	} else if err != nil {
		return err
	}
	s, err := fakeslack.Start(fakeslack.Options{Addr: *addr})
	if err != nil {
		return err
	}
	defer s.Close()
	others(s)
	s.Handle("/_fake/", control(s))
	if _, err := fmt.Fprintf(out, "api_url   %s\nSLACK_APP_TOKEN=%s\nSLACK_BOT_TOKEN=%s\ncontrol   %s/_fake/{say,edit,delete,press,react,attach,slash,shortcut,home,submit,dismiss,stop,change,http,limits,events,state,fault,mend,drop,disconnect,refresh,freeze,revoke}\n",
		s.APIURL(), fakeslack.AppToken, fakeslack.BotToken, s.URL()); err != nil {
		return fmt.Errorf("say where it listens: %w", err)
	}
	<-ctx.Done()
	return nil
}
