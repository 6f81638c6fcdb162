package store

import (
	"context"
	"crypto/hmac"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"hermes/agent/run"
)

// What was decided and granted stands in tables that whoever has the database can
// change, and in the audit, which they cannot write without its key. So a row of these
// tables counts as far as the audit has it alone: a grant by what was given, how often it
// was used and that it was not revoked, a decision by who decided what. There is no second
// signature beside the audit's, so there is nothing to sign anew at a change of keys, and
// no old row, signed once, can be put back.

// terms is the keyed hash of all that a grant allows, to whom and by whom.
func (k auditKey) terms(g grantRow) string {
	b, err := json.Marshal([]string{
		"grant", g.ID, g.Owner, g.Job, g.Tool, g.Control, g.Home, g.Label, g.Until.Format(layout), strconv.Itoa(int(g.Max)), g.ByWhom, g.Question, g.Added.Format(layout),
	})
	if err != nil {
		return "" // texts always marshal; nothing is equal to it
	}
	return hashed + k.sum(b)
}

// giving is the row about a grant, as it stands from then on.
func (d *DB) giving(what string, g grantRow) entry {
	return entry{
		Who: g.ByWhom, What: what, Subject: g.ID, Under: g.Question, Part: g.Job, Tool: g.Tool,
		Digest: d.keys.current.terms(g), Outcome: fmt.Sprintf("%d/%d", g.Uses, g.Max),
	}
}

// signed reports whether a row is one that was written under a key that is known here.
func (r keyring) signed(row auditRow) bool {
	key, known := r.known[row.KeyID]
	return known && row.Version == version2 && row.whole() && hmac.Equal([]byte(key.mac(row)), []byte(row.Hash))
}

// A proof is what the audit has about a grant.
type proof struct {
	given   auditRow // the row that gives it, or keeps what was given
	foreign bool     // there is one under a key that is not here
	used    int      // with what was used before given
	revoked bool
}

// chunk is how many values a list in a statement has at most.
const chunk = 500

// proofs are those of grants. A row about a grant that says less than it allows, as
// former ones do, gives none.
func (d *DB) proofs(r *gorm.DB, ids []string) (map[string]*proof, error) {
	found := map[string]*proof{}
	for len(ids) > 0 {
		n := min(chunk, len(ids))
		var rows []auditRow
		err := r.Raw("SELECT * FROM audit WHERE subject IN ? AND what IN ? ORDER BY seq", ids[:n], []string{Granted, GrantKept, GrantUsed, Revoked}).Scan(&rows).Error
		if err != nil {
			return nil, fmt.Errorf("audit of grants: %w", err)
		}
		for _, row := range rows {
			p := found[row.Subject]
			if p == nil {
				p = &proof{}
				found[row.Subject] = p
			}
			p.add(row, d.keys)
		}
		ids = ids[n:]
	}
	return found, nil
}

func (p *proof) add(row auditRow, keys keyring) {
	switch row.What {
	case GrantUsed:
		p.used++
	case Revoked:
		p.revoked = true
	default:
		used, _, whole := strings.Cut(row.Outcome, "/")
		n, err := strconv.Atoi(used)
		switch {
		case !whole || err != nil:
		case keys.signed(row):
			p.given, p.used, p.foreign = row, n, false
		default:
			_, known := keys.known[row.KeyID]
			p.foreign = p.foreign || !known
		}
	}
}

// doubt says why a grant does not count; empty if it is as it was given.
func (p *proof) doubt(g grantRow, keys keyring) string {
	switch {
	case p == nil || p.given.Seq == 0 && !p.foreign:
		return "no row of the audit gives it"
	case p.given.Seq == 0:
		return "it was given under a key of the audit that is not among audit.key and audit.former_keys"
	case p.given.Digest != keys.known[p.given.KeyID].terms(g):
		return "it is not what was given"
	case p.revoked && g.Revoked.IsZero():
		return "the audit has it as revoked, and its row does not"
	case p.used != int(g.Uses):
		return fmt.Sprintf("it was used %d times by the audit, and %d by its row", p.used, g.Uses)
	}
	return ""
}

