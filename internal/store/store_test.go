package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"hermes/agent"
	"hermes/agent/agenttest"
	"hermes/bot"
	"hermes/bot/bottest"
	"hermes/internal/redact"
	"hermes/internal/store"
	"hermes/memory"
	"hermes/memory/memorytest"
	"hermes/scheduler"
	"hermes/scheduler/schedulertest"
)

// A clock goes when it is told to.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// open opens a database that is closed with the test.
func open(t testing.TB, cfg store.Config) *store.DB {
	t.Helper()
	if strings.HasPrefix(cfg.DSN, "postgres") && cfg.Audit.Current == "" {
		cfg.Audit.Current = auditKey
	}
	if cfg.Redact == nil {
		cfg.Redact = redact.New(canary) // all that holds, holds with it
	}
	d, err := store.Open(t.Context(), cfg)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return d
}

// both runs a test on SQLite and, if HERMES_TEST_POSTGRES names a server, on
// PostgreSQL, each time with the DSN of an empty database.
func both(t *testing.T, test func(t *testing.T, dsn string)) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, file(t))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, schema(t))
	})
}

// schema makes an empty schema and returns a DSN that leads into it.
func schema(t testing.TB) string {
	t.Helper()
	dsn := os.Getenv("HERMES_TEST_POSTGRES")
	if dsn == "" {
		t.Skip("HERMES_TEST_POSTGRES is not set: PostgreSQL is not tested (postgres://user@host:5432/db?sslmode=disable)")
	}
	name := fmt.Sprintf("hermes_test_%d_%d", os.Getpid(), time.Now().UnixNano())
	do := func(sql string) {
		t.Helper()
		ctx := context.WithoutCancel(t.Context())
		conn, err := pgx.Connect(ctx, dsn)
		if err != nil {
			t.Fatalf("connect: %v", err)
		}
		if _, err := conn.Exec(ctx, sql); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
		if err := conn.Close(ctx); err != nil {
			t.Errorf("close connection: %v", err)
		}
	}
	do("CREATE SCHEMA " + name)
	t.Cleanup(func() { do("DROP SCHEMA " + name + " CASCADE") })
	sep := "?"
	if strings.Contains(dsn, "?") {
		sep = "&"
	}
	return dsn + sep + "synchronous_commit=off&search_path=" + name
}

// reopen returns what opens a database, and what opens it again when the process
// that had it was killed.
func reopen[T any](part func(*store.DB) T) func(*testing.T, string) func() T {
	return func(t *testing.T, dsn string) func() T {
		var last *store.DB
		return func() T {
			t.Helper()
			if last != nil {
				if err := last.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
			}
			last = open(t, store.Config{DSN: dsn})
			return part(last)
		}
	}
}

func TestInbox(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		bottest.TestInbox(t, func(t *testing.T) func() bot.Inbox {
			return reopen(func(d *store.DB) bot.Inbox { return d.Inbox() })(t, another(t, dsn))
		})
	})
}

func TestOutbox(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		bottest.TestOutbox(t, func(t *testing.T) func() bot.Outbox {
			return reopen(func(d *store.DB) bot.Outbox { return d.Outbox() })(t, another(t, dsn))
		})
	})
}

func TestFacts(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		memorytest.TestStore(t, func(t *testing.T) memory.Store {
			return open(t, store.Config{DSN: another(t, dsn)}).Facts()
		})
	})
}

func TestRuns(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		agenttest.TestStore(t, func(t *testing.T) agent.Store {
			return open(t, store.Config{DSN: another(t, dsn)}).Runs()
		})
	})
}

func TestJobPromises(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		schedulertest.TestStore(t, func(t *testing.T) scheduler.Store {
			return open(t, store.Config{DSN: another(t, dsn)}).Jobs()
		})
	})
}

// another returns the DSN of one more empty database of the kind of dsn.
func another(t *testing.T, dsn string) string {
	t.Helper()
	if strings.HasPrefix(dsn, "postgres") {
		return schema(t)
	}
	return file(t)
}

// empty makes an empty database of today's schema once, to be copied: the
// migrations are tested elsewhere, and take longer than most tests.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "hermes")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "hermes.db")
	d, err := store.Open(context.Background(), store.Config{DSN: path})
	if err != nil {
		return nil, err
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// file returns the path of an empty database on SQLite.
func file(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hermes.db")
	if err := os.WriteFile(path, must[[]byte](t)(empty()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
