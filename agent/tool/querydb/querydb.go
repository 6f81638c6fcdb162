// Package querydb asks other people's databases, read-only, and files and addresses as if
// they were databases (feed.go). It has two tools:
// query_metric gives figures out of a declared Layer, query_database runs a
// model's own SELECT. Our own store is not reached from here, and nothing here
// makes a report of the figures.
//
// What a newcomer would break: no text of a model becomes part of SQL.
// query_metric puts declared expressions together and binds every value;
// query_database passes three walls (Judge, the engine's read-only mode, our own
// deadline and limits), and each must hold without the two others.
//
// What Judge sees is the text alone. PostgreSQL reads o.f as a call of f with the row o
// where o has no column f, so for it the database is asked, before the query runs, which
// functions take a row, and none of them may stand behind a point unless sources[].functions
// names it. A view that somebody has made over a catalog has a name of its own, and is
// theirs to grant.
package querydb

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"hermes/agent/tool"
)

// Options of a Source. What is zero has the default.
type Options struct {
	// Before is called before each question, to bring the database up to date.
	Before   func(context.Context) error
	Deadline time.Duration // of one question; 10 s
	MaxRows  int           // 10,000: what a person can still open in a spreadsheet
	MaxBytes int           // 4 MB
	Now      func() time.Time
	Store    string       // file of the program's own store, which is no source; may be empty
	Log      *slog.Logger // of logins with more rights than they need; nil: nobody
}

func (o Options) withDefaults() Options {
	if o.Deadline <= 0 {
		o.Deadline = 10 * time.Second
	}
	if o.MaxRows <= 0 {
		o.MaxRows = 10_000
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 4 << 20
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// A Source is a database with its Layer.
type Source struct {
	layer   Layer
	options Options
	db      *sql.DB
	feed    *snapshots // instead of db, for what is no database
	engine  engine
	may     func(context.Context, tool.Viewer) bool // nil: everybody
	denied  func(context.Context, tool.Call) error  // may be nil

	mu     sync.Mutex
	vetted bool
	values map[string]valueList // by dimension
}

type valueList struct {
	values []string
	whole  bool
	at     time.Time
}

// Open returns the Source of a Layer. It does not reach the database yet: that
// happens at the first question, or with Check.
func Open(l Layer, o Options) (*Source, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	s := &Source{layer: l, options: o.withDefaults(), values: map[string]valueList{}}
	var err error
	switch lite := (sqliteEngine{functions: l.Functions, store: s.options.Store}); {
	case l.Files != nil:
		s.engine, s.feed = lite, newSnapshots(*l.Files, lite, s.options.Now, 0)
		return s, nil
	case l.Web != nil:
		s.engine, s.feed = lite, newSnapshots(*l.Web, lite, s.options.Now, cmp.Or(l.Fresh, webFresh))
		return s, nil
	}
	switch l.Dialect {
	case SQLite:
		s.engine = sqliteEngine{functions: l.Functions, store: s.options.Store}
	case Postgres:
		s.engine = postgresEngine{most: mostValues * s.options.MaxBytes}
	case MySQL:
		s.engine = mysqlEngine{}
	default:
		return nil, fmt.Errorf("sources[%s].dialect: %q has no driver", l.Name, l.Dialect)
	}
	if s.db, err = s.engine.open(l.DSN); err != nil {
		return nil, fmt.Errorf("sources[%s].dsn: %w", l.Name, err)
	}
	s.db.SetMaxOpenConns(4)
	s.db.SetConnMaxIdleTime(5 * time.Minute)
	return s, nil
}

// Close ends all connections.
func (s *Source) Close() error {
	if s.feed != nil {
		return s.feed.close()
	}
	return s.db.Close()
}

// Name is the name of the source.
func (s *Source) Name() string { return s.layer.Name }

// Layer is what was declared.
func (s *Source) Layer() Layer { return s.layer }

// Vet returns an error that wraps ErrUnfit if the database can be reached and is not to be
// asked anything. What cannot be found out now is found out at the first question.
func (s *Source) Vet(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, s.options.Deadline, errDeadline)
	defer cancel()
	if err := s.vet(ctx); errors.Is(err, ErrUnfit) {
		return err
	}
	return nil
}

// Check reaches the database and returns every fault of what was declared: a
// login with too many rights, an expression that the database refuses.
func (s *Source) Check(ctx context.Context) error {
	return s.read(ctx, "", func(ctx context.Context, tx *sql.Tx) error {
		var faults []error
		try := func(key, query string) {
			// A failed statement ends a transaction of PostgreSQL, so each has its
			// own place to go back to.
			if err := s.engine.try(ctx, tx, query); err != nil {
				faults = append(faults, fmt.Errorf("sources[%s].%s: %w", s.layer.Name, key, err))
			}
		}
		for _, m := range s.layer.Measures {
			try("measures["+m.Name+"]", "SELECT "+m.SQL+" FROM "+m.From+" WHERE 1 = 0")
			try("measures["+m.Name+"].time", "SELECT "+m.Time+" FROM "+m.From+" WHERE 1 = 0")
			for _, d := range s.layer.Dimensions {
				if m.goesWith(d) {
					try("dimensions["+d.Name+"] with measures["+m.Name+"]", "SELECT "+d.SQL+" FROM "+m.From+" WHERE 1 = 0")
				}
			}
		}
		return errors.Join(faults...)
	})
}

// ask runs f in a transaction that can only read and ends with the deadline. What is no
// database a run sees in one state, and asOf says of when it is; else it is zero: now.
func (s *Source) ask(ctx context.Context, run, zone string, f func(context.Context, *sql.Tx) error) (asOf time.Time, err error) {
	if s.options.Before != nil {
		if err := s.options.Before(ctx); err != nil {
			return asOf, fmt.Errorf("bring source %s up to date: %w", s.layer.Name, err)
		}
	}
	if s.feed == nil {
		return asOf, s.readFrom(ctx, s.db, zone, f)
	}
	snap, done, err := s.take(ctx, run)
	if err != nil {
		return asOf, err
	}
	defer done()
	return snap.asOf, s.readFrom(ctx, snap.db, zone, f)
}

func (s *Source) take(ctx context.Context, run string) (*snapshot, func(), error) {
	snap, done, err := s.feed.take(ctx, run)
	if err != nil {
		return nil, nil, fmt.Errorf("read source %s: %w", s.layer.Name, err)
	}
	return snap, done, nil
}

// read is ask without Before, for what does not look at rows, and of no run.
func (s *Source) read(ctx context.Context, zone string, f func(context.Context, *sql.Tx) error) error {
	if s.feed == nil {
		return s.readFrom(ctx, s.db, zone, f)
	}
	snap, done, err := s.take(ctx, "")
	if err != nil {
		return err
	}
	defer done()
	return s.readFrom(ctx, snap.db, zone, f)
}

func (s *Source) readFrom(ctx context.Context, db *sql.DB, zone string, f func(context.Context, *sql.Tx) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, s.options.Deadline, errDeadline)
	defer cancel()
	if err := s.vet(ctx); err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("reach source %s: %w", s.layer.Name, err)
	}
	defer func() { _ = conn.Close() }() // it goes back to the others
	if err := s.engine.bound(conn, mostValues*s.options.MaxBytes); err != nil {
		return fmt.Errorf("bound source %s: %w", s.layer.Name, err)
	}
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("reach source %s: %w", s.layer.Name, err)
	}
	// A transaction that only reads has nothing to commit.
	defer func() { _ = tx.Rollback() }()
	if err := s.engine.prepare(ctx, tx, zone, s.options.Deadline); err != nil {
		return fmt.Errorf("make source %s read-only: %w", s.layer.Name, err)
	}
	err = f(ctx, tx)
	if err != nil && errors.Is(context.Cause(ctx), errDeadline) {
		return fmt.Errorf("%w %s", errDeadline, s.options.Deadline)
	}
	return err
}

