package slack

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"hermes/bot"
)

// Slack takes about one post a second in a channel and forgives bursts. A person
// who waits for an answer is not to wait for our caution, so nothing is held back
// until Slack says 429, or until a channel has had a burst that no conversation
// has. There is no pace for the whole workspace: one channel never waits for
// another.
const (
	burst = 60
	// calm is how long after a 429 one post a second is all that goes.
	calm = time.Minute
	// patience is how long a post waits here; a longer one waits in the outbox,
	// where a newer one may take its place.
	patience = 30 * time.Second
)

// A lane is one method in one channel.
type lane struct {
	limit *rate.Limiter
	until time.Time // nothing goes before
	calm  time.Time // one a second goes until then
}

type pace struct {
	now   func() time.Time
	mu    sync.Mutex
	lanes map[string]*lane
	tried map[string]time.Time // by Key of the Post, when it was first tried
}

// trying notes that a Post is tried, and since when it has been is told by since.
// What was tried before a restart is not known here.
func (p *pace) trying(key string, attempt int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tried == nil || len(p.tried) >= mostLanes {
		p.tried = map[string]time.Time{}
	}
	if _, ok := p.tried[key]; !ok && attempt <= 1 {
		p.tried[key] = p.now()
	}
}

func (p *pace) since(key string) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tried[key]
}

// mostLanes bounds the memory; an idle lane is as good as a new one.
const mostLanes = 4096

func (p *pace) lane(method, channel string) *lane {
	key := method + " " + channel
	l := p.lanes[key]
	if l == nil {
		if p.lanes == nil || len(p.lanes) >= mostLanes {
			p.lanes = map[string]*lane{}
		}
		l = &lane{limit: rate.NewLimiter(1, burst)}
		p.lanes[key] = l
	}
	return l
}

// turn returns how long the next call has to wait, and takes its turn if that is
// not longer than most.
func (p *pace) turn(method, channel string, most time.Duration) (time.Duration, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l, now := p.lane(method, channel), p.now()
	if l.limit.Burst() == 1 && now.After(l.calm) {
		l.limit = rate.NewLimiter(1, burst)
	}
	d := max(0, l.until.Sub(now))
	if d > most {
		return d, false
	}
	// The turn is taken at the time at which the call will be made.
	r := l.limit.ReserveN(now.Add(d), 1)
	d += r.DelayFrom(now.Add(d))
	if d > most {
		r.CancelAt(now)
		return d, false
	}
	return d, true
}

// limited notes a 429.
func (p *pace) limited(method, channel string, after time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l, now := p.lane(method, channel), p.now()
	if until := now.Add(after); until.After(l.until) {
		l.until = until
	}
	l.calm = l.until.Add(calm)
	l.limit = rate.NewLimiter(1, 1)
}

// paced makes a call of a method for a channel, when it is its turn. After a 429
// it waits as long as Slack wants, and makes it again: that one was not done. Any
// other failure is the caller's.
func (s *Slack) paced(ctx context.Context, method, channel string, call func() error) error {
	left := patience
	for {
		d, ok := s.pace.turn(method, channel, left)
		if !ok {
			// The outbox counts its tries, and they are not to be used up in
			// seconds when Slack wants minutes.
			if err := s.wait(ctx, left); err != nil {
				return fmt.Errorf("%w: stopped while waiting for %s: %w", bot.ErrBusy, method, err)
			}
			return fmt.Errorf("%w: %s takes nothing for another %s", bot.ErrBusy, method, (d - left).Round(time.Second))
		}
		if d > 0 {
			left -= d
			if err := s.wait(ctx, d); err != nil {
				return fmt.Errorf("%w: stopped while waiting for %s: %w", bot.ErrBusy, method, err)
			}
		}
		err := call()
		s.note(err)
		after, limited := retryAfter(err)
		if !limited {
			return err
		}
		s.pace.limited(method, channel, after)
		s.log.Warn("slack wants us slower", "method", method, "channel", channel, "after", after)
	}
}

// soon makes a call of a method for a channel if it is its turn just now, and reports
// whether it was made: what is shown of work under way waits for nobody, since the
// next of it is there before.
func (s *Slack) soon(method, channel string, call func() error) (bool, error) {
	if _, ok := s.pace.turn(method, channel, 0); !ok {
		return false, nil
	}
	err := call()
	s.note(err)
	if after, limited := retryAfter(err); limited {
		s.pace.limited(method, channel, after)
		return false, nil
	}
	return true, err
}
