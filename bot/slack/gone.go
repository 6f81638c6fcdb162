package slack

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// vanished are refusals to delete what is not there.
var vanished = []string{"message_not_found", "thread_not_found"}

// remove deletes a message of ours. One that is not there is removed.
func (s *Slack) remove(ctx context.Context, channel, ts string) error {
	err := s.paced(ctx, "chat.delete", channel, func() error {
		_, _, err := s.api.DeleteMessageContext(ctx, channel, ts)
		return err
	})
	if slices.Contains(vanished, codeOf(err)) {
		return nil
	}
	// It may be done again, so an outcome that nobody knows is no trouble.
	return readTrouble(err)
}

// takeBack deletes what is there under the Key of a Post: its parts, and the files
// that belong to it.
func (s *Slack) takeBack(ctx context.Context, p bot.Post) (bot.Receipt, error) {
	r := bot.Receipt{Ref: bot.Ref{Place: p.Place}}
	if p.Delivered != nil {
		r.Ref = *p.Delivered
	}
	if p.Only != "" {
		if p.Delivered != nil {
			s.hook(ctx, p, &slack.WebhookMessage{DeleteOriginal: true})
		}
		return r, nil
	}
	channel, err := s.room(ctx, r.Ref.Place.Channel)
	if err != nil {
		return r, err
	}
	if p.Delivered != nil && p.File != nil && p.Delivered.ID != "" {
		known, err := s.discard(ctx, channel, p.Delivered.ID)
		if err != nil {
			return r, fmt.Errorf("take back %s: %w", p.Key, err)
		}
		if known {
			return r, nil
		}
	}
	all := map[string]bool{}
	if p.Delivered != nil && p.File == nil {
		all[p.Delivered.ID] = true
	}
	keys := []string{shortKey(p.Key)}
	if p.File == nil {
		for n := range mostFiles {
			keys = append(keys, shortKey(fmt.Sprintf("%s/file%d", p.Key, n+1)))
		}
	}
	see := func(m seen) {
		ours := m.key() == p.Key
		for _, f := range m.Files {
			ours = ours || slices.ContainsFunc(keys, func(k string) bool { return strings.Contains(f.Name, k) })
		}
		if ours {
			all[m.TS] = true
		}
	}
	thread := startOf(r.Ref)
	err = s.search(ctx, p, channel, thread, see)
	if thread != "" && slices.Contains(vanished, codeOf(err)) {
		// What is posted after the thread has gone stands in the channel.
		err = s.search(ctx, p, channel, "", see)
	}
	if err != nil && !slices.Contains(vanished, codeOf(err)) {
		return r, fmt.Errorf("look for all of %s: %w", p.Key, err)
	}
	// The first goes last: without it the others are not found again.
	for _, ts := range slices.Backward(slices.Sorted(maps.Keys(all))) {
		if err := s.remove(ctx, channel, ts); err != nil {
			return r, fmt.Errorf("take back %s: %w", p.Key, err)
		}
	}
	return r, nil
}

// discarded are what Slack says of a file that is not there.
var discarded = []string{"file_not_found", "file_deleted"}

// discard deletes a file of ours, and the messages in a channel that are nothing but it.
// The file itself says where it stands: a thread whose first message was deleted cannot be
// read. It reports false if Slack does not say.
func (s *Slack) discard(ctx context.Context, channel, id string) (bool, error) {
	var f *slack.File
	err := s.paced(ctx, "files.info", "", func() (err error) {
		f, _, _, err = s.api.GetFileInfoContext(ctx, id, 0, 0)
		return err
	})
	switch code := codeOf(err); {
	case slices.Contains(discarded, code):
		return true, nil
	case code == "missing_scope":
		return false, nil
	case err != nil:
		return false, readTrouble(err)
	}
	for _, shares := range []map[string][]slack.ShareFileInfo{f.Shares.Public, f.Shares.Private} {
		for _, at := range shares[channel] {
			if err := s.remove(ctx, channel, at.Ts); err != nil {
				return false, err
			}
		}
	}
	err = s.paced(ctx, "files.delete", "", func() error { return s.api.DeleteFileContext(ctx, id) })
	if slices.Contains(discarded, codeOf(err)) {
		return true, nil
	}
	return err == nil, readTrouble(err)
}

// startOf is the thread in which the parts of a post stand: its own, or the one that
// it has begun.
func startOf(r bot.Ref) string {
	if r.Place.Thread != "" || !isTS(r.ID) {
		return r.Place.Thread
	}
	return r.ID
}

// mostFiles is how many files of one post are looked for.
const mostFiles = 20

// settles is how long a message may take to be seen by who looks for it.
const settles = 2 * time.Second

// Retract implements bot.Retractor: it deletes a copy of a Post that was said though
// the Post was another's by then. If there is no other copy, that other has found
// this one and goes by it, so it stays.
func (s *Slack) Retract(ctx context.Context, p bot.Post, r bot.Receipt) error {
	if p.Only != "" || p.File != nil || r.Failed != "" || !isTS(r.Ref.ID) {
		return nil
	}
	if err := s.wait(ctx, settles); err != nil {
		return err
	}
	var copies, mine []string
	p.Delivered = nil
	note := func(m seen) {
		switch {
		case m.key() != p.Key:
		case m.TS == r.Ref.ID:
			mine = append(mine, m.TS)
		case m.part() == 0:
			copies = append(copies, m.TS)
		}
	}
	if err := s.search(ctx, p, r.Ref.Place.Channel, p.Place.Thread, note); err != nil {
		return fmt.Errorf("look for copies of %s: %w", p.Key, err)
	}
	if len(mine) == 0 || len(copies) == 0 {
		return nil
	}
	if err := s.remove(ctx, r.Ref.Place.Channel, r.Ref.ID); err != nil {
		return fmt.Errorf("retract %s: %w", p.Key, err)
	}
	return nil
}
