package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"hermes/agent/tool/post"
	"hermes/bot"
)

// The chat of a world, and who is in it. The lead approves.
const (
	platform = "chat"
	team     = "T1"
	lead     = platform + ":" + team + ":lee"
)

// How long what lies outside takes, as it is modelled: a call of the chat, making a
// report with its files, and a question to the database.
const (
	chatTime   = 350 * time.Millisecond
	reportTime = 1200 * time.Millisecond
	queryTime  = 800 * time.Millisecond
)

func place(channel, thread string) bot.Place {
	return bot.Place{Platform: platform, Workspace: team, Channel: channel, Thread: thread}
}

func person(name string) string { return bot.Person(platform, team, name) }

// A trouble is what becomes of one call that posts.
type trouble int

const (
	fine    trouble = iota
	busy            // 429: it has not arrived
	broken          // 5xx: it has not arrived, and nobody knows
	lost            // it has arrived, and the answer was lost
	refused         // the channel is archived
)

// A chat is a platform in memory. It shows a post to who looks for it, takes what comes
// twice for two posts, and has troubles.
type chat struct {
	clock *clock
	fuse  *fuse
	// trouble says what becomes of a post; nil: all is fine.
	trouble func(p bot.Post) trouble
	away    func() bool // whether it answers nobody now; nil: never

	mu       sync.Mutex
	said     map[string]said
	cards    []bot.Post // that came newly, with buttons
	fresh    []said     // all that was said, since it was last asked for
	archived map[string]bool
	had      map[trouble]int
}

// said is what stands in the chat under one key.
type said struct {
	bot.Post
	times int // that it was newly posted
	at    time.Time
}

var (
	_ bot.Poster = (*chat)(nil)
	_ bot.Finder = (*chat)(nil)
	_ bot.Guide  = (*chat)(nil)
	_ bot.Namer  = (*chat)(nil)
	_ bot.Knower = (*chat)(nil)
)

func newChat(c *clock, f *fuse) *chat {
	return &chat{clock: c, fuse: f, said: map[string]said{}, archived: map[string]bool{}, had: map[trouble]int{}}
}

// Post implements bot.Poster.
func (c *chat) Post(_ context.Context, p bot.Post) (bot.Receipt, error) {
	if err := c.fuse.before("say"); err != nil {
		return bot.Receipt{}, err
	}
	c.clock.pass(chatTime)
	c.mu.Lock()
	defer c.mu.Unlock()
	t := fine
	switch {
	case c.archived[p.Place.Channel]:
		t = refused
	case c.trouble != nil:
		t = c.trouble(p)
	}
	c.had[t]++
	switch t {
	case refused:
		return bot.Receipt{}, bot.ErrArchived
	case busy:
		return bot.Receipt{}, fmt.Errorf("%w: 429", bot.ErrBusy)
	case broken:
		return bot.Receipt{}, fmt.Errorf("%w: 503", bot.ErrUnknown)
	}
	c.take(p)
	if err := c.fuse.after("say"); err != nil {
		return bot.Receipt{}, err
	}
	if t == lost {
		return bot.Receipt{}, fmt.Errorf("%w: the line broke", bot.ErrUnknown)
	}
	return receiptOf(p), nil
}

func (c *chat) take(p bot.Post) {
	s := c.said[p.Key]
	if p.Delivered == nil {
		s.times++
		s.at = c.clock.now()
		if len(p.Choices) > 0 && p.Question != "" {
			c.cards = append(c.cards, p)
		}
	}
	s.Post = p
	c.said[p.Key] = s
	s.at = c.clock.now()
	c.fresh = append(c.fresh, s)
}

func receiptOf(p bot.Post) bot.Receipt {
	ref := bot.Ref{Place: p.Place, ID: p.Key}
	if p.Delivered != nil {
		ref = *p.Delivered
	}
	return bot.Receipt{Ref: ref, Link: "https://chat.example/" + ref.ID}
}

// Find implements bot.Finder.
func (c *chat) Find(_ context.Context, p bot.Post) (bot.Receipt, bool, error) {
	c.clock.pass(chatTime)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.away != nil && c.away() {
		return bot.Receipt{}, false, errors.New("503")
	}
	s, ok := c.said[p.Key]
	if !ok {
		return bot.Receipt{}, false, nil
	}
	return receiptOf(s.Post), true, nil
}

// Standing implements bot.Knower: everybody here is of the team.
func (*chat) Standing(context.Context, string) (bot.Standing, error) { return bot.Member, nil }

// Alone implements bot.Guide.
func (*chat) Alone(who string) bot.Place { return place("D"+bot.UserOf(who), "") }

// PlaceName implements bot.Guide.
func (*chat) PlaceName(_ context.Context, p bot.Place) string { return "#" + p.Channel }

// NameOf implements bot.Namer.
func (*chat) NameOf(who string) string { return bot.UserOf(who) }

// find implements post.Finder: a channel that is archived is still there.
func (c *chat) find(_ context.Context, _, name string) (post.Target, error) {
	c.clock.pass(chatTime)
	name = strings.TrimPrefix(name, "#")
	return post.Target{Place: place(name, "").String(), Name: "#" + name, Member: true}, nil
}

func (c *chat) archive(channel string, is bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.archived[channel] = is
}

// news are the posts that came or were changed since it was last asked.
func (c *chat) news() []said {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := slices.Clone(c.fresh)
	c.fresh = c.fresh[:0]
	return all
}

// asked are the cards that came since it was last asked.
func (c *chat) asked() []bot.Post {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := slices.Clone(c.cards)
	c.cards = c.cards[:0]
	return all
}

// under is what stands under a key.
func (c *chat) under(key string) (said, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.said[key]
	return s, ok
}
