package slack_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"hermes/bot"
	"hermes/bot/slack"
	"hermes/internal/fakeslack"
)

// patience is how long a fact may take to come. Only a broken promise waits so
// long.
const patience = 10 * time.Second

// ears are a Receiver that keeps what it hears once per key, as the inbox does.
type ears struct {
	mu      sync.Mutex
	order   []string
	heard   map[string]bot.Message
	clicks  map[string]bot.Click
	times   map[string]int
	refuse  error
	opened  int // how often it was told that the workspace lets us in
	changed chan struct{}
	on      func(context.Context, bot.Message)
}

func newEars() *ears {
	return &ears{
		heard: map[string]bot.Message{}, clicks: map[string]bot.Click{}, times: map[string]int{},
		changed: make(chan struct{}),
	}
}

func (e *ears) Receive(ctx context.Context, m bot.Message) error {
	e.mu.Lock()
	e.times[m.Key]++
	_, old := e.heard[m.Key]
	err := e.refuse
	if err == nil && !old {
		e.heard[m.Key] = m
		e.order = append(e.order, m.Key)
	}
	on := e.on
	e.touch()
	e.mu.Unlock()
	if err == nil && !old && on != nil {
		on(ctx, m)
	}
	return err
}

func (e *ears) Click(_ context.Context, c bot.Click) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.times[c.Key]++
	if e.refuse != nil {
		return e.refuse
	}
	e.clicks[c.Key] = c
	e.touch()
	return nil
}

func (e *ears) Reopened(_ context.Context, workspace bot.Place) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if workspace == (bot.Place{Platform: "slack", Workspace: fakeslack.Team}) {
		e.opened++
	}
	e.touch()
	return nil
}

func (e *ears) touch() {
	close(e.changed)
	e.changed = make(chan struct{})
}

func (e *ears) refuses(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refuse = err
}

func (e *ears) messages() []bot.Message {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []bot.Message
	for _, k := range e.order {
		out = append(out, e.heard[k])
	}
	return out
}

// wait returns once fact is so; it is looked at with e locked.
func (e *ears) wait(t *testing.T, what string, fact func() bool) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	for {
		e.mu.Lock()
		ok, changed := fact(), e.changed
		e.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// message waits for the message with a key.
func (e *ears) message(t *testing.T, key string) bot.Message {
	t.Helper()
	e.wait(t, "message "+key, func() bool { _, ok := e.heard[key]; return ok })
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.heard[key]
}

// A rig is a fake Slack and a Slack of ours that talks to it.
type rig struct {
	t     *testing.T
	fake  *fakeslack.Server
	s     *slack.Slack
	ears  *ears
	clock *fakeslack.Manual // nil if time is the wall's
	beats *metronome        // nil if sockets ping by the wall's clock
	mu    sync.Mutex
	waits []time.Duration
	stop  func()
}

type setup struct {
	opts   fakeslack.Options
	still  bool // time passes only where we wait
	beats  bool // sockets ping when the test says so; with still
	spoken func(context.Context, bot.Place) bool
	shelf  bot.Shelf
	office *office // desk and planner; nil: nobody has a home
	seen   func(context.Context, string) (map[string]string, error)
	keeper slack.Keeper
	group  func(context.Context, string)
	http   bool // events come by HTTP
	client *http.Client
	before func(*rig) // before Run
	wrong  string     // why what the fake judges at the end is no matter here
	idle   bool       // do not Run
}

func newRig(t *testing.T, o setup) *rig {
	t.Helper()
	r := &rig{t: t, ears: newEars()}
	if o.beats {
		r.beats = &metronome{}
	}
	if o.still {
		r.clock = fakeslack.NewManual(time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC))
		o.opts.Clock = r.clock
	}
	if o.opts.Scopes == nil {
		o.opts.Scopes = manifestScopes(t)
	}
	fake, err := fakeslack.Start(o.opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if o.wrong == "" {
			for _, what := range fake.Judge() {
				t.Error("slack judges: " + what)
			}
		}
		fake.Close()
	})
	r.fake = fake
	r.s = r.build(o)
	if o.before != nil {
		o.before(r)
	}
	if !o.idle {
		r.run()
	}
	if o.http && !o.idle {
		r.byHTTP()
	}
	return r
}

const secret = "8f742231b10e8888abcd99yyyzzz85a5"

// byHTTP lets the fake Slack send by HTTP to the Slack once that knows who it is.
func (r *rig) byHTTP() {
	r.t.Helper()
	r.until("the workspace to be known", func() bool { return r.s.State().Health == slack.Ready })
	app := httptest.NewServer(r.s.Handler(r.ears))
	r.t.Cleanup(app.Close)
	r.must(r.fake.UseHTTP(r.ctx(), fakeslack.Endpoints{Events: app.URL + "/slack/default", Secret: secret}))
}

// until waits for a fact of which nobody tells.
func (r *rig) until(what string, fact func() bool) {
	r.t.Helper()
	for ctx := r.ctx(); !fact(); runtime.Gosched() {
		if ctx.Err() != nil {
			r.t.Fatalf("waited in vain for %s", what)
		}
	}
}

