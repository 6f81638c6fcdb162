package store

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"hermes/agent"
	"hermes/agent/run"
)

// A grantRow is a run.Grant. Whoever can change the table may put in what is no time and
// no number: such a row is read as one that is broken, and keeps no other from being read.
type grantRow struct {
	ID, Owner, Job, Tool, Control string
	Home, Label                   string
	Until                         looseTime
	Max, Uses                     looseCount
	ByWhom, Question              string
	Revoked                       looseTime
	Added                         looseTime
}

// TableName implements gorm's Tabler.
func (grantRow) TableName() string { return "grants" }

// A looseTime is a stamp that is zero if the row has none.
type looseTime struct{ stamp }

// Scan implements sql.Scanner. Of what is no time, or none that JSON can say, it makes
// the first moment that there is: a revocation stays one, and all else is over.
func (t *looseTime) Scan(v any) error {
	if t.stamp.Scan(v) != nil || t.Year() < 1 || t.Year() > 9999 {
		t.stamp = at(time.Unix(0, 0))
	}
	return nil
}

// A looseCount is -1 if the row has no number.
type looseCount int

// Scan implements sql.Scanner.
func (n *looseCount) Scan(v any) error {
	*n = -1
	if i, ok := v.(int64); ok && i >= 0 && i <= math.MaxInt32 {
		*n = looseCount(i)
	}
	return nil
}

// grantColumns are those of a grantRow. PostgreSQL has times that no program can hold.
func (d *DB) grantColumns() string {
	const plainly = "id, owner, job, tool, control, home, label, max, uses, by_whom, question"
	columns := plainly
	for _, c := range []string{"until", "revoked", "added"} {
		if d.postgres {
			c = fmt.Sprintf("CASE WHEN %[1]s IS NULL OR isfinite(%[1]s) THEN %[1]s ELSE TIMESTAMPTZ 'epoch' END AS %[1]s", c)
		}
		columns += ", " + c
	}
	return columns
}

// grantRows reads those that a condition picks, the oldest first.
func (d *DB) grantRows(r *gorm.DB, where string, args ...any) ([]grantRow, error) {
	var rows []grantRow
	err := r.Raw("SELECT "+d.grantColumns()+" FROM grants WHERE "+where+" ORDER BY added, id", args...).Scan(&rows).Error
	return rows, err
}

func (g grantRow) grant() run.Grant {
	return run.Grant{
		ID: g.ID, Owner: g.Owner, Job: g.Job, Tool: g.Tool, Control: g.Control, Until: g.Until.Time,
		Home: g.Home, Label: g.Label, Max: int(g.Max), Uses: int(g.Uses), By: g.ByWhom, Question: g.Question,
		Given: g.Added.Time, Revoked: g.Revoked.Time,
	}
}