// doubts are why grants do not count, by their ids. It is read in one snapshot with their
// rows, or while those are locked: a use between the two would be one too many.
func (d *DB) doubts(r *gorm.DB, grants []grantRow) (map[string]string, error) {
	ids := make([]string, len(grants))
	for i, g := range grants {
		ids[i] = g.ID
	}
	found, err := d.proofs(r, ids)
	if err != nil {
		return nil, err
	}
	why := map[string]string{}
	for _, g := range grants {
		if is := found[g.ID].doubt(g, d.keys); is != "" {
			why[g.ID] = is
		}
	}
	return why, nil
}

// snapshot reads everything as it stands at one moment.
func (d *DB) snapshot(ctx context.Context, do func(r *gorm.DB) error) error {
	return d.r.WithContext(ctx).Transaction(do, &sql.TxOptions{Isolation: d.still(), ReadOnly: true})
}

// still is the isolation of a snapshot: every transaction of SQLite is one.
func (d *DB) still() sql.IsolationLevel {
	if d.postgres {
		return sql.LevelRepeatableRead
	}
	return sql.LevelDefault
}

// doubted tells the audit and the log of a grant that is not as it was given, once for
// each thing that was made of it.
func (d *DB) doubted(ctx context.Context, g grantRow, why string) error {
	key := d.keys.current
	state, err := json.Marshal([]any{key.terms(g), g.Uses, g.Max})
	if err != nil {
		return fmt.Errorf("grant %s: %w", g.ID, err)
	}
	digest := key.value(string(state))
	told := func(r *gorm.DB) (bool, error) {
		var n int64
		err := r.Raw("SELECT COUNT(*) FROM audit WHERE subject = ? AND what = ? AND digest = ?", key.asID(d.asKept(g.ID)), Refused, digest).Scan(&n).Error
		return n > 0, err
	}
	if known, err := told(d.r.WithContext(ctx)); err != nil || known {
		return wrapped(err, "audit of grant "+g.ID)
	}
	err = d.write(ctx, func(tx *gorm.DB) error {
		if err := d.locked(tx, "audit"); err != nil {
			return err
		}
		if known, err := told(tx); err != nil || known { // another was faster
			return err
		}
		return d.audit(tx, entry{What: Refused, Subject: g.ID, Part: g.Job, Tool: g.Tool, Digest: digest, Outcome: "not-as-given"})
	})
	if err != nil {
		return wrapped(err, "audit of grant "+g.ID)
	}
	d.cfg.Log.Error("a grant in the database is not one that was given; its uses are asked for", "grant", g.ID, "why", why,
		"hint", "somebody has changed the table grants: end it with `hermes grants revoke "+g.ID+"`, look at `hermes audit verify`, and at who can write to the database")
	return nil
}

// vouch gives grants that were there before the audit said all that they allow a row that
// does, once: what is changed later shows. One that the audit knows nothing of gets none.
func (d *DB) vouch(tx *gorm.DB) error {
	rows, err := d.grantRows(tx, unvouched, Granted, GrantKept)
	if err != nil {
		return fmt.Errorf("grants of before: %w", err)
	}
	for _, g := range rows {
		var gave []auditRow
		if err := tx.Raw("SELECT * FROM audit WHERE subject = ? AND what = ? ORDER BY seq LIMIT 1", g.ID, Granted).Scan(&gave).Error; err != nil {
			return fmt.Errorf("audit of grant %s: %w", g.ID, err)
		}
		if len(gave) == 0 || !d.gave(gave[0], g) {
			continue
		}
		if err := d.audit(tx, d.giving(GrantKept, g)); err != nil {
			return err
		}
	}
	return nil
}

// unvouched picks the grants of which the audit says less than they allow.
const unvouched = "NOT EXISTS (SELECT 1 FROM audit a WHERE a.subject = grants.id AND a.what IN (?, ?) AND a.outcome <> '')"

// gave reports whether a row of before is about this grant, as far as it says.
func (d *DB) gave(row auditRow, g grantRow) bool {
	if row.Who != g.ByWhom || row.Under != g.Question {
		return false
	}
	if row.Version == version1 {
		sum, err := row.sum()
		return err == nil && sum == row.Hash && row.Detail == g.Job+" "+g.Tool
	}
	return d.keys.signed(row) && row.PartOf == g.Job && row.Tool == g.Tool && row.Digest == d.keys.known[row.KeyID].value(g.Control)
}

