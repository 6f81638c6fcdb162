package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"gorm.io/gorm"

	"hermes/agent"
	"hermes/agent/run"
	"hermes/bot"
)

var _ agent.Store = Runs{}

// A runRow is a Run but for its steps, its questions, and what was noted on it.
type runRow struct {
	Seq                                        int64 `gorm:"primaryKey;autoIncrement"`
	Key, Trace, Home, Asker, Job, State, Model string
	AskedAt                                    stamp
	Request, Body                              string
	Steps, Questions                           int
	TokensIn, TokensOut                        int
	Version                                    int64
	Created, Updated                           stamp
	Mac                                        string
	Last                                       string `gorm:"->"` // seal of its last step, where it was asked for
}

// TableName implements gorm's Tabler.
func (runRow) TableName() string { return "runs" }

type stepRow struct {
	Run  string `gorm:"primaryKey"`
	N    int    `gorm:"primaryKey"`
	Body string
	Mac  string
}

// TableName implements gorm's Tabler.
func (stepRow) TableName() string { return "steps" }

// Run implements agent.Store.
func (s Runs) Run(ctx context.Context, key string) (run.Run, bool, error) {
	r, ok, err := s.load(s.db.r.WithContext(ctx), key)
	if errors.Is(err, run.ErrAltered) {
		// It may have been saved between its row and its steps.
		err = s.db.snapshot(ctx, func(tx *gorm.DB) (err error) {
			r, ok, err = s.load(tx, key)
			return err
		})
	}
	if errors.Is(err, run.ErrAltered) {
		err = s.db.disownRun(ctx, key)
	}
	if err != nil {
		return r, false, fmt.Errorf("load run %s: %w", key, err)
	}
	return r, ok, nil
}

func (s Runs) load(r *gorm.DB, key string) (run.Run, bool, error) {
	var rows []runRow
	if err := r.Where("key = ?", key).Limit(1).Find(&rows).Error; err != nil {
		return run.Run{}, false, err
	}
	if len(rows) == 0 {
		alone := run.Run{}
		alone.Key = key
		err := noted(r, &alone, 0)
		return alone, false, err
	}
	kept, err := stepRows(r, key)
	switch {
	case err != nil:
		return run.Run{}, false, err
	case !s.db.keys.vouched(rows[0], kept):
		return run.Run{}, false, run.ErrAltered
	}
	got, err := rows[0].run()
	if err != nil {
		return got, false, err
	}
	if got.Steps, err = stepsOf(kept); err != nil {
		return got, false, err
	}
	return got, true, noted(r, &got, rows[0].Questions)
}

func stepRows(r *gorm.DB, key string) ([]stepRow, error) {
	var rows []stepRow
	err := r.Where("run = ?", key).Order("n").Find(&rows).Error
	return rows, err
}

// steps are those of a run.
func steps(r *gorm.DB, key string) ([]run.Step, error) {
	rows, err := stepRows(r, key)
	if err != nil {
		return nil, err
	}
	return stepsOf(rows)
}

func stepsOf(rows []stepRow) ([]run.Step, error) {
	var all []run.Step
	for _, row := range rows {
		var step run.Step
		if err := json.Unmarshal([]byte(row.Body), &step); err != nil {
			return nil, fmt.Errorf("step %d: %w", row.N, err)
		}
		all = append(all, step)
	}
	return all, nil
}

// run is the row as a Run without steps and notes.
func (row runRow) run() (run.Run, error) {
	var r run.Run
	if err := json.Unmarshal([]byte(row.Body), &r); err != nil {
		return r, err
	}
	req, err := row.asked()
	r.Request, r.Version = req, row.Version
	return r, err
}

// asked is the Request, with its time back in its zone.
func (row runRow) asked() (run.Request, error) {
	var req run.Request
	if err := json.Unmarshal([]byte(row.Request), &req); err != nil {
		return req, fmt.Errorf("request: %w", err)
	}
	if z := zone(req.Zone); z != nil {
		req.Now = req.Now.In(z)
	}
	return req, nil
}

var zones sync.Map // *time.Location by name; LoadLocation reads a file each time

// zone returns nil for a zone that nobody knows any more.
func zone(name string) *time.Location {
	known, _ := zones.Load(name)
	if z, ok := known.(*time.Location); ok {
		return z
	}
	z, err := time.LoadLocation(name)
	if name == "" || err != nil {
		return nil
	}
	zones.Store(name, z)
	return z
}

