// Package report makes a report of tables: a chart, a file (XLSX, CSV or PDF), and a page of
// Markdown with an analysis. It reads Table artifacts and leaves File and Report
// artifacts; it queries nothing and tells nobody.
//
//	tables → frame → findings → words ┐
//	           ├→ chart, sheet, print ├→ page → Report + evidence
//	           └→ Check(commentary) ──┘
//
// What a newcomer would break: no number gets into a sentence as text. It is a
// figure, made of cells by one of the ops, and the prose that writes it keeps
// the evidence. What comes from elsewhere, a model's words above all, goes
// through Check, which strikes out what no cell can account for. And equal input
// gives equal bytes: the hash of a report is what people approve.
//
// Package agent/result reads numbers too, and forgives where Check strikes out; its
// comment says why there are two readers.
package report

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hermes/agent/tool"
)

// Name is what models call the tool.
const Name = "make_report"

// version is part of every recipe: a grant given to reports of one layout does
// not cover another. Raise it when the layout or the analysis changes.
const version = "2"

// The formats of the file that goes with a report, and the kinds of chart.
const (
	XLSX    = "xlsx"
	CSV     = "csv"
	PDF     = "pdf"
	Bar     = "bar"
	Line    = "line"
	Stacked = "stacked"
	Pie     = "pie"
	None    = "none"
)

// Config is what an operator may set.
type Config struct {
	// Font is a TrueType file for names that the built-in fonts lack, such as
	// Chinese ones. Empty: one is looked for on the machine.
	Font string
	// Made says who asked for a run, and at which home; false for a run that there is
	// not. A report is made of tables of its own run, or of a run of the same person at
	// the same home. nil: of its own run alone.
	Made func(ctx context.Context, run string) (asker, home string, ok bool, err error)
}

// Args are the arguments of make_report.
type Args struct {
	Tables     []string `json:"tables" jsonschema:"ids, main first" tool:"min=1,max=6"`
	Title      string   `json:"title,omitempty" jsonschema:"else from the data"`
	Format     string   `json:"format,omitempty" tool:"enum=xlsx|csv|pdf|none,default=xlsx"`
	Chart      string   `json:"chart,omitempty" tool:"enum=bar|line|stacked|pie|none"`
	Commentary string   `json:"commentary,omitempty" jsonschema:"besides analysis"`
}

type maker struct {
	cfg  Config
	kept tool.Artifacts
	font func() *face
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
		m.font = func() *face { return f }
	}
	return tool.New(tool.Spec{
		Name:        Name,
		Description: "Make a report of tables, if wanted: chart, file, analysis. Only post_message posts it.",
		Output:      tool.OutputOf[Made](),
		IDs:         []string{"report", "hash", "id"},
		Words:       []string{"report", "summary", "analysis", "chart", "excel", "csv", "pdf", "spreadsheet", "pie", "报告", "报表", "分析", "汇总", "总结", "图表"},
		Effect:      tool.Read,
		Unattended:  true,
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
	Left   string     `json:"left_out,omitempty"`
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
	// Marks are what a person should look at in the words of the model, as
	// tool.Artifact.Marks returns them.
	Marks []string `json:"marks,omitempty"`
	// Words says that a title or words of a language model stand in it, as
	// tool.Artifact.Words returns it.
	Words bool `json:"words,omitempty"`
}

func (m *maker) run(ctx context.Context, c tool.Call, in Args) (tool.Result, error) {
	in.Tables = once(in.Tables)
	tables, fault, err := m.tables(ctx, c, in.Tables)
	if err != nil || fault != "" {
		return tool.Fail("%s", fault), err
	}
	j := &job{maker: m, call: c, in: in, lang: c.Lang}
	if err := j.read(tables); err != nil {
		return tool.Fail("%v", err), nil
	}
	return j.make(ctx)
}

// once leaves out the ids that stand there already.
func once(ids []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(ids, func(id string) bool {
		again := seen[id]
		seen[id] = true
		return again
	})
}

// tables are those of the ids, as far as the asker of the call may see them: an id is no
// right to read.
func (m *maker) tables(ctx context.Context, c tool.Call, ids []string) (tables []tool.Artifact, fault string, err error) {
	for _, id := range ids {
		a, err := m.kept.Artifact(ctx, id)
		may := false
		if err == nil {
			may, err = m.may(ctx, c, a)
		}
		switch {
		case errors.Is(err, tool.ErrNoArtifact), err == nil && !may:
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

// may reports whether the asker of a call may have a report of an artifact there.
func (m *maker) may(ctx context.Context, c tool.Call, a tool.Artifact) (bool, error) {
	switch {
	case a.Run == c.Run:
		return true, nil
	case m.cfg.Made == nil || c.Asker == "" || c.Home == "" || a.Run == "":
		return false, nil
	}
	asker, home, ok, err := m.cfg.Made(ctx, a.Run)
	return ok && asker == c.Asker && home == c.Home, err
}
