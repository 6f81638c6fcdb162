// Package web is the local web console: pages to talk with the bot and to see what
// it does, and the only room that renders HTML for them.
//
// It keeps nothing that was said. A page reads its lines from bot.Desk, and a Post
// is only the news that there is something to read:
//
//	Post → event {place} → each browser fetches the place's lines → merged by key
//
// so that a browser which slept, or a daemon that was killed, loses nothing and
// shows nothing twice. Who may come in is in door.go, what a page may load in its
// Content-Security-Policy: no inline script, no inline style, nothing from afar.
package web

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
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
	Demo        *Demo  // nil: one user, the owner, and no switching
	Key         []byte // signs sessions; kept by the program, so that they outlive it
	Version     string
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
	hub   *hub
	pages *pages
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
	if cfg.Demo != nil {
		home = *cfg.Demo
	}
	return &Console{
		cfg: cfg, home: home, desk: desk, shelf: shelf, log: log, now: now,
		door:  newDoor(cfg.Key, now),
		hub:   newHub(),
		pages: parsed(),
	}
}

// portsTried is how many ports after a busy one are tried: more than anybody runs
// daemons on one machine.
const portsTried = 20

// Listen binds the address and returns the page's URL with a one-time code. It
// refuses an address that other machines could reach unless Config.AllowRemote.
func (c *Console) Listen(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ln == nil {
		ln, err := listen(ctx, c.cfg.Addr, c.cfg.AllowRemote)
		if err != nil {
			return "", err
		}
		c.ln = ln
		c.door.at(ln.Addr())
	}
	return c.door.invite(), nil
}

// NewCode returns the page's URL with another one-time code, good for five minutes
// and one browser. It is empty before Listen.
func (c *Console) NewCode() string { return c.door.invite() }

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
		return nil, fmt.Errorf("listen on %q: other machines could reach it, and a console has no passwords\n"+
			"  hint: use 127.0.0.1:%d and a tunnel, for example ssh -L; or allow it in the configuration", addr, port)
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
	select {
	case err := <-failed:
		return fmt.Errorf("serve the console: %w", err)
	case <-ctx.Done():
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
	mux.HandleFunc("GET /{$}", c.in(c.start))
	mux.HandleFunc("GET /home", c.in(c.start))
	mux.HandleFunc("GET /c/{channel}", c.in(c.channel))
	mux.HandleFunc("GET /c/{channel}/{line}", c.in(c.channel))
	mux.HandleFunc("GET /lines/{channel}", c.in(c.lines))
	mux.HandleFunc("GET /lines/{channel}/{line}", c.in(c.lines))
	mux.HandleFunc("GET /file/{channel}/{thread}/{line}/{file}", c.in(c.file))
	mux.HandleFunc("GET /approvals", c.in(c.approvals))
	mux.HandleFunc("GET /schedules", c.in(c.schedules))
	mux.HandleFunc("GET /runs", c.in(c.runs))
	mux.HandleFunc("GET /runs/{trace}", c.in(c.run))
	mux.HandleFunc("GET /memory", c.in(c.memory))
	mux.HandleFunc("GET /pulse", c.in(c.pulse))
	mux.HandleFunc("GET /events", c.in(c.events))
	mux.HandleFunc("POST /say", c.in(c.say(to)))
	mux.HandleFunc("POST /press", c.in(c.press(to)))
	mux.HandleFunc("POST /switch", c.in(c.switchUser))
	mux.HandleFunc("POST /lang", c.in(c.switchLang))
	mux.HandleFunc("GET /in", c.enter)
	mux.HandleFunc("GET /static/{name}", static)
	mux.HandleFunc("/", c.in(func(w http.ResponseWriter, r *http.Request, v visit) {
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
