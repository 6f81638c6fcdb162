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

// mark is what a post carries: its Key and Rev, which part it is of how many, and how
// many files belong to it.
func mark(p bot.Post, part, parts, files int) slack.MsgOption {
	payload := map[string]any{"key": p.Key, "rev": p.Rev}
	if parts > 1 {
		payload["part"], payload["parts"] = part, parts
	}
	if files > 0 {
		payload["files"] = files
	}
	return slack.MsgOptionMetadata(slack.SlackMetadata{EventType: metaType, EventPayload: payload})
}

// Post implements bot.Poster.
func (s *Slack) Post(ctx context.Context, p bot.Post) (bot.Receipt, error) {
	s.pace.trying(p.Key, p.Attempt)
	defer s.changed(p)
	switch {
	case p.Gone:
		s.closeActs(ctx, p)
		return s.takeBack(ctx, p)
	case p.File != nil:
		return s.upload(ctx, p)
	case p.Only != "":
		return s.whisper(ctx, p)
	case p.Kind == bot.Progress && p.Plan != nil:
		return s.perform(ctx, p)
	}
	w, err := s.writer(ctx, p)
	if err != nil {
		return bot.Receipt{}, err
	}
	defer s.statuses.follow(ctx, s, p)
	r, err := w.write(ctx)
	if err != nil {
		return bot.Receipt{}, err
	}
	s.closeActs(ctx, p)
	return r, nil
}

// A writer brings one Post to one channel: all its pages, the first of which is
// the one that is pointed at, and its extras.
type writer struct {
	*Slack
	out     rendering
	look    look
	post    bot.Post
	channel string
	thread  string
	have    map[int]found // what is there already
	act     *act          // whose stream the first page seals; nil if there is none
}

func (s *Slack) writer(ctx context.Context, p bot.Post) (*writer, error) {
	w := &writer{Slack: s, post: p, look: usual, thread: p.Place.Thread}
	if p.Delivered != nil {
		w.channel = p.Delivered.Place.Channel
		w.have = map[int]found{0: {ts: p.Delivered.ID, thread: p.Delivered.Place.Thread}}
	} else {
		var err error
		if w.channel, err = s.room(ctx, p.Place.Channel); err != nil {
			return nil, err
		}
		if w.act = s.acts.toSeal(p, s.cfg.Now()); w.act != nil {
			w.act.mu.Lock()
			w.look.limit = w.act.room()
			w.act.mu.Unlock()
		}
	}
	w.look.plain = p.Kind == bot.Progress && s.acts.plain.Load()
	var err error
	w.out, err = render(p, w.look)
	return w, err
}

// write brings all of it. What it did before an error is not done again after it.
func (w *writer) write(ctx context.Context) (bot.Receipt, error) {
	if w.looksFirst() {
		have, _, err := w.parts(ctx, w.post, w.channel)
		if err != nil {
			return bot.Receipt{}, fmt.Errorf("parts of %s: %w", w.post.Key, err)
		}
		for n, f := range w.have {
			if _, ok := have[n]; !ok {
				have[n] = f
			}
		}
		w.have = have
		if first, said := have[0]; said && w.act != nil {
			w.act.become(w.post.Key, first.ts)
			w.act = nil
		}
	}
	r, err := w.all(ctx)
	if !w.look.plain && slices.Contains(blockCodes, codeOf(err)) {
		// Slack takes other blocks than its documents say. Words it takes always.
		w.log.Warn("slack refuses blocks; shown as plain text", "post", w.post.Key, "err", err)
		w.look = look{limit: partLimit, plain: true}
		if w.out, err = render(w.post, w.look); err != nil {
			return bot.Receipt{}, err
		}
		r, err = w.all(ctx)
		if err == nil && w.post.Kind == bot.Progress {
			w.acts.plain.Store(true)
		}
	}
	return r, err
}

// looksFirst reports whether some of the Post may be there from a try that was cut
// off, or from a Rev that had more parts.
func (w *writer) looksFirst() bool {
	p := w.post
	if p.Delivered != nil {
		return len(w.out.pages) > 1 || p.Kind == bot.Answer || p.Kind == bot.Report
	}
	return p.Attempt > 1 && (len(w.out.pages) > 1 || len(w.out.extras) > 0 || w.act != nil)
}

