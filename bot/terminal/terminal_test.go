package terminal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/bot"
	"hermes/bot/terminal"
)

// patience is how long a fact may take. Only a broken promise makes anybody wait
// that long.
const patience = 30 * time.Second

var (
	noon = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	chat = bot.Place{Platform: "terminal", Workspace: "local", Channel: "chat"}
)

// What a person types comes to the daemon's receiver as theirs, under a key of its
// own.
func TestWhatIsTypedIsReceivedUnderAKeyOfItsOwn(t *testing.T) {
	d := newDaemon(t, &desk{})
	c := d.client(t)
	c.types("hello", "  总结 sales\t")
	got := []bot.Message{d.message(t), d.message(t)}
	if got[0].Key == got[1].Key {
		t.Errorf("both have the key %s", got[0].Key)
	}
	for i, text := range []string{"hello", "总结 sales"} {
		m := got[i]
		if !strings.HasPrefix(m.Key, "terminal/local/chat/") || len(m.Key) < 40 {
			t.Errorf("key %q is not its own for ever", m.Key)
		}
		m.Key = ""
		want := bot.Message{Place: chat, From: terminal.Owner, Name: "you", Text: text, Addressed: true, Direct: true, At: noon, Zone: "Asia/Shanghai"}
		if diff := cmp.Diff(want, m); diff != "" {
			t.Errorf("message (-want +got):\n%s", diff)
		}
	}
	c.ends(t)
}

// What a client sends twice, because the first answer was lost, is one message.
func TestWhatIsSentTwiceHasOneKey(t *testing.T) {
	d := newDaemon(t, &desk{})
	for range 2 {
		if code, _ := d.posts(t, "/chat/say", `{"id":"X1","text":"hello"}`); code != http.StatusNoContent {
			t.Fatalf("say = %d", code)
		}
	}
	if a, b := d.message(t).Key, d.message(t).Key; a != b || a != "terminal/local/chat/X1" {
		t.Errorf("keys %s and %s", a, b)
	}
}

// A number presses the button of that number on the newest open card; one that no
// button has, or without a card, is words.
func TestANumberPressesAButton(t *testing.T) {
	k := &desk{}
	d := newDaemon(t, k)
	c := d.client(t)
	k.say(bot.Line{Key: "p", Text: "Working", Kind: bot.Progress, Choices: []bot.Choice{{ID: "stop:m1", Label: "Stop"}}})
	d.wakes(t)
	c.sees(t, "… Working")
	c.types("1")
	if m := d.message(t); m.Text != "1" {
		t.Errorf("said %q, want 1: what is under way is stopped in words", m.Text)
	}

	card := bot.Line{Key: "q1", Text: "May I?", Kind: bot.Card, Question: "q1", Footer: "rules · trace 1", Record: bot.Record{Head: "For the record", Details: []bot.Detail{{Label: "Post, hash 1", Text: "{\"a\":\n\"\x1b\"}"}}}, Choices: []bot.Choice{{ID: "always", Label: "Post monthly"}, {ID: "deny", Label: "Deny"}}}
	end := bot.Line{Key: "end", Text: "Stopped.", Kind: bot.Trouble, Choices: []bot.Choice{{ID: "continue:m2", Label: "Continue"}, {ID: "abandon:m2", Label: "Abandon"}}}
	k.say(card)
	d.wakes(t)
	c.sees(t, "hermes: May I?\n  For the record\n    Post, hash 1: {\"a\": \"\"}\n  [1] Post monthly\n  [2] Deny\n  or write: /deny REASON, or /change WHAT SHOULD BE DIFFERENT\n  (rules · trace 1)")
	c.types("2", "3")
	want := bot.Click{Place: chat, From: terminal.Owner, Name: "you", Question: "q1", Choice: "deny", At: noon}
	if diff := cmp.Diff(want, d.click(t)); diff != "" {
		t.Errorf("click (-want +got):\n%s", diff)
	}
	if m := d.message(t); m.Text != "3" {
		t.Errorf("said %q, want 3", m.Text)
	}

	k.say(end)
	d.wakes(t)
	c.sees(t, "[1] Continue\n  [2] Abandon")
	c.types("2")
	want = bot.Click{Place: chat, From: terminal.Owner, Name: "you", Abandon: "m2", At: noon}
	if diff := cmp.Diff(want, d.click(t)); diff != "" {
		t.Errorf("click on Abandon (-want +got):\n%s", diff)
	}
	c.types("1")
	want = bot.Click{Place: chat, From: terminal.Owner, Name: "you", Continue: "m2", At: noon}
	if diff := cmp.Diff(want, d.click(t)); diff != "" {
		t.Errorf("click on the newest card (-want +got):\n%s", diff)
	}

	end.Rev, end.Choices = 1, nil
	k.say(end)
	d.wakes(t)
	c.sees(t, "[2] Abandon\n\nhermes: Stopped.\n")
	c.types("1")
	if got := d.click(t); got.Question != "q1" || got.Choice != "always" {
		t.Errorf("click = %+v, want the card that is still open", got)
	}

	card.Rev, card.Choices, card.Text = 1, nil, "Denied by you"
	k.say(card)
	d.wakes(t)
	c.sees(t, "hermes: Denied by you")
	c.types("1")
	if m := d.message(t); m.Text != "1" {
		t.Errorf("said %q, want 1: nothing is open", m.Text)
	}
	c.ends(t)
}

