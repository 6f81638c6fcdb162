package querydb

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// What a server keeps of itself tells of other people: what they ask under the same
// login, which logins there are, how it is set up, samples of values. Of the names that
// an engine has for such things only those that tell of the schema may be read; the rest,
// and what comes with the next version, is refused by its name: bare, since the catalog is
// in the search path of everybody, quoted, and behind a schema.

// catalogs are the relations of an engine that tell of the schema, by the names that begin
// like all of its own.
var catalogs = map[string]struct {
	prefix string
	open   map[string]bool
}{
	Postgres: {"pg_", setOf(`pg_catalog pg_class pg_namespace pg_attribute pg_attrdef pg_index pg_indexes pg_constraint pg_description pg_type pg_enum pg_range
		pg_tables pg_views pg_matviews pg_sequence pg_sequences pg_inherits pg_partitioned_table pg_collation pg_depend pg_timezone_names pg_timezone_abbrevs`)},
	SQLite: {"sqlite_", setOf(`sqlite_master sqlite_schema sqlite_temp_master sqlite_temp_schema sqlite_sequence`)},
}

// sensitive are beginnings of names that are refused behind any schema: extensions stand
// in schemas of people.
var sensitive = []string{"pg_stat", "pg_user", "pg_role", "pg_auth", "pg_shadow", "pg_group", "pg_setting", "pg_buffercache", "pg_wait_sampling", "pg_show_all"}

// ofSchema are the views of information_schema that tell of the schema, in all engines.
var ofSchema = setOf(`schemata tables columns views table_constraints key_column_usage constraint_column_usage constraint_table_usage referential_constraints
	check_constraints domains domain_constraints element_types attributes sequences statistics partitions character_sets collations view_column_usage view_table_usage`)

// roles are views of information_schema that are refused under their bare names too, since
// a search path may lead there, and no table of people is called so.
var roles = setOf(`applicable_roles enabled_roles administrable_role_authorizations administrable_roles role_table_grants role_column_grants role_routine_grants role_udt_grants
	role_usage_grants user_mapping_options user_mappings _pg_user_mappings`)

// serverSchemas are those that a server keeps of itself.
var serverSchemas = map[string]map[string]bool{
	Postgres: setOf(`pg_toast pg_temp`),
	MySQL:    setOf(`mysql performance_schema sys`),
}

// variables of MySQL that tell of how a query is read, and of nothing else.
var variables = setOf(`version version_comment sql_mode time_zone system_time_zone character_set_connection collation_connection lower_case_table_names`)

// system says why the name at i may not stand there, or nothing.
func (j *judgement) system(i int) string {
	const only = "; of it only what tells of the schema may be read, such as information_schema.columns"
	t := j.at(i)
	if t.is("@") && j.at(i+1).is("@") && j.dialect == MySQL {
		return j.variable(i + 2)
	}
	if !t.isName() {
		return ""
	}
	name, called := strings.ToLower(t.text), j.at(i+1).is("(")
	if called && computes[name] {
		return ""
	}
	behind := "" // of which schema, or alias
	if j.at(i-1).is(".") && j.at(i-2).isName() {
		behind = strings.ToLower(j.at(i - 2).text)
	}
	refused := cut(name, 60) + " is what the server keeps of itself" + only
	switch {
	case closed(name, behind, j.dialect):
		return refused
	case behind == "information_schema" && !ofSchema[name]:
		return "information_schema." + refused
	case j.at(i+1).is(".") && serverSchemas[j.dialect][name]:
		return refused
	case j.dialect == Postgres && (name == "regrole" || roles[name]):
		return cut(name, 60) + " tells which logins there are"
	}
	return ""
}

// closed reports whether a name, behind another if there is one, is one of a catalog that
// may not be read.
func closed(name, behind, dialect string) bool {
	if dialect == Postgres && slices.ContainsFunc(sensitive, func(p string) bool { return strings.HasPrefix(name, p) }) {
		return true
	}
	own, has := catalogs[dialect]
	if !has || !strings.HasPrefix(name, own.prefix) || own.open[name] {
		return false
	}
	// Behind an alias it is a column of people; SQLite has no schemas of its own.
	return behind == "" || behind == "pg_catalog" || dialect == SQLite
}

// variable judges @@name and @@scope.name of MySQL.
func (j *judgement) variable(i int) string {
	if j.at(i + 1).is(".") {
		i += 2
	}
	name := strings.ToLower(j.at(i).text)
	if variables[name] {
		return ""
	}
	return "@@" + cut(name, 60) + " tells how the server is set up"
}

// PostgreSQL reads o.f as f(o) where o is a row without a column f. So what stands behind
// a point must be no function that takes a row and that the source does not allow. Which
// there are the database is asked each time: they are made at any moment.
const rowFunctions = `SELECT DISTINCT lower(p.proname::text) FROM pg_catalog.pg_proc p
JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace JOIN pg_catalog.pg_type t ON t.oid = p.proargtypes[0]
WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND p.pronargs >= 1 AND p.pronargs - p.pronargdefaults <= 1 AND t.typtype IN ('c', 'p', 'd')`

// attributes returns a fault if a query of PostgreSQL calls a function as if it were a
// column.
func (s *Source) attributes(ctx context.Context, tx *sql.Tx, query string) error {
	if s.layer.Dialect != Postgres {
		return nil
	}
	toks, _ := lex(query, Postgres)
	behind := map[string]bool{}
	for i, t := range toks {
		if t.isName() && i > 0 && toks[i-1].is(".") {
			behind[strings.ToLower(t.text)] = true
		}
	}
	if len(behind) == 0 {
		return nil
	}
	rows, err := tx.QueryContext(ctx, rowFunctions)
	if err != nil {
		return fmt.Errorf("functions of source %s: %w", s.layer.Name, err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return fmt.Errorf("functions of source %s: %w", s.layer.Name, err)
		}
		if behind[name] && callable(name, s.layer.Functions) != "" {
			return faultf("only one statement that reads may run: %s is a function that takes a row, and no column can be told from it; sources[].functions adds to what may be called", cut(name, 60))
		}
	}
	return rows.Err()
}
