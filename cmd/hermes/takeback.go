package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hermes/agent/tool"
	"hermes/agent/tool/post"
	"hermes/agent/tool/takeback"
	"hermes/bot"
	"hermes/internal/store"
)

// posts are what the bot has posted, as a takeback.Book: whoever asked for what a post
// came of may have it taken back, and so may admins.
type posts struct {
	journal store.Journal
	outbox  store.Outbox
	find    post.Finder
	admin   func(person string) bool
	kept    func(ctx context.Context, c tool.Call, tables []tool.Artifact, place, name string) (why string, err error)
}

// Find implements takeback.Book.
func (p posts) Find(ctx context.Context, c tool.Call, which string) (takeback.Post, error) {
	home, err := bot.ParsePlace(c.Home)
	if err != nil {
		return takeback.Post{}, err
	}
	var own store.Own
	found, where := false, ""
	switch link := strings.Trim(which, "<>"); {
	case which == "":
		if own, found, err = p.journal.OwnHere(ctx, home, c.Run); err == nil && !found {
			own, found, err = p.around(ctx, c, home)
		}
	case strings.Contains(link, "://") || strings.HasPrefix(link, "/"):
		link, _, _ = strings.Cut(link, "|")
		own, found, err = p.journal.OwnAt(ctx, link)
	default:
		own, where, found, err = p.in(ctx, c, which)
	}
	if err != nil {
		return takeback.Post{}, err
	}
	if !found || own.Place.Platform != home.Platform || own.Place.Workspace != home.Workspace {
		return takeback.Post{}, takeback.ErrNone
	}
	mine := own.By == c.Asker && own.By != ""
	if !mine && !p.admin(c.Asker) {
		try := bot.Refusal{Key: c.ID, Who: c.Asker, Try: takeback.Name, About: own.Key, Place: home}
		if err := p.journal.Refused(ctx, try); err != nil {
			return takeback.Post{}, err
		}
		return takeback.Post{}, takeback.ErrNotOwn
	}
	if where == "" && own.Place != home {
		where = p.nameOf(ctx, c.Home, own.Place)
	}
	return takeback.Post{Key: own.Key, Rev: own.Rev, Place: own.Place.String(), Where: where, Link: own.Link, Text: own.Text, Own: mine}, nil
}

// in is the newest post in a channel that the asker may have taken back.
func (p posts) in(ctx context.Context, c tool.Call, channel string) (store.Own, string, bool, error) {
	to, err := p.find(ctx, c.Home, channel)
	switch {
	case errors.Is(err, post.ErrNoChannel):
		return store.Own{}, "", false, nil
	case err != nil:
		return store.Own{}, "", false, fmt.Errorf("find channel %s: %w", channel, err)
	}
	place, err := bot.ParsePlace(to.Place)
	if err != nil {
		return store.Own{}, "", false, err
	}
	own, found, err := p.journal.OwnIn(ctx, place, c.Asker)
	if err != nil || found || !p.admin(c.Asker) {
		return own, to.Name, found, err
	}
	own, found, err = p.journal.OwnIn(ctx, place, "")
	return own, to.Name, found, err
}

// around is the last post in the channel of a place that the asker may have taken back,
// else the last at all, of which they are told that they may not.
func (p posts) around(ctx context.Context, c tool.Call, home bot.Place) (store.Own, bool, error) {
	if !p.admin(c.Asker) {
		if own, found, err := p.journal.OwnAround(ctx, home, c.Asker, c.Asker, c.Run); found || err != nil {
			return own, found, err
		}
	}
	return p.journal.OwnAround(ctx, home, "", c.Asker, c.Run)
}

// nameOf is how people call the channel of a place.
func (p posts) nameOf(ctx context.Context, home string, at bot.Place) string {
	if to, err := p.find(ctx, home, at.Channel); err == nil {
		return to.Name
	}
	return at.Channel
}

// Change implements takeback.Book. What belongs to a post goes with it.
func (p posts) Change(ctx context.Context, c tool.Call, key string, rev int, text string) error {
	home, err := bot.ParsePlace(c.Home)
	if err != nil {
		return err
	}
	now, found, err := p.journal.OwnOf(ctx, key)
	switch {
	case err != nil:
		return err
	case !found && text == "", found && now.Rev == rev+1 && text != "" && now.Post.Text == text:
		return nil // it is done
	case !found || now.Rev != rev:
		return takeback.ErrNone
	}
	next := now.Post
	next.Rev, next.Home, next.Run, next.Lang = rev+1, home, "", c.Lang
	next.Choices, next.Footer = nil, ""
	if text == "" {
		next.Gone = true
	} else {
		next.Text, next.Artifact, next.Hash = text, "", ""
	}
	files, err := p.outbox.Following(ctx, key)
	if err != nil {
		return err
	}
	if err := p.outbox.Add(ctx, next); err != nil {
		return err
	}
	for _, f := range files {
		f.Rev, f.Gone, f.Home = f.Rev+1, true, bot.Place{}
		if err := p.outbox.Add(ctx, f); err != nil {
			return err
		}
	}
	return nil
}
