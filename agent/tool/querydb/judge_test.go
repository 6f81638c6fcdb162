package querydb

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// One statement that only reads is allowed, in the engines that have it.
func TestJudgeAllows(t *testing.T) {
	for sql, dialects := range map[string]string{
		"SELECT 1": "sqlite postgres mysql any",
		"select name, count(*) from a group by 1 having count(*) > 2 order by 2 desc limit 5;": "any",
		" \n\t SELECT 1 ;; -- and out": "any",
		"(SELECT 1) UNION (SELECT 2)":  "postgres mysql",
		"VALUES (1, 2), (3, 4)":        "any",
		"TABLE invoices":               "postgres mysql",
		"WITH a AS (SELECT 1), b(x) AS (SELECT 2) SELECT * FROM a, b":                      "any",
		"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n":  "any",
		"WITH a AS NOT MATERIALIZED (SELECT 1) SELECT * FROM a":                            "sqlite postgres",
		"WITH a AS (WITH b AS (SELECT 1) SELECT * FROM b) SELECT * FROM a":                 "any",
		"SELECT * FROM (WITH b AS (SELECT 1) SELECT * FROM b) s":                           "any",
		"WITH t AS (SELECT 1) SEARCH DEPTH FIRST BY a, b SET o SELECT * FROM t ORDER BY o": "postgres",
		"EXPLAIN SELECT 1":                          "any",
		"EXPLAIN QUERY PLAN SELECT 1":               "sqlite",
		"EXPLAIN (ANALYZE, BUFFERS) SELECT 1":       "postgres",
		"EXPLAIN ANALYZE VERBOSE SELECT 1":          "postgres",
		"EXPLAIN FORMAT=JSON SELECT 1":              "mysql",
		"SELECT 'it''s; DROP TABLE a'":              "any",
		"SELECT 'a -- b' /* ; DELETE FROM a */":     "any",
		"SELECT /* outer /* inner */ still */ 1":    "postgres",
		`SELECT "update", "into" FROM a`:            "any",
		"SELECT [delete], `drop` FROM a":            "sqlite",
		"SELECT $$ ; DROP TABLE a $$":               "postgres",
		"SELECT $q$ a $$ b $q$":                     "postgres",
		`SELECT E'it\'s; DROP TABLE a'`:             "postgres",
		`SELECT 'it\'s; DROP TABLE a'`:              "mysql",
		`SELECT 'c:\'`:                              "sqlite postgres",
		"SELECT REPLACE(name, 'a', 'b') FROM a":     "any",
		"SELECT INSERT(name, 1, 2, 'b') FROM a":     "any",
		"SELECT a.updated, a.deleted_at FROM a":     "any",
		"SELECT 5 --1\n, 6":                         "any",
		"SELECT substring(name FROM 1 FOR 3)":       "postgres mysql",
		"SELECT data->>'k', data @> '{}', a::date":  "postgres",
		"SELECT tags ? 'x' FROM a":                  "postgres",
		"SELECT * FROM pragma_table_info('orders')": "sqlite",
		"SELECT 销售额 AS 金额 FROM 订单 WHERE 地区 = '亚洲'":  "any",
		"\ufeffSELECT 1":                            "any",
		"SELECT 1e-5, .5, 0x1F, 1.":                 "any",
	} {
		for dialect := range strings.FieldsSeq(dialects) {
			if ok, why := Judge(sql, dialect); !ok {
				t.Errorf("Judge(%q, %s) refuses: %s", sql, dialect, why)
			}
		}
	}
}

