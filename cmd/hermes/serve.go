package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/config"
)

func (s *shell) serve() *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Run the daemon; without a configuration on embedded parts, with a local page to talk to it",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return s.runServe(cmd.Context()) },
	}
}

func (s *shell) runServe(ctx context.Context) error {
	cfg, err := s.config()
	if err != nil {
		return err
	}
	log := s.logger(cfg.Log.Level)
	release, err := lock(cfg.Data)
	if errors.Is(err, errHeld) {
		return fmt.Errorf("%w: a daemon runs on %s already\n  hint: `hermes url` opens its page; --data names another folder", err, cfg.Data)
	}
	if err != nil {
		return err
	}
	defer release()
	h, err := build(ctx, cfg, log, time.Now)
	if err != nil {
		return err
	}
	return errors.Join(s.up(ctx, h), h.close())
}

// up opens the door and the page, says where, and runs until ctx ends.
func (s *shell) up(ctx context.Context, h *hermes) error {
	if err := h.figures.vet(ctx); err != nil {
		return err
	}
	door, err := listen(ctx, h.cfg.Data)
	if err != nil {
		return err
	}
	if err := h.noteConfig(ctx); err != nil {
		return errors.Join(err, door.Close())
	}
	url, err := h.web.Listen(ctx)
	if err != nil {
		return errors.Join(err, door.Close())
	}
	events, err := h.listenSlack(ctx)
	if err != nil {
		return errors.Join(err, door.Close())
	}
	if len(h.rights.off) > 0 {
		h.log.Error(sayOff(h.rights.off))
	}
	parts := append(h.parts(), func(ctx context.Context) error { return attend(ctx, door, h, h.log) })
	if events != nil {
		parts = append(parts, func(ctx context.Context) error { return h.takeSlack(ctx, events) })
	}
	if err := s.greet(h, url); err != nil {
		return errors.Join(err, door.Close())
	}
	return runAll(ctx, parts)
}

// greet says what runs, and where to talk to it.
func (s *shell) greet(h *hermes, url string) error {
	thinks := "the built-in rules (no language model configured)"
	if h.cfg.UsesModel() {
		thinks = h.cfg.Model.Name + ", and the built-in rules when it cannot be reached"
	}
	talks := "the local page, in demo mode"
	if !h.demo() {
		talks = "the page"
	}
	switch n := len(h.slacks); {
	case n == 1:
		talks = "Slack and the local page"
	case n > 1:
		talks = fmt.Sprintf("%d workspaces of Slack and the local page", n)
	}
	life := "good once, for five minutes; `hermes url` prints another"
	if len(h.cfg.Web.Users) > 1 {
		life = "`hermes url NAME` prints a link for one of its users, good once, for five minutes"
	}
	_, err := fmt.Fprintf(s.out, "Hermes is up.\n  talks on    %s\n  thinks with %s\n  keeps all in %s\n\nOpen %s\n(%s)\n", talks, thinks, keeps(h.cfg), url, life)
	return err
}

// keeps says where the store is, without who logs in there, and where the rest is.
func keeps(cfg config.Config) string {
	if cfg.Database == "" {
		return cfg.Data
	}
	where := string(cfg.Database)
	if pg, ok := postgresAt(cfg); ok {
		where = pg
	}
	return fmt.Sprintf("%s; lock, socket and traces in %s", where, cfg.Data)
}

// postgresAt names the PostgreSQL that the store is in, if it is in one.
func postgresAt(cfg config.Config) (string, bool) {
	host, name, ok := cfg.PostgresStore()
	return fmt.Sprintf("PostgreSQL at %s, database %s", or(host, "its default host"), or(name, "of the user's name")), ok
}

// A part of the program runs until its context ends.
type part func(context.Context) error

// runAll runs every part until one ends, then ends the others and waits.
func runAll(ctx context.Context, parts []part) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ends := make(chan error, len(parts))
	for _, run := range parts {
		go func() { defer cancel(); ends <- run(ctx) }()
	}
	var errs []error
	for range parts {
		errs = append(errs, <-ends)
	}
	return errors.Join(errs...)
}

// A urlFor is for whom a link is; empty: the one user of the page.
type urlFor struct {
	User string `json:"user"`
}

// opURL mints another way in to the page.
var opURL = asOp("url", func(_ context.Context, h *hermes, in urlFor) (string, error) {
	url, err := h.web.CodeFor(in.User)
	if err != nil {
		var ids []string
		for _, u := range h.cfg.Web.Users {
			ids = append(ids, u.ID)
		}
		hint := "without a name it is for whoever uses this machine"
		if len(ids) > 0 {
			hint = "web.users has " + strings.Join(ids, ", ")
		}
		return "", fmt.Errorf("%w\n  hint: %s", err, hint)
	}
	if url != "" {
		return url, nil
	}
	return "", errors.New("no daemon runs here, so there is no page\n  hint: start one with `hermes serve`")
})

func (s *shell) url() *cobra.Command {
	return &cobra.Command{
		Use:   "url [NAME]",
		Short: "Print a new link to the page of the running daemon, good once; NAME is one of web.users",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var in urlFor
			if len(args) > 0 {
				in.User = args[0]
			}
			url, err := inquire[string](cmd.Context(), s, opURL, in)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(s.out, url)
			return err
		},
	}
}
