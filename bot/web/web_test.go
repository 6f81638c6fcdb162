package web_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/bot"
	"hermes/bot/web"
)

// A desk is a bot.Desk with lines as the store has them.
type desk struct {
	mu        sync.Mutex
	lines     []bot.Line
	questions []bot.OpenQuestion
	jobs      []bot.JobView
	runs      []bot.RunView
	facts     []bot.FactView
	purses    []bot.PurseView
}

func idOf(l bot.Line) string {
	if l.From == "" {
		return l.Key
	}
	return l.Key[strings.LastIndex(l.Key, "/")+1:]
}

func (d *desk) Lines(_ context.Context, p bot.Place, _ string, n int) ([]bot.Line, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []bot.Line
	for _, l := range d.lines {
		at := l.Place
		root := at.Thread == "" || at.Thread == idOf(l)
		if at.Channel == p.Channel && (p.Thread == "" && root || p.Thread != "" && at.Thread == p.Thread) {
			out = append(out, l)
		}
	}
	return out[max(0, len(out)-n):], nil
}

func (d *desk) add(ls ...bot.Line) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, ls...)
}

func (d *desk) Questions(context.Context, string) ([]bot.OpenQuestion, error) {
	return slices.Clone(d.questions), nil
}
func (d *desk) Jobs(context.Context, string) ([]bot.JobView, error)      { return d.jobs, nil }
func (d *desk) Runs(context.Context, string, int) ([]bot.RunView, error) { return d.runs, nil }
func (d *desk) Facts(context.Context, string) ([]bot.FactView, error)    { return d.facts, nil }

func (d *desk) Run(_ context.Context, _, trace string) (bot.RunView, []bot.StepView, error) {
	for _, r := range d.runs {
		if r.Trace == trace {
			return r, []bot.StepView{{N: 1, Said: "I look", Call: `query_metric {"by":"region"}`, Result: "4 rows", Took: time.Second, Under: "web/demo/general/q1", By: "web:demo:lead", Ruling: bot.Approved}}, nil
		}
	}
	return bot.RunView{}, nil, errors.New("no such run")
}

// A shelf has files by id.
type shelf map[string]struct {
	file  bot.File
	bytes []byte
}

func (s shelf) Report(context.Context, string) (bot.Shown, error) { return bot.Shown{}, nil }
func (s shelf) Open(_ context.Context, id string) (bot.File, []byte, error) {
	f, ok := s[id]
	if !ok {
		return bot.File{}, nil, errors.New("no such file")
	}
	return f.file, f.bytes, nil
}

// Keep implements bot.Drawer.
func (s shelf) Keep(_ context.Context, key string, n int, a bot.Attachment, b []byte) (bot.Attachment, error) {
	if a.Name == "broken" {
		return a, errors.New("disk on fire")
	}
	a.ID, a.Size = fmt.Sprintf("%s/%d", key, n), int64(len(b))
	f := s[a.ID]
	f.file, f.bytes = bot.File{ID: a.ID, Name: a.Name, Mime: a.Mime}, b
	s[a.ID] = f
	return a, nil
}

// ears is a bot.Receiver that keeps what it hears.
type ears struct {
	mu       sync.Mutex
	messages []bot.Message
	clicks   []bot.Click
	err      error
}

func (e *ears) Receive(_ context.Context, m bot.Message) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err == nil {
		e.messages = append(e.messages, m)
	}
	return e.err
}

func (e *ears) Click(_ context.Context, c bot.Click) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err == nil {
		e.clicks = append(e.clicks, c)
	}
	return e.err
}

// A clock is now, and can be moved.
type clock struct {
	mu    sync.Mutex
	moved time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.moved)
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.moved += d
}

// A stage is a console that runs, and what is behind it.
type stage struct {
	t     *testing.T
	con   *web.Console
	desk  *desk
	shelf shelf
	ears  *ears
	clock *clock
	entry string // the printed URL
	base  string
	stop  func()
}

func newStage(t *testing.T, change ...func(*web.Config)) *stage {
	t.Helper()
	cfg := web.Config{Addr: "127.0.0.1:0", Demo: web.NewDemo(), Key: []byte("a key of the test")}
	for _, f := range change {
		f(&cfg)
	}
	s := &stage{t: t, desk: &desk{}, shelf: shelf{}, ears: &ears{}, clock: &clock{}}
	s.con = web.New(cfg, s.desk, s.shelf, slog.New(slog.DiscardHandler), s.clock.now)
	var err error
	if s.entry, err = s.con.Listen(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.base, _, _ = strings.Cut(s.entry, "/in?")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.con.Run(ctx, s.ears) }()
	s.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run = %v, want nil when its context ends", err)
		}
	})
	t.Cleanup(s.stop)
	return s
}

