package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// An entry is one thing for the audit. It is written in the transaction that does
// what it tells, so neither is there without the other.
type entry struct {
	Who     string // person; empty for the program
	What    string
	Subject string // what it was done to: a question, a grant, a post, a job, a fact
	Under   string // the question or grant that allowed it
	Detail  string
}

// An Entry is one row of the audit: what was done, by whom, and what allowed it.
type Entry struct {
	Seq                               int64
	At                                time.Time
	Who, What, Subject, Under, Detail string
	Hash                              string
}

// ErrBroken is returned by Verify for an audit in which a row was changed or taken
// out.
var ErrBroken = errors.New("audit does not hold together")

type auditRow struct {
	Seq                               int64 `gorm:"primaryKey;autoIncrement"`
	At                                stamp
	Who, What, Subject, Under, Detail string
	Prev, Hash                        string
}

// TableName implements gorm's Tabler.
func (auditRow) TableName() string { return "audit" }

// sum is over the row before and all of this one but its number.
func (r auditRow) sum() (string, error) {
	b, err := json.Marshal([]string{r.Prev, r.At.Format(layout), r.Who, r.What, r.Subject, r.Under, r.Detail})
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), err
}

func (d *DB) audit(tx *gorm.DB, e entry) error {
	if err := d.locked(tx, "audit"); err != nil {
		return err
	}
	var prev []string
	if err := tx.Raw("SELECT hash FROM audit ORDER BY seq DESC LIMIT 1").Scan(&prev).Error; err != nil {
		return fmt.Errorf("last of audit: %w", err)
	}
	row := auditRow{At: d.now(), Who: plain(e.Who), What: e.What, Subject: plain(e.Subject), Under: plain(e.Under), Detail: plain(e.Detail)}
	if len(prev) > 0 {
		row.Prev = prev[0]
	}
	var err error
	if row.Hash, err = row.sum(); err != nil {
		return fmt.Errorf("hash of audit: %w", err)
	}
	if err := tx.Create(&row).Error; err != nil {
		return fmt.Errorf("audit %s: %w", e.What, err)
	}
	return nil
}

// Audit returns the last n entries, the newest first.
func (j Journal) Audit(ctx context.Context, n int) ([]Entry, error) {
	var rows []auditRow
	if err := j.db.r.WithContext(ctx).Order("seq DESC").Limit(n).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("read audit: %w", err)
	}
	var es []Entry
	for _, r := range rows {
		es = append(es, Entry{r.Seq, r.At.Time, r.Who, r.What, r.Subject, r.Under, r.Detail, r.Hash})
	}
	return es, nil
}

// Verify goes through the whole audit and returns how many entries it has, or
// ErrBroken with the first that does not fit. An end that was cut off does not
// show: whoever must know that keeps the last Hash elsewhere.
func (j Journal) Verify(ctx context.Context) (int, error) {
	rows, err := j.db.r.WithContext(ctx).Model(&auditRow{}).Order("seq").Rows()
	if err != nil {
		return 0, fmt.Errorf("read audit: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err tells what matters
	n, prev := 0, ""
	for rows.Next() {
		var r auditRow
		if err := j.db.r.ScanRows(rows, &r); err != nil {
			return n, fmt.Errorf("read audit: %w", err)
		}
		sum, err := r.sum()
		if err != nil {
			return n, fmt.Errorf("hash of audit: %w", err)
		}
		if r.Prev != prev || r.Hash != sum {
			return n, fmt.Errorf("%w: entry %d (%s %s)", ErrBroken, r.Seq, r.What, r.Subject)
		}
		n, prev = n+1, r.Hash
	}
	return n, rows.Err()
}
