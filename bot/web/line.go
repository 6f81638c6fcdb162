package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"hermes/bot"
)

// A line of a page has two names. Its id is what Place.Thread of its answers is:
// the last part of a Message's Key (as a Slack message's is its ts), the whole Key
// of a Post. Its slug is the id in an address: itself if it is short and plain,
// else a hash of it.
type line struct{ bot.Line }

var errNoLine = errors.New("no such line")

// id returns what Place.Thread of answers to the line is.
func (l line) id() string {
	if l.From == "" {
		return l.Key
	}
	return l.Key[strings.LastIndexByte(l.Key, '/')+1:]
}

func (l line) slug() string { return slug(l.id()) }

// isRoot reports whether the line stands in the channel itself: it is in no
// thread, or begins its own.
func (l line) isRoot() bool { return l.Place.Thread == "" || l.Place.Thread == l.id() }

// thread returns the thread that the line stands in or, as a root, would begin.
func (l line) thread() string {
	if l.Place.Thread != "" {
		return l.Place.Thread
	}
	return l.id()
}

// in returns the place of the line's thread.
func (l line) in() bot.Place {
	p := l.Place
	p.Thread = l.thread()
	return p
}

func messageKey(p bot.Place, id string) string {
	return p.Platform + "/" + p.Workspace + "/" + p.Channel + "/" + id
}

var plainID = regexp.MustCompile(`^[0-9a-z]{8,24}$`)

func slug(id string) string {
	if plainID.MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "p" + hex.EncodeToString(sum[:8])
}

// threadSlug is empty for the channel itself.
func threadSlug(thread string) string {
	if thread == "" {
		return ""
	}
	return slug(thread)
}

// pathOf returns the page of a channel, with a thread open if one is named.
func pathOf(channel, thread string) string {
	p := "/c/" + url.PathEscape(channel)
	if thread != "" {
		p += "/" + url.PathEscape(thread)
	}
	return p
}

// linkOf returns where people see the line with that id.
func linkOf(p bot.Place, id string) string {
	if p.Thread == "" || p.Thread == id {
		if strings.HasPrefix(p.Channel, dmPrefix) {
			return pathOf(p.Channel, "") + "#m-" + slug(id)
		}
		return pathOf(p.Channel, slug(id))
	}
	return pathOf(p.Channel, slug(p.Thread)) + "#m-" + slug(id)
}

const (
	fewLines  = 60
	moreLines = 200
	mostLines = 5000
)

// roots returns what was said in the room itself, as v may see it.
func (c *Console) roots(ctx context.Context, v visit, room Room, n int) ([]line, error) {
	return c.read(ctx, v, c.place(room, ""), n)
}

func (c *Console) read(ctx context.Context, v visit, p bot.Place, n int) ([]line, error) {
	ls, err := c.spoken(ctx, p, v, n)
	if err != nil {
		return nil, err
	}
	out := make([]line, 0, len(ls))
	for _, l := range ls {
		if l.Only == "" || l.Only == v.person {
			out = append(out, line{l})
		}
	}
	return out, nil
}

// root finds the line of a room by its slug, however old it is.
func (c *Console) root(ctx context.Context, v visit, room Room, slug string) (line, error) {
	return c.find(ctx, v, c.place(room, ""), slug)
}

func (c *Console) find(ctx context.Context, v visit, p bot.Place, slug string) (line, error) {
	for n := fewLines; ; n = min(n*6, mostLines) {
		ls, err := c.read(ctx, v, p, n)
		if err != nil {
			return line{}, err
		}
		if i := slices.IndexFunc(ls, func(l line) bool { return l.slug() == slug }); i >= 0 {
			return ls[i], nil
		}
		if len(ls) < n || n == mostLines {
			return line{}, errNoLine
		}
	}
}

// line finds a line in the thread whose root has that slug, or in the room itself
// if there is none.
func (c *Console) line(ctx context.Context, v visit, room Room, thread, slug string) (line, error) {
	if thread == "" {
		return c.root(ctx, v, room, slug)
	}
	root, err := c.root(ctx, v, room, thread)
	if err != nil || root.slug() == slug {
		return root, err
	}
	return c.find(ctx, v, root.in(), slug)
}
