package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"hermes/bot"
)

// gather joins an Item to the one that waits for lines of the same name, or adds it.
// Whether that one was given out meanwhile is decided with the write.
func (in Inbox) gather(ctx context.Context, it bot.Item, row newRow) error {
	d, g := in.db, it.Gather
	if it.Message == nil {
		return errors.New("only messages are gathered")
	}
	due := row.Due
	changed := false
	err := d.write(ctx, func(tx *gorm.DB) error {
		if err := d.locked(tx, "gather "+g.Of); err != nil {
			return err
		}
		head, open, err := d.gathering(tx, g.Of)
		if err != nil {
			return err
		}
		if open {
			head, open = d.joined(head, it, row.Due)
		}
		if open {
			row.State, row.Held, row.Ended = "done", head.Claim.Key, row.Due
		} else if !g.Only {
			due = at(row.Due.Add(g.Wait))
			row.Due, row.Gathers, row.Until = due, g.Of, at(row.Added.Add(g.Most))
		}
		if changed, err = row.insert(tx, d); err != nil || !changed {
			return err // a key that is known is joined to nothing
		}
		if open {
			due = earliest(at(row.Added.Add(g.Wait)), head.Until)
			res := tx.Exec("UPDATE inbox SET body = ?, mac = ?, due = ? WHERE key = ? AND attempts = 0 AND owner IS NULL AND state = 'waiting'", asIs{head.Body}, asIs{head.Mac}, due, head.Claim.Key)
			if res.Error != nil {
				return res.Error
			}
			if res.RowsAffected == 0 { // it was given out just now: this is a turn of its own
				res = tx.Exec("UPDATE inbox SET state = 'waiting', held = '', ended = NULL, mac = ? WHERE key = ?", asIs{row.seal(d)}, row.Key)
				due = row.Added
				if res.Error != nil {
					return res.Error
				}
			}
		}
		return d.notify(tx, "inbox")
	})
	if err == nil && changed {
		d.inbox.wake(bot.Talk)
		d.inbox.wakeAt(due.Time)
	}
	return err
}

// gathering returns the row that waits for lines of that name.
func (d *DB) gathering(r *gorm.DB, of string) (inboxRow, bool, error) {
	var rows []inboxRow
	err := r.Raw("SELECT * FROM inbox WHERE gathers = ? AND gathers <> '' AND state = 'waiting' AND attempts = 0 AND owner IS NULL ORDER BY seq DESC LIMIT 1", of).Scan(&rows).Error
	if err != nil || len(rows) == 0 || d.asWritten(rows[0]) != nil {
		return inboxRow{}, false, err // a row of somebody else's is not sealed with a line of ours
	}
	return rows[0], true, nil
}

// joined is the row with one more line. It reports false for a row whose time is over,
// and for a line that was written long after the first.
func (d *DB) joined(head inboxRow, it bot.Item, now stamp) (inboxRow, bool) {
	first, err := head.item()
	if err != nil || !now.Before(head.Due.Time) || first.Message == nil {
		return head, false
	}
	if span := it.Gather.Span; span > 0 && it.Message.At.Sub(first.Message.At) > span {
		return head, false
	}
	if len(first.Lines) == 0 {
		line := *first.Message
		line.Raw = nil
		first.Lines = []bot.Message{line}
	}
	first.Lines = append(first.Lines, *it.Message)
	first.Attempt, first.Fence, first.Message.Raw = 0, 0, nil
	if head.Body, err = encode(first); err != nil {
		return head, false
	}
	head.Body = d.asKept(head.Body)
	head.Mac = d.keys.current.line(head.says()...)
	return head, true
}

func earliest(a, b stamp) stamp {
	if b.IsZero() || a.Before(b.Time) {
		return a
	}
	return b
}

// hold has the words of all Lines of an Item be its own.
func hold(tx *gorm.DB, it bot.Item) error {
	for _, l := range it.Lines {
		for _, key := range []string{l.Key, l.Edits} {
			if key == "" {
				continue
			}
			if err := tx.Exec("UPDATE inbox SET held = ? WHERE key = ?", it.Key, key).Error; err != nil {
				return fmt.Errorf("line %s: %w", key, err)
			}
		}
	}
	return nil
}

