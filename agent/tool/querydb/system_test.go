package querydb

import (
	"database/sql"
	"strings"
	"testing"
)

// X7 What a server keeps of itself, of its sessions, logins, settings and statistics, is
// refused under its name, bare, quoted or behind a schema; what tells of the schema is not,
// and neither is what people have called alike.
func TestWhatAServerKeepsOfItselfIsRefused(t *testing.T) {
	for dialect, list := range map[string][]string{
		Postgres: {
			"SELECT query FROM pg_stat_activity", "SELECT query FROM pg_catalog.pg_stat_activity", `SELECT query FROM "pg_stat_activity"`, `SELECT query FROM "pg_catalog"."pg_stat_activity"`,
			"SELECT query FROM PG_CATALOG . /* x */ PG_STAT_ACTIVITY", "TABLE pg_stat_activity", "TABLE pg_user", "WITH a AS (TABLE pg_user) SELECT * FROM a", "SELECT (SELECT max(query) FROM pg_stat_activity)",
			"SELECT * FROM orders, pg_user", "SELECT * FROM orders o JOIN pg_roles r ON true", "SELECT * FROM pg_roles", "SELECT * FROM pg_authid", "SELECT * FROM pg_auth_members", "SELECT * FROM pg_group",
			"SELECT * FROM pg_settings", "SELECT * FROM pg_db_role_setting", "SELECT * FROM pg_config", "SELECT * FROM pg_stat_statements", "SELECT * FROM public.pg_stat_statements", `SELECT * FROM extensions."pg_stat_statements"`,
			"SELECT * FROM pg_locks", "SELECT * FROM pg_prepared_statements", "SELECT * FROM pg_prepared_xacts", "SELECT * FROM pg_cursors", "SELECT * FROM pg_stat_replication", "SELECT * FROM pg_replication_slots",
			"SELECT * FROM pg_hba_file_rules", "SELECT * FROM pg_ident_file_mappings", "SELECT * FROM pg_file_settings", "SELECT * FROM pg_stats", "SELECT * FROM pg_stats_ext", "SELECT most_common_vals FROM pg_catalog.pg_stats",
			"SELECT * FROM pg_statistic", "SELECT * FROM pg_statistic_ext_data", "SELECT * FROM pg_stat_ssl", "SELECT * FROM pg_database", "SELECT prosrc FROM pg_proc", "SELECT * FROM pg_foreign_server", "SELECT * FROM pg_subscription",
			"SELECT * FROM pg_of_tomorrow", "SELECT * FROM pg_toast.pg_toast_1234", "SELECT 10::regrole", "SELECT CAST(relowner AS regrole) FROM pg_class", "SELECT pg_get_userbyid(10)", "EXPLAIN SELECT * FROM pg_user",
			"SELECT * FROM information_schema.applicable_roles", "SELECT information_schema.enabled_roles.role_name", "SELECT * FROM test.information_schema.user_mappings", "SELECT * FROM test.pg_catalog.pg_proc", "SELECT * FROM applicable_roles", "SELECT * FROM information_schema.enabled_roles", "SELECT * FROM information_schema.user_mappings",
			"SELECT * FROM user_mapping_options", `SELECT * FROM "information_schema"."role_table_grants"`, "SELECT * FROM information_schema.table_privileges", "SELECT * FROM pg_user u(a, b)", "SELECT * FROM pg_user(a, b)",
		},
		MySQL: {
			"SELECT * FROM mysql.user", "SELECT * FROM `mysql`.`user`", "SELECT * FROM MySQL . user", "TABLE mysql.user", "SELECT * FROM performance_schema.threads", "SELECT * FROM sys.session", "SELECT * FROM a, sys.processlist",
			"SELECT * FROM information_schema.processlist", "SELECT * FROM information_schema.`PROCESSLIST`", "SELECT * FROM information_schema.user_privileges", "SELECT * FROM information_schema.user_attributes",
			"SELECT * FROM information_schema.column_statistics", "SELECT * FROM information_schema.innodb_trx", "SELECT @@secure_file_priv", "SELECT @@global.datadir", "SELECT @@GLOBAL . datadir",
		},
		SQLite: {
			"SELECT * FROM sqlite_dbpage", "SELECT * FROM main.sqlite_dbpage", "SELECT * FROM [sqlite_dbpage]", "SELECT * FROM sqlite_stmt", "SELECT * FROM sqlite_stat4", "SELECT * FROM main.`sqlite_stat1`", "SELECT * FROM sqlite_of_tomorrow",
		},
	} {
		for _, sql := range list {
			if ok, why := Judge(sql, dialect); ok || why == "" {
				t.Errorf("Judge(%q, %s) = %t: %s", sql, dialect, ok, why)
			}
		}
	}
	for dialect, list := range map[string][]string{
		Postgres: {
			"SELECT table_name FROM information_schema.tables", `SELECT * FROM "information_schema"."columns"`, "SELECT information_schema.columns.column_name FROM information_schema.columns",
			"SELECT relname, reltuples FROM pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace", "SELECT attname FROM pg_catalog.pg_attribute WHERE attrelid = 'orders'::regclass",
			"SELECT * FROM pg_indexes", "SELECT * FROM pg_tables", "SELECT pg_get_viewdef('v'::regclass)", "SELECT pg_size_pretty(pg_total_relation_size('orders'))", "SELECT m.pg_rating FROM movies m", "SELECT mysql.a FROM mysql",
			"SELECT 'pg_stat_activity'", `SELECT postgres_id, "page" FROM pages`, postgresEngine{}.schema(),
		},
		MySQL: {
			"SELECT table_name FROM information_schema.tables", "SELECT * FROM information_schema.statistics", "SELECT @@version, @@session.sql_mode", "SELECT pg_rating FROM movies", "SELECT mysql FROM a", "SELECT sys FROM sys", mysqlEngine{}.schema(),
		},
		SQLite: {"SELECT name FROM sqlite_master", "SELECT sql FROM main.sqlite_schema", "SELECT seq FROM sqlite_sequence", "SELECT sqlite_version()", "SELECT pg_rating FROM movies", sqliteEngine{}.schema()},
	} {
		for _, sql := range list {
			if ok, why := Judge(sql, dialect); !ok {
				t.Errorf("Judge(%q, %s) refuses: %s", sql, dialect, why)
			}
		}
	}
}

