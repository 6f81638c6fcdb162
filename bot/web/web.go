// Package web is the local web console: pages to talk with the bot and to see what
// it does, and the only room that renders HTML for them.
//
// It keeps nothing that was said. A page reads its lines from bot.Desk, and a Post
// is only the news that there is something to read:
//
//	Post → event {place} → each browser fetches the place's lines → merged by key
//
// so that a browser which slept, or a daemon that was killed, loses nothing and
// shows nothing twice. Who may come in is in door.go, session.go and login.go, what they
// may do then in role.go, what a page may load in its Content-Security-Policy: no inline
// script, no inline style, nothing from afar.
package web

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"hermes/bot"
)

var (
	_ bot.Platform  = (*Console)(nil)
	_ bot.Directory = (*Console)(nil)
	_ bot.Finder    = (*Console)(nil)
	_ bot.Namer     = (*Console)(nil)
)

// platform is the word for this platform in places, keys and persons.
const platform = "web"

// Config is what a Console is made with.
type Config struct {
	Addr        string // 127.0.0.1:8484 if empty; a busy port gives way to the next free one
	AllowRemote bool   // listen on an address that other machines reach
	// URL is how people find the page where a proxy stands before Addr; empty: none does.
	URL string
	// Users come in by name, and do what their Role lets them, in Rooms. Without any it is
	// the page of whoever has a link, on loopback alone.
	Users []User
	Rooms []Room
	Demo  *Demo  // without Users: some to switch between; nil: one user, the owner
	Key   []byte // signs sessions; kept by the program, so that they outlive it
	// Entered is told of a browser before it is let in as a Person; its error keeps the
	// browser out. nil: nobody is told.
	Entered func(ctx context.Context, person string) error
	// Refused is told of what a role does not allow, and of wrong secrets; nil: nobody is.
	Refused func(ctx context.Context, r bot.Refusal) error
	// Decider has the forms by which people decide with more than a press, and what may
	// run without a question. nil: there are none.
	Decider bot.Decider
	// Interventions counts why people had to come in; nil: nobody does.
	Interventions Counter
	Version       string
	// Probes answers GET /healthz and GET /readyz to whoever reaches the address,
	// without coming in; nil: nobody.
	Probes http.Handler
}

// A Console is the web console, a bot.Platform.
type Console struct {
	cfg   Config
	home  Demo // cfg.Demo, or the one-user workspace
	desk  bot.Desk
	shelf bot.Shelf
	log   *slog.Logger
	now   func() time.Time
	door  *door
	tries tries
	hub   *hub
	pages *pages
	board bot.Board
	sizes sync.Map // of files, by id

	mu sync.Mutex
	ln net.Listener
}

// New makes a Console. Nothing is listened to before Listen or Run.
func New(cfg Config, desk bot.Desk, shelf bot.Shelf, log *slog.Logger, now func() time.Time) *Console {
	if cfg.Addr == "" {
		cfg.Addr = "127.0.0.1:8484"
	}
	home := ownersOnly
	switch {
	case len(cfg.Users) > 0:
		home, cfg.Demo = team(cfg.Users, cfg.Rooms), nil
		cfg.Users = home.Users
	case cfg.Demo != nil:
		home = *cfg.Demo
	}
	front, err := url.Parse(cfg.URL)
	if err != nil || front.Host == "" {
		front = nil // then under that name nobody is let in
	}
	return &Console{
		cfg: cfg, home: home, desk: desk, shelf: shelf, log: log, now: now,
		door:  newDoor(cfg.Key, now, cfg.Users, front),
		hub:   newHub(),
		pages: parsed(),
	}
}

// portsTried is how many ports after a busy one are tried: more than anybody runs
// daemons on one machine.
const portsTried = 20

// Listen binds the address and returns the page's URL, with a one-time code unless there
// are several Users. It refuses an address that other machines could reach unless
// Config.AllowRemote and there are Users.
func (c *Console) Listen(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ln == nil {
		ln, err := listen(ctx, c.cfg.Addr, c.cfg.AllowRemote && len(c.cfg.Users) > 0)
		if err != nil {
			return "", err
		}
		c.ln = ln
		c.door.at(ln.Addr())
	}
	if len(c.home.Users) > 1 && c.door.named != nil {
		return c.door.address(), nil
	}
	return c.door.invite(c.home.Users[0].ID), nil
}

// NewCode returns the page's URL with another one-time code, good for five minutes
// and one browser, for the first user. It is empty before Listen.
func (c *Console) NewCode() string { return c.door.invite(c.home.Users[0].ID) }

// ErrNoUser is of a name that nobody comes in by.
var ErrNoUser = errors.New("nobody comes in by that name")

// CodeFor is NewCode for one of Config.Users, by id. An empty id is the one user, if
// there is only one.
func (c *Console) CodeFor(id string) (string, error) {
	if id == "" && (c.door.named == nil || len(c.cfg.Users) == 1) {
		return c.NewCode(), nil
	}
	if _, ok := c.door.named[id]; !ok {
		return "", fmt.Errorf("%q: %w", id, ErrNoUser)
	}
	return c.door.invite(id), nil
}

