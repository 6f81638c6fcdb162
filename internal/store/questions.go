package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"hermes/agent/run"
)

// asked is a question with its answer and its cards, as questionColumns reads it.
type asked struct {
	ID      string
	State   string
	Body    string
	Answer  string // JSON; empty while it is open
	Expires stamp
}

const questionColumns = `SELECT q.id, q.state, q.body, q.expires, COALESCE(a.body, '') AS answer
	FROM questions q LEFT JOIN answers a ON a.question = q.id `

// ask keeps a new question.
func (d *DB) ask(tx *gorm.DB, q run.Question, now stamp) error {
	body, err := encode(q)
	if err != nil {
		return fmt.Errorf("encode question %s: %w", q.ID, err)
	}
	res := tx.Exec(`INSERT INTO questions (id, run, home, asked, kind, state, expires, body, added) VALUES (?, ?, ?, ?, ?, 'open', ?, ?, ?)
		ON CONFLICT (id) DO NOTHING`, q.ID, q.Run, q.Home, q.Asked, string(q.Kind), at(q.Expires).or(now), body, now)
	if res.Error != nil {
		return fmt.Errorf("question %s: %w", q.ID, res.Error)
	}
	if res.RowsAffected == 0 || q.Kind != run.Approve {
		return nil
	}
	return d.seals(tx, q.ID)
}

// questions returns those that a condition picks, in its order.
func questions(r *gorm.DB, where string, args ...any) ([]run.Question, error) {
	var rows []asked
	if err := r.Raw(questionColumns+where, args...).Scan(&rows).Error; err != nil {
		return nil, err
	}
	var qs []run.Question
	for _, row := range rows {
		var q run.Question
		if err := json.Unmarshal([]byte(row.Body), &q); err != nil {
			return nil, fmt.Errorf("question %s: %w", row.ID, err)
		}
		if row.Answer != "" {
			q.Answer = &run.Answer{}
			if err := json.Unmarshal([]byte(row.Answer), q.Answer); err != nil {
				return nil, fmt.Errorf("answer of %s: %w", row.ID, err)
			}
		}
		q.Cards = nil
		qs = append(qs, q)
	}
	return qs, cards(r, qs)
}

// cards adds where the questions are shown.
func cards(r *gorm.DB, qs []run.Question) error {
	if len(qs) == 0 {
		return nil
	}
	of := map[string]*run.Question{}
	ids := make([]string, len(qs))
	for i := range qs {
		ids[i], of[qs[i].ID] = qs[i].ID, &qs[i]
	}
	var rows []struct{ Question, Ref string }
	err := r.Raw("SELECT question, ref FROM receipts WHERE question IN ? AND question <> '' AND ref <> '' ORDER BY seq", ids).Scan(&rows).Error
	for _, row := range rows {
		q := of[row.Question]
		q.Cards = append(q.Cards, row.Ref)
	}
	return err
}

func question(r *gorm.DB, id string) (run.Question, error) {
	qs, err := questions(r, "WHERE q.id = ?", id)
	if err == nil && len(qs) == 0 {
		err = run.ErrNoQuestion
	}
	if err != nil {
		return run.Question{}, err
	}
	return qs[0], nil
}

// Question implements agent.Store.
func (s Runs) Question(ctx context.Context, id string) (run.Question, error) {
	r := s.db.r.WithContext(ctx)
	q, err := question(r, id)
	if err == nil {
		err = s.db.decided(r, &q)
	}
	if err != nil {
		return q, fmt.Errorf("question %s: %w", id, err)
	}
	return q, nil
}

// Open implements agent.Store.
func (s Runs) Open(ctx context.Context, home string) ([]run.Question, error) {
	qs, err := questions(s.db.r.WithContext(ctx), `JOIN runs r ON r.key = q.run
		WHERE q.state = 'open' AND q.home = ? AND r.state IN ('working', 'waiting', 'delivering') ORDER BY q.seq DESC`, home)
	if err != nil {
		return nil, fmt.Errorf("open questions at %s: %w", home, err)
	}
	return qs, nil
}

