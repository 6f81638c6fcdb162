package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/config"
	"hermes/internal/store"
)

// check looks at a store in PostgreSQL as serve would, and changes nothing in it.
func TestCheckLooksAtAStoreInPostgreSQL(t *testing.T) {
	dsn, sql := emptySchema(t)
	check := func(want string, passes bool) {
		t.Helper()
		unset(t)
		t.Chdir(t.TempDir())
		t.Setenv("HERMES_DATABASE", dsn)
		t.Setenv("HERMES_AUDIT_KEY", testAuditKey)
		before := sql("SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY 1")
		got, err := hermesIn(t, "", "check")
		if passes != (err == nil) || !strings.Contains(got, want) || !strings.Contains(got, "PostgreSQL at ") {
			t.Errorf("check = %v and\n%s\nwant %q", err, got, want)
		}
		if err != nil && !strings.Contains(got, "  hint: ") {
			t.Errorf("check says\n%s\nwant a hint", got)
		}
		if after := sql("SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY 1"); after != before {
			t.Errorf("check has made tables of\n%s\n%s", before, after)
		}
	}
	check(", empty: `hermes serve` makes its tables", true)
	db, err := store.Open(t.Context(), store.Config{DSN: dsn, Audit: store.AuditKeys{Current: testAuditKey}})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	check(", its schema is up to date", true)
	sql("INSERT INTO schema_migrations VALUES (99, 'later', '2030-01-01')")
	before := sql("SELECT count(*) FROM schema_migrations")
	check("schema is newer than this program: it has version 99", false)
	if after := sql("SELECT count(*) FROM schema_migrations"); after != before {
		t.Errorf("there are %s migrations, want the %s of before", after, before)
	}
	sql("DROP TABLE schema_migrations")
	check("database is not ours", false)
}

// A PostgreSQL that does not answer is a ✗ that says which, and no password.
func TestCheckSaysThatPostgreSQLDoesNotAnswer(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	t.Setenv("HERMES_DATABASE", "postgres://keeper:secret@127.0.0.1:1/hermes")
	t.Setenv("HERMES_AUDIT_KEY", testAuditKey)
	got, err := hermesIn(t, "", "check")
	for _, want := range []string{"✗ store: PostgreSQL at 127.0.0.1:1, database hermes: ", "connection refused", "  hint: is the server running"} {
		if !errors.Is(err, errChecks) || !strings.Contains(got, want) {
			t.Errorf("check = %v and\n%s\nwant %q", err, got, want)
		}
	}
	if strings.Contains(got, "secret") {
		t.Errorf("check says the password:\n%s", got)
	}
}

// check says where the file of the store is, what is wrong with it, and whether a
// daemon has it; it neither makes nor changes one.
func TestCheckLooksAtAStoreInAFile(t *testing.T) {
	db, err := store.Open(t.Context(), store.Config{DSN: filepath.Join(t.TempDir(), "made.db")})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		make   func(t *testing.T)
		want   string
		passes bool
	}{
		"none yet":       {func(*testing.T) {}, "✓ store: kept/hermes.db, not there yet: `hermes serve` makes it", true},
		"empty":          {func(t *testing.T) { put(t, "kept/hermes.db", "") }, "✓ store: kept/hermes.db, empty", true},
		"something else": {func(t *testing.T) { put(t, "kept/hermes.db", "a letter to somebody") }, "✗ store: kept/hermes.db: it is not a SQLite database", false},
		"a folder": {func(t *testing.T) {
			if err := os.MkdirAll("kept/hermes.db", 0o700); err != nil {
				t.Fatal(err)
			}
		}, "✗ store: kept/hermes.db: it is not a file", false},
		"in use": {func(t *testing.T) {
			release, err := lock("kept")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(release)
			db, err := store.Open(t.Context(), store.Config{DSN: "kept/hermes.db"})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
		}, " KB, locked: a daemon runs on kept", true},
		"left": {func(t *testing.T) {
			release, err := lock("kept")
			if err != nil {
				t.Fatal(err)
			}
			release()
		}, "✓ store: kept/hermes.db, not there yet: `hermes serve` makes it\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			unset(t)
			t.Chdir(t.TempDir())
			tt.make(t)
			got, err := hermesIn(t, "", "check", "--data", "kept")
			if tt.passes != (err == nil) || !strings.Contains(got, tt.want) {
				t.Errorf("check = %v and\n%s\nwant %q", err, got, tt.want)
			}
			if !tt.passes && !strings.Contains(got, "  hint: ") {
				t.Errorf("check says\n%s\nwant a hint", got)
			}
			if name == "none yet" && len(here(t)) != 0 {
				t.Errorf("check has made %q", here(t))
			}
		})
	}
}

