package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/bot"
)

// What was said while nobody listened is read once we listen again, so that nothing
// falls in between; what comes twice has one Key. Slack itself sends again for six
// minutes and no longer.
const (
	farBack     = 24 * time.Hour      // older things nobody waits for
	mostPast    = 20                  // channels, as many threads of ours, and as many others
	farBegun    = 30 * 24 * time.Hour // longer ago nobody has begun a thread that is looked into
	pastPages   = 3                   // of one of them
	pastSize    = 200
	pastBurst   = 15               // calls of a method at once; with one each pastStep after that
	pastStep    = time.Minute / 35 // they are the fifty in a minute that Slack takes
	pastGap     = 5 * time.Second  // between two looks, at least: a socket may break again and again
	limitedSize = 15               // of a page, where Slack gives little
	pastTries   = 3
	// margin is how much earlier than what was heard last we read: what comes at
	// the same moment may come in another order.
	margin = time.Minute
)

// pastGone are refusals after which there is nothing to read, and no use in another
// try.
var pastGone = []string{
	"channel_not_found", "not_in_channel", "is_archived", "thread_not_found", "missing_scope",
	"method_not_supported_for_channel_type",
}

// catchUp reads what may have been missed, each time that something may, until ctx
// ends.
func (s *Slack) catchUp(ctx context.Context, to bot.Receiver) {
	for last := (time.Time{}); ; last = s.cfg.Now() {
		select {
		case <-ctx.Done():
			return
		case <-s.absent.news:
		}
		if s.cfg.Seen == nil {
			continue
		}
		if d := last.Add(pastGap).Sub(s.cfg.Now()); d > 0 && s.wait(ctx, d) != nil {
			return
		}
		for try := range pastTries {
			err := s.reliveAll(ctx, to)
			if err == nil || ctx.Err() != nil {
				break
			}
			s.log.Warn("slack history not read", "try", try+1, "err", err)
			if s.wait(ctx, s.backoff(try)) != nil {
				break
			}
		}
	}
}

// A past is a channel or a thread of which something may have been missed.
type past struct{ channel, thread, since string }

// reliveAll gives the Receiver what was said since it was heard last.
func (s *Slack) reliveAll(ctx context.Context, to bot.Receiver) error {
	me, _ := s.me()
	gap := s.absent.take()
	seen, err := s.cfg.Seen(ctx, me.team)
	if err != nil {
		s.absent.from(gap)
		return fmt.Errorf("what was heard last: %w", err)
	}
	s.recollect(ctx, me)
	all, lost := seen, s.absent.count()
	seen = maps.Clone(seen)
	maps.DeleteFunc(seen, func(name, _ string) bool { return s.absent.isGone(name) })
	channels, threads := pasts(seen, s.cfg.Now())
	var errs []error
	unheard, err := s.unheard(ctx, channels, gap)
	errs = append(errs, err)
	began := s.cfg.Now()
	known := map[string]bool{}
	for _, t := range threads {
		known[t.name()] = true
	}
	n, read, old := 0, 0, 0
	look := func(p past) {
		found, got, err := s.relive(ctx, me, p, to)
		errs = append(errs, err)
		n += got
		read++
		for _, t := range found.ours {
			if !known[t.name()] && len(threads)-old < mostPast {
				threads, known[t.name()] = append(threads, t), true
			}
		}
		for _, t := range found.old {
			if !known[t.name()] && !s.absent.isGone(t.name()) && old < mostPast {
				threads, known[t.name()] = append(threads, t), true
				old++
			}
		}
	}
	for _, p := range channels {
		look(p)
	}
	next := 0
	lookIntoThreads := func() {
		for ; next < len(threads); next++ {
			look(threads[next])
		}
	}
	// What is new in a channel comes before what was added to old threads, as far as that
	// is read at once.
	soon := min(len(unheard), max(0, pastBurst-len(channels)))
	for i, p := range unheard {
		if i == soon {
			lookIntoThreads()
		}
		if s.cfg.Now().Sub(began) > longestLook {
			s.log.Warn("slack gives its history too slowly; what was missed in other channels comes when slack sends it again", "channels", len(unheard)-i)
			break
		}
		look(p)
	}
	lookIntoThreads()
	if s.absent.count() != lost {
		s.retain(ctx, me, all)
	}
	if n > 0 {
		s.log.Info("slack history read", "messages", n, "pasts", read)
	}
	if err := errors.Join(errs...); err != nil {
		s.absent.from(gap) // the next try is about all of it
		return err
	}
	return nil
}

// pasts are the channels and threads to read, those first in which something was said
// last.
func pasts(seen map[string]string, now time.Time) (channels, threads []past) {
	oldest := stamp(now.Add(-farBack))
	for name, ts := range seen {
		if !isTS(ts) {
			continue
		}
		p := past{since: max(stamp(timeOf(ts).Add(-margin)), oldest)}
		p.channel, p.thread, _ = strings.Cut(name, "/")
		if p.thread == "" {
			channels = append(channels, p)
		} else if ts > oldest {
			threads = append(threads, p)
		}
	}
	for _, list := range []*[]past{&channels, &threads} {
		slices.SortFunc(*list, func(a, b past) int {
			return cmp.Or(cmp.Compare(b.since, a.since), cmp.Compare(a.channel+a.thread, b.channel+b.thread))
		})
		*list = (*list)[:min(len(*list), mostPast)]
	}
	// Who writes to us alone waits for nobody else.
	slices.SortStableFunc(channels, func(a, b past) int { return cmp.Compare(rankOf(a.channel), rankOf(b.channel)) })
	return channels, threads
}

