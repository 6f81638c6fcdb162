package store

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"hermes/agent/run"
)

// Agree implements agent.Store.
func (s Runs) Agree(ctx context.Context, a run.Answer) ([]run.Answer, error) {
	var all []run.Answer
	err := s.db.write(ctx, func(tx *gorm.DB) error {
		q, err := question(tx, a.Question)
		switch {
		case err != nil:
			return err
		case q.Answer != nil:
			return run.ErrAnswered
		case a.At.After(q.Expires):
			return run.ErrExpired
		}
		if err := s.db.locked(tx, "agreements"); err != nil {
			return err
		}
		var bodies []string
		list := func() error {
			return tx.Raw("SELECT body FROM agreements WHERE question = ? ORDER BY seq", a.Question).Scan(&bodies).Error
		}
		if err := list(); err != nil {
			return err
		}
		body, err := encode(a)
		if err != nil {
			return fmt.Errorf("encode answer: %w", err)
		}
		res := tx.Exec("INSERT INTO agreements (question, person, choice, seq, at, body) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
			a.Question, plain(a.By), plain(a.Choice), len(bodies), at(a.At).or(s.db.now()), body)
		if res.Error != nil {
			return res.Error
		}
		if res.RowsAffected > 0 {
			if err := s.db.audit(tx, s.db.agreement(q, a)); err != nil {
				return err
			}
		}
		if err := list(); err != nil {
			return err
		}
		for _, b := range bodies {
			var x run.Answer
			if err := json.Unmarshal([]byte(b), &x); err != nil {
				return fmt.Errorf("agreement: %w", err)
			}
			is, err := s.db.told(tx, s.db.agreement(q, x))
			if err != nil {
				return err
			}
			if !is {
				s.db.cfg.Log.Error("an agreement in the database is not one that was given; it does not count", "question", q.ID, "person", x.By,
					"hint", "somebody has changed the table agreements: look at `hermes audit show --subject "+q.ID+"`, and at who can write to the database")
				continue
			}
			all = append(all, x)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("agree to %s: %w", a.Question, err)
	}
	return all, nil
}
