package store

import (
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"hermes/agent/run"
)

// unwritten are the rows of inbox and outbox that the program has not written: those that
// wait or are kept with a seal that is none, and those that were not acted on for it.
func (d *DB) unwritten(r *gorm.DB) ([]Doubt, error) {
	var all []Doubt
	there := map[string]bool{}
	add := func(line, key string) {
		if !there[key] {
			there[key] = true
			all = append(all, Doubt{key, "a row of the " + line + " that hermes has not written: it is not acted on", ""})
		}
	}
	var items []inboxRow
	if err := r.Raw("SELECT * FROM inbox WHERE state = 'waiting' ORDER BY seq").Scan(&items).Error; err != nil {
		return nil, fmt.Errorf("inbox: %w", err)
	}
	for _, row := range items {
		if d.asWritten(row) != nil {
			add("inbox", row.Claim.Key)
		}
	}
	for after := int64(0); ; {
		var posts []struct {
			Row   outboxRow `gorm:"embedded"`
			Seq   int64
			State string
		}
		if err := r.Raw("SELECT * FROM outbox WHERE seq > ? AND (state = 'waiting' OR ref <> '') ORDER BY seq LIMIT ?", after, chunk).Scan(&posts).Error; err != nil {
			return nil, fmt.Errorf("outbox: %w", err)
		}
		for _, row := range posts {
			says, _ := row.Row.halves()
			if row.State == "waiting" && !d.keys.holds(says, row.Row.says()...) || !d.keys.landed(row.Row) {
				add("outbox", row.Row.Claim.Key)
			}
			after = row.Seq
		}
		if len(posts) < chunk {
			break
		}
	}
	var told []auditRow
	if err := r.Raw("SELECT * FROM audit WHERE what = ? AND outcome = ? ORDER BY seq", Refused, notAsWritten).Scan(&told).Error; err != nil {
		return nil, fmt.Errorf("rows that were refused: %w", err)
	}
	for _, row := range told {
		if d.keys.signed(row) && !there[row.Subject] {
			there[row.Subject] = true
			all = append(all, Doubt{row.Subject, refusedRow, ""})
		}
	}
	return all, nil
}

// unallowed are the posts of since then that stand outside the conversation that they came
// of, and that the audit does not have under a decision or a grant.
func (d *DB) unallowed(r *gorm.DB, from time.Time) ([]Doubt, error) {
	var rows []struct{ Key, Run, Place, Home string }
	err := r.Raw(`SELECT o.key, o.run, o.place, COALESCE(r.home, '') AS home FROM outbox o LEFT JOIN runs r ON r.key = o.run
		WHERE o.run <> '' AND o.state <> 'failed' AND o.added >= ? ORDER BY o.seq`, at(from)).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("posts elsewhere: %w", err)
	}
	var all []Doubt
	for _, row := range rows {
		var told []auditRow
		if err := r.Raw("SELECT * FROM audit WHERE subject = ? AND what = ? ORDER BY seq", d.keys.current.asID(row.Key), PostQueued).Scan(&told).Error; err != nil {
			return nil, fmt.Errorf("audit of post %s: %w", row.Key, err)
		}
		is := false
		for _, t := range told {
			is = is || d.keys.signed(t) && t.Under != "" && t.Place == d.keys.known[t.KeyID].asID(row.Place)
		}
		if !is {
			all = append(all, Doubt{row.Key, "a post outside of its conversation, for which the audit has no decision and no grant", ""})
		}
	}
	return all, nil
}

// disagreed are the agreements of since then that nobody has given.
func (d *DB) disagreed(r *gorm.DB, from time.Time) ([]Doubt, error) {
	var rows []struct{ Question, Person, Body string }
	if err := r.Raw("SELECT question, person, body FROM agreements WHERE at >= ? ORDER BY question, seq", at(from)).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("agreements: %w", err)
	}
	var all []Doubt
	for _, row := range rows {
		q, err := question(r, row.Question)
		var a run.Answer
		if err == nil {
			err = json.Unmarshal([]byte(row.Body), &a)
		}
		is := false
		if err == nil {
			if is, err = d.told(r, d.agreement(q, a)); err != nil {
				return nil, err
			}
		}
		if !is || a.By != row.Person {
			all = append(all, Doubt{row.Question, "an agreement by " + row.Person + " that no row of the audit has: it does not count", ""})
		}
	}
	return all, nil
}

// changed are the artifacts that are not what was made.
func (d *DB) changed(r *gorm.DB) ([]Doubt, error) {
	var all []Doubt
	for after := ""; ; {
		var rows []struct{ ID, Kind string }
		if err := r.Raw("SELECT id, kind FROM artifacts WHERE id > ? ORDER BY id LIMIT ?", after, chunk).Scan(&rows).Error; err != nil {
			return nil, fmt.Errorf("artifacts: %w", err)
		}
		for _, row := range rows {
			after = row.ID
			a, err := d.artifact(r, row.ID)
			if err != nil {
				return nil, fmt.Errorf("artifact %s: %w", row.ID, err)
			}
			if a.Altered {
				all = append(all, Doubt{row.ID, "a " + row.Kind + " that is not what was made: it is not posted", ""})
			}
		}
		if len(rows) < chunk {
			return all, nil
		}
	}
}
