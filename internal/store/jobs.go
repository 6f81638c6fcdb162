package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"hermes/scheduler"
)

var _ scheduler.Store = Jobs{}

// A jobRow holds the Job in Body; the columns beside it are there to search by.
type jobRow struct {
	ID, Owner, Origin, Dest, State string
	Version                        int64
	Created, Since                 stamp
	Body, Mac                      string
}

// TableName implements gorm's Tabler.
func (jobRow) TableName() string { return "jobs" }

// By returns the Jobs of which the audit says that a person changes them. Without,
// it says that of the owner.
func (s Jobs) By(person string) Jobs {
	s.by = person
	return s
}

// who changes a Job.
func (s Jobs) who(j scheduler.Job) string {
	if s.by != "" {
		return s.by
	}
	return j.Owner
}

// row is a Job as it reaches the database, with its seal.
func (s Jobs) row(j scheduler.Job) (jobRow, error) {
	body, err := encode(j)
	d, now := s.db, s.db.now()
	row := jobRow{j.ID, j.Owner, j.Origin, j.To, string(j.State), j.Version, at(j.Created).or(now), at(j.Since).or(now), body, ""}
	for _, text := range []*string{&row.ID, &row.Owner, &row.Origin, &row.Dest, &row.Body} {
		*text = d.asKept(*text)
	}
	row.Mac = d.keys.current.line(row.says()...)
	return row, err
}

// job is what a row says, if the program has written it; of another one it says that, and
// that the Job is paused: nobody can tell whose it is and what it is to do.
func (s Jobs) job(ctx context.Context, row jobRow) (scheduler.Job, error) {
	j, unread := row.job()
	is, err := s.db.jobAsWritten(s.db.r.WithContext(ctx), row)
	if err == nil && !is {
		// It may have changed between the two looks.
		err = s.db.snapshot(ctx, func(r *gorm.DB) error {
			var rows []jobRow
			if err := r.Where("id = ?", row.ID).Limit(1).Find(&rows).Error; err != nil || len(rows) == 0 {
				return err
			}
			var err error
			if is, err = s.db.jobAsWritten(r, rows[0]); is {
				j, unread = rows[0].job()
			}
			return err
		})
	}
	if err != nil || is {
		return j, errors.Join(err, unread)
	}
	// The place of a row that somebody else has written is anybody's.
	j.ID, j.Altered, j.Version = row.ID, true, row.Version
	if j.State != scheduler.Deleted {
		j.State = scheduler.Paused
	}
	return j, s.db.disown(ctx, "jobs", row.ID, "", errNotAsWritten)
}

func (row jobRow) job() (scheduler.Job, error) {
	var j scheduler.Job
	if err := json.Unmarshal([]byte(row.Body), &j); err != nil {
		return j, fmt.Errorf("decode job %s: %w", row.ID, err)
	}
	j.Version = row.Version
	return j, nil
}

// changed is the row about a Job that is another now: its times, and what it is asked
// for, stand as one hash.
func (s Jobs) changed(j scheduler.Job, by, what, body string) entry {
	return entry{Who: by, What: what, Subject: j.ID, Place: j.To, Digest: s.db.keys.current.value(body), Outcome: fmt.Sprintf("v%d", j.Version)}
}

// Jobs implements scheduler.Store.
func (s Jobs) Jobs(ctx context.Context) ([]scheduler.Job, error) {
	var rows []jobRow
	err := s.db.r.WithContext(ctx).Where("state <> ?", string(scheduler.Deleted)).Order("created, seq").Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("load jobs: %w", err)
	}
	var jobs []scheduler.Job
	for _, row := range rows {
		j, err := s.job(ctx, row)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// Changed implements scheduler.Store. Each change of a job is a row of the audit, whose
// numbers rise in the order of the changes.
func (s Jobs) Changed(ctx context.Context, mark string) (ids []string, next string, err error) {
	db := s.db.r.WithContext(ctx)
	var last int64
	if err := db.Raw("SELECT coalesce(max(seq), 0) FROM audit").Scan(&last).Error; err != nil {
		return nil, "", fmt.Errorf("mark of changes: %w", err)
	}
	next = strconv.FormatInt(last, 10)
	if mark == "" {
		return nil, next, nil
	}
	from, err := strconv.ParseInt(mark, 10, 64)
	if err != nil {
		return nil, "", fmt.Errorf("mark %q of changes is none of ours", mark)
	}
	err = db.Raw("SELECT DISTINCT subject FROM audit WHERE seq > ? AND seq <= ? AND what LIKE 'job %'", from, last).Scan(&ids).Error
	if err != nil {
		return nil, "", fmt.Errorf("changed jobs: %w", err)
	}
	return ids, next, nil
}

// Newest implements scheduler.Store.
func (s Jobs) Newest(ctx context.Context) (map[string]time.Time, error) {
	var rows []struct {
		Job string
		At  stamp
	}
	if err := s.db.r.WithContext(ctx).Raw("SELECT job, max(at) AS at FROM slots GROUP BY job").Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("newest slots: %w", err)
	}
	newest := make(map[string]time.Time, len(rows))
	for _, r := range rows {
		newest[r.Job] = r.At.Time
	}
	return newest, nil
}

