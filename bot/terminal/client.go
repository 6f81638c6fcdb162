package terminal

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"hermes/bot"
	"hermes/internal/filename"
)

// Client is the person's end: lines in, lines out.
type Client struct {
	door Dialer
	in   io.Reader
	out  io.Writer
	opts Options
	look look

	mu    sync.Mutex
	lines []bot.Line          // as they stand
	seen  map[string]bot.Line // by key, as last shown
	card  bot.Line            // the newest one with buttons
	files []bot.File
	first bool
	shown chan struct{} // is given when lines has changed

	form *form // that is being filled in; used where lines are read alone
}

// Options of a Client.
type Options struct {
	// Answers is for input that nobody types: each line waits for its answer or its
	// question before the next is said, what was said earlier is not shown, and an
	// empty line is skipped.
	Answers bool
	// Wait is how long that may take for one line; 0 is for ever.
	Wait time.Duration
	Bold bool // the output is a terminal
	// Files are paths of files that go with the first thing that is said.
	Files []string
}

// NewClient returns a Client that talks through a door.
func NewClient(door Dialer, in io.Reader, out io.Writer, opts Options) *Client {
	return &Client{
		door: door, in: in, out: out, opts: opts, look: look{opts.Bold},
		seen: map[string]bot.Line{}, first: true, shown: make(chan struct{}, 1),
	}
}

const welcome = `You talk to Hermes. Ask in English or Chinese; "help" shows what it can do.
A number presses a button, /file PATH attaches a file, /save N keeps one, an empty line or ^D ends.
`

// Run talks until the input or ctx ends. With Answers, its error is that something
// was not answered.
func (c *Client) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !c.opts.Answers {
		if _, err := io.WriteString(c.out, welcome); err != nil {
			return err
		}
	}
	follow := make(chan error, 1)
	go func() { follow <- c.follow(ctx) }()
	lines := make(chan typed)
	go c.scan(ctx, lines)
	if c.opts.Answers {
		return c.converse(ctx, lines, follow)
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-follow:
			return err
		case line, ok := <-lines:
			if !ok || line.text == "" {
				return line.err
			}
			if _, err := c.say(ctx, line.text); errors.Is(err, errRefused) {
				if _, err := fmt.Fprintln(c.out, err); err != nil {
					return err
				}
			} else if err != nil {
				return err
			}
		}
	}
}

// A typed line is what was read, or why nothing more can be.
type typed struct {
	text string
	err  error
}

func (c *Client) scan(ctx context.Context, lines chan<- typed) {
	defer close(lines)
	give := func(l typed) bool {
		select {
		case lines <- l:
			return true
		case <-ctx.Done():
			return false
		}
	}
	scan := bufio.NewScanner(c.in)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		if !give(typed{text: strings.TrimSpace(scan.Text())}) {
			return
		}
	}
	if err := scan.Err(); err != nil {
		give(typed{err: fmt.Errorf("read what is said: %w", err)})
	}
}

// errRefused says that the daemon did not keep what it was sent.
var errRefused = errors.New("not sent")

// say sends what a person typed: a press, a command of the client, or words. What is
// to be answered it returns.
func (c *Client) say(ctx context.Context, line string) (*asked, error) {
	c.mu.Lock()
	card, files, id := c.card, c.files, newID()
	a := c.asks(line)
	c.mu.Unlock()
	if rest, ok := strings.CutPrefix(line, "/save"); ok {
		return nil, c.save(ctx, files, strings.TrimSpace(rest))
	}
	if c.form != nil {
		return c.fill(ctx, line)
	}
	if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(card.Choices) {
		if chosen := card.Choices[n-1].ID; card.Question != "" && bot.FormOf(chosen) != bot.NoForm {
			return nil, c.open(ctx, card, chosen)
		}
		a.key, a.press = pressKey(id), runOf(card)
		return a, c.post(ctx, "/chat/press", heard{ID: id, Question: card.Question, Choice: card.Choices[n-1].ID})
	}
	a.key = sayKey(id)
	paths := c.opts.Files
	if path, words, ok := fileCommand(line); ok {
		paths, line = append(slices.Clone(paths), path), words
	}
	attached, err := c.send(ctx, id, paths)
	if err != nil {
		return nil, err
	}
	if err := c.post(ctx, "/chat/say", heard{ID: id, Text: line, Files: attached}); err != nil {
		return nil, err
	}
	c.opts.Files = nil // they are sent
	return a, nil
}

func (c *Client) post(ctx context.Context, path string, h heard) error {
	body, err := json.Marshal(h)
	if err != nil {
		return err
	}
	_, _, err = c.request(ctx, http.MethodPost, path, body, shortReply)
	return err
}

// How much of what the daemon answers is read: of a word about what was sent, and of a
// form.
const (
	shortReply = 1 << 16
	formReply  = 1 << 20
)

// request asks the daemon for one thing and reads its answer, of which it takes so many
// bytes. One that refuses is an error with its words, beside its text and status.
func (c *Client) request(ctx context.Context, method, path string, body []byte, most int64) (text []byte, status int, err error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://door"+path, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	resp, err := c.door.Do(req)
	if err != nil {
		return nil, 0, errGone(err)
	}
	text, err = io.ReadAll(io.LimitReader(resp.Body, most))
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return nil, 0, errGone(err)
	}
	if resp.StatusCode >= 300 {
		return text, resp.StatusCode, fmt.Errorf("%w: %s", errRefused, bytes.TrimSpace(text))
	}
	return text, resp.StatusCode, nil
}

