package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/run"
	"hermes/internal/redact"
)

// deliver brings one Post to its end: it is said, its Receipt is noted, and who
// waits for the Receipt is told. Each is done again if the next was cut off.
func (b *Bot) deliver(ctx context.Context, p Post) {
	err := b.deliverOnce(ctx, p)
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrLost) {
		b.Log.Warn("post left for another try", "post", p.Key, "place", p.Place, "attempt", p.Attempt, "err", err)
		reason := err.Error()
		if errors.Is(err, ErrShut) {
			reason = shutOut + reason
		}
		if err := b.Outbox.Retry(ctx, p, reason, b.Now().Add(patience(err, p.Attempt))); err != nil && ctx.Err() == nil {
			b.Log.Warn("retry of post not noted", "post", p.Key, "err", err)
		}
	}
}

// shutOut begins the reason of what waits until its workspace lets the bot in.
const shutOut = "shut out: "

// Reopened implements Reopener: a post that waits for the workspace, and with it all
// that stands behind it in its place, goes at once.
func (b *Bot) Reopened(ctx context.Context, workspace Place) error {
	return b.Outbox.Wake(ctx, workspace, shutOut)
}

// patience is how long a post waits after that many attempts: 1, 4, 16, 64 s, since a
// platform may be away for a minute, and then minutes, since it may be away for an hour
// and what it is to be told keeps: over two hours in all. One that may have arrived is
// looked for sooner. Where a person must first let the bot in again it is 1, 2, 5 and then
// 10 minutes, 168 minutes in all, if the platform does not say before that it does: see
// Reopened.
func patience(cause error, attempt int) time.Duration {
	switch {
	case errors.Is(cause, ErrShut):
		minutes := []time.Duration{1, 2, 5, 10}
		return minutes[min(max(attempt, 1), len(minutes))-1] * time.Minute
	case errors.Is(cause, errNotSeen):
		return time.Second // a whole place waits for it, after a restart the thread that wants to know
	case attempt >= 2*tries:
		return 10 * time.Minute
	case attempt >= tries:
		return 5 * time.Minute
	case errors.Is(cause, ErrUnknown):
		return pause(attempt)
	}
	return time.Second << min(2*max(attempt-1, 0), 6)
}

// lostCause reports whether to give up a post after err on that attempt. A platform that
// is away says nothing against what it is to be told, which is waited with as long as a
// post is lent out at all: a report that is due is nobody's to ask for again. What is
// under way is of no use by then.
func lostCause(p Post, err error) bool {
	away := errors.Is(err, ErrBusy) || errors.Is(err, ErrUnknown) || errors.Is(err, ErrShut)
	if away && p.Kind != Progress && troubleOf(err) != run.Refused {
		return p.Attempt >= lends
	}
	return hopeless(err, p.Attempt)
}

// pause is how long an item waits after that many attempts: 1, 2, 4, 8 s. Somebody
// is waiting for its answer.
func pause(attempt int) time.Duration {
	return time.Second << min(max(attempt-1, 0), 6)
}

func (b *Bot) deliverOnce(ctx context.Context, p Post) error {
	if p.Receipt == nil {
		r, err := b.say(ctx, p)
		if err != nil {
			return fmt.Errorf("deliver %s: %w", p.Key, err)
		}
		if err := b.Outbox.Note(ctx, p, r); err != nil {
			if errors.Is(err, ErrLost) {
				b.retract(ctx, p, r)
			}
			return fmt.Errorf("receipt of %s: %w", p.Key, err)
		}
		p.Receipt = &r
		b.landed(p)
	}
	if err := b.tell(ctx, p); err != nil {
		return err
	}
	return b.Outbox.Done(ctx, p)
}

// retract takes back what was said of a Post that was another's by then: that one has
// said it too.
func (b *Bot) retract(ctx context.Context, p Post, r Receipt) {
	chat, ok := b.Chats[p.Place.Platform].(Retractor)
	if !ok || p.Delivered != nil || p.Gone || r.Failed != "" {
		return
	}
	err := chat.Retract(ctx, p, r)
	b.Log.Warn("post was lost to another after it was said; a second copy is taken back", "post", p.Key, "place", p.Place, "err", err)
}

// say hands a Post to its platform. Cut off between the platform's yes and the
// Note, it might say it twice: this is the one step that our own disk cannot make
// safe. So a new Post that has been tried before is first looked for.
func (b *Bot) say(ctx context.Context, p Post) (Receipt, error) {
	chat, ok := b.Chats[p.Place.Platform]
	if !ok {
		return Receipt{Failed: "there is no platform " + p.Place.Platform}, nil
	}
	w := words(p.Lang)
	if p.Altered {
		return Receipt{Failed: w.undeliveredFor(p, ErrAltered)}, nil
	}
	full, files, err := b.fill(ctx, p)
	if err == nil && p.Attempt > lends {
		err = errTooOften
	}
	var r Receipt
	if err == nil {
		r, err = b.hand(ctx, chat, full)
	}
	if err == nil {
		return r, b.attach(ctx, full, files, r)
	}
	if ctx.Err() == nil && lostCause(p, err) {
		if errors.Is(err, ErrAltered) {
			if err := b.altered(ctx, p); err != nil {
				return r, err
			}
		}
		b.Log.Error("post failed", "post", p.Key, "place", p.Place, "attempt", p.Attempt, "err", err)
		return Receipt{Failed: w.undeliveredFor(p, err)}, nil
	}
	return r, err
}

// errNotSeen is returned for what was looked for once and is not there.
var errNotSeen = fmt.Errorf("%w: not seen yet, looking once more", ErrUnknown)

