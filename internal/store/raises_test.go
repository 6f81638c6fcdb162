package store_test

import (
	"strings"
	"testing"
	"time"

	"hermes/agent/run"
	"hermes/internal/store"
)

// X8: a raise counts as the audit has it. One that was put into the table, raised further,
// copied to another period or purse, or whose successor was taken out counts for nothing,
// and verify names it; over a prune and a change of the key a sound one goes on.
func TestX8ARaiseThatWasForgedDoesNotCount(t *testing.T) {
	november, december := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	const who = "slack:T1:U1"
	for name, c := range map[string]struct {
		tamper []string
		counts int64  // in November; 0: no raise does
		found  string // by verify; empty: nothing
		about  string
	}{
		"untouched":                  {nil, 20e9, "", ""},
		"it was raised further":      {[]string{"UPDATE raises SET nanos = 900000000000 WHERE key = 'm2'"}, 0, "no row of the audit gives", "m2"},
		"it has no limit of tokens":  {[]string{"UPDATE raises SET tokens = 99999999 WHERE key = 'm2'"}, 0, "no row of the audit gives", "m2"},
		"somebody else gave it":      {[]string{"UPDATE raises SET by_whom = 'slack:T1:CEO' WHERE key = 'm2'"}, 0, "no row of the audit gives", "m2"},
		"the last one was taken out": {[]string{"DELETE FROM raises WHERE key = 'm2'"}, 0, "the table has not", "m2"},
		"one was put in": {[]string{"INSERT INTO raises (seq, key, budget, of_whom, period, tokens, nanos, by_whom, at) SELECT 99, 'mX', budget, of_whom, period, 0, 900000000000, by_whom, at FROM raises WHERE key = 'm1'"},
			20e9, "no row of the audit gives", "mX"},
		"it was put after the others":  {[]string{"UPDATE raises SET seq = 77 WHERE key = 'm1'"}, 20e9, "", ""},
		"it is for another period now": {[]string{"UPDATE raises SET period = '2026-12-01T00:00:00.000000Z' WHERE key = 'm2'"}, 0, "no row of the audit gives", "m2"},
		"it is for somebody else now":  {[]string{"UPDATE raises SET of_whom = 'slack:T1:U2' WHERE key = 'm2'"}, 0, "no row of the audit gives", "m2"},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, dsn string) {
				ctx, clk := t.Context(), newClock()
				d := open(t, store.Config{DSN: dsn, Now: clk.now, Audit: store.AuditKeys{Current: auditKey}})
				for i, nanos := range []int64{10e9, 20e9} {
					ok(t, d.Runs().Raise(ctx, run.Raise{Key: []string{"m1", "m2"}[i], Budget: "user/month", Of: who, From: november, Limit: run.Amount{Nanos: nanos}, By: "slack:T1:LEE", At: clk.now()}))
				}
				do := raw(t, dsn)
				for _, sql := range c.tamper {
					ok(t, do(sql))
				}
				for of, want := range map[string]int64{who: c.counts, "slack:T1:U2": 0} {
					for range 2 {
						got, is, err := d.Runs().Raised(ctx, "user/month", of, november)
						if err != nil || is != (want > 0) || got.Limit.Nanos != want {
							t.Errorf("raised of %s = %+v, %t, %v; want %d", of, got, is, err, want)
						}
					}
				}
				if got, is, err := d.Runs().Raised(ctx, "user/month", who, december); err != nil || is {
					t.Errorf("raised in December = %+v, %v", got, err)
				}
				v := must[store.Verified](t)(d.Journal().Verify(ctx))
				if c.found == "" && len(v.Doubts) != 0 || c.found != "" && (len(v.Doubts) != 1 || v.Doubts[0].Subject != c.about || !strings.Contains(v.Doubts[0].How, c.found)) {
					t.Errorf("verify finds %+v, want %q about %s", v.Doubts, c.found, c.about)
				}
			})
		})
	}
}

// A raise goes on over a prune of the row that gave it, in the order in which they were
// given, and over a change of the key; not where that key is known no more.
func TestX8ARaiseOutlivesItsKeyAndItsRow(t *testing.T) {
	both(t, func(t *testing.T, dsn string) {
		ctx, clk := t.Context(), newClock()
		from := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
		open1 := func(keys store.AuditKeys) *store.DB {
			return open(t, store.Config{DSN: dsn, Now: clk.now, Audit: keys})
		}
		raised := func(d *store.DB, want int64) {
			t.Helper()
			got, is, err := d.Runs().Raised(ctx, "month", "", from)
			if err != nil || is != (want > 0) || got.Limit.Nanos != want {
				t.Errorf("raised = %+v, %t, %v; want %d", got, is, err, want)
			}
			if v := must[store.Verified](t)(d.Journal().Verify(ctx)); want > 0 && len(v.Doubts) != 0 {
				t.Errorf("verify finds %+v", v.Doubts)
			}
		}
		raise := func(d *store.DB, key string, nanos int64) {
			t.Helper()
			clk.pass(time.Minute)
			ok(t, d.Runs().Raise(ctx, run.Raise{Key: key, Budget: "month", From: from, Limit: run.Amount{Nanos: nanos}, By: "slack:T1:LEE", At: clk.now()}))
		}
		d := open1(store.AuditKeys{Current: auditKey})
		raise(d, "m1", 30e9)
		clk.pass(time.Hour)
		cut := clk.now()
		raise(d, "m2", 20e9)
		must[int64](t)(d.Journal().Prune(ctx, cut, bob))
		raised(d, 20e9)
		ok(t, d.Close())
		d = open1(store.AuditKeys{Current: otherKey, Former: []string{auditKey}})
		raised(d, 20e9)
		raise(d, "m3", 25e9)
		raised(d, 25e9)
		ok(t, d.Close())
		d = open1(store.AuditKeys{Current: otherKey, Former: []string{"lost:" + store.AuditKeyID(auditKey)}})
		got, is, err := d.Runs().Raised(ctx, "month", "", from)
		if err != nil || !is || got.Limit.Nanos != 25e9 {
			t.Errorf("raised under the new key = %+v, %t, %v", got, is, err)
		}
	})
}