// save keeps a file in the working folder. It overwrites nothing.
func (c *Client) save(ctx context.Context, files []bot.File, which string) error {
	n, err := strconv.Atoi(which)
	if err != nil || n < 1 || n > len(files) {
		_, err := fmt.Fprintf(c.out, "there are %d files; say /save 1\n", len(files))
		return err
	}
	f := files[n-1]
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://door/chat/file?id="+url.QueryEscape(f.ID), nil)
	if err != nil {
		return err
	}
	resp, err := c.door.Do(req)
	if err != nil {
		return errGone(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return errGone(err)
	}
	if resp.StatusCode >= 300 {
		_, err := fmt.Fprintf(c.out, "not saved: %s\n", bytes.TrimSpace(body))
		return err
	}
	name := filename.Clean(f.Name)
	if err := keep(name, body); err != nil {
		_, err = fmt.Fprintf(c.out, "not saved: %v\n", err)
		return err
	}
	_, err = fmt.Fprintf(c.out, "saved %s\n", name)
	return err
}

// keep writes a file that is not there yet into the folder that we are in. Its name is
// somebody else's word, so it leads nowhere else.
func keep(name string, body []byte) error {
	here, err := os.OpenRoot(".")
	if err != nil {
		return err
	}
	file, err := here.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.Write(body)
		err = errors.Join(err, file.Close())
	}
	if at := (*os.PathError)(nil); errors.As(err, &at) {
		err = fmt.Errorf("%s: %w", name, at.Err)
	}
	return errors.Join(err, here.Close())
}

// follow shows what is said as it comes.
func (c *Client) follow(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://door/chat/lines", nil)
	if err != nil {
		return err
	}
	resp, err := c.door.Do(req)
	if err != nil {
		return errGone(err)
	}
	defer func() { _ = resp.Body.Close() }() // it ends with ctx
	dec := json.NewDecoder(resp.Body)
	for {
		var lines []bot.Line
		if err := dec.Decode(&lines); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return errGone(err)
		}
		if err := c.show(lines); err != nil {
			return err
		}
	}
}

// show prints what is new since the last time; at first the last few lines.
func (c *Client) show(lines []bot.Line) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() {
		select {
		case c.shown <- struct{}{}:
		default: // whoever waits looks anyway
		}
	}()
	lines = pressable(lines)
	c.lines, c.card = lines, bot.Line{}
	for _, l := range lines {
		if len(l.Choices) > 0 && l.Kind != bot.Progress {
			c.card = l
		}
	}
	before := 6
	if c.opts.Answers {
		before = 0
	}
	for i, l := range lines {
		old, known := c.seen[l.Key]
		c.seen[l.Key] = l
		if known && old.Rev == l.Rev && len(old.Choices) == len(l.Choices) {
			continue
		}
		if l.File != nil && !known {
			c.files = append(c.files, *l.File)
		}
		mine := l.From != ""
		if c.first && i < len(lines)-before || mine && !c.first {
			continue
		}
		if _, err := io.WriteString(c.out, c.text(l, strings.Split(old.Text, "\n"))); err != nil {
			return err
		}
	}
	c.first = false
	return nil
}

// inWords is how one says in a terminal what elsewhere has a form.
var inWords = map[bool]string{
	false: "  or write: /deny REASON, or /change WHAT SHOULD BE DIFFERENT\n",
	true:  "  也可以写：/拒绝 理由，或 /修改 要怎么改\n",
}

// pressable are lines with the choices that have a number here: first those that a press
// is enough for, then those with a form.
func pressable(lines []bot.Line) []bot.Line {
	lines = slices.Clone(lines)
	for i, l := range lines {
		press, forms := formed(l)
		lines[i].Choices = append(press, forms...)
	}
	return lines
}

// text is a line for the eye; before are the lines of it that were shown earlier.
func (c *Client) text(l bot.Line, before []string) string {
	var b strings.Builder
	switch {
	case l.From != "":
		fmt.Fprintf(&b, "\nyou: %s\n", harmless(l.Text))
		for _, f := range l.Files {
			fmt.Fprintf(&b, "[with %s]\n", harmless(f.Name))
		}
		return b.String()
	case l.Gone:
		fmt.Fprintf(&b, "\nhermes took back: %s\n", harmless(strings.Join(before, " ")))
		return b.String()
	case l.File != nil:
		fmt.Fprintf(&b, "[file %d: %s]\n", len(c.files), harmless(l.File.Name))
		return b.String()
	case l.Kind == bot.Progress:
		// A page changes what it shows; a terminal goes on with what is new.
		for s := range strings.SplitSeq(l.Text, "\n") {
			if !slices.Contains(before, s) {
				fmt.Fprintf(&b, "  … %s\n", c.look.inline(harmless(s)))
			}
		}
		return b.String()
	}
	text := c.look.plain(l.Text)
	if strings.Contains(text, "\n") && tableAt(strings.Split(l.Text, "\n")) > 0 {
		text = "\n" + text // its columns begin where the line does
	}
	fmt.Fprintf(&b, "\nhermes: %s\n", text)
	b.WriteString(c.look.record(l.Record))
	for i, ch := range l.Choices {
		fmt.Fprintf(&b, "  [%d] %s\n", i+1, harmless(ch.Label))
	}
	if slices.ContainsFunc(l.Choices, func(ch bot.Choice) bool { return l.Question != "" && ch.ID == bot.DenyChoice }) {
		b.WriteString(inWords[l.Lang == "zh"])
	}
	if l.Footer != "" {
		fmt.Fprintf(&b, "  (%s)\n", c.look.inline(harmless(l.Footer)))
	}
	return b.String()
}
