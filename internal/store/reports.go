package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"hermes/agent"
	"hermes/agent/playbook"
	"hermes/agent/run"
	"hermes/scheduler"
)

// Reports keeps saved reports, with all versions of them.
type Reports struct{ db *DB }

var (
	_ agent.Library = Reports{}
	_ agent.Past    = Runs{}
)

// Reports returns the saved reports.
func (d *DB) Reports() Reports { return Reports{d} }

type reportRow struct {
	Name    string `gorm:"primaryKey"`
	Version int    `gorm:"primaryKey"`
	Body, Hash, Owner, Home, Origin, File,
	ByWhom string
	Gone int
	At   stamp
	Mac  string
}

// TableName implements gorm's Tabler.
func (reportRow) TableName() string { return "reports" }

// kept reads a row. Its hash is that of what stands there, whatever was written beside.
func (row reportRow) kept() (playbook.Kept, error) {
	p, err := playbook.Read([]byte(row.Body))
	if err != nil {
		return playbook.Kept{}, fmt.Errorf("saved report %s, version %d: %w", row.Name, row.Version, err)
	}
	hash, err := p.Hash()
	return playbook.Kept{
		Playbook: p, Hash: hash, Version: row.Version, Owner: row.Owner, Home: row.Home,
		Origin: playbook.Origin(row.Origin), File: row.File, By: row.ByWhom, Changed: row.At.Time,
	}, err
}

const newestReports = `SELECT * FROM reports r WHERE gone = 0 AND version = (SELECT max(version) FROM reports x WHERE x.name = r.name)`

// Report implements agent.Library.
func (s Reports) Report(ctx context.Context, name string) (playbook.Kept, error) {
	var rows []reportRow
	if err := s.db.r.WithContext(ctx).Raw(newestReports+" AND name = ?", name).Scan(&rows).Error; err != nil {
		return playbook.Kept{}, fmt.Errorf("load report %s: %w", name, err)
	}
	if len(rows) == 0 {
		return playbook.Kept{}, fmt.Errorf("report %q: %w", name, playbook.ErrNone)
	}
	is, err := s.db.reportAsWritten(s.db.r.WithContext(ctx), rows[0])
	if err == nil && !is {
		// It may have been saved between the two looks.
		err = s.db.snapshot(ctx, func(r *gorm.DB) error {
			rows = nil
			if err := r.Raw(newestReports+" AND name = ?", name).Scan(&rows).Error; err != nil || len(rows) == 0 {
				return err
			}
			var err error
			is, err = s.db.reportAsWritten(r, rows[0])
			return err
		})
	}
	switch {
	case err != nil:
		return playbook.Kept{}, err
	case !is:
		return playbook.Kept{}, errors.Join(fmt.Errorf("report %q: %w", name, playbook.ErrAltered), s.db.disown(ctx, "reports", name, "", errNotAsWritten))
	}
	return rows[0].kept()
}

// All returns the saved reports by name. What of them cannot be read is in the error
// beside the others.
func (s Reports) All(ctx context.Context) ([]playbook.Kept, error) {
	var rows []reportRow
	if err := s.db.r.WithContext(ctx).Raw(newestReports + " ORDER BY name").Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("load reports: %w", err)
	}
	var all []playbook.Kept
	var faults []error
	for _, row := range rows {
		if !s.db.keys.holds(row.Mac, row.says()...) {
			faults = append(faults, fmt.Errorf("report %q: %w", row.Name, playbook.ErrAltered))
			continue
		}
		k, err := row.kept()
		if err != nil {
			faults = append(faults, err)
			continue
		}
		all = append(all, k)
	}
	return all, errors.Join(faults...)
}

// Versions returns all versions of a report that can be read, the newest first.
func (s Reports) Versions(ctx context.Context, name string) ([]playbook.Kept, error) {
	var rows []reportRow
	if err := s.db.r.WithContext(ctx).Where("name = ? AND gone = 0", name).Order("version DESC").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("load versions of report %s: %w", name, err)
	}
	var all []playbook.Kept
	for _, row := range rows {
		if k, err := row.kept(); err == nil && s.db.keys.holds(row.Mac, row.says()...) {
			all = append(all, k)
		}
	}
	return all, nil
}

