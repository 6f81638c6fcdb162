package querydb

import (
	"context"
	"database/sql"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// openMySQL makes the shop in a database of its own, on the server that
// HERMES_TEST_MYSQL names as its administrator (root@tcp(127.0.0.1:3306)/), and opens it
// as somebody with these rights.
func openMySQL(t *testing.T, rights string) *Source {
	t.Helper()
	root := os.Getenv("HERMES_TEST_MYSQL")
	if root == "" {
		t.Skip("HERMES_TEST_MYSQL names no server")
	}
	c, err := mysqlConfig(root)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("mysql", root)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	statements := []string{
		"DROP DATABASE IF EXISTS hermes_shop", "DROP USER IF EXISTS hermes_reader", "CREATE DATABASE hermes_shop CHARACTER SET utf8mb4", "USE hermes_shop",
	}
	for s := range strings.SplitSeq(shop, ";") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "name TEXT", "name VARCHAR(20)"), "day TEXT", "day DATETIME")
		if strings.TrimSpace(s) != "" {
			statements = append(statements, s)
		}
	}
	statements = append(statements, "ALTER TABLE orders MODIFY amount DECIMAL(12, 0)", "CREATE USER hermes_reader IDENTIFIED BY 'pw-of-mysql'", "GRANT "+rights+" TO hermes_reader")
	for _, s := range statements {
		if _, err := conn.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	l := shopLayer("mysql://hermes_reader:pw-of-mysql@" + c.Addr + "/hermes_shop")
	l.Dialect = MySQL
	s, err := Open(l, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

const mayRead = "SELECT ON hermes_shop.*"

// MySQL answers as SQLite does.
func TestMySQLMetric(t *testing.T) {
	s := openMySQL(t, mayRead)
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	a, g, _ := ask(t, s, callAt(noon, `{"measure":"sales","by":["region"],"period":"last_month","compare":["previous_period","year_before"]}`))
	want := [][]any{{"Asia", 15.05, 10.0, 9.0}, {"Europe", 12.5, 20.11, 0.0}, {"Africa", 0.1, 0.0, 0.5}}
	if diff := cmp.Diff(want, g.Rows); diff != "" || *a.Total.Value != 27.65 || g.Days != 3 {
		t.Errorf("total = %v, days = %d, rows (-want +got):\n%s", *a.Total.Value, g.Days, diff)
	}
	for by, want := range map[string][][]any{
		"week":    {{"2026-W36", 2.0}, {"2026-W40", 4.0}, {"2026-W44", 2.0}, {"2026-W45", 1.0}},
		"quarter": {{"2026-Q3", 3.0}, {"2026-Q4", 6.0}},
		"month":   {{"2026-09", 3.0}, {"2026-10", 4.0}, {"2026-11", 2.0}},
	} {
		_, g, _ := ask(t, s, callAt("2026-12-01T00:00", `{"measure":"orders","by":["`+by+`"],"period":"2026"}`))
		if diff := cmp.Diff(want, g.Rows); diff != "" {
			t.Errorf("by %s (-want +got):\n%s", by, diff)
		}
	}
}

// A model's SELECT runs, its faults are told, and the end comes in time.
func TestMySQLDatabase(t *testing.T) {
	s := openMySQL(t, mayRead)
	arts := shelf{}
	r, a := runSQL(t, s, arts, "SELECT DATE(day) AS day, SUM(amount) / 100 AS usd, COUNT(*) FROM orders GROUP BY 1 ORDER BY 1 LIMIT 1")
	if r.Failed || !cmp.Equal(a.Rows, [][]any{{"2025-10-02", 9.0, 1.0}}) {
		t.Errorf("rows = %v, %s", a.Rows, r.Text)
	}
	for query, want := range map[string]string{
		"SELECT colour FROM orders": "Unknown column 'colour'", "SELECT 1 FROM nowhere": "nowhere", "DELETE FROM orders": "DELETE is not a read",
	} {
		if r, _ := runSQL(t, s, arts, query); !r.Failed || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %q, want %q", query, r.Text, want)
		}
	}
	live, err := says(t, Database(arts, s))
	if err != nil || !strings.Contains(live, "orders(day datetime, region int, amount decimal)") {
		t.Errorf("Database says %v:\n%s", err, live)
	}
	s.options.Deadline = 200 * time.Millisecond
	endless := "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000000) SELECT COUNT(*) FROM n a, n b, n c, n d"
	if r, _ := runSQL(t, s, arts, endless); !r.Failed {
		t.Errorf("an endless question gave %q", r.Text)
	}
}

// The engine refuses by itself what Judge might let through, and reads texts as the
// judge does.
func TestMySQLSecondWall(t *testing.T) {
	s := openMySQL(t, mayRead)
	for _, query := range []string{
		"DELETE FROM orders", "INSERT INTO orders VALUES (NOW(), 1, 1)", "UPDATE orders SET amount = 1", "CREATE TABLE x (a int)", "DROP TABLE orders", "SELECT 1; DELETE FROM orders",
		"SELECT * FROM orders INTO OUTFILE '/tmp/hermes-never'", "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE orders", "SET GLOBAL read_only = 0",
	} {
		err := s.read(t.Context(), "", func(ctx context.Context, tx *sql.Tx) error {
			_, err := s.readGrid(ctx, tx, query)
			return err
		})
		if err == nil {
			t.Errorf("MySQL runs %q", query)
		}
	}
	if a, _, _ := ask(t, s, callAt(noon, `{"measure":"orders","period":"2026"}`)); *a.Total.Value != 9 {
		t.Errorf("orders = %v, want 9", *a.Total.Value)
	}
	if r, a := runSQL(t, s, shelf{}, `SELECT 'it\'s' AS a, "x" AS b`); r.Failed || !cmp.Equal(a.Rows, [][]any{{"it's", "x"}}) {
		t.Errorf("texts are read as %v, %s", a.Rows, r.Text)
	}
}

// A login that may do more than read is refused at the first question.
func TestMySQLGrants(t *testing.T) {
	for _, rights := range []string{"SELECT, INSERT ON hermes_shop.*", "ALL PRIVILEGES ON hermes_shop.*", "SELECT, FILE ON *.*", "EXECUTE ON hermes_shop.*"} {
		s := openMySQL(t, rights)
		if err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "hint:") {
			t.Errorf("Check with %s = %v", rights, err)
		}
	}
	for grant, want := range map[string]string{
		"GRANT USAGE ON *.* TO `a`@`%`": "", "GRANT SELECT (`a`, `b`), SHOW VIEW ON `x`.`y` TO `a`@`%`": "", "GRANT `reader`@`%` TO `a`@`%`": "",
		"GRANT SELECT (`a`), UPDATE (`b`) ON `x`.`y` TO `a`@`%`": "UPDATE", "GRANT ALL PRIVILEGES ON *.* TO `root`@`%` WITH GRANT OPTION": "ALL PRIVILEGES", "GRANT PROXY ON ''@'%' TO 'root'@'%'": "PROXY", "REVOKE x": "REVOKE x",
	} {
		if got := tooMuch(grant); got != want {
			t.Errorf("tooMuch(%s) = %q, want %q", grant, got, want)
		}
	}
}

// What is wrong with a DSN is said without any part of it.
func TestMySQLDSN(t *testing.T) {
	for _, dsn := range []string{"hush:secret@@@", "mysql://", "mysql://u:secret@h:x/y", "u:secret@tcp(h"} {
		l := shopLayer(dsn)
		l.Dialect = MySQL
		if _, err := Open(l, Options{}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("Open(%s) = %v", dsn, err)
		}
	}
	for dsn, want := range map[string][3]string{
		"mysql://u:p%40w@h/d": {"u", "p@w", "h:3306"}, "mariadb://u@h:3307/d": {"u", "", "h:3307"}, "u:p@tcp(h:1)/d?multiStatements=true&allowAllFiles=true": {"u", "p", "h:1"},
	} {
		c, err := mysqlConfig(dsn)
		if err != nil || c.User != want[0] || c.Passwd != want[1] || c.Addr != want[2] || c.DBName != "d" {
			t.Errorf("%s = %+v, %v", dsn, c, err)
		}
	}
}
