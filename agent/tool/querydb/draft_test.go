package querydb

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/internal/golden"
)

// ledger is a SQLite database with keys, days, secrets and what is no vocabulary.
const ledger = `
CREATE TABLE regions (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT);
INSERT INTO regions VALUES (1, 'Asia', 'a'), (2, 'Europe', 'b');
CREATE TABLE users (id INTEGER PRIMARY KEY, full_name TEXT, email TEXT, password TEXT);
INSERT INTO users VALUES (1, 'Kim', 'k@x', 'p'), (2, 'Lee', 'l@x', 'q');
CREATE TABLE orders (
	id INTEGER PRIMARY KEY, ordered_on TEXT, updated_at TEXT, region_id INTEGER REFERENCES regions(id), buyer_id INTEGER REFERENCES users, seller_id INTEGER REFERENCES users(id),
	status TEXT, "Ship To" TEXT, amount_cents INTEGER, unit_price REAL, qty INTEGER, api_token TEXT, comment TEXT, paid BOOLEAN
);
INSERT INTO orders VALUES (1, '2026-10-01', '2026-10-02 10:00', 1, 1, 2, 'open', 'dock', 1250, 2.5, 5, 't', 'fine', 1), (2, '2026-10-02', '2026-10-02 10:00', 2, 2, 1, 'closed', 'door', 300, 3, 1, 'u', 'so', 0);
CREATE TABLE settings (key TEXT, value TEXT);
`

func openLedger(t *testing.T) *Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), ledger); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t, Layer{Name: "ledger", Dialect: SQLite, DSN: path})
}

// A draft is read by people; the same schema gives the same one, and what it says the
// database understands.
func TestDraft(t *testing.T) {
	for name, s := range map[string]*Source{
		"database": openLedger(t),
		"files": open(t, Layer{Name: "branches", Dialect: SQLite, Files: &Files{Path: folder(t, map[string]string{
			"sales-2026-10.csv": "Date;Region;Sales Rep;Amount (€);Margin %;Order No\n01.10.2026;North;Kim;1.234,50 €;12,5%;0017\n02.10.2026;South;Lee;7,50 €;8%;0018\nTotal;;;1.242,00 €;;\n",
			"budget.csv":        "Region,Amount\nNorth,5\n",
			"门店-2026年10月.csv":   "日期,地区,销售额,客单价\n2026年10月1日,华东,3.5万元,￥128\n2026年10月2日,华北,9000元,￥90\n",
		})}}),
	} {
		t.Run(name, func(t *testing.T) {
			d, err := s.Draft(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			again, err := s.Draft(t.Context())
			if err != nil || again.YAML() != d.YAML() {
				t.Errorf("a second draft differs, %v", err)
			}
			golden.Check(t, "draft."+name+".yaml", d.YAML())
			holds(t, s, d)
		})
	}
}

// holds opens the source with what was drafted, and asks for all of it.
func holds(t *testing.T, s *Source, d Draft) {
	t.Helper()
	l := s.layer
	l.Measures, l.Dimensions = d.Layer.Measures, d.Layer.Dimensions
	if err := l.Validate(); err != nil {
		t.Fatalf("the draft is no layer: %v", err)
	}
	full := open(t, l)
	if err := full.Check(t.Context()); err != nil {
		t.Errorf("the database refuses what was drafted: %v", err)
	}
	for _, m := range l.Measures {
		for _, by := range m.Dimensions {
			ask(t, full, callAt(noon, `{"measure":"`+m.Name+`","by":["`+by+`"],"period":"2026"}`))
		}
	}
	for _, dim := range l.Dimensions {
		if _, err := full.Values(t.Context(), dim.Name); err != nil {
			t.Errorf("values of %s: %v", dim.Name, err)
		}
	}
}

// What is secret is not looked at, and no value of it stands in a draft.
func TestDraftHoldsNoSecret(t *testing.T) {
	d, err := openLedger(t).Draft(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text := d.YAML()
	for _, bad := range []string{"password", "k@x"} {
		if strings.Contains(text, bad) {
			t.Errorf("the draft has %q:\n%s", bad, text)
		}
	}
	if !strings.Contains(text, "api_token looks like a secret") {
		t.Errorf("it is not said that a secret was passed over:\n%s", text)
	}
}

// Servers tell of their keys too.
func TestPostgresDraft(t *testing.T) {
	s, super := openPostgres(t)
	withKey(t, "pgx", super, "ALTER TABLE hermes_shop.orders ADD FOREIGN KEY (region) REFERENCES hermes_shop.regions (id)")
	draftOfShop(t, s, "hermes_shop.orders LEFT JOIN hermes_shop.regions ON hermes_shop.regions.id = hermes_shop.orders.region")
}

// As TestPostgresDraft.
func TestMySQLDraft(t *testing.T) {
	s := openMySQL(t, mayRead)
	withKey(t, "mysql", os.Getenv("HERMES_TEST_MYSQL"), "ALTER TABLE hermes_shop.orders ADD FOREIGN KEY (region) REFERENCES hermes_shop.regions (id)")
	draftOfShop(t, s, "orders LEFT JOIN regions ON regions.id = orders.region")
}

func withKey(t *testing.T, driver, dsn, statement string) {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func draftOfShop(t *testing.T, s *Source, from string) {
	t.Helper()
	d, err := s.Draft(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Layer.Measures) != 2 || d.Layer.Measures[0].Name != "amount" || d.Layer.Measures[0].From != from || len(d.Layer.Dimensions) != 1 || d.Layer.Dimensions[0].Name != "region" {
		t.Errorf("the draft is\n%s", d.YAML())
	}
	holds(t, s, d)
}