func rankOf(channel string) int {
	if strings.HasPrefix(channel, "D") {
		return 0
	}
	return 1
}

// A finding is what a look into a channel says of its threads: which were begun there
// since and are ours, and in which older ones something was said since, the newest first.
type finding struct{ ours, old []past }

// relive gives the Receiver what was said in one past, oldest first, and returns which
// threads are to be looked into, and how many messages there were.
func (s *Slack) relive(ctx context.Context, me self, p past, to bot.Receiver) (found finding, n int, err error) {
	all, old, err := s.pages(ctx, p, pastPages)
	if code := codeOf(err); slices.Contains(pastGone, code) {
		why := "slack channel is closed to us: it is not read after an absence before we are in it again"
		if p.thread != "" && code == "thread_not_found" {
			why = "slack thread is gone, since its first message was deleted: it is not asked for again"
		}
		s.absent.gone(p, code)
		s.log.Info(why, "channel", p.channel, "thread", p.thread, "code", code)
		return found, 0, nil
	}
	if err != nil {
		return found, 0, fmt.Errorf("history of %s: %w", p.channel, err)
	}
	for _, root := range old {
		found.old = append(found.old, past{p.channel, root.TS, p.since})
	}
	for _, old := range all {
		e := old.said
		e.Channel = p.channel
		m, err := s.heard(me, e)
		if err != nil || m == nil {
			continue // nobody has said anything
		}
		m.Missed, m.Raw = true, old.raw
		within, cancel := context.WithTimeout(ctx, s.times.ack)
		err = s.receive(within, *m, to)
		cancel()
		if err != nil {
			return found, n, fmt.Errorf("message %s: %w", m.Key, err)
		}
		n++
		thread := me.place(p.channel, e.TS, e.TS, m.Direct)
		if old.Replies > 0 && p.thread == "" && (m.Addressed || s.cfg.Spoken(ctx, thread)) {
			found.ours = append(found.ours, past{p.channel, e.TS, p.since})
		}
	}
	return found, n, nil
}

// An earlier is a message as Slack's history has it.
type earlier struct {
	said
	Replies int    `json:"reply_count"`
	Latest  string `json:"latest_reply"`
	raw     json.RawMessage
}

// pages reads what was said in a past, oldest first. Slack gives the newest pages of
// a channel first and the oldest of a thread, so of one that has more than n pages
// the oldest of a channel is missed, and the newest of a thread.
//
// What is said in a thread is not in its channel's history. So the last page of a channel
// goes on to what was said before, where the threads of before say when something was
// answered last: old are those with an answer since, the last answered first. A thread that
// was begun further back than that page reaches is not found.
func (s *Slack) pages(ctx context.Context, p past, n int) (all, old []earlier, err error) {
	r := reading{channel: p.channel, thread: p.thread, oldest: p.since, inclusive: true, size: pastSize}
	if p.thread == "" {
		r.oldest = stamp(timeOf(p.since).Add(-farBegun))
	}
	over := false
	for range n {
		if err := s.wait(ctx, s.absent.turn(r.method(), s.cfg.Now())); err != nil {
			return nil, nil, err
		}
		page, err := s.page(ctx, &r)
		if after, limited := retryAfter(err); limited {
			// Some apps get fifteen messages a minute and no more.
			r.size = limitedSize
			if err := s.wait(ctx, after); err != nil {
				return nil, nil, err
			}
			page, err = s.page(ctx, &r)
		}
		s.note(err)
		if err != nil {
			return nil, nil, err
		}
		for _, raw := range page {
			b := earlier{raw: raw}
			switch {
			case json.Unmarshal(raw, &b) != nil:
			case b.TS >= p.since:
				all = append(all, b)
			default:
				over = true
				if p.thread == "" && isTS(b.TS) && b.Latest >= p.since {
					old = append(old, b)
				}
			}
		}
		if over = over && p.thread == "" || r.cursor == ""; over {
			break
		}
	}
	if !over {
		s.log.Warn("slack history is longer than is read", "channel", p.channel, "thread", p.thread)
	}
	slices.SortStableFunc(all, func(a, b earlier) int { return cmp.Compare(a.TS, b.TS) })
	slices.SortStableFunc(old, func(a, b earlier) int { return cmp.Compare(b.Latest, a.Latest) })
	return all, old, nil
}

// A reading is what of a channel or a thread is still to be read.
type reading struct {
	channel, thread string
	oldest, latest  string // the bounds, which count themselves if it is inclusive
	inclusive       bool
	size            int // of a page
	cursor          string
}

// page makes one call, and moves the cursor on: it is empty after the last page.
func (s *Slack) page(ctx context.Context, r *reading) ([]json.RawMessage, error) {
	args := url.Values{"channel": {r.channel}, "limit": {strconv.Itoa(r.size)}, "inclusive": {strconv.FormatBool(r.inclusive)}}
	for key, v := range map[string]string{"oldest": r.oldest, "latest": r.latest, "cursor": r.cursor, "ts": r.thread} {
		if v != "" {
			args.Set(key, v)
		}
	}
	var out struct {
		Messages []json.RawMessage `json:"messages"`
		Meta     struct {
			Next string `json:"next_cursor"`
		} `json:"response_metadata"`
	}
	if err := s.ask(ctx, r.method(), args, &out); err != nil {
		return nil, err
	}
	r.cursor = out.Meta.Next
	return out.Messages, nil
}

func (r reading) method() string {
	if r.thread != "" {
		return "conversations.replies"
	}
	return "conversations.history"
}
