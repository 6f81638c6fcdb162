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
	"hermes/internal/tabular"
)

// folder has the files in a folder of its own, all changed at one time.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, name), text, "2026-11-01T08:00")
	}
	return dir
}

func write(t *testing.T, path, text, at string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	when, err := time.Parse("2006-01-02T15:04", at)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, when, when); err != nil {
		t.Fatal(err)
	}
}

var twoMonths = map[string]string{
	"sales-2026-09.csv": "day,region,amount\n2026-09-01,Asia,10\n2026-09-30,Europe,20.11\n",
	"sales-2026-10.csv": "day;region;amount\n01.10.2026;Asia;15\n02.10.2026;Europe;12,5\n31.10.2026;Africa;0,1\n",
	"notes.md":          "not a table",
	".hidden.csv":       "a\n1\n",
	"~$open.xlsx":       "x",
}

func filesLayer(path string) Layer {
	return Layer{
		Name: "branches", Dialect: SQLite, Files: &Files{Path: path},
		Measures:   []Measure{{Name: "sales", Label: Label{"Sales", "销售额"}, SQL: "SUM(amount)", From: "sales", Time: "day", Unit: "EUR", Scale: 2}},
		Dimensions: []Dimension{{Name: "region", Label: Label{"region", "地区"}, SQL: "region"}},
	}
}