// A stop and a press have keys of their own, and one sent twice has one.
func TestAPressHasAKeyOfItsOwn(t *testing.T) {
	d := newDaemon(t, &desk{})
	for _, body := range []string{`{"id":"X1","choice":"stop:m1"}`, `{"id":"X1","choice":"stop:m1"}`, `{"id":"X2","choice":"stop:m1"}`} {
		if code, said := d.posts(t, "/chat/press", body); code != http.StatusNoContent {
			t.Fatalf("press = %d %s", code, said)
		}
	}
	var keys []string
	for range 3 {
		c := <-d.to.clicks
		if c.Stop != "m1" || c.Question+c.Choice != "" {
			t.Errorf("click = %+v, want a stop of m1", c)
		}
		keys = append(keys, c.Key)
	}
	if keys[0] != keys[1] || keys[1] == keys[2] {
		t.Errorf("keys %q", keys)
	}
}

// /save keeps a file in the folder where the client runs, overwrites nothing, and says
// what went wrong.
func TestSaveKeepsAFileAndOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	k := &desk{}
	for i, name := range []string{"sales.xlsx", "../../sales.png", "gone.csv"} {
		k.say(bot.Line{Key: fmt.Sprint("f", i), Kind: bot.Report, File: &bot.File{ID: "a b&" + fmt.Sprint(i), Name: name}})
	}
	d := newDaemon(t, k)
	c := d.client(t)
	c.sees(t, "[file 1: sales.xlsx]\n[file 2: ../../sales.png]\n[file 3: gone.csv]")
	for _, step := range [][2]string{
		{"/save 1", "saved sales.xlsx"}, {"/save 1", "not saved: sales.xlsx: file exists"}, {"/save 2", "saved sales.png"},
		{"/save 3", "not saved: no such artifact"}, {"/save 4", "there are 3 files; say /save 1"}, {"/save", "there are 3 files; say /save 1"},
	} {
		c.types(step[0])
		c.sees(t, step[1])
		c.forget()
	}
	var names []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		body, err := os.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, fmt.Sprintf("%s %s %s", e.Name(), info.Mode(), body))
	}
	if diff := cmp.Diff([]string{"sales.png -rw------- bytes of a b&1", "sales.xlsx -rw------- bytes of a b&0"}, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	c.ends(t)
}

