package querydb

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// SAFE, R7: the store of the program is no source: not by its path, not relative, not by
// a link of either kind, and not as a copy elsewhere or under another address.
func TestOwnStoreIsRefused(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "hermes.db")
	db, err := sql.Open("sqlite", store)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range storeSigns {
		if _, err := db.Exec("CREATE TABLE " + name + " (id TEXT)"); err != nil {
			t.Fatal(err)
		}
	}
	copied := filepath.Join(dir, "copy.db")
	if _, err := db.Exec("VACUUM INTO '" + copied + "'"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, link := range []func(string, string) error{os.Symlink, os.Link} {
		if err := link(store, filepath.Join(dir, "link"+string(rune('0'+len(entries(t, dir))))+".db")); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	names := append(entries(t, dir), store, "./hermes.db", "../"+filepath.Base(dir)+"/hermes.db", "file:"+store+"?mode=rw")
	if len(names) < 8 {
		t.Fatalf("names = %q", names)
	}
	for _, name := range names {
		for _, known := range []string{store, ""} { // where nobody has told which file it is, its tables do
			s, err := Open(shopLayer(name), Options{Store: known})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Check(t.Context()); !errors.Is(err, errOwnStore) || !strings.Contains(err.Error(), "hint:") {
				t.Errorf("%s with store %q: %v", name, known, err)
			}
			if err := s.Vet(t.Context()); !errors.Is(err, ErrUnfit) || !strings.Contains(err.Error(), "hint:") {
				t.Errorf("at a start, %s with store %q: %v", name, known, err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func entries(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*.db"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The same on a server: the schema of a store is refused to whoever may read it, and a
// source beside it is not.
func TestOwnStoreOnAServer(t *testing.T) {
	s, super := openPostgres(t)
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("pgx", super)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	do := func(statement string) {
		t.Helper()
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	do("DROP SCHEMA IF EXISTS hermes_store_like CASCADE")
	do("CREATE SCHEMA hermes_store_like")
	t.Cleanup(func() {
		if _, err := db.Exec("DROP SCHEMA hermes_store_like CASCADE"); err != nil {
			t.Error(err)
		}
	})
	for _, name := range storeSigns {
		do("CREATE TABLE hermes_store_like." + name + " (id text)")
	}
	again := func() error {
		o, err := Open(s.layer, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		return o.Check(t.Context())
	}
	if err := again(); err != nil {
		t.Errorf("a store that the login cannot read: %v", err)
	}
	do("GRANT USAGE ON SCHEMA hermes_store_like TO hermes_reader")
	do("GRANT SELECT ON ALL TABLES IN SCHEMA hermes_store_like TO hermes_reader")
	if err := again(); !errors.Is(err, errOwnStore) {
		t.Errorf("a store that the login can read: %v", err)
	}
}
