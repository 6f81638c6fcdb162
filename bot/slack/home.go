package slack

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"hermes/bot"
)

const (
	// looked is how long after somebody has opened their home it is kept as things
	// are: longer, and nobody looks any more.
	looked = time.Hour
	// between is the least time between two changes of one home, and eager the same for
	// a while after its viewer has pressed something in it: they wait for what comes of it.
	between = 3 * time.Second
	eager   = 500 * time.Millisecond
	awaited = 10 * time.Second
	// noticed is how long a notice stands there.
	noticed = time.Minute
	// mostHomes is how many are kept at a time. Who opens one more has theirs made
	// once, and kept when they open it again.
	mostHomes = 500
)

// homes are the App Homes that people look at. One goroutine at a time works on one
// of them, so an older view never follows a newer one of ours; that it does not
// replace somebody else's Slack sees to, by the hash.
type homes struct {
	mu  sync.Mutex
	of  map[string]*home
	due chan string // users; each is in it once at most
	// rested is told of each home that has become as things are. Tests wait for it.
	rested func()
}

type home struct {
	opened  time.Time
	shown   time.Time // the last change
	hash    string    // Slack's, of what is there
	print   [sha256.Size]byte
	pressed time.Time // by its viewer, the last time
	hurry   func()    // ends the wait for its next change; nil if nobody waits
	notice  string    // said for a while, above all
	told    time.Time
	due     bool // something may have changed since it was made
	busy    bool // somebody works on it, or will soon
}

// opened notes that a user looks at their home, where Slack has a view with a hash.
func (h *homes) opened(user, hash string, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	it := h.of[user]
	if it == nil {
		if h.of == nil || len(h.of) >= mostHomes {
			h.of = h.recent(now)
		}
		it = &home{}
		h.of[user] = it
	}
	if it.hash != hash {
		it.hash, it.print = hash, [sha256.Size]byte{} // it is another one than we have made
	}
	it.opened = now
	h.wake(user, it)
}

// recent are the homes without those that nobody looks at, or none if that leaves too
// many.
func (h *homes) recent(now time.Time) map[string]*home {
	out := map[string]*home{}
	for user, it := range h.of {
		if it.busy || now.Sub(it.opened) < looked {
			out[user] = it
		}
	}
	if len(out) >= mostHomes {
		return map[string]*home{}
	}
	return out
}

// touch has the home of a user made anew, or of everybody if user is empty.
func (h *homes) touch(user string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if user != "" {
		if it := h.of[user]; it != nil {
			h.wake(user, it)
		}
		return
	}
	for user, it := range h.of {
		h.wake(user, it)
	}
}

// pressed has the home of a user made anew at once: they have pressed something in it.
func (h *homes) pressed(user string, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if it := h.of[user]; it != nil {
		it.pressed, it.shown = now, time.Time{}
		if it.hurry != nil {
			it.hurry()
		}
		h.wake(user, it)
	}
}

// waits returns the context in which the next change of a home is waited for: it ends
// when that is not to be waited for any more.
func (h *homes) waits(ctx context.Context, user string) (context.Context, func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	at := h.of[user]
	if at == nil || at.shown.IsZero() {
		cancel()
		return ctx, cancel
	}
	at.hurry = cancel
	return ctx, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		at.hurry = nil
		cancel()
	}
}

// tell has something said above everything else in a home.
func (h *homes) tell(user, notice string, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if it := h.of[user]; it != nil {
		it.notice, it.told, it.shown = notice, now, time.Time{}
		h.wake(user, it)
	}
}

// wake is called with mu locked.
func (h *homes) wake(user string, it *home) {
	it.due = true
	if it.busy {
		return
	}
	select {
	case h.due <- user:
		it.busy = true
	default: // so many are due that the next touch is early enough
	}
}