// Job implements scheduler.Store.
func (s Jobs) Job(ctx context.Context, id string) (scheduler.Job, error) {
	var rows []jobRow
	if err := s.db.r.WithContext(ctx).Where("id = ?", id).Limit(1).Find(&rows).Error; err != nil {
		return scheduler.Job{}, fmt.Errorf("load job %s: %w", id, err)
	}
	if len(rows) == 0 {
		return scheduler.Job{}, fmt.Errorf("job %s: %w", id, scheduler.ErrNoJob)
	}
	return s.job(ctx, rows[0])
}

// Add implements scheduler.Store.
func (s Jobs) Add(ctx context.Context, j scheduler.Job) error {
	row, err := s.row(j)
	if err != nil {
		return fmt.Errorf("encode job %s: %w", j.ID, err)
	}
	err = s.db.write(ctx, func(tx *gorm.DB) error {
		res := tx.Exec(`INSERT INTO jobs (id, owner, origin, dest, state, version, created, since, body, mac) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO NOTHING`, asIs{row.ID}, asIs{row.Owner}, asIs{row.Origin}, asIs{row.Dest}, row.State, row.Version, row.Created, row.Since, asIs{row.Body}, asIs{row.Mac})
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		return s.db.audit(tx, s.changed(j, j.Owner, JobAdded, row.Body))
	})
	if err != nil {
		return fmt.Errorf("keep job %s: %w", j.ID, err)
	}
	return nil
}

// Update implements scheduler.Store. The grants of a Job that is deleted, or that from
// now on asks for something else, elsewhere or at other times, end with it: they were
// given for what it was.
func (s Jobs) Update(ctx context.Context, j scheduler.Job) (scheduler.Job, error) {
	was := j.Version
	j.Version++
	row, err := s.row(j)
	if err != nil {
		return j, fmt.Errorf("encode job %s: %w", j.ID, err)
	}
	err = s.db.write(ctx, func(tx *gorm.DB) error {
		var before []jobRow
		if err := tx.Where("id = ?", j.ID).Limit(1).Find(&before).Error; err != nil {
			return err
		}
		res := tx.Exec("UPDATE jobs SET owner = ?, origin = ?, dest = ?, state = ?, version = ?, since = ?, body = ?, mac = ? WHERE id = ? AND version = ?",
			asIs{row.Owner}, asIs{row.Origin}, asIs{row.Dest}, row.State, row.Version, row.Since, asIs{row.Body}, asIs{row.Mac}, j.ID, was)
		if res.Error != nil {
			return res.Error
		}
		if res.RowsAffected == 0 {
			var n int64
			if err := tx.Raw("SELECT count(*) FROM jobs WHERE id = ?", j.ID).Scan(&n).Error; err != nil {
				return err
			}
			if n == 0 {
				return scheduler.ErrNoJob
			}
			return scheduler.ErrChanged
		}
		for _, b := range before {
			// To seal it anew would make it ours. It can be deleted.
			if is, err := s.db.jobAsWritten(tx, b); err != nil || !is && j.State != scheduler.Deleted {
				return cmp.Or(err, scheduler.ErrAltered)
			}
		}
		if j.State == scheduler.Deleted || another(before, j) {
			if err := s.db.revoke(tx, j.ID, s.who(j)); err != nil {
				return err
			}
		}
		return s.db.audit(tx, s.changed(j, s.who(j), "job "+string(j.State), row.Body))
	})
	if err != nil {
		j.Version = was
		return j, fmt.Errorf("change job %s: %w", j.ID, err)
	}
	return j, nil
}

// another reports whether a Job does something else than it did: what was allowed for it
// was not allowed for this.
func another(before []jobRow, j scheduler.Job) bool {
	if len(before) == 0 {
		return false
	}
	was, err := before[0].job()
	return err != nil || was.Request != j.Request || was.Report != j.Report || was.About != j.About || was.To != j.To || was.Spec != j.Spec || was.Zone != j.Zone || was.Owner != j.Owner
}

type slotRow struct {
	Key, Job, Nominal, Zone  string
	At, PeriodFrom, PeriodTo stamp
	State, Reason, Run, Link string
	Fired, Tries             int
	Due, Claimed, Ended      stamp
}

// TableName implements gorm's Tabler.
func (slotRow) TableName() string { return "slots" }

// slot is the row as a Slot, with its times in its zone.
func (row slotRow) slot() scheduler.Slot {
	s := scheduler.Slot{
		Job: row.Job, Nominal: row.Nominal, Zone: row.Zone, At: row.At.Time, From: row.PeriodFrom.Time, To: row.PeriodTo.Time,
		Due: row.Due.Time, Tries: row.Tries, State: scheduler.SlotState(row.State), Reason: row.Reason, Run: row.Run, Link: row.Link, Claimed: row.Claimed.Time, Ended: row.Ended.Time,
	}
	if z := zone(row.Zone); z != nil {
		for _, t := range []*time.Time{&s.At, &s.Due, &s.From, &s.To} {
			if !t.IsZero() {
				*t = t.In(z)
			}
		}
	}
	return s
}

