package querydb

import (
	"slices"
	"strings"
)

// A function runs only if it is on this list: one that only computes from what it is
// given, or tells of the schema. A list of dangerous ones would be short of the next
// extension. The names of all engines are together, since a name that only computes in
// one does in the others, or is not there. What a database defines itself is not on it:
// sources[].functions adds names, for who knows what they do.
var computes = setOf(
	// Aggregates and windows.
	`count sum total avg min max group_concat string_agg array_agg any_value bool_and bool_or every bit_and bit_or bit_xor stddev stddev_pop stddev_samp std variance
	var_pop var_samp corr covar_pop covar_samp regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy mode median percentile
	percentile_cont percentile_disc row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value grouping checksum_agg listagg
	approx_count_distinct range_agg range_intersect_agg`,
	// Choices and comparisons.
	`coalesce ifnull nullif isnull iif if greatest least nvl nvl2 decode num_nulls num_nonnulls likely unlikely likelihood interval field elt sign strcmp`,
	// Numbers.
	`abs ceil ceiling floor round trunc truncate mod div power pow sqrt cbrt exp ln log log2 log10 pi sin cos tan cot asin acos atan atan2 sinh cosh tanh asinh acosh atanh
	sind cosd tand degrees radians random rand random_normal randomblob gcd lcm factorial width_bucket scale min_scale trim_scale conv bin oct hex unhex to_hex bit_count bit_length
	crc32 isfinite erf`,
	// Texts.
	`length len char_length character_length octet_length lower upper lcase ucase initcap substr substring substring_index mid left right trim btrim ltrim rtrim lpad rpad replace
	translate overlay position strpos instr locate charindex reverse repeat space concat concat_ws split_part starts_with ascii unicode unistr char chr nchar ord format printf to_char
	to_number quote quote_ident quote_literal quote_nullable md5 sha1 sha2 sha224 sha256 sha384 sha512 sha encode to_base64 from_base64 soundex difference levenshtein
	similarity word_similarity strict_word_similarity show_trgm unaccent normalize is_normalized regexp_replace regexp_match regexp_matches regexp_count regexp_instr regexp_like regexp_substr
	regexp_split_to_array regexp_split_to_table regexp string_to_array string_to_table array_to_string insert find_in_set make_set export_set like glob like_regex convert convert_from convert_to
	charset collation coercibility weight_string uuid gen_random_uuid uuidv4 uuidv7 parse_ident text_concat natural_sort_key sformat`,
	// Times.
	`date time datetime julianday unixepoch strftime timediff date_part date_trunc date_bin extract age now current_date current_time current_timestamp localtime localtimestamp clock_timestamp
	statement_timestamp transaction_timestamp timeofday make_date make_time make_timestamp make_timestamptz make_interval justify_days justify_hours justify_interval to_date to_timestamp
	date_add date_sub date_format str_to_date datediff timestampdiff timestampadd addtime subtime adddate subdate curdate curtime sysdate utc_date utc_time utc_timestamp year quarter month
	monthname week weekofyear yearweek weekday dayofmonth dayofweek dayofyear dayname day hour minute second microsecond last_day from_days to_days to_seconds time_to_sec sec_to_time time_format
	from_unixtime unix_timestamp convert_tz makedate maketime period_add period_diff get_format timezone timestamp overlaps add_months months_between`,
	// JSON.
	`json json_array json_arrayagg json_array_length json_object json_objectagg json_group_array json_group_object json_extract json_type json_valid json_quote json_each json_tree json_error_position
	json_insert json_remove json_replace json_set json_patch json_pretty json_array_append json_array_insert json_contains json_contains_path json_depth json_keys json_length json_merge json_merge_patch
	json_merge_preserve json_overlaps json_search json_unquote json_value json_query json_exists json_table json_scalar json_serialize json_compact json_detailed json_loose json_normalize json_equals
	jsonb jsonb_array jsonb_extract jsonb_object jsonb_group_array jsonb_group_object jsonb_insert jsonb_remove jsonb_replace jsonb_set jsonb_patch json_agg jsonb_agg json_agg_strict json_object_agg
	jsonb_object_agg json_build_array json_build_object jsonb_build_array jsonb_build_object to_json to_jsonb row_to_json array_to_json json_array_elements json_array_elements_text
	jsonb_array_elements jsonb_array_elements_text jsonb_array_length json_each_text jsonb_each jsonb_each_text jsonb_tree json_extract_path json_extract_path_text jsonb_extract_path
	jsonb_extract_path_text json_object_keys jsonb_object_keys json_typeof jsonb_typeof json_strip_nulls jsonb_strip_nulls jsonb_pretty jsonb_path_exists jsonb_path_match jsonb_path_query
	jsonb_path_query_array jsonb_path_query_first jsonb_path_exists_tz jsonb_path_match_tz jsonb_path_query_tz json_to_record json_to_recordset jsonb_to_record jsonb_to_recordset jsonb_set_lax
	json_populate_record json_populate_recordset jsonb_populate_record jsonb_populate_recordset hstore akeys avals svals skeys member`,
	// Lists, ranges, rows, searching words, networks.
	`unnest array_length array_ndims array_dims array_lower array_upper array_position array_positions array_append array_prepend array_cat array_remove array_replace array_fill array_sample
	array_shuffle array_reverse array_sort cardinality trim_array generate_series generate_subscripts lower_inc upper_inc lower_inf upper_inf isempty range_merge multirange int4range int8range numrange
	daterange tsrange tstzrange int4multirange int8multirange nummultirange datemultirange tsmultirange tstzmultirange to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank
	ts_rank_cd ts_headline setweight strip numnode querytree tsvector_to_array match bm25 highlight snippet matchinfo offsets rank_bm25 against host hostmask netmask network masklen broadcast abbrev family
	set_masklen inet_merge inet_same_family inet_aton inet_ntoa inet6_aton inet6_ntoa is_ipv4 is_ipv6 is_uuid bin_to_uuid uuid_to_bin row typeof subtype affinity zeroblob get_bit get_byte
	point line lseg box polygon circle area center diameter radius height width npoints
	st_area st_asgeojson st_astext st_buffer st_centroid st_contains st_covers st_crosses st_disjoint st_distance st_distance_sphere st_dwithin st_envelope st_equals st_geomfromtext st_intersection st_intersects
	st_isvalid st_length st_makepoint st_overlaps st_point st_setsrid st_srid st_touches st_transform st_union st_within st_x st_y`,
	// What is known of the schema and of who asks.
	`pg_typeof pg_column_size pg_size_pretty pg_relation_size pg_total_relation_size pg_table_size pg_indexes_size pg_database_size to_regclass to_regtype format_type obj_description col_description
	pg_get_viewdef pg_get_constraintdef pg_get_indexdef pg_get_expr pg_table_is_visible has_table_privilege has_column_privilege has_schema_privilege has_database_privilege has_any_column_privilege
	pg_has_role current_schema current_schemas current_database current_catalog current_user session_user current_role user version sqlite_version sqlite_source_id database schema connection_id
	changes total_changes last_insert_rowid sqlite_compileoption_used sqlite_compileoption_get
	pragma_table_info pragma_table_xinfo pragma_table_list pragma_index_list pragma_index_info pragma_index_xinfo pragma_foreign_key_list pragma_collation_list pragma_function_list pragma_compile_options
	pragma_encoding pragma_user_version pragma_application_id pragma_page_count pragma_page_size pragma_freelist_count`,
	// The operators of SQLite, which its authorizer calls functions.
	`-> ->>`,
)

