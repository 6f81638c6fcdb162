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

// X8: a raise of before the audit said all of one is taken over once, at the first start;
// one that the audit knows nothing of is not, and neither is one that is put in later.
func TestX8RaisesOfBeforeAreTakenOverOnce(t *testing.T) {
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
	const row = "INSERT INTO raises (key, budget, of_whom, period, tokens, nanos, by_whom, at) VALUES (?, ?, '', '2026-12-01T00:00:00.000000Z', 0, 10000000000, 'lee', ?)"
	d := opened()
	err := d.write(ctx, func(tx *gorm.DB) error {
		for key, budget := range map[string]string{"m1": "month", "m2": "day"} {
			if err := tx.Exec(row, key, budget, d.now()).Error; err != nil {
				return err
			}
		}
		return d.audit(tx, entry{Who: "lee", What: BudgetRaised, Subject: "month", Outcome: "usd:10.0000"})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	look := func(want int64) {
		t.Helper()
		d := opened()
		defer d.Close()
		for budget, want := range map[string]int64{"month": want, "day": 0} {
			got, _, err := d.Runs().Raised(ctx, budget, "", time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))
			if err != nil || got.Limit.Nanos != want {
				t.Errorf("%s is raised to %d, %v; want %d", budget, got.Limit.Nanos, err, want)
			}
		}
	}
	look(10e9)
	pool := raw(t, path)
	do(t, pool, "DELETE FROM raises WHERE key = 'm1'")
	do(t, pool, strings.NewReplacer("?, ?", "'m9', 'month'", "?)", "'2026-12-01T09:00:00.000000Z')").Replace(row))
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	look(0)
}
