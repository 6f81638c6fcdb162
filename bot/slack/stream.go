package slack

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slack-go/slack"
	"golang.org/x/time/rate"

	"hermes/bot"
)

// thisOnce are refusals of a stream that are about this one; after any other there
// are none in this workspace.
var thisOnce = []string{
	"missing_recipient_team_id", "missing_recipient_user_id", "user_not_found", "team_not_found", "invalid_thread_ts",
	"thread_not_found", "message_not_found", "channel_not_found", "not_in_channel", "is_archived", "invalid_chunks",
	"invalid_blocks", "msg_too_long", "no_text",
}

// errNoTS is of a call that Slack has perhaps done: it says neither yes nor no.
var errNoTS = errors.New("slack gave no ts")

// streams reports whether a Progress may be a stream: a stream has no button, so only
// where Slack shows a Stop of its own.
func (s *Slack) streams(ctx context.Context, p bot.Post) bool {
	if p.Place.Thread == "" || p.Plan.Over || !s.direct(p.Place.Channel) && p.By == "" {
		return false
	}
	s.acts.mu.Lock()
	none := s.acts.none
	s.acts.mu.Unlock()
	return !none && s.statuses.hasStop(ctx, p.Place)
}

func (*Slack) direct(channel string) bool { return strings.HasPrefix(channel, "D") }

// start begins a stream, and reports false if it must be a message after all.
func (s *Slack) start(ctx context.Context, a *act) (bool, error) {
	p := a.post
	s.acts.mu.Lock()
	if s.acts.begins == nil {
		s.acts.begins = rate.NewLimiter(rate.Every(startEvery), startBurst)
	}
	may := s.acts.begins.AllowN(s.cfg.Now(), 1)
	s.acts.mu.Unlock()
	if !may {
		return false, nil
	}
	channel, err := s.room(ctx, p.Place.Channel)
	if err != nil {
		return false, err
	}
	chunks, size := planChunks(*p.Plan, a.shown)
	opts := []slack.MsgOption{
		slack.MsgOptionTS(p.Place.Thread), slack.MsgOptionChunks(chunks...),
		slack.MsgOptionTaskDisplayMode(slack.TaskDisplayModePlan),
	}
	if !s.direct(channel) {
		opts = append(opts, slack.MsgOptionRecipientUserID(bot.UserOf(p.By)), slack.MsgOptionRecipientTeamID(p.Place.Workspace))
	}
	ts := ""
	done, err := s.soon("chat.startStream", "", func() (err error) {
		_, ts, err = s.api.StartStreamContext(ctx, channel, opts...)
		return err
	})
	if err == nil && done && ts == "" {
		err = errNoTS
	}
	switch trouble := troubleOf(err); {
	case !done:
		return false, nil
	case errors.Is(trouble, bot.ErrUnknown):
		return false, fmt.Errorf("start a stream for %s: %w", p.Key, trouble)
	case trouble != nil:
		if code := codeOf(err); code != "" && !slices.Contains(thisOnce, code) && !locked(err) {
			s.acts.mu.Lock()
			s.acts.none = true
			s.acts.mu.Unlock()
		}
		s.log.Info("slack takes no stream; it is a message", "post", p.Key, "err", err)
		return false, nil
	}
	a.channel, a.ts, a.thread = channel, ts, p.Place.Thread
	a.open, a.used, a.pending = true, size, false
	shows(chunks, a.shown)
	a.said = s.cfg.Now()
	return true, nil
}

// stream appends what is pending, and reports false if the act is no stream any more.
func (s *Slack) stream(ctx context.Context, a *act) bool {
	chunks, size := planChunks(*a.post.Plan, a.shown)
	more := a.more(streamLimit - leastRoom - a.used - size)
	if more != "" {
		chunks = append(chunks, slack.NewMarkdownTextChunk(more))
		size += utf8.RuneCountInString(more)
	}
	if len(chunks) == 0 {
		a.pending = false
		return true
	}
	if a.used+size > streamLimit {
		s.roll(ctx, a)
		return a.open
	}
	done, err := s.soon("chat.appendStream", a.channel, func() error {
		_, _, err := s.api.AppendStreamContext(ctx, a.channel, a.ts, slack.MsgOptionChunks(chunks...))
		return err
	})
	if !done {
		return true
	}
	a.said = s.cfg.Now()
	switch trouble := troubleOf(err); {
	case trouble == nil:
		shows(chunks, a.shown)
		a.used += size
		a.tells(more)
		a.pending = false
	case errors.Is(trouble, bot.ErrRefused):
		s.log.Info("slack has ended a stream", "post", a.key, "err", err)
		s.roll(ctx, a)
		a.open = false
	default:
		// Nobody knows whether it is there. A task is known by its id, so saying it
		// again is no repetition; words would be.
		a.used += size
		a.unsure = a.unsure || more != ""
	}
	return a.open
}

