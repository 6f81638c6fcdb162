package querydb

import (
	"context"
	"database/sql"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
)

// openPostgres makes the shop in a schema of its own, of the server that
// HERMES_TEST_POSTGRES names as a superuser, and opens it as somebody who may
// only read.
func openPostgres(t *testing.T) (s *Source, super string) {
	t.Helper()
	super = os.Getenv("HERMES_TEST_POSTGRES")
	if super == "" {
		t.Skip("HERMES_TEST_POSTGRES names no server")
	}
	db, err := sql.Open("pgx", super)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	statements := strings.Split(shop, ";")
	statements = append([]string{
		"DROP SCHEMA IF EXISTS hermes_shop CASCADE", "DROP ROLE IF EXISTS hermes_reader", "CREATE SCHEMA hermes_shop", "SET search_path TO hermes_shop",
	}, statements...)
	statements = append(statements,
		"ALTER TABLE orders ALTER day TYPE timestamptz USING (day || ' 12:00+00')::timestamptz", "ALTER TABLE orders ALTER amount TYPE numeric(12, 0)",
		"CREATE ROLE hermes_reader LOGIN PASSWORD 'x'", "GRANT USAGE ON SCHEMA hermes_shop TO hermes_reader",
		"GRANT ALL ON ALL TABLES IN SCHEMA hermes_shop TO hermes_reader", "ALTER ROLE hermes_reader SET search_path TO hermes_shop",
	)
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, statement := range statements {
		if _, err := conn.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	u, err := url.Parse(super)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("hermes_reader", "x")
	if s, err = Open(postgresLayer(u.String()), Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, super
}

func postgresLayer(dsn string) Layer {
	l := shopLayer(dsn)
	l.Dialect = Postgres
	return l
}

// A login that could write is told of, once, and may ask: the transaction stops it.
func TestPostgresWarnsOfRights(t *testing.T) {
	s, _ := openPostgres(t)
	var log strings.Builder
	o, err := Open(s.layer, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	for range 2 {
		if err := o.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Count(log.String(), "more rights than it needs") != 1 || !strings.Contains(log.String(), "hermes_shop.orders") {
		t.Errorf("log: %s", log.String())
	}
}

// PostgreSQL answers as SQLite does, and counts days in the asker's zone.
func TestPostgresMetric(t *testing.T) {
	s, _ := openPostgres(t)
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
	c := callAt(noon, `{"measure":"orders","by":["day"],"period":"2026-11-03","where":[{"dimension":"area","values":["亚洲"]}]}`)
	c.Zone = "Pacific/Kiritimati" // 12:00 in London is the next day there
	if _, g, _ := ask(t, s, c); !cmp.Equal(g.Rows, [][]any{{"2026-11-03", 1.0}}) || g.SQL == "" {
		t.Errorf("rows in Kiritimati = %v", g.Rows)
	}
}

// A model's SELECT runs, its faults are told, and the end comes in time.
func TestPostgresDatabase(t *testing.T) {
	s, _ := openPostgres(t)
	arts := shelf{}
	r, a := runSQL(t, s, arts, "SELECT day::date AS day, SUM(amount) / 100 AS usd, COUNT(*) FROM orders GROUP BY 1 ORDER BY 1 LIMIT 1")
	if r.Failed || !cmp.Equal(a.Rows, [][]any{{"2025-10-02", 9.0, 1.0}}) {
		t.Errorf("rows = %v, %s", a.Rows, r.Text)
	}
	for query, want := range map[string]string{
		"SELECT colour FROM orders": `column "colour" does not exist`,
		"SELECT 1/0":                "division by zero",
		"DELETE FROM orders":        "DELETE is not a read",
	} {
		if r, _ := runSQL(t, s, arts, query); !r.Failed || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %q, want %q", query, r.Text, want)
		}
	}
	live, err := says(t, Database(arts, s))
	if err != nil || !strings.Contains(live, "hermes_shop.orders(day timestamp with time zone, region integer, amount numeric)") {
		t.Errorf("Database says %v:\n%s", err, live)
	}
	s.options.Deadline = 100 * time.Millisecond
	if r, _ := runSQL(t, s, arts, "SELECT COUNT(*) FROM generate_series(1, 1000000000)"); !r.Failed {
		t.Errorf("an endless question gave %q", r.Text)
	}
}

// The engine refuses by itself what Judge might let through, to a login that
// could write.
func TestPostgresSecondWall(t *testing.T) {
	s, super := openPostgres(t)
	for _, query := range []string{
		"DELETE FROM orders", "WITH d AS (DELETE FROM orders RETURNING *) SELECT * FROM d", "SELECT 1; DELETE FROM orders", "CREATE TABLE x (a int)",
		"SELECT * FROM orders FOR UPDATE", "SELECT 1 INTO x", "COMMIT; DELETE FROM orders", "SELECT pg_read_file('/etc/passwd')", "COPY (SELECT 1) TO PROGRAM 'id'",
	} {
		err := s.read(t.Context(), "", func(ctx context.Context, tx *sql.Tx) error {
			_, err := s.readGrid(ctx, tx, query)
			return err
		})
		if err == nil {
			t.Errorf("PostgreSQL runs %q", query)
		}
	}
	if a, _, _ := ask(t, s, callAt(noon, `{"measure":"orders","period":"2026"}`)); *a.Total.Value != 9 {
		t.Errorf("orders = %v, want 9", *a.Total.Value)
	}
	mighty, err := Open(postgresLayer(super), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer mighty.Close()
	if err := mighty.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "superuser") || !strings.Contains(err.Error(), "hint:") {
		t.Errorf("Check as superuser = %v", err)
	}
	if _, err := Metric(shelf{}, mighty).Run(t.Context(), tool.Call{Args: []byte(`{"measure":"sales"}`), Now: time.Now()}); err == nil {
		t.Error("a superuser may ask")
	}
}
