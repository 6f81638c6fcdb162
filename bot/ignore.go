package bot

import (
	"context"
	"log/slog"
)

// An ignored is why a Message that was heard is answered with nothing. There is no
// other silence: all else ends in a post.
type ignored string

const (
	notForUs    ignored = "not for the bot"
	colleagues  ignored = "colleagues talk"
	fromBot     ignored = "of another bot"
	turnsUsed   ignored = "turns with another bot are used"
	toldBefore  ignored = "denied, and told so before"
	stalePast   ignored = "of long ago, and past"
	editTooLate ignored = "edit of what has been answered"
	editOfWords ignored = "edit of an answer or a stop"
	editOfOwn   ignored = "edit that was taken up"
	tookBack    ignored = "nothing is left of it"
)

// ignore notes that a Message is answered with nothing.
func (b *Bot) ignore(ctx context.Context, m Message, why ignored) error {
	level := slog.LevelInfo
	if why == notForUs || why == colleagues {
		level = slog.LevelDebug // people talk to each other all day
	}
	b.Log.Log(ctx, level, "message ignored", "message", m.Key, "place", m.Place, "reason", string(why))
	return nil
}
