package querydb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// mysqlEngine is MySQL and MariaDB.
type mysqlEngine struct{}

// open takes the driver's own user:password@tcp(host:3306)/name, or a URL. What would
// send files, passwords in clear or several statements is off, whatever the DSN says.
func (mysqlEngine) open(dsn string) (*sql.DB, error) {
	c, err := mysqlConfig(dsn)
	if err != nil {
		return nil, err
	}
	if serverSchemas[MySQL][strings.ToLower(c.DBName)] || strings.EqualFold(c.DBName, "information_schema") {
		return nil, fmt.Errorf("%s is what the server keeps of itself; name a database of your own", c.DBName)
	}
	c.MultiStatements, c.AllowAllFiles, c.AllowCleartextPasswords, c.AllowOldPasswords, c.InterpolateParams, c.ParseTime = false, false, false, false, false, false
	if c.Timeout == 0 {
		c.Timeout = 5 * time.Second
	}
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return nil, errMySQLDSN
	}
	return sql.OpenDB(connector), nil
}

// errMySQLDSN says no part of the DSN: the driver would tell the password.
var errMySQLDSN = errors.New("write it as mysql://reader:password@host:3306/name")

func mysqlConfig(dsn string) (*mysql.Config, error) {
	rest, ok := strings.CutPrefix(dsn, "mysql://")
	if !ok {
		rest, ok = strings.CutPrefix(dsn, "mariadb://")
	}
	if !ok {
		c, err := mysql.ParseDSN(dsn)
		if err != nil {
			return nil, errMySQLDSN
		}
		return c, nil
	}
	u, err := url.Parse("mysql://" + rest)
	if err != nil || u.Host == "" {
		return nil, errMySQLDSN
	}
	c := mysql.NewConfig()
	c.User, c.Net, c.Addr, c.DBName, c.TLSConfig = u.User.Username(), "tcp", u.Host, strings.TrimPrefix(u.Path, "/"), u.Query().Get("tls")
	c.Passwd, _ = u.User.Password()
	if u.Port() == "" {
		c.Addr += ":3306"
	}
	return c, nil
}

// reads are the rights that only read. ALL, FILE, SUPER and EXECUTE reach beyond what a
// READ ONLY transaction stops; what writes tables has no business here either.
var reads = []string{"USAGE", "SELECT", "SHOW VIEW", "SHOW DATABASES", "SHOW CREATE ROUTINE"}

// vet refuses a login with any other right than to read.
func (mysqlEngine) vet(ctx context.Context, db *sql.DB) (warning string, err error) {
	rows, err := db.QueryContext(ctx, "SHOW GRANTS")
	if err != nil {
		return "", fmt.Errorf("reach MySQL: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var grant string
		if err := rows.Scan(&grant); err != nil {
			return "", fmt.Errorf("read the grants: %w", err)
		}
		if right := tooMuch(grant); right != "" {
			return "", fmt.Errorf("%w: the login has the right %s, which is more than to read\n  hint: CREATE USER hermes IDENTIFIED BY '…'; GRANT SELECT ON shop.* TO hermes; and use that in dsn", ErrUnfit, right)
		}
	}
	if err := rows.Err(); err != nil {
		return "", fmt.Errorf("read the grants: %w", err)
	}
	var tables int
	err = db.QueryRowContext(ctx, "SELECT COUNT(DISTINCT table_name) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name IN ("+storeTables+")").Scan(&tables)
	switch {
	case err != nil:
		return "", fmt.Errorf("look at the tables: %w", err)
	case tables == len(storeSigns):
		return "", errOwnStore
	}
	return "", nil
}

// tooMuch returns a right of a line of SHOW GRANTS that is not one to read, or nothing.
// A line without ON gives a role, whose rights have lines of their own.
func tooMuch(grant string) string {
	list, ok := strings.CutPrefix(grant, "GRANT ")
	if !ok {
		return cut(grant, 40)
	}
	list, _, ok = strings.Cut(list, " ON ")
	if !ok {
		return ""
	}
	depth, from := 0, 0
	var rights []string
	for i, r := range list {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ',' && depth == 0:
			rights, from = append(rights, list[from:i]), i+1
		}
	}
	for _, right := range append(rights, list[from:]) {
		right, _, _ = strings.Cut(right, "(") // SELECT (a, b): of columns
		if right = strings.ToUpper(strings.TrimSpace(right)); !slices.Contains(reads, right) {
			return cut(right, 40)
		}
	}
	return ""
}

