package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// One folder for each database, one file for each version: number, underscore,
// what it brings.
//
//go:embed migrations/*/*.sql
var migrations embed.FS

type migration struct {
	version int
	name    string
	text    string
}

// versions returns the migrations of a folder. Their numbers are 1, 2, 3 and so on.
func versions(files fs.FS, folder string) ([]migration, error) {
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	var ms []migration
	for i, e := range entries {
		number, _, _ := strings.Cut(e.Name(), "_")
		v, err := strconv.Atoi(number)
		if err != nil || v != i+1 {
			return nil, fmt.Errorf("migration %s: want number %d", e.Name(), i+1)
		}
		text, err := fs.ReadFile(files, path.Join(folder, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("migration %s: %w", e.Name(), err)
		}
		ms = append(ms, migration{v, strings.TrimSuffix(e.Name(), ".sql"), string(text)})
	}
	return ms, nil
}

// migrate brings the schema up to date, one transaction a version.
func (d *DB) migrate(ctx context.Context, pool *sql.DB) error {
	ms, err := versions(migrations, d.folder())
	if err != nil {
		return err
	}
	return d.migrateTo(ctx, pool, ms, len(ms))
}

// migrateTo stops at a version; tests begin from every earlier one.
func (d *DB) migrateTo(ctx context.Context, pool *sql.DB, ms []migration, last int) error {
	at, err := d.version(ctx, pool)
	if err != nil {
		return err
	}
	if at > len(ms) {
		return &Error{d.cfg.DSN, fmt.Errorf("%w: it has version %d, this program knows %d", ErrNewer, at, len(ms)),
			"start the newer hermes again, or put back the backup made before the upgrade"}
	}
	for _, m := range ms[at:last] {
		if err := d.apply(ctx, pool, m); err != nil {
			return fmt.Errorf("migration %s: %w", m.name, err)
		}
		d.cfg.Log.Info("schema changed", "migration", m.name)
	}
	return nil
}

// version returns the number of the last migration, 0 of an empty database.
func (d *DB) version(ctx context.Context, pool *sql.DB) (int, error) {
	list := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if d.postgres {
		list = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
	}
	rows, err := pool.QueryContext(ctx, list)
	if err != nil {
		return 0, fmt.Errorf("list tables: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err tells what matters
	tables, ours := 0, false
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return 0, fmt.Errorf("list tables: %w", err)
		}
		tables++
		ours = ours || name == "schema_migrations"
	}
	if err := rows.Err(); err != nil {
		return 0, fmt.Errorf("list tables: %w", err)
	}
	switch {
	case tables == 0:
		return 0, nil
	case !ours:
		return 0, &Error{d.cfg.DSN, fmt.Errorf("%w: it has %d tables and no schema_migrations", ErrForeign, tables),
			"give hermes a database, or on PostgreSQL a schema, of its own"}
	}
	var v int
	if err := pool.QueryRowContext(ctx, "SELECT COALESCE(MAX(version), 0) FROM schema_migrations").Scan(&v); err != nil {
		return 0, fmt.Errorf("schema version: %w", err)
	}
	return v, nil
}

// apply runs one migration, unless another replica has done it since we looked.
func (d *DB) apply(ctx context.Context, pool *sql.DB, m migration) error {
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	statements := []string{"CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL)"}
	if d.postgres {
		statements = append([]string{"SELECT pg_advisory_xact_lock(hashtext(current_schema()), hashtext('migrate'))"}, statements...)
	}
	for _, s := range statements {
		if _, err := tx.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	row := fmt.Sprintf("INSERT INTO schema_migrations VALUES (%d, '%s', '%s') ON CONFLICT DO NOTHING", m.version, m.name, d.now().Format(layout))
	res, err := tx.ExecContext(ctx, row)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, m.text); err != nil {
		return err
	}
	return tx.Commit()
}
