// Package terminal is a terminal as a place to talk: the daemon's end, which hangs
// on the door of its data folder, and the client that `hermes chat` is. Who can
// open the door owns the data, so there is one person here, and they are an admin.
//
// What a newcomer would break: nothing is kept here. What was said is in the store;
// a client that was away reads it there.
package terminal

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"hermes/bot"
)

const platform = "terminal"

// Owner is the one person of this platform.
var Owner = bot.Person(platform, "local", "owner")

// place is the one conversation.
var place = bot.Place{Platform: platform, Workspace: "local", Channel: "chat"}

// Terminal is the daemon's end.
type Terminal struct {
	desk    bot.Desk
	shelf   bot.Shelf
	decider bot.Decider
	zone    string
	log     *slog.Logger
	now     func() time.Time

	board bot.Board

	mu       sync.Mutex
	to       bot.Receiver
	watchers map[chan struct{}]bool
}

var (
	_ bot.Platform = (*Terminal)(nil)
	_ bot.Namer    = (*Terminal)(nil)
	_ bot.Knower   = (*Terminal)(nil)
)

// New returns a Terminal whose person lives in a zone. Without a Decider (nil) nothing
// that needs a form is offered.
func New(desk bot.Desk, shelf bot.Shelf, decider bot.Decider, zone string, log *slog.Logger, now func() time.Time) *Terminal {
	return &Terminal{desk: desk, shelf: shelf, decider: decider, zone: zone, log: log, now: now, watchers: map[chan struct{}]bool{}}
}

// NameOf implements bot.Namer.
func (*Terminal) NameOf(string) string { return "you" }

// Alone implements bot.Confidant: a terminal has one person.
func (*Terminal) Alone(string) bot.Place {
	return place
}

// Standing implements bot.Knower.
func (*Terminal) Standing(_ context.Context, person string) (bot.Standing, error) {
	if person != Owner {
		return bot.External, nil
	}
	return bot.Member, nil
}

// Run implements bot.Platform.
func (t *Terminal) Run(ctx context.Context, to bot.Receiver) error {
	t.mu.Lock()
	t.to = to
	t.mu.Unlock()
	<-ctx.Done()
	return nil
}

// Post implements bot.Poster. It only wakes the clients: they read the store.
func (t *Terminal) Post(_ context.Context, p bot.Post) (bot.Receipt, error) {
	t.board.Posted(p)
	t.wake()
	return bot.Receipt{Ref: bot.Ref{Place: p.Place, ID: p.Key}}, nil
}

// Show implements bot.Shower. A terminal takes nothing back, so it has the answer when
// that is written.
func (t *Terminal) Show(p bot.Post) bool {
	p.Draft = ""
	shown := t.board.Show(p)
	if len(t.board.News()) > 0 {
		t.wake()
	}
	return shown
}

func (t *Terminal) wake() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for w := range t.watchers {
		select {
		case w <- struct{}{}:
		default: // it is awake already
		}
	}
}

// Handle hangs the daemon's end on a mux.
func (t *Terminal) Handle(mux *http.ServeMux) {
	mux.HandleFunc("POST /chat/say", t.say)
	mux.HandleFunc("POST /chat/press", t.press)
	mux.HandleFunc("GET /chat/lines", t.lines)
	mux.HandleFunc("GET /chat/sheet", t.sheet)
	mux.HandleFunc("POST /chat/decide", t.decide)
	mux.HandleFunc("GET /chat/file", t.file)
	mux.HandleFunc("POST /chat/attach", t.attach)
}

// heard is what a client says or presses.
type heard struct {
	ID       string           `json:"id"` // the client's own, so that one sent again is one
	Text     string           `json:"text,omitempty"`
	Question string           `json:"question,omitempty"`
	Choice   string           `json:"choice,omitempty"`
	Files    []bot.Attachment `json:"files,omitempty"`
}

// newID returns an id for what a client says.
func newID() string { return rand.Text() }

// What is made for a message or a press has a key that begins with its own and a
// stroke.
func sayKey(id string) string   { return "terminal/local/chat/" + id }
func pressKey(id string) string { return "terminal/local/chat/press/" + id }