// Save implements agent.Store.
func (s Runs) Save(ctx context.Context, r run.Run) (run.Run, error) {
	save := s.db.write
	if r.Light && r.Version == 0 && r.Ended() {
		// Small talk is one record, and nothing means before its answer is in the
		// outbox: that write waits for the disk.
		save = s.db.precede
	}
	err := save(ctx, func(tx *gorm.DB) error {
		was, err := s.save(tx, &r)
		if err != nil {
			return err
		}
		return s.db.written(tx, r, was)
	})
	if err != nil {
		return r, fmt.Errorf("save run %s: %w", r.Key, err)
	}
	s.db.toBook(r)
	return r, nil
}

// Deliver implements agent.Store. This is where the words of a Run become a
// bot.Post; one for a place that is none has its Receipt at once, and costs no use.
func (s Runs) Deliver(ctx context.Context, r run.Run) (run.Run, error) {
	if r.Sending == nil {
		return r, fmt.Errorf("deliver run %s: it sends nothing", r.Key)
	}
	d, sending := s.db, *r.Sending
	err := d.write(ctx, func(tx *gorm.DB) error {
		post, fault := posted(r)
		if fault != nil {
			if err := receive(tx, run.Receipt{Post: sending.Key, Run: r.Key, Failed: fault.Error()}, d.now()); err != nil {
				return err
			}
		}
		was, err := s.save(tx, &r)
		if err != nil {
			return err
		}
		if fault != nil {
			return d.written(tx, r, was)
		}
		if err := d.delivering(tx, r, sending); err != nil {
			return err
		}
		if err := d.use(tx, sending.Grant); err != nil {
			return err
		}
		if err := d.addPost(tx, post); err != nil {
			return err
		}
		if err := d.notify(tx, "outbox"); err != nil {
			return err
		}
		if err := d.written(tx, r, was); err != nil {
			return err
		}
		if sending.Grant != "" {
			if err := d.audit(tx, entry{Who: r.Asker, What: GrantUsed, Subject: sending.Grant, Part: r.Key, Place: sending.Post.To}); err != nil {
				return err
			}
		}
		return d.audit(tx, queued(r, sending))
	})
	if err != nil {
		return r, fmt.Errorf("deliver run %s: %w", r.Key, err)
	}
	d.outbox.wake()
	d.toBook(r)
	return r, nil
}

// posted is what a Run sends, in the words of chat.
func posted(r run.Run) (bot.Post, error) {
	p := *r.Sending
	to, err := bot.ParsePlace(p.Post.To)
	if err != nil {
		return bot.Post{}, err
	}
	home, err := bot.ParsePlace(p.Home)
	if err != nil {
		return bot.Post{}, err
	}
	return bot.Post{
		Key: p.Key, Place: to, Artifact: p.Post.Artifact, Hash: p.Post.Hash,
		Run: r.Key, Home: home, Kind: bot.Report, Lang: r.Lang, Trace: r.Trace(),
	}, nil
}

// save writes r and sets its Version and its notes. It returns how many steps there
// were before.
func (s Runs) save(tx *gorm.DB, r *run.Run) (int, error) {
	d := s.db
	row, err := d.rowOf(*r)
	if err != nil {
		return 0, err
	}
	var was runRow // what is on disk of it; Last is of the step before its last
	if r.Version > 0 {
		if was, err = runBefore(tx, row.Key, r.Version); err != nil {
			return 0, err
		}
	}
	// A move changes the last step or adds one; those before are as they were.
	kept, err := d.stepsFrom(*r, max(0, was.Steps-1), was.Last)
	if err != nil {
		return 0, err
	}
	for _, step := range kept {
		row.Last = step.Mac
	}
	if r.Version == 0 {
		err = d.insertRun(tx, row)
	} else {
		err = d.updateRun(tx, row, r.Version)
	}
	if err != nil {
		return 0, err
	}
	for _, step := range kept {
		err = tx.Exec(`INSERT INTO steps (run, n, body, mac) VALUES (?, ?, ?, ?)
			ON CONFLICT (run, n) DO UPDATE SET body = excluded.body, mac = excluded.mac WHERE steps.body <> excluded.body OR steps.mac <> excluded.mac`,
			asIs{step.Run}, step.N, asIs{step.Body}, asIs{step.Mac}).Error
		if err != nil {
			return 0, fmt.Errorf("step %d: %w", step.N, err)
		}
		if err := paid(tx, *r, step.N, row.Updated); err != nil {
			return 0, err
		}
	}
	for _, q := range r.Questions[min(was.Questions, len(r.Questions)):] {
		if err := d.ask(tx, q, row.Updated); err != nil {
			return 0, err
		}
	}
	r.Version++
	if err := noted(tx, r, len(r.Questions)); err != nil {
		return 0, err
	}
	if r.State == run.Done && r.Unheard() {
		return 0, run.ErrUnheard
	}
	return was.Steps, nil
}

