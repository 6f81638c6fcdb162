package store

import (
	"context"
	"crypto/hmac"
	"fmt"
	"strconv"
	"strings"

	"gorm.io/gorm"
)

// keptHead is where the database itself keeps the head of its audit: signed, and moved by
// each row, from the very row before alone. Whoever cuts off the end does not move it
// back, and no row that is written since goes over it.
const keptHead = "audit.head"

// head is what is kept of a row that is the last one.
func (k auditKey) head(r auditRow) string {
	return headOf(r) + " " + k.sum([]byte("head\n"+headOf(r)))
}

func headOf(r auditRow) string { return fmt.Sprintf("%s %d %s", r.KeyID, r.Seq, r.Hash) }

// moveHead goes on from the row before a new one. Where no head is kept, or another, it
// leaves all as it is: Verify tells of it.
func (d *DB) moveHead(tx *gorm.DB, before, last auditRow) error {
	if before.Seq == 0 {
		return tx.Exec("INSERT INTO settings (workspace, name, value, at) VALUES ('', ?, ?, ?) ON CONFLICT DO NOTHING", keptHead, d.keys.current.head(last), d.now()).Error
	}
	return tx.Exec("UPDATE settings SET value = ?, at = ? WHERE workspace = '' AND name = ? AND value LIKE ?",
		d.keys.current.head(last), d.now(), keptHead, headOf(before)+" %").Error
}

// kept reads the head that the database keeps; false if it keeps none. One under a key
// that is lost, as the rows are too, is believed.
func (d *DB) kept(r *gorm.DB) (Head, bool, error) {
	var rows []struct {
		Value string
		At    looseTime
	}
	if err := r.Raw("SELECT value, at FROM settings WHERE workspace = '' AND name = ?", keptHead).Scan(&rows).Error; err != nil {
		return Head{}, false, fmt.Errorf("kept head of the audit: %w", err)
	}
	if len(rows) == 0 {
		return Head{}, false, nil
	}
	changed := &Broken{0, "the head that the database keeps was changed"}
	w := strings.Fields(rows[0].Value)
	if len(w) != 4 {
		return Head{}, false, changed
	}
	seq, err := strconv.ParseInt(w[1], 10, 64)
	key, known := d.keys.known[w[0]]
	was := auditRow{KeyID: w[0], Seq: seq, Hash: w[2]}
	if err != nil || seq < 1 || !known && !d.keys.lost[w[0]] || known && !hmac.Equal([]byte(key.head(was)), []byte(rows[0].Value)) {
		return Head{}, false, changed
	}
	return Head{Seq: seq, Hash: w[2], At: rows[0].At.Time}, true, nil
}

// KeepHead has the database keep the head of its audit where it keeps none, and tells the
// audit so: who has taken it away leaves that row. It reports whether there was one.
func (j Journal) KeepHead(ctx context.Context) (bool, error) {
	d, had := j.db, true
	read := func(r *gorm.DB) (err error) {
		var n int64
		err = r.Raw("SELECT COUNT(*) FROM settings WHERE workspace = '' AND name = ?", keptHead).Scan(&n).Error
		had = n > 0
		return err
	}
	if err := read(d.r.WithContext(ctx)); err != nil || had {
		return had, wrapped(err, "kept head of the audit")
	}
	err := d.write(ctx, func(tx *gorm.DB) error {
		if err := d.locked(tx, "audit"); err != nil {
			return err
		}
		last, err := lastAudit(tx)
		if err != nil || last.Seq == 0 {
			return err
		}
		if err := read(tx); err != nil || had {
			return err
		}
		if err := d.audit(tx, entry{What: HeadSet, Subject: "database"}); err != nil {
			return err
		}
		if last, err = lastAudit(tx); err != nil {
			return err
		}
		return put(tx, "", keptHead, d.keys.current.head(last), d.now())
	})
	return had, wrapped(err, "kept head of the audit")
}

// CheckHead compares the end of the audit with the head that the database keeps. It
// reports false if none is kept although there are rows, and a *Broken if the end was cut
// off since or is another.
func (j Journal) CheckHead(ctx context.Context) (bool, error) {
	has := true
	err := j.db.snapshot(ctx, func(r *gorm.DB) error {
		last, err := lastAudit(r)
		if err != nil {
			return err
		}
		head, kept, err := j.db.kept(r)
		switch {
		case err != nil:
			return err
		case !kept:
			has = last.Seq == 0
			return nil
		case head.Seq > last.Seq:
			return cutOff(last.Seq, head)
		case head.Seq != last.Seq || head.Hash != last.Hash:
			return anew(head)
		}
		return nil
	})
	return has, err
}

func cutOff(last int64, noted Head) *Broken {
	return &Broken{last + 1, fmt.Sprintf("is missing: row %d was noted as the last one%s, and the end was cut off since", noted.Seq, on(noted))}
}

func anew(noted Head) *Broken {
	return &Broken{noted.Seq, "is not the one that was noted" + on(noted) + ": the end was cut off then and written anew"}
}
