package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"hermes/agent"
	"hermes/agent/run"
	"hermes/bot"
)

var _ agent.Treasury = Runs{}

// paid notes what a step of a Run has cost, in the transaction that saves it. A step
// may be saved again and cost more by then.
func paid(tx *gorm.DB, r run.Run, n int, now stamp) error {
	s := r.Steps[n-1]
	cost := run.AmountOf(run.UsageOf([]run.Step{s}))
	if cost == (run.Amount{}) {
		return nil
	}
	var channel, workspace string
	if p, err := bot.ParsePlace(r.Home); err == nil {
		workspace = p.Platform + ":" + p.Workspace
		channel = workspace + ":" + p.Channel
	}
	err := tx.Exec(`INSERT INTO spend (run, n, at, asker, channel, workspace, job, tokens, nanos) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (run, n) DO UPDATE SET tokens = excluded.tokens, nanos = excluded.nanos WHERE spend.tokens <> excluded.tokens OR spend.nanos <> excluded.nanos`,
		r.Key, n, at(s.At).or(now), plain(r.Asker), plain(channel), plain(workspace), r.Job, cost.Tokens, cost.Nanos).Error
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
	var sum struct{ Tokens, Nanos int64 }
	if err := q.Select("CAST(COALESCE(SUM(tokens), 0) AS BIGINT) AS tokens, CAST(COALESCE(SUM(nanos), 0) AS BIGINT) AS nanos").Scan(&sum).Error; err != nil {
		return run.Amount{}, fmt.Errorf("spent per %s: %w", per, err)
	}
	return run.Amount{Tokens: sum.Tokens, Nanos: sum.Nanos}, nil
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

// period is how a raise names one: by its beginning.
func periodOf(from time.Time) string {
	if from.IsZero() {
		return ""
	}
	return at(from).Format(layout)
}

// Raised implements agent.Treasury.
func (s Runs) Raised(ctx context.Context, budget, of string, from time.Time) (run.Raise, bool, error) {
	var rows []struct {
		Key, ByWhom   string
		Tokens, Nanos int64
		At            stamp
	}
	err := s.db.r.WithContext(ctx).Raw("SELECT key, tokens, nanos, by_whom, at FROM raises WHERE budget = ? AND of_whom = ? AND period = ? ORDER BY seq DESC LIMIT 1",
		budget, plain(of), periodOf(from)).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return run.Raise{}, false, wrapped(err, "limit of "+budget)
	}
	row := rows[0]
	return run.Raise{
		Key: row.Key, Budget: budget, Of: of, From: from, Limit: run.Amount{Tokens: row.Tokens, Nanos: row.Nanos}, By: row.ByWhom, At: row.At.Time,
	}, true, nil
}

// Raise implements agent.Treasury, and tells the audit.
func (s Runs) Raise(ctx context.Context, r run.Raise) error {
	d := s.db
	err := d.write(ctx, func(tx *gorm.DB) error {
		res := tx.Exec(`INSERT INTO raises (key, budget, of_whom, period, tokens, nanos, by_whom, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
			plain(r.Key), r.Budget, plain(r.Of), periodOf(r.From), r.Limit.Tokens, r.Limit.Nanos, plain(r.By), at(r.At).or(d.now()))
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		return d.audit(tx, entry{
			Who: r.By, What: BudgetRaised, Subject: run.Purse{Budget: r.Budget, Of: r.Of}.Name(), Part: raisedRun(r), Outcome: raisedTo(r.Limit),
		})
	})
	return wrapped(err, "raise "+r.Budget)
}

// raisedRun is the run that a raise is for, if it is for one.
func raisedRun(r run.Raise) string {
	if r.Budget == "run" {
		return r.Of
	}
	return ""
}

// raisedTo is a limit as the audit has it: "usd:10.00", "tokens:200000".
func raisedTo(a run.Amount) string {
	text := ""
	if a.Nanos > 0 {
		text = fmt.Sprintf("usd:%.4f", float64(a.Nanos)/1e9)
	}
	if a.Tokens > 0 {
		if text != "" {
			text += ","
		}
		text += fmt.Sprintf("tokens:%d", a.Tokens)
	}
	return text
}
