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
	Source string `json:"source,omitempty" jsonschema:"name of the database; may be left out if there is one"`
	SQL    string `json:"sql" jsonschema:"one SELECT statement in the dialect of the database"`
}

// Database returns query_database over the sources, described with the tables
// that they have now. A source whose tables cannot be read is in the error and is
// left without them; the tool works all the same.
func Database(ctx context.Context, arts tool.Artifacts, sources ...*Source) (tool.Tool, error) {
	var b strings.Builder
	var faults []error
	b.WriteString(strings.TrimSpace(databaseWords) + "\n")
	for _, s := range sources {
		schema, err := s.Schema(ctx)
		if err != nil {
			faults = append(faults, err)
			schema = "its tables could not be read"
		}
		fmt.Fprintf(&b, "\nSource %s (%s):\n%s\n", s.layer.Name, s.layer.Dialect, schema)
	}
	d := database{arts, sources}
	return tool.New(tool.Spec{
		Name:        DatabaseName,
		Description: strings.TrimSpace(b.String()),
		Effect:      tool.Read,
		Unattended:  true,
		Timeout:     time.Minute,
	}, d.run), errors.Join(faults...)
}

// maxSchema keeps the tables of a large database from filling every prompt.
const maxSchema = 6000

// Schema lists the tables, one a line, with their columns.
func (s *Source) Schema(ctx context.Context) (string, error) {
	var lines []string
	err := s.read(ctx, "", func(ctx context.Context, tx *sql.Tx) error {
		g, err := s.readGrid(ctx, tx, s.engine.schema())
		if err != nil {
			return fmt.Errorf("read schema of source %s: %w", s.layer.Name, err)
		}
		lines = tableLines(g.rows)
		return nil
	})
	return strings.Join(lines, "\n"), err
}

// tableLines puts rows of table, column and type into one line a table.
func tableLines(rows [][]any) []string {
	var lines []string
	var columns []string
	size := 0
	for i, row := range rows {
		columns = append(columns, strings.TrimSpace(fmt.Sprint(row[1])+" "+strings.ToLower(fmt.Sprint(row[2]))))
		if i+1 < len(rows) && rows[i+1][0] == row[0] {
			continue
		}
		line := fmt.Sprintf("%v(%s)", row[0], strings.Join(columns, ", "))
		if size += len(line); size > maxSchema {
			return append(lines, "… and more tables")
		}
		lines, columns = append(lines, line), nil
	}
	return lines
}

type database struct {
	arts    tool.Artifacts
	sources []*Source
}

func (d database) run(ctx context.Context, c tool.Call, in DatabaseArgs) (tool.Result, error) {
	s, err := d.source(in.Source)
	if err != nil {
		return failed(err)
	}
	if allowed, why := Judge(in.SQL, s.layer.Dialect); !allowed {
		return tool.Fail("only one statement that reads may run: %s", why), nil
	}
	query := one(in.SQL, s.layer.Dialect)
	var got grid
	err = s.ask(ctx, c.Zone, func(ctx context.Context, tx *sql.Tx) error {
		var err error
		got, err = s.readGrid(ctx, tx, query)
		return err
	})
	if err != nil {
		return failed(err)
	}
	return d.store(ctx, c, s, query, got)
}

func (d database) source(name string) (*Source, error) {
	if name == "" && len(d.sources) == 1 {
		return d.sources[0], nil
	}
	var names []string
	for _, s := range d.sources {
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

func (d database) store(ctx context.Context, c tool.Call, s *Source, query string, got grid) (tool.Result, error) {
	g := tool.Grid{Title: "Query of " + s.layer.Name, Zone: c.Zone, Columns: []tool.Column{}, Rows: got.rows, Truncated: got.left, Source: s.layer.Name, SQL: query}
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
	if len(g.Rows) > maxAnswer {
		out.Note = fmt.Sprintf("the first %d rows are shown; the table has %d", maxAnswer, len(g.Rows))
	}
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
