package querydb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// An engine is what differs between databases: the second wall and a few words.
type engine interface {
	open(dsn string) (*sql.DB, error)
	// vet refuses a login that could do more than read where a read-only transaction
	// would not stop it, and the store of this program. The warning is about what such
	// a transaction stops.
	vet(context.Context, *sql.DB) (warning string, err error)
	// bound keeps a value, or a row, of more bytes from coming.
	bound(conn *sql.Conn, most int) error
	// prepare makes a new transaction safe to give to a model.
	prepare(ctx context.Context, tx *sql.Tx, zone string, deadline time.Duration) error
	// try runs a query for its error alone.
	try(ctx context.Context, tx *sql.Tx, query string) error
	// text makes an expression a text; bucket makes a time a word of a period.
	text(expr string) string
	bucket(expr, unit string) string
	// param is the nth placeholder, day the same for a day.
	param(n int) string
	day(n int) string
	// schema is a query of table, column and type.
	schema() string
	// keys is a query of table and column of each primary key, and of table, column and
	// what it refers to of each foreign one, which has one column.
	keys() string
}

type sqliteEngine struct {
	functions []string // that may be called beside those of the list
	store     string   // the file that is never opened
}

// open opens a file that must be there, so that it can only be read: by the mode
// of the file, by a setting of the connection, and by what SQLite itself allows
// to be compiled on it.
func (e sqliteEngine) open(dsn string) (*sql.DB, error) {
	path := dsn
	if uri, ok := strings.CutPrefix(dsn, "file:"); ok {
		// The options are dropped: one of them runs SQL.
		uri, _, _ = strings.Cut(uri, "?")
		plain, err := url.PathUnescape(uri)
		if err != nil {
			return nil, err
		}
		path = plain
	}
	if path == "" || strings.HasPrefix(path, ":memory:") {
		return nil, errors.New("write the path of a file")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	name := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path)}
	c, err := sqlite.NewConnector(name.String() + "?mode=ro&_query_only=1&_busy_timeout=5000&_dqs=0")
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(readOnly{c, e, path}), nil
}

// readOnly installs the authorizer on every connection.
type readOnly struct {
	driver.Connector
	engine sqliteEngine
	path   string
}

func (r readOnly) Connect(ctx context.Context) (driver.Conn, error) {
	if sameFile(r.path, r.engine.store) {
		return nil, errOwnStore // before it is opened: a second opener does it no good
	}
	conn, err := r.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	guard, ok := conn.(sqlite.AuthorizerRegisterer)
	if !ok {
		return nil, errors.Join(errors.New("this SQLite has no authorizer"), conn.Close())
	}
	if err := guard.RegisterAuthorizer(r.engine.authorize); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

func (e sqliteEngine) authorize(action sqlite.AuthorizerActionCode, arg1, arg2, _, _ string) sqlite.AuthorizerReturnCode {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRecursive, sqlite.AuthTransaction:
		return sqlite.AuthorizerOK
	case sqlite.AuthRead:
		name := strings.ToLower(arg1)
		planner := strings.HasPrefix(name, "sqlite_stat") // SQLite reads its statistics itself
		if planner || !slices.Contains(secretTables, name) && !closed(name, "", SQLite) {
			return sqlite.AuthorizerOK
		}
	case sqlite.AuthFunction:
		if name := strings.ToLower(arg2); callable(name, e.functions) == "" {
			return sqlite.AuthorizerOK
		}
	case sqlite.AuthPragma:
		if argument, known := readPragmas[strings.ToLower(arg1)]; known && (argument || arg2 == "") {
			return sqlite.AuthorizerOK
		}
	}
	return sqlite.AuthorizerDeny
}

func (sqliteEngine) vet(ctx context.Context, db *sql.DB) (warning string, err error) {
	var tables int
	err = db.QueryRowContext(ctx, "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name IN ("+storeTables+")").Scan(&tables)
	switch {
	case err != nil:
		return "", fmt.Errorf("open: %w", err)
	case tables == len(storeSigns):
		return "", errOwnStore
	}
	return "", nil
}

func (sqliteEngine) bound(conn *sql.Conn, most int) error {
	_, err := sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LENGTH, most)
	return err
}

