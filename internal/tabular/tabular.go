// Package tabular reads what is meant to be a table: the cells of CSV, workbooks and
// JSON become columns of numbers, days and texts. It opens no file and reaches no
// address, and keeps nothing.
//
// Its two callers want different things. What somebody attaches is read as far as it can
// be (agent/file takes single cells from here); a source of figures is read wholly or not
// at all, since a figure of which a row is missing is a wrong one. That is Table here:
//
//   - The header is the first row as wide as most, with a name in each cell.
//   - A column is one of numbers, or of days, if nine of ten cells are; then a cell that is
//     none is a fault that names file, row and column. Of other columns all is text. So are
//     numbers with a zero before them, which are names. Empty cells, "-" and "n/a" are
//     nothing.
//   - Whether a comma or a point stands before the decimals the cells say that can be
//     read in one way only, of the column, then of the file; then semicolons between the
//     cells mean a comma. Which of two numbers is the month the days say that have more
//     than twelve; if none does it is a fault.
//   - A last row that is a total is left out, and that is said.
//
// What a newcomer would break: nothing is mended in silence. What could be read in two
// ways is a fault whose hint is an option.
package tabular

import (
	"fmt"
	"strings"
)

// A Type is what the cells of a column are.
type Type string

// The types. A Day is 2006-01-02, a Time 2006-01-02 15:04:05 as the clock showed it.
const (
	Text    Type = "text"
	Integer Type = "integer"
	Decimal Type = "number"
	Day     Type = "date"
	Time    Type = "time"
)

// Options say what cannot be seen; what is zero is.
type Options struct {
	Encoding string          // utf-8, utf-16, gb18030 or windows-1252
	Sheet    string          // of workbooks, the one to read; empty: all that have rows
	Comma    string          // Point or Comma before the decimals
	Days     string          // DMY or MDY
	Types    map[string]Type // by the name of a column
	MaxRows  int             // of a table; 0: MostRows
}

// How numbers and days are written.
const (
	PointSign = "point"
	CommaSign = "comma"
	DMY       = "dmy"
	MDY       = "mdy"
)

// Bounds of a table.
const (
	MostRows    = 200_000
	mostColumns = 200
	mostCells   = 4_000_000
	longestCell = 32 << 10
)

// A Column is one column of a Table.
type Column struct {
	Name   string // for SQL: small letters, digits and _
	Header string // as it stands in the file
	Type   Type
	Unit   string // $, €, £, ¥ or %, if all cells that have one have the same
	Scale  int    // digits after the point
}

// A Table is read wholly.
type Table struct {
	Name    string // for SQL
	Files   []string
	Columns []Column
	Rows    [][]any // string, int64, float64 or nil
	Notes   []string
}

// A Fault is what cannot be read, where, and what to do about it.
type Fault struct {
	File   string // with its sheet
	Row    int    // as a person counts it, from 1; 0: none
	Column string
	Why    string
	Hint   string
}

// Error implements error.
func (f Fault) Error() string {
	s := f.File
	if f.Row > 0 {
		s += fmt.Sprintf(" row %d", f.Row)
	}
	if f.Column != "" {
		s += ", column " + f.Column
	}
	s += ": " + f.Why
	if f.Hint != "" {
		s += "\n  hint: " + f.Hint
	}
	return s
}

// raw is a table of which the cells are not read yet.
type raw struct {
	file      string
	header    []string
	headerRow int
	rows      [][]string
	at        []int // the row of each, as a person counts it
	semicolon bool
	notes     []string
}

func (r raw) fault(row int, column, why, hint string) Fault {
	return Fault{File: r.file, Row: row, Column: column, Why: why, Hint: hint}
}

func (o Options) most() int {
	if o.MaxRows > 0 {
		return o.MaxRows
	}
	return MostRows
}

// Name makes a name for SQL of what a file or a column is called: small letters and
// digits of any script, with _ between.
func Name(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(strings.TrimSpace(s)) {
		if r != '_' && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 0x80 && isLetter(r)) {
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
			continue
		}
		gap = true
	}
	name := b.String()
	if r := []rune(name); len(r) > 60 {
		name = string(r[:60])
	}
	switch {
	case name == "":
		return "column"
	case name[0] >= '0' && name[0] <= '9':
		return "c_" + name
	case reserved[name]:
		return name + "_"
	}
	return name
}

// reserved are words of SQL that cannot stand for a column without quotes.
var reserved = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade case cast check collate column commit
conflict constraint create cross current current_date current_time current_timestamp database default deferrable deferred delete desc detach distinct do drop each else end escape except exclude
exclusive exists explain fail filter first following for foreign from full generated glob group groups having if ignore immediate in index indexed initially inner insert instead intersect into is
isnull join key last left like limit match materialized natural no not nothing notnull null nulls of offset on or order others outer over partition plan pragma preceding primary query raise range
recursive references regexp reindex release rename replace restrict returning right rollback row rows savepoint select set table temp temporary then ties to transaction trigger unbounded union
unique update user using vacuum values view virtual when where window with without`) {
		words[w] = true
	}
	return words
}()
