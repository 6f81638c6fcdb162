package slack

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// A found is a message of ours that is there.
type found struct {
	ts, thread string
	rev, parts int
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

// Find implements bot.Finder with one look. Slack may show a message a moment
// late, so who asks should ask twice.
//
// A Post that is found with an older Rev is changed first: its Key must not be
// posted again, and the older content must not stay.
func (s *Slack) Find(ctx context.Context, p bot.Post) (bot.Receipt, bool, error) {
	if p.File != nil {
		return s.findFile(ctx, p)
	}
	if p.Only != "" {
		// Slack keeps no such message, and one more hurts nobody.
		return bot.Receipt{}, false, nil
	}
	channel, err := s.room(ctx, p.Place.Channel)
	if err != nil {
		return bot.Receipt{}, false, err
	}
	have, err := s.parts(ctx, p, channel)
	if err != nil {
		return bot.Receipt{}, false, fmt.Errorf("look for %s: %w", p.Key, err)
	}
	first, ok := have[0]
	if !ok || len(have) < max(1, first.parts) {
		return bot.Receipt{}, false, nil // Post goes on where it was cut off
	}
	ref := bot.Ref{
		Place: bot.Place{Platform: platform, Workspace: p.Place.Workspace, Channel: channel, Thread: first.thread},
		ID:    first.ts,
	}
	if first.rev < p.Rev {
		p.Delivered = &ref
		r, err := s.Post(ctx, p)
		return r, err == nil, err
	}
	return bot.Receipt{Ref: ref, Link: s.linkOf(ctx, p, ref)}, true, nil
}

// parts are the messages of a Post that are there, by their number.
func (s *Slack) parts(ctx context.Context, p bot.Post, channel string) (map[int]found, error) {
	have := map[int]found{}
	note := func(m slack.Message) {
		if m.Metadata.EventType != metaType || m.Metadata.EventPayload["key"] != p.Key {
			return
		}
		number := func(key string) int {
			n, _ := m.Metadata.EventPayload[key].(float64)
			return int(n)
		}
		f := found{ts: m.Timestamp, thread: m.ThreadTimestamp, rev: number("rev"), parts: number("parts")}
		if f.thread == f.ts {
			f.thread = "" // it only began a thread
		}
		if old, ok := have[number("part")]; !ok || f.ts < old.ts {
			have[number("part")] = f
		}
	}
	if err := s.look(ctx, p, channel, p.Place.Thread, note); err != nil {
		return nil, err
	}
	if first := have[0]; p.Place.Thread == "" && first.parts > 1 {
		if err := s.look(ctx, p, channel, first.ts, note); err != nil {
			return nil, err
		}
	}
	return have, nil
}

// look reads a thread, or a channel if thread is empty, as far back as p may be.
func (s *Slack) look(ctx context.Context, p bot.Post, channel, thread string, see func(slack.Message)) error {
	since := s.pace.since(p.Key)
	if since.IsZero() {
		since = s.cfg.Now().Add(-longAgo)
	}
	oldest := stamp(since.Add(-before))
	cursor := ""
	for range lookPages {
		var ms []slack.Message
		var next string
		err := s.paced(ctx, "conversations.replies", channel, func() (err error) {
			if thread != "" {
				ms, _, next, err = s.api.GetConversationRepliesContext(ctx, &slack.GetConversationRepliesParameters{
					ChannelID: channel, Timestamp: thread, Oldest: oldest, Limit: lookSize, Cursor: cursor, IncludeAllMetadata: true,
				})
				return err
			}
			r, err := s.api.GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{
				ChannelID: channel, Oldest: oldest, Limit: lookSize, Cursor: cursor, IncludeAllMetadata: true,
			})
			if err == nil {
				ms, next = r.Messages, r.ResponseMetaData.NextCursor
			}
			return err
		})
		if err != nil {
			return readTrouble(err)
		}
		for _, m := range ms {
			see(m)
		}
		if next == "" {
			return nil
		}
		cursor = next
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
	err = s.look(ctx, p, channel, thread, func(m slack.Message) {
		for _, f := range m.Files {
			if strings.Contains(f.Name, shortKey(p.Key)) && id == "" {
				id = f.ID
			}
		}
	})
	if err != nil {
		return bot.Receipt{}, false, fmt.Errorf("look for file %s: %w", p.Key, err)
	}
	place := bot.Place{Platform: platform, Workspace: p.Place.Workspace, Channel: channel, Thread: thread}
	return bot.Receipt{Ref: bot.Ref{Place: place, ID: id}}, id != "", nil
}
