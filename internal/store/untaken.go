package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hermes/bot"
)

// Untaken is how much of a line may be lent and was not, and since when the oldest of it
// may be.
type Untaken struct {
	N      int
	Oldest time.Time // zero if there is none
}

const untaken = `SELECT COUNT(*) AS n, MIN(c.due) AS oldest FROM TABLE c WHERE ` + claimable + ` AND READY(c) AND FIRST`

// Untaken returns what in the inbox and in the outbox might have been lent since before
// that time: whoever should take it does not. What waits for something else, as a turn or
// another try, does not count.
func (d *DB) Untaken(ctx context.Context, before time.Time) (in, out Untaken, err error) {
	for _, lane := range []bot.Lane{bot.Talk, bot.Control} {
		u, err := d.inbox.untaken(ctx, lane, "", before)
		if err != nil {
			return in, out, err
		}
		if u.N > 0 && (in.N == 0 || u.Oldest.Before(in.Oldest)) {
			in.Oldest = u.Oldest
		}
		in.N += u.N
	}
	out, err = d.outbox.untaken(ctx, bot.Talk, arrived, before)
	return in, out, err
}

func (l *line) untaken(ctx context.Context, lane bot.Lane, ready string, before time.Time) (Untaken, error) {
	order := first
	if lane == bot.Control {
		order = "1 = 1"
	}
	text := strings.ReplaceAll(strings.ReplaceAll(untaken, "FIRST", order), "TABLE", l.table)
	for _, row := range []string{"c", "o"} {
		is := "1 = 1"
		if ready != "" {
			is = strings.ReplaceAll(ready, "ROW", row)
		}
		text = strings.ReplaceAll(text, "READY("+row+")", is)
	}
	var got []struct {
		N      int
		Oldest stamp
	}
	err := l.db.r.WithContext(ctx).Raw(text, map[string]any{"lane": string(lane), "now": at(before)}).Scan(&got).Error
	if err != nil {
		return Untaken{}, fmt.Errorf("what nobody takes of the %s: %w", l.table, err)
	}
	if len(got) == 0 {
		return Untaken{}, nil
	}
	return Untaken{got[0].N, got[0].Oldest.Time}, nil
}
