package slack

import (
	"context"
	"sync"
	"time"

	"hermes/bot"
)

// listen keeps one socket open until ctx ends. When Slack is about to close it,
// the next one is opened first, and for a moment there are two.
func (s *Slack) listen(ctx context.Context, to bot.Receiver) {
	var (
		links sync.WaitGroup
		cur   *link
		last  time.Time // when a socket was asked for
		fails int
		locks locks
	)
	// A socket whose end hangs is left behind: who stops waits a bounded time.
	defer s.bounded(&links)
	first := true // nothing was opened so far
	for ctx.Err() == nil {
		if err := s.space(ctx, last, fails); err != nil {
			break
		}
		last = s.cfg.Now()
		next, err := s.open(ctx)
		if err != nil {
			if !locked(err) { // after that openFailed has waited
				fails++
			}
			if cur != nil && cur.over() {
				cur = nil
			}
			s.openFailed(ctx, err, cur != nil, &last, &locks)
			continue
		}
		began := s.cfg.Now()
		gap, mended := s.health.opened(began)
		locks.over()
		if mended {
			signal(s.mended)
		}
		links.Go(func() { s.serve(ctx, next, to) })
		s.log.Info("slack socket open")
		if first || !gap.IsZero() {
			s.mayHaveMissed(gap)
		}
		first = false
		if cur != nil {
			old := cur
			links.Go(func() { s.retire(old) })
		}
		cur = next
		select {
		case <-ctx.Done():
		case <-cur.leaving:
			if cur.reason == disabled {
				s.openFailed(ctx, disconnectError(disabled), true, &last, &locks)
			}
		case <-cur.ended:
			s.gone(cur)
			s.log.Warn("slack socket closed", "err", cur.why())
			cur = nil
		}
		// Only a socket that lived for a while is a reason to forget the
		// failures before it: Slack may close each one right after hello.
		if s.cfg.Now().Sub(began) >= s.times.settled {
			fails = 0
		} else {
			fails++
		}
	}
}

// bounded waits for the ends of sockets, and not for ever.
func (s *Slack) bounded(links *sync.WaitGroup) {
	over := make(chan struct{})
	go func() {
		links.Wait()
		close(over)
	}()
	t := time.NewTimer(2*s.times.teardown + s.times.ack)
	defer t.Stop()
	select {
	case <-over:
	case <-t.C:
		s.log.Warn("slack socket left behind: its end hangs")
	}
}

// space keeps openings apart: five seconds, and more after failures.
func (s *Slack) space(ctx context.Context, last time.Time, fails int) error {
	if last.IsZero() {
		return nil
	}
	gap := s.backoff(max(0, fails-1))
	if d := last.Add(gap).Sub(s.cfg.Now()); d > 0 {
		return s.wait(ctx, d)
	}
	return nil
}

// openFailed notes why there is no new socket. After a permanent refusal it waits
// for a minute and more: nothing but a person can mend that, and Slack is not to be
// asked in a loop meanwhile.
func (s *Slack) openFailed(ctx context.Context, err error, hearing bool, last *time.Time, locks *locks) {
	if ctx.Err() != nil {
		return
	}
	if locked(err) {
		s.health.set(s.cfg.Now(), AuthFailed, "apps.connections.open: "+err.Error())
		again := locks.wait(s)
		s.log.Error("slack refuses the app token", "err", err, "again", again)
		_ = s.wait(ctx, again)
		return
	}
	if !hearing {
		s.health.set(s.cfg.Now(), Connecting, err.Error())
	}
	if d, ok := retryAfter(err); ok {
		*last = s.cfg.Now().Add(d)
	}
	s.log.Warn("slack socket not opened", "err", err)
}

// retire lets an old socket deliver what is on its way, until Slack closes it or
// the overlap is over.
func (s *Slack) retire(l *link) {
	t := time.NewTimer(s.times.overlap)
	defer t.Stop()
	select {
	case <-l.ended:
	case <-t.C:
		l.end(errOverlap)
	}
}
