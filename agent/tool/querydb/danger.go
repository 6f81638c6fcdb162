package querydb

import (
	"slices"
	"strings"
)

// The functions below do more than compute: they reach files, the network, the
// settings or other sessions, run SQL of their own, or wait. The names of all
// engines are in one list, since none of them is the name of a harmless
// function elsewhere.

type danger struct {
	why      string
	names    []string
	prefixes []string
}

var dangers = []danger{
	{
		why: "reaches files of the server",
		names: []string{
			"readfile", "writefile", "edit", "lsdir", "fsdir", "zipfile", "sqlar_uncompress", "load_file", "load_extension",
			"loread", "lowrite", "pg_stat_file", "pg_current_logfile", "pg_hba_file_rules", "pg_show_all_file_settings",
		},
		prefixes: []string{"pg_read_", "pg_ls_", "pg_file_", "pg_logfile", "lo_"},
	},
	{
		why:      "reaches another server",
		names:    []string{"http", "http_get", "http_post", "http_put", "http_delete", "http_patch", "http_head"},
		prefixes: []string{"dblink", "postgres_fdw_"},
	},
	{
		why: "runs SQL out of a text",
		names: []string{
			"query_to_xml", "query_to_xmlschema", "query_to_xml_and_xmlschema", "cursor_to_xml", "cursor_to_xmlschema",
			"ts_stat", "ts_rewrite", "connectby", "xpath_table", "eval", "fts3_tokenizer",
		},
		prefixes: []string{"crosstab"},
	},
	{
		why:      "runs a program of the server",
		names:    []string{"sys_exec", "sys_eval", "sys_get", "sys_set", "plsh", "shell"},
		prefixes: []string{"pg_execute"},
	},
	{
		why:      "waits",
		names:    []string{"sleep", "benchmark", "master_pos_wait", "source_pos_wait", "wait_for_executed_gtid_set", "wait_until_sql_thread_after_gtids"},
		prefixes: []string{"pg_sleep"},
	},
	{
		why:      "takes or gives back a lock",
		names:    []string{"get_lock", "release_lock", "release_all_locks", "service_get_write_locks", "service_get_read_locks"},
		prefixes: []string{"pg_advisory", "pg_try_advisory"},
	},
	{
		why: "changes the state of the server",
		names: []string{
			"set_config", "setval", "nextval", "pg_notify", "pg_reload_conf", "pg_rotate_logfile", "pg_promote", "pg_nextoid",
			"pg_extension_config_dump", "pg_prewarm", "brin_summarize_new_values", "brin_summarize_range", "brin_desummarize_range",
			"gin_clean_pending_list", "pg_stat_statements_reset", "pg_stat_force_next_flush", "pg_sync_replication_slots",
		},
		prefixes: []string{
			"pg_terminate_", "pg_cancel_", "pg_switch_", "pg_create_", "pg_drop_", "pg_copy_", "pg_logical_", "pg_replication_",
			"pg_stat_reset", "pg_wal_replay_", "pg_backup_", "pg_start_backup", "pg_stop_backup", "pg_export_", "pg_import_", "pg_log_",
			"pg_restore_", "pg_clear_", "pg_truncate_", "pg_replication_origin",
		},
	},
}

// forbidden says why a function may not be called, or nothing.
func forbidden(name string) string {
	for _, d := range dangers {
		if slices.Contains(d.names, name) || slices.ContainsFunc(d.prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			return d.why
		}
	}
	return ""
}

// secretTables hold passwords and files of a server.
var secretTables = []string{
	"pg_authid", "pg_shadow", "pg_user_mapping", "pg_user_mappings", "pg_largeobject", "pg_hba_file_rules", "pg_file_settings",
	"pg_subscription", "sqlite_dbpage", "sqlite_stmt", "dbstat",
}
