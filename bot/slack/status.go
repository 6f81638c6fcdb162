package slack

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"
	"golang.org/x/time/rate"

	"hermes/bot"
)

// refresh is how often a state is said again: Slack forgets its older kind after two
// minutes, and the newer after an hour. worn is when nobody is at work any more who
// has said nothing; twice is when an end is said again of which nobody knows whether
// something overtook it; firstAsk is how long a stream waits to know whether there
// may be one.
const (
	refresh  = 90 * time.Second
	worn     = time.Hour
	twice    = 30 * time.Second
	oneState = 10 * time.Second
	firstAsk = 2 * time.Second
	// manyFails is after how many an end is tried no more often than it is said
	// again; anew is how often something that failed is tried, whatever its thread.
	manyFails = 5
	anew      = 1200 * time.Millisecond
)

// The states of a thread, by Slack's names.
const (
	stateWorking = "processing"
	stateWaiting = "suspended"
	stateIdle    = "active"
)

// A way is how a workspace shows that we are at work.
type way int

// The ways, from the best. Each is tried until Slack takes one.
const (
	sessionWay  way = iota // the state of an agent's session, with a Stop of Slack's
	threadWay              // words under a thread
	reactionWay            // a mark on the message that asked
	noWay
)

// eyes is the mark of reactionWay.
const eyes = "eyes"

// statuses say in which threads somebody is at work. A thread has one voice: its next
// state is said when the one before has been answered, so that a late beginning never
// follows an end.
type statuses struct {
	mu    sync.Mutex
	all   map[bot.Place]*status
	way   way
	stops bool          // Slack shows a Stop of its own
	sure  bool          // way and stops are known
	again *rate.Limiter // of what failed, in all threads
	work  sync.WaitGroup
}

type status struct {
	want, said string
	at         time.Time     // when said was said
	heard      time.Time     // when anybody wanted anything
	again      time.Time     // when the end is said once more; zero if it is not
	saying     bool          // a voice is at it
	unsure     bool          // the beginning may still be on its way
	first      chan struct{} // closed when Slack has answered once
	message    string        // ts of what was asked, if that is known
	begun      string        // thread in which a beginning was said and no end
	lang       string
	fails      int       // of want, one after the other
	next       time.Time // not said again before
}

// failed puts off what a thread wants. ss.mu is held.
func (st *status) failed(now time.Time) {
	st.fails++
	wait := backOff(st.fails)
	if st.want == stateIdle && st.fails >= manyFails {
		wait = refresh
	}
	st.next = now.Add(wait)
}

// wants sets what a thread wants; another wish does not wait for the one that failed.
func (st *status) wants(state string) {
	if st.want != state {
		st.want, st.fails, st.next = state, 0, time.Time{}
	}
}

// where is the thread in which the next state is said, and whether that is the end of
// what was begun in another: in a conversation of two, where we answer without a thread,
// Slack shows our work in that of the message which it is about. It is empty if nobody
// knows one.
func (st *status) where(at bot.Place) (thread string, left bool) {
	switch {
	case at.Thread != "":
		return at.Thread, false
	case st.begun != "" && st.want != stateWorking:
		return st.begun, false
	case st.begun != "" && st.begun != st.message:
		return st.begun, true
	}
	return st.message, false
}

// silent reports whether there is nothing to say of a thread. ss.mu is held.
func (st *status) silent(at bot.Place) bool {
	_, left := st.where(at)
	return st.want == st.said && !left
}

// spoken notes that a state was said in a thread, perhaps.
func (st *status) spoken(thread, state string) {
	if st.begun = thread; state == stateIdle {
		st.begun = ""
	}
}

// backOff is how long what has failed n times in a row waits: 1, 2, 4 … 60 s.
func backOff(n int) time.Duration {
	return min(time.Second<<min(n-1, 6), time.Minute)
}