// Save keeps a report as its next version, and returns it with the grants that end with
// it: what was allowed for the schedules of the version before was not allowed for this.
// A text that is the newest already is no new version. With fresh it must be a new name:
// playbook.ErrTaken if there is another of it; else of what comes from a file only a file
// is the next version, and of others none: playbook.ErrIsFile and playbook.ErrTaken.
func (s Reports) Save(ctx context.Context, k playbook.Kept, fresh bool) (playbook.Kept, []run.Grant, error) {
	body, err := playbook.Write(k.Playbook)
	if err != nil {
		return k, nil, err
	}
	if k.Hash, err = k.Playbook.Hash(); err != nil {
		return k, nil, err
	}
	var ended []run.Grant
	err = s.db.write(ctx, func(tx *gorm.DB) error {
		ended = nil
		if err := s.db.locked(tx, "report "+k.Name); err != nil {
			return err
		}
		var rows []reportRow
		if err := tx.Where("name = ?", k.Name).Order("version DESC").Limit(1).Find(&rows).Error; err != nil {
			return err
		}
		k.Version = 1
		if len(rows) > 0 {
			was := rows[0]
			k.Version = was.Version + 1
			if is, err := s.db.reportAsWritten(tx, was); err != nil || !is && was.Gone == 0 {
				// Its owner and its home are anybody's. It can be removed.
				return cmp.Or(err, playbook.ErrAltered)
			}
			isFile := was.Origin == string(playbook.File)
			switch {
			case was.Gone != 0:
			case was.Hash == k.Hash && was.Body == string(body) && was.Origin == string(k.Origin) && (!fresh || was.Owner == k.Owner):
				k.Version, k.Owner, k.Home, k.Changed = was.Version, was.Owner, was.Home, was.At.Time
				return nil
			case fresh, !isFile && k.Origin == playbook.File:
				return playbook.ErrTaken
			case isFile && k.Origin != playbook.File:
				return playbook.ErrIsFile
			default:
				k.Owner, k.Home = was.Owner, was.Home
			}
		}
		now := s.db.now()
		k.Changed = now.Time
		row := reportRow{k.Name, k.Version, string(body), k.Hash, k.Owner, k.Home, string(k.Origin), k.File, k.By, 0, now, ""}
		if err := s.insert(tx, row); err != nil {
			return err
		}
		if err := s.db.audit(tx, entry{Who: k.By, What: ReportSaved, Subject: k.Name, Digest: k.Hash, Outcome: fmt.Sprintf("v%d", k.Version)}); err != nil {
			return err
		}
		if k.Version > 1 {
			ended, err = s.void(ctx, tx, k.Name, k.By)
		}
		return err
	})
	if err != nil {
		return k, nil, fmt.Errorf("save report %s: %w", k.Name, err)
	}
	return k, ended, nil
}