// Claim implements scheduler.Store.
func (s Jobs) Claim(ctx context.Context, sl scheduler.Slot) (bool, error) {
	var n int64
	err := s.db.commit(ctx, func(w *gorm.DB) error {
		now := s.db.now()
		res := w.Exec(`INSERT INTO slots (key, job, nominal, zone, at, due, tries, period_from, period_to, state, reason, run, link, fired, claimed, ended)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?) ON CONFLICT (key) DO NOTHING`,
			sl.Key(), sl.Job, sl.Nominal, sl.Zone, at(sl.At).or(now), at(sl.Due), sl.Tries, at(sl.From), at(sl.To), string(sl.State), plain(sl.Reason), sl.Run, sl.Link,
			at(sl.Claimed).or(now), at(sl.Ended))
		n = res.RowsAffected
		return res.Error
	})
	if err != nil {
		return false, fmt.Errorf("claim slot %s: %w", sl.Key(), err)
	}
	return n > 0, nil
}

// Finish implements scheduler.Store. A run that is no slot's, a rehearsal, finishes
// none.
func (s Jobs) Finish(ctx context.Context, runKey string, state scheduler.SlotState, reason, link string, end time.Time) error {
	if runKey == "" {
		return errors.New("finish slot of no run")
	}
	err := s.db.commit(ctx, func(w *gorm.DB) error {
		return w.Exec("UPDATE slots SET state = ?, reason = ?, link = ?, ended = ? WHERE run = ? AND run <> ''",
			string(state), plain(reason), plain(link), at(end).or(s.db.now()), runKey).Error
	})
	if err != nil {
		return fmt.Errorf("finish slot of %s: %w", runKey, err)
	}
	return nil
}

// Last implements scheduler.Store.
func (s Jobs) Last(ctx context.Context, job string) (scheduler.Slot, bool, error) {
	slots, err := s.Slots(ctx, job, 1)
	if err != nil || len(slots) == 0 {
		return scheduler.Slot{}, false, err
	}
	return slots[0], true, nil
}

// Slots implements scheduler.Store.
func (s Jobs) Slots(ctx context.Context, job string, n int) ([]scheduler.Slot, error) {
	return s.slots(s.db.r.WithContext(ctx).Where("job = ?", job).Order("at DESC, key DESC").Limit(n))
}

// Unfired implements scheduler.Store.
func (s Jobs) Unfired(ctx context.Context) ([]scheduler.Slot, error) {
	return s.slots(s.db.r.WithContext(ctx).Where("state IN ('claimed', 'deferred') AND fired = 0").Order("at, key"))
}

func (Jobs) slots(find *gorm.DB) ([]scheduler.Slot, error) {
	var rows []slotRow
	if err := find.Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("load slots: %w", err)
	}
	var slots []scheduler.Slot
	for _, row := range rows {
		slots = append(slots, row.slot())
	}
	return slots, nil
}

// Fired implements scheduler.Store.
func (s Jobs) Fired(ctx context.Context, key, runKey string) error {
	err := s.db.commit(ctx, func(w *gorm.DB) error {
		return w.Exec("UPDATE slots SET fired = 1, run = ?, state = CASE state WHEN 'deferred' THEN 'claimed' ELSE state END WHERE key = ?", runKey, key).Error
	})
	if err != nil {
		return fmt.Errorf("slot %s fired: %w", key, err)
	}
	return nil
}

// Defer implements scheduler.Store.
func (s Jobs) Defer(ctx context.Context, key, reason string, due time.Time) error {
	err := s.db.commit(ctx, func(w *gorm.DB) error {
		return w.Exec("UPDATE slots SET state = 'deferred', reason = ?, due = ? WHERE key = ? AND fired = 0", plain(reason), at(due), key).Error
	})
	if err != nil {
		return fmt.Errorf("defer slot %s: %w", key, err)
	}
	return nil
}

// Working implements scheduler.Store.
func (s Jobs) Working(ctx context.Context, job string) ([]scheduler.Slot, error) {
	return s.slots(s.db.r.WithContext(ctx).Where("job = ? AND state = 'claimed'", job).Order("at, key"))
}

// ByRun implements scheduler.Store.
func (s Jobs) ByRun(ctx context.Context, runKey string) (scheduler.Slot, bool, error) {
	slots, err := s.slots(s.db.r.WithContext(ctx).Where("run = ? AND run <> ''", runKey).Limit(1))
	if err != nil || len(slots) == 0 {
		return scheduler.Slot{}, false, err
	}
	return slots[0], true, nil
}

// Again implements scheduler.Store.
func (s Jobs) Again(ctx context.Context, runKey, next string, due time.Time, reason string) error {
	err := s.db.commit(ctx, func(w *gorm.DB) error {
		return w.Exec("UPDATE slots SET state = 'deferred', fired = 0, tries = tries + 1, run = ?, due = ?, reason = ? WHERE run = ? AND run <> ''",
			next, at(due), plain(reason), runKey).Error
	})
	if err != nil {
		return fmt.Errorf("slot of %s again: %w", runKey, err)
	}
	return nil
}
