package bot

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"hermes/agent/run"
	"hermes/router"
)

// A Clerk reads files and keeps what is in them, for the run of a key.
type Clerk interface {
	// Take reads the n-th file of a key. Why it is not read stands in what it
	// returns; an error is trouble of ours. It may be called again.
	Take(ctx context.Context, key string, n int, name, mime string, b []byte) (run.File, error)
	// Say is what a person is told of a file, in one sentence if it was not read.
	Say(f run.File, lang string) string
}

// Bounds of what comes with a message.
const (
	mostFiles = 5
	mostBytes = 20 << 20 // of a file
	fetchTime = time.Minute
)

// bring adds to a Request what a Message came with, and what others have said where
// it was said. Small talk, and who may only talk, need neither.
func (b *Bot) bring(ctx context.Context, it Item, m Message, req *run.Request) error {
	if req.NoTools {
		return nil
	}
	var err error
	if req.Files, err = b.files(ctx, it, m); err != nil {
		return err
	}
	if err := b.warnOfFiles(ctx, it, m, req); err != nil {
		return err
	}
	return b.reread(ctx, it, m, req)
}

// files fetches and reads what came with a Message. A file that cannot be had says
// why, and the work goes on with what there is.
func (b *Bot) files(ctx context.Context, it Item, m Message) ([]run.File, error) {
	if b.Clerk == nil {
		return nil, nil
	}
	var out []run.File
	for i, a := range m.Files {
		f := run.File{Name: nameOf(a), Mime: a.Mime, Size: a.Size}
		if i >= mostFiles {
			f.Why = run.TooMany
			out = append(out, f)
			continue
		}
		body, err := b.fetch(ctx, m.Place, a)
		switch {
		case err == nil:
			if f, err = b.Clerk.Take(ctx, m.Key, i+1, nameOf(a), a.Mime, body); err != nil {
				return nil, fmt.Errorf("file %s of %s: %w", a.ID, m.Key, err)
			}
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, ErrTooLarge):
			f.Why = run.TooLarge
		case errors.Is(err, ErrNoAccess):
			f.Why = run.NoAccess
		case errors.Is(err, ErrBusy) && it.Attempt < tries:
			return nil, fmt.Errorf("fetch file %s of %s: %w", a.ID, m.Key, err)
		default:
			f.Why = run.Unfetched
		}
		if f.Why != "" {
			b.Log.Warn("file not read", "message", m.Key, "file", a.ID, "why", f.Why, "err", err)
		}
		out = append(out, f)
	}
	return out, nil
}

func (b *Bot) fetch(ctx context.Context, p Place, a Attachment) ([]byte, error) {
	if a.Size > mostBytes {
		return nil, ErrTooLarge
	}
	from, ok := b.Chats[p.Platform].(Fetcher)
	if !ok {
		return nil, fmt.Errorf("%w: %s has no files", ErrNoAccess, p.Platform)
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	return from.Fetch(ctx, p, a, mostBytes)
}

// nameOf is how a file is called; one without a name goes by its id.
func nameOf(a Attachment) string {
	if name := strings.TrimSpace(path.Base("/" + a.Name)); name != "" && name != "/" {
		return name
	}
	return a.ID
}

// wordless gives words to a Message that has none but brings files: whoever sends one
// wants to know what is in it. It returns the language of the names.
func wordless(m Message, lang string) (Message, string) {
	if len(m.Files) == 0 || strings.TrimSpace(m.Text) != "" {
		return m, lang
	}
	for _, a := range m.Files {
		if router.Lang(a.Name) == "zh" {
			lang = "zh"
		}
	}
	m.Text = words(lang).whatIsIt
	return m, lang
}

// withFiles is what a Message with files is taken for: "here you go" is no small talk
// if something comes with it.
func withFiles(m Message, d router.Decision) router.Decision {
	if len(m.Files) > 0 && d.Kind == router.Chitchat {
		d.Kind, d.Reason = router.Question, d.Reason+"; with files"
	}
	return d
}

// A Drawer keeps what people attach on a platform that has no place for it. A Shelf
// opens it again by the id of the Attachment.
type Drawer interface {
	// Keep keeps the n-th file of the Message with that Key. It may be called again
	// and keeps the first.
	Keep(ctx context.Context, key string, n int, a Attachment, b []byte) (Attachment, error)
}

// FromShelf is a Fetcher's Fetch for a platform whose files a Drawer keeps.
func FromShelf(ctx context.Context, s Shelf, a Attachment, most int64) ([]byte, error) {
	_, b, err := s.Open(ctx, a.ID)
	switch {
	case err != nil:
		return nil, fmt.Errorf("file %s: %w", a.ID, err)
	case int64(len(b)) > most:
		return nil, fmt.Errorf("file %s: %w", a.ID, ErrTooLarge)
	}
	return b, nil
}
