package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/coder/websocket"

	"hermes/bot"
)

// readLimit is the longest frame that we take. Slack names no limit; an event with
// long blocks has some hundred kilobytes.
const readLimit = 16 << 20

var (
	errNoPong  = errors.New("no answer to our pings for too long")
	errOverlap = errors.New("replaced by another socket")
	errDone    = errors.New("stopped")
)

// A disconnectError is the reason for which Slack closes a socket.
type disconnectError string

// disabled is the reason when somebody has switched Socket Mode off.
const disabled = "link_disabled"

func (e disconnectError) Error() string { return "slack closes the socket: " + string(e) }

// A link is one socket.
type link struct {
	ws      *websocket.Conn
	leaving chan struct{} // closed when Slack announces that it will close the socket
	ended   chan struct{} // closed when the socket is to be used no more
	pongs   chan struct{} // our ping was answered

	reason      string // why Slack will close it; read after leaving is closed
	leave, stop sync.Once
	uncount     sync.Once
	teardown    time.Duration
	err         error // why it ended; read after ended is closed

	mu    sync.Mutex
	queue [][]byte // frames to be worked on
	more  chan struct{}
}

// open returns a socket that has said hello, within a bound: one whose close hangs is
// left behind.
func (s *Slack) open(ctx context.Context) (*link, error) {
	ctx, cancel := context.WithTimeout(ctx, s.times.hello)
	defer cancel()
	type opened struct {
		l   *link
		err error
	}
	done := make(chan opened, 1)
	go func() {
		l, err := s.dial(ctx)
		done <- opened{l, err}
	}()
	select {
	case o := <-done:
		return o.l, o.err
	case <-ctx.Done():
		go func() {
			if o := <-done; o.l != nil {
				o.l.end(errDone)
			}
		}()
		return nil, fmt.Errorf("open a socket: %w", ctx.Err())
	}
}

// dial asks for a socket, dials it and waits for hello.
func (s *Slack) dial(ctx context.Context) (*link, error) {
	_, url, err := s.api.StartSocketModeContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("ask for a socket: %w", err)
	}
	l := &link{
		leaving: make(chan struct{}), ended: make(chan struct{}), pongs: make(chan struct{}, 1),
		more: make(chan struct{}, 1), teardown: s.times.teardown,
	}
	l.ws, _, err = websocket.Dial(ctx, url, &websocket.DialOptions{
		HTTPClient: s.http,
		// That Slack pings is no sign of life: it shows one way only.
		OnPongReceived: func(context.Context, []byte) {
			s.health.answered(s.cfg.Now())
			signal(l.pongs)
		},
	})
	if err != nil {
		// The address carries a ticket, which is nobody's business.
		return nil, errors.New("dial the socket: " + scrub(err.Error(), url))
	}
	l.ws.SetReadLimit(readLimit)
	for {
		_, b, err := l.ws.Read(ctx)
		if err != nil {
			l.end(err)
			return nil, fmt.Errorf("wait for hello: %w", err)
		}
		var f struct {
			frame
			Connections int `json:"num_connections"`
		}
		if json.Unmarshal(b, &f) != nil {
			continue
		}
		switch f.Type {
		case "hello":
			if f.Connections > 2 {
				// Each of them takes a share of what happens.
				s.log.Warn("others listen with the same app token", "sockets", f.Connections)
			}
			return l, nil
		case "disconnect":
			err := disconnectError(f.Reason)
			l.end(err)
			return nil, err
		}
	}
}

// serve reads a link until it ends.
func (s *Slack) serve(ctx context.Context, l *link, to bot.Receiver) {
	var all sync.WaitGroup
	all.Go(func() { s.watch(ctx, l) })
	all.Go(func() { s.work(ctx, l, to) })
	all.Go(func() {
		<-l.ended // the Read below may outlive it
		s.gone(l)
	})
	for {
		// The reader never waits for the work: whoever does not read does not
		// answer pings either, and is cut off.
		_, b, err := l.ws.Read(ctx)
		if err != nil {
			l.end(err)
			break
		}
		s.happened()
		l.mu.Lock()
		l.queue = append(l.queue, b)
		l.mu.Unlock()
		signal(l.more)
	}
	all.Wait()
}

// work takes frames in their order, so that what is said in a thread stays in its
// order.
func (s *Slack) work(ctx context.Context, l *link, to bot.Receiver) {
	for {
		l.mu.Lock()
		frames := l.queue
		l.queue = nil
		l.mu.Unlock()
		for _, b := range frames {
			select {
			case <-l.ended: // Slack sends the rest again
				return
			default:
				s.take(ctx, l, b, to)
			}
		}
		if len(frames) > 0 {
			continue
		}
		select {
		case <-l.more:
		case <-l.ended:
			return
		}
	}
}

// watch pings, and ends a link on which a ping was not answered for too long: a socket
// can be half-open for hours and look well, and one that brings frames may be one on
// which nothing goes out, our acknowledgements neither.
func (s *Slack) watch(ctx context.Context, l *link) {
	ticks, stop := s.tick(s.times.ping)
	defer stop()
	var asked time.Time // since when a ping is not answered; zero if there is none
	for {
		select {
		case <-l.pongs:
			asked = time.Time{}
		case now := <-ticks:
			switch {
			case asked.IsZero():
				asked = now
			case now.Sub(asked) >= s.times.pong:
				l.end(errNoPong)
				return
			}
			// One ping that is not answered in time says nothing: Slack is often late.
			go func() {
				ctx, cancel := context.WithTimeout(ctx, s.times.pong)
				defer cancel()
				_ = l.ws.Ping(ctx)
			}()
		case <-ctx.Done():
			l.end(errDone)
			return
		case <-l.ended:
			return
		}
	}
}

// gone notes that a link has ended, once.
func (s *Slack) gone(l *link) {
	l.uncount.Do(func() { s.health.closed(s.cfg.Now(), l.why()) })
}

// end gives a link up. The goodbye is said beside, with a bound: closing has been
// seen to hang for hours, and Slack keeps the connection open after it.
func (l *link) end(why error) {
	l.stop.Do(func() {
		l.err = why
		close(l.ended)
		go func() {
			hard := time.AfterFunc(l.teardown, func() { _ = l.ws.CloseNow() })
			defer hard.Stop()
			_ = l.ws.Close(websocket.StatusNormalClosure, "")
		}()
	})
}

func (l *link) over() bool {
	select {
	case <-l.ended:
		return true
	default:
		return false
	}
}

// why is the cause of an end. It is called after ended is closed.
func (l *link) why() string { return l.err.Error() }

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