// Holding implements bot.Inbox.
func (in Inbox) Holding(ctx context.Context, message string) (bot.Item, bool, error) {
	var rows []inboxRow
	r := in.db.r.WithContext(ctx)
	err := r.Raw("SELECT * FROM inbox WHERE key = ?", message).Scan(&rows).Error
	if err == nil && len(rows) > 0 && rows[0].Held != "" {
		key := rows[0].Held
		rows = rows[:0]
		err = r.Raw("SELECT * FROM inbox WHERE key = ?", key).Scan(&rows).Error
	}
	if err != nil || len(rows) == 0 {
		return bot.Item{}, false, wrapped(err, "item of "+message)
	}
	it, err := rows[0].item()
	return it, err == nil, wrapped(err, "item of "+message)
}

// Gathering implements bot.Inbox.
func (in Inbox) Gathering(ctx context.Context, of string) (bot.Item, bool, error) {
	row, ok, err := in.db.gathering(in.db.r.WithContext(ctx), of)
	if err != nil || !ok {
		return bot.Item{}, false, wrapped(err, "lines of "+of)
	}
	it, err := row.item()
	return it, err == nil, wrapped(err, "lines of "+of)
}

// Withdraw implements bot.Inbox.
func (in Inbox) Withdraw(ctx context.Context, key string) (bool, error) {
	var n int64
	err := in.db.commit(ctx, func(w *gorm.DB) error {
		res := w.Exec("UPDATE inbox SET state = 'done', mac = '', reason = 'withdrawn', ended = ? WHERE key = ? AND state = 'waiting' AND attempts = 0 AND owner IS NULL", in.db.now(), key)
		n = res.RowsAffected
		return res.Error
	})
	if n > 0 {
		in.db.inbox.wake()
	}
	return n > 0, wrapped(err, "withdraw "+key)
}

// Queued implements bot.Inbox.
func (in Inbox) Queued(ctx context.Context, p bot.Place) ([]bot.Item, error) {
	items, err := in.queued(ctx, "place = ? AND ", p.String())
	return items, wrapped(err, "what is queued at "+p.String())
}

// QueuedAll implements bot.Inbox.
func (in Inbox) QueuedAll(ctx context.Context) ([]bot.Item, error) {
	items, err := in.queued(ctx, "")
	return items, wrapped(err, "what is queued")
}

func (in Inbox) queued(ctx context.Context, where string, args ...any) ([]bot.Item, error) {
	var rows []inboxRow
	err := in.db.r.WithContext(ctx).Raw("SELECT * FROM inbox WHERE "+where+`lane = ? AND ahead = 0 AND state = 'waiting'
		AND attempts = 0 AND owner IS NULL ORDER BY seq`, append(args, string(bot.Talk))...).Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	var items []bot.Item
	for _, row := range rows {
		it, err := row.item()
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	return items, nil
}

// Before implements bot.Inbox.
func (in Inbox) Before(ctx context.Context, it bot.Item, n int) ([]bot.Message, error) {
	var rows []inboxRow
	err := in.db.r.WithContext(ctx).Raw(`SELECT * FROM inbox WHERE channel = ? AND thread = ? AND said > 0
		AND seq <= (SELECT seq FROM inbox WHERE key = ?) ORDER BY seq DESC LIMIT ?`, channelOf(it.Place), it.Place.Thread, it.Key, n).Scan(&rows).Error
	if err != nil {
		return nil, wrapped(err, "what was said at "+it.Place.String())
	}
	var said []bot.Message
	for _, row := range rows {
		x, err := row.item()
		if err != nil {
			return nil, wrapped(err, "what was said at "+it.Place.String())
		}
		said = append(said, *cmp.Or(x.Message, &bot.Message{}))
	}
	return said, nil
}

func wrapped(err error, what string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
