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
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"hermes/bot"
)

// Client is the person's end: lines in, lines out.
type Client struct {
	door Dialer
	in   io.Reader
	out  io.Writer

	mu    sync.Mutex
	seen  map[string]bot.Line // by key, as last shown
	card  bot.Line            // the newest one with buttons
	files []bot.File
	first bool
}

// NewClient returns a Client that talks through a door.
func NewClient(door Dialer, in io.Reader, out io.Writer) *Client {
	return &Client{door: door, in: in, out: out, seen: map[string]bot.Line{}, first: true}
}

const welcome = `You talk to Hermes. Ask in English or Chinese; "help" shows what it can do.
A number presses a button, /save N keeps a file, an empty line or ^D ends.
`

// Run talks until the input or ctx ends.
func (c *Client) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if _, err := io.WriteString(c.out, welcome); err != nil {
		return err
	}
	follow := make(chan error, 1)
	go func() { follow <- c.follow(ctx) }()
	lines := make(chan string)
	go func() {
		defer close(lines)
		scan := bufio.NewScanner(c.in)
		scan.Buffer(nil, 1<<20)
		for scan.Scan() {
			select {
			case lines <- scan.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-follow:
			return err
		case line, ok := <-lines:
			if !ok || strings.TrimSpace(line) == "" {
				return nil
			}
			if err := c.say(ctx, strings.TrimSpace(line)); err != nil {
				return err
			}
		}
	}
}

// say sends what a person typed: a press, a command of the client, or words.
func (c *Client) say(ctx context.Context, line string) error {
	c.mu.Lock()
	card, files := c.card, c.files
	c.mu.Unlock()
	if rest, ok := strings.CutPrefix(line, "/save"); ok {
		return c.save(ctx, files, strings.TrimSpace(rest))
	}
	if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(card.Choices) {
		return c.post(ctx, "/chat/press", heard{ID: newID(), Question: card.Question, Choice: card.Choices[n-1].ID})
	}
	return c.post(ctx, "/chat/say", heard{ID: newID(), Text: line})
}

func (c *Client) post(ctx context.Context, path string, h heard) error {
	body, err := json.Marshal(h)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://door"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := c.door.Do(req)
	if err != nil {
		return errGone(err)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return errGone(err)
	}
	if resp.StatusCode >= 300 {
		_, err = fmt.Fprintf(c.out, "not sent: %s\n", bytes.TrimSpace(text))
	}
	return err
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
	name := filepath.Base(f.Name)
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.Write(body)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		_, err = fmt.Fprintf(c.out, "not saved: %v\n", err)
		return err
	}
	_, err = fmt.Fprintf(c.out, "saved %s\n", name)
	return err
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
	c.card = bot.Line{}
	for _, l := range lines {
		if len(l.Choices) > 0 && l.Kind != bot.Progress {
			c.card = l
		}
	}
	const before = 6
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

// text is a line for the eye; before are the lines of it that were shown earlier.
func (c *Client) text(l bot.Line, before []string) string {
	var b strings.Builder
	switch {
	case l.From != "":
		fmt.Fprintf(&b, "\nyou: %s\n", l.Text)
		return b.String()
	case l.File != nil:
		fmt.Fprintf(&b, "[file %d: %s]\n", len(c.files), l.File.Name)
		return b.String()
	case l.Kind == bot.Progress:
		// A page changes what it shows; a terminal goes on with what is new.
		for s := range strings.SplitSeq(l.Text, "\n") {
			if !slices.Contains(before, s) {
				fmt.Fprintf(&b, "  … %s\n", s)
			}
		}
		return b.String()
	}
	fmt.Fprintf(&b, "\nhermes: %s\n", l.Text)
	for i, ch := range l.Choices {
		fmt.Fprintf(&b, "  [%d] %s\n", i+1, ch.Label)
	}
	if l.Footer != "" {
		fmt.Fprintf(&b, "  (%s)\n", l.Footer)
	}
	return b.String()
}
