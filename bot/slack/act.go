package slack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/time/rate"

	"hermes/bot"
)

// What is shown while a Run works: Slack's streams end after five minutes and at
// 12,000 characters, whatever goes on, and it wants messages changed once a second
// at most, and once in three if that goes on for long.
const (
	streamLife  = 4 * time.Minute
	streamLimit = 9000
	updateGap   = time.Second
	longGap     = 3 * time.Second
	longWork    = time.Minute
	// orphaned is how long a stream waits for the answer that seals it after its Run
	// has said that nothing more comes.
	orphaned = 10 * time.Second
	// outworn is how long an act is remembered after its end.
	outworn = 10 * time.Minute
	// startEvery is how often a stream may begin in a workspace: Slack takes twenty
	// a minute, and as many ends.
	startEvery, startBurst = 4 * time.Second, 8
)

// stillOpen is why Slack changes no message that it holds for an open stream.
const stillOpen = "streaming_state_conflict"

// An act is what one Run shows while it works: a stream, or a message that is
// changed. A stream that grows old goes on as a message.
type act struct {
	mu      sync.Mutex // held while Slack is called: one call at a time
	key     string     // of the Progress
	run     string
	channel string
	ts      string // of the message; empty before there is one
	thread  string
	open    bool // it is a stream that takes more
	dead    bool // it is a stream without an answer, which an ordinary post has
	sealed  string
	began   time.Time
	said    time.Time // when anything was last shown
	changed time.Time // when the message was last changed
	over    time.Time // since when nothing more comes; zero before
	used    int       // characters that the stream has
	shown   map[string]string
	post    bot.Post // the newest Progress
	pending bool     // post is not shown yet
	stuck   int      // how often in a row Slack held it for a stream that is open
	told    string   // what the stream has of the answer and of what was written before
	from    int      // where in it the newest draft begins
	rev     int      // of the Progress that this is of
	full    bool     // the stream takes no more of it
	unsure  bool     // nobody knows what the stream has of it

	next *bot.Post // the newest that Show was given; under the lock of acts
}

// acts are all that are shown.
type acts struct {
	mu     sync.Mutex
	all    map[string]*act // by key
	begins *rate.Limiter
	none   bool        // Slack has no streams here
	plain  atomic.Bool // and no plans
}

// of returns the act of a Progress.
func (as *acts) of(p bot.Post) *act {
	as.mu.Lock()
	defer as.mu.Unlock()
	if as.all == nil {
		as.all = map[string]*act{}
	}
	a := as.all[p.Key]
	if a == nil {
		a = &act{key: p.Key, run: p.Of}
		as.all[p.Key] = a
	}
	return a
}

func (as *acts) list() []*act {
	as.mu.Lock()
	defer as.mu.Unlock()
	out := make([]*act, 0, len(as.all))
	for _, a := range as.all {
		out = append(out, a)
	}
	return out
}

// show gives an act what it should show next, and reports whether there is one.
func (as *acts) show(p bot.Post) bool {
	as.mu.Lock()
	defer as.mu.Unlock()
	a := as.all[p.Key]
	if a == nil {
		return false
	}
	if a.next == nil || a.next.Rev <= p.Rev {
		a.next = &p
	}
	return true
}

// freshen takes what Show was given since. a.mu is held.
func (s *Slack) freshen(ctx context.Context, a *act) {
	s.acts.mu.Lock()
	next := a.next
	s.acts.mu.Unlock()
	if next == nil || a.post.Plan == nil || next.Rev < a.post.Rev || next.Rev == a.post.Rev && (a.post.Plan.Over || next.Draft == a.post.Draft) {
		return
	}
	a.post, a.pending = *next, true
	s.statuses.follow(ctx, s, a.post)
}

func (as *acts) forget(a *act) {
	as.mu.Lock()
	defer as.mu.Unlock()
	delete(as.all, a.key)
}

// toSeal returns the act whose stream an answer ends, nil if there is none.
func (as *acts) toSeal(p bot.Post, now time.Time) *act {
	if p.Kind != bot.Answer || p.Of == "" || p.Only != "" || p.Delivered != nil {
		return nil
	}
	for _, a := range as.list() {
		if a.run != p.Of {
			continue
		}
		a.mu.Lock()
		ok := a.dead || a.open && a.thread == p.Place.Thread && now.Sub(a.began) < streamLife && a.room() >= leastRoom
		a.mu.Unlock()
		if ok {
			return a
		}
	}
	return nil
}

