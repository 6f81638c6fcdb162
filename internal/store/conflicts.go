package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"hermes/memory"
)

type conflictRow struct {
	ID, OldFact, NewFact, Settled, ByWhom string
	At                                    stamp
}

// Dispute implements memory.Store. A Conflict that it knows is not opened again.
func (s Facts) Dispute(ctx context.Context, c memory.Conflict) error {
	err := s.db.write(ctx, func(tx *gorm.DB) error {
		if err := s.put(tx, c.New); err != nil {
			return err
		}
		res := tx.Exec(`INSERT INTO conflicts (id, old_fact, new_fact, settled, by_whom, opened) VALUES (?, ?, ?, '', '', ?)
			ON CONFLICT (id) DO NOTHING`, c.ID, c.Old.ID, c.New.ID, s.db.now())
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		return tx.Exec("UPDATE facts SET status = 'disputed' WHERE id IN ? AND status <> 'superseded'", []string{c.Old.ID, c.New.ID}).Error
	})
	if err != nil {
		return fmt.Errorf("keep conflict %s: %w", c.ID, err)
	}
	return nil
}

// Close implements memory.Store.
func (s Facts) Close(ctx context.Context, id string, choice memory.Choice, by string, when time.Time) (memory.Conflict, error) {
	var c memory.Conflict
	err := s.db.write(ctx, func(tx *gorm.DB) error {
		res := tx.Exec("UPDATE conflicts SET settled = ?, by_whom = ?, at = ? WHERE id = ? AND settled = ''",
			string(choice), by, at(when).or(s.db.now()), id)
		if res.Error != nil {
			return res.Error
		}
		var err error
		if c, err = conflict(tx, id); err != nil {
			return err
		}
		if res.RowsAffected == 0 {
			return memory.ErrSettled
		}
		if err := s.settle(tx, c, at(when).or(s.db.now())); err != nil {
			return err
		}
		c, err = conflict(tx, id)
		return err
	})
	if err != nil {
		return c, fmt.Errorf("settle conflict %s: %w", id, err)
	}
	return c, nil
}

// settle sets what a settled conflict means for its facts.
func (s Facts) settle(tx *gorm.DB, c memory.Conflict, when stamp) error {
	switch memory.Choice(c.Settled) {
	case memory.KeepOld:
		if err := supersede(tx, c.New.ID, c.Old.ID, when); err != nil {
			return err
		}
	case memory.TakeNew:
		if err := supersede(tx, c.Old.ID, c.New.ID, when); err != nil {
			return err
		}
	case memory.KeepBoth:
	default:
		return fmt.Errorf("no choice %q", c.Settled)
	}
	return peace(tx, []string{c.Old.ID, c.New.ID})
}

// peace makes those of the facts active that no open conflict disputes any more.
func peace(tx *gorm.DB, ids []string) error {
	return tx.Exec(`UPDATE facts SET status = 'active' WHERE id IN ? AND status = 'disputed' AND NOT EXISTS (
		SELECT 1 FROM conflicts c WHERE c.settled = '' AND (c.old_fact = facts.id OR c.new_fact = facts.id))`, ids).Error
}

func conflict(tx *gorm.DB, id string) (memory.Conflict, error) {
	var rows []conflictRow
	if err := tx.Raw("SELECT id, old_fact, new_fact, settled, by_whom, at FROM conflicts WHERE id = ?", id).Scan(&rows).Error; err != nil {
		return memory.Conflict{}, err
	}
	if len(rows) == 0 {
		return memory.Conflict{}, memory.ErrNoConflict
	}
	row := rows[0]
	c := memory.Conflict{ID: row.ID, Settled: row.Settled, By: row.ByWhom, At: row.At.Time}
	fs, err := facts(tx, "r.id IN ?", []string{row.OldFact, row.NewFact})
	for _, f := range fs {
		if f.ID == row.OldFact {
			c.Old = f
		}
		if f.ID == row.NewFact {
			c.New = f
		}
	}
	return c, err
}