// mostValues is how many times what is kept one value, or row, may have: what is larger
// is not read into memory to be cut there.
const mostValues = 4

var errDeadline = errors.New("the question took longer than")

// vet refuses a login that could do more than read, once.
func (s *Source) vet(ctx context.Context) error {
	s.mu.Lock()
	done := s.vetted
	s.mu.Unlock()
	if done || s.feed != nil { // what is no database was made by us
		return nil
	}
	warning, err := s.engine.vet(ctx, s.db)
	if err != nil {
		return fmt.Errorf("source %s: %w", s.layer.Name, err)
	}
	if warning != "" {
		s.options.Log.Warn("login of a source has more rights than it needs", "source", s.layer.Name, "why", warning)
	}
	s.mu.Lock()
	s.vetted = true
	s.mu.Unlock()
	return nil
}

// maxValues is where a list of values stops being a vocabulary.
const maxValues = 1000

// valuesAge is how long a list of values is believed.
const valuesAge = 10 * time.Minute

// Values returns the values of a declared dimension as they stand in the
// database, sorted; the first thousand if there are more. Those of a time
// dimension are none.
func (s *Source) Values(ctx context.Context, dimension string) ([]string, error) {
	list, err := s.valuesOf(ctx, dimension, valuesAge)
	return slices.Clone(list.values), err
}

func (s *Source) valuesOf(ctx context.Context, dimension string, age time.Duration) (valueList, error) {
	if isTimeDimension(dimension) {
		return valueList{whole: true}, nil
	}
	i := slices.IndexFunc(s.layer.Dimensions, func(d Dimension) bool { return d.Name == dimension })
	if i < 0 {
		return valueList{}, fmt.Errorf("source %s has no dimension %q", s.layer.Name, dimension)
	}
	s.mu.Lock()
	list, ok := s.values[dimension]
	s.mu.Unlock()
	if ok && s.options.Now().Sub(list.at) < age {
		return list, nil
	}
	d := s.layer.Dimensions[i]
	from := d.From
	for _, m := range s.layer.Measures {
		if from == "" && m.goesWith(d) {
			from = m.From
		}
	}
	if from == "" {
		return valueList{}, fmt.Errorf("no measure of source %s goes with %q", s.layer.Name, dimension)
	}
	list = valueList{at: s.options.Now()}
	err := s.read(ctx, "", func(ctx context.Context, tx *sql.Tx) error {
		name := s.engine.text(d.SQL)
		query := fmt.Sprintf("SELECT DISTINCT %s FROM %s WHERE %s IS NOT NULL ORDER BY 1 LIMIT %d", name, from, name, maxValues+1)
		rows, err := tx.QueryContext(ctx, query)
		if err != nil {
			return fmt.Errorf("list values of %s: %w", dimension, err)
		}
		defer rows.Close()
		for rows.Next() {
			var value string
			if err := rows.Scan(&value); err != nil {
				return fmt.Errorf("list values of %s: %w", dimension, err)
			}
			list.values = append(list.values, value)
		}
		return rows.Err()
	})
	if err != nil {
		return valueList{}, err
	}
	list.whole = len(list.values) <= maxValues
	list.values = list.values[:min(len(list.values), maxValues)]
	slices.SortFunc(list.values, strings.Compare)
	s.mu.Lock()
	s.values[dimension] = list
	s.mu.Unlock()
	return list, nil
}
