package main

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"hermes/config"
)

// Issue 5: a copy of the database does not let anybody into the console: its key is made
// of the audit's, which lies beside the database or in the environment, and one that an
// older version kept there is taken out. Sessions outlive a restart, and end with the key.
func TestTheKeyOfTheConsoleIsNotInTheDatabase(t *testing.T) {
	unset(t)
	dir := t.TempDir()
	key := func(audit config.Secret, former ...config.Secret) []byte {
		t.Helper()
		cfg, err := config.Load("")
		if err != nil {
			t.Fatal(err)
		}
		cfg.Data, cfg.Web.Addr, cfg.Audit.Key, cfg.Audit.FormerKeys = dir, "127.0.0.1:0", audit, former
		h, err := build(t.Context(), cfg, slog.New(slog.DiscardHandler), time.Now)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := h.close(); err != nil {
				t.Error(err)
			}
		}()
		if text, _, err := h.db.Settings().Get(t.Context(), "", "web.key"); err != nil || text != "" {
			t.Errorf("the database has the key %q, %v", text, err)
		}
		k, err := consoleKey(t.Context(), h.db)
		if err != nil || len(k) < 32 {
			t.Fatalf("key of %d bytes, %v", len(k), err)
		}
		if err := h.db.Settings().Set(t.Context(), "", "web.key", "00ff"); err != nil { // as an older version had it
			t.Fatal(err)
		}
		return k
	}
	const one, two = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
	first := key(one)
	if again := key(one); !bytes.Equal(first, again) {
		t.Error("sessions end with a restart")
	}
	if other := key(two, one); bytes.Equal(first, other) {
		t.Error("sessions outlive their key")
	}
}
