package querydb

import (
	"strings"
	"testing"
)

// Judge never panics, says why, and what it allows is one statement that starts
// with a verb that reads, however it is cut out of what stands around it.
func FuzzJudge(f *testing.F) {
	for _, sql := range []string{
		"SELECT 1;", "/**/ WITH a AS (SELECT 1) SELECT * FROM a -- x", "SELECT $a$ ; $a$, E'\\'', \"x\", [y]", "EXPLAIN (ANALYZE) SELECT 1",
		"PRAGMA table_info(x)", "SELECT 1INTO b", "SELECT /*! 1 */ 2", "SELECT '\\'; DROP TABLE a; --'", "\ufeffSELECT 1", "((((SELECT 1))))",
	} {
		for _, dialect := range []string{SQLite, Postgres, MySQL, "any"} {
			f.Add(sql, dialect)
		}
	}
	f.Fuzz(func(t *testing.T, sql, dialect string) {
		ok, why := Judge(sql, dialect)
		if why == "" {
			t.Errorf("Judge(%q, %q) = %v without a reason", sql, dialect, ok)
		}
		if !ok || dialect == "any" || dialect == "" {
			return
		}
		cut := one(sql, dialect)
		if again, why := Judge(cut, dialect); !again {
			t.Errorf("allowed %q, refused %q of it: %s", sql, cut, why)
		}
		if strings.HasSuffix(strings.TrimSpace(cut), ";") && !strings.HasSuffix(cut, ";") {
			t.Errorf("%q was not cut at its end: %q", sql, cut)
		}
		if more, _ := Judge(cut+"\n; DELETE FROM a", dialect); more {
			t.Errorf("a second statement is allowed after %q", cut)
		}
	})
}