// become notes that the answer with that Key is the message ts, which may be the
// stream of a.
func (a *act) become(key, ts string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ts == ts {
		a.open, a.dead, a.pending, a.sealed = false, false, false, key
	}
}

// leastRoom is how many characters an answer must be able to have in a stream that
// becomes it.
const leastRoom = 1000

// room is how many characters an answer may have in the stream. a.mu is held.
func (a *act) room() int {
	if a.dead || a.unsure {
		return partLimit
	}
	return streamLimit - a.used + utf8.RuneCountInString(a.told)
}

// due is when the newest Progress may be shown.
func (a *act) due() time.Time {
	gap := updateGap
	if a.stuck > 0 {
		return a.said.Add(backOff(a.stuck))
	}
	if a.post.Plan.Over {
		return a.changed.Add(gap)
	}
	if a.said.Sub(a.began) > longWork {
		gap = longGap
	}
	return a.said.Add(gap)
}

func (a *act) receipt(s *Slack) bot.Receipt {
	team := a.post.Place.Workspace
	ref := bot.Ref{Place: bot.Place{Platform: platform, Workspace: team, Channel: a.channel, Thread: a.thread}, ID: a.ts}
	me, _ := s.me()
	return bot.Receipt{Ref: ref, Link: me.link(a.channel, a.ts, a.thread)}
}

// Show implements bot.Shower. What it is given is shown by tend.
func (s *Slack) Show(p bot.Post) bool { return s.acts.show(p) }

// perform shows a Progress. What comes too fast is shown a little later, by tend; the
// last of it is waited for, so that its Receipt is true.
func (s *Slack) perform(ctx context.Context, p bot.Post) (bot.Receipt, error) {
	s.statuses.follow(ctx, s, p)
	a := s.acts.of(p)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ts == "" && p.Delivered != nil {
		s.recall(ctx, a, p)
	}
	a.post, a.pending = p, true
	s.freshen(ctx, a)
	now := s.cfg.Now()
	switch {
	case !p.Plan.Over:
		a.over = time.Time{}
	case a.over.IsZero():
		a.over = now
	}
	if a.sealed != "" && p.Plan.Over {
		a.pending = false // the answer is there, and says so
		return a.receipt(s), nil
	}
	if a.ts == "" || a.sealed != "" {
		if err := s.begin(ctx, a); err != nil {
			return bot.Receipt{}, err
		}
		return a.receipt(s), nil
	}
	wait := a.due().Sub(now)
	if wait > 0 && (!p.Plan.Over || a.stuck > 0) {
		return a.receipt(s), nil
	}
	if wait > 0 && !a.open {
		if err := s.wait(ctx, wait); err != nil {
			return bot.Receipt{}, fmt.Errorf("%w: stopped while waiting for a change: %w", bot.ErrBusy, err)
		}
	}
	s.show(ctx, a)
	return a.receipt(s), nil
}

// recall looks at the message of an act that was begun before a restart: an open
// stream is ended, and one that has become an answer is left alone.
func (s *Slack) recall(ctx context.Context, a *act, p bot.Post) {
	ref := *p.Delivered
	a.channel, a.ts, a.thread, a.post, a.began = ref.Place.Channel, ref.ID, ref.Place.Thread, p, s.cfg.Now()
	a.said = a.began
	m, ok, err := s.one(ctx, a.channel, a.thread, a.ts)
	switch {
	case err != nil:
		s.log.Warn("slack message of a run not looked at", "post", p.Key, "err", err)
	case !ok:
	case m.key() != "" && m.key() != p.Key:
		a.sealed = m.key()
	case m.open():
		a.open = true
		s.roll(ctx, a)
	}
}

// begin shows the first of an act, as a stream if that may be.
func (s *Slack) begin(ctx context.Context, a *act) error {
	p := a.post
	now := s.cfg.Now()
	a.ts, a.sealed, a.open, a.used, a.shown, a.began = "", "", false, 0, map[string]string{}, now
	a.told, a.from, a.full, a.unsure = "", 0, false, false
	p.Delivered = nil
	if s.streams(ctx, p) {
		done, err := s.start(ctx, a)
		if err != nil || done {
			return err
		}
	}
	w, err := s.writer(ctx, p)
	if err != nil {
		return err
	}
	r, err := w.write(ctx)
	if err != nil {
		return err
	}
	a.channel, a.ts, a.thread = r.Ref.Place.Channel, r.Ref.ID, r.Ref.Place.Thread
	a.said, a.pending = s.cfg.Now(), false
	return nil
}