// follow takes from a Post whether somebody is at work in its place.
func (ss *statuses) follow(ctx context.Context, s *Slack, p bot.Post) {
	if p.Only != "" || p.Delivered != nil && p.Kind != bot.Progress {
		return
	}
	ss.mu.Lock()
	defer ss.mu.Unlock()
	st := ss.all[p.Place]
	want := ""
	switch {
	case p.Kind == bot.Progress && p.Plan != nil && !p.Plan.Over:
		want = stateWorking
	case p.Kind == bot.Progress && p.Plan != nil:
		want = stateIdle
	case st == nil:
	case p.Kind == bot.Card && len(p.Choices) > 0:
		want = stateWaiting
	case p.Of != "":
		want = stateIdle
	}
	if want == "" || ss.way == noWay {
		return
	}
	if st == nil {
		st = &status{first: make(chan struct{}), lang: p.Lang}
		if ss.all == nil {
			ss.all = map[bot.Place]*status{}
		}
		ss.all[p.Place] = st
	}
	if p.Of != "" {
		st.message = p.Of[strings.LastIndexByte(p.Of, '/')+1:]
		if !isTS(st.message) || !strings.HasPrefix(p.Of, platform+"/") {
			st.message = "" // a command or a schedule
		}
	}
	st.heard = s.cfg.Now()
	st.wants(want)
	ss.speak(ctx, s, p.Place, st)
}

// rests reports whether nobody is at work in a place whose state is that of a session.
func (ss *statuses) rests(at bot.Place) bool {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	st := ss.all[at]
	return ss.way == sessionWay && (st == nil || st.want == stateIdle)
}

// posted notes a message of ours in a thread: Slack then takes away the words under it.
func (ss *statuses) posted(ctx context.Context, s *Slack, at bot.Place) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if st := ss.all[at]; st != nil && ss.way == threadWay && st.want == stateWorking && st.said == stateWorking {
		st.said = ""
		ss.speak(ctx, s, at, st)
	}
}

// speak lets a voice say what a thread wants, unless one is at it. ss.mu is held.
func (ss *statuses) speak(ctx context.Context, s *Slack, at bot.Place, st *status) {
	now := s.cfg.Now()
	if st.saying || st.silent(at) || now.Before(st.next) {
		return
	}
	if ss.again == nil {
		ss.again = rate.NewLimiter(rate.Every(anew), 1)
	}
	if st.fails > 0 && !ss.again.AllowN(now, 1) {
		return // tend tries again
	}
	st.saying = true
	ctx = context.WithoutCancel(ctx) // the end is said whoever has left meanwhile
	ss.work.Go(func() { ss.voice(ctx, s, at, st) })
}

// voice says what a thread wants until it has been said.
func (ss *statuses) voice(ctx context.Context, s *Slack, at bot.Place, st *status) {
	for {
		ss.mu.Lock()
		want, w, now := st.want, ss.way, s.cfg.Now()
		if st.silent(at) || w == noWay {
			st.saying = false
			ss.open(st)
			ss.mu.Unlock()
			return
		}
		thread, left := st.where(at)
		if w == sessionWay && thread == "" {
			st.said, st.at = want, now // there is nowhere to say it
			ss.mu.Unlock()
			continue
		}
		word := saying{want, thread, st.message, st.lang}
		if left {
			word.state = stateIdle
		}
		ss.mu.Unlock()

		within, cancel := context.WithTimeout(ctx, oneState)
		stops, done, err := s.sayState(within, w, at, word)
		cancel()

		ss.mu.Lock()
		trouble := troubleOf(err)
		if !left && (err == nil || errors.Is(trouble, bot.ErrUnknown)) && done {
			st.spoken(thread, want)
		}
		switch {
		case left && done && !errors.Is(trouble, bot.ErrBusy):
			// As well as it can be; what is under way now is said next.
			st.begun, st.said = "", ""
		case !done || errors.Is(trouble, bot.ErrBusy) || errors.Is(trouble, bot.ErrUnknown) && want != stateWorking:
			// tend tries again.
			st.saying = false
			st.unsure = st.unsure || done && want == stateWorking
			if done && st.want == want {
				st.failed(now)
			}
			ss.open(st)
			ss.mu.Unlock()
			return
		case errors.Is(trouble, bot.ErrUnknown):
			st.said, st.at, st.unsure = want, now, true
		case err != nil && ss.way == w && !slices.Contains(ofThread, codeOf(err)) && !slices.Contains(tokenCodes, codeOf(err)):
			ss.way++
			s.log.Info("slack does not show in this way that somebody is at work", "way", int(w), "err", err)
		default:
			// What Slack refuses for this thread is said as well as it can be.
			if err != nil {
				s.log.Info("slack takes no state of this thread", "channel", at.Channel, "thread", thread, "state", want, "err", err)
			}
			st.said, st.at = want, now
			st.fails, st.next = 0, time.Time{}
			if want != stateWorking && st.unsure {
				st.unsure, st.again = false, now.Add(twice)
			}
			if err == nil && !ss.sure {
				ss.sure, ss.stops = true, stops
			}
			ss.open(st)
		}
		ss.mu.Unlock()
	}
}

func (*statuses) open(st *status) {
	select {
	case <-st.first:
	default:
		close(st.first)
	}
}

// ofThread are refusals of a state that are about its thread and not the workspace.
var ofThread = []string{
	"channel_not_found", "not_in_channel", "is_archived", "thread_not_found", "invalid_thread_ts", "message_not_found",
	"already_reacted", "no_reaction",
}

// A saying is one state of a thread, and the message that the work is about.
type saying struct{ state, thread, message, lang string }

// sayState says one state, and reports whether Slack shows a Stop with it and whether
// it was said at all.
func (s *Slack) sayState(ctx context.Context, w way, at bot.Place, word saying) (stops, done bool, err error) {
	channel, err := s.room(ctx, at.Channel)
	if err != nil {
		return false, true, err
	}
	switch w {
	case sessionWay:
		done, err = s.soon("agents.sessions.setStatus", "", func() error {
			got, err := s.api.SetAgentSessionStatusContext(ctx, slack.AgentSessionSetStatusParameters{
				ChannelID: channel, ThreadTS: word.thread, Status: word.state,
			})
			if err == nil {
				warning := "missing_agent_session_stopped_event_subscription"
				stops = got.Warning != warning && !slices.Contains(got.ResponseMetadata.Warnings, warning)
			}
			return err
		})
	case threadWay:
		if at.Thread == "" {
			return false, true, nil
		}
		words := ""
		if word.state == stateWorking {
			words = say(word.lang, "is working on it…", "正在处理……")
		}
		done, err = s.soon("assistant.threads.setStatus", "", func() error {
			return s.api.SetAssistantThreadsStatusContext(ctx, slack.AssistantThreadsSetStatusParameters{
				ChannelID: channel, ThreadTS: at.Thread, Status: words,
			})
		})
	case reactionWay:
		if word.message == "" {
			return false, true, nil
		}
		mark, method := s.api.AddReactionContext, "reactions.add"
		if word.state == stateIdle {
			mark, method = s.api.RemoveReactionContext, "reactions.remove"
		}
		done, err = s.soon(method, "", func() error {
			return mark(ctx, eyes, slack.ItemRef{Channel: channel, Timestamp: word.message})
		})
	}
	return stops, done, err
}

// hasStop reports whether Slack shows a Stop of its own in a place, and waits a moment
// to know.
func (ss *statuses) hasStop(ctx context.Context, at bot.Place) bool {
	ss.mu.Lock()
	st := ss.all[at]
	ss.mu.Unlock()
	if st == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, firstAsk)
	defer cancel()
	select {
	case <-st.first:
	case <-ctx.Done():
	}
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return ss.way == sessionWay && ss.stops
}

// tend says again what Slack would forget, and what was not said yet.
func (ss *statuses) tend(ctx context.Context, s *Slack) {
	now := s.cfg.Now()
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for at, st := range ss.all {
		switch {
		case st.saying:
			continue
		case st.want == stateWorking && now.Sub(st.heard) >= worn:
			st.heard = now
			st.wants(stateIdle)
		case st.want == stateIdle && st.fails > 0 && now.Sub(st.heard) >= worn:
			delete(ss.all, at) // Slack has forgotten it
			continue
		case st.want == stateWorking && st.said == stateWorking && now.Sub(st.at) >= refresh && ss.way != reactionWay:
			st.said = ""
		case st.want == stateWaiting && st.said == stateWaiting && now.Sub(st.heard) >= worn:
			delete(ss.all, at)
			continue
		case !st.again.IsZero() && !now.Before(st.again):
			st.said, st.again = "", time.Time{}
		}
		if st.silent(at) && st.want == stateIdle && st.again.IsZero() {
			delete(ss.all, at)
			continue
		}
		ss.speak(ctx, s, at, st)
	}
}

// rest says of every thread that nobody is at work.
func (ss *statuses) rest(ctx context.Context, s *Slack) {
	ss.mu.Lock()
	for at, st := range ss.all {
		st.wants(stateIdle)
		st.fails, st.next = 0, time.Time{}
		ss.speak(ctx, s, at, st)
	}
	ss.mu.Unlock()
	done := make(chan struct{})
	go func() { defer close(done); ss.work.Wait() }()
	select {
	case <-done:
	case <-ctx.Done():
	}
}
