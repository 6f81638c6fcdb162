package store

import (
	"context"
	"slices"
	"sync"
	"time"

	"gorm.io/gorm"

	"hermes/agent/run"
)

// pledges are those of the one process that has a file; replicas that share a database
// have a table.
type pledges struct {
	mu  sync.Mutex
	all []run.Pledge
}

// pledgeLives is longer than a call of a model may take with all its tries: of a replica
// that has died nothing is held against the others for longer.
const pledgeLives = 15 * time.Minute

// Pledge implements agent.Treasury. Their order is that in which they can be seen, so of
// two at once one sees the other.
func (s Runs) Pledge(ctx context.Context, p run.Pledge) ([]run.Pledge, error) {
	d := s.db
	if !d.postgres {
		d.pledged.mu.Lock()
		defer d.pledged.mu.Unlock()
		before := slices.Clone(d.pledged.all)
		d.pledged.all = append(d.pledged.all, p)
		return before, nil
	}
	var rows []struct {
		Run, Asker, Home, Job string
		Tokens, Nanos         int64
	}
	err := d.precede(ctx, func(tx *gorm.DB) error {
		if err := d.locked(tx, "pledges"); err != nil {
			return err
		}
		if err := tx.Exec("DELETE FROM pledges WHERE until <= ?", d.now()).Error; err != nil {
			return err
		}
		if err := tx.Raw("SELECT run, asker, home, job, tokens, nanos FROM pledges ORDER BY seq").Scan(&rows).Error; err != nil {
			return err
		}
		return tx.Exec("INSERT INTO pledges (run, asker, home, job, tokens, nanos, until) VALUES (?, ?, ?, ?, ?, ?, ?)",
			plain(p.Run), plain(p.Asker), plain(p.Home), p.Job, p.Cost.Tokens, p.Cost.Nanos, at(d.now().Add(pledgeLives))).Error
	})
	var before []run.Pledge
	for _, r := range rows {
		before = append(before, run.Pledge{Run: r.Run, Asker: r.Asker, Home: r.Home, Job: r.Job, Cost: run.Amount{Tokens: r.Tokens, Nanos: r.Nanos}})
	}
	return before, wrapped(err, "pledge of run "+p.Run)
}

// Redeem implements agent.Treasury.
func (s Runs) Redeem(ctx context.Context, key string) error {
	d := s.db
	if !d.postgres {
		d.pledged.mu.Lock()
		defer d.pledged.mu.Unlock()
		d.pledged.all = slices.DeleteFunc(d.pledged.all, func(p run.Pledge) bool { return p.Run == key })
		return nil
	}
	return wrapped(d.precede(ctx, func(tx *gorm.DB) error {
		return tx.Exec("DELETE FROM pledges WHERE run = ?", plain(key)).Error
	}), "pledges of run "+key)
}