// keepGiven repeats, before rows up to one go for good, what of them gives a grant that
// stands and is as it was given.
func (d *DB) keepGiven(tx *gorm.DB, until int64) error {
	rows, err := d.grantRows(tx, "revoked IS NULL AND uses < max AND until > ?", d.now())
	if err != nil {
		return err
	}
	ids := make([]string, len(rows))
	for i, g := range rows {
		ids[i] = g.ID
	}
	found, err := d.proofs(tx, ids)
	if err != nil {
		return err
	}
	for _, g := range rows {
		if p := found[g.ID]; p.doubt(g, d.keys) != "" || p.given.Seq > until {
			continue
		}
		if err := d.audit(tx, d.giving(GrantKept, g)); err != nil {
			return err
		}
	}
	return nil
}

// told reports whether the audit has exactly this, in a row that is proven.
func (d *DB) told(r *gorm.DB, e entry) (bool, error) {
	var rows []auditRow
	if err := r.Raw("SELECT * FROM audit WHERE subject = ? AND what = ? ORDER BY seq", d.keys.current.asID(d.asKept(e.Subject)), e.What).Scan(&rows).Error; err != nil {
		return false, fmt.Errorf("audit of %s: %w", e.Subject, err)
	}
	for _, row := range rows {
		if !d.keys.signed(row) {
			continue
		}
		key, want := d.keys.known[row.KeyID], row
		want.Who, want.Under, want.PartOf, want.Place, want.Tool, want.Digest, want.Outcome = e.Who, e.Under, e.Part, e.Place, e.Tool, e.Digest, e.Outcome
		for _, f := range []*string{&want.Who, &want.Under, &want.PartOf, &want.Place, &want.Tool, &want.Digest, &want.Outcome} {
			*f = key.asID(d.asKept(*f))
		}
		if want == row {
			return true, nil
		}
	}
	return false, nil
}

// lets reports whether a question was answered with a yes to a write.
func lets(q run.Question) bool {
	if q.Kind != run.Approve || q.Answer == nil {
		return false
	}
	o, ok := q.Option(q.Answer.Choice)
	return ok && len(o.Calls) > 0
}

// decided marks a question whose answer lets something run and is not the one that the
// audit has, or whose calls are not those that were asked about.
func (d *DB) decided(r *gorm.DB, q *run.Question) error {
	if !lets(*q) {
		return nil
	}
	is, err := d.told(r, d.decision(*q, *q.Answer))
	if err != nil {
		return err
	}
	as, err := d.asAsked(r, q.ID)
	q.Forged = err == nil && (!is || as != intact)
	return err
}

// An asking is what a question is to what was asked.
type asking int

const (
	unsealed asking = iota // asked before questions were signed
	changed
	intact
)

// seal is what is kept beside a question that was asked in these words of the table.
func (k auditKey) seal(id, body string) string {
	return k.id + ":" + k.sum([]byte("question\n"+id+"\n"+body))
}

// A sealed is a question as the table has it.
type sealed struct{ Body, Mac string }

func sealedOf(r *gorm.DB, id string) (sealed, error) {
	var rows []sealed
	if err := r.Raw("SELECT body, mac FROM questions WHERE id = ?", id).Scan(&rows).Error; err != nil {
		return sealed{}, fmt.Errorf("what question %s asks: %w", id, err)
	}
	if len(rows) == 0 {
		return sealed{}, run.ErrNoQuestion
	}
	return rows[0], nil
}

// seals signs what a question asks, as it was kept: what people approve is what they were
// shown.
func (d *DB) seals(tx *gorm.DB, id string) error {
	q, err := sealedOf(tx, id)
	if err != nil {
		return err
	}
	return tx.Exec("UPDATE questions SET mac = ? WHERE id = ?", d.keys.current.seal(id, q.Body), id).Error
}

func (d *DB) asAsked(r *gorm.DB, id string) (asking, error) {
	q, err := sealedOf(r, id)
	if err != nil || q.Mac == "" {
		return unsealed, err
	}
	of, _, _ := strings.Cut(q.Mac, ":")
	if key, known := d.keys.known[of]; known && hmac.Equal([]byte(key.seal(id, q.Body)), []byte(q.Mac)) {
		return intact, nil
	}
	return changed, nil
}
