// Package bottest has a platform, an inbox and an outbox made of slices, for
// tests that need somebody to talk to, and the promises that every other inbox
// and outbox must keep as well: TestInbox and TestOutbox.
//
// What a newcomer would break: nothing here waits for time to pass, and no promise
// says that something will not come. It says what comes instead.
package bottest

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"hermes/bot"
)

// Platform remembers what was posted. Its zero value is ready for use.
type Platform struct {
	mu    sync.Mutex
	posts []bot.Post // new ones
	edits []bot.Post // those that changed one
	fails []error
	lost  int // so many posts arrive, and nobody hears of it
	wake  chan struct{}

	standings map[string]bot.Standing // of those who are no Members
	unknown   error                   // why nobody is known
}

var (
	_ bot.Platform = (*Platform)(nil)
	_ bot.Finder   = (*Platform)(nil)
	_ bot.Knower   = (*Platform)(nil)
)

// Standing implements bot.Knower: who is not told otherwise is a Member.
func (p *Platform) Standing(_ context.Context, person string) (bot.Standing, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.unknown != nil {
		return bot.Unsaid, p.unknown
	}
	if s, ok := p.standings[person]; ok {
		return s, nil
	}
	return bot.Member, nil
}

// Knows tells what a person is.
func (p *Platform) Knows(person string, s bot.Standing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.standings == nil {
		p.standings = map[string]bot.Standing{}
	}
	p.standings[person] = s
}

// Forget has every question for a Standing fail; nil ends that.
func (p *Platform) Forget(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unknown = err
}

// Fail makes the next posts fail, one for each error; nil lets one through.
func (p *Platform) Fail(errs ...error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fails = append(p.fails, errs...)
}

// Lose lets the next n posts arrive, while whoever posts them hears bot.ErrUnknown.
func (p *Platform) Lose(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost += n
}

// Post implements bot.Poster.
func (p *Platform) Post(_ context.Context, post bot.Post) (bot.Receipt, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.fails) > 0 {
		err := p.fails[0]
		p.fails = p.fails[1:]
		if err != nil {
			return bot.Receipt{}, err
		}
	}
	if post.Delivered != nil {
		p.edits = append(p.edits, post)
	} else {
		p.posts = append(p.posts, post)
	}
	if p.wake != nil {
		close(p.wake)
		p.wake = nil
	}
	if p.lost > 0 {
		p.lost--
		return bot.Receipt{}, fmt.Errorf("the line broke: %w", bot.ErrUnknown)
	}
	return receipt(post), nil
}

// receipt points at a post by its key.
func receipt(p bot.Post) bot.Receipt {
	if p.Delivered != nil {
		return bot.Receipt{Ref: *p.Delivered, Link: "https://chat.test/" + p.Delivered.ID}
	}
	return bot.Receipt{Ref: bot.Ref{Place: p.Place, ID: p.Key}, Link: "https://chat.test/" + p.Key}
}

// Find implements bot.Finder.
func (p *Platform) Find(_ context.Context, post bot.Post) (bot.Receipt, bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.posts, func(q bot.Post) bool { return q.Key == post.Key })
	if i < 0 {
		return bot.Receipt{}, false, nil
	}
	return receipt(p.posts[i]), true, nil
}

// Run implements bot.Platform. It hears nothing: tests speak to the Receiver.
func (p *Platform) Run(ctx context.Context, _ bot.Receiver) error { <-ctx.Done(); return nil }

// Posts returns what was newly posted so far, in order.
func (p *Platform) Posts() []bot.Post {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.posts)
}

// Edits returns what posts were changed into so far, in order.
func (p *Platform) Edits() []bot.Post {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.edits)
}

// Shows returns what people see under a key now, and false if there is nothing.
func (p *Platform) Shows(key string) (bot.Post, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := append(slices.Clone(p.posts), p.edits...)
	for _, q := range slices.Backward(all) {
		if q.Key == key {
			return q, true
		}
	}
	return bot.Post{}, false
}

// Wait returns the first post, new or changed, of which ok is true, as soon as there
// is one. It fails when ctx ends.
func (p *Platform) Wait(ctx context.Context, ok func(bot.Post) bool) (bot.Post, error) {
	for {
		p.mu.Lock()
		all := append(slices.Clone(p.posts), p.edits...)
		if p.wake == nil {
			p.wake = make(chan struct{})
		}
		wake := p.wake
		p.mu.Unlock()
		if i := slices.IndexFunc(all, ok); i >= 0 {
			return all[i], nil
		}
		select {
		case <-ctx.Done():
			return bot.Post{}, ctx.Err()
		case <-wake:
		}
	}
}
