package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"
)

// A Doubt is something that the tables have otherwise than the audit.
type Doubt struct {
	Subject string // a grant, a question, an artifact, or the key of a row
	How     string
	Known   string // why the operator has dealt with it; empty if they have not
}

// doubtful holds the tables against the audit, whose rows from the first signed one are
// there: grants that were used or stand and that nobody gave, or that are not what was
// given; approvals and agreements that nobody gave; rows that the program has not written;
// posts elsewhere that nobody allowed; artifacts that are not what was made; and raises of
// budgets that nobody gave, or that are gone.
func (d *DB) doubtful(ctx context.Context, from time.Time) ([]Doubt, error) {
	var all []Doubt
	err := d.snapshot(ctx, func(r *gorm.DB) error {
		rows, err := d.grantRows(r, "1 = 1")
		if err != nil {
			return err
		}
		why, err := d.doubts(r, rows)
		if err != nil {
			return err
		}
		there := map[string]bool{}
		for _, g := range rows {
			there[g.ID] = true
			stands := g.Revoked.IsZero() && g.Uses < g.Max && g.Until.After(d.now().Time)
			if how := why[g.ID]; how != "" && (stands || !g.Added.Before(from)) {
				all = append(all, Doubt{g.ID, "a grant: " + how, ""})
			}
		}
		used, err := d.usedUngiven(r)
		if err != nil {
			return err
		}
		for _, id := range used {
			if !there[id] || why[id] == "" {
				all = append(all, Doubt{id, "a grant that was used, and that no row of the audit gives", ""})
			}
		}
		forged, err := d.forged(r, from)
		if err != nil {
			return err
		}
		all = append(all, forged...)
		for _, look := range []func() ([]Doubt, error){
			func() ([]Doubt, error) { return d.disagreed(r, from) },
			func() ([]Doubt, error) { return d.unwritten(r) },
			func() ([]Doubt, error) { return d.unallowed(r, from) },
			func() ([]Doubt, error) { return d.changed(r) },
			func() ([]Doubt, error) { return d.records(r) },
			func() ([]Doubt, error) { return d.raisedOtherwise(r, from) },
		} {
			found, err := look()
			if err != nil {
				return err
			}
			all = append(all, found...)
		}
		all = once(all)
		return d.dealtWith(r, all)
	})
	return all, wrapped(err, "tables beside the audit")
}

// refusedRow is what is found of a row that was refused when it was to be acted on, whatever
// has become of it.
const refusedRow = "a row that hermes has not written: it was refused"

// once leaves out that a row was refused where something else is found about it.
func once(all []Doubt) []Doubt {
	return slices.DeleteFunc(slices.Clone(all), func(x Doubt) bool {
		return x.How == refusedRow && slices.ContainsFunc(all, func(y Doubt) bool { return y.Subject == x.Subject && y.How != refusedRow })
	})
}

// usedUngiven are the grants that were used since rows were pruned last, and that no row
// gives: of those from before it may have been pruned.
func (d *DB) usedUngiven(r *gorm.DB) ([]string, error) {
	var ids []string
	err := r.Raw(`SELECT DISTINCT u.subject FROM audit u WHERE u.what = ? AND u.seq > COALESCE((SELECT MAX(seq) FROM audit WHERE what = ?), 0)
		AND NOT EXISTS (SELECT 1 FROM audit g WHERE g.subject = u.subject AND g.what IN (?, ?)) ORDER BY u.subject`, GrantUsed, Pruned, Granted, GrantKept).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("grants that were used: %w", err)
	}
	return ids, nil
}

// forged are the approvals of since then that the audit does not have.
func (d *DB) forged(r *gorm.DB, from time.Time) ([]Doubt, error) {
	var ids []string
	err := r.Raw("SELECT a.question FROM answers a JOIN questions q ON q.id = a.question WHERE q.kind = 'approve' AND a.at >= ? ORDER BY a.question", at(from)).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("answers: %w", err)
	}
	var all []Doubt
	for _, id := range ids {
		q, err := question(r, id)
		if err != nil {
			all = append(all, Doubt{id, "a question that cannot be read: " + err.Error(), ""})
			continue
		}
		if !lets(q) {
			continue
		}
		is, err := d.told(r, d.decision(q, *q.Answer))
		if err != nil {
			return nil, err
		}
		as, err := d.asAsked(r, id)
		switch {
		case err != nil:
			return nil, err
		case !is:
			all = append(all, Doubt{id, "an approval that no row of the audit has: it is not acted on", ""})
		case as == changed:
			all = append(all, Doubt{id, "an approval of something else than was asked: it is not acted on", ""})
		}
	}
	return all, nil
}
