package store

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"hermes/bot"
)

// raw opens a file as it is.
func raw(t *testing.T, path string) *sql.DB {
	t.Helper()
	pool, err := sql.Open("sqlite", sqliteDSN(path, nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() }) // tests close it themselves where it matters
	return pool
}

func do(t *testing.T, pool *sql.DB, statement string) {
	t.Helper()
	if _, err := pool.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// A database of every earlier version is brought up to date and works.
func TestMigrateFromEveryVersion(t *testing.T) {
	ms, err := versions(migrations, "migrations/sqlite")
	if err != nil {
		t.Fatal(err)
	}
	for v := range len(ms) + 1 {
		t.Run(fmt.Sprint("from ", v), func(t *testing.T) {
			ctx, path := t.Context(), filepath.Join(t.TempDir(), "hermes.db")
			pool := raw(t, path)
			early := &DB{cfg: Config{DSN: path}.withDefaults()}
			if err := early.migrateTo(ctx, pool, ms, v); err != nil {
				t.Fatal(err)
			}
			if err := pool.Close(); err != nil {
				t.Fatal(err)
			}
			d, err := Open(ctx, Config{DSN: path})
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Inbox().Add(ctx, bot.Item{Key: "k", Place: bot.Place{Platform: "test", Channel: "c"}, Lane: bot.Talk}); err != nil {
				t.Error(err)
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Both databases have the same versions.
func TestMigrationsMatch(t *testing.T) {
	lite, err := versions(migrations, "migrations/sqlite")
	if err != nil {
		t.Fatal(err)
	}
	big, err := versions(migrations, "migrations/postgres")
	if err != nil {
		t.Fatal(err)
	}
	if len(lite) != len(big) {
		t.Fatalf("%d migrations of SQLite and %d of PostgreSQL", len(lite), len(big))
	}
	for i := range lite {
		if lite[i].name != big[i].name {
			t.Errorf("migration %d is %s and %s", i+1, lite[i].name, big[i].name)
		}
	}
}

// A migration that fails changes nothing, and those before it stay.
func TestMigrationFails(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "hermes.db")
	ms, err := versions(fstest.MapFS{
		"m/0001_a.sql": {Data: []byte("CREATE TABLE a (x); INSERT INTO a VALUES (1);")},
		"m/0002_b.sql": {Data: []byte("CREATE TABLE b (x); INSERT INTO nowhere VALUES (1);")},
	}, "m")
	if err != nil {
		t.Fatal(err)
	}
	pool, d := raw(t, path), &DB{cfg: Config{DSN: path}.withDefaults()}
	if err := d.migrateTo(ctx, pool, ms, 2); err == nil {
		t.Fatal("a broken migration = nil")
	}
	if v, err := d.version(ctx, pool); v != 1 || err != nil {
		t.Errorf("version %d, %v; want 1", v, err)
	}
	var tables string
	if err := pool.QueryRowContext(ctx, "SELECT group_concat(name) FROM sqlite_master WHERE name IN ('a', 'b')").Scan(&tables); err != nil || tables != "a" {
		t.Errorf("tables %q, %v; want a", tables, err)
	}
}

func TestMigrationNumbers(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"a gap":     {"m/0001_a.sql": {}, "m/0003_b.sql": {}},
		"twice":     {"m/0001_a.sql": {}, "m/0001_b.sql": {}},
		"no number": {"m/first.sql": {}},
	} {
		if _, err := versions(files, "m"); err == nil {
			t.Errorf("%s = nil, want an error", name)
		}
	}
}

// What cannot be read, or is not ours, is refused and left as it is.
func TestOpenRefuses(t *testing.T) {
	made := func(t *testing.T, path string) {
		t.Helper()
		d, err := Open(t.Context(), Config{DSN: path})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 200 {
			if err := d.Inbox().Add(t.Context(), bot.Item{Key: fmt.Sprint(i), Place: bot.Place{Platform: "test", Channel: "c"}, Lane: bot.Talk}); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		make func(*testing.T, string)
		want error
	}{
		"a newer schema": {func(t *testing.T, path string) {
			made(t, path)
			do(t, raw(t, path), "INSERT INTO schema_migrations VALUES (99, '0099_future', '')")
		}, ErrNewer},
		"the database of another program": {func(t *testing.T, path string) {
			do(t, raw(t, path), "CREATE TABLE users (id INTEGER)")
		}, ErrForeign},
		"a file that is none": {func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte("what a nice day it is, and no database"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, ErrCorrupt},
		"a file that was damaged in a crash": {func(t *testing.T, path string) {
			made(t, path)
			pool := raw(t, path)
			do(t, pool, "UPDATE settings SET value = 'no' WHERE name = 'clean'")
			if err := pool.Close(); err != nil {
				t.Fatal(err)
			}
			damage(t, path)
		}, ErrCorrupt},
		"a folder": {func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "hermes.db")
			c.make(t, path)
			before, _ := os.ReadFile(path) // a folder has none
			d, err := Open(t.Context(), Config{DSN: path})
			var told *Error
			if d != nil || !errors.As(err, &told) || told.Hint == "" || c.want != nil && !errors.Is(err, c.want) {
				t.Fatalf("open = %v, want %v with a hint", err, c.want)
			}
			if after, _ := os.ReadFile(path); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
}

// damage writes over the middle of a file.
func damage(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	junk := make([]byte, info.Size()/2)
	for i := range junk {
		junk[i] = 0xa5
	}
	if _, err := f.WriteAt(junk, info.Size()/2); err != nil {
		t.Fatal(err)
	}
}

// Nobody but the owner reads what people have said.
func TestFileMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", "hermes.db")
	d, err := Open(t.Context(), Config{DSN: path})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, name := range []string{path, path + "-wal"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
}

// A password never reaches a log.
func TestMasked(t *testing.T) {
	for dsn, want := range map[string]string{
		"postgres://ann:secret@db:5432/hermes":          "postgres://db:5432/hermes",
		"postgres://db/hermes?user=ann&password=secret": "postgres://db/hermes",
		"postgres://ann:sec%zzret@db/hermes":            "postgres://…",
		"postgres://db/hermes":                          "postgres://db/hermes",
		"hermes-data/hermes.db":                         "hermes-data/hermes.db",
	} {
		if got := masked(dsn); got != want {
			t.Errorf("masked %s = %s, want %s", dsn, got, want)
		}
	}
}
