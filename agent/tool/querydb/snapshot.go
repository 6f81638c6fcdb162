package querydb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"

	"hermes/internal/tabular"
)

// A snapshot is the state of a feed at one moment, in a database in memory that is opened
// to be read alone, by the same means as the file of a SQLite source. A run has the one
// that it has begun with until its end, so that the tables of one report are of one
// state; who begins later has a newer one, if there is.
type snapshot struct {
	db     *sql.DB
	keep   *sql.DB // whose connection keeps the memory
	asOf   time.Time
	at     time.Time // when it was read
	state  string
	tables []tabular.Table // without their rows
	users  int
}

// snapshots are those of a source.
type snapshots struct {
	feed   feed
	engine sqliteEngine
	now    func() time.Time
	fresh  time.Duration // how long what has no state is believed

	loading chan struct{} // holds who reads

	mu     sync.Mutex
	latest *snapshot
	pins   []pin
}

// A pin keeps a snapshot for a run.
type pin struct {
	run string
	of  *snapshot
	at  time.Time
}

// Bounds of what is kept for runs: a run that waits for a person for days has the state of
// the day when it goes on, and says of when it is.
const (
	mostPins = 64
	mostKept = 4 // different states
	pinAge   = time.Hour
	webFresh = time.Minute
	loadTime = 2 * time.Minute
)

func newSnapshots(f feed, e sqliteEngine, now func() time.Time, fresh time.Duration) *snapshots {
	return &snapshots{feed: f, engine: e, now: now, fresh: fresh, loading: make(chan struct{}, 1)}
}

// take returns the snapshot of a run, and a function that gives it back. An empty run is
// none, and has the newest.
func (s *snapshots) take(ctx context.Context, run string) (*snapshot, func(), error) {
	if snap := s.pinned(run); snap != nil {
		return snap, func() { s.drop(snap) }, nil
	}
	select {
	case s.loading <- struct{}{}:
		defer func() { <-s.loading }()
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
	if snap := s.pinned(run); snap != nil { // the other call of this run was first
		return snap, func() { s.drop(snap) }, nil
	}
	state, err := s.feed.state(ctx)
	if err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	snap := s.latest
	good := snap != nil && (state != "" && snap.state == state || state == "" && s.now().Sub(snap.at) < s.fresh)
	s.mu.Unlock()
	if !good {
		if snap, err = s.read(ctx, state); err != nil {
			return nil, nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !good {
		old := s.latest
		s.latest = snap
		snap.users++
		s.leave(old)
	}
	snap.users++
	if run != "" {
		snap.users++
		s.pins = append(s.pins, pin{run, snap, s.now()})
		s.unpin()
	}
	return snap, func() { s.drop(snap) }, nil
}

func (s *snapshots) pinned(run string) *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pins {
		if p.run == run && run != "" {
			p.of.users++
			return p.of
		}
	}
	return nil
}

// unpin lets go what is too old or too much. The lock is held.
func (s *snapshots) unpin() {
	tooMany := func() bool {
		kept := map[*snapshot]bool{}
		for _, p := range s.pins {
			kept[p.of] = true
		}
		return len(s.pins) > mostPins || len(kept) > mostKept
	}
	for len(s.pins) > 1 && (tooMany() || s.now().Sub(s.pins[0].at) > pinAge) {
		of := s.pins[0].of
		s.pins = slices.Delete(s.pins, 0, 1)
		s.leave(of)
	}
}

func (s *snapshots) drop(snap *snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leave(snap)
}

// leave ends one use; the last frees the memory. The lock is held.
func (s *snapshots) leave(snap *snapshot) {
	if snap == nil {
		return
	}
	if snap.users--; snap.users == 0 {
		_ = errors.Join(snap.db.Close(), snap.keep.Close()) // nothing of it is left to lose
	}
}

// close frees all that nobody is reading.
func (s *snapshots) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pins {
		s.leave(p.of)
	}
	s.leave(s.latest)
	s.pins, s.latest = nil, nil
	return nil
}

// nthSnapshot names the memory of each: names are of the whole process.
var nthSnapshot atomic.Int64

// read makes a new snapshot.
func (s *snapshots) read(ctx context.Context, state string) (*snapshot, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, loadTime, fmt.Errorf("it could not be read in %s", loadTime))
	defer cancel()
	tables, asOf, err := s.feed.load(ctx)
	if err != nil {
		return nil, err
	}
	if asOf.IsZero() {
		asOf = s.now()
	}
	name := fmt.Sprintf("file:/hermes-source-%d?vfs=memdb", nthSnapshot.Add(1))
	snap := &snapshot{asOf: asOf, at: s.now(), state: state}
	if snap.keep, err = sql.Open("sqlite", name); err != nil {
		return nil, fmt.Errorf("make room for the tables: %w", err)
	}
	snap.keep.SetMaxOpenConns(1)
	if err := fill(ctx, snap.keep, tables); err != nil {
		return nil, errors.Join(err, snap.keep.Close())
	}
	c, err := sqlite.NewConnector(name + "&mode=ro&_query_only=1&_dqs=0")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the tables: %w", err), snap.keep.Close())
	}
	snap.db = sql.OpenDB(readOnly{c, s.engine, ""})
	snap.db.SetMaxOpenConns(4)
	for _, t := range tables {
		t.Rows = nil
		snap.tables = append(snap.tables, t)
	}
	return snap, nil
}

// fill writes the tables.
func fill(ctx context.Context, db *sql.DB, tables []tabular.Table) (err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("make room for the tables: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	for _, t := range tables {
		if err := fillOne(ctx, tx, t); err != nil {
			return fmt.Errorf("fill table %s: %w", t.Name, err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("fill tables: %w", err)
	}
	return nil
}

func fillOne(ctx context.Context, tx *sql.Tx, t tabular.Table) error {
	var columns, marks []string
	for _, c := range t.Columns {
		columns = append(columns, quotedName(c.Name)+" "+sqliteTypes[c.Type])
		marks = append(marks, "?")
	}
	if _, err := tx.ExecContext(ctx, "CREATE TABLE "+quotedName(t.Name)+" ("+strings.Join(columns, ", ")+")"); err != nil {
		return err
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO "+quotedName(t.Name)+" VALUES ("+strings.Join(marks, ", ")+")") //nolint:gosec // Names are quoted, values bound.
	if err != nil {
		return err
	}
	defer func() { _ = insert.Close() }() // the transaction ends with it
	for i, row := range t.Rows {
		if _, err := insert.ExecContext(ctx, row...); err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return nil
}

var sqliteTypes = map[tabular.Type]string{tabular.Text: "TEXT", tabular.Integer: "INTEGER", tabular.Decimal: "REAL", tabular.Day: "DATE", tabular.Time: "DATETIME"}

func quotedName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
