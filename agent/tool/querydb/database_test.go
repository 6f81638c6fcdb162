package querydb

import (
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
)

func runSQL(t *testing.T, s *Source, arts shelf, query string) (tool.Result, answer) {
	t.Helper()
	d := Database(arts, s)
	args, err := json.Marshal(DatabaseArgs{SQL: query})
	if err != nil {
		t.Fatal(err)
	}
	r, err := d.Run(t.Context(), callAt(noon, string(args)))
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var a answer
	promised(t, d, r)
	if !r.Failed {
		if err := json.Unmarshal([]byte(r.Text), &a); err != nil {
			t.Fatal(err)
		}
	}
	return r, a
}

// A SELECT makes a table like any other.
func TestDatabase(t *testing.T) {
	arts := shelf{}
	_, a := runSQL(t, openShop(t), arts, "SELECT name, name, SUM(amount) / 100.0 AS usd, NULL AS note FROM orders JOIN regions ON id = region GROUP BY 1 ORDER BY 3 DESC; -- done")
	g, err := tool.DecodeGrid(arts[a.Table].Body)
	if err != nil {
		t.Fatal(err)
	}
	want := tool.Grid{
		Title: "Query of shop", Source: "shop", Zone: "UTC",
		SQL: "SELECT name, name, SUM(amount) / 100.0 AS usd, NULL AS note FROM orders JOIN regions ON id = region GROUP BY 1 ORDER BY 3 DESC",
		Columns: []tool.Column{
			{Key: "name", Label: "name", Role: tool.RoleOther}, {Key: "name_2", Label: "name", Role: tool.RoleOther},
			{Key: "usd", Label: "usd", Role: tool.RoleOther, Scale: 2}, {Key: "note", Label: "note", Role: tool.RoleOther},
		},
		Rows: [][]any{{"Asia", "Asia", 40.71, nil}, {"Europe", "Europe", 32.61, nil}, {"Africa", "Africa", 0.6, nil}},
	}
	if diff := cmp.Diff(want, g); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
	if a.RowCount != 3 || len(a.Rows) != 3 {
		t.Errorf("row_count = %d, rows = %v", a.RowCount, a.Rows)
	}
}

// What the model can mend is told to it.
func TestDatabaseFaults(t *testing.T) {
	s := openShop(t)
	for query, want := range map[string]string{
		"DELETE FROM orders":                 "DELETE is not a read",
		"SELECT colour FROM orders":          "no such column",
		"SELECT 1 FROM nowhere":              "no such table",
		"SELECT * FROM pragma_database_list": "not authorized",
		"EXPLAIN DELETE FROM orders":         "DELETE is not a read",
	} {
		if r, _ := runSQL(t, s, shelf{}, query); !r.Failed || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %q, want %q", query, r.Text, want)
		}
	}
	d := Database(shelf{}, s)
	if r, err := d.Run(t.Context(), callAt(noon, `{"source":"books","sql":"SELECT 1"}`)); err != nil || !strings.Contains(r.Text, "there are: shop") {
		t.Errorf("unknown source: %v, %q", err, r.Text)
	}
}

// SQLite itself refuses whatever Judge might let through.
func TestSecondWall(t *testing.T) {
	s := openShop(t)
	dir := t.TempDir()
	for _, query := range []string{
		"INSERT INTO orders VALUES ('2026-01-01', 1, 1)", "UPDATE orders SET amount = 1", "DELETE FROM orders", "CREATE TABLE x (a)",
		"CREATE TEMP TABLE x (a)", "DROP TABLE orders", "ATTACH '" + filepath.Join(dir, "a.db") + "' AS a", "VACUUM INTO '" + filepath.Join(dir, "b.db") + "'",
		"PRAGMA query_only = 0", "PRAGMA journal_mode = DELETE", "PRAGMA writable_schema = 1", "SELECT load_extension('x')", "REINDEX", "ANALYZE",
		"CREATE VIRTUAL TABLE v USING fts5(a)", "SELECT 1; DELETE FROM orders", "SAVEPOINT a", "SELECT readfile('x')", "SELECT sqlite_offset(day) FROM orders", "SELECT fts5(1)",
	} {
		err := s.read(t.Context(), "", func(ctx context.Context, tx *sql.Tx) error {
			_, err := s.readGrid(ctx, tx, query)
			return err
		})
		if err == nil {
			t.Errorf("SQLite runs %q", query)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("files were written: %v", left)
	}
	if a, _, _ := ask(t, s, callAt(noon, `{"measure":"orders","period":"2026"}`)); *a.Total.Value != 9 {
		t.Errorf("orders = %v, want 9", *a.Total.Value)
	}
}

// A question that does not end is ended, and a large answer is cut.
func TestThirdWall(t *testing.T) {
	s := openShop(t)
	s.options.Deadline = 50 * time.Millisecond
	r, _ := runSQL(t, s, shelf{}, "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n")
	if !r.Failed || !strings.Contains(r.Text, "took longer than 50ms") {
		t.Errorf("an endless question gave %q", r.Text)
	}
	s.options.Deadline = 10 * time.Second
	s.options.MaxRows = 100
	const series = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 250) "
	arts := shelf{}
	_, a := runSQL(t, s, arts, series+"SELECT x FROM n")
	if a.RowCount != 100 || a.Truncated != 150 || len(a.Rows) != maxAnswer || a.Note == "" {
		t.Errorf("row_count = %d, truncated = %d, %d rows shown, note %q", a.RowCount, a.Truncated, len(a.Rows), a.Note)
	}
	// RES-07, RES-14: what was not read is said, with how to read it.
	if _, a = runSQL(t, s, arts, "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 5000) SELECT x FROM n"); a.Truncated != 900 || !strings.Contains(a.Note, "at least 900 further rows were not read") {
		t.Errorf("truncated = %d, note %q", a.Truncated, a.Note)
	}
	if _, a = runSQL(t, s, arts, "SELECT printf('%.*c', 25000, 'x') AS x"); len(a.Rows) != 1 {
		t.Errorf("%d rows", len(a.Rows))
	} else if text, _ := a.Rows[0][0].(string); !strings.HasSuffix(text, "x … [15000 more characters were not read; ask for a part: substr(…, 10001, 10000)]") {
		t.Errorf("a long value ends in %q", text[max(0, len(text)-120):])
	}
	s.options.MaxBytes = 4000
	if _, a = runSQL(t, s, arts, series+"SELECT x, hex(zeroblob(500)) FROM n"); a.RowCount != 4 {
		t.Errorf("%d rows of 1 kB in 4 kB", a.RowCount)
	}
}