func (w *writer) all(ctx context.Context) (bot.Receipt, error) {
	p := w.post
	first, err := w.page(ctx, 0)
	if err != nil {
		return bot.Receipt{}, err
	}
	if w.thread == "" {
		w.thread = first.ts // what follows stands under it
	}
	for i := 1; i < len(w.out.pages); i++ {
		if _, err := w.page(ctx, i); err != nil {
			return bot.Receipt{}, fmt.Errorf("part %d of %d: %w", i+1, len(w.out.pages), err)
		}
	}
	for i, f := range w.have {
		if i >= len(w.out.pages) {
			if err := w.remove(ctx, w.channel, f.ts); err != nil {
				return bot.Receipt{}, fmt.Errorf("part %d of %s that is no more: %w", i+1, p.Key, err)
			}
		}
	}
	for _, x := range w.out.extras {
		if err := w.bring(ctx, x); err != nil {
			return bot.Receipt{}, fmt.Errorf("%s of %s: %w", x.name, p.Key, err)
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
	f, ok := w.have[i]
	if ok {
		gone, err := w.change(ctx, f.ts, w.options(i))
		if err != nil {
			return found{}, err
		}
		if !gone || w.post.Kind == bot.Progress {
			return f, nil
		}
	}
	if i == 0 && w.act != nil {
		sealed, err := w.seal(ctx)
		if err != nil {
			return found{}, err
		}
		if !sealed {
			w.act = nil
		}
		if sealed {
			f = found{ts: w.act.ts, thread: w.act.thread}
			w.keep(i, f)
			return f, nil
		}
	}
	f, err := w.send(ctx, w.options(i))
	if err == nil {
		w.keep(i, f)
	}
	if err != nil || w.thread == "" || f.thread != "" {
		return f, err
	}
	return f, w.astray(ctx, i, f)
}

func (w *writer) keep(i int, f found) {
	if w.have == nil {
		w.have = map[int]found{}
	}
	w.have[i] = f
}

func (w *writer) options(i int, more ...slack.Block) []slack.MsgOption {
	pg := w.out.pages[i]
	return []slack.MsgOption{
		slack.MsgOptionText(pg.text, false),
		slack.MsgOptionBlocks(append(pg.blocks[:len(pg.blocks):len(pg.blocks)], more...)...),
		mark(w.post, i, len(w.out.pages), len(w.out.extras)),
	}
}

// astray is for a page that Slack has put into the channel itself, as it does when
// the thread's parent was deleted. It says so there, and what follows stands under it.
func (w *writer) astray(ctx context.Context, i int, f found) error {
	w.log.Warn("slack thread is gone, posted in the channel", "post", w.post.Key, "thread", w.thread)
	w.thread = f.ts
	word := say(w.post.Lang, "The thread that this belongs to is gone, so it stands here.", "原来的消息串已被删除，所以发在这里。")
	note := slack.NewContextBlock("", slack.NewTextBlockObject(slack.PlainTextType, word, false, false))
	_, err := w.change(ctx, f.ts, w.options(i, note))
	return err
}

// send posts. What comes back without a ts was perhaps posted, whatever else it
// says.
func (w *writer) send(ctx context.Context, opts []slack.MsgOption) (found, error) {
	opts = append(opts, slack.MsgOptionDisableLinkUnfurl(), slack.MsgOptionDisableMediaUnfurl())
	if w.thread != "" {
		opts = append(opts, slack.MsgOptionTS(w.thread))
	}
	var f found
	defer w.statuses.posted(ctx, w.Slack, w.post.Place)
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
	return f, nil
}

// goneCodes are refusals of a change after which only a new post can say it;
// blockCodes are those of blocks.
var (
	goneCodes  = []string{"message_not_found", "cant_update_message", "edit_window_closed"}
	blockCodes = []string{"invalid_blocks", "invalid_blocks_format", "invalid_attachments", "msg_blocks_too_long"}
)

// update changes a message of ours, at once.
func (s *Slack) update(ctx context.Context, channel, ts string, opts []slack.MsgOption) error {
	_, got, _, err := s.api.UpdateMessageContext(ctx, channel, ts, opts...)
	if err == nil && got == "" {
		err = errors.New("slack changed it and gave no ts")
	}
	return err
}

// change changes a message when it is its turn, and reports whether there is none to
// change. It may be done again, so an outcome that nobody knows is no trouble.
func (w *writer) change(ctx context.Context, ts string, opts []slack.MsgOption) (gone bool, err error) {
	err = w.paced(ctx, "chat.update", w.channel, func() error { return w.update(ctx, w.channel, ts, opts) })
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
func (s *Slack) whisper(ctx context.Context, p bot.Post) (bot.Receipt, error) {
	r, err := render(p, usual)
	if err == nil && len(r.extras) > 0 {
		r, err = render(p, look{limit: partLimit, plain: true}) // nothing can be shown beside it
	}
	if err != nil {
		return bot.Receipt{}, err
	}
	if p.Delivered != nil {
		s.hook(ctx, p, &slack.WebhookMessage{
			Text: r.pages[0].text, Blocks: &slack.Blocks{BlockSet: r.pages[0].blocks}, ReplaceOriginal: true,
		})
		return bot.Receipt{Ref: *p.Delivered}, nil
	}
	if s.answerCommand(ctx, p, r.pages) {
		return bot.Receipt{Ref: bot.Ref{Place: p.Place, ID: p.Key}}, nil
	}
	channel, err := s.room(ctx, p.Place.Channel)
	if err != nil {
		return bot.Receipt{}, err
	}
	var first string
	for _, pg := range r.pages {
		opts := []slack.MsgOption{slack.MsgOptionText(pg.text, false), slack.MsgOptionBlocks(pg.blocks...)}
		if p.Place.Thread != "" {
			opts = append(opts, slack.MsgOptionTS(p.Place.Thread))
		}
		err := s.paced(ctx, "chat.postEphemeral", channel, func() error {
			ts, err := s.api.PostEphemeralContext(ctx, channel, bot.UserOf(p.Only), opts...)
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

// hook changes what one person sees, if they have pressed something in it.
func (s *Slack) hook(ctx context.Context, p bot.Post, m *slack.WebhookMessage) {
	url := s.hooks.of(p.Delivered.Place.Channel, p.Delivered.ID)
	if url == "" {
		return
	}
	if err := slack.PostWebhookCustomHTTPContext(ctx, url, s.out, m); err != nil {
		s.log.Warn("slack private post not changed", "post", p.Key, "err", scrub(err.Error(), url))
	}
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
