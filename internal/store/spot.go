package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"math/big"
	"time"

	"gorm.io/gorm"

	"hermes/agent/run"
	"hermes/bot"
)

// Found is the act of a verdict on a run that was drawn for a spot check.
const Found = "spot check"

// Spots is a bot.Spots.
type Spots struct{ db *DB }

var _ bot.Spots = Spots{}

// Spots returns what was drawn for spot checks, and what people have found.
func (d *DB) Spots() Spots { return Spots{d} }

// Draw implements bot.Spots. The row of the week is what makes it one draw: of two
// replicas the slower one gets what the other has drawn.
func (s Spots) Draw(ctx context.Context, d bot.Draw) ([]bot.Sample, error) {
	var n int64
	if err := s.db.r.WithContext(ctx).Raw("SELECT COUNT(*) FROM spot_draws WHERE week = ?", d.Week).Scan(&n).Error; err != nil {
		return nil, fmt.Errorf("draw of %s: %w", d.Week, err)
	}
	if n == 0 {
		lots, err := s.lots(ctx, d)
		if err != nil {
			return nil, err
		}
		err = s.db.write(ctx, func(tx *gorm.DB) error {
			res := tx.Exec("INSERT INTO spot_draws (week, place, drawn) VALUES (?, ?, ?) ON CONFLICT (week) DO NOTHING", d.Week, d.Place.String(), s.db.now())
			if res.Error != nil || res.RowsAffected == 0 {
				return res.Error
			}
			for i, key := range lots {
				if err := tx.Exec("INSERT INTO spot_runs (week, n, run) VALUES (?, ?, ?)", d.Week, i+1, key).Error; err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("draw of %s: %w", d.Week, err)
		}
	}
	return s.samples(s.db.r.WithContext(ctx), "WHERE d.week = ? ORDER BY r.n", d.Week)
}

// lots are runs drawn from those that have ended in the time of a draw, that more than
// small talk was asked of, and that may be shown.
func (s Spots) lots(ctx context.Context, d bot.Draw) ([]string, error) {
	var rows []struct{ Key, Home, Request string }
	err := s.db.r.WithContext(ctx).Raw(`SELECT key, home, request FROM runs
		WHERE state IN ('done', 'failed') AND steps > 0 AND updated >= ? AND updated < ? ORDER BY seq`, at(d.From), at(d.Until)).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("runs to draw from: %w", err)
	}
	fits := map[bot.Place]bool{}
	var keys []string
	for _, row := range rows {
		var req run.Request
		if err := json.Unmarshal([]byte(row.Request), &req); err != nil {
			return nil, fmt.Errorf("run %s: %w", row.Key, err)
		}
		home, err := bot.ParsePlace(row.Home)
		if err != nil || req.Light || req.Rehearse {
			continue
		}
		home.Thread = ""
		fit, known := fits[home]
		if !known {
			fit = d.Fits(ctx, home)
			fits[home] = fit
		}
		if fit {
			keys = append(keys, row.Key)
		}
	}
	for i := range min(d.N, len(keys)) {
		j, err := rand.Int(rand.Reader, big.NewInt(int64(len(keys)-i)))
		if err != nil {
			return nil, fmt.Errorf("draw lots: %w", err)
		}
		k := i + int(j.Int64())
		keys[i], keys[k] = keys[k], keys[i]
	}
	return keys[:min(d.N, len(keys))], nil
}

// samples are what was drawn as a condition picks it, with its verdicts.
func (s Spots) samples(r *gorm.DB, where string, args ...any) ([]bot.Sample, error) {
	var rows []struct {
		Week, Place, Run string
		N, Rev           int
	}
	err := r.Raw("SELECT d.week, d.place, r.run, r.n, r.rev FROM spot_draws d JOIN spot_runs r ON r.week = d.week "+where, args...).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("spot checks: %w", err)
	}
	var all []bot.Sample
	for _, row := range rows {
		x := bot.Sample{Week: row.Week, N: row.N, Run: row.Run, Trace: run.TraceOf(row.Run), Rev: row.Rev}
		if x.Place, err = bot.ParsePlace(row.Place); err != nil {
			return nil, fmt.Errorf("spot check of %s: %w", row.Week, err)
		}
		if x.Link, err = s.answer(r, row.Run); err != nil {
			return nil, err
		}
		var found []struct {
			Person, Name, Verdict, Press string
			At                           stamp
		}
		if err := r.Raw("SELECT person, name, verdict, press, at FROM verdicts WHERE week = ? AND n = ? ORDER BY at, person", row.Week, row.N).Scan(&found).Error; err != nil {
			return nil, fmt.Errorf("verdicts on %s: %w", row.Run, err)
		}
		for _, v := range found {
			x.Verdicts = append(x.Verdicts, bot.Verdict{Week: row.Week, N: row.N, Person: v.Person, Name: v.Name, Says: bot.Finding(v.Verdict), Press: v.Press, At: v.At.Time})
		}
		all = append(all, x)
	}
	return all, nil
}

// answer is where people see what came of a run, if that is anywhere.
func (s Spots) answer(r *gorm.DB, key string) (string, error) {
	body, ok, err := s.db.Runs().load(r, key)
	if err != nil || !ok {
		return "", wrapped(err, "run "+key)
	}
	var receipts []string
	if err := r.Raw("SELECT receipt FROM outbox WHERE key = ? AND ref <> ''", body.Outcome.Key).Scan(&receipts).Error; err != nil || len(receipts) == 0 {
		return "", wrapped(err, "answer of run "+key)
	}
	var got bot.Receipt
	if err := json.Unmarshal([]byte(receipts[0]), &got); err != nil {
		return "", fmt.Errorf("receipt of run %s: %w", key, err)
	}
	return got.Link, nil
}

// Judge implements bot.Spots.
func (s Spots) Judge(ctx context.Context, v bot.Verdict) (bot.Sample, error) {
	var x bot.Sample
	err := s.db.write(ctx, func(tx *gorm.DB) error {
		find := func() error {
			found, err := s.samples(tx, "WHERE d.week = ? AND r.n = ?", v.Week, v.N)
			switch {
			case err != nil:
				return err
			case len(found) == 0:
				return bot.ErrNoRun
			}
			x = found[0]
			return nil
		}
		if err := find(); err != nil {
			return err
		}
		res := tx.Exec(`INSERT INTO verdicts (week, n, person, name, verdict, press, at) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (week, n, person) DO UPDATE SET name = excluded.name, verdict = excluded.verdict, press = excluded.press, at = excluded.at
			WHERE verdicts.press <> excluded.press AND verdicts.at <= excluded.at`,
			v.Week, v.N, plain(v.Person), plain(v.Name), string(v.Says), plain(v.Press), at(v.At).or(s.db.now()))
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		if err := tx.Exec("UPDATE spot_runs SET rev = rev + 1 WHERE week = ? AND n = ?", v.Week, v.N).Error; err != nil {
			return err
		}
		if err := find(); err != nil {
			return err
		}
		return s.db.audit(tx, entry{Who: v.Person, What: Found, Subject: fmt.Sprintf("%s/%d", v.Week, v.N), Part: x.Run, Place: x.Place.String(), Outcome: string(v.Says)})
	})
	if err != nil {
		return x, fmt.Errorf("verdict on %s/%d: %w", v.Week, v.N, err)
	}
	return x, nil
}

// Judged implements bot.Spots.
func (s Spots) Judged(ctx context.Context, since time.Time) ([]bot.Sample, error) {
	return s.samples(s.db.r.WithContext(ctx), "WHERE d.drawn >= ? ORDER BY d.week DESC, r.n", at(since))
}
