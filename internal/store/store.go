// Package store keeps everything in one database: GORM over SQLite (the default)
// or over PostgreSQL, which many replicas may share. It is the only package that
// opens the database, and only those who wire the program import it.
//
// The schema changes by versioned migrations alone, which are embedded: forward
// only, each in a transaction, an old file never touched again. The structs with
// database tags live here; those of the domain carry none.
//
//	inbox, outbox   what waits, by the one claim of claim.go
//	runs, steps     and beside them what others note: answers, notes, receipts
//	audit           what was decided and done, in a chain of hashes
//
// # The audit
//
// A row of the audit says who did what, to what, under which decision, in ids and
// hashes: never in words that people or models have said. Rows are numbered from 1
// without a gap, and each has the hash of the row before. The hash of a row is the
// HMAC-SHA-256, in lower-case hexadecimal digits, of these lines, each ended by a line
// feed:
//
//	hermes-audit-2
//	id of the key
//	number
//	hash of the row before; empty for the first
//	time in UTC, as 2026-12-01T09:00:00.000000Z
//	who
//	what
//	subject
//	under
//	part_of
//	place
//	tool
//	digest
//	outcome
//
// under the bytes of the key as it is configured; its id is the first 8 digits of the
// same HMAC of the three bytes "key". So whoever has an export and the key can verify
// it with a dozen lines in any language. What would not read like an id stands as
// "hmac:" and the HMAC of "value", a line feed, and what it was.
//
// Rows of version 1 were chained before there was a key: their hash is the SHA-256 of
// the JSON array [prev, at, who, what, subject, under, detail], as encoding/json
// writes it. The row "sealed" follows the last of them; none may come after it. Triggers
// of the database refuse a change; whoever owns the database can take them away, and
// then the chain tells. It cannot tell that its end was cut off: the signed head that
// the database keeps does, and those that were noted elsewhere (Verify). Nothing in the
// database can tell that all of it was put back as it was on an earlier day, this head
// too: only a head of later, kept where who does that cannot write, does. Rows go by Prune
// alone, which leaves a row with the hash of the last one that went.
//
// What a newcomer would break: on SQLite there is one writer, and whoever writes
// holds the pen. Everything goes through write, commit, soften or precede; a write
// within a write waits for itself.
package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"hermes/internal/redact"
)

// Config is what a DB can be told.
type Config struct {
	// DSN is the path of a file, which is made if there is none, or
	// postgres://…
	DSN string
	Now func() time.Time // time.Now if nil
	Log *slog.Logger     // nothing is logged if nil
	// Redact takes secrets out of everything that is written; nil: it is written as it
	// comes.
	Redact *redact.Redactor
	// Lease is for how long an Item or a Post is lent out before another may
	// have it, if its borrower has died: 30 s if zero. It is renewed at a third.
	Lease time.Duration
	Owner string // what this process is called in claims; host and pid if empty
	// Altered is told of each row that is not acted on because somebody else has written
	// it, before the audit is; after a crash once more. It may write.
	Altered func(ctx context.Context, table, key string) error
	Audit   AuditKeys
}

// lease is short enough that nobody waits long for the work of a replica that has
// died, and long enough that a stalled disk does not cost a claim.
const lease = 30 * time.Second

// withDefaults makes Owner one of its own for each Open: what an earlier process
// of that name has claimed is not ours.
func (c Config) withDefaults() Config {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Lease == 0 {
		c.Lease = lease
	}
	if c.Owner == "" {
		host, _ := os.Hostname() // an empty one will do
		c.Owner = fmt.Sprintf("%s/%d", host, os.Getpid())
	}
	c.Owner += "/" + rand.Text()[:8]
	return c
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	cfg      Config
	w, r     *gorm.DB // r for what need not be in a transaction
	pen      *pen     // of SQLite
	postgres bool
	keys     keyring // of the audit
	tries    tally   // that were refused
	pledged  pledges
	books    books // of what was spent
	commits  atomic.Int64
	writes   atomic.Int64 // commits, and those that do not wait for the disk
	inbox    *line
	outbox   *line

	ctx     context.Context // ends with Close
	stop    context.CancelFunc
	lending sync.RWMutex // held by Close, after which nothing is lent
	work    sync.WaitGroup
	once    sync.Once
	shut    error
}

// An Error says what is wrong with a database, and what to do about it.
type Error struct {
	DSN  string
	Err  error
	Hint string
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("database %s: %v\n  hint: %s", masked(e.DSN), e.Err, e.Hint)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errors of Open and of a DB that is closed.
var (
	ErrNewer   = errors.New("schema is newer than this program")
	ErrForeign = errors.New("database is not ours")
	ErrCorrupt = errors.New("database is damaged")
	ErrClosed  = errors.New("database is closed")
	ErrNothing = errors.New("nothing is due") // of Take
)

// Open opens the database and brings its schema up to date. A database that cannot
// be read is an error, and never a new one.
//
// On SQLite the caller must be the only process that has the file open: what
// another has claimed is free again at once.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	cfg = cfg.withDefaults()
	d := &DB{cfg: cfg, postgres: isPostgres(cfg.DSN)}
	d.ctx, d.stop = context.WithCancel(context.WithoutCancel(ctx))
	d.inbox, d.outbox = newLine(d, "inbox", ""), newLine(d, "outbox", arrived)
	open := d.openSQLite
	if d.postgres {
		open = d.openPostgres
	}
	err := open(ctx)
	if err == nil {
		err = d.openAudit(ctx)
	}
	if err != nil {
		d.stop()
		d.work.Wait()
		return nil, errors.Join(err, d.closePools())
	}
	d.work.Go(d.renew)
	return d, nil
}