func (sqliteEngine) prepare(context.Context, *sql.Tx, string, time.Duration) error { return nil }

func (sqliteEngine) try(ctx context.Context, tx *sql.Tx, query string) error {
	return drained(ctx, tx, query)
}

// drained runs a query to its end and keeps nothing of it.
func drained(ctx context.Context, tx *sql.Tx, query string) error {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}

func (sqliteEngine) text(expr string) string { return "CAST(" + expr + " AS TEXT)" }

func (sqliteEngine) bucket(expr, unit string) string {
	switch unit {
	case "week":
		return "strftime('%G-W%V', " + expr + ")"
	case "month":
		return "substr(" + expr + ", 1, 7)"
	case "quarter":
		return "substr(" + expr + ", 1, 4) || '-Q' || ((substr(" + expr + ", 6, 2) + 2) / 3)"
	case "year":
		return "substr(" + expr + ", 1, 4)"
	}
	return "substr(" + expr + ", 1, 10)"
}

func (sqliteEngine) param(int) string { return "?" }
func (sqliteEngine) day(int) string   { return "?" }

func (sqliteEngine) schema() string {
	return `SELECT t.name, c.name, c.type FROM sqlite_master t JOIN pragma_table_info(t.name) c
WHERE t.type IN ('table', 'view') AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY t.name, c.cid`
}

func (sqliteEngine) keys() string {
	return `SELECT t.name, c.name, NULL, NULL FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND c.pk > 0
UNION ALL SELECT t.name, k."from", k."table", COALESCE(k."to", (SELECT p.name FROM pragma_table_info(k."table") p WHERE p.pk = 1))
FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) k WHERE t.type = 'table' AND (SELECT COUNT(*) FROM pragma_foreign_key_list(t.name) o WHERE o.id = k.id) = 1
ORDER BY 1, 2`
}

type postgresEngine struct{ most int } // bytes of a row

func (e postgresEngine) open(dsn string) (*sql.DB, error) {
	c, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, err // it hides the password itself
	}
	// One statement a message, and nothing kept on the server, so that a pooler
	// between us does no harm.
	c.DefaultQueryExecMode = pgx.QueryExecModeExec
	c.BuildFrontend = func(r io.Reader, w io.Writer) *pgproto3.Frontend {
		f := pgproto3.NewFrontend(r, w)
		f.SetMaxBodyLen(e.most)
		return f
	}
	return stdlib.OpenDB(*c), nil
}

// vet asks for the roles that a READ ONLY transaction does not stop: measured, a
// superuser reads files and runs programs in one.
func (postgresEngine) vet(ctx context.Context, db *sql.DB) (warning string, err error) {
	var super bool
	var roles string
	err = db.QueryRowContext(ctx, `SELECT r.rolsuper, COALESCE((
	SELECT string_agg(g.rolname::text, ', ' ORDER BY g.rolname) FROM pg_catalog.pg_roles g
	WHERE g.rolname IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
	AND pg_catalog.pg_has_role(current_user, g.oid, 'member')), '')
FROM pg_catalog.pg_roles r WHERE r.rolname = current_user`).Scan(&super, &roles)
	switch {
	case err != nil:
		return "", fmt.Errorf("reach PostgreSQL: %w", err)
	case super:
		roles = "superuser"
	case roles == "":
		return postgresRights(ctx, db)
	}
	return "", fmt.Errorf("%w: the login is %s, which can do more than read\n  hint: CREATE ROLE hermes LOGIN PASSWORD '…'; GRANT pg_read_all_data TO hermes; and use that in dsn", ErrUnfit, roles)
}

// bound: open has done it, for rows.
func (postgresEngine) bound(*sql.Conn, int) error { return nil }