// show brings what is pending. What fails is tried again by tend, unless it has no
// sense: it must hold up nothing, least of all the answer. a.mu is held.
func (s *Slack) show(ctx context.Context, a *act) {
	if a.open && s.stream(ctx, a) {
		return
	}
	r, err := render(a.post, look{limit: partLimit, plain: s.acts.plain.Load()})
	if err != nil {
		a.pending = false
		return
	}
	w := writer{Slack: s, post: a.post, out: r}
	change := func() error { return s.update(ctx, a.channel, a.ts, w.options(0)) }
	done, err := s.soon("chat.update", a.channel, change)
	if codeOf(err) == stillOpen {
		a.open = true
		s.roll(ctx, a)
		done, err = s.soon("chat.update", a.channel, change)
	}
	code := codeOf(err)
	switch {
	case !done:
		return
	case slices.Contains(blockCodes, code) && !s.acts.plain.Load():
		s.acts.plain.Store(true)
		s.show(ctx, a)
		return
	case code == stillOpen:
		// The stream is to be stopped first, and that is tried until it is.
		a.stuck++
		s.log.Info("slack stream of a run is still open", "post", a.key, "tries", a.stuck)
		a.said, a.pending = s.cfg.Now(), true
		return
	case err != nil:
		s.log.Warn("slack message of a run not changed", "post", a.key, "err", err)
	}
	a.stuck = 0
	a.said = s.cfg.Now()
	a.changed = a.said
	a.pending = err != nil && !errors.Is(troubleOf(err), bot.ErrRefused)
}

// closeActs ends what is shown of the Run whose end a Post is, and of one that waits
// for the press on it.
func (s *Slack) closeActs(ctx context.Context, p bot.Post) {
	if p.Delivered != nil {
		return
	}
	for _, a := range s.acts.list() {
		a.mu.Lock()
		mine := p.Of != "" && a.run == p.Of
		asks := p.Kind == bot.Card && len(p.Choices) > 0 && a.channel == p.Place.Channel && a.thread == p.Place.Thread
		switch {
		case a.dead && mine:
			s.bury(ctx, a)
		case a.open && (mine || asks): // and if nobody knew whether it was the answer, it is not
			a.sealed = ""
			s.roll(ctx, a)
		}
		a.mu.Unlock()
	}
}

// tend shows what is due and ends what is old.
func (s *Slack) tend(ctx context.Context) {
	now := s.cfg.Now()
	for _, a := range s.acts.list() {
		if !a.mu.TryLock() {
			continue // it is being shown
		}
		s.freshen(ctx, a)
		gone := !a.over.IsZero() && now.Sub(a.over) > outworn || now.Sub(a.said) > longAgo
		switch {
		case a.dead || a.ts == "" || a.sealed != "":
		case a.open && (now.Sub(a.began) >= streamLife || !a.over.IsZero() && now.Sub(a.over) >= orphaned):
			s.roll(ctx, a)
		case a.pending && !now.Before(a.due()):
			s.show(ctx, a)
		}
		if gone {
			s.acts.forget(a)
		}
		a.mu.Unlock()
	}
	s.statuses.tend(ctx, s)
}

// tendEvery is how often tend looks.
const tendEvery = 250 * time.Millisecond

// tendAll tends until ctx ends, and then leaves nothing that says that somebody is
// at work: whoever goes on with it says so again.
func (s *Slack) tendAll(ctx context.Context) {
	tick := time.NewTicker(tendEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.tend(ctx)
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.times.teardown)
			defer cancel()
			s.rest(last)
			return
		}
	}
}

// rest ends what is shown, for the end of the program.
func (s *Slack) rest(ctx context.Context) {
	var work sync.WaitGroup
	for _, a := range s.acts.list() {
		work.Go(func() {
			a.mu.Lock()
			defer a.mu.Unlock()
			switch {
			case a.ts == "" || a.sealed != "":
			case a.open:
				s.roll(ctx, a)
			case a.pending:
				s.show(ctx, a)
			}
		})
	}
	s.statuses.rest(ctx, s)
	work.Wait()
}