// Overdue implements agent.Store.
func (s Runs) Overdue(ctx context.Context, before time.Time) ([]run.Question, error) {
	qs, err := questions(s.db.r.WithContext(ctx), "WHERE q.state = 'open' AND q.expires < ? ORDER BY q.expires", at(before))
	if err != nil {
		return nil, fmt.Errorf("overdue questions: %w", err)
	}
	return qs, nil
}

// Settle implements agent.Store. An Answer given after the question has expired gets
// run.ErrExpired, by its own time: one that was only read late counts, unless the
// house has given run.Late meanwhile.
func (s Runs) Settle(ctx context.Context, a run.Answer) (run.Question, error) {
	var q run.Question
	err := s.db.write(ctx, func(tx *gorm.DB) error {
		var err error
		if q, err = question(tx, a.Question); err != nil {
			return err
		}
		if q.Answer == nil && a.At.After(q.Expires) {
			return run.ErrExpired
		}
		if q.Answer == nil {
			decided, err := s.db.settledOnce(tx, q.ID)
			won := false
			if err == nil && !decided {
				won, err = s.settle(tx, q, a)
			}
			if err != nil || won {
				if q.Answer = &a; err == nil {
					err = s.db.resume(tx, q, a)
				}
				return err
			}
			// Another replica was faster.
			if q, err = question(tx, a.Question); err != nil {
				return err
			}
			if decided && q.Answer == nil {
				s.db.cfg.Log.Error("a question was decided before, and its row says that it is open; it stays decided", "question", q.ID,
					"hint", "somebody has changed the tables questions and answers: look at `hermes audit show --subject "+q.ID+"`, and at who can write to the database")
				return run.ErrAnswered
			}
		}
		if q.Answer == nil {
			return errors.New("it is neither open nor answered")
		}
		if q.Answer.Key != a.Key {
			return run.ErrAnswered
		}
		return nil
	})
	if err != nil {
		return q, fmt.Errorf("settle question %s: %w", a.Question, err)
	}
	s.db.inbox.wake()
	return q, nil
}

// settledOnce reports whether a question was decided by the audit. If its row is open all the
// same, another replica has decided it a moment ago, or somebody has put it back: what was
// decided once does not happen again.
func (d *DB) settledOnce(tx *gorm.DB, id string) (bool, error) {
	var rows []auditRow
	err := tx.Raw("SELECT * FROM audit WHERE subject = ? AND what IN ?", d.keys.current.asID(d.asKept(id)), []string{Approved, Denied, Answered, CalledOff, Expired}).Scan(&rows).Error
	if err != nil {
		return false, fmt.Errorf("audit of question %s: %w", id, err)
	}
	return slices.ContainsFunc(rows, d.keys.signed), nil
}

// settle notes the answer if the question is still open, with the grant that comes
// of it, and reports whether it was.
func (s Runs) settle(tx *gorm.DB, q run.Question, a run.Answer) (bool, error) {
	state := "answered"
	if a.Choice == run.Late && a.By == "" {
		state = "expired"
	}
	res := tx.Exec("UPDATE questions SET state = ? WHERE id = ? AND state = 'open'", state, q.ID)
	if res.Error != nil || res.RowsAffected == 0 {
		return false, res.Error
	}
	body, err := encode(a)
	if err != nil {
		return false, fmt.Errorf("encode answer: %w", err)
	}
	err = tx.Exec("INSERT INTO answers (question, key, choice, by_whom, at, body) VALUES (?, ?, ?, ?, ?, ?)",
		q.ID, plain(a.Key), plain(a.Choice), plain(a.By), at(a.At).or(s.db.now()), body).Error
	if err != nil {
		return false, fmt.Errorf("keep answer: %w", err)
	}
	q.Answer = &a
	if err := s.db.audit(tx, s.db.decision(q, a)); err != nil {
		return false, err
	}
	g, ok := q.Granted()
	if !ok {
		return true, nil
	}
	if as, err := s.db.asAsked(tx, q.ID); err != nil || as != intact {
		return true, err // nobody has seen what would be granted
	}
	return true, s.db.grant(tx, g)
}
