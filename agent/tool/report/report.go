// Package report makes a report of tables: a chart, a sheet, and a page of
// Markdown with an analysis. It reads Table artifacts and leaves File and Report
// artifacts; it queries nothing and tells nobody.
//
//	tables → frame → findings → words ┐
//	           ├→ chart, sheet        ├→ page → Report + evidence
//	           └→ Check(commentary) ──┘
//
// What a newcomer would break: no number gets into a sentence as text. It is a
// figure, made of cells by one of the ops, and the prose that writes it keeps
// the evidence. What comes from elsewhere, a model's words above all, goes
// through Check, which strikes out what no cell can account for. And equal input
// gives equal bytes: the hash of a report is what people approve.
package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/golang/freetype/truetype"

	"hermes/agent/tool"
)

// Name is what models call the tool.
const Name = "make_report"

// version is part of every recipe: a grant given to reports of one layout does
// not cover another. Raise it when the layout or the analysis changes.
const version = "1"

// The formats of the file that goes with a report, and the kinds of chart.
const (
	XLSX = "xlsx"
	CSV  = "csv"
	Bar  = "bar"
	Line = "line"
	None = "none"
)

// Config is what an operator may set.
type Config struct {
	// Font is a TrueType file for names that the built-in fonts lack, such as
	// Chinese ones. Empty: one is looked for on the machine.
	Font string
}

// Args are the arguments of make_report.
type Args struct {
	Tables     []string `json:"tables" jsonschema:"ids of the table artifacts to report on, the most important first"`
	Title      string   `json:"title,omitempty" jsonschema:"title of the report; made from the first table if left out"`
	Format     string   `json:"format,omitempty" jsonschema:"file with all rows: xlsx (default), csv or none"`
	Chart      string   `json:"chart,omitempty" jsonschema:"bar, line or none; if left out bar for categories and line for time"`
	Commentary string   `json:"commentary,omitempty" jsonschema:"your own remarks, in Markdown; numbers that the tables do not bear out are struck out. The tool writes its own analysis, so leave this out unless you have something to add"`
}

// mostTables is how many tables one report takes.
const mostTables = 6

type maker struct {
	cfg  Config
	kept tool.Artifacts
	font func() *truetype.Font
}

// New returns the tool. A Font that cannot be read is an error.
func New(cfg Config, kept tool.Artifacts) (tool.Tool, error) {
	m := &maker{cfg: cfg, kept: kept, font: machineFont}
	if cfg.Font != "" {
		// Read now to fail at start, and kept: it will be needed.
		f, err := loadFont(cfg.Font)
		if err != nil {
			return nil, err
		}
		m.font = sync.OnceValue(func() *truetype.Font { return f })
	}
	return tool.New(tool.Spec{
		Name: Name,
		Description: "Make a report of tables that were queried before: a chart, a file with all rows, and a page with the table and an " +
			"analysis (total, changes, leaders, contributors, outliers, missing days). Returns its id and hash. It posts nothing: use post_message with the id.",
		Effect:     tool.Read,
		Unattended: true,
	}, m.run), nil
}

// Made is what the tool returns to the model.
type Made struct {
	Report string     `json:"report"`
	Hash   string     `json:"hash"`
	Title  string     `json:"title"`
	Text   string     `json:"text"`
	Files  []MadeFile `json:"files"`
	Struck []string   `json:"struck,omitempty"` // numbers of the commentary that the tables do not bear out
}

// A MadeFile is one file of a report.
type MadeFile struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Meta is the Meta of a Report artifact: where its numbers came from.
type Meta struct {
	Version  string     `json:"version"`
	Tables   []string   `json:"tables"` // ids; a Cell's Table is a place in it
	Hashes   []string   `json:"hashes"`
	Evidence []Evidence `json:"evidence"`
	Struck   []string   `json:"struck,omitempty"`
}

func (m *maker) run(ctx context.Context, c tool.Call, in Args) (tool.Result, error) {
	if fault := in.settle(); fault != "" {
		return tool.Fail("%s", fault), nil
	}
	tables, fault, err := m.tables(ctx, in.Tables)
	if err != nil || fault != "" {
		return tool.Fail("%s", fault), err
	}
	j := &job{maker: m, call: c, in: in, lang: c.Lang}
	if err := j.read(tables); err != nil {
		return tool.Fail("%v", err), nil
	}
	return j.make(ctx)
}

// settle puts defaults in and names what is wrong.
func (a *Args) settle() string {
	if a.Format == "" {
		a.Format = XLSX
	}
	switch {
	case len(a.Tables) == 0:
		return "tables: give the id of at least one table; query_metric returns it"
	case len(a.Tables) > mostTables:
		return fmt.Sprintf("tables: %d are too many for one report, at most %d", len(a.Tables), mostTables)
	case !slices.Contains([]string{XLSX, CSV, None}, a.Format):
		return fmt.Sprintf("format: %q is none of xlsx, csv, none", a.Format)
	case !slices.Contains([]string{"", Bar, Line, None}, a.Chart):
		return fmt.Sprintf("chart: %q is none of bar, line, none", a.Chart)
	}
	seen := map[string]bool{}
	a.Tables = slices.DeleteFunc(a.Tables, func(id string) bool {
		again := seen[id]
		seen[id] = true
		return again
	})
	return ""
}

func (m *maker) tables(ctx context.Context, ids []string) (tables []tool.Artifact, fault string, err error) {
	for _, id := range ids {
		a, err := m.kept.Artifact(ctx, id)
		switch {
		case errors.Is(err, tool.ErrNoArtifact):
			return nil, fmt.Sprintf("tables: there is no artifact %q; use the id that the query returned", id), nil
		case err != nil:
			return nil, "", fmt.Errorf("load table %s: %w", id, err)
		case a.Kind != tool.Table:
			return nil, fmt.Sprintf("tables: %s is a %s, not a table", id, a.Kind), nil
		}
		tables = append(tables, a)
	}
	return tables, "", nil
}