// A client first shows the last few lines, then what is new and what has changed, and
// never what its own person said meanwhile.
func TestTheClientShowsWhatIsNew(t *testing.T) {
	k := &desk{}
	for i := range 10 {
		k.say(bot.Line{Key: fmt.Sprint("old", i), From: terminal.Owner, Text: fmt.Sprint("line ", i)})
	}
	d := newDaemon(t, k)
	c := d.client(t)
	c.sees(t, "you: line 9")
	if strings.Contains(c.text(), "line 3") || !strings.Contains(c.text(), "you: line 4") {
		t.Errorf("at first it shows\n%s\nwant the last six", c.text())
	}
	c.forget()
	k.say(bot.Line{Key: "m1", From: terminal.Owner, Text: "mine"})
	k.say(bot.Line{Key: "a1", Text: "answer"})
	k.say(bot.Line{Key: "p1", Kind: bot.Progress, Text: "Working\nstep"})
	d.wakes(t)
	c.sees(t, "  … Working\n  … step\n")
	k.say(bot.Line{Key: "p1", Rev: 1, Kind: bot.Progress, Text: "Done"})
	d.wakes(t)
	c.sees(t, "  … Done\n")
	if want := "\nhermes: answer\n  … Working\n  … step\n  … Done\n"; c.text() != want {
		t.Errorf("shown %q, want %q", c.text(), want)
	}
	c.ends(t)
}

// The daemon's end refuses what it cannot keep, and the client says that it was not
// sent.
func TestWhatCannotBeKeptIsSaid(t *testing.T) {
	d := newDaemon(t, &desk{})
	for body, want := range map[string]int{`{`: http.StatusBadRequest, `{"text":"x"}`: http.StatusBadRequest, `{"id":"1","text":"x"}`: http.StatusNoContent} {
		if code, _ := d.posts(t, "/chat/say", body); code != want {
			t.Errorf("say of %s = %d, want %d", body, code, want)
		}
	}
	d.message(t)
	d.to.fails(errors.New("disk is full"))
	c := d.client(t)
	c.types("hello")
	c.sees(t, "not sent: not stored: disk is full\n")
	c.ends(t)
}

// Before the daemon listens it says so, rather than lose what it is told.
func TestADaemonThatIsStartingSaysSo(t *testing.T) {
	mux := http.NewServeMux()
	terminal.New(&desk{}, shelf{}, nil, "UTC", discard, now).Handle(mux)
	s := httptest.NewServer(mux)
	defer s.Close()
	c := newClient(t, door{s.Listener.Addr()})
	c.types("hello")
	c.sees(t, "not sent: the daemon is still starting\n")
	c.ends(t)
}

// A client whose daemon goes ends with a hint. The daemon of later has all that was
// said, and a new client goes on where the first was.
func TestADaemonThatGoesLeavesAHint(t *testing.T) {
	k := &desk{}
	k.say(bot.Line{Key: "q1", Text: "May I?", Kind: bot.Card, Question: "q1", Choices: []bot.Choice{{ID: "approve", Label: "Approve"}}})
	d := newDaemon(t, k)
	c := d.client(t)
	c.sees(t, "May I?")
	d.stop()
	if err := c.end(t); err == nil || !strings.Contains(err.Error(), "no daemon answers") || !strings.Contains(err.Error(), "hint: start one with `hermes serve`") {
		t.Errorf("client ended with %v, want a hint", err)
	}
	late := newClient(t, door{d.addr})
	if err := late.end(t); err == nil || !strings.Contains(err.Error(), "hint: start one with `hermes serve`") {
		t.Errorf("a client without a daemon ended with %v, want a hint", err)
	}

	again := newDaemon(t, k)
	c = again.client(t)
	c.sees(t, "[1] Approve")
	c.types("1")
	if got := again.click(t); got.Question != "q1" || got.Choice != "approve" {
		t.Errorf("click = %+v", got)
	}
	c.ends(t)
}

// An empty line ends the talk, and so does the end of the input or of the context.
func TestHowATalkEnds(t *testing.T) {
	d := newDaemon(t, &desk{})
	for name, end := range map[string]func(*client){
		"an empty line":        func(c *client) { c.types(" ") },
		"the end of the input": func(c *client) { c.close() },
		"the context":          func(c *client) { c.cancel() },
	} {
		c := d.client(t)
		c.sees(t, "You talk to Hermes.")
		end(c)
		if err := c.end(t); err != nil {
			t.Errorf("after %s = %v, want nil", name, err)
		}
	}
}

