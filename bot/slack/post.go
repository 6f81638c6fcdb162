package slack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// metaType marks our posts in Slack's own memory: each carries its Key, by which it
// can be found again when nobody knows whether it arrived.
const metaType = "hermes_post"

// mark is what a post carries: its Key and Rev, and which part it is of how many.
func mark(p bot.Post, part, parts int) slack.MsgOption {
	payload := map[string]any{"key": p.Key, "rev": p.Rev}
	if parts > 1 {
		payload["part"], payload["parts"] = part, parts
	}
	return slack.MsgOptionMetadata(slack.SlackMetadata{EventType: metaType, EventPayload: payload})
}

// Post implements bot.Poster.
func (s *Slack) Post(ctx context.Context, p bot.Post) (bot.Receipt, error) {
	s.pace.trying(p.Key, p.Attempt)
	if p.File != nil {
		return s.upload(ctx, p)
	}
	pages, err := render(p)
	if err != nil {
		return bot.Receipt{}, err
	}
	if p.Only != "" {
		return s.whisper(ctx, p, pages)
	}
	if len(pages) > mostParts {
		pages = abridged(p, pages)
	}
	channel, err := s.room(ctx, p.Place.Channel)
	if err != nil {
		return bot.Receipt{}, err
	}
	w := writer{Slack: s, post: p, pages: pages, channel: channel, thread: p.Place.Thread}
	if p.Delivered != nil {
		w.channel = p.Delivered.Place.Channel
		w.have = map[int]found{0: {ts: p.Delivered.ID, thread: p.Delivered.Place.Thread}}
	}
	return w.write(ctx)
}

// abridged is a post that is too long for messages: its first part, and a word
// that the whole is in a file, which the writer brings after it.
func abridged(p bot.Post, pages []page) []page {
	word := "_The whole text is in the file below._"
	if p.Lang == "zh" {
		word = "_全文见下方文件。_"
	}
	first, last := pages[0], pages[len(pages)-1]
	first.blocks = append(slices.Clone(first.blocks), slack.NewMarkdownBlock("", word))
	for _, b := range last.blocks {
		if b.BlockType() != slack.MBTMarkdown {
			first.blocks = append(first.blocks, b)
		}
	}
	return []page{first}
}

// A writer brings one Post to one channel: all its pages, the first of which is
// the one that is pointed at.
type writer struct {
	*Slack
	post    bot.Post
	pages   []page
	channel string
	thread  string
	have    map[int]found // what is there already
}

func (w *writer) write(ctx context.Context) (bot.Receipt, error) {
	p := w.post
	long := len(w.pages) > 1
	if long && (p.Attempt > 1 || p.Delivered != nil) {
		// Some of the parts may be there from a try that was cut off.
		have, err := w.parts(ctx, p, w.channel)
		if err != nil {
			return bot.Receipt{}, fmt.Errorf("parts of %s: %w", p.Key, err)
		}
		for n, f := range w.have {
			if _, ok := have[n]; !ok {
				have[n] = f
			}
		}
		w.have = have
	}
	first, err := w.page(ctx, 0)
	if err != nil {
		return bot.Receipt{}, err
	}
	if w.thread == "" {
		w.thread = first.ts // what follows stands under it
	}
	for i := 1; i < len(w.pages); i++ {
		if _, err := w.page(ctx, i); err != nil {
			return bot.Receipt{}, fmt.Errorf("part %d of %d: %w", i+1, len(w.pages), err)
		}
	}
	if !long && len(split(p.Text, partLimit)) > mostParts {
		if err := w.whole(ctx); err != nil {
			return bot.Receipt{}, fmt.Errorf("whole text as a file: %w", err)
		}
	}
	ref := bot.Ref{
		Place: bot.Place{Platform: platform, Workspace: p.Place.Workspace, Channel: w.channel, Thread: first.thread},
		ID:    first.ts,
	}
	return bot.Receipt{Ref: ref, Link: w.linkOf(ctx, p, ref)}, nil
}

// page brings one page: it changes what is there, or posts it.
func (w *writer) page(ctx context.Context, i int) (found, error) {
	pg := w.pages[i]
	opts := []slack.MsgOption{
		slack.MsgOptionText(pg.text, false),
		slack.MsgOptionBlocks(pg.blocks...),
		mark(w.post, i, len(w.pages)),
	}
	if f, ok := w.have[i]; ok {
		gone, err := w.change(ctx, f.ts, opts)
		if err != nil {
			return found{}, err
		}
		if !gone || w.post.Kind == bot.Progress {
			return f, nil
		}
	}
	return w.send(ctx, opts)
}