// bound: the server's max_allowed_packet, 64 MB as it is delivered, does it for rows.
func (mysqlEngine) bound(*sql.Conn, int) error { return nil }

// prepare makes the session read texts and days as we do, and ends it with the deadline
// on the server too. A statement that one of the two servers does not know is the other's.
func (mysqlEngine) prepare(ctx context.Context, tx *sql.Tx, zone string, deadline time.Duration) error {
	for _, s := range []string{
		"SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'", // neither ANSI_QUOTES nor NO_BACKSLASH_ESCAPES
		"SET SESSION lock_wait_timeout = 2",
	} {
		if _, err := tx.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	_, mysqlErr := tx.ExecContext(ctx, fmt.Sprintf("SET SESSION max_execution_time = %d", max(1, deadline.Milliseconds())))
	if mysqlErr != nil {
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("SET SESSION max_statement_time = %.3f", deadline.Seconds())); err != nil {
			return errors.Join(mysqlErr, err)
		}
	}
	loc, err := time.LoadLocation(zone)
	if err != nil {
		loc = time.UTC
	}
	if _, err := tx.ExecContext(ctx, "SET SESSION time_zone = ?", loc.String()); err == nil {
		return nil
	}
	// A server without tables of zones knows offsets alone: that of today.
	_, err = tx.ExecContext(ctx, "SET SESSION time_zone = ?", time.Now().In(loc).Format("-07:00"))
	return err
}

func (mysqlEngine) try(ctx context.Context, tx *sql.Tx, query string) error {
	return drained(ctx, tx, query)
}

func (mysqlEngine) text(expr string) string { return "CAST(" + expr + " AS CHAR)" }

func (mysqlEngine) bucket(expr, unit string) string {
	switch unit {
	case "week":
		return "DATE_FORMAT(" + expr + ", '%x-W%v')"
	case "month":
		return "DATE_FORMAT(" + expr + ", '%Y-%m')"
	case "quarter":
		return "CONCAT(YEAR(" + expr + "), '-Q', QUARTER(" + expr + "))"
	case "year":
		return "DATE_FORMAT(" + expr + ", '%Y')"
	}
	return "DATE_FORMAT(" + expr + ", '%Y-%m-%d')"
}

func (mysqlEngine) param(int) string { return "?" }
func (mysqlEngine) day(int) string   { return "CAST(? AS DATE)" }

func (mysqlEngine) schema() string {
	return `SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position`
}

func (mysqlEngine) keys() string {
	return `SELECT k.table_name, k.column_name, k.referenced_table_name, k.referenced_column_name FROM information_schema.key_column_usage k
WHERE k.table_schema = DATABASE() AND (k.constraint_name = 'PRIMARY' OR k.referenced_table_name IS NOT NULL AND k.referenced_table_schema = DATABASE() AND 1 = (
	SELECT COUNT(*) FROM information_schema.key_column_usage o WHERE o.table_schema = k.table_schema AND o.table_name = k.table_name AND o.constraint_name = k.constraint_name))
ORDER BY 1, 2, 3`
}

// mysqlReason is reason for MySQL: faults of the query, rights, and its end in time.
func mysqlReason(err error) (string, bool) {
	var my *mysql.MySQLError
	if !errors.As(err, &my) {
		return "", false
	}
	class := string(my.SQLState[:2])
	if slices.Contains([]string{"21", "22", "25", "42"}, class) || slices.Contains([]uint16{1054, 1305, 1317, 1792, 1969, 3024}, my.Number) {
		return my.Message, true
	}
	return "", false
}
