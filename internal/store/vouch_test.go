package store

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"
)

// A grant of before the audit said all that one allows is taken over once, as it stands at
// the first start; what is changed later shows, at any start, and one that the audit knows
// nothing of is never taken over.
func TestGrantsOfBeforeAreTakenOverOnce(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "hermes.db")
	now := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	opened := func() *DB {
		t.Helper()
		d, err := Open(ctx, Config{DSN: path, Now: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := opened()
	err := d.write(ctx, func(tx *gorm.DB) error {
		if err := tx.Exec(`INSERT INTO questions (id, run, home, asked, kind, state, expires, body, added) VALUES ('q1', 'm1', 'h', 'a', 'approve', 'answered', ?, '{}', ?)`, d.now(), d.now()).Error; err != nil {
			return err
		}
		for _, id := range []string{"g1", "g2", "g3"} {
			if err := tx.Exec(`INSERT INTO grants (id, owner, job, tool, control, until, max, uses, by_whom, question, added) VALUES (?, 'ann', 'j1', 'post_message', 'c', ?, 5, 2, 'bob', 'q1', ?)`,
				id, at(now.Add(time.Hour)), d.now()).Error; err != nil {
				return err
			}
		}
		for id, control := range map[string]string{"g1": "c", "g2": "another"} {
			if err := d.audit(tx, entry{Who: "bob", What: Granted, Subject: id, Under: "q1", Part: "j1", Tool: "post_message", Digest: d.keys.current.value(control)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	look := func(want ...string) {
		t.Helper()
		d := opened()
		defer d.Close()
		gs, err := d.Runs().Grants(ctx, "j1")
		if err != nil || len(gs) != 3 {
			t.Fatalf("grants = %+v, %v", gs, err)
		}
		for i, g := range gs {
			if (want[i] == "") != (g.Broken == "") || !strings.Contains(g.Broken, want[i]) {
				t.Errorf("%s is broken as %q, want %q", g.ID, g.Broken, want[i])
			}
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	look("", "gives it", "gives it")
	pool := raw(t, path)
	do(t, pool, "UPDATE grants SET max = 500")
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	look("not what was given", "gives it", "gives it")
}
