package querydb

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/tool"
)

// says is what a tool has to say of itself now.
func says(t *testing.T, x tool.Tool) (string, error) {
	t.Helper()
	d, ok := x.(tool.Describer)
	if !ok {
		t.Fatalf("%s does not describe itself", x.Spec().Name)
	}
	return d.Describe(t.Context(), tool.Viewer{})
}

// alter changes the file of a source behind its back.
func alter(t *testing.T, s *Source, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", s.layer.DSN)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
}

// plainShop is a shop whose file can be opened by its bare name.
func plainShop(t *testing.T, name string) *Source {
	t.Helper()
	l := shopLayer(filepath.Join(t.TempDir(), "plain.db"))
	l.Name = name
	s, err := Open(l, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	alter(t, s, shop)
	return s
}

// TOOL-21, TOOL-22: the description has the tables as they are now with their
// columns, and that they can only be read. A table that is added is in the next one.
func TestTOOL21TheDatabaseSaysWhichTablesItHas(t *testing.T) {
	s := plainShop(t, "shop")
	d := Database(shelf{}, s)
	live, err := says(t, d)
	if want := "Source shop (sqlite, read-only):\norders(day text, region integer, amount integer)\nregions(id integer, name text)"; err != nil || live != want {
		t.Errorf("it says %v:\n%s\nwant\n%s", err, live, want)
	}
	alter(t, s, "CREATE TABLE stock(sku TEXT, amount INTEGER)")
	if live, err = says(t, d); err != nil || !strings.Contains(live, "\nstock(sku text, amount integer)") {
		t.Errorf("with another table it says %v:\n%s", err, live)
	}
	if strings.Contains(d.Spec().Description, "orders(") {
		t.Error("what changes stands in the description that is the same for every request")
	}
}

// TOOL-21: however large a database is, its tables take no more than some 400 tokens
// of every request, and a large source does not hide another.
func TestTOOL21ManyTablesAreCounted(t *testing.T) {
	large, small := plainShop(t, "large"), plainShop(t, "small")
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "CREATE TABLE t%03d(id INTEGER, name TEXT, amount INTEGER);", i)
	}
	b.WriteString("CREATE TABLE a_wide(c0 INTEGER")
	for i := range 39 {
		fmt.Fprintf(&b, ", c%d TEXT", i+1)
	}
	alter(t, large, b.String()+")")
	live, err := says(t, Database(shelf{}, large, small))
	if err != nil || len(live) > 1700 {
		t.Fatalf("%d bytes, %v", len(live), err)
	}
	for _, want := range []string{"a_wide(c0 integer, c1 text", "… 28 more)", "more tables\nSource small (sqlite, read-only):\norders("} {
		if !strings.Contains(live, want) {
			t.Errorf("it lacks %q:\n%s", want, live)
		}
	}
	if want := fmt.Sprintf("… and %d more tables", 300-strings.Count(live, "\nt")); !strings.Contains(live, want) {
		t.Errorf("it lacks %q:\n%s", want, live)
	}
}

// TOOL-20: a database that is down is said to be down by both tools, without the
// words of the driver; while another is up only the one is warned of.
func TestTOOL20ADatabaseThatIsDownIsWarnedOf(t *testing.T) {
	up, down := plainShop(t, "up"), plainShop(t, "down")
	if err := os.Remove(down.layer.DSN); err != nil {
		t.Fatal(err)
	}
	for _, x := range []tool.Tool{Metric(shelf{}, down), Database(shelf{}, down)} {
		if live, err := says(t, x); err == nil {
			t.Errorf("%s: nothing is wrong with a database that is gone: %q", x.Spec().Name, live)
		}
	}
	for _, x := range []tool.Tool{Metric(shelf{}, up, down), Database(shelf{}, up, down)} {
		live, err := says(t, x)
		if err != nil || !strings.Contains(live, "WARNING: source down cannot be reached right now") || strings.Contains(live, down.layer.DSN) || strings.Contains(live, "source up") {
			t.Errorf("%s says %v: %q", x.Spec().Name, err, live)
		}
	}
	if live, err := says(t, Metric(shelf{}, up)); err != nil || live != "" {
		t.Errorf("with nothing wrong query_metric says %q, %v", live, err)
	}
}