// A database of MySQL that is the server's own is no source.
func TestMySQLsOwnDatabasesAreNoSource(t *testing.T) {
	for _, name := range []string{"mysql", "Performance_Schema", "sys", "information_schema"} {
		if _, err := (mysqlEngine{}).open("mysql://a:b@127.0.0.1:3306/" + name); err == nil || strings.Contains(err.Error(), "a:b") {
			t.Errorf("%s = %v", name, err)
		}
	}
}

// X7 PostgreSQL calls a function that takes a row as if it were a column of it: such a
// name is refused before the query runs, unless the source allows it.
func TestPostgresAFunctionIsNoColumn(t *testing.T) {
	s, super := openPostgres(t)
	db, err := sql.Open("pgx", super)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{
		"CREATE FUNCTION hermes_shop.evil(o hermes_shop.orders) RETURNS int LANGUAGE sql AS 'SELECT 7'",
		"CREATE FUNCTION hermes_shop.sly(o anyelement, n int DEFAULT 1) RETURNS int LANGUAGE sql AS 'SELECT 7'",
		"CREATE FUNCTION hermes_shop.amount(t text) RETURNS int LANGUAGE sql AS 'SELECT 7'",
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for _, query := range []string{"SELECT o.evil FROM orders o", `SELECT (o)."evil" FROM orders o`, "SELECT o.sly, 1 AS sly FROM orders o", "SELECT count(*) FROM orders o WHERE o.EVIL > 1", "SELECT orders.evil FROM orders"} {
		if r, _ := runSQL(t, s, shelf{}, query); !r.Failed || !strings.Contains(r.Text, "takes a row") {
			t.Errorf("%s: %q", query, r.Text)
		}
	}
	for _, query := range []string{"SELECT o.amount FROM orders o LIMIT 1", "SELECT t.evil FROM (SELECT 1 AS fine) t(fine) LIMIT 0", "SELECT hermes_shop.orders.region FROM hermes_shop.orders LIMIT 1"} {
		if r, _ := runSQL(t, s, shelf{}, query); strings.Contains(query, "t.evil") != r.Failed {
			t.Errorf("%s: %q", query, r.Text)
		}
	}
	s.layer.Functions = []string{"evil"}
	if r, a := runSQL(t, s, shelf{}, "SELECT o.evil FROM orders o LIMIT 1"); r.Failed || len(a.Rows) != 1 || a.Rows[0][0] != 7.0 {
		t.Errorf("allowed by the source: %q, %v", r.Text, a.Rows)
	}
}
