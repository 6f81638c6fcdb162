package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"hermes/agent/run"
)

// noted sets on a Run what others have noted on it, and its questions if it has any.
func noted(r *gorm.DB, of *run.Run, asked int) error {
	var wishes []struct {
		Wish, ByWhom, Press, Text string
		At                        stamp
	}
	if err := r.Raw("SELECT wish, by_whom, press, text, at FROM notes WHERE run = ? ORDER BY seq", of.Key).Scan(&wishes).Error; err != nil {
		return fmt.Errorf("notes: %w", err)
	}
	of.Stopped, of.Resumed, of.Steered = "", 0, nil
	for _, w := range wishes {
		switch w.Wish {
		case stopping:
			of.Stopped = w.ByWhom
		case resuming:
			// Whoever lets it go on takes back the stop before.
			of.Stopped, of.Resumed = "", of.Resumed+1
		case steering:
			of.Steered = append(of.Steered, run.Steer{Key: w.Press, By: w.ByWhom, Text: w.Text, At: w.At.Time})
		}
	}
	if asked > 0 {
		qs, err := questions(r, "WHERE q.run = ? ORDER BY q.seq", of.Key)
		if err != nil {
			return err
		}
		of.Questions = qs
	}
	i := slices.IndexFunc(of.Questions, func(q run.Question) bool { return of.Outcome.Asks != "" && q.ID == of.Outcome.Asks })
	of.Outcome.Question = nil
	if i >= 0 {
		of.Outcome.Question = &of.Questions[i]
	}
	if of.Sending == nil {
		return nil
	}
	receipts, err := receiptsOf(r, of.Sending.Key)
	p := *of.Sending
	p.Receipt = nil
	if len(receipts) > 0 {
		p.Receipt = &receipts[0]
	}
	of.Sending = &p
	return err
}

// The wishes that are noted on a run.
const (
	stopping = "stop"
	resuming = "resume"
	steering = "steer"
)

// Steer implements agent.Store. The row of the run is written too, so that its end
// comes before or after, and reads what is noted here.
func (s Runs) Steer(ctx context.Context, key string, st run.Steer) (bool, error) {
	noted := false
	err := s.db.write(ctx, func(tx *gorm.DB) error {
		var known []int64
		if err := tx.Raw("SELECT seq FROM notes WHERE run = ? AND press = ? AND wish = 'steer'", key, plain(st.Key)).Scan(&known).Error; err != nil {
			return err
		}
		if noted = len(known) > 0; noted {
			return nil
		}
		res := tx.Exec("UPDATE runs SET updated = updated WHERE key = ? AND state IN ('working', 'delivering')", key)
		if noted = res.Error == nil && res.RowsAffected > 0; !noted {
			return res.Error
		}
		return tx.Exec("INSERT INTO notes (run, wish, press, by_whom, at, text) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
			key, steering, plain(st.Key), plain(st.By), at(st.At).or(s.db.now()), plain(st.Text)).Error
	})
	if err != nil {
		return false, fmt.Errorf("note what was said to %s: %w", key, err)
	}
	return noted, nil
}

// Stop implements agent.Store.
func (s Runs) Stop(ctx context.Context, stop run.Stop) ([]run.Request, error) {
	var stopped []run.Request
	err := s.db.write(ctx, func(tx *gorm.DB) error {
		var rows []runRow
		if err := tx.Where("key = ?", stop.Run).Limit(1).Find(&rows).Error; err != nil {
			return err
		}
		for _, row := range rows {
			if !s.db.keys.asked(row) {
				return run.ErrAltered
			}
			if (run.Run{State: run.State(row.State)}).Ended() {
				return nil
			}
			req, err := row.asked()
			if err != nil {
				return err
			}
			stopped = append(stopped, req)
		}
		return s.note(tx, stop.Run, stopping, "", stop.By)
	})
	if err != nil {
		return nil, fmt.Errorf("note stop of %s: %w", stop.Run, err)
	}
	return stopped, nil
}

// Under implements agent.Store.
func (s Runs) Under(ctx context.Context, home string) ([]run.Request, error) {
	return s.underWay(ctx, "home", home)
}

// Theirs implements agent.Store.
func (s Runs) Theirs(ctx context.Context, asker string) ([]run.Request, error) {
	return s.underWay(ctx, "asker", asker)
}

// underWay returns the Runs that have not ended, by a column.
func (s Runs) underWay(ctx context.Context, column, value string) ([]run.Request, error) {
	var rows []runRow
	err := s.db.r.WithContext(ctx).Where(column+" = ? AND state IN ('working', 'waiting', 'delivering')", value).Order("seq").Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("runs under way by %s %s: %w", column, value, err)
	}
	var under []run.Request
	for _, row := range rows {
		if !s.db.keys.asked(row) {
			continue // it does not go on
		}
		req, err := row.asked()
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", row.Key, err)
		}
		under = append(under, req)
	}
	return under, nil
}

