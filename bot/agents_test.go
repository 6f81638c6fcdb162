package bot_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"hermes/agent/run"
	"hermes/bot"
)

var discard = slog.New(slog.DiscardHandler)

// poisoned is an agent that fails to start m1 and what a job wants, so often; and to
// give up, so often.
type poisoned struct {
	bot.Agent
	err       error
	until     int
	failFails int

	mu    sync.Mutex
	tries int
}

func (p *poisoned) around(a bot.Agent) bot.Agent {
	p.Agent = a
	return p
}

func (p *poisoned) Start(ctx context.Context, req run.Request, watch func(context.Context, run.Run) error) (run.Outcome, error) {
	if req.Key != "m1" && req.Job == "" {
		return p.Agent.Start(ctx, req, watch)
	}
	p.mu.Lock()
	p.tries++
	fails := p.tries <= p.until
	p.mu.Unlock()
	if fails {
		return run.Outcome{}, p.err
	}
	return p.Agent.Start(ctx, req, watch)
}

func (p *poisoned) Fail(ctx context.Context, key string, why run.Why, watch func(context.Context, run.Run) error) (run.Outcome, error) {
	p.mu.Lock()
	p.failFails--
	fails := p.failFails >= 0
	p.mu.Unlock()
	if fails {
		return run.Outcome{}, errors.New("disk is full")
	}
	return p.Agent.Fail(ctx, key, why, watch)
}

// mad is an agent that panics over one message.
type mad struct{ bot.Agent }

func (m mad) Start(ctx context.Context, req run.Request, watch func(context.Context, run.Run) error) (run.Outcome, error) {
	if req.Key == "m1" {
		panic("no answer to that")
	}
	return m.Agent.Start(ctx, req, watch)
}

// idle is an agent that has nothing to do.
type idle struct{ bot.Agent }

func (idle) Nudges(context.Context) ([]run.Nudge, error)     { return nil, nil }
func (idle) Ending(context.Context) ([]run.Grant, error)     { return nil, nil }
func (idle) Overdue(context.Context) ([]run.Question, error) { return nil, nil }
func (idle) Expire(context.Context, string) (run.Question, error) {
	return run.Question{}, run.ErrAnswered
}

func (idle) Fail(context.Context, string, run.Why, func(context.Context, run.Run) error) (run.Outcome, error) {
	return run.Outcome{}, nil
}

// deaf is an Inbox that cannot be read.
type deaf struct {
	bot.Inbox
	err error
}

func (d deaf) Add(context.Context, bot.Item) error                      { return d.err }
func (d deaf) Next(context.Context, bot.Lane) (bot.Item, error)         { return bot.Item{}, d.err }
func (d deaf) Done(context.Context, bot.Item) error                     { return d.err }
func (d deaf) Fail(context.Context, bot.Item, string) error             { return d.err }
func (d deaf) Moved(context.Context, bot.Item) error                    { return d.err }
func (d deaf) Retry(context.Context, bot.Item, string, time.Time) error { return d.err }