// What serve says of where it keeps things is so, and names nobody who logs in.
func TestServeSaysWhereItKeepsThings(t *testing.T) {
	for dsn, want := range map[string]string{
		"":                                   "d",
		"store.db":                           "store.db; lock, socket and traces in d",
		"postgres://u:secret@h:5433/x?a=b":   "PostgreSQL at h:5433, database x; lock, socket and traces in d",
		"postgres:///x?host=/run/postgresql": "PostgreSQL at /run/postgresql, database x; lock, socket and traces in d",
		"postgres://u:secret@h":              "PostgreSQL at h, database of the user's name; lock, socket and traces in d",
	} {
		if got := keeps(config.Config{Data: "d", Database: config.Secret(dsn)}); got != want {
			t.Errorf("of %q it says %q, want %q", dsn, got, want)
		}
	}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// emptySchema makes a schema in PostgreSQL, and returns a DSN that leads into it and
// what runs SQL there.
func emptySchema(t *testing.T) (dsn string, sql func(string) string) {
	t.Helper()
	server := os.Getenv("HERMES_TEST_POSTGRES")
	if server == "" {
		t.Skip("HERMES_TEST_POSTGRES is not set: PostgreSQL is not tested (postgres://user@host:5432/db?sslmode=disable)")
	}
	psql, err := exec.LookPath("psql")
	if err != nil {
		t.Skip("psql is not there: it prepares the schema")
	}
	name := fmt.Sprintf("hermes_check_%d_%d", os.Getpid(), time.Now().UnixNano())
	sql = func(text string) string {
		t.Helper()
		cmd := exec.CommandContext(context.WithoutCancel(t.Context()), psql, "-qtA", "-v", "ON_ERROR_STOP=1", server, "-c", text)
		cmd.Env = append(os.Environ(), "PGOPTIONS=-c search_path="+name)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", text, err, out)
		}
		return string(out)
	}
	sql("CREATE SCHEMA " + name)
	t.Cleanup(func() { sql("DROP SCHEMA " + name + " CASCADE") })
	sep := "?"
	if strings.Contains(server, "?") {
		sep = "&"
	}
	return server + sep + "search_path=" + name, sql
}

// A tool that is named in the configuration and is not there is a ✗: what was to stop
// before it would never stop.
func TestCheckKnowsTheToolsThatAreNamed(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	put(t, "hermes.yaml", "loop: {interrupt_before: [post_mesage], profiles: [{name: qa, interrupt_before: [query_metric, query_metrics]}]}\nexec: {tools: [{name: make_reprot}]}\n")
	got, err := hermesIn(t, "", "check")
	for _, want := range []string{"✗ loop.interrupt_before[0]: ", "post_mesage", "post_message", "✗ loop.profiles[0].interrupt_before[1]: ", "✗ exec.tools[0].name: ", "make_report"} {
		if !errors.Is(err, errChecks) || !strings.Contains(got, want) {
			t.Errorf("check = %v and\n%s\nwant %q", err, got, want)
		}
	}
	if strings.Contains(got, "interrupt_before[0]: there is no tool query_metric") || strings.Count(got, "✗") != 3 {
		t.Errorf("check says\n%s\nwant three faults", got)
	}
}
