// Package slack turns what Slack sends into the words of bot, and these words
// into Slack's calls. Nobody else knows Slack: what a message may be, who may say
// it and what is done about it is decided by the Receiver.
//
// The rule that a newcomer would break: an envelope is acknowledged after the
// Receiver has taken it and not before, since what is lost after that is lost for
// good; and before it no call goes to Slack, since Slack waits three seconds only. (A
// command and a form may need one, for a second at most: whose conversation it belongs
// to, and whether we are in the channel that it names.)
// What Slack sends is decoded leniently, a few fields of it, because one element
// of a kind that is new would otherwise make the whole event unreadable.
//
// The Key of a message is slack/team/channel/ts, of an edit that and "@" and its
// own time, of one taken back that and "@deleted", of a press slack/team/channel/
// message ts/action/user/action ts, of a command slack/team/command/its trigger.
// What cannot be read at all is kept under slack/team/envelope/its id, as a Message
// of nobody that says nothing.
//
//	in   listen.go → socket.go ┐
//	                   http.go ┴ envelope.go → event.go, message.go, press.go, command.go, shortcut.go → Receiver → ack
//	                history.go, absence.go, which read what nobody has brought ┘
//	out  post.go → render.go (split.go, table.go, mrkdwn.go, plan.go, feedback.go) → pace.go → Slack
//	     act.go, stream.go and status.go show what is under way; files.go, find.go, gone.go
//	ask  people.go, standing.go, directory.go, roster.go, groups.go, fetch.go, reread.go
//	show home.go, home_view.go, home_work.go, the home of a person; modal.go, modal_schedule.go, forms; view.go, presses in them
package slack

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"hermes/bot"
	"hermes/internal/dial"
)

// Config is how to reach one workspace. What happens there comes over a socket that
// Run opens with the AppToken, or without one by HTTP to Handler.
type Config struct {
	APIURL        string // https://slack.com/api/ if empty
	AppToken      string // xapp-…, for Socket Mode
	BotToken      string // xoxb-…, for everything else
	SigningSecret string // of what comes by HTTP; without one Handler refuses everything
	Name          string // of the workspace, in logs and in State

	// Spoken reports whether the bot has said something in a thread. It is
	// asked before a message is acknowledged, so it must be quick; nil is never.
	Spoken func(context.Context, bot.Place) bool
	// Seen returns how far a workspace was heard before: the ts of the newest
	// message by channel, and by channel/thread for threads in which the bot has
	// spoken. Nil is never: then nothing is read after an absence.
	Seen func(ctx context.Context, team string) (map[string]string, error)
	// Keeper keeps what was learned of a workspace ("slack:" and its team) from one
	// process to the next; nil: until the program ends.
	Keeper Keeper
	// Left is told of somebody who is of the workspace no more. Nil is nobody.
	Left func(ctx context.Context, person string)
	// Group is told of a user group whose members have changed. Nil is nobody.
	Group func(ctx context.Context, id string)

	// Why returns what the answer of a run rests on, as Markdown, as far as a Person may
	// see it. Nil: who asks in their home is told in our conversation.
	Why func(ctx context.Context, person, run string) (string, error)

	// Desk is what people see in their App Home, and Planner what they can do there
	// about schedules. Without a Desk nobody has a home.
	Desk    bot.Desk
	Planner bot.Planner
	// Decider has the forms by which people decide with more than a press, and what may
	// run without a question. Nil: there are none.
	Decider bot.Decider

	Now  func() time.Time // time.Now if nil
	HTTP *http.Client     // reaches the Web API; one with a timeout of 30 s if nil
	// Proxy is asked for files and takes answers to presses, whose addresses come with
	// what is heard; nil: none. What the environment says of proxies is for the Web API.
	Proxy *url.URL
}

// A Keeper keeps texts by name.
type Keeper interface {
	// Get reports false for what was never kept.
	Get(ctx context.Context, workspace, name string) (string, bool, error)
	Set(ctx context.Context, workspace, name, value string) error
}

