package slack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"mime"
	"path"
	"strings"

	"github.com/slack-go/slack"

	"hermes/bot"
	"hermes/internal/filename"
)

// upload brings the file of a Post into the thread of the post that it belongs to.
// A file cannot be changed, so one that is there stays as it is.
func (s *Slack) upload(ctx context.Context, p bot.Post) (bot.Receipt, error) {
	if p.Delivered != nil {
		return bot.Receipt{Ref: *p.Delivered}, nil
	}
	if s.shelf == nil {
		return bot.Receipt{}, fmt.Errorf("%w: there is no shelf to take the file from", bot.ErrRefused)
	}
	f, data, err := s.shelf.Open(ctx, p.File.ID)
	if err != nil {
		return bot.Receipt{}, fmt.Errorf("open file %s: %w", p.File.ID, err)
	}
	channel, thread := under(p)
	if channel, err = s.room(ctx, channel); err != nil {
		return bot.Receipt{}, err
	}
	name := f.Name
	if name == "" {
		name = p.File.Name
	}
	id, err := s.share(ctx, shortKey(p.Key), channel, thread, name, p.Text, data)
	if err != nil {
		return bot.Receipt{}, fmt.Errorf("file %s: %w", name, err)
	}
	place := bot.Place{Platform: platform, Workspace: p.Place.Workspace, Channel: channel, Thread: thread}
	return bot.Receipt{Ref: bot.Ref{Place: place, ID: id}}, nil
}

// under is the channel and the thread into which a file goes: those of the post
// that it belongs to, which begins a thread if it is in none. A file for one person
// goes to that person alone: nothing in a channel can be hidden from the others.
func under(p bot.Post) (channel, thread string) {
	if p.Only != "" {
		return bot.UserOf(p.Only), ""
	}
	if p.After == "" || p.Thread.ID == "" {
		return p.Place.Channel, p.Place.Thread
	}
	thread = p.Thread.Place.Thread
	if thread == "" {
		thread = p.Thread.ID
	}
	return p.Thread.Place.Channel, thread
}

// bring brings an extra of a Post as a file, unless it is there already.
func (w *writer) bring(ctx context.Context, x extra) error {
	if p := w.post; p.Attempt > 1 || p.Delivered != nil {
		there := false
		err := w.search(ctx, p, w.channel, w.thread, func(m seen) {
			for _, f := range m.Files {
				there = there || strings.Contains(f.Name, x.tag())
			}
		})
		if err != nil || there {
			return err
		}
	}
	_, err := w.share(ctx, x.tag(), w.channel, w.thread, x.name, "", x.data)
	return err
}

// share uploads bytes in Slack's three steps. Until the last one nobody sees
// anything, so only after that one somebody has to look.
func (s *Slack) share(ctx context.Context, tag, channel, thread, name, comment string, data []byte) (string, error) {
	if len(data) == 0 {
		return "", fmt.Errorf("%w: the file is empty", bot.ErrRefused)
	}
	name = filename.Clean(name)
	alt := ""
	if strings.HasPrefix(mime.TypeByExtension(path.Ext(name)), "image/") {
		alt = strings.TrimSuffix(name, path.Ext(name)) // for who cannot see it
	}
	var up *slack.GetUploadURLExternalResponse
	err := s.paced(ctx, "files.getUploadURLExternal", "", func() (err error) {
		up, err = s.api.GetUploadURLExternalContext(ctx, slack.GetUploadURLExternalParameters{
			FileName: tagged(name, tag), FileSize: len(data), AltTxt: alt,
		})
		return err
	})
	if err != nil {
		return "", unseen(err)
	}
	err = s.api.UploadToURL(ctx, slack.UploadToURLParameters{
		UploadURL: up.UploadURL, Reader: bytes.NewReader(data), Filename: tagged(name, tag),
	})
	if err != nil {
		return "", unseen(err)
	}
	var done *slack.CompleteUploadExternalResponse
	err = s.paced(ctx, "files.completeUploadExternal", channel, func() (err error) {
		done, err = s.api.CompleteUploadExternalContext(ctx, slack.CompleteUploadExternalParameters{
			Files:   []slack.FileSummary{{ID: up.FileID, Title: name}},
			Channel: channel, ThreadTimestamp: thread, InitialComment: fallback(comment),
		})
		return err
	})
	switch {
	case err != nil:
		return "", busyOr(err)
	case len(done.Files) == 0:
		return "", fmt.Errorf("%w: slack took the file and does not name it", bot.ErrUnknown)
	}
	return up.FileID, nil
}

// unseen is an error of a step that nobody sees: it may be done again.
func unseen(err error) error {
	t := busyOr(err)
	if errors.Is(t, bot.ErrUnknown) {
		return fmt.Errorf("%w: %w", bot.ErrBusy, err)
	}
	return t
}

// tagged puts a short key into a file's name, by which it is found again: Slack
// keeps no metadata with a file.
func tagged(name, tag string) string {
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "-" + tag + ext
}

func shortKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:4])
}
