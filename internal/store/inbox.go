package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"hermes/bot"
)

var _ bot.Inbox = Inbox{}

// Where what a row of the inbox says stands for the eye.
const (
	wordless  = 0 // nowhere
	inThread  = 1
	inChannel = 2 // perhaps with a thread that it starts
	inPlaceOf = 3 // another
)

type inboxRow struct {
	Claim       claim `gorm:"embedded"`
	Lane, Place string
	Ahead       int
	Body, Mac   string
	Raw         []byte
	Due, Until  stamp
	Held        string
}

func (r inboxRow) claimed() claim { return r.Claim }

// Add implements bot.Inbox.
func (in Inbox) Add(ctx context.Context, it bot.Item) error {
	it.Attempt, it.Fence = 0, 0
	place, said := it.Place, wordless
	var raw []byte
	if it.Message != nil {
		m := *it.Message
		raw, m.Raw = m.Raw, nil
		it.Message = &m
		place, said = m.Place, saidBy(m)
	}
	if it.Click != nil {
		c := *it.Click
		raw, c.Raw = c.Raw, nil
		it.Click = &c
	}
	body, err := encode(it)
	if err != nil {
		return fmt.Errorf("encode item %s: %w", it.Key, err)
	}
	d, now := in.db, in.db.now()
	row := newRow{
		Key: it.Key, Lane: string(it.Lane), Ahead: number(it.First), Place: it.Place.String(), Channel: channelOf(place), Thread: place.Thread,
		Said: said, Body: body, Raw: raw, Due: now, State: "waiting", Added: now,
	}
	added := false
	insert := func(w *gorm.DB) error {
		var err error
		added, err = row.insert(w, d)
		return err
	}
	switch {
	case it.Gather != nil:
		err = in.gather(ctx, it, row)
	case len(it.Lines) > 0:
		err = d.write(ctx, func(tx *gorm.DB) error {
			if err := insert(tx); err != nil || !added {
				return err
			}
			if err := hold(tx, it); err != nil {
				return err
			}
			return d.notify(tx, "inbox")
		})
	default:
		err = d.send(ctx, "inbox", insert)
	}
	if err != nil {
		return fmt.Errorf("keep item %s: %w", it.Key, err)
	}
	if added {
		d.inbox.wake(it.Lane)
	}
	return nil
}

// A newRow is a row as it is added.
type newRow struct {
	Key, Lane              string
	Ahead                  int
	Place, Channel, Thread string
	Said                   int
	Body                   string
	Raw                    []byte
	Due                    stamp
	State                  string
	Added, Ended           stamp
	Gathers                string
	Until                  stamp
	Held                   string
}

