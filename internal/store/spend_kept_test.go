package store_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/internal/store"
)

// X8, SAFE-06 A cost that somebody deletes, lessens, dates back or gives to somebody else in
// the table is counted all the same, by whoever looks and after a restart, and admins are
// told of it once.
func TestWhatWasSpentIsCountedWhateverTheTableSays(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 5, 9, 0, 0, 0, time.UTC)
	month := [2]time.Time{time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)}
	for name, forged := range map[string]string{
		"deleted":         "DELETE FROM spend WHERE run = 'k1'",
		"all deleted":     "DELETE FROM spend",
		"lessened":        "UPDATE spend SET tokens = 0, nanos = 1",
		"dated back":      "UPDATE spend SET at = '2020-01-01T00:00:00.000000Z'",
		"somebody else's": "UPDATE spend SET asker = 'test:w:bob', channel = 'test:w:d', job = '', workspace = 'test:x'",
		"never written":   "CREATE TRIGGER away AFTER INSERT ON spend BEGIN DELETE FROM spend WHERE run = NEW.run; END",
	} {
		for _, when := range []string{"while it runs", "while it is stopped"} {
			t.Run(name+" "+when, func(t *testing.T) {
				t.Parallel()
				path := filepath.Join(t.TempDir(), "h.db")
				var told []string
				cfg := store.Config{DSN: path, Now: func() time.Time { return now }, Altered: func(_ context.Context, table, key string) error {
					told = append(told, table+" "+key)
					return nil
				}}
				db := open(t, cfg)
				spends := func(key string) {
					t.Helper()
					r := run.Run{Request: run.Request{Key: key, Home: "test/w/c/", Asker: "test:w:ana", Job: "j1", Text: "x", Now: now, Zone: "UTC"}, State: run.Working}
					r = r.Heard(llm.Reply{Usage: llm.Usage{In: 5, Out: 2, Nanos: 3}}, now, 0)
					if _, err := db.Runs().Save(t.Context(), r); err != nil {
						t.Fatal(err)
					}
				}
				sums := func(want run.Amount) {
					t.Helper()
					for per, of := range map[string]string{"": "", "user": "test:w:ana", "channel": "test:w:c", "workspace": "test:w", "job": "j1"} {
						if got, err := db.Runs().Spent(t.Context(), per, of, month[0], month[1]); err != nil || got != want && (per != "" || name != "somebody else's" || got.Tokens < want.Tokens) {
							t.Errorf("spent per %q = %+v, %v; want %+v", per, got, err, want)
						}
					}
				}
				forge := func(early bool) { // what writes for itself is there first
					t.Helper()
					if early != (name == "never written") {
						return
					}
					if err := raw(t, path)(forged); err != nil {
						t.Fatal(err)
					}
				}
				forge(true)
				spends("k1")
				spends("k2")
				if when == "while it runs" {
					sums(run.Amount{Tokens: 14, Nanos: 6})
					if name != "never written" && told != nil {
						t.Errorf("told of %q before anything was changed", told)
					}
					forge(false)
				} else {
					if err := db.Close(); err != nil {
						t.Fatal(err)
					}
					forge(false)
					db = open(t, cfg)
				}
				sums(run.Amount{Tokens: 14, Nanos: 6})
				sums(run.Amount{Tokens: 14, Nanos: 6})
				if len(told) == 0 || len(slices.Compact(slices.Sorted(slices.Values(told)))) != len(told) {
					t.Errorf("told %q; want each once", told)
				}
			})
		}
	}
}
