package steady

import (
	"context"
	"time"

	"hermes/agent/llm"
)

// A pace lets one through at a time, and the next a while later. Those who wait stand
// in line; who leaves it costs the others nothing.
type pace struct {
	every time.Duration
	door  chan struct{} // holds who is next
	next  time.Time     // of whoever holds the door
}

// newPace returns nil, which nobody waits for, if there is no bound.
func newPace(perSecond float64) *pace {
	if perSecond <= 0 {
		return nil
	}
	return &pace{every: time.Duration(float64(time.Second) / perSecond), door: make(chan struct{}, 1)}
}

// wait returns when it is the caller's turn, or with an error when that would be too
// late.
func (p *pace) wait(ctx context.Context) error {
	if p == nil {
		return nil
	}
	select {
	case p.door <- struct{}{}:
		defer func() { <-p.door }()
	case <-ctx.Done():
		return ctx.Err()
	}
	wait := time.Until(p.next)
	if end, ok := ctx.Deadline(); ok && time.Until(end) < wait {
		return llm.ErrSlow
	}
	if err := sleep(ctx, wait); err != nil {
		return err
	}
	p.next = time.Now().Add(p.every)
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
