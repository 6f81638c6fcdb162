package store

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"
)

// Acknowledged is the row by which the operator says that a finding was dealt with.
const Acknowledged = "acknowledged"

// ErrNoDoubt is returned for a subject of which Verify finds nothing.
var ErrNoDoubt = errors.New("verify finds nothing about it")

// finding is what an acknowledgement is about: something else about the same subject is
// found anew.
func (k auditKey) finding(f Doubt) string { return k.value("finding\n" + f.Subject + "\n" + f.How) }

// Acknowledge notes why what Verify finds about a subject is dealt with: from then on it
// is known. The reason is kept beside the audit, which has its keyed hash.
func (j Journal) Acknowledge(ctx context.Context, subject, reason, by string) error {
	v, err := j.Verify(ctx)
	if err != nil {
		return err
	}
	d, found := j.db, false
	reason = plain(d.asKept(reason))
	err = d.write(ctx, func(tx *gorm.DB) error {
		for _, f := range v.Doubts {
			if f.Subject != subject {
				continue
			}
			found = true
			if f.Known != "" {
				continue
			}
			key := d.keys.current
			if err := tx.Exec("INSERT INTO acknowledged (subject, digest, reason, at) VALUES (?, ?, ?, ?)", subject, key.finding(f), reason, d.now()).Error; err != nil {
				return err
			}
			if err := d.audit(tx, entry{Who: by, What: Acknowledged, Subject: subject, Digest: key.finding(f), Outcome: key.value(reason)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && !found {
		err = ErrNoDoubt
	}
	return wrapped(err, "acknowledge "+subject)
}

// dealtWith marks the findings that the operator has dealt with, by the audit.
func (d *DB) dealtWith(r *gorm.DB, all []Doubt) error {
	if len(all) == 0 {
		return nil
	}
	var rows []auditRow
	if err := r.Raw("SELECT * FROM audit WHERE what = ? ORDER BY seq", Acknowledged).Scan(&rows).Error; err != nil {
		return fmt.Errorf("what was acknowledged: %w", err)
	}
	var words []struct{ Subject, Digest, Reason string }
	if err := r.Raw("SELECT subject, digest, reason FROM acknowledged ORDER BY seq").Scan(&words).Error; err != nil {
		return fmt.Errorf("what was acknowledged: %w", err)
	}
	for i, f := range all {
		for _, row := range rows {
			if !d.keys.signed(row) {
				continue
			}
			key := d.keys.known[row.KeyID]
			if row.Digest != key.finding(f) {
				continue
			}
			all[i].Known = "acknowledged in row " + fmt.Sprint(row.Seq)
			for _, w := range words {
				if w.Digest == row.Digest && row.Outcome == key.value(w.Reason) {
					all[i].Known = w.Reason
				}
			}
		}
	}
	return nil
}

// keepKnown repeats, before rows up to one go for good, those that are still asked for.
func (d *DB) keepKnown(tx *gorm.DB, until int64) error {
	var rows []auditRow
	if err := tx.Raw("SELECT * FROM audit WHERE what IN ? AND seq <= ? ORDER BY seq", []string{Acknowledged, LinesSealed}, until).Scan(&rows).Error; err != nil {
		return err
	}
	for _, row := range rows {
		key := d.keys.current
		switch {
		case !d.keys.signed(row):
			continue
		case row.What == Acknowledged && row.KeyID != key.id:
			continue // its hashes are under a key of before: it is acknowledged anew
		}
		if err := d.audit(tx, entry{Who: row.Who, What: row.What, Subject: row.Subject, Digest: row.Digest, Outcome: row.Outcome}); err != nil {
			return err
		}
	}
	return nil
}