// One value that is larger than all that is kept is not read to be cut.
func TestThirdWallHoldsForOneValue(t *testing.T) {
	s := openShop(t)
	s.options.MaxBytes = 1 << 16
	if r, _ := runSQL(t, s, shelf{}, "SELECT hex(zeroblob(10000000)) AS x"); !r.Failed || !strings.Contains(r.Text, "too big") {
		t.Errorf("20 MB gave %.100q", r.Text)
	}
	p, _ := openPostgres(t)
	p.options.MaxBytes = 1 << 16
	small, err := Open(p.layer, Options{MaxBytes: 1 << 16})
	if err != nil {
		t.Fatal(err)
	}
	defer small.Close()
	if r, _ := runSQL(t, small, shelf{}, "SELECT repeat('x', 10000000) AS x"); !r.Failed || !strings.Contains(r.Text, "too long") {
		t.Errorf("10 MB gave %.100q", r.Text)
	}
	if r, a := runSQL(t, small, shelf{}, "SELECT 1 AS x"); r.Failed || a.RowCount != 1 {
		t.Errorf("after it: %.100q", r.Text)
	}
}

// X1: a column of passwords is not read, whatever stands in it.
func TestColumnsOfSecrets(t *testing.T) {
	s := openShop(t)
	_, a := runSQL(t, s, shelf{}, "SELECT 'Ana' AS name, 'x' AS password, 5 AS api_key, NULL AS token, 7 AS tokens")
	if want := [][]any{{"Ana", "[redacted:password]", "[redacted:api-key]", nil, 7.0}}; !cmp.Equal(a.Rows, want) {
		t.Errorf("rows = %v, want %v", a.Rows, want)
	}
}

// A file that is not there is not made.
func TestOpenMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.db")
	s, err := Open(shopLayer(path), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(t.Context()); err == nil {
		t.Error("a missing file is no fault")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the file was made")
	}
}

// Numbers are exact or stay text.
func TestCell(t *testing.T) {
	for _, tt := range []struct {
		in   any
		kind string
		want any
	}{
		{nil, "", nil}, {int64(7), "", 7.0}, {int64(1<<53 + 1), "", "9007199254740993"}, {0.1, "", 0.1}, {true, "", "true"},
		{"12.50", "NUMERIC", 12.5}, {"9.0000000000000000", "NUMERIC", 9.0}, {"1234567890123456", "NUMERIC", "1234567890123456"}, {"0.1234567890123456789", "NUMERIC", "0.1234567890123456789"}, {"12.50", "TEXT", "12.50"},
		{[]byte("名"), "", "名"}, {[]byte{0xff, 1}, "", "0xff01"},
		{time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC), "", "2026-10-31"}, {time.Date(2026, 10, 31, 7, 5, 0, 0, time.UTC), "", "2026-10-31 07:05:00"},
	} {
		if got := cell(tt.in, tt.kind); got != tt.want {
			t.Errorf("cell(%v) = %v, want %v", tt.in, got, tt.want)
		}
	}
	for in, want := range map[any]float64{"2.345": 2.35, "-2.345": -2.35, "1e3": 1000, 1.005: 1.01, int64(3): 3, "-0.001": 0} {
		if got, err := figure(in, 2); err != nil || *got != want {
			t.Errorf("figure(%v) = %v, %v, want %v", in, got, err, want)
		}
	}
}
