package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"gorm.io/gorm"
)

// An entry is one thing for the audit. It is written in the transaction that does
// what it tells, so neither is there without the other; and last in it, since from
// then on all other writers wait.
type entry struct {
	Who     string // person; empty for the program
	What    string
	Subject string // what it was done to
	Under   string // the question or grant that allowed it
	Part    string // the run or job
	Place   string
	Tool    string
	Digest  string
	Outcome string
}

// Errors of the audit.
var (
	// ErrBroken is wrapped by the Broken of Verify.
	ErrBroken = errors.New("audit does not hold together")
	// ErrAuditKey is wrapped by the Error of Open if the rows of the audit cannot be
	// made or verified with the keys that there are.
	ErrAuditKey = errors.New("key of the audit")
)

// audit adds a row at the end of the chain.
func (d *DB) audit(tx *gorm.DB, e entry) error {
	if err := d.locked(tx, "audit"); err != nil {
		return err
	}
	last, err := lastAudit(tx)
	if err != nil {
		return err
	}
	key := d.keys.current
	row := auditRow{
		Seq: last.Seq + 1, At: d.now(), Version: version2, KeyID: key.id, Prev: last.Hash,
		Who: e.Who, What: e.What, Subject: e.Subject, Under: e.Under, PartOf: e.Part, Place: e.Place, Tool: e.Tool, Digest: e.Digest, Outcome: e.Outcome,
	}
	for _, f := range row.fields() {
		if f != &row.What { // the program's own words
			*f = key.asID(d.asKept(*f))
		}
	}
	row.Hash = key.mac(row)
	if err := tx.Create(&row).Error; err != nil {
		return fmt.Errorf("audit %s: %w", e.What, err)
	}
	if err := d.moveHead(tx, last, row); err != nil {
		return fmt.Errorf("head of the audit: %w", err)
	}
	return nil
}

// asKept is a value as it reaches the database: the hash of a row is of that.
func (d *DB) asKept(s string) string {
	if d.cfg.Redact == nil {
		return s
	}
	return string(d.cfg.Redact.Document([]byte(s)))
}

// lastAudit is the newest row, or none with number 0.
func lastAudit(r *gorm.DB) (auditRow, error) {
	var rows []auditRow
	if err := r.Raw("SELECT * FROM audit ORDER BY seq DESC LIMIT 1").Scan(&rows).Error; err != nil {
		var seq []int64
		if r.Raw("SELECT MAX(seq) FROM audit").Scan(&seq).Error == nil && len(seq) > 0 {
			return auditRow{}, fmt.Errorf("last of audit: row %d cannot be read: %w", seq[0], err)
		}
		return auditRow{}, fmt.Errorf("last of audit: %w", err)
	}
	if len(rows) == 0 {
		return auditRow{}, nil
	}
	return rows[0], nil
}

// audited reports whether there is a row about that already: what may be done again
// after a crash is told once.
func audited(tx *gorm.DB, what, subject string) (bool, error) {
	var n int64
	err := tx.Raw("SELECT COUNT(*) FROM audit WHERE subject = ? AND what = ?", subject, what).Scan(&n).Error
	if err != nil {
		return false, fmt.Errorf("audit of %s: %w", subject, err)
	}
	return n > 0, nil
}

// openAudit reads the keys, and has the audit say of each grant all that it allows.
func (d *DB) openAudit(ctx context.Context) error {
	if err := d.openKeys(ctx); err != nil {
		return err
	}
	if err := d.sealLines(ctx); err != nil {
		return err
	}
	if err := d.vouchRaises(ctx); err != nil {
		return err
	}
	var n int64
	if err := d.r.WithContext(ctx).Raw("SELECT COUNT(*) FROM grants WHERE "+unvouched, Granted, GrantKept).Scan(&n).Error; err != nil || n == 0 {
		return wrapped(err, "grants of before")
	}
	return d.write(ctx, func(tx *gorm.DB) error {
		if err := d.locked(tx, "audit"); err != nil {
			return err
		}
		return d.vouch(tx)
	})
}

// openKeys goes on with a chain of version 1 or of another key. A chain that ends under a
// key that nobody has here is refused: a replica with a key of its own would make rows
// that the others cannot verify.
func (d *DB) openKeys(ctx context.Context) error {
	last, err := lastAudit(d.w.WithContext(ctx))
	if err != nil {
		return err
	}
	if d.keys, err = d.readKeys(last.Version < version2); err != nil {
		return err
	}
	_, known := d.keys.known[last.KeyID]
	switch {
	case last.Seq == 0 || last.KeyID == d.keys.current.id:
		return nil
	case last.Version >= version2 && !known && !d.keys.lost[last.KeyID]:
		return &Error{d.cfg.DSN, fmt.Errorf("%w: the audit goes on under key %s, and this is key %s", ErrAuditKey, last.KeyID, d.keys.current.id),
			"give every replica the same audit.key; after a change list the former one under audit.former_keys; if it is lost for good, write lost:" + last.KeyID + " there"}
	}
	return d.write(ctx, func(tx *gorm.DB) error {
		if err := d.locked(tx, "audit"); err != nil {
			return err
		}
		last, err := lastAudit(tx) // another replica may have been faster
		if err != nil || last.KeyID == d.keys.current.id {
			return err
		}
		if last.Version >= version2 {
			return d.audit(tx, entry{What: Rekeyed, Subject: d.keys.current.id, Digest: last.KeyID})
		}
		return d.seal(tx, last)
	})
}

// seal puts what was written before there was a key under one: from then on nobody can
// change it and make the plain hashes anew.
func (d *DB) seal(tx *gorm.DB, last auditRow) error {
	var old, keyed int64
	if err := tx.Raw("SELECT COUNT(*) FROM audit WHERE version = ?", version1).Scan(&old).Error; err != nil {
		return fmt.Errorf("count audit: %w", err)
	}
	if err := tx.Raw("SELECT COUNT(*) FROM audit WHERE version <> ?", version1).Scan(&keyed).Error; err != nil {
		return fmt.Errorf("count audit: %w", err)
	}
	if keyed > 0 {
		// A seal would make good what somebody has put in. Verify tells of it.
		d.cfg.Log.Error("the audit has rows that hermes has not written; `hermes audit verify` says which", "last", last.Seq)
		return nil
	}
	return d.audit(tx, entry{What: Sealed, Subject: strconv.FormatInt(last.Seq, 10), Digest: last.Hash, Outcome: strconv.FormatInt(old, 10)})
}
