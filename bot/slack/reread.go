package slack

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hermes/bot"
)

const (
	rereadPages = 5 // of a thread; what is older than that is not what it is about
	rereadSize  = 200
)

// Reread implements bot.Rereader. Outside a thread it reads the channel itself.
func (s *Slack) Reread(ctx context.Context, p bot.Place, after, before string, n int) ([]bot.Quote, error) {
	me, known := s.me()
	if !known {
		return nil, errUnknownSelf
	}
	channel, err := s.room(ctx, p.Channel)
	if err != nil {
		return nil, err
	}
	r := reading{channel: channel, thread: p.Thread, oldest: tsOf(after), latest: tsOf(before), size: rereadSize}
	var all []said
	for range rereadPages {
		var page []json.RawMessage
		err := s.paced(ctx, r.method(), channel, func() (err error) {
			page, err = s.page(ctx, &r)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("thread of %s: %w", p, readTrouble(err))
		}
		for _, raw := range page {
			var e said
			if json.Unmarshal(raw, &e) == nil {
				all = append(all, e)
			}
		}
		if r.cursor == "" || p.Thread == "" && len(all) >= n {
			break
		}
	}
	slices.SortFunc(all, func(a, b said) int { return strings.Compare(a.TS, b.TS) })
	var out []bot.Quote
	for _, e := range all {
		if r.between(e.TS) && slices.Contains(spoken, e.Subtype) && !me.wrote(e) && e.speaker() != "" {
			out = append(out, *s.quote(me, channel, e))
		}
	}
	return out[max(0, len(out)-n):], nil
}

// between reports whether ts lies between the bounds: Slack gives the first message
// of a thread whatever they are.
func (r reading) between(ts string) bool {
	return isTS(ts) && ts > r.oldest && (r.latest == "" || ts < r.latest)
}

// tsOf is when a message was posted or something pressed, from its Key; empty if the
// Key does not tell.
func tsOf(key string) string {
	ts, _, _ := strings.Cut(key[strings.LastIndexByte(key, '/')+1:], "@")
	if !isTS(ts) {
		return ""
	}
	return ts
}
