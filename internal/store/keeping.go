package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"hermes/memory"
)

// Touch implements memory.Store. A use that is lost with the power is no loss.
func (s Facts) Touch(ctx context.Context, uses []memory.Use) error {
	err := s.db.precede(ctx, func(tx *gorm.DB) error {
		for _, u := range uses {
			err := tx.Exec("UPDATE facts SET used = ?, hits = hits + ?, expires = ? WHERE id = ? AND status IN ('active', 'disputed')",
				at(u.At), u.Times, at(u.Expires), u.ID).Error
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("touch %d facts: %w", len(uses), err)
	}
	return nil
}

// Sweep implements memory.Store.
func (s Facts) Sweep(ctx context.Context, w memory.Sweep) (memory.Swept, error) {
	var out memory.Swept
	err := s.db.write(ctx, func(tx *gorm.DB) error {
		now, history := at(w.Now), at(w.History)
		for _, step := range []struct {
			n    *int
			text string
			args []any
		}{
			{&out.Expired, "UPDATE facts SET status = 'expired', closed = ? WHERE status IN ('active', 'disputed') AND expires <= ?", []any{now, now}},
			{&out.Archived, "UPDATE facts SET status = 'archived', closed = ? WHERE status = 'active' AND said <= ? AND (used IS NULL OR used <= ?)", []any{now, at(w.Unused), at(w.Unused)}},
			{&out.Over, `UPDATE facts SET status = 'archived', closed = ? WHERE seq IN (SELECT seq FROM (
				SELECT seq, ROW_NUMBER() OVER (PARTITION BY audience, audience_kind ORDER BY COALESCE(used, said) DESC, seq DESC) AS n
				FROM facts WHERE status = 'active') AS ranked WHERE n > ?)`, []any{now, w.PerScope}},
			{nil, `UPDATE conflicts SET settled = 'expired', at = ? WHERE settled = '' AND EXISTS (
				SELECT 1 FROM facts f WHERE f.id IN (conflicts.old_fact, conflicts.new_fact) AND f.status NOT IN ('active', 'disputed'))`, []any{now}},
			{nil, `UPDATE facts SET status = 'active' WHERE status = 'disputed' AND NOT EXISTS (
				SELECT 1 FROM conflicts c WHERE c.settled = '' AND (c.old_fact = facts.id OR c.new_fact = facts.id))`, nil},
			{nil, `DELETE FROM conflicts WHERE EXISTS (SELECT 1 FROM facts f WHERE f.id IN (conflicts.old_fact, conflicts.new_fact)
				AND f.status NOT IN ('active', 'disputed') AND f.closed <= ?)`, []any{history}},
			{&out.Deleted, "DELETE FROM facts WHERE status NOT IN ('active', 'disputed') AND closed <= ?", []any{history}},
		} {
			res := tx.Exec(step.text, step.args...)
			if res.Error != nil {
				return res.Error
			}
			if step.n != nil {
				*step.n = int(res.RowsAffected)
			}
		}
		return s.endEpisodes(tx, now)
	})
	if err != nil {
		return memory.Swept{}, fmt.Errorf("sweep facts: %w", err)
	}
	return out, nil
}

// endEpisodes deletes what is over, with its words.
func (s Facts) endEpisodes(tx *gorm.DB, now stamp) error {
	if !s.db.postgres {
		if err := tx.Exec("DELETE FROM episode_words WHERE rowid IN (SELECT seq FROM episodes WHERE expires <= ?)", now).Error; err != nil {
			return err
		}
	}
	return tx.Exec("DELETE FROM episodes WHERE expires <= ?", now).Error
}

// Restore implements memory.Store.
func (s Facts) Restore(ctx context.Context, id string, when, expires time.Time) error {
	err := s.db.commit(ctx, func(w *gorm.DB) error {
		return w.Exec("UPDATE facts SET status = 'active', closed = NULL, used = ?, expires = ? WHERE id = ? AND status IN ('archived', 'expired')",
			at(when), at(expires), id).Error
	})
	if err != nil {
		return fmt.Errorf("restore fact %s: %w", id, err)
	}
	return nil
}

// Disputes implements memory.Store.
func (s Facts) Disputes(ctx context.Context, before time.Time) ([]memory.Conflict, error) {
	r := s.db.r.WithContext(ctx)
	var ids []string
	err := r.Raw(`SELECT c.id FROM conflicts c JOIN facts f ON f.id = c.new_fact WHERE c.settled = '' AND c.asked IS NULL AND f.said <= ? ORDER BY c.id`, at(before)).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("open conflicts: %w", err)
	}
	var open []memory.Conflict
	for _, id := range ids {
		c, err := conflict(r, id)
		if err != nil {
			return nil, fmt.Errorf("conflict %s: %w", id, err)
		}
		ours := 0
		for _, f := range []string{c.Old.ID, c.New.ID} {
			_, found, err := s.Fact(ctx, f)
			if err != nil {
				return nil, err
			}
			if found {
				ours++
			}
		}
		if ours == 2 { // nobody is asked about what hermes has not written
			open = append(open, c)
		}
	}
	return open, nil
}

// Asked implements memory.Store.
func (s Facts) Asked(ctx context.Context, id string, when time.Time) error {
	err := s.db.commit(ctx, func(w *gorm.DB) error {
		return w.Exec("UPDATE conflicts SET asked = ? WHERE id = ?", at(when), id).Error
	})
	if err != nil {
		return fmt.Errorf("note that conflict %s is asked about: %w", id, err)
	}
	return nil
}