func (t *Terminal) say(w http.ResponseWriter, r *http.Request) {
	in, to, ok := t.read(w, r)
	if !ok {
		return
	}
	err := to.Receive(r.Context(), bot.Message{
		Key: sayKey(in.ID), Place: place, From: Owner, Name: "you",
		Text: in.Text, Addressed: true, Direct: true, At: t.now(), Zone: t.zone, Files: in.Files,
	})
	t.end(w, err)
}

func (t *Terminal) press(w http.ResponseWriter, r *http.Request) {
	in, to, ok := t.read(w, r)
	if !ok {
		return
	}
	c := bot.Click{
		Key: pressKey(in.ID), Place: place, From: Owner, Name: "you",
		Question: in.Question, Choice: in.Choice, At: t.now(),
	}
	if key, found := strings.CutPrefix(in.Choice, "stop:"); found {
		c.Stop, c.Question, c.Choice = key, "", ""
	}
	if key, found := strings.CutPrefix(in.Choice, "continue:"); found {
		c.Continue, c.Question, c.Choice = key, "", ""
	}
	if key, found := strings.CutPrefix(in.Choice, "abandon:"); found {
		c.Abandon, c.Question, c.Choice = key, "", ""
	}
	if key, found := strings.CutPrefix(in.Choice, "save:"); found {
		c.Save, c.Question, c.Choice = key, "", ""
	}
	if key, found := strings.CutPrefix(in.Choice, "repeat:"); found {
		c.Repeat, c.Question, c.Choice = key, "", ""
	}
	t.end(w, to.Click(r.Context(), c))
}

func (t *Terminal) read(w http.ResponseWriter, r *http.Request) (heard, bot.Receiver, bool) {
	var in heard
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&in)
	if err == nil && in.ID == "" {
		err = errors.New("no id")
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return in, nil, false
	}
	t.mu.Lock()
	to := t.to
	t.mu.Unlock()
	if to == nil {
		http.Error(w, "the daemon is still starting", http.StatusServiceUnavailable)
	}
	return in, to, to != nil
}

func (t *Terminal) end(w http.ResponseWriter, err error) {
	if err != nil {
		t.log.Error("terminal not heard", "err", err)
		http.Error(w, "not stored: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// shown is how many lines a client is given at once.
const shown = 200

// lines streams what stands in the conversation, one JSON array a line: at first
// all of it, and again after each change.
func (t *Terminal) lines(w http.ResponseWriter, r *http.Request) {
	wake := make(chan struct{}, 1)
	t.mu.Lock()
	t.watchers[wake] = true
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		delete(t.watchers, wake)
		t.mu.Unlock()
	}()
	enc := json.NewEncoder(w)
	// Posts are read as the outbox holds them, so one read may come just before
	// its row says "sent"; another look a little later settles that.
	look := time.NewTicker(time.Second)
	defer look.Stop()
	var last []byte
	for {
		ls, err := t.desk.Lines(r.Context(), place, Owner, shown)
		if err != nil {
			t.log.Warn("lines not read", "place", place, "err", err)
			return
		}
		ls = t.offers(t.board.Over(ls))
		now, err := json.Marshal(ls)
		if err != nil {
			t.log.Error("lines not encoded", "err", err)
			return
		}
		if !slices.Equal(now, last) {
			last = now
			if err := enc.Encode(ls); err != nil {
				return // the client has gone
			}
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
		}
		select {
		case <-r.Context().Done():
			return
		case <-wake:
		case <-look.C:
		}
	}
}

func (t *Terminal) file(w http.ResponseWriter, r *http.Request) {
	f, body, err := t.shelf.Open(r.Context(), r.URL.Query().Get("id"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", f.Mime)
	if _, err := w.Write(body); err != nil {
		t.log.Debug("file not taken", "file", f.ID, "err", err)
	}
}

// A Dialer reaches the door.
type Dialer interface {
	Do(*http.Request) (*http.Response, error)
}

// errGone says that the daemon does not answer.
func errGone(err error) error {
	return fmt.Errorf("no daemon answers: %w\n  hint: start one with `hermes serve`", err)
}