// What writes, locks, waits, reaches out or hides is refused, in every engine
// that it means something to.
func TestJudgeRefuses(t *testing.T) {
	for sql, dialects := range map[string]string{
		"":                             "any",
		"-- only a note":               "any",
		"DELETE FROM a":                "sqlite postgres mysql any",
		"delete/**/from/**/a":          "any",
		"INSERT INTO a VALUES (1)":     "any",
		"SELECT 1; SELECT 2":           "any",
		"SELECT 1; -- x\nDROP TABLE a": "any",
		"SELECT '--'; DROP TABLE a":    "any",
		"SELECT 1 /* a */; /* b */ DELETE FROM a":                                    "any",
		"WITH a AS (SELECT 1) DELETE FROM b":                                         "sqlite postgres mysql",
		"WITH a AS (SELECT 1) UPDATE b SET c=1":                                      "any",
		"WITH a AS (DELETE FROM b RETURNING *) SELECT * FROM a":                      "postgres",
		"WITH x AS (SELECT 1), a AS MATERIALIZED (INSERT INTO b SELECT 1) TABLE a":   "postgres",
		"SELECT * FROM (WITH a AS (UPDATE b SET c = 1 RETURNING *) SELECT * FROM a)": "postgres",
		"WITH a AS (SELECT 1) SEARCH DEPTH FIRST BY x SET o DELETE FROM b":           "postgres",
		"SELECT * INTO b FROM a":                                                     "postgres mysql any",
		"SELECT 1INTO b":                                                             "postgres",
		"SELECT 1 INTO OUTFILE '/tmp/x'":                                             "mysql",
		"SELECT * FROM a FOR UPDATE":                                                 "postgres mysql",
		"SELECT * FROM a FOR NO KEY UPDATE":                                          "postgres",
		"SELECT * FROM a LOCK IN SHARE MODE":                                         "mysql",
		"EXPLAIN ANALYZE DELETE FROM a":                                              "any",
		"EXPLAIN (VERBOSE, ANALYZE) UPDATE a SET b = 1":                              "postgres",
		"EXPLAIN ANALYZE WITH x AS (DELETE FROM a RETURNING 1) SELECT * FROM x":      "postgres",
		"EXPLAIN CREATE TABLE b AS SELECT 1":                                         "any",
		"SELECT pg_sleep(1)":                                                         "postgres",
		`SELECT "pg_read_file"('/etc/passwd')`:                                       "postgres",
		"SELECT pg_catalog . pg_read_file /**/ ('/etc/x')":                           "postgres",
		`SELECT U&"\0070g_sleep"(1)`:                                                 "postgres",
		"SELECT query_to_xml('DELETE FROM a', true, true, '')":                       "postgres",
		"SELECT set_config('a.b', '1', false)":                                       "postgres",
		"SELECT * FROM pg_shadow":                                                    "postgres",
		"SELECT load_extension('x')":                                                 "sqlite",
		"SELECT [load_extension]('x')":                                               "sqlite",
		"SELECT SLEEP(10)":                                                           "mysql",
		"SELECT ſleep(10)":                                                           "mysql",
		"SELECT `sleep`(10)":                                                         "mysql",
		"SELECT LOAD_FILE('/etc/passwd')":                                            "mysql",
		"SELECT 1 /*! INTO OUTFILE '/tmp/x' */":                                      "mysql any",
		"SELECT 1 /*!50000; DROP TABLE a */":                                         "mysql",
		"SELECT 1 /*M! INTO @x */":                                                   "mysql",
		"SELECT @a := 1":                                                             "mysql",
		"SELECT 1 # x\n; DROP TABLE a":                                               "mysql",
		"PRAGMA journal_mode = DELETE":                                               "sqlite",
		"PRAGMA user_version(7)":                                                     "sqlite",
		"PRAGMA writable_schema":                                                     "sqlite",
		"PRAGMA table_info(a) = 1":                                                   "sqlite",
		"ATTACH 'x' AS y":                                                            "sqlite",
		"SELECT ?":                                                                   "sqlite mysql",
		"SELECT $1":                                                                  "any",
		"SELECT :x":                                                                  "sqlite",
		"SELECT $a(; DROP TABLE b)":                                                  "sqlite",
		"SELECT 'open":                                                               "any",
		"SELECT /* open":                                                             "any",
		"SELECT $a$ open $b$":                                                        "postgres",
		"SELECT (1":                                                                  "any",
		"SELECT 1)":                                                                  "any",
		"SELECT 1 \\gexec":                                                           "postgres",
		"\u00a0DELETE FROM a":                                                        "any",
		"SELECT\u200b 1":                                                             "any",
		"SELECT\u30001":                                                              "any",
		"SELECT '\x00'":                                                              "any",
		"SELECT '\xff'":                                                              "any",
		"CALL p()":                                                                   "any",
		"DO $$ BEGIN END $$":                                                         "postgres",
		"COPY a TO PROGRAM 'id'":                                                     "postgres",
		"SET ROLE postgres":                                                          "postgres mysql",
		"BEGIN":                                                                      "any",
		"TABLE a":                                                                    "sqlite",
		strings.Repeat("(", 200_000):                                                 "any",
	} {
		for dialect := range strings.FieldsSeq(dialects) {
			if ok, why := Judge(sql, dialect); ok {
				t.Errorf("Judge(%q, %s) allows: %s", cut(sql, 80), dialect, why)
			}
		}
	}
}