// Close gives back what is still lent out, and closes the database. It may be
// called again.
func (d *DB) Close() error {
	d.once.Do(func() {
		d.stop()
		d.work.Wait()
		d.lending.Lock() // what was being lent just now is given back below
		defer d.lending.Unlock()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(d.ctx), 5*time.Second)
		defer cancel()
		for _, l := range []*line{d.inbox, d.outbox} {
			l.wake()
			d.shut = errors.Join(d.shut, l.free(ctx, "owner = ?", d.cfg.Owner))
		}
		if !d.postgres {
			d.shut = errors.Join(d.shut, d.markClean(ctx))
		}
		d.shut = errors.Join(d.shut, d.closePools())
	})
	return d.shut
}

func (d *DB) closePools() error {
	var errs []error
	pools := []*gorm.DB{d.r}
	if d.pen != nil {
		errs = append(errs, d.pen.shut())
	} else if d.w != d.r {
		pools = append(pools, d.w)
	}
	for _, g := range pools {
		if g == nil {
			continue
		}
		pool, err := g.DB()
		if err == nil {
			err = pool.Close()
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// The stores of one DB.
type (
	// Inbox is a bot.Inbox.
	Inbox struct{ db *DB }
	// Outbox is a bot.Outbox.
	Outbox struct{ db *DB }
	// Runs is an agent.Store.
	Runs struct{ db *DB }
	// Artifacts is a tool.Artifacts.
	Artifacts struct{ db *DB }
	// Facts is a memory.Store.
	Facts struct{ db *DB }
	// Jobs is a scheduler.Store.
	Jobs struct {
		db *DB
		by string
	}
	// Journal reads what was done and what was decided.
	Journal struct{ db *DB }
	// Settings keeps a few words for the program and for each workspace.
	Settings struct{ db *DB }
)

// Inbox returns what was heard.
func (d *DB) Inbox() Inbox { return Inbox{d} }

// Outbox returns what is to be said.
func (d *DB) Outbox() Outbox { return Outbox{d} }

// Runs returns the runs, with what is noted on them.
func (d *DB) Runs() Runs { return Runs{d} }

// Artifacts returns what runs have made.
func (d *DB) Artifacts() Artifacts { return Artifacts{d} }

// Facts returns what is remembered.
func (d *DB) Facts() Facts { return Facts{d} }

// Jobs returns the schedules.
func (d *DB) Jobs() Jobs { return Jobs{db: d} }

// Journal returns what reads all of it.
func (d *DB) Journal() Journal { return Journal{d} }

// Settings returns the settings.
func (d *DB) Settings() Settings { return Settings{d} }

// now is the time as a row can hold it.
func (d *DB) now() stamp { return at(d.cfg.Now()) }

// Commits is how many writes that wait for the disk were begun since Open.
func (d *DB) Commits() int64 { return d.commits.Load() }

// Writes is how many writes were begun since Open, those too that do not wait for the disk.
func (d *DB) Writes() int64 { return d.writes.Load() }

// write does all of do in one transaction, or nothing of it.
func (d *DB) write(ctx context.Context, do func(tx *gorm.DB) error) error {
	d.commits.Add(1)
	d.writes.Add(1)
	if d.pen != nil {
		return d.pen.run(d.w, &job{ctx: ctx, do: do})
	}
	return d.w.WithContext(ctx).Transaction(do)
}

// commit does one statement, which is a transaction by itself.
func (d *DB) commit(ctx context.Context, do func(w *gorm.DB) error) error {
	d.commits.Add(1)
	d.writes.Add(1)
	if d.pen != nil {
		return d.pen.run(d.w, &job{ctx: ctx, do: do, one: true})
	}
	return do(d.w.WithContext(ctx))
}

// soften is commit for what may be lost with the power, though never with the
// process: a claim, a renewal, the end of an Item. Each is safe to do again. It
// spares waiting for the disk on every second write of a turn.
func (d *DB) soften(ctx context.Context, do func(w *gorm.DB) error) error {
	d.writes.Add(1)
	if d.pen != nil {
		return d.pen.run(d.w, &job{ctx: ctx, do: do, one: true, soft: true})
	}
	return do(d.w.WithContext(ctx))
}

// precede is write for what nothing means before the next write that waits for the
// disk: the log keeps its order, so that one takes this one with it.
func (d *DB) precede(ctx context.Context, do func(tx *gorm.DB) error) error {
	d.writes.Add(1)
	if d.pen != nil {
		return d.pen.run(d.w, &job{ctx: ctx, do: do, soft: true})
	}
	return d.w.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec("SELECT set_config('synchronous_commit', 'off', true)").Error; err != nil {
			return err
		}
		return do(tx)
	})
}

// options are those of every handle.
func (d *DB) options() *gorm.Config {
	return &gorm.Config{
		SkipDefaultTransaction: true,
		TranslateError:         true,
		Logger:                 logger.Discard,
		NowFunc:                func() time.Time { return d.cfg.Now().UTC() },
	}
}

// masked is what may be said of a dsn: of a URL only the scheme, the host and the
// database, since a password may stand before the host and in what follows it.
func masked(dsn string) string {
	scheme, _, ok := strings.Cut(dsn, "://")
	if !ok {
		return dsn
	}
	u, err := url.Parse(dsn)
	if err != nil {
		return scheme + "://…"
	}
	return scheme + "://" + u.Host + u.Path
}