// A guest of the pages: a browser without script.
type browser struct {
	*stage
	client *http.Client
}

// stranger is a browser that was not let in.
func (s *stage) stranger() *browser {
	jar, _ := cookiejar.New(nil)
	tr := &http.Transport{DisableCompression: true}
	s.t.Cleanup(tr.CloseIdleConnections)
	return &browser{s, &http.Client{
		Jar: jar, Transport: tr, Timeout: 20 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// enter is a browser that was let in, as a user of the demo.
func (s *stage) enter(user string) *browser {
	s.t.Helper()
	b := s.stranger()
	if code, _, _ := b.get(strings.TrimPrefix(s.con.NewCode(), s.base)); code != http.StatusSeeOther {
		s.t.Fatalf("one-time code: status %d, want 303", code)
	}
	if user != "" && user != "analyst" {
		if code, _ := b.post("/switch", url.Values{"user": {user}}); code != http.StatusSeeOther {
			s.t.Fatalf("switch to %s: status %d, want 303", user, code)
		}
	}
	return b
}

func (b *browser) do(req *http.Request) (int, string, http.Header) {
	b.t.Helper()
	res, err := b.client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, string(body), res.Header
}

func (b *browser) request(method, path string, form url.Values) *http.Request {
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequest(method, b.base+path, body)
	if err != nil {
		b.t.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", b.base)
	}
	return req
}

func (b *browser) get(path string) (int, string, http.Header) {
	b.t.Helper()
	return b.do(b.request("GET", path, nil))
}

var csrfAt = regexp.MustCompile(`name="csrf" content="([^"]+)"`)

func (b *browser) csrf() string {
	b.t.Helper()
	_, page, _ := b.get("/c/general")
	m := csrfAt.FindStringSubmatch(page)
	if m == nil {
		b.t.Fatalf("page has no token:\n%s", page)
	}
	return m[1]
}

func (b *browser) post(path string, form url.Values) (int, string) {
	b.t.Helper()
	form.Set("csrf", b.csrf())
	code, body, _ := b.do(b.request("POST", path, form))
	return code, body
}

// hear opens the event stream and returns a func that waits for the next event.
func (b *browser) hear(lastID string) (next func() (id, kind, data string)) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	b.t.Cleanup(cancel)
	req := b.request("GET", "/events", nil).WithContext(ctx)
	req.Header.Set("Last-Event-ID", lastID)
	res, err := b.client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { res.Body.Close() })
	if got := res.Header.Get("Content-Type"); got != "text/event-stream" {
		b.t.Fatalf("events: Content-Type = %q", got)
	}
	lines := bufio.NewScanner(res.Body)
	return func() (id, kind, data string) {
		b.t.Helper()
		for lines.Scan() {
			field, value, _ := strings.Cut(lines.Text(), ": ")
			switch field {
			case "id":
				id = value
			case "event":
				kind = value
			case "data":
				return id, kind, value
			}
		}
		b.t.Fatalf("event stream ended: %v", lines.Err())
		return "", "", ""
	}
}

var markAt = regexp.MustCompile(`data-mark="([^"]+)"`)

// mark returns the id of the last event that a page knows.
func (b *browser) mark() string {
	b.t.Helper()
	_, page, _ := b.get("/c/general")
	return markAt.FindStringSubmatch(page)[1]
}

func place(channel, thread string) bot.Place {
	return bot.Place{Platform: "web", Workspace: "demo", Channel: channel, Thread: thread}
}

// said is a line of a person of the demo.
func said(channel, thread, id, user, text string) bot.Line {
	return bot.Line{
		Key: "web/demo/" + channel + "/" + id, At: time.Now(), From: bot.Person("web", "demo", user),
		Name: user, Text: text, Place: place(channel, thread),
	}
}

// told is a line of the bot.
func told(channel, thread, key, text string) bot.Line {
	return bot.Line{Key: key, At: time.Now(), Text: text, Place: place(channel, thread)}
}