// A post is where it was said; nothing is kept here.
func TestAPostIsWhereItWasSaid(t *testing.T) {
	x := terminal.New(&desk{}, shelf{}, nil, "UTC", discard, now)
	r, err := x.Post(t.Context(), bot.Post{Key: "k", Place: chat})
	if err != nil || r.Ref != (bot.Ref{Place: chat, ID: "k"}) || r.Failed != "" {
		t.Errorf("receipt = %+v, %v", r, err)
	}
	if x.NameOf(terminal.Owner) != "you" || terminal.Owner != "terminal:local:owner" {
		t.Errorf("the owner is %s, called %s", terminal.Owner, x.NameOf(terminal.Owner))
	}
}

var discard = slog.New(slog.DiscardHandler)

func now() time.Time { return noon }

// A daemon is the daemon's end, on a socket of its own.
type daemon struct {
	term   *terminal.Terminal
	server *httptest.Server
	to     *receiver
	addr   net.Addr
	stop   func()
}

func newDaemon(t *testing.T, k *desk) *daemon {
	t.Helper()
	d := &daemon{term: terminal.New(k, shelf{}, decides(k), "Asia/Shanghai", discard, now), to: &receiver{messages: make(chan bot.Message, 9), clicks: make(chan bot.Click, 9)}}
	mux := http.NewServeMux()
	d.term.Handle(mux)
	// A socket's path must be short, and a test's own folder may not be.
	dir, err := os.MkdirTemp("", "h")
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	d.server = &httptest.Server{Listener: l, Config: &http.Server{Handler: mux, BaseContext: func(net.Listener) context.Context { return ctx }}}
	d.server.Start()
	d.addr = l.Addr()
	ended := make(chan error)
	go func() { ended <- d.term.Run(ctx, d.to) }()
	d.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run = %v, want nil", err)
		}
		d.server.CloseClientConnections()
		d.server.Close()
	})
	t.Cleanup(func() {
		d.stop()
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	// It hears once it runs.
	for {
		if code, _ := d.posts(t, "/chat/say", `{"id":"ready"}`); code != http.StatusServiceUnavailable {
			<-d.to.messages
			return d
		}
	}
}

// wakes says a post, as the outbox does once its line is there.
func (d *daemon) wakes(t *testing.T) {
	t.Helper()
	if _, err := d.term.Post(t.Context(), bot.Post{Place: chat}); err != nil {
		t.Fatal(err)
	}
}

func (d *daemon) posts(t *testing.T, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://door"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := door{d.addr}.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(said)
}

func (d *daemon) message(t *testing.T) bot.Message {
	t.Helper()
	select {
	case m := <-d.to.messages:
		return m
	case <-time.After(patience):
		t.Fatal("nothing was said")
		return bot.Message{}
	}
}

// click returns a click without its key, which it checks.
func (d *daemon) click(t *testing.T) bot.Click {
	t.Helper()
	select {
	case c := <-d.to.clicks:
		if !strings.HasPrefix(c.Key, "terminal/local/chat/press/") {
			t.Errorf("key of the press = %q", c.Key)
		}
		c.Key = ""
		return c
	case <-time.After(patience):
		t.Fatal("nothing was pressed")
		return bot.Click{}
	}
}

func (d *daemon) client(t *testing.T) *client {
	t.Helper()
	return newClient(t, door{d.addr})
}

// script is a client that nobody types at.
func (d *daemon) script(t *testing.T) *client {
	t.Helper()
	return newClientWith(t, door{d.addr}, terminal.Options{Answers: true, Wait: patience})
}

// door is a Dialer to one address.
type door struct{ addr net.Addr }

func (d door) Do(r *http.Request) (*http.Response, error) {
	return (&http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var x net.Dialer
			return x.DialContext(ctx, d.addr.Network(), d.addr.String())
		},
	}}).Do(r)
}

// A client is a person at a keyboard and a screen.
type client struct {
	keys   *io.PipeWriter
	cancel func()
	ended  chan error

	mu     sync.Mutex
	screen bytes.Buffer
	wrote  chan struct{}
}

func newClient(t *testing.T, d terminal.Dialer) *client {
	t.Helper()
	return newClientWith(t, d, terminal.Options{})
}