// take returns a home that is due, and how long it has to wait. It reports false if
// there is nothing to do; then somebody else may work on it.
func (h *homes) take(user string, now time.Time) (it home, wait time.Duration, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := h.of[user]
	switch {
	case at == nil:
		return home{}, 0, false
	case now.Sub(at.opened) >= looked:
		delete(h.of, user)
	case at.due:
		gap := between
		if now.Sub(at.pressed) < awaited {
			gap = eager
		}
		if wait = at.shown.Add(gap).Sub(now); wait > 0 {
			return home{}, wait, true
		}
		if now.Sub(at.told) >= noticed {
			at.notice = ""
		}
		it = *at
		at.due = false
		return it, 0, true
	default:
		at.busy = false
	}
	if h.rested != nil {
		h.rested()
	}
	return home{}, 0, false
}

// made notes what Slack has been shown.
func (h *homes) made(user, hash string, print [sha256.Size]byte, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if at := h.of[user]; at != nil {
		at.hash, at.print, at.shown = hash, print, now
	}
}

// again has a home that could not be made tried once more, after a while.
func (h *homes) again(user string, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if at := h.of[user]; at != nil {
		at.due, at.shown = true, now
	}
}

// homeOpened notes that somebody looks at their home. It is made once the event is
// acknowledged.
func (s *Slack) homeOpened(user string, event json.RawMessage) content {
	if s.cfg.Desk == nil || user == "" {
		return content{}
	}
	var e struct {
		View struct {
			Hash string `json:"hash"`
		} `json:"view"`
	}
	_ = json.Unmarshal(event, &e) // without a view it is the first time
	return content{then: func(context.Context) { s.homes.opened(user, e.View.Hash, s.cfg.Now()) }}
}

// changed has homes made anew after what a Post tells of: a card, an answer, the
// beginning and the end of a run, but not each of its steps.
func (s *Slack) changed(p bot.Post) {
	if p.Kind == bot.Progress && p.Delivered != nil && len(p.Choices) > 0 {
		return
	}
	s.homes.touch("")
}

// keepHomes makes homes as they become due, until ctx ends.
func (s *Slack) keepHomes(ctx context.Context) {
	var work sync.WaitGroup
	defer work.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case user := <-s.homes.due:
			work.Go(func() { s.keepHome(ctx, user) })
		}
	}
}

// keepHome makes one home until it is as things are.
func (s *Slack) keepHome(ctx context.Context, user string) {
	for ctx.Err() == nil {
		it, wait, ok := s.homes.take(user, s.cfg.Now())
		if !ok {
			return
		}
		if wait > 0 {
			within, done := s.homes.waits(ctx, user)
			_ = s.wait(within, wait) // it may be cut short
			done()
			continue
		}
		err := s.publish(ctx, user, it)
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, bot.ErrBusy):
			s.homes.again(user, s.cfg.Now())
		case err != nil:
			s.log.Warn("slack home not shown", "user", user, "err", err)
		}
	}
}

// publish shows a home as things are. One that Slack has already is left alone. If
// somebody else has changed it meanwhile, it is made once more of what is so by then.
func (s *Slack) publish(ctx context.Context, user string, it home) error {
	hash := it.hash
	for try := 0; ; try++ {
		view, err := s.homeView(ctx, user, it.notice)
		if err != nil {
			return err
		}
		body, err := json.Marshal(view)
		if err != nil {
			return fmt.Errorf("encode home of %s: %w", user, err)
		}
		print := sha256.Sum256(body)
		if try == 0 && print == it.print {
			return nil
		}
		req := slack.PublishViewContextRequest{UserID: user, View: view}
		if hash != "" {
			req.Hash = &hash
		}
		var got *slack.ViewResponse
		err = s.paced(ctx, "views.publish", "", func() (err error) {
			got, err = s.api.PublishViewContext(ctx, req)
			return err
		})
		if try == 0 && codeOf(err) == "hash_conflict" {
			hash = ""
			continue
		}
		if err != nil {
			return fmt.Errorf("home of %s: %w", user, readTrouble(err))
		}
		s.homes.made(user, got.Hash, print, s.cfg.Now())
		return nil
	}
}