// grammar are words that a bracket may follow without a call.
var grammar = setOf(
	`select distinct distinctrow all from join inner outer cross natural full lateral straight_join on using where group by grouping sets rollup cube having qualify window over partition filter within order rows range
	groups limit offset fetch first next union intersect except minus values table with recursive as materialized not and or xor in exists any some between like ilike glob regexp rlike similar to is null
	case when then else end cast try_cast array collate escape binary ties exclude explain analyze verbose format search cycle breadth depth set
	tablesample system bernoulli repeatable index key force use ignore against for of at zone symmetric asymmetric both leading trailing separator returning default columns path nested ordinality
	passing error empty conditional unconditional wrapper only div mod sounds member isnull notnull uescape overlaps match unknown true false
	sql_no_cache sql_cache high_priority sql_calc_found_rows sql_buffer_result sql_small_result sql_big_result asc desc nulls preceding following unbounded current indexed unique procedure`,
	// Types.
	`numeric decimal dec number float double precision real int integer bigint smallint tinyint mediumint int2 int4 int8 serial bit varbit varying char character varchar varchar2 nvarchar nchar text tinytext
	mediumtext longtext string blob binary varbinary bytea date time timetz timestamp timestamptz datetime year interval boolean bool signed unsigned json jsonb uuid vector halfvec enum geometry geography`,
)

func setOf(lists ...string) map[string]bool {
	all := map[string]bool{}
	for _, l := range lists {
		for name := range strings.FieldsSeq(l) {
			all[name] = true
		}
	}
	return all
}

// callable says why a function may not be called, or nothing. more are names that the
// source itself allows.
func callable(name string, more []string) string {
	switch why := forbidden(name); {
	case why != "":
		return name + "() " + why
	case computes[name], slices.Contains(more, name):
		return ""
	}
	return cut(name, 60) + "() is not on the list of functions that only compute; sources[].functions adds to it"
}
