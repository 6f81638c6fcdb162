package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"hermes/agent/run"
)

// Rows that decide whose rights are used and which words are said later are sealed too:
//
//	jobs     seal of all that a job is, with its version; the audit has the newest version,
//	         so an old row that is put back is found where it would run
//	runs     seal of what was asked, which never changes, then seal of how far it is, with
//	         that of the last step
//	steps    seal of each with that of the step before
//	reports  seal of a version; the audit has the newest
//	facts    seal of what is known, and for whom; not of what has become of it since. What
//	         memory has read in it has seals of its own, and is read anew where they break
//
// A whole run that is put back as it was at an earlier save, with its steps of then, is as
// hermes has written it. What it had done stands in the audit and is not done again.

// recordsSealed is the subject of the row about the rows of before these had seals.
const recordsSealed = "records"

// says are the texts that a job is sealed by.
func (row jobRow) says() []string {
	return []string{"job", row.ID, row.Owner, row.Origin, row.Dest, row.State, strconv.FormatInt(row.Version, 10), row.Body}
}

// asks are the texts of a run that never change.
func (row runRow) asks() []string {
	return []string{"asked", row.Key, row.Trace, row.Home, row.Asker, row.Job, row.AskedAt.Format(layout), row.Created.Format(layout), row.Request}
}

// stands are the texts of how far a run is. Last is the seal of its last step.
func (row runRow) stands() []string {
	return []string{
		"run", row.Key, row.State, row.Model, row.Body, strconv.Itoa(row.Steps), strconv.Itoa(row.Questions),
		strconv.Itoa(row.TokensIn), strconv.Itoa(row.TokensOut), strconv.FormatInt(row.Version, 10), row.Last,
	}
}

// halves are the seals of a run.
func (row runRow) halves() (asks, stands string) {
	return row.Mac[:min(len(row.Mac), sealSize)], row.Mac[min(len(row.Mac), sealSize):]
}

// says are the texts that a step is sealed by; before is the seal of the one before it.
func (r stepRow) says(before string) []string {
	return []string{"step", r.Run, strconv.Itoa(r.N), r.Body, before}
}

// says are the texts that a version of a report is sealed by.
func (row reportRow) says() []string {
	return []string{
		"report", row.Name, strconv.Itoa(row.Version), row.Body, row.Hash, row.Owner, row.Home, row.Origin, row.File, row.ByWhom, strconv.Itoa(row.Gone), row.At.Format(layout),
	}
}

// says are the texts that a fact is sealed by: all that never changes. What becomes of it
// with use is none of that.
func (r factRow) says() []string {
	return append(r.said(),
		strconv.FormatFloat(r.Confidence, 'g', -1, 64), r.Event.Format(layout), r.TrueTo.Format(layout), r.Evidence)
}

// said are the texts that a fact was sealed by before it had evidence and an end.
func (r factRow) said() []string {
	return []string{
		"fact", r.ID, r.Subject, r.Predicate, r.Object, r.Text, r.Kind, r.Source, r.Link, r.Place, r.ByWhom, r.Said.Format(layout), r.AudienceKind, r.Audience,
	}
}

// written reports whether the program has written a fact.
func (r keyring) written(f factRow) bool {
	return r.holds(f.Mac, f.says()...) || f.TrueTo.IsZero() && f.Evidence == "" && r.holds(f.Mac, f.said()...)
}

// asked reports whether what a run was asked, by whom, and where, is as it was written.
func (r keyring) asked(row runRow) bool {
	asks, _ := row.halves()
	return r.holds(asks, row.asks()...)
}

// vouched checks a run with all its steps, and sets Last.
func (r keyring) vouched(row runRow, steps []stepRow) bool {
	last := ""
	for i, s := range steps {
		if s.N != i+1 || !r.holds(s.Mac, s.says(last)...) {
			return false
		}
		last = s.Mac
	}
	row.Last = last
	return len(steps) == row.Steps && r.stands(row)
}

// stands reports whether a run is as it was written, by the seal of its last step.
func (r keyring) stands(row runRow) bool {
	_, stands := row.halves()
	return r.asked(row) && r.holds(stands, row.stands()...)
}

