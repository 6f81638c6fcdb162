package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"hermes/agent"
	"hermes/agent/run"
)

var _ agent.Treasury = Runs{}

// paid notes what a step of a Run has cost, in the transaction that saves it. A step
// may be saved again and cost more by then.
func paid(tx *gorm.DB, r run.Run, n int, now stamp) error {
	row, costs := spendOf(r, n, r.Steps[n-1], now)
	if !costs {
		return nil
	}
	err := tx.Exec(`INSERT INTO spend (run, n, at, asker, channel, workspace, job, tokens, nanos) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (run, n) DO UPDATE SET tokens = excluded.tokens, nanos = excluded.nanos WHERE spend.tokens <> excluded.tokens OR spend.nanos <> excluded.nanos`,
		row.Run, n, row.At, row.Asker, row.Channel, row.Workspace, row.Job, row.Tokens, row.Nanos).Error
	if err != nil {
		return fmt.Errorf("cost of step %d: %w", n, err)
	}
	return nil
}

// spendColumns are the columns by which what was spent is added up; those that a caller
// may name.
var spendColumns = map[string]string{"run": "run", "user": "asker", "channel": "channel", "workspace": "workspace", "job": "job"}

// spending is what of the table is added up.
func spending(r *gorm.DB, per string, from, until time.Time) (*gorm.DB, string, error) {
	q := r.Table("spend")
	column := spendColumns[per]
	if per != "" && column == "" {
		return nil, "", fmt.Errorf("nothing is spent per %q", per)
	}
	if !from.IsZero() {
		q = q.Where("at >= ?", at(from))
	}
	if !until.IsZero() {
		q = q.Where("at < ?", at(until))
	}
	return q, column, nil
}

// Spent implements agent.Treasury.
func (s Runs) Spent(ctx context.Context, per, of string, from, until time.Time) (run.Amount, error) {
	q, column, err := spending(s.db.r.WithContext(ctx), per, from, until)
	if err != nil {
		return run.Amount{}, err
	}
	switch column {
	case "":
	case "job": // the index is of jobs alone
		q = q.Where("job = ? AND job <> ''", of)
	default:
		q = q.Where(column+" = ?", plain(of))
	}
	return s.db.atLeast(ctx, func() (run.Amount, error) {
		var sum struct{ Tokens, Nanos int64 }
		if err := q.Select("CAST(COALESCE(SUM(tokens), 0) AS BIGINT) AS tokens, CAST(COALESCE(SUM(nanos), 0) AS BIGINT) AS nanos").Scan(&sum).Error; err != nil {
			return run.Amount{}, fmt.Errorf("spent per %s: %w", per, err)
		}
		return run.Amount{Tokens: sum.Tokens, Nanos: sum.Nanos}, nil
	}, per, of, from, until)
}

// Spenders implements agent.Treasury.
func (s Runs) Spenders(ctx context.Context, per string, from, until time.Time, n int) ([]string, error) {
	q, column, err := spending(s.db.r.WithContext(ctx), per, from, until)
	if err != nil || column == "" {
		return nil, err
	}
	var all []string
	err = q.Where(column+" <> ''").Group(column).Order("SUM(nanos) DESC, SUM(tokens) DESC, "+column).Limit(n).Pluck(column, &all).Error
	if err != nil {
		return nil, fmt.Errorf("who spent per %s: %w", per, err)
	}
	return all, nil
}
