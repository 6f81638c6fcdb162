package slack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"hermes/bot"
)

// A found is a message of ours that is there.
type found struct {
	ts, thread string
	rev, parts int
	files      int // that belong to it, and are not there
}

const (
	// before is how much earlier than the first try we look, for clocks that
	// differ; longAgo is how far we look back in a channel when nobody knows
	// when that was.
	before  = time.Minute
	longAgo = 7 * 24 * time.Hour
	// lookPages bounds one look. Beyond it we cannot say that there is nothing.
	lookPages = 30
	lookSize  = 200
)

var errTooFar = errors.New("too many messages to look through")

// seen is what we read of a message.
type seen struct {
	TS        string `json:"ts"`
	Thread    string `json:"thread_ts"`
	BotID     string `json:"bot_id"`
	Streaming string `json:"streaming_state"`
	Metadata  struct {
		Type    string         `json:"event_type"`
		Payload map[string]any `json:"event_payload"`
	} `json:"metadata"`
	Files []struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"files"`
}

// key is the Key of the Post that a message is, empty if it is none of ours.
func (m seen) key() string {
	if m.Metadata.Type != metaType {
		return ""
	}
	key, _ := m.Metadata.Payload["key"].(string)
	return key
}

func (m seen) number(name string) int {
	n, _ := m.Metadata.Payload[name].(float64)
	return int(n)
}

func (m seen) part() int { return m.number("part") }

// open reports whether a message is a stream that was not ended.
func (m seen) open() bool { return m.Streaming == "in_progress" }

// Find implements bot.Finder with one look. Slack may show a message a moment
// late, so who asks should ask twice.
//
// A Post that is found with an older Rev is changed first: its Key must not be
// posted again, and the older content must not stay.
func (s *Slack) Find(ctx context.Context, p bot.Post) (bot.Receipt, bool, error) {
	if p.Gone {
		return bot.Receipt{}, false, nil // it may be taken back as often as anybody likes
	}
	if p.File != nil {
		return s.findFile(ctx, p)
	}
	channel, err := s.room(ctx, p.Place.Channel)
	if err != nil {
		return bot.Receipt{}, false, err
	}
	have, stream, err := s.parts(ctx, p, channel)
	if err != nil {
		return bot.Receipt{}, false, fmt.Errorf("look for %s: %w", p.Key, err)
	}
	first, ok := have[0]
	if !ok && p.Kind == bot.Progress && p.Plan != nil && stream.ts != "" {
		return s.adopt(p, channel, stream), true, nil
	}
	if !ok || len(have) < max(1, first.parts) || first.files > 0 {
		return bot.Receipt{}, false, nil // Post goes on where it was cut off
	}
	ref := bot.Ref{
		Place: bot.Place{Platform: platform, Workspace: p.Place.Workspace, Channel: channel, Thread: first.thread},
		ID:    first.ts,
	}
	for _, a := range s.acts.list() {
		if p.Of != "" && a.run == p.Of && p.Kind != bot.Progress {
			a.become(p.Key, first.ts)
		}
	}
	if first.rev < p.Rev {
		p.Delivered = &ref
		r, err := s.Post(ctx, p)
		return r, err == nil, err
	}
	return bot.Receipt{Ref: ref, Link: s.linkOf(ctx, p, ref)}, true, nil
}

// adopt takes an open stream in a Run's thread for the Run's: nobody else of ours
// works there, and a stream carries no key until it ends.
func (s *Slack) adopt(p bot.Post, channel string, stream found) bot.Receipt {
	a := s.acts.of(p)
	a.mu.Lock()
	defer a.mu.Unlock()
	now := s.cfg.Now()
	a.channel, a.ts, a.thread = channel, stream.ts, stream.thread
	a.open, a.used, a.shown, a.began, a.said = true, 0, map[string]string{}, timeOf(stream.ts), now
	a.post, a.pending = p, true
	if p.Plan.Over {
		a.over = now
	}
	return a.receipt(s)
}

// parts are the messages of a Post that are there, by their number, and a stream of
// ours that is open beside them.
func (s *Slack) parts(ctx context.Context, p bot.Post, channel string) (map[int]found, found, error) {
	have, files := map[int]found{}, map[string]bool{}
	var stream found
	me, _ := s.me()
	note := func(m seen) {
		f := found{ts: m.TS, thread: m.Thread, rev: m.number("rev"), parts: m.number("parts"), files: m.number("files")}
		if f.thread == f.ts {
			f.thread = "" // it only began a thread
		}
		for _, x := range m.Files {
			if strings.Contains(x.Name, "-"+shortKey(p.Key)+"-") {
				files[x.Name] = true
			}
		}
		if m.key() == "" && m.open() && (me.bot == "" || m.BotID == me.bot) {
			stream = f
		}
		if m.key() != p.Key {
			return
		}
		if old, ok := have[m.part()]; !ok || f.ts < old.ts {
			have[m.part()] = f
		}
	}
	if err := s.search(ctx, p, channel, p.Place.Thread, note); err != nil {
		return nil, stream, err
	}
	first, ok := have[0]
	if p.Place.Thread == "" && (first.parts > 1 || first.files > 0) {
		if err := s.search(ctx, p, channel, first.ts, note); err != nil {
			return nil, stream, err
		}
	}
	if ok {
		first.files -= len(files)
		have[0] = first
	}
	return have, stream, nil
}

// search reads a thread, or a channel if thread is empty, as far back as p may be.
func (s *Slack) search(ctx context.Context, p bot.Post, channel, thread string, see func(seen)) error {
	since := s.pace.since(p.Key)
	switch {
	case p.Delivered != nil && isTS(p.Delivered.ID):
		since = timeOf(p.Delivered.ID)
	case since.IsZero():
		since = s.cfg.Now().Add(-longAgo)
	}
	return s.read(ctx, channel, thread, url.Values{
		"oldest": {stamp(since.Add(-before))}, "limit": {strconv.Itoa(lookSize)},
	}, see)
}

// one reads one message.
func (s *Slack) one(ctx context.Context, channel, thread, ts string) (m seen, ok bool, err error) {
	err = s.read(ctx, channel, thread, url.Values{
		"oldest": {ts}, "latest": {ts}, "inclusive": {"true"}, "limit": {"2"},
	}, func(got seen) {
		if got.TS == ts {
			m, ok = got, true
		}
	})
	return m, ok, err
}

// read reads messages of a thread, or of a channel if thread is empty.
func (s *Slack) read(ctx context.Context, channel, thread string, args url.Values, see func(seen)) error {
	method := "conversations.history"
	args.Set("channel", channel)
	args.Set("include_all_metadata", "true")
	if thread != "" {
		method = "conversations.replies"
		args.Set("ts", thread)
	}
	for range lookPages {
		var page struct {
			Messages []seen `json:"messages"`
			Meta     struct {
				Next string `json:"next_cursor"`
			} `json:"response_metadata"`
		}
		if err := s.paced(ctx, method, channel, func() error { return s.ask(ctx, method, args, &page) }); err != nil {
			return readTrouble(err)
		}
		for _, m := range page.Messages {
			see(m)
		}
		if page.Meta.Next == "" {
			return nil
		}
		args.Set("cursor", page.Meta.Next)
	}
	return errTooFar
}

// findFile looks for a file by the key in its name.
func (s *Slack) findFile(ctx context.Context, p bot.Post) (bot.Receipt, bool, error) {
	channel, thread := under(p)
	channel, err := s.room(ctx, channel)
	if err != nil {
		return bot.Receipt{}, false, err
	}
	var id string
	err = s.search(ctx, p, channel, thread, func(m seen) {
		for _, f := range m.Files {
			if strings.Contains(f.Name, shortKey(p.Key)) {
				id = cmp.Or(id, f.ID)
			}
		}
	})
	if err != nil {
		return bot.Receipt{}, false, fmt.Errorf("look for file %s: %w", p.Key, err)
	}
	place := bot.Place{Platform: platform, Workspace: p.Place.Workspace, Channel: channel, Thread: thread}
	return bot.Receipt{Ref: bot.Ref{Place: place, ID: id}}, id != "", nil
}