// insert reports false for a key that is known.
func (r newRow) insert(w *gorm.DB, d *DB) (bool, error) {
	key, lane, place, body := d.keep(r.Key), d.keep(r.Lane), d.keep(r.Place), d.keep(r.Body)
	mac := ""
	if r.State == "waiting" {
		mac = sealOf(d, r.Ahead, key, lane, place, body)
	}
	res := w.Exec(`INSERT INTO inbox (key, lane, ahead, place, channel, thread, said, body, raw, due, state, added, ended, gathers, until, held, mac)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
		key, lane, r.Ahead, place, r.Channel, r.Thread, r.Said, body, r.Raw, r.Due, r.State, r.Added, r.Ended, r.Gathers, r.Until, r.Held, asIs{mac})
	return res.RowsAffected > 0, res.Error
}

// seal is that of a row that waits.
func (r newRow) seal(d *DB) string {
	return sealOf(d, r.Ahead, d.keep(r.Key), d.keep(r.Lane), d.keep(r.Place), d.keep(r.Body))
}

func sealOf(d *DB, ahead int, key, lane, place, body asIs) string {
	return d.keys.current.line(inboxRow{Claim: claim{Key: key.text}, Lane: lane.text, Place: place.text, Ahead: ahead, Body: body.text}.says()...)
}

// send does one insert and tells the other replicas.
func (d *DB) send(ctx context.Context, table string, insert func(*gorm.DB) error) error {
	if !d.postgres {
		return d.commit(ctx, insert)
	}
	return d.write(ctx, func(tx *gorm.DB) error {
		if err := insert(tx); err != nil {
			return err
		}
		return d.notify(tx, table)
	})
}

// Next implements bot.Inbox. In Talk a place keeps its order: what is given back
// until later holds up what came after it, though not what goes first.
func (in Inbox) Next(ctx context.Context, lane bot.Lane) (bot.Item, error) {
	return in.next(ctx, lane, lend[inboxRow])
}

// Take is Next without the wait: ErrNothing if there is nothing now. It is for whoever
// keeps the clock, and so knows when to look again.
func (in Inbox) Take(ctx context.Context, lane bot.Lane) (bot.Item, error) {
	return in.next(ctx, lane, take[inboxRow])
}

func (in Inbox) next(ctx context.Context, lane bot.Lane, claim func(context.Context, *line, bot.Lane) (inboxRow, error)) (bot.Item, error) {
	for {
		row, err := claim(ctx, in.db.inbox, lane)
		if err != nil {
			return bot.Item{}, err
		}
		var it bot.Item
		if err = in.db.asWritten(row); err == nil {
			if it, err = row.item(); err == nil {
				return it, nil
			}
			in.db.cfg.Log.Error("item cannot be read; it has failed", "item", row.Claim.Key, "err", err)
		} else if err := in.db.disown(ctx, "inbox", row.Claim.Key, row.Place, err); err != nil {
			return bot.Item{}, err
		}
		// One row that nobody can act on does not hold up all others for ever.
		it.Key, it.Fence = row.Claim.Key, row.Claim.Fence
		if err := in.Fail(ctx, it, err.Error()); err != nil {
			return bot.Item{}, err
		}
	}
}

func (r inboxRow) item() (bot.Item, error) {
	var it bot.Item
	if err := json.Unmarshal([]byte(r.Body), &it); err != nil {
		return it, fmt.Errorf("decode item: %w", err)
	}
	it.Attempt, it.Fence = r.Claim.Attempts, r.Claim.Fence
	if it.Message != nil {
		it.Message.Raw = r.Raw
	}
	if it.Click != nil {
		it.Click.Raw = r.Raw
	}
	return it, nil
}

// Done implements bot.Inbox.
func (in Inbox) Done(ctx context.Context, it bot.Item) error {
	return in.end(ctx, it, map[string]any{"state": "done", "mac": "", "ended": in.db.now()})
}

// Fail implements bot.Inbox.
func (in Inbox) Fail(ctx context.Context, it bot.Item, reason string) error {
	return in.end(ctx, it, map[string]any{"state": "failed", "mac": "", "reason": plain(reason), "ended": in.db.now()})
}

// Moved implements bot.Inbox.
func (in Inbox) Moved(ctx context.Context, it bot.Item) error {
	return in.db.inbox.moved(ctx, it.Key, it.Fence)
}

// Retry implements bot.Inbox.
func (in Inbox) Retry(ctx context.Context, it bot.Item, reason string, due time.Time) error {
	err := in.end(ctx, it, map[string]any{"reason": plain(reason), "due": at(due).or(in.db.now())})
	in.db.inbox.wakeAt(due)
	return err
}

func (in Inbox) end(ctx context.Context, it bot.Item, set map[string]any) error {
	if err := in.db.inbox.end(ctx, it.Key, it.Fence, set); err != nil {
		return fmt.Errorf("end item %s: %w", it.Key, err)
	}
	return nil
}

// saidBy says where a Message stands. A platform names a thread by the message that
// starts it, so that message's Key ends with the name.
func saidBy(m bot.Message) int {
	switch {
	case m.Edits != "":
		return inPlaceOf
	case m.Text == "" && m.Said == "" && len(m.Files) == 0:
		return wordless
	case m.Place.Thread == "" || strings.HasSuffix(m.Key, "/"+m.Place.Thread):
		return inChannel
	}
	return inThread
}

// channelOf is a place without its thread.
func channelOf(p bot.Place) string {
	p.Thread = ""
	return p.String()
}

// number is how both databases keep a bool.
func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
