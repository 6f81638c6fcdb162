package bot

import (
	"context"
	"fmt"
	"strings"

	"hermes/agent/run"
)

// hushed is by how much the Rev of a last word is above all that a Run says itself.
const hushed = 1 << 20

// hush says the last word where a Run shows what a person has taken back, before the
// Run can: its open cards and what it shows of its work no longer tell what was asked
// for, and neither does its end. all is set if nothing of it is left, of which another
// Run could be made.
func (b *Bot) hush(ctx context.Context, m Message, key string, all bool) error {
	r, begun, err := b.Agent.Look(ctx, key)
	if err != nil || !begun || r.Ended() || r.Asker != m.From {
		return err
	}
	home, err := ParsePlace(r.Home)
	if err != nil {
		return fmt.Errorf("home of run %s: %w", key, err)
	}
	w := words(r.Lang)
	text := w.tookBack
	if !all {
		text = w.ended[run.Stopped]
	}
	var last []Post
	for _, q := range r.Questions {
		if q.Answer != nil {
			continue
		}
		cards, err := b.copies(ctx, q.ID)
		if err != nil {
			return err
		}
		for _, c := range append(cards, Post{Key: q.ID, Place: home}) {
			last = append(last, Post{
				Key: c.Key, Rev: hushed, Place: c.Place, Lang: r.Lang, Kind: Card, Question: q.ID, Text: text, Trace: r.Trace(),
			})
			if err := b.takeFiles(ctx, c.Key); err != nil {
				return err
			}
		}
	}
	if b.showsProgress(r) {
		last = append(last, Post{
			Key: r.Key + "/progress", Rev: hushed, Place: home, Lang: r.Lang, Kind: Progress, Text: text, Trace: r.Trace(),
			Of: r.Key, By: r.Asker, Plan: &Plan{Title: text, Over: true},
		})
	}
	last = append(last, Post{
		Key: r.End(run.Suspended, "", run.Stopped).Outcome.Key, Rev: hushed, Place: home, Lang: r.Lang, Text: text, Trace: r.Trace(), Footer: w.trace(r.Trace()),
		Of: r.Key,
		// Where the thread itself is gone there is nobody to tell.
		Gone: home.Thread != "" && strings.HasSuffix(m.Edits, "/"+home.Thread),
	})
	for _, p := range last {
		if err := b.Outbox.Add(ctx, p); err != nil {
			return fmt.Errorf("last word of %s: %w", p.Key, err)
		}
	}
	return nil
}

// takeFiles takes back the files of a Post.
func (b *Bot) takeFiles(ctx context.Context, key string) error {
	files, err := b.Outbox.Following(ctx, key)
	if err != nil {
		return fmt.Errorf("files of %s: %w", key, err)
	}
	for _, f := range files {
		if f.Gone {
			continue
		}
		f.Rev, f.Gone = f.Rev+1, true
		if err := b.Outbox.Add(ctx, f); err != nil {
			return fmt.Errorf("file %s: %w", f.Key, err)
		}
	}
	return nil
}