// Delete implements memory.Store. Who was forgotten about what stays nowhere: the
// audit has the ids alone.
func (s Facts) Delete(ctx context.Context, ids []string) ([]memory.Fact, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var gone []memory.Fact
	err := s.db.write(ctx, func(tx *gorm.DB) error {
		var err error
		if ids, err = withHistory(tx, ids); err != nil {
			return err
		}
		if gone, err = facts(tx, "r.id IN ?"+newest, ids); err != nil || len(gone) == 0 {
			return err
		}
		return s.delete(tx, ids, gone)
	})
	if err != nil {
		return nil, fmt.Errorf("delete facts: %w", err)
	}
	if len(gone) > 0 {
		s.db.scour(ctx)
	}
	return gone, nil
}

// scour takes what was deleted out of the files of SQLite as well: out of the index of
// words, whose old parts have it until they are merged, and out of the log, which has it
// until it is begun anew. It is gone from the database whatever becomes of this.
func (d *DB) scour(ctx context.Context) {
	if d.postgres {
		return
	}
	for _, text := range []string{"INSERT INTO episode_words (episode_words) VALUES ('optimize')", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if err := d.commit(ctx, func(w *gorm.DB) error { return w.Exec(text).Error }); err != nil {
			d.cfg.Log.Warn("what was forgotten is deleted, and still in the files of the database until they are written anew", "err", err)
			return
		}
	}
}

// withHistory adds to ids those of the facts that they replaced, and so on.
func withHistory(tx *gorm.DB, ids []string) ([]string, error) {
	all, last := slices.Clone(ids), ids
	for len(last) > 0 {
		var found []string
		if err := tx.Raw("SELECT id FROM facts WHERE replaced_by IN ?", last).Scan(&found).Error; err != nil {
			return nil, err
		}
		last = nil
		for _, id := range found {
			if !slices.Contains(all, id) {
				all, last = append(all, id), append(last, id)
			}
		}
	}
	return all, nil
}

func (s Facts) delete(tx *gorm.DB, ids []string, gone []memory.Fact) error {
	var sides []conflictRow
	if err := tx.Raw("DELETE FROM conflicts WHERE old_fact IN ? OR new_fact IN ? RETURNING old_fact, new_fact", ids, ids).Scan(&sides).Error; err != nil {
		return err
	}
	if err := tx.Exec("DELETE FROM facts WHERE id IN ?", ids).Error; err != nil {
		return err
	}
	for _, c := range sides {
		if err := peace(tx, []string{c.OldFact, c.NewFact}); err != nil {
			return err
		}
	}
	if err := s.forgetEpisodes(tx, gone); err != nil {
		return err
	}
	for _, f := range gone {
		if err := s.db.audit(tx, entry{Who: f.By, What: FactDeleted, Subject: f.ID}); err != nil {
			return err
		}
	}
	return nil
}

// telling is how long words must be to be looked for in what happened: "csv" is in what
// has nothing to do with it.
const telling = 8

// forgetEpisodes deletes what happened with one who is forgotten something, as far as it
// holds the words.
func (s Facts) forgetEpisodes(tx *gorm.DB, gone []memory.Fact) error {
	in := "INSTR"
	if s.db.postgres {
		in = "STRPOS"
	}
	for _, f := range gone {
		for _, words := range []string{f.Text, f.Object} {
			if len([]rune(words)) < telling {
				continue
			}
			where := "who = ? AND (" + in + "(text, ?) > 0 OR " + in + "(asked, ?) > 0 OR " + in + "(outcome, ?) > 0 OR " + in + "(steps, ?) > 0)"
			args := []any{f.By, words, words, words, words}
			if !s.db.postgres {
				if err := tx.Exec("DELETE FROM episode_words WHERE rowid IN (SELECT seq FROM episodes WHERE "+where+")", args...).Error; err != nil {
					return err
				}
			}
			if err := tx.Exec("DELETE FROM episodes WHERE "+where, args...).Error; err != nil {
				return err
			}
		}
	}
	return nil
}