func listen(ctx context.Context, addr string, remote bool) (net.Listener, error) {
	host, service, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w\n  hint: write it as 127.0.0.1:8484", addr, err)
	}
	port, err := strconv.Atoi(service)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: the port is not a number\n  hint: write it as 127.0.0.1:8484", addr)
	}
	ip := net.ParseIP(host)
	if host != "localhost" && (ip == nil || !ip.IsLoopback()) && !remote {
		return nil, fmt.Errorf("listen on %q: other machines could reach it, and nobody is named who may come in\n"+
			"  hint: use 127.0.0.1:%d and a tunnel, for example ssh -L; or set web.allow_remote and name web.users", addr, port)
	}
	var lc net.ListenConfig
	var busy error
	for p := port; p <= min(port+portsTried, 65535); p++ {
		ln, err := lc.Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(p)))
		if err == nil {
			return ln, nil
		}
		busy = errors.Join(busy, err)
	}
	return nil, fmt.Errorf("listen on %q and the %d ports after it: %w", addr, portsTried, busy)
}

// showEvery is how often the pages hear of work that goes on.
const showEvery = 250 * time.Millisecond

// Show implements bot.Shower.
func (c *Console) Show(p bot.Post) bool { return c.board.Show(p) }

// spoken is what was said in a place, as it is by now.
func (c *Console) spoken(ctx context.Context, p bot.Place, v visit, n int) ([]bot.Line, error) {
	ls, err := c.desk.Lines(ctx, p, v.person, n)
	return c.board.Over(ls), err
}

// Run serves the pages until ctx ends.
func (c *Console) Run(ctx context.Context, to bot.Receiver) error {
	if _, err := c.Listen(ctx); err != nil {
		return err
	}
	srv := &http.Server{
		Handler:           c.handler(to),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(c.log.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(c.ln) }()
	look := time.NewTicker(showEvery)
	defer look.Stop()
	for serving := true; serving; {
		select {
		case err := <-failed:
			return fmt.Errorf("serve the console: %w", err)
		case <-look.C:
			for _, p := range c.board.News() {
				c.hub.tell(event{Channel: p.Channel, Thread: p.Thread})
			}
		case <-ctx.Done():
			serving = false
		}
	}
	// Event streams end with ctx, so what is left are pages half written.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	if err := srv.Shutdown(last); err != nil {
		return srv.Close()
	}
	return nil
}

// Post implements bot.Poster: it tells the browsers that there is something to
// read, and stores nothing.
func (c *Console) Post(_ context.Context, p bot.Post) (bot.Receipt, error) {
	r, err := c.receipt(p)
	if err != nil {
		return bot.Receipt{}, err
	}
	c.board.Posted(p)
	c.hub.tell(event{Channel: p.Place.Channel, Thread: p.Place.Thread, only: p.Only})
	return r, nil
}

// Find implements bot.Finder. What the outbox has is what the pages show, so a Post
// that may have been told is there.
func (c *Console) Find(_ context.Context, p bot.Post) (bot.Receipt, bool, error) {
	r, err := c.receipt(p)
	return r, err == nil, err
}

func (c *Console) receipt(p bot.Post) (bot.Receipt, error) {
	if _, ok := c.room(p.Place); !ok {
		return bot.Receipt{}, fmt.Errorf("post %s to %s: no such channel: %w", p.Key, p.Place, bot.ErrRefused)
	}
	return bot.Receipt{Ref: bot.Ref{Place: p.Place, ID: p.Key}, Link: linkOf(p.Place, p.Key)}, nil
}

// handler returns the pages, behind the door.
func (c *Console) handler(to bot.Receiver) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", c.in(look, c.start))
	mux.HandleFunc("GET /home", c.in(look, c.start))
	mux.HandleFunc("GET /c/{channel}", c.in(look, c.channel))
	mux.HandleFunc("GET /c/{channel}/{line}", c.in(look, c.channel))
	mux.HandleFunc("GET /lines/{channel}", c.in(look, c.lines))
	mux.HandleFunc("GET /lines/{channel}/{line}", c.in(look, c.lines))
	mux.HandleFunc("GET /file/{channel}/{thread}/{line}/{file}", c.in(look, c.file))
	mux.HandleFunc("GET /approvals", c.in(look, c.approvals))
	mux.HandleFunc("GET /decide", c.in(speak, c.decideForm))
	mux.HandleFunc("POST /decide", c.in(speak, c.decide))
	mux.HandleFunc("GET /grants", c.in(look, c.grants))
	mux.HandleFunc("POST /revoke", c.in(speak, c.revoke))
	mux.HandleFunc("GET /schedules", c.in(look, c.schedules))
	mux.HandleFunc("GET /runs", c.in(look, c.runs))
	mux.HandleFunc("GET /runs/{trace}", c.in(look, c.run))
	mux.HandleFunc("GET /memory", c.in(look, c.memory))
	mux.HandleFunc("GET /pulse", c.in(look, c.pulse))
	mux.HandleFunc("GET /events", c.in(look, c.events))
	mux.HandleFunc("POST /say", c.in(speak, c.say(to)))
	mux.HandleFunc("POST /press", c.in(speak, c.press(to)))
	mux.HandleFunc("POST /switch", c.in(look, c.switchUser))
	mux.HandleFunc("POST /lang", c.in(look, c.switchLang))
	mux.HandleFunc("GET /in", c.enter)
	mux.HandleFunc("POST /in", c.comeIn)
	mux.HandleFunc("POST /login", c.login)
	mux.HandleFunc("POST /out", c.in(look, c.leave))
	mux.HandleFunc("GET /static/{name}", static)
	if c.cfg.Probes != nil {
		mux.Handle("GET /healthz", c.cfg.Probes)
		mux.Handle("GET /readyz", c.cfg.Probes)
	}
	mux.HandleFunc("/", c.in(look, func(w http.ResponseWriter, r *http.Request, v visit) {
		c.fail(w, r, v, http.StatusNotFound)
	}))
	return c.guard(mux)
}

// newToken returns 256 random bits as text.
func newToken() string {
	b := make([]byte, 32)
	rand.Read(b) // never fails
	return encode(b)
}
