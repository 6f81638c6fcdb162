package querydb

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/tool"
)

//go:embed database.md
var databaseWords string

// DatabaseName is the name of the tool that Database returns.
const DatabaseName = "query_database"

// DatabaseArgs are the arguments of query_database.
type DatabaseArgs struct {
	Source string `json:"source,omitempty" jsonschema:"if several"`
	SQL    string `json:"sql" jsonschema:"in its dialect"`
}

// Database returns query_database over the sources. It describes itself with the
// tables that they have at the time, as far as they can be reached.
func Database(arts tool.Artifacts, sources ...*Source) tool.Tool {
	d := database{arts, sources}
	words := strings.TrimSpace(databaseWords)
	return sighted{tool.New(tool.Spec{
		Name:         DatabaseName,
		Description:  words,
		Restrictions: "Aggregate in SQL.",
		Output:       tool.OutputOf[answer](),
		Effect:       tool.Read,
		Unattended:   true,
		Timeout:      time.Minute,
		Alternates:   []string{MetricName},
		Words:        []string{"sql", "query", "database", "table", "row", "column", "数据库", "查询", "表", "字段"},
	}, d.run), sources, func([]*Source) string { return words }, describeTables}
}

// maxSchema is how many bytes the tables take in a description, and maxColumns how
// many columns of a table are named: the first are its keys.
const (
	maxSchema  = 1500
	maxColumns = 12
)

// describeTables lists the sources with their tables, one a line. What each may take is
// the same, so that one large source does not hide another.
func describeTables(ctx context.Context, sources []*Source) (string, error) {
	var lines []string
	var faults []error
	for _, s := range sources {
		tables, err := s.tables(ctx)
		if err != nil {
			lines, faults = append(lines, unreachable(s)), append(faults, err)
			continue
		}
		lines = append(lines, fmt.Sprintf("Source %s (%s, read-only):", s.layer.Name, s.layer.Dialect))
		size := maxSchema / len(sources)
		for i, line := range tables {
			if size -= len(line) + 1; size < 0 {
				lines = append(lines, fmt.Sprintf("… and %d more tables", len(tables)-i))
				break
			}
			lines = append(lines, line)
		}
	}
	if len(faults) == len(sources) {
		return "", errors.Join(faults...)
	}
	return strings.Join(lines, "\n"), nil
}

// tables lists the tables of a source, one a line, with their columns.
func (s *Source) tables(ctx context.Context) ([]string, error) {
	var lines []string
	err := s.read(ctx, "", func(ctx context.Context, tx *sql.Tx) error {
		g, err := s.readGrid(ctx, tx, s.engine.schema())
		if err != nil {
			return fmt.Errorf("read schema of source %s: %w", s.layer.Name, err)
		}
		lines = tableLines(g.rows)
		return nil
	})
	return lines, err
}

// tableLines puts rows of table, column and type into one line a table.
func tableLines(rows [][]any) []string {
	var lines []string
	var columns []string
	more := 0
	for i, row := range rows {
		if len(columns) < maxColumns {
			columns = append(columns, strings.TrimSpace(fmt.Sprint(row[1])+" "+strings.ToLower(fmt.Sprint(row[2]))))
		} else {
			more++
		}
		if i+1 < len(rows) && rows[i+1][0] == row[0] {
			continue
		}
		if more > 0 {
			columns = append(columns, fmt.Sprintf("… %d more", more))
		}
		lines = append(lines, fmt.Sprintf("%v(%s)", row[0], strings.Join(columns, ", ")))
		columns, more = nil, 0
	}
	return lines
}

type database struct {
	arts    tool.Artifacts
	sources []*Source
}

func (d database) run(ctx context.Context, c tool.Call, in DatabaseArgs) (tool.Result, error) {
	s, err := sourceNamed(in.Source, seen(ctx, c.Viewer(), d.sources))
	if err != nil {
		if hidden, none := sourceNamed(in.Source, d.sources); none == nil {
			if err := hidden.tell(ctx, c); err != nil {
				return tool.Result{}, err
			}
		}
		return failed(err)
	}
	if allowed, why := judged(in.SQL, s.layer.Dialect, s.layer.Functions); !allowed {
		return tool.Fail("only one statement that reads may run: %s", why), nil
	}
	query := one(in.SQL, s.layer.Dialect)
	var got grid
	asOf, err := s.ask(ctx, c.Run, c.Zone, func(ctx context.Context, tx *sql.Tx) error {
		err := s.attributes(ctx, tx, query)
		if err == nil {
			got, err = s.readGrid(ctx, tx, query)
		}
		return err
	})
	if err != nil {
		return failed(err)
	}
	return d.store(ctx, c, s, query, got, asOf)
}

func sourceNamed(name string, sources []*Source) (*Source, error) {
	if name == "" && len(sources) == 1 {
		return sources[0], nil
	}
	var names []string
	for _, s := range sources {
		if plain(s.layer.Name) == plain(name) {
			return s, nil
		}
		names = append(names, s.layer.Name)
	}
	return nil, faultf("there is no source %q; there are: %s", cut(name, 60), strings.Join(names, ", "))
}

// A Statement is the Meta of a Table that query_database made.
type Statement struct {
	Source string `json:"source"`
	SQL    string `json:"sql"`
}

func (d database) store(ctx context.Context, c tool.Call, s *Source, query string, got grid, asOf time.Time) (tool.Result, error) {
	g := tool.Grid{AsOf: asOf, Title: "Query of " + s.layer.Name, Zone: c.Zone, Columns: []tool.Column{}, Rows: got.rows, Truncated: got.left, Source: s.layer.Name, SQL: query}
	if isZh(c.Lang) {
		g.Title = s.layer.Name + "的查询结果"
	}
	for i, name := range got.columns {
		key := name
		// Two columns may have one name in SQL, not in a table.
		for n := 2; slices.ContainsFunc(g.Columns, func(c tool.Column) bool { return c.Key == key }); n++ {
			key = fmt.Sprintf("%s_%d", name, n)
		}
		g.Columns = append(g.Columns, tool.Column{Key: key, Label: name, Role: tool.RoleOther, Scale: scaleOf(got.rows, i)})
	}
	// The SQL is the whole recipe, dates and all: what it says of the time is not
	// ours to see.
	meta := Statement{s.layer.Name, query}
	hash, err := hashOf(meta)
	if err != nil {
		return tool.Result{}, err
	}
	a, g, err := keep(ctx, d.arts, c, g, meta, hash)
	if err != nil {
		return tool.Result{}, err
	}
	out := answerOf(a, g)
	var notes []string
	if len(g.Rows) > maxAnswer {
		notes = append(notes, fmt.Sprintf("the first %d rows are shown; the table has %d", maxAnswer, len(g.Rows)))
	}
	if got.more {
		notes = append(notes, fmt.Sprintf("at least %d further rows were not read, and not all were counted: ask count(*)", got.left))
	}
	out.Note = strings.Join(notes, "; ")
	return tool.JSON(out)
}

// scaleOf is how many digits after the point the numbers of a column need, up to
// six: more are what division leaves.
func scaleOf(rows [][]any, column int) int {
	scale := 0
	for _, row := range rows {
		if f, ok := row[column].(float64); ok {
			for scale < 6 && rounded(f, scale) != f {
				scale++
			}
		}
	}
	return scale
}