// looksAt is how many runs are looked at for one that the program has written.
const looksAt = 3

// Serves implements agent.Store.
func (s Runs) Serves(ctx context.Context, home, by string) (bool, error) {
	var found []runRow
	err := s.db.r.WithContext(ctx).Where("home = ? AND asker = ?", home, by).Order("seq DESC").Limit(looksAt).Find(&found).Error
	if err != nil {
		return false, fmt.Errorf("runs of %s at %s: %w", by, home, err)
	}
	return slices.ContainsFunc(found, s.db.keys.asked), nil
}

// Lately implements agent.Store.
func (s Runs) Lately(ctx context.Context, home string, n int) ([]run.Run, error) {
	var all []run.Run
	// Small talk is told from work by what was asked alone, so some rows more are
	// looked at than are wanted.
	var rows []runRow
	err := s.db.r.WithContext(ctx).Raw(`SELECT *, COALESCE((SELECT s.mac FROM steps s WHERE s.run = runs.key AND s.n = runs.steps), '') AS last
		FROM runs WHERE home = ? AND job = '' ORDER BY seq DESC LIMIT ?`, home, 4*n).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("runs at %s: %w", home, err)
	}
	for _, row := range rows {
		if !s.db.keys.stands(row) {
			continue
		}
		r, err := row.run()
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", row.Key, err)
		}
		if !r.Light && len(all) < n {
			all = append(all, r)
		}
	}
	return all, nil
}

// Resume implements agent.Store.
func (s Runs) Resume(ctx context.Context, key, press, by string) (run.Request, error) {
	var req run.Request
	err := s.db.write(ctx, func(tx *gorm.DB) error {
		// Of two presses at once the second finds what the first has noted.
		if err := s.db.locked(tx, "resume "+key); err != nil {
			return err
		}
		var rows []runRow
		if err := tx.Where("key = ?", key).Limit(1).Find(&rows).Error; err != nil {
			return err
		}
		switch {
		case len(rows) == 0:
			return run.ErrAnswered
		case !s.db.keys.asked(rows[0]):
			return run.ErrAltered
		}
		r, err := rows[0].run()
		if err != nil {
			return err
		}
		req = r.Request
		var presses []string
		if err := tx.Raw("SELECT press FROM notes WHERE run = ? AND wish = 'resume'", key).Scan(&presses).Error; err != nil {
			return err
		}
		switch {
		case slices.Contains(presses, press):
			return nil
		case r.State != run.Suspended || len(presses) > r.Resumes:
			return run.ErrAnswered
		}
		return s.note(tx, key, resuming, press, by)
	})
	if err != nil {
		return req, fmt.Errorf("note resume of %s: %w", key, err)
	}
	return req, nil
}

func (s Runs) note(tx *gorm.DB, key, wish, press, by string) error {
	return tx.Exec("INSERT INTO notes (run, wish, press, by_whom, at) VALUES (?, ?, ?, ?, ?)", key, wish, plain(press), plain(by), s.db.now()).Error
}

// Receive implements agent.Store.
func (s Runs) Receive(ctx context.Context, r run.Receipt) error {
	err := s.db.commit(ctx, func(w *gorm.DB) error { return receive(w, r, s.db.now()) })
	if err != nil {
		return fmt.Errorf("note receipt of %s: %w", r.Post, err)
	}
	return nil
}

// receive notes a receipt once. A card that could not be shown may be shown by a
// later try.
func receive(w *gorm.DB, r run.Receipt, now stamp) error {
	if r.Post == "" {
		return errors.New("receipt of no post")
	}
	return w.Exec(`INSERT INTO receipts (post, run, question, ref, link, failed, at) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (post) DO UPDATE SET ref = excluded.ref, link = excluded.link, failed = excluded.failed, at = excluded.at
		WHERE receipts.run = '' AND receipts.failed <> ''`,
		r.Post, r.Run, r.Question, r.Ref, plain(r.Link), plain(r.Failed), now).Error
}

func receiptsOf(r *gorm.DB, post string) ([]run.Receipt, error) {
	var rs []run.Receipt
	if err := r.Raw("SELECT post, run, question, ref, link, failed FROM receipts WHERE post = ?", post).Scan(&rs).Error; err != nil {
		return nil, fmt.Errorf("receipt of %s: %w", post, err)
	}
	return rs, nil
}
