package bot

import (
	"context"

	"hermes/agent/run"
)

// denies reports whether the bot does not work on what somebody has sent by a form,
// and tells them so. Who only chats has no forms.
func (b *Bot) denies(ctx context.Context, it Item, r run.Request) (bool, error) {
	m := Message{Key: it.Key, Place: it.Place, From: r.Asker, Text: r.Text, Direct: true}
	access, why, err := b.accessOf(ctx, m)
	if err != nil || access == Everything {
		return false, err
	}
	return true, b.deny(ctx, it, m, why)
}
