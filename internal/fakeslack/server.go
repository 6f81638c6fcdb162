package fakeslack

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"
)

// Names of the workspace and of the app in it. They are the same in every Server,
// so a test may write them down.
const (
	Team     = "T0FAKE001"
	App      = "A0FAKE001"
	BotUser  = "U0HERMES1"
	BotID    = "B0HERMES1"
	AppToken = "xapp-1-A0FAKE001-1-fake"
	BotToken = "xoxb-0-1-fake"

	ClientID     = "1.1"
	ClientSecret = "fake-client-secret"
	RefreshToken = "xoxe-1-fake"
)

// AllScopes are the bot scopes that a Server grants if Options names none.
var AllScopes = []string{
	"app_mentions:read", "assistant:write", "channels:history", "channels:join", "channels:read", "chat:write", "commands",
	"files:read", "files:write", "groups:history", "groups:read", "im:history", "im:read", "im:write",
	"mpim:history", "mpim:read", "mpim:write", "reactions:read", "reactions:write", "team:read", "usergroups:read",
	"users:read", "users:read.email",
}

// Options say what differs from a plain Server.
type Options struct {
	Addr         string   // to listen on; a free port of the loopback if empty
	Clock        Clock    // the wall's if nil
	Team         string   // id of the workspace; Team if empty
	AppToken     string   // AppToken if empty; two that stand behind one address are told apart by them
	BotToken     string   // BotToken if empty
	Scopes       []string // AllScopes if nil
	Without      []string // events to which the app does not subscribe, as "message.im"
	Commands     []string // "/hermes" if nil
	Shortcuts    []string // callback_ids; "ask_about_message" if nil
	Seed         uint64   // of what is random
	MentionFirst bool     // send app_mention before message
	Linger       bool     // leave connections open after a closing handshake, as Slack does
}

func (o Options) withDefaults() Options {
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	if o.Clock == nil {
		o.Clock = wallClock{}
	}
	if o.Team == "" {
		o.Team = Team
	}
	if o.AppToken == "" {
		o.AppToken = AppToken
	}
	if o.BotToken == "" {
		o.BotToken = BotToken
	}
	if o.Scopes == nil {
		o.Scopes = AllScopes
	}
	if o.Commands == nil {
		o.Commands = []string{"/hermes"}
	}
	if o.Shortcuts == nil {
		o.Shortcuts = []string{"ask_about_message"}
	}
	return o
}

// Server is one workspace with one app. Its people are ana (Europe/Berlin), leo
// (America/New_York) and gus (no time zone); its channels are #general, of which
// the bot is a member, #sales, of which it is one too, #random, of which it is
// not, and the private #board, which it cannot see.
type Server struct {
	opts  Options
	clock Clock
	http  *http.Server
	addr  string

	mu      sync.Mutex
	changed chan struct{} // closed and replaced at every change
	rand    *rand.Rand
	lastTS  int64
	serial  int

	scopes  map[string]bool
	tokens  map[string]time.Time // that are good, and until when; zero is always
	refresh string               // the refresh token that is good
	revoked map[string]string    // token → error

	users    []*User
	groups   []*Group
	channels []*Channel
	messages []*Message          // of all channels, in the order in which they were posted
	index    map[string]*Message // the same by channel and ts
	replies  map[string]int      // how many stand in a thread, by channel and ts
	inputs   map[*Message]state  // what people chose in messages
	streams  map[*Message]*stream
	sessions map[string]*session // by channel and thread
	files    []*File
	views    []*View
	statuses []Status
	triggers map[string]*trigger
	hooks    map[string]*hook // response urls

	calls      []Call
	counts     map[string]int // of calls, by method
	onRequest  []func(Call)
	complaints []string
	faults     []*Fault
	limited    bool
	buckets    map[string]*bucket

	tickets    map[string]time.Time
	conns      []*conn
	maxConns   int
	opens      []time.Time
	anew       map[int]bool // of opens, by number: the first of a program that was started anew
	storm      int          // sockets that are to be closed after their greeting
	conflicts  int          // upgrades that are to be refused
	lingering  []net.Conn
	endpoints  *line
	deliveries []*Delivery
	envelopes  map[string]*Delivery
	pending    int // deliveries that nobody acknowledged
	quota      quota
	lose, dupe int
	swap       bool
	held       func() // sends what was kept back
	waiting    sync.WaitGroup
}

