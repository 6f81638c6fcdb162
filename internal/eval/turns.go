package eval

import (
	"context"
	"sync"

	"hermes/bot"
)

// A lane is one of the three lines of the bot.
type lane int

const (
	noLane lane = iota
	sayLane
	controlLane
	talkLane
)

// lanes is how many there are.
const lanes = 3

func (l lane) of() bot.Lane {
	if l == controlLane {
		return bot.Control
	}
	return bot.Talk
}

// turns hand out one thing at a time, over all lanes: a bot that works on one thing of a
// lane at a time asks for the next when it is through.
type turns struct {
	mu     sync.Mutex
	idle   chan lane
	things map[lane]chan any
}

func newTurns() *turns { return &turns{} }

// open begins anew, for a bot that starts.
func (t *turns) open() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.idle, t.things = make(chan lane), map[lane]chan any{sayLane: make(chan any), controlLane: make(chan any), talkLane: make(chan any)}
}

func (t *turns) chans(l lane) (chan lane, chan any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.idle, t.things[l]
}

// next waits for a thing of a lane.
func (t *turns) next(ctx context.Context, l lane) (any, error) {
	idle, give := t.chans(l)
	select {
	case idle <- l:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case thing := <-give:
		return thing, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// ready waits until all lanes wait.
func (t *turns) ready(ctx context.Context) error {
	idle, _ := t.chans(noLane)
	for range lanes {
		select {
		case <-idle:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// give hands a thing to a lane that waits, and waits until it is done.
func (t *turns) give(ctx context.Context, l lane, thing any) error {
	idle, give := t.chans(l)
	select {
	case give <- thing:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