// roll ends a stream that goes on as a message. a.mu is held.
func (s *Slack) roll(ctx context.Context, a *act) {
	last := s.lastState(a)
	stop := func(more ...slack.MsgOption) (bool, error) {
		return s.soon("chat.stopStream", "", func() error {
			_, _, err := s.api.StopStreamContext(ctx, a.channel, a.ts, slices.Concat(more, last, []slack.MsgOption{mark(a.post, 0, 1, 0)})...)
			return err
		})
	}
	var rest []slack.MsgOption
	if a.pending && a.shown != nil {
		if chunks, _ := planChunks(*a.post.Plan, a.shown); len(chunks) > 0 {
			rest = append(rest, slack.MsgOptionChunks(chunks...))
		}
	}
	done, err := stop(rest...)
	if len(rest) > 0 && errors.Is(troubleOf(err), bot.ErrRefused) {
		done, err = stop() // perhaps it was too much
		rest = nil
	}
	if !done || errors.Is(troubleOf(err), bot.ErrBusy) {
		return // tend tries again
	}
	if err != nil {
		s.log.Info("slack stream not ended", "post", a.key, "err", err)
	}
	a.open = false
	a.changed = s.cfg.Now()
	// As a message it has a Stop of ours, all that the stream could not take, and
	// nothing of an answer that another post has.
	a.pending = a.over.IsZero() || err != nil || a.pending && rest == nil || a.told != "" || a.unsure
}

// lastState is what the end of a stream says of its session: where the message with which
// the thread begins was deleted, Slack takes no state by any other way.
func (s *Slack) lastState(a *act) []slack.MsgOption {
	if !a.post.Plan.Over || !s.statuses.rests(a.post.Place) {
		return nil
	}
	return []slack.MsgOption{slack.UnsafeMsgOptionEndpoint(s.cfg.APIURL+"chat.stopStream", func(v url.Values) { v.Set("session_status", stateIdle) })}
}

// seal ends a stream with the first page of the answer: the stream is the answer, and
// nothing of it is said twice. It reports false if an ordinary post must say it.
func (w *writer) seal(ctx context.Context) (bool, error) {
	a, pg := w.act, w.out.pages[0]
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.open || a.dead {
		return false, nil
	}
	if a.unsure || !strings.HasPrefix(pg.lead, a.told) {
		return w.replace(ctx)
	}
	var chunks []slack.StreamChunk
	if a.pending {
		chunks, _ = planChunks(*a.post.Plan, a.shown)
	}
	blocks := pg.blocks
	rest := pg.lead[len(a.told):]
	if pg.lead != "" {
		blocks = blocks[1:]
	}
	if rest != "" {
		chunks = append(chunks, slack.NewMarkdownTextChunk(rest))
	}
	opts := []slack.MsgOption{mark(w.post, 0, len(w.out.pages), len(w.out.extras))}
	if len(chunks) > 0 {
		opts = append(opts, slack.MsgOptionChunks(chunks...))
	}
	if len(blocks) > 0 {
		opts = append(opts, slack.MsgOptionBlocks(blocks...))
	}
	// Until it is certain that it has not, the stream may have become the answer, and
	// nobody changes it.
	a.sealed = w.post.Key
	ts := ""
	done, err := w.soon("chat.stopStream", "", func() (err error) {
		_, ts, err = w.api.StopStreamContext(ctx, a.channel, a.ts, opts...)
		return err
	})
	if done && err == nil && ts == "" {
		err = errNoTS
	}
	switch trouble := troubleOf(err); {
	case !done || errors.Is(trouble, bot.ErrBusy):
		// An answer does not wait. The stream stays what it is, and ends later.
		a.sealed = ""
		return false, w.again()
	case err == nil:
		a.open, a.pending = false, false
		a.used += utf8.RuneCountInString(rest)
		return true, nil
	case errors.Is(trouble, bot.ErrRefused):
		w.log.Info("slack does not end a stream with its answer; it is posted", "post", w.post.Key, "err", err)
		a.open, a.pending, a.sealed = false, false, ""
		a.dead = codeOf(err) != "stopped_by_user"
		return false, w.again()
	default:
		return false, fmt.Errorf("end the stream of %s: %w", w.post.Key, trouble)
	}
}

// again renders for an ordinary post what was to go into the room of a stream.
func (w *writer) again() (err error) {
	w.look.limit = partLimit
	w.out, err = render(w.post, w.look)
	return err
}

// bury takes away a stream whose answer an ordinary post has. a.mu is held.
func (s *Slack) bury(ctx context.Context, a *act) {
	// Slack may hold it for open, and then it cannot be deleted. What it says to
	// this is of no matter.
	_, _, _ = s.api.StopStreamContext(ctx, a.channel, a.ts)
	if err := s.remove(ctx, a.channel, a.ts); err != nil {
		s.log.Warn("slack stream without an answer not removed", "post", a.key, "err", err)
		return
	}
	a.dead, a.ts = false, ""
}
