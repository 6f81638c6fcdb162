package sample

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// TopUp brings the orders up to now. Whole days are there to stay; of today there
// is what has been ordered by this minute.
func (d *DB) TopUp(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	minute := wall(now)
	if !minute.After(d.until) {
		return nil
	}
	if err := d.topUp(ctx, minute); err != nil {
		return fmt.Errorf("fill sample: %w", err)
	}
	d.until = minute
	return nil
}

// wall is a time as the clock on the wall shows it, written in UTC, to the minute.
func wall(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), 0, 0, time.UTC)
}

// chunk is how many days go into one transaction: few enough that Close does not
// wait, and that a question about last month may be answered meanwhile.
const chunk = 200

func (d *DB) topUp(ctx context.Context, now time.Time) error {
	today := now.Truncate(24 * time.Hour)
	next, err := d.nextDay(ctx, today)
	if err != nil {
		return err
	}
	for next.Before(today) {
		end := next.AddDate(0, 0, chunk)
		if end.After(today) {
			end = today
		}
		if err := d.insert(ctx, next, end, 24*60); err != nil {
			return err
		}
		next = end
	}
	return d.insert(ctx, today, today.AddDate(0, 0, 1), now.Hour()*60+now.Minute())
}

// nextDay is the first day that is not whole yet.
func (d *DB) nextDay(ctx context.Context, today time.Time) (time.Time, error) {
	var last string
	err := d.db.QueryRowContext(ctx, "SELECT day FROM filled").Scan(&last)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Date(today.Year(), today.Month()-time.Month(d.months), 1, 0, 0, 0, 0, time.UTC), nil
	}
	if err != nil {
		return time.Time{}, err
	}
	day, err := time.Parse(time.DateOnly, last)
	return day.AddDate(0, 0, 1), err
}

// rowsAtOnce is where one statement of more rows is not faster any more
// (measured); SQLite takes 32,766 values in one.
const rowsAtOnce = 250

const width = 9

// insert adds the orders of the days from one up to another, of each day those
// before a minute. What is there already stays.
func (d *DB) insert(ctx context.Context, from, to time.Time, before int) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	many, err := tx.PrepareContext(ctx, statement(rowsAtOnce))
	if err != nil {
		return err
	}
	defer many.Close()
	values := make([]any, 0, rowsAtOnce*width)
	for day := from; day.Before(to); day = day.AddDate(0, 0, 1) {
		name := day.Format(time.DateOnly)
		for i, o := range ordersOf(seed, day) {
			if o.minute >= before {
				break
			}
			values = append(values, name, i+1, clockOf(o.minute), o.region, o.product, o.customer, o.quantity, o.amount, o.cost)
			if len(values) < rowsAtOnce*width {
				continue
			}
			if _, err := many.ExecContext(ctx, values...); err != nil {
				return err
			}
			values = values[:0]
		}
	}
	if len(values) > 0 {
		if _, err := tx.ExecContext(ctx, statement(len(values)/width), values...); err != nil {
			return err
		}
	}
	if before == 24*60 {
		if _, err := tx.ExecContext(ctx, "DELETE FROM filled"); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO filled VALUES (?)", to.AddDate(0, 0, -1).Format(time.DateOnly)); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func statement(rows int) string {
	row := ", (?" + strings.Repeat(", ?", width-1) + ")"
	return "INSERT OR IGNORE INTO orders VALUES " + strings.Repeat(row, rows)[2:]
}

func clockOf(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }
