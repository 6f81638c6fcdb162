package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"hermes/agent/run"
	"hermes/bot"
)

// A Deed is something decided or done, with what allowed it. What the audit has as ids
// and hashes stands here with what they are of, as far as that is kept and its hash is
// the one of the audit.
type Deed struct {
	Entry
	Owner string   // who asked for it
	Home  string   // where; a place
	To    []string // of a decision, the channels it acts on; places
	Title string   // of the report, empty if nobody knows any more
	Link  string   // of the post
	// By is the row of the decision: of the press, or of the press that gave the grant
	// under which it was done. nil if none is kept.
	By    *Entry
	Yes   []Entry // of a decision that several had to agree to: the yes of each that counted, in order
	Grant string  // id of that grant, or empty
}

// DeedFilter picks Deeds.
type DeedFilter struct {
	From, To time.Time // as in AuditFilter
	What     []string  // none: all
	Channel  string    // a place, of which all threads count; empty: all
	Home     string    // where it was asked for, a place; empty: anywhere
	Sees     func(owner, place string) bool
}

// deedBatch is how many rows are looked through at a time.
const deedBatch = 500

// Deeds returns the newest n that a filter picks, the newest first.
func (j Journal) Deeds(ctx context.Context, f DeedFilter, n int) ([]Deed, error) {
	var found []Deed
	for page := (AuditFilter{From: f.From, To: f.To}); ; {
		rows, err := j.AuditOf(ctx, page, deedBatch)
		if err != nil {
			return nil, err
		}
		for _, e := range rows {
			page.Before = e.Seq
			if e = e.today(); len(f.What) > 0 && !slices.Contains(f.What, e.What) {
				continue
			}
			d, err := j.deed(ctx, e)
			if err != nil {
				return nil, err
			}
			at := append([]string{d.Place, d.Home}, d.To...) // a post is seen where it stands; all else where it was asked for
			if e.What == Posted {
				at = at[:1]
			}
			if f.Home != "" && d.Home != f.Home || f.Channel != "" && !slices.ContainsFunc(at, func(p string) bool { return standsIn(p, f.Channel) }) || !f.Sees(d.Owner, at[0]) {
				continue
			}
			if found = append(found, d); len(found) == n {
				return found, nil
			}
		}
		if len(rows) < deedBatch {
			return found, nil
		}
	}
}

func standsIn(place, channel string) bool {
	p, err := bot.ParsePlace(place)
	if err != nil {
		return false
	}
	c, err := bot.ParsePlace(channel)
	return err == nil && channelOf(p) == channelOf(c)
}

// today is a row as version 2 says it.
func (e Entry) today() Entry {
	if e.Version != version1 {
		return e
	}
	said := strings.Fields(e.Detail)
	switch e.What {
	case "answered":
		e.Outcome = e.Detail
		switch e.Detail {
		case run.Yes, run.Once, run.Always:
			e.What = Approved
		case run.No:
			e.What = Denied
		case run.Ceased:
			e.What = CalledOff
		}
	case Posted:
		if ref, err := bot.ParseRef(e.Detail); err == nil {
			e.Place, e.Outcome = ref.Place.String(), ref.ID
		}
	case Granted, Revoked:
		if len(said) > 0 {
			e.Part = said[0]
		}
	case PostQueued:
		if len(said) == 2 {
			e.Place, e.Digest = said[0], said[1]
		}
	}
	return e
}

// deed looks up what a row is about.
func (j Journal) deed(ctx context.Context, e Entry) (Deed, error) {
	d, r := Deed{Entry: e}, j.db.r.WithContext(ctx)
	var err error
	switch e.What {
	case Posted, PostFailed, PostQueued:
		err = d.post(r, j.db.keys)
	case Approved, Denied, Expired, CalledOff, Answered, Refused:
		err = d.question(r, j.db.keys)
	case JobAdded, "job active", "job paused", "job deleted":
		err = d.job(r, j.db.keys)
	default:
		err = d.run(r, j.db.keys, e.Part)
	}
	if err != nil && !errors.Is(err, run.ErrNoQuestion) {
		return d, fmt.Errorf("what audit row %d is about: %w", e.Seq, err)
	}
	if d.Place == "" {
		d.Place = d.Home
	}
	if err := d.allowed(r); err != nil {
		return d, fmt.Errorf("what allowed audit row %d: %w", e.Seq, err)
	}
	if err := d.yeses(r); err != nil {
		return d, fmt.Errorf("who agreed to what audit row %d says: %w", e.Seq, err)
	}
	return d, nil
}

func (d *Deed) job(r *gorm.DB, keys keyring) error {
	var rows []jobRow
	if err := r.Raw("SELECT * FROM jobs WHERE id = ?", d.Subject).Scan(&rows).Error; err != nil || len(rows) == 0 || !keys.holds(rows[0].Mac, rows[0].says()...) {
		return err
	}
	d.Owner, d.Home = rows[0].Owner, rows[0].Origin
	return nil
}

func (d *Deed) run(r *gorm.DB, keys keyring, key string) error {
	var rows []runRow
	if err := r.Raw("SELECT * FROM runs WHERE key = ?", key).Scan(&rows).Error; err != nil || len(rows) == 0 || !keys.asked(rows[0]) {
		return err
	}
	d.Owner, d.Home = rows[0].Asker, rows[0].Home
	return nil
}

func (d *Deed) post(r *gorm.DB, keys keyring) error {
	var rows []struct{ Run, Receipt, Title, Hash string }
	err := r.Raw(`SELECT o.run, o.receipt, COALESCE(a.title, '') AS title, COALESCE(a.hash, '') AS hash
		FROM outbox o LEFT JOIN artifacts a ON a.id = o.artifact WHERE o.key = ?`, d.Subject).Scan(&rows).Error
	if err != nil {
		return err
	}
	if d.Under == "" { // rows of version 1 have it on the first of the two
		var was []auditRow
		if err := r.Raw("SELECT * FROM audit WHERE subject = ? AND what = ? ORDER BY seq LIMIT 1", d.Subject, PostQueued).Scan(&was).Error; err != nil {
			return err
		}
		if len(was) > 0 {
			d.Under, d.Digest = was[0].Under, was[0].entry().today().Digest
		}
	}
	if len(rows) == 0 {
		return d.run(r, keys, d.Part)
	}
	row := rows[0]
	if row.Hash == d.Digest {
		d.Title = row.Title
	}
	if row.Receipt != "" {
		var receipt bot.Receipt
		if err := json.Unmarshal([]byte(row.Receipt), &receipt); err != nil {
			return fmt.Errorf("receipt: %w", err)
		}
		d.Link = receipt.Link
	}
	return d.run(r, keys, row.Run)
}

func (d *Deed) question(r *gorm.DB, keys keyring) error {
	q, err := question(r, d.Subject)
	if err != nil {
		return err
	}
	d.Home = q.Home
	for _, c := range q.Calls {
		if c.To != "" && !slices.Contains(d.To, c.To) {
			d.To = append(d.To, c.To)
		}
		if c.Artifact == "" || d.Title != "" {
			continue
		}
		var titles []string
		if err := r.Raw("SELECT title FROM artifacts WHERE id = ?", c.Artifact).Scan(&titles).Error; err != nil {
			return err
		}
		d.Title = strings.Join(titles, "")
	}
	return d.run(r, keys, q.Run)
}

// allowed finds the decision behind what was done.
func (d *Deed) allowed(r *gorm.DB) error {
	under := d.Under
	if g, ok, err := about(r, under, Granted); err != nil {
		return err
	} else if ok {
		d.Grant, under = under, g.Under
	}
	by, ok, err := about(r, under, Approved, "answered")
	if ok {
		d.By = &by
	}
	return err
}

// yeses finds who agreed, where several had to. Only what has a row counts; of those the
// answer says whose yes was none any more when it was enough.
func (d *Deed) yeses(r *gorm.DB) error {
	by := d.By
	if d.What == Approved {
		by = &d.Entry
	}
	if by == nil {
		return nil
	}
	var rows []auditRow
	err := r.Raw("SELECT * FROM audit WHERE subject = ? AND what = ? AND outcome = ? ORDER BY seq", by.Subject, Agreed, by.Outcome).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return err
	}
	q, err := question(r, by.Subject)
	if err != nil && !errors.Is(err, run.ErrNoQuestion) {
		return err
	}
	var counted []string
	if q.Answer != nil {
		counted = q.Answer.With
	}
	for _, row := range rows {
		if e := row.entry(); len(counted) == 0 || slices.ContainsFunc(counted, func(who string) bool { return plain(who) == e.Who }) {
			d.Yes = append(d.Yes, e)
		}
	}
	return nil
}

// about is the first row of one of these kinds about a subject.
func about(r *gorm.DB, subject string, what ...string) (Entry, bool, error) {
	var rows []auditRow
	if subject == "" {
		return Entry{}, false, nil
	}
	if err := r.Raw("SELECT * FROM audit WHERE subject = ? AND what IN ? ORDER BY seq LIMIT 1", subject, what).Scan(&rows).Error; err != nil || len(rows) == 0 {
		return Entry{}, false, err
	}
	return rows[0].entry().today(), true, nil
}
