package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/tool/post"
	"hermes/bot"
	"hermes/bot/slack"
	"hermes/internal/store"
)

// finder finds channels by the platform of the home that asks.
func finder(directories map[string]bot.Directory) post.Finder {
	return func(ctx context.Context, home, name string) (post.Target, error) {
		p, err := bot.ParsePlace(home)
		if err != nil {
			return post.Target{}, err
		}
		d, ok := directories[p.Platform]
		if !ok {
			return post.Target{}, post.ErrNoChannel
		}
		c, err := d.Channel(ctx, p, name)
		if errors.Is(err, bot.ErrNoChannel) {
			return post.Target{}, post.ErrNoChannel
		}
		return post.Target{Place: c.Place.String(), Name: c.Name, Private: c.Private, Member: c.Member}, err
	}
}

// workspaces are several Slacks as one platform: each serves its own workspace.
type workspaces []*slack.Slack

var errNoWorkspace = fmt.Errorf("%w: no such workspace is connected", bot.ErrBusy)

// acquaintance is how long a post waits for Slack to say who we are. Until then it
// is not tried: it would be taken for one that may have arrived.
const acquaintance = time.Minute

// of returns the Slack of a workspace. After a start it is not known at once which
// that is.
func (w workspaces) of(ctx context.Context, p bot.Place) (*slack.Slack, error) {
	ctx, cancel := context.WithTimeout(ctx, acquaintance)
	defer cancel()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		strangers := false
		for _, s := range w {
			switch s.Team() {
			case p.Workspace:
				return s, nil
			case "":
				strangers = true
			}
		}
		if !strangers {
			return nil, errNoWorkspace
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil, errNoWorkspace
		}
	}
}

// ofPerson returns the Slack of a person or a group; nil if it is of none that are
// configured.
func (w workspaces) ofPerson(ctx context.Context, id string) (*slack.Slack, error) {
	f := strings.SplitN(id, ":", 3)
	if len(f) < 3 {
		return nil, nil
	}
	s, err := w.of(ctx, bot.Place{Platform: f[0], Workspace: f[1]})
	if err != nil && !slices.ContainsFunc(w, func(s *slack.Slack) bool { return s.Team() == "" }) {
		return nil, nil //nolint:nilerr // all have said who they are
	}
	return s, err
}

// Post implements bot.Poster.
func (w workspaces) Post(ctx context.Context, p bot.Post) (bot.Receipt, error) {
	s, err := w.of(ctx, p.Place)
	if err != nil {
		return bot.Receipt{}, err
	}
	return s.Post(ctx, p)
}

// Show implements bot.Shower.
func (w workspaces) Show(p bot.Post) bool {
	return slices.ContainsFunc(w, func(s *slack.Slack) bool { return s.Show(p) })
}

// Find implements bot.Finder.
func (w workspaces) Find(ctx context.Context, p bot.Post) (bot.Receipt, bool, error) {
	s, err := w.of(ctx, p.Place)
	if err != nil {
		return bot.Receipt{}, false, err
	}
	return s.Find(ctx, p)
}

// Retract implements bot.Retractor.
func (w workspaces) Retract(ctx context.Context, p bot.Post, r bot.Receipt) error {
	s, err := w.of(ctx, p.Place)
	if err != nil {
		return err
	}
	return s.Retract(ctx, p, r)
}

// Channel implements bot.Directory.
func (w workspaces) Channel(ctx context.Context, home bot.Place, name string) (bot.Channel, error) {
	s, err := w.of(ctx, home)
	if err != nil {
		return bot.Channel{}, err
	}
	return s.Channel(ctx, home, name)
}

// Named implements bot.PhoneBook.
func (w workspaces) Named(ctx context.Context, home bot.Place, name string) ([]string, error) {
	s, err := w.of(ctx, home)
	if err != nil {
		return nil, err
	}
	return s.Named(ctx, home, name)
}

var _ bot.PhoneBook = workspaces(nil)

// Standing implements bot.Knower.
func (w workspaces) Standing(ctx context.Context, person string) (bot.Standing, error) {
	f := strings.SplitN(person, ":", 3)
	if len(f) < 3 {
		return bot.External, nil
	}
	s, err := w.of(ctx, bot.Place{Platform: f[0], Workspace: f[1]})
	if err != nil {
		return bot.Unsaid, err
	}
	return s.Standing(ctx, person)
}

// In implements bot.Roster.
func (w workspaces) In(ctx context.Context, person string, p bot.Place) (bool, error) {
	s, err := w.of(ctx, p)
	if err != nil {
		return false, err
	}
	return s.In(ctx, person, p)
}

// NameOf implements bot.Namer: Slack shows the name of whom it is given as a mention.
func (workspaces) NameOf(person string) string { return "<@" + bot.UserOf(person) + ">" }

// Speaks implements bot.Linguist.
func (w workspaces) Speaks(person string) string {
	f := strings.SplitN(person, ":", 3)
	for _, s := range w {
		if len(f) == 3 && f[1] != "" && s.Team() == f[1] {
			return s.Speaks(person)
		}
	}
	return ""
}

var _ bot.Linguist = workspaces(nil)

// Alone implements bot.Guide.
func (w workspaces) Alone(person string) bot.Place {
	f := strings.SplitN(person, ":", 3)
	if len(f) < 3 {
		return bot.Place{}
	}
	return bot.Place{Platform: f[0], Workspace: f[1], Channel: f[2]}
}

// PlaceName implements bot.Guide.
func (w workspaces) PlaceName(ctx context.Context, p bot.Place) string {
	s, err := w.of(ctx, p)
	if err != nil {
		return ""
	}
	return s.PlaceName(ctx, p)
}

var _ bot.Guide = workspaces(nil)

// consoleKey is what the console signs its sessions with, so that an open page outlives
// the daemon. It stands nowhere in the database: who has a copy of that must not be able
// to press for anybody. A key of before is taken out of it.
func consoleKey(ctx context.Context, db *store.DB) ([]byte, error) {
	const former = "web.key"
	switch text, ok, err := db.Settings().Get(ctx, "", former); {
	case err != nil:
		return nil, fmt.Errorf("key of the console: %w", err)
	case ok && text != "":
		if err := db.Settings().Set(ctx, "", former, ""); err != nil {
			return nil, fmt.Errorf("former key of the console: %w", err)
		}
	}
	return db.Derived("sessions of the console"), nil
}
