package store

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"
)

// Prune takes out the rows before a time, once all of the audit has been verified, and
// leaves one that says so: with it the rest verifies. It returns how many are gone.
func (j Journal) Prune(ctx context.Context, before time.Time, by string) (int64, error) {
	if _, err := j.Verify(ctx); err != nil {
		return 0, err
	}
	d, gone := j.db, int64(0)
	err := d.write(ctx, func(tx *gorm.DB) error {
		if err := d.locked(tx, "audit"); err != nil {
			return err
		}
		var first, last []auditRow // the first that stays, and the last that goes
		if err := tx.Raw("SELECT * FROM audit WHERE at >= ? ORDER BY seq LIMIT 1", at(before)).Scan(&first).Error; err != nil {
			return err
		}
		keeps := int64(1 << 62) // a clock may have gone backwards: only what stands before all that stays
		if len(first) > 0 {
			keeps = first[0].Seq
		}
		if err := tx.Raw("SELECT * FROM audit WHERE seq < ? ORDER BY seq DESC LIMIT 1", keeps).Scan(&last).Error; err != nil || len(last) == 0 {
			return err
		}
		if err := d.keepGiven(tx, last[0].Seq); err != nil {
			return fmt.Errorf("grants that stand: %w", err)
		}
		if err := d.keepRaised(tx, last[0].Seq); err != nil {
			return fmt.Errorf("raises that count: %w", err)
		}
		if err := d.keepKnown(tx, last[0].Seq); err != nil {
			return fmt.Errorf("what is known: %w", err)
		}
		until := strconv.FormatInt(last[0].Seq, 10)
		if err := d.audit(tx, entry{Who: by, What: Pruned, Subject: until, Digest: last[0].Hash}); err != nil {
			return err
		}
		return d.unguarded(tx, func() error {
			res := tx.Exec("DELETE FROM audit WHERE seq <= ?", last[0].Seq)
			gone = res.RowsAffected
			return res.Error
		})
	})
	if err != nil {
		return 0, fmt.Errorf("prune audit: %w", err)
	}
	return gone, nil
}

// unguarded does something to the audit that its triggers refuse, and has them back
// before the transaction ends.
func (d *DB) unguarded(tx *gorm.DB, do func() error) error {
	if d.postgres {
		if err := tx.Exec("ALTER TABLE audit DISABLE TRIGGER audit_unchanged").Error; err != nil {
			return err
		}
		if err := do(); err != nil {
			return err
		}
		return tx.Exec("ALTER TABLE audit ENABLE TRIGGER audit_unchanged").Error
	}
	var guard []string
	if err := tx.Raw("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'audit_undeleted'").Scan(&guard).Error; err != nil || len(guard) != 1 {
		return fmt.Errorf("trigger audit_undeleted: %d found: %w", len(guard), err)
	}
	if err := tx.Exec("DROP TRIGGER audit_undeleted").Error; err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return tx.Exec(guard[0]).Error
}