func newClientWith(t *testing.T, d terminal.Dialer, opts terminal.Options) *client {
	t.Helper()
	in, keys := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	c := &client{keys: keys, cancel: cancel, ended: make(chan error, 1), wrote: make(chan struct{})}
	go func() { c.ended <- terminal.NewClient(d, in, c, opts).Run(ctx) }()
	t.Cleanup(func() { cancel(); _ = in.Close() })
	return c
}

// types writes lines, each with its end, without waiting for them to be read.
func (c *client) types(lines ...string) {
	text := strings.Join(lines, "\n") + "\n"
	go func() { _, _ = io.WriteString(c.keys, text) }() // a client that has gone reads nothing
}

func (c *client) close() { _ = c.keys.Close() }

func (c *client) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.wrote)
	c.wrote = make(chan struct{})
	return c.screen.Write(b)
}

func (c *client) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.screen.String()
}

func (c *client) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.screen.Reset()
}

// sees waits until a text stands on the screen.
func (c *client) sees(t *testing.T, want string) {
	t.Helper()
	late := time.After(patience)
	for {
		c.mu.Lock()
		text, wrote := c.screen.String(), c.wrote
		c.mu.Unlock()
		if strings.Contains(text, want) {
			return
		}
		select {
		case <-wrote:
		case err := <-c.ended:
			t.Fatalf("client ended with %v before it showed %q:\n%s", err, want, text)
		case <-late:
			t.Fatalf("the screen does not show %q:\n%s", want, text)
		}
	}
}

// end waits for the end of the client.
func (c *client) end(t *testing.T) error {
	t.Helper()
	select {
	case err := <-c.ended:
		return err
	case <-time.After(patience):
		t.Fatal("the client does not end")
		return nil
	}
}

// ends has the person end the talk.
func (c *client) ends(t *testing.T) {
	t.Helper()
	c.close()
	if err := c.end(t); err != nil {
		t.Errorf("client ended with %v, want nil", err)
	}
}

// A receiver hands on what it is told.
type receiver struct {
	messages chan bot.Message
	clicks   chan bot.Click
	mu       sync.Mutex
	err      error
}

func (r *receiver) fails(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = err
}

func (r *receiver) fault() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *receiver) Receive(_ context.Context, m bot.Message) error {
	if err := r.fault(); err != nil {
		return err
	}
	r.messages <- m
	return nil
}

func (r *receiver) Click(_ context.Context, c bot.Click) error {
	r.clicks <- c
	return r.fault()
}

// A desk has the lines of the one conversation.
type desk struct {
	forms bot.Decider
	bot.Desk
	mu    sync.Mutex
	lines []bot.Line
}

// say adds a line, or changes the one of that key.
// decides is who has forms for a desk, if anybody.
func decides(k *desk) bot.Decider { return k.forms }

func (k *desk) say(l bot.Line) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range k.lines {
		if k.lines[i].Key == l.Key {
			k.lines[i] = l
			return
		}
	}
	k.lines = append(k.lines, l)
}

func (k *desk) Lines(_ context.Context, p bot.Place, viewer string, n int) ([]bot.Line, error) {
	if p != chat || viewer != terminal.Owner || n < 1 {
		return nil, fmt.Errorf("asked for %d lines of %v for %s", n, p, viewer)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]bot.Line(nil), k.lines...), nil
}

// A shelf has files, by ids that need care in a URL.
type shelf struct{ bot.Shelf }

// Keep implements bot.Drawer.
func (shelf) Keep(_ context.Context, key string, n int, a bot.Attachment, b []byte) (bot.Attachment, error) {
	if string(b) == "broken" {
		return a, errors.New("disk on fire")
	}
	a.ID, a.Size = fmt.Sprintf("%s %d %s", key, n, b), int64(len(b))
	return a, nil
}

func (shelf) Open(_ context.Context, id string) (bot.File, []byte, error) {
	if id == "a b&2" {
		return bot.File{}, nil, errors.New("no such artifact")
	}
	return bot.File{ID: id, Mime: "x/y"}, []byte("bytes of " + id), nil
}