// hand posts what is new and changes what is not. What may already be there is
// looked for twice, as a platform shows a post to its readers a little later than
// it accepts it.
func (b *Bot) hand(ctx context.Context, chat Poster, p Post) (Receipt, error) {
	p = redact.Deep(b.Redact, p)
	finder, ok := chat.(Finder)
	if !ok || p.Attempt == 1 || p.Delivered != nil || p.Only != "" || p.Gone {
		return chat.Post(ctx, p)
	}
	r, found, err := finder.Find(ctx, p)
	switch {
	case err != nil:
		return r, fmt.Errorf("%w: look for it: %w", ErrUnknown, err)
	case found:
		return r, nil
	case p.Attempt == 2:
		return r, errNotSeen
	}
	return chat.Post(ctx, p)
}

// ErrAltered is returned for an artifact that is not what was made, or not what was
// approved: somebody has changed it in the database since.
var ErrAltered = fmt.Errorf("%w: the artifact is not the one that was made and approved", ErrRefused)

// altered tells the operator and the audit of a Post that is not said for that.
func (b *Bot) altered(ctx context.Context, p Post) error {
	b.Log.Error("a post is not said, as what it shows was changed in the database since", "post", p.Key, "place", p.Place,
		"hint", "somebody has changed the table artifacts: look at `hermes audit verify`, and at who can write to the database")
	if b.Audit == nil {
		return nil
	}
	return b.keepRefusal(ctx, Refusal{Key: p.Key, Try: "not-as-made", About: p.Key, Place: p.Place})
}

// fill puts the words of its artifact into a Post, and returns the files that go
// with them.
func (b *Bot) fill(ctx context.Context, p Post) (Post, []File, error) {
	if p.File != nil && p.File.ID != "" && !p.Gone {
		if shown, err := b.Shelf.Report(ctx, p.File.ID); err == nil && shown.Altered {
			return p, nil, ErrAltered
		}
	}
	if p.Artifact == "" || p.Gone {
		return p, p.Files, nil
	}
	shown, err := b.Shelf.Report(ctx, p.Artifact)
	if err != nil {
		return p, nil, fmt.Errorf("artifact %s: %w", p.Artifact, err)
	}
	if shown.Altered || p.Hash != "" && p.Hash != shown.Hash {
		return p, nil, ErrAltered
	}
	p.Text, p.Below = p.Whole(shown.Text), ""
	return p, slices.Concat(shown.Files, p.Files), nil
}

// attach puts the files of a Post's artifact into the outbox, each a post of its
// own, so that one that fails takes nothing else with it.
func (b *Bot) attach(ctx context.Context, p Post, files []File, r Receipt) error {
	switch {
	case r.Failed != "":
		return nil
	case p.Rev >= hushed:
		return b.takeFiles(ctx, p.Key) // some may have come after the last word was put there
	case p.Delivered != nil:
		return nil
	}
	for i, f := range files {
		file := Post{
			Key: fmt.Sprintf("%s/file%d", p.Key, i+1), Place: p.Place, Lang: p.Lang, Kind: Report,
			File: &f, After: p.Key, Only: p.Only, Trace: p.Trace, Home: p.Home, By: p.By,
		}
		if file.Home == (Place{}) {
			file.Home = p.Place
		}
		if err := b.Outbox.Add(ctx, file); err != nil {
			return fmt.Errorf("file %s of %s: %w", f.Name, p.Key, err)
		}
	}
	return nil
}

// tell notes where a card is on its Question, and what became of a Run's own Post
// on the Run, which then goes on at home.
func (b *Bot) tell(ctx context.Context, p Post) error {
	r := run.Receipt{Post: p.Key, Question: p.Question, Run: p.Run, Link: p.Receipt.Link, Failed: p.Receipt.Failed}
	if r.Failed == "" {
		r.Ref = p.Receipt.Ref.String()
	}
	switch {
	case p.Run != "":
		if err := b.Agent.Delivered(ctx, r); err != nil {
			return err
		}
		return b.goOn(ctx, p.Key, p.Run, p.Home.String())
	case p.Question != "" && r.Failed == "":
		return b.Agent.Delivered(ctx, r)
	case p.File != nil && p.After != "" && !p.Gone:
		return b.missing(ctx, p)
	case r.Failed != "" && p.Rev > 0 && p.File == nil && p.Home != (Place{}):
		// Who wanted it taken back or corrected was told that it is.
		return b.Outbox.Add(ctx, Post{
			Key: fmt.Sprintf("%s/stands%d", p.Key, p.Rev), Place: p.Home, Lang: p.Lang, Kind: Trouble, Text: words(p.Lang).stands(r.Failed), By: p.By,
		})
	case r.Failed != "":
		return b.lost(ctx, p, r.Failed)
	default:
		return nil
	}
}

// missing says at home which files of a post are not there, once the fate of all is
// known: whoever was told that it is posted should know.
func (b *Bot) missing(ctx context.Context, p Post) error {
	all, err := b.Outbox.Following(ctx, p.After)
	if err != nil {
		return fmt.Errorf("files of %s: %w", p.After, err)
	}
	var names, whys []string
	for _, f := range all {
		switch {
		case f.File == nil:
		case f.Receipt == nil:
			return nil // the last of them says it
		case f.Receipt.Failed != "":
			names = append(names, code(f.File.Name))
			if !slices.Contains(whys, f.Receipt.Failed) {
				whys = append(whys, f.Receipt.Failed)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	w := words(p.Lang)
	return b.Outbox.Add(ctx, Post{
		Key: p.After + "/missing", Place: p.Home, Lang: p.Lang, Kind: Trouble, Only: p.Only, Trace: p.Trace, By: p.By,
		Text: w.missing(names, strings.Join(whys, "; "), p.Home == p.Place),
	})
}
