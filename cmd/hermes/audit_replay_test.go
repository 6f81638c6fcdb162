package main

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/config"
	"hermes/internal/store"
)

// Issue 5: a data folder of an earlier day that is put back as a whole, heads too, holds
// together; that it does is said, and a head out of a log, an export or a file of heads
// that was kept elsewhere finds it. While the daemon runs, it sees the number go back.
func TestAnAuditThatIsPutBackAsAWholeShowsByAHeadFromElsewhere(t *testing.T) {
	dir, away := keptAudit(t), t.TempDir()
	db := filepath.Join(dir, "hermes.db")
	read := func(name string) []byte {
		t.Helper()
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	write := func(name string, b []byte) string {
		t.Helper()
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	old, oldHead := read(db), read(filepath.Join(dir, "audit.head"))

	with := func(do func(h *hermes) error) {
		t.Helper()
		d, err := store.Open(t.Context(), store.Config{DSN: db, Audit: store.AuditKeys{Current: testAuditKey}})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(do(&hermes{cfg: config.Config{Data: dir}, log: slog.New(slog.DiscardHandler), now: time.Now, db: d}), d.Close()); err != nil {
			t.Fatal(err)
		}
	}
	var text, js bytes.Buffer
	var seen store.Head
	with(func(h *hermes) error {
		err := h.db.Journal().LoggedIn(t.Context(), "web:local:owner")
		for _, log := range []slog.Handler{slog.NewTextHandler(&text, nil), slog.NewJSONHandler(&js, nil)} {
			h.log = slog.New(log)
			h.log.Info("something else", "row", 99)
			err = errors.Join(err, h.noteHead(t.Context()))
		}
		err = errors.Join(err, h.watchHead(t.Context()))
		seen = h.headSeen
		return err
	})
	verify := func(args ...string) (string, error) {
		t.Helper()
		return hermesIn(t, "", append([]string{"audit", "verify", "--data", dir}, args...)...)
	}
	export := func(format string) string {
		t.Helper()
		out, err := hermesIn(t, "", "audit", "export", "--format", format, "--data", dir)
		if err != nil {
			t.Fatal(err)
		}
		return write(filepath.Join(away, format), []byte(out))
	}
	copies := map[string]string{
		"a log in text": write(filepath.Join(away, "text.log"), text.Bytes()), "a log in JSON": write(filepath.Join(away, "json.log"), js.Bytes()),
		"an export": export("jsonl"), "an export for a spreadsheet": export("csv"), "a copy of the heads": write(filepath.Join(away, "head"), read(filepath.Join(dir, "audit.head"))),
	}
	for name, file := range copies {
		if out, err := verify("--from", file); err != nil || strings.Contains(out, "no head from elsewhere") {
			t.Errorf("%s, and nothing is wrong: %v: %s", name, err, out)
		}
	}

	write(db, old)
	write(filepath.Join(dir, "audit.head"), oldHead)
	if out, err := verify(); err != nil || !strings.Contains(out, "no head from elsewhere was given") || !strings.Contains(out, "--from") {
		t.Errorf("without a head from elsewhere: %v: %s", err, out)
	}
	for name, file := range copies {
		if out, err := verify("--from", file); err == nil || codeOf(err) != failure || !strings.Contains(err.Error(), "is missing") {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
	var log bytes.Buffer
	with(func(h *hermes) error {
		h.log, h.headSeen = slog.New(slog.NewTextHandler(&log, nil)), seen
		return errors.Join(h.watchHead(t.Context()), h.watchHead(t.Context()))
	})
	if n := strings.Count(log.String(), "the audit has gone back"); n != 1 || !strings.Contains(log.String(), "--head") {
		t.Errorf("the running daemon says it %d times: %s", n, log.String())
	}
	for _, name := range []string{filepath.Join(away, "none"), write(filepath.Join(away, "empty"), []byte("nothing\n{}\na b c\n"))} {
		if _, err := verify("--from", name); err == nil || !strings.Contains(err.Error(), "--from") {
			t.Errorf("--from %s: %v", name, err)
		}
	}
}