// send posts. What comes back without a ts was perhaps posted, whatever else it
// says.
func (w *writer) send(ctx context.Context, opts []slack.MsgOption) (found, error) {
	opts = append(opts, slack.MsgOptionDisableLinkUnfurl(), slack.MsgOptionDisableMediaUnfurl())
	if w.thread != "" {
		opts = append(opts, slack.MsgOptionTS(w.thread))
	}
	var f found
	err := w.paced(ctx, "chat.postMessage", w.channel, func() error {
		channel, ts, m, err := w.api.PostMessageWithResponseContext(ctx, w.channel, opts...)
		if err != nil {
			return err
		}
		f = found{ts: ts, thread: m.ThreadTimestamp}
		if channel != "" {
			w.channel = channel
		}
		return nil
	})
	switch {
	case err != nil:
		return f, fmt.Errorf("post %s: %w", w.post.Key, busyOr(err))
	case f.ts == "":
		return f, fmt.Errorf("%w: slack took %s and gave it no ts", bot.ErrUnknown, w.post.Key)
	}
	if w.thread != "" && f.thread == "" {
		// Slack posts in the channel itself if the thread's parent was deleted.
		w.log.Warn("slack thread is gone, posted in the channel", "post", w.post.Key, "thread", w.thread)
	}
	return f, nil
}

// goneCodes are refusals of a change after which only a new post can say it.
var goneCodes = []string{"message_not_found", "cant_update_message", "edit_window_closed"}

// change changes a message of ours, and reports whether there is none to change.
// It may be done again, so an outcome that nobody knows is no trouble.
func (w *writer) change(ctx context.Context, ts string, opts []slack.MsgOption) (gone bool, err error) {
	err = w.paced(ctx, "chat.update", w.channel, func() error {
		_, got, _, err := w.api.UpdateMessageContext(ctx, w.channel, ts, opts...)
		if err == nil && got == "" {
			err = errors.New("slack changed it and gave no ts")
		}
		return err
	})
	if slices.Contains(goneCodes, codeOf(err)) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("change %s: %w", w.post.Key, readTrouble(err))
	}
	return false, nil
}

// busyOr is a trouble of paced, which has some of bot's own already.
func busyOr(err error) error {
	if errors.Is(err, bot.ErrBusy) {
		return err
	}
	return troubleOf(err)
}

// whisper shows a Post to one person. Slack keeps no such message: it can be
// changed by the address that came with a press on it, and if there is none it
// stays as it is.
func (s *Slack) whisper(ctx context.Context, p bot.Post, pages []page) (bot.Receipt, error) {
	if p.Delivered != nil {
		if url := s.hooks.of(p.Delivered.Place.Channel, p.Delivered.ID); url != "" {
			err := slack.PostWebhookCustomHTTPContext(ctx, url, s.http, &slack.WebhookMessage{
				Text: pages[0].text, Blocks: &slack.Blocks{BlockSet: pages[0].blocks}, ReplaceOriginal: true,
			})
			if err != nil {
				s.log.Warn("slack private post not changed", "post", p.Key, "err", scrub(err.Error(), url))
			}
		}
		return bot.Receipt{Ref: *p.Delivered}, nil
	}
	var first string
	for _, pg := range pages {
		opts := []slack.MsgOption{slack.MsgOptionText(pg.text, false), slack.MsgOptionBlocks(pg.blocks...)}
		if p.Place.Thread != "" {
			opts = append(opts, slack.MsgOptionTS(p.Place.Thread))
		}
		err := s.paced(ctx, "chat.postEphemeral", p.Place.Channel, func() error {
			ts, err := s.api.PostEphemeralContext(ctx, p.Place.Channel, bot.UserOf(p.Only), opts...)
			if first == "" {
				first = ts
			}
			return err
		})
		if err != nil {
			return bot.Receipt{}, fmt.Errorf("post %s: %w", p.Key, busyOr(err))
		}
	}
	return bot.Receipt{Ref: bot.Ref{Place: p.Place, ID: first}}, nil
}

// room is the channel of a place. A user's id stands for the conversation with
// that user.
func (s *Slack) room(ctx context.Context, channel string) (string, error) {
	if !strings.HasPrefix(channel, "U") && !strings.HasPrefix(channel, "W") {
		return channel, nil
	}
	if id := s.rooms.dm(channel); id != "" {
		return id, nil
	}
	c, _, _, err := s.api.OpenConversationContext(ctx, &slack.OpenConversationParameters{Users: []string{channel}})
	s.note(err)
	if err != nil {
		return "", fmt.Errorf("open a conversation with %s: %w", channel, readTrouble(err))
	}
	s.rooms.keepDM(channel, c.ID)
	return c.ID, nil
}

// linkOf is where people see a post. For what is pointed at from elsewhere Slack is
// asked; failing that, and for all else, we know how its links look.
func (s *Slack) linkOf(ctx context.Context, p bot.Post, ref bot.Ref) string {
	if p.Run != "" || p.Kind == bot.Report {
		link, err := s.api.GetPermalinkContext(ctx, &slack.PermalinkParameters{Channel: ref.Place.Channel, Ts: ref.ID})
		if err == nil && link != "" {
			return link
		}
	}
	me, _ := s.me()
	return me.link(ref.Place.Channel, ref.ID, ref.Place.Thread)
}

// link is the address of a message.
func (me self) link(channel, ts, thread string) string {
	if me.url == "" {
		return ""
	}
	l := strings.TrimSuffix(me.url, "/") + "/archives/" + channel + "/p" + strings.ReplaceAll(ts, ".", "")
	if thread != "" && thread != ts {
		l += "?thread_ts=" + thread + "&cid=" + channel
	}
	return l
}