// stepsFrom are the steps of a run from one on, as they reach the database, each sealed
// with that before it.
func (d *DB) stepsFrom(r run.Run, from int, before string) ([]stepRow, error) {
	var kept []stepRow
	for i := from; i < len(r.Steps); i++ {
		body, err := encode(r.Steps[i])
		if err != nil {
			return nil, fmt.Errorf("encode step %d: %w", i+1, err)
		}
		row := stepRow{Run: d.asKept(r.Key), N: i + 1, Body: d.asKept(body)}
		row.Mac = d.keys.current.line(row.says(before)...)
		before = row.Mac
		kept = append(kept, row)
	}
	return kept, nil
}

// rowOf is a run as it reaches the database, but for its seals.
func (d *DB) rowOf(r run.Run) (runRow, error) {
	usage, now := r.Usage(), d.now()
	row := runRow{
		Key: r.Key, Trace: r.Trace(), Home: r.Home, Asker: r.Asker, Job: r.Job, State: string(r.State), Model: r.Model,
		AskedAt: at(r.Now).or(now), Steps: len(r.Steps), Questions: len(r.Questions), TokensIn: usage.In, TokensOut: usage.Out,
		Version: r.Version + 1, Created: at(r.Created).or(now), Updated: now,
	}
	if r.Job != "" {
		// The time of a slot is what it is about, not when it was said.
		row.AskedAt = row.Created
	}
	var err error
	if row.Request, err = encode(r.Request); err != nil {
		return row, fmt.Errorf("encode request: %w", err)
	}
	r.Request, r.Steps = run.Request{}, nil
	if row.Body, err = encode(r); err != nil {
		return row, fmt.Errorf("encode run: %w", err)
	}
	for _, text := range []*string{&row.Key, &row.Trace, &row.Home, &row.Asker, &row.Job, &row.Model, &row.Request, &row.Body} {
		*text = d.asKept(*text)
	}
	return row, nil
}

func (d *DB) insertRun(tx *gorm.DB, row runRow) error {
	key := d.keys.current
	res := tx.Exec(`INSERT INTO runs (key, trace, home, asker, job, state, model, asked_at, request, body, steps, questions, tokens_in, tokens_out, version, created, updated, mac)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
		asIs{row.Key}, asIs{row.Trace}, asIs{row.Home}, asIs{row.Asker}, asIs{row.Job}, row.State, asIs{row.Model}, row.AskedAt, asIs{row.Request}, asIs{row.Body},
		row.Steps, row.Questions, row.TokensIn, row.TokensOut, row.Version, row.Created, row.Updated, asIs{key.line(row.asks()...) + key.line(row.stands()...)})
	if res.Error == nil && res.RowsAffected == 0 {
		return run.ErrStale
	}
	return res.Error
}

// runBefore is what is there of a run, with the seal of the step before its last.
func runBefore(tx *gorm.DB, key string, version int64) (runRow, error) {
	var was []runRow
	err := tx.Raw(`SELECT steps, questions, COALESCE((SELECT mac FROM steps s WHERE s.run = runs.key AND s.n = runs.steps - 1), '') AS last
		FROM runs WHERE key = ? AND version = ?`, asIs{key}, version).Scan(&was).Error
	if err != nil {
		return runRow{}, err
	}
	if len(was) == 0 {
		return runRow{}, run.ErrStale
	}
	return was[0], nil
}

// updateRun leaves what was asked, and its seal, as they were first.
func (d *DB) updateRun(tx *gorm.DB, row runRow, version int64) error {
	res := tx.Exec(`UPDATE runs SET state = ?, model = ?, body = ?, steps = ?, questions = ?, tokens_in = ?, tokens_out = ?, version = ?, updated = ?,
		mac = SUBSTR(mac, 1, `+strconv.Itoa(sealSize)+`) || ? WHERE key = ? AND version = ?`,
		row.State, asIs{row.Model}, asIs{row.Body}, row.Steps, row.Questions, row.TokensIn, row.TokensOut, row.Version, row.Updated,
		asIs{d.keys.current.line(row.stands()...)}, asIs{row.Key}, version)
	if res.Error == nil && res.RowsAffected == 0 {
		return run.ErrStale
	}
	return res.Error
}
