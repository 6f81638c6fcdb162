package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hermes/bot"
	"hermes/bot/slack"
	"hermes/config"
)

// slackConfig is how one workspace is reached.
func (h *hermes) slackConfig(w config.Workspace) slack.Config {
	return slack.Config{
		Name: w.Name, APIURL: h.cfg.Slack.APIURL,
		AppToken: string(w.AppToken), BotToken: string(w.BotToken), SigningSecret: string(w.SigningSecret),
		Spoken: h.spoken, Seen: h.seen, Keeper: h.db.Settings(), Now: h.now,
		Proxy: proxyOf(string(h.cfg.Slack.Proxy)),
		Left:  h.left,
		Why:   func(ctx context.Context, person, run string) (string, error) { return h.bot.Explain(ctx, person, run) },
	}
}

// proxyOf is nil if no proxy is named.
func proxyOf(address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil || address == "" {
		return nil
	}
	return u
}

// remembered is how far back a channel counts as one in which we listen.
const remembered = 30 * 24 * time.Hour

// seen says how far a workspace of Slack was heard: by channel, and by thread where
// the bot has spoken.
func (h *hermes) seen(ctx context.Context, team string) (map[string]string, error) {
	heard, err := h.db.Journal().Heard(ctx, "slack", team, h.now().Add(-remembered))
	if err != nil {
		return nil, err
	}
	seen := map[string]string{}
	for _, x := range heard {
		ts, _, _ := strings.Cut(x.Key[strings.LastIndexByte(x.Key, '/')+1:], "@")
		if x.Ours && x.Place.Thread != "" && !direct(x.Place) {
			seen[x.Place.Channel+"/"+x.Place.Thread] = ts
		}
		if strings.Contains(x.Key, "/") { // what only we have said tells nothing of when we listened
			seen[x.Place.Channel] = max(seen[x.Place.Channel], ts)
		}
	}
	return seen, nil
}

// takesHTTP reports whether some workspace sends its events by HTTP.
func takesHTTP(cfg config.Config) bool {
	for _, w := range cfg.AllWorkspaces() {
		if w.ByHTTP() {
			return true
		}
	}
	return false
}

// Slack gives up after three seconds; a request that takes longer to come is none of
// its own.
const (
	slackHeaders = 3 * time.Second
	slackRequest = 10 * time.Second
)

// listenSlack opens where Slack sends by HTTP; nil if no workspace does.
func (h *hermes) listenSlack(ctx context.Context) (net.Listener, error) {
	if !takesHTTP(h.cfg) {
		return nil, nil
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", h.cfg.Slack.Listen)
	if err != nil {
		return nil, fmt.Errorf("events of Slack: %w\n  hint: slack.listen names another address; Slack's request URL must lead there", err)
	}
	return l, nil
}

// slackHandler takes the events of every workspace that sends them by HTTP, each at
// its own path.
func (h *hermes) slackHandler(to bot.Receiver) http.Handler {
	mux := http.NewServeMux()
	for i, w := range h.cfg.AllWorkspaces() {
		if w.ByHTTP() {
			mux.Handle(config.SlackPath(w.Name), h.slacks[i].Handler(to))
		}
	}
	return mux
}

// takeSlack serves what Slack sends until ctx ends.
func (h *hermes) takeSlack(ctx context.Context, l net.Listener) error {
	srv := &http.Server{
		Handler: h.slackHandler(h.bot), ReadHeaderTimeout: slackHeaders, ReadTimeout: slackRequest, WriteTimeout: slackRequest,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("events of Slack: %w", err)
	case <-ctx.Done():
		// What is being taken is answered, so that Slack does not send it again.
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), slackHeaders)
		defer cancel()
		if err := srv.Shutdown(within); err != nil {
			return errors.Join(err, srv.Close())
		}
		return nil
	}
}

// Fetch implements bot.Fetcher.
func (w workspaces) Fetch(ctx context.Context, p bot.Place, a bot.Attachment, most int64) ([]byte, error) {
	s, err := w.of(ctx, p)
	if err != nil {
		return nil, err
	}
	return s.Fetch(ctx, p, a, most)
}

// Reread implements bot.Rereader.
func (w workspaces) Reread(ctx context.Context, p bot.Place, after, before string, n int) ([]bot.Quote, error) {
	s, err := w.of(ctx, p)
	if err != nil {
		return nil, err
	}
	return s.Reread(ctx, p, after, before, n)
}

var (
	_ bot.Knower   = workspaces(nil)
	_ bot.Fetcher  = workspaces(nil)
	_ bot.Rereader = workspaces(nil)
)

// A decider is the bot, which is made of the platforms that ask it.
type decider struct{ *hermes }

var _ bot.Decider = decider{}

// Sheet implements bot.Decider, and so do the methods below.
func (d decider) Sheet(ctx context.Context, person, question, choice string) (bot.Sheet, error) {
	return d.bot.Sheet(ctx, person, question, choice)
}

func (d decider) Decide(ctx context.Context, c bot.Click, values map[string]string) error {
	return d.bot.Decide(ctx, c, values)
}

func (d decider) Barred(ctx context.Context, c bot.Click, lang string) (string, error) {
	return d.bot.Barred(ctx, c, lang)
}

func (d decider) Grants(ctx context.Context, person, lang string) ([]bot.Allowance, error) {
	return d.bot.Grants(ctx, person, lang)
}

func (d decider) Revoke(ctx context.Context, person, grant, lang string) error {
	return d.bot.Revoke(ctx, person, grant, lang)
}