// Slack is a bot.Platform for one workspace.
type Slack struct {
	cfg   Config
	shelf bot.Shelf
	log   *slog.Logger
	api   *slack.Client
	http  *http.Client // to the Web API
	out   *http.Client // to addresses that come with what is heard
	times times
	// wait lets time pass. Tests put their own clock here.
	wait func(context.Context, time.Duration) error
	// tick tells of time that passes, until it is stopped. So do they here.
	tick func(time.Duration) (ticks <-chan time.Time, stop func())

	pace       pace
	rooms      rooms
	groups     groups
	people     people
	hooks      hooks
	unreadable rarely // envelopes, by type
	acts       acts
	statuses   statuses
	health     health
	greeted    greeted

	homes homes
	forms forms

	errands chan func(context.Context)
	absent  absence
	shut    chan struct{} // the bot token is refused
	doubts  chan struct{} // and may be good again
	mended  chan struct{} // the workspace lets us in that did not

	mu     sync.Mutex
	self   self
	scopes []string // of the bot token; nil while nobody knows
}

// self is who we are in the workspace. It is empty until Slack has said so, and
// then nothing is heard: without it our own posts look like anybody's.
type self struct{ team, user, bot, app, url string }

var (
	_ bot.Platform  = (*Slack)(nil)
	_ bot.Finder    = (*Slack)(nil)
	_ bot.Retractor = (*Slack)(nil)
	_ bot.Directory = (*Slack)(nil)
	_ bot.Knower    = (*Slack)(nil)
	_ bot.Fetcher   = (*Slack)(nil)
	_ bot.Rereader  = (*Slack)(nil)
)