// postgresRights looks for tables that the login could change if it were not for our
// transaction, and for those of a store of this program.
func postgresRights(ctx context.Context, db *sql.DB) (warning string, err error) {
	var stores, writes int
	var one sql.NullString
	err = db.QueryRowContext(ctx, `WITH t AS (
	SELECT n.nspname, c.relname, c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\_%'
), s AS (
	SELECT nspname FROM t WHERE relname IN (`+storeTables+`) AND pg_catalog.has_schema_privilege(nspname, 'USAGE')
	AND pg_catalog.has_any_column_privilege(oid, 'SELECT') GROUP BY 1 HAVING COUNT(*) = `+fmt.Sprint(len(storeSigns))+`
), w AS (
	SELECT pg_catalog.format('%I.%I', nspname, relname) AS name FROM t
	WHERE pg_catalog.has_schema_privilege(nspname, 'USAGE') AND pg_catalog.has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
)
SELECT (SELECT COUNT(*) FROM s), (SELECT COUNT(*) FROM w), (SELECT MIN(name) FROM w)`).Scan(&stores, &writes, &one)
	switch {
	case err != nil:
		return "", fmt.Errorf("look at the rights of the login: %w", err)
	case stores > 0:
		return "", errOwnStore
	case writes > 0:
		return fmt.Sprintf("the login could change %d tables, such as %s; only the transaction keeps it from that. Give it SELECT alone", writes, one.String), nil
	}
	return "", nil
}

func (postgresEngine) prepare(ctx context.Context, tx *sql.Tx, zone string, deadline time.Duration) error {
	if zone == "" {
		zone = "UTC"
	}
	// The strings as our lexer reads them; the days as the asker counts them.
	_, err := tx.ExecContext(ctx, `SELECT pg_catalog.set_config('statement_timeout', $1, true), pg_catalog.set_config('lock_timeout', '2s', true),
pg_catalog.set_config('TimeZone', $2, true), pg_catalog.set_config('standard_conforming_strings', 'on', true), pg_catalog.set_config('DateStyle', 'ISO', true)`,
		fmt.Sprintf("%dms", deadline.Milliseconds()), zone)
	return err
}

func (e postgresEngine) try(ctx context.Context, tx *sql.Tx, query string) error {
	if _, err := tx.ExecContext(ctx, "SAVEPOINT try"); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, query)
	if _, back := tx.ExecContext(ctx, "ROLLBACK TO SAVEPOINT try"); back != nil {
		return errors.Join(err, back)
	}
	return err
}

func (postgresEngine) text(expr string) string { return "CAST(" + expr + " AS text)" }

func (postgresEngine) bucket(expr, unit string) string {
	form := map[string]string{"week": `IYYY"-W"IW`, "month": "YYYY-MM", "quarter": `YYYY"-Q"Q`, "year": "YYYY"}[unit]
	if form == "" {
		form = "YYYY-MM-DD"
	}
	return "to_char(" + expr + ", '" + form + "')"
}

func (postgresEngine) param(n int) string { return fmt.Sprintf("$%d", n) }
func (postgresEngine) day(n int) string   { return fmt.Sprintf("CAST($%d AS date)", n) }

func (postgresEngine) schema() string {
	return `SELECT CASE WHEN table_schema = 'public' THEN table_name ELSE table_schema || '.' || table_name END, column_name, data_type
FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, ordinal_position`
}

func (postgresEngine) keys() string {
	named := func(rel, ns string) string {
		return "CASE WHEN " + ns + ".nspname = 'public' THEN " + rel + ".relname::text ELSE " + ns + ".nspname || '.' || " + rel + ".relname END"
	}
	return `SELECT ` + named("t", "n") + `, a.attname::text, CASE WHEN c.contype = 'f' THEN ` + named("r", "m") + ` END, b.attname::text
FROM pg_catalog.pg_constraint c JOIN pg_catalog.pg_class t ON t.oid = c.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey)
LEFT JOIN pg_catalog.pg_class r ON r.oid = c.confrelid LEFT JOIN pg_catalog.pg_namespace m ON m.oid = r.relnamespace
LEFT JOIN pg_catalog.pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1]
WHERE c.contype = 'p' OR c.contype = 'f' AND array_length(c.conkey, 1) = 1 ORDER BY 1, 2, 3`
}

// reason makes the error of an engine a sentence for the model, or returns false
// when the model cannot mend it.
func reason(err error) (string, bool) {
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		switch lite.Code() & 0xff {
		case sqlite3.SQLITE_ERROR, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_RANGE:
			return lite.Error(), true
		}
		return "", false
	}
	if why, ok := mysqlReason(err); ok {
		return why, true
	}
	return postgresReason(err)
}
