package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	"hermes/agent/run"
	"hermes/bot"
)

var _ bot.Outbox = Outbox{}

// arrived is the condition under which a post takes part in the line of its place:
// what it belongs to is there, and it does not wait for another try.
const arrived = `(ROW.after_key = '' OR ROW.due <= @now AND EXISTS (SELECT 1 FROM outbox a WHERE a.key = ROW.after_key AND a.ref <> ''))`

type outboxRow struct {
	Claim      claim `gorm:"embedded"`
	Rev        int
	Lane       string
	Ahead      int
	Place      string
	AfterKey   string
	Body, Mac  string
	Ref        string
	Receipt    string
	ReceiptRev int
}

func (r outboxRow) claimed() claim { return r.Claim }

// Add implements bot.Outbox. A higher Rev of a Post that is lent out does not wait
// for its end to be kept: who has it ends the Rev that was lent.
func (out Outbox) Add(ctx context.Context, p bot.Post) error {
	d := out.db
	insert := func(tx *gorm.DB) error { return d.addPost(tx, p) }
	do := func(ctx context.Context) error { return d.send(ctx, "outbox", insert) }
	if p.After != "" {
		do = func(ctx context.Context) error {
			return d.write(ctx, func(tx *gorm.DB) error {
				if err := insert(tx); err != nil {
					return err
				}
				return d.notify(tx, "outbox")
			})
		}
	}
	if err := do(ctx); err != nil {
		return fmt.Errorf("keep post %s: %w", p.Key, err)
	}
	d.outbox.wake(bot.Talk)
	return nil
}

// addPost is Add within a transaction; the line is woken after it.
func (d *DB) addPost(tx *gorm.DB, p bot.Post) error {
	p.Attempt, p.Fence, p.Delivered, p.Receipt, p.Thread = 0, 0, nil, nil, bot.Ref{}
	body, err := encode(p)
	if err != nil {
		return fmt.Errorf("encode post %s: %w", p.Key, err)
	}
	state, reason := "waiting", ""
	if p.After != "" {
		var failed []string
		if err := tx.Raw("SELECT failure FROM outbox WHERE key = ? AND state = 'failed' AND ref = ''", p.After).Scan(&failed).Error; err != nil {
			return err
		}
		if len(failed) > 0 {
			state, reason = "failed", orphaned(failed[0])
		}
	}
	now := d.now()
	key, place, after, said := d.keep(p.Key), d.keep(p.Place.String()), d.keep(p.After), d.keep(body)
	row := outboxRow{Claim: claim{Key: key.text}, Rev: p.Rev, Lane: string(bot.Talk), Place: place.text, AfterKey: after.text, Body: said.text}
	mac := ended
	if state == "waiting" {
		mac = d.keys.current.line(row.says()...)
	}
	// What is known of where it is stays sealed as it was.
	return tx.Exec(`INSERT INTO outbox (key, rev, lane, ahead, place, channel, thread, after_key, kind, question, run, trace,
			only_person, artifact, body, due, state, reason, failure, added, mac)
		VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (key) DO UPDATE SET rev = excluded.rev, place = excluded.place, channel = excluded.channel, thread = excluded.thread,
			after_key = excluded.after_key, kind = excluded.kind, question = excluded.question, run = excluded.run, trace = excluded.trace,
			only_person = excluded.only_person, artifact = excluded.artifact, body = excluded.body, due = excluded.due,
			state = excluded.state, reason = excluded.reason, failure = excluded.failure, ended = NULL,
			mac = excluded.mac || SUBSTR(outbox.mac, `+fmt.Sprint(sealSize+1)+`),
			attempts = CASE WHEN outbox.attempts = 0 OR outbox.ref <> '' OR outbox.failure <> '' THEN 0 ELSE 1 END
		WHERE outbox.rev < excluded.rev AND (outbox.kind <> '`+goneKind+`' OR excluded.kind = '`+goneKind+`')`,
		key, p.Rev, string(bot.Talk), place, channelOf(p.Place), p.Place.Thread, after, kindOf(p), p.Question, p.Run, p.Trace,
		p.Only, p.Artifact, said, now, state, reason, reason, now, asIs{mac}).Error
}

// goneKind is the kind of what was taken back: no turn of a conversation has it.
const goneKind = "gone"

func kindOf(p bot.Post) string {
	if p.Gone {
		return goneKind
	}
	return string(p.Kind)
}

func orphaned(why string) string { return plain("what it belongs to has failed: " + why) }

// Next implements bot.Outbox.
func (out Outbox) Next(ctx context.Context) (bot.Post, error) { return out.next(ctx, lend[outboxRow]) }

// Take is Next without the wait: ErrNothing if there is nothing now.
func (out Outbox) Take(ctx context.Context) (bot.Post, error) { return out.next(ctx, take[outboxRow]) }