// Start starts a Server.
func Start(o Options) (*Server, error) {
	o = o.withDefaults()
	l, err := net.Listen("tcp", o.Addr) //nolint:noctx // it listens until Close, whoever started it
	if err != nil {
		return nil, fmt.Errorf("fake slack: %w", err)
	}
	s := &Server{
		opts: o, clock: o.Clock, addr: l.Addr().String(),
		changed:   make(chan struct{}),
		rand:      rand.New(rand.NewPCG(o.Seed, 1)),
		scopes:    map[string]bool{},
		tokens:    map[string]time.Time{o.AppToken: {}, o.BotToken: {}},
		refresh:   RefreshToken,
		revoked:   map[string]string{},
		index:     map[string]*Message{},
		anew:      map[int]bool{},
		replies:   map[string]int{},
		inputs:    map[*Message]state{},
		streams:   map[*Message]*stream{},
		sessions:  map[string]*session{},
		triggers:  map[string]*trigger{},
		hooks:     map[string]*hook{},
		counts:    map[string]int{},
		tickets:   map[string]time.Time{},
		envelopes: map[string]*Delivery{},
	}
	for _, sc := range o.Scopes {
		s.scopes[sc] = true
	}
	s.people()
	mux := http.NewServeMux()
	mux.HandleFunc("/api/{method}", s.serveAPI)
	mux.HandleFunc("/link/", s.serveSocket)
	mux.HandleFunc("/upload/{file}", s.serveUpload)
	mux.HandleFunc("/files/{file}/{name}", s.serveDownload)
	mux.HandleFunc("/signin", serveSignIn)
	mux.HandleFunc("/actions/{hook}", s.serveHook)
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	s.waiting.Go(func() { _ = s.http.Serve(l) })
	return s, nil
}

func (s *Server) people() {
	s.users = []*User{
		{ID: BotUser, Name: "hermes", Bot: true},
		{ID: "U0ANA0001", Name: "ana", Zone: "Europe/Berlin", Email: "ana@example.com"},
		{ID: "U0LEO0001", Name: "leo", Zone: "America/New_York", Email: "leo@example.com"},
		{ID: "U0GUS0001", Name: "gus"},
	}
	all := []string{"U0ANA0001", "U0LEO0001", "U0GUS0001"}
	s.channels = []*Channel{
		{ID: "C0GENERAL", Name: "general", Members: append([]string{BotUser}, all...)},
		{ID: "C0SALES01", Name: "sales", Members: append([]string{BotUser}, all...)},
		{ID: "C0RANDOM1", Name: "random", Members: all},
		{ID: "C0BOARD01", Name: "board", Private: true, Members: []string{"U0ANA0001"}},
	}
}

// Handle adds a page to the Server, for the program around it.
func (s *Server) Handle(pattern string, h http.Handler) {
	next := s.http.Handler.(*http.ServeMux)
	next.Handle(pattern, h)
}

// URL returns where the Server is.
func (s *Server) URL() string { return "http://" + s.addr }

// APIURL returns what an app is to use in place of https://slack.com/api/.
func (s *Server) APIURL() string { return s.URL() + "/api/" }

// Close stops the Server and everything that it began.
func (s *Server) Close() {
	s.UseSockets()
	s.DropSockets()
	s.mu.Lock()
	lingering := s.lingering
	s.mu.Unlock()
	for _, c := range lingering {
		_ = c.Close()
	}
	_ = s.http.Close()
	s.waiting.Wait()
}

// touch tells who waits that something is different. s.mu is held.
func (s *Server) touch() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Wait returns once a fact is there. It is looked at whenever something changes,
// without a lock, so it may use the Server.
func (s *Server) Wait(ctx context.Context, what string, fact func() bool) error {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if fact() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("waited for %s: %w", what, context.Cause(ctx))
		}
	}
}

// WaitMessage returns the first message that is as it should be, of those that
// are there and those that come.
func (s *Server) WaitMessage(ctx context.Context, want func(Message) bool) (Message, error) {
	var found Message
	err := s.Wait(ctx, "a message", func() bool {
		for _, m := range s.Messages() {
			if want(m) {
				found = m
				return true
			}
		}
		return false
	})
	return found, err
}

// id returns a new id that begins with a letter. s.mu is held.
func (s *Server) id(kind string) string {
	s.serial++
	return fmt.Sprintf("%s0%07d", kind, s.serial)
}

// ts returns the next timestamp, which is also a name. s.mu is held.
func (s *Server) ts() string {
	s.lastTS = max(s.lastTS+1, s.clock.Now().UnixMicro())
	return fmt.Sprintf("%d.%06d", s.lastTS/1e6, s.lastTS%1e6)
}
