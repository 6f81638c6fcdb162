package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"gorm.io/driver/sqlite"
	"gorm.io/gorm"
	engine "modernc.org/sqlite"

	"hermes/internal/redact"
)

// readers is how many may read at once beside the writer. One unlimited pool has
// writers starve each other for a second and more; one connection for everything
// has a query inside a transaction wait for itself.
const readers = 4

// dialect is GORM's SQLite on the engine in pure Go, whose errors GORM's own does
// not know.
type dialect struct {
	*sqlite.Dialector
	redact *redact.Redactor
}

// Translate implements gorm.ErrorTranslator.
func (dialect) Translate(err error) error {
	var e *engine.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() {
	case 1555, 2067: // SQLITE_CONSTRAINT_PRIMARYKEY, _UNIQUE
		return fmt.Errorf("%w: %w", gorm.ErrDuplicatedKey, err)
	case 787: // _FOREIGNKEY
		return fmt.Errorf("%w: %w", gorm.ErrForeignKeyViolated, err)
	case 275: // _CHECK
		return fmt.Errorf("%w: %w", gorm.ErrCheckConstraintViolated, err)
	}
	return err
}

// sqliteDSN names a file with the pragmas of every connection. Durable means that a
// commit has reached the disk, which WAL does with FULL alone.
func sqliteDSN(path string, more url.Values) string {
	v := url.Values{"_pragma": {"busy_timeout(10000)", "foreign_keys(1)", "synchronous(FULL)"}}
	for k, add := range more {
		v[k] = append(v[k], add...)
	}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: v.Encode()}).String()
}

func (d *DB) openSQLite(ctx context.Context) error {
	path := d.cfg.DSN
	if err := ready(path); err != nil {
		return &Error{d.cfg.DSN, err, "make the file and its folder readable and writable for the user that runs hermes"}
	}
	writer, err := sql.Open("sqlite", sqliteDSN(path, url.Values{"_txlock": {"immediate"}, "_pragma": {"secure_delete(1)"}}))
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	writer.SetMaxOpenConns(1) // which writes noughts over what it deletes
	d.pen = newPen(writer)
	// Only what is ours is changed, and the kind of journal stands in the file.
	if _, err := d.version(ctx, writer); err != nil {
		return d.damaged(err)
	}
	if _, err := writer.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return d.damaged(err)
	}
	if err := d.migrate(ctx, writer); err != nil {
		return d.damaged(err)
	}
	if d.w, err = gorm.Open(dialect{&sqlite.Dialector{Conn: d.pen}, d.cfg.Redact}, d.options()); err != nil {
		d.w = nil
		return d.damaged(err)
	}
	if err := d.checkClean(ctx); err != nil {
		return d.damaged(err)
	}
	reader, err := sql.Open("sqlite", sqliteDSN(path, url.Values{"_pragma": {"query_only(1)"}}))
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	reader.SetMaxOpenConns(readers)
	reader.SetMaxIdleConns(readers)
	reading := d.options()
	reading.PrepareStmt = true // the pen and pgx have their own way
	if d.r, err = gorm.Open(dialect{&sqlite.Dialector{Conn: reader}, d.cfg.Redact}, reading); err != nil {
		d.r = nil
		return errors.Join(d.damaged(err), reader.Close())
	}
	// Ours is the only process, so whoever has claimed something is dead.
	return errors.Join(d.inbox.free(ctx, "owner IS NOT NULL"), d.outbox.free(ctx, "owner IS NOT NULL"))
}

// ready makes the file if there is none, for nobody else to read: it holds what
// people have said.
func ready(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// damaged says so if err comes of a file that SQLite cannot read.
func (d *DB) damaged(err error) error {
	var e *engine.Error
	var told *Error
	if errors.As(err, &told) || !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case 11, 26: // SQLITE_CORRUPT, SQLITE_NOTADB
		return &Error{d.cfg.DSN, fmt.Errorf("%w: %w", ErrCorrupt, err), "put back the last backup; the file is left as it is"}
	}
	return fmt.Errorf("open %s: %w", d.cfg.DSN, err)
}

const clean = "clean"

// checkClean looks the whole file over if the last process that had it did not
// close it, and marks it as open.
func (d *DB) checkClean(ctx context.Context) error {
	w := d.w.WithContext(ctx)
	var was []string
	if err := w.Raw("SELECT value FROM settings WHERE workspace = '' AND name = ?", clean).Scan(&was).Error; err != nil {
		return fmt.Errorf("read mark: %w", err)
	}
	if len(was) > 0 && was[0] != "yes" {
		d.cfg.Log.Info("database was not closed; looking it over", "database", d.cfg.DSN)
		var found []string
		if err := w.Raw("PRAGMA quick_check(5)").Scan(&found).Error; err != nil {
			return fmt.Errorf("check: %w", err)
		}
		if len(found) != 1 || found[0] != "ok" {
			return &Error{d.cfg.DSN, fmt.Errorf("%w: %q", ErrCorrupt, found), "put back the last backup; the file is left as it is"}
		}
	}
	return d.mark(ctx, "no")
}

func (d *DB) markClean(ctx context.Context) error { return d.mark(ctx, "yes") }

func (d *DB) mark(ctx context.Context, as string) error {
	return d.commit(ctx, func(w *gorm.DB) error { return put(w, "", clean, as, d.now()) })
}
