package querydb

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxSQL is far above any question a person would ask, and keeps a model from
// making us read a book.
const maxSQL = 100_000

// Judge says whether SQL is one statement that only reads, and why, in words
// for who wrote it. The dialect is sqlite, postgres or mysql; "any" asks that it
// be so in all of them. It is the first of three walls and knows only the text:
// a function that somebody has defined in the database is for the other two.
func Judge(sql, dialect string) (allowed bool, why string) { return judged(sql, dialect, nil) }

// judged is Judge, where functions of these names may be called too.
func judged(sql, dialect string, functions []string) (allowed bool, why string) {
	switch dialect {
	case SQLite, Postgres, MySQL:
		verb, fault := judge(sql, dialect, functions)
		if fault != "" {
			return false, fault
		}
		return true, "one statement that only reads: " + verb
	case "any", "":
		for _, d := range []string{SQLite, Postgres, MySQL} {
			if allowed, why = judged(sql, d, functions); !allowed {
				return false, why
			}
		}
		return true, why
	}
	return false, fmt.Sprintf("%q is none of sqlite, postgres, mysql, any", dialect)
}

// one returns the text of the only statement, without what stands around it.
func one(sql, dialect string) string {
	toks, _ := lex(sql, dialect)
	start := len(sql) - len(strings.TrimPrefix(sql, bom))
	end := start
	for _, t := range toks {
		if t.is(";") {
			break
		}
		end = t.end
	}
	return sql[start:end]
}