func open(t *testing.T, l Layer) *Source {
	t.Helper()
	s, err := Open(l, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// A folder of files is asked as a database is: by measures, and by SQL of a model. What
// comes of it says of when the files are.
func TestFilesAreASource(t *testing.T) {
	s := open(t, filesLayer(folder(t, twoMonths)))
	a, g, _ := ask(t, s, callAt(noon, `{"measure":"sales","by":["region"],"period":"last_month","compare":["previous_period"]}`))
	want := [][]any{{"Asia", 15.0, 10.0}, {"Europe", 12.5, 20.11}, {"Africa", 0.1, 0.0}}
	if diff := cmp.Diff(want, g.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if a.AsOf != "2026-11-01T08:00:00Z" || !g.AsOf.Equal(time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)) {
		t.Errorf("as of %q, %v", a.AsOf, g.AsOf)
	}
	_, by := runSQL(t, s, shelf{}, "SELECT region, COUNT(*) AS n FROM sales WHERE day >= '2026-10-01' GROUP BY 1 ORDER BY 1")
	if diff := cmp.Diff([][]any{{"Africa", 1.0}, {"Asia", 1.0}, {"Europe", 1.0}}, by.Rows); diff != "" {
		t.Errorf("rows of SQL (-want +got):\n%s", diff)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check = %v", err)
	}
	if values, err := s.Values(t.Context(), "region"); err != nil || !cmp.Equal(values, []string{"Africa", "Asia", "Europe"}) {
		t.Errorf("Values = %q, %v", values, err)
	}
	tables, err := s.tables(t.Context())
	if diff := cmp.Diff([]string{"sales(day date, region text, amount real)"}, tables); err != nil || diff != "" {
		t.Errorf("tables, %v (-want +got):\n%s", err, diff)
	}
}

// The walls of a database stand before files too, each without the others: what would
// write or look elsewhere is refused by the words of it, by the connection's authorizer,
// and by the mode in which the memory is opened.
func TestFilesHaveTheSameWalls(t *testing.T) {
	s := open(t, filesLayer(folder(t, twoMonths)))
	for _, query := range []string{
		"INSERT INTO sales VALUES ('2026-10-01', 'x', 1)", "DROP TABLE sales", "ATTACH 'x.db' AS x", "PRAGMA query_only = 0", "SELECT load_extension('x')",
		"SELECT * FROM pragma_database_list", "CREATE TEMP TABLE x (a)", "UPDATE sales SET amount = 0", "SELECT 1; DELETE FROM sales", "VACUUM INTO '/tmp/x'",
	} {
		if r, _ := runSQL(t, s, shelf{}, query); !r.Failed {
			t.Errorf("%s: %s", query, r.Text)
		}
		err := s.read(t.Context(), "", func(ctx context.Context, tx *sql.Tx) error { return drained(ctx, tx, query) })
		if err == nil {
			t.Errorf("%s passes the connection", query)
		}
	}
	snap, done, err := s.take(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if _, err := snap.db.ExecContext(t.Context(), "DELETE FROM sales"); err == nil {
		t.Error("a write passes the mode of the connection")
	}
}

// The tables of one run are of one state, whatever becomes of the files meanwhile; the
// next run has the new one.
func TestOneRunSeesOneState(t *testing.T) {
	dir := folder(t, twoMonths)
	s := open(t, filesLayer(dir))
	total := func(run string) float64 {
		c := callAt(noon, `{"measure":"sales","period":"last_month"}`)
		c.Run, c.ID = run, run+time.Now().String()
		a, _, _ := ask(t, s, c)
		return *a.Total.Value
	}
	if got := total("first"); got != 27.6 {
		t.Fatalf("total = %v", got)
	}
	write(t, filepath.Join(dir, "sales-2026-10.csv"), "day,region,amount\n2026-10-01,Asia,100\n", "2026-11-01T09:00")
	if got := total("first"); got != 27.6 {
		t.Errorf("the run that has begun sees %v", got)
	}
	if got := total("second"); got != 100 {
		t.Errorf("the next run sees %v", got)
	}
	if err := os.Remove(filepath.Join(dir, "sales-2026-10.csv")); err != nil {
		t.Fatal(err)
	}
	if got := total("second"); got != 100 {
		t.Errorf("a run sees files that are gone as %v", got)
	}
	if len(s.feed.pins) != 2 {
		t.Errorf("%d runs are kept", len(s.feed.pins))
	}
}

// What is kept for runs has an end, and its memory is freed when nobody reads it.
func TestSnapshotsAreLetGo(t *testing.T) {
	dir := folder(t, twoMonths)
	s := open(t, filesLayer(dir))
	first, done, err := s.take(t.Context(), "run 0")
	if err != nil {
		t.Fatal(err)
	}
	for i := range mostKept + 2 {
		write(t, filepath.Join(dir, "sales-2026-10.csv"), "day,region,amount\n2026-10-01,Asia,"+strings.Repeat("1", i+1)+"\n", "2026-11-01T09:00")
		_, done, err := s.take(t.Context(), "run "+string(rune('1'+i)))
		if err != nil {
			t.Fatal(err)
		}
		done()
	}
	if len(s.feed.pins) > mostKept {
		t.Errorf("%d states are kept", len(s.feed.pins))
	}
	if err := first.db.PingContext(t.Context()); err != nil {
		t.Errorf("who is reading lost the tables: %v", err)
	}
	done()
	if err := first.db.PingContext(t.Context()); err == nil {
		t.Error("nobody reads it, and it is still there")
	}
}

// What cannot be read is told to who asked, by file, row and column; the operator is told
// of files that are not there.
func TestFilesThatCannotBeRead(t *testing.T) {
	bad := map[string]string{"sales.csv": "day,region,amount\n" + strings.Repeat("2026-10-01,Asia,1\n", 20) + "2026-10-02,Asia,lots\n"}
	s := open(t, filesLayer(folder(t, bad)))
	r, err := Metric(shelf{}, s).Run(t.Context(), callAt(noon, `{"measure":"sales"}`))
	if err != nil || !r.Failed || !strings.Contains(r.Text, `sales.csv row 22, column amount: "lots" is no number`) {
		t.Errorf("%v %s", err, r.Text)
	}
	for path, want := range map[string]string{
		filepath.Join(t.TempDir(), "gone.csv"): "no such file",
		t.TempDir():                            "has no file that ends in .csv",
	} {
		if err := open(t, filesLayer(path)).Check(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	s = open(t, filesLayer(folder(t, map[string]string{"sales-1.csv": "day,region,amount\n2026-10-01,a,1\n", "sales-2.csv": "day,Gebiet,amount\n2026-10-01,a,1\n"})))
	if err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "sales-2.csv, column Gebiet: there is no such column in sales-1.csv") {
		t.Errorf("files of one name with other columns: %v", err)
	}
	l := filesLayer(folder(t, twoMonths))
	l.Files.MaxBytes = 60
	if err := open(t, l).Check(t.Context()); err == nil || !strings.Contains(err.Error(), "raise max_bytes") {
		t.Errorf("too large: %v", err)
	}
}

// A declared layer of files says what is wrong with it.
func TestFilesLayerValidate(t *testing.T) {
	l := filesLayer("")
	l.Files.Options = tabular.Options{Encoding: "ebcdic", Comma: "dot", Days: "ymd", Types: map[string]tabular.Type{"a": "money"}}
	err := l.Validate()
	for _, want := range []string{"path: missing", `encoding: "ebcdic"`, `decimal: "dot"`, `days: "ymd"`, `columns[a].type: "money"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v has no %q", err, want)
		}
	}
}

// A table of files goes into a report of the run that made it.
func TestFilesGridIsPlain(t *testing.T) {
	s := open(t, filesLayer(folder(t, twoMonths)))
	_, g, a := ask(t, s, callAt(noon, `{"measure":"sales","by":["region"]}`))
	again, err := tool.DecodeGrid(a.Body)
	if err != nil || !again.AsOf.Equal(g.AsOf) || g.AsOf.IsZero() {
		t.Errorf("as of %v, %v", again.AsOf, err)
	}
	var plain map[string]any
	if err := json.Unmarshal(a.Body, &plain); err != nil || plain["as_of"] == nil {
		t.Errorf("%v", plain)
	}
}
