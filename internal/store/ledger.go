package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"hermes/bot"
)

// Ledger is a bot.Ledger.
type Ledger struct{ db *DB }

var _ bot.Ledger = Ledger{}

// Ledger returns what is remembered beside the work.
func (d *DB) Ledger() Ledger { return Ledger{d} }

// Once implements bot.Ledger.
func (l Ledger) Once(ctx context.Context, name, key string, when time.Time, every time.Duration) (bool, error) {
	var holds []string
	name, key = plain(name), plain(key)
	err := l.db.write(ctx, func(tx *gorm.DB) error {
		err := tx.Exec(`INSERT INTO marks (name, key, at) VALUES (?, ?, ?)
			ON CONFLICT (name) DO UPDATE SET key = excluded.key, at = excluded.at WHERE marks.at <= ?`, name, key, at(when), at(when.Add(-every))).Error
		if err != nil {
			return err
		}
		return tx.Raw("SELECT key FROM marks WHERE name = ?", name).Scan(&holds).Error
	})
	if err != nil {
		return false, fmt.Errorf("mark %s: %w", name, err)
	}
	return len(holds) > 0 && holds[0] == key, nil
}

// Rate implements bot.Ledger.
func (l Ledger) Rate(ctx context.Context, r bot.Rating) error {
	err := l.db.commit(ctx, func(w *gorm.DB) error {
		return w.Exec(`INSERT INTO feedback (run, person, good, at) VALUES (?, ?, ?, ?)
			ON CONFLICT (run, person) DO UPDATE SET good = excluded.good, at = excluded.at WHERE feedback.at <= excluded.at`,
			r.Run, plain(r.Person), number(r.Good), at(r.At).or(l.db.now())).Error
	})
	if err != nil {
		return fmt.Errorf("judgement on %s: %w", r.Run, err)
	}
	return nil
}

// Ratings returns what people think of the answer of a run, the oldest first.
func (j Journal) Ratings(ctx context.Context, key string) ([]bot.Rating, error) {
	var rows []struct {
		Person string
		Good   int
		At     stamp
	}
	err := j.db.r.WithContext(ctx).Raw("SELECT person, good, at FROM feedback WHERE run = ? ORDER BY at, person", key).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("judgements on %s: %w", key, err)
	}
	var all []bot.Rating
	for _, r := range rows {
		all = append(all, bot.Rating{Run: key, Person: r.Person, Good: r.Good != 0, At: r.At.Time})
	}
	return all, nil
}