// New returns a Slack that takes its files from a Shelf.
func New(cfg Config, shelf bot.Shelf, log *slog.Logger) *Slack {
	if cfg.APIURL == "" {
		cfg.APIURL = slack.APIURL
	}
	if !strings.HasSuffix(cfg.APIURL, "/") {
		cfg.APIURL += "/"
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Spoken == nil {
		cfg.Spoken = func(context.Context, bot.Place) bool { return false }
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if cfg.Name != "" {
		log = log.With("workspace", cfg.Name)
	}
	s := &Slack{cfg: cfg, shelf: shelf, log: log, times: defaultTimes, wait: pause, tick: ticker}
	s.http = client(cfg.HTTP)
	s.out = dial.New(dial.Config{Hosts: hosts, Configured: []string{cfg.APIURL}, Proxy: cfg.Proxy})
	s.api = slack.New(cfg.BotToken,
		slack.OptionAppLevelToken(cfg.AppToken),
		slack.OptionAPIURL(cfg.APIURL),
		slack.OptionHTTPClient(&http.Client{Timeout: s.http.Timeout, Transport: lenient{s.http.Transport}, CheckRedirect: s.http.CheckRedirect}),
	)
	s.pace.now = cfg.Now
	s.people.asked = make(chan string, 256)
	s.errands = make(chan func(context.Context), mostErrands)
	s.homes.due = make(chan string, mostHomes)
	s.absent.news, s.shut, s.doubts, s.mended = make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, 1)
	s.health.begin(cfg.Now())
	return s
}

// Run implements bot.Platform. It first asks who it is, and hears nothing until
// it knows. No failure ends it: a token that Slack refuses is tried again every
// minute, later every few, and State says so meanwhile.
func (s *Slack) Run(ctx context.Context, to bot.Receiver) error {
	if err := s.identify(ctx); err != nil {
		return nil //nolint:nilerr // ctx has ended, and that is no failure
	}
	// What people said while we were away comes at once. "Every day at nine" needs
	// a zone, so it is worth a moment to know who they are.
	within, cancel := context.WithTimeout(ctx, s.times.meet)
	s.meetAll(within)
	s.meetRooms(within)
	cancel()
	s.absent.from(s.heardLast(ctx))
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var side sync.WaitGroup
	side.Go(func() { s.meet(ctx) })
	side.Go(func() { s.probe(ctx) })
	side.Go(func() { s.tendAll(ctx) })
	side.Go(func() { s.catchUp(ctx, to) })
	side.Go(func() { s.welcome(ctx, to) })
	side.Go(func() { s.keepHomes(ctx) })
	for range errandsAtOnce {
		side.Go(func() { s.runErrands(ctx) })
	}
	if s.cfg.AppToken == "" {
		s.health.opened(s.cfg.Now()) // auth.test has just been answered
		s.mayHaveMissed(time.Time{})
		<-ctx.Done()
	} else {
		s.listen(ctx, to)
	}
	side.Wait()
	s.health.over(s.cfg.Now())
	return nil
}

// identify asks Slack who we are, until it answers.
func (s *Slack) identify(ctx context.Context) error {
	var locks locks
	for try := 0; ; try++ {
		me, err := s.api.AuthTestContext(ctx)
		if err == nil && (me.TeamID == "" || me.UserID == "") {
			err = errors.New("auth.test does not say who we are")
		}
		if err == nil {
			s.mu.Lock()
			s.self = self{team: me.TeamID, user: me.UserID, bot: me.BotID, url: me.URL}
			s.mu.Unlock()
			s.grants(me.Header)
			s.log.Info("slack knows us", "team", me.TeamID, "user", me.UserID)
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		delay := s.backoff(try)
		if locked(err) {
			delay = locks.wait(s)
			s.health.set(s.cfg.Now(), AuthFailed, "auth.test: "+err.Error())
		}
		s.log.Warn("slack does not say who we are", "err", err, "again", delay)
		if err := s.wait(ctx, delay); err != nil {
			return err
		}
	}
}

// me returns who we are, and whether we know.
func (s *Slack) me() (self, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.self, s.self.team != ""
}

// Team returns the workspace's id, which is the Workspace of all its Places, and
// an empty one until Slack has said so.
func (s *Slack) Team() string {
	me, _ := s.me()
	return me.team
}

// times are the patiences of a Slack. Tests shorten those that run on the wall's
// clock.
type times struct {
	gap      time.Duration // between two openings of a socket, at least
	most     time.Duration // between two openings after failures, at most
	locked   time.Duration // between tries after a permanent refusal
	patient  time.Duration // after which these are no longer so near
	idle     time.Duration // but so far apart
	settled  time.Duration // for which a socket must live to be a good one
	hello    time.Duration // from dialling to hello
	ping     time.Duration // between our pings
	overlap  time.Duration // for which an old socket lives beside the new one
	pong     time.Duration // for which a ping of ours may go unanswered, before a socket counts as dead
	stale    time.Duration // for which nothing of ours may go unanswered, before State says so
	deaf     time.Duration // without a socket, until State says so
	probe    time.Duration // between two questions whether Slack still knows us
	doubt    time.Duration // the same while it does not
	open     time.Duration // for the one call that a command may need before its ack
	teardown time.Duration // for a polite goodbye
	meet     time.Duration // for the list of people, before anybody is heard
	ack      time.Duration // for the Receiver, and for the acknowledgement
}

// Slack allows about one opening a minute with small bursts; it closes sockets
// every few hours, ten seconds after a warning; its pongs are often more than five
// seconds late, and seldom as much as ten; after three seconds it sends an envelope
// again.
var defaultTimes = times{
	gap: 5 * time.Second, most: 5 * time.Minute, locked: time.Minute, patient: 30 * time.Minute, idle: 5 * time.Minute, settled: time.Minute,
	hello: 20 * time.Second, ping: 3 * time.Second, pong: 12 * time.Second, stale: 10 * time.Second, overlap: 15 * time.Second,
	deaf: 30 * time.Second, probe: time.Minute, doubt: 10 * time.Second, open: time.Second, teardown: time.Second, meet: 3 * time.Second, ack: 3 * time.Second,
}

// backoff is the wait after the try-th failure in a row.
func (s *Slack) backoff(try int) time.Duration {
	return min(s.times.gap<<min(try, 10), s.times.most)
}

// pause waits, or returns the error of a context that ends first.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ticker is time that passes by the wall's clock.
func ticker(d time.Duration) (ticks <-chan time.Time, stop func()) {
	t := time.NewTicker(d)
	return t.C, t.Stop
}

// locks are permanent refusals, one after the other. Who has given a token back waits
// no longer than a minute, if that was not long ago.
type locks struct{ since time.Time }

// wait notes one more, and returns how long to wait after it.
func (l *locks) wait(s *Slack) time.Duration {
	now := s.cfg.Now()
	if l.since.IsZero() {
		l.since = now
	}
	if now.Sub(l.since) < s.times.patient {
		return s.times.locked
	}
	return s.times.idle
}

// over forgets them.
func (l *locks) over() { l.since = time.Time{} }
