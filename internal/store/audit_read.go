package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// An AuditFilter picks rows of the audit. What is empty picks all.
type AuditFilter struct {
	From, To           time.Time // from a time up to, and without, another
	Who, What, Subject string    // equal; a Subject may be a Part, an Under or a Place too
	After              int64     // rows with a greater number
	Before             int64     // rows with a lesser number
}

func (f AuditFilter) on(r *gorm.DB, key auditKey) *gorm.DB {
	if !f.From.IsZero() {
		r = r.Where("at >= ?", at(f.From))
	}
	if !f.To.IsZero() {
		r = r.Where("at < ?", at(f.To))
	}
	if f.Who != "" {
		r = r.Where("who = ?", key.asID(f.Who))
	}
	if f.What != "" {
		r = r.Where("what = ?", f.What)
	}
	if f.Subject != "" {
		id := key.asID(f.Subject)
		r = r.Where("(subject = ? OR part_of = ? OR under = ? OR place = ?)", id, id, id, id)
	}
	if f.After > 0 {
		r = r.Where("seq > ?", f.After)
	}
	if f.Before > 0 {
		r = r.Where("seq < ?", f.Before)
	}
	return r
}

// Audit returns the last n entries, the newest first.
func (j Journal) Audit(ctx context.Context, n int) ([]Entry, error) {
	return j.AuditOf(ctx, AuditFilter{}, n)
}

// AuditOf returns the last n entries that a filter picks, the newest first.
func (j Journal) AuditOf(ctx context.Context, f AuditFilter, n int) ([]Entry, error) {
	return j.entries(ctx, f, "seq DESC", n)
}

// AuditFrom returns the first n entries that a filter picks, the oldest first. Whoever
// wants more goes on After the last.
func (j Journal) AuditFrom(ctx context.Context, f AuditFilter, n int) ([]Entry, error) {
	return j.entries(ctx, f, "seq", n)
}

func (j Journal) entries(ctx context.Context, f AuditFilter, order string, n int) ([]Entry, error) {
	var rows []auditRow
	if err := f.on(j.db.r.WithContext(ctx), j.db.keys.current).Order(order).Limit(n).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("read audit: %w", err)
	}
	var es []Entry
	for _, r := range rows {
		es = append(es, r.entry())
	}
	return es, nil
}

// Head returns the newest row of the audit, with number 0 if there is none.
func (j Journal) Head(ctx context.Context) (Head, error) {
	last, err := lastAudit(j.db.r.WithContext(ctx))
	if err != nil {
		return Head{}, err
	}
	return Head{Seq: last.Seq, Hash: last.Hash, At: last.At.Time}, nil
}

// AuditKeyID returns the id of the key that new rows are under.
func (j Journal) AuditKeyID() string { return j.db.keys.current.id }
