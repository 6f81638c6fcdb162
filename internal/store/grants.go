package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"hermes/agent"
	"hermes/agent/run"
)

// A grantRow is a run.Grant.
type grantRow struct {
	ID, Owner, Job, Tool, Control string
	Home, Label                   string
	Until                         stamp
	Max, Uses                     int
	ByWhom, Question              string
	Revoked                       stamp
	Added                         stamp
}

// TableName implements gorm's Tabler.
func (grantRow) TableName() string { return "grants" }

func (g grantRow) grant() run.Grant {
	return run.Grant{
		ID: g.ID, Owner: g.Owner, Job: g.Job, Tool: g.Tool, Control: g.Control, Until: g.Until.Time,
		Home: g.Home, Label: g.Label, Max: g.Max, Uses: g.Uses, By: g.ByWhom, Question: g.Question,
		Given: g.Added.Time, Revoked: g.Revoked.Time,
	}
}

func (d *DB) grant(tx *gorm.DB, g run.Grant) error {
	err := tx.Create(&grantRow{
		ID: g.ID, Owner: g.Owner, Job: g.Job, Tool: g.Tool, Control: plain(g.Control), Until: at(g.Until).or(d.now()),
		Home: g.Home, Label: plain(g.Label), Max: g.Max, Uses: g.Uses, ByWhom: g.By, Question: g.Question, Added: d.now(),
	}).Error
	if err != nil {
		return fmt.Errorf("keep grant %s: %w", g.ID, err)
	}
	return d.audit(tx, entry{Who: g.By, What: Granted, Subject: g.ID, Under: g.Question, Part: g.Job, Tool: g.Tool, Digest: d.keys.current.value(g.Control)})
}

// use takes one use of a grant, if there is an id. Who takes it tells the audit.
func (d *DB) use(tx *gorm.DB, id string) error {
	if id == "" {
		return nil
	}
	res := tx.Exec("UPDATE grants SET uses = uses + 1 WHERE id = ? AND revoked IS NULL AND uses < max AND until > ?", id, d.now())
	if res.Error != nil {
		return fmt.Errorf("use grant %s: %w", id, res.Error)
	}
	if res.RowsAffected == 0 {
		return fmt.Errorf("use grant %s: %w", id, agent.ErrNoGrant)
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
	if err := tx.Raw("UPDATE grants SET revoked = ? WHERE "+where+" AND revoked IS NULL RETURNING *", d.now(), arg).Scan(&gone).Error; err != nil {
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
	var rows []grantRow
	err := s.db.r.WithContext(ctx).Where("job = ? AND revoked IS NULL AND uses < max", job).Order("added, id").Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("grants of job %s: %w", job, err)
	}
	var gs []run.Grant
	for _, row := range rows {
		gs = append(gs, row.grant())
	}
	return gs, nil
}

// Standing implements agent.Store.
func (s Runs) Standing(ctx context.Context, owner string) ([]run.Grant, error) {
	find := s.db.r.WithContext(ctx).Where("revoked IS NULL AND uses < max AND until > ?", s.db.now())
	if owner != "" {
		find = find.Where("owner = ?", owner)
	}
	var rows []grantRow
	if err := find.Order("added, id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("grants of %q: %w", owner, err)
	}
	var gs []run.Grant
	for _, row := range rows {
		gs = append(gs, row.grant())
	}
	return gs, nil
}

// Grant implements agent.Store.
func (s Runs) Grant(ctx context.Context, id string) (run.Grant, error) {
	g, err := grantOf(s.db.r.WithContext(ctx), id)
	if err != nil {
		return g, fmt.Errorf("grant %s: %w", id, err)
	}
	return g, nil
}

func grantOf(r *gorm.DB, id string) (run.Grant, error) {
	var rows []grantRow
	if err := r.Where("id = ?", id).Limit(1).Find(&rows).Error; err != nil {
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
			g, err = grantOf(tx, id)
		}
		return err
	})
	if err != nil {
		return g, fmt.Errorf("revoke grant %s: %w", id, err)
	}
	return g, nil
}