// The rows that were collected from the faults of other programs are judged as
// they say.
func TestJudgeData(t *testing.T) {
	f, err := os.Open("../../../../shared/data/sql_readonly_dev.jsonl")
	if err != nil {
		t.Skip("no collected statements here: ", err)
	}
	defer f.Close()
	right, all := 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var row struct {
			ID, SQL, Dialect, Why string
			Allowed               any
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		dialects := []string{row.Dialect}
		if row.Dialect == "any" {
			dialects = []string{SQLite, Postgres}
		}
		for _, d := range dialects {
			got := TrySQL(row.SQL, d)
			if want, sure := row.Allowed.(bool); !sure {
				t.Logf("%s in %s: %v (%s), either is right", row.ID, d, got.Allowed, got.Why)
			} else {
				all++
				if got.Allowed == want {
					right++
				} else {
					t.Errorf("%s in %s: got %v (%s), want %v (%s)", row.ID, d, got.Allowed, got.Why, want, row.Why)
				}
			}
		}
	}
	t.Logf("%d of %d right", right, all)
}

// Whatever is put into a text stays in the text.
func TestJudgeText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inside := rapid.String().Filter(func(s string) bool { return !strings.ContainsAny(s, "\x00\\") }).Draw(t, "inside")
		sql := "SELECT '" + strings.ReplaceAll(inside, "'", "''") + "' AS x"
		if ok, why := Judge(sql, "any"); !ok {
			t.Errorf("Judge(%q) refuses: %s", sql, why)
		}
	})
}

// A second statement is found wherever the first one ends.
func TestJudgeSecond(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"1", "'a;b'", `"c;d"`, "/* ; */ 2", "abs(3)", "(4)", "-- ;\n 5", "''''"})
	rapid.Check(t, func(t *rapid.T) {
		sql := "SELECT " + strings.Join(rapid.SliceOfN(pieces, 1, 6).Draw(t, "pieces"), ", ")
		if ok, why := Judge(sql, "any"); !ok {
			t.Errorf("Judge(%q) refuses: %s", sql, why)
		}
		if ok, _ := Judge(sql+"; DROP TABLE a", "any"); ok {
			t.Errorf("Judge allows a second statement after %q", sql)
		}
	})
}

// A function of a schema is allowed only as the engine's own; a size that a call names is
// one that may be read; and of a backslash both readings of MySQL must be reads.
func TestJudgeSchemasSizesAndBackslashes(t *testing.T) {
	for _, tt := range []struct {
		dialect, sql string
		allowed      bool
	}{
		{Postgres, "SELECT evil.sum(1)", false},
		{Postgres, "SELECT public.lower(x) FROM t", false},
		{Postgres, "SELECT x.pg_sleep(1)", false},
		{Postgres, `SELECT "pg_catalog"."lower"('A'), pg_catalog.sum(a) FROM t`, true},
		{Postgres, "SELECT db.pg_catalog.lower('A')", false},
		{MySQL, "SELECT shop.sum(1)", false},
		{SQLite, "SELECT main.lower('A')", false},
		{SQLite, "SELECT t.a, main.t.b FROM main.t WHERE t.a IN (1, 2)", true},
		{SQLite, "SELECT zeroblob(1000000000)", false},
		{SQLite, "SELECT zeroblob(0x7fffffff)", false},
		{SQLite, "SELECT zeroblob(1e9)", false},
		{SQLite, "SELECT hex(zeroblob(500)), printf('%d', CASE WHEN a > 1 THEN 2 END) FROM t", true},
		{SQLite, "SELECT printf('%1000000000d', 1)", false},
		{SQLite, "SELECT printf('%.1000000000f', 1)", false},
		{SQLite, "SELECT printf('%.*c', 1000000000, 'x')", false},
		{SQLite, "SELECT printf('%10.2f', a) FROM t WHERE b > 1000000000", true},
		{Postgres, "SELECT repeat('x', 1000000000)", false},
		{Postgres, "SELECT lpad('x', 1000000000, 'y')", false},
		{MySQL, "SELECT space(1000000000)", false},
		{MySQL, `SELECT '\' , sleep(9) -- '`, false},
		{MySQL, `SELECT 'a\' UNION SELECT load_file("/x") -- '`, false},
		{MySQL, `SELECT 'it\'s'`, true},
		{MySQL, `SELECT 'C:\\dir', 'a\nb'`, true},
	} {
		if allowed, why := Judge(tt.sql, tt.dialect); allowed != tt.allowed {
			t.Errorf("%s: %s: allowed %t (%s)", tt.dialect, tt.sql, allowed, why)
		}
	}
}