// insert adds a version with its seal.
func (s Reports) insert(tx *gorm.DB, row reportRow) error {
	for _, text := range []*string{&row.Name, &row.Body, &row.Hash, &row.Owner, &row.Home, &row.File, &row.ByWhom} {
		*text = s.db.asKept(*text)
	}
	row.Mac = s.db.keys.current.line(row.says()...)
	return tx.Exec(`INSERT INTO reports (name, version, body, hash, owner, home, origin, file, by_whom, gone, at, mac) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		asIs{row.Name}, row.Version, asIs{row.Body}, asIs{row.Hash}, asIs{row.Owner}, asIs{row.Home}, row.Origin, asIs{row.File}, asIs{row.ByWhom}, row.Gone, row.At, asIs{row.Mac}).Error
}

// void ends the grants of the jobs that run a report.
func (s Reports) void(ctx context.Context, tx *gorm.DB, name, by string) (ended []run.Grant, err error) {
	jobs, err := jobsOf(tx, name)
	if err != nil {
		return nil, err
	}
	for _, j := range jobs {
		rows, err := s.db.grantRows(tx, "job = ? AND revoked IS NULL AND uses < max", j.ID)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			ended = append(ended, row.grant())
		}
		if err := s.db.revoke(tx, j.ID, by); err != nil {
			return nil, err
		}
	}
	return ended, nil
}

// jobsOf are the jobs that run a report and are not deleted.
func jobsOf(tx *gorm.DB, name string) ([]scheduler.Job, error) {
	var rows []jobRow
	err := tx.Where("state <> ? AND body LIKE ? ESCAPE '!'", string(scheduler.Deleted), "%"+strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(name)+"%").Order("created, seq").Find(&rows).Error
	if err != nil {
		return nil, err
	}
	var jobs []scheduler.Job
	for _, row := range rows {
		j, err := row.job()
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	return slices.DeleteFunc(jobs, func(j scheduler.Job) bool { return j.Report != name }), nil
}

// Running returns the jobs that run a report.
func (s Reports) Running(ctx context.Context, name string) ([]scheduler.Job, error) {
	jobs, err := jobsOf(s.db.r.WithContext(ctx), name)
	if err != nil {
		return nil, fmt.Errorf("schedules of report %s: %w", name, err)
	}
	return jobs, nil
}

// Remove takes a report away; its versions stay for the record. One that is not there is
// playbook.ErrNone, one of a file playbook.ErrIsFile unless the file has gone.
func (s Reports) Remove(ctx context.Context, name, by string, fileGone bool) ([]run.Grant, error) {
	var ended []run.Grant
	err := s.db.write(ctx, func(tx *gorm.DB) error {
		ended = nil
		if err := s.db.locked(tx, "report "+name); err != nil {
			return err
		}
		var rows []reportRow
		if err := tx.Where("name = ?", name).Order("version DESC").Limit(1).Find(&rows).Error; err != nil {
			return err
		}
		switch {
		case len(rows) == 0, rows[0].Gone != 0:
			return playbook.ErrNone
		case rows[0].Origin == string(playbook.File) && !fileGone:
			return playbook.ErrIsFile
		}
		was := rows[0]
		err := s.insert(tx, reportRow{name, was.Version + 1, was.Body, was.Hash, was.Owner, was.Home, was.Origin, was.File, by, 1, s.db.now(), ""})
		if err != nil {
			return err
		}
		if err := s.db.audit(tx, entry{Who: by, What: ReportGone, Subject: name, Digest: was.Hash}); err != nil {
			return err
		}
		ended, err = s.void(ctx, tx, name, by)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("remove report %s: %w", name, err)
	}
	return ended, nil
}

// Delivered implements agent.Past. A post that could not be brought does not count.
func (s Runs) Delivered(ctx context.Context, job string, p run.Period) (run.Earlier, bool, error) {
	var rows []struct {
		Revision int
		Link     string
		At       stamp
	}
	err := s.db.r.WithContext(ctx).Raw(`SELECT d.revision, coalesce(r.link, '') AS link, d.at FROM deliveries d LEFT JOIN receipts r ON r.post = d.post
		WHERE d.job = ? AND d.period_from = ? AND d.period_to = ? AND coalesce(r.failed, '') = '' ORDER BY d.revision DESC LIMIT 1`,
		job, at(p.From), at(p.To)).Scan(&rows).Error
	if err != nil {
		return run.Earlier{}, false, fmt.Errorf("what job %s has posted: %w", job, err)
	}
	if len(rows) == 0 {
		return run.Earlier{}, false, nil
	}
	return run.Earlier{Revision: rows[0].Revision + 1, Link: rows[0].Link, At: rows[0].At.Time}, true, nil
}

// delivering notes that a slot posts about its period. What a grant allows is the first
// such post alone: another one is for a person to say.
func (d *DB) delivering(tx *gorm.DB, r run.Run, p run.Post) error {
	about := r.About()
	if r.Job == "" || about.To.IsZero() || r.Rehearse {
		return nil
	}
	if err := d.locked(tx, "delivery "+r.Job); err != nil {
		return err
	}
	from, to := at(about.From), at(about.To)
	err := tx.Exec(`DELETE FROM deliveries WHERE job = ? AND period_from = ? AND period_to = ? AND EXISTS (SELECT 1 FROM receipts r WHERE r.post = deliveries.post AND r.failed <> '')`, r.Job, from, to).Error
	if err != nil {
		return fmt.Errorf("posts of job %s: %w", r.Job, err)
	}
	var last, mine int
	if err := tx.Raw("SELECT coalesce(max(revision), 0) FROM deliveries WHERE job = ? AND period_from = ? AND period_to = ?", r.Job, from, to).Scan(&last).Error; err != nil {
		return fmt.Errorf("posts of job %s: %w", r.Job, err)
	}
	// A run that posts to several places posts one report.
	if err := tx.Raw("SELECT count(*) FROM deliveries WHERE job = ? AND period_from = ? AND period_to = ? AND run = ?", r.Job, from, to, r.Key).Scan(&mine).Error; err != nil {
		return fmt.Errorf("posts of job %s: %w", r.Job, err)
	}
	if mine > 0 {
		return nil
	}
	if last > 0 && p.Grant != "" {
		return fmt.Errorf("job %s has posted about this period: %w", r.Job, agent.ErrNoGrant)
	}
	err = tx.Exec("INSERT INTO deliveries (job, period_from, period_to, revision, run, post, artifact, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		r.Job, from, to, last+1, r.Key, p.Key, p.Post.Artifact, d.now()).Error
	if err != nil {
		return fmt.Errorf("note post of job %s: %w", r.Job, err)
	}
	return nil
}