func judge(sql, dialect string, functions []string) (verb, fault string) {
	if len(sql) > maxSQL {
		return "", fmt.Sprintf("it is longer than %d bytes", maxSQL)
	}
	verb, fault = judgeRead(sql, dialect, functions, false)
	if fault != "" || dialect != MySQL || !strings.Contains(sql, `\`) {
		return verb, fault
	}
	// Whether a backslash keeps a quote from ending a text is for the server's mode to say.
	// A text that does not end is none in that mode: the server refuses it itself.
	if _, fault := judgeRead(sql, dialect, functions, true); fault != "" && fault != unending {
		return "", "where a backslash in a text means itself, " + fault + `; write '' for a quote`
	}
	return verb, ""
}

// judgeRead judges one way to read a text. plain says that a backslash in MySQL's texts is
// one.
func judgeRead(sql, dialect string, functions []string, plain bool) (verb, fault string) {
	toks, fault := lexAs(sql, dialect, plain)
	if fault != "" {
		return "", fault
	}
	if wideFormat.MatchString(sql) {
		return "", "printf() with a width of that size makes more than may be read"
	}
	if end := slices.IndexFunc(toks, func(t token) bool { return t.is(";") }); end >= 0 {
		if slices.ContainsFunc(toks[end:], func(t token) bool { return !t.is(";") }) {
			return "", "it has more than one statement"
		}
		toks = toks[:end]
	}
	if fault = balance(toks); fault != "" {
		return "", fault
	}
	if len(toks) == 0 {
		return "", "it has no statement"
	}
	j := judgement{toks: toks, dialect: dialect, functions: functions}
	verb, fault = j.statement(0)
	if fault == "" {
		fault = j.everywhere()
	}
	return verb, fault
}

type judgement struct {
	toks      []token
	dialect   string
	functions []string     // that may be called beside those of the list
	led       map[int]bool // names that a WITH gives
}

// at returns the token at i, or one that is nothing.
func (j *judgement) at(i int) token {
	if i < 0 || i >= len(j.toks) {
		return token{}
	}
	return j.toks[i]
}

// behind returns the index after the partner of the bracket at i.
func (j *judgement) behind(i int) int {
	depth := 0
	for ; i < len(j.toks); i++ {
		switch {
		case j.toks[i].is("("):
			depth++
		case j.toks[i].is(")"):
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// writes are the verbs that may stand where a SELECT may.
var writes = []string{"INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE"}

func (j *judgement) isWrite(i int) bool {
	return j.at(i).kind == word && slices.Contains(writes, j.at(i).text)
}

// statement judges what the statement at i does, by its verb. What its parts do
// is for everywhere.
func (j *judgement) statement(i int) (verb, fault string) {
	for j.at(i).is("(") {
		i++
	}
	t := j.at(i)
	if t.kind != word {
		return "", "it does not start with a verb"
	}
	switch t.text {
	case "SELECT", "VALUES":
		return t.text, ""
	case "TABLE":
		if j.dialect != SQLite {
			return t.text, ""
		}
	case "WITH":
		return j.with(i)
	case "EXPLAIN":
		if i == 0 {
			return j.explained(i + 1)
		}
	case "PRAGMA":
		return "", "PRAGMA can change things; SELECT … FROM pragma_table_info('…') tells of a table"
	case "SHOW", "DESCRIBE", "DESC":
		return "", t.text + " is not SELECT; information_schema.columns tells of the tables"
	}
	return "", cut(t.text, 30) + " is not a read"
}

// with judges a WITH and the statement that it leads.
func (j *judgement) with(i int) (verb, fault string) {
	const lost = "its WITH cannot be followed"
	i++
	if j.at(i).is("RECURSIVE") {
		i++
	}
	for {
		if !j.at(i).isName() {
			return "", lost
		}
		if j.led == nil {
			j.led = map[int]bool{}
		}
		j.led[i] = true
		i++
		if j.at(i).is("(") {
			i = j.behind(i)
		}
		if !j.at(i).is("AS") {
			return "", lost
		}
		i++
		if j.at(i).is("NOT") {
			i++
		}
		if j.at(i).is("MATERIALIZED") {
			i++
		}
		if !j.at(i).is("(") {
			return "", lost
		}
		if verb, fault := j.statement(i); fault != "" {
			return verb, fault
		}
		i = j.cycle(j.behind(i))
		if !j.at(i).is(",") {
			return j.statement(i)
		}
		i++
	}
}

// cycle goes behind SEARCH … SET name and CYCLE … USING name of PostgreSQL.
func (j *judgement) cycle(i int) int {
	for clause, end := range map[string]string{"SEARCH": "SET", "CYCLE": "USING"} {
		if j.dialect != Postgres || !j.at(i).is(clause) {
			continue
		}
		for i < len(j.toks) && !j.at(i).is(end) {
			i++
		}
		return j.cycle(i + 2)
	}
	return i
}

// explained judges what stands after EXPLAIN. Whether it runs what it explains makes no
// difference: only a read may be explained.
func (j *judgement) explained(i int) (verb, fault string) {
	if j.at(i).is("(") && !j.readsAt(i) {
		i = j.behind(i)
	}
	for slices.Contains([]string{"ANALYZE", "ANALYSE", "VERBOSE", "QUERY", "PLAN", "EXTENDED", "PARTITIONS", "FORMAT"}, j.at(i).text) && j.at(i).kind == word {
		if j.at(i).is("FORMAT") {
			i += 2 // = JSON
		}
		i++
	}
	if _, fault := j.statement(i); fault != "" {
		return "", fault
	}
	return "EXPLAIN", ""
}

// readsAt says whether the bracket at i holds a statement and not the options of
// an EXPLAIN.
func (j *judgement) readsAt(i int) bool {
	for j.at(i).is("(") {
		i++
	}
	return slices.Contains([]string{"SELECT", "WITH", "VALUES", "TABLE"}, j.at(i).text)
}

// everywhere judges what may not stand anywhere.
func (j *judgement) everywhere() string {
	for i, t := range j.toks {
		if fault := j.calls(i); fault != "" {
			return fault
		}
		if fault := j.system(i); fault != "" {
			return fault
		}
		if t.isName() && slices.Contains(secretTables, strings.ToLower(t.text)) {
			return "it reads " + strings.ToLower(t.text) + ", where secrets are"
		}
		switch {
		case t.is("INTO"):
			return "INTO writes"
		case j.isWrite(i) && !j.at(i+1).is("(") && !j.at(i-1).is(".") && !j.at(i-1).is("AS"):
			return t.text + " is not a read; as a name it stands in quotes"
		case t.is("NEXT") && j.at(i+1).is("VALUE"), t.is("NEXTVAL") && j.at(i-1).is("."):
			return "NEXT VALUE moves a sequence"
		case t.is("FOR") && slices.Contains([]string{"UPDATE", "SHARE", "NO", "KEY"}, j.at(i+1).text) && j.at(i+1).kind == word:
			return "FOR " + j.at(i+1).text + " locks rows"
		case t.is("LOCK") && j.at(i+1).is("IN"):
			return "LOCK IN locks rows"
		case t.is(":") && j.at(i+1).is("=") && j.dialect == MySQL:
			return ":= sets a variable"
		case t.is("(") && j.at(i+1).is("WITH") && j.at(i+2).isName():
			if _, fault := j.with(i + 1); fault != "" {
				return fault
			}
		case t.is("(") && j.isWrite(i+1) && j.at(i+2).isName():
			return j.at(i+1).text + " is not a read"
		}
	}
	return ""
}

// calls judges the function that is called at i, if one is.
func (j *judgement) calls(i int) string {
	t := j.at(i)
	if !t.isName() || !j.at(i+1).is("(") {
		return ""
	}
	name := strings.ToLower(t.text)
	if t.kind == word && grammar[name] && !j.at(i-1).is(".") {
		return ""
	}
	// MySQL compares names by a collation, in which ſ is an s.
	if j.dialect == MySQL && strings.ContainsFunc(name, func(r rune) bool { return r > 127 }) && !j.names(i) {
		return "a function has a name that is not plain letters"
	}
	if why := forbidden(name); why != "" {
		return name + "() " + why
	}
	if j.at(i - 1).is(".") {
		return j.qualified(i, name)
	}
	if why := j.huge(i, name); why != "" {
		return why
	}
	if j.names(i) {
		return ""
	}
	return callable(name, j.functions)
}

// qualified judges a function that is called by its schema: the list is of those that the
// engine has itself, and anybody may have made another of that name.
func (j *judgement) qualified(i int, name string) string {
	schema := strings.ToLower(j.at(i - 2).text)
	switch {
	case slices.Contains(j.functions, name) && forbidden(name) == "":
		return ""
	case j.dialect == Postgres && schema == "pg_catalog" && !j.at(i-3).is("."):
		return callable(name, nil)
	}
	return cut(schema+"."+name, 60) + "() is a function of a schema, and may be anything; call those of the engine by their bare name"
}

// sized are functions that make as much as an argument says.
var sized = map[string]bool{"zeroblob": true, "randomblob": true, "repeat": true, "lpad": true, "rpad": true, "space": true, "printf": true, "format": true, "replicate": true}

// largest is the largest number that such an argument may be.
const largest = 10_000_000

// huge says why a call makes too much, if a number in it says so.
func (j *judgement) huge(i int, name string) string {
	if !sized[name] {
		return ""
	}
	for k, t := range j.toks[i+2 : j.behind(i+1)] {
		if before := j.at(i + 1 + k); t.kind == word && before.kind == number && t.end-len(t.text) == before.end {
			return name + "() with " + cut(j.at(i+1+k).text+strings.ToLower(t.text), 20) + ": a size is written in digits" // 0xff
		}
		if t.kind != number {
			continue
		}
		n, err := strconv.ParseFloat(strings.ReplaceAll(t.text, "_", ""), 64)
		if err != nil || n > largest {
			return name + "() with " + cut(t.text, 20) + " makes more than may be read"
		}
	}
	return ""
}

// wideFormat is a width or a precision of printf that no column has.
var wideFormat = regexp.MustCompile(`(?i)\b(?:printf|format)\s*\(\s*'[^']*%[-+ #0,!]*(?:\d{6,}|\d*\.\d{6,})`)

// names reports whether the name at i names the columns of a table in a bracket: WITH
// n(a, b) AS, AS n(a, b), FROM (…) n(a, b). There no call can stand.
func (j *judgement) names(i int) bool {
	switch before := j.at(i - 1); {
	case j.led[i], before.is("AS"):
	case before.is(")"):
		open := j.partner(i - 1)
		reads := slices.Contains([]string{"SELECT", "VALUES", "WITH", "TABLE", "("}, j.at(open+1).text)
		if f := j.at(open - 1); f.is("ON") || !reads && !j.isPlain(f) {
			return false // SELECT DISTINCT ON (a) f(b)
		}
	case !j.isPlain(before):
		return false
	}
	return j.columns(i+2, j.behind(i+1)-1)
}

// isPlain reports whether a token is a name, and no word of the grammar.
func (j *judgement) isPlain(t token) bool {
	return t.kind == quoted || t.kind == word && !grammar[strings.ToLower(t.text)]
}

// partner returns the bracket that the one at i closes.
func (j *judgement) partner(i int) int {
	depth := 0
	for ; i > 0; i-- {
		switch {
		case j.toks[i].is(")"):
			depth++
		case j.toks[i].is("("):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// columns reports whether names, their types and commas stand from i to end, and nothing
// else.
func (j *judgement) columns(i, end int) bool {
	if i >= end {
		return false
	}
	for ; i < end; i++ {
		if t := j.at(i); !t.isName() && !t.is(",") {
			return false
		}
	}
	return true
}

// readPragmas tell of the schema and change nothing. The value says whether they
// take an argument; for others an argument would be a new value.
var readPragmas = map[string]bool{
	"table_info": true, "table_xinfo": true, "table_list": true, "index_list": true,
	"index_info": true, "index_xinfo": true, "foreign_key_list": true,
	"collation_list": false, "function_list": false, "compile_options": false, "encoding": false,
	"user_version": false, "application_id": false, "page_count": false, "page_size": false, "freelist_count": false,
}