func (r *rig) build(o setup) *slack.Slack {
	cfg := slack.Config{APIURL: r.fake.APIURL(), AppToken: fakeslack.AppToken, BotToken: fakeslack.BotToken, Spoken: o.spoken}
	if o.http {
		cfg.AppToken, cfg.SigningSecret = "", secret
	}
	cfg.Seen, cfg.Keeper, cfg.Group, cfg.HTTP = o.seen, o.keeper, o.group, o.client
	if r.clock != nil {
		cfg.Now = r.clock.Now
	}
	if o.office != nil {
		cfg.Desk, cfg.Planner = o.office, o.office
	}
	log := slog.New(slog.NewTextHandler(r.t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
	s := slack.New(cfg, o.shelf, log)
	if r.clock != nil {
		s.Wait(r.passes)
	}
	if r.beats != nil {
		s.Tick(r.beats.tick)
	}
	return s
}

// A metronome tells sockets of time that passes.
type metronome struct {
	mu  sync.Mutex
	all []line
}

type line struct {
	ticks chan time.Time
	over  chan struct{}
}

func (m *metronome) tick(time.Duration) (<-chan time.Time, func()) {
	l := line{make(chan time.Time), make(chan struct{})}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all = append(m.all, l)
	return l.ticks, sync.OnceFunc(func() { close(l.over) })
}

// beat lets the time between two pings pass, and returns when all sockets know.
func (r *rig) beat() {
	r.t.Helper()
	var all []line
	r.until("a socket that pings", func() bool {
		r.beats.mu.Lock()
		defer r.beats.mu.Unlock()
		all = slices.Clone(r.beats.all)
		return len(all) > 0
	})
	r.clock.Advance(r.s.Ping())
	for _, l := range all {
		select {
		case l.ticks <- r.clock.Now():
		case <-l.over:
		}
	}
}

// dies lets so much time pass that a socket is given up on which nothing is answered.
// Before the last of it there is one socket only.
func (r *rig) dies() {
	r.t.Helper()
	n := int(r.s.Pong() / r.s.Ping())
	for range n {
		r.beat()
	}
	if opens := len(r.fake.Opens()); opens != 1 {
		r.t.Errorf("%d sockets were opened within %s, want one", opens, r.s.Pong())
	}
	r.beat()
}

// passes is waiting on a clock that stands still: time goes on at once.
func (r *rig) passes(ctx context.Context, d time.Duration) error {
	r.mu.Lock()
	r.waits = append(r.waits, d)
	r.mu.Unlock()
	if ctx.Err() == nil {
		r.clock.Advance(d)
	}
	return ctx.Err()
}

func (r *rig) waited() []time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]time.Duration(nil), r.waits...)
}

// run lets the Slack listen until the test ends or stop is called.
func (r *rig) run() {
	r.fake.Anew()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	s := r.s
	go func() { done <- s.Run(ctx, r.ears) }()
	var once sync.Once
	r.stop = func() {
		once.Do(func() {
			cancel()
			select {
			case err := <-done:
				if err != nil {
					r.t.Errorf("Run = %v, want nil", err)
				}
			case <-time.After(patience):
				r.t.Error("Run does not end")
			}
		})
	}
	r.t.Cleanup(r.stop)
}

func (r *rig) ctx() context.Context {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	r.t.Cleanup(stop)
	return ctx
}

// connected waits for one open socket.
func (r *rig) connected() {
	r.t.Helper()
	r.must(r.fake.WaitConns(r.ctx(), 1))
}

func (r *rig) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) post(p bot.Post) bot.Receipt {
	r.t.Helper()
	rc, err := r.s.Post(r.ctx(), p)
	if err != nil {
		r.t.Fatalf("Post %s: %v", p.Key, err)
	}
	return rc
}

// say lets ana say something, and returns it with its key.
func (r *rig) say(channel, text string) (fakeslack.Message, string) {
	r.t.Helper()
	m, err := r.fake.Human("ana").Say(channel, text)
	r.must(err)
	return m, key(m)
}

func key(m fakeslack.Message) string { return "slack/" + fakeslack.Team + "/" + m.Channel + "/" + m.TS }

func place(m fakeslack.Message) bot.Place {
	thread := m.ThreadTS
	if thread == "" {
		thread = m.TS
	}
	return bot.Place{Platform: "slack", Workspace: fakeslack.Team, Channel: m.Channel, Thread: thread}
}

// shelf has the files that it is given.
type shelf map[string][]byte

func (s shelf) Report(context.Context, string) (bot.Shown, error) {
	return bot.Shown{}, errors.New("no report")
}

func (s shelf) Open(_ context.Context, id string) (bot.File, []byte, error) {
	b, ok := s[id]
	if !ok {
		return bot.File{}, nil, errors.New("no file " + id)
	}
	return bot.File{ID: id, Name: id + ".csv", Mime: "text/csv"}, b, nil
}