func (out Outbox) next(ctx context.Context, claim func(context.Context, *line, bot.Lane) (outboxRow, error)) (bot.Post, error) {
	for {
		row, err := claim(ctx, out.db.outbox, bot.Talk)
		if err != nil {
			return bot.Post{}, err
		}
		p, err := row.post()
		if ours := out.db.postAsWritten(ctx, row, p); err != nil && !errors.Is(ours, errNotAsWritten) {
			// One row that nobody can read does not hold up all others for ever.
			out.db.cfg.Log.Error("post cannot be read; it has failed", "post", row.Claim.Key, "err", err)
			set := map[string]any{"state": "failed", "failure": "unreadable", "reason": plain(err.Error()), "ended": out.db.now()}
			if err := out.end(ctx, p, set); err != nil {
				return bot.Post{}, err
			}
			continue
		} else if err = ours; err == nil {
			p.Thread, err = out.thread(ctx, row.AfterKey)
		}
		switch {
		case err == nil:
			return p, nil
		case errors.Is(err, errNotAsWritten):
			told, waits, err := out.disown(ctx, row, p, err)
			if err != nil {
				return bot.Post{}, err
			}
			if waits {
				return told, nil
			}
		default:
			if err := out.Retry(context.WithoutCancel(ctx), p, err.Error(), out.db.cfg.Now().Add(time.Second)); err != nil {
				return bot.Post{}, err
			}
		}
	}
}

// disown fails a row that the program has not written. A run that waits for the post of
// that key is to hear of it: then it returns true and what to tell the run by, which has
// nothing of the row.
func (out Outbox) disown(ctx context.Context, row outboxRow, p bot.Post, why error) (bot.Post, bool, error) {
	d := out.db
	if err := d.disown(ctx, "outbox", row.Claim.Key, row.Place, why); err != nil {
		return bot.Post{}, false, err
	}
	if p.Run != "" && !row.noted() {
		r, found, err := d.Runs().Run(ctx, p.Run)
		if err != nil && !errors.Is(err, run.ErrAltered) {
			return bot.Post{}, false, err
		}
		if found && r.State == run.Delivering && r.Sending != nil && r.Sending.Key == p.Key {
			if told, err := posted(r); err == nil {
				told.Rev, told.Attempt, told.Fence, told.Altered = row.Rev, p.Attempt, p.Fence, true
				return told, true, nil
			}
		}
	}
	return bot.Post{}, false, out.end(ctx, p, map[string]any{"state": "failed", "failure": notAsWritten, "reason": plain(why.Error()), "mac": "", "ended": d.now()})
}

// post is the row with what is there already.
func (r outboxRow) post() (bot.Post, error) {
	var p bot.Post
	err := json.Unmarshal([]byte(r.Body), &p)
	p.Key, p.Attempt, p.Fence = r.Claim.Key, r.Claim.Attempts, r.Claim.Fence
	if err != nil {
		return p, fmt.Errorf("decode post: %w", err)
	}
	if r.Receipt != "" && r.ReceiptRev == r.Rev {
		p.Receipt = &bot.Receipt{}
		if err := json.Unmarshal([]byte(r.Receipt), p.Receipt); err != nil {
			return p, fmt.Errorf("decode receipt: %w", err)
		}
	}
	if r.Ref != "" && r.ReceiptRev < r.Rev {
		ref, err := bot.ParseRef(r.Ref)
		if err != nil {
			return p, err
		}
		p.Delivered = &ref
	}
	return p, nil
}

// thread is where the post of a key is, the zero Ref if there is no key.
func (out Outbox) thread(ctx context.Context, key string) (bot.Ref, error) {
	if key == "" {
		return bot.Ref{}, nil
	}
	var rows []outboxRow
	err := out.db.r.WithContext(ctx).Raw("SELECT * FROM outbox WHERE key = ?", key).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return bot.Ref{}, fmt.Errorf("find post %s: %w", key, err)
	}
	if !out.db.keys.landed(rows[0]) {
		return bot.Ref{}, fmt.Errorf("post %s: %w", key, errNotAsWritten)
	}
	return bot.ParseRef(rows[0].Ref)
}

