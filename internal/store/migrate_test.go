package store

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

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

// Rows of before there was a key are sealed at the first start and stay what they were:
// they verify, one that is changed later is found by its number, and who asks who
// approved a post of that time hears it.
func TestMigratedAuditIsSealed(t *testing.T) {
	ms, err := versions(migrations, "migrations/sqlite")
	if err != nil {
		t.Fatal(err)
	}
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "hermes.db")
	pool := raw(t, path)
	early := &DB{cfg: Config{DSN: path}.withDefaults()}
	if err := early.migrateTo(ctx, pool, ms, 2); err != nil {
		t.Fatal(err)
	}
	prev := ""
	for i, r := range []auditRow{
		{Who: "slack:T:lee", What: "answered", Subject: "m1/q1", Detail: "always"},
		{Who: "slack:T:lee", What: "granted", Subject: "g1", Under: "m1/q1", Detail: "j1 post_message"},
		{Who: "slack:T:ann", What: "post queued", Subject: "m1/p1", Under: "g1", Detail: "slack/T/S/ abc"},
		{What: "posted", Subject: "m1/p1", Detail: "slack/T/S//55"},
	} {
		r.At, r.Prev = at(time.Date(2026, 11, 1, 9, i, 0, 0, time.UTC)), prev
		if r.Hash, err = r.sum(); err != nil {
			t.Fatal(err)
		}
		prev = r.Hash
		do(t, pool, fmt.Sprintf("INSERT INTO audit (at, who, what, subject, under, detail, prev, hash) VALUES ('%s', '%s', '%s', '%s', '%s', '%s', '%s', '%s')",
			r.At.Format(layout), r.Who, r.What, r.Subject, r.Under, r.Detail, r.Prev, r.Hash))
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // it is sealed once
		d, err := Open(ctx, Config{DSN: path})
		if err != nil {
			t.Fatal(err)
		}
		v, err := d.Journal().Verify(ctx)
		if err != nil || v.Rows != 5 || v.Plain != 4 {
			t.Errorf("verify = %+v, %v; want 4 rows and their seal", v, err)
		}
		deeds, err := d.Journal().Deeds(ctx, DeedFilter{What: []string{Posted}, Sees: func(string, string) bool { return true }}, 9)
		if err != nil || len(deeds) != 1 || deeds[0].By == nil || deeds[0].By.Who != "slack:T:lee" || deeds[0].Grant != "g1" || deeds[0].Place != "slack/T/S/" {
			t.Errorf("who approved it = %+v, %v", deeds, err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	d, err := Open(ctx, Config{DSN: path})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	pool = raw(t, path)
	for _, name := range []string{"audit_unchanged", "audit_undeleted"} {
		do(t, pool, "DROP TRIGGER "+name)
	}
	for _, c := range []struct {
		tamper, how string
		seq         int64
	}{
		{"DELETE FROM audit WHERE seq = 5", "seal", 5},
		{"UPDATE audit SET who = 'slack:T:mallory' WHERE seq = 2", "changed", 2},
	} {
		do(t, pool, c.tamper)
		var broken *Broken
		if _, err := d.Journal().Verify(ctx); !errors.As(err, &broken) || broken.Seq != c.seq || !strings.Contains(broken.How, c.how) {
			t.Errorf("%s: %v, want row %d %s", c.tamper, err, c.seq, c.how)
		}
	}
}
