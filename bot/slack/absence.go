package slack

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"
	"golang.org/x/time/rate"
)

// Bounds of the look into channels of which nothing tells whether anything was said:
// at the pace of the history so many take a minute. Where Slack gives little it is cut
// short, since Slack itself sends for so long what a dead socket had taken.
const (
	mostUnheard = 50
	longestLook = 6 * time.Minute
)

// An absence is the time in which something may have been missed that nobody has
// looked for yet.
type absence struct {
	news chan struct{}

	mu    sync.Mutex
	since time.Time       // zero if nobody knows, and then there was nothing heard before it
	lost  map[string]bool // channels, and threads as channel/thread, in which nothing is to be read any more
	known bool            // lost has what was kept by the process before
	next  int             // which of the other channels is the next to look into
	calls map[string]*rate.Limiter
}

// turn is how long the next call of a method that reads waits.
func (a *absence) turn(method string, now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.calls == nil {
		a.calls = map[string]*rate.Limiter{}
	}
	if a.calls[method] == nil {
		a.calls[method] = rate.NewLimiter(rate.Every(pastStep), pastBurst)
	}
	return a.calls[method].ReserveN(now, 1).DelayFrom(now)
}

// from notes when an absence began.
func (a *absence) from(t time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.since.IsZero() || !t.IsZero() && t.Before(a.since) {
		a.since = t
	}
}

// take returns when the absence began, and forgets it.
func (a *absence) take() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.since
	a.since = time.Time{}
	return t
}

// closed are the refusals that stay until something changes in the channel.
var closed = []string{"thread_not_found", "channel_not_found", "not_in_channel", "is_archived"}

// gone notes why a past cannot be read.
func (a *absence) gone(p past, code string) {
	if !slices.Contains(closed, code) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.lost == nil || len(a.lost) >= mostGone {
		a.lost = map[string]bool{}
	}
	a.lost[p.name()] = true
}

// lostThreads is under which name it is kept which threads are gone. They stay so, while a
// channel may have been opened by the time that the program is back.
const lostThreads = "slack/lost threads"

// recollect takes up once which threads were gone before this process. Without it they are
// asked for once more.
func (s *Slack) recollect(ctx context.Context, me self) {
	s.absent.mu.Lock()
	known := s.absent.known
	s.absent.mu.Unlock()
	if s.cfg.Keeper == nil || known {
		return
	}
	kept, _, err := s.cfg.Keeper.Get(ctx, platform+":"+me.team, lostThreads)
	var names []string
	if err == nil && kept != "" {
		err = json.Unmarshal([]byte(kept), &names)
	}
	if err != nil {
		s.log.Warn("which slack threads are gone is not known", "err", err)
		return
	}
	s.absent.mu.Lock()
	defer s.absent.mu.Unlock()
	s.absent.known = true
	if s.absent.lost == nil {
		s.absent.lost = map[string]bool{}
	}
	for _, name := range names {
		s.absent.lost[name] = true
	}
}

// retain keeps which threads are gone, of those that would be asked for.
func (s *Slack) retain(ctx context.Context, me self, seen map[string]string) {
	var names []string
	for name := range seen {
		if strings.Contains(name, "/") && s.absent.isGone(name) {
			names = append(names, name)
		}
	}
	if s.cfg.Keeper == nil || len(names) == 0 {
		return
	}
	slices.Sort(names)
	kept, err := json.Marshal(names)
	if err == nil {
		err = s.cfg.Keeper.Set(ctx, platform+":"+me.team, lostThreads, string(kept))
	}
	if err != nil {
		s.log.Warn("which slack threads are gone is not kept", "err", err)
	}
}

// mostGone bounds what is remembered; what is forgotten is asked for once more.
const mostGone = 4096

func (p past) name() string {
	if p.thread == "" {
		return p.channel
	}
	return p.channel + "/" + p.thread
}

func (a *absence) isGone(name string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lost[name]
}

func (a *absence) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.lost)
}

// opens forgets that a channel could not be read.
func (a *absence) opens(channel string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.lost, channel)
}

// mayHaveMissed has read, some time, what was said since then.
func (s *Slack) mayHaveMissed(since time.Time) {
	s.absent.from(since)
	signal(s.absent.news)
}

// heardLast is when something was heard before this Run: since then nobody may have
// listened. If nothing ever was it is now, since the first socket may break before it
// says hello. It is asked before anybody is heard, as afterwards the answer is now, too.
func (s *Slack) heardLast(ctx context.Context) time.Time {
	if s.cfg.Seen == nil {
		return time.Time{}
	}
	me, _ := s.me()
	seen, err := s.cfg.Seen(ctx, me.team)
	if err != nil {
		s.log.Warn("slack was heard nobody knows when", "err", err)
		return s.cfg.Now().Add(-farBack)
	}
	last := stamp(s.cfg.Now())
	if len(seen) > 0 {
		last = ""
	}
	for _, ts := range seen {
		if isTS(ts) {
			last = max(last, ts)
		}
	}
	return timeOf(last)
}

// unheard are the channels that we are in beside those that are read anyway, most of
// them never heard: to be read since the absence began, as there is nothing else to go on
// from, and Slack sends what a dead socket had taken a minute later. Slack does not say
// which of them are busy, so if there are too many the next absence begins with those
// that this one leaves out.
func (s *Slack) unheard(ctx context.Context, read []past, gap time.Time) ([]past, error) {
	if gap.IsZero() {
		return nil, nil
	}
	now := s.cfg.Now()
	since := stamp(gap.Add(-margin))
	if oldest := now.Add(-farBack); gap.Before(oldest) {
		since = stamp(oldest)
	}
	all, err := s.membership(ctx)
	if code := codeOf(err); slices.Contains(pastGone, code) {
		s.log.Info("slack channels not to be listed", "why", code)
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("channels never heard: %w", err)
	}
	all = slices.DeleteFunc(all, func(id string) bool {
		return slices.ContainsFunc(read, func(p past) bool { return p.channel == id })
	})
	slices.Sort(all)
	if len(all) > mostUnheard {
		s.log.Warn("slack channels are more than are read after an absence; what was missed in the others comes when slack sends it again", "channels", len(all), "read", mostUnheard)
		s.absent.mu.Lock()
		n := s.absent.next % len(all)
		s.absent.next = n + mostUnheard
		s.absent.mu.Unlock()
		all = slices.Concat(all[n:], all[:n])[:mostUnheard]
	}
	var out []past
	for _, id := range all {
		out = append(out, past{channel: id, since: since})
	}
	return out, nil
}

// membership lists the conversations that we are in.
func (s *Slack) membership(ctx context.Context) ([]string, error) {
	var ids []string
	cursor := ""
	for range pages {
		var next string
		err := s.paced(ctx, "users.conversations", "", func() error {
			all, more, err := s.api.GetConversationsForUserContext(ctx, &slack.GetConversationsForUserParameters{
				Types: []string{"public_channel", "private_channel", "mpim", "im"}, ExcludeArchived: true, Limit: 1000, Cursor: cursor,
			})
			for _, c := range all {
				ids = append(ids, c.ID)
			}
			next = more
			return err
		})
		if err != nil {
			return nil, err
		}
		if next == "" {
			break
		}
		cursor = next
	}
	return ids, nil
}