// Note implements bot.Outbox. What belongs to a Post that has failed fails with it.
func (out Outbox) Note(ctx context.Context, p bot.Post, r bot.Receipt) error {
	receipt, err := encode(r)
	if err != nil {
		return fmt.Errorf("encode receipt of %s: %w", p.Key, err)
	}
	d, note := out.db, out.db.keep(receipt)
	set := map[string]any{"receipt": note, "receipt_rev": p.Rev, "failure": plain(r.Failed)}
	err = d.write(ctx, func(tx *gorm.DB) error {
		row := outboxRow{Claim: claim{Key: d.asKept(p.Key)}, ReceiptRev: p.Rev, Receipt: note.text}
		if r.Failed == "" {
			row.Ref = d.asKept(r.Ref.String())
			set["ref"], set["ref_id"] = asIs{row.Ref}, r.Ref.ID
		} else if err := tx.Raw("SELECT ref FROM outbox WHERE key = ?", p.Key).Scan(&row.Ref).Error; err != nil {
			return err // it stays where it was, if anywhere
		}
		set["mac"] = gorm.Expr("SUBSTR(mac, 1, ?) || ?", sealSize, asIs{d.keys.current.line(row.came()...)})
		res := tx.Table("outbox").Where("key = ? AND fence = ?", p.Key, p.Fence).Updates(set)
		if res.Error == nil && res.RowsAffected == 0 {
			return bot.ErrLost
		}
		if res.Error != nil {
			return res.Error
		}
		if r.Failed != "" && p.File == nil {
			err := tx.Exec(`UPDATE outbox SET state = 'failed', mac = '', failure = ?, reason = ?, ended = ?
				WHERE after_key = ? AND state = 'waiting' AND EXISTS (SELECT 1 FROM outbox a WHERE a.key = ? AND a.ref = '')`,
				orphaned(r.Failed), orphaned(r.Failed), d.now(), p.Key, p.Key).Error
			if err != nil {
				return err
			}
		}
		if p.Run == "" {
			return nil
		}
		// It was sent elsewhere, under a question or a grant.
		return d.delivered(tx, p, r)
	})
	if err != nil {
		return fmt.Errorf("receipt of post %s: %w", p.Key, err)
	}
	d.outbox.stir(bot.Talk)
	return nil
}

// Done implements bot.Outbox. It ends the Rev that was lent: a higher one that has
// come since is due.
func (out Outbox) Done(ctx context.Context, p bot.Post) error {
	return out.end(ctx, p, map[string]any{
		"state": gorm.Expr("CASE WHEN rev > ? THEN 'waiting' WHEN failure <> '' THEN 'failed' ELSE 'done' END", p.Rev),
		"mac":   gorm.Expr("CASE WHEN rev > ? THEN mac ELSE ? || SUBSTR(mac, ?) END", p.Rev, ended, sealSize+1),
		"ended": out.db.now(),
	})
}

// Retry implements bot.Outbox.
func (out Outbox) Retry(ctx context.Context, p bot.Post, reason string, due time.Time) error {
	err := out.end(ctx, p, map[string]any{"reason": plain(reason), "due": at(due).or(out.db.now())})
	out.db.outbox.wakeAt(due)
	return err
}

// Wake implements bot.Outbox.
func (out Outbox) Wake(ctx context.Context, workspace bot.Place, reason string) error {
	workspace.Channel, workspace.Thread = "", ""
	// A place is written with its platform and its workspace first.
	prefix := strings.TrimRight(workspace.String(), "/") + "/"
	now := out.db.now()
	err := out.db.send(ctx, "outbox", func(tx *gorm.DB) error {
		return tx.Exec(`UPDATE outbox SET due = ? WHERE state = 'waiting' AND owner IS NULL AND due > ?
			AND SUBSTR(place, 1, ?) = ? AND SUBSTR(reason, 1, ?) = ?`,
			now, now, utf8.RuneCountInString(prefix), prefix, utf8.RuneCountInString(reason), reason).Error
	})
	if err != nil {
		return fmt.Errorf("wake posts of %s: %w", prefix, err)
	}
	out.db.outbox.wake()
	return nil
}

// Following implements bot.Outbox.
func (out Outbox) Following(ctx context.Context, after string) ([]bot.Post, error) {
	posts, err := out.posts(ctx, "after_key = ?", after)
	if err != nil {
		return nil, fmt.Errorf("what follows post %s: %w", after, err)
	}
	return posts, nil
}

// Asking implements bot.Outbox.
func (out Outbox) Asking(ctx context.Context, question string) ([]bot.Post, error) {
	posts, err := out.posts(ctx, "question <> '' AND question = ?", question)
	if err != nil {
		return nil, fmt.Errorf("posts of question %s: %w", question, err)
	}
	return posts, nil
}

// posts are those whose rows a condition picks by a value, which is not empty.
func (out Outbox) posts(ctx context.Context, where, value string) ([]bot.Post, error) {
	if value == "" {
		return nil, nil
	}
	var rows []outboxRow
	if err := out.db.r.WithContext(ctx).Raw("SELECT * FROM outbox WHERE "+where+" ORDER BY seq", value).Scan(&rows).Error; err != nil {
		return nil, err
	}
	var posts []bot.Post
	for _, row := range rows {
		p, err := row.post()
		if err != nil {
			return nil, err
		}
		posts = append(posts, p)
	}
	return posts, nil
}

func (out Outbox) end(ctx context.Context, p bot.Post, set map[string]any) error {
	if err := out.db.outbox.end(ctx, p.Key, p.Fence, set); err != nil {
		return fmt.Errorf("end post %s: %w", p.Key, err)
	}
	return nil
}