func (d *DB) grant(tx *gorm.DB, g run.Grant) error {
	err := tx.Exec(`INSERT INTO grants (id, owner, job, tool, control, home, label, until, max, uses, by_whom, question, added) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		g.ID, g.Owner, g.Job, g.Tool, plain(g.Control), g.Home, plain(g.Label), at(g.Until).or(d.now()), g.Max, g.Uses, g.By, g.Question, d.now()).Error
	if err != nil {
		return fmt.Errorf("keep grant %s: %w", g.ID, err)
	}
	// What is held against the audit later is the row as it was kept.
	rows, err := d.grantRows(tx, "id = ?", g.ID)
	if err != nil || len(rows) != 1 {
		return fmt.Errorf("read grant %s: %d rows: %w", g.ID, len(rows), err)
	}
	return d.audit(tx, d.giving(Granted, rows[0]))
}

// use takes one use of a grant, if there is an id, and only of one that is as it was
// given. Who takes it tells the audit, in the same transaction.
func (d *DB) use(tx *gorm.DB, id string) error {
	if id == "" {
		return nil
	}
	var rows []grantRow
	err := tx.Raw("UPDATE grants SET uses = uses + 1 WHERE id = ? AND revoked IS NULL AND uses < max AND until > ? RETURNING "+d.grantColumns(), id, d.now()).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("use grant %s: %w", id, err)
	}
	if len(rows) == 0 {
		return fmt.Errorf("use grant %s: %w", id, agent.ErrNoGrant)
	}
	rows[0].Uses-- // as it was when the last use was told
	why, err := d.doubts(tx, rows)
	if err != nil {
		return fmt.Errorf("use grant %s: %w", id, err)
	}
	if why[id] != "" {
		return fmt.Errorf("use grant %s: %w: %s", id, agent.ErrNoGrant, why[id])
	}
	return nil
}

// Take implements agent.Store. That a call has its use is what the audit says.
func (s Runs) Take(ctx context.Context, u run.Use) error {
	d := s.db
	err := d.write(ctx, func(tx *gorm.DB) error {
		e := entry{Who: u.By, What: GrantUsed, Subject: u.Grant, Under: u.Run + "/" + u.Call, Part: u.Run, Place: u.Home, Digest: u.Hash}
		if err := d.locked(tx, "audit"); err != nil {
			return err
		}
		if taken, err := d.told(tx, e); err != nil || taken {
			return err
		}
		if err := d.use(tx, u.Grant); err != nil {
			return err
		}
		return d.audit(tx, e)
	})
	if err != nil {
		return fmt.Errorf("take grant %s for %s/%s: %w", u.Grant, u.Run, u.Call, err)
	}
	return nil
}

// revoke ends all grants of a job.
func (d *DB) revoke(tx *gorm.DB, job, by string) error {
	if err := d.revoked(tx, by, "job = ? AND job <> ''", job); err != nil {
		return fmt.Errorf("revoke grants of %s: %w", job, err)
	}
	return nil
}

// revoked ends the grants that a condition picks, as far as they stand.
func (d *DB) revoked(tx *gorm.DB, by, where string, arg any) error {
	var gone []grantRow
	if err := tx.Raw("UPDATE grants SET revoked = ? WHERE "+where+" AND revoked IS NULL RETURNING "+d.grantColumns(), d.now(), arg).Scan(&gone).Error; err != nil {
		return err
	}
	slices.SortFunc(gone, func(a, b grantRow) int { return strings.Compare(a.ID, b.ID) })
	for _, g := range gone {
		if err := d.audit(tx, entry{Who: by, What: Revoked, Subject: g.ID, Part: g.Job}); err != nil {
			return err
		}
	}
	return nil
}

// Grants implements agent.Store.
func (s Runs) Grants(ctx context.Context, job string) ([]run.Grant, error) {
	gs, err := s.db.standing(ctx, "job = ? AND revoked IS NULL AND uses < max", job)
	if err != nil {
		return nil, fmt.Errorf("grants of job %s: %w", job, err)
	}
	return gs, nil
}

// Standing implements agent.Store.
func (s Runs) Standing(ctx context.Context, owner string) ([]run.Grant, error) {
	gs, err := s.db.standing(ctx, "(? = '' OR owner = ?) AND revoked IS NULL AND uses < max AND until > ?", owner, owner, s.db.now())
	if err != nil {
		return nil, fmt.Errorf("grants of %q: %w", owner, err)
	}
	return gs, nil
}

// standing are the grants that a condition picks; of each that is not as it was given
// they say so, and the audit and the log are told.
func (d *DB) standing(ctx context.Context, where string, args ...any) ([]run.Grant, error) {
	var rows []grantRow
	var why map[string]string
	err := d.snapshot(ctx, func(r *gorm.DB) (err error) {
		if rows, err = d.grantRows(r, where, args...); err == nil {
			why, err = d.doubts(r, rows)
		}
		return err
	})
	var gs []run.Grant
	for _, row := range rows {
		g := row.grant()
		g.Broken = why[row.ID]
		if g.Broken != "" && err == nil {
			err = d.doubted(ctx, row, g.Broken)
		}
		gs = append(gs, g)
	}
	return gs, err
}

// Grant implements agent.Store.
func (s Runs) Grant(ctx context.Context, id string) (run.Grant, error) {
	g, err := s.db.grantOf(s.db.r.WithContext(ctx), id)
	if err != nil {
		return g, fmt.Errorf("grant %s: %w", id, err)
	}
	return g, nil
}

func (d *DB) grantOf(r *gorm.DB, id string) (run.Grant, error) {
	rows, err := d.grantRows(r, "id = ?", id)
	if err != nil {
		return run.Grant{}, err
	}
	if len(rows) == 0 {
		return run.Grant{}, run.ErrNoGrant
	}
	return rows[0].grant(), nil
}

// Revoke implements agent.Store.
func (s Runs) Revoke(ctx context.Context, id, by string) (run.Grant, error) {
	var g run.Grant
	err := s.db.write(ctx, func(tx *gorm.DB) error {
		err := s.db.revoked(tx, by, "id = ?", id)
		if err == nil {
			g, err = s.db.grantOf(tx, id)
		}
		return err
	})
	if err != nil {
		return g, fmt.Errorf("revoke grant %s: %w", id, err)
	}
	return g, nil
}