// sealRecords seals, within a transaction, what was written before there were seals of it.
// Of jobs and reports the audit has a hash: what is another already gets none.
func (d *DB) sealRecords(tx *gorm.DB) error {
	key := d.keys.current
	var jobs []jobRow
	if err := tx.Raw("SELECT * FROM jobs WHERE mac = ''").Scan(&jobs).Error; err != nil {
		return err
	}
	for _, r := range jobs {
		was, err := d.lastTold(tx, "job %", r.ID)
		if err != nil {
			return err
		}
		if k, known := d.keys.known[was.KeyID]; known && was.Digest != "" && was.Digest != k.value(r.Body) {
			continue
		}
		if err := tx.Exec("UPDATE jobs SET mac = ? WHERE id = ?", asIs{key.line(r.says()...)}, asIs{r.ID}).Error; err != nil {
			return err
		}
	}
	var reports []reportRow
	if err := tx.Raw("SELECT * FROM reports WHERE mac = ''").Scan(&reports).Error; err != nil {
		return err
	}
	for _, r := range reports {
		if err := tx.Exec("UPDATE reports SET mac = ? WHERE name = ? AND version = ?", asIs{key.line(r.says()...)}, asIs{r.Name}, r.Version).Error; err != nil {
			return err
		}
	}
	err := eachFact(tx, "r.mac = ''", func(r factRow) error {
		return tx.Exec("UPDATE facts SET mac = ? WHERE seq = ?", asIs{key.line(r.says()...)}, r.Seq).Error
	})
	if err != nil {
		return err
	}
	return eachRun(tx, "mac = ''", func(row runRow) error {
		steps, err := stepRows(tx, row.Key)
		if err != nil {
			return err
		}
		for _, s := range steps {
			s.Mac = key.line(s.says(row.Last)...)
			row.Last = s.Mac
			if err := tx.Exec("UPDATE steps SET mac = ? WHERE run = ? AND n = ?", asIs{s.Mac}, asIs{s.Run}, s.N).Error; err != nil {
				return err
			}
		}
		return tx.Exec("UPDATE runs SET mac = ? WHERE seq = ?", asIs{key.line(row.asks()...) + key.line(row.stands()...)}, row.Seq).Error
	})
}

// eachRun does something with each run that a condition picks.
func eachRun(r *gorm.DB, where string, do func(runRow) error) error {
	return each(func(after int64) (rows []runRow, err error) {
		err = r.Raw("SELECT * FROM runs WHERE seq > ? AND "+where+" ORDER BY seq LIMIT ?", after, chunk).Scan(&rows).Error
		return rows, wrapped(err, "runs")
	}, func(row runRow) int64 { return row.Seq }, do)
}

// eachFact does something with each fact that a condition picks. The table is called r.
func eachFact(r *gorm.DB, where string, do func(factRow) error) error {
	return each(func(after int64) (rows []factRow, err error) {
		err = r.Raw("SELECT "+factColumns+" FROM facts r WHERE r.seq > ? AND "+where+" ORDER BY r.seq LIMIT ?", after, chunk).Scan(&rows).Error
		return rows, wrapped(err, "facts")
	}, func(row factRow) int64 { return row.Seq }, do)
}

// each does something with all rows of a table, which are read a chunk at a time.
func each[T any](read func(after int64) ([]T, error), seq func(T) int64, do func(T) error) error {
	for after := int64(0); ; {
		rows, err := read(after)
		if err != nil {
			return err
		}
		for _, row := range rows {
			after = seq(row)
			if err := do(row); err != nil {
				return err
			}
		}
		if len(rows) < chunk {
			return nil
		}
	}
}

// lastTold is the newest row of the audit about a subject, whose What is like a pattern;
// one with number 0 if there is none.
func (d *DB) lastTold(r *gorm.DB, what, subject string) (auditRow, error) {
	var rows []auditRow
	err := r.Raw("SELECT * FROM audit WHERE subject IN ? AND what LIKE ? ORDER BY seq DESC LIMIT 1", d.keys.asIDs(d.asKept(subject)), what).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return auditRow{}, wrapped(err, "audit of "+subject)
	}
	return rows[0], nil
}

// asIDs are how rows under any key name what a text names.
func (r keyring) asIDs(s string) []string {
	var all []string
	for _, k := range r.known {
		if id := k.asID(s); !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}

// records are the rows of jobs, runs, reports and facts that the program has not written,
// jobs and reports that are not the newest of the audit, or are gone, and runs whose cost
// is not what budgets add up.
func (d *DB) records(r *gorm.DB) ([]Doubt, error) {
	var all []Doubt
	forged := func(table, key string) {
		all = append(all, Doubt{key, "a row of the " + table + " that hermes has not written: it is not acted on", ""})
	}
	var jobs []jobRow
	if err := r.Raw("SELECT * FROM jobs ORDER BY seq").Scan(&jobs).Error; err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	for _, row := range jobs {
		is, err := d.jobAsWritten(r, row)
		if err != nil {
			return nil, err
		}
		if !is {
			forged("schedules", row.ID)
		}
	}
	var gone []string
	if err := r.Raw("SELECT DISTINCT subject FROM audit WHERE what LIKE 'job %' AND subject NOT LIKE '" + hashed + "%' AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = audit.subject) ORDER BY subject").Scan(&gone).Error; err != nil {
		return nil, fmt.Errorf("jobs that are gone: %w", err)
	}
	for _, id := range gone {
		all = append(all, Doubt{id, "a schedule that the audit has, and the table has not", ""})
	}
	lost, err := d.reportDoubts(r, forged)
	if err != nil {
		return nil, err
	}
	all = append(all, lost...)
	err = eachFact(r, "1 = 1", func(row factRow) error {
		if !d.keys.written(row) {
			forged("facts", row.ID)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = eachRun(r, "1 = 1", func(row runRow) error {
		steps, err := stepRows(r, row.Key)
		if err != nil {
			return err
		}
		if !d.keys.vouched(row, steps) {
			forged("runs", row.Key)
			return nil
		}
		same, err := spentAsRun(r, row, steps)
		if err == nil && !same {
			all = append(all, Doubt{row.Key, "a run whose cost is not what is added up for budgets: rows of the table of what was spent are gone, or were changed", ""})
		}
		return err
	})
	return all, err
}

// reportDoubts are the reports that are not as they were saved.
func (d *DB) reportDoubts(r *gorm.DB, forged func(table, key string)) ([]Doubt, error) {
	var rows []reportRow
	if err := r.Raw("SELECT * FROM reports ORDER BY name, version").Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("reports: %w", err)
	}
	there, newest := map[string]bool{}, map[string]reportRow{}
	for _, row := range rows {
		newest[row.Name] = row
		for _, id := range d.keys.asIDs(row.Name) {
			there[id+"@v"+strconv.Itoa(row.Version)] = true
		}
		if !d.keys.holds(row.Mac, row.says()...) {
			forged("reports", row.Name)
		}
	}
	var told []auditRow
	if err := r.Raw("SELECT * FROM audit WHERE what = ? ORDER BY seq", ReportSaved).Scan(&told).Error; err != nil {
		return nil, fmt.Errorf("audit of reports: %w", err)
	}
	var all []Doubt
	for _, row := range told {
		if d.keys.signed(row) && !there[row.Subject+"@"+row.Outcome] {
			all = append(all, Doubt{row.Subject, "a saved report whose " + row.Outcome + " the audit has, and the table has not", ""})
		}
	}
	return all, nil
}

// spentAsRun reports whether what a run has cost is what the table has of it. Of a run of
// before that table it has nothing.
func spentAsRun(r *gorm.DB, row runRow, steps []stepRow) (bool, error) {
	var rows []struct {
		N             int
		Tokens, Nanos int64
	}
	if err := r.Raw("SELECT n, tokens, nanos FROM spend WHERE run = ?", row.Key).Scan(&rows).Error; err != nil {
		return false, fmt.Errorf("what run %s has spent: %w", row.Key, err)
	}
	noted := map[int]run.Amount{}
	for _, s := range rows {
		noted[s.N] = run.Amount{Tokens: s.Tokens, Nanos: s.Nanos}
	}
	for _, s := range steps {
		var step run.Step
		if err := json.Unmarshal([]byte(s.Body), &step); err != nil {
			return false, fmt.Errorf("step %d of run %s: %w", s.N, row.Key, err)
		}
		if run.AmountOf(run.UsageOf([]run.Step{step})) != noted[s.N] {
			return false, nil
		}
		delete(noted, s.N)
	}
	return len(noted) == 0, nil
}

// jobAsWritten checks a job: by its seal, and whether the audit knows of a newer version.
func (d *DB) jobAsWritten(r *gorm.DB, row jobRow) (bool, error) {
	if !d.keys.holds(row.Mac, row.says()...) {
		return false, nil
	}
	was, err := d.lastTold(r, "job %", row.ID)
	return was.Outcome == "" || was.Outcome == fmt.Sprintf("v%d", row.Version), err
}

// reportAsWritten checks the newest version of a report in the same way.
func (d *DB) reportAsWritten(r *gorm.DB, row reportRow) (bool, error) {
	if !d.keys.holds(row.Mac, row.says()...) {
		return false, nil
	}
	was, err := d.lastTold(r, "report %", row.Name)
	return was.Seq == 0 || was.What == ReportSaved && (was.Outcome == "" || was.Outcome == fmt.Sprintf("v%d", row.Version)), err
}

// disownRun tells of a run that is not as it was written, and returns why it does not go on.
func (d *DB) disownRun(ctx context.Context, key string) error {
	return errors.Join(run.ErrAltered, d.disown(ctx, "runs", key, "", errNotAsWritten))
}

// vouchedFact reports whether the program has written a fact, and tells of one that it
// has not.
func (d *DB) vouchedFact(ctx context.Context, r factRow) (bool, error) {
	if d.keys.written(r) {
		return true, nil
	}
	return false, d.disown(ctx, "facts", r.ID, "", errNotAsWritten)
}

// vouchedFacts leaves out facts that the program has not written.
func (d *DB) vouchedFacts(ctx context.Context, rows []factRow) ([]factRow, error) {
	var all error
	return slices.DeleteFunc(rows, func(r factRow) bool {
		ours, err := d.vouchedFact(ctx, r)
		all = errors.Join(all, err)
		return !ours
	}), all
}
